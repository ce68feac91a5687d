"""What becomes of armies aboard when the fleets have moved, and when they have retreated."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from gamesmaster.board import Board, Position, Unit
from gamesmaster.judge import Event, MechanicResult, Movement, with_state
from gamesmaster.judge.engine import CONVOY, GONE, LEAVES
from gamesmaster.mechanics.army_fleet.boarding import embark
from gamesmaster.mechanics.army_fleet.values import STATE, ArmyFleetSettings, PairEvent

if TYPE_CHECKING:
    from gamesmaster.judge import Movement


def after_moves(settings: ArmyFleetSettings, movement: Movement, position: Position) -> MechanicResult:
    """Those refused ashore by a ferry are aboard, and all aboard have spent one season more (AFM-2.e, AFM-4)."""
    position = _refused(movement, position)
    before = seasons(position)
    spent = {u.number: before.get(u.number, 0) + 1 for u in position.units if u.aboard}
    most = settings.max_seasons_aboard
    starved = {number for number, n in spent.items() if most and n >= most}
    happened = tuple(Event(PairEvent.STARVED, u.power, u.at.province) for u in position.units if u.number in starved)
    left = {str(number): n for number, n in spent.items() if number not in starved}
    position = relieve(movement.field.board, position, starved)
    return MechanicResult(with_state(position, STATE, left or None), {}, happened)


def seasons(position: Position) -> dict[int, int]:
    """The movement seasons that each unit aboard has spent there, by its number."""
    told = position.state.get(STATE, {})
    return {int(number): n for number, n in told.items()} if isinstance(told, Mapping) else {}


def relieve(board: Board, position: Position, gone: set[int]) -> Position:
    """The position without these units aboard; their fleets, dislodged ones too, are ordinary again."""
    if not gone:
        return position
    empty = {u.aboard for u in position.units if u.number in gone}
    dislodged = tuple(replace(d, unit=_emptied(board, d.unit, empty)) for d in position.dislodged)
    units = tuple(_emptied(board, u, empty) for u in position.units if u.number not in gone)
    return Position(units, position.owners, dislodged, position.state)


def _emptied(board: Board, unit: Unit, empty: Collection[int]) -> Unit:
    """A unit, ordinary again if it is among those that carry nobody any more."""
    return replace(unit, kind=board.base(unit.kind)) if unit.number in empty else unit


def _refused(movement: Movement, position: Position) -> Position:
    """Armies that crossed by a ferry of their own and could not land go aboard the first that is still there."""
    rows, gone, field = movement.rows, movement.out.gone, movement.field
    for army in range(1, len(rows.kind)):
        if not rows.flags[army] & LEAVES or movement.came(army) or gone[army] != GONE:
            continue
        ferries = [
            f
            for f in movement.bound.rows
            if rows.kind[f] == CONVOY
            and rows.about[f] == army
            and f not in movement.beaten
            and field.owner[f] == field.owner[army]
        ]
        units = {u.number: u for u in position.units}
        pair = _number(units, field.units[army]), _number(units, field.units[ferries[0]])
        position = embark(position, [pair])
    return position


def _number(units: Mapping[int, Unit], unit: Unit | None) -> Unit:
    assert unit is not None
    return units[unit.number]


def after_retreats(board: Board, after: Position) -> tuple[Position, tuple[Event, ...]]:
    """Armies are where their fleets have fled to; with a fleet gone, or in a coastal province, they are lost."""
    carriers = {u.number: u for u in after.units if not u.aboard}
    units: list[Unit] = []
    lost: list[Unit] = []
    for unit in after.units:
        carrier = carriers.get(unit.aboard)
        if not unit.aboard:
            units.append(unit)
        elif carrier is None or not board.can_stand(carrier.kind, carrier.at):
            lost.append(unit)
        else:
            units.append(unit if unit.at == carrier.at else replace(unit, at=carrier.at))
    empty = {u.aboard for u in lost}
    left = tuple(_emptied(board, unit, empty) for unit in units)
    state = {str(number): n for number, n in seasons(after).items() if number not in {u.number for u in lost}}
    happened = tuple(Event(PairEvent.LOST, u.power, u.at.province) for u in lost)
    return with_state(Position(left, after.owners, after.dislodged, after.state), STATE, state or None), happened
