"""Saved games of the PyPI package `diplomacy`, read as phases."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.errors import BadFile, NotFound
from gamesmaster.formats import import_games
from gamesmaster.formats.form import Source
from gamesmaster.formats.importing import form_of
from gamesmaster.formats.phases import Bench, phase_of
from gamesmaster.formats.saved_games import FORM, OF_THE_PACKAGE, SavedGame
from gamesmaster.schemas import validate
from gamesmaster.variant import find_variant

SAVED = Path(__file__).parents[1] / "data" / "saved_game.json"


@pytest.fixture
def data() -> dict[str, Any]:
    """A game of twelve phases, saved by the package after random orders."""
    found: dict[str, Any] = json.loads(SAVED.read_text(encoding="utf-8"))
    return found


def read_saved_game(data: object, where: str = "") -> SavedGame:
    """The saved game in JSON data."""
    return validate(SavedGame, data, BadFile, where)


def test_every_phase_is_adjudicated_as_the_package_did(data: dict[str, Any]) -> None:
    """Movements, retreats and adjustments of a saved game come out as saved, under the package's own rulebook."""
    bench, kinds = Bench(find_variant), Counter[str]()
    for line in read_saved_game(data).lines():
        phase = phase_of(line, bench, rulebook=OF_THE_PACKAGE)
        assert phase.differences() == []
        kinds[phase.phase.kind.value] += 1
    assert kinds == {"movement": 7, "retreats": 2, "adjustments": 2}


def test_dislodged_units_are_told_apart(data: dict[str, Any]) -> None:
    """A unit with a star is not on the board but waits to retreat, with the places the package lists."""
    lines = list(read_saved_game(data).lines())
    (line,) = (line for line in lines if line["phase"] == "F1903R")
    phase = phase_of(line, Bench(find_variant))
    starred = [u for p in data["phases"] if p["name"] == "F1903R" for us in p["state"]["units"].values() for u in us]
    assert {f"*{d.unit}" for d in phase.position.dislodged} == {u for u in starred if u.startswith("*")}
    assert all(d.retreats for d in phase.position.dislodged)


def test_an_army_without_a_convoy_walks_there(data: dict[str, Any]) -> None:
    """In the package an army ordered by sea to the next province goes by land if nobody carries it (DATC 4.A.3 c)."""
    first = data["phases"][0]
    first["orders"] = {"ENGLAND": ["A LVP - YOR VIA"]}
    (line, *_) = read_saved_game(data).lines()
    walked = phase_of(line, Bench(find_variant), rulebook=OF_THE_PACKAGE).adjudication.position
    stayed = phase_of(line, Bench(find_variant)).adjudication.position
    assert [bool(p.at("YOR")) for p in (walked, stayed)] == [True, False]


def test_powers_that_sent_nothing_hold(data: dict[str, Any]) -> None:
    """Orders that the file leaves out, or gives as null, are none."""
    data["phases"][0]["orders"] = {"FRANCE": None}
    (line, *_) = read_saved_game(data).lines()
    assert line["orders"] == {"FRANCE": []}
    del data["phases"][0]["orders"]
    assert next(read_saved_game(data).lines())["orders"] == {}


def test_the_last_phase_has_nothing_to_compare_with(data: dict[str, Any]) -> None:
    """There is a line for every phase but the last, which no other follows."""
    assert len(list(read_saved_game(data).lines())) == len(data["phases"]) - 1
    assert list(read_saved_game({**data, "phases": data["phases"][:1]}).lines()) == []


def test_a_game_before_its_start_has_no_phase(data: dict[str, Any]) -> None:
    """A game still FORMING has no phase there."""
    forming = {**data["phases"][0], "name": "FORMING"}
    lines = list(read_saved_game({**data, "phases": [forming, *data["phases"]]}).lines())
    assert [line["phase"] for line in lines[:2]] == ["S1901M", "F1901M"]


def test_builds_anywhere_are_noticed(data: dict[str, Any]) -> None:
    """The package's rule that lets powers build in any centre is told."""
    assert FORM.games
    for rules, anywhere in ((["NO_PRESS"], False), (["BUILD_ANY"], True), (None, False)):
        (game,) = FORM.games(Source(json.dumps({**data, "rules": rules}).encode()))
        assert game.anywhere is anywhere


def test_saved_games_are_known_from_others(data: dict[str, Any]) -> None:
    """What has phases and a map is a saved game; a line with one phase is none."""
    assert form_of(Source(json.dumps(data).encode())) is FORM
    for other in (b'{"map": "standard", "phase": "S1901M"}', b"[]"):
        assert form_of(Source(other)) is None


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (["phases"], {}, r"\$\.phases"),
        (["phases", 1, "state"], None, r"\$\.phases\[1\]\.state"),
        (["phases", 1, "state", "units", "FRANCE"], "A PAR", r"\$\.phases\[1\]\.state\.units\.FRANCE"),
        (["phases", 1, "state", "retreats"], {"FRANCE": []}, r"\$\.phases\[1\]\.state\.retreats\.FRANCE"),
        (["phases", 1, "orders", "FRANCE"], [1], r"\$\.phases\[1\]\.orders\.FRANCE\[0\]"),
        (["map"], 1, r"\$\.map"),
        (["phases", 1, "name"], "S" * 100, r"\$\.phases\[1\]\.name"),
    ],
)
def test_bad_games_are_refused_with_their_place(
    data: dict[str, Any], path: list[Any], value: object, told: str
) -> None:
    """A saved game that is not in the package's form raises `BadFile` with file and path."""
    inner: Any = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    with pytest.raises(BadFile, match=told) as caught:
        read_saved_game(data, "saved.json, line 1")
    assert str(caught.value).startswith("saved.json, line 1")


def test_a_game_without_map_and_messages_is_of_the_standard_map(data: dict[str, Any], tmp_path: Path) -> None:
    """The package takes the standard map for a game that names none."""
    path = tmp_path / "saved.json"
    del data["map"]
    data["phases"] = [phase | {"messages": None} for phase in data["phases"][:3]]
    path.write_text(json.dumps(data))
    (made,) = import_games(path)
    assert (made.form, made.game.variant.id, len(made.game.records)) == ("saved-game", "standard", 2)


def test_a_bad_next_phase_is_refused_with_its_place(data: dict[str, Any], tmp_path: Path) -> None:
    """The file and the phase before it are named."""
    path = tmp_path / "saved.json"
    first, second, *_ = data["phases"]
    path.write_text(json.dumps({**data, "phases": [first, second | {"name": "Q1901Z"}]}))
    with pytest.raises(NotFound, match=rf"saved\.json, line 1, {first['name']}: no phase 'Q1901Z'"):
        list(import_games(path))
