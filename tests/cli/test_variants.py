"""Variants from the command line: listed, shown with their special rules, made, linted and checked."""

from __future__ import annotations

import json
import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from gamesmaster.board import Terrain, board_data, read_board
from gamesmaster.cli.variants.variant import homes_of, opening
from gamesmaster.errors import BadFile
from gamesmaster.game import Game
from gamesmaster.pictures.shapes.files import board_folder, board_names
from gamesmaster.testing import conformance
from gamesmaster.variant import (
    find_rules_text,
    find_variant,
    lint_folder,
    read_variant,
    rules_text_names,
    variant_names,
)
from gamesmaster.variant.sources import file_of, shelf
from gamesmaster.variant.texts import (
    Brief,
    find_brief,
    mechanic_rows,
    read_brief,
    rulebook_text,
    variant_facts,
    victory_text,
)
from tests.lengths import mark_long
from tests.open_variants import plain_variants

from .conftest import Run

BOARDS = Path(__file__).parents[1] / "data" / "boards"
STANDARD = Path(str(files("gamesmaster.variants") / "standard"))
DATA = {"board", "start", "powers", "victory", "calendar", "rulebook", "options"}
ISLAND = ("--power", "France=PAR,BRE,MAR", "--power", "Germany=BER,MUN,KIE")


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
            line.split() == ["France", "F", "Bre,", "A", "Mar,", "A", "Par", "Bre,", "Mar,", "Par"] for line in lines
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
    assert data["victory"] == counted | {"lead": None, "last_year": None, "then": "most centres"}
    assert data["digest"] == find_variant("standard").digest
    assert ["PAR", "BUR"] in data["board"]["edges"]["army"] or ["BUR", "PAR"] in data["board"]["edges"]["army"]
    assert any("SPA/SC" in edge for edge in data["board"]["edges"]["fleet"])
    assert data["edges"] == data["board"]["edges"]
    board = read_board(data["board"])
    assert board_data(board) == board_data(find_variant("standard").board)
    assert sum(p.terrain is Terrain.SEA for p in board.provinces) == 19


def test_a_game_is_begun_on_a_foreign_board_from_anywhere(run: Run) -> None:
    """`new` takes the board file of another program that `play` takes, and the game keeps it."""
    assert run("new", "trade.json", "--variant", BOARDS / "northseawars.json").exit_code == 0
    assert "North Sea Wars" in run("status", "trade.json").stdout
    assert run("process", "trade.json").exit_code == 0


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


@pytest.mark.parametrize("name", variant_names())
def test_every_variant_is_shown(run: Run, name: str) -> None:
    """Powers with what they start with, what wins, the calendar, mechanics, options and special rules; also as JSON."""
    lines = run("show", name).stdout.splitlines()
    variant, brief = find_variant(name), find_brief(name)
    assert lines[0] == f"{variant.name} ({name})"
    assert [f"  {word}: {told}" for word, told in variant_facts(variant)] == lines[
        1 : 1 + len(list(variant_facts(variant)))
    ]
    assert all(
        any(line.startswith(f"{power.name} ") or line == power.name for line in lines) for power in variant.powers
    )
    assert [f"  mechanic {id_}: {told}" for id_, told in mechanic_rows(variant)] == [
        line for line in lines if line.startswith("  mechanic ")
    ]
    assert all(any(line.startswith(f"  option {option.name}: ") for line in lines) for option in variant.options)
    assert all(any(line.startswith(rule.says) for line in lines) for rule in brief.special)
    data = json.loads(run("show", name, "--json").stdout)
    assert data["special"][0] == {
        "says": brief.special[0].says,
        "clauses": list(brief.special[0].clauses),
        "by": list(brief.special[0].by),
    }


@pytest.mark.parametrize("name", rules_text_names())
def test_special_rules_are_in_the_rulebook(name: str) -> None:
    """Every special rule cites clauses of the variant's rulebook, in a sentence, and each is told once."""
    brief, known = find_brief(name), {clause.id for clause in find_rules_text(name).clauses}
    cases = json.loads(file_of(shelf() / name, "scenarios.json").read_text(encoding="utf-8"))
    assert brief.example in {case["id"] for case in cases}
    assert len({rule.says for rule in brief.special}) == len(brief.special) >= (1 if name in plain_variants() else 5)
    for rule in brief.special:
        assert set(rule.clauses) <= known
        assert rule.says.endswith(".")


@pytest.mark.parametrize("name", variant_names())
def test_every_mechanic_is_among_the_special_rules(name: str) -> None:
    """What a variant has of mechanics has a row in the table of its special rules; the board has that of its own."""
    told = {by for rule in find_brief(name).special for by in rule.by}
    assert {"board" if mechanic.implied else mechanic.id for mechanic in find_variant(name).mechanics} <= told


def test_what_wins_is_told() -> None:
    """Numbers for single powers, the last ones left, and when it is counted."""
    told = victory_text(find_variant("1000ad").victory)
    assert (
        told == "25 centres; 28 for Vikings, Moors, Magyars; 31 for Byzantines; or most centres when 3 powers are left"
    )
    winter = "24 centres or 23 units; counted when the Winter is complete"
    assert victory_text(find_variant("indianomacy").victory) == winter
    assert rulebook_text(find_variant("scottomacy")) == "datc, double_orders = cancel"


def test_parameters_are_told() -> None:
    """Of each mechanic the parameters that are not as they would be by themselves, in plain words."""
    told = dict(mechanic_rows(find_variant("scottomacy")))
    assert told["downfall"] == "power = England; seats = 89 90"
    assert told["free-units"] == "power = England; free = A: 4, F: 4"
    assert "England A/F e Summer 1491" in told["reinforcements"]
    assert "named = yes" in told["boats"]
    assert dict(mechanic_rows(find_variant("1000ad")))["extinction"] == "as it is"


def test_the_page_s_example(tmp_path: Path) -> None:
    """The table that docs/board-files.md shows is read as the page says."""
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "board-files.md").read_text(encoding="utf-8").partition("## `brief.toml`")[2]
    (tmp_path / "brief.toml").write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    brief = read_brief(tmp_path)
    assert (brief.special[0].clauses, brief.special[0].by) == (("STR-6.a", "STR-6.b"), ("boats",))
    assert brief.example == "STR-S1"


def test_a_folder_beside_does_not_hide_a_variant(run: Run) -> None:
    """A name of the package's means that variant, whatever lies here; a folder of the same name is `./NAME`."""
    Path("scottomacy").mkdir()
    for name in ("scottomacy", "scottomacy[carry_limit=1]"):
        assert run("show", name).exit_code == 0
        short = ("--players", "holder", "--turns", "1", "--games", "1", "--jobs", "1", "--no-batch")
        assert run("selfplay", name, *short).exit_code == 0
    assert run("show", "./scottomacy").exit_code != 0


@pytest.mark.parametrize("named", ["indianomacy2", "mine"])
def test_a_new_one_has_the_whole_board_of_one_that_shares_it(run: Run, named: str) -> None:
    """On the board of a variant that has it from another, or is based on another, the map is there too."""
    Path("mine").mkdir()
    text = 'format = 1\nid = "mine"\nname = "Mine"\nbased_on = "indianomacy"\n'
    Path("mine/variant.toml").write_text(text, encoding="utf-8")
    assert run("variant", "new", "isle", "--board", named).exit_code == 0
    for name in ("board.json", "shapes.json"):
        assert (Path("isle") / name).read_bytes() == (shelf() / "indianomacy" / name).read_bytes()
    assert run("map", named, "-o", "mine.svg").exit_code == 0


def test_a_folder_is_shown(run: Run, tmp_path: Path) -> None:
    """A variant of one's own is shown with its own special rules, or with none; a bad file is told."""
    own = tmp_path / "own"
    shutil.copytree(shelf() / "standard", own)
    (own / "brief.toml").write_text('special = [{ says = "Boats float.", clauses = "STD-8.a", by = "boats" }]', "utf-8")
    assert run("show", own).stdout.splitlines()[-1].split() == ["Boats", "float.", "STD-8.a", "boats"]
    assert read_brief(own).example == ""
    (own / "brief.toml").write_text("[example]\nlead = 'Look.'", "utf-8")
    with pytest.raises(BadFile, match=r"\$.example.scenario: this key is missing"):
        read_brief(own)
    (own / "brief.toml").unlink()
    assert read_brief(own) == Brief()
    assert "special rule" not in run("show", own).stdout


# -- `variant new`, `variant lint`, `variant check` ------------------------------------------------------------------


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


@pytest.mark.parametrize("name", mark_long(board_names(), but=("standard", "conquest2", "cline9")))
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


def test_checking_runs_the_worked_cases_of_a_folder(run: Run) -> None:
    """They are counted, and one that comes out differently is a problem."""
    shutil.copytree(Path(__file__).parents[2] / "examples/stormy", "stormy")
    case = {"id": "STO-S1", "title": "At rest", "phase": "Spring 1 Movement", "units": {"Ash": ["A DAL"]},
            "orders": {"Ash": ["A DAL H"]}, "expect": {"orders": {"A DAL H": "holds"}}}  # fmt: skip
    Path("stormy/scenarios.json").write_text(json.dumps([case, case | {"other": {"dice": [6]}}]))
    told = run("variant", "check", "stormy", "--phases", "3").output
    assert told == "Stormy Isle: 3 phases, 1 scenario (1 not run), 0 problems\n"
    Path("stormy/scenarios.json").write_text(json.dumps([case | {"orders": {}}]))
    result = run("variant", "check", "stormy", "--phases", "3")
    assert result.exit_code == 1
    assert result.output.splitlines()[0] == "STO-S1 At rest: A DAL H: expected holds, got no such order"


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
