"""The examples of docs/orders.md and of the room's docstrings."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from gamesmaster.errors import BadOrder
from gamesmaster.orders import Notation, words

PAGE = Path(__file__).parents[2] / "docs" / "orders.md"
ROW = re.compile(r"^\| `(?P<text>[^`]+)` \| (?P<answer>.+) \|$", re.MULTILINE)

GAMES = {"Armies aboard fleets": "conquest2", "Boats": "scottomacy"}
"""Sections of the page whose orders are those of one game."""


def answer_to(notation: Notation, text: str) -> str:
    """What the program makes of an order: its print in backticks, or its complaint."""
    try:
        return f"`{notation.write(notation.read(text))}`"
    except BadOrder as error:
        return str(error)


def test_examples_in_tables(standard: Notation, games: dict[str, Notation]) -> None:
    """Each row of the page's tables reads as the page says, or is refused in the words it gives."""
    sections = re.split(r"^##+ ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert sum(len(ROW.findall(section)) for section in sections) > 80
    for section in sections:
        notation = games.get(GAMES.get(section.split("\n")[0], ""), standard)
        for text, answer in ROW.findall(section):
            told = answer.startswith("`") or answer.startswith("line ")
            assert answer_to(notation, text) == (answer if told else f"`{text}`")


def test_examples_in_python() -> None:
    """The page's Python sessions and the modules' docstrings run as printed."""
    results = [doctest.testfile(str(PAGE), module_relative=False), doctest.testmod(words)]
    assert all(result.failed == 0 for result in results)
    assert results[0].attempted > 8
    assert results[1].attempted > 0
