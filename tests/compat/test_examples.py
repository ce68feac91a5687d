"""Three programs as people write them for the package, run with the drop-in's imports."""

from __future__ import annotations

import runpy
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples" / "compat"


def test_an_arena_of_models_is_played_and_its_game_read_as_data(tmp_path: Path) -> None:
    """Models write, order, and are refused one order a phase; the saved game gives rows whose orders are all found."""
    file = tmp_path / "arena.jsonl"
    arena = runpy.run_path(str(EXAMPLES / "model_arena.py"))
    game, refused = arena["play"](until=1902, path=str(file))
    assert game.get_current_phase()[1:5] == "1902"
    assert refused >= 14
    assert all(len(messages) == 7 for name, messages in game.message_history.items() if name.endswith("M"))

    reader = runpy.run_path(str(EXAMPLES / "dataset_reader.py"))
    rows = list(reader["rows"](file))
    assert {row["phase"] for row in rows} >= {"S1901M", "F1901M"}
    assert sum(row["missed"] for row in rows) == 0
    assert all(len(row["board"]) == 81 for row in rows)
    assert sum(map(sum, reader["adjacency"]())) > 300


def test_a_trainer_plays_itself_and_changes_its_weights() -> None:
    """Two years of random play gain centres, and the weights of the orders follow."""
    trainer = runpy.run_path(str(EXAMPLES / "random_trainer.py"))
    weights = trainer["train"](episodes=2)
    assert weights["-"] > 1
    assert weights.keys() == set(trainer["SORTS"])
