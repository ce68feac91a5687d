"""What a power's units may do in a movement, in batches: the columns of a `players.menu.Menu`.

What help for a unit aims at is its number times `aims`, and one more than the stance that it goes to, if it goes; the
last of its aims is of who takes none.
"""

from __future__ import annotations

from gamesmaster.judge.columns import NO_MOVES, NO_STEPS, NO_SUPPORTS
from gamesmaster.judge.engine.kernel import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.lab.batches.heuristic.lore import Desk
from gamesmaster.lab.batches.heuristic.own import afloat, break_up, give_own, takes_boats, works
from gamesmaster.lab.batches.heuristic.survey import outlook_of, worth_at
from gamesmaster.lab.batches.orders import across, crosses, may_carry, may_help, touches
from gamesmaster.lab.batches.state import COUNT, VIA
from gamesmaster.lab.batches.tables import steps_of
from gamesmaster.mechanics.boats.columns import GO
from gamesmaster.players.menu import (
    CONVOYS,
    GOES,
    LANDS,
    NEEDS,
    OPTIONS,
    STAYS,
    SUPPORTS,
    UNITS,
    WORKS,
    find_chain,
    link_backers,
    pick_moves,
)
from gamesmaster.players.plan import Plan, add_ways


def plan_of(d: Desk, power: int) -> Plan:
    """A plan for a power's units, with nothing listed yet."""
    p, game, place = d.mind.plan, d.game, d.t.place
    p.menu.own[:] = 0
    p.first[:] = 0
    p.claimed[:] = 0
    p.content[:] = 0
    p.keeping[:] = 0.0
    p.entering[:] = 0.0
    n = 0
    for r in range(1, game.tally[COUNT] + 1):
        if game.owner[r] == power and not game.aboard[r]:
            n += 1
            d.mind.mine[n], d.mind.nth[r], d.mind.turns[n - 1] = r, n, n
            p.menu.at[n] = place[game.stance[r]]
            if not d.lore.box[p.menu.at[n]]:
                p.menu.own[p.menu.at[n]] = n
    aims = p.menu.aims * (n + 1)
    p.helped[:aims] = 0
    p.menu.first_backer[:aims] = 0
    p.tally[:] = 0
    p.tally[UNITS] = n
    return Plan(
        p.menu, outlook_of(d, power), p.most, p.tally, p.chosen, p.expected, p.stays, p.claimed, p.first, p.after,
        p.content, p.helped, p.entering, p.keeping, p.trial, p.was, p.mark, p.queue,
    )  # fmt: skip


def list_all(d: Desk, p: Plan) -> None:
    """List all that the units of a plan could do, and how they could do it together."""
    stances, m, tried, fleets = d.game.stance, p.menu, d.mind.tried, 0
    for n in range(1, p.tally[UNITS] + 1):
        r = d.mind.mine[n]
        here = worth_at(d, afloat(d, stances[r]) if takes_boats(d, r) else stances[r])
        m.hold[n] = _add(d, p, n, STAYS, m.at[n], here, here, 0, -1)
    for n in range(1, p.tally[UNITS] + 1):
        m.way_at[n] = p.tally[OPTIONS]
        if not d.game.barred[d.mind.mine[n]] & NO_SUPPORTS:
            _list_supports(d, p, n)
        m.way_end[n] = p.tally[OPTIONS]
    link_backers(m, p.tally[OPTIONS])
    for place in range(len(d.t.port)):
        if m.own[place] and d.t.carries[stances[d.mind.mine[m.own[place]]]]:
            d.mind.fleets[fleets] = place
            fleets += 1
    for n in range(1, p.tally[UNITS] + 1):
        tried[0], ways = m.hold[n], 1
        for option in range(m.way_at[n], m.way_end[n]):
            tried[ways] = option
            ways += 1
        stance, steps = stances[d.mind.mine[n]], not d.game.barred[d.mind.mine[n]] & (NO_MOVES | NO_STEPS)
        ways = _list_works(d, p, n, ways)
        moves = p.tally[OPTIONS]
        if steps:
            _list_moves(d, p, n)
        _list_boats(d, p, n)
        ways = pick_moves(range(moves, p.tally[OPTIONS]), m.value, tried, ways)
        if steps and fleets and d.t.army[stance] and d.t.port[d.t.place[stance]]:
            ways = _list_voyages(d, p, n, fleets, ways)
        add_ways(p, n, tried[:ways])


def _add(
    d: Desk, p: Plan, n: int, code: int, into: int, value: float, otherwise: float, goal: int, helps: int
) -> int:  # fmt: skip
    """Add an option: its number, -1 if there is no room; `goal` is one more than the stance that it goes to."""
    m, option = p.menu, p.tally[OPTIONS]
    if option >= len(m.unit):
        return -1
    m.unit[option], m.code[option], m.into[option] = n, code, into
    m.value[option], m.otherwise[option] = value, otherwise
    m.aim[option], m.helps[option] = n * m.aims + goal, helps
    m.lane[option] = into if code >= LANDS and into >= 0 and not d.lore.box[into] else -1
    m.need_at[option] = m.need_end[option] = m.partner[option] = d.mind.order[option] = 0
    m.word[option] = option
    p.tally[OPTIONS] += 1
    return int(option)


def _list_supports(d: Desk, p: Plan, n: int) -> None:
    t, s, owners, m, r = d.t, d.s, d.game.owner, p.menu, d.mind.mine[n]
    here, steps = m.value[m.hold[n]], steps_of(t, owners[r], d.game.stance[r])
    for i in range(t.helps_at[steps], t.helps_at[steps + 1]):
        place = t.helps[i]
        for k in range(s.helped[place]):
            other, to = s.help_row[place, k], s.help_to[place, k]
            if owners[other] == owners[r] and may_help(t, d.game, s, r, place, other, to):
                _add(d, p, n, SUPPORTS, m.at[n], here, here, 0, d.mind.nth[other] * m.aims + to + 1)


def _list_moves(d: Desk, p: Plan, n: int) -> None:
    r = d.mind.mine[n]
    steps = steps_of(d.t, d.game.owner[r], d.game.stance[r])
    for i in range(d.t.reach_at[steps], d.t.reach_at[steps + 1]):
        _go(d, p, n, d.t.reach[i])


def _go(d: Desk, p: Plan, n: int, to: int) -> int:
    """Add a move: its number, -1 if there is no room."""
    return _add(d, p, n, GOES, d.t.place[to], worth_at(d, to), p.menu.value[p.menu.hold[n]], to + 1, -1)


def _list_works(d: Desk, p: Plan, n: int, ways: int) -> int:
    """Add what a unit could build to what is tried; the end."""
    m, r = p.menu, d.mind.mine[n]
    for k in range(d.own.count[r]):
        if works(d, r, k):
            made, here = worth_at(d, afloat(d, d.game.stance[r])), m.value[m.hold[n]]
            d.mind.tried[ways] = _add(d, p, n, WORKS, m.at[n], made, here, 0, -1)
            d.mind.order[d.mind.tried[ways]] = k + 1
            ways += 1
    return ways


def _list_boats(d: Desk, p: Plan, n: int) -> None:
    """Add where a unit could go with boats, alone."""
    m, r = p.menu, d.mind.mine[n]
    for k in range(d.own.count[r]):
        if d.own.verb[r, k] == GO:
            to, here = d.own.to[r, k], m.value[m.hold[n]]
            option = _add(d, p, n, GOES, d.t.place[to], worth_at(d, afloat(d, to)), here, m.aims - 1, -1)
            d.mind.order[option] = k + 1


def _list_voyages(d: Desk, p: Plan, n: int, fleets: int, ways: int) -> int:
    """Add a unit's voyages to where no step leads and its own side's fleets could carry it to what is tried; the end.

    Its side has so many `fleets`.
    """
    s, m, waters, r = d.s, d.mind, d.mind.waters, d.mind.mine[n]
    stance = d.game.stance[r]
    here, steps = d.t.place[stance], steps_of(d.t, d.game.owner[r], stance)
    for g in range(1, s.groups[0] + 1):
        if touches(s, g, here):
            for i in range(s.shores[g]):
                shore, count = s.shore[g, i], 0
                if not d.t.near[steps, shore] and crosses(s, g, here, shore):
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
    """Add a voyage along the chain found, and the convoys it needs; is there room?"""
    m, voyage, start = p.menu, p.tally[OPTIONS], p.tally[NEEDS]
    if start + length > len(m.needs) or voyage + length >= len(m.unit):
        return False
    _go(d, p, n, to)
    m.need_at[voyage], m.need_end[voyage], p.tally[NEEDS] = start, start + length, start + length
    for i in range(length):
        water = d.mind.waters[d.mind.chain[i]]
        fleet = m.own[water]
        stays = m.value[m.hold[fleet]]
        m.needs[start + i] = _add(d, p, fleet, CONVOYS, water, stays, stays, 0, m.aim[voyage])
    return True


def write(d: Desk, p: Plan) -> None:
    """Write the orders of a plan into the game's columns."""
    m, game, mine = p.menu, d.game, d.mind.mine
    for n in range(1, p.tally[UNITS] + 1):
        option, r = p.chosen[n], mine[n]
        code, helps = m.code[option], m.helps[option]
        if d.mind.order[option]:
            give_own(d, r, d.mind.order[option] - 1)
        elif code == GOES:
            game.verb[r] = VIA if m.need_end[option] else MOVE
            game.to[r], game.about[r] = m.aim[option] - n * m.aims - 1, 0
        elif code == STAYS:
            game.verb[r], game.to[r], game.about[r] = HOLD, -1, 0
        else:
            game.verb[r] = SUPPORT if code == SUPPORTS else CONVOY
            game.to[r], game.about[r] = helps % m.aims - 1, mine[helps // m.aims]
        break_up(d, r)
