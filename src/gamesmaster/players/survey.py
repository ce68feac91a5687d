"""Who stands where, and who could come where: the strength of both sides around every province."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb

from gamesmaster.board import Unit
from gamesmaster.judge.clerk import LANDING
from gamesmaster.players.view import View

JOINS = 0.4
"""How likely a foreign unit takes part in a fight for a province next to it."""
LEAVES = 0.2
"""How likely a foreign unit leaves the province it stands in."""


class Survey:
    """A position, counted around every province (by number), as one power sees it.

    `holder` are the units by province, but for boxes, where nobody is in anybody's way, and those aboard.  `foes[p]`
    counts, by power, the foreign units that could attack `p`, the one that stands there not among them; units of no
    power and of powers in civil disorder only stand.  `calm[p]` is how likely none of them moves there by itself.
    """

    def __init__(self, view: View) -> None:
        board = view.board
        self.power, self.boxes = view.power, board.boxes
        self.active = frozenset(view.rules.powers) - view.disorder - {view.power}
        self.holder: dict[int, Unit] = {}
        self.foes: dict[int, Counter[str]] = {}
        self.calm: dict[int, float] = {}
        for unit in view.position.units:
            at = board.location_index[unit.at]
            if unit.aboard:
                continue
            if board.place[at] not in board.boxes:
                self.holder.setdefault(board.place[at], unit)
            if unit.power not in self.active:
                continue
            form = board.forms.get(unit.kind)
            if form and not form.cargo:
                continue  # boats fight nobody
            near = [*board.reach(unit.kind, at)]
            if form:
                near += board.steps_by(LANDING, at).keys() - {*near}
            comes = min(JOINS / 2, 1 / max(1, len(near)))
            for place in near:
                self.foes.setdefault(place, Counter())[unit.power] += 1
                self.calm[place] = self.calm.get(place, 1.0) * (1 - comes)

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
