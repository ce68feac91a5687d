"""Routes of carried rows: whether their fleets stand, join two shores, or sail, as far as bounds decide it."""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.engine.rows import (
    BROKEN,
    CAME,
    EVERY,
    FAILED,
    FREE,
    GONE,
    HOLDS,
    OPEN,
    SAILS,
    STAYS,
    Column,
    Outcome,
    Rows,
    Work,
)

AFLOAT, UNSURE, SUNK = 0, 1, 2  # a carrier's fate


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
