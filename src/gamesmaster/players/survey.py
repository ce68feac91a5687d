"""Who stands where, and who could come where: the strength of both sides around every province."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb

from gamesmaster.board import Unit
from gamesmaster.players.view import View

JOINS = 0.4
"""How likely a foreign unit takes part in a fight for a province next to it."""
LEAVES = 0.2
"""How likely a foreign unit leaves the province it stands in."""


class Survey:
    """A position, counted around every province (by number), as one power sees it.

    `holder` are the units by province.  `foes[p]` counts, by power, the foreign units that could step to `p`, the one
    that stands there not among them; units of no power and of powers in civil disorder only stand.
    """

    def __init__(self, view: View) -> None:
        board = view.board
        self.power = view.power
        self.active = frozenset(view.rules.powers) - view.disorder - {view.power}
        self.holder: dict[int, Unit] = {}
        self.foes: dict[int, Counter[str]] = {}
        self.friends: Counter[int] = Counter()
        for unit in view.position.units:
            at = board.location_index[unit.at]
            self.holder.setdefault(board.place[at], unit)
            if unit.power == view.power:
                self.friends.update(board.reach(unit.kind, at).keys())
            elif unit.power in self.active:
                for place in board.reach(unit.kind, at):
                    self.foes.setdefault(place, Counter())[unit.power] += 1

    def strongest(self, place: int) -> int:
        """The most units that one other power could bring into a province from outside."""
        return max(self.foes[place].values()) if place in self.foes else 0

    def enters(self, place: int, strength: int) -> float:
        """How likely a move into a province comes true with so many units behind it, its own counted."""
        foes = self.foes.get(place, Counter())
        holder = self.holder.get(place)
        if strength == 1:
            empty = fewer(1, sum(foes.values()), JOINS / 2)  # anybody at all stands it off
        else:
            empty = fewer(strength, max(foes.values(), default=0), JOINS)
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
