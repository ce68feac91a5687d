"""Support for units of other powers, by units that would only hold: plain functions over columns, as in `outlook`."""

from __future__ import annotations

from gamesmaster.engine.heuristic.outlook import Fixed
from gamesmaster.engine.heuristic.plan import Plan
from gamesmaster.engine.heuristic.tables import BoardTables, Listing, Survey, Tastes

OFFENCE = 1.0
"""The grudge from which a power is not helped."""


def worth_of_aid(
    b: BoardTables, v: Survey, value: Fixed, grudge: Fixed, holder: Fixed, sizes: Fixed, tastes: Tastes, power: int,
    r: int, to: int,
) -> float:  # fmt: skip
    """Return how likely a power supports the unit in row `r`, of another, into a stance, or where it stands (-1).

    It helps the more the likelier the unit does this, against a third power: the one in its way, or the one that could
    attack it with most units. It helps nobody who has attacked it in the movement before, nor the largest power.
    """
    friend, own, largest = v.owners[r], v.states[r], 0
    if not friend or friend == power or grudge[power * len(sizes) + friend] >= OFFENCE:
        return 0.0
    for other in range(1, len(sizes)):
        largest = max(largest, sizes[other])
    place = b.stances.place[to if to >= 0 else own]
    rival = _rival_at(b, v, holder, place) if to >= 0 else _attacker_of(b, v, power, friend, place)
    if sizes[friend] == largest or not 0 < rival < len(sizes) or rival == power or rival == friend:  # noqa: SIM109 (machine code)
        return 0.0
    best, there = value[own], value[own] if to < 0 else 0.0
    for i in range(v.begins[r], v.ends[r]):
        best = max(best, value[b.targets.state[i]])
        if b.stances.place[b.targets.state[i]] == place:
            there = max(there, value[b.targets.state[i]])
    hate = 1 + grudge[power * len(sizes) + rival]
    return float(tastes.helping * hate * there / best) if best > 0 else 0.0


def _rival_at(b: BoardTables, v: Survey, holder: Fixed, place: int) -> int:
    """Return the power that a move into a place attacks, 0 for none."""
    return int(v.standing[place] if v.standing[place] else holder[place] * b.provinces.centre[place])


def _attacker_of(b: BoardTables, v: Survey, power: int, friend: int, place: int) -> int:
    """Return the power, of all but two, that could attack a place with most units, 0 for none."""
    first, rival = place * b.powers, 0
    for other in range(1, b.powers - 1):
        units = v.strength[first + other]
        if other != power and other != friend and units > v.strength[first + rival]:
            rival = other
    return rival


def note_aid(c: Listing, n: int, worth: float, order: int, to: int, into: int) -> None:
    """Keep an order of unit `n` to support another power's unit in a province if it is likelier than all before."""
    if worth > c.aid.worth[n]:
        c.aid.worth[n], c.aid.order[n], c.aid.to[n], c.aid.into[n] = worth, order, to, into


def gives_aid(c: Listing, p: Plan, n: int, guess: float) -> bool:
    """Return whether a unit of a settled plan, by a guess from 0 to 1, gives its order to support another power's unit.

    It does so only in place of holding, and never against its own side's moves.
    """
    m, into = p.menu, c.aid.into[n]
    idle = p.chosen[n] == m.units.hold[n] and not p.claimed[n] and not p.helped[n * m.aims]
    return bool(idle and guess < c.aid.worth[n] and not m.own[into] and not p.arrivals.first[into])
