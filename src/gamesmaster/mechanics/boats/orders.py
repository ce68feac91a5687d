"""Orders about boats: their resolution, the reasons why they are void, and the legal ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import prod

from gamesmaster.board import Board, Edge, Location, Unit
from gamesmaster.engine import BLUNT, FAINT, HOLD, MOVE, SUPPORT
from gamesmaster.judge import IndexedPosition, OrderReader, ResolvedOrder
from gamesmaster.mechanics.boats.columns import AFLOAT, PLAIN, is_free, list_breakable, list_loads, may_make
from gamesmaster.mechanics.boats.table import WAY, boat_index, standing_of
from gamesmaster.mechanics.boats.values import BoatCause, BoatPlacement, BoatSettings, BoatVerb, is_water, pick
from gamesmaster.orders import Order, Verb
from gamesmaster.rules import AnyCause, Cause, Standing

FLEET_WAY = "fleet"

FORCE = 1
"""A quarter of a unit's weight: a move with a boat gives way to every other, and stands off its like (SCO-11.i)."""


def boat_edges(board: Board, foot: str, *, inland: bool) -> Iterator[Edge]:
    """Yield steps by boat: over water, to and from land, and by land (the way `foot`) between provinces at a water.

    Coasts do not count (IND-6.f, SCO-18.d).  `inland` adds the way from inland to the coast, for boats built there.
    """
    wet = {p.id for p in board.provinces if is_water(board, p.id)}
    sailed = [e for e in board.edges if e.way == FLEET_WAY and (e.a.province in wet or e.b.province in wet)]
    shores = {e.a.province for e in sailed} - wet
    walked = [e for e in board.edges if e.way == foot and e.b.province in shores]
    steps = [*sailed, *(e for e in walked if inland or e.a.province in shores)]
    edges = {(e.a.province, e.b.province): e for e in steps}
    return (Edge(WAY, Location(a), Location(b), convoy=False, only=e.only) for (a, b), e in edges.items())


def has_closed_steps(board: Board, form: str, power: str) -> bool:
    """Return whether some step by boat is closed to a power's units of this form."""
    steps = ((here, there) for here, ends in enumerate(board.steps[WAY]) for to in ends.values() for there in to)
    return board.restricted and any(board.barred(power, form, here, there) for here, there in steps)


def ashore(board: Board, location: int) -> bool:
    """Return whether this place on land (a location's number) touches water on which boats go."""
    return any(is_water(board, board.provinces[place].id) for place in board.steps[WAY][location])


def placement_of(field: IndexedPosition) -> BoatPlacement:
    """Return the boats of a field's position, which are remembered: every order is checked against them."""
    return field.derive(_read_placement)


def _read_placement(field: IndexedPosition) -> BoatPlacement:
    return BoatPlacement.of(field.position)


def carries(boats: BoatSettings, resolved: ResolvedOrder) -> bool:
    """Return whether this is a move with boats, of a unit afloat or of one that carries them."""
    return resolved.code == MOVE and (resolved.placement.kind == boats.form or resolved.order.carried > 0)


# -- what they come to -----------------------------------------------------------------------------------------------


def resolve_order(boats: BoatSettings, reader: OrderReader, resolved: ResolvedOrder) -> None:
    """Resolve the part of an order that concerns boats, in any position."""
    verb, kind = resolved.order.verb, resolved.placement.kind
    if verb is BoatVerb.MAKE:
        _work(boats, reader, resolved)
        if resolved.fault is None:
            resolved.fault = _no_yard(boats, reader.board, resolved)
    elif verb is BoatVerb.DESTROY:
        _work(boats, reader, resolved)
        resolved.secondary = True
    elif verb is Verb.SUPPORT and kind == boats.form:
        resolved.fault = BoatCause.AFLOAT
    elif verb is Verb.MOVE and (resolved.order.carried or kind == boats.form):
        _move(boats, reader, resolved)


def _work(boats: BoatSettings, reader: OrderReader, resolved: ResolvedOrder) -> None:
    """Resolve the common part of building and destroying: a unit that can do it, and one boat."""
    order, placement = resolved.order, resolved.placement
    resolved.code = HOLD
    if placement.kind not in (boats.kind, boats.form):
        resolved.fault = BoatCause.ASHORE
    elif order.carried > 1:
        resolved.fault = BoatCause.TOO_MANY
    else:
        resolved.fault = reader.name_fault(order, placement.kind, placement.at)


def _no_yard(boats: BoatSettings, board: Board, resolved: ResolvedOrder) -> AnyCause | None:
    """Return why nothing can be built here: the unit is afloat, even aboard a fleet, or without the shore it needs."""
    if not board.provinces[resolved.placement.place].land:
        return BoatCause.AFLOAT
    return None if boats.build_at == "land" or ashore(board, resolved.placement.location) else BoatCause.NO_YARD


def _move(boats: BoatSettings, reader: OrderReader, resolved: ResolvedOrder) -> None:
    """Resolve a move by boat, which is neither a march nor a convoy and has a quarter of a unit's force (`weigh`)."""
    order, placement, board = resolved.order, resolved.placement, reader.board
    resolved.sea = resolved.via = False
    if placement.kind != boats.form:
        assert order.to is not None
        resolved.land = resolved.to in board.steps[WAY][placement.location] and board.provinces[placement.place].land
        resolved.goal = board.location_index[Location(order.to.province)]
        if placement.kind != boats.kind:
            resolved.fault = BoatCause.ASHORE
        elif resolved.fault in (None, Cause.NOT_ADJACENT):
            resolved.fault = (
                reader.name_fault(order, placement.kind, placement.at) if resolved.land else Cause.NOT_ADJACENT
            )
    if resolved.fault is None and order.carried > boats.carry:
        resolved.fault = BoatCause.TOO_MANY
    weigh(resolved)


def weigh(resolved: ResolvedOrder) -> None:
    """Give a move by boat its weight: two canoes for one place stand each other off, and both yield to a march.

    A quarter of a unit's force stops its like and nobody else (IND-6.k, IND-6.l, SCO-11.i); it takes no support, cuts
    none, and closes no place to retreats.
    """
    resolved.force, resolved.flags, resolved.alone = FORCE, BLUNT | FAINT, BoatCause.CARRIES


# -- on this position ------------------------------------------------------------------------------------------------


def order_fault(boats: BoatSettings, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
    """Return why an order cannot be carried out with the boats in the province of its unit; None if it can."""
    unit, order = field.units[row], resolved.order
    assert unit is not None
    placement = placement_of(field)
    if order.verb is BoatVerb.DESTROY:
        return _nothing_to_destroy(boats, placement, field.board, resolved, unit.power)
    if carries(boats, resolved):
        if pick(boat_index(field.rules).usable(placement, unit), unit.power, order.carried, order.builders) is None:
            return BoatCause.NO_BOAT
        if not boats.into_occupied and field.tenant[resolved.to]:
            return Cause.OCCUPIED
        shut = field.board.restricted and field.board.barred(
            unit.power, boats.form, resolved.placement.location, resolved.goal
        )
        return Cause.CLOSED if shut else None
    if order.verb is not Verb.HOLD and boat_index(field.rules).must_carry(placement, unit):
        return BoatCause.PORTAGE
    if order.verb is BoatVerb.MAKE and boats.builders and unit.power not in boats.builders:
        return BoatCause.NO_BUILDER
    if resolved.code == SUPPORT and resolved.to >= 0 and field.kind(field.helped_row(row, resolved)) == boats.form:
        return BoatCause.CARRIES
    return None


def _nothing_to_destroy(
    boats: BoatSettings, placement: BoatPlacement, board: Board, resolved: ResolvedOrder, power: str
) -> AnyCause | None:
    """Return why an order to destroy boats fails; None if it does not (IND-7.f, SCO-13.d).

    None of the boats named is there at the beginning, or the only one carries the unit itself.
    """
    pile = placement.at(board.provinces[resolved.placement.place].id)
    if pick(pile, power, 1, resolved.order.builders) is None:
        return BoatCause.NO_BOAT
    return BoatCause.AFLOAT if resolved.placement.kind == boats.form and len(pile) < 2 else None


# -- legal orders ----------------------------------------------------------------------------------------------------


def unit_orders(boats: BoatSettings, field: IndexedPosition, unit: Unit) -> Iterator[Order]:
    """Yield a unit's legal orders about boats beside the regular orders; afloat, its moves are the regular ones."""
    if unit.kind not in (boats.kind, boats.form) or unit.aboard:
        return
    index, now, power = boat_index(field.rules), standing_of(field), unit.power
    tables, place, owner = index.tables, field.board.index[unit.at.province], field.rules.numbers.get(power, 0)
    sort, placement = tables.settings[PLAIN if unit.kind == boats.kind else AFLOAT], placement_of(field)
    pile = placement.at(unit.at.province)
    found = [0] * prod([1 + number for number in Counter(pile).values()])
    if unit.kind == boats.kind:
        if taken := index.usable(placement, unit):
            goals = _goals(boats, field, unit, now)
            loads = list_loads(tables, now.kept, place, owner, sort, boats.carry, found)
            for number, builders in index.in_order(taken, power, found[:loads]):
                for to in goals:
                    yield Order(Verb.MOVE, unit.kind, unit.at, to, carried=number, builders=builders)
        if may_make(tables, now.kept, place, owner, sort):
            yield Order(BoatVerb.MAKE, unit.kind, unit.at, carried=1)
    breakable = list_breakable(tables, now.kept, place, sort, found) if pile else 0
    for _, builders in index.in_order(pile, power, found[:breakable]):
        yield Order(BoatVerb.DESTROY, unit.kind, unit.at, carried=1, builders=builders)


def _goals(boats: BoatSettings, field: IndexedPosition, unit: Unit, now: Standing) -> list[Location]:
    """Return the places to which a unit on land may go with boats."""
    board, tables = field.board, boat_index(field.rules).tables
    location = board.location_index[unit.at]
    return [
        Location(board.provinces[goal].id)
        for goal, ends in board.steps[WAY][location].items()
        if not (board.restricted and board.barred(unit.power, boats.form, location, ends[0]))
        and is_free(tables, now, goal)
    ]
