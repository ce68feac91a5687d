"""The kernel: who gets where, decided over columns of small integers.

A *Problem* is a table of rows 1..n (row 0 is nobody, so that a missing row is false), one row for each unit, and one
more for an army that lands from a fleet.  `Rows` are its columns, `Outcome` the columns of the answer, `Work` scratch.
Ordinary Python runs these functions on lists; Numba compiles the same source over arrays.  Lawfulness, coasts, texts
and retreats are settled outside: what is here is the one question of who beats whom.

How it decides.  Every decision starts open and is closed once: a support is given or cut, a convoy route holds or is
broken, a move comes through or fails.  Strengths are kept as bounds: `strength` counts the help that is surely given,
`high` also what may yet be.

1. `set_up` lists the contenders of each place and closes each support that nothing still open can touch.
2. `sweep` goes over the open rows, closing what the bounds decide, until a whole pass closes nothing.  After a pass
   that closes few it comes back the other way: a chain in which each waits for the next is then closed in one pass.
3. `turn_rings`: moves that beat all their rivals and wait only for one another in a circle all come through.
4. `untie`: only routes are open.  Every assignment of them is tried, and shows which depends on which.  In the smallest
   group that decides itself the one assignment that agrees with itself is taken; without one, or if the group lands an
   army from a fleet that must sail first (AFM-6.i), its convoys are silenced (DATC 4.A.2).

An army has no effect while its route is open.  One that could walk instead does so once the sea route is broken, in a
trial too (DATC 4.A.3 c).

Termination.  A pass that closes nothing ends step 2, and nothing closed opens again; step 3 closes at least two rows,
step 4 at least one route.  Steps 2 and 3 suffice when no route is open: an open support has one possible cutter, the
unit it helps to attack; what helps or resists that blow could be open only if struck from the supporter's place, and
supporters do not move, nor do armies land from under them.  So supports form no circles; what is left waits for an
occupant to leave, and following the waiting leads to a ring.

Source: DATC 5 for what the decisions are; the shape of the algorithm is our own.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.engine.battles import count_help, may_meet, sweep, turn_rings, weigh_cut
from gamesmaster.engine.paradoxes import untie
from gamesmaster.engine.routes import lost_carrier
from gamesmaster.engine.rows import (
    ABSENT,
    ALONE,
    BROKEN,
    CAME,
    CARRIED,
    CUT,
    FAILED,
    GIVEN,
    GONE,
    HOLD,
    LEAVES,
    MOVE,
    NOWAY,
    OPEN,
    POWERLESS,
    STAYS,
    SUPPORT,
    Outcome,
    Rows,
    Work,
)

UNSURE_ALONE = CARRIED | LEAVES | POWERLESS
"""Flags of moves that may fail, or decide something else, though nothing is in their way."""


def solve(
    n: int, rows: Rows, out: Outcome, work: Work, size: int, link: Sequence[int], contest: int, knot: int
) -> None:
    """Fill `out`, given as zeros, for a Problem of n rows on a board of `size` provinces.

    `link[a * size + b]` is 1 where a convoy passes between shore or water `a` and water `b`.
    """
    count = set_up(n, rows, out, work)
    while count:
        count = sweep(count, rows, out, work, size, link, contest)
        if count and not turn_rings(count, rows, out, work, contest):
            untie(n, count, rows, out, work, size, link, contest, knot)
    if BROKEN in out.route:
        for r in range(1, n + 1):
            if out.route[r] == BROKEN:
                out.by[r] = lost_carrier(r, rows, out, work)


def set_up(n: int, rows: Rows, out: Outcome, work: Work) -> int:
    """Link contenders and carriers, and take a first look; return how many rows stay open."""
    kind, at, to, _, about, _, force, stay, flags = rows
    state, _, gone, _, _, low, _ = out
    occupant, first, rival, carrier, sister, _, high, _, todo, _, _, _ = work
    count = 0
    for r in range(1, n + 1):
        f = flags[r]
        low[r] = high[r] = force[r]
        if not f & ABSENT:
            occupant[at[r]] = r
        k = kind[r]
        if k == HOLD:
            continue
        if k == MOVE:
            if f & NOWAY:
                state[r] = FAILED
                gone[r] = STAYS
            else:
                p = to[r]
                rival[r] = first[p]
                first[p] = r
                todo[count] = r
                count += 1
        elif k == SUPPORT:
            low[r] = high[r] = stay[r]
            todo[count] = r
            count += 1
        else:
            a = about[r]
            sister[r] = carrier[a]
            carrier[a] = r
    return look_over(count, rows, out, work)


def look_over(count: int, rows: Rows, out: Outcome, work: Work) -> int:
    """Close what nothing still open can touch, note who meets head on, weigh help; return how many rows stay open."""
    kind, at, to, whence, about, owner, force, _, flags = rows
    state, route, gone, cut, by, low, spoilt = out
    occupant, first, rival, _, _, facing, high, spoil, todo, _, _, _ = work
    left = 0
    for i in range(count):
        r = todo[i]
        if kind[r] == MOVE:
            o = occupant[to[r]]
            if o:
                if kind[o] == MOVE and to[o] == whence[r] and to[r] == whence[o] and may_meet(flags[r], flags[o]):
                    facing[r] = o
                    facing[o] = r
            elif rival[r] == 0 and first[to[r]] == r and not flags[r] & UNSURE_ALONE:
                state[r] = CAME
                gone[r] = GONE
                continue
        elif flags[about[r]] & ALONE:
            cut[r] = GIVEN
            continue
        else:
            verdict = GIVEN
            if first[at[r]]:
                verdict = weigh_cut(r, at, to, whence, owner, flags, state, route, first, rival, by)
            if verdict != CUT:
                count_help(r, force[r], high, spoil, kind, to, about, owner, occupant)
            if verdict == GIVEN:
                count_help(r, force[r], low, spoilt, kind, to, about, owner, occupant)
            if verdict != OPEN:
                cut[r] = verdict
                continue
        todo[left] = r
        left += 1
    return left
