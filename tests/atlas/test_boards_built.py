"""The boards of the package are what their folders make, byte by byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamesmaster.atlas import build, read_folder
from gamesmaster.board import board_text, lint
from gamesmaster.pictures import lint_shapes, shapes_text
from gamesmaster.pictures.shapes.files import BOARD, SHAPES, board_folder, board_names
from tests.lengths import mark_long

FOLDERS = Path(__file__).parents[2] / "boards"
NAMES = sorted(path.parent.name for path in FOLDERS.glob("*/board.toml"))


def test_every_board_has_its_folder() -> None:
    """No board of the package with shapes was made by hand, and no folder was left unbuilt."""
    assert set(NAMES) == set(board_names())


@pytest.mark.parametrize("name", mark_long(NAMES, but=("standard",)))
def test_a_board_built_again_is_the_committed_one(name: str) -> None:
    """Board and shapes come out equal to the last byte, the linters find no error, and everything has its place."""
    made = build(read_folder(FOLDERS / name))
    assert board_text(made.board) == (board_folder(name) / BOARD).read_text(encoding="utf-8")
    assert shapes_text(made.shapes) == (board_folder(name) / SHAPES).read_text(encoding="utf-8")
    found = [*lint(made.board), *lint_shapes(made.board, made.shapes)]
    assert [finding for finding in found if finding.level == "error"] == []
    assert [remark for remark in made.remarks if "no room" in remark or "lies only" in remark] == []
