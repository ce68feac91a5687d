"""Armies aboard fleets over columns: what they may be ordered, who goes aboard, who goes ashore, who is lost.

A power's units that lie together in a box are told apart by kind only: its orders for a kind are for the first of it.
Ordinary Python runs these functions on lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gamesmaster.judge import Standing
from gamesmaster.judge.columns import DRAWN, FOR_TWO, NO_REMOVAL, OWN
from gamesmaster.judge.engine import (
    ABSENT,
    BLUNT,
    CARRIED,
    CONVOY,
    HOLD,
    LEAVES,
    MOVE,
    NOWAY,
    PASS,
    SAILS,
    SUPPORT,
)

BOARD, TAKE, LAND, STAND_AS_PAIR, SAIL_AS_PAIR, VAIN = range(OWN + 3, OWN + 9)
"""The verbs: to go aboard, to take aboard, to go ashore; to hold and to move as a pair that is yet to be formed.

The last is the move of a fleet that cannot be made since somebody has come aboard.
"""

ORDER, WHOLE, SOON, MOST, OWN_LANDING, UNDER_WAY, APART, BLUNTED, FERRIED, DOUBLE, REFUSES, NEEDS = range(12)
"""Places in `Wharf.settings`.

They are whose order boarding takes (`BY_ARMY` to `IMPLIED`), and whether it fills the season; whether one may land at
once; the most seasons aboard; whether landings have orders of their own, may follow a fleet under way, do not hang on
the fleet, cut no support into their own water; whether those refused by a ferry stay aboard; what double orders come to
(`CANCEL` to `LAST`); whether an impossible move refuses support; how many removals the whole pair needs.
"""

BY_ARMY, BY_BOTH, IMPLIED = range(3)
CANCEL, FIRST, LAST = range(3)

BUSY, NO_LANDER, JUST_BOARDED = 1, 2, 3
"""Why nobody goes ashore; 0 if somebody does."""

JUST = -1
"""The `span` of an army that went aboard this season."""


class Wharf(NamedTuple):
    """What a variant says of its armies aboard fleets, in columns.

    `kinds` are an army, a fleet and a pair, by number; `locations` one number, how many there are, `place` the province
    of each.  By power `allows` whether it may have pairs.  By province: `forms` whether armies go aboard there,
    `beside` whether those on the shore may be ordered to, and in `boxes` those that lie there; `holds` whether pairs
    lie there, `alone` whether a fleet may be removed from under its army, `bare` its location without a coast,
    `shores[shore_at[p]:shore_at[p + 1]]` the provinces beside it to land in; `sails` the locations that a pair
    there may sail to, `helps` the provinces that it may support into, laid out alike.
    """

    settings: Sequence[int]
    kinds: Sequence[int]
    locations: Sequence[int]
    place: Sequence[int]
    allows: Sequence[int]
    forms: Sequence[int]
    beside: Sequence[int]
    boxes: Sequence[int]
    holds: Sequence[int]
    alone: Sequence[int]
    bare: Sequence[int]
    shore_at: Sequence[int]
    shores: Sequence[int]
    sail_at: Sequence[int]
    sails: Sequence[int]
    help_at: Sequence[int]
    helps: Sequence[int]


# -- who is where ----------------------------------------------------------------------------------------------------


def is_army(t: Wharf, now: Standing, r: int) -> bool:
    """Is this an army, and aboard of nothing?"""
    return now.sort[r] == t.kinds[0] and not now.aboard[r]


def is_fleet(t: Wharf, now: Standing, r: int) -> bool:
    """Is this a fleet without an army?"""
    return now.sort[r] == t.kinds[1]


def is_pair(t: Wharf, now: Standing, r: int) -> bool:
    """Is this a fleet with an army aboard?"""
    return now.sort[r] == t.kinds[2]


def carrier_of(now: Standing, r: int) -> int:
    """The row of the fleet that carries an army, 0 if it is not on the board."""
    for c in range(1, now.n + 1):
        if now.number[c] == now.aboard[r]:
            return c
    return 0


def cargo_of(now: Standing, r: int) -> int:
    """The row of the army aboard of a fleet, 0 if there is none."""
    for load in range(1, now.n + 1):
        if now.aboard[load] == now.number[r]:
            return load
    return 0


def tenant_of(now: Standing, place: int) -> int:
    """The row of the unit that stands in a province, 0 if there is none."""
    for r in range(1, now.n + 1):
        if now.at[r] == place:
            return r
    return 0


def lands_on(t: Wharf, water: int, place: int) -> bool:
    """Is a province a shore beside a water, to land on and to go aboard from?"""
    found = False
    for i in range(t.shore_at[water], t.shore_at[water + 1]):
        found = found or t.shores[i] == place
    return found


def may_board(t: Wharf, now: Standing, army: int, fleet: int) -> bool:
    """Could this army go aboard this fleet, whatever else is ordered (AFM-1, AFM-3, SCO-8)?"""
    if not is_army(t, now, army) or not is_fleet(t, now, fleet) or now.owner[army] != now.owner[fleet]:
        return False
    water = now.at[fleet]
    return bool(t.beside[water]) and lands_on(t, water, now.at[army])


# -- what may be ordered ---------------------------------------------------------------------------------------------


def offer(t: Wharf, now: Standing) -> None:
    """Say how many orders about going aboard and ashore there are for each unit."""
    for r in range(1, now.n + 1):
        now.offers[r] += count_orders(t, now, r)


def count_orders(t: Wharf, now: Standing, r: int) -> int:
    """How many orders about going aboard and ashore a unit may be given."""
    if not t.allows[now.owner[r]]:
        return 0
    if now.aboard[r]:
        return count_landings(t, now, r)
    here = now.at[r]
    if is_pair(t, now, r):
        return 0 if t.settings[OWN_LANDING] else t.shore_at[here + 1] - t.shore_at[here]
    if t.settings[ORDER] == IMPLIED:
        if not may_join(t, now, r):
            return 0
        return 1 + t.sail_at[here + 1] - t.sail_at[here] + t.shore_at[here + 1] - t.shore_at[here]
    count = 0
    for other in range(1, now.n + 1):
        count += may_board(t, now, r, other) or (t.settings[ORDER] == BY_BOTH and may_board(t, now, other, r))
    return count


def count_landings(t: Wharf, now: Standing, r: int) -> int:
    """How many orders to go ashore an army aboard has: from its water, and those its fleet may sail to (AFM-6.a)."""
    carrier = carrier_of(now, r)
    if not carrier or not t.settings[OWN_LANDING]:
        return 0
    here = now.at[carrier]
    count = t.shore_at[here + 1] - t.shore_at[here]
    if t.settings[UNDER_WAY]:
        for i in range(t.sail_at[here], t.sail_at[here + 1]):
            water = t.place[t.sails[i]]
            count += t.shore_at[water + 1] - t.shore_at[water]
    return count


def may_join(t: Wharf, now: Standing, fleet: int) -> bool:
    """Is there a free army for this fleet in its box, those before it having had theirs (CNW-6.a1)?"""
    here, left = now.at[fleet], 0
    if not is_fleet(t, now, fleet) or not t.boxes[here]:
        return False
    for r in range(1, now.n + 1):
        if now.at[r] == here and now.owner[r] == now.owner[fleet]:
            left += is_army(t, now, r)
            left -= r <= fleet and is_fleet(t, now, r)
    return left >= 0


def choose(t: Wharf, now: Standing) -> None:
    """Make the orders of which the number was drawn."""
    for r in range(1, now.n + 1):
        if now.verb[r] == DRAWN:
            count = count_orders(t, now, r)
            if now.goal[r] < count:
                choose_order(t, now, r, now.goal[r])
            else:  # it is one of another mechanic's
                now.goal[r] -= count


def think(t: Wharf, now: Standing) -> None:
    """Leave of orders about going aboard and ashore all but to stand as a pair, which is no better than to hold."""
    for r in range(1, now.n + 1):
        if now.verb[r] == STAND_AS_PAIR:
            now.verb[r] = HOLD


def choose_order(t: Wharf, now: Standing, r: int, n: int) -> None:
    """Give a unit the order of this number, from 0, among those about going aboard and ashore."""
    locations, here = t.locations[0], now.at[r]
    now.load[r] = now.rider[r] = 0
    if now.aboard[r]:
        choose_landing(t, now, r, n)
    elif is_pair(t, now, r):
        land(t, now, r, t.shores[t.shore_at[here] + n])
    elif t.settings[ORDER] == IMPLIED:
        sails = t.sail_at[here + 1] - t.sail_at[here]
        if n == 0:
            now.verb[r], now.goal[r] = STAND_AS_PAIR, -1
        elif n <= sails:
            now.verb[r], now.goal[r] = SAIL_AS_PAIR, t.kinds[2] * locations + t.sails[t.sail_at[here] + n - 1]
        else:
            land(t, now, r, t.shores[t.shore_at[here] + n - 1 - sails])
    else:
        for other in range(1, now.n + 1):
            boards, takes = may_board(t, now, r, other), may_board(t, now, other, r)
            if boards or (takes and t.settings[ORDER] == BY_BOTH):
                if n == 0:
                    now.verb[r] = BOARD if boards else TAKE
                    now.goal[r] = now.sort[other] * locations + t.bare[now.at[other]]
                    return
                n -= 1


def choose_landing(t: Wharf, now: Standing, r: int, n: int) -> None:
    """Give an army aboard the order to go ashore of this number, from 0: `load` is 1 + the water it names."""
    here = now.at[carrier_of(now, r)]
    for i in range(t.sail_at[here] - 1, t.sail_at[here + 1]):
        water = here if i < t.sail_at[here] else t.place[t.sails[i]]
        shores = t.shore_at[water + 1] - t.shore_at[water]
        if n < shores:
            land(t, now, r, t.shores[t.shore_at[water] + n])
            now.load[r] = 1 + water
            return
        n -= shores


def land(t: Wharf, now: Standing, r: int, place: int) -> None:
    """Order an army, or the fleet it is aboard of, to land it in a province."""
    now.verb[r], now.goal[r] = LAND, t.kinds[0] * t.locations[0] + t.bare[place]


def goal_of(t: Wharf, now: Standing, r: int) -> int:
    """The province in which an order ends."""
    return t.place[now.goal[r] % t.locations[0]]


# -- going aboard ----------------------------------------------------------------------------------------------------


def muster(t: Wharf, now: Standing) -> None:
    """Let all go aboard who do, before anything moves; what can then not be carried out any more is not."""
    if t.settings[ORDER] == IMPLIED:
        form_pairs(t, now)
    else:
        board_fleets(t, now)
    for r in range(1, now.n + 1):
        if is_pair(t, now, r) and now.verb[r] == LAND:  # an order for the pair
            load, here = cargo_of(now, r), now.at[r]
            fault = landing_fault(t, HOLD, -1, here, here, now.span[load] == JUST)
            now.verb[load], now.goal[load] = HOLD if fault else LAND, now.goal[r]
            now.verb[r] = HOLD
    if t.settings[OWN_LANDING]:
        bind_landings(t, now)


def join(t: Wharf, now: Standing, army: int, fleet: int) -> None:
    """Put an army aboard of a fleet."""
    now.aboard[army], now.sort[fleet], now.span[army] = now.number[fleet], t.kinds[2], JUST
    now.at[army], now.verb[army] = -1, HOLD


def form_pairs(t: Wharf, now: Standing) -> None:
    """Each order for a pair that there is not yet joins the first free army and fleet in the box (CNW-5.a, 6.a1)."""
    for fleet in range(1, now.n + 1):
        if is_fleet(t, now, fleet) and is_for_pair(now, fleet):
            first, army = fleet, 0
            for r in range(now.n, 0, -1):
                if now.at[r] == now.at[fleet] and now.owner[r] == now.owner[fleet]:
                    first = r if r < fleet and is_fleet(t, now, r) else first
                    army = r if is_army(t, now, r) else army
            for r in range(fleet, first, -1):  # the others' orders move on by one
                if is_fleet(t, now, r) and now.at[r] == now.at[fleet] and now.owner[r] == now.owner[fleet]:
                    swap(t, now, r)
            move_on(t, now, army)
            join(t, now, army, first)


def is_for_pair(now: Standing, r: int) -> bool:
    """Is a unit's order for a pair that is yet to be formed?"""
    return now.verb[r] == STAND_AS_PAIR or now.verb[r] == SAIL_AS_PAIR or now.verb[r] == LAND


def swap(t: Wharf, now: Standing, r: int) -> None:
    """Exchange the order of a fleet and that of the free fleet of its power before it in the same place."""
    before = r - 1
    while not (is_fleet(t, now, before) and now.at[before] == now.at[r] and now.owner[before] == now.owner[r]):
        before -= 1
    verb, goal, about = now.verb[r], now.goal[r], now.about[r]
    load, rider = now.load[r], now.rider[r]
    copy_order(now, before, r)
    now.verb[before], now.goal[before], now.about[before] = verb, goal, about
    now.load[before], now.rider[before] = load, rider


def move_on(t: Wharf, now: Standing, first: int) -> None:
    """Give the orders of a power's armies in a place, from this one on, each to the next; the last is left over."""
    last = first
    for r in range(first + 1, now.n + 1):
        if is_army(t, now, r) and now.at[r] == now.at[first] and now.owner[r] == now.owner[first]:
            last = r
    for r in range(last, first, -1):
        if is_army(t, now, r) and now.at[r] == now.at[first] and now.owner[r] == now.owner[first]:
            before = r - 1
            while not (is_army(t, now, before) and now.at[before] == now.at[r] and now.owner[before] == now.owner[r]):
                before -= 1
            copy_order(now, before, r)


def copy_order(now: Standing, a: int, b: int) -> None:
    """Give a unit the order of another."""
    now.verb[b], now.goal[b], now.about[b] = now.verb[a], now.goal[a], now.about[a]
    now.load[b], now.rider[b] = now.load[a], now.rider[a]


def board_fleets(t: Wharf, now: Standing) -> None:
    """Let armies go aboard that are ordered so."""
    for r in range(1, now.n + 1):
        now.result[r] = 0
    for r in range(1, now.n + 1):
        if now.verb[r] == BOARD:
            now.result[r] = ship_of(t, now, r)
    embark(t, now)


def embark(t: Wharf, now: Standing) -> None:
    """Put armies aboard of the fleets that `result` names; of several for the same nobody (AFM-3.e)."""
    for r in range(1, now.n + 1):
        boarders = 0
        for other in range(1, now.n + 1):
            boarders += now.result[other] == now.result[r]
        if now.result[r] and boarders == 1:
            go_aboard(t, now, r, now.result[r])


def ship_of(t: Wharf, now: Standing, army: int) -> int:
    """The fleet that an army's order to board is for, 0 if it does not stand."""
    water = goal_of(t, now, army)
    fleet, against = tenant_of(now, water), 0
    taken = now.verb[fleet] == TAKE and goal_of(t, now, fleet) == now.at[army]
    if not t.forms[water]:
        return 0
    if t.settings[ORDER] == BY_BOTH and not taken:
        return 0
    for r in range(1, now.n + 1):
        same = r != army and now.owner[r] == now.owner[army] and not (r == fleet and taken)
        if same and t.settings[WHOLE] and named(now, r) == water and outranks(t, r, army):
            against = r
            if t.settings[DOUBLE] == CANCEL:
                now.verb[r] = HOLD
    return 0 if against else fleet


def named(now: Standing, r: int) -> int:
    """The province that the order of a unit names as its own, -1 if it has none."""
    if now.aboard[r]:
        return now.load[r] - 1 if now.verb[r] == LAND else -1
    return now.at[r]


def outranks(t: Wharf, other: int, this: int) -> bool:
    """Does another of two orders that contradict each other count against this one (4.D.3)?"""
    answer = t.settings[DOUBLE]
    return answer == CANCEL or (other < this if answer == FIRST else other > this)


def go_aboard(t: Wharf, now: Standing, army: int, fleet: int) -> None:
    """Put an army aboard; orders that were for it, and those of the fleet that a pair cannot carry out, are void."""
    water, shift = now.at[fleet], (t.kinds[2] - t.kinds[1]) * t.locations[0]
    join(t, now, army, fleet)
    if now.verb[fleet] == MOVE:
        if sails_to(t, water, goal_of(t, now, fleet)):
            now.goal[fleet] += shift
        else:
            now.verb[fleet] = VAIN if t.settings[REFUSES] else HOLD
    elif now.verb[fleet] == SUPPORT:
        place = goal_of(t, now, fleet) if now.goal[fleet] >= 0 else now.at[now.about[fleet]]
        if not helps_into(t, water, place):
            now.verb[fleet] = HOLD
    elif now.verb[fleet] == CONVOY:
        now.verb[fleet] = HOLD
    for r in range(1, now.n + 1):
        if now.verb[r] == SUPPORT or now.verb[r] == CONVOY:
            if now.about[r] == army:
                now.verb[r] = HOLD
            elif now.about[r] == fleet and now.goal[r] >= 0:
                if sails_to(t, water, goal_of(t, now, r)):
                    now.goal[r] += shift
                else:
                    now.verb[r] = HOLD


def sails_to(t: Wharf, water: int, place: int) -> bool:
    """May a pair sail from a water to a province?"""
    found = False
    for i in range(t.sail_at[water], t.sail_at[water + 1]):
        found = found or t.place[t.sails[i]] == place
    return found


def helps_into(t: Wharf, water: int, place: int) -> bool:
    """May a pair support from a water into a province?"""
    found = False
    for i in range(t.help_at[water], t.help_at[water + 1]):
        found = found or t.helps[i] == place
    return found


# -- going ashore ----------------------------------------------------------------------------------------------------


def bind_landings(t: Wharf, now: Standing) -> None:
    """Give each order to go ashore to the army that it is for; `result` is that army's row.

    Until all have theirs, `fell` is one more than an army's goal.
    """
    for r in range(1, now.n + 1):
        now.result[r], now.fell[r] = 0, 0
        if now.aboard[r] and now.verb[r] == LAND:
            now.result[r] = lander_of(t, now, r)
    for army in range(1, now.n + 1):
        if now.aboard[army]:
            chosen = 0
            for r in range(1, now.n + 1):
                if now.result[r] != army:
                    continue
                if not chosen or t.settings[DOUBLE] == LAST:
                    chosen = r
                elif t.settings[DOUBLE] == CANCEL and not is_same(now, r, max(0, chosen)):
                    chosen = -1
            now.fell[army] = 1 + now.goal[chosen] if chosen > 0 else 0
    for r in range(1, now.n + 1):
        if now.aboard[r]:
            now.verb[r], now.goal[r] = LAND if now.fell[r] else HOLD, now.fell[r] - 1
            now.fell[r] = 0


def is_same(now: Standing, r: int, other: int) -> bool:
    """Are two orders to go ashore the same?"""
    return now.goal[r] == now.goal[other] and now.load[r] == now.load[other]


def lander_of(t: Wharf, now: Standing, r: int) -> int:
    """The army that an order to go ashore is for, 0 if it is void."""
    water = now.load[r] - 1
    carrier = landing_fleet(t, now, now.owner[r], water)
    army = cargo_of(now, carrier) if carrier else 0
    if not army:
        return 0
    doing, to = now.verb[carrier], -1
    if doing == SAIL_AS_PAIR:
        doing = MOVE
    if doing == MOVE:
        to = goal_of(t, now, carrier)
    return 0 if landing_fault(t, doing, to, water, now.at[carrier], now.span[army] == JUST) else army


def landing_fleet(t: Wharf, now: Standing, owner: int, water: int) -> int:
    """The fleet whose army goes ashore from a water: it stands there, or is ordered to sail there (AFM-6.k).

    0 if there is none, or if it could be two.
    """
    standing, coming, count = 0, 0, 0
    for c in range(1, now.n + 1):
        if now.owner[c] == owner and is_pair(t, now, c):
            if now.at[c] == water:
                standing = c
            if is_moving(now, c) and goal_of(t, now, c) == water:
                coming = c
                count += 1
    if standing and not is_moving(now, standing):
        return standing
    return coming if count == 1 else 0 if count else standing


def is_moving(now: Standing, r: int) -> bool:
    """Is a fleet ordered to sail?"""
    return now.verb[r] == MOVE or now.verb[r] == SAIL_AS_PAIR


def landing_fault(t: Wharf, doing: int, to: int, named: int, lies: int, just: bool) -> int:
    """Why an army cannot go ashore from the water named, its fleet `doing` what it does where it lies; 0 if it can.

    (AFM-6, CNW-6.c.)  A fleet under way is bound for `to`; the army has `just` gone aboard, or not.
    """
    if doing == MOVE and t.settings[OWN_LANDING]:
        return 0 if t.settings[UNDER_WAY] and to == named else BUSY
    if doing in (MOVE, SUPPORT, CONVOY):
        return BUSY
    if named != lies:
        return NO_LANDER
    return JUST_BOARDED if just and not t.settings[SOON] else 0


def set_out(t: Wharf, now: Standing) -> None:
    """A landing is a carried move whose route is its own fleet; a failed ferry takes its army aboard."""
    act, to, flags = now.act, now.to, now.flags
    for r in range(1, now.n + 1):
        if now.aboard[r]:
            flags[r] |= ABSENT
            carrier = carrier_of(now, r)
            if act[r] == MOVE and carrier:
                flags[r] |= PASS
                water = now.at[carrier]
                if act[carrier] == MOVE and not flags[carrier] & NOWAY:
                    flags[r] |= CARRIED | SAILS
                    now.about[r], water = carrier, to[carrier]
                elif not t.settings[APART]:
                    flags[r] |= CARRIED
                    now.about[r] = carrier
                met = tenant_of(now, to[r])
                if t.settings[BLUNTED] and met and act[met] == SUPPORT and to[met] == water:
                    flags[r] |= BLUNT
        elif act[r] == CONVOY and t.settings[FERRIED]:
            army = now.about[r]
            own = now.owner[army] == now.owner[r] and t.allows[now.owner[r]]
            if own and act[army] == MOVE and to[army] == to[r]:
                flags[army] |= LEAVES


# -- what becomes of those aboard ------------------------------------------------------------------------------------


def spend_season(t: Wharf, now: Standing) -> None:
    """Those refused ashore by a ferry are aboard, and all aboard have spent one season more (AFM-2.e, AFM-4)."""
    for r in range(1, now.n + 1):
        if now.flags[r] & LEAVES and now.left[r] and not now.came[r]:
            ferry = ferry_of(now, r)
            now.aboard[r], now.sort[ferry] = now.number[ferry], t.kinds[2]
    for r in range(1, now.n + 1):
        if not now.aboard[r] or now.came[r]:
            now.span[r] = 0
            continue
        now.span[r] = 1 + max(0, now.span[r])
        if t.settings[MOST] and now.span[r] >= t.settings[MOST]:
            now.gone[r] = 1


def ferry_of(now: Standing, army: int) -> int:
    """The first ferry of its own power that is still there for an army: by `load`, where orders have a number there."""
    first = 0
    for r in range(1, now.n + 1):
        ferries = now.act[r] == CONVOY and now.about[r] == army and now.owner[r] == now.owner[army]
        if ferries and not now.victor[r] and (not first or now.load[r] < now.load[first]):
            first = r
    return first


def follow(t: Wharf, now: Standing) -> None:
    """After retreats, armies whose fleet is gone, or lies where pairs do not, are lost (AFM-7, CNW-6.e)."""
    for r in range(1, now.n + 1):
        if now.aboard[r]:
            carrier = carrier_of(now, r)
            if not carrier or not t.holds[now.at[carrier]]:
                now.gone[r] = 1


def keep_together(t: Wharf, now: Standing) -> None:
    """Let no fleet go from under its army but where that can stay (AFM-8.a, CNW-6.a4)."""
    for r in range(1, now.n + 1):
        if is_pair(t, now, r) and not t.alone[now.at[r]]:
            now.barred[r] |= NO_REMOVAL | (FOR_TWO if t.settings[NEEDS] > 1 else 0)


def forget(t: Wharf, now: Standing) -> None:
    """Of who is aboard no more nothing is kept."""
    for r in range(1, now.n + 1):
        if not now.aboard[r]:
            now.span[r] = 0
