"""The consequences of moves, over columns: dislodgements, places closed to retreats, colliding retreats.

Ordinary Python runs these functions on lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.engine.choices import CONTEST, ORIGIN_BARRED
from gamesmaster.engine.rows import (
    ABSENT,
    ALWAYS,
    BROKEN,
    CAME,
    CARRIED,
    FAINT,
    FREE,
    GONE,
    HOLDS,
    MOVE,
    NEVER,
    NOWAY,
    PASS,
    SILENCED,
    WALKS,
    Column,
    Outcome,
    Rows,
)

FULL, CONTESTED = 1, 2
"""Why nobody may retreat to a province: somebody is there after the moves; it was left empty by a stand-off."""


def dislodge(n: int, rows: Rows, out: Outcome, tenant: Sequence[int], victor: Column) -> int:
    """Note in `victor`, given as zeros, the row that dislodged each row; how many are dislodged."""
    to, flags, state, gone = rows.to, rows.flags, out.state, out.gone
    beaten = 0
    for r in range(1, n + 1):
        if state[r] == CAME and not flags[r] & FREE:
            occupant = tenant[to[r]]
            if occupant and gone[occupant] != GONE:
                victor[occupant] = r
                beaten += 1
    return beaten


def close(
    n: int,
    rows: Rows,
    out: Outcome,
    victor: Sequence[int],
    book: Sequence[int],
    shared: Sequence[int],
    closed: Column,
) -> None:
    """Mark the provinces, given as zeros, that nobody may retreat to (STD-9): `FULL`, `CONTESTED`, or both.

    `book` are the choices of the rulebook (`choices`); in provinces that are `shared`, () for none, is room for all.
    """
    kind, at, to, flags, state, gone = rows.kind, rows.at, rows.to, rows.flags, out.state, out.gone
    for r in range(1, n + 1):
        if state[r] == CAME:
            closed[to[r]] |= FULL
        elif kind[r] == MOVE and contests(r, rows, out, victor[r], book[CONTEST]):
            closed[to[r]] |= CONTESTED
        if not victor[r] and gone[r] != GONE and not flags[r] & ABSENT:
            closed[at[r]] |= FULL
    for place in range(len(shared)):
        if shared[place]:
            closed[place] = 0


def contests(r: int, rows: Rows, out: Outcome, victor: int, contest: int) -> bool:
    """Return whether the failed move of row `r` leaves a stand-off at its destination.

    `victor` is the row that dislodged it, 0 for none.
    """
    if rows.flags[r] & (NOWAY | FAINT) or is_stranded(r, out):
        return False
    if not victor or rows.at[victor] != rows.to[r] or contest == ALWAYS:
        return True
    return contest != NEVER and not meets(r, victor, rows, out)  # no effect on where the victor came from (4.A.7)


def is_stranded(r: int, out: Outcome) -> bool:
    """Return whether the army of row `r` was ordered to go by convoy and was not carried."""
    return out.route[r] == BROKEN or out.route[r] == SILENCED


def is_landed(r: int, rows: Rows, out: Outcome) -> bool:
    """Return whether the move of row `r` came by sea."""
    return rows.flags[r] & CARRIED != 0 and out.route[r] == HOLDS


def meets(r: int, s: int, rows: Rows, out: Outcome) -> bool:
    """Return whether two moves meet head on, neither passing the other."""
    if passes(r, rows, out) or passes(s, rows, out):
        return False
    return rows.to[s] == rows.whence[r] and rows.to[r] == rows.whence[s]


def passes(r: int, rows: Rows, out: Outcome) -> bool:
    """Return whether the move of row `r` meets no opposing move head on."""
    return rows.flags[r] & NOWAY != 0 or (rows.flags[r] & PASS != 0 and out.route[r] != WALKS)


def barred_origin(attacker: int, rows: Rows, out: Outcome, book: Sequence[int]) -> int:
    """Return the province of the attacker, to which its victim may not retreat.

    -1 if the attacker came by sea (4.A.5).
    """
    return -1 if is_landed(attacker, rows, out) and not book[ORIGIN_BARRED] else rows.at[attacker]


def is_open(place: int, closed: Sequence[int], barred: int) -> bool:
    """Return whether a dislodged unit may retreat to an adjacent province that is neither closed nor `barred`."""
    return not closed[place] and place != barred


def may_enter(retreats: int, shared: bool) -> bool:
    """Return whether all of this number of `retreats` to one province may enter it.

    Colliding units disband (STD-9.d), except where places are shared.
    """
    return retreats <= 1 or shared


def gather(n: int, goals: Sequence[int], crowd: Column) -> None:
    """Count in `crowd`, zeros by province, the retreats to each: `goals[1]` to `goals[n]`, -1 for none."""
    for r in range(1, n + 1):
        if goals[r] >= 0:
            crowd[goals[r]] += 1
