"""Armies aboard fleets between the table and its columns: what a variant says of them, and what orders mean."""

from __future__ import annotations

from collections.abc import Iterator

from gamesmaster.board import ARMY, FLEET, LANDING, Location, Terrain, Unit
from gamesmaster.engine.groups import end_to_end
from gamesmaster.judge import IndexedPosition
from gamesmaster.mechanics.army_fleet.columns import (
    BOARD,
    BY_ARMY,
    BY_BOTH,
    BY_FLEET,
    CANCEL,
    FIRST,
    IMPLIED,
    LAND,
    LAST,
    SAIL_AS_PAIR,
    STAND_AS_PAIR,
    TAKE,
    EmbarkationPlaces,
    EmbarkationTables,
    PairReach,
)
from gamesmaster.mechanics.army_fleet.embarking import choose_order, count_orders
from gamesmaster.mechanics.army_fleet.values import PAIR, ArmyFleetSettings, PairVerb
from gamesmaster.orders import Order, Verb
from gamesmaster.rules import Rules, Standing, standing

_ORDERS = {"army": BY_ARMY, "both": BY_BOTH, "fleet": BY_FLEET, "implied": IMPLIED}
_DOUBLES = {"cancel": CANCEL, "first": FIRST, "last": LAST}
_FORMS = {"box": Terrain.BOX, "sea": Terrain.SEA}


def embarkation_tables(rules: Rules) -> EmbarkationTables:
    """Return the columns of a variant's armies aboard fleets; `rules.derive(wharf_of)` caches them."""
    pairs = next(mechanic for mechanic in rules.mechanics if isinstance(mechanic, ArmyFleetSettings))
    board, book, kinds = rules.board, rules.rulebook, list(rules.board.ways)
    places = range(len(board.provinces))
    bare = [board.locations_of(place)[0] for place in places]
    shores = [list(board.steps_by(LANDING, at)) for at in bare]
    sails = [[end for ends in board.reach(PAIR, at).values() for end in ends] for at in bare]
    helps = [list(board.steps_by(board.forms[PAIR].helps, at)) for at in bare]
    terrain = [province.terrain for province in board.provinces]
    holds = [any(board.can_stand(PAIR, board.locations[at]) for at in board.locations_of(place)) for place in places]
    return EmbarkationTables(
        settings=[
            _ORDERS[pairs.board_order],
            int(pairs.board_timing == "whole_season"),
            int(pairs.land_same_season_as_boarding_without_sailing),
            pairs.max_seasons_aboard,
            int(pairs.landing_order == "own"),
            int(pairs.land_same_season_as_sailing),
            int(pairs.landing_independent_of_fleet),
            int(pairs.landing_cuts_support_into_own_sea == "never"),
            int(pairs.plain_convoy == "one_sea_ferry" and pairs.failed_plain_convoy == "aboard_if_own"),
            _DOUBLES[book.double_orders],
            int(book.impossible_order == "refuses_support"),
            pairs.remove_whole_needs,
            len(board.locations),
            *(kinds.index(kind) for kind in (ARMY, FLEET, PAIR)),
        ],
        place=board.place,
        allows=[0, *(int(pairs.allows(power)) for power in rules.powers)],
        provinces=EmbarkationPlaces(
            forms=[int(one is _FORMS.get(pairs.form_where)) for one in terrain],
            beside=[int(pairs.form_where == "sea" and held) for held in holds],
            boxes=[int(pairs.form_where == "box" and place in board.boxes) for place in places],
            holds=list(map(int, holds)),
            alone=[int(pairs.may_stay(board, province.id)) for province in board.provinces],
            bare=bare,
        ),
        reach=PairReach(*end_to_end(shores), *end_to_end(sails), *end_to_end(helps)),
    )


def unit_orders(pairs: ArmyFleetSettings, field: IndexedPosition, unit: Unit) -> Iterator[Order]:
    """Yield the legal orders that loaded fleets add for a unit, for guided entry and for players."""
    tables, now = field.rules.derive(embarkation_tables), field.derive(_standing)
    row = now.units.number.index(unit.number, 1)
    for number in range(count_orders(tables, now, row)):
        choose_order(tables, now, row, number)
        goal, locations = now.orders.goal[row], field.board.locations
        at = locations[goal % len(locations)] if goal >= 0 else None
        yield from orders_of(field.rules, unit, now.orders.verb[row], at, now.orders.load[row])


def _standing(field: IndexedPosition) -> Standing:
    return standing(field.rules, field.position)


def orders_of(rules: Rules, unit: Unit, verb: int, goal: Location | None, load: int) -> list[Order]:
    """Return a unit's orders to embark, carry or land, as `Order`s."""
    if verb == BOARD:
        return [Order(PairVerb.BOARD, ARMY, unit.at, goal)]
    if verb == TAKE:
        return [Order(PairVerb.TAKE, FLEET, unit.at, of=goal, of_kind=ARMY)]
    if verb == LAND and load:
        return [Order(PairVerb.LAND, ARMY, Location(rules.board.provinces[load - 1].id), goal)]
    own = {LAND: PairVerb.LAND, STAND_AS_PAIR: Verb.HOLD, SAIL_AS_PAIR: Verb.MOVE}
    return [Order(own[verb], PAIR, unit.at, goal)] if verb in own else []
