"""What the heuristic player remembers of earlier movements: moves tried in vain, and who attacked whom.

These are plain functions over columns, lists at the table and arrays in batches, as those of `outlook`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gamesmaster.engine.heuristic.outlook import Column, Fixed

FADING = 0.8
"""The part of a grudge that is left after each movement."""

PEAK, SINCE = range(2)
"""Indices into `Memory.growth`."""


class Memory(NamedTuple):
    """The memory of a game, one for all powers.  All columns begin as zeros."""

    unit: Column  # by province: the number of the unit that was ordered to move from there, 0 for none
    goal: Column  # by province: one more than the province that it was to move to
    tries: Column  # by province: how often in a row it was ordered to
    tenant: Column  # by province, scratch: the power of the unit there
    sizes: Column  # by power, scratch: how many centres it owns
    growth: Column  # the most centres that any power has had (`PEAK`), and the movements since then (`SINCE`)
    grudge: Column  # [power * powers + other]: the recent attacks of the other on the power


def new_memory(provinces: int, powers: int, make: Callable[[int, bool], Any]) -> Memory:
    """Return empty columns: `make` makes them by length, and whether they hold real numbers.

    `powers` is one more than the highest number of a power.
    """
    unit, goal, tries, tenant = (make(provinces, False) for _ in range(4))
    return Memory(unit, goal, tries, tenant, make(powers, False), make(SINCE + 1, False), make(powers * powers, True))


class Moves(NamedTuple):
    """The units in a movement, by row from 1, and the owners of provinces before it."""

    number: Fixed  # the unit's number for life
    owner: Fixed
    at: Fixed  # its province, -1 for units aboard others
    goal: Fixed  # the province that it is ordered to move to, -1 if it is not
    holder: Fixed  # by province: its owner, 0 for nobody


def note(m: Memory, moves: Moves, units: int, centre: Fixed, powers: int) -> None:
    """Remember a movement of this number of units; `powers` is one more than the highest number of a power."""
    unit, tenant = m.unit, m.tenant
    for place in range(len(tenant)):
        tenant[place] = 0
    for i in range(len(m.grudge)):
        m.grudge[i] *= FADING
    for r in range(1, units + 1):
        if moves.at[r] >= 0:
            tenant[moves.at[r]] = moves.owner[r]
    for r in range(1, units + 1):
        at, goal, owner = moves.at[r], moves.goal[r], moves.owner[r]
        if at >= 0:
            again = unit[at] == moves.number[r] and m.goal[at] == goal + 1
            m.tries[at] = m.tries[at] + 1 if again else 1
            unit[at], m.goal[at] = moves.number[r] if goal >= 0 else 0, goal + 1
        if goal >= 0 and owner:
            victim = tenant[goal] if tenant[goal] else centre[goal] * moves.holder[goal]
            if victim and victim != owner:
                m.grudge[victim * powers + owner] += 1
    for place in range(len(tenant)):
        if not tenant[place]:
            unit[place] = 0
    _note_growth(m, moves.holder, centre)


def _note_growth(m: Memory, holder: Fixed, centre: Fixed) -> None:
    """Remember whether any power owns more centres than one ever has before."""
    sizes, growth = m.sizes, m.growth
    for power in range(len(sizes)):
        sizes[power] = 0
    growth[SINCE] += 1
    for place in range(len(centre)):
        if centre[place] and holder[place]:
            sizes[holder[place]] += 1
            if sizes[holder[place]] > growth[PEAK]:
                growth[PEAK], growth[SINCE] = sizes[holder[place]], 0
