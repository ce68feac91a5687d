"""Which orders to help others are lawful, over columns: whom a unit may support, whom a fleet may carry (STD-4.d).

Ordinary Python runs these functions on lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.judge.engine.convoys import Crossings, Search, Seas, crosses_without, is_useful


def may_support(
    r: int, other: int, to: int, meant: bool, walks: bool, a: int, b: int, water: int,
    seas: Seas, crossings: Crossings, search: Search,
) -> bool:  # fmt: skip
    """May row `r` support row `other`, which would go `to` a location or, if that is -1, stay (STD-7.a)?

    Not itself; to go, only one that is `meant`.  If that one does not walk, it goes by sea from shore `a` to shore `b`:
    then it may not be supported by a fleet that it needs, whose `water` is -1 if it could convoy nobody (STD-4.j).
    """
    if other == r or to < 0:
        return other != r
    return meant and (walks or water < 0 or crosses_without(seas, crossings, a, b, water, search))


def may_convoy(
    a: int, b: int, water: int, seas: Seas, crossings: Crossings, book: Sequence[int], search: Search
) -> bool:
    """May the fleet in this water carry an army from shore `a` to shore `b`, its group touching both (STD-4.i)?"""
    return a != b and is_useful(seas, crossings, a, b, water, book, search)


def is_first_crossing(crossings: Crossings, size: int, a: int, b: int, groups: Sequence[int], nth: int) -> bool:
    """Do the fleets of the nth of the groups that touch a port, and of none before it, join it to another shore?

    That group touches the other shore, too.
    """
    for k in range(nth):
        if crossings.touched[groups[k] * size + b]:
            return False
    return a != b
