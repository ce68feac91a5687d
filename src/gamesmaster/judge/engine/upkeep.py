"""What powers can feed, over columns: which builds they can afford, and who goes where units must go.

Ordinary Python runs these functions on lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence


def is_affordable(more: int, spare: int) -> bool:
    """May a power build what costs so much more, with so much to spare, negative if it owes removals?

    Who cannot feed what it has may build what costs nothing more.
    """
    return more <= max(0, spare)


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
