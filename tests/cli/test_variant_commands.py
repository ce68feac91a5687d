"""`variant new`, `variant lint`, `variant check`: games of one's own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gamesmaster.board import read_board
from gamesmaster.cli.variants.variant_new import homes_of, opening
from gamesmaster.game import Game
from gamesmaster.pictures.shapes.places import board_folder, board_names
from gamesmaster.testing import conformance
from gamesmaster.variant import find_variant, lint_folder, read_variant

from .conftest import Run

ISLAND = ("--power", "France=PAR,BRE,MAR", "--power", "Germany=BER,MUN,KIE")


def test_a_variant_of_the_standard_board(run: Run, tmp_path: Path) -> None:
    """A new folder holds the board, its map, a game and its rules, without a fault; its units stand at home."""
    made = run("variant", "new", "duel", "--board", "standard", *ISLAND, "--name", "The Duel")
    assert made.exit_code == 0
    assert made.output.startswith("duel: The Duel, 2 powers, 34 centres.")
    assert {path.name for path in (tmp_path / "duel").iterdir()} == {
        "RULES.md", "board.json", "shapes.json", "variant.toml",
    }  # fmt: skip
    assert lint_folder(tmp_path / "duel") == []
    variant = read_variant(tmp_path / "duel")
    assert variant.power("France").units == ("F BRE", "A MAR", "A PAR")
    assert variant.victory.centres == 18
    assert run("variant", "lint", "duel").output == "0 errors, 0 warnings\n"
    assert run("rules", "duel", "DUE-1.b").exit_code == 0
    assert run("map", "duel", "-o", "duel.svg").exit_code == 0
    assert run("play", "duel", "--players", "random", "--until", "2").exit_code == 0
    assert run("new", "game.json", "--variant", "duel/").exit_code == 0
    assert run("status", "game.json").exit_code == 0


@pytest.mark.parametrize("name", board_names())
def test_a_variant_of_every_board(run: Run, tmp_path: Path, name: str) -> None:
    """On every board that comes with the package a new variant is without error, and a phase of it can be played."""
    board = read_board(board_folder(name) / "board.json")
    powers = () if homes_of(board) else ("--power", f"One={board.centres[0]}", "--power", f"Two={board.centres[1]}")
    assert run("variant", "new", "mine", "--board", name, *powers).exit_code == 0
    assert [finding for finding in lint_folder(tmp_path / "mine") if finding.level == "error"] == []
    game = Game.start(read_variant(tmp_path / "mine"), seed=bytes(32)).process()
    assert game.records


def test_in_the_folder_of_the_board(run: Run, tmp_path: Path) -> None:
    """In a folder that holds a board already the game is written beside it, once, under the board's name."""
    (tmp_path / "isle").mkdir()
    for name in ("board.json", "shapes.json"):
        shutil.copy(board_folder("standard") / name, tmp_path / "isle" / name)
    before = (tmp_path / "isle" / "board.json").read_bytes()
    made = run("variant", "new", "isle")
    assert made.output == (
        "isle: Diplomacy, 7 powers, 34 centres.\n  variant.toml\n  RULES.md\nNext: gamesmaster variant lint isle\n"
    )
    assert (tmp_path / "isle" / "board.json").read_bytes() == before
    again = run("variant", "new", "isle")
    assert again.exit_code == 3
    assert again.output == "error: isle exists already (choose another name, or empty it first)\n"


@pytest.mark.parametrize(
    ("options", "code", "text"),
    [
        (("--board", "standerd"), 3, "did you mean standard?"),
        (("--board", "standard", "--power", "France"), 2, "is not written NAME=HOME,HOME"),
        (("--board", "standard", "--power", "France=PAX"), 3, "no province 'PAX'"),
        (
            ("--board", "standard", "--power", "France=GAS"),
            3,
            "Gascony cannot be France's home (it is not a supply centre)",
        ),
        (("--board", "standard", "--power", "A=PAR", "--power", "B=PAR"), 3, "cannot be home to both A and B"),
        (("--board", "bare.json"), 3, "marks no homes, so there are no powers to play"),
        ((), 3, "no variant 'new'"),
    ],
)
def test_what_cannot_be_made(run: Run, tmp_path: Path, options: tuple[str, ...], code: int, text: str) -> None:
    """A slip in the options is told with the nearest right thing, and nothing is written."""
    data = json.loads((board_folder("standard") / "board.json").read_text(encoding="utf-8"))
    data["provinces"] = [{k: v for k, v in province.items() if k != "home"} for province in data["provinces"]]
    (tmp_path / "bare.json").write_text(json.dumps(data), encoding="utf-8")
    result = run("variant", "new", "new", *options)
    assert result.exit_code == code
    assert text in " ".join(result.output.replace("│", " ").split())
    assert not (tmp_path / "new").exists()


def test_openings() -> None:
    """A fleet in the first coastal home, on its first coast, armies elsewhere; a single home begins with an army."""
    board = find_variant("standard").board
    homes = homes_of(board)
    assert opening(board, homes["Russia"]) == ["A MOS", "F SEV", "A STP", "A WAR"]
    assert opening(board, homes["Russia"][2:3]) == ["A STP"]
    assert opening(board, [board.province("SPA"), board.province("POR")]) == ["F SPA/NC", "A POR"]
    assert opening(board, [board.province("NWY")]) == ["A NWY"]


def test_lint_tells_everything(run: Run, tmp_path: Path) -> None:
    """Faults of the files, of the rules for players and of the map are told together; the exit code is 1."""
    run("variant", "new", "duel", "--board", "standard", *ISLAND)
    path = tmp_path / "duel" / "variant.toml"
    path.write_text(path.read_text(encoding="utf-8") + '\n[[mechanics]]\nname = "tabu"\n', encoding="utf-8")
    (tmp_path / "duel" / "RULES.md").write_text("no title\n", encoding="utf-8")
    result = run("variant", "lint", "duel")
    assert result.exit_code == 1
    assert "mechanics tabu: no mechanic 'tabu' (did you mean taboo?)" in result.output
    assert "does not begin with its title" in result.output
    assert result.output.endswith("2 errors, 0 warnings\n")


def test_lint_warns_of_what_is_missing(run: Run, tmp_path: Path) -> None:
    """Without rules and without a map a variant can be played; the linter warns; a broken map is an error."""
    run("variant", "new", "duel", "--board", "standard", *ISLAND)
    shapes = tmp_path / "duel" / "shapes.json"
    kept = shapes.read_bytes()
    shapes.unlink()
    (tmp_path / "duel" / "RULES.md").unlink()
    found = json.loads(run("variant", "lint", "duel", "--json").output)
    assert [(entry["level"], entry["code"]) for entry in found] == [("warning", "no-rules"), ("warning", "no-map")]
    shapes.write_bytes(kept[:100])
    assert "[bad-map]" in run("variant", "lint", "duel").output


def test_lint_of_a_variant_by_name(run: Run) -> None:
    """Variants of the package are linted by their names."""
    assert run("variant", "lint", "standard").output == "0 errors, 0 warnings\n"
    assert "did you mean standard?" in run("variant", "lint", "standerd").output


def test_check(run: Run) -> None:
    """Nothing is found in the standard game, in text or as JSON."""
    assert run("variant", "check", "standard", "--phases", "8").output == "Diplomacy: 8 phases, 0 problems\n"
    found = json.loads(run("variant", "check", "standard", "--phases", "8", "--seed", "3", "--json").output)
    assert found == {"variant": "standard", "phases": 8, "seed": 3, "problems": []}


def test_check_tells_how_to_see_it_again(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem is told with the phase, the orders and the command that shows it again; the exit code is 1."""
    monkeypatch.setattr(conformance, "check_step", lambda game, after: ["it is broken"])
    result = run("variant", "check", "standard", "--phases", "3", "--seed", "5")
    assert result.exit_code == 1
    first, orders, again = result.output.splitlines()[:3]
    assert first == "S1901M: it is broken"
    assert orders.startswith("  orders: Austria: A Bud")
    assert again == "  to see it again: gamesmaster variant check standard --seed 5 --phases 1"
    assert result.output.endswith("Diplomacy: 3 phases, 3 problems\n")


CHAOS = tuple(f"Free {name}={name}" for name in find_variant("standard").board.centres)


def test_chaos(run: Run, tmp_path: Path) -> None:
    """Thirty-four powers with a centre each build what they like in a first Winter, from variant.toml alone."""
    powers = [word for power in CHAOS for word in ("--power", power)]
    assert run("variant", "new", "chaos", "--board", "standard", *powers).exit_code == 0
    path = tmp_path / "chaos" / "variant.toml"
    lines = path.read_text(encoding="utf-8").replace("# first_phase =", "first_phase =").splitlines()
    lines = [line for line in lines if not line.startswith("units = ")]
    text = "\n".join(lines).replace('build_sites = "own home centers"', 'build_sites = "any owned supply center"')
    path.write_text(text, encoding="utf-8")
    assert lint_folder(tmp_path / "chaos") == []
    variant = read_variant(tmp_path / "chaos")
    game = Game.start(variant, seed=bytes(32))
    assert game.phase.code == "W1A"
    assert not game.position.units
    game = game.submit("Free PAR", ["Build A Par"]).submit("Free STP", ["Build F Stp/nc"])
    game = game.submit("Free LON", ["Build F Mos"]).process()
    assert game.phase.code == "S2M"
    assert {str(unit) for unit in game.position.units} == {"A PAR", "F STP/NC"}
    assert len(game.survivors) == 34
    assert conformance.check_variant(variant, phases=12) == []
