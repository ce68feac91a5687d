"""A whole game of every variant as text, checked in: a difference shows what a change has altered.

To accept a change: `python -m tests.game.test_playthrough`, and explain the difference in the commit.  For a new
variant, or a new game of an old one: `python -m tests.game.test_playthrough VARIANT SEED` has heuristic players play it
first; what is kept are their orders, so that later changes of the players leave the game as it is.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.game import Game, Termination, history
from gamesmaster.players import Heuristic, play_on, seed_of
from gamesmaster.variant import find_variant
from tests.open_variants import ruled_variants

from .conftest import replayed

DATA = Path(__file__).parents[1] / "data"
NAMES = ("Anna", "Bela", "Carla", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jan", "Klara", "Leo")


def _text(name: str) -> Path:
    return DATA / f"playthrough_{name}.txt"


def _orders(name: str) -> Path:
    """A line for the start, then one for each phase with its orders."""
    return DATA / f"playthrough_{name}.jsonl.gz"


def started(name: str, seed: int) -> Game:
    """A game of a variant before its first phase, the powers dealt."""
    variant = find_variant(name)
    return Game.start(variant, seed=seed_of(seed), players=NAMES[: len(variant.powers)])


def played(name: str) -> Game:
    """The game of a variant, played again; the phases must follow one another as they did."""
    if name == "standard":
        return replayed()
    with gzip.open(_orders(name), "rt", encoding="utf-8") as lines:
        first, *phases = map(json.loads, lines)
    game = started(name, first["seed"])
    for entry in phases:
        assert game.phase.code == entry["phase"]
        for power, orders in entry["orders"].items():
            game = game.restore_orders(power, orders)
        game = game.process()
    return game


@pytest.mark.parametrize("name", ruled_variants())
def test_playthrough(name: str, request: pytest.FixtureRequest) -> None:
    """The game of a variant goes to its end, and is told word for word as it is kept."""
    game = request.getfixturevalue("england") if name == "standard" else played(name)
    assert game.outcome is not None
    shared = find_variant(name).victory.then == "survivors share"
    assert game.outcome.termination is (Termination.DRAW if shared else Termination.VICTORY)
    assert history(game) == _text(name).read_text(encoding="utf-8")


def play_anew(name: str, seed: int) -> None:
    """Have a game played, and keep its orders."""
    game = started(name, seed)
    game = play_on(game, {power.name: Heuristic() for power in game.variant.powers}).game
    lines: list[Any] = [{"seed": seed}]
    lines += [
        {"phase": r.phase.code, "orders": {p: list(given) for p, given in r.orders.items()}} for r in game.records
    ]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    _orders(name).write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{name}: {game.outcome.text if game.outcome else 'nobody wins'} {game.phase.code}")


if __name__ == "__main__":
    if sys.argv[1:]:
        play_anew(sys.argv[1], int(sys.argv[2]))
    for known in sys.argv[1:2] or ruled_variants():
        _text(known).write_text(history(played(known)), encoding="utf-8")
