"""Saved games: written, read again, checked, and refused where they are none."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.compat.diplomacy import Game, Message
from gamesmaster.compat.diplomacy.utils.export import (
    from_saved_game_format,
    is_valid_saved_game,
    load_saved_games_from_disk,
    to_saved_game_format,
)
from gamesmaster.errors import BadFile

SAVED = Path(__file__).parents[1] / "data" / "saved_game.json"


@pytest.fixture(name="saved")
def _saved() -> dict[str, Any]:
    """A game of twelve phases that the package has saved."""
    found: dict[str, Any] = json.loads(SAVED.read_text(encoding="utf-8"))
    return found


def test_a_game_of_the_package_is_read_and_played_again(saved: dict[str, Any]) -> None:
    """Its phases are the history, and every phase leads to the next; one changed unit is noticed."""
    game = from_saved_game_format(saved)
    assert [*game.state_history] == [phase["name"] for phase in saved["phases"][:-1]]
    assert is_valid_saved_game(saved)
    saved["phases"][3]["state"]["units"]["FRANCE"].append("A MOS")
    assert not is_valid_saved_game(saved)
    assert not is_valid_saved_game({"id": "x", "map": "standard", "phases": []})


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    """A line of a file has phases, orders, results and messages; games are appended or replace the file."""
    game = Game(rules=["SOLITAIRE", "POWER_CHOICE"])
    game.add_message(Message(sender="FRANCE", recipient="GLOBAL", message="Peace?", phase="S1901M"))
    game.set_orders("FRANCE", ["A PAR - BUR", "A MAR - BUR"])
    game.process()
    path = tmp_path / "games.jsonl"
    saved = to_saved_game_format(game, path)
    to_saved_game_format(game, path)
    first, second = load_saved_games_from_disk(path)
    assert to_saved_game_format(first)["phases"][0] == saved["phases"][0]
    assert first.get_phase_history()[0].results["A PAR"] == ["bounce"]
    assert first.message_history["S1901M"].first_value().message == "Peace?"
    assert second.rules == ["POWER_CHOICE"]
    to_saved_game_format(game, path, "w")
    assert len(load_saved_games_from_disk(path)) == 1


def test_bad_lines_are_refused_or_passed_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file that is not there has no games; a bad line is named with its number."""
    path = tmp_path / "games.jsonl"
    assert load_saved_games_from_disk(path) == []
    path.write_text('[]\n{"phases": [{"name": 3}]}\n' + json.dumps(to_saved_game_format(Game())) + "\n")
    with pytest.raises(BadFile, match="line 1"):
        load_saved_games_from_disk(path)
    with caplog.at_level(logging.WARNING):
        assert len(load_saved_games_from_disk(path, on_error="warn")) == 1
    assert "not a saved game" in caplog.text
    assert len(load_saved_games_from_disk(path, on_error="ignore")) == 1
