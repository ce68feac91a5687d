"""Games of other programs come in: adjudicated again, on whatever board they were played."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.cli.arguments import edition_reader
from gamesmaster.errors import BadFile, NotFound
from gamesmaster.formats import ImportedGame, games_in, import_games
from gamesmaster.game import dumps, loads
from gamesmaster.rules import BuildSites

DATA = Path(__file__).parents[1] / "data"
SAVED = DATA / "saved_game.json"


def state(name: str, reds: list[str], blues: list[str], **more: Any) -> dict[str, Any]:
    """A phase of a saved game on the Strait, with its state."""
    orders = more.pop("orders", {})
    centers = {"REDS": ["ALB", "BOR"], "BLUES": ["DEL", "EST"]}
    board = {"name": name, "units": {"REDS": reds, "BLUES": blues}, "centers": centers, "retreats": {}, **more}
    return {"name": name, "state": board, "orders": orders, "messages": [], "results": {}}


STRAIT: dict[str, Any] = {
    "id": "strait-1",
    "map": "strait",
    "rules": ["NO_PRESS", "BUILD_ANY", "IGNORE_ERRORS"],
    "phases": [
        state("S1901M", ["A BOR", "F ALB"], ["A EST", "F DEL"], orders={"REDS": ["F ALB - NSE"], "BLUES": None}),
        state("F1901M", ["A BOR", "F NSE"], ["A EST", "F DEL"], orders={"REDS": ["F NSE - COR/NC"]}),
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the map of the Strait, and nothing that says so."""
    for name in ("strait.map", "strait.geography"):
        shutil.copy(DATA / "imports" / name, tmp_path / name)
    return tmp_path


def brought(folder: Path, *games: object) -> list[ImportedGame]:
    """The games of a file of JSON lines."""
    path = folder / "games.jsonl"
    path.write_text("\n".join(map(json.dumps, games)))
    return list(import_games(path))


def test_a_game_is_imported_on_the_map_beside_it(folder: Path) -> None:
    """The map's form is found by its name; the rule that changes the board is carried over, another is named."""
    (made,) = brought(folder, STRAIT)
    game = made.game
    assert (made.form, made.name, made.differences) == ("saved-game", "strait-1", {})
    assert made.remarks == ("not carried over: rules: IGNORE_ERRORS",)
    assert game.variant.build_sites is BuildSites.ANY_OWNED
    assert [record.phase.code for record in game.records] == ["S1901M"]
    assert (game.phase.code, dict(game.orders)) == ("F1901M", {"Reds": ("F NSE - COR/NC",)})
    assert loads(dumps(game), read=edition_reader) == game  # the board is in the record


def test_a_map_may_lie_in_another_folder(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Folders that are named are looked through; without the map the game is refused with its line and a way out."""
    alone = tmp_path_factory.mktemp("alone") / "game.json"
    alone.write_text(json.dumps(STRAIT))
    assert [made.name for made in import_games(alone, folders=[folder])] == ["strait-1"]
    with pytest.raises(NotFound, match=r"line 1, S1901M: no variant 'strait' \(a folder with its map"):
        list(import_games(alone))


def test_many_games_of_a_file_are_imported(folder: Path) -> None:
    """Each line is a game, on a board of its own."""
    standard = json.loads(SAVED.read_text())
    assert [made.name for made in brought(folder, STRAIT, standard)] == ["strait-1", standard["id"]]
    assert games_in(folder / "games.jsonl") == "games"
    assert not games_in(folder / "strait.map")


def test_a_difference_is_told_and_the_record_stands(folder: Path) -> None:
    """The phase and the rule are named, and the game goes on from the recorded position."""
    wrong = json.loads(json.dumps(STRAIT))
    wrong["phases"][1]["state"]["units"]["REDS"] = ["A BOR", "F ALB"]
    (made,) = brought(folder, wrong)
    (told,) = made.differences["S1901M"]
    assert told == "units: recorded Reds F ALB, adjudicated Reds F NSE (F ALB - NSE succeeds: it moves [STD-5.a])"
    assert {str(unit) for unit in made.game.position.of("Reds")} == {"A BOR", "F ALB"}
    found: list[object] = []
    loads(dumps(made.game), read=edition_reader, otherwise=found.extend)
    assert len(found) == 1


def test_a_game_may_begin_elsewhere(folder: Path) -> None:
    """A game of one phase, of other units than the map's, is imported as it stands."""
    (made,) = brought(folder, {**STRAIT, "phases": [state("S1905M", ["F NSE"], [])]})
    assert (made.game.phase.code, [str(unit) for unit in made.game.position.units]) == ("S1905M", ["F NSE"])
    assert loads(dumps(made.game), read=edition_reader).phase.code == "S1905M"


def test_powers_that_nobody_plays_are_standing_armies(folder: Path) -> None:
    """A saved game names them like the others, with orders and centres."""
    with (folder / "strait.map").open("a") as file:
        file.write("DUMMY BLUES\n")
    (made,) = brought(folder, STRAIT)
    assert made.differences == {}
    assert {unit.power for unit in made.game.position.units} == {"Reds", "Neutral"}


def test_a_game_of_no_known_form_is_refused(tmp_path: Path) -> None:
    """What is neither a game nor a phase is called what it is."""
    (tmp_path / "x").write_text("Dear all,\n")
    with pytest.raises(BadFile, match="neither a record, nor a game, nor a phase"):
        list(import_games(tmp_path / "x"))
    shutil.copy(DATA / "imports/strait.dvar.json", tmp_path / "y")
    with pytest.raises(BadFile, match="DVAR documents of Diplicity, schemaVersion 1, a map"):
        list(import_games(tmp_path / "y"))


def test_import_is_fast(tmp_path: Path) -> None:
    """A game of sixty phases takes less than half a second of the processor."""
    data = json.loads(SAVED.read_text())
    path = tmp_path / "long.json"
    path.write_text(json.dumps({**data, "phases": data["phases"][:1] + data["phases"] * 5}))
    list(import_games(SAVED))  # loads the board
    begun = time.process_time()
    (made,) = import_games(path)
    assert time.process_time() - begun < 0.5
    assert len(made.game.records) >= 50
