"""A plan for a movement phase: one order for each unit, chosen so that they are worth most together.

The worth of a plan is what its units may expect: what the places they make for are worth, times how likely they come
there.  A plan begins with every unit holding.  Then each unit in turn is given what makes the whole plan better: a
move, a support for what another was given, or, together with others, a supported attack or a voyage.  A change is
weighed by working out again only what may come out differently.  When no unit can be given anything better, the plan
stands.

These are plain functions over columns, lists at the table and arrays in batches, as those of `outlook`.  They do not
know what an order says: what units may do is handed in as a `menu.Menu`.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from gamesmaster.engine.heuristic.menu import (
    BOUND,
    CONVOYS,
    GOES,
    LANDS,
    SUPPORTS,
    TALLIES,
    UNITS,
    WAITS,
    WAYS,
    WORKS,
    Menu,
)
from gamesmaster.engine.heuristic.outlook import Column, Fixed, Outlook, enters, keeps

MOST_ROUNDS = 4
"""The number of times that every unit is considered again."""
GAIN = 1e-6
"""The least gain for which a change is made."""


class Plan(NamedTuple):
    """One option for each unit, and what comes of them."""

    menu: Menu
    look: Outlook
    most: int  # one more than the greatest strength
    tally: Column  # the numbers of units, options and so on
    chosen: Column  # by unit: its option
    expected: Column  # by unit: the value it may expect
    stays: Column  # by unit: the probability that it keeps its place without help
    claimed: Column  # by unit: how many units need it as their partner
    first: Column  # by province: the first of the units bound for it, 0 for none
    after: Column  # by unit: the next unit bound for the same province
    content: Column  # by unit: 1 if it has no better option
    helped: Column  # by aim: how many supports it has
    entering: Column  # [province * most + strength]: the probability that a move succeeds; 0 is unknown
    keeping: Column  # [unit * most + strength]: the probability that a unit is not dislodged; 0 is unknown
    trial: Column  # the options on trial
    was: Column  # the options that they replace
    mark: Column  # by unit: scratch of searches
    queue: Column  # scratch of searches


REALS = frozenset(("value", "otherwise", "expected", "stays", "entering", "keeping"))
"""The columns that hold likelihoods and worths; others are whole numbers."""


def lengths(places: int, units: int, aims: int, options: int, needs: int, ways: int) -> dict[str, int]:
    """Return the lengths of the columns of a plan and its menu, by name; all begin as zeros."""
    rows = units + 1
    return {
        **dict.fromkeys(Menu._fields[1:], options),
        **dict.fromkeys(("at", "aboard", "hold", "way_at", "way_end", *Plan._fields[3:]), rows),
        **dict.fromkeys(("trial", "was"), rows + 1),
        **dict.fromkeys(("own", "first"), places + 1),
        **dict.fromkeys(("first_backer", "helped"), aims * rows),
        **dict.fromkeys(("way", "backer"), ways),
        "needs": needs,
        "entering": (places + 1) * (rows + 1),
        "keeping": rows * (rows + 1),
        "tally": TALLIES,
    }


# -- what there is to do ---------------------------------------------------------------------------------------------


def begin(p: Plan) -> None:
    """Make every unit hold."""
    m = p.menu
    for n in range(1, p.tally[UNITS] + 1):
        p.chosen[n] = m.hold[n]
        p.stays[n] = keeps(p.look, m.at[n], 1)
        p.expected[n] = p.stays[n] * m.value[m.hold[n]]


def add_ways(p: Plan, n: int, options: Fixed) -> None:
    """List these options as the ways of a unit, each alone and with every support for it."""
    m, code, first, units, way = p.menu, p.menu.code, p.menu.first_backer, p.menu.unit, p.tally[WAYS]
    ways, backers, most = m.way, m.backer, len(m.way) - p.tally[UNITS]
    m.way_at[n] = way
    for option in options:
        if way >= most:
            break
        ways[way], backers[way] = option, -1
        way += 1
        backer = first[m.aim[option]] if code[option] >= LANDS else 0
        sails = m.need_end[option] and not m.partner[option]
        if backer and not sails and _entering(p.look, p.entering, p.most, m.into[option], 1) < 1:
            while backer:
                if units[backer - 1] != n and units[backer - 1] != m.partner[option]:
                    ways[way], backers[way] = option, backer - 1
                    way += 1
                backer = m.next_backer[backer - 1]
    m.way_end[n] = p.tally[WAYS] = way


# -- the search ------------------------------------------------------------------------------------------------------


def better_all(p: Plan, turns: Fixed) -> bool:
    """Improve every unit once, in this order, and return whether no unit has a better option left."""
    content, contented = p.content, 0
    for n in turns:
        if not content[n]:
            way = _best(p, n)
            if way < 0:
                content[n] = 1
            else:
                weigh(p, try_way(p, way), True)
                for other in turns:
                    content[other] = 0
    for n in turns:
        contented += content[n]
    return bool(contented == len(turns))


def _best(p: Plan, n: int) -> int:
    """Return the best of a unit's ways, -1 if none improves the plan."""
    m, chosen, ways, helped, aim, most, best = p.menu, p.chosen, p.menu.way, p.menu.helps, p.menu.aim, 0.0, -1
    for way in range(m.way_at[n], m.way_end[n]):
        helps = helped[ways[way]]
        if helps >= 0 and aim[chosen[helps // m.aims]] != helps:  # as `fits` says, in line: this is asked most often
            continue
        changes = try_way(p, way)
        if hope(p, changes) > most:
            gain = weigh(p, changes, False)
            if gain > most + GAIN:
                most, best = gain, way
    return best


def fits(p: Plan, option: int) -> bool:
    """Return whether an option helps what its unit now does; an option that helps nobody always fits."""
    helps = p.menu.helps[option]
    return bool(helps < 0 or p.menu.aim[p.chosen[helps // p.menu.aims]] == helps)


def try_way(p: Plan, way: int) -> int:
    """Write a way, with what others do for it, to the trial, and return how many options these are."""
    m, trial, changes = p.menu, p.trial, 1
    option = trial[0] = m.way[way]
    if m.partner[option]:
        trial[1], changes = m.mate[option], 2
    else:
        for i in range(m.need_at[option], m.need_end[option]):
            trial[changes] = m.needs[i]
            changes += 1
    if m.backer[way] >= 0:
        trial[changes] = m.backer[way]
        changes += 1
    return changes


def tidy(p: Plan) -> None:
    """Make units hold whose moves block each other, and those whose support or convoy matches nothing."""
    sort = 0
    while sort < 3:
        sort = 0 if _hold_all(p, sort) else sort + 1


def _hold_all(p: Plan, sort: int) -> int:
    """Hold all units that move or help in vain, or wait for nobody (by `sort`), and return their number."""
    m, found = p.menu, 0
    for n in range(1, p.tally[UNITS] + 1):
        option = p.chosen[n]
        if sort == 0:
            vain = m.code[option] >= LANDS and comes(p, n) == 0.0
        elif sort == 1:
            vain = not fits(p, option)
        else:
            vain = m.code[option] == WAITS and not p.claimed[n]
        if vain:
            p.content[found] = n
            found += 1
    for i in range(found):
        p.trial[0] = m.hold[p.content[i]]
        weigh(p, 1, True)
    return found


# -- changes ---------------------------------------------------------------------------------------------------------


def weigh(p: Plan, changes: int, put: bool) -> float:
    """Return the gain of the plan with the first `changes` options of the trial; `put` takes them."""
    expected, mark, queue, gained = p.expected, p.mark, p.queue, 0.0
    _swap(p, p.trial, p.was, changes)
    for i in range(_touched(p, changes)):
        n = queue[i]
        mark[n] = 0
        now = _expects(p, n)
        gained += now - expected[n]
        if put:
            expected[n] = now
    if not put:
        _swap(p, p.was, p.trial, changes)
    return gained


def hope(p: Plan, changes: int) -> float:
    """Return an upper bound of the gain of the first `changes` options of the trial, without trying them.

    It is infinite where a unit that makes way could help others, too.
    """
    m, trial, chosen, first, after, expected = p.menu, p.trial, p.chosen, p.first, p.after, p.expected
    value, otherwise, gain = m.value, m.otherwise, 0.0
    for i in range(changes):
        option = trial[i]
        n = m.unit[option]
        before, helps = chosen[n], m.helps[option]
        if first[m.at[n]] or p.claimed[n] or m.partner[before] or after[first[m.lane[before]]]:
            return inf
        gain += max(value[option], otherwise[option], 0.0) - expected[n]
        if helps >= 0:
            helped = helps // m.aims
            if not _among(m.unit, trial, changes, helped):
                now = chosen[helped]
                gain += max(value[now], otherwise[now], 0.0) - expected[helped]
    return gain


def _among(unit: Column, trial: Column, changes: int, n: int) -> bool:
    """Return whether an option of this unit is on trial."""
    for i in range(changes):  # noqa: SIM110 (machine code has no generators)
        if unit[trial[i]] == n:
            return True
    return False


def _swap(p: Plan, options: Column, before: Column, changes: int) -> None:
    """Choose these options; write those that they replace to `before`."""
    m, chosen, first, after, helped, code, lane = p.menu, p.chosen, p.first, p.after, p.helped, p.menu.code, p.menu.lane
    for i in range(changes):
        option = options[i]
        n = m.unit[option]
        before[i] = now = chosen[n]
        chosen[n] = option
        if code[now] == SUPPORTS:
            helped[m.helps[now]] -= 1
        elif lane[now] >= 0:
            _strike(first, after, lane[now], n)
        if code[option] == SUPPORTS:
            helped[m.helps[option]] += 1
        elif lane[option] >= 0:
            after[n] = first[lane[option]]
            first[lane[option]] = n
        if m.need_end[now] or m.need_end[option]:
            p.claimed[m.partner[now]] -= 1
            p.claimed[m.partner[option]] += 1
            p.tally[BOUND] += int(m.need_end[option] > 0) - int(m.need_end[now] > 0)


def _strike(first: Column, after: Column, lane: int, n: int) -> None:
    """Remove a unit from the list of those that move to a province."""
    if first[lane] == n:
        first[lane] = after[n]
    else:
        before = first[lane]
        while after[before] != n:
            before = after[before]
        after[before] = after[n]


def _touched(p: Plan, changes: int) -> int:
    """Mark and list the units whose expectation may change by a trial, and return their number.

    These are the units changed; those they help, stand off, or claim together with others, before or now; and all units
    that wait for any of these.
    """
    m, mark, queue, first, after = p.menu, p.mark, p.queue, p.first, p.after
    found = done = 0
    for i in range(changes):
        found = _push(mark, queue, m.unit[p.trial[i]], found)
        for option in (p.trial[i], p.was[i]):
            if m.code[option] >= LANDS:
                found = _push_all(mark, queue, first[m.lane[option]], after, found)
                if m.partner[option]:
                    found = _push_needy(p, m, m.partner[option], found)
            elif m.helps[option] >= 0:
                found = _push(mark, queue, m.helps[option] // m.aims, found)
    while done < found:
        n = queue[done]
        place = m.at[n]
        done += 1
        if first[place] and m.own[place] == n:
            found = _push_all(mark, queue, first[place], after, found)
        if p.tally[BOUND]:
            found = _push_needy(p, m, n, found)
    return found


def _push(mark: Column, queue: Column, n: int, found: int) -> int:
    """List a unit if it is not marked yet."""
    if not mark[n]:
        mark[n] = 1
        queue[found] = n
        found += 1
    return found


def _push_all(mark: Column, queue: Column, n: int, after: Column, found: int) -> int:
    """List a unit and all after it that move to the same province."""
    while n:
        found = _push(mark, queue, n, found)
        n = after[n]
    return found


def _push_needy(p: Plan, m: Menu, needed: int, found: int) -> int:
    """List the units that need this one as a partner or a carrier."""
    for n in range(1, p.tally[UNITS] + 1):
        option = p.chosen[n]
        if m.partner[option] == needed:
            found = _push(p.mark, p.queue, n, found)
        elif not m.partner[option]:
            for i in range(m.need_at[option], m.need_end[option]):
                if m.unit[m.needs[i]] == needed:
                    found = _push(p.mark, p.queue, n, found)
    return found


# -- what comes of it ------------------------------------------------------------------------------------------------


def _expects(p: Plan, n: int) -> float:
    """Return the value that a unit may expect of the plan as it is."""
    m, option = p.menu, p.chosen[n]
    value, otherwise = m.value[option], m.otherwise[option]
    if m.code[option] >= LANDS:
        likely = comes(p, n)
        return float(likely * value + (1 - likely) * p.stays[n] * otherwise)
    if m.code[option] == WORKS:
        calm = p.look.calm[m.at[n]]
        value = calm * value + (1 - calm) * otherwise
    help = p.helped[n * m.aims]
    kept = _keeping(p.look, p.keeping, n * p.most + 1 + help, m.at[n], 1 + help) if help else p.stays[n]
    return float(kept * value)


def comes(p: Plan, n: int) -> float:
    """Return the probability that a move succeeds, with all moves that it waits for; a ring of moves all succeed."""
    m, chosen, lanes, after, helped, entering = p.menu, p.chosen, p.first, p.after, p.helped, p.entering
    code, into = m.code, m.into
    first, now, sailing, likely = n, n, 0, 1.0
    while True:
        option = chosen[now]
        to = into[option]
        if after[lanes[to]]:  # others are bound for it, too
            return 0.0
        strength = 1 + helped[m.aim[option]]
        odds = entering[to * p.most + strength]
        likely *= odds if odds else _entering(p.look, entering, p.most, to, strength)
        if code[option] == LANDS:
            likely *= p.stays[now]  # who is beaten puts nobody ashore
        partner, sails = m.partner[option], False
        if partner:
            word = m.word[chosen[partner]]
            if p.claimed[partner] > 1 or not _holds(m.needs, m.need_at[option], m.need_end[option], word):
                return 0.0
            if m.aboard[now] and code[chosen[partner]] >= LANDS:
                sailing = partner
        elif m.need_end[option]:
            sails = True
            for i in range(m.need_at[option], m.need_end[option]):
                fleet = m.unit[m.needs[i]]
                if code[chosen[fleet]] != CONVOYS or m.helps[chosen[fleet]] != m.aim[option]:
                    return 0.0
                likely *= p.stays[fleet]
        standing = m.own[to]
        if standing and standing != first:
            other = chosen[standing]
            if code[other] != GOES:
                return 0.0
            if into[other] == m.at[now] and not (sails or (m.need_end[other] and not m.partner[other])):
                return 0.0  # they would change places
            now = standing
        elif sailing:
            first, now, sailing = sailing, sailing, 0
        else:
            return likely


def _holds(needs: Column, start: int, end: int, need: int) -> bool:
    """Return whether an option needs this one."""
    for i in range(start, end):  # noqa: SIM110 (machine code has no generators)
        if needs[i] == need:
            return True
    return False


def _entering(look: Outlook, entering: Column, most: int, place: int, strength: int) -> float:
    """Return the probability that a move into a province with this strength succeeds, from the cache."""
    at = place * most + strength
    if not entering[at]:
        entering[at] = enters(look, place, strength)
    return float(entering[at])


def _keeping(look: Outlook, keeping: Column, at: int, place: int, strength: int) -> float:
    """Return the probability that a unit with this strength is not dislodged, from the cache."""
    if not keeping[at]:
        keeping[at] = keeps(look, place, strength)
    return float(keeping[at])
