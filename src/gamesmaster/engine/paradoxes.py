"""Convoys that depend on one another: their routes are tried in every combination, and paradoxes silenced."""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.engine.battles import sweep, turn_rings
from gamesmaster.engine.routes import AFLOAT, UNSURE, carrier_fate, seek
from gamesmaster.engine.rows import (
    ALL_HOLD,
    BROKEN,
    CAME,
    CARRIED,
    CONVOY,
    EITHER,
    FAILED,
    HOLDS,
    LEAVES,
    MOVE,
    OPEN,
    SAILS,
    SILENCED,
    STAYS,
    WALKS,
    Column,
    Outcome,
    Rows,
    Work,
)

MOST_TRIED = 7
"""Routes of one knot that are tried in every combination; a larger knot is silenced whole."""

PART = 4  # beside CAME | FAILED: a move that belongs to a paradox


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
