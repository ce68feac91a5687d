"""A player that knows what places are worth, in the spirit of DumbBot: on any board, with no memory and no talk.

It values every province by who owns its centre, by who could come there, and by what lies around it, ring by ring
(`valuation`), and then chooses orders (`planner` for the movements, `pick` for all else).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random as Chance

from gamesmaster.board import Unit
from gamesmaster.engine.heuristic.outlook import bend
from gamesmaster.engine.heuristic.pick import best_build, least, retreat_all, worth_gone
from gamesmaster.judge import Account
from gamesmaster.mechanics import ReinforcementVerb
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players.options import Options
from gamesmaster.players.planner import Planner
from gamesmaster.players.player import Bot, View
from gamesmaster.players.simple import adjust, decide, removed_units
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
        """Return the player's assessment of a position."""
        return Mind(view, self.tastes, self.whim)


class Mind:
    """The heuristic player's assessment of a position before chance bends it; it serves several tries at orders."""

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
        """Return the value of each state, bent by this chance."""
        values = self._valuation.states
        bent, guesses = [0.0] * len(values), [chance.random() for _ in values]
        bend(bent, values, guesses, self.whim)
        return bent


def _retreats(view: View, worth: Worth) -> list[Order]:
    """Retreats to the best places (`pick.retreat_all`); who finds none disbands."""
    board, places = view.board, len(view.board.provinces)
    ways = [(n, u, o) for n, (u, choices) in enumerate(view.choices.items()) for o in choices if o.to is not None]
    goals = [board.index[order.to.province] for _, _, order in ways if order.to]
    into = [-1 if goal in board.boxes else goal for goal in goals]
    worths, chosen = [worth.after(order, unit.kind) for _, unit, order in ways], [0] * len(view.choices)
    retreat_all(len(ways), [n for n, _, _ in ways], into, worths, [0] * (places + 1), chosen)
    found = {ways[option - 1][1]: ways[option - 1][2] for option in chosen if option}
    return [found.get(unit) or Order(Verb.DISBAND, unit.kind, unit.at) for unit in view.units]


def _winter(view: View, worth: Worth) -> list[Order]:
    """Return the builds that are worth most, or removals of what is worth least (`pick`)."""
    numbers = {kind: number for number, kind in enumerate(view.board.ways)}

    def build(units: Sequence[Unit], kinds: Counter[str]) -> Unit:
        kind, worths = [numbers[unit.kind] for unit in units], [worth.of(unit.kind, unit.at) for unit in units]
        return units[best_build(len(units), kind, worths, [kinds[kind] for kind in numbers], kinds.total())]

    def remove(orders: Sequence[Order], account: Account) -> Order:
        return orders[least(len(orders), [_lost(account, worth, order) for order in orders])]

    return adjust(view, build, remove)


def _lost(account: Account, worth: Worth, order: Order) -> float:
    """Return the value of the units that a removal takes: an army without its fleet, a fleet alone, or both."""
    gone = removed_units(account.units, order)
    parts = [worth.aboard(order.of_kind or order.kind, u.at) if u.aboard else _empty(worth, u) for u in gone]
    return worth_gone(parts[0], parts[-1], len(parts) > 1)


def _empty(worth: Worth, unit: Unit) -> float:
    """Return the value of a unit where it stands, without its cargo."""
    return worth.of(worth.board.unladen(unit.kind), unit.at)


def _own(view: View, values: Values) -> list[Order]:
    """Return the orders that name the most valuable home and accept all reinforcements."""

    def pick(orders: Sequence[Order]) -> Order:
        coming = [order for order in orders if order.verb is ReinforcementVerb.ARRIVE]
        return coming[0] if coming else max(orders, key=lambda order: _home(view, values, order))

    return decide(view.extras, pick)


def _home(view: View, values: Values, order: Order) -> float:
    """Return the value of a place to units built there."""
    assert order.at is not None
    place = view.board.location_index[order.at]
    return max(values[kind][place] for kind in view.board.kinds)
