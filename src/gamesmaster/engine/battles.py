"""Passes over the open rows: supports are weighed against attackers, moves against rivals and occupants."""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.engine.routes import embarked, seek
from gamesmaster.engine.rows import (
    ABSENT,
    ALWAYS,
    BLUNT,
    BROKEN,
    CAME,
    CARRIED,
    CUT,
    EITHER,
    FAILED,
    FREE,
    GIVEN,
    GONE,
    HOLDS,
    LEAVES,
    MOVE,
    NEVER,
    NOWAY,
    OPEN,
    PASS,
    SILENCED,
    STAYS,
    SUPPORT,
    WALKS,
    Column,
    Outcome,
    Rows,
    Work,
)

SLOW = 8
"""A pass that closes fewer than one in `SLOW` of the open rows is followed by one from the other end."""


def sweep(count: int, rows: Rows, out: Outcome, work: Work, size: int, link: Sequence[int], contest: int) -> int:
    """Close what the bounds decide, pass after pass; return how many rows stay open."""
    kind, at, to, whence, about, owner, force, stay, flags = rows
    state, route, gone, cut, by, low, spoilt = out
    occupant, first, rival, carrier, sister, facing, high, spoil, todo, fate, queue, mark = work
    progress = True
    while progress and count:
        progress = False
        left = 0
        for i in range(count):
            r = todo[i]
            if kind[r] == SUPPORT:
                cut[r] = weigh_cut(r, at, to, whence, owner, flags, state, route, first, rival, by)
                if cut[r] == GIVEN:
                    count_help(r, force[r], low, spoilt, kind, to, about, owner, occupant)
                elif cut[r] == CUT:
                    count_help(r, -force[r], high, spoil, kind, to, about, owner, occupant)
                else:
                    todo[left] = r
                    left += 1
                continue
            f = flags[r]
            if f & CARRIED and route[r] == OPEN:
                found = seek(r, rows, state, first, rival, carrier, sister, fate, queue, mark, size, link)
                if found != OPEN:
                    route[r] = WALKS if found == BROKEN and f & EITHER else found
                    progress = True
            if route[r] == BROKEN or route[r] == SILENCED:
                state[r] = FAILED
                gone[r] = STAYS
                by[r] = 0
                continue
            if state[r] == OPEN:
                won, blocker = weigh_move(
                    r, contest, kind, at, to, whence, owner, stay, flags, state, route, gone, low, high, spoilt, spoil,
                    first, rival, facing, occupant[to[r]],
                )  # fmt: skip
                if won != OPEN:
                    progress = True
                    state[r] = won
                    if won == CAME:
                        gone[r] = GONE
                    else:
                        by[r] = blocker
                        if not f & LEAVES:
                            gone[r] = STAYS
            if f & LEAVES and gone[r] == OPEN and route[r] == HOLDS:
                aboard = embarked(r, at, owner, state, flags, carrier, sister, first, rival)
                if aboard == GONE or state[r] == FAILED:
                    gone[r] = aboard
                    progress = progress or aboard != OPEN
            if state[r] == OPEN or gone[r] == OPEN or (f & CARRIED and route[r] == OPEN):
                todo[left] = r
                left += 1
        progress = progress or left < count
        if left > SLOW * (count - left):
            turn_round(todo, left)
        count = left
    return count


def turn_round(rows: Column, count: int) -> None:
    """Reverse the first `count` rows: if each row waits for the next, one pass from the end decides them all."""
    for i in range(count // 2):
        rows[i], rows[count - 1 - i] = rows[count - 1 - i], rows[i]


def turn_rings(count: int, rows: Rows, out: Outcome, work: Work, contest: int) -> bool:
    """Bring through every circle of moves that beat all their rivals and wait only for one another."""
    kind, at, to, whence, _, _, _, _, flags = rows
    state, route, gone, _, _, low, _ = out
    occupant, first, rival, _, _, facing, high, _, todo, _, _, mark = work
    for i in range(len(mark)):
        mark[i] = 0
    for i in range(count):
        r = todo[i]
        f = flags[r]
        if kind[r] != MOVE or state[r] != OPEN or (f & CARRIED and route[r] != HOLDS and route[r] != WALKS):
            continue
        if facing[r] and head_on(r, facing, flags, route) != STAYS:
            continue
        _, top_high, _ = press(r, contest, at, to, whence, flags, state, route, gone, low, high, first, rival, facing)
        o = occupant[to[r]]
        if low[r] > top_high and o and kind[o] == MOVE and gone[o] == OPEN:
            mark[r] = 1
    turned = False
    for i in range(count):
        r = todo[i]
        s, steps = r, 0
        while mark[s] and steps < count:
            s = occupant[to[s]]
            steps += 1
            if s == r:
                break
        if mark[r] and s == r:
            turned = True
            while mark[s]:
                mark[s] = 0
                state[s] = CAME
                gone[s] = GONE
                s = occupant[to[s]]
    return turned


def count_help(
    r: int, weight: int, sums: Column, spoilt_sums: Column, kind: Column, to: Column, about: Column, owner: Column,
    occupant: Column,
) -> None:  # fmt: skip
    """Add the help of support `r` to a sum, and to its spoilt part if it is given against the supporter's own side."""
    a = about[r]
    sums[a] += weight
    if kind[a] == MOVE and owner[occupant[to[a]]] == owner[r]:
        spoilt_sums[a] += weight


def may_meet(f: int, g: int) -> bool:
    """Return whether two opposed moves can meet head on, as far as their flags decide it."""
    return not ((f | g) & (FREE | NOWAY) or (f & PASS and not f & EITHER) or (g & PASS and not g & EITHER))


def weigh_cut(
    r: int, at: Column, to: Column, whence: Column, owner: Column, flags: Column, state: Column, route: Column,
    first: Column, rival: Column, by: Column,
) -> int:  # fmt: skip
    """Return GIVEN, CUT or OPEN for support `r`. An attack from the province supported into cuts only by dislodging."""
    verdict = GIVEN
    c = first[at[r]]
    while c:
        f = flags[c]
        if owner[c] != owner[r] and (not f & (BLUNT | FREE) or (f & EITHER and route[c] != HOLDS)):
            going = not f & CARRIED or route[c] == HOLDS or route[c] == WALKS
            if not going and route[c] != OPEN:
                pass
            elif going and whence[c] != to[r]:
                by[r] = c
                return CUT
            elif whence[c] != to[r] or state[c] == OPEN:
                verdict = OPEN
            elif state[c] == CAME:
                by[r] = c
                return CUT
        c = rival[c]
    return verdict


def press(
    r: int, contest: int, at: Column, to: Column, whence: Column, flags: Column, state: Column, route: Column,
    gone: Column, low: Column, high: Column, first: Column, rival: Column, facing: Column,
) -> tuple[int, int, int]:  # fmt: skip
    """Bound the best rival of move `r`: surely at least, at most, and who surely."""
    top_low = top_high = best = 0
    c = first[to[r]]
    while c:
        f = flags[c]
        if c != r and not f & FREE:
            least, most = low[c], high[c]
            if f & CARRIED and route[c] != HOLDS and route[c] != WALKS:
                least = 0
                if route[c] != OPEN:
                    most = 0
            if contest != ALWAYS and (facing[c] or contest == NEVER):
                beaten = loses(c, contest, at, to, whence, flags, state, route, gone, first, rival, facing)
                if beaten != STAYS:
                    least = 0
                if beaten == GONE:
                    most = 0
            if most > top_high:
                top_high = most
            if least > top_low:
                top_low = least
                best = c
        c = rival[c]
    return top_low, top_high, best


def loses(
    c: int, contest: int, at: Column, to: Column, whence: Column, flags: Column, state: Column, route: Column,
    gone: Column, first: Column, rival: Column, facing: Column,
) -> int:  # fmt: skip
    """Return GONE if move `c` is beaten by a move from its destination and so has no effect there (DATC 4.A.7).

    Return STAYS if it is not, OPEN if that is undecided.
    """
    verdict = STAYS
    x = facing[c]
    if x and state[x] != FAILED:
        meeting = head_on(c, facing, flags, route)
        if meeting == GONE and state[x] == CAME:
            return GONE
        if meeting != STAYS:
            verdict = OPEN
    if contest == NEVER and not flags[c] & ABSENT and gone[c] != GONE:
        v = first[at[c]]
        while v:
            if whence[v] == to[c] and state[v] != FAILED and not flags[v] & FREE:
                if state[v] == CAME and gone[c] == STAYS:
                    return GONE
                verdict = OPEN
            v = rival[v]
    return verdict


def head_on(r: int, facing: Column, flags: Column, route: Column) -> int:
    """Return GONE if row `r` meets the row it faces, STAYS if they pass, OPEN if that depends on an open route.

    A carried row without PASS is met in the last fleet's water, and that battle decides its route (DATC 6.F.30).
    """
    other, verdict = facing[r], GONE  # no loop over both: in machine code they are numbers of two widths
    if flags[r] & PASS and route[r] != WALKS:
        if route[r] != OPEN:
            return STAYS
        verdict = OPEN
    if flags[other] & PASS and route[other] != WALKS:
        if route[other] != OPEN:
            return STAYS
        verdict = OPEN
    return verdict


def weigh_move(
    r: int, contest: int, kind: Column, at: Column, to: Column, whence: Column, owner: Column, stay: Column,
    flags: Column, state: Column, route: Column, gone: Column, low: Column, high: Column, spoilt: Column,
    spoil: Column, first: Column, rival: Column, facing: Column, o: int,
) -> tuple[int, int]:  # fmt: skip
    """Return CAME, FAILED or OPEN for move `r` against its rivals, the unit it meets and the occupant `o`.

    The second number is the winner.  Support by the occupant's own power counts against rivals only if the occupant
    leaves (DATC 6.E.7).
    """
    most = high[r]
    f = flags[r]
    going = not f & CARRIED or route[r] == HOLDS or route[r] == WALKS
    if f & FREE:
        return (CAME, 0) if going else (OPEN, 0)
    top_low = top_high = best = 0
    if rival[r] or first[to[r]] != r:
        top_low, top_high, best = press(
            r, contest, at, to, whence, flags, state, route, gone, low, high, first, rival, facing
        )
    if most <= top_low:
        return FAILED, best
    sure = low[r] if going else 0
    x = facing[r]
    if x:
        meeting = head_on(r, facing, flags, route)
        if meeting == OPEN:
            return OPEN, 0
        if meeting == STAYS:
            x = 0
    if x:
        if owner[x] == owner[r]:
            return FAILED, x
        if most - spoil[r] <= max(low[x], stay[x]):
            return FAILED, x
        if most - spoil[r] <= top_low:
            return FAILED, best
        if sure - spoilt[r] <= max(high[x], stay[x]):
            return OPEN, 0
    if o == 0 or gone[o] == GONE:
        return (CAME, 0) if sure > top_high else (OPEN, 0)
    if kind[o] == MOVE:
        least_defence = most_defence = stay[o]
        if gone[o] == OPEN:
            hard = owner[o] != owner[r] and sure - spoilt[r] > top_high and sure - spoilt[r] > most_defence
            return (CAME, 0) if hard else (OPEN, 0)
    else:
        least_defence, most_defence = low[o], high[o]
    if owner[o] == owner[r]:
        return FAILED, o
    if most - spoil[r] <= top_low:
        return FAILED, best
    if most - spoil[r] <= least_defence:
        return FAILED, o
    won = sure - spoilt[r] > top_high and sure - spoilt[r] > most_defence
    return (CAME, 0) if won else (OPEN, 0)
