"""Winter over flat tables: what may be built and what must be removed, drawn, listed and carried out.

The rules are the judge's own (`engine.winter`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamesmaster.batches.chance import below
from gamesmaster.batches.moves import close_ranks, refit
from gamesmaster.batches.state import (
    BEATEN,
    BUILD,
    COUNT,
    DRAWS,
    ORDERS,
    REMOVE,
    UNASKED,
    WAIVED,
    WHOLE,
    Game,
    Scratch,
    put_unit,
    set_order,
)
from gamesmaster.batches.tables import TOLD, Tables
from gamesmaster.engine import cost_of, is_alive, may_be_removed, row_of
from gamesmaster.engine.company import find_loads, is_alike, put_ashore
from gamesmaster.engine.winter import is_affordable, is_site, measure, next_to_go, turn_of
from gamesmaster.rules import FOR_TWO, NO_REMOVAL, OPENED


def draw_winter(t: Tables, game: Game, s: Scratch, seed: int, number: int) -> None:
    """Draw all the builds a power may make, or all the removals it owes, one after the other.

    Who gives no orders builds nothing, and loses what goes if nobody says.
    """
    begin_winter(t, game, s)
    for power in range(1, len(game.powers.centres)):
        spare = balance(game, power)
        if game.powers.silent[power]:
            remove_farthest(t, game, s, power, -spare)
        elif spare >= 0:
            _draw_builds(t, game, s, power, seed, number)
        else:
            _draw_removals(t, game, s, power, -spare, seed, number)


def begin_winter(t: Tables, game: Game, s: Scratch) -> None:
    """Note the unit in each place; nothing is ordered yet."""
    s.tenant[:] = 0
    for r in range(1, game.tally[COUNT] + 1):
        s.tenant[t.stances.place[game.units.stance[r]]] = r
    game.tally[ORDERS] = 0


def balance(game: Game, power: int) -> int:
    """Return how many units a power can feed beyond those it has; negative if it owes removals."""
    return int(game.powers.centres[power]) + int(game.powers.fed[power]) - count_units(game, power)


def count_units(game: Game, power: int) -> int:
    """Return the number of a power's units on the board."""
    units = 0
    for r in range(1, game.tally[COUNT] + 1):
        units += game.units.owner[r] == power
    return units


def _draw_builds(t: Tables, game: Game, s: Scratch, power: int, seed: int, number: int) -> None:
    """Build one unit after the other, each drawn from all possible builds besides those before."""
    options = list_builds(t, game, s, power)
    while options:
        build(t, game, s, power, s.listed[below(options, seed, number, game.tally[DRAWS])])
        game.tally[DRAWS] += 1
        options = list_builds(t, game, s, power)


def list_builds(t: Tables, game: Game, s: Scratch, power: int) -> int:
    """List the stances in which a power may build besides its builds so far, and return their number.

    An eliminated power builds nothing, even where units are free.
    """
    found, spare = 0, balance(game, power) - count_costly(t, game, power)
    if spare <= 0 and (not len(game.powers.free) or is_eliminated(game, power)):
        return 0
    for n in range(t.sites.at[power], t.sites.at[power + 1]):
        if free(t, game, s, power, n):
            for i in range(t.sites.build_at[n], t.sites.build_at[n + 1]):
                more = cost_of_more(t, game, power, t.kinds.base[t.stances.sort[t.sites.build[i]]]) if spare <= 0 else 1
                if is_affordable(more, spare):
                    s.listed[found] = t.sites.build[i]
                    found += 1
    return found


def is_eliminated(game: Game, power: int) -> bool:
    """Return whether a power has no centre, no unit and no other supply (STD-2.c)."""
    units = count_units(game, power)
    for r in range(1, game.tally[BEATEN] + 1):
        units += game.beaten.owner[r] == power
    return not is_alive(game.powers.centres[power], units, game.powers.fed[power])


def leave_cheapest(t: Tables, game: Game, s: Scratch, power: int, options: int) -> int:
    """Keep only the builds that cost nothing, if there are any; return the number of builds kept.

    `options` is the number of builds in `s.listed`.
    """
    free = 0
    for i in range(options):
        free += cost_of_more(t, game, power, t.kinds.base[t.stances.sort[s.listed[i]]]) == 0
    left = 0
    for i in range(options):
        if not free or cost_of_more(t, game, power, t.kinds.base[t.stances.sort[s.listed[i]]]) == 0:
            s.listed[left] = s.listed[i]
            left += 1
    return left


def count_costly(t: Tables, game: Game, power: int) -> int:
    """Return how many of the units that a power builds so far cost supply."""
    builds = 0
    for n in range(1, game.tally[ORDERS] + 1):
        builds += game.orders.verb[n] == BUILD and game.orders.about[n] == power
    if not builds or not len(game.powers.free):
        return builds
    costly = 0
    for kind in range(len(t.kinds.base)):
        free, there = game.powers.free[power * len(t.kinds.base) + kind], count_kind(t, game, power, kind)
        costly += cost_of(there + count_built(t, game, power, -1, kind), free) - cost_of(there, free)
    return costly


def cost_of_more(t: Tables, game: Game, power: int, kind: int) -> int:
    """Return the cost to a power of one more unit of a basic kind, besides its units and builds so far."""
    if not len(game.powers.free):
        return 1
    there, free = count_kind(t, game, power, kind), game.powers.free[power * len(t.kinds.base) + kind]
    there += count_built(t, game, power, -1, kind)
    return int(cost_of(there + 1, free) - cost_of(there, free))


def count_kind(t: Tables, game: Game, power: int, kind: int) -> int:
    """Return the number of a power's units of a basic kind on the board."""
    there = 0
    for r in range(1, game.tally[COUNT] + 1):
        there += game.units.owner[r] == power and t.kinds.base[t.stances.sort[game.units.stance[r]]] == kind
    return there


def count_built(t: Tables, game: Game, power: int, place: int, kind: int) -> int:
    """Return how many units a power builds so far in this place or, if it is -1, of this basic kind."""
    built = 0
    for n in range(1, game.tally[ORDERS] + 1):
        if game.orders.verb[n] == BUILD and game.orders.about[n] == power:
            to = game.orders.to[n]
            built += t.stances.place[to] == place if place >= 0 else t.kinds.base[t.stances.sort[to]] == kind
    return built


def free(t: Tables, game: Game, s: Scratch, power: int, n: int) -> bool:
    """Return whether a power may build in site `n`; `tenant` must be up to date."""
    place = t.sites.place[n]
    owned, taken = game.lands.holder[place] == power, s.tenant[place] != 0
    if game.powers.barren[power] or not is_site(t.sites.asks[n], owned, taken):
        return False
    if t.sites.asks[n] & TOLD and not game.lands.room[power * len(t.lands.port) + place] & OPENED:
        return False
    return not len(game.lands.room) or room_left(t, game, power, place) > 0


def room_left(t: Tables, game: Game, power: int, place: int) -> int:
    """Return how many units a power may build in a site besides its builds so far."""
    room = int(game.lands.room[power * len(t.lands.port) + place]) % OPENED if len(game.lands.room) else 1
    return room - count_built(t, game, power, place, -1)


def build(t: Tables, game: Game, s: Scratch, power: int, stance: int) -> None:
    """Order a build; its place is then taken."""
    s.tenant[t.stances.place[stance]] = -1
    add_order(game, BUILD, stance, power)


def _draw_removals(t: Tables, game: Game, s: Scratch, power: int, owed: int, seed: int, number: int) -> None:
    """Remove one unit after the other, each drawn from all that may be removed next, as long as any is owed."""
    s.goals[:] = 0
    while owed > 0:
        options = list_removals(t, game, s, power, owed)
        if not options:  # no order would be legal
            remove_rest(t, game, s, power, owed, UNASKED)
            return
        owed -= remove(t, game, s, s.listed[below(options, seed, number, game.tally[DRAWS])])
        game.tally[DRAWS] += 1


def list_removals(t: Tables, game: Game, s: Scratch, power: int, owed: int) -> int:
    """List the rows of a power's units that may be removed while `owed` removals are due, and return their number.

    Units that are gone by `s.goals` are left out, and so are those whose removal, with their cargo, reduces nothing.
    """
    note_left(t, game, s, power)
    found = 0
    for r in range(1, game.tally[COUNT] + 1):
        stays = s.goals[r] or not relief_of(game, s, r)
        if game.units.owner[r] == power and not stays and may_be_ordered(game, s, r, owed):
            s.listed[found] = r
            found += 1
    return found


def relief_of(game: Game, s: Scratch, r: int) -> int:
    """Return by how much the removal of a unit with its cargo reduces what is owed."""
    load = along(game, s, r)
    return int(s.rows.costly[r]) + (int(s.rows.costly[load]) if load else 0)


def remove(t: Tables, game: Game, s: Scratch, r: int) -> int:
    """Order the removal of a unit, or of the one that its order means; return by how much this reduces what is owed.

    If the other half of its pair was removed before, that order becomes one for both. It does not if several such
    pairs are in one place, where it is unclear which halves belong together.
    """
    r = stand_in(t, game, s, r, along(game, s, r) > 0)
    load, relief = along(game, s, r), relief_of(game, s, r)
    half, carrier = _other_half(game, s.goals, r)
    if half:
        game.orders.about[half], game.orders.load[half], s.goals[r] = carrier, WHOLE, 1
    else:
        add_removal(game, s, r, load)
    return relief


def _other_half(game: Game, gone: Sequence[int], r: int) -> tuple[int, int]:
    """Return the order that removed the other half of a unit's pair, and the row of the carrier; (0, 0) if none did."""
    n = game.tally[COUNT]
    for order in range(1, game.tally[ORDERS] + 1):
        other = game.orders.about[order] if game.orders.verb[order] == REMOVE and not game.orders.load[order] else 0
        carrier = r if other and game.units.aboard[other] == game.units.number[r] else 0
        if other and game.units.aboard[r] == game.units.number[other]:
            carrier = other
        if carrier:
            pairs = 0
            for c in range(1, n + 1):
                pairs += is_alike(
                    c, game.units.owner[carrier], game.units.stance[carrier], game.units.owner, game.units.stance
                )
            return (order, carrier) if pairs == 1 else (0, 0)
    return 0, 0


def add_removal(game: Game, s: Scratch, r: int, load: int) -> None:
    """Enter the removal of a unit as a Winter's next order, with that of the one aboard if a `load` goes, too."""
    add_order(game, REMOVE, -1, r)
    game.orders.load[game.tally[ORDERS]] = WHOLE if load else 0
    s.goals[r] = s.goals[load] = 1


def note_left(t: Tables, game: Game, s: Scratch, power: int) -> None:
    """Note the cargo of carriers, and which of a power's units cost supply, when some are gone by `s.goals`."""
    n, kinds = game.tally[COUNT], len(t.kinds.base) if len(game.powers.free) else 0
    s.rows.costly[0] = 0
    find_loads(n, game.units.number, game.units.aboard, s.goals, s.rows.cargo)
    for r in range(1, n + 1):
        s.rows.costly[r] = game.units.owner[r] == power and not s.goals[r]
    for kind in range(kinds):
        free, there = game.powers.free[power * kinds + kind], 0
        for r in range(1, n + 1):
            there += s.rows.costly[r] and t.kinds.base[t.stances.sort[game.units.stance[r]]] == kind
        for r in range(1, n + 1 if cost_of(there, free) == cost_of(there - 1, free) else 0):
            s.rows.costly[r] &= t.kinds.base[t.stances.sort[game.units.stance[r]]] != kind


def list_units(game: Game, s: Scratch, power: int) -> int:
    """List the rows of a power's units; how many there are."""
    found = 0
    for r in range(1, game.tally[COUNT] + 1):
        if game.units.owner[r] == power:
            s.listed[found] = r
            found += 1
    return found


def may_be_ordered(game: Game, s: Scratch, r: int, owed: int) -> bool:
    """Return whether a unit may be ordered to go with its cargo while `owed` removals are due, whatever its cost."""
    barred = game.orders.barred[r]
    needs = 2 if barred & FOR_TWO else 1
    return may_be_removed(s.rows.cargo[r] > 0, along(game, s, r) > 0, not barred & NO_REMOVAL, owed, needs)


def may_go_whole(game: Game, s: Scratch, r: int, owed: int) -> bool:
    """Return whether one order may remove a carrier with its cargo, though it might also go alone.

    `owed` removals are due; `note_left` has noted the cargo.
    """
    if not s.rows.cargo[r] or s.goals[r] or along(game, s, r) or not s.rows.costly[r] + s.rows.costly[s.rows.cargo[r]]:
        return False
    return may_be_removed(True, True, False, owed, 2 if game.orders.barred[r] & FOR_TWO else 1)


def along(game: Game, s: Scratch, r: int) -> int:
    """Return the row of the cargo that goes with a carrier which may not be removed alone, 0 for none."""
    return int(s.rows.cargo[r]) if game.orders.barred[r] & NO_REMOVAL else 0


def load_of(game: Game, gone: Sequence[int], number: int) -> int:
    """Return the row of the unit aboard the one with this number, 0 if it carries nothing or its cargo is gone."""
    for r in range(1, game.tally[COUNT] + 1):
        if game.units.aboard[r] == number and not gone[r]:
            return r
    return 0


def stand_in(t: Tables, game: Game, s: Scratch, r: int, whole: bool) -> int:
    """Return the unit meant by the order that would remove this one, and its cargo if the pair goes `whole`.

    Where several lie together it is the first of its kind that is not gone by `s.goals`, of pairs that go whole the
    first of which neither half is gone (CNW-5.a); of those aboard it is the one whose carrier comes first.
    """
    n, owner, stance, gone = game.tally[COUNT], game.units.owner, game.units.stance, s.goals
    if not t.lands.shared[t.stances.place[stance[r]]]:
        return r
    carrier = row_of(n, game.units.number, game.units.aboard[r]) if game.units.aboard[r] else r
    for other in range(1, n + 1):
        if game.units.aboard[other] or not is_alike(other, owner[carrier], stance[carrier], owner, stance):
            continue
        if game.units.aboard[r]:
            meant = load_of(game, gone, game.units.number[other])
        else:
            meant = 0 if gone[other] or (whole and not s.rows.cargo[other]) else other
        if meant:
            return meant
    return r


def remove_farthest(t: Tables, game: Game, s: Scratch, power: int, owed: int) -> None:
    """Remove `owed` units of a power by default: the farthest first (STD-10.g)."""
    s.goals[:] = 0
    remove_rest(t, game, s, power, owed, 0)


def remove_rest(t: Tables, game: Game, s: Scratch, power: int, owed: int, flag: int) -> None:
    """Remove units by default, besides those gone by `s.goals`, until nothing is owed; note `flag` for each."""
    n, distance, units = game.tally[COUNT], s.supports.count, game.units
    if t.removals.measured[0]:
        measure(power, game.lands.holder, t.ground, distance, s.search.queue)
    else:
        distance[:] = 0
    for r in range(1, n + 1):
        stance = units.stance[row_of(n, units.number, units.aboard[r]) if units.aboard[r] else r]
        away = distance[t.stances.place[stance]] + units.far[r]
        s.rows.turn[r] = turn_of(away, t.removals.rank[power, stance], 1 + len(t.stances.place))
    for _ in range(owed):
        note_left(t, game, s, power)
        goes, too = next_to_go(n, s.rows.cargo, s.rows.turn, s.rows.costly)
        add_removal(game, s, goes, too)
        game.orders.load[game.tally[ORDERS]] |= flag


def add_order(game: Game, verb: int, to: int, about: int) -> None:
    """Enter a Winter's next order."""
    game.tally[ORDERS] += 1
    set_order(game.orders, game.tally[ORDERS], verb, to, about)


def waive(game: Game, power: int) -> None:
    """Note that a power can build and orders nothing: the Winter is played all the same (STD-3.a)."""
    add_order(game, WAIVED, -1, power)
    game.orders.load[game.tally[ORDERS]] = UNASKED


def put_aside(t: Tables, game: Game, s: Scratch, aside: Any) -> None:
    """Copy the orders set for a Winter to `aside`, of shape (4, units + 1), and clear them."""
    aside[0, 0] = game.tally[ORDERS]
    for n in range(1, game.tally[ORDERS] + 1):
        for k, column in enumerate((game.orders.verb, game.orders.to, game.orders.about, game.orders.load)):
            aside[k, n] = column[n]
    begin_winter(t, game, s)


def put_back(game: Game, aside: Any, power: int) -> None:
    """Restore a power's orders that were put aside."""
    for n in range(1, aside[0, 0] + 1):
        about = aside[2, n]
        if (game.units.owner[about] if aside[0, n] == REMOVE else about) == power:
            add_order(game, aside[0, n], aside[1, n], about)
            game.orders.load[game.tally[ORDERS]] = aside[3, n]


def adjust(t: Tables, game: Game) -> None:
    """Carry out the builds and removals of a Winter, and note what more might have been built."""
    number = last_number(game)
    for power in range(1, len(game.powers.centres) if len(game.lands.room) else 0):
        game.powers.fed[power] = balance(game, power)
    for n in range(1, game.tally[ORDERS] + 1):
        if game.orders.verb[n] == REMOVE:
            if game.orders.load[n] & WHOLE:
                game.units.gone[load_of(game, game.units.gone, game.units.number[game.orders.about[n]])] = 1
            game.units.gone[game.orders.about[n]] = 1
    put_ashore(game.tally[COUNT], game.units.number, game.units.aboard, game.units.gone)
    close_ranks(game)
    refit(t, game)
    for n in range(1, game.tally[ORDERS] + 1):
        if game.orders.verb[n] == BUILD:
            number += 1
            append(game, number, game.orders.to[n], game.orders.about[n])
            if len(game.lands.room):
                game.powers.fed[game.orders.about[n]] -= 1
                game.lands.room[game.orders.about[n] * len(t.lands.port) + t.stances.place[game.orders.to[n]]] -= 1


def last_number(game: Game) -> int:
    """Return the highest number that a unit has, dislodged or not."""
    number = 0
    for r in range(1, game.tally[COUNT] + 1):
        number = max(number, int(game.units.number[r]))
    for r in range(1, game.tally[BEATEN] + 1):
        number = max(number, int(game.beaten.number[r]))
    return number


def append(game: Game, number: int, stance: int, owner: int) -> None:
    """Add a unit after all others."""
    game.tally[COUNT] += 1
    put_unit(game.units, game.tally[COUNT], number, stance, owner)
