"""The options of a power's units in a movement, in batches, and the best ones.

The aim of support for a unit is its number times `aims`, plus one more than its destination if it moves; the last of
its aims is for a unit that takes no support.
"""

from __future__ import annotations

from gamesmaster.batches.chance import shuffle
from gamesmaster.batches.heuristic.lore import HELPS, SORTS, Desk, first_of
from gamesmaster.batches.heuristic.own import (
    NOT_ORDERED,
    afloat,
    break_up,
    give,
    list_company,
    list_own_sort,
    list_works,
    takes_along,
)
from gamesmaster.batches.heuristic.survey import add, go, location, plan_of, stay, worth_at
from gamesmaster.batches.orders import across, crosses, may_carry, may_help
from gamesmaster.batches.state import UNASKED, VIA
from gamesmaster.batches.tables import steps_of
from gamesmaster.engine.heuristic.menu import (
    CONVOYS,
    GOES,
    NEEDS,
    OPTIONS,
    STAYS,
    SUPPORTS,
    UNITS,
    find_chain,
    link_backers,
    pick_moves,
)
from gamesmaster.engine.heuristic.plan import MOST_ROUNDS, Plan, add_ways, begin, better_all, tidy
from gamesmaster.judge.columns import NO_MOVES, NO_STEPS, NO_SUPPORTS, RIDES
from gamesmaster.judge.engine.kernel import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.judge.engine.machine import held


def settle(d: Desk, power: int, seed: int, number: int, draw: int) -> None:
    """Give the units of a power the best orders that can be found, beginning with holding.

    What everybody sees alike must have been surveyed, places valued, and others' moves be expected.
    """
    p = held(plan_of(d, held(d.mind.plan.menu), power))
    list_all(d, p)
    begin(p)
    units, turns = p.tally[UNITS], d.mind.turns
    for _ in range(MOST_ROUNDS):
        draw = shuffle(turns, units, seed, number, draw)
        if better_all(p, turns[:units]):
            break
    tidy(p)
    write(d, p)


def list_all(d: Desk, p: Plan) -> None:
    """List all that the units of a plan could do, and how they could do it together."""
    m, stances = p.menu, d.game.stance
    for n in range(1, p.tally[UNITS] + 1):
        r = d.mind.mine[n]
        here = worth_at(d, afloat(d, stances[r]) if takes_along(d, r) else stances[r])
        m.hold[n] = add(d, p, n, STAYS, m.at[n], 0.0 if d.game.aboard[r] else here, 0, -1)
    for n in range(1, p.tally[UNITS] + 1):
        _list_sorts(d, p, n)
    link_backers(m, p.tally[OPTIONS])
    fleets = _list_fleets(d, p)
    for n in range(1, p.tally[UNITS] + 1):
        _list_ways(d, p, n, fleets)


def _may_step(d: Desk, r: int) -> bool:
    """Return whether a unit may be ordered to another place."""
    return not d.game.aboard[r] and not d.game.barred[r] & (NO_MOVES | NO_STEPS)


def _list_sorts(d: Desk, p: Plan, n: int) -> None:
    """Add what a unit could do by itself but to hold, sort by sort."""
    r, sorts = d.mind.mine[n], d.mind.sorts
    for sort in range(SORTS):
        sorts[first_of(n, sort)] = p.tally[OPTIONS]
        if sort == HELPS and not (d.game.aboard[r] or d.game.barred[r] & NO_SUPPORTS):
            _list_supports(d, p, n)
        if sort == RIDES and _may_step(d, r):
            row = steps_of(d.t, d.game.owner[r], d.game.stance[r])
            for i in range(d.t.reach_at[row], d.t.reach_at[row + 1]):
                go(d, p, n, d.t.reach[i])
        if sort != HELPS:
            list_own_sort(d, p, n, sort)
        sorts[first_of(n, sort) + 1] = p.tally[OPTIONS]


def _list_fleets(d: Desk, p: Plan) -> int:
    """List the waters in which a power's own fleets could carry armies of others; how many there are."""
    fleets = 0
    d.mind.ferry[:] = 0
    for n in range(1, p.tally[UNITS] + 1):
        if d.t.carries[d.game.stance[d.mind.mine[n]]]:
            d.mind.ferry[p.menu.at[n]] = n
    for place in range(len(d.t.port)):
        if d.mind.ferry[place]:
            d.mind.fleets[fleets] = place
            fleets += 1
    return fleets


def _list_ways(d: Desk, p: Plan, n: int, fleets: int) -> None:
    """List what a unit is tried with: to hold, help, and build, its best moves, and its voyages."""
    m, tried, sorts, r = p.menu, d.mind.tried, d.mind.sorts, d.mind.mine[n]
    tried[0], ways = m.hold[n], 1
    for option in range(sorts[first_of(n, HELPS)], sorts[first_of(n, HELPS) + 1]):
        tried[ways] = option
        ways += 1
    ways = list_works(d, p, n, ways)
    ways = _list_best(d, p, n, ways)
    stance = d.game.stance[r]
    if _may_step(d, r) and fleets and d.t.army[stance] and d.t.port[d.t.place[stance]]:
        ways = _list_voyages(d, p, n, fleets, ways)
    add_ways(p, n, tried[:ways])


def _list_supports(d: Desk, p: Plan, n: int) -> None:
    """Add the supports of a unit for its own side's; of several with the same aim the last is given."""
    t, s, owners, m, r = d.t, d.s, d.game.owner, p.menu, d.mind.mine[n]
    steps = steps_of(t, owners[r], d.game.stance[r])
    for i in range(t.helps.shape[1]):
        place = t.helps[steps, i]
        for k in range(s.helped[place]):
            other, to = s.help_row[place, k], s.help_to[place, k]
            if owners[other] == owners[r] and may_help(t, d.game, s, r, place, other, to):
                helps = d.mind.nth[other] * m.aims + (1 + location(d, to) if to >= 0 else 0)
                paired = t.cargo[t.sort[d.game.stance[other]]] >= 0 or d.game.aboard[other]
                option = _known(d, p, n, helps) if paired else -1
                option = stay(d, p, n, SUPPORTS, helps) if option < 0 else option
                if option >= 0:
                    d.mind.to[option], d.mind.about[option] = to, other


def _known(d: Desk, p: Plan, n: int, helps: int) -> int:
    """Return the support of a unit with this aim among those listed so far, -1 if it is missing."""
    found = -1
    for option in range(d.mind.sorts[first_of(n, HELPS)], p.tally[OPTIONS]):
        found = option if p.menu.helps[option] == helps else found
    return found


# -- moves -----------------------------------------------------------------------------------------------------------


def _list_best(d: Desk, p: Plan, n: int, ways: int) -> int:
    """Add the best moves of each sort to what is tried, those of the best sort first; the end."""
    m, sorts, picked, done = p.menu, d.mind.sorts, d.mind.picked, 0
    while True:
        best, sort = -1, 0
        for k in range(RIDES, SORTS):
            for option in range(sorts[first_of(n, k)], sorts[first_of(n, k) + 1] if not done >> k & 1 else 0):
                if best < 0 or m.value[option] > m.value[best]:
                    best, sort = option, k
        if best < 0:
            return ways
        done |= 1 << sort
        first = first_of(n, sort)
        for i in range(pick_moves(range(sorts[first], sorts[first + 1]), m.value, picked, 0)):
            ways = list_company(d, p, n, picked[i], ways)


def _list_voyages(d: Desk, p: Plan, n: int, fleets: int, ways: int) -> int:
    """Add a unit's voyages, by fleets of its own side to places beyond its steps, to the options to try.

    Its side has `fleets` fleets. Return the end of the list.
    """
    s, m, waters, r = d.s, d.mind, d.mind.waters, d.mind.mine[n]
    stance = d.game.stance[r]
    here, steps = d.t.place[stance], steps_of(d.t, d.game.owner[r], stance)
    for nth in range(s.coasts[here]):
        g = s.coast[here, nth]
        for i in range(s.shores[g]):
            shore, count = s.shore[g, i], 0
            if not d.t.near[steps, shore] and crosses(s, here, nth, shore):
                for k in range(fleets):
                    if may_carry(d.t, s, m.fleets[k], here, shore):
                        waters[count] = m.fleets[k]
                        count += 1
                length = find_chain(waters[:count], d.t.link, len(d.t.port), here, shore, m.came, m.chain)
                if length and _sail(d, p, n, across(d.t, stance, shore), length):
                    m.tried[ways] = p.tally[OPTIONS] - length - 1
                    ways += 1
    return ways


def _sail(d: Desk, p: Plan, n: int, to: int, length: int) -> bool:
    """Add a voyage along the chain found, and the convoys it needs; return False if the room is used up."""
    m, voyage, start = p.menu, p.tally[OPTIONS], p.tally[NEEDS]
    if start + length > len(m.needs) or voyage + length >= len(m.unit):
        return False
    go(d, p, n, to)
    m.need_at[voyage], m.need_end[voyage], p.tally[NEEDS] = start, start + length, start + length
    for i in range(length):
        fleet = d.mind.ferry[d.mind.waters[d.mind.chain[i]]]
        convoy = m.needs[start + i] = stay(d, p, fleet, CONVOYS, m.aim[voyage])
        d.mind.to[convoy], d.mind.about[convoy] = to, d.mind.mine[n]
    return True


# -- orders ----------------------------------------------------------------------------------------------------------


def write(d: Desk, p: Plan) -> None:
    """Write the orders of a plan into the game's columns."""
    m, game, mine = p.menu, d.game, d.mind.mine
    for n in range(1, p.tally[UNITS] + 1):
        option, r = p.chosen[n], mine[n]
        code = m.code[option]
        game.verb[r], game.to[r], game.about[r] = HOLD, d.mind.to[option], d.mind.about[option]
        if d.mind.order[option]:
            give(d, r, d.mind.order[option] - 1)
        elif code == GOES:
            game.verb[r] = VIA if m.need_end[option] else MOVE
        elif code in (SUPPORTS, CONVOYS):
            game.verb[r] = SUPPORT if code == SUPPORTS else CONVOY
        elif m.word[option] == NOT_ORDERED:
            game.load[r] = UNASKED
        break_up(d, r)
    for n in range(1, p.tally[UNITS] + 1):
        if game.load[mine[n]] == UNASKED and game.verb[mine[n]] == HOLD:
            _move_up(d, p, n)


def _move_up(d: Desk, p: Plan, n: int) -> None:
    """Give a unit without an order that of the next equal unit in its place that has one."""
    game, r = d.game, d.mind.mine[n]
    for later in range(n + 1, p.tally[UNITS] + 1):
        other = d.mind.mine[later]
        ordered = game.verb[other] != HOLD or game.load[other] != UNASKED
        if game.stance[other] == game.stance[r] and ordered and game.load[r] == UNASKED:
            game.verb[r], game.to[r], game.about[r] = game.verb[other], game.to[other], game.about[other]
            game.load[r], game.rider[r] = game.load[other], game.rider[other]
            game.verb[other], game.to[other], game.about[other] = HOLD, -1, 0
            game.load[other], game.rider[other] = UNASKED, 0
