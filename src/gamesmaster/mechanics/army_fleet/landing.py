"""Going ashore: what the order of an army aboard means, and to which army it is bound.

Also what a unit that goes aboard still does ashore.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from gamesmaster.board import Board, Location, Unit
from gamesmaster.engine import MOVE, NOWHERE
from gamesmaster.judge import (
    CONFLICTING,
    BindingMechanic,
    Bound,
    IndexedPosition,
    ParsedOrder,
    ResolvedOrder,
    choose,
    free_of,
)
from gamesmaster.mechanics.army_fleet.columns import BUSY, JUST_BOARDED, NO_LANDER, landing_fault, landing_fleet
from gamesmaster.mechanics.army_fleet.table import embarkation_tables
from gamesmaster.mechanics.army_fleet.values import ArmyFleetSettings, PairCause, PairVerb
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.rules import AnyCause, Cause, standing

_CAUSES: dict[int, AnyCause] = {
    BUSY: PairCause.BUSY,
    NO_LANDER: PairCause.NO_LANDER,
    JUST_BOARDED: PairCause.JUST_BOARDED,
}
"""Why an army does not go ashore, as columns say it."""


def resolve_landing(board: Board, resolved: ResolvedOrder) -> None:
    """Resolve an order to land as a move to a shore of the water."""
    order = resolved.order
    assert order.to is not None
    resolved.code, resolved.land, resolved.sea, resolved.goal, resolved.fault = MOVE, True, False, NOWHERE, None
    resolved.to = resolved.into = board.index.get(order.to.province, NOWHERE)
    resolved.came, resolved.left = PairCause.LANDED, PairCause.NOT_TRIED
    if resolved.to not in resolved.placement.reach:
        resolved.fault = Cause.NOT_ADJACENT
    else:
        resolved.goal = board.location_index[Location(order.to.province)]


def bind_order(
    settings: ArmyFleetSettings, field: IndexedPosition, bound: Bound, parsed: ParsedOrder, power: int
) -> bool:
    """Bind a landing to the army aboard, and a second order to a unit that has boarded; return False for others.

    A landing waits until all other orders are bound, except in a box: there each order is for another unit (CNW-5.a).
    """
    number, box = len(bound.rows), parsed.place in field.board.shared
    if field.cargo and not box and _as_landing(field, parsed):
        assert parsed.order is not None
        landing = replace(parsed.order, verb=PairVerb.LAND)  # a unit aboard moves in no other way
        bound.parsed[number] = parsed = field.reader.read(landing, PhaseKind.MOVEMENT)
    if parsed.order and parsed.order.verb is PairVerb.LAND:
        bound.rows.append(0)
        if box:
            carriers = free_of(field, bound, field.candidates(parsed.place, power, "") if field.crowded else ())
            _land(field, bound, number, parsed, next((r for r in carriers if r in field.cargo), 0), settings)
        else:
            bound.later.append(partial(_land_late, field, bound, number, power, parsed, settings))
        return True
    row = _beside_boarding(field, bound, parsed, power) if field.boarding_places else 0
    if row:
        bound.rows.append(row)
    return row > 0


def _as_landing(field: IndexedPosition, parsed: ParsedOrder) -> bool:
    """Return whether this is the move of an army in a place with only a fleet that carries one.

    Such an order is a landing, written like the convoy that it is (SCO-7.a, CNW-6.b2, AFM-6.a).
    """
    order, row = parsed.order, field.tenant[parsed.place]
    if order is None or order.verb is not Verb.MOVE or order.carried or row not in field.cargo:
        return False
    board = field.board
    assert order.to is not None
    ashore = order.to.province in board.index and board.province(order.to.province).land
    return ashore and order.kind == board.forms[field.kind(row)].cargo


def _land_late(
    field: IndexedPosition, bound: Bound, number: int, power: int, parsed: ParsedOrder, settings: ArmyFleetSettings
) -> None:
    tables, now = field.rules.derive(embarkation_tables), standing(field.rules, field.position)
    for row, resolved in enumerate(bound.chosen):
        now.orders.verb[row], now.orders.goal[row] = resolved.code, resolved.goal
    _land(field, bound, number, parsed, landing_fleet(tables, now, power, parsed.place), settings)


def _land(
    field: IndexedPosition, bound: Bound, number: int, parsed: ParsedOrder, carrier: int, settings: ArmyFleetSettings
) -> None:
    """Bind an order to land to the army aboard this fleet."""
    row = field.cargo.get(carrier, 0)
    if not row:
        bound.faults[number] = PairCause.NO_LANDER
        bound.rows[number] = carrier
        return
    unit = field.units[row]
    assert unit is not None
    water = Location(field.board.provinces[parsed.place].id)
    resolved = field.reader.resolve(parsed, field.reader.placement_aboard(unit.kind, water))
    bound.rows[number] = row
    fault = resolved.fault or _landing_fault(settings, field, bound, resolved, row)
    if fault:
        bound.faults[number] = fault
    else:
        choose(bound, number, row, resolved, field.rules.rulebook.double_orders)


def _landing_fault(
    settings: ArmyFleetSettings, field: IndexedPosition, bound: Bound, resolved: ResolvedOrder, row: int
) -> AnyCause | None:
    """Return the cause if the army cannot land as ordered, given its fleet's order; else None (AFM-6, CNW-6.c)."""
    doing, unit = bound.chosen[field.carrier[row]], field.units[row]
    just = unit is not None and any(u.number == unit.number and not u.aboard for u in field.before.units)
    place, lies = resolved.placement.place, field.at[row]
    fault = landing_fault(field.rules.derive(embarkation_tables), doing.code, doing.to, place, lies, just)
    if fault == BUSY and settings.landing_order == "pair":
        return _cancel_both(bound, field.carrier[row])
    return _CAUSES.get(fault)


def _cancel_both(bound: Bound, row: int) -> Cause:
    """Cancel both orders of a pair that has a landing and another order, and return the cause (SCO-6.b, CNW-6.c)."""
    bound.chosen[row] = CONFLICTING
    bound.faults.update((i, Cause.CONTRADICTED) for i, r in enumerate(bound.rows) if r == row and i not in bound.faults)
    return Cause.CONTRADICTED


def _beside_boarding(field: IndexedPosition, bound: Bound, parsed: ParsedOrder, power: int) -> int:
    """Carry out the second order of a unit that has boarded, where it was at the beginning; return its row, else 0.

    The second order, given beside its main order, is for the place where the unit begins the season (SCO-13.a).
    """
    gone = _find_boarder(field, parsed.place, power, parsed.kind)
    if gone is None or field.owner[field.tenant[parsed.place]] == power:
        return 0
    (row, former), number = gone, len(bound.rows)
    resolved = field.reader.resolve(parsed, field.reader.placements[former.kind][former.at])
    if not resolved.secondary:
        return 0
    fault = resolved.fault
    for order_fault in field.rules.hooks(BindingMechanic.order_fault):
        fault = fault or order_fault(field, resolved, row)
    if fault:
        bound.faults[number] = fault
    else:
        bound.secondary[number] = resolved
    return row


def _find_boarder(field: IndexedPosition, place: int, power: int, kind: str) -> tuple[int, Unit] | None:
    """Return the row of the power's unit that embarked from this place this season, and the unit before that."""
    if place not in field.boarding_places:
        return None
    stood = {u.number: u for u in field.before.units if field.board.index[u.at.province] == place}
    for row in field.carrier:
        unit = field.units[row]
        former = stood.get(unit.number) if unit else None
        if former and former != unit and field.owner[row] == power and kind in ("", former.kind):
            return row, former
    return None
