"""Who stands where, and who could come where: the strength of both sides around every province."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, reduce
from math import comb
from operator import add
from typing import NamedTuple

from gamesmaster.board import Board, Unit
from gamesmaster.judge import LegalOrders
from gamesmaster.judge.resolution import LANDING, Placement
from gamesmaster.players.view import View

JOINS = 0.4
"""How likely a foreign unit takes part in a fight for a province next to it."""
LEAVES = 0.2
"""How likely a foreign unit leaves the province it stands in."""
DOUBT = 0.8
"""How far what is guessed of others may be off, as a part of itself, where they surely come."""


class Raider(NamedTuple):
    """A unit that could attack: whose, of which kind, where it is and where it could come, by location."""

    power: str
    kind: str
    at: int
    ends: list[int]


class Ground:
    """What all powers see alike: who stands where, and who could come where.

    `holder` are the units by province (by number), but for boxes, where nobody is in anybody's way, and those aboard.
    `near` are the units that could attack anything; `strength[p]` counts them by power, the one that stands there not
    among them.  Units of no power and of those in civil disorder only stand.
    """

    def __init__(self, legal: LegalOrders, disorder: frozenset[str]) -> None:
        self.board, field = legal.rules.board, legal.field
        self.active = frozenset(legal.rules.powers) - disorder
        self.holder: dict[int, Unit] = {}
        self.near: list[Raider] = []
        self.strength: dict[int, dict[str, int]] = {}
        for row, unit in enumerate(legal.position.units, 1):
            if unit.aboard:
                continue
            if field.at[row] not in self.board.boxes:
                self.holder.setdefault(field.at[row], unit)
            if unit.power in self.active and (ends := attacked(self.board, field.placements[row])):
                self.near.append(Raider(unit.power, self.board.base(unit.kind), field.location[row], ends))
                for place in {self.board.place[end] for end in ends}:
                    counts = self.strength.setdefault(place, {})
                    counts[unit.power] = counts.get(unit.power, 0) + 1


def attacked(board: Board, stance: Placement) -> list[int]:
    """Where a unit could attack, by location; boats fight nobody."""
    form = board.forms.get(stance.kind)
    if form and not form.cargo:
        return []
    ashore = board.steps_by(LANDING, stance.location) if form else {}
    return [end for reach in (stance.reach, ashore) for ends in reach.values() for end in ends]


@lru_cache(maxsize=16)
def ground_of(legal: LegalOrders, disorder: frozenset[str]) -> Ground:
    """The ground of a phase, one for all who play it."""
    return Ground(legal, disorder)


class Survey:
    """A position, counted around every province (by number), as one power sees it.

    `calm[p]` is how likely no foreign unit moves to `p` by itself, 1 for all until it is said what to `expect`.
    """

    def __init__(self, view: View) -> None:
        self.board, self.power, self.boxes = view.board, view.power, view.board.boxes
        self.ground = ground_of(view.legal, view.disorder)
        self.active, self.holder = self.ground.active, self.ground.holder
        self.calm: dict[int, float] = {}

    def foes(self, place: int) -> dict[str, int]:
        """How many foreign units could attack a province, by power."""
        return {power: n for power, n in self.ground.strength.get(place, {}).items() if power != self.power}

    def expect(self, values: Mapping[str, Sequence[float]], guess: Callable[[], float]) -> None:
        """Work out where foreign units will go, if they think about places as one does oneself (by kind and location).

        A unit goes to a place, or stays, the more likely the more it is worth there.  `guess` draws a number from 0 to
        1: where others may come one is not sure of it, and those who think alike do not all think the same.
        """
        calm: dict[int, float] = {}
        places = self.board.place
        for power, kind, at, ends in self.ground.near:
            if power == self.power:
                continue
            worth = values[kind]
            total = sum([worth[end] for end in ends]) + worth[at] or 1.0
            for end in ends:
                place = places[end]
                calm[place] = calm.get(place, 1.0) * (1 - worth[end] / total)
        self.calm |= {p: likely * (1 + DOUBT * (1 - likely) * (2 * guess() - 1)) for p, likely in calm.items()}

    def strongest(self, place: int) -> int:
        """The most units that one other power could bring into a province from outside."""
        return 0 if place in self.boxes else max(self.foes(place).values(), default=0)

    def enters(self, place: int, strength: int) -> float:
        """How likely a move into a province comes true with so many units behind it, its own counted."""
        if place < 0 or place in self.boxes:
            return 1.0
        foes = self.foes(place)
        holder = self.holder.get(place)
        alone = strength == 1  # then anybody at all stands it off
        empty = self.calm.get(place, 1.0) if alone else fewer(strength, max(foes.values(), default=0), JOINS)
        if holder is None or holder.power == self.power:
            return empty
        stays = fewer(strength - 1, foes.get(holder.power, 0), JOINS)
        return LEAVES * empty + (1 - LEAVES) * stays if holder.power in self.active else stays

    def keeps(self, place: int, strength: int) -> float:
        """How likely a unit with so many behind it, itself counted, is not dislodged."""
        return fewer(strength + 1, self.strongest(place), JOINS)


@cache
def fewer(most: int, units: int, likely: float) -> float:
    """How likely fewer than `most` of so many units act, each by itself as likely."""
    cases = (comb(units, n) * likely**n * (1 - likely) ** (units - n) for n in range(min(most, units + 1)))
    return reduce(add, cases, 0.0)  # from the left: `sum` rounds in its own way from Python 3.12 on
