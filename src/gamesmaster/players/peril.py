"""Which places kill who comes there: found out by asking the mechanics what would become of a unit in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, repeat

from gamesmaster.board import Board, Position, Unit
from gamesmaster.game.progress import season_of
from gamesmaster.judge import Season, YearMechanic
from gamesmaster.orders import PhaseKind
from gamesmaster.players.view import View

THROWS = 12
"""How many throws of each die are tried."""


def survival(view: View) -> Sequence[float]:
    """How likely a unit of the power that ends this movement in a province is still there at the next, by its number.

    Of storms and the like each province is asked by itself; what other powers do is left out.
    """
    safe = [1.0] * len(view.board.provinces)
    moved, opened = view.rules.asked(YearMechanic.after_movement), view.rules.asked(YearMechanic.phase_begins)
    if not moved and not opened:
        return safe
    trial = replace(view.position, units=_trials(view.board, view.power), dislodged=())
    after = trial
    for after_movement in moved:
        after, _ = after_movement(view.rules, after)
    _lower(safe, trial, after, 1.0)
    for season in _ahead(view) if opened else ():
        lost = [0.0] * len(safe)
        for after in _weathered(view, season, trial):
            _lower(lost, trial, after, 1 / THROWS)
        safe = [likely * (1 + odds) for likely, odds in zip(safe, lost, strict=True)]
    return safe


@lru_cache(maxsize=64)
def _trials(board: Board, power: str) -> tuple[Unit, ...]:
    """A unit in every province where one could be, in a form that it could have there; numbered as the province."""
    found = []
    for place in range(len(board.provinces)):
        locations = [board.locations[number] for number in board.locations_of(place)]
        forms = ((kind, at) for kind in (*board.kinds, *board.forms) for at in locations if board.can_stand(kind, at))
        found += [Unit(place, kind, power, at) for kind, at in islice(forms, 1)]
    return tuple(found)


def _ahead(view: View) -> Iterator[Season]:
    """The phases that begin before units may move again, this movement being over."""
    calendar, phase = view.variant.calendar, view.phase
    for _ in calendar.slots:
        phase = calendar.next(phase)
        yield season_of(calendar, phase)
        if phase.kind is PhaseKind.MOVEMENT:
            return


class _Dice:
    """Dice that all fall at the same part of their sides; they know whether any was `thrown`."""

    def __init__(self, number: int) -> None:
        self.number, self.thrown = number, False

    def __call__(self, sides: int, clause: str, subject: str) -> int:
        self.thrown = True
        return 1 + self.number * sides // THROWS


def _weathered(view: View, season: Season, trial: Position) -> Iterator[Position]:
    """What a season's beginning leaves of a position, for `THROWS` throws of the dice."""
    for number in range(THROWS):
        after, dice = trial, _Dice(number)
        for phase_begins in view.rules.asked(YearMechanic.phase_begins):
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
