"""DumbBot, after its author's description: what it makes of places, and the orders that it gives.

David Norman's program values places by who owns them and by what lies around them, sends each unit to one of the best
places that it can reach, and lets units with nothing better to do support. The formula and its constants are the
published ones; the weights of the rings are `Tastes.now` and `Tastes.later`.

These are plain functions over columns, lists at the table and arrays in batches, as those of `outlook`.
"""

from __future__ import annotations

from gamesmaster.engine.heuristic.menu import GOES, GUESSED
from gamesmaster.engine.heuristic.options import HELPS, first_of
from gamesmaster.engine.heuristic.outlook import Column, Fixed, look_as
from gamesmaster.engine.heuristic.plan import Plan
from gamesmaster.engine.heuristic.survey import spread_worth
from gamesmaster.engine.heuristic.tables import Assessment, BoardTables, Listing, Survey, Tastes

ATTACK_LATER, ATTACK_NOW = 700.0, 600.0
"""The weights of another power's centre, if owners are not counted before the next movement, and if they are."""
DEFENCE_LATER, DEFENCE_NOW = 300.0, 400.0
"""The weights of an own centre, likewise."""
UNIT = 1000.0
"""The weight of each own unit in reach, of each unit of the strongest rival, and of a threat in Winter."""
ALTERNATIVE, DIFFERENCE = 0.5, 5.0
"""The probability that the next best place is considered, and how much it suffers from being worse."""
PENDING, GIVEN = 1, 2
"""The states of a unit (`Plan.content`): its order depends on another unit's, or is settled."""


# -- what places are worth -------------------------------------------------------------------------------------------


def weigh_as_dumbbot(
    b: BoardTables, v: Survey, a: Assessment, tastes: Tastes, power: int, holder: Fixed, sizes: Fixed, safe: Fixed,
    now: bool, winter: bool,
) -> None:  # fmt: skip
    """Work out what every node is worth to a power (`total`), as `survey.weigh_places` does.

    `now` says that owners are counted before the next movement, or that units do not move in this phase.
    """
    attack, defence = (ATTACK_NOW, DEFENCE_NOW) if now else (ATTACK_LATER, DEFENCE_LATER)
    look_as(power, v.leader, v.most, v.second, a.strongest)
    for place in range(len(b.provinces.box)):
        owner, a.worth[place] = holder[place], 0.0
        if b.provinces.centre[place]:
            threat = _threat(b, v, holder, sizes, power, place)
            a.worth[place] = defence * threat if owner == power else attack * _size(sizes[owner] if owner else 0)
    stances = b.charts[b.chart[0]].stance
    spread_worth(b, a, b.chart[0], tastes.now if now else tastes.later, safe)
    for n in range(len(stances)):
        place = b.stances.place[stances[n]]
        if winter:
            a.total[n] += UNIT * _threat(b, v, holder, sizes, power, place)
        else:
            a.total[n] += UNIT * (v.strength[place * b.powers + power] - a.strongest[place])


def _size(centres: int) -> int:
    """Return the weight of a power with this number of centres."""
    return centres * centres + 4 * centres + 16


def _threat(b: BoardTables, v: Survey, holder: Fixed, sizes: Fixed, power: int, place: int) -> int:
    """Return the weight of the largest power that could attack an own centre, 0 for other places."""
    found = 0
    if b.provinces.centre[place] and holder[place] == power:
        for other in range(1, len(sizes)):
            if other != power and v.strength[place * b.powers + other]:
                found = max(found, _size(sizes[other]))
    return found


# -- orders ----------------------------------------------------------------------------------------------------------


def order_units(c: Listing, p: Plan, rivals: Fixed, turns: Fixed, guesses: Fixed) -> None:
    """Choose an option for each unit, in this order; a unit in a place where another would go is settled before it.

    `rivals` is, by province, the most units that one other power could bring; `guesses` are random numbers from 0 to 1.
    """
    m, wish, queue, content, settled = p.menu, p.trial.options, p.trial.queue, p.content, 0
    for n in turns:
        _list_wishes(p, n)
    for first in turns:
        depth, queue[0] = 0, first
        while depth >= 0:
            n = queue[depth]
            if not content[n]:
                content[n], wish[n] = PENDING, _pick(p, n, guesses)
            there = m.own[m.options.into[m.ways.option[wish[n]]]]
            if content[n] == PENDING and there and not content[there]:
                depth += 1
                queue[depth] = there
            elif content[n] == GIVEN:
                depth -= 1
            elif _settle(c, p, rivals, n, guesses):
                p.trial.before[settled] = n
                settled += 1
    for n in turns:
        if p.chosen[n] == m.units.hold[n]:
            p.chosen[n] = _useful(c, p, rivals, p.trial.before[:settled], n)


def _list_wishes(p: Plan, n: int) -> None:
    """Reduce the ways of a unit to holding and the steps of the regular rules, the best first."""
    m, o, ways, units = p.menu, p.menu.options, p.menu.ways.option, p.menu.units
    end, hold, holds = units.way_at[n], units.hold[n], False
    for way in range(end + 1, units.way_end[n]):  # the first way is to hold
        option = ways[way]
        alone = m.ways.backer[way] < 0 and not m.needs.end[option]
        if o.code[option] == GOES and alone and o.aim[option] % m.aims < m.aims - 1:
            if not holds and o.value[option] <= o.value[hold]:
                ways[end], holds = hold, True
                end += 1
            ways[end] = option
            end += 1
    if not holds:
        ways[end] = hold
        end += 1
    units.way_end[n] = end


def _pick(p: Plan, n: int, guesses: Fixed) -> int:
    """Return one of the best of a unit's ways: mostly the first, or the next."""
    value, ways, way = p.menu.options.value, p.menu.ways.option, p.menu.units.way_at[n]
    best = value[ways[way]]
    while way + 1 < p.menu.units.way_end[n]:
        guess = guesses[p.tally[GUESSED] % len(guesses)]
        p.tally[GUESSED] += 1
        if not _goes_on(best, value[ways[way + 1]], guess):
            break
        way += 1
    return int(way)


def _goes_on(best: float, worth: float, guess: float) -> bool:
    """Return whether the next best choice, of this worth, is preferred to those before it."""
    behind = (best - worth) * DIFFERENCE / best if best > 0 else 0.0
    return bool(guess < ALTERNATIVE * (1 - behind))


def _settle(c: Listing, p: Plan, rivals: Fixed, n: int, guesses: Fixed) -> bool:
    """Give a unit its wanted order, or a support of the own unit there; return False if it must choose another place.

    Places without a rival need no second unit.
    """
    o, ways, units, wish, first = p.menu.options, p.menu.ways.option, p.menu.units, p.trial.options, p.arrivals.first
    given = ways[wish[n]]
    place, lane = o.into[given], o.lane[given]
    if lane >= 0:
        there, coming = p.menu.own[place], first[lane]
        if there and p.content[there] == GIVEN and o.code[p.chosen[there]] != GOES:
            given = _support(c, p, n, there) if rivals[place] > 1 else -1
        elif coming:
            given = _support(c, p, n, coming) if rivals[place] > 0 else -1
    if given < 0:
        units.way_end[n] -= 1
        for way in range(wish[n], units.way_end[n]):
            ways[way] = ways[way + 1]
        wish[n] = _pick(p, n, guesses)
        return False
    p.chosen[n], p.content[n] = given, GIVEN
    if o.lane[given] >= 0:
        p.arrivals.next[n], first[lane] = first[lane], n
    return True


def _support(c: Listing, p: Plan, n: int, other: int) -> int:
    """Return a unit's option to support what another own unit does, -1 without one."""
    start, aim, found = first_of(n, HELPS), p.menu.options.aim[p.chosen[other]], -1
    for option in range(c.sorts[start], c.sorts[start + 1]):
        if p.menu.options.helps[option] == aim:
            found = option
    return found


def _useful(c: Listing, p: Plan, rivals: Fixed, others: Fixed, n: int) -> int:
    """Return a unit's support for the own unit whose place needs it most, of `others`, its hold without one."""
    need, chosen = 0, p.chosen[n]
    for other in others:
        rival = rivals[p.menu.options.into[p.chosen[other]]]
        if other != n and rival > need:
            option = _support(c, p, n, other)
            if option >= 0:
                need, chosen = rival, option
    return int(chosen)


def retreat_as_dumbbot(
    options: int, unit: Fixed, into: Fixed, worth: Fixed, taken: Column, chosen: Column, guesses: Fixed
) -> None:  # fmt: skip
    """Choose one of the best places for each dislodged unit, one after the other; columns are as in `pick`."""
    guessed = 0
    for first in range(options):
        n, best, now = unit[first], -1, -1
        after = -1 if chosen[n] else _next_best(options, unit, into, worth, taken, n, now)
        while after >= 0 and (best < 0 or _goes_on(worth[best], worth[after], guesses[guessed % len(guesses)])):
            guessed, best, now = guessed + 1, after if best < 0 else best, after
            after = _next_best(options, unit, into, worth, taken, n, now)
        if now >= 0:
            chosen[n], taken[into[now]] = now + 1, int(into[now] >= 0)


def _next_best(options: int, unit: Fixed, into: Fixed, worth: Fixed, taken: Fixed, n: int, now: int) -> int:
    """Return the best option of a unit after the option `now`, the best of all if that is -1; -1 without one."""
    found = -1
    for option in range(options):
        if unit[option] == n and not taken[into[option]] and (found < 0 or worth[option] > worth[found]):
            below = now < 0 or worth[option] < worth[now]
            if below or (worth[option] == worth[now] and option > now):
                found = option
    return found
