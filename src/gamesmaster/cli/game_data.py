"""Phases of a game as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from gamesmaster.errors import NotFound, nearest
from gamesmaster.formats.phases import ruling_data
from gamesmaster.game import Game, Record
from gamesmaster.game.reasons import event_reason
from gamesmaster.game.state_file import position_data


def phases_data(game: Game, phase: str, *, every: bool) -> dict[str, Any] | list[dict[str, Any]]:
    """The phase named, the last one that is over if none is, or all of them in a list; raises `NotFound`."""
    numbered = list(enumerate(game.records))
    if every:
        return [_phase_data(game, number, record) for number, record in numbered]
    number, record = numbered[number_of(game, phase)]
    return _phase_data(game, number, record)


def number_of(game: Game, phase: str) -> int:
    """The number of a phase that is over, the last one if none is named; raises `NotFound` with the nearest."""
    codes = [record.phase.code for record in game.records]
    if not codes:
        raise NotFound("no phase is over yet", hint="process the first one")
    wanted = game.variant.calendar.read(phase).code if phase else codes[-1]
    if wanted not in codes:
        raise NotFound(f"{wanted} is not over, or was not played", hint=nearest(wanted, codes))
    return codes.index(wanted)


def _phase_data(game: Game, number: int, record: Record) -> dict[str, Any]:
    after: Record | Game = game.records[number + 1] if number + 1 < len(game.records) else game
    return {
        "phase": record.phase.code,
        **position_data(record.position),
        "orders": [ruling_data(ruling) for ruling in game.adjudication(record).rulings if ruling.given],
        "events": [asdict(event_reason(game.variant, record.phase, event)) for event in record.events],
        "next": {"phase": after.phase.code, **position_data(after.position)},
        "outcome": game.outcome.text if game.outcome and after is game else None,
    }
