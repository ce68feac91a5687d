"""The record of a game as JSON data; what the fields mean is told in `docs/games.md`, `record_reader` reads it back.

Written by hand, not by a library of models: a game to 1910 takes about a millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from gamesmaster.board import Position, Unit
from gamesmaster.game.calendar import Phase
from gamesmaster.game.course import Game

FORMAT = 2
"""The edition of the format; the first had no house rules."""

JSON = dict[str, Any]
_NOBODY: Mapping[str, str] = MappingProxyType({})


def game_data(game: Game) -> JSON:
    """The whole record of a game, secrets and all, as JSON data."""
    owners: Mapping[str, str] = _NOBODY
    phases = []
    for record in game.records:
        entry = stand(record.phase, record.position, record.orders, record.disorder, owners)
        entry["rulings"] = list(record.rulings)
        if record.events:
            entry["events"] = [[event.kind.value, event.power, event.province, event.of] for event in record.events]
        phases.append(entry)
        owners = record.position.owners
    now = stand(game.phase, game.position, game.orders, game.disorder, owners)
    if game.votes:
        now["votes"] = {power: list(winners) for power, winners in game.votes.items()}
    data: JSON = {
        "format": FORMAT,
        "variant": {"id": game.variant.id, "digest": game.variant.digest},
        "rulebook": asdict(game.rulebook),
        "house_rules": asdict(game.house_rules),
        "commitment": game.dice.commitment,
        "seed": game.seed.hex(),
        "players": dict(game.players),
        "throws": [[t.phase, t.clause, t.subject, t.sides, t.fell] for t in game.throws],
        "phases": phases,
        "now": now,
    }
    if game.outcome:
        won = game.outcome
        data["outcome"] = {"termination": won.termination.value, "winners": list(won.winners), "phase": won.phase}
    return data


def stand(
    phase: Phase,
    position: Position,
    orders: Mapping[str, tuple[str, ...]],
    disorder: frozenset[str],
    owners: Mapping[str, str],
) -> JSON:
    """A position and what was sent for it; what is empty, and owners that are still the same, are left out."""
    entry: JSON = {"phase": phase.code, "units": [_unit_text(unit) for unit in position.units]}
    if position.owners is not owners and position.owners != owners:
        entry["owners"] = dict(position.owners)
    if position.dislodged:
        entry["dislodged"] = [
            {"unit": _unit_text(d.unit), "by": d.by, "retreats": [str(place) for place in d.retreats]}
            for d in position.dislodged
        ]
    if position.state:
        entry["state"] = dict(position.state)
    if disorder:
        entry["disorder"] = sorted(disorder)
    entry["orders"] = {power: list(texts) for power, texts in orders.items()}
    return entry


def _unit_text(unit: Unit) -> str:
    """`12 A PAR France`, and for one aboard unit 7 `12@7 A PAR France`."""
    (province, coast), aboard = unit.at, f"@{unit.aboard}" if unit.aboard else ""
    return f"{unit.number}{aboard} {unit.kind} {province}{f'/{coast}' if coast else ''} {unit.power}"
