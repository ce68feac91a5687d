"""The heuristic player's orders in a phase, in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.batches.adjustments import (
    along,
    balance,
    build,
    count_units,
    leave_cheapest,
    list_builds,
    list_removals,
    list_units,
    put_aside,
    put_back,
    remove,
    remove_farthest,
    remove_rest,
    waive,
)
from gamesmaster.batches.heuristic.context import MINDED, RANDOM, Context
from gamesmaster.batches.heuristic.movement import assessment_of, settle, value_places
from gamesmaster.batches.orders import survey
from gamesmaster.batches.state import BEATEN, COUNT, DISBAND, MOVES, RETREAT, RETREATS, UNASKED, WINTER, set_order
from gamesmaster.batches.years import list_refuges
from gamesmaster.engine import HOLD, row_of
from gamesmaster.engine.heuristic.dumbbot import retreat_as_dumbbot
from gamesmaster.engine.heuristic.pick import best_build, least, retreat_all
from gamesmaster.engine.heuristic.survey import as_kind, look_around, worth_at, worth_of_home, worth_removed

if TYPE_CHECKING:
    from gamesmaster.batches.state import Line


def answer(d: Context, seats: Line, kind: int, last: bool, seed: int, number: int, draw: int, draws: int) -> None:
    """Set the orders of all powers in one game except those with random players, whose orders are already set.

    `seats` is the player of each power; `last` is True if owners are counted before the next movement. Each power has
    `draws` random draws, the first power's beginning with number `draw`.
    """
    if kind == MOVES:
        survey(d.t, d.game, d.s)
    elif kind == WINTER:
        put_aside(d.t, d.game, d.s, d.w.drawn)
    _look_around(d)
    for power in range(len(seats)):
        if seats[power] == RANDOM:
            if kind == WINTER:
                put_back(d.game, d.w.drawn, power)
        else:
            _rest(d, kind, power)
            mind = seats[power] - MINDED
            silent = mind < 0 or d.game.powers.silent[power]
            if not silent and _asked(d, kind, power):
                first = draw + (power - 1) * draws
                after = value_places(d, kind, power, mind, last, seed, number, first)
                if kind == MOVES:
                    settle(d, power, mind, seed, number, after)
                elif kind == RETREATS:
                    _retreat(d, power, mind)
                else:
                    _winter(d, power, mind)
            elif silent and kind == WINTER and power:
                remove_farthest(d.t, d.game, d.s, power, -balance(d.game, power))
                builds = balance(d.game, power) >= 0 and list_builds(d.t, d.game, d.s, power)
                if builds and not d.game.powers.silent[power]:
                    waive(d.game, power)


def _look_around(d: Context) -> None:
    """Survey what all powers see alike."""
    survey = d.w.survey
    survey.strength[:] = 0
    survey.standing[:] = 0
    look_around(d.b, survey, d.game.tally[COUNT], d.game.units.stance, d.game.units.owner, d.game.units.aboard)


def _asked(d: Context, kind: int, power: int) -> bool:
    """Return whether a power has any choice in this phase."""
    game = d.game
    if kind == WINTER:
        return balance(game, power) < 0 or d.homes.shape[1] > 0 or list_builds(d.t, game, d.s, power) > 0
    if kind == MOVES:
        return count_units(game, power) > 0
    for r in range(1, game.tally[BEATEN] + 1):
        if game.beaten.owner[r] == power and list_refuges(d.t, game, d.s, r):
            return True
    return False


def _rest(d: Context, kind: int, power: int) -> None:
    """Make a power's units hold, or disband if they are dislodged."""
    game = d.game
    verb, count, owner = (HOLD, COUNT, game.units.owner) if kind == MOVES else (DISBAND, BEATEN, game.beaten.owner)
    for r in range(1, game.tally[count] + 1 if kind != WINTER else 0):
        if owner[r] == power:
            set_order(game.orders, r, verb)


def _retreat(d: Context, power: int, mind: int) -> None:
    """Retreat a power's dislodged units to the best places; units without a place disband."""
    game, b, c, o, chosen, options = d.game, d.b, d.w.listing, d.w.plan.menu.options, d.w.nth, 0
    taken = c.voyage.came
    for r in range(1, game.tally[BEATEN] + 1):
        if game.beaten.owner[r] == power:
            for i in range(list_refuges(d.t, game, d.s, r)):
                to = c.tried[options] = d.s.listed[i]
                place = b.stances.place[to]
                o.unit[options], o.into[options] = r, -1 if b.provinces.box[place] else place
                o.value[options] = worth_at(b, c.value, as_kind(b, b.stances.sort[game.beaten.stance[r]], to))
                options += 1
    taken[:] = 0
    chosen[:] = 0
    if d.minds[mind].dumb > 0:
        guesses = assessment_of(d, power, mind).guesses
        retreat_as_dumbbot(options, o.unit, o.into, o.value, taken, chosen, guesses)
    else:
        retreat_all(options, o.unit, o.into, o.value, taken, chosen)
    for r in range(1, game.tally[BEATEN] + 1):
        if chosen[r]:
            game.orders.verb[r], game.orders.to[r] = RETREAT, c.tried[chosen[r] - 1]


def _winter(d: Context, power: int, mind: int) -> None:
    """Build the units with the highest value, or remove those with the least value where they are."""
    for place in range(d.homes.shape[1]):
        d.homes[power, place] = worth_of_home(d.b, d.w.listing.value, d.b.provinces.bare[place])
    if balance(d.game, power) < 0:
        _remove(d, power)
    else:
        _build(d, power, mind)


def _build(d: Context, power: int, mind: int) -> None:
    """Build the unit with the highest value, one after the other, units without a cost first."""
    likes_few = d.minds[mind].dumb == 0
    t, game, s, o, kinds, units = d.t, d.game, d.s, d.w.plan.menu.options, d.w.kinds, list_units(d.game, d.s, power)
    kinds[:] = 0
    for i in range(units):
        kinds[t.kinds.base[t.stances.sort[game.units.stance[s.listed[i]]]]] += likes_few
    options = list_builds(t, game, s, power)
    while options:
        options = leave_cheapest(t, game, s, power, options)
        for i in range(options):
            o.code[i], o.value[i] = t.stances.sort[s.listed[i]], d.w.listing.value[s.listed[i]]
        best = best_build(options, o.code, o.value, kinds, units)
        kinds[o.code[best]] += likes_few
        units += 1
        build(t, game, s, power, s.listed[best])
        options = list_builds(t, game, s, power)


def _remove(d: Context, power: int) -> None:
    """Remove the unit with the least value, one after the other, while the power owes any."""
    t, game, s, worth = d.t, d.game, d.s, d.w.plan.menu.options.value
    s.goals[:] = 0
    owed = -balance(game, power)
    while owed > 0:
        options = list_removals(t, game, s, power, owed)
        if not options:  # no order would be legal
            remove_rest(t, game, s, power, owed, UNASKED)
            return
        for i in range(options):
            r = s.listed[i]
            carrier = game.units.aboard[r]
            aboard = carrier != 0 and not s.goals[row_of(game.tally[COUNT], game.units.number, carrier)]
            worth[i] = worth_removed(d.b, d.w.listing.value, game.units.stance[r], aboard, along(game, s, r) > 0)
        owed -= remove(t, game, s, s.listed[least(options, worth)])
