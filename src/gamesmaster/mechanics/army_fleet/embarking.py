"""Armies aboard fleets, over columns: the orders on offer, and boarding.

An order names a unit in a box only by its kind: it is for the power's first unit of this kind there. Ordinary Python
runs these functions on lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from gamesmaster.engine import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.mechanics.army_fleet.columns import (
    ARMY_KIND,
    BOARD,
    BY_ARMY,
    BY_BOTH,
    BY_FLEET,
    CANCEL,
    DOUBLE,
    FIRST,
    FLEET_KIND,
    IMPLIED,
    JUST,
    LAND,
    LOCATIONS,
    ORDER,
    OWN_LANDING,
    PAIR_KIND,
    REFUSES,
    SAIL_AS_PAIR,
    STAND_AS_PAIR,
    TAKE,
    UNDER_WAY,
    VAIN,
    WHOLE,
    EmbarkationTables,
    bind_landings,
    cargo_of,
    carrier_of,
    goal_of,
    is_army,
    is_fleet,
    is_pair,
    landing_fault,
    may_board,
    tenant_of,
)
from gamesmaster.rules import DRAWN, Standing

# -- what may be ordered ---------------------------------------------------------------------------------------------


def offer(t: EmbarkationTables, now: Standing) -> None:
    """Say how many orders about going aboard and ashore there are for each unit."""
    for r in range(1, now.n + 1):
        now.orders.offers[r] += count_orders(t, now, r)


def count_orders(t: EmbarkationTables, now: Standing, r: int) -> int:
    """Return the number of orders to embark, carry or land that a unit may be given."""
    if not t.allows[now.units.owner[r]]:
        return 0
    if now.units.aboard[r]:
        return count_landings(t, now, r)
    here = now.units.at[r]
    if is_pair(t, now, r):
        return 0 if t.settings[OWN_LANDING] else t.reach.shore_at[here + 1] - t.reach.shore_at[here]
    if t.settings[ORDER] == IMPLIED:
        if not may_join(t, now, r):
            return 0
        sails = t.reach.sail_at[here + 1] - t.reach.sail_at[here]
        return 1 + sails + t.reach.shore_at[here + 1] - t.reach.shore_at[here]
    count = 0
    for other in range(1, now.n + 1):
        count += may_board(t, now, r, other) or (t.settings[ORDER] != BY_ARMY and may_board(t, now, other, r))
    return count


def count_landings(t: EmbarkationTables, now: Standing, r: int) -> int:
    """Return the number of landings open to an army aboard: from its water, or any its fleet may reach (AFM-6.a)."""
    carrier = carrier_of(now, r)
    if not carrier or not t.settings[OWN_LANDING]:
        return 0
    here = now.units.at[carrier]
    count = t.reach.shore_at[here + 1] - t.reach.shore_at[here]
    if t.settings[UNDER_WAY]:
        for i in range(t.reach.sail_at[here], t.reach.sail_at[here + 1]):
            water = t.place[t.reach.sails[i]]
            count += t.reach.shore_at[water + 1] - t.reach.shore_at[water]
    return count


def may_join(t: EmbarkationTables, now: Standing, fleet: int) -> bool:
    """Return whether a free army is left for this fleet in its box, after the fleets before it (CNW-6.a1)."""
    here, left = now.units.at[fleet], 0
    if not is_fleet(t, now, fleet) or not t.provinces.boxes[here]:
        return False
    for r in range(1, now.n + 1):
        if now.units.at[r] == here and now.units.owner[r] == now.units.owner[fleet]:
            left += is_army(t, now, r)
            left -= r <= fleet and is_fleet(t, now, r)
    return left >= 0


def choose(t: EmbarkationTables, now: Standing) -> None:
    """Replace each drawn number of an order by the order."""
    for r in range(1, now.n + 1):
        if now.orders.verb[r] == DRAWN:
            count = count_orders(t, now, r)
            if now.orders.goal[r] < count:
                choose_order(t, now, r, now.orders.goal[r])
            else:  # it is one of another mechanic's
                now.orders.goal[r] -= count


def choose_order(t: EmbarkationTables, now: Standing, r: int, n: int) -> None:
    """Give a unit the order of this number, from 0, among those about going aboard and ashore."""
    locations, here = t.settings[LOCATIONS], now.units.at[r]
    now.orders.load[r] = now.orders.rider[r] = 0
    if now.units.aboard[r]:
        choose_landing(t, now, r, n)
    elif is_pair(t, now, r):
        land(t, now, r, t.reach.shores[t.reach.shore_at[here] + n])
    elif t.settings[ORDER] == IMPLIED:
        sails = t.reach.sail_at[here + 1] - t.reach.sail_at[here]
        if n == 0:
            now.orders.verb[r], now.orders.goal[r] = STAND_AS_PAIR, -1
        elif n <= sails:
            now.orders.verb[r], now.orders.goal[r] = (
                SAIL_AS_PAIR,
                t.settings[PAIR_KIND] * locations + t.reach.sails[t.reach.sail_at[here] + n - 1],
            )
        else:
            land(t, now, r, t.reach.shores[t.reach.shore_at[here] + n - 1 - sails])
    else:
        for other in range(1, now.n + 1):
            boards, takes = may_board(t, now, r, other), may_board(t, now, other, r)
            if boards or (takes and t.settings[ORDER] != BY_ARMY):
                if n == 0:
                    now.orders.verb[r] = BOARD if boards else TAKE
                    now.orders.goal[r] = now.units.sort[other] * locations + t.provinces.bare[now.units.at[other]]
                    return
                n -= 1


def choose_landing(t: EmbarkationTables, now: Standing, r: int, n: int) -> None:
    """Give an army aboard the order to go ashore of this number, from 0: `load` is 1 + the water it names."""
    here = now.units.at[carrier_of(now, r)]
    for i in range(t.reach.sail_at[here] - 1, t.reach.sail_at[here + 1]):
        water = here if i < t.reach.sail_at[here] else t.place[t.reach.sails[i]]
        shores = t.reach.shore_at[water + 1] - t.reach.shore_at[water]
        if n < shores:
            land(t, now, r, t.reach.shores[t.reach.shore_at[water] + n])
            now.orders.load[r] = 1 + water
            return
        n -= shores


def land(t: EmbarkationTables, now: Standing, r: int, place: int) -> None:
    """Order an army, or its fleet, to land the army in a province."""
    army = t.settings[ARMY_KIND] * t.settings[LOCATIONS]
    now.orders.verb[r], now.orders.goal[r] = LAND, army + t.provinces.bare[place]


# -- going aboard ----------------------------------------------------------------------------------------------------


def muster(t: EmbarkationTables, now: Standing) -> None:
    """Embark armies before moves are resolved, then drop orders that became impossible."""
    if t.settings[ORDER] == IMPLIED:
        form_pairs(t, now)
    else:
        board_fleets(t, now)
    for r in range(1, now.n + 1):
        if is_pair(t, now, r) and now.orders.verb[r] == LAND:  # an order for the pair
            load, here = cargo_of(now, r), now.units.at[r]
            fault = landing_fault(t, HOLD, -1, here, here, now.units.span[load] == JUST)
            now.orders.verb[load], now.orders.goal[load] = HOLD if fault else LAND, now.orders.goal[r]
            now.orders.verb[r] = HOLD
    if t.settings[OWN_LANDING]:
        bind_landings(t, now)


def join(t: EmbarkationTables, now: Standing, army: int, fleet: int) -> None:
    """Put an army aboard a fleet."""
    now.units.aboard[army], now.units.span[army] = now.units.number[fleet], JUST
    now.units.sort[fleet] = t.settings[PAIR_KIND]
    now.units.at[army], now.orders.verb[army] = -1, HOLD


def form_pairs(t: EmbarkationTables, now: Standing) -> None:
    """Form a pair for each order to a pair that does not exist yet (CNW-5.a, 6.a1).

    It consists of the first free army and the first free fleet in the box.
    """
    for fleet in range(1, now.n + 1):
        if is_fleet(t, now, fleet) and is_for_pair(now, fleet):
            first, army = fleet, 0
            for r in range(now.n, 0, -1):
                if is_beside(now, r, fleet):
                    first = r if r < fleet and is_fleet(t, now, r) else first
                    army = r if is_army(t, now, r) else army
            for r in range(fleet, first, -1):  # the others' orders move on by one
                if is_fleet(t, now, r) and is_beside(now, r, fleet):
                    swap(t, now, r)
            move_on(t, now, army)
            join(t, now, army, first)


def is_for_pair(now: Standing, r: int) -> bool:
    """Return whether a unit's order is for a pair that is yet to be formed."""
    return now.orders.verb[r] == STAND_AS_PAIR or now.orders.verb[r] == SAIL_AS_PAIR or now.orders.verb[r] == LAND


def swap(t: EmbarkationTables, now: Standing, r: int) -> None:
    """Exchange the order of a fleet and that of the free fleet of its power before it in the same place."""
    before = r - 1
    while not (is_fleet(t, now, before) and is_beside(now, before, r)):
        before -= 1
    verb, goal, about = now.orders.verb[r], now.orders.goal[r], now.orders.about[r]
    load, rider = now.orders.load[r], now.orders.rider[r]
    copy_order(now, before, r)
    now.orders.verb[before], now.orders.goal[before], now.orders.about[before] = verb, goal, about
    now.orders.load[before], now.orders.rider[before] = load, rider


def move_on(t: EmbarkationTables, now: Standing, first: int) -> None:
    """Give the orders of a power's armies in a place, from this one on, each to the next; the last is left over."""
    last = first
    for r in range(first + 1, now.n + 1):
        if is_army(t, now, r) and is_beside(now, r, first):
            last = r
    for r in range(last, first, -1):
        if is_army(t, now, r) and is_beside(now, r, first):
            before = r - 1
            while not (is_army(t, now, before) and is_beside(now, before, r)):
                before -= 1
            copy_order(now, before, r)


def is_beside(now: Standing, r: int, other: int) -> bool:
    """Return whether two units of one power are in the same place."""
    return now.units.at[r] == now.units.at[other] and now.units.owner[r] == now.units.owner[other]


def copy_order(now: Standing, a: int, b: int) -> None:
    """Give a unit the order of another."""
    given = now.orders
    given.verb[b], given.goal[b], given.about[b] = given.verb[a], given.goal[a], given.about[a]
    given.load[b], given.rider[b] = given.load[a], given.rider[a]


def board_fleets(t: EmbarkationTables, now: Standing) -> None:
    """Embark the armies that are ordered to board."""
    for r in range(1, now.n + 1):
        now.orders.result[r] = 0
    for r in range(1, now.n + 1):
        if t.settings[ORDER] == BY_FLEET:
            army = passenger_of(t, now, r) if now.orders.verb[r] == TAKE else 0
            now.orders.result[army] = r if army else 0
        elif now.orders.verb[r] == BOARD:
            now.orders.result[r] = ship_of(t, now, r)
    embark(t, now)


def embark(t: EmbarkationTables, now: Standing) -> None:
    """Put armies aboard the fleets that `result` names; if several name the same fleet, none boards (AFM-3.e)."""
    result = now.orders.result
    for r in range(1, now.n + 1):
        if result[r]:
            boarders = 0
            for other in range(1, now.n + 1):
                boarders += result[other] == result[r]
            if boarders == 1:
                go_aboard(t, now, r, result[r])


def ship_of(t: EmbarkationTables, now: Standing, army: int) -> int:
    """Return the fleet that an army's order to board is for, 0 if the order is void."""
    water = goal_of(t, now, army)
    fleet, against = tenant_of(now, water), 0
    taken = now.orders.verb[fleet] == TAKE and goal_of(t, now, fleet) == now.units.at[army]
    if not t.provinces.forms[water]:
        return 0
    if t.settings[ORDER] == BY_BOTH and not taken:
        return 0
    for r in range(1, now.n + 1):
        same = r != army and now.units.owner[r] == now.units.owner[army] and not (r == fleet and taken)
        if same and t.settings[WHOLE] and named(now, r) == water and outranks(t, r, army):
            against = r
            if t.settings[DOUBLE] == CANCEL:
                now.orders.verb[r] = HOLD
    return 0 if against else fleet


def passenger_of(t: EmbarkationTables, now: Standing, fleet: int) -> int:
    """Return the army that a fleet's order alone takes aboard, 0 if the order is void."""
    army, against = tenant_of(now, goal_of(t, now, fleet)), 0
    for r in range(1, now.n + 1):
        boards = now.orders.verb[r] == BOARD and goal_of(t, now, r) == now.units.at[fleet]
        acts = r == army and now.orders.verb[r] != HOLD and not boards
        takes = r != fleet and now.orders.verb[r] == TAKE and goal_of(t, now, r) == now.units.at[army]
        if now.units.owner[r] == now.units.owner[fleet] and (acts or takes) and outranks(t, r, fleet):
            against = r
            if t.settings[DOUBLE] == CANCEL:
                now.orders.verb[r] = HOLD
    return 0 if against else army


def named(now: Standing, r: int) -> int:
    """Return the province that the order of a unit names as its own, -1 if it has none."""
    if now.units.aboard[r]:
        return now.orders.load[r] - 1 if now.orders.verb[r] == LAND else -1
    return now.units.at[r]


def outranks(t: EmbarkationTables, other: int, this: int) -> bool:
    """Return whether the other of two contradictory orders counts instead of this one (4.D.3)."""
    answer = t.settings[DOUBLE]
    return answer == CANCEL or (other < this if answer == FIRST else other > this)


def go_aboard(t: EmbarkationTables, now: Standing, army: int, fleet: int) -> None:
    """Put an army aboard a fleet, and change orders accordingly.

    Supports and convoys of the army are void. Orders of the fleet, and supports of its move, become those of the
    pair; what a pair cannot carry out is void.
    """
    water, shift = now.units.at[fleet], (t.settings[PAIR_KIND] - t.settings[FLEET_KIND]) * t.settings[LOCATIONS]
    join(t, now, army, fleet)
    if now.orders.verb[fleet] == MOVE:
        if sails_to(t, water, goal_of(t, now, fleet)):
            now.orders.goal[fleet] += shift
        else:
            now.orders.verb[fleet] = VAIN if t.settings[REFUSES] else HOLD
    elif now.orders.verb[fleet] == SUPPORT:
        place = goal_of(t, now, fleet) if now.orders.goal[fleet] >= 0 else now.units.at[now.orders.about[fleet]]
        if not helps_into(t, water, place):
            now.orders.verb[fleet] = HOLD
    elif now.orders.verb[fleet] == CONVOY:
        now.orders.verb[fleet] = HOLD
    for r in range(1, now.n + 1):
        if now.orders.verb[r] == SUPPORT or now.orders.verb[r] == CONVOY:
            if now.orders.about[r] == army:
                now.orders.verb[r] = HOLD
            elif now.orders.about[r] == fleet and now.orders.goal[r] >= 0:
                if sails_to(t, water, goal_of(t, now, r)):
                    now.orders.goal[r] += shift
                else:
                    now.orders.verb[r] = HOLD


def sails_to(t: EmbarkationTables, water: int, place: int) -> bool:
    """Return whether a pair may move from a water to a province."""
    found = False
    for i in range(t.reach.sail_at[water], t.reach.sail_at[water + 1]):
        found = found or t.place[t.reach.sails[i]] == place
    return found


def helps_into(t: EmbarkationTables, water: int, place: int) -> bool:
    """Return whether a pair may support from a water into a province."""
    found = False
    for i in range(t.reach.help_at[water], t.reach.help_at[water + 1]):
        found = found or t.reach.helps[i] == place
    return found
