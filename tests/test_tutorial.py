"""docs/tutorial-board.md: whoever does what it says, sees what it says."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from .page import follow

PAGE = (Path(__file__).parents[1] / "docs" / "tutorial-board.md").read_text(encoding="utf-8")


def test_the_tutorial_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of the tutorial, run in its order with the changes it asks for, prints what it says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert follow(PAGE) > 15
    for made in ("my_island.svg", "my_island.png", "my_island.pdf", "my_island.html", "first.png"):
        assert (tmp_path / made).stat().st_size > 10_000


def test_quoted_lines_are_those_of_the_template() -> None:
    """The line of the Neck that the tutorial quotes is in the template."""
    quoted = re.search(r"^NEC,.*$", PAGE, re.MULTILINE)
    template = files("gamesmaster.cli.variants") / "board_templates" / "island" / "provinces.csv"
    assert quoted
    assert quoted[0] in template.read_text(encoding="utf-8").splitlines()
