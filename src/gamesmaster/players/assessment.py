"""A position as columns of the heuristic player: what all powers see alike, and what it is worth to one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from gamesmaster.board import Location
from gamesmaster.engine.heuristic.aid import worth_of_aid
from gamesmaster.engine.heuristic.chart import likelihoods
from gamesmaster.engine.heuristic.dumbbot import weigh_as_dumbbot
from gamesmaster.engine.heuristic.memory import Memory
from gamesmaster.engine.heuristic.outlook import LEAVE_CHANCE, Chances, Fixed, Outlook, doubt, look_as
from gamesmaster.engine.heuristic.survey import (
    bend_values,
    chart_of,
    look_ahead,
    look_around,
    outlook_of,
    spread_worth,
    weigh_places,
)
from gamesmaster.engine.heuristic.tables import Assessment, Tastes, board_tables, new_assessment, new_survey
from gamesmaster.game import Record
from gamesmaster.judge import LegalOrders
from gamesmaster.orders import PhaseKind
from gamesmaster.players.player import View
from gamesmaster.players.recall import memory_of, new_list
from gamesmaster.players.survival import last_before_count, survival
from gamesmaster.rules import WinterMechanic, goals_of

GOAL = 4.0
"""The worth of a province that a power must own or enter to win, as a multiple of a free centre's (`Tastes.free`)."""
HOME = 1.5
"""The worth of an own home as a multiple of another centre's, where powers build in no other centres."""


class CommonView:
    """The part of a position that all powers see alike; nobody may change its columns.

    Units of no power and of those in civil disorder only stand.
    """

    def __init__(self, legal: LegalOrders, disorder: frozenset[str]) -> None:
        rules, field = legal.rules, legal.field
        self.numbers, self.units = rules.numbers, len(legal.position.units)
        self._rules, self._memories = rules, dict[int, Memory]()
        leaves = [0.0, *(0.0 if power in disorder else LEAVE_CHANCE for power in rules.powers), 0.0]
        tables = board_tables(rules.board, tuple(rules.powers))._replace(chances=Chances(leaves, 0, []))
        self.survey = new_survey(tables, self.units, new_list)
        stance = [sort * tables.locations + at for sort, at in zip(field.sorts, field.location, strict=True)]
        look_around(tables, self.survey, self.units, stance, field.owner, field.aboard)
        width = max(self.survey.most, default=0) + 2
        self.tables = tables._replace(chances=Chances(leaves, width, likelihoods(width)))

    def memory(self, history: Sequence[Record]) -> Memory:
        """Return what is remembered of these records: all of the game that leads here, or none."""
        if len(history) not in self._memories:
            self._memories[len(history)] = memory_of(self._rules, history)
        return self._memories[len(history)]

    def foes(self, place: int, number: int) -> dict[str, int]:
        """Return, by power, how many units could attack a province, without those of the power with this number."""
        first, strength = place * self.tables.powers, self.survey.strength
        return {power: units for power, n in self.numbers.items() if n != number and (units := strength[first + n])}

    def strength(self, number: int) -> list[int]:
        """Return, by province, how many units the power with this number could bring in from outside."""
        return [*self.survey.strength[number :: self.tables.powers]]

    def strongest(self, number: int) -> list[int]:
        """Return, by province, the most units that one power other than this number could bring in from outside."""
        found, survey = [0] * len(self.tables.provinces.box), self.survey
        look_as(number, survey.leader, survey.most, survey.second, found)
        return found


@lru_cache(maxsize=16)
def ground_of(legal: LegalOrders, disorder: frozenset[str]) -> CommonView:
    """Return the ground of a phase, one for all who play it."""
    return CommonView(legal, disorder)


class Valuation:
    """The worth of every place to the power whose view it is, before chance bends it."""

    def __init__(self, view: View, tastes: Tastes) -> None:
        self.board, self.ground = view.board, ground_of(view.legal, view.disorder)
        self.tables, self.tastes = self.ground.tables, tastes
        self.memory = self.ground.memory(view.history if tastes.peace or tastes.helping or tastes.patience < 1 else ())
        tables = self.tables
        self.number = view.rules.numbers[view.power]
        self._nodes = tables.charts[chart_of(tables, tastes, self.number)].stance
        self._first = {kind: n * tables.locations for n, kind in enumerate(view.board.ways)}
        self._plain = new_assessment(tables, len(self._nodes), new_list)
        numbers = view.rules.numbers
        holder, sizes = [0] * len(tables.provinces.box), [0] * (len(numbers) + 1)
        for province, power in view.position.owners.items():
            holder[view.board.index[province]] = numbers.get(power, 0)
        for province in view.board.centres:
            sizes[holder[view.board.index[province]]] += 1
        self.holder, self.sizes = holder, sizes
        self._last = last_before_count(view.variant.calendar, view.phase)
        own, safe, kind = (self.number, holder, sizes), survival(view), view.phase.kind
        if tastes.dumb:
            now, winter = self._last or kind is not PhaseKind.MOVEMENT, kind is PhaseKind.ADJUSTMENTS
            weigh_as_dumbbot(tables, self.ground.survey, self._plain, tastes, *own, safe, now, winter)
        else:
            weigh_places(
                tables, self.ground.survey, self._plain, tastes, self.memory.grudge, *own, safe, self._last
            )  # fmt: skip
            if view.rules.mechanics:
                self._aim(view, safe)

    def _aim(self, view: View, safe: Sequence[float]) -> None:
        """Value goals, those of others that are near them too, and homes, by what mechanics say of them."""
        wins, homes = goal_worth(view, self.ground, self._plain.strongest), own_homes(view)
        if not (wins or homes):
            return
        for place in homes:
            self._plain.worth[place] *= HOME
        for place, worth in wins.items():
            self._plain.worth[place] += worth * self.tastes.free
        tables, weights = self.tables, self.tastes.now if self._last else self.tastes.later
        spread_worth(tables, self._plain, tables.chart[self.number], weights, safe)

    @property
    def worth(self) -> list[float]:
        """The worth of each province by itself."""
        return [*self._plain.worth]

    def stance(self, kind: str, at: Location) -> int:
        """Return a kind of unit at a location, by number."""
        return self._first[kind] + self.board.location_index[at]

    def aid(self, value: Fixed, row: int, to: int) -> float:
        """Return how likely the power supports another's unit, in this row, into a stance or where it stands (-1)."""
        return worth_of_aid(
            self.tables, self.ground.survey, value, self.memory.grudge, self.holder, self.sizes, self.tastes,
            self.number, row, to,
        )  # fmt: skip

    def assess(self, guess: Callable[[], float] = lambda: 0.5) -> Assessment:
        """Return the values of places, each bent by a guess from 0 to 1, before anything is expected of others."""
        drawn, size = [guess() for _ in self.tables.stances.place], len(self.tables.provinces.box)
        bent = self._plain._replace(
            guesses=[drawn[n] for n in self._nodes], value=[0.0] * len(drawn), calm=[1.0] * size
        )  # fmt: skip
        bend_values(self.tables, bent, self.tastes, self.number, self._last)
        return bent

    def outlook(self, bent: Assessment, guess: Callable[[], float] = lambda: 0.5) -> Outlook:
        """Return the expectations of others by these values, with one guess for each province that they may go to."""
        tables, survey, size = self.tables, self.ground.survey, len(self.tables.provinces.box)
        expected = bent._replace(came=[0] * size, calm_at=[0] * size)
        units = 0 if self.tastes.dumb else self.ground.units
        found = look_ahead(tables, survey, expected, self.number, units)
        doubt(expected.calm, expected.calm_at, [guess() for _ in range(found)], found)
        return outlook_of(tables, survey, expected, self.number)


def goal_worth(view: View, ground: CommonView, strongest: Fixed) -> dict[int, float]:
    """Map provinces by which somebody wins to their worth to a power, beside that of a centre.

    A goal that the power owns is worth as much as it is threatened, one of others as much as these threaten to take it.
    """
    board, found = view.board, dict[int, float]()
    for province, powers in goals_of(view.rules).items():
        place = board.index[province]
        foes = ground.foes(place, view.rules.numbers[view.power])
        if view.power not in powers:
            units = max((foes.get(power, 0) for power in powers), default=0)
        else:
            units = strongest[place] if view.position.owners.get(province) == view.power else 2
        if units:
            found[place] = GOAL * min(2, units) / 2
    return found


def own_homes(view: View) -> list[int]:
    """Return the provinces that are a power's homes and in which alone it builds, by mechanics."""
    alone = (m for m in view.rules.mechanics if isinstance(m, WinterMechanic) and m.homes_alone)
    homes = [mechanic.homes_now(view.rules, view.position) for mechanic in alone]
    return [view.board.index[home] for own in homes for home, power in own.items() if power == view.power]
