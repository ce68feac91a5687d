"""A player that knows what places are worth, in the spirit of DumbBot: on any board, with no memory and no talk.

It values every province by who owns its centre, by who could come there, and by what lies around it, ring by ring
(`assessment`), and then chooses orders (`planner` for the movements, `engine.heuristic.pick` for all else).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from random import Random as Chance

from gamesmaster.board import Location, Unit
from gamesmaster.engine.heuristic.dumbbot import retreat_as_dumbbot
from gamesmaster.engine.heuristic.memory import SINCE
from gamesmaster.engine.heuristic.outlook import Fixed
from gamesmaster.engine.heuristic.pick import best_build, least, retreat_all
from gamesmaster.engine.heuristic.survey import worth_at, worth_of_home, worth_removed
from gamesmaster.engine.heuristic.tables import Assessment, Tastes
from gamesmaster.game import survivors
from gamesmaster.judge import Account
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players.assessment import Valuation, ground_of
from gamesmaster.players.minds import MINDS
from gamesmaster.players.planner import Planner
from gamesmaster.players.player import Bot, View
from gamesmaster.players.simple import choose_adjustments, choose_extras, removed_units


class Heuristic(Bot):
    """Plays by what places are worth, by its own tastes or by those of a name in `minds.MINDS`."""

    def __init__(self, tastes: Tastes | None = None, name: str = "heuristic") -> None:
        self.name, self.tastes = name, tastes or MINDS[name]

    def orders(self, view: View) -> list[Order]:
        """Return orders for everything that is due."""
        return self.mind(view).orders(view.chance())

    def vote(self, view: View) -> Collection[str]:
        """Return all survivors if no power has grown beyond the largest size so far for `Tastes.tiring` movements."""
        tiring = self.tastes.tiring
        since = ground_of(view.legal, view.disorder).memory(view.history).growth[SINCE] if tiring else 0
        return survivors(view.variant, view.rules, view.position) if tiring and since >= tiring else ()

    def mind(self, view: View) -> HeuristicTurn:
        """Return the player's assessment of a position."""
        return HeuristicTurn(view, self.tastes)


class DumbBot(Heuristic):
    """Plays as David Norman's DumbBot does: no memory, no talk, no guess at what others order."""

    def __init__(self) -> None:
        super().__init__(name="dumbbot")


class HeuristicTurn:
    """The heuristic player's assessment of a position before chance bends it; it serves several tries at orders."""

    def __init__(self, view: View, tastes: Tastes) -> None:
        self.view, self.tastes = view, tastes
        self._valuation = Valuation(view, tastes)

    def orders(self, chance: Chance) -> list[Order]:
        """Return orders for everything that is due; `chance` decides between alternatives."""
        if self.view.phase.kind is PhaseKind.MOVEMENT:
            bent = self._valuation.assess(chance.random)
            planner = self._planner(bent, chance)
            planner.settle(chance)
            return [*planner.orders, *self._own(bent.value)]
        bent = self._valuation.assess(chance.random)
        answer = self._retreats if self.view.phase.kind is PhaseKind.RETREATS else self._winter
        return [*answer(bent), *self._own(bent.value)]

    def planner(self, chance: Chance) -> Planner:
        """Return a planner for a movement phase in which every unit holds at first."""
        return self._planner(self._valuation.assess(chance.random), chance)

    def own(self) -> list[Order]:
        """Return the orders of `orders` that are not for a unit, without chance."""
        return self._own(self._valuation.assess().value)

    def _planner(self, bent: Assessment, chance: Chance) -> Planner:
        look = self._valuation.outlook(bent, chance.random) if self.tastes.whim else self._valuation.outlook(bent)
        return Planner(self.view, self._valuation, bent, look)

    def _retreats(self, bent: Assessment) -> list[Order]:
        """Return retreats to the best places (`pick.retreat_all`); units without a place disband."""
        view, board, tables = self.view, self.view.board, self._valuation.tables
        ways = [(n, u, o) for n, (u, choices) in enumerate(view.choices.items()) for o in choices if o.to is not None]
        stances = [self._valuation.stance(unit.kind, order.to) for _, unit, order in ways if order.to]
        goals = [tables.stances.place[stance] for stance in stances]
        into = [-1 if tables.provinces.box[goal] else goal for goal in goals]
        worths, units = [worth_at(tables, bent.value, stance) for stance in stances], [n for n, _, _ in ways]
        chosen, taken = [0] * len(view.choices), [0] * (len(board.provinces) + 1)
        if self.tastes.dumb:
            retreat_as_dumbbot(len(ways), units, into, worths, taken, chosen, bent.guesses)
        else:
            retreat_all(len(ways), units, into, worths, taken, chosen)
        found = {ways[option - 1][1]: ways[option - 1][2] for option in chosen if option}
        return [found.get(unit) or Order(Verb.DISBAND, unit.kind, unit.at) for unit in view.units]

    def _winter(self, bent: Assessment) -> list[Order]:
        """Return the builds with the highest value, or removals with the least value (`pick`)."""
        tables, stance, value = self._valuation.tables, self._valuation.stance, bent.value
        numbers = {kind: number for number, kind in enumerate(self.view.board.ways)}

        def build(units: Sequence[Unit], kinds: Counter[str]) -> Unit:
            kind = [numbers[unit.kind] for unit in units]
            worths = [worth_at(tables, value, stance(unit.kind, unit.at)) for unit in units]
            many = [0 if self.tastes.dumb else kinds[kind] for kind in numbers]
            return units[best_build(len(units), kind, worths, many, kinds.total())]

        def remove(orders: Sequence[Order], account: Account) -> Order:
            worths = []
            for order in orders:
                gone = removed_units(account.units, order)
                first, both = gone[0], len(gone) > 1
                worths.append(worth_removed(tables, value, stance(first.kind, first.at), first.aboard > 0, both))
            return orders[least(len(orders), worths)]

        return choose_adjustments(self.view, build, remove)

    def _own(self, value: Fixed) -> list[Order]:
        """Return the orders that name the best homes, accept all that is offered, and convert units to gain."""
        if not self.view.extras:
            return []
        tables, board = self._valuation.tables, self.view.board
        steps = board.distances([board.index[centre] for centre in self.view.position.centres(self.view.power)])
        here = {unit.at.province: unit for unit in self.view.units} if self.view.board.turns else {}

        def worth(kind: str, at: Location) -> float:
            return worth_at(tables, value, self._valuation.stance(kind, at))

        def gains(order: Order) -> bool:
            unit = here.get(order.at.province) if order.kind and order.at else None
            if unit is None or order.at is None or order.verb.phrase.accepting:
                return True
            return worth(order.kind, order.at) > worth(unit.kind, unit.at)

        def pick(orders: Sequence[Order]) -> Order:
            accepting = [order for order in orders if order.verb.phrase.accepting]
            if accepting:
                return accepting[0]
            return max(orders, key=lambda order: home(order.at or Location("")))

        def home(at: Location) -> float:
            far = steps.get(board.index[at.province], len(board.provinces))  # from the nearest centre that is owned
            return worth_of_home(tables, value, board.location_index[at]) / (1 + far)

        return [order for order in choose_extras(self.view.extras, pick, self.view.choices_due) if gains(order)]
