"""Who stands where, and who could come where: the strength of both sides around every province."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import comb

from gamesmaster.board import Unit
from gamesmaster.judge.clerk import LANDING
from gamesmaster.players.view import View

JOINS = 0.4
"""How likely a foreign unit takes part in a fight for a province next to it."""
LEAVES = 0.2
"""How likely a foreign unit leaves the province it stands in."""
KEEN = 1.0
"""How much more likely foreign units go to where more is to be had: as this power of what a place is worth."""
DOUBT = 0.8
"""How far what is guessed of others may be off, as a part of itself, where they surely come."""


class Survey:
    """A position, counted around every province (by number), as one power sees it.

    `holder` are the units by province, but for boxes, where nobody is in anybody's way, and those aboard.  `foes[p]`
    counts, by power, the foreign units that could attack `p`, the one that stands there not among them; units of no
    power and of powers in civil disorder only stand.  `calm[p]` is how likely none of them moves there by itself, 1 for
    all until it is said what to `expect`.
    """

    def __init__(self, view: View) -> None:
        self.board, self.power, self.boxes = view.board, view.power, view.board.boxes
        self.active = frozenset(view.rules.powers) - view.disorder - {view.power}
        self.holder: dict[int, Unit] = {}
        self.foes: dict[int, Counter[str]] = {}
        self.calm: dict[int, float] = {}
        self._near: list[tuple[Unit, list[int]]] = []
        for unit in view.position.units:
            place = view.board.index[unit.at.province]
            if unit.aboard:
                continue
            if place not in self.boxes:
                self.holder.setdefault(place, unit)
            if unit.power in self.active and (ends := self._ends(unit)):
                self._near.append((unit, ends))
                for place in {view.board.place[end] for end in ends}:
                    self.foes.setdefault(place, Counter())[unit.power] += 1

    def _ends(self, unit: Unit) -> list[int]:
        """Where a unit could attack, by location; boats fight nobody."""
        board, at = self.board, self.board.location_index[unit.at]
        form = board.forms.get(unit.kind)
        if form and not form.cargo:
            return []
        ends = [end for ends in board.reach(unit.kind, at).values() for end in ends]
        ashore = board.steps_by(LANDING, at) if form else {}
        return [*ends, *(end for ends in ashore.values() for end in ends)]

    def expect(self, values: Mapping[str, Sequence[float]], guess: Callable[[], float]) -> None:
        """Work out where foreign units will go, if they think about places as one does oneself (by kind and location).

        A unit goes to a place, or stays, the more likely the more it is worth there.  `guess` draws a number from 0 to
        1: where others may come one is not sure of it, and those who think alike do not all think the same.
        """
        calm: dict[int, float] = {}
        places = self.board.place
        for unit, ends in self._near:
            worth = values[self.board.base(unit.kind)]
            keen = [worth[end] ** KEEN for end in ends]
            total = sum(keen) + worth[self.board.location_index[unit.at]] ** KEEN or 1.0
            for end, wish in zip(ends, keen, strict=True):
                calm[places[end]] = calm.get(places[end], 1.0) * (1 - wish / total)
        self.calm |= {p: likely * (1 + DOUBT * (1 - likely) * (2 * guess() - 1)) for p, likely in calm.items()}

    def strongest(self, place: int) -> int:
        """The most units that one other power could bring into a province from outside."""
        return max(self.foes[place].values()) if place in self.foes and place not in self.boxes else 0

    def enters(self, place: int, strength: int) -> float:
        """How likely a move into a province comes true with so many units behind it, its own counted."""
        if place < 0 or place in self.boxes:
            return 1.0
        foes = self.foes.get(place, Counter())
        holder = self.holder.get(place)
        alone = strength == 1  # then anybody at all stands it off
        empty = self.calm.get(place, 1.0) if alone else fewer(strength, max(foes.values(), default=0), JOINS)
        if holder is None or holder.power == self.power:
            return empty
        stays = fewer(strength - 1, foes[holder.power], JOINS)
        return LEAVES * empty + (1 - LEAVES) * stays if holder.power in self.active else stays

    def keeps(self, place: int, strength: int) -> float:
        """How likely a unit with so many behind it, itself counted, is not dislodged."""
        return fewer(strength + 1, self.strongest(place), JOINS)


@cache
def fewer(most: int, units: int, likely: float) -> float:
    """How likely fewer than `most` of so many units act, each by itself as likely."""
    return sum(comb(units, n) * likely**n * (1 - likely) ** (units - n) for n in range(min(most, units + 1)))
