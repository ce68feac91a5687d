"""A player that knows what places are worth, in the spirit of DumbBot: on any board, with no memory and no talk.

It values every province by who owns its centre, by who could come there, and by what lies around it, ring by ring
(`valuation`), and then chooses orders (`tactics` for the movements).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random as Chance

from gamesmaster.board import Unit
from gamesmaster.judge import Account
from gamesmaster.mechanics import ReinforcementVerb
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players.options import Options
from gamesmaster.players.outlook import bend
from gamesmaster.players.planner import Planner
from gamesmaster.players.player import Bot, View
from gamesmaster.players.simple import adjust, decide, removed_units, taken_places
from gamesmaster.players.survey import Survey
from gamesmaster.players.valuation import Tastes, Valuation, Values, Worth


class Heuristic(Bot):
    """Plays by what places are worth.

    `whim` is how far, as a part of itself, the worth of a place is bent by chance: a player without any is foreseen.
    """

    name = "heuristic"

    def __init__(self, tastes: Tastes | None = None, whim: float = 0.2) -> None:
        self.tastes, self.whim = tastes or Tastes(), whim

    def orders(self, view: View) -> list[Order]:
        """Orders for all that is asked."""
        return self.mind(view).orders(view.chance())

    def mind(self, view: View) -> Mind:
        """What it thinks of a position."""
        return Mind(view, self.tastes, self.whim)


class Mind:
    """What the heuristic player thinks of a position, before chance bends it: good for many a try at orders."""

    def __init__(self, view: View, tastes: Tastes, whim: float) -> None:
        self.view, self.whim = view, whim
        self._valuation = Valuation(view, Survey(view), tastes)

    def orders(self, chance: Chance) -> list[Order]:
        """Orders for all that is asked, as this chance has it."""
        if self.view.phase.kind is PhaseKind.MOVEMENT:
            planner = self.planner(chance)
            planner.settle(chance)
            return [*planner.orders, *_own(self.view, planner.options.worth.values)]
        values = self._valuation.chart.by_kind(self._bent(chance))
        answer = _retreats if self.view.phase.kind is PhaseKind.RETREATS else _winter
        return [*answer(self.view, Worth(self.view.board, values)), *_own(self.view, values)]

    def planner(self, chance: Chance) -> Planner:
        """Plans for a movement phase, begun with every unit holding."""
        values = self._bent(chance)
        survey = Survey(self.view)
        survey.expect(values, chance.random if self.whim else lambda: 0.5)
        return Planner(Options(self.view, self._valuation.chart.by_kind(values)), survey)

    def own(self) -> list[Order]:
        """Orders for no unit, as `orders` has them but for chance."""
        return _own(self.view, self._valuation.kinds())

    def _bent(self, chance: Chance) -> list[float]:
        """What each state is worth, as this chance has it."""
        values = self._valuation.states
        bent, guesses = [0.0] * len(values), [chance.random() for _ in values]
        bend(bent, values, guesses, self.whim)
        return bent


def _retreats(view: View, worth: Worth) -> list[Order]:
    """The best places, the unit that finds the best of all choosing first; who finds none disbands."""
    ways = [(unit, o) for unit, choices in view.choices.items() for o in choices if o.to is not None]
    ways.sort(key=lambda way: -worth.after(way[1], way[0].kind))
    chosen: dict[Unit, Order] = {}
    for unit, order in ways:
        if unit not in chosen and order.to and order.to.province not in taken_places(view, chosen.values()):
            chosen[unit] = order
    return [chosen.get(unit) or Order(Verb.DISBAND, unit.kind, unit.at) for unit in view.units]


def _winter(view: View, worth: Worth) -> list[Order]:
    """Units where they are worth most, of a kind that the power has many of a little less; the least worth go."""

    def build(units: Sequence[Unit], kinds: Counter[str]) -> Unit:
        total = 1 + kinds.total()
        return max(units, key=lambda unit: worth.of(unit.kind, unit.at) * (1.5 - kinds[unit.kind] / total))

    def remove(orders: Sequence[Order], account: Account) -> Order:
        return min(orders, key=lambda order: _lost(account, worth, order))

    return adjust(view, build, remove)


def _lost(account: Account, worth: Worth, order: Order) -> float:
    """What goes with a removal, unit by unit: an army without its fleet, a fleet without its army, or both."""
    gone = removed_units(account.units, order)
    parts = [worth.aboard(order.of_kind or order.kind, u.at) if u.aboard else _empty(worth, u) for u in gone]
    return sum(parts) / len(parts) if parts else 0.0


def _empty(worth: Worth, unit: Unit) -> float:
    """What a unit is worth where it stands, without what it carries."""
    form = worth.board.forms.get(unit.kind)
    return worth.of(form.base if form and form.cargo else unit.kind, unit.at)


def _own(view: View, values: Values) -> list[Order]:
    """Of the homes that may be named the one that is worth most; all that may come is let come."""

    def pick(orders: Sequence[Order]) -> Order:
        coming = [order for order in orders if order.verb is ReinforcementVerb.ARRIVE]
        return coming[0] if coming else max(orders, key=lambda order: _home(view, values, order))

    return decide(view.extras, pick)


def _home(view: View, values: Values, order: Order) -> float:
    """What a place is worth to units built there."""
    assert order.at is not None
    place = view.board.location_index[order.at]
    return max(values[kind][place] for kind in view.board.kinds)
