"""Mechanics: what a variant changes in the regular rules, and the points at which the judge asks for it.

A mechanic is a value with typed parameters; its own state lies in `Position.state` under its id.  Each hook here is
asked at one named point of the way of the data and changes nothing unless a mechanic overrides it, so that the regular
game is the same sequence of hooks with no mechanic installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from gamesmaster.board import Position
from gamesmaster.judge.ruling import Cause

if TYPE_CHECKING:
    from gamesmaster.judge.rules import Rules

Sites = Mapping[str, frozenset[str]]
"""Where a power may build: empty provinces in order, each with the kinds of unit that may be built there."""


class Happening(NamedTuple):
    """Something that befell a power without an order: a word for its kind, the power, where, and who else."""

    word: str
    power: str
    province: str = ""
    of: str = ""


class Mechanic:
    """One thing that a variant has and the regular game has not."""

    id: ClassVar[str] = ""
    """Its name in `variant.toml`, and the key of its state."""

    def start(self, rules: Rules, position: Position) -> Position:
        """What the start needs beyond units and owners."""
        return position

    def silent(self, rules: Rules, position: Position) -> Mapping[str, Cause]:
        """Powers that give no orders and agree to nothing, and why."""
        return {}

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Where a power may build, given where it might so far."""
        return regular

    def moved(self, rules: Rules, position: Position) -> tuple[Position, tuple[Happening, ...]]:
        """What becomes of the position that the moves have left, before anybody retreats."""
        return position, ()

    def looks(self, rules: Rules, position: Position) -> Mapping[int, str]:
        """Units that maps show with a sign of their own: number to a word of the closed list (`pictures.Sign`)."""
        return {}

    def count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Happening, ...]]:
        """What the year's count brings, after the owners are settled and victory by numbers has been looked at."""
        return position, ()

    def wintered(self, rules: Rules, position: Position) -> Position:
        """What the end of an adjustment phase brings, played or not."""
        return position


def with_state(position: Position, key: str, value: object) -> Position:
    """The position with another state of one mechanic; None takes it away."""
    state = {k: v for k, v in position.state.items() if k != key}
    if value is not None:
        state[key] = value
    return Position(position.units, position.owners, position.dislodged, state)


def silenced(rules: Rules, position: Position, disorder: Iterable[str] = ()) -> dict[str, Cause]:
    """All who give no orders, and why: powers in civil disorder, and those that a mechanic silences."""
    found = dict.fromkeys(disorder, Cause.DISORDER)
    for mechanic in rules.mechanics:
        found |= mechanic.silent(rules, position)
    return found
