"""What a position is worth to a power, and what it expects of others there."""

from __future__ import annotations

from gamesmaster.engine.heuristic.outlook import (
    Fixed,
    Outlook,
    Rings,
    expect,
    look_as,
    rank,
    sum_rings,
    weigh_centres,
    worth_laden,
)
from gamesmaster.engine.heuristic.pick import worth_gone
from gamesmaster.engine.heuristic.tables import Assessment, BoardTables, Survey, Tastes


def look_around(b: BoardTables, v: Survey, units: int, stance: Fixed, owner: Fixed, aboard: Fixed) -> None:
    """Survey the units in rows 1 to `units`: the power in each place, and how many units of each could attack it.

    `aboard` is not 0 for units that another carries: they have no place of their own.
    """
    powers, targets, place, box = b.powers, b.targets, b.stances.place, b.provinces.box
    for r in range(1, units + 1):
        at, power = stance[r], owner[r]
        v.begins[r], v.ends[r], v.states[r] = targets.state_at[at], targets.state_at[at + 1], b.stances.state[at]
        v.owners[r] = power if b.chances.leaves[power] > 0 and not aboard[r] else 0
        if not (aboard[r] or box[place[at]]):
            v.standing[place[at]] = power if power else powers - 1
        if v.owners[r]:
            for i in range(targets.place_at[at], targets.place_at[at + 1]):
                v.strength[targets.place[i] * powers + power] += 1
    rank(v.strength, powers, v.leader, v.most, v.second)


def outlook_of(b: BoardTables, v: Survey, a: Assessment, power: int) -> Outlook:
    """Return the columns of a power's outlook."""
    return Outlook(power, b.powers, b.chances, b.provinces.box, v.standing, v.strength, a.strongest, a.calm)


def weigh_places(
    b: BoardTables, v: Survey, a: Assessment, tastes: Tastes, grudge: Fixed, power: int, holder: Fixed,
    sizes: Fixed, safe: Fixed, last: bool,
) -> None:  # fmt: skip
    """Work out what every node is worth to a power with these tastes (`total`).

    `holder` are the owners of provinces, and `sizes` how many centres each power has; `safe` is the probability, by
    province, that a unit survives there. In the `last` movement before owners are counted other weights apply.
    """
    box = b.provinces.box
    look_as(power, v.leader, v.most, v.second, a.strongest)
    for place in range(len(box)):
        if box[place]:
            a.strongest[place] = 0
    weigh_centres(a.worth, b.provinces.centre, holder, sizes, a.strongest, grudge, power, tastes)
    spread_worth(b, a, b.chart[power], tastes.now if last else tastes.later, safe)


def spread_worth(b: BoardTables, a: Assessment, chart: int, weights: Fixed, safe: Fixed) -> None:
    """Work out what every node of the chart with this number is worth by its own province and the rings around it."""
    nodes = b.charts[chart]
    rings, stances, owns = nodes.rings, nodes.stance, nodes.owns
    worth, ring, share, each, places = a.worth, a.ring, a.share, rings.share, b.stances.place
    for n in range(len(ring)):
        place = places[stances[n]]
        ring[n] = worth[place] * safe[place] * owns[n]
        share[n] = each[n] * safe[place]
    sum_rings(a.total, ring, a.numbers, weights, Rings(share, rings.ways, rings.faint, rings.split_at, rings.split))


def chart_of(b: BoardTables, tastes: Tastes, power: int) -> int:
    """Return the number of the chart by which a power with these tastes values places."""
    return int(b.chart[0 if tastes.dumb else power])


def bend_values(b: BoardTables, a: Assessment, tastes: Tastes, power: int, last: bool) -> None:
    """Write down the value of each stance to a power with these tastes, bent by chance: each node's by its guess."""
    stances, total, value, guesses = b.charts[chart_of(b, tastes, power)].stance, a.total, a.value, a.guesses
    whim = tastes.whim * (tastes.surely if last else 1.0)
    for n in range(len(total)):
        value[stances[n]] = total[n] * max(0.0, 1 + whim * (2 * guesses[n] - 1))


def look_ahead(b: BoardTables, v: Survey, a: Assessment, power: int, units: int) -> int:
    """Work out where foreign units will go (`outlook.expect`), and return to how many provinces."""
    places, reach = b.stances.place, b.targets.state
    return expect(
        power, units, a.value, places, v.owners, v.states, v.begins, v.ends, reach, a.calm, a.came, a.calm_at
    )  # fmt: skip


def as_kind(b: BoardTables, kind: int, stance: int) -> int:
    """Return the stance of a unit of another kind in the same place."""
    return int(stance + (kind - b.stances.sort[stance]) * b.locations)


def worth_at(b: BoardTables, value: Fixed, stance: int) -> float:
    """Return the value of a place to a unit in a stance, with its cargo there."""
    stances = b.stances
    if b.kinds.cargo[stances.sort[stance]] < 0:
        return float(value[stance])
    return float(worth_laden(value[stances.state[stance]], value[stance], stances.lies[stance] != 0))


def worth_removed(b: BoardTables, value: Fixed, stance: int, aboard: bool, both: bool) -> float:
    """Return the value lost by a removal: of a unit where it stands, of one `aboard` another, or of a whole pair."""
    own = value[b.stances.state[stance]] if b.kinds.cargo[b.stances.sort[stance]] >= 0 else value[stance]
    if aboard:
        own = value[as_kind(b, b.kinds.laden[b.stances.sort[stance]], stance)]
    return float(worth_gone(own, value[stance], both))


def worth_of_home(b: BoardTables, value: Fixed, location: int) -> float:
    """Return the value of a location to the unit, of any kind that can be built, to which it is worth most."""
    most = value[location]
    for stance in range(location + b.locations, len(b.stances.place), b.locations):
        if b.stances.state[stance] == stance and value[stance] > most:
            most = value[stance]
    return float(most)
