"""Anarchy: a power that has lost its home gets a year to win some of it back, and is then an observer (TAD-8).

Its units stand and may be supported, its centres are its own until they are taken, what it cannot supply is removed,
and it neither orders, builds, votes nor wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from gamesmaster.board import ARMY, FLEET, Position
from gamesmaster.judge import Cause, Happening, Rules, with_state
from gamesmaster.judge.mechanic import Mechanic

_LOOKS = {ARMY: "army-in-anarchy", FLEET: "fleet-in-anarchy"}


@dataclass(frozen=True)
class Anarchy(Mechanic):
    """A power without a home centre of its own at `grace` counts in a row falls into anarchy for good at the next.

    `grace` is the number of counts at which it is only warned: 1 as in the document (TAD-8.b), 0 for none.
    """

    grace: int = 1

    id: ClassVar[str] = "anarchy"

    def __post_init__(self) -> None:
        if not 0 <= self.grace <= 20:
            raise ValueError("grace is 0 to 20 counts")

    def silent(self, rules: Rules, position: Position) -> Mapping[str, Cause]:
        """Powers in anarchy give no orders (TAD-8.d, TAD-8.e)."""
        return dict.fromkeys((p for p, counts in _homeless(position).items() if counts > self.grace), Cause.ANARCHY)

    def looks(self, rules: Rules, position: Position) -> Mapping[int, str]:
        """Units in anarchy bear a broken flag."""
        fallen = self.silent(rules, position)
        return {u.number: _LOOKS.get(u.kind, _LOOKS[ARMY]) for u in position.units if u.power in fallen}

    def count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Happening, ...]]:
        """Whose grace begins or ends, and who falls into anarchy (TAD-8.a to c)."""
        before, now = _homeless(position), {}
        happened = []
        for power in rules.powers:
            counts = before.get(power, 0)
            if counts > self.grace:
                now[power] = counts  # for the rest of the game (TAD-8.c), while it owns anything (TAD-8.i)
                continue
            owned = {centre for centre in rules.board.centres if position.owners.get(centre) == power}
            home = owned & set(rules.homes.get(power, ()))
            if owned and not home:
                now[power] = counts + 1
                happened.append(Happening("anarchy" if counts == self.grace else "grace", power))
            elif home and counts:
                happened.append(Happening("restored", power))
        return with_state(position, self.id, now or None), tuple(happened)


def _homeless(position: Position) -> dict[str, int]:
    """Power to the number of counts in a row at which it had no home."""
    state = position.state.get(Anarchy.id, {})
    return dict(state) if isinstance(state, Mapping) else {}
