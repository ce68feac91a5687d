"""The page of the boards and its pictures are those of the committed files."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.atlas.graph import BOARDS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "boards.md"


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    """The script that makes them."""
    return runpy.run_path(str(ROOT / "docs" / "boards.py"))


def test_the_page_is_current(script: dict[str, Any]) -> None:
    """docs/boards.md is what docs/boards.py makes of the boards and their notes as they stand."""
    assert script["page"]() == PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("board", BOARDS)
def test_the_map_is_current(script: dict[str, Any], board: str) -> None:
    """docs/maps/<board>.svg is drawn from the committed shapes, is well-formed, and is within 400 kB."""
    path = ROOT / "docs" / "maps" / f"{board}.svg"
    drawn = path.read_text(encoding="utf-8")
    assert script["map_of"](board) == drawn
    assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
    assert path.stat().st_size < 400_000


@pytest.mark.parametrize("board", BOARDS)
def test_the_notes_say_what_they_must(script: dict[str, Any], board: str) -> None:
    """Each board's notes say what it is, how it was made, where it departs, what is open, and from what sources."""
    notes = script["_notes"](board)
    rebuilt = board not in ("standard", "ancmed", "hundredyears", "modern", "1900", "asia1870", "eurasia1901")
    made = "How it was rebuilt" if rebuilt else "How it was made"
    assert list(notes) == ["What it is", made, "Departures", "Open questions", "Sources"]
    questions = notes["Open questions"].split("\n- ")
    assert all(len(text) > 20 for text in [*notes.values(), *questions])
    assert len(questions) >= (8 if rebuilt else 1)
