"""A game's columns as `engine.heuristic` takes them.

What places are worth to a power, what it expects of others, and the plan and the menu that its options are listed in.
"""

from __future__ import annotations

from gamesmaster.batches.chance import part
from gamesmaster.batches.heuristic.lore import KEEPING, LEADER, TAKING, WHIM, Desk
from gamesmaster.batches.state import COUNT
from gamesmaster.engine.heuristic.menu import GOES, LANDS, OPTIONS, STAYS, UNITS, Menu
from gamesmaster.engine.heuristic.outlook import (
    Outlook,
    Rings,
    bend,
    doubt,
    expect,
    look_as,
    rank,
    sum_rings,
    weigh_centres,
    worth_laden,
)
from gamesmaster.engine.heuristic.plan import Plan
from gamesmaster.judge.engine.company import row_of


def look_around(d: Desk) -> None:
    """Work out what all powers see alike: who stands where, and who could attack what."""
    t, m, lore, owner, stances, powers = d.t, d.mind, d.lore, d.game.owner, d.game.stance, len(d.lore.leaves)
    m.strength[:] = 0
    m.standing[:] = 0
    for r in range(1, d.game.tally[COUNT] + 1):
        stance = stances[r]
        m.begins[r], m.ends[r], m.states[r] = lore.foe_at[stance], lore.foe_at[stance + 1], lore.state[stance]
        m.owners[r] = 0 if d.game.aboard[r] else owner[r]
        if not (d.game.aboard[r] or lore.box[t.place[stance]]):
            m.standing[t.place[stance]] = owner[r] if owner[r] else powers - 1
        if m.owners[r]:
            for i in range(lore.foes_at[stance], lore.foes_at[stance + 1]):
                m.strength[lore.foes[i] * powers + owner[r]] += 1
    rank(m.strength, powers, m.leader, m.most, m.second)


def outlook_of(d: Desk, power: int) -> Outlook:
    """Return the columns of a power's outlook."""
    m, lore = d.mind, d.lore
    powers, width = len(lore.leaves), lore.width[0]
    return Outlook(power, powers, width, lore.box, m.standing, m.strength, lore.leaves, m.strongest, m.calm, lore.fewer)


def value_places(d: Desk, power: int, last: bool, seed: int, number: int, draw: int) -> int:
    """Work out what every stance is worth to a power in this position, bent by its whims; the number of the next draw.

    `last` says that owners are counted before the next movement.
    """
    m, t, tastes, nodes = d.mind, d.t, d.lore.tastes, d.lore.charts[d.lore.chart[power]]
    value, guesses, numbers, rings, count = m.value, m.guesses, nodes.stance, nodes.rings, len(nodes.stance)
    total, ring, share = m.total[:count], m.ring[:count], m.share[:count]
    look_as(power, m.leader, m.most, m.second, m.strongest)
    for place in range(len(d.lore.box)):
        if d.lore.box[place]:
            m.strongest[place] = 0
    weigh_centres(
        m.worth, t.centre, d.game.holder, d.game.centres, m.strongest, power,
        tastes[TAKING], tastes[LEADER], tastes[KEEPING],
    )  # fmt: skip
    for n in range(count):
        place = t.place[numbers[n]]
        ring[n] = m.worth[place] * d.safe[power, place] * nodes.owns[n]
        share[n] = rings.share[n] * d.safe[power, place]
        guesses[n] = part(seed, number, draw + int(numbers[n]))
    weights = d.lore.weights[1 if last else 0]
    sum_rings(total, ring, m.numbers, weights, Rings(share, rings.ways, rings.faint, rings.split_at, rings.split))
    bend(total, total, guesses, tastes[WHIM])
    value[:] = 0.0
    for n in range(count):
        value[numbers[n]] = total[n]
    return draw + len(value)


def look_ahead(d: Desk, power: int, seed: int, number: int, draw: int) -> int:
    """Work out how likely nobody comes to each province (`calm`), not quite surely; the number of the next draw."""
    m, last = d.mind, d.game.tally[COUNT] + 1
    m.calm[:] = 1.0
    m.came[:] = 0
    found = expect(
        power, m.value, d.t.place, m.owners[:last], m.states, m.begins, m.ends, d.lore.foe, m.calm, m.came, m.calm_at
    )  # fmt: skip
    whims = bool(d.lore.tastes[WHIM])  # who has none does not draw for them
    for i in range(found):
        m.guesses[i] = part(seed, number, draw + i) if whims else 0.5
    doubt(m.calm, m.calm_at, m.guesses, found)
    return draw + found if whims else draw


def worth_at(d: Desk, stance: int) -> float:
    """Return the value of a place to a unit in a stance, with its cargo there (`players.valuation.Worth.of`)."""
    t, value, sort = d.t, d.mind.value, d.t.sort[stance]
    if t.cargo[sort] < 0:
        return float(value[stance])
    return float(worth_laden(value[d.lore.state[stance]], value[stance], d.lore.lies[stance] != 0))


def as_kind(d: Desk, kind: int, stance: int) -> int:
    """Return the stance of a unit of another kind in the same place."""
    return int(stance + (kind - d.t.sort[stance]) * (len(d.t.place) // len(d.t.empty)))


def location(d: Desk, stance: int) -> int:
    """Return the location of a stance."""
    return int(stance % (len(d.t.place) // len(d.t.empty)))


def plan_of(d: Desk, m: Menu, power: int) -> Plan:
    """Return a plan for a power's units, with nothing listed yet in its menu.

    Those aboard do what their carriers do, if they have no orders of their own.
    """
    p, game, place = d.mind.plan, d.game, d.t.place
    m.own[:] = 0
    p.first[:] = 0
    p.claimed[:] = 0
    p.content[:] = 0
    p.keeping[:] = 0.0
    p.entering[:] = 0.0
    n = 0
    for r in range(1, game.tally[COUNT] + 1):
        d.mind.nth[r] = 0
        if game.owner[r] == power and (not game.aboard[r] or d.own.number[r]):
            n += 1
            d.mind.mine[n], d.mind.nth[r], d.mind.turns[n - 1] = r, n, n
            for before in range(1, n):
                if d.lore.box[place[game.stance[r]]] and game.stance[d.mind.mine[before]] == game.stance[r]:
                    d.mind.nth[r] = d.mind.nth[d.mind.mine[before]]
            m.at[n], m.aboard[n] = place[game.stance[r]], int(game.aboard[r] > 0)
            if not (d.lore.box[m.at[n]] or game.aboard[r]):
                m.own[m.at[n]] = n
    for r in range(1, game.tally[COUNT] + 1):
        if game.owner[r] == power and not d.mind.nth[r]:
            d.mind.nth[r] = d.mind.nth[row_of(game.tally[COUNT], game.number, game.aboard[r])]
    aims = m.aims * (n + 1)
    p.helped[:aims] = 0
    m.first_backer[:aims] = 0
    p.tally[:] = 0
    p.tally[UNITS] = n
    return Plan(
        m, outlook_of(d, power), p.most, p.tally, p.chosen, p.expected, p.stays, p.claimed, p.first, p.after,
        p.content, p.helped, p.entering, p.keeping, p.trial, p.was, p.mark, p.queue,
    )  # fmt: skip


def add(d: Desk, p: Plan, n: int, code: int, into: int, value: float, goal: int, helps: int) -> int:
    """Add an option and return its number, -1 if the room is used up.

    `goal` is the part of the aim that support for it needs (`options`). If it fails, the unit may expect the value of
    holding.
    """
    m, option = p.menu, p.tally[OPTIONS]
    if option >= len(m.unit):
        return -1
    m.unit[option], m.code[option], m.into[option] = n, code, into
    m.value[option] = m.otherwise[option] = value
    if code != STAYS:
        m.otherwise[option] = m.value[m.hold[n]]
    m.aim[option], m.helps[option] = n * m.aims + goal, helps
    m.lane[option] = into if code >= LANDS and into >= 0 and not d.lore.box[into] else -1
    m.need_at[option] = m.need_end[option] = m.partner[option] = 0
    m.word[option] = option
    d.mind.order[option], d.mind.to[option], d.mind.about[option] = 0, -1, 0
    p.tally[OPTIONS] += 1
    return int(option)


def go(d: Desk, p: Plan, n: int, to: int) -> int:
    """Add a move to a stance and return its number, -1 if the room is used up."""
    option = add(d, p, n, GOES, d.t.place[to], worth_at(d, to), 1 + location(d, to), -1)
    if option >= 0:
        d.mind.to[option] = to
    return option


def stay(d: Desk, p: Plan, n: int, code: int, helps: int) -> int:
    """Add an action in place, with the value of holding, and return its number, -1 if the room is used up."""
    return add(d, p, n, code, p.menu.at[n], p.menu.value[p.menu.hold[n]], 0, helps)
