"""Orders of mechanics in the menu of a movement, in batches: to ride, build, embark and land."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gamesmaster.batches.heuristic.lore import HELPS, Desk, Own, first_of
from gamesmaster.batches.heuristic.survey import add, as_kind, location, stay, worth_at
from gamesmaster.batches.state import COUNT, VIA
from gamesmaster.batches.tables import steps_of
from gamesmaster.engine.heuristic.menu import (
    GOES,
    LANDS,
    NEEDS,
    OPTIONS,
    SUPPORTS,
    UNITS,
    WAITS,
    WORKS,
    fits_boarding,
    fits_landing,
)
from gamesmaster.engine.heuristic.plan import Plan
from gamesmaster.judge.columns import (
    BREAKS_UP,
    BUILDS,
    DRAWN,
    GOES_ABOARD,
    GOES_ASHORE,
    NO_THOUGHT,
    RIDES,
    SAILS_LADEN,
    TAKES_IN,
)
from gamesmaster.judge.engine.company import row_of
from gamesmaster.judge.engine.kernel import HOLD, MOVE

if TYPE_CHECKING:
    from gamesmaster.batches.state import Game

NOT_ORDERED = -1
"""The word of an option without an order, since another unit's order speaks for both."""


def list_own(games: Game, ask: Callable[[str], None]) -> Own:
    """Return the orders of mechanics that players think about, of those that units may be given.

    How many they may be given, `games.offers` says.  Of what is ordered in the columns nothing is left.
    """
    import numpy as np

    offers, count, found = games.offers.copy(), np.zeros_like(games.offers), []
    for number in range(int(offers.max(initial=0))):
        offered = offers > number
        games.verb[:], games.to[:] = np.where(offered, DRAWN, HOLD), np.where(offered, number, -1)
        games.load[:] = games.rider[:] = 0
        ask("choose")
        ask("thinks")
        at = (offered & (games.verb != HOLD)).nonzero()
        found.append((*at, count[at], games.verb[at], games.to[at], games.load[at], games.rider[at]))
        count[at] += 1
    own = no_own(count, int(count.max(initial=0)))
    for i, r, n, *orders in found:
        for column, given in zip(own[1:], orders, strict=True):
            column[i, r, n] = given
    return own


def no_own(number: Any, most: int = 0) -> Own:
    """Return room for `most` orders of each unit; `number` is how many it has."""
    import numpy as np

    return Own(number, *(np.zeros((*number.shape, max(1, most)), np.int16) for _ in range(4)))


def thought(d: Desk, r: int, k: int) -> int:
    """Return how the order with this number among a unit's own is understood."""
    return int(d.lore.thought[d.own.verb[r, k]])


# -- what units ride in ----------------------------------------------------------------------------------------------


def takes_along(d: Desk, r: int) -> bool:
    """Return whether a unit could move in what it takes along."""
    found = False
    for k in range(d.own.number[r]):
        found = found or (thought(d, r, k) == RIDES and d.own.load[r, k] != 0)
    return found


def afloat(d: Desk, stance: int) -> int:
    """Return the same place for a unit that goes in something."""
    return as_kind(d, d.lore.afloat[d.t.sort[stance]], stance)


def list_works(d: Desk, p: Plan, n: int, ways: int) -> int:
    """Add what a unit could build to what is tried; the end."""
    r = d.mind.mine[n]
    for k in range(d.own.number[r]):
        if thought(d, r, k) == BUILDS and not d.own.load[r, k]:
            made = worth_at(d, afloat(d, d.game.stance[r]))
            d.mind.tried[ways] = _mark(d, add(d, p, n, WORKS, p.menu.at[n], made, 0, -1), k)
            ways += d.mind.tried[ways] >= 0
    return ways


def _mark(d: Desk, option: int, k: int) -> int:
    """Note of an option which of the unit's orders it is; the option."""
    if option >= 0:
        d.mind.order[option] = 1 + k
    return option


def list_own_sort(d: Desk, p: Plan, n: int, sort: int) -> None:
    """Add what a unit could be given of mechanics' orders of this sort."""
    m, own, r = p.menu, d.own, d.mind.mine[n]
    for k in range(own.number[r]):
        if thought(d, r, k) != sort:
            continue
        to = own.to[r, k]
        if sort == RIDES:  # which does not attack, and takes no support
            option = add(d, p, n, GOES, d.t.place[to], worth_at(d, afloat(d, to)), m.aims - 1, -1)
        elif sort == TAKES_IN:
            option = stay(d, p, n, WAITS, -1)
        elif sort == GOES_ABOARD:
            option = add(d, p, n, GOES, -1, d.mind.value[_laden(d, r, to)], m.aims - 1, -1)
        elif sort == GOES_ASHORE:
            option = add(d, p, n, LANDS, d.t.place[to], _worth_landed(d, r, k), 1 + location(d, to), -1)
        else:
            option = add(d, p, n, GOES, d.t.place[to], worth_at(d, to), 1 + location(d, to), -1)
        _mark(d, option, k)


def _laden(d: Desk, r: int, stance: int) -> int:
    """Return the stance of what carries an army where it is in this stance."""
    return as_kind(d, d.lore.laden[d.t.sort[d.game.stance[r]]], stance)


def _worth_landed(d: Desk, r: int, k: int) -> float:
    """Return the value of a landing: for an army aboard only its gain, the rest being counted with its fleet."""
    value, to, stance = d.mind.value, d.own.to[r, k], d.game.stance[r]
    if not d.game.aboard[r]:
        return float(value[to] + value[d.lore.state[stance]])
    there = stance - location(d, stance) + d.t.bare[d.own.load[r, k] - 1]
    return float(value[to] - value[_laden(d, r, there)])


def give(d: Desk, r: int, k: int) -> None:
    """Give a unit its order of this number among those of mechanics."""
    game, own = d.game, d.own
    game.verb[r], game.to[r], game.about[r] = own.verb[r, k], own.to[r, k], 0
    game.load[r], game.rider[r] = own.load[r, k], own.rider[r, k]


def break_up(d: Desk, r: int) -> None:
    """Let a unit that walks away break up what it leaves behind, if its power could build no more of these."""
    vain, left, own = 0, 0, d.own
    if d.game.verb[r] == MOVE or d.game.verb[r] == VIA:
        for k in range(own.number[r] - 1, -1, -1):
            left = own.rider[r, k] if thought(d, r, k) == BREAKS_UP else left
        for other in range(len(own.number) if left else 0):
            for k in range(own.number[other]):
                builds = d.game.owner[other] == d.game.owner[r] and thought(d, other, k) == BUILDS
                vain += builds and own.load[other, k] != 0
        d.game.rider[r] = left if vain else 0


# -- armies and fleets -------------------------------------------------------------------------------------------------


def list_company(d: Desk, p: Plan, n: int, option: int, ways: int) -> int:
    """Add a move to what is tried, once with each order that each partner may be given which it takes, if it does.

    The end of what is tried.
    """
    m, r, own = p.menu, d.mind.mine[n], d.own
    k, sort = d.mind.order[option] - 1, d.t.sort[d.game.stance[r]]
    does = thought(d, r, k) if k >= 0 else NO_THOUGHT
    if does == GOES_ABOARD:
        return _take_partner(d, p, option, m.own[d.t.place[own.to[r, k]]], ways)
    if does == GOES_ASHORE and d.game.aboard[r]:
        carrier = row_of(d.game.tally[COUNT], d.game.number, d.game.aboard[r])
        return _take_partner(d, p, option, d.mind.nth[carrier], ways)
    if does in (GOES_ASHORE, SAILS_LADEN) and d.t.cargo[sort] < 0:
        for other in range(1, p.tally[UNITS] + 1):
            army = d.t.sort[d.game.stance[d.mind.mine[other]]]
            laden = d.lore.laden[army]
            if m.at[other] == m.at[n] and laden != army and d.t.base[laden] == sort:
                ways = _take_silent(d, p, option, other, ways)
        return ways
    d.mind.tried[ways] = option
    return ways + 1


def _take_silent(d: Desk, p: Plan, option: int, partner: int, ways: int) -> int:
    """Add a move that speaks for a partner, too, which is given no order; the end of what is tried."""
    m, need = p.menu, p.tally[NEEDS]
    mate, both = stay(d, p, partner, WAITS, -1), m.otherwise[option] + m.value[m.hold[partner]]
    if mate < 0 or need >= len(m.needs):
        return ways
    m.value[mate] = m.otherwise[mate] = 0.0
    m.needs[need] = m.word[mate] = NOT_ORDERED
    p.tally[NEEDS] += 1
    return _take_two(d, p, option, partner, mate, both, need, ways)


def _take_partner(d: Desk, p: Plan, option: int, partner: int, ways: int) -> int:
    """Add a move with each order that its partner may be given beside it, and return the end of the options to try.

    A fleet takes an army aboard or, where it needs no order for this, does what it can do loaded: hold, move or
    support. It supports, though, for its own reasons, and not for the army's sake.
    """
    m, start, first = p.menu, p.tally[NEEDS], d.mind.sorts
    for mate in range(first[first_of(partner, TAKES_IN)], first[first_of(partner, TAKES_IN) + 1]):
        _add_need(d, p, option, mate)
    if p.tally[NEEDS] == start:
        _add_need(d, p, option, m.hold[partner])
        for sort in (RIDES, HELPS):
            for mate in range(first[first_of(partner, sort)], first[first_of(partner, sort) + 1]):
                _add_need(d, p, option, mate)
    for need in range(start, p.tally[NEEDS]):
        mate = m.needs[need]
        if m.code[mate] != SUPPORTS:
            ways = _take_two(d, p, option, partner, mate, m.otherwise[option], start, ways)
    return ways


def _add_need(d: Desk, p: Plan, option: int, mate: int) -> None:
    """Note that a move can be made beside what its partner may be given, if it can, and there is room."""
    if p.tally[NEEDS] < len(p.menu.needs) and _goes_with(d, p, option, mate):
        p.menu.needs[p.tally[NEEDS]] = mate
        p.tally[NEEDS] += 1


def _goes_with(d: Desk, p: Plan, option: int, mate: int) -> bool:
    """Return whether an army can board, or land, while its fleet has this option."""
    t, m, n, code = d.t, p.menu, p.menu.unit[option], p.menu.code[mate]
    r, fleet, to = d.mind.mine[n], d.mind.mine[m.unit[mate]], d.mind.to[mate]
    if d.game.aboard[r]:  # it lands from where its fleet stays, or from where that sails
        water = d.own.load[r, d.mind.order[option] - 1] - 1
        return fits_landing(code, t.place[to] if to >= 0 else -1, m.at[n], water)
    if code == WAITS:
        return fits_boarding(code, t.place[d.own.to[fleet, d.mind.order[mate] - 1]] == m.at[n], False, False)
    steps = steps_of(t, len(t.steps) - 1, _laden(d, r, d.game.stance[fleet]))
    place, helps = t.place[to if to >= 0 else d.game.stance[d.mind.about[mate]]], False
    for i in range(t.helps.shape[1]):
        helps = helps or t.helps[steps, i] == place
    return fits_boarding(code, False, t.near[steps, place] != 0, helps)


def _take_two(
    d: Desk, p: Plan, option: int, partner: int, mate: int, otherwise: float, start: int, ways: int
) -> int:  # fmt: skip
    """Add an option again, with what a partner is given beside it, if there is room; the end of what is tried.

    What the partner may be given are the needs from `start` on.
    """
    m, n = p.menu, p.menu.unit[option]
    if p.tally[OPTIONS] >= len(m.unit) or ways >= len(d.mind.tried):
        return ways
    both = add(d, p, n, m.code[option], m.into[option], m.value[option], m.aim[option] - n * m.aims, -1)
    m.otherwise[both], m.word[both], d.mind.order[both] = otherwise, option, d.mind.order[option]
    m.need_at[both], m.need_end[both] = start, p.tally[NEEDS]
    m.partner[both], m.mate[both], d.mind.tried[ways] = partner, mate, both
    return ways + 1
