"""Making boards from the command line: new, build, lint, show."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from gamesmaster.board import board_data, board_text, read_board
from gamesmaster.variant import find_variant
from tests.lengths import mark_long
from tests.pictures.small import small_board_data, small_data

from .conftest import Run
from .test_program import on_a_terminal

BOARDS = Path(__file__).parents[1] / "data" / "boards"
STANDARD = Path(str(files("gamesmaster.variants") / "standard"))
MADE = ("board.json", "shapes.json")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The texts of all files of an island that has been built once."""
    from typer.testing import CliRunner

    from gamesmaster.cli.app import app

    folder = tmp_path_factory.mktemp("built") / "island"
    for args in (["board", "new", str(folder), "--name", "Isle"], ["board", "build", str(folder)]):
        assert CliRunner().invoke(app, args).exit_code == 0
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


@pytest.fixture
def island(built: dict[str, str], run: Run, tmp_path: Path) -> Path:
    """A folder with that island."""
    folder = tmp_path / "island"
    folder.mkdir()
    for name, text in built.items():
        (folder / name).write_bytes(text.encode())
    return folder


def edit(path: Path, old: str, new: str) -> None:
    """Replace the only occurrence of a text in a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_bytes(text.replace(old, new).encode())


# -- new -------------------------------------------------------------------------------------------------------------


def test_a_new_board_can_be_built_at_once(run: Run) -> None:
    """`board new` writes a folder that builds without a remark and lints without a finding, named as asked."""
    assert run("board", "new", "isles/of_my own", "--name", 'The "Isles"').exit_code == 0
    result = run("board", "build", "isles/of_my own")
    assert (result.exit_code, result.stderr) == (0, "")
    assert read_board(Path("isles/of_my own/board.json")).name == 'The "Isles"'
    assert 'The "Isles"' in Path("isles/of_my own/README.md").read_text(encoding="utf-8")
    assert run("board", "lint", "isles/of_my own").stdout == "0 errors, 0 warnings\n"


def test_a_new_board_is_named_after_its_folder(run: Run) -> None:
    """Without a name the board has that of its folder; an empty folder may be there already."""
    Path("my_new-island").mkdir()
    assert run("board", "new", "my_new-island").stdout.startswith("my_new-island: My new island, a board")
    assert 'name = "My new island"' in Path("my_new-island/board.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("taken",), 3, "taken exists already"),
        (("taken/file",), 3, "taken/file exists already"),
        (("taken/file/below",), 3, "Not a directory"),
        (("fresh", "--name", ""), 2, "printable characters"),
        (("fresh", "--name", "a\nb"), 2, "printable characters"),
        (("fresh", "--name", "x" * 81), 2, "printable characters"),
        ((), 2, "Missing argument"),
    ],
)
def test_what_cannot_be_started(run: Run, args: tuple[str, ...], code: int, told: str) -> None:
    """A folder that is there, or a wrong name, is one complaint; nothing is written."""
    Path("taken").mkdir()
    Path("taken/file").touch()
    result = run("board", "new", *args)
    assert (result.exit_code, result.stdout) == (code, "")
    assert told in " ".join(result.stderr.replace("│", " ").split())
    assert not Path("fresh").exists()
    assert Path("taken/file").read_bytes() == b""


# -- build -----------------------------------------------------------------------------------------------------------


def test_building_again_makes_the_same_bytes(run: Run, island: Path) -> None:
    """The same folder makes the same files to the byte; nothing has changed, and --check agrees."""
    before = {name: (island / name).read_bytes() for name in MADE}
    assert run("board", "build", island).stdout == f"{island}: 14 provinces, 7 centres, 33 borders\n"
    assert {name: (island / name).read_bytes() for name in MADE} == before
    result = run("board", "build", island, "--check")
    assert (result.exit_code, result.stdout) == (0, f"{island}: 14 provinces, 7 centres, 33 borders, as written\n")


@pytest.mark.parametrize("name", mark_long(MADE, but=MADE[:1]))
def test_stale_files_are_found(run: Run, island: Path, name: str) -> None:
    """--check fails if a file is not what the folder makes, and leaves it as it is."""
    stale = (island / name).read_bytes().replace(b"Isle", b"Eyot", 1)
    (island / name).write_bytes(stale)
    result = run("board", "build", island, "--check")
    assert result.exit_code == 1
    assert f"{name} is not what {island} makes" in result.stderr
    assert (island / name).read_bytes() == stale
    (island / name).unlink()
    assert run("board", "build", island, "--check").exit_code == 1
    assert not (island / name).exists()


def test_changes_are_told(run: Run, island: Path) -> None:
    """What a change to the folder did to provinces and borders is told, one line each, pairs once."""
    with (island / "provinces.csv").open("a", encoding="utf-8") as file:
        file.write("MOO,Moor,Moo,land,,,-31.20 40.05\n")
    edit(island / "provinces.csv", "CAI,Cairn,Cai,land,,,", "CAI,Cairn,Cai,land,1,,")
    edit(island / "edges.csv", "ELM,HOL,+,army", "BRA,HOL,+,army")
    lines = run("board", "build", island, "--check").stdout.splitlines()
    assert lines[:3] == ["+ province Moor (MOO)", "* province Cairn (CAI)", "+ army AYR - MOO"]
    assert set(lines[3:]) >= {"+ army BRA - HOL", "- army ELM - HOL", "+ army MOO - NEC"}
    assert run("board", "build", island).stdout.splitlines()[:-1] == lines
    assert run("board", "build", island).stdout.count("\n") == 1


def test_a_board_is_built_elsewhere(run: Run, island: Path) -> None:
    """-o writes to another folder, made if need be, and leaves the source alone."""
    edit(island / "board.toml", 'name = "Isle"', 'name = "Eyot"')
    old = (island / "board.json").read_bytes()
    assert run("board", "build", island, "-o", "deep/out", "--preview", "p.svg").exit_code == 0
    assert sorted(path.name for path in Path("deep/out").iterdir()) == [*MADE]
    assert (island / "board.json").read_bytes() == old
    assert "Eyot" in Path("p.svg").read_text(encoding="utf-8")


def test_an_old_board_that_cannot_be_read_is_replaced(run: Run, island: Path) -> None:
    """A broken board.json is told of, and replaced."""
    good = (island / "board.json").read_bytes()
    (island / "board.json").write_text("{", encoding="utf-8")
    assert "the old file could not be read" in run("board", "build", island).stdout
    assert (island / "board.json").read_bytes() == good


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("provinces.csv", "GAR,Garth,Gar,land", "GAR,Garth,Gar,lnad", "provinces.csv, row 9, column kind"),
        ("provinces.csv", "-29.14 40.08", "-29.14", "provinces.csv, row 6, column points"),
        ("edges.csv", "ELM,HOL", "ELN,HOL", "edges.csv, row 2, column a: no province 'ELN'"),
        ("coasts.csv", "NEC,SC,DAL", "NEC,SC,DALE", "coasts.csv, row 3, column neighbours"),
        ("board.toml", "border = 8", "boarder = 8", "did you mean border?"),
        ("board.toml", "coastline.geojson", "coast.geojson", "coast.geojson"),
    ],
)
def test_faults_of_a_folder_are_told_with_their_place(
    run: Run, island: Path, name: str, old: str, new: str, told: str
) -> None:
    """A slip in the folder is one complaint with the file, the row and the column; nothing is written."""
    before = {file: (island / file).read_bytes() for file in MADE}
    edit(island / name, old, new)
    result = run("board", "build", island)
    assert (result.exit_code, result.stdout) == (3, "")
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
    assert {file: (island / file).read_bytes() for file in MADE} == before


def test_folders_that_cannot_be_built(run: Run, island: Path) -> None:
    """A folder without a source, or a preview that is no SVG, is told."""
    assert "board new" in run("board", "build", "nothing").stderr
    assert run("board", "build", "nothing").exit_code == 3
    assert run("board", "build", island, "--preview", "p.png").exit_code == 2


def test_building_needs_its_libraries(run: Run, island: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the libraries of the extra, building and linting a folder say what to install."""
    for name in [name for name in sys.modules if name.partition(".")[2].startswith("atlas")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "shapely", None)
    for command in ("build", "lint"):
        result = run("board", command, island)
        assert result.exit_code == 3
        assert "-m pip install --editable '.[atlas]'" in result.stderr


def test_building_shows_a_bar_on_a_terminal(run: Run, island: Path) -> None:
    """On a terminal the steps of the building are shown."""
    assert "cutting provinces" in on_a_terminal("board", "build", island, "--check")


# -- the text of a board file ----------------------------------------------------------------------------------------


def test_board_files_are_written_for_people() -> None:
    """The file of the standard board, laid out by hand once, is what would be written."""
    text = (STANDARD / "board.json").read_text(encoding="utf-8")
    assert board_text(find_variant("standard").board) == text


def test_board_texts_read_back() -> None:
    """Whatever a board holds (exceptions, closures, other ways), its text reads back as the same board."""
    data = small_board_data()
    data |= {
        "ways": {"A": "army", "F": "fleet", "W": "war"},
        "exceptions": [{"way": "fleet", "edge": ["SOU", "SKE"], "convoy": False, "reason": 'reefs, ä " \\'}],
        "closures": [{"province": "INS", "kinds": ["A"], "reason": "taboo"}],
    }
    board = read_board(data)
    assert board_data(read_board(board_text(board))) == board_data(board)
    bare = read_board({"format": 1, "name": "x", "provinces": data["provinces"][:1], "edges": {}})
    assert board_data(read_board(board_text(bare))) == board_data(bare)


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


def test_a_folder_is_built_before_it_is_linted(run: Run, island: Path) -> None:
    """`board lint` of a source folder tells what its board would have wrong, whatever board.json there is."""
    with (island / "edges.csv").open("a", encoding="utf-8") as file:
        file.write("BRA,NAR,+,both,,,a ferry\n")
    result = run("board", "lint", island)
    assert result.exit_code == 1
    assert "leads armies to sea [army-at-sea]" in result.stdout
    assert "NAR" not in run("board", "lint", island / "board.json").stdout


def test_shapes_beside_a_board_are_linted(run: Run, tmp_path: Path) -> None:
    """Where shapes lie beside a board, what touches on the map and is no border is an error of the lint."""
    (tmp_path / "board.json").write_text(json.dumps(small_board_data()), encoding="utf-8")
    (tmp_path / "shapes.json").write_text(json.dumps(small_data()), encoding="utf-8")
    sound = run("board", "lint", tmp_path)
    assert sound.exit_code == 0
    data = small_board_data()
    data["edges"]["army"].remove(["ALB", "COR"])
    (tmp_path / "board.json").write_text(json.dumps(data), encoding="utf-8")
    for path in (tmp_path, tmp_path / "board.json"):
        found = run("board", "lint", path)
        assert found.exit_code == 1
        assert "ALB" in found.stdout
        assert "COR" in found.stdout
    (tmp_path / "shapes.json").unlink()
    assert run("board", "lint", tmp_path).exit_code == 0


# -- show ------------------------------------------------------------------------------------------------------------


def test_provinces_as_a_table(run: Run) -> None:
    """`board show` prints a row for each province, with its neighbours by each way and coast."""
    lines = run("board", "show", "standard").stdout.splitlines()
    assert lines[0] == "Diplomacy: 75 provinces, 34 centres"
    assert " ".join(lines[2].split()) == "id name terrain centre home by army by fleet"
    assert len(lines) == 3 + 75
    (spain,) = (line for line in lines if line.startswith("SPA"))
    assert " ".join(spain.split()) == "SPA Spain coast centre GAS MAR POR NC: GAS MAO POR; SC: LYO MAO MAR POR WES"


@pytest.mark.parametrize("name", ["STP", "stp", "Stp", "St. Petersburg", "saint petersburg"])
def test_one_province(run: Run, name: str) -> None:
    """A province is found by its id, abbreviation, name or alias in any case, and all about it is told."""
    lines = run("board", "show", STANDARD, "--province", name).stdout.splitlines()
    assert lines[0] == "St. Petersburg (Stp): coast, supply centre, home of Russia, coasts NC, SC"
    assert "  by fleet from SC:" in lines
    assert lines[-3:] == ["    BOT      Gulf of Bothnia", "    FIN      Finland", "    LVN      Livonia"]


def test_unusual_steps_are_explained(run: Run, tmp_path: Path) -> None:
    """A step that is not open to all, or carries no convoy, is told with its reason."""
    data = small_board_data()
    exception = {"way": "fleet", "edge": ["SOU", "SKE"], "convoy": False, "only": ["Red"], "reason": "reefs"}
    (tmp_path / "board.json").write_text(json.dumps(data | {"exceptions": [exception]}), encoding="utf-8")
    assert "(no convoy; only Red; reefs)" in run("board", "show", tmp_path, "--province", "sou").stdout


def test_provinces_as_json(run: Run) -> None:
    """--json tells programs the same."""
    everything = json.loads(run("board", "show", "standard", "--json").stdout)
    one = json.loads(run("board", "show", "standard", "--province", "spa", "--json").stdout)
    assert one in everything
    assert len(everything) == 75
    assert one["reach"]["fleet"]["NC"] == ["GAS", "MAO", "POR"]
    assert (one["centre"], one["home"], one["coasts"]) == (True, None, ["NC", "SC"])


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("standrd",), "did you mean standard?"),
        (("standard", "--province", "Bugandy"), "did you mean Burgundy?"),
        (("bord.json",), "no file bord.json (did you mean board.json?)"),
        (("source",), "gamesmaster board build source"),
        (("empty",), "no file variant.toml, board.json or board.toml in empty"),
    ],
)
def test_what_cannot_be_shown(run: Run, args: tuple[str, ...], told: str) -> None:
    """A board or a province that is not there is told, with the nearest."""
    Path("board.json").write_text(json.dumps(small_board_data()), encoding="utf-8")
    Path("empty").mkdir()
    Path("source").mkdir()
    Path("source/board.toml").touch()
    result = run("board", "show", *args)
    assert (result.exit_code, result.stdout) == (3, "")
    assert told in result.stderr


def test_a_file_that_is_no_board_of_ours(run: Run) -> None:
    """A file that is there, and of a form that is not read here, is told as that, and not as missing."""
    Path("ancmed.map").write_text("VICTORY 18\n", encoding="utf-8")
    result = run("show", "ancmed.map")
    assert result.exit_code == 3
    assert "is there, but no board" in " ".join(result.stderr.split())
