"""Variants, boards and rulebooks from the command line."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from gamesmaster.board import Terrain, board_data, read_board
from gamesmaster.judge import PRESETS
from gamesmaster.variant import find_variant

from .conftest import Run

BOARDS = Path(__file__).parents[1] / "data" / "boards"
STANDARD = Path(str(files("gamesmaster.variants") / "standard"))


def test_variants_are_listed(run: Run) -> None:
    """`variants` lists what can be played."""
    assert re.search(r"^standard +Diplomacy +7 ", run("variants").stdout, re.MULTILINE)
    (standard,) = (v for v in json.loads(run("variants", "--json").stdout) if v["id"] == "standard")
    assert standard["powers"] == ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"]


def test_a_variant_is_shown(run: Run) -> None:
    """`show` tells powers, start, calendar and victory."""
    for name in ("standard", "Standard", STANDARD):
        lines = run("show", name).stdout.splitlines()
        assert lines[0] == "Diplomacy (standard)"
        assert "  board: 75 provinces, 34 centres" in lines
        assert "  victory: 18 centres" in lines
        assert any(
            line.split() == ["France", "F", "BRE,", "A", "MAR,", "A", "PAR", "BRE,", "MAR,", "PAR"] for line in lines
        )


def test_a_variant_as_json(run: Run) -> None:
    """`show --json` has all a program needs: powers, start, calendar, and a board that reads back the same."""
    data = json.loads(run("show", "standard", "--json").stdout)
    assert [power["name"] for power in data["powers"]][:2] == ["Austria", "England"]
    assert data["powers"][5]["homes"] == ["MOS", "SEV", "STP", "WAR"]
    assert data["start"]["phase"] == "S1901M"
    assert data["start"]["units"]["Russia"] == ["A MOS", "A WAR", "F SEV", "F STP/SC"]
    assert data["start"]["centers"]["Turkey"] == ["ANK", "CON", "SMY"]
    assert [p["kind"] for p in data["calendar"]["phases"]] == ["movement", "retreats"] * 2 + ["adjustments"]
    assert [p["count"] for p in data["calendar"]["phases"]] == [False, False, False, True, False]
    counted = {"centres": 18, "count": "centres", "of": {}, "last": 0, "when": "count", "units": 0}
    assert data["victory"] == counted
    assert data["digest"] == find_variant("standard").digest
    assert ["PAR", "BUR"] in data["board"]["edges"]["army"] or ["BUR", "PAR"] in data["board"]["edges"]["army"]
    assert any("SPA/SC" in edge for edge in data["board"]["edges"]["fleet"])
    assert data["edges"] == data["board"]["edges"]
    board = read_board(data["board"])
    assert board_data(board) == board_data(find_variant("standard").board)
    assert sum(p.terrain is Terrain.SEA for p in board.provinces) == 19


def test_foreign_boards_are_shown(run: Run) -> None:
    """A board file of another program is shown like a variant."""
    assert "North Sea Wars" in run("show", BOARDS / "northseawars.json").stdout
    assert json.loads(run("show", BOARDS / "pure.json", "--json").stdout)["id"] == "pure"


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("standrd",), 3, "did you mean standard"),
        (("nothing.json",), 3, "no file nothing.json"),
        ((".",), 3, "no file"),
        ((), 2, "Missing argument"),
    ],
)
def test_what_cannot_be_shown(run: Run, args: tuple[str, ...], code: int, told: str) -> None:
    """A variant that is not there is told, with the nearest."""
    result = run("show", *args)
    assert (result.exit_code, result.stdout) == (code, "")
    assert told in " ".join(result.stderr.replace("│", " ").split())


# -- lint ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["standard", STANDARD, STANDARD / "board.json", BOARDS / "northseawars.json"])
def test_sound_boards_have_no_errors(run: Run, path: str | Path) -> None:
    """`board lint` takes a variant's name, its folder, a board, or a foreign board."""
    result = run("board", "lint", path)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("0 errors")


def test_slips_are_found(run: Run) -> None:
    """What is wrong is printed with its place, and the exit code is 1; `--json` tells programs the same."""
    data = json.loads((STANDARD / "board.json").read_text(encoding="utf-8"))
    data["edges"]["army"].append(["PAR", "NTH"])
    Path("board.json").write_text(json.dumps(data), encoding="utf-8")
    result = run("board", "lint", "board.json")
    assert result.exit_code == 1
    assert "error: " in result.stdout
    assert not result.stdout.endswith("0 errors, 0 warnings\n")
    found = json.loads(run("board", "lint", "board.json", "--json").stdout)
    assert found[0]["level"] == "error"
    assert {"level", "code", "where", "text", "hint"} == set(found[0])


def test_boards_that_cannot_be_read(run: Run) -> None:
    """A board that cannot even be read is an error with the path in the file."""
    Path("board.json").write_text('{"format": 1, "nam": "x"}', encoding="utf-8")
    result = run("board", "lint", "board.json")
    assert result.exit_code == 3
    assert "board.json" in result.stderr
    assert run("board", "lint", "nothing.json").exit_code == 3
    assert run("board", "lint", "nothing").exit_code == 3
    assert run("board", "lint").exit_code == 2


# -- rulebook --------------------------------------------------------------------------------------------------------


def test_choices_are_listed(run: Run) -> None:
    """`rulebook` lists every choice with its answers, the one in force in brackets, and the presets."""
    output = run("rulebook").stdout
    assert "[szykman] 1971 1982 2000 all_hold" in output
    assert output.splitlines()[-1] == f"Presets: {', '.join(PRESETS)}"
    assert "szykman [1971]" in run("rulebook", "1971").stdout
    assert "szykman 1971 1982 2000 [all_hold]" in run("rulebook", "1971,4.A.2=d").stdout
    data = json.loads(run("rulebook", "2000", "--json").stdout)
    chosen = {choice["issue"]: choice["chosen"] for choice in data["choices"]}
    assert (chosen["4.A.2"], chosen["4.A.1"]) == ("2000", "any_route_survives")
    assert data["presets"] == list(PRESETS)


@pytest.mark.parametrize(
    ("text", "told"), [("1970", "no rulebook"), ("4.A.2=x", "one of szykman"), ("4.A.22=d", "did you mean 4.A.2")]
)
def test_unknown_choices(run: Run, text: str, told: str) -> None:
    """A preset, choice or answer that nobody knows is told, with the nearest."""
    result = run("rulebook", text)
    assert result.exit_code == 3
    assert told in result.stderr
