"""The programs in `examples/` do what they say; they are type-checked as strictly as the package."""

from __future__ import annotations

import json
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gamesmaster import Game, find_variant, state_data

EXAMPLES = Path(__file__).parents[1] / "examples"


def program(name: str) -> Mapping[str, Any]:
    """The names of a program."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def test_recorded_games_are_analysed() -> None:
    """Of a game that was played, most moves succeed."""
    results = program("analyse_games")["analyse"](EXAMPLES / "recorded_game.jsonl")
    assert results["succeeds"] > results["bounces"] > 0


def test_a_bot_plays() -> None:
    """A bot that goes for centres grows."""
    match = program("own_bot")["match"](find_variant("standard"))
    assert match.centres["Austria"] > 3
    assert not match.lapses


def test_a_chat_bot_answers() -> None:
    """It stores orders, explains what became of them, and says what is wrong with a message."""
    answer, game = program("chat_bot")["answer"], Game.start(find_variant("standard"), seed=bytes(32))
    game, said = answer(game, "france: A Par - Bur; A Mar - Spa")
    assert said == "France: A Par - Bur; A Mar - Spa"
    assert "no power" in answer(game, "Frnce: A Par H")[1]
    game, said = answer(game, "process")
    assert said.startswith("Diplomacy: ")
    assert "A Par - Bur moves" in answer(game, "why")[1]
    assert answer(game, "hello")[1] == "F1901M"


def test_tastes_are_learnt_by_batches() -> None:
    """What is kept is at least as good as what was there."""
    found = program("learn_by_batches")
    start = found["strength"](found["Tastes"](), 14, 0)
    assert found["learn"](2, 14)[1] >= start


def test_json_lines_are_answered() -> None:
    """Each line has its answer, a bad one too."""
    state = state_data(Game.start(find_variant("standard"), seed=bytes(32)).state)
    line = json.dumps({"state": state, "orders": {"France": ["A Par - Bur", "A Par - Mos"]}})
    good, bad = map(json.loads, program("json_lines")["answers"]([line, "{"]))
    assert [ruling["result"] for ruling in good["rulings"][:2]] == ["succeeds", "void"]
    assert bad["error"]


def test_processes_play_the_same_games() -> None:
    """A game comes to the same wherever it is played."""
    found = program("many_processes")
    here = found["play_one"](0)
    assert sum(here.values()) > 22
    assert found["by_dask"](1) == [here]
