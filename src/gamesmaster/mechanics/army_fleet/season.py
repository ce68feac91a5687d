"""Armies aboard after the moves, and after the retreats, of a season."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from gamesmaster.board import Board, Position, Unit
from gamesmaster.judge import Movement
from gamesmaster.mechanics.army_fleet.boarding import embark
from gamesmaster.mechanics.army_fleet.columns import follow, spend_season
from gamesmaster.mechanics.army_fleet.table import embarkation_tables
from gamesmaster.mechanics.army_fleet.values import STATE, ArmyFleetSettings, PairEvent
from gamesmaster.rules import Event, MechanicResult, Rules, standing, with_state


def after_moves(pairs: ArmyFleetSettings, movement: Movement, position: Position) -> MechanicResult:
    """Keep armies aboard that a ferry could not land, and count one more season for all aboard (AFM-2.e, AFM-4)."""
    rules, stood = movement.field.rules, movement.field.position.units
    now, spent = movement.standing(position, []), seasons(position)
    now.units.span[1:] = [spent.get(unit.number, 0) for unit in stood]
    for place, row in enumerate(movement.bound.rows, 1):
        now.orders.load[row] = now.orders.load[row] or place
    spend_season(rules.derive(embarkation_tables), now)
    units = {unit.number: unit for unit in position.units}
    rows = {unit.number: row for row, unit in enumerate(stood, 1) if unit.number in units}
    joined = [
        (units[n], units[now.units.aboard[r]]) for n, r in rows.items() if now.units.aboard[r] != stood[r - 1].aboard
    ]
    position = embark(position, joined)
    starved = {number for number, row in rows.items() if now.units.gone[row]}
    happened = tuple(Event(PairEvent.STARVED, u.power, u.at.province) for u in position.units if u.number in starved)
    left = {
        str(number): now.units.span[row]
        for number, row in rows.items()
        if now.units.span[row] and number not in starved
    }
    position = relieve(rules.board, position, starved)
    return MechanicResult(with_state(position, STATE, left or None), {}, happened)


def seasons(position: Position) -> dict[int, int]:
    """Return the movement seasons that each unit aboard has spent there, by its number."""
    state = position.state.get(STATE, {})
    return {int(number): n for number, n in state.items()} if isinstance(state, Mapping) else {}


def forget_others(position: Position) -> Position:
    """Return the position without the records of units that are no longer aboard."""
    aboard = {unit.number for unit in position.units if unit.aboard}
    left = {str(number): spent for number, spent in seasons(position).items() if number in aboard}
    return position if len(left) == len(seasons(position)) else with_state(position, STATE, left or None)


def relieve(board: Board, position: Position, gone: Collection[int]) -> Position:
    """Return the position without these units aboard; their fleets, dislodged ones too, are ordinary again."""
    if not gone:
        return position
    empty = {u.aboard for u in position.units if u.number in gone}
    dislodged = tuple(replace(d, unit=_revert(board, d.unit, empty)) for d in position.dislodged)
    units = tuple(_revert(board, u, empty) for u in position.units if u.number not in gone)
    return Position(units, position.owners, dislodged, position.state)


def _revert(board: Board, unit: Unit, empty: Collection[int]) -> Unit:
    """Return a unit, as an ordinary one if it is among those that no longer carry anything."""
    return replace(unit, kind=board.unladen(unit.kind)) if unit.number in empty else unit


def after_retreats(
    pairs: ArmyFleetSettings, rules: Rules, before: Position, after: Position
) -> tuple[Position, tuple[Event, ...]]:
    """Move armies to where their fleets retreated; without a fleet, or in a coastal province, they are lost.

    See AFM-7 and CNW-6.e.
    """
    now = standing(rules, after)
    follow(rules.derive(embarkation_tables), now)
    lost = {unit.number: unit for row, unit in enumerate(after.units, 1) if now.units.gone[row]}
    left = {str(number): spent for number, spent in seasons(after).items() if number not in lost}
    after = relieve(rules.board, after, lost)
    at = {unit.number: unit.at for unit in after.units}
    units = tuple(replace(unit, at=at[unit.aboard]) if unit.aboard else unit for unit in after.units)
    happened = tuple(Event(PairEvent.LOST, unit.power, unit.at.province) for unit in lost.values())
    return with_state(replace(after, units=units), STATE, left or None), happened
