"""The phases of an episode, and the games of an environment by the phase that they are in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gamesmaster.batches import Batch
from gamesmaster.batches.batch import end_of
from gamesmaster.batches.state import KINDS
from gamesmaster.orders import PhaseKind
from gamesmaster.variant import Phase, Variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Clock:
    """The phases of an episode: by number the phase's `group`, kind, season, years and the Winters before it.

    Phases of a group differ at most in the year, and no rule asks for that; `first` is the first phase of each group.
    """

    phases: tuple[Phase, ...]
    group: Array
    first: Array
    kind: Array
    slot: Array
    years: Array
    winters: Array

    def groups(self, batch: Batch, at: Array, games: Array) -> Iterator[Array]:
        """Yield masks of the `games` of a batch that are in like phases, `at` these numbers; meanwhile others wait."""
        classes = self.group[at % len(self.phases)]
        for number in np.flatnonzero(np.bincount(classes[games])):
            group = games & (classes == number)
            first = int(self.first[number])
            batch.go_to(self.phases[first], int(self.winters[first]))
            with batch.only(group):
                yield group


def clock_of(variant: Variant, phases: tuple[Phase, ...], *, by_year: bool) -> Clock:
    """Return the clock of episodes of these phases; `by_year` if the rules ask for the year."""
    slots = list(dict.fromkeys((slot.season, slot.kind) for slot in variant.calendar.slots))
    groups: dict[object, int] = {}
    group, first = [], []
    for number, phase in enumerate(phases):
        key = number if by_year else (phase.season, phase.kind, end_of(variant, phase)._replace(turn=0))
        if key not in groups:
            groups[key] = len(groups)
            first.append(number)
        group.append(groups[key])
    winter = np.array([phase.kind is PhaseKind.ADJUSTMENTS for phase in phases])
    return Clock(
        phases,
        np.array(group),
        np.array(first),
        kind=np.array([KINDS.index(phase.kind) for phase in phases], np.int16),
        slot=np.array([slots.index((phase.season, phase.kind)) for phase in phases], np.int16),
        years=np.array([(phase.year - phases[0].year, phases[-1].year - phase.year) for phase in phases], np.int32),
        winters=np.cumsum(winter) - winter,
    )
