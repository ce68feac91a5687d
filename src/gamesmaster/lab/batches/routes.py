"""Crossings, as `judge.engine.indexed` has them, over flat tables.

A set of waters is told by `fleet[:n]`, their provinces; `mark`, by province, is zeros before and after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.judge.engine.indexed import BUDGET

if TYPE_CHECKING:
    from gamesmaster.lab.batches.state import Line
    from gamesmaster.lab.batches.tables import Flags


def joined(touch: Flags, fleet: Line, n: int, a: int, b: int, without: int, mark: Line, queue: Line) -> bool:
    """Do these waters join shore `a` to shore `b`, `without` one of them (-1: with all)?"""
    return comes(touch, fleet, n, a, -1, without, -1, b, mark, queue)


def on_simple_chain(touch: Flags, fleet: Line, n: int, a: int, b: int, water: int, mark: Line, queue: Line) -> bool:
    """Is this water on a chain from `a` to `b` that repeats none (`simple_waters`)?"""
    if not comes(touch, fleet, n, a, -1, -1, water, -1, mark, queue):
        return False
    if not comes(touch, fleet, n, b, -1, -1, water, -1, mark, queue):
        return False
    for i in range(n):
        if fleet[i] != water and not comes(touch, fleet, n, a, b, fleet[i], water, -1, mark, queue):
            return False
    return True


def comes(
    touch: Flags, fleet: Line, n: int, a: int, b: int, without: int, water: int, shore: int, mark: Line, queue: Line
) -> bool:
    """Does one come from the waters at `a` or `b`, `without` one of them, to a water, or to one that touches a shore?

    -1 stands for no place at all.
    """
    count = done = 0
    for i in range(n):
        if fleet[i] != without and (touch[fleet[i], a] or (b >= 0 and touch[fleet[i], b])):
            count = _reached(fleet[i], count, mark, queue)
    found = False
    while done < count and not found:
        here = queue[done]
        done += 1
        found = here == water or (shore >= 0 and touch[here, shore] != 0)
        for i in range(n):
            if touch[here, fleet[i]] and not mark[fleet[i]] and fleet[i] != without:
                count = _reached(fleet[i], count, mark, queue)
    for i in range(count):
        mark[queue[i]] = 0
    return found


def _reached(water: int, count: int, mark: Line, queue: Line) -> int:
    mark[water] = 1
    queue[count] = water
    return count + 1


def on_minimal_chain(
    touch: Flags, fleet: Line, n: int, a: int, b: int, water: int, mark: Line, queue: Line, barred: Line
) -> bool:
    """Is this water on a chain from `a` to `b` without short cuts (`minimal_waters`)?

    Depth first: `queue` holds the waters that may come next, level after level, `barred[level]` where a level begins
    and, half the columns on, which of it is looked at.
    """
    half = len(barred) // 2
    count = level = steps = 0
    for i in range(n):
        if touch[fleet[i], a]:
            count = _reached(fleet[i], count, mark, queue)
    barred[0] = 0
    barred[half] = -1
    found = False
    while level >= 0 and not found:
        barred[half + level] += 1
        i = barred[half + level]
        if i >= count:  # this level is done: what it barred is free again
            count = barred[level]
            for j in range(count, i):
                mark[queue[j]] = 0
            level -= 1
            continue
        steps += 1
        here = queue[i]
        if steps >= BUDGET:
            found = True
        elif touch[here, b]:
            for j in range(level + 1):
                found = found or queue[barred[half + j]] == water
        else:
            level += 1
            barred[level] = count
            barred[half + level] = count - 1
            for j in range(n):
                if touch[here, fleet[j]] and not mark[fleet[j]]:
                    count = _reached(fleet[j], count, mark, queue)
    for i in range(count):
        mark[queue[i]] = 0
    return found
