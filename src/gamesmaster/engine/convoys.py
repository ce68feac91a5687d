"""Supports and convoys over columns: which match the orders of others, which waters join two shores, who goes by sea.

Ordinary Python runs these functions on lists; Numba compiles the same source over arrays for batches.  A set of waters
is `fleet[:n]`, their provinces.  Each question is a few breadth-first searches, or a search with a budget: chains are
never all listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gamesmaster.engine.choices import (
    ADJACENT,
    ALWAYS_BY_SEA,
    EVERY_ROUTE,
    EXPLICIT,
    INTENT_OR_LAND,
    INTENT_OR_SWAP,
    OF_1971,
    OF_1982,
    PARADOX,
    WHEN_SWAPPING,
)
from gamesmaster.engine.problem import WEIGHT
from gamesmaster.engine.rows import (
    ALONE,
    BLUNT,
    CARRIED,
    CONVOY,
    EITHER,
    EVERY,
    HOLD,
    MOVE,
    NOWAY,
    PASS,
    SAILS,
    SUPPORT,
    Column,
    Rows,
)

BUDGET = 150
"""Steps spent on looking for chains without short cuts; past it every fleet counts as part of one."""

LIES, REACHED = 1, 2  # a fleet in a water; one that was come to

MATCHED, MOVES_AWAY, OTHERWISE, UNHELPED, OTHER_COAST = range(5)
"""Results of matching a support or convoy: the unit stands or moves as said; it moves instead of standing; it does
something else; it takes no support; it moves to another coast.
"""


class Seas(NamedTuple):
    """Convoying waters.  Row p of a list `x` is `x[x_first[p] : x_first[p + 1]]`, that of `waters` goes by `first`."""

    first: Sequence[int]
    waters: Sequence[int]  # by province: the waters next to it
    link: Sequence[int]  # the kernel's table
    shore_first: Sequence[int]
    shores: Sequence[int]  # by province: what a convoy in this water touches


class Crossings(NamedTuple):
    """Groups of waters joined by fleets, numbered from 1."""

    group: Column  # by province: the group of the fleet there, 0 where none lies
    start: Column  # by group: where its waters begin
    water: Column  # the waters of group g are `water[start[g] : start[g + 1]]`
    touched: Column  # [group * provinces + province]: 1 where the group touches the province
    groups: Column  # one number: how many groups there are


class Search(NamedTuple):
    """Scratch of searches, by province; all but `queue` and `levels` are zeros before and after."""

    mark: Column
    found: Column  # an answer: 1 for the waters found; the caller clears it
    queue: Column
    levels: Column  # twice as long as the others
    fleet: Column


def scratch(size: int) -> Search:
    """Return scratch for a board of `size` provinces, as lists."""
    return Search([0] * size, [0] * size, [0] * size, [0] * (2 * size + 4), [0] * size)


# -- what others were ordered ----------------------------------------------------------------------------------------


def match(n: int, rows: Rows, coast: Sequence[int], fleets: Column, void: Column, faults: Column) -> tuple[int, int]:
    """Turn supports and convoys that match no order into holds (STD-4.e).

    A support for a unit that stays has that unit's place as `to`.  `coast` is the location on a coast where a move
    ends, or that a support names (4.B.4); below 0, any coast matches.  Returns the number of `fleets` that convoy and
    the number of `void` rows; `faults` has the cause of each.
    """
    kind, at, to, about, flags = rows.kind, rows.at, rows.to, rows.about, rows.flags
    convoys = voids = 0
    for r in range(1, n + 1):
        if kind[r] <= MOVE:
            continue
        fault, other = MATCHED, about[r]
        if to[r] == at[other]:
            if kind[other] == MOVE:
                fault = MOVES_AWAY
        elif kind[other] != MOVE or to[other] != to[r]:
            fault = OTHERWISE
        elif kind[r] == CONVOY:
            fleets[convoys] = r
            convoys += 1
        elif flags[other] & ALONE:
            fault = UNHELPED
        elif coast[r] >= 0 and coast[other] >= 0 and coast[r] != coast[other]:
            fault = OTHER_COAST
        if fault:
            kind[r], faults[r] = HOLD, fault
            void[voids] = r
            voids += 1
    return convoys, voids


# -- waters ----------------------------------------------------------------------------------------------------------


def joined(seas: Seas, fleet: Sequence[int], n: int, a: int, b: int, without: int, search: Search) -> bool:
    """Return whether these waters join shore `a` to shore `b`; `without` is a water to leave out, -1 for none."""
    mark, queue = search.mark, search.queue
    count = spread(seas, fleet, n, a, -1, without, mark, queue)
    size = len(seas.first) - 1
    met = False
    for i in range(count):
        if seas.link[b * size + queue[i]]:
            met = True
            break
    clear(fleet, n, mark)
    return met


def spread(seas: Seas, fleet: Sequence[int], n: int, a: int, b: int, without: int, mark: Column, queue: Column) -> int:
    """Mark and queue the waters that one comes to from shore `a`, or `b` if it is not -1, `without` one; how many."""
    first, waters = seas.first, seas.waters
    for i in range(n):
        mark[fleet[i]] = LIES
    if without >= 0:
        mark[without] = 0
    count = enter(first, waters, a, mark, queue, 0)
    if b >= 0:
        count = enter(first, waters, b, mark, queue, count)
    done = 0
    while done < count:
        count = enter(first, waters, queue[done], mark, queue, count)
        done += 1
    return count


def enter(first: Sequence[int], waters: Sequence[int], here: int, mark: Column, queue: Column, count: int) -> int:
    """Queue the waters with fleets next to a province that no search has reached yet; return the new count."""
    for i in range(first[here], first[here + 1]):
        water = waters[i]
        if mark[water] == LIES:
            mark[water] = REACHED
            queue[count] = water
            count += 1
    return count


def clear(fleet: Sequence[int], n: int, column: Column) -> None:
    """Set a column to 0 for these waters."""
    for i in range(n):
        column[fleet[i]] = 0


def find_simple(seas: Seas, fleet: Sequence[int], n: int, a: int, b: int, search: Search) -> None:
    """Find the waters on any route from `a` to `b` that visits no water twice (STD-4.i, 1971).

    A water is on such a route unless one other water separates it from both shores, or one from either (Menger).
    """
    for i in range(n):
        search.found[fleet[i]] = 1
    keep_reached(seas, fleet, n, a, -1, -1, search)
    keep_reached(seas, fleet, n, b, -1, -1, search)
    for i in range(n):
        keep_reached(seas, fleet, n, a, b, fleet[i], search)


def keep_reached(seas: Seas, fleet: Sequence[int], n: int, a: int, b: int, without: int, search: Search) -> None:
    """Keep in `found` only waters reached from shore `a` or `b` without the water `without`, and that water."""
    mark, found = search.mark, search.found
    spread(seas, fleet, n, a, b, without, mark, search.queue)
    for i in range(n):
        if fleet[i] != without and mark[fleet[i]] != REACHED:
            found[fleet[i]] = 0
    clear(fleet, n, mark)


def find_minimal(seas: Seas, fleet: Sequence[int], n: int, a: int, b: int, wanted: int, search: Search) -> None:
    """Find the waters, all joined, on some chain from `a` to `b` that would break without them: one without short cuts.

    (DATC 6.G.19.)  It may stop once the `wanted` one is found (-1: all are).  The search follows the chains from shore
    `a`, depth first; after `BUDGET` steps it gives up, and leaves out none.  `queue` holds the waters that may come
    next, level after level; `levels` where each level begins and, half the column on, which of it is looked at.
    """
    first, waters, link = seas.first, seas.waters, seas.link
    mark, found, queue, levels = search.mark, search.found, search.queue, search.levels
    size, half = len(first) - 1, len(levels) // 2
    for i in range(n):
        mark[fleet[i]] = LIES
    count = enter(first, waters, a, mark, queue, 0)
    level = steps = 0
    levels[0] = 0
    levels[half] = -1
    while level >= 0:
        levels[half + level] += 1
        i = levels[half + level]
        if i >= count:  # this level is done: what it barred is free again
            count = levels[level]
            for j in range(count, i):
                mark[queue[j]] = LIES
            level -= 1
            continue
        steps += 1
        here = queue[i]
        if steps >= BUDGET:
            for j in range(n):
                found[fleet[j]] = 1
            break
        if link[b * size + here]:
            for j in range(level + 1):
                found[queue[levels[half + j]]] = 1
            if wanted >= 0 and found[wanted]:
                break
        else:
            level += 1
            levels[level] = count
            levels[half + level] = count - 1
            count = enter(first, waters, here, mark, queue, count)
    clear(fleet, n, mark)


# -- crossings -------------------------------------------------------------------------------------------------------


def group_waters(seas: Seas, fleet: Sequence[int], n: int, c: Crossings) -> None:
    """Group the connected waters that contain fleets; `group` and `touched` must contain zeros."""
    shore_first, shores, size = seas.shore_first, seas.shores, len(seas.first) - 1
    group, water, touched = c.group, c.water, c.touched
    for i in range(n):
        group[fleet[i]] = -1
    groups = count = done = 0
    for i in range(n):
        if group[fleet[i]] > 0:
            continue
        groups += 1
        base = groups * size
        group[fleet[i]] = groups
        water[count] = fleet[i]
        c.start[groups] = count
        count += 1
        while done < count:
            here = water[done]
            done += 1
            for place in shores[shore_first[here] : shore_first[here + 1]]:
                touched[base + place] = 1
                if group[place] < 0:
                    group[place] = groups
                    water[count] = place
                    count += 1
    c.start[groups + 1] = count
    c.groups[0] = groups


def crossing(c: Crossings, size: int, a: int, b: int, after: int) -> int:
    """Return the first group, `after` one, that touches both shores; 0 if none does."""
    for g in range(after + 1, c.groups[0] + 1):
        if c.touched[g * size + a] and c.touched[g * size + b]:
            return g
    return 0


def crosses_without(seas: Seas, c: Crossings, a: int, b: int, water: int, search: Search) -> bool:
    """Return whether some group could form a convoy from shore to shore without the fleet in this water (STD-4.j)."""
    size = len(seas.first) - 1
    g = crossing(c, size, a, b, 0)
    while g:
        first, last = c.start[g], c.start[g + 1]
        if c.group[water] != g or joined(seas, c.water[first:last], last - first, a, b, water, search):
            return True
        g = crossing(c, size, a, b, g)
    return False


def find_useful(
    seas: Seas, fleet: Sequence[int], n: int, a: int, b: int, wanted: int, book: Sequence[int], search: Search
) -> None:
    """Find the waters that a route from `a` to `b` can need (STD-4.i).

    By the rulebook in `book` these are the waters on any route, or only those on a route without short cuts
    (`find_minimal`). If `wanted` is not -1, the search may stop at that water.
    """
    if book[EVERY_ROUTE]:
        find_simple(seas, fleet, n, a, b, search)
    else:
        find_minimal(seas, fleet, n, a, b, wanted, search)


def is_useful(seas: Seas, c: Crossings, a: int, b: int, water: int, book: Sequence[int], search: Search) -> bool:
    """Return whether a route between the shores needs the fleet in this water; its group touches both (STD-4.i)."""
    if touches_both(seas.link, len(seas.first) - 1, a, b, water):
        return True
    first, last = c.start[c.group[water]], c.start[c.group[water] + 1]
    fleet = c.water[first:last]
    find_useful(seas, fleet, last - first, a, b, water, book, search)
    useful = search.found[water] != 0
    clear(fleet, last - first, search.found)
    return bool(useful)


def touches_both(link: Sequence[int], size: int, a: int, b: int, water: int) -> bool:
    """Return whether a convoy in a water touches both shores, and so is a whole route."""
    return link[a * size + water] != 0 and link[b * size + water] != 0


# -- who goes by sea -------------------------------------------------------------------------------------------------


def send_by_sea(
    r: int, rows: Rows, tenant: Sequence[int], fleets: Sequence[int], n: int, via: bool, walks: bool,
    seas: Seas, book: Sequence[int], search: Search,
) -> int:  # fmt: skip
    """Send the army of row `r` by sea if it goes by sea (4.A.1, 4.A.3); return its flags, 0 if it walks.

    `fleets[:n]` are the rows with matched convoys, including those for this army; `via` says that it is ordered by
    convoy, `walks` that it could walk.
    """
    at, owner, about = rows.at, rows.owner, rows.about
    a, b, fleet = at[r], rows.to[r], search.fleet
    own, waters = False, 0
    for i in range(n):
        f = fleets[i]
        if about[f] == r and rows.kind[f] == CONVOY:
            fleet[waters] = at[f]
            waters += 1
            own = own or owner[f] == owner[r]
    if walks and not via and not waters:
        return 0
    chain = waters > 0 and joined(seas, fleet, waters, a, b, -1, search)
    flags = CARRIED | PASS
    if walks:
        if not goes_by_sea(r, rows, tenant, via, own, chain, book[ADJACENT]):
            return 0
        if book[ADJACENT] == INTENT_OR_LAND or book[ADJACENT] == WHEN_SWAPPING:
            flags |= EITHER
    if not chain:
        flags = NOWAY
    elif book[EVERY_ROUTE]:
        flags |= EVERY
        find_simple(seas, fleet, waters, a, b, search)
        for i in range(n):
            if about[fleets[i]] == r and not search.found[at[fleets[i]]]:
                rows.kind[fleets[i]] = HOLD
        clear(fleet, waters, search.found)
    rows.flags[r] = flags
    return flags


def weakened(force: int, flags: int, times: int) -> int:
    """Return a weight halved `times` times at a border; a convoyed army crosses no border and keeps its weight."""
    return force if flags & (CARRIED | NOWAY) else force >> times


def scaled(force: int, weight: int) -> int:
    """Return the weight that an order has if its unit has this weight and not `WEIGHT`."""
    return force * weight // WEIGHT


def release(rows: Rows, fleets: Sequence[int], n: int) -> None:
    """Turn convoys into holds if their army does not go by sea."""
    for i in range(n):
        if not rows.flags[rows.about[fleets[i]]] & CARRIED:
            rows.kind[fleets[i]] = HOLD


def goes_by_sea(r: int, rows: Rows, tenant: Sequence[int], via: bool, own: bool, chain: bool, adjacent: int) -> bool:
    """Return whether an army that could walk goes by sea (4.A.3).

    `via` says that its order asks for a convoy, `own` that a fleet of its power would convoy it, and `chain` that
    there is a whole route. `adjacent` is the rulebook's choice.
    """
    if adjacent == ALWAYS_BY_SEA:
        return chain
    if adjacent == EXPLICIT:
        return via
    facing = tenant[rows.to[r]]
    swaps = facing != 0 and rows.kind[facing] == MOVE and rows.to[facing] == rows.at[r]
    if adjacent == WHEN_SWAPPING:
        return swaps and chain
    if adjacent == INTENT_OR_LAND:
        return (via or own) and chain
    own_swap = adjacent == INTENT_OR_SWAP and swaps and chain and rows.owner[facing] == rows.owner[r]
    return via or own or own_swap


def set_out(n: int, rows: Rows) -> None:
    """Let armies that land from a moving carrier start from the destination of the carrier (AFM-6.a)."""
    for r in range(1, n + 1):
        if rows.flags[r] & SAILS:
            rows.at[r] = rows.whence[r] = rows.to[rows.about[r]]


# -- landings and supports -------------------------------------------------------------------------------------------


def spare_supports(
    n: int, rows: Rows, tenant: Sequence[int], afloat: Sequence[int], seas: Seas, book: Sequence[int], search: Search
) -> None:
    """Blunt the landings that may not cut a support, under the rules of 1971, 1982 and 2000 (4.A.2 a, b, c).

    `afloat` says of each row whether it is a fleet.
    """
    for r in range(1, n + 1):
        helper = tenant[rows.to[r]] if rows.flags[r] & CARRIED else 0
        if (
            helper
            and rows.kind[helper] == SUPPORT
            and is_spared(r, helper, n, rows, afloat[helper] != 0, seas, book[PARADOX], search)
        ):
            rows.flags[r] |= BLUNT


def is_spared(r: int, helper: int, n: int, rows: Rows, afloat: bool, seas: Seas, paradox: int, search: Search) -> bool:
    """Return whether the support of row `helper` is safe from the landing of row `r`."""
    kind, at, to, about, fleet = rows.kind, rows.at, rows.to, rows.about, search.fleet
    target, fleets, among, convoyed = to[helper], 0, False, False
    for f in range(1, n + 1):
        if kind[f] == CONVOY:
            convoyed = convoyed or at[f] == target
            if about[f] == r:
                fleet[fleets] = at[f]
                fleets += 1
                among = among or at[f] == target
    if paradox == OF_1982:
        return afloat and convoyed
    if kind[about[helper]] != MOVE or not among:
        return False
    if paradox == OF_1971:
        return afloat
    return not joined(seas, fleet, fleets, at[r], to[r], target, search)
