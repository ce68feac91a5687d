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

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

HOLD = 0
"""What a row does: stays where it is."""
MOVE = 1
"""What a row does: moves."""
SUPPORT = 2
"""What a row does: supports another row."""
CONVOY = 3
"""What a row does: convoys another row."""

ABSENT = 1
"""Flag: occupies nothing."""
FREE = 2
"""Flag: arrives unopposed, opposes nobody."""
CARRIED = 4
"""Flag: its route must be found: convoy rows naming it, or its carrier in `about`."""
SAILS = 8
"""Flag: its carrier in `about` must arrive by its own move."""
EVERY = 16
"""Flag: any convoying fleet lost breaks the route (DATC 4.A.1 a)."""
EITHER = 32
"""Flag: walks once the sea route is broken (DATC 4.A.3 a, c)."""
NOWAY = 64
"""Flag: a move only in name: it cannot happen, but the unit is not a holder either."""
PASS = 128
"""Flag: never meets head on; with EITHER, unless it walks."""
LEAVES = 256
"""Flag: quits its place, its route holding, if a carrying fleet of its own stands, arriving or not."""
BLUNT = 512
"""Flag: cuts no support, not even by dislodging; with EITHER, unless it walks."""
FAINT = 1024
"""Flag: closes nothing to retreats, does not attack a builder (read outside the kernel)."""
ALONE = 2048
"""Flag: cannot be supported."""
POWERLESS = 4096
"""Flag: its own force is 0, so that without help it does not even come to an empty place."""
UNSURE_ALONE = CARRIED | LEAVES | POWERLESS
"""Flags of moves that may fail, or decide something else, though nothing is in their way."""

# Decisions.  OPEN is 0 in every column.
OPEN = 0
CAME, FAILED = 1, 2  # state of a move
HOLDS, BROKEN, SILENCED, WALKS = 1, 2, 3, 4  # a route; silenced by a paradox; by land, the sea route being broken
GIVEN, CUT = 1, 2  # a support
GONE = 1
"""A mover has left its place."""
STAYS = 2
"""A mover has not left its place."""

# `contest`: whether a loser still contests the place its victor came from (DATC 4.A.7)
UNLESS_HEAD_ON, NEVER, ALWAYS = 0, 1, 2
# `knot`: what a paradox does (DATC 4.A.2 f, d).
SZYKMAN, ALL_HOLD = 0, 1

SLOW = 8
"""A pass that closes fewer than one in `SLOW` of the open rows is followed by one from the other end."""

MOST_TRIED = 7
"""Routes of one knot that are tried in every combination; a larger knot is silenced whole."""

AFLOAT, UNSURE, SUNK = 0, 1, 2  # a carrier's fate
PART = 4  # beside CAME | FAILED: a move that belongs to a paradox

Column = MutableSequence[int]
"""A number for each row, province or power: a list, or an array."""


class Rows(NamedTuple):
    """The columns of a Problem, each of length n + 1.

    `at`, `to`: provinces; a support's `to` is the place supported into.  `whence`: where the blow comes from, usually
    `at`.  `about`: the row supported or convoyed; for a landing, its carrier.  `owner`: a power's number, neutrals too;
    row 0's belongs to nobody.  `force`: weight of attack, of help, or, of a unit that holds or convoys, of
    defence.  `stay`: weight of defence when ordered to support, or to move and still there, and at least that when met
    head on.
    """

    kind: Column
    at: Column
    to: Column
    whence: Column
    about: Column
    owner: Column
    force: Column
    stay: Column
    flags: Column


class Outcome(NamedTuple):
    """The answer, row by row.

    `route` also marks the convoy rows silenced by a paradox.  `by`: the row that stopped a move, cut a support, or
    failed to carry an army; 0 where none did.  `strength`: force and the help given; `spoilt`: the part of it that does
    not count against the occupant, being help of his own power.
    """

    state: Column
    route: Column
    gone: Column
    cut: Column
    by: Column
    strength: Column
    spoilt: Column


class Work(NamedTuple):
    """Scratch.  `occupant` and `first` are by province, the others by row.

    `first` and `rival` link the contenders of a place, `carrier` and `sister` the convoying fleets of an army.
    `facing`: the row met head on.  `high`, `spoil`: upper bounds of `strength` and `spoilt`.
    """

    occupant: Column
    first: Column
    rival: Column
    carrier: Column
    sister: Column
    facing: Column
    high: Column
    spoil: Column
    todo: Column
    fate: Column
    queue: Column
    mark: Column


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


def carrier_fate(g: int, at: Column, state: Column, flags: Column, first: Column, rival: Column) -> int:
    """Return AFLOAT if the fleet of row `g` is surely undislodged, SUNK if surely dislodged, else UNSURE."""
    verdict = AFLOAT
    c = first[at[g]]
    while c:
        if not flags[c] & FREE:
            if state[c] == CAME:
                return SUNK
            if state[c] == OPEN:
                verdict = UNSURE
        c = rival[c]
    return verdict


def embarked(
    r: int, at: Column, owner: Column, state: Column, flags: Column, carrier: Column, sister: Column, first: Column,
    rival: Column,
) -> int:  # fmt: skip
    """Return GONE if army `r`, refused ashore, left its place aboard an own fleet; else STAYS or OPEN."""
    verdict = STAYS
    g = carrier[r]
    while g:
        if owner[g] == owner[r]:
            fate = carrier_fate(g, at, state, flags, first, rival)
            if fate == AFLOAT:
                return GONE
            if fate == UNSURE:
                verdict = OPEN
        g = sister[g]
    return verdict


def lost_carrier(r: int, rows: Rows, out: Outcome, work: Work) -> int:
    """Name a carrier that failed the carried row `r`, if one did: dislodged, or ordered to sail and not arrived."""
    if rows.flags[r] & SAILS:
        return rows.about[r]
    g = rows.about[r] if rows.about[r] else work.carrier[r]
    while g and carrier_fate(g, rows.at, out.state, rows.flags, work.first, work.rival) != SUNK:
        g = work.sister[g]
    return g


def seek(
    r: int, rows: Rows, state: Column, first: Column, rival: Column, carrier: Column, sister: Column, fate: Column,
    queue: Column, mark: Column, size: int, link: Sequence[int],
) -> int:  # fmt: skip
    """Return HOLDS, BROKEN or OPEN for the route of the carried row `r`."""
    _, at, to, _, about, _, _, _, flags = rows
    f = flags[r]
    a = about[r]
    if a:
        if f & SAILS:
            return HOLDS if state[a] == CAME else BROKEN if state[a] == FAILED else OPEN
        lot = carrier_fate(a, at, state, flags, first, rival)
        return HOLDS if lot == AFLOAT else BROKEN if lot == SUNK else OPEN
    worst = AFLOAT
    g = carrier[r]
    while g:
        lot = carrier_fate(g, at, state, flags, first, rival)
        fate[g] = lot
        if lot > worst:
            worst = lot
        g = sister[g]
    if f & EVERY and worst != AFLOAT:
        return BROKEN if worst == SUNK else OPEN
    if sail(r, AFLOAT, at, to, carrier, sister, fate, queue, mark, size, link):
        return HOLDS
    if worst != AFLOAT and sail(r, UNSURE, at, to, carrier, sister, fate, queue, mark, size, link):
        return OPEN
    return BROKEN


def sail(
    r: int, worst: int, at: Column, to: Column, carrier: Column, sister: Column, fate: Column, queue: Column,
    mark: Column, size: int, link: Sequence[int],
) -> bool:  # fmt: skip
    """Return whether fleets with a fate of at most `worst` form a chain for army `r`, by a breadth-first search."""
    goal = to[r] * size
    here = at[r] * size
    head = tail = 0
    g = carrier[r]
    while g:
        mark[g] = 1 if fate[g] > worst else 0
        if mark[g] == 0 and link[here + at[g]]:
            mark[g] = 1
            queue[tail] = g
            tail += 1
        g = sister[g]
    while head < tail:
        g = queue[head]
        head += 1
        if link[goal + at[g]]:
            return True
        here = at[g] * size
        h = carrier[r]
        while h:
            if mark[h] == 0 and link[here + at[h]]:
                mark[h] = 1
                queue[tail] = h
                tail += 1
            h = sister[h]
    return False


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


def untie(
    n: int, count: int, rows: Rows, out: Outcome, work: Work, size: int, link: Sequence[int], contest: int, knot: int
) -> None:
    """Close at least one open route by trying every assignment of a knot's routes."""
    state, route, gone, _, _, _, _ = out
    flags = rows.flags
    knotted = pick_knot(n, count, rows, out, work)
    if len(knotted) == 0:
        # No Problem made from orders leads here; should one ever stall, what is open fails.
        for i in range(count):
            if rows.kind[work.todo[i]] == MOVE:
                state[work.todo[i]] = FAILED
                gone[work.todo[i]] = STAYS
        return
    if len(knotted) > MOST_TRIED:
        for r in knotted:
            silence_all(r, rows, out, work)
        return
    table = [0] * (1 << len(knotted))
    states = [state] * len(table)
    for trial in range(len(table)):
        table[trial], states[trial] = try_routes(trial, 0, knotted, count, rows, out, work, size, link, contest)
    group, circular = smallest_group(table, len(knotted))
    answer = answers = 0
    for trial in range(len(table)):
        if trial & ~group == 0 and table[trial] & group == trial:
            answer = trial
            answers += 1
    paradox = answers != 1
    for i in range(len(knotted)):
        if circular and group >> i & 1 and flags[knotted[i]] & SAILS:
            paradox = True
    if paradox:
        seen = range_of_fates(n, group, states, len(knotted), rows, work)
        if knot == ALL_HOLD:
            hold_all(n, group, knotted, table, seen, count, rows, out, work, size, link, contest)
        silence(n, group, knotted, seen, rows, out)
        return
    for i in range(len(knotted)):
        if group >> i & 1:
            lost = WALKS if flags[knotted[i]] & EITHER else BROKEN
            route[knotted[i]] = HOLDS if answer >> i & 1 else lost


def silence_all(r: int, rows: Rows, out: Outcome, work: Work) -> None:
    """Break the route of army `r` untried, and silence its fleets but those surely safe or lost."""
    out.route[r] = WALKS if rows.flags[r] & EITHER else SILENCED
    g = work.carrier[r]
    while g:
        if carrier_fate(g, rows.at, out.state, rows.flags, work.first, work.rival) == UNSURE:
            out.route[g] = SILENCED
        g = work.sister[g]


def pick_knot(n: int, count: int, rows: Rows, out: Outcome, work: Work) -> list[int]:
    """List the open routes of one independent part of the problem: rows that touch the same places belong together."""
    kind, at, to, _, about, _, _, _, flags = rows
    occupant, first, rival, carrier, sister, _, _, _, todo, _, _, _ = work
    label = [0] * (n + 1)
    for i in range(count):
        label[todo[i]] = todo[i]
    for i in range(count):
        r = todo[i]
        merge(label, r, occupant[to[r]])
        merge(label, r, about[r])
        merge_contenders(label, r, at[r], first, rival)
        merge_contenders(label, r, to[r], first, rival)
        if flags[r] & CARRIED:
            if about[r]:
                merge_contenders(label, r, at[about[r]], first, rival)
            g = carrier[r]
            while g:
                merge_contenders(label, r, at[g], first, rival)
                g = sister[g]
    chosen = 0
    knotted = [0 for _ in range(0)]
    for i in range(count):
        r = todo[i]
        if kind[r] == MOVE and flags[r] & CARRIED and out.route[r] == OPEN:
            if chosen == 0:
                chosen = root(label, r)
            if root(label, r) == chosen:
                knotted.append(r)
    return knotted


def root(label: list[int], r: int) -> int:
    """Find the name of the part that row `r` belongs to."""
    while label[r] != r:
        r = label[r]
    return r


def merge(label: list[int], r: int, s: int) -> None:
    """Put two open rows into one part."""
    if s and label[s]:
        label[root(label, s)] = root(label, r)


def merge_contenders(label: list[int], r: int, p: int, first: Column, rival: Column) -> None:
    """Put row `r` and the open contenders of place `p` into one part."""
    c = first[p]
    while c:
        merge(label, r, c)
        c = rival[c]


def try_routes(
    trial: int, stopped: int, knotted: list[int], count: int, rows: Rows, out: Outcome, work: Work, size: int,
    link: Sequence[int], contest: int,
) -> tuple[int, Column]:  # fmt: skip
    """Assume that routes hold as the bits of `trial` say; return the routes that then hold, and the moves that succeed.

    Bit i stands for the route of `knotted[i]`.  Move `stopped`, if any, is supposed to fail.
    """
    state, route, gone, cut, by, low, spoilt = out
    _, first, rival, carrier, sister, _, high, spoil, todo, fate, queue, mark = work
    columns = state, route, gone, cut, by, low, spoilt, high, spoil, todo
    kept = (
        copied(state), copied(route), copied(gone), copied(cut), copied(by), copied(low), copied(spoilt), copied(high),
        copied(spoil), copied(todo),
    )  # fmt: skip
    for i in range(len(knotted)):
        r = knotted[i]
        route[r] = HOLDS if trial >> i & 1 else WALKS if rows.flags[r] & EITHER else BROKEN
    if stopped:
        stop(stopped, rows, out)
    open_rows, turned = count, True
    while open_rows and turned:
        open_rows = sweep(open_rows, rows, out, work, size, link, contest)
        turned = turn_rings(open_rows, rows, out, work, contest)
    result = 0
    for i in range(len(knotted)):
        r = knotted[i]
        if seek(r, rows, state, first, rival, carrier, sister, fate, queue, mark, size, link) == HOLDS:
            result |= 1 << i
    states = copied(state)
    for r in range(len(state)):  # slices of arrays would keep the compiler busy for seconds
        for column in range(len(kept)):
            columns[column][r] = kept[column][r]
    return result, states


def stop(r: int, rows: Rows, out: Outcome) -> None:
    """Make move `r` fail, even if its strength would do."""
    out.state[r] = FAILED
    if not rows.flags[r] & LEAVES:
        out.gone[r] = STAYS


def copied(column: Column) -> Column:
    """Copy a column, list or array (both have the method; the type for both does not)."""
    return column.copy()  # type: ignore[attr-defined, no-any-return]


def smallest_group(table: list[int], k: int) -> tuple[int, bool]:
    """Find a route that depends on nothing, or the smallest circle of routes that depends on nothing outside it.

    `k` is the number of routes.  Return the set as bits, and whether it is a circle.
    """
    needs = [0] * k
    for trial in range(len(table)):
        for j in range(k):
            changed = table[trial] ^ table[trial ^ (1 << j)]
            for i in range(k):
                if changed >> i & 1:
                    needs[i] |= 1 << j
    group = (1 << k) - 1
    for i in range(k):
        if needs[i] == 0:
            return 1 << i, False
        closed = 1 << i
        grown = 0
        while grown != closed:
            grown = closed
            for j in range(k):
                if grown >> j & 1:
                    closed |= needs[j]
        if bits(closed) < bits(group):
            group = closed
    return group, True


def bits(number: int) -> int:
    """Count the ones."""
    total = 0
    while number:
        total += number & 1
        number >>= 1
    return total


def range_of_fates(n: int, group: int, states: list[Column], k: int, rows: Rows, work: Work) -> Column:
    """Collect what becomes of each move, and of each convoying fleet, in the trials of `group`: CAME, FAILED or both.

    A fleet comes through if it is not dislodged.
    """
    seen = copied(states[0])
    for r in range(1, n + 1):
        seen[r] = 0
        for trial in range(1 << k):
            if trial & ~group == 0:
                if rows.kind[r] == MOVE:
                    seen[r] |= states[trial][r]
                elif rows.kind[r] == CONVOY:
                    lot = carrier_fate(r, rows.at, states[trial], rows.flags, work.first, work.rival)
                    seen[r] |= CAME if lot == AFLOAT else FAILED
    return seen


def silence(n: int, group: int, knotted: list[int], seen: Column, rows: Rows, out: Outcome) -> None:
    """Silence the routes of `group`, and the fleets whose fate depends on them (DATC 4.A.2 f)."""
    for i in range(len(knotted)):
        a = knotted[i]
        if group >> i & 1:
            out.route[a] = WALKS if rows.flags[a] & EITHER else SILENCED
            for r in range(1, n + 1):
                if rows.kind[r] == CONVOY and rows.about[r] == a and seen[r] == CAME | FAILED:
                    out.route[r] = SILENCED


def hold_all(
    n: int, group: int, knotted: list[int], table: list[int], seen: Column, count: int, rows: Rows, out: Outcome,
    work: Work, size: int, link: Sequence[int], contest: int,
) -> None:  # fmt: skip
    """Stop each move of the circle: it depends on the routes of `group`, and they depend on it (DATC 4.A.2 d)."""
    for i in range(len(knotted)):
        if group >> i & 1 and seen[knotted[i]] == CAME | FAILED:
            seen[knotted[i]] |= PART
    for r in range(1, n + 1):
        if rows.kind[r] == MOVE and seen[r] == CAME | FAILED:
            for trial in range(1 << len(knotted)):
                if trial & ~group == 0:
                    other, _ = try_routes(trial, r, knotted, count, rows, out, work, size, link, contest)
                    if (table[trial] ^ other) & group:
                        seen[r] |= PART
    for r in range(1, n + 1):
        if seen[r] & PART:
            stop(r, rows, out)
