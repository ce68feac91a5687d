"""The plan and the menu of one power in batches, which others list in: what is in them at first, and one option."""

from __future__ import annotations

from gamesmaster.batches.heuristic.lore import Desk
from gamesmaster.batches.heuristic.survey import location, outlook_of, worth_at
from gamesmaster.batches.state import COUNT
from gamesmaster.judge.engine.company import row_of
from gamesmaster.players.menu import GOES, LANDS, OPTIONS, STAYS, UNITS
from gamesmaster.players.plan import Plan


def plan_of(d: Desk, power: int) -> Plan:
    """A plan for a power's units, with nothing listed yet; those aboard do what their carriers do."""
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
            for before in range(1, n):
                if d.lore.box[place[game.stance[r]]] and game.stance[d.mind.mine[before]] == game.stance[r]:
                    d.mind.nth[r] = d.mind.nth[d.mind.mine[before]]
            p.menu.at[n] = place[game.stance[r]]
            if not d.lore.box[p.menu.at[n]]:
                p.menu.own[p.menu.at[n]] = n
    for r in range(1, game.tally[COUNT] + 1):
        if game.owner[r] == power and game.aboard[r]:
            d.mind.nth[r] = d.mind.nth[row_of(game.tally[COUNT], game.number, game.aboard[r])]
    aims = p.menu.aims * (n + 1)
    p.helped[:aims] = 0
    p.menu.first_backer[:aims] = 0
    p.tally[:] = 0
    p.tally[UNITS] = n
    return Plan(
        p.menu, outlook_of(d, power), p.most, p.tally, p.chosen, p.expected, p.stays, p.claimed, p.first, p.after,
        p.content, p.helped, p.entering, p.keeping, p.trial, p.was, p.mark, p.queue,
    )  # fmt: skip


def add(d: Desk, p: Plan, n: int, code: int, into: int, value: float, goal: int, helps: int) -> int:
    """Add an option: its number, -1 if there is no room.

    `goal` says what help for it aims at (`options`).  If it fails the unit may expect what it does if it holds.
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
    """Add a move to a stance: its number, -1 if there is no room."""
    option = add(d, p, n, GOES, d.t.place[to], worth_at(d, to), 1 + location(d, to), -1)
    if option >= 0:
        d.mind.to[option] = to
    return option


def stay(d: Desk, p: Plan, n: int, code: int, helps: int) -> int:
    """Add something to do in place, at the worth of holding: its number, -1 if there is no room."""
    return add(d, p, n, code, p.menu.at[n], p.menu.value[p.menu.hold[n]], 0, helps)
