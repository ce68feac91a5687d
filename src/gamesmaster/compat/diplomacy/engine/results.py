"""Results of orders, in the words of the package, read off the judge's rulings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from gamesmaster.compat.diplomacy.engine.listing import spell
from gamesmaster.compat.diplomacy.engine.order_results import (
    BOUNCE,
    CUT,
    DISLODGED,
    DISRUPTED,
    NO_CONVOY,
    OK,
    VOID,
    OrderResult,
)
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.rules import USUAL, Cause, Result, Ruling

_RESULTS = {
    Result.BOUNCES: BOUNCE,
    Result.CUT: CUT,
    Result.VOID: VOID,
    Result.NO_CONVOY: NO_CONVOY,
    Result.DISRUPTED: DISRUPTED,
}
MOVED = (Cause.CAME, Cause.CAME_BY_SEA)
"""Causes of moves that came true."""
UNBOUND = (Cause.SECOND, Cause.CONTRADICTED, Cause.NO_UNIT, Cause.FOREIGN)
"""Causes of orders that their unit has beside the one that it carries out."""


class Judged(NamedTuple):
    """A phase as it was judged: the rulings, and the texts of its units by number.

    `void` are the powers and units of orders of retreats and adjustments that were not possible.
    """

    kind: PhaseKind | None = None
    rulings: tuple[Ruling, ...] = ()
    texts: Mapping[int, str] = MappingProxyType({})
    void: Sequence[tuple[str, str]] = ()

    def __reduce__(self) -> tuple[object, ...]:
        """Leave out the board, which no text of an order needs."""
        rulings = tuple(ruling._replace(clauses=USUAL, board=None) for ruling in self.rulings)
        return Judged, (self.kind, rulings, dict(self.texts), self.void)

    def results(self, units: Iterable[str]) -> dict[str, list[OrderResult]]:
        """Return the results of these units and of all orders; an order that came true has none."""
        found: dict[str, list[OrderResult]] = {unit: [] for unit in units}
        for _, unit in self.void:
            found.setdefault(unit, []).append(VOID)
        moving, building = self.kind is PhaseKind.MOVEMENT, self.kind is PhaseKind.ADJUSTMENTS
        fates = {r.unit.at.province: r for r in self.rulings if moving and r.unit and r.cause not in UNBOUND}
        for ruling in self._own():
            result, order = result_of(ruling, fates), ruling.order
            if building and order and order.verb is not Verb.WAIVE:
                result = result or OK
            if result is None and ruling.dislodged_by is None and ruling.unit is not None:
                continue
            results = found.setdefault(self._unit(ruling), [])
            if result is not None and result not in results:
                results.append(result)
            if ruling.dislodged_by is not None:
                results.append(DISLODGED)
        return found

    def commands(self) -> dict[str, str]:
        """Return what each unit did in a phase of movement."""
        found: dict[str, str] = {}
        for ruling in self._own() if self.kind is PhaseKind.MOVEMENT else ():
            order, given, unit = ruling.order, ruling.given, self._unit(ruling)
            if ruling.unit is not None and (ruling.cause not in UNBOUND or unit not in found):
                spelt = given[len(unit) + 1 :] if given.startswith(unit) else order and halves(spell(order))[1]
                found[unit] = spelt or "H"
        return found

    def ordered(self, powers: Iterable[str]) -> dict[str, list[str]]:
        """Return the units of these powers that had orders."""
        given = [*self.void, *[(ruling.power, self._unit(ruling)) for ruling in self._own() if ruling.given]]
        return {name: [unit for power, unit in given if power == name] for name in powers}

    def _own(self) -> Iterator[Ruling]:
        """Yield the rulings but those on orders for units of others."""
        return (ruling for ruling in self.rulings if ruling.cause is not Cause.FOREIGN)

    def _unit(self, ruling: Ruling) -> str:
        """Return the unit that a ruling is about as a text; for orders without one, what they name."""
        unit, order = ruling.unit, ruling.order
        if unit is not None:
            return self.texts.get(unit.number) or str(unit)
        return f"{order.kind} {order.at}" if order and order.at else "WAIVE" if order else ruling.given


def halves(text: str) -> tuple[str, str]:
    """Return the unit of an order, and what it is to do."""
    unit, _, tail = text[2:].partition(" ")
    return text[:2] + unit, tail


def result_of(ruling: Ruling, fates: Mapping[str, Ruling]) -> OrderResult | None:
    """Return the result of an order, None if it came true; `fates` are the rulings on moving units by province."""
    order, found = ruling.order, _RESULTS.get(ruling.result)
    if ruling.cause is Cause.NO_CHAIN:
        return NO_CONVOY
    if order is None or order.of is None or not fates:
        return found
    helped = fates.get(order.of.province)
    if order.verb is Verb.CONVOY and ruling.cause is not Cause.CARRIER_SILENCED:
        return found if found is VOID or (helped is not None and _sails(helped, ruling)) else NO_CONVOY
    if found is None and order.to is not None:
        there = fates.get(order.to.province)
        if helped is not None and _RESULTS.get(helped.result) is NO_CONVOY:
            return NO_CONVOY
        own = there is not None and there.power == ruling.power and there.cause not in MOVED
        if own and helped is not None and helped.cause is not Cause.STOOD_OFF:
            return VOID
    return found


def _sails(army: Ruling, fleet: Ruling) -> bool:
    """Return whether an army is carried by a fleet's order, whatever it meets where it lands."""
    order, ordered = army.order, fleet.order
    if order is None or ordered is None or order.verb is not Verb.MOVE or order.to != ordered.to:
        return False
    return army.cause is Cause.CAME_BY_SEA or (
        army.result is Result.BOUNCES and (order.via or army.power == fleet.power)
    )
