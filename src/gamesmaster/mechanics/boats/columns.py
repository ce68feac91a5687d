"""Boats over columns: what units may take, make and destroy, and what becomes of boats in a season.

Of the boats in province `p` those of builder `b` are `kept[p * names + b]`; `names` is one more than there are powers,
or 1 where boats bear no names and are all of builder 0.  Behind these are, by province, 1 + the builder of the raw boat
there, or 0.  What a unit takes along is a number, whose digits, to the base `names` + 1, are 1 + the boats' builders.
Ordinary Python runs these functions on lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gamesmaster.engine import FAINT, HOLD, MOVE, NOWAY, Column
from gamesmaster.rules import DRAWN, NO_MOVES, NO_STEPS, NO_SUPPORTS, OWN, Standing

GO, MAKE, DESTROY = OWN, OWN + 1, OWN + 2
"""The verbs: to move with boats, to build one, to destroy one."""

ANY = -1
"""One boat: an own one, or else the first by its builder's name."""

NAMES, CARRY, LIMIT, OCCUPIED, INLAND, PLAIN, AFLOAT = range(7)
"""Indices into `BoatTables.settings`.

`names`, `carry` and `limit` are those of the settings; `OCCUPIED` is 1 if boats may go to occupied places, `INLAND` if
they are built inland; `PLAIN` and `AFLOAT` are the kinds of unit on land and afloat.
"""

MADE, DISTURBED, ENOUGH = 1, 2, 3
"""The results of building a boat."""


class BoatTables(NamedTuple):
    """A variant's settings for boats, in columns."""

    settings: Sequence[int]
    water: Sequence[int]  # by province: 1 if it is water
    waters: Sequence[int]  # all waters
    shore: Sequence[int]  # by province: 1 if it touches water
    goal_at: Sequence[int]
    goals: Sequence[int]  # `goals[goal_at[p]:goal_at[p + 1]]` are the provinces where boats go from p
    arrive: Sequence[int]  # by province: the goal of an order to go there
    builds: Sequence[int]  # by power: 1 if it builds boats
    by_name: Sequence[int]  # the builders in the order of their names


def is_hand(t: BoatTables, sort: int) -> bool:
    """Return whether a unit of this kind can handle boats."""
    return sort == t.settings[PLAIN] or sort == t.settings[AFLOAT]


def raw_in(t: BoatTables, place: int) -> int:
    """Return the index in `kept` of the raw boat in a province."""
    return len(t.water) * t.settings[NAMES] + place


def must_carry(t: BoatTables, raw: int, owner: int, sort: int) -> bool:
    """Return whether a unit must bring the boat that it built inland to the coast (SCO-10.f).

    `raw` is what is kept of the raw boat in its province (`raw_in`).
    """
    return owner > 0 and is_hand(t, sort) and raw == 1 + owner


def count_boats(t: BoatTables, kept: Sequence[int], place: int) -> int:
    """Return the number of boats in a province, without a raw one."""
    names, count = t.settings[NAMES], 0
    for builder in range(place * names, (place + 1) * names):
        count += kept[builder]
    return count


# -- what may be ordered ---------------------------------------------------------------------------------------------


def list_loads(t: BoatTables, kept: Sequence[int], place: int, owner: int, sort: int, most: int, found: Column) -> int:
    """List in `found` the loads of up to `most` boats that a unit on land may take, and return their number.

    A load is the raw boat that the unit built inland, or any of the boats in its province.
    """
    names, first, count = t.settings[NAMES], place * t.settings[NAMES], 0
    if must_carry(t, kept[raw_in(t, place)], owner, sort):
        found[0] = 1 + owner
        return 1
    for builder in range(names):
        if kept[first + builder]:
            found[count] = 1 + builder
            count += 1
    begin, digit = 0, 1
    for _ in range(most - 1):  # one boat more, of the same builder as the last or a later one
        end, digit = count, digit * (names + 1)
        for i in range(begin, end):
            last = found[i] // (digit // (names + 1)) - 1
            for builder in range(last, names):
                if kept[first + builder] > digits(found[i], builder, names):
                    found[count] = found[i] + (1 + builder) * digit
                    count += 1
        begin = end
    return count


def digits(load: int, builder: int, names: int) -> int:
    """Return how many of a builder's boats a load has."""
    count = 0
    while load:
        count += load % (names + 1) == 1 + builder
        load //= names + 1
    return count


def may_make(t: BoatTables, kept: Sequence[int], place: int, owner: int, sort: int) -> bool:
    """Return whether a unit may build a boat (IND-6.b, SCO-10.a); it may not while it must carry one."""
    able = sort == t.settings[PLAIN] and t.builds[owner] and (t.settings[INLAND] or t.shore[place])
    return bool(able) and not must_carry(t, kept[raw_in(t, place)], owner, sort)


def list_breakable(t: BoatTables, kept: Sequence[int], place: int, sort: int, found: Column) -> int:
    """List in `found` the boats that a unit may destroy, not the only one under itself (IND-7.f, SCO-13.d); how many.

    Of each builder it is one.
    """
    if sort == t.settings[AFLOAT] and count_boats(t, kept, place) < 2:
        return 0
    return list_loads(t, kept, place, 0, sort, 1, found)


def offer(t: BoatTables, now: Standing) -> None:
    """Say how many orders about boats there are for each unit, and which other ones it may not be given."""
    for r in range(1, now.n + 1):
        if now.units.owner[r] and now.units.at[r] >= 0 and is_hand(t, now.units.sort[r]):
            now.orders.offers[r] += count_orders(t, now, r)
            if now.units.sort[r] == t.settings[AFLOAT]:
                now.orders.barred[r] |= NO_STEPS
            elif must_carry(t, now.kept[raw_in(t, now.units.at[r])], now.units.owner[r], now.units.sort[r]):
                now.orders.barred[r] |= NO_STEPS | NO_SUPPORTS


def count_orders(t: BoatTables, now: Standing, r: int) -> int:
    """Return the number of orders about boats that a unit may be given."""
    place, owner, sort = now.units.at[r], now.units.owner[r], now.units.sort[r]
    moves = count_goals(t, now, r)
    if sort == t.settings[PLAIN]:
        moves *= list_loads(t, now.kept, place, owner, sort, t.settings[CARRY], now.spare)
    return moves + may_make(t, now.kept, place, owner, sort) + list_breakable(t, now.kept, place, sort, now.spare)


def choose(t: BoatTables, now: Standing) -> None:
    """Replace each drawn number of an order by the order."""
    for r in range(1, now.n + 1):
        if now.orders.verb[r] == DRAWN and now.units.at[r] >= 0 and is_hand(t, now.units.sort[r]):
            count = count_orders(t, now, r)
            if now.orders.goal[r] < count:
                choose_order(t, now, r, now.orders.goal[r])
            else:  # it is one of another mechanic's
                now.orders.goal[r] -= count


def choose_order(t: BoatTables, now: Standing, r: int, n: int) -> None:
    """Give a unit the order of this number, from 0, among those about boats."""
    place, owner, sort = now.units.at[r], now.units.owner[r], now.units.sort[r]
    goals, loads = count_goals(t, now, r), 1
    now.orders.verb[r], now.orders.goal[r], now.orders.load[r], now.orders.rider[r] = GO, -1, 0, 0
    if sort == t.settings[PLAIN]:
        loads = list_loads(t, now.kept, place, owner, sort, t.settings[CARRY], now.spare)
    if n < goals * loads:
        now.orders.goal[r] = t.arrive[goal_of(t, now, place, n % goals)]
        now.orders.load[r] = now.spare[n // goals] if sort == t.settings[PLAIN] else 0
        return
    n -= goals * loads
    now.orders.verb[r] = MAKE
    if may_make(t, now.kept, place, owner, sort):
        if n == 0:
            return
        n -= 1
    list_breakable(t, now.kept, place, sort, now.spare)
    now.orders.verb[r], now.orders.rider[r] = DESTROY, now.spare[n]


def think(t: BoatTables, now: Standing) -> None:
    """Turn orders about boats into holds, except those to move with, or destroy, one boat that needs no name.

    `load` is `ENOUGH` for an order to build a boat that cannot succeed.
    """
    for r in range(1, now.n + 1):
        verb, boat = now.orders.verb[r], 0
        if verb == GO and now.units.sort[r] == t.settings[PLAIN]:
            raw = must_carry(t, now.kept[raw_in(t, now.units.at[r])], now.units.owner[r], now.units.sort[r])
            boat = now.orders.load[r] if raw else 1 + unnamed(t, now, r)
            now.orders.verb[r] = GO if now.orders.load[r] == boat else HOLD
        elif verb == DESTROY:
            now.orders.verb[r] = DESTROY if now.orders.rider[r] == 1 + unnamed(t, now, r) else HOLD
        elif verb == MAKE and is_enough(t, now.kept, now.units.owner[r]):
            now.orders.load[r] = ENOUGH


def is_enough(t: BoatTables, kept: Sequence[int], owner: int) -> bool:
    """Return whether a builder has as many boats as allowed, without those built this season (SCO-10.d)."""
    names, count = t.settings[NAMES], 0
    for boats in kept[owner if names > 1 else 0 : raw_in(t, 0) : names]:
        count += boats
    return t.settings[LIMIT] > 0 and count >= t.settings[LIMIT]


def count_goals(t: BoatTables, now: Standing, r: int) -> int:
    """Return the number of places to which a unit may go with its boats."""
    place, count = now.units.at[r], 0
    if now.orders.barred[r] & NO_MOVES:
        return 0
    for i in range(t.goal_at[place], t.goal_at[place + 1]):
        count += is_free(t, now, t.goals[i])
    return count


def goal_of(t: BoatTables, now: Standing, place: int, n: int) -> int:
    """Return the destination with this number, from 0, of those to which boats can be sent."""
    for i in range(t.goal_at[place], t.goal_at[place + 1]):
        if is_free(t, now, t.goals[i]):
            if n == 0:
                return t.goals[i]
            n -= 1
    return -1


def is_free(t: BoatTables, now: Standing, place: int) -> bool:
    """Return whether the units in a place leave it open to boats (IND-6.j)."""
    if not t.settings[OCCUPIED]:
        for r in range(1, now.n + 1):
            if now.units.at[r] == place:
                return False
    return True


# -- what becomes of them --------------------------------------------------------------------------------------------


def go_on(t: BoatTables, now: Standing) -> None:
    """Move boats with their units, then destroy, set down, build and lose boats, in this order (IND-0.n, SCO-1.d).

    `spare` must contain zeros. Afterwards it contains what `build` leaves there, and zeros.
    """
    carry(t, now)
    destroy(t, now)
    set_down(t, now)
    build(t, now)
    sink_empty(t, now)


def carry(t: BoatTables, now: Standing) -> None:
    """Take up in `spare`, by where they come to, the boats of units that came through (IND-6.j)."""
    names, kept, verb = t.settings[NAMES], now.kept, now.orders.verb
    for r in range(1, now.n + 1):
        if verb[r] != GO or not now.moves.came[r]:
            continue
        here, there = now.units.at[r] * names, now.moves.to[r] * names
        if t.water[now.units.at[r]]:
            bring_all(t, now, now.units.at[r], now.moves.to[r])
        elif must_carry(t, kept[raw_in(t, now.units.at[r])], now.units.owner[r], now.units.sort[r]):
            now.spare[there + now.units.owner[r]] += 1
            kept[raw_in(t, now.units.at[r])] = 0
        else:
            load = now.orders.load[r]
            while load:
                builder = load % (names + 1) - 1
                now.spare[there + builder] += 1
                kept[here + builder] -= 1
                load //= names + 1


def bring_all(t: BoatTables, now: Standing, place: int, to: int) -> None:
    """Take up all boats of a place for another, or, if that is -1, lose them."""
    names = t.settings[NAMES]
    for builder in range(names):
        if to >= 0:
            now.spare[to * names + builder] += now.kept[place * names + builder]
        now.kept[place * names + builder] = 0


def destroy(t: BoatTables, now: Standing) -> None:
    """Destroy boats as ordered if they are still there (IND-7.c, d; SCO-13.c to e); otherwise set `rider` to 0."""
    names, rider = t.settings[NAMES], now.orders.rider
    for r in range(1, now.n + 1):
        if rider[r]:
            builder, here = meant(t, now, r), now.units.at[r]
            afloat = is_hand(t, now.units.sort[r]) and t.water[here]
            if builder < 0 or (afloat and (now.moves.victor[r] or count_boats(t, now.kept, here) < 2)):
                rider[r] = 0
            else:
                now.kept[here * names + builder] -= 1


def meant(t: BoatTables, now: Standing, r: int) -> int:
    """Return the builder whose boat a unit destroys, -1 if that boat is missing."""
    if now.orders.rider[r] != ANY:
        builder = now.orders.rider[r] - 1
        return builder if now.kept[now.units.at[r] * t.settings[NAMES] + builder] else -1
    return unnamed(t, now, r)


def unnamed(t: BoatTables, now: Standing, r: int) -> int:
    """Return the builder of the boat that an order without names means, -1 without any boat.

    It is the unit's own power, or else the first builder by name.
    """
    first, owner = now.units.at[r] * t.settings[NAMES], now.units.owner[r]
    if owner < t.settings[NAMES] and now.kept[first + owner]:
        return owner
    for builder in t.by_name:
        if now.kept[first + builder]:
            return builder
    return -1


def set_down(t: BoatTables, now: Standing) -> None:
    """Set boats down where units have brought them."""
    verb = now.orders.verb
    for r in range(1, now.n + 1):
        if verb[r] == GO and now.moves.came[r]:
            lay_down(t, now, now.moves.to[r])


def lay_down(t: BoatTables, now: Standing, place: int) -> None:
    """Add the boats brought to a place to those that are there."""
    for i in range(place * t.settings[NAMES], (place + 1) * t.settings[NAMES]):
        now.kept[i] += now.spare[i]
        now.spare[i] = 0


def build(t: BoatTables, now: Standing) -> None:
    """Finish new boats, in provinces with lower numbers first if there is a limit (SCO-10.d).

    Raw boats that nobody has carried are lost, and `spare` lists them. `result` gets the result of each order to
    build.
    """
    kept, spare, verb, result = now.kept, now.spare, now.orders.verb, now.orders.result
    for raw in range(raw_in(t, 0), len(kept)):
        spare[raw] = kept[raw]
        kept[raw] = 0
    makers = 0
    for r in range(1, now.n + 1):
        result[r] = 0
        if verb[r] == MAKE:
            spare[makers] = r
            makers += 1
    while makers:
        first = 0
        for i in range(makers):
            if now.units.at[spare[i]] < now.units.at[spare[first]]:
                first = i
        r, makers = spare[first], makers - 1
        spare[first], spare[makers] = spare[makers], 0
        result[r] = make(t, now, r)


def make(t: BoatTables, now: Standing, r: int) -> int:
    """Finish a boat: `MADE`, or why it is not."""
    names, place, limit, to = t.settings[NAMES], now.units.at[r], t.settings[LIMIT], now.moves.to
    builder = now.units.owner[r] if names > 1 else 0
    for other in range(1, now.n + 1):
        if to[other] == place and disturbs(now, other, r):
            return DISTURBED
    if limit and count_built(t, now, builder) >= limit:
        return ENOUGH
    if t.shore[place]:
        now.kept[place * names + builder] += 1
    else:
        now.kept[raw_in(t, place)] = 1 + builder
    return MADE


def disturbs(now: Standing, other: int, r: int) -> bool:
    """Return whether another power's unit has a valid march or landing into the place of row `r` (IND-6.c).

    Whether it succeeds does not matter.
    """
    attacks = (
        now.moves.act[other] == MOVE
        and now.moves.to[other] == now.units.at[r]
        and not now.moves.flags[other] & (FAINT | NOWAY)
    )
    return bool(attacks) and now.units.owner[other] != now.units.owner[r]


def count_built(t: BoatTables, now: Standing, builder: int) -> int:
    """Return the number of a builder's boats, with raw ones and all of this season (SCO-10.d)."""
    count, result = 0, now.orders.result
    for boats in now.kept[builder : raw_in(t, 0) : t.settings[NAMES]]:
        count += boats
    for r in range(1, now.n + 1):
        if result[r] == MADE and now.units.owner[r] == builder and not t.shore[now.units.at[r]]:
            count += 1
    return count


def sink_empty(t: BoatTables, now: Standing) -> None:
    """Sink boats in waters without a unit afloat, present or dislodged."""
    names, at, kept, manned, moving = t.settings[NAMES], now.units.at, now.kept, now.spare, now.moves.moving
    for r in range(1, now.n + 1):
        place = now.moves.to[r] if moving and now.moves.came[r] else at[r]
        if place >= 0 and t.water[place] and is_hand(t, now.units.sort[r]):
            lost = now.units.gone[r] and not (moving and now.moves.victor[r])
            if not lost:
                manned[place * names] = 1
    for r in range(1, now.beaten.n + 1):
        if is_hand(t, now.beaten.sort[r]):
            manned[now.beaten.at[r] * names] = 1
    for place in t.waters:
        first = place * names
        if not manned[first]:
            for i in range(first, first + names):
                kept[i] = 0
        manned[first] = 0
    for r in range(1, now.beaten.n + 1):
        manned[now.beaten.at[r] * names] = 0


def sink_lost(t: BoatTables, now: Standing) -> None:
    """Sink boats in the waters where units are lost."""
    for r in range(1, now.n + 1):
        if now.units.gone[r] and now.units.at[r] >= 0 and t.water[now.units.at[r]]:
            bring_all(t, now, now.units.at[r], -1)


def flee(t: BoatTables, now: Standing) -> None:
    """Move the boats of retreating units afloat along; without a retreat the boats are lost (SCO-11.f, SCO-12.b)."""
    for r in range(1, now.beaten.n + 1):
        if now.beaten.sort[r] == t.settings[AFLOAT]:
            bring_all(t, now, now.beaten.at[r], now.beaten.refuge[r])
    for r in range(1, now.beaten.n + 1):
        if now.beaten.refuge[r] >= 0:
            lay_down(t, now, now.beaten.refuge[r])
    sink_empty(t, now)
