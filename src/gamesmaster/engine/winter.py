"""The count and the Winter, over columns: who owns what, what may be built, who can be fed, who goes first.

Ordinary Python runs these functions on lists and on numbers it has looked up; Numba compiles the same source over
arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gamesmaster.engine.rows import Column

OWNED, EMPTY = 1, 2
"""Conditions of a site: the power owns it; no unit is in it."""


class BoardGraph(NamedTuple):
    """A board as Winters see it, by province: which are centres, and neighbours by whatever way of travel.

    Those of province p are `near[near_at[p]:near_at[p + 1]]`.
    """

    centre: Sequence[int]
    near_at: Sequence[int]
    near: Sequence[int]


def settle(n: int, at: Sequence[int], owner: Sequence[int], centre: Sequence[int], holder: Column) -> None:
    """Give every centre with a unit in it to the power of that unit (STD-10.a).

    `at` is -1 for units that take nothing.
    """
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
    """Return whether a power may build in a site whose conditions `asks` are `OWNED` and `EMPTY` (STD-10.c).

    `own` says that the power owns the site, `full` that a unit is in it.
    """
    return (own or not asks & OWNED) and not (full and asks & EMPTY)


def cost_of(there: int, free: int) -> int:
    """Return the cost of `there` units of a kind of which `free` cost nothing (SCO-5.b)."""
    return max(0, there - free)


def is_affordable(more: int, spare: int) -> bool:
    """Return whether a power may build what adds `more` to its costs, with `spare` supply left.

    `spare` is negative if it owes removals: it may still build what adds no cost.
    """
    return more <= max(0, spare)


def may_be_removed(laden: bool, whole: bool, stays: bool, owed: int, needs: int) -> bool:
    """Return whether one order may remove a unit, or a `whole` pair, while `owed` removals are due.

    The cost of the unit is not checked here. A whole pair may go if as many removals are due as it `needs`; a `laden`
    carrier may go alone if its load `stays` (AFM-8.a).
    """
    return owed >= needs if whole else stays or not laden


def measure(power: int, holder: Sequence[int], board: BoardGraph, distance: Column, ring: Column) -> None:
    """Store the number of borders between each province and the nearest centre of a power (4.D.8 c).

    If it can reach none, the number is that of all provinces.  `ring` is scratch with one place per province.
    """
    centre, near_at, near = board.centre, board.near_at, board.near
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
    """Return the key of a unit in automatic removals, the lowest first: the farthest, then by rank (STD-10.g).

    Ranks are from 0, fewer than `ranks`.
    """
    return rank - distance * ranks


def next_to_go(n: int, load: Sequence[int], turn: Sequence[int], costly: Sequence[int]) -> tuple[int, int]:
    """Return the row of the unit that is removed next without orders, and of the unit aboard removed with it, or 0.

    Only `costly` units go: their removal reduces the debt.  The first by `turn` goes; a unit aboard goes before its
    carrier (AFM-8.b), whole pairs go last (SCO-1.e).
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
