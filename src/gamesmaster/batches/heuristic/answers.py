"""The heuristic player's orders in a phase, in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.batches.adjustments import (
    add_order,
    along,
    balance,
    begin_winter,
    build,
    count_units,
    leave_cheapest,
    list_builds,
    list_removals,
    list_units,
    remove,
    remove_farthest,
    remove_rest,
    waive,
)
from gamesmaster.batches.heuristic.lore import HOLDER, RANDOM, Desk
from gamesmaster.batches.heuristic.options import settle
from gamesmaster.batches.heuristic.survey import as_kind, look_ahead, look_around, value_places, worth_at
from gamesmaster.batches.orders import survey
from gamesmaster.batches.state import (
    BEATEN,
    BUILD,
    COUNT,
    DISBAND,
    MOVES,
    ORDERS,
    RETREAT,
    RETREATS,
    UNASKED,
    WINTER,
)
from gamesmaster.batches.years import list_refuges
from gamesmaster.engine.heuristic.pick import best_build, least, retreat_all, worth_gone
from gamesmaster.judge.engine.company import row_of
from gamesmaster.judge.engine.kernel import HOLD

if TYPE_CHECKING:
    from gamesmaster.batches.state import Line


def answer(d: Desk, seats: Line, kind: int, last: bool, seed: int, number: int, draw: int, whims: int) -> None:
    """Set the orders of all powers in one game except those with random players, whose orders are already set.

    `seats` is the player of each power; `last` is True if owners are counted before the next movement. Each power has
    `whims` draws, the first power's beginning with number `draw`.
    """
    if kind == MOVES:
        survey(d.t, d.game, d.s)
    elif kind == WINTER:
        _put_aside(d)
    look_around(d)
    for power in range(len(seats)):
        if seats[power] == RANDOM:
            if kind == WINTER:
                _put_back(d, power)
        else:
            _rest(d, kind, power)
            silent = seats[power] == HOLDER or d.game.silent[power]
            if not silent and _asked(d, kind, power):
                first = draw + (power - 1) * whims
                after = value_places(d, power, last, seed, number, first)
                if kind == MOVES:
                    settle(d, power, seed, number, look_ahead(d, power, seed, number, after))
                elif kind == RETREATS:
                    fall_back(d, power)
                else:
                    winter(d, power)
            elif silent and kind == WINTER and power:
                remove_farthest(d.t, d.game, d.s, power, -balance(d.game, power))
                if not d.game.silent[power] and balance(d.game, power) >= 0 and list_builds(d.t, d.game, d.s, power):
                    waive(d.game, power)


def _asked(d: Desk, kind: int, power: int) -> bool:
    """Return whether a power has any choice in this phase."""
    game = d.game
    if kind == WINTER:
        return balance(game, power) < 0 or d.homes.shape[1] > 0 or list_builds(d.t, game, d.s, power) > 0
    if kind == MOVES:
        return count_units(game, power) > 0
    for r in range(1, game.tally[BEATEN] + 1):
        if game.lost_owner[r] == power and list_refuges(d.t, game, d.s, r):
            return True
    return False


def _rest(d: Desk, kind: int, power: int) -> None:
    """Make a power's units hold, or disband if they are dislodged."""
    game = d.game
    verb, count, owner = (HOLD, COUNT, game.owner) if kind == MOVES else (DISBAND, BEATEN, game.lost_owner)
    for r in range(1, game.tally[count] + 1 if kind != WINTER else 0):
        if owner[r] == power:
            game.verb[r], game.to[r], game.about[r], game.load[r], game.rider[r] = verb, -1, 0, 0, 0


def _put_aside(d: Desk) -> None:
    """Begin a Winter's orders anew, those drawn put aside."""
    game, drawn = d.game, d.mind.drawn
    drawn[0, 0] = game.tally[ORDERS]
    for n in range(1, game.tally[ORDERS] + 1):
        drawn[0, n], drawn[1, n], drawn[2, n], drawn[3, n] = game.verb[n], game.to[n], game.about[n], game.load[n]
    begin_winter(d.t, game, d.s)


def _put_back(d: Desk, power: int) -> None:
    """Enter a power's drawn orders again."""
    drawn = d.mind.drawn
    for n in range(1, drawn[0, 0] + 1):
        if (drawn[2, n] if drawn[0, n] == BUILD else d.game.owner[drawn[2, n]]) == power:
            add_order(d.game, drawn[0, n], drawn[1, n], drawn[2, n])
            d.game.load[d.game.tally[ORDERS]] = drawn[3, n]


def fall_back(d: Desk, power: int) -> None:
    """Retreat a power's dislodged units to the best places; units without a place disband."""
    game, m, goals, chosen, options = d.game, d.mind.plan.menu, d.mind.tried, d.mind.nth, 0
    for r in range(1, game.tally[BEATEN] + 1):
        if game.lost_owner[r] == power:
            for i in range(list_refuges(d.t, game, d.s, r)):
                to = goals[options] = d.s.listed[i]
                m.unit[options], m.into[options] = r, -1 if d.lore.box[d.t.place[to]] else d.t.place[to]
                m.value[options] = worth_at(d, as_kind(d, d.t.sort[game.lost_stance[r]], to))
                options += 1
    d.mind.came[:] = 0
    chosen[:] = 0
    retreat_all(options, m.unit, m.into, m.value, d.mind.came, chosen)
    for r in range(1, game.tally[BEATEN] + 1):
        if chosen[r]:
            game.verb[r], game.to[r] = RETREAT, goals[chosen[r] - 1]


def winter(d: Desk, power: int) -> None:
    """Build what is worth most, or remove the units that are worth least where they stand."""
    _value_homes(d, power)
    if balance(d.game, power) < 0:
        _remove(d, power)
    else:
        _build(d, power)


def _value_homes(d: Desk, power: int) -> None:
    """Note what places are worth to units built there, if anybody asks."""
    locations = len(d.t.place) // len(d.t.base)
    for place in range(d.homes.shape[1]):
        d.homes[power, place] = 0.0
        for kind in range(len(d.t.base)):
            worth = d.mind.value[kind * locations + d.t.bare[place]]
            if d.t.base[kind] == kind and (kind == 0 or worth > d.homes[power, place]):
                d.homes[power, place] = worth


def _build(d: Desk, power: int) -> None:
    """Build what is worth most, one unit after the other; what costs nothing before all else."""
    t, game, s, m, kinds, units = d.t, d.game, d.s, d.mind.plan.menu, d.mind.kinds, list_units(d.game, d.s, power)
    kinds[:] = 0
    for i in range(units):
        kinds[t.base[t.sort[game.stance[s.listed[i]]]]] += 1
    options = list_builds(t, game, s, power)
    while options:
        options = leave_cheapest(t, game, s, power, options)
        for i in range(options):
            m.code[i], m.value[i] = t.sort[s.listed[i]], d.mind.value[s.listed[i]]
        best = best_build(options, m.code, m.value, kinds, units)
        kinds[m.code[best]] += 1
        units += 1
        build(t, game, s, power, s.listed[best])
        options = list_builds(t, game, s, power)


def _remove(d: Desk, power: int) -> None:
    """Remove what is worth least, one after the other, as long as the power owes any."""
    t, game, s, m = d.t, d.game, d.s, d.mind.plan.menu
    s.goals[:] = 0
    owed = -balance(game, power)
    while owed > 0:
        options = list_removals(t, game, s, power, owed)
        if not options:  # no order would be legal
            remove_rest(t, game, s, power, owed, UNASKED)
            return
        for i in range(options):
            m.value[i] = _lost(d, s.listed[i])
        owed -= remove(t, game, s, s.listed[least(options, m.value)])


def _lost(d: Desk, r: int) -> float:
    """Return the value lost with a unit: that of the unit, or, if its load goes along, the mean of both."""
    game, gone, value, stance = d.game, d.s.goals, d.mind.value, d.game.stance[r]
    own = value[d.lore.state[stance]] if d.t.cargo[d.t.sort[stance]] >= 0 else value[stance]
    if game.aboard[r] and not gone[row_of(game.tally[COUNT], game.number, game.aboard[r])]:
        own = value[as_kind(d, d.lore.laden[d.t.sort[stance]], stance)]
    return float(worth_gone(own, value[stance], along(d.game, d.s, r) > 0))
