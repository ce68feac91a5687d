"""The orders of thinking players in a movement, in batches: legal ones are offered to `engine.heuristic.options`."""

from __future__ import annotations

from gamesmaster.batches.chance import part, shuffle
from gamesmaster.batches.heuristic.context import Context
from gamesmaster.batches.orders import across, crosses, may_carry, may_help
from gamesmaster.batches.state import COUNT, MOVES, UNASKED, VIA, WINTER, set_order
from gamesmaster.batches.tables import steps_of
from gamesmaster.engine import CONVOY, HOLD, MOVE, SUPPORT, row_of
from gamesmaster.engine.heuristic.aid import gives_aid, note_aid, worth_of_aid
from gamesmaster.engine.heuristic.dumbbot import order_units, weigh_as_dumbbot
from gamesmaster.engine.heuristic.menu import CONVOYS, GOES, OPTIONS, SUPPORTS, UNITS, Menu, link_backers
from gamesmaster.engine.heuristic.options import (
    HELPS,
    NOT_ORDERED,
    add_unit,
    first_of,
    hold,
    list_options,
    offer,
    recall,
    sail,
    support,
)
from gamesmaster.engine.heuristic.outlook import Outlook, doubt
from gamesmaster.engine.heuristic.plan import (
    MOST_ROUNDS,
    Arrivals,
    Odds,
    Plan,
    Trial,
    add_ways,
    begin,
    better_all,
    tidy,
)
from gamesmaster.engine.heuristic.survey import bend_values, chart_of, look_ahead, outlook_of, weigh_places
from gamesmaster.engine.heuristic.tables import SORTS, Assessment, Listing, Tastes
from gamesmaster.engine.machine import held
from gamesmaster.orders import BREAKS_UP, BUILDS, GOES_ASHORE, NO_THOUGHT, RIDES
from gamesmaster.rules import NO_MOVES, NO_STEPS, NO_SUPPORTS


def assessment_of(d: Context, power: int, mind: int) -> Assessment:
    """Return the columns for what a power makes of the position, as long as its chart has nodes."""
    a, nodes = d.w.assessment, len(d.b.charts[chart_of(d.b, d.minds[mind], power)].stance)
    return Assessment(
        a.worth, a.strongest, a.calm, a.calm_at, a.came, a.guesses, a.ring[:nodes], a.share[:nodes], a.numbers,
        a.total[:nodes], a.value,
    )  # fmt: skip


def value_places(d: Context, kind: int, power: int, mind: int, last: bool, seed: int, number: int, draw: int) -> int:
    """Work out the value of every stance to a power that has this mind, bent by chance; return the next draw's number.

    The position, in a phase of this `kind`, must have been surveyed. `last` says that owners are counted before the
    next movement.
    """
    a, tastes, v, safe = held(assessment_of(d, power, mind)), held(d.minds[mind]), held(d.w.survey), d.safe[power]
    stances = d.b.charts[chart_of(d.b, tastes, power)].stance
    grudge, holder, sizes = d.memory.grudge, d.game.lands.holder, d.game.powers.centres
    if tastes.dumb:
        weigh_as_dumbbot(d.b, v, a, tastes, power, holder, sizes, safe, last or kind != MOVES, kind == WINTER)
    else:
        weigh_places(d.b, v, a, tastes, grudge, power, holder, sizes, safe, last)
    for n in range(len(stances)):
        a.guesses[n] = part(seed, number, draw + int(stances[n]))
    a.value[:] = 0.0
    bend_values(d.b, a, tastes, power, last)
    return draw + len(a.value)


def settle(d: Context, power: int, mind: int, seed: int, number: int, draw: int) -> None:
    """Give the units of a power that has this mind the best orders that can be found, beginning with holding.

    Places must have been valued.
    """
    a, survey, c = held(assessment_of(d, power, mind)), held(d.w.survey), held(d.w.listing)
    a.calm[:] = 1.0
    a.came[:] = 0
    dumb = d.minds[mind].dumb > 0
    found = 0 if dumb else look_ahead(d.b, survey, a, power, d.game.tally[COUNT])
    whims = d.minds[mind].whim > 0  # who has none does not draw for them
    for i in range(found):
        a.guesses[i] = part(seed, number, draw + i) if whims else 0.5
    doubt(a.calm, a.calm_at, a.guesses, found)
    draw += found if whims else 0
    p = held(_empty_plan(d, held(d.w.plan.menu), outlook_of(d.b, survey, a, power)))
    _list_all(d, c, p, power, held(d.minds[mind]))
    begin(p)
    units, turns = p.tally[UNITS], d.w.turns
    if dumb:
        shuffle(turns, units, seed, number, draw)
        order_units(c, p, a.strongest, turns[:units], a.guesses)
    else:
        for _ in range(MOST_ROUNDS):
            draw = shuffle(turns, units, seed, number, draw)
            if better_all(p, turns[:units]):
                break
        tidy(p)
    _write(d, c, p)
    for n in range(1, units + 1 if d.minds[mind].helping else 1):
        if gives_aid(c, p, n, part(seed, number, draw + n - 1)):
            r = d.w.mine[n]
            d.game.orders.verb[r], d.game.orders.about[r], d.game.orders.to[r] = SUPPORT, c.aid.order[n], c.aid.to[n]


def _empty_plan(d: Context, m: Menu, look: Outlook) -> Plan:
    """Return a plan with this outlook, with nothing listed yet in its menu."""
    p, arrivals, odds, trial = d.w.plan, d.w.plan.arrivals, d.w.plan.odds, d.w.plan.trial
    m.own[:] = 0
    arrivals.first[:] = 0
    p.claimed[:] = 0
    p.content[:] = 0
    odds.keeping[:] = 0.0
    odds.entering[:] = 0.0
    p.tally[:] = 0
    return Plan(
        m, look, p.tally, p.chosen, p.expected, p.stays, p.claimed, p.content, p.helped,
        Arrivals(arrivals.first, arrivals.next), Odds(odds.most, odds.entering, odds.keeping),
        Trial(trial.options, trial.before, trial.mark, trial.queue),
    )  # fmt: skip


# -- what there is to do -----------------------------------------------------------------------------------------------


def _list_all(d: Context, c: Listing, p: Plan, power: int, tastes: Tastes) -> None:
    """List all that a power's units could do, and how they could do it together."""
    _list_units(d, c, p, power)
    for n in range(1, p.tally[UNITS] + 1):
        recall(c, p, d.memory, n, d.game.units.number[d.w.mine[n]], tastes.patience)
    for n in range(1, p.tally[UNITS] + 1):
        hold(d.b, c, p, n, _takes_along(d, d.w.mine[n]), 0)
    for n in range(1, p.tally[UNITS] + 1):
        _offer_all(d, c, p, n, tastes)
    link_backers(p.menu, p.tally[OPTIONS])
    fleets = _list_fleets(d, c, p)
    for n in range(1, p.tally[UNITS] + 1):
        ways, stance = list_options(d.b, c, p, n), c.stance[n]
        ashore = d.t.stances.army[stance] and d.t.lands.port[d.t.stances.place[stance]]
        if _may_step(d, d.w.mine[n]) and fleets and ashore:
            ways = _list_voyages(d, c, p, n, fleets, ways)
        add_ways(p, n, c.tried[:ways])


def _list_units(d: Context, c: Listing, p: Plan, power: int) -> None:
    """Add a power's units to its plan; those aboard do what their carriers do, if they have no orders of their own."""
    game, w = d.game, d.w
    for r in range(1, game.tally[COUNT] + 1):
        w.nth[r] = 0
        if game.units.owner[r] == power and (not game.units.aboard[r] or d.own.number[r]):
            n = add_unit(d.b, c, p, game.units.stance[r], game.units.aboard[r] != 0)
            w.mine[n], w.nth[r], w.turns[n - 1] = r, n, n
            for before in range(1, n):
                if d.b.provinces.box[p.menu.units.at[n]] and game.units.stance[w.mine[before]] == game.units.stance[r]:
                    w.nth[r] = w.nth[w.mine[before]]
    for r in range(1, game.tally[COUNT] + 1):
        if game.units.owner[r] == power and game.units.aboard[r]:
            carrier = w.nth[row_of(game.tally[COUNT], game.units.number, game.units.aboard[r])]
            if w.nth[r]:
                c.carrier[w.nth[r]] = carrier
            else:
                w.nth[r] = carrier
    aims = p.menu.aims * (p.tally[UNITS] + 1)
    p.helped[:aims] = 0
    p.menu.backers.first[:aims] = 0


def _may_step(d: Context, r: int) -> bool:
    """Return whether a unit may be ordered to another place."""
    return not d.game.units.aboard[r] and not d.game.orders.barred[r] & (NO_MOVES | NO_STEPS)


def _offer_all(d: Context, c: Listing, p: Plan, n: int, tastes: Tastes) -> None:
    """Offer the orders that a unit can carry out by itself, except to hold, sort by sort."""
    r, own = d.w.mine[n], d.own
    for sort in range(SORTS):
        c.sorts[first_of(n, sort)] = p.tally[OPTIONS]
        if sort == HELPS and not (d.game.units.aboard[r] or d.game.orders.barred[r] & NO_SUPPORTS):
            _offer_supports(d, c, p, n, tastes)
        if sort == RIDES and _may_step(d, r):
            row = steps_of(d.t, d.game.units.owner[r], d.game.units.stance[r])
            for i in range(d.t.steps.reach_at[row], d.t.steps.reach_at[row + 1]):
                option = offer(d.b, c, p, n, NO_THOUGHT, d.t.steps.reach[i], -1, 0)
                if option >= 0:
                    d.w.to[option] = d.t.steps.reach[i]
        for k in range(own.number[r] if sort != HELPS else 0):
            if _thought(d, r, k) == sort and not (sort == BUILDS and own.load[r, k]):
                to, where = own.to[r, k], own.load[r, k] - 1 if sort == GOES_ASHORE else -1
                if to >= 0 and sort != GOES_ASHORE:
                    where = d.t.stances.place[to]
                offer(d.b, c, p, n, sort, to, where, 1 + k)
        c.sorts[first_of(n, sort) + 1] = p.tally[OPTIONS]


def _offer_supports(d: Context, c: Listing, p: Plan, n: int, tastes: Tastes) -> None:
    """Offer a unit's supports of other units of its side, and note the best of others'."""
    t, s, owners, r, game, v = d.t, d.s, d.game.units.owner, d.w.mine[n], d.game, held(d.w.survey)
    steps = steps_of(t, owners[r], d.game.units.stance[r])
    for i in range(t.steps.helps.shape[1]):
        place = t.steps.helps[steps, i]
        for k in range(s.supports.count[place]):
            other, to = s.supports.row[place, k], s.supports.to[place, k]
            if owners[other] == owners[r] and may_help(t, d.game, s, r, place, other, to):
                helps = d.w.nth[other] * p.menu.aims + (1 + to % d.b.locations if to >= 0 else 0)
                carries = t.kinds.cargo[t.stances.sort[d.game.units.stance[other]]] >= 0
                again = carries or d.game.units.aboard[other] != 0
                option = support(d.b, c, p, n, helps, again, other)
                if option >= 0:
                    d.w.to[option] = to
            elif tastes.helping and owners[other] != owners[r]:
                worth = worth_of_aid(
                    d.b, v, c.value, d.memory.grudge, game.lands.holder, game.powers.centres,
                    tastes, owners[r], other, to,
                )  # fmt: skip
                if worth > c.aid.worth[n] and may_help(t, game, s, r, place, other, to):
                    note_aid(c, n, worth, other, to, place)


def _list_fleets(d: Context, c: Listing, p: Plan) -> int:
    """List the waters of a power's fleets that could carry armies, and return how many there are."""
    fleets = 0
    c.voyage.ferry[:] = 0
    for n in range(1, p.tally[UNITS] + 1):
        if d.t.stances.carries[c.stance[n]]:
            c.voyage.ferry[p.menu.units.at[n]] = n
    for place in range(len(d.t.lands.port)):
        if c.voyage.ferry[place]:
            d.w.fleets[fleets] = place
            fleets += 1
    return fleets


def _list_voyages(d: Context, c: Listing, p: Plan, n: int, fleets: int, ways: int) -> int:
    """Add a unit's voyages to places that no step reaches to the options tried, and return the new end.

    Its side has `fleets` fleets.
    """
    s, needs, r = d.s, p.menu.needs, d.w.mine[n]
    stance = d.game.units.stance[r]
    here, steps = d.t.stances.place[stance], steps_of(d.t, d.game.units.owner[r], stance)
    for nth in range(s.shores.groups[here]):
        g = s.shores.group[here, nth]
        for i in range(s.shores.ports[g]):
            shore, count = s.shores.port[g, i], 0
            if not d.t.steps.near[steps, shore] and crosses(s, here, nth, shore):
                for k in range(fleets):
                    if may_carry(d.t, s, d.w.fleets[k], here, shore):
                        c.voyage.waters[count] = d.w.fleets[k]
                        count += 1
                to, after = across(d.t, stance, shore), ways
                ways = sail(d.b, c, p, n, to, count, ways, 0)
                if ways > after:
                    voyage = c.tried[after]
                    d.w.to[voyage] = to
                    for need in range(needs.begin[voyage], needs.end[voyage]):
                        c.order[needs.listed[need]], d.w.to[needs.listed[need]] = r, to
    return ways


# -- orders of mechanics -----------------------------------------------------------------------------------------------


def _thought(d: Context, r: int, k: int) -> int:
    """Return what the order with this number among a unit's own is taken for."""
    return int(d.w.thought[d.own.verb[r, k]])


def _takes_along(d: Context, r: int) -> bool:
    """Return whether a unit could move by a boat that it takes along."""
    found = False
    for k in range(d.own.number[r]):
        found = found or (_thought(d, r, k) == RIDES and d.own.load[r, k] != 0)
    return found


def _give(d: Context, r: int, k: int) -> None:
    """Give a unit its order of this number among those of mechanics."""
    game, own = d.game, d.own
    game.orders.verb[r], game.orders.to[r] = own.verb[r, k], own.to[r, k]
    game.orders.load[r], game.orders.rider[r] = own.load[r, k], own.rider[r, k]


def _break_up(d: Context, r: int) -> None:
    """Let a unit that walks away break up the boats it leaves behind, if its power could build no more."""
    vain, left, own = 0, 0, d.own
    if d.game.orders.verb[r] == MOVE or d.game.orders.verb[r] == VIA:
        for k in range(own.number[r] - 1, -1, -1):
            left = own.rider[r, k] if _thought(d, r, k) == BREAKS_UP else left
        for other in range(len(own.number) if left else 0):
            for k in range(own.number[other]):
                builds = d.game.units.owner[other] == d.game.units.owner[r] and _thought(d, other, k) == BUILDS
                vain += builds and own.load[other, k] != 0
        d.game.orders.rider[r] = left if vain else 0


# -- orders ------------------------------------------------------------------------------------------------------------


def _write(d: Context, c: Listing, p: Plan) -> None:
    """Write the orders of a plan into the game's columns."""
    m, game, mine = p.menu, d.game, d.w.mine
    for n in range(1, p.tally[UNITS] + 1):
        option, r = p.chosen[n], mine[n]
        code, order = m.options.code[option], c.order[option]
        game.orders.verb[r], game.orders.to[r], game.orders.about[r] = HOLD, -1, 0
        if code in (SUPPORTS, CONVOYS):
            game.orders.verb[r], game.orders.about[r] = SUPPORT if code == SUPPORTS else CONVOY, order
            game.orders.to[r] = d.w.to[option]
        elif order:
            _give(d, r, order - 1)
        elif code == GOES:
            game.orders.verb[r], game.orders.to[r] = VIA if m.needs.end[option] else MOVE, d.w.to[option]
        elif m.options.word[option] == NOT_ORDERED:
            game.orders.load[r] = UNASKED
        _break_up(d, r)
    for n in range(1, p.tally[UNITS] + 1):
        if game.orders.load[mine[n]] == UNASKED and game.orders.verb[mine[n]] == HOLD:
            _move_up(d, p, n)


def _move_up(d: Context, p: Plan, n: int) -> None:
    """Give a unit without an order that of the next equal unit in its place that has one."""
    game, orders, r = d.game, d.game.orders, d.w.mine[n]
    for later in range(n + 1, p.tally[UNITS] + 1):
        other = d.w.mine[later]
        ordered = orders.verb[other] != HOLD or orders.load[other] != UNASKED
        if game.units.stance[other] == game.units.stance[r] and ordered and orders.load[r] == UNASKED:
            set_order(orders, r, orders.verb[other], orders.to[other], orders.about[other])
            orders.load[r], orders.rider[r] = orders.load[other], orders.rider[other]
            set_order(orders, other, HOLD)
            orders.load[other] = UNASKED
