"""The count and the Winter, over columns: who owns what, what may be built, who can be fed, who goes first.

Ordinary Python runs these functions on lists and on numbers it has looked up; Numba compiles the same source over
arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gamesmaster.judge.engine.kernel import Column
from gamesmaster.judge.rules import Rules

OWNED, EMPTY = 1, 2
"""What a site may ask for: that the power owns it, and that no unit lies there."""


class Ground(NamedTuple):
    """A board as Winters see it, by province: which are centres, and neighbours by whatever way of travel.

    Those of province p are `near[near_at[p]:near_at[p + 1]]`.
    """

    centre: Sequence[int]
    near_at: Sequence[int]
    near: Sequence[int]


def ground(rules: Rules) -> Ground:
    """The board of these rules; `rules.derive(ground)` remembers it."""
    near_at, near = [0], list[int]()
    for places in rules.board.neighbours:
        near += sorted(places)
        near_at.append(len(near))
    return Ground([int(province.centre) for province in rules.board.provinces], near_at, near)


def settle(n: int, at: Sequence[int], owner: Sequence[int], centre: Sequence[int], holder: Column) -> None:
    """Let every centre with a unit in it, `at` not being -1, belong to that unit's power, 0 being none (STD-10.a)."""
    for r in range(1, n + 1):
        if owner[r] and at[r] >= 0 and centre[at[r]]:
            holder[at[r]] = owner[r]


def count_centres(holder: Sequence[int], centre: Sequence[int], centres: Column) -> None:
    """Count in `centres`, by number of power, how many each owns."""
    for power in range(len(centres)):
        centres[power] = 0
    for place in range(len(holder)):
        if centre[place]:
            centres[holder[place]] += 1


def is_site(asks: int, own: bool, full: bool) -> bool:
    """May a power build in a site that `asks` for `OWNED` or `EMPTY` (STD-10.c)?

    It is its `own` or not, and `full` if a unit lies there.
    """
    return (own or not asks & OWNED) and not (full and asks & EMPTY)


def cost_of(there: int, free: int) -> int:
    """What so many units of a kind cost, of which so many are free (SCO-5.b)."""
    return max(0, there - free)


def is_affordable(more: int, spare: int) -> bool:
    """May a power build what costs so much more, with so much to spare, negative if it owes removals?

    Who cannot feed what it has may build what costs nothing more.
    """
    return more <= max(0, spare)


def may_be_removed(laden: bool, whole: bool, stays: bool, owed: int, needs: int) -> bool:
    """May a unit, or a `whole` pair, be removed by one order while so much is owed, whatever it costs?

    A whole pair may while as much is owed as it `needs`, a `laden` carrier alone where its load `stays` (AFM-8.a).
    """
    return owed >= needs if whole else stays or not laden


def measure(power: int, holder: Sequence[int], board: Ground, distance: Column, ring: Column) -> None:
    """Note how many borders lie between each province and the nearest centre that a power owns (4.D.8 c).

    From where none can be reached it is as far as there are provinces.  `ring` is scratch, as long as they are many.
    """
    centre, near_at, near = board
    far, count, done = len(holder), 0, 0
    for place in range(far):
        distance[place] = far
        if centre[place] and holder[place] == power:
            distance[place] = 0
            ring[count] = place
            count += 1
    while done < count:
        here = ring[done]
        done += 1
        for i in range(near_at[here], near_at[here + 1]):
            if distance[near[i]] == far:
                distance[near[i]] = distance[here] + 1
                ring[count] = near[i]
                count += 1


def turn_of(distance: int, rank: int, ranks: int) -> int:
    """When a unit goes if nobody says, the lowest first: the farthest, and of those equally far by rank (STD-10.g).

    Ranks are from 0, fewer than `ranks`.
    """
    return rank - distance * ranks


def next_to_go(n: int, load: Sequence[int], turn: Sequence[int], costly: Sequence[int]) -> tuple[int, int]:
    """The row of the unit that goes next if nobody says, and of the one aboard that goes with it; 0 for none.

    Only what is `costly` goes: by that less is owed.  The first by `turn` goes; who is aboard before the carrier
    (AFM-8.b), whole pairs at the very last (SCO-1.e).
    """
    first, whole = 0, 0
    for r in range(1, n + 1):
        if costly[load[r] if load[r] else r]:
            if not first or turn[r] < turn[first]:
                first = r
        elif load[r] and costly[r] and (not whole or turn[r] < turn[whole]):
            whole = r
    if first:
        return load[first] if load[first] else first, 0
    return whole, load[whole]
