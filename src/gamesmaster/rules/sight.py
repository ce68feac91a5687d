"""Partial sight: what a variant whose powers do not see the whole board says of it.

A mechanic says which provinces a power sees.  `game.sight` makes everything else of that: positions, records and
rulings as a power sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import ClassVar

from gamesmaster.board import Board, Position
from gamesmaster.rules.rules import Rules
from gamesmaster.rules.values import AnyCause, Mechanic, with_state

SEEN = "sight"
"""The key under which a position as somebody sees it keeps the provinces that are seen."""


class SightCause(AnyCause):
    """The reasons that a power is given in place of those that would tell what it does not see."""

    STOPPED = "does not come off; what stops it is not told", "FOG-4.b"
    UNSEEN = "leads out of sight; what becomes of it is not told", "FOG-4.c"
    LATER = "comes after another order for the same unit", "FOG-3.b"
    NOT_OWN = "is not for a unit of this power", "STD-4.b"


class SightMechanic(Mechanic):
    """A variant's rule for what a power sees.  With several, a power sees what each of them lets it see."""

    causes: ClassVar[tuple[AnyCause, ...]] = (*SightCause,)

    @property
    def shows_orders(self) -> bool:
        """True if orders of other powers are shown where all places that they name are seen."""
        return True

    def sees(self, rules: Rules, position: Position, power: str) -> Collection[str]:
        """Return the provinces that a power sees in a position."""
        return rules.board.index


def limits_sight(rules: Rules) -> bool:
    """Return whether powers do not see the whole board."""
    return bool(rules.hooks(SightMechanic.sees))


def seen_provinces(rules: Rules, position: Position, powers: Iterable[str]) -> frozenset[str]:
    """Return the provinces that these powers together see in a position; nobody sees none."""
    found = set[str]()
    for power in powers:
        seen = set(rules.board.index)
        for sees in rules.hooks(SightMechanic.sees):
            seen &= {*sees(rules, position, power)}
        found |= seen
    return frozenset(found)


def told_orders(rules: Rules) -> bool:
    """Return whether powers learn the orders of others where they see all places that these name."""
    shows: Iterable[SightMechanic] = (m for m in rules.mechanics if isinstance(m, SightMechanic))
    return all(mechanic.shows_orders for mechanic in shows)


def mark_seen(rules: Rules, position: Position, seen: Collection[str]) -> Position:
    """Return a position that says which provinces are seen, and of other mechanics keeps what everybody may know."""
    known = {m.id: position.state[m.id] for m in rules.mechanics if m.kept_openly and m.id in position.state}
    bare = Position(position.units, position.owners, position.dislodged, known)
    return with_state(bare, SEEN, {"seen": [p.id for p in rules.board.provinces if p.id in seen]})


def unseen(board: Board, position: Position) -> Callable[[str], bool]:
    """Return a test of whether a province is out of sight; in a position as the Gamesmaster sees it, none is."""
    state = position.state.get(SEEN)
    if not isinstance(state, Mapping):
        return lambda province: False
    seen = {*state.get("seen", ())}
    return lambda province: province in board.index and province not in seen
