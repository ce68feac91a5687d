"""`gamesmaster import` and `gamesmaster formats`."""

import json
from pathlib import Path

import pytest

from gamesmaster.formats import FORMS
from gamesmaster.variant import read_variant

from .conftest import Run

DATA = Path(__file__).parents[1] / "data/imports"


def test_one_map_becomes_the_folder(run: Run) -> None:
    """The folder has the variant under the folder's name, and it can be linted and played."""
    done = run("import", DATA / "strait.map", "-o", "my_strait")
    assert done.stdout == f"my_strait: Strait from {DATA / 'strait.map'} (dotmap), 2 powers, 7 provinces.\n"
    assert read_variant("my_strait").id == "my_strait"
    assert run("variant", "lint", "my_strait").stdout.endswith("0 errors, 2 warnings\n")
    assert run("new", "game.json", "--variant", "my_strait").exit_code == 0


def test_several_maps_get_folders_of_their_own(run: Run) -> None:
    """A fault in one file is told, the others are imported, and the exit code says that something was refused."""
    Path("bad.map").write_text("USE nothing\n")
    files = [DATA / "strait.map", "bad.map", DATA / "strait.dvar.json", DATA / "pack"]
    done = run("import", *files, "-o", "all", "--json")
    assert done.exit_code == 1
    assert done.stderr == "error: no file nothing.map\n"
    rows = json.loads(done.stdout)
    assert [(row["form"], row["id"]) for row in rows] == [
        ("dotmap", "strait"),
        ("dvar", "strait_2"),
        ("jdip", "strait_3"),
    ]
    assert {path.name for path in Path("all").iterdir()} == {row["id"] for row in rows}
    for row in rows:
        assert run("variant", "lint", row["folder"]).exit_code == 0


def test_nothing_is_written_over(run: Run) -> None:
    """A folder that holds something already, or has a name that is no id, gets the variant in a folder of its own."""
    Path("Full of-maps").mkdir()
    assert run("import", DATA / "strait.map", "-o", "Full of-maps").exit_code == 0
    assert (Path("Full of-maps") / "strait" / "variant.toml").exists()
    again = run("import", DATA / "strait.map", "-o", "Full of-maps")
    assert (again.exit_code, "exists already" in again.stderr) == (3, True)


def test_games_and_variants_are_exported(run: Run) -> None:
    """The files and what they lose are printed; a power sees its own orders; what does not fit is refused."""
    run("new", "winter.json")
    run("order", "winter.json", "france", "A Par - Bur")
    done = run("export", "winter.json", "--format", "saved-game", "-o", "out", "--power", "france")
    assert done.stdout.splitlines()[:2] == ["out/winter.json", "out/winter.phase-lines.jsonl"]
    assert "A PAR - BUR" in Path("out/winter.json").read_text()
    assert run("import", "out/winter.json", "-o", "back").exit_code == 0
    rows = json.loads(run("export", "standard", "--format", "jdip", "-o", "out", "--json").stdout)
    assert (rows["form"], "out/standard_jdip/variants.xml" in rows["files"]) == ("jdip", True)
    assert "did you mean dvar?" in run("export", "standard", "--format", "dva").stderr


def test_the_forms_are_listed(run: Run) -> None:
    """Every form is there, with what is lost."""
    said = run("formats").stdout
    assert all(
        f"{form.id}: {form.name}".replace("`", "") in said and form.lost.replace("`", "") in said for form in FORMS
    )
    assert [row["id"] for row in json.loads(run("formats", "--json").stdout)] == [form.id for form in FORMS]


def test_an_imported_board_gets_a_map(run: Run) -> None:
    """`board draw` writes the shapes once, the linter finds nothing more, and maps are drawn of them."""
    run("import", DATA / "strait.map", "-o", "my_strait")
    assert run("board", "draw", "my_strait").stdout == "my_strait/shapes.json: 7 provinces, 5 centres, 11 borders\n"
    assert run("variant", "lint", "my_strait").stdout.endswith("0 errors, 1 warning\n")
    assert run("map", "my_strait", "-o", "map.svg").exit_code == 0
    assert "exists already" in run("board", "draw", "my_strait").stderr
    assert run("board", "draw", "my_strait", "--force").exit_code == 0


def test_a_game_becomes_a_file(run: Run) -> None:
    """Its phases are adjudicated again; a second one of the same name gets a number; the file can be played on."""
    saved = DATA.parent / "saved_game.json"
    done = run("import", saved, saved, "-o", "games")
    first, second = done.stdout.splitlines()
    assert first.endswith(f"11 phases of standard from {saved}, line 1 (saved-game), all adjudicated alike.")
    name = first.partition(":")[0]
    assert second.startswith(f"{name.removesuffix('.json')}-1.json")
    assert "Spring 1901" in run("report", name, "--phase", "S1901M").stdout
    data = json.loads(saved.read_text())
    data["phases"][1]["state"]["units"]["FRANCE"] = []
    Path("wrong.json").write_text(json.dumps(data))
    (row,) = json.loads(run("import", "wrong.json", "-o", "more", "--json").stdout)
    assert list(row["differences"]) == ["S1901M", "F1901M"]
    told = run("import", "wrong.json", "-o", "more").stdout.splitlines()
    assert told[0].endswith("2 phases adjudicated differently.")
    assert told[1].startswith("  S1901M, units: recorded none, adjudicated France ")
    assert "this program judges" in run("status", row["game"]).stderr


def test_many_games_of_one_name_become_files_with_little_work(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each game of a file looks at a few names for its own, however many games came before it."""
    game = {"id": "g", "map": "standard", "phases": [{"name": "S1901M", "state": {"units": {"FRANCE": ["A PAR"]}}}]}
    Path("games.jsonl").write_text(f"{json.dumps(game)}\n" * 30)
    looked, exists = list[str](), Path.exists

    def look(path: Path) -> bool:
        looked.append(path.name)
        return exists(path)

    monkeypatch.setattr(Path, "exists", look)
    run("import", "games.jsonl", "-o", "games")
    assert len([*Path("games").iterdir()]) == 30
    assert len([name for name in looked if name.startswith("g")]) <= 100
    run("import", "games.jsonl", "-o", "games")
    assert len([*Path("games").iterdir()]) == 60


def test_what_is_too_long_is_said(run: Run) -> None:
    """A mailbox of too many mails is refused as that, not as a map."""
    Path("box").write_text("From a\n\nMovement results for Fall of 1901.\n\n" * 1_001)
    assert "box: more than 1000 letters" in run("import", "box", "-o", "games").stderr
