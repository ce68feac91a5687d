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


class Arrivals(NamedTuple):
    """The units bound for each province, as a linked list: 0 at the end."""

    first: Column  # by province
    next: Column  # by unit


class Odds(NamedTuple):
    """The probabilities that have been worked out; 0 is unknown."""

    most: int  # one more than the greatest strength
    entering: Column  # [province * most + strength]: that a move succeeds
    keeping: Column  # [unit * most + strength]: that a unit is not dislodged


class Trial(NamedTuple):
    """A change of the plan that is tried, and the units that it concerns."""

    options: Column  # the options on trial
    before: Column  # the options that they replace
    mark: Column  # by unit: 1 for those listed
    queue: Column  # the units listed


class Plan(NamedTuple):
    """One option for each unit, and what comes of them."""

    menu: Menu
    look: Outlook
    tally: Column  # the numbers of units, options and so on
    chosen: Column  # by unit: its option
    expected: Column  # by unit: the value it may expect
    stays: Column  # by unit: the probability that it keeps its place without help
    claimed: Column  # by unit: how many units need it as their partner
    content: Column  # by unit: 1 if it has no better option
    helped: Column  # by aim: how many supports it has
    arrivals: Arrivals
    odds: Odds
    trial: Trial


# -- what there is to do ---------------------------------------------------------------------------------------------


def begin(p: Plan) -> None:
    """Make every unit hold."""
    m = p.menu
    for n in range(1, p.tally[UNITS] + 1):
        p.chosen[n] = m.units.hold[n]
        p.stays[n] = keeps(p.look, m.units.at[n], 1)
        p.expected[n] = p.stays[n] * m.options.value[m.units.hold[n]]


def add_ways(p: Plan, n: int, options: Fixed) -> None:
    """List these options as the ways of a unit, each alone and with every support for it."""
    m, o, supports, way = p.menu, p.menu.options, p.menu.backers, p.tally[WAYS]
    ways, backers, most = m.ways.option, m.ways.backer, len(m.ways.option) - p.tally[UNITS]
    m.units.way_at[n] = way
    for option in options:
        if way >= most:
            break
        ways[way], backers[way] = option, -1
        way += 1
        backer = supports.first[o.aim[option]] if o.code[option] >= LANDS else 0
        sails = m.needs.end[option] and not m.needs.partner[option]
        if backer and not sails and _entering(p, o.into[option], 1) < 1:
            while backer:
                if o.unit[backer - 1] != n and o.unit[backer - 1] != m.needs.partner[option]:
                    ways[way], backers[way] = option, backer - 1
                    way += 1
                backer = supports.next[backer - 1]
    m.units.way_end[n] = p.tally[WAYS] = way


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
    m, o, chosen, ways = p.menu, p.menu.options, p.chosen, p.menu.ways.option
    helped, aim, most, best = o.helps, o.aim, 0.0, -1
    for way in range(m.units.way_at[n], m.units.way_end[n]):
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
    o = p.menu.options
    helps = o.helps[option]
    return bool(helps < 0 or o.aim[p.chosen[helps // p.menu.aims]] == helps)


def try_way(p: Plan, way: int) -> int:
    """Write a way, with what others do for it, to the trial, and return how many options these are."""
    m, needs, trial, changes = p.menu, p.menu.needs, p.trial.options, 1
    option = trial[0] = m.ways.option[way]
    if needs.partner[option]:
        trial[1], changes = needs.mate[option], 2
    else:
        for i in range(needs.begin[option], needs.end[option]):
            trial[changes] = needs.listed[i]
            changes += 1
    if m.ways.backer[way] >= 0:
        trial[changes] = m.ways.backer[way]
        changes += 1
    return changes


def tidy(p: Plan) -> None:
    """Make units hold whose moves block each other, and those whose support or convoy matches nothing."""
    sort = 0
    while sort < 3:
        sort = 0 if _hold_all(p, sort) else sort + 1


def _hold_all(p: Plan, sort: int) -> int:
    """Hold all units that move or help in vain, or wait for nobody (by `sort`), and return their number."""
    m, code, found = p.menu, p.menu.options.code, 0
    for n in range(1, p.tally[UNITS] + 1):
        option = p.chosen[n]
        if sort == 0:
            vain = code[option] >= LANDS and comes(p, n) == 0.0
        elif sort == 1:
            vain = not fits(p, option)
        else:
            vain = code[option] == WAITS and not p.claimed[n]
        if vain:
            p.content[found] = n
            found += 1
    for i in range(found):
        p.trial.options[0] = m.units.hold[p.content[i]]
        weigh(p, 1, True)
    return found


# -- changes ---------------------------------------------------------------------------------------------------------


def weigh(p: Plan, changes: int, put: bool) -> float:
    """Return the gain of the plan with the first `changes` options of the trial; `put` takes them."""
    expected, mark, queue, gained = p.expected, p.trial.mark, p.trial.queue, 0.0
    _swap(p, p.trial.options, p.trial.before, changes)
    for i in range(_touched(p, changes)):
        n = queue[i]
        mark[n] = 0
        now = _expects(p, n)
        gained += now - expected[n]
        if put:
            expected[n] = now
    if not put:
        _swap(p, p.trial.before, p.trial.options, changes)
    return gained


def hope(p: Plan, changes: int) -> float:
    """Return an upper bound of the gain of the first `changes` options of the trial, without trying them.

    It is infinite where a unit that makes way could help others, too.
    """
    m, o, trial, chosen, expected = p.menu, p.menu.options, p.trial.options, p.chosen, p.expected
    first, after, value, otherwise, gain = p.arrivals.first, p.arrivals.next, o.value, o.otherwise, 0.0
    for i in range(changes):
        option = trial[i]
        n = o.unit[option]
        before, helps = chosen[n], o.helps[option]
        if first[m.units.at[n]] or p.claimed[n] or m.needs.partner[before] or after[first[o.lane[before]]]:
            return inf
        gain += max(value[option], otherwise[option], 0.0) - expected[n]
        if helps >= 0:
            helped = helps // m.aims
            if not _among(o.unit, trial, changes, helped):
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
    o, needs, chosen, first, after, helped = (
        p.menu.options, p.menu.needs, p.chosen, p.arrivals.first, p.arrivals.next, p.helped
    )  # fmt: skip
    code, lane = o.code, o.lane
    for i in range(changes):
        option = options[i]
        n = o.unit[option]
        before[i] = now = chosen[n]
        chosen[n] = option
        if code[now] == SUPPORTS:
            helped[o.helps[now]] -= 1
        elif lane[now] >= 0:
            _strike(first, after, lane[now], n)
        if code[option] == SUPPORTS:
            helped[o.helps[option]] += 1
        elif lane[option] >= 0:
            after[n] = first[lane[option]]
            first[lane[option]] = n
        if needs.end[now] or needs.end[option]:
            p.claimed[needs.partner[now]] -= 1
            p.claimed[needs.partner[option]] += 1
            p.tally[BOUND] += int(needs.end[option] > 0) - int(needs.end[now] > 0)


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
    m, o, mark, queue, first, after = (
        p.menu, p.menu.options, p.trial.mark, p.trial.queue, p.arrivals.first, p.arrivals.next
    )  # fmt: skip
    found = done = 0
    for i in range(changes):
        found = _push(mark, queue, o.unit[p.trial.options[i]], found)
        for option in (p.trial.options[i], p.trial.before[i]):
            if o.code[option] >= LANDS:
                found = _push_all(mark, queue, first[o.lane[option]], after, found)
                if m.needs.partner[option]:
                    found = _push_needy(p, m.needs.partner[option], found)
            elif o.helps[option] >= 0:
                found = _push(mark, queue, o.helps[option] // m.aims, found)
    while done < found:
        n = queue[done]
        place = m.units.at[n]
        done += 1
        if first[place] and m.own[place] == n:
            found = _push_all(mark, queue, first[place], after, found)
        if p.tally[BOUND]:
            found = _push_needy(p, n, found)
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


def _push_needy(p: Plan, needed: int, found: int) -> int:
    """List the units that need this one as a partner or a carrier."""
    needs = p.menu.needs
    for n in range(1, p.tally[UNITS] + 1):
        option = p.chosen[n]
        if needs.partner[option] == needed:
            found = _push(p.trial.mark, p.trial.queue, n, found)
        elif not needs.partner[option]:
            for i in range(needs.begin[option], needs.end[option]):
                if p.menu.options.unit[needs.listed[i]] == needed:
                    found = _push(p.trial.mark, p.trial.queue, n, found)
    return found


# -- what comes of it ------------------------------------------------------------------------------------------------


def _expects(p: Plan, n: int) -> float:
    """Return the value that a unit may expect of the plan as it is."""
    m, o, option = p.menu, p.menu.options, p.chosen[n]
    value, otherwise = o.value[option], o.otherwise[option]
    if o.code[option] >= LANDS:
        likely = comes(p, n)
        return float(likely * value + (1 - likely) * p.stays[n] * otherwise)
    if o.code[option] == WORKS:
        calm = p.look.calm[m.units.at[n]]
        value = calm * value + (1 - calm) * otherwise
    help = p.helped[n * m.aims]
    kept = _keeping(p, n, 1 + help) if help else p.stays[n]
    return float(kept * value)


def comes(p: Plan, n: int) -> float:
    """Return the probability that a move succeeds, with all moves that it waits for; a ring of moves all succeed."""
    m, o, needs, chosen, helped = p.menu, p.menu.options, p.menu.needs, p.chosen, p.helped
    code, into, bound, after, entering = o.code, o.into, p.arrivals.first, p.arrivals.next, p.odds.entering
    first, now, sailing, likely = n, n, 0, 1.0
    while True:
        option = chosen[now]
        to = into[option]
        if after[bound[to]]:  # others are bound for it, too
            return 0.0
        strength = 1 + helped[o.aim[option]]
        odds = entering[to * p.odds.most + strength]
        likely *= odds if odds else _entering(p, to, strength)
        if code[option] == LANDS:
            likely *= p.stays[now]  # who is beaten puts nobody ashore
        partner, sails = needs.partner[option], False
        if partner:
            word = o.word[chosen[partner]]
            if p.claimed[partner] > 1 or not _holds(needs.listed, needs.begin[option], needs.end[option], word):
                return 0.0
            if m.units.aboard[now] and code[chosen[partner]] >= LANDS:
                sailing = partner
        elif needs.end[option]:
            sails = True
            for i in range(needs.begin[option], needs.end[option]):
                fleet = o.unit[needs.listed[i]]
                if code[chosen[fleet]] != CONVOYS or o.helps[chosen[fleet]] != o.aim[option]:
                    return 0.0
                likely *= p.stays[fleet]
        standing = m.own[to]
        if standing and standing != first:
            other = chosen[standing]
            if code[other] != GOES:
                return 0.0
            if into[other] == m.units.at[now] and not (sails or (needs.end[other] and not needs.partner[other])):
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


def _entering(p: Plan, place: int, strength: int) -> float:
    """Return the probability that a move into a province with this strength succeeds."""
    entering, at = p.odds.entering, place * p.odds.most + strength
    if not entering[at]:
        entering[at] = enters(p.look, place, strength)
    return float(entering[at])


def _keeping(p: Plan, n: int, strength: int) -> float:
    """Return the probability that a unit with this strength is not dislodged."""
    keeping, at = p.odds.keeping, n * p.odds.most + strength
    if not keeping[at]:
        keeping[at] = keeps(p.look, p.menu.units.at[n], strength)
    return float(keeping[at])
