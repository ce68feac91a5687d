"""The linter for folders: every fault told at once, with its file, its key and the nearest right thing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gamesmaster.errors import NotFound
from gamesmaster.variant import find_variant, lint_folder, lint_variant, variant_names

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/board-files.md").read_text(encoding="utf-8")
BOARD = PAGE.split("```json\n")[1].split("```")[0]
TOML = PAGE.split("```toml\n")[1].split("```")[0]
Folder = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """The variant of docs/board-files.md in a folder of its name, its TOML changed by replacing texts."""

    def written(*changes: tuple[str, str], board: str = BOARD) -> Path:
        text = TOML
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        home = tmp_path / read_id(TOML)
        home.mkdir()
        (home / "variant.toml").write_text(text, encoding="utf-8")
        (home / "board.json").write_text(board, encoding="utf-8")
        return home

    return written


def read_id(text: str) -> str:
    """The id that a variant's file gives it."""
    return text.split('id = "')[1].split('"')[0]


def told(folder: Path) -> list[str]:
    """What is found, without the folder's path."""
    return [str(finding).replace(f"{folder}/", "") for finding in lint_folder(folder) if finding.level == "error"]


def test_a_sound_folder(folder: Folder) -> None:
    """The variant of the page has no faults."""
    assert told(folder()) == []


def test_every_fault_is_told(folder: Folder) -> None:
    """An unknown key, a wrong word, a place that is not there and a mechanic that is none are told together."""
    home = folder(
        ("name =", 'nmae = "x"\nname ='),
        (
            "[calendar]",
            '[[mechanics]]\nname = "anarhcy"\n\n[[mechanics]]\nname = "taboo"\nprovinces = ["XXX"]\n\n[calendar]',
        ),
        ("centres = ", "centers = "),
    )
    assert sorted(told(home)) == [  # and not what only follows from parts left out
        "error: variant.toml, mechanics anarhcy: no mechanic 'anarhcy' (did you mean anarchy?) [bad-file]",
        "error: variant.toml, mechanics taboo: no province 'XXX' (known: CAL, DOV, KEN, LON, NMY, OCE, PAR) [bad-file]",
        "error: variant.toml, nmae: this key is not known here (did you mean name?) [bad-file]",
        "error: variant.toml, victory centers: this key is not known here (did you mean centres?) [bad-file]",
        "error: variant.toml, victory centres: this key is missing [bad-file]",
    ]


def test_places_are_told_by_the_power_s_name(folder: Folder) -> None:
    """Wrong units, homes and centres are each an error, named by their power; others of it are kept."""
    home = folder(('units = ["F LON"]', 'units = ["F LON", "F LUN", "W KEN"]\nhomes = ["LON", "KENT"]'))
    assert told(home) == [
        "error: variant.toml, powers England homes: no province 'KENT' (did you mean KEN?) [bad-file]",
        "error: variant.toml, powers England units: no place 'LUN' (did you mean LON?) [bad-file]",
        "error: variant.toml, powers England units: no kind of unit W (known: A, F) [bad-file]",
    ]


def test_what_a_mechanic_finds_when_the_game_is_set_up(folder: Folder) -> None:
    """A fault that only the start of a mechanic meets is told under its name, and so are those behind it."""
    standing = '\n[[mechanics]]\nname = "standing-armies"\nunits = ["A CUL"]\n'
    weak = '\n[[mechanics]]\nname = "weak-borders"\nedges = [["PAR", "LON"]]\n\n[[powers]]'
    home = folder(("\n[[powers]]", standing + weak))
    assert told(home) == [
        "error: variant.toml, mechanics standing-armies: no unit can stand as 'A CUL' (did you mean A CAL?) [bad-file]",
        "error: mechanics weak-borders: PAR and LON are not neighbours (neighbours are CAL, NMY) [no-border]",
    ]


def test_a_board_that_cannot_be_read(folder: Folder) -> None:
    """A fault in the board is told with its place; the rest cannot be looked at."""
    (finding,) = lint_folder(folder(board='{"format": 1}'))
    assert finding.code == "bad-board"
    assert finding.where.endswith("board.json, $.name")


def test_toml_that_is_none(folder: Folder) -> None:
    """A slip in the syntax is told with its line."""
    (finding,) = lint_folder(folder(("name =", "name")))
    assert finding.code == "bad-file"
    assert "not TOML" in finding.text
    assert "line" in finding.text


def test_no_folder(tmp_path: Path) -> None:
    """Without a variant.toml there is nothing to lint."""
    with pytest.raises(NotFound):
        lint_folder(tmp_path)


def test_nothing_readable_ends(folder: Folder) -> None:
    """A file in which every part is of the wrong sort is told of, and the search ends."""
    home = folder()
    (home / "variant.toml").write_text(
        'format = 2\nid = 3\nname = []\nvictory = "x"\ncalendar = 1\npowers = {}\nmechanics = 1\noptions = [1]\n'
    )
    found = told(home)
    assert {text.split(":")[1].split(", ")[1] for text in found} >= {
        "format", "id", "name", "victory", "calendar", "powers", "mechanics",
    }  # fmt: skip


def test_the_folder_is_called_as_the_variant(folder: Folder) -> None:
    """Games look for their variant by its id: a folder of another name is an error."""
    (finding,) = lint_folder(folder(('id = "', 'id = "other_')))
    assert finding.code == "id-and-folder"
    assert finding.hint == "give both the same name"


@pytest.mark.parametrize("name", variant_names())
def test_packaged_variants_are_sound(name: str) -> None:
    """No variant of the package has an error."""
    assert [finding for finding in lint_variant(find_variant(name)) if finding.level == "error"] == []
