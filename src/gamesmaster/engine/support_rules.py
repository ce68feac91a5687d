"""Legal orders to support and to convoy, over columns (STD-4.d).

Ordinary Python runs these functions on lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.engine.convoys import Crossings, Search, Seas, crosses_without, is_useful


def may_support(
    r: int, other: int, to: int, meant: bool, walks: bool, a: int, b: int, water: int,
    seas: Seas, crossings: Crossings, search: Search,
) -> bool:  # fmt: skip
    """Return whether row `r` may support row `other` to move `to` a location, or to hold if that is -1 (STD-7.a).

    A unit never supports itself, and supports the move only of a unit that is `meant`. A unit that cannot walk goes by
    sea from shore `a` to shore `b`: then a fleet that it needs may not support it (STD-4.j); `water` is the place of
    that fleet, -1 if it could convoy nobody.
    """
    if other == r or to < 0:
        return other != r
    return meant and (walks or water < 0 or crosses_without(seas, crossings, a, b, water, search))


def may_convoy(
    a: int, b: int, water: int, seas: Seas, crossings: Crossings, book: Sequence[int], search: Search
) -> bool:
    """Return whether the fleet in this water may carry an army between the shores; its group touches both (STD-4.i)."""
    return a != b and is_useful(seas, crossings, a, b, water, book, search)


def is_first_crossing(crossings: Crossings, size: int, a: int, b: int, groups: Sequence[int], nth: int) -> bool:
    """Return whether the nth of the groups that touch a port is the first of them that joins it to another shore.

    The nth group is known to touch the other shore.
    """
    for k in range(nth):
        if crossings.touched[groups[k] * size + b]:
            return False
    return a != b
