"""Replaying recorded games of every kind."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.errors import BadFile, NotFound
from gamesmaster.formats import import_games
from gamesmaster.formats import replay as replay_module
from gamesmaster.formats.foreign import read_foreign
from gamesmaster.formats.recorded import OTHER_PROGRAM, recorded_game
from gamesmaster.formats.replay import Replay, Verdict
from gamesmaster.game import Game, dumps, loads, verify
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rulebook
from gamesmaster.variant import Variant, find_variant

DATA = Path(__file__).parents[1] / "data"
SAVED = DATA / "saved_game.json"


def find(name: str) -> Variant:
    """The standard game, or one of the foreign boards."""
    path = DATA / "boards" / f"{name}.json"
    return read_foreign(path) if path.exists() else find_variant(name)


def replay(path: Path, rulebook: Rulebook | None = None) -> list[Verdict]:
    """The verdicts on a file."""
    return list(Replay(find, rulebook).file(path))


def tally(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """How many passed, failed and were skipped."""
    results = ["skipped" if v.skipped else "failed" if v.differences else "passed" for v in verdicts]
    return dict(Counter(results))


@pytest.fixture(scope="module")
def lines() -> list[dict[str, Any]]:
    """The first phases of the recorded games, a line each."""
    with gzip.open(DATA / "recorded_games.jsonl.gz") as file:
        return [json.loads(line) for line, _ in zip(file, range(60), strict=False)]


def written(path: Path, data: Iterable[object]) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(item) + "\n" for item in data), encoding="utf-8")
    return path


# -- phases as lines -------------------------------------------------------------------------------------------------


def test_recorded_phases_pass(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    """Every phase of games that were really played comes out as recorded, gzipped or not; a verdict names it."""
    plain = written(tmp_path / "games.jsonl", lines)
    zipped = tmp_path / "games.jsonl.gz"
    zipped.write_bytes(gzip.compress(plain.read_bytes()))
    assert tally(replay(plain)) == tally(replay(zipped)) == {"passed": len(lines)}
    first = replay(zipped)[0]
    assert (first.where, first.phase, first.kind) == (f"{zipped}, line 1", "S1901M", PhaseKind.MOVEMENT)
    assert first.game == lines[0]["game"]


def test_a_difference_is_told(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    """A phase with a false outcome fails, and the others pass."""
    false = json.loads(json.dumps(lines[0]))
    false["next"]["units"]["France"][0] = "A GAS"
    verdicts = replay(written(tmp_path / "g.jsonl", [lines[0], false, lines[1]]))
    assert [bool(v.differences) for v in verdicts] == [False, True, False]
    assert "recorded France A GAS" in verdicts[1].differences[0]


def test_flagged_lines_are_skipped(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    """A line with a flag is skipped and the flag told; one without a next phase likewise."""
    alone = {key: value for key, value in lines[0].items() if key != "next"}
    verdicts = replay(written(tmp_path / "g.jsonl", [{**lines[0], "flag": "result differs"}, alone]))
    assert [v.skipped for v in verdicts] == ["result differs", "no next phase to compare with"]


def test_land_routes_are_replayed_by_land(tmp_path: Path) -> None:
    """A line flagged "land-route fallback" is replayed under DATC 4.A.3 c, whatever the rulebook otherwise."""
    line = {
        "map": "standard",
        "phase": "S1901M",
        "units": {"England": ["A LVP"]},
        "centers": {},
        "orders": {"England": ["A LVP - YOR VIA"]},
        "next": {"phase": "F1901M", "units": {"England": ["A YOR"]}, "centers": {}},
    }
    path = written(tmp_path / "g.jsonl", [line, {**line, "flag": "land-route fallback"}])
    assert [bool(v.differences) for v in replay(path)] == [True, False]
    assert [bool(v.differences) for v in replay(path, Rulebook.of("datc"))] == [True, False]
    assert tally(replay(path, Rulebook.of({"4.A.3": "c"}))) == {"passed": 2}


def test_units_are_removed_as_was_usual(tmp_path: Path) -> None:
    """Without a rulebook, units are removed by their distance from home centres, as before 2023 (DATC 4.D.8 a)."""
    line = {
        "phase": "W1901A",
        "units": {"France": ["A PAR", "A RUH"]},
        "centers": {"France": ["KIE"]},
        "orders": {},
        "next": {"phase": "S1902M", "units": {"France": ["A PAR"]}, "centers": {"France": ["KIE"]}},
    }
    path = written(tmp_path / "g.jsonl", [line])
    assert tally(replay(path)) == {"passed": 1}
    assert tally(replay(path, Rulebook.of("datc"))) == {"failed": 1}


def test_bad_lines_fail_and_the_others_go_on(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    """A line that cannot be read fails with its file and line; the rest is replayed."""
    path = written(tmp_path / "g.jsonl", [lines[0], {"map": "atlantis"}, [], lines[1]])
    path.write_text(path.read_text(encoding="utf-8").replace("[]\n", "{oops\n\n"), encoding="utf-8")
    verdicts = replay(path)
    assert [v.kind is None for v in verdicts] == [False, True, True, False]
    assert "atlantis" in verdicts[1].differences[0]
    assert verdicts[2].differences[0].startswith(f"{path}, line 3, column 2: not JSON")


def test_what_is_no_game_fails(tmp_path: Path) -> None:
    """A list, a number or a text is no recorded game."""
    verdicts = replay(written(tmp_path / "g.jsonl", [[1], 5, "text"]))
    assert all("not a JSON object" in v.differences[0] for v in verdicts)


def test_a_next_phase_that_is_none_fails(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    """A recorded next phase that no calendar knows counts as a failure of its line."""
    false = {**lines[0], "next": {**lines[0]["next"], "phase": "never"}}
    assert "never" in replay(written(tmp_path / "g.jsonl", [false]))[0].differences[0]


# -- saved games -----------------------------------------------------------------------------------------------------


def test_saved_games_pass(tmp_path: Path) -> None:
    """A saved game of PyPI's diplomacy passes, alone in a file, printed over many lines, or as lines with others."""
    data = json.loads(SAVED.read_text(encoding="utf-8"))
    assert tally(replay(SAVED)) == {"passed": 11}
    pretty = tmp_path / "pretty.json"
    pretty.write_text(json.dumps(data, indent=1), encoding="utf-8")
    assert tally(replay(pretty)) == {"passed": 11}
    assert tally(replay(written(tmp_path / "two.jsonl", [data, data]))) == {"passed": 22}


def test_a_bad_saved_phase_is_placed(tmp_path: Path) -> None:
    """A phase that cannot be read is told with file, line and phase."""
    data = json.loads(SAVED.read_text(encoding="utf-8"))
    data["phases"][1]["state"]["units"]["FRANCE"] = ["A ATLANTIS"]
    data["phases"][0]["state"]["units"]["FRANCE"] = ["A PAR"]
    path = written(tmp_path / "g.jsonl", [data])
    told = [text for v in replay(path) for text in v.differences]
    assert any("ATLANTIS" in text for text in told)


def test_builds_anywhere_pass(tmp_path: Path) -> None:
    """In a game saved with BUILD_ANY, a build outside the home centres is as it should be."""
    state = {"units": {"FRANCE": []}, "centers": {"FRANCE": ["SPA"]}}
    built = {**state, "units": {"FRANCE": ["A SPA"]}}
    phases = [
        {"name": "W1901A", "state": state, "orders": {"FRANCE": ["A SPA B"]}},
        {"name": "S1902M", "state": built, "orders": {}},
    ]
    game = {"id": "x", "map": "standard", "phases": phases}
    assert tally(replay(written(tmp_path / "g.jsonl", [{**game, "rules": ["BUILD_ANY"]}]))) == {"passed": 1}
    assert tally(replay(written(tmp_path / "h.jsonl", [{**game, "rules": []}]))) == {"failed": 1}


# -- our own records -------------------------------------------------------------------------------------------------


@pytest.fixture
def game() -> Game:
    """A game of a few phases."""
    game = Game.start(find_variant("standard"), seed=bytes(32), players=list("ABCDEFG"))
    game = game.submit("France", "A Par - Bur").submit("Germany", "A Mun - Bur").process()
    return game.submit("France", "F Bre - Mao").process()


def test_records_pass(tmp_path: Path, game: Game) -> None:
    """Our own record is verified phase by phase."""
    path = tmp_path / "game.json"
    path.write_text(dumps(game), encoding="utf-8")
    verdicts = replay(path)
    assert [(v.game, v.phase, v.differences) for v in verdicts] == [
        ("standard", "S1901M", ()),
        ("standard", "F1901M", ()),
    ]


def test_false_records_fail(tmp_path: Path, game: Game) -> None:
    """A record that does not follow from its orders fails in the phase where it departs from them."""
    path = tmp_path / "game.json"
    path.write_text(dumps(game).replace("bounces: stood off", "succeeds: came"), encoding="utf-8")
    assert [bool(v.differences) for v in replay(path)] == [True, False]


def test_false_dice_fail_even_before_the_first_phase(tmp_path: Path) -> None:
    """A record without a finished phase still fails if its dice did not fall as the seed says."""
    path = tmp_path / "game.json"
    game = Game.start(find_variant("standard"), seed=bytes(32), players=list("ABCDEFG"))
    data = json.loads(dumps(game))
    fell = data["throws"][0][4]
    data["throws"][0][4] = 0 if fell else 1
    path.write_text(json.dumps(data), encoding="utf-8")
    assert tally(replay(path)) == {"failed": 1}


def test_records_that_are_none_fail(tmp_path: Path, game: Game) -> None:
    """A record with a part missing is told with file and path."""
    data = json.loads(dumps(game))
    del data["now"]
    (verdict,) = replay(written(tmp_path / "g.jsonl", [data]))
    assert "now" in verdict.differences[0]


# -- files -----------------------------------------------------------------------------------------------------------


def test_missing_and_unreadable_files_are_errors(tmp_path: Path) -> None:
    """A file that is not there, is a folder, or breaks off within its packing, raises an error that names it."""
    with pytest.raises(NotFound, match="nothing"):
        replay(tmp_path / "nothing")
    with pytest.raises(BadFile, match=tmp_path.name):
        replay(tmp_path)
    with pytest.raises(BadFile, match="cannot be read"):
        replay(Path("\0"))
    broken = tmp_path / "broken.gz"
    broken.write_bytes(gzip.compress(SAVED.read_bytes())[:1_000])
    with pytest.raises(BadFile, match="broken"):
        replay(broken)
    broken.write_bytes(b"\x1f\x8bnonsense, no gzip")
    with pytest.raises(BadFile, match="broken"):
        replay(broken)


def test_unpacking_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file that unpacks to more than is allowed is refused when it gets there."""
    monkeypatch.setattr(replay_module, "LARGEST_FILE", 1_000_000)
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(b" " * 2_000_000))
    assert bomb.stat().st_size < 10_000
    with pytest.raises(BadFile, match="more than 1,000,000 bytes"):
        replay(bomb)


def test_what_makes_a_small_file_long_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty lines, bytes of a packed file, mails, their headers and parts, lines of a phase and of a game, orders."""
    path = tmp_path / "x.txt"
    phase = "PHASE 1901 Spring Movement\n"
    parts = b"From a\nContent-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\nhello\n" * 500
    orders = b"Movement results for Fall of 1901.\n" + b"Austria: Army Vienna HOLD.\n" * 50_001
    for data, said in (
        (b"\n" * 20_000, "10,000 empty lines"),
        (gzip.compress(b" " * 5_000_000), "it holds more than"),
        (b"From a\n\nMovement results for Fall of 1901.\n\n" * 1_001, "more than 1000 letters"),
        (b"From: " + b"(" * 40_000 + b"\n\nx", "headers of more than 32 KiB"),
        (parts * 11, "more than 5,000 parts"),
        ((phase + "".join(f"P{n}: army q{n}\n" for n in range(5_000))).encode(), "in a phase"),
        ((phase + "P: army q\n" * 900).encode() * 230, "more than 200,000 lines"),
        (orders, "more than 50,000 orders"),
    ):
        path.write_bytes(data)
        monkeypatch.setattr(replay_module, "LARGEST", 10_000 if data[:1] == b"\x1f" else 2**24)
        with pytest.raises(BadFile, match=said):
            list(import_games(path))


def test_long_lines_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[dict[str, Any]]) -> None:
    """A document of more bytes than allowed fails with its line, and the others go on."""
    monkeypatch.setattr(replay_module, "LARGEST_JSON", 10_000)
    verdicts = replay(written(tmp_path / "g.jsonl", [lines[0], {**lines[0], "source": "x" * 20_000}, lines[1]]))
    assert [bool(v.differences) for v in verdicts] == [False, True, False]
    assert verdicts[1].differences == (f"{tmp_path / 'g.jsonl'}, line 2: longer than 10,000 bytes",)


def test_progress_is_told(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    """Who wants to show progress is told how much of the file has been read, in the end all of it."""
    path, seen = written(tmp_path / "g.jsonl", lines[:5]), list[int]()
    list(Replay(find).file(path, seen.append))
    assert len(seen) == 5
    assert seen[-1] == path.stat().st_size


# -- records made of other programs' games ---------------------------------------------------------------------------


def test_a_recorded_game_becomes_a_record(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    """The phases of one game, played again, make a record of our own that verifies, the same each time."""
    one = [line for line in lines if line["game"] == lines[0]["game"]]
    path = written(tmp_path / "g.jsonl", one)
    game = recorded_game(Replay(find).phases(path))
    assert verify(game) == []
    assert len(game.records) >= len(one) - 2
    assert dumps(game) == dumps(recorded_game(Replay(find).phases(path)))


def test_a_saved_game_becomes_a_record() -> None:
    """A saved game of PyPI's diplomacy becomes a record too."""
    game = recorded_game(Replay(find).phases(SAVED))
    assert [record.phase.code for record in game.records][-3:] == ["W1903A", "S1904M", "S1904R"]
    assert verify(game) == []


def test_two_games_make_no_record(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    """A file of several games, or of none, makes no record."""
    with pytest.raises(BadFile, match="more than one game"):
        recorded_game(Replay(find).phases(written(tmp_path / "g.jsonl", lines)))
    with pytest.raises(BadFile, match="no game"):
        recorded_game(Replay(find).phases(written(tmp_path / "h.jsonl", [])))


def test_gaps_in_a_record_are_filled_from_it(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    """Where a phase is missing, or begins elsewhere than the orders led, the recorded position stands."""
    first, second, third = lines[:3]
    missing = recorded_game(Replay(find).phases(written(tmp_path / "g.jsonl", [first, third])))
    moved = {**second, "units": {**second["units"], "France": ["A PAR"]}}
    changed = recorded_game(Replay(find).phases(written(tmp_path / "h.jsonl", [first, moved])))
    for game, phase in ((missing, third["phase"]), (changed, second["phase"])):
        assert game.records[1].phase.code == phase
        assert {one.otherwise for one in verify(game)} == {True}
        assert game.records[0].judge == OTHER_PROGRAM
        assert loads(dumps(game)) == game
    assert [str(unit) for unit in changed.records[1].position.of("France")] == ["A PAR"]
