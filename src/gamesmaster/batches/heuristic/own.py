"""Orders of mechanics in the menu of a movement, in batches: with boats, and with armies that go aboard fleets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gamesmaster.batches.heuristic.lore import Desk, Own
from gamesmaster.batches.heuristic.survey import add, as_kind, location, stay, worth_at
from gamesmaster.batches.state import VIA
from gamesmaster.judge.columns import DRAWN
from gamesmaster.judge.engine.kernel import HOLD, MOVE
from gamesmaster.mechanics.army_fleet.columns import BOARD, LAND, SAIL_AS_PAIR, TAKE
from gamesmaster.mechanics.boats.columns import DESTROY, GO, MAKE
from gamesmaster.players.menu import GOES, LANDS, NEEDS, OPTIONS, UNITS, WAITS, WORKS
from gamesmaster.players.plan import Plan

if TYPE_CHECKING:
    from gamesmaster.batches.state import Game

NOT_ORDERED = -1
"""The word of an option that is no order at all, since another unit's speaks for both."""


def list_own(games: Game, ask: Callable[[str], None]) -> Own:
    """The orders of mechanics that players think about, of those that units may be given.

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
    """Room for so many orders of each unit; `number` is how many there are."""
    import numpy as np

    return Own(number, *(np.zeros((*number.shape, max(1, most)), np.int16) for _ in range(4)))


# -- boats -----------------------------------------------------------------------------------------------------------


def takes_boats(d: Desk, r: int) -> bool:
    """Could a unit go somewhere with boats that it takes along?"""
    found = False
    for k in range(d.own.number[r]):
        found = found or (d.own.verb[r, k] == GO and d.own.load[r, k] != 0)
    return found


def afloat(d: Desk, stance: int) -> int:
    """The same place for a unit that goes in something."""
    return as_kind(d, d.lore.afloat[d.t.sort[stance]], stance)


def list_works(d: Desk, p: Plan, n: int, ways: int) -> int:
    """Add what a unit could build to what is tried; the end."""
    r = d.mind.mine[n]
    for k in range(d.own.number[r]):
        if d.own.verb[r, k] == MAKE and not d.own.load[r, k]:
            made = worth_at(d, afloat(d, d.game.stance[r]))
            d.mind.tried[ways] = _mark(d, add(d, p, n, WORKS, p.menu.at[n], made, 0, -1), k)
            ways += d.mind.tried[ways] >= 0
    return ways


def _mark(d: Desk, option: int, k: int) -> int:
    """Note of an option which of the unit's orders it is; the option."""
    if option >= 0:
        d.mind.order[option] = 1 + k
    return option


def list_moves(d: Desk, p: Plan, n: int, verb: int) -> None:
    """Add the moves of a unit that have this verb."""
    m, r = p.menu, d.mind.mine[n]
    for k in range(d.own.number[r]):
        to = d.own.to[r, k]
        if d.own.verb[r, k] == verb:
            if verb == GO:  # which is no fight, and takes no help
                option = add(d, p, n, GOES, d.t.place[to], worth_at(d, afloat(d, to)), m.aims - 1, -1)
            elif verb == BOARD:
                laden = as_kind(d, d.lore.laden[d.t.sort[d.game.stance[r]]], to)
                option = add(d, p, n, GOES, -1, d.mind.value[laden], m.aims - 1, -1)
            elif verb == LAND:
                landed = d.mind.value[to] + d.mind.value[d.lore.state[d.game.stance[r]]]
                option = add(d, p, n, LANDS, d.t.place[to], landed, 1 + location(d, to), -1)
            else:
                option = add(d, p, n, GOES, d.t.place[to], worth_at(d, to), 1 + location(d, to), -1)
            _mark(d, option, k)


def give(d: Desk, r: int, k: int) -> None:
    """Give a unit its order of this number among those of mechanics."""
    game, own = d.game, d.own
    game.verb[r], game.to[r], game.about[r] = own.verb[r, k], own.to[r, k], 0
    game.load[r], game.rider[r] = own.load[r, k], own.rider[r, k]


def break_up(d: Desk, r: int) -> None:
    """Let a unit that walks away destroy a boat that it leaves behind, if its power could build no more of them."""
    vain, boat, own = 0, 0, d.own
    if d.game.verb[r] == MOVE or d.game.verb[r] == VIA:
        for k in range(own.number[r] - 1, -1, -1):
            boat = own.rider[r, k] if own.verb[r, k] == DESTROY else boat
        for other in range(len(own.number) if boat else 0):
            for k in range(own.number[other]):
                vain += (
                    d.game.owner[other] == d.game.owner[r] and own.verb[other, k] == MAKE and own.load[other, k] != 0
                )
        d.game.rider[r] = boat if vain else 0


# -- armies and fleets -------------------------------------------------------------------------------------------------


def list_waits(d: Desk, p: Plan, n: int) -> None:
    """Add what a fleet could do for the sake of an army that goes aboard."""
    r = d.mind.mine[n]
    for k in range(d.own.number[r]):
        if d.own.verb[r, k] == TAKE:
            _mark(d, stay(d, p, n, WAITS, -1), k)


def list_company(d: Desk, p: Plan, n: int, option: int, ways: int, first: int, last: int) -> int:
    """Add a move to what is tried, once with each partner that it takes, if it takes any; the end.

    What fleets could do for armies' sake are the options `first` to `last` - 1.
    """
    m, r, sort, tried = p.menu, d.mind.mine[n], d.t.sort, d.mind.tried
    verb = d.own.verb[r, d.mind.order[option] - 1] if d.mind.order[option] else -1
    if verb == BOARD:
        fleet = m.own[d.t.place[d.own.to[r, d.mind.order[option] - 1]]]
        for mate in range(first, last):
            taken = d.own.to[d.mind.mine[fleet], d.mind.order[mate] - 1]
            if m.unit[mate] == fleet and d.t.place[taken] == m.at[n]:
                ways = _take_two(d, p, option, fleet, mate, m.otherwise[option], ways)
    elif verb in (LAND, SAIL_AS_PAIR) and d.t.cargo[sort[d.game.stance[r]]] < 0:
        for other in range(1, p.tally[UNITS] + 1):
            army = sort[d.game.stance[d.mind.mine[other]]]
            laden = d.lore.laden[army]
            if m.at[other] == m.at[n] and laden != army and d.t.base[laden] == sort[d.game.stance[r]]:
                mate, both = stay(d, p, other, WAITS, -1), m.otherwise[option] + m.value[m.hold[other]]
                if mate >= 0:
                    m.value[mate] = m.otherwise[mate] = 0.0
                    m.word[mate] = NOT_ORDERED
                    ways = _take_two(d, p, option, other, mate, both, ways)
    else:
        tried[ways] = option
        ways += 1
    return ways


def _take_two(d: Desk, p: Plan, option: int, partner: int, mate: int, otherwise: float, ways: int) -> int:
    """Add an option again, with what a partner must be given beside it, if there is room; the end of what is tried."""
    m, n, need = p.menu, p.menu.unit[option], p.tally[NEEDS]
    if need >= len(m.needs) or p.tally[OPTIONS] >= len(m.unit) or ways >= len(d.mind.tried):
        return ways
    both = add(d, p, n, m.code[option], m.into[option], m.value[option], m.aim[option] - n * m.aims, -1)
    m.otherwise[both], m.word[both], d.mind.order[both] = otherwise, option, d.mind.order[option]
    m.needs[need], m.need_at[both], m.need_end[both], p.tally[NEEDS] = m.word[mate], need, need + 1, need + 1
    m.partner[both], m.mate[both], d.mind.tried[ways] = partner, mate, both
    return ways + 1
