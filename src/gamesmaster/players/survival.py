"""How likely units survive where they stand: what mechanics take off between two movements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, repeat

from gamesmaster.board import Board, Position, Unit
from gamesmaster.orders import PhaseKind
from gamesmaster.players.player import View
from gamesmaster.rules import Season, YearMechanic
from gamesmaster.variant import Calendar, Phase

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
    trial = replace(view.position, units=trial_units(view.board, view.power), dislodged=())
    after = trial
    for after_movement in moved:
        after, _ = after_movement(view.rules, after)
    _lower(safe, trial, after, 1.0)
    for season in phases_ahead(view.variant.calendar, view.phase) if opened else ():
        lost = [0.0] * len(safe)
        for after in _weathered(view, season, trial):
            _lower(lost, trial, after, 1 / THROWS)
        safe = [likely * (1 + odds) for likely, odds in zip(safe, lost, strict=True)]
    return safe


@lru_cache(maxsize=64)
def trial_units(board: Board, power: str) -> tuple[Unit, ...]:
    """Return a unit in every province where one could be, in a possible form, numbered as the province."""
    found = []
    for place in range(len(board.provinces)):
        locations = [board.locations[number] for number in board.locations_of(place)]
        forms = ((kind, at) for kind in (*board.kinds, *board.forms) for at in locations if board.can_stand(kind, at))
        found += [Unit(place, kind, power, at) for kind, at in islice(forms, 1)]
    return tuple(found)


def phases_ahead(calendar: Calendar, phase: Phase) -> Iterator[Season]:
    """Yield the phases that begin after this one before units may move again."""
    for _ in calendar.slots:
        phase = calendar.next(phase)
        yield calendar.season(phase)
        if phase.kind is PhaseKind.MOVEMENT:
            return


def last_before_count(calendar: Calendar, phase: Phase) -> bool:
    """Return whether the owners of centres are settled before the next movement phase (STD-10.a)."""
    for _ in calendar.slots:
        if calendar.counts(phase):
            return True
        phase = calendar.next(phase)
        if phase.kind is PhaseKind.MOVEMENT:
            break
    return False


def thrown_value(number: int, sides: int) -> int:
    """Return the result of a die with this number of sides in the throw with this number, of `THROWS`."""
    return 1 + number * sides // THROWS


class _Dice:
    """Dice that all fall at the same part of their sides; they know whether any was `thrown`."""

    def __init__(self, number: int) -> None:
        self.number, self.thrown = number, False

    def __call__(self, sides: int, clause: str, subject: str) -> int:
        self.thrown = True
        return thrown_value(self.number, sides)


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
