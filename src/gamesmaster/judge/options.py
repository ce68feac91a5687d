"""Options: the orders that a power could give in a position, among which a text that is incomplete has its meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gamesmaster.board import Dislodged, Location, Position, Unit
from gamesmaster.judge.clerk import Clerk
from gamesmaster.judge.legal import LegalOrders
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.values import Season
from gamesmaster.orders import Order, PhaseKind, Verb


def options(rules: Rules, kind: PhaseKind, position: Position, power: str, season: Season | None = None) -> list[Order]:
    """All that a power might order here: what is legal, and in winter what would be with enough centres.

    Whose a centre is may not be known where a text is read; the rules judge that later.
    """
    found = LegalOrders(rules, position).of_power(kind, power, season)
    if kind is PhaseKind.ADJUSTMENTS:
        found = list(dict.fromkeys([*found, *_winter(rules, position, power)]))
    return found


def dislodged(rules: Rules, position: Position, beaten: tuple[Unit, ...]) -> Position:
    """The position with these units dislodged, wherever from: every vacant place beside them is open to them."""
    taken = {unit.at.province for unit in position.units}
    found = []
    for unit in beaten:
        stance = rules.derived(Clerk).stances[unit.kind][unit.at]
        ends = [rules.board.locations[end] for ends in stance.flees.values() for end in ends]
        found.append(Dislodged(unit, retreats=tuple(end for end in ends if end.province not in taken)))
    return replace(position, dislodged=tuple(found))


def _winter(rules: Rules, position: Position, power: str) -> Iterator[Order]:
    for unit in position.of(power):
        yield Order(Verb.REMOVE, unit.kind, unit.at)
    occupied = {unit.at.province for unit in position.units}
    homes = (*rules.homes.get(power, ()), *rules.home_provinces.get(power, ()))
    for home in dict.fromkeys(homes):
        if home not in occupied:
            for kind, location in sorted(rules.board.standing):
                if location.province == home and kind not in rules.board.forms:
                    yield Order(Verb.BUILD, kind, Location(*location))
    yield Order(Verb.WAIVE)
