"""The record of a game as JSON data; what the fields mean is told in `docs/games.md`, `record_reader` reads it back.

Written by hand, not by a library of models: a game to 1910 takes about a millisecond.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from gamesmaster.board import Position, Unit
from gamesmaster.game.calendar import Phase
from gamesmaster.game.course import Game
from gamesmaster.game.edition import Edition
from gamesmaster.game.variant import Variant

FORMAT = 3
"""The edition of the format; the first had no house rules, the second did not say which program judged."""

JSON = dict[str, Any]
_NOBODY: Mapping[str, str] = MappingProxyType({})


def game_data(game: Game) -> JSON:
    """The whole record of a game, secrets and all, as JSON data."""
    owners: Mapping[str, str] = _NOBODY
    phases, judge = [], game.judge
    for record in game.records:
        entry = stand(record.phase, record.position, record.orders, record.disorder, owners)
        entry["rulings"] = list(record.rulings)
        if record.events:
            entry["events"] = [[event.kind.value, event.power, event.province, event.of] for event in record.events]
        if record.judge != judge:
            entry["judge"] = judge = record.judge
        phases.append(entry)
        owners = record.position.owners
    now = stand(game.phase, game.position, game.orders, game.disorder, owners)
    if game.votes:
        now["votes"] = {power: list(winners) for power, winners in game.votes.items()}
    data: JSON = {
        "format": FORMAT,
        "variant": _variant_data(game.variant),
        "judge": game.judge,
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


def _variant_data(variant: Variant) -> JSON:
    """Which variant it is; with its edition, unless every installation has that."""
    told: JSON = {"id": variant.id, "digest": variant.digest}
    if variant.edition and not variant.edition.shipped:
        told["edition"] = packed(variant.edition)
    return told


@lru_cache(maxsize=8)
def packed(edition: Edition) -> str:
    """An edition as it stands in a record; raises `BadFile` for one that is too large."""
    return b64encode(edition.pack()).decode()


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
