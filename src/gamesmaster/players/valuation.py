"""Values of provinces to a power and its units, and the provinces that kill units there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, repeat

from gamesmaster.board import Board, Location, Position, Unit
from gamesmaster.engine.heuristic.chart import chart_of
from gamesmaster.engine.heuristic.outlook import weigh_centres, worth_laden
from gamesmaster.game import season_of
from gamesmaster.judge import Season, YearMechanic
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.players.player import View
from gamesmaster.players.survey import Survey
from gamesmaster.variant import Calendar, Phase

Values = Mapping[str, Sequence[float]]
"""For each kind of unit, what each location (by number) is worth to it."""


class Worth:
    """The values of all kinds, asked by unit and order.

    A fleet with an army aboard is worth both; where it could not lie laden, only itself.
    """

    def __init__(self, board: Board, values: Values) -> None:
        self.board, self.values = board, values

    def of(self, kind: str, at: Location) -> float:
        """Return the value of a unit of a kind that is there."""
        place, form = self.board.location_index[at], self.board.forms.get(kind)
        if form is None or not form.cargo:
            return self.values[kind][place]
        return worth_laden(self.values[form.base][place], self.values[kind][place], self.board.can_stand(kind, at))

    def aboard(self, kind: str, at: Location) -> float:
        """Return the value of the unit aboard a carrier of this kind."""
        return self.values[kind][self.board.location_index[at]]

    def form(self, kind: str) -> str:
        """Return the form in which a unit of this kind is that has something to go in."""
        return form_afloat(self.board, kind)

    def after(self, order: Order, kind: str) -> float:
        """Return the value of a unit of a kind after its move, with what it takes along."""
        assert order.to is not None
        return self.of(self.form(kind) if order.carried else kind, order.to)


def form_afloat(board: Board, kind: str) -> str:
    """Return the form in which a unit of this kind is that has something to go in."""
    return next((form for form, how in board.forms.items() if how.base == kind and not how.cargo), kind)


def form_laden(board: Board, kind: str) -> str:
    """Return the kind that carries units of this kind; the kind itself if none does."""
    return next((form for form, how in board.forms.items() if how.cargo == kind), kind)


THROWS = 12
"""The number of throws of each die that are tried."""


def survival(view: View) -> Sequence[float]:
    """Return, by province number, the probability that a unit that ends this movement there survives to the next.

    Each province decides its storms and the like on its own; actions of other powers are left out.
    """
    safe = [1.0] * len(view.board.provinces)
    moved, opened = view.rules.hooks(YearMechanic.after_movement), view.rules.hooks(YearMechanic.phase_begins)
    if not moved and not opened:
        return safe
    trial = replace(view.position, units=trials(view.board, view.power), dislodged=())
    after = trial
    for after_movement in moved:
        after, _ = after_movement(view.rules, after)
    _lower(safe, trial, after, 1.0)
    for season in ahead(view.variant.calendar, view.phase) if opened else ():
        lost = [0.0] * len(safe)
        for after in _weathered(view, season, trial):
            _lower(lost, trial, after, 1 / THROWS)
        safe = [likely * (1 + odds) for likely, odds in zip(safe, lost, strict=True)]
    return safe


@lru_cache(maxsize=64)
def trials(board: Board, power: str) -> tuple[Unit, ...]:
    """Return a unit in every province where one could be, in a possible form, numbered as the province."""
    found = []
    for place in range(len(board.provinces)):
        locations = [board.locations[number] for number in board.locations_of(place)]
        forms = ((kind, at) for kind in (*board.kinds, *board.forms) for at in locations if board.can_stand(kind, at))
        found += [Unit(place, kind, power, at) for kind, at in islice(forms, 1)]
    return tuple(found)


def ahead(calendar: Calendar, phase: Phase) -> Iterator[Season]:
    """Yield the phases that begin after this one before units may move again."""
    for _ in calendar.slots:
        phase = calendar.next(phase)
        yield season_of(calendar, phase)
        if phase.kind is PhaseKind.MOVEMENT:
            return


def fall(number: int, sides: int) -> int:
    """Return what a die with this number of sides shows in this one of the `THROWS` throws."""
    return 1 + number * sides // THROWS


class _Dice:
    """Dice that all fall at the same part of their sides; they know whether any was `thrown`."""

    def __init__(self, number: int) -> None:
        self.number, self.thrown = number, False

    def __call__(self, sides: int, clause: str, subject: str) -> int:
        self.thrown = True
        return fall(self.number, sides)


def _weathered(view: View, season: Season, trial: Position) -> Iterator[Position]:
    """Yield the position after a season's beginning, for `THROWS` throws of the dice."""
    for number in range(THROWS):
        after, dice = trial, _Dice(number)
        for phase_begins in view.rules.hooks(YearMechanic.phase_begins):
            after, _ = phase_begins(view.rules, season, after, dice)
        if not dice.thrown:  # it always comes out the same
            yield from repeat(after, THROWS)
            return
        yield after


def _lower(likely: list[float], before: Position, after: Position, by: float) -> None:
    """Lower what stands for the provinces whose units are gone."""
    if after.units is before.units:
        return
    left = {unit.number for unit in after.units}
    for unit in before.units:
        if unit.number not in left:
            likely[unit.number] -= by


@dataclass(frozen=True, slots=True)
class Tastes:
    """A player's values of provinces; a supply centre without an owner is worth 1.

    `taking` is another power's centre, and `leader` the addition for the centres of the largest power; `keeping` an own
    centre that is attacked by two, half of it if by one.  `now` and `later` are the weights of the rings around a
    place, its own province first, when this movement is the last before owners are counted, and when it is not.
    """

    taking: float = 1.1
    leader: float = 0.4
    keeping: float = 1.6
    now: tuple[float, ...] = (2.0, 0.4, 0.25, 0.15, 0.1, 0.06, 0.04, 0.02)
    later: tuple[float, ...] = (0.8, 0.5, 0.3, 0.18, 0.1, 0.06, 0.04, 0.02)


class Valuation:
    """The worth of every province and location (by number) to the power whose view it is.

    `worth` is of the province itself, `safe` how likely a unit lives on there; `states` are what each state of the
    chart is worth, what lies around it counted too.
    """

    def __init__(self, view: View, survey: Survey, tastes: Tastes) -> None:
        self.view, self.survey, self.tastes = view, survey, tastes
        self.chart = chart_of(view.board, view.power)
        self.weights = tastes.now if last_before_count(view.variant.calendar, view.phase) else tastes.later
        self.worth, self.safe = self._worth(), survival(view)
        self.states = self.chart.rings(self.worth, self.safe, self.weights)

    def kinds(self) -> Values:
        """Return the value of each location to a unit of each kind, including forms that units may take."""
        return self.chart.by_kind(self.states)

    def _worth(self) -> list[float]:
        board, owners, numbers, tastes = (
            self.view.board,
            self.view.position.owners,
            self.view.rules.numbers,
            self.tastes,
        )
        size, look = len(board.provinces), self.survey.outlook
        worth, centre, holder, sizes = [0.0] * size, [0] * size, [0] * size, [0] * (len(numbers) + 1)
        for province in board.centres:
            place, owner = board.index[province], numbers.get(owners.get(province, ""), 0)
            centre[place], holder[place] = 1, owner
            sizes[owner] += 1
        weigh_centres(
            worth, centre, holder, sizes, look.strongest, look.power, tastes.taking, tastes.leader, tastes.keeping
        )
        return worth


def last_before_count(calendar: Calendar, phase: Phase) -> bool:
    """Return whether the owners of centres are settled before the next movement phase (STD-10.a)."""
    for _ in calendar.slots:
        if calendar.counts(phase):
            return True
        phase = calendar.next(phase)
        if phase.kind is PhaseKind.MOVEMENT:
            break
    return False
