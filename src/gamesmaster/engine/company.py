"""Units in one place, over columns: which unit carries which, and which of several an order means.

`number` are units' own numbers, `aboard` those of their carriers, 0 for none. Ordinary Python runs these functions on
lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamesmaster.engine.rows import MOVE, Column

ANY = -1
"""The kind that is meant where an order names none."""

# -- who is aboard ---------------------------------------------------------------------------------------------------


def row_of(n: int, numbers: Sequence[int], number: int) -> int:
    """Return the first of rows 1 to n that has this number, 0 if none has."""
    for r in range(1, n + 1):
        if numbers[r] == number:
            return r
    return 0


def find_loads(n: int, number: Sequence[int], aboard: Sequence[int], gone: Sequence[int], load: Column) -> None:
    """Set `load[r]`, for rows 1 to n, to the row of the unit aboard row `r`: 0 without one, or if either is `gone`."""
    for r in range(1, n + 1):
        load[r] = 0
    for r in range(1, n + 1):
        if aboard[r] and not gone[r]:
            carrier = row_of(n, number, aboard[r])
            if carrier and not gone[carrier]:
                load[carrier] = r


def take_along(n: int, number: Sequence[int], aboard: Sequence[int], gone: Column) -> None:
    """Mark the cargo of carriers that are gone as gone."""
    for r in range(1, n + 1):
        if aboard[r]:
            carrier = row_of(n, number, aboard[r])
            if carrier and gone[carrier]:
                gone[r] = 1


def put_ashore(n: int, number: Sequence[int], aboard: Column, gone: Sequence[int]) -> None:
    """Put the cargo of carriers that are gone ashore in the place where it was carried (CNW-6.a4)."""
    for r in range(1, n + 1):
        if aboard[r]:
            carrier = row_of(n, number, aboard[r])
            if not carrier or gone[carrier]:
                aboard[r] = 0


# -- who is meant ----------------------------------------------------------------------------------------------------


def is_alike(r: int, power: int, kind: int, owner: Sequence[int], kinds: Sequence[int]) -> bool:
    """Return whether the unit of row `r` belongs to the power and is of the kind."""
    return owner[r] == power and (kind == ANY or kinds[r] == kind)


def first_alike(
    rows: Iterable[int], power: int, kind: int, owner: Sequence[int], kinds: Sequence[int], aboard: Sequence[int],
    gone: Sequence[int],
) -> int:  # fmt: skip
    """Return the first of these rows with this power, kind and carrier (`aboard`) that is not `gone`; else 0.

    This decides which unit an order means if several are in one place (CNW-5.a).
    """
    for r in rows:
        if not aboard[r] and not gone[r] and is_alike(r, power, kind, owner, kinds):
            return r
    return 0


def is_meant(
    other: int, here: int, there: int, shared: bool, rows: Iterable[int], owner: Sequence[int], kinds: Sequence[int],
    aboard: Sequence[int], gone: Sequence[int],
) -> bool:  # fmt: skip
    """Return whether an order from `here` that names the province, kind and power of row `other` selects that row.

    A unit in the same province is selected only if the province is `shared` by several. In a shared province, whose
    units are `rows`, this is the first unit of its kind and power, or any that is `aboard` another.
    """
    if not shared:
        return here != there
    return aboard[other] != 0 or first_alike(rows, owner[other], kinds[other], owner, kinds, aboard, gone) == other


def power_helped(r: int, alike: Sequence[int], count: int, owner: Sequence[int]) -> int:
    """Return the power whose unit a support by row `r` without a nationality means; `alike[:count]` are the candidates.

    This is the power of row `r` itself. If it has no such unit besides row `r` and just one other power has, it is that
    one (STD-4.f: what can have only one meaning is followed).
    """
    only = -1
    for i in range(count):
        if alike[i] != r:
            if only >= 0 and owner[alike[i]] != only:
                return owner[r]
            only = owner[alike[i]]
    return only if only >= 0 else owner[r]


def row_helped(rows: Sequence[int], count: int, kind: Sequence[int], to: Sequence[int], goal: int) -> int:
    """Return the one of `rows[:count]` that a support means: the first that moves to the goal, else the first, else 0.

    `kind` and `to` are those of the kernel's rows.
    """
    for i in range(count):
        if kind[rows[i]] == MOVE and to[rows[i]] == goal:
            return rows[i]
    return rows[0] if count else 0
