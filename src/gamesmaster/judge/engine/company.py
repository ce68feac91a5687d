"""Units that lie together, over columns: who is aboard of whom, and whom help is for where several might be meant.

`number` are units' own numbers, `aboard` those of their carriers, 0 for none.  Ordinary Python runs these functions on
lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.judge.engine.kernel import MOVE, Column

# -- who is aboard ---------------------------------------------------------------------------------------------------


def row_of(n: int, numbers: Sequence[int], number: int) -> int:
    """The first of rows 1 to n that has this number, 0 if none has."""
    for r in range(1, n + 1):
        if numbers[r] == number:
            return r
    return 0


def find_loads(n: int, number: Sequence[int], aboard: Sequence[int], gone: Sequence[int], load: Column) -> None:
    """Note in `load` the row of the unit aboard of each of rows 1 to n, 0 if there is none, or either is `gone`."""
    for r in range(1, n + 1):
        load[r] = 0
    for r in range(1, n + 1):
        if aboard[r] and not gone[r]:
            carrier = row_of(n, number, aboard[r])
            if carrier and not gone[carrier]:
                load[carrier] = r


def take_along(n: int, number: Sequence[int], aboard: Sequence[int], gone: Column) -> None:
    """Let those aboard go with carriers that are gone."""
    for r in range(1, n + 1):
        if aboard[r]:
            carrier = row_of(n, number, aboard[r])
            if carrier and gone[carrier]:
                gone[r] = 1


def put_ashore(n: int, number: Sequence[int], aboard: Column, gone: Sequence[int]) -> None:
    """Let those aboard stand where they were carried if their carriers are gone (CNW-6.a4)."""
    for r in range(1, n + 1):
        if aboard[r]:
            carrier = row_of(n, number, aboard[r])
            if not carrier or gone[carrier]:
                aboard[r] = 0


# -- who is meant ----------------------------------------------------------------------------------------------------


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
