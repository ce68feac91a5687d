"""Going aboard, before anything moves: by order of the army, of both units, or by an order for the pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gamesmaster.board import ARMY, FLEET, Location, Position, Terrain, Unit
from gamesmaster.judge import OrderReader
from gamesmaster.mechanics.army_fleet.columns import STAND_AS_PAIR, lands_on
from gamesmaster.mechanics.army_fleet.embarking import embark as go_together
from gamesmaster.mechanics.army_fleet.embarking import form_pairs as join_pairs
from gamesmaster.mechanics.army_fleet.embarking import outranks
from gamesmaster.mechanics.army_fleet.table import embarkation_tables
from gamesmaster.mechanics.army_fleet.values import PAIR, ArmyFleetSettings, PairCause, PairVerb
from gamesmaster.orders import AnyVerb, GivenOrder, Order, PhaseKind, Verb
from gamesmaster.rules import AnyCause, Cause, MechanicResult, Result, Rules, Standing, Verdict, standing

Key = tuple[str, int]
"""An order: its power, and its number among those that power gave."""


class Parties(NamedTuple):
    """The provinces of the army and of the fleet that an order to board or to take aboard names."""

    army: str
    fleet: str


@dataclass(frozen=True, slots=True)
class Boarding:
    """An army that would go aboard a fleet, with the orders of the army and of the fleet that say so."""

    army: Unit
    fleet: Unit
    boards: Sequence[Key]
    takes: Sequence[Key]


def form_pairs(
    settings: ArmyFleetSettings, rules: Rules, position: Position, orders: Mapping[str, Sequence[GivenOrder]]
) -> Position:
    """Join free armies and free fleets in a box into pairs, one for each order for a pair not there yet.

    (CNW-5.a, 6.a1.)
    """
    tables, now = rules.derive(embarkation_tables), standing(rules, position)
    for power, given in orders.items():
        wanted: dict[str, int] = {}
        for _, order in _read(rules, given):
            if order.at and order.kind == PAIR and _forms_in(settings, rules, order.at):
                wanted[order.at.province] = wanted.get(order.at.province, 0) + 1
        for place, number in wanted.items() if settings.allows(power) else ():
            here = {row: unit for row, unit in enumerate(position.units, 1) if _lies(unit, power, place)}
            armies, fleets = ([row for row, u in here.items() if u.kind == kind] for kind in (ARMY, FLEET))
            more = number - sum(unit.kind == PAIR for unit in here.values())
            for row in fleets[: max(0, min(more, len(armies)))]:
                now.orders.verb[row] = STAND_AS_PAIR
    join_pairs(tables, now)
    return embark(position, _boarders(position, now))


def _lies(unit: Unit, power: str, place: str) -> bool:
    return unit.power == power and unit.at.province == place and not unit.aboard


def _boarders(position: Position, now: Standing) -> list[tuple[Unit, Unit]]:
    """Return the armies that have gone aboard in these columns, each with its fleet."""
    units = {unit.number: unit for unit in position.units}
    return [
        (u, units[now.units.aboard[row]])
        for row, u in enumerate(position.units, 1)
        if now.units.aboard[row] != u.aboard
    ]


def _forms_in(settings: ArmyFleetSettings, rules: Rules, at: Location) -> bool:
    terrain = {"box": Terrain.BOX, "sea": Terrain.SEA}.get(settings.form_where)
    return at.province in rules.board.index and rules.board.province(at.province).terrain is terrain


def embark(position: Position, joined: Sequence[tuple[Unit, Unit]]) -> Position:
    """Return the position with each of these armies aboard its fleet."""
    changed: dict[int, Unit] = {}
    for army, fleet in joined:
        changed[army.number] = Unit(army.number, army.kind, army.power, fleet.at, fleet.number)
        changed[fleet.number] = Unit(fleet.number, PAIR, fleet.power, fleet.at)
    if not changed:
        return position
    units = tuple(changed.get(u.number, u) for u in position.units)
    return Position(units, position.owners, position.dislodged, position.state)


def board_fleets(
    settings: ArmyFleetSettings, rules: Rules, position: Position, orders: Mapping[str, Sequence[GivenOrder]]
) -> MechanicResult:
    """Put armies aboard as ordered, where this is legal, and give each order to board or to take aboard its verdict."""
    verdicts: dict[Key, Verdict] = {}
    wanted = [
        boarding
        for power, given in orders.items()
        for boarding in _boardings(settings, rules, position, power, given, verdicts)
    ]
    now, rows = standing(rules, position), {unit.number: row for row, unit in enumerate(position.units, 1)}
    for boarding in wanted:
        now.orders.result[rows[boarding.army.number]] = rows[boarding.fleet.number]
    go_together(rules.derive(embarkation_tables), now)
    for boarding in wanted:
        if not now.units.aboard[rows[boarding.army.number]]:  # nothing shows which is meant (AFM-3.e)
            verdicts |= {key: _void(PairCause.TWO_BOARD, boarding.army) for key in boarding.boards}
            verdicts |= {key: _void(Cause.UNMATCHED, boarding.fleet) for key in boarding.takes}
            continue
        boards, takes = (Verdict(Result.SUCCEEDS, cause) for cause in (PairCause.BOARDED, PairCause.TAKES))
        verdicts |= {key: boards._replace(unit=boarding.army) for key in boarding.boards}
        verdicts |= {key: takes._replace(unit=boarding.fleet) for key in boarding.takes}
    return MechanicResult(embark(position, _boarders(position, now)), verdicts)


def _read(rules: Rules, given: Sequence[GivenOrder]) -> Iterator[tuple[int, Order]]:
    """Yield the orders that can be read, with their numbers."""
    for number, text in enumerate(given):
        order = rules.derive(OrderReader).read(text, PhaseKind.MOVEMENT).order
        if order is not None:
            yield number, order


def _void(cause: AnyCause, unit: Unit | None) -> Verdict:
    return Verdict(Result.VOID, cause, unit=unit)


def _boardings(
    settings: ArmyFleetSettings,
    rules: Rules,
    position: Position,
    power: str,
    given: Sequence[GivenOrder],
    verdicts: dict[Key, Verdict],
) -> Iterator[Boarding]:
    """Yield a power's legal boardings; every other order to board or take aboard is ruled void here."""
    by_fleet = settings.board_order == "fleet"
    calls, answers = (PairVerb.TAKE, PairVerb.BOARD) if by_fleet else (PairVerb.BOARD, PairVerb.TAKE)
    read = list(_read(rules, given))
    for number, order in read:
        if order.verb is answers:
            alone: AnyCause = PairCause.UNTAKEN if by_fleet else Cause.UNMATCHED
            verdicts[power, number] = _void(alone, _ordered(position, power, order))
    for number, order in read:
        if order.verb is not calls:
            continue
        parties = _parties(order)
        army, fleet = _unit(position, power, parties.army, ARMY), _at_sea(position, parties.fleet)
        cause = _unlawful(settings, rules, power, army, fleet)
        matching = [n for n, o in read if o.verb is answers and _parties(o) == parties]
        matching += [n for n, o in read if by_fleet and o.verb is Verb.HOLD and _parties(o).army == parties.army]
        if cause is None and settings.board_order == "both" and not matching:
            cause = PairCause.UNTAKEN
        if cause is None and (others := _rivals(settings, rules, read, number, matching)):
            cause = Cause.SECOND
            if rules.rulebook.double_orders == "cancel":
                cause = Cause.CONTRADICTED
                against = ((n, o) for n, o in read if n in others or n in matching)
                verdicts.update({(power, n): _void(cause, _ordered(position, power, o)) for n, o in against})
        if cause is not None or army is None or fleet is None:
            verdicts[power, number] = _void(cause or Cause.NO_UNIT, _ordered(position, power, order))
        else:
            own, other = [(power, number)], [(power, n) for n in matching]
            yield Boarding(army, fleet, other, own) if by_fleet else Boarding(army, fleet, own, other)


def _parties(order: Order) -> Parties:
    army, fleet = (order.of, order.at) if order.verb is PairVerb.TAKE else (order.at, order.to)
    return Parties(army.province if army else "", fleet.province if fleet else "")


def _ordered(position: Position, power: str, order: Order) -> Unit | None:
    """Return the power's unit that an order to board or to take aboard is for."""
    kinds: dict[AnyVerb, tuple[str, ...]] = {PairVerb.TAKE: (FLEET,), PairVerb.BOARD: (ARMY,)}
    return _unit(position, power, order.at.province if order.at else "", *kinds.get(order.verb, (ARMY, FLEET, PAIR)))


def _unit(position: Position, power: str, province: str, *kinds: str) -> Unit | None:
    here = (u for u in position.units if u.at.province == province and not u.aboard)
    return next((u for u in here if u.power == power and u.kind in kinds), None)


def _at_sea(position: Position, province: str) -> Unit | None:
    return next((u for u in position.units if u.at.province == province and not u.aboard), None)


def _unlawful(
    settings: ArmyFleetSettings, rules: Rules, power: str, army: Unit | None, fleet: Unit | None
) -> AnyCause | None:
    """Return why this army cannot board this fleet, whatever else is ordered (AFM-1, AFM-3, SCO-8); else None."""
    if army is None:
        return Cause.NO_UNIT
    if fleet is None or fleet.power != power or not rules.board.sails(fleet.kind) or not settings.allows(power):
        return PairCause.NO_SHIP
    if fleet.kind != FLEET:
        return PairCause.FULL
    tables, water = rules.derive(embarkation_tables), rules.board.index[fleet.at.province]
    shore = rules.board.index[army.at.province]
    return None if tables.provinces.forms[water] and lands_on(tables, water, shore) else PairCause.NO_SHIP


def _rivals(
    settings: ArmyFleetSettings, rules: Rules, read: Sequence[tuple[int, Order]], number: int, matching: Sequence[int]
) -> list[int]:
    """Return the numbers of the orders that the order `number`, to board or to take aboard, contradicts (4.D.3).

    These are other orders for the army, and for the fleet if boarding takes the whole season. An order to take aboard
    also contradicts those of another fleet to take the same army and of this fleet to take another army. If the first
    (last) of several orders counts, an order contradicts only those before (after) it.
    """
    tables, order = rules.derive(embarkation_tables), dict(read)[number]
    by_fleet, whole, parties = order.verb is PairVerb.TAKE, settings.board_timing == "whole_season", _parties(order)

    def is_against(other: Order) -> bool:
        at, taken = other.at.province if other.at else "", _parties(other)
        if by_fleet and other.verb is PairVerb.TAKE:
            return taken.army == parties.army or taken.fleet == parties.fleet
        return at == parties.army or (whole and at == parties.fleet)

    return [
        n
        for n, o in read
        if n != number
        and n not in matching
        and not o.verb.rider
        and is_against(o)
        and replace(o, kind="") != replace(order, kind="")
        and outranks(tables, n, number)
    ]
