"""The lawful orders that loaded fleets add, for guided entry and for players."""

from __future__ import annotations

from collections.abc import Iterator

from gamesmaster.board import ARMY, FLEET, Board, Location, Unit
from gamesmaster.judge.engine import LANDING, IndexedPosition
from gamesmaster.mechanics.army_fleet.values import PAIR, ArmyFleetSettings
from gamesmaster.mechanics.army_fleet.verbs import PairVerb
from gamesmaster.orders import Order, Verb


def unit_orders(settings: ArmyFleetSettings, field: IndexedPosition, unit: Unit) -> Iterator[Order]:
    """The orders that a unit may be given beside the regular ones."""
    if not settings.allows(unit.power):
        return
    if unit.kind == PAIR and settings.landing_order == "pair":
        yield from _landings(field.board, PAIR, unit.at)
    elif unit.aboard:
        if settings.landing_order == "own":
            yield from _own_landings(settings, field, unit)
    elif settings.board_order == "implied":
        if unit.kind == FLEET and _may_join(settings, field, unit):
            yield from _as_pair(field, unit)
    elif unit.kind == ARMY:
        yield from (Order(PairVerb.BOARD, ARMY, unit.at, fleet.at) for fleet in _beside(settings, field, unit, FLEET))
    elif unit.kind == FLEET and settings.board_order == "both":
        for army in _beside(settings, field, unit, ARMY):
            yield Order(PairVerb.TAKE, FLEET, unit.at, of=army.at, of_kind=ARMY)


def _landings(board: Board, kind: str, at: Location) -> Iterator[Order]:
    for place in board.steps_by(LANDING, board.location_index[at]):
        yield Order(PairVerb.LAND, kind, at, Location(board.provinces[place].id))


def _own_landings(settings: ArmyFleetSettings, field: IndexedPosition, army: Unit) -> Iterator[Order]:
    """From the water the army lies in, and from those its fleet may sail to (AFM-6.a)."""
    board = field.board
    yield from _landings(board, ARMY, army.at)
    if settings.land_same_season_as_sailing:
        for place in board.reach(PAIR, board.location_index[army.at]):
            yield from _landings(board, ARMY, Location(board.provinces[place].id))


def _beside(settings: ArmyFleetSettings, field: IndexedPosition, unit: Unit, kind: str) -> Iterator[Unit]:
    """Own units of this kind with which one could form a pair: army and empty fleet beside each other."""
    if settings.form_where != "sea":
        return
    board = field.board
    for other in field.position.of(unit.power):
        if other.kind != kind or other.aboard:
            continue
        army, fleet = (unit, other) if kind == FLEET else (other, unit)
        at_sea = board.can_stand(PAIR, fleet.at)
        if at_sea and board.index[army.at.province] in board.steps_by(LANDING, board.location_index[fleet.at]):
            yield other


def _may_join(settings: ArmyFleetSettings, field: IndexedPosition, fleet: Unit) -> bool:
    """Is there a free army for this fleet in its box, those before it having had theirs?"""
    board = field.board
    if settings.form_where != "box" or board.index[fleet.at.province] not in board.boxes:
        return False
    here = [u for u in field.position.of(fleet.power) if u.at == fleet.at and not u.aboard]
    fleets = [u for u in here if u.kind == FLEET]
    return fleets.index(fleet) < sum(u.kind == ARMY for u in here)


def _as_pair(field: IndexedPosition, fleet: Unit) -> Iterator[Order]:
    """What the pair could do at once: hold, sail, land (CNW-1.c)."""
    board, here = field.board, field.board.location_index[fleet.at]
    yield Order(Verb.HOLD, PAIR, fleet.at)
    for ends in board.reach(PAIR, here).values():
        yield from (Order(Verb.MOVE, PAIR, fleet.at, board.locations[end]) for end in ends)
    yield from _landings(board, PAIR, fleet.at)
