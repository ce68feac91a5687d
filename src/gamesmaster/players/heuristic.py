"""A player that knows what places are worth, in the spirit of DumbBot: on any board, with no memory and no talk.

It values every province by who owns its centre, by who could come there, and by what lies around it, ring by ring
(`valuation`), and then chooses orders (`tactics` for the movements).
"""

from __future__ import annotations

from collections import Counter
from random import Random as Chance

from gamesmaster.board import Location, Unit
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players.options import Options
from gamesmaster.players.player import Bot
from gamesmaster.players.simple import apart, room
from gamesmaster.players.survey import Survey
from gamesmaster.players.tactics import Planner
from gamesmaster.players.valuation import Tastes, Valuation
from gamesmaster.players.view import View


class Heuristic(Bot):
    """Plays by what places are worth.

    `whim` is how far, as a part of itself, the worth of a place is bent by chance: a player without any is foreseen.
    """

    name = "heuristic"

    def __init__(self, tastes: Tastes | None = None, whim: float = 0.2) -> None:
        self.tastes, self.whim = tastes or Tastes(), whim

    def orders(self, view: View) -> list[Order]:
        """Orders for all that is asked."""
        chance = view.chance()
        survey = Survey(view)
        valuation = Valuation(view, survey, self.tastes)
        values = {kind: self._bent(valuation.at(kind), chance) for kind in sorted(view.board.ways)}
        if view.phase.kind is PhaseKind.MOVEMENT:
            return Planner(Options(view, values), survey).best(chance)
        if view.phase.kind is PhaseKind.RETREATS:
            return _retreats(view, values)
        return _builds(view, values) if view.due > 0 else _removals(view, values)

    def _bent(self, values: list[float], chance: Chance) -> list[float]:
        return [value * (1 + self.whim * (2 * chance.random() - 1)) for value in values]


Values = dict[str, list[float]]
"""For each kind of unit, what each location (by number) is worth to it."""


def _worth(view: View, values: Values, kind: str, at: Location) -> float:
    return values[kind][view.board.location_index[at]]


def _retreats(view: View, values: Values) -> list[Order]:
    """The best places, the unit that finds the best of all choosing first; who finds none disbands."""
    ways = [(unit, o, o.to) for unit, choices in view.choices.items() for o in choices if o.to is not None]
    ways.sort(key=lambda way: -_worth(view, values, way[0].kind, way[2]))
    chosen: dict[Unit, Order] = {}
    taken: set[str] = set()
    for unit, order, to in ways:
        if unit not in chosen and to.province not in taken:
            chosen[unit] = order
            taken.add(to.province)
    return [chosen.get(unit) or Order(Verb.DISBAND, unit.kind, unit.at) for unit in view.units]


def _builds(view: View, values: Values) -> list[Order]:
    """Units where they are worth most; of a kind that the power has many of, a little less."""
    left = [(o, o.at) for o in view.winter if o.at is not None]
    used: Counter[str] = Counter()
    kinds = Counter(unit.kind for unit in view.units)
    chosen: list[Order] = []
    while left and len(chosen) < view.due:
        total = 1 + kinds.total()
        worth = [_worth(view, values, o.kind, at) * (1.5 - kinds[o.kind] / total) for o, at in left]
        best, site = left[worth.index(max(worth))]
        kinds[best.kind] += 1
        chosen.append(best)
        used[site.province] += 1
        if used[site.province] >= room(view, best):
            left = [(o, at) for o, at in left if at.province != site.province]
    return chosen


def _removals(view: View, values: Values) -> list[Order]:
    """The units that are worth least where they stand."""
    orders = sorted(view.winter, key=lambda o: _worth(view, values, o.kind, o.at) if o.at else 0.0)
    orders = [order for order in orders for _ in range(room(view, order))]
    return apart(view, orders, -view.due)
