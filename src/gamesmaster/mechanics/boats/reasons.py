"""Why orders about boats came out as they did, in the words and by the clauses of boats.

The clauses are those of the canoe-fleets (IND); a variant with other rules for its boats cites its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gamesmaster.board import Board, Location, Unit
from gamesmaster.mechanics.boats.table import WAY, boat_index
from gamesmaster.mechanics.boats.values import BoatCause, BoatEvent, BoatPlacement, BoatSettings, BoatVerb, is_water
from gamesmaster.mechanics.registry import clauses_beside
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.rules import NO_OVERRIDE, AnyCause, Case, Cause, Event, ReasonOverride

SAYINGS = clauses_beside(__file__)


def ruling_aspect(boats: BoatSettings, case: Case) -> ReasonOverride:
    """Return the aspect of a ruling's reason that concerns boats."""
    word = ""
    if case.kind is PhaseKind.MOVEMENT:
        word = _season(boats, case)
    elif case.ruling.order is not None:
        word = _between(boats, case, case.ruling.order)
    return ReasonOverride(word) if word else NO_OVERRIDE


def event_aspect(boats: BoatSettings, board: Board, event: Event, winter: Callable[[int], str]) -> ReasonOverride:
    """Return the aspect of a loss of boats: a raw one on land, or those lost with the unit that they carried."""
    return (
        ReasonOverride("raw_lost")
        if event.kind is BoatEvent.WRECKED and not is_water(board, event.province)
        else NO_OVERRIDE
    )


# -- seasons of moves ------------------------------------------------------------------------------------------------


def _season(boats: BoatSettings, case: Case) -> str:
    order, unit = case.ruling.order, case.ruling.unit
    if case.ruling.cause in (Cause.HELD, Cause.UNORDERED):
        moored = BoatPlacement.of(case.position)
        raw = unit is not None and boat_index(case.rules).must_carry(moored, unit)
        return "idles_raw_boat" if raw else ""
    if order is None:
        return ""
    if order.verb is Verb.MOVE and unit is not None and order.to is not None:
        if order.carried or unit.kind == boats.form:
            return _with_boat(boats, case, unit, order, order.to)
        return _on_foot(boats, case, unit, order.to) or _too_shallow(case, unit, order)
    if case.ruling.cause is Cause.OUT_OF_REACH and unit is not None:
        return _too_shallow(case, unit, order)
    return _WORDS.get((case.ruling.cause, order.verb), "")


_WORDS: Mapping[tuple[AnyCause, AnyVerb], str] = {
    (BoatCause.AFLOAT, Verb.SUPPORT): "afloat_helps",
    (BoatCause.AFLOAT, BoatVerb.MAKE): "afloat_builds",
    (BoatCause.AFLOAT, BoatVerb.DESTROY): "afloat_destroys",
    (BoatCause.NO_BOAT, BoatVerb.DESTROY): "nothing_to_destroy",
    (BoatCause.TOO_MANY, BoatVerb.DESTROY): "destroys_one",
    (BoatCause.TOO_MANY, BoatVerb.MAKE): "builds_one",
    (Cause.SECOND, BoatVerb.DESTROY): "destroyed_already",
}


def _with_boat(boats: BoatSettings, case: Case, unit: Unit, order: Order, to: Location) -> str:
    """Return the aspect of a ruling on a move with boats."""
    board = case.rules.board
    if case.ruling.cause is Cause.CAME:
        if boat_index(case.rules).must_carry(BoatPlacement.of(case.position), unit):
            return "brings_raw_boat"
        here, there = is_water(board, unit.at.province), is_water(board, to.province)
        return ("lands_boat", "paddles")[there] if here else ("carries_boat", "puts_out")[there]
    if case.ruling.cause is BoatCause.WITHDREW:
        return _withdrawal_reason(boats, case, unit, to)
    if case.ruling.cause is Cause.NOT_ADJACENT:
        land = board.province(to.province).land
        return "boat_inland" if land and not _waters(board, to) else "boat_too_far"
    return "sent_where_somebody_is" if case.ruling.cause is Cause.OCCUPIED else ""


def _withdrawal_reason(boats: BoatSettings, case: Case, unit: Unit, to: Location) -> str:
    """Return the reason for a boat's withdrawal, which names the other unit and its order."""
    (other,) = case.ruling.by
    doing = case.orders.get(other.number)
    moves = doing is not None and doing.verb.like is Verb.MOVE and doing.to is not None
    if other.at.province == to.province:
        exchange = moves and doing is not None and doing.to is not None and doing.to.province == unit.at.province
        return "boats_exchange" if exchange else "boat_finds_somebody"
    return "boats_meet" if _goes_by_boat(boats, other, doing) else "boat_yields"


def _goes_by_boat(boats: BoatSettings, unit: Unit, doing: Order | None) -> bool:
    moves = doing is not None and doing.verb is Verb.MOVE
    return moves and (unit.kind == boats.form or (doing is not None and doing.carried > 0))


def _on_foot(boats: BoatSettings, case: Case, unit: Unit, to: Location) -> str:
    """Return the aspect of a ruling on a march, or on the move of a fleet."""
    if case.ruling.cause is Cause.NOT_ADJACENT:
        return "water_without_boat" if unit.kind == boats.kind and is_water(case.rules.board, to.province) else ""
    words: dict[AnyCause, str] = {Cause.BEATEN_HEAD_ON: "meets_boat", Cause.RESISTED: "boat_was_held_up"}
    if case.ruling.cause not in words or not case.ruling.by:
        return ""
    (other,) = case.ruling.by
    return words[case.ruling.cause] if _goes_by_boat(boats, other, case.orders.get(other.number)) else ""


def _too_shallow(case: Case, unit: Unit, order: Order) -> str:
    """Return the aspect of a ruling on a fleet's move or support for which the water is too shallow."""
    board, goal = case.rules.board, order.to or order.of
    if goal is None or goal.province not in board.index or not board.sails(board.base(unit.kind)):
        return ""
    support = order.verb is Verb.SUPPORT
    if case.ruling.cause in (Cause.CLOSED, Cause.OUT_OF_REACH, Cause.NOT_OPEN) and _shallow(case, unit, goal.province):
        return "supports_shallow" if support else "shallow"
    if case.ruling.cause is Cause.NOT_ADJACENT and not support:
        shared = _waters(board, unit.at) & _waters(board, goal)
        return "shallow_coast" if shared and all(_shallow(case, unit, water) for water in shared) else ""
    return ""


def _shallow(case: Case, unit: Unit, province: str) -> bool:
    board = case.rules.board
    return is_water(board, province) and board.shut(unit.power, unit.kind, province)


def _waters(board: Board, at: Location) -> set[str]:
    """Return the waters that a place on land touches, as boats go; of a water none."""
    here = board.location_index.get(Location(at.province))
    if here is None or not board.province(at.province).land:
        return set()
    near = (board.provinces[place].id for place in board.steps[WAY][here])
    return {place for place in near if is_water(board, place)}


# -- between the seasons ---------------------------------------------------------------------------------------------


_IN_SEASON: Mapping[AnyVerb, str] = {BoatVerb.MAKE: "builds_in_season", BoatVerb.DESTROY: "destroys_in_season"}


def _between(boats: BoatSettings, case: Case, order: Order) -> str:
    """Return the aspect of a ruling on a retreat, build or removal."""
    if case.ruling.cause in (Cause.OTHER_PHASE, Cause.NOT_DISLODGED, Cause.NO_UNIT, Cause.UNREADABLE):
        return _IN_SEASON.get(order.verb, "")
    if case.ruling.cause is Cause.NOT_A_SITE:
        return "built_afloat" if order.kind == boats.form else ""
    unit = case.ruling.unit
    if case.kind is not PhaseKind.RETREATS or unit is None:
        return ""
    if case.ruling.cause is Cause.RETREATED:
        return "flees_by_boat" if unit.kind == boats.form else ""
    if case.ruling.cause is Cause.NOT_OPEN and order.to is not None:
        lie = BoatPlacement.of(case.position).at(unit.at.province)
        if lie and unit.kind == boats.kind and is_water(case.rules.board, order.to.province):
            return "no_retreat_by_boat"
        return _too_shallow(case, unit, order)
    return ""
