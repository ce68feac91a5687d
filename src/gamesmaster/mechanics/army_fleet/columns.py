"""Armies aboard fleets, over columns: landings and losses.

An order names a unit in a box only by its kind: it is for the power's first unit of this kind there. Ordinary Python
runs these functions on lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gamesmaster.engine import ABSENT, BLUNT, CARRIED, CONVOY, HOLD, LEAVES, MOVE, NOWAY, PASS, SAILS, SUPPORT, row_of
from gamesmaster.rules import FOR_TWO, NO_REMOVAL, OWN, Standing

BOARD, TAKE, LAND, STAND_AS_PAIR, SAIL_AS_PAIR, VAIN = range(OWN + 3, OWN + 9)
"""The verbs: to go aboard, to take aboard, to go ashore; to hold and to move as a pair that is yet to be formed.

The last is the move of a fleet that cannot be made since somebody has come aboard.
"""

(
    ORDER, WHOLE, SOON, MOST, OWN_LANDING, UNDER_WAY, APART, BLUNTED, FERRIED, DOUBLE, REFUSES, NEEDS,
    LOCATIONS, ARMY_KIND, FLEET_KIND, PAIR_KIND,
) = range(16)  # fmt: skip
"""Indices into `EmbarkationTables.settings`.

`ORDER`: which orders boarding takes (`BY_ARMY` to `IMPLIED`). `WHOLE`: boarding fills the season. `SOON`: the army may
land at once. `MOST`: the most seasons aboard. `OWN_LANDING`: landings have orders of their own. `UNDER_WAY`: a landing
may follow a moving fleet. `APART`: it does not depend on the fleet. `BLUNTED`: it cuts no support into its own water.
`FERRIED`: an army refused ashore by a ferry stays aboard. `DOUBLE`: the result of double orders (`CANCEL` to `LAST`).
`REFUSES`: an impossible move refuses support. `NEEDS`: the number of removals for a whole pair. `LOCATIONS`: how many
there are. `ARMY_KIND` to `PAIR_KIND`: the numbers of these kinds.
"""

BY_ARMY, BY_BOTH, BY_FLEET, IMPLIED = range(4)
CANCEL, FIRST, LAST = range(3)

BUSY, NO_LANDER, JUST_BOARDED = 1, 2, 3
"""Why nobody goes ashore; 0 if somebody does."""

JUST = -1
"""The `span` of an army that went aboard this season."""


class EmbarkationPlaces(NamedTuple):
    """Provinces, with 1 where it is so."""

    forms: Sequence[int]  # armies embark there
    beside: Sequence[int]  # armies on the shore may
    boxes: Sequence[int]  # those in the box may
    holds: Sequence[int]  # pairs can be there
    alone: Sequence[int]  # a fleet may be removed without its army
    bare: Sequence[int]  # its location without a coast


class PairReach(NamedTuple):
    """What a pair in a province can reach.  Row p of a list `x` is `x[x_at[p] : x_at[p + 1]]`."""

    shore_at: Sequence[int]
    shores: Sequence[int]  # the adjacent provinces to land in
    sail_at: Sequence[int]
    sails: Sequence[int]  # the locations that it may move to
    help_at: Sequence[int]
    helps: Sequence[int]  # the provinces that it may support into


class EmbarkationTables(NamedTuple):
    """A variant's settings for armies aboard fleets, in columns."""

    settings: Sequence[int]  # by `ORDER` to `PAIR_KIND`
    place: Sequence[int]  # by location: its province
    allows: Sequence[int]  # by power: 1 if it may have pairs
    provinces: EmbarkationPlaces
    reach: PairReach


# -- who is where ----------------------------------------------------------------------------------------------------


def is_army(t: EmbarkationTables, now: Standing, r: int) -> bool:
    """Return whether this is an army that is not aboard a fleet."""
    return now.units.sort[r] == t.settings[ARMY_KIND] and not now.units.aboard[r]


def is_fleet(t: EmbarkationTables, now: Standing, r: int) -> bool:
    """Return whether this is a fleet without an army."""
    return now.units.sort[r] == t.settings[FLEET_KIND]


def is_pair(t: EmbarkationTables, now: Standing, r: int) -> bool:
    """Return whether this is a fleet with an army aboard."""
    return now.units.sort[r] == t.settings[PAIR_KIND]


def carrier_of(now: Standing, r: int) -> int:
    """Return the row of the fleet that carries an army, 0 if it is not on the board."""
    return row_of(now.n, now.units.number, now.units.aboard[r])


def cargo_of(now: Standing, r: int) -> int:
    """Return the row of the army aboard a fleet, 0 without one."""
    return row_of(now.n, now.units.aboard, now.units.number[r])


def tenant_of(now: Standing, place: int) -> int:
    """Return the row of the unit in a province, 0 if it is empty."""
    for r in range(1, now.n + 1):
        if now.units.at[r] == place:
            return r
    return 0


def lands_on(t: EmbarkationTables, water: int, place: int) -> bool:
    """Return whether a province is a shore of a water, where armies land and embark."""
    found = False
    for i in range(t.reach.shore_at[water], t.reach.shore_at[water + 1]):
        found = found or t.reach.shores[i] == place
    return found


def may_board(t: EmbarkationTables, now: Standing, army: int, fleet: int) -> bool:
    """Return whether this army could board this fleet, whatever else is ordered (AFM-1, AFM-3, SCO-8)."""
    if not is_army(t, now, army) or not is_fleet(t, now, fleet) or now.units.owner[army] != now.units.owner[fleet]:
        return False
    water = now.units.at[fleet]
    return bool(t.provinces.beside[water]) and lands_on(t, water, now.units.at[army])


def goal_of(t: EmbarkationTables, now: Standing, r: int) -> int:
    """Return the province in which an order ends."""
    return t.place[now.orders.goal[r] % t.settings[LOCATIONS]]


# -- going ashore ----------------------------------------------------------------------------------------------------


def bind_landings(t: EmbarkationTables, now: Standing) -> None:
    """Give each order to go ashore to the army that it is for; `result` is that army's row.

    Until all have theirs, `fell` is one more than an army's goal.
    """
    for r in range(1, now.n + 1):
        now.orders.result[r], now.orders.fell[r] = 0, 0
        if now.units.aboard[r] and now.orders.verb[r] == LAND:
            now.orders.result[r] = lander_of(t, now, r)
    for army in range(1, now.n + 1):
        if now.units.aboard[army]:
            chosen = 0
            for r in range(1, now.n + 1):
                if now.orders.result[r] != army:
                    continue
                if not chosen or t.settings[DOUBLE] == LAST:
                    chosen = r
                elif t.settings[DOUBLE] == CANCEL and not is_same(now, r, max(0, chosen)):
                    chosen = -1
            now.orders.fell[army] = 1 + now.orders.goal[chosen] if chosen > 0 else 0
    for r in range(1, now.n + 1):
        if now.units.aboard[r]:
            now.orders.verb[r], now.orders.goal[r] = LAND if now.orders.fell[r] else HOLD, now.orders.fell[r] - 1
            now.orders.fell[r] = 0


def is_same(now: Standing, r: int, other: int) -> bool:
    """Return whether two orders to land are the same."""
    return now.orders.goal[r] == now.orders.goal[other] and now.orders.load[r] == now.orders.load[other]


def lander_of(t: EmbarkationTables, now: Standing, r: int) -> int:
    """Return the army that an order to go ashore is for, 0 if it is void."""
    water = now.orders.load[r] - 1
    carrier = landing_fleet(t, now, now.units.owner[r], water)
    army = cargo_of(now, carrier) if carrier else 0
    if not army:
        return 0
    doing, to = now.orders.verb[carrier], -1
    if doing == SAIL_AS_PAIR:
        doing = MOVE
    if doing == MOVE:
        to = goal_of(t, now, carrier)
    return 0 if landing_fault(t, doing, to, water, now.units.at[carrier], now.units.span[army] == JUST) else army


def landing_fleet(t: EmbarkationTables, now: Standing, owner: int, water: int) -> int:
    """Return the fleet whose army lands from a water: it is there, or is ordered to move there (AFM-6.k).

    Return 0 if no fleet, or more than one, fits.
    """
    standing, coming, count = 0, 0, 0
    for c in range(1, now.n + 1):
        if now.units.owner[c] == owner and is_pair(t, now, c):
            if now.units.at[c] == water:
                standing = c
            if is_moving(now, c) and goal_of(t, now, c) == water:
                coming = c
                count += 1
    if standing and not is_moving(now, standing):
        return standing
    return coming if count == 1 else 0 if count else standing


def is_moving(now: Standing, r: int) -> bool:
    """Return whether a fleet is ordered to move."""
    return now.orders.verb[r] == MOVE or now.orders.verb[r] == SAIL_AS_PAIR


def landing_fault(t: EmbarkationTables, doing: int, to: int, named: int, lies: int, just: bool) -> int:
    """Return why an army cannot land from the water `named`; 0 if it can (AFM-6, CNW-6.c).

    Its fleet is in the water `lies` and its order is `doing`, for a move to `to`. `just` says that the army has
    boarded in this season.
    """
    if doing == MOVE and t.settings[OWN_LANDING]:
        return 0 if t.settings[UNDER_WAY] and to == named else BUSY
    if doing in (MOVE, SUPPORT, CONVOY):
        return BUSY
    if named != lies:
        return NO_LANDER
    return JUST_BOARDED if just and not t.settings[SOON] else 0


def set_out(t: EmbarkationTables, now: Standing) -> None:
    """Write landings as moves by convoy of their own fleets, and mark armies that board if their ferry fails."""
    act, to, flags = now.moves.act, now.moves.to, now.moves.flags
    for r in range(1, now.n + 1):
        if now.units.aboard[r]:
            flags[r] |= ABSENT
            carrier = carrier_of(now, r)
            if act[r] == MOVE and carrier:
                flags[r] |= PASS
                water = now.units.at[carrier]
                if act[carrier] == MOVE and not flags[carrier] & NOWAY:
                    flags[r] |= CARRIED | SAILS
                    now.orders.about[r], water = carrier, to[carrier]
                elif not t.settings[APART]:
                    flags[r] |= CARRIED
                    now.orders.about[r] = carrier
                met = tenant_of(now, to[r])
                if t.settings[BLUNTED] and met and act[met] == SUPPORT and to[met] == water:
                    flags[r] |= BLUNT
        elif act[r] == CONVOY and t.settings[FERRIED]:
            army = now.orders.about[r]
            own = now.units.owner[army] == now.units.owner[r] and t.allows[now.units.owner[r]]
            if own and act[army] == MOVE and to[army] == to[r]:
                flags[army] |= LEAVES


# -- what becomes of those aboard ------------------------------------------------------------------------------------


def spend_season(t: EmbarkationTables, now: Standing) -> None:
    """Keep armies aboard that a ferry could not land, and count one more season for all aboard (AFM-2.e, AFM-4)."""
    for r in range(1, now.n + 1):
        if now.moves.flags[r] & LEAVES and now.moves.left[r] and not now.moves.came[r]:
            ferry = ferry_of(now, r)
            now.units.aboard[r], now.units.sort[ferry] = now.units.number[ferry], t.settings[PAIR_KIND]
    for r in range(1, now.n + 1):
        if not now.units.aboard[r] or now.moves.came[r]:
            now.units.span[r] = 0
            continue
        now.units.span[r] = 1 + max(0, now.units.span[r])
        if t.settings[MOST] and now.units.span[r] >= t.settings[MOST]:
            now.units.gone[r] = 1


def ferry_of(now: Standing, army: int) -> int:
    """Return the first fleet of an army's own power that still ferries it, 0 for none.

    `load` decides which is first, if it has the numbers of the orders.
    """
    first = 0
    for r in range(1, now.n + 1):
        ferries = (
            now.moves.act[r] == CONVOY and now.orders.about[r] == army and now.units.owner[r] == now.units.owner[army]
        )
        if ferries and not now.moves.victor[r] and (not first or now.orders.load[r] < now.orders.load[first]):
            first = r
    return first


def follow(t: EmbarkationTables, now: Standing) -> None:
    """Remove armies after retreats if their fleet is gone or in a place without pairs (AFM-7, CNW-6.e)."""
    for r in range(1, now.n + 1):
        if now.units.aboard[r]:
            carrier = carrier_of(now, r)
            if not carrier or not t.provinces.holds[now.units.at[carrier]]:
                now.units.gone[r] = 1


def keep_together(t: EmbarkationTables, now: Standing) -> None:
    """Bar the removal of a fleet without its army, except where the army can stay (AFM-8.a, CNW-6.a4)."""
    for r in range(1, now.n + 1):
        if is_pair(t, now, r):
            alone = t.provinces.alone[now.units.at[r]] != 0
            now.orders.barred[r] |= (0 if alone else NO_REMOVAL) | (FOR_TWO if t.settings[NEEDS] > 1 else 0)


def forget(t: EmbarkationTables, now: Standing) -> None:
    """Reset the counted seasons of units that have left their carriers."""
    for r in range(1, now.n + 1):
        if not now.units.aboard[r]:
            now.units.span[r] = 0
