"""What a power's units could do in a movement, alone and together, as the columns of a `menu.Menu`.

The caller adds the units, lets each hold, and offers their orders sort by sort; then `list_options` and `sail` say what
each unit is tried with.  The aim of support for a unit is its number times `aims`, plus one more than its destination
if it moves; the last of its aims is for a unit that takes no support.
"""

from __future__ import annotations

from gamesmaster.engine.heuristic.memory import Memory
from gamesmaster.engine.heuristic.menu import (
    CONVOYS,
    GOES,
    LANDS,
    NEEDS,
    OPTIONS,
    STAYS,
    SUPPORTS,
    UNITS,
    WAITS,
    WORKS,
    find_chain,
    fits_boarding,
    fits_landing,
    pick_moves,
)
from gamesmaster.engine.heuristic.outlook import Fixed
from gamesmaster.engine.heuristic.plan import Plan
from gamesmaster.engine.heuristic.survey import as_kind, worth_at
from gamesmaster.engine.heuristic.tables import SORTS, BoardTables, Listing
from gamesmaster.orders import BUILDS, GOES_ABOARD, GOES_ASHORE, NO_THOUGHT, RIDES, SAILS_LADEN, TAKES_IN

HELPS = NO_THOUGHT
"""The sort of the supports among a unit's options.

From `RIDES` on, where the moves of the regular rules are, too, they are moves, and the best of each sort are tried.
"""

NOT_ORDERED = -1
"""The word of an option without an order, since another unit's order speaks for both."""


def first_of(n: int, sort: int) -> int:
    """Return the index in `Listing.sorts` of the begin of a unit's options of this sort; the end is next to it."""
    return 2 * (n * SORTS + sort)


# -- units and orders --------------------------------------------------------------------------------------------------


def add_unit(b: BoardTables, c: Listing, p: Plan, stance: int, aboard: bool) -> int:
    """Add a unit to a plan and return its number; it may be `aboard` another."""
    m, n, place = p.menu, p.tally[UNITS] + 1, b.stances.place[stance]
    p.tally[UNITS] = n
    c.stance[n], c.carrier[n], m.units.at[n], m.units.aboard[n], c.aid.worth[n] = stance, 0, place, int(aboard), 0.0
    if not (b.provinces.box[place] or aboard):
        m.own[place] = n
    return int(n)


def recall(c: Listing, p: Plan, memory: Memory, n: int, number: int, patience: float) -> None:
    """Note where unit `n` of a plan, whose number for life is `number`, failed to move to, and how little it likes to.

    `patience` is what each failure in a row leaves of the gain of that move.
    """
    at = p.menu.units.at[n]
    tries = memory.tries[at] if memory.unit[at] == number else 0
    c.vain[n], c.weary[n] = memory.goal[at] if tries else 0, 1.0
    for _ in range(tries):
        c.weary[n] *= patience


def add(
    b: BoardTables, c: Listing, p: Plan, n: int, code: int, into: int, value: float, goal: int, helps: int, order: int
) -> int:  # fmt: skip
    """Add an option of a unit and return its number, -1 if the room is used up.

    `goal` is the part of the aim that support for it needs; if it fails, the unit may expect the value of holding.
    """
    m, o, option = p.menu, p.menu.options, p.tally[OPTIONS]
    if option >= len(o.unit):
        return -1
    o.unit[option], o.code[option], o.into[option], o.value[option] = n, code, into, value
    o.otherwise[option] = value if code == STAYS else o.value[m.units.hold[n]]
    o.aim[option], o.helps[option], o.word[option] = n * m.aims + goal, helps, option
    o.lane[option] = into if code >= LANDS and into >= 0 and not b.provinces.box[into] else -1
    m.needs.begin[option] = m.needs.end[option] = m.needs.partner[option] = 0
    c.order[option], c.where[option] = order, -1
    p.tally[OPTIONS] = option + 1
    return int(option)


def hold(b: BoardTables, c: Listing, p: Plan, n: int, along: bool, order: int) -> None:
    """Let a unit hold; its place counts as for a unit in a vessel if it could take one `along`."""
    stance, m = c.stance[n], p.menu
    if along:
        stance = as_kind(b, b.kinds.afloat[b.stances.sort[stance]], stance)
    worth = 0.0 if m.units.aboard[n] else worth_at(b, c.value, stance)  # those aboard count with their carriers
    m.units.hold[n] = add(b, c, p, n, STAYS, m.units.at[n], worth, 0, -1, order)


def stay(b: BoardTables, c: Listing, p: Plan, n: int, code: int, helps: int, order: int) -> int:
    """Add an action in place, with the value of holding, and return its number, -1 if the room is used up."""
    return add(b, c, p, n, code, p.menu.units.at[n], p.menu.options.value[p.menu.units.hold[n]], 0, helps, order)


def support(b: BoardTables, c: Listing, p: Plan, n: int, helps: int, again: bool, order: int) -> int:
    """Add a support for an aim and return its number.

    Where several orders may have the same aim (`again`), they share an option, and the last is given.
    """
    known = -1
    for option in range(c.sorts[first_of(n, HELPS)], p.tally[OPTIONS] if again else 0):
        known = option if p.menu.options.helps[option] == helps else known
    if known < 0:
        return stay(b, c, p, n, SUPPORTS, helps, order)
    c.order[known] = order
    return known


def offer(
    b: BoardTables, c: Listing, p: Plan, n: int, thought: int, to: int, where: int, order: int
) -> int:  # fmt: skip
    """Add an order of a unit, taken for this (`orders.Phrase.thought`), and return its number as an option.

    `to` is the stance that it leads to, -1 for orders in place that change nothing of the unit itself; `where` is the
    province of the fleet boarded or of the army taken in, or that from which the army lands. A move of the regular
    rules has no thought.
    """
    m, value = p.menu, c.value
    if thought == RIDES:  # which does not attack, and takes no support
        there = as_kind(b, b.kinds.afloat[b.stances.sort[to]], to)
        option = add(b, c, p, n, GOES, b.stances.place[to], worth_at(b, value, there), m.aims - 1, -1, order)
    elif thought == BUILDS:
        here = to if to >= 0 else as_kind(b, b.kinds.afloat[b.stances.sort[c.stance[n]]], c.stance[n])
        option = add(b, c, p, n, WORKS, m.units.at[n], worth_at(b, value, here), 0, -1, order)
    elif thought == TAKES_IN:
        option = stay(b, c, p, n, WAITS, -1, order)
    elif thought == GOES_ABOARD:
        laden = as_kind(b, b.kinds.laden[b.stances.sort[c.stance[n]]], to)
        option = add(b, c, p, n, GOES, -1, value[laden], m.aims - 1, -1, order)
    elif thought == GOES_ASHORE:
        worth = _worth_landed(b, c, p, n, to, where)
        option = add(b, c, p, n, LANDS, b.stances.place[to], worth, 1 + to % b.locations, -1, order)
    else:
        worth, holding = worth_at(b, value, to), m.options.value[m.units.hold[n]]
        if c.vain[n] == b.stances.place[to] + 1:
            worth = holding + c.weary[n] * (worth - holding)
        option = add(b, c, p, n, GOES, b.stances.place[to], worth, 1 + to % b.locations, -1, order)
    if option >= 0:
        c.where[option] = where
    return option


def _worth_landed(b: BoardTables, c: Listing, p: Plan, n: int, to: int, water: int) -> float:
    """Return the value of a landing: for an army aboard only its gain, the rest being counted with its fleet."""
    value, stance = c.value, c.stance[n]
    if not p.menu.units.aboard[n]:
        return float(value[to] + value[b.stances.state[stance]])
    there = b.kinds.laden[b.stances.sort[stance]] * b.locations + b.provinces.bare[water]
    return float(value[to] - value[there])


# -- what units are tried with -----------------------------------------------------------------------------------------


def list_options(b: BoardTables, c: Listing, p: Plan, n: int) -> int:
    """List in `tried` the hold of a unit, its supports, its works and its best moves, and return the end of the list.

    A move that needs a partner's order is listed once with each suitable order of each partner; moves of the best
    sort come first.
    """
    m, tried, sorts, picked, done, ways = p.menu, c.tried, c.sorts, c.picked, 0, 1
    tried[0] = m.units.hold[n]
    for sort in (HELPS, BUILDS):
        for option in range(sorts[first_of(n, sort)], sorts[first_of(n, sort) + 1]):
            tried[ways] = option
            ways += 1
    while True:
        best, sort = -1, 0
        for k in range(RIDES, BUILDS):
            for option in range(sorts[first_of(n, k)], sorts[first_of(n, k) + 1] if not done >> k & 1 else 0):
                if best < 0 or m.options.value[option] > m.options.value[best]:
                    best, sort = option, k
        if best < 0:
            return ways
        done |= 1 << sort
        first = first_of(n, sort)
        for i in range(pick_moves(range(sorts[first], sorts[first + 1]), m.options.value, picked, 0)):
            ways = _list_company(b, c, p, picked[i], sort, ways)


def _list_company(b: BoardTables, c: Listing, p: Plan, option: int, sort: int, ways: int) -> int:
    """Add a move of this sort to `tried`, once for each order of each partner that it takes, and return the end."""
    m, n = p.menu, p.menu.options.unit[option]
    kind = b.stances.sort[c.stance[n]]
    if sort == GOES_ABOARD and m.own[c.where[option]]:
        return _take_partner(b, c, p, option, m.own[c.where[option]], ways)
    if sort == GOES_ASHORE and c.carrier[n]:
        return _take_partner(b, c, p, option, c.carrier[n], ways)
    if sort in (GOES_ASHORE, SAILS_LADEN) and b.kinds.cargo[kind] < 0:
        for other in range(1, p.tally[UNITS] + 1):
            army = b.stances.sort[c.stance[other]]
            carrier = b.kinds.laden[army]
            carries = carrier != army and b.stances.state[carrier * b.locations] == kind * b.locations
            if m.units.at[other] == m.units.at[n] and carries and not m.units.aboard[other]:
                ways = _take_silent(b, c, p, option, other, ways)
        return ways
    c.tried[ways] = option
    return ways + 1


def _take_silent(b: BoardTables, c: Listing, p: Plan, option: int, partner: int, ways: int) -> int:
    """Add a move that speaks for a partner, too, which is given no order, to `tried`, and return the end."""
    m, o, need = p.menu, p.menu.options, p.tally[NEEDS]
    mate, both = stay(b, c, p, partner, WAITS, -1, 0), o.otherwise[option] + o.value[m.units.hold[partner]]
    if mate < 0 or need >= len(m.needs.listed):
        return ways
    o.value[mate] = o.otherwise[mate] = 0.0
    m.needs.listed[need] = o.word[mate] = NOT_ORDERED
    p.tally[NEEDS] += 1
    return _take_two(b, c, p, option, partner, mate, both, need, ways)


def _take_partner(b: BoardTables, c: Listing, p: Plan, option: int, partner: int, ways: int) -> int:
    """Add a move with each order that its partner may be given beside it, and return the end of the options to try.

    A fleet takes an army aboard or, where it needs no order for this, does what it can do loaded: hold, move or
    support. It supports, though, for its own reasons, and not for the army's sake.
    """
    m, start, first = p.menu, p.tally[NEEDS], c.sorts
    for mate in range(first[first_of(partner, TAKES_IN)], first[first_of(partner, TAKES_IN) + 1]):
        _add_need(b, c, p, option, mate)
    if p.tally[NEEDS] == start:
        _add_need(b, c, p, option, m.units.hold[partner])
        for sort in (RIDES, HELPS):
            for mate in range(first[first_of(partner, sort)], first[first_of(partner, sort) + 1]):
                _add_need(b, c, p, option, mate)
    for need in range(start, p.tally[NEEDS]):
        mate = m.needs.listed[need]
        if m.options.code[mate] != SUPPORTS:
            ways = _take_two(b, c, p, option, partner, mate, m.options.otherwise[option], start, ways)
    return ways


def _add_need(b: BoardTables, c: Listing, p: Plan, option: int, mate: int) -> None:
    """Note that a move can be made beside what its partner may be given, if it can, and there is room."""
    if p.tally[NEEDS] < len(p.menu.needs.listed) and _goes_with(b, c, p, option, mate):
        p.menu.needs.listed[p.tally[NEEDS]] = mate
        p.tally[NEEDS] += 1


def _goes_with(b: BoardTables, c: Listing, p: Plan, option: int, mate: int) -> bool:
    """Return whether an army can board, or land, while its fleet has this option."""
    m, o = p.menu, p.menu.options
    n, fleet, code = o.unit[option], o.unit[mate], o.code[mate]
    if m.units.aboard[n]:  # it lands from where its fleet stays, or from where that sails
        return fits_landing(code, o.into[mate], m.units.at[n], c.where[option])
    if code == SUPPORTS:
        aim, helped = o.helps[mate] % m.aims, o.helps[mate] // m.aims
        place = b.stances.place[aim - 1] if aim else m.units.at[helped]
    else:
        place = o.into[mate]
    laden = as_kind(b, b.kinds.laden[b.stances.sort[c.stance[n]]], c.stance[fleet])
    sails = _among(b.carriers.sails, b.carriers.sail_at[laden], b.carriers.sail_at[laden + 1], place)
    helps = _among(b.carriers.aids, b.carriers.aid_at[laden], b.carriers.aid_at[laden + 1], place)
    return fits_boarding(code, c.where[mate] == m.units.at[n], sails, helps)


def _among(numbers: Fixed, start: int, end: int, number: int) -> bool:
    """Return whether a number is in part of a list."""
    found = False
    for i in range(start, end):
        found = found or numbers[i] == number
    return found


def _take_two(
    b: BoardTables, c: Listing, p: Plan, option: int, partner: int, mate: int, otherwise: float, start: int, ways: int
) -> int:  # fmt: skip
    """Add an option again, with a partner's option, to `tried` if there is room, and return the end.

    What the partner may be given are the needs from `start` on.
    """
    m, o, n = p.menu, p.menu.options, p.menu.options.unit[option]
    if p.tally[OPTIONS] >= len(o.unit) or ways >= len(c.tried):
        return ways
    goal, order = o.aim[option] - n * m.aims, c.order[option]
    both = add(b, c, p, n, o.code[option], o.into[option], o.value[option], goal, -1, order)
    o.otherwise[both], o.word[both] = otherwise, option
    m.needs.begin[both], m.needs.end[both] = start, p.tally[NEEDS]
    m.needs.partner[both], m.needs.mate[both], c.tried[ways] = partner, mate, both
    return ways + 1


# -- voyages -----------------------------------------------------------------------------------------------------------


def sail(b: BoardTables, c: Listing, p: Plan, n: int, to: int, waters: int, ways: int, order: int) -> int:
    """Add the voyage of a unit to a stance, by the shortest chain of fleets in the first `waters` waters, if any.

    The convoys that it needs are added, too. Return the end of `tried`.
    """
    m, v, voyage, start, place = p.menu, c.voyage, p.tally[OPTIONS], p.tally[NEEDS], b.stances.place[to]
    size = len(b.provinces.box)
    length = find_chain(v.waters[:waters], b.provinces.link, size, m.units.at[n], place, v.came, v.chain)
    if not length or start + length > len(m.needs.listed) or voyage + length >= len(m.options.unit):
        return ways
    offer(b, c, p, n, NO_THOUGHT, to, -1, order)
    m.needs.begin[voyage], m.needs.end[voyage], p.tally[NEEDS] = start, start + length, start + length
    for i in range(length):
        fleet = v.ferry[v.waters[v.chain[i]]]
        m.needs.listed[start + i] = stay(b, c, p, fleet, CONVOYS, m.options.aim[voyage], 0)
    c.tried[ways] = voyage
    return ways + 1
