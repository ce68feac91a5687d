"""Games to try things on: one at its start, one built from a few units, one that was really played."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.game import Game
from gamesmaster.variant import Variant, find_variant

RECORDED_GAMES = Path(__file__).parents[1] / "data/recorded_games.jsonl.gz"


def _phases(name: str) -> list[dict[str, Any]]:
    """The phases of a recorded game: units and centres at their beginning and in `next`, and the orders."""
    with gzip.open(RECORDED_GAMES, "rt") as lines:
        return [json.loads(line) for line in lines if f'"{name}"' in line]


RECORDED = _phases("droidippy/11409")
"""A game on the standard board that England won in 1910."""


class Builder(Protocol):
    """Makes a game that stands at a phase."""

    def __call__(
        self, phase: str, units: Mapping[str, list[str]], owners: Mapping[str, str], variant: Variant = ...
    ) -> Game:
        """`units` in plain form, `owners` as a power's centres in one text, both by power."""
        ...


@pytest.fixture
def game() -> Game:
    """The standard game before its first phase."""
    return Game.start(find_variant("standard"), seed=bytes(32))


@pytest.fixture
def standing() -> Builder:
    """Builds games that stand somewhere in the middle, with no record of what was before."""

    def build(
        phase: str, units: Mapping[str, list[str]], owners: Mapping[str, str], variant: Variant | None = None
    ) -> Game:
        owned = {centre: power for power, centres in owners.items() for centre in centres.split()}
        start = Game.start(variant or find_variant("standard"), seed=bytes(32))
        return replace(start, phase=start.variant.calendar.read(phase), position=Position(units_from(units), owned))

    return build


def replayed() -> Game:
    """The recorded game, played again; every phase must begin as it did then."""
    game = Game.start(find_variant("standard"), seed=bytes(32))
    for entry in RECORDED:
        assert game.phase.code == entry["phase"]
        assert units(game.position) == plain(entry["units"])
        for power, orders in entry["orders"].items():
            if orders:
                game = game.submit(power, orders, phase=entry["phase"])
        game = game.process()
    return game


def units(position: Position) -> dict[str, list[str]]:
    """A position's units in plain form, by power."""
    powers = sorted({unit.power for unit in position.units})
    return {power: sorted(map(str, position.of(power))) for power in powers}


def plain(units: dict[str, list[str]]) -> dict[str, list[str]]:
    """Units as recorded, without powers that have none."""
    return {power: sorted(texts) for power, texts in sorted(units.items()) if texts}


@pytest.fixture(scope="session")
def england() -> Game:
    """The recorded game, over."""
    return replayed()
