"""The examples of docs/orders.md."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadOrder
from gamesmaster.orders import Notation, Order, PhaseKind
from gamesmaster.reading import Situation, read
from tests.reading.corpus import rules_of

PAGE = Path(__file__).parents[2] / "docs" / "orders.md"
ROW = re.compile(r"^\| `(?P<text>[^`]+)` \| (?P<answer>.+) \|$", re.MULTILINE)

GAMES = {"Armies aboard fleets": "conquest2", "Boats": "scottomacy"}
"""Sections of the page whose orders are those of one game."""


def answer_to(notation: Notation, text: str) -> str:
    """What the notation makes of an order: its print in backticks, or its complaint."""
    try:
        return f"`{notation.write(notation.read(text))}`"
    except BadOrder as error:
        return str(error)


def answer_of_reader(notation: Notation, text: str, like: Order) -> str:
    """What the reader makes of an order where the units stand that it is `like` an order of."""
    france, germany = ([(unit, at)] if at else [] for unit, at in ((like.kind, like.at), (like.of_kind, like.of)))
    units = {"France": france, "Germany": germany} if like.of_power else {"France": [*france, *germany]}
    plain = {power: [f"{kind} {at}" for kind, at in listed] for power, listed in units.items()}
    at = Situation(rules_of("standard"), PhaseKind.MOVEMENT, Position(units_from(plain)))
    sheet = read(at, "France", text, only_orders=True)
    return f"`{notation.write(sheet.orders[0])}`" if sheet.orders else str(sheet.refused[0])


UNITS = {"F North - Edi": "F Nth H", "F Nap - Sic": "F Nap H", "A Par - Bru": "A Par H"}
"""Rows with an order that is not read, and the unit that it is for."""


def test_examples_in_tables(standard: Notation, games: dict[str, Notation]) -> None:
    """Each row of the page's tables reads as the page says, or is refused in the words it gives."""
    sections = re.split(r"^##+ ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert sum(len(ROW.findall(section)) for section in sections) > 80
    for section in sections:
        notation = games.get(GAMES.get(section.split("\n")[0], ""), standard)
        for text, answer in ROW.findall(section):
            told = answer.startswith("`") or answer.startswith("line ")
            wanted = answer if told else f"`{text}`"
            if answer_to(notation, text) != wanted:
                like = UNITS.get(text) or wanted.strip("`") if told else text
                assert answer_of_reader(notation, text, standard.read(like)) == wanted


def test_examples_in_python() -> None:
    """The page's Python sessions run as printed."""
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 8
