"""What a power's units may do in a movement, in batches: columns of `players.plan`, as `players.options` has them.

What help for a unit aims at is its number times `aims`, and one more than the stance that it goes to, if it goes.
"""

from __future__ import annotations

from gamesmaster.judge.engine.kernel import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.lab.batches.heuristic.lore import Desk
from gamesmaster.lab.batches.heuristic.survey import outlook_of
from gamesmaster.lab.batches.orders import across, crosses, may_carry, may_help, touches
from gamesmaster.lab.batches.state import COUNT, VIA
from gamesmaster.players.options import MOST_MOVES
from gamesmaster.players.plan import (
    CONVOYS,
    GOES,
    NEEDS,
    OPTIONS,
    STAYS,
    SUPPORTS,
    UNITS,
    Plan,
    add_ways,
    link_backers,
)


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
        if game.owner[r] == power:
            n += 1
            d.mind.mine[n], d.mind.nth[r], d.mind.turns[n - 1] = r, n, n
            p.menu.at[n] = place[game.stance[r]]
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
    value, stances = d.mind.value, d.game.stance
    for n in range(1, p.tally[UNITS] + 1):
        here = value[stances[d.mind.mine[n]]]
        p.menu.hold[n] = _add(p, n, STAYS, p.menu.at[n], here, here, 0, -1)
    for n in range(1, p.tally[UNITS] + 1):
        p.menu.way_at[n] = p.tally[OPTIONS]
        _list_supports(d, p, n)
        p.menu.way_end[n] = p.tally[OPTIONS]
    link_backers(p)
    for n in range(1, p.tally[UNITS] + 1):
        d.mind.tried[0], tried = p.menu.hold[n], 1
        for option in range(p.menu.way_at[n], p.menu.way_end[n]):
            d.mind.tried[tried] = option
            tried += 1
        tried = _list_moves(d, p, n, tried)
        stance = stances[d.mind.mine[n]]
        if d.t.army[stance] and d.t.port[d.t.place[stance]] and d.s.groups[0]:
            tried = _list_voyages(d, p, n, tried)
        add_ways(p, n, d.mind.tried[:tried])


def _add(p: Plan, n: int, code: int, into: int, value: float, otherwise: float, goal: int, helps: int) -> int:
    """Add an option: its number, -1 if there is no room; `goal` is one more than the stance that it goes to."""
    m, option = p.menu, p.tally[OPTIONS]
    if option >= len(m.unit):
        return -1
    m.unit[option], m.code[option], m.into[option] = n, code, into
    m.value[option], m.otherwise[option] = value, otherwise
    m.aim[option], m.helps[option], m.lane[option] = n * m.aims + goal, helps, into if code == GOES else -1
    m.need_at[option] = m.need_end[option] = 0
    p.tally[OPTIONS] += 1
    return int(option)


def _list_supports(d: Desk, p: Plan, n: int) -> None:
    t, s, stances, owners, near, m = d.t, d.s, d.game.stance, d.game.owner, d.t.near, p.menu
    r = d.mind.mine[n]
    here = m.value[m.hold[n]]
    for i in range(t.helps_at[stances[r]], t.helps_at[stances[r] + 1]):
        place = t.helps[i]
        for k in range(s.helped[place]):
            other, to = s.help_row[place, k], s.help_to[place, k]
            if (
                other != r
                and owners[other] == owners[r]
                and (to < 0 or near[stances[other], place] or may_help(t, d.game, s, r, place, other, to))
            ):
                _add(p, n, SUPPORTS, m.at[n], here, here, 0, d.mind.nth[other] * m.aims + to + 1)


def _list_moves(d: Desk, p: Plan, n: int, tried: int) -> int:
    """The moves of a unit to the places that are worth most to it, the best first; how many options there are now."""
    value, seen, stance = d.mind.value, d.mind.seen, d.game.stance[d.mind.mine[n]]
    reach = d.t.reach[d.t.reach_at[stance] : d.t.reach_at[stance + 1]]
    for i in range(len(reach)):
        seen[i] = 0
    for _ in range(min(MOST_MOVES, len(reach))):
        best = -1
        for i in range(len(reach)):
            if not seen[i] and (best < 0 or value[reach[i]] > value[reach[best]]):
                best = i
        seen[best] = 1
        tried = _go(d, p, n, reach[best], tried)
    return tried


def _go(d: Desk, p: Plan, n: int, to: int, tried: int) -> int:
    """Add a move to those that are tried; how many there are now."""
    option = _add(p, n, GOES, d.t.place[to], d.mind.value[to], p.menu.value[p.menu.hold[n]], to + 1, -1)
    if option >= 0:
        d.mind.tried[tried] = option
        tried += 1
    return tried


def _list_voyages(d: Desk, p: Plan, n: int, tried: int) -> int:
    """The moves of a unit to where no step leads and its own side's fleets could carry it; how many are tried now."""
    s, stance = d.s, d.game.stance[d.mind.mine[n]]
    here = d.t.place[stance]
    for g in range(1, s.groups[0] + 1):
        if touches(s, g, here):
            for i in range(s.shores[g]):
                shore = s.shore[g, i]
                if not d.t.near[stance, shore] and crosses(s, g, here, shore):
                    last = _last_water(d, p, here, shore)
                    if last >= 0:
                        tried = _sail(d, p, n, across(d.t, stance, shore), last, tried)
    return tried


def _last_water(d: Desk, p: Plan, a: int, b: int) -> int:
    """The last water of the shortest chain of the power's fleets that may carry a voyage; -1 if there is none.

    The chain is `came`: by water, one more than the water whence it was reached.
    """
    came, own, queue, link, size = d.mind.came, p.menu.own, d.mind.queue, d.t.link, len(d.mind.came)
    found = done = 0
    came[:] = 0  # -1 where it could be reached
    for water in range(size):
        r = d.mind.mine[own[water]]
        if own[water] and d.t.carries[d.game.stance[r]] and may_carry(d.t, d.s, water, a, b):
            came[water] = -1
            if link[a * size + water]:
                came[water] = water + 1
                queue[found] = water
                found += 1
    while done < found:
        here = queue[done]
        done += 1
        if link[b * size + here]:
            return int(here)
        for water in range(size):
            if came[water] < 0 and link[water * size + here]:
                came[water] = here + 1
                queue[found] = water
                found += 1
    return -1


def _sail(d: Desk, p: Plan, n: int, to: int, last: int, tried: int) -> int:
    """Add a voyage whose last water this is, and the convoys it needs; how many options are tried now."""
    m, came, here, length = p.menu, d.mind.came, last, 1
    while came[here] != here + 1:
        here = came[here] - 1
        length += 1
    start, end = p.tally[NEEDS], p.tally[NEEDS] + length
    if end > len(m.needs) or p.tally[OPTIONS] + length >= len(m.unit):
        return tried
    voyage = p.tally[OPTIONS]
    tried = _go(d, p, n, to, tried)
    m.need_at[voyage], m.need_end[voyage], p.tally[NEEDS] = start, end, end
    here = last
    for i in range(end - 1, start - 1, -1):
        fleet = m.own[here]
        stays = m.value[m.hold[fleet]]
        m.needs[i] = _add(p, fleet, CONVOYS, here, stays, stays, 0, m.aim[voyage])
        here = came[here] - 1
    return tried


def write(d: Desk, p: Plan) -> None:
    """Write the orders of a plan into the game's columns."""
    m, game, mine = p.menu, d.game, d.mind.mine
    for n in range(1, p.tally[UNITS] + 1):
        option, r = p.chosen[n], mine[n]
        code, helps = m.code[option], m.helps[option]
        if code == GOES:
            game.verb[r] = VIA if m.need_end[option] else MOVE
            game.to[r], game.about[r] = m.aim[option] - n * m.aims - 1, 0
        elif code == STAYS:
            game.verb[r], game.to[r], game.about[r] = HOLD, -1, 0
        else:
            game.verb[r] = SUPPORT if code == SUPPORTS else CONVOY
            game.to[r], game.about[r] = helps % m.aims - 1, mine[helps // m.aims]
