"""Why orders about armies aboard fleets came out as they did, in the words and by the clauses of Davis's module (AFM).

A variant with other rules for its armies aboard cites its own.
"""

from __future__ import annotations

from gamesmaster.board import ARMY, Location, Terrain, Unit
from gamesmaster.mechanics.army_fleet.values import PAIR, ArmyFleetSettings, PairCause, PairVerb
from gamesmaster.mechanics.boxes import BoxCause
from gamesmaster.mechanics.registry import clauses_beside
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.rules import NO_OVERRIDE, AnyCause, Case, Cause, ReasonOverride

SAYINGS = clauses_beside(__file__)

_OF_THE_PAIR: dict[AnyCause, str] = {
    Cause.CAME: "pair_sails",
    Cause.NOT_AT_SEA: "pair_carries",
    Cause.SUPERFLUOUS: "pair_carries",
    PairCause.NOT_TRIED: "fleet_beaten",
}
_BY_FERRY: dict[AnyCause, str] = {
    Cause.AVAILABLE: "ferries",
    Cause.CAME_BY_SEA: "is_ferried",
    Cause.CARRIER_LOST: "carries_nobody",
    Cause.CONVOY_BROKEN: "ferry_lost",
    Cause.NO_CHAIN: "no_ferry",
    Cause.NO_PASSAGE: "no_one_sea",
}


def pair_aspect(settings: ArmyFleetSettings, case: Case) -> ReasonOverride:
    """Return the aspect of a ruling's reason that concerns armies aboard fleets."""
    if case.ruling.order is None:
        return NO_OVERRIDE
    find_word = _in_season if case.kind is PhaseKind.MOVEMENT else _between
    word = find_word(settings, case, case.ruling.order)
    return ReasonOverride(word) if word else NO_OVERRIDE


def _in_season(settings: ArmyFleetSettings, case: Case, order: Order) -> str:
    """Return the aspect of a ruling in a movement phase."""
    unit = case.ruling.unit
    if case.ruling.cause is BoxCause.LEFT_OVER and order.kind in case.rules.board.forms:
        return "pair_wanting"  # the pair is missing, and cannot be formed
    if case.ruling.cause is Cause.OTHER_PHASE and order.verb in (PairVerb.BOARD, PairVerb.TAKE):
        return "boards_unasked" if settings.board_order == "implied" else ""
    if unit is None:
        return ""
    if case.ruling.cause is Cause.UNMATCHED and order.verb is PairVerb.TAKE and order.of is not None:
        armies = (u for u in case.position.of(case.ruling.power) if u.kind == ARMY and not u.aboard)
        return "unboarded" if any(u.at.province == order.of.province for u in armies) else ""
    if unit.kind == PAIR and (word := _of_the_pair(settings, case, unit, order)):
        return word
    if settings.plain_convoy == "one_sea_ferry":
        return _by_ferry(case, unit, order)
    return _of_a_box(case, unit, order) if settings.form_where == "box" else ""


def _of_the_pair(settings: ArmyFleetSettings, case: Case, unit: Unit, order: Order) -> str:
    if case.ruling.cause is PairCause.NOT_TRIED:
        return _OF_THE_PAIR[case.ruling.cause] if case.ruling.dislodged_by else ""
    if case.ruling.cause is Cause.NOT_ADJACENT and order.verb is Verb.MOVE:
        return "pair_into_coast" if _by_fleet(case, unit, order.to) else ""
    if case.ruling.cause is Cause.OUT_OF_REACH and not settings.loaded_supports_onto_land:
        return "pair_helps_land" if _by_fleet(case, unit, order.to or order.of) else ""
    if order.verb is Verb.SUPPORT:
        return "own_landing" if case.ruling.cause is Cause.UNMATCHED and _own_landing(case, unit, order) else ""
    return _OF_THE_PAIR.get(case.ruling.cause, "")


def _own_landing(case: Case, unit: Unit, order: Order) -> bool:
    """Return whether the support is for the army aboard; in a box it could be another's."""
    if order.of is None or order.to is None or order.of.province != unit.at.province:
        return False
    alone = case.rules.board.province(unit.at.province).terrain is not Terrain.BOX
    return alone and order.of_power in ("", case.ruling.power)


def _by_fleet(case: Case, unit: Unit, to: Location | None) -> bool:
    """Return whether its fleet alone could go there, onto land."""
    board = case.rules.board
    if to is None or to.province not in board.index or not board.province(to.province).land:
        return False
    return board.index[to.province] in board.reach(board.base(unit.kind), board.location_index[unit.at])


def _by_ferry(case: Case, unit: Unit, order: Order) -> str:
    """Return the aspect of a ruling on a crossing over one sea."""
    if (
        case.ruling.cause in (Cause.STOOD_OFF, Cause.RESISTED, Cause.OWN_UNIT, Cause.OWN_HELP)
        and order.verb is Verb.MOVE
    ):
        return "refused_ashore" if _has_own_ferry(case, unit, order) else ""
    sails = order.verb in (PairVerb.FERRY, Verb.MOVE) and (order.verb is PairVerb.FERRY or unit.kind == ARMY)
    return _BY_FERRY.get(case.ruling.cause, "") if sails else ""


def _has_own_ferry(case: Case, unit: Unit, order: Order) -> bool:
    """Return whether a fleet of its own power carries this army."""
    doing = ((u, case.orders.get(u.number)) for u in case.position.of(unit.power))
    return any(
        one is not None and one.verb is PairVerb.FERRY and (one.of, one.to) == (unit.at, order.to) for _, one in doing
    )


def _of_a_box(case: Case, unit: Unit, order: Order) -> str:
    """Return the aspect of a ruling on an army that would leave a box on its own, or come home into it."""
    board = case.rules.board
    if unit.kind != ARMY or case.ruling.cause not in (Cause.NOT_ADJACENT, Cause.NO_PASSAGE) or order.to is None:
        return ""
    if board.province(unit.at.province).terrain is Terrain.BOX:
        return "leaves_aboard"
    home = order.to.province in board.index and board.province(order.to.province).terrain is Terrain.BOX
    return "returns" if home else ""


def _between(settings: ArmyFleetSettings, case: Case, order: Order) -> str:
    """Return the aspect of a ruling on a retreat, build or removal."""
    board, unit = case.rules.board, case.ruling.unit
    if case.ruling.cause is Cause.NOT_A_SITE:
        return "pair_built" if order.kind == PAIR else ""
    if case.kind is not PhaseKind.RETREATS or unit is None or order.to is None:
        return ""
    if case.ruling.cause is Cause.RETREATED and unit.kind == PAIR:
        return "pair_flees" if board.can_stand(PAIR, order.to) else "pair_flees_ashore"
    if case.ruling.cause is not Cause.NOT_OPEN or unit.kind != ARMY or not settings.allows(case.ruling.power):
        return ""
    water = order.to.province in board.index and board.province(order.to.province).terrain is Terrain.SEA
    return "no_retreat_aboard" if water else ""
