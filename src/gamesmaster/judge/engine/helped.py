"""Whom help is for where several might be meant, over columns.

Ordinary Python runs these functions on lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.judge.engine.kernel import MOVE


def power_helped(r: int, alike: Sequence[int], count: int, owner: Sequence[int]) -> int:
    """Whose unit the help of row `r` is for that names no power, where the rows `alike[:count]` are of the same kind.

    It is its own power's; where that has no such unit beside, but only one other has, that one's (STD-4.f: what can
    have only one meaning is followed).
    """
    only = -1
    for i in range(count):
        if alike[i] != r:
            if only >= 0 and owner[alike[i]] != only:
                return owner[r]
            only = owner[alike[i]]
    return only if only >= 0 else owner[r]


def row_helped(rows: Sequence[int], count: int, kind: Sequence[int], to: Sequence[int], goal: int) -> int:
    """Which of `rows[:count]` help is for: the first that moves to the goal, else the first; 0 if there are none.

    `kind` and `to` are those of the kernel's rows.
    """
    for i in range(count):
        if kind[rows[i]] == MOVE and to[rows[i]] == goal:
            return rows[i]
    return rows[0] if count else 0
