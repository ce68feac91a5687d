"""The reader: what sheets come to, what is refused with which words, and what the judge is given in the end.

`tests/data/orders/sheets.jsonl` has a sheet to a line, with its position, the orders read and what is said of the rest.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.game import Game
from gamesmaster.orders import PhaseKind
from gamesmaster.reading import OrderSheet, Purpose, Situation, adjudicate, read, reader
from gamesmaster.reading.lines import LineReader
from gamesmaster.reading.single import MOST_HINTS
from gamesmaster.reading.situation import Effort
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant
from tests.reading import corpus
from tests.reading.corpus import rules_of

FILE = Path(__file__).parents[1] / "data" / "orders" / "sheets.jsonl"
SHEETS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
RULES = rules_of("standard")


FRENCH = Situation(
    RULES, PhaseKind.MOVEMENT, Position(units_from({"France": ["A BUR", "F MAO"], "England": ["F NTH"]}))
)


def french(text: str) -> OrderSheet:
    """What France writes in a Spring."""
    return read(FRENCH, "France", text)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet["about"])
def test_a_sheet_is_read_or_refused_with_reasons(sheet: dict[str, Any]) -> None:
    """Each sheet gives its orders, and the rest the place of the fault, the reason and the nearest order."""
    found = corpus.read(sheet)
    assert [RULES.notation.write(one) for one in found.orders] == sheet["orders"]
    refused = [f"line {no.line}, column {no.column}: {no.what} ({no.hint})" for no in found.refused]
    assert refused == sheet["refused"]


def test_what_the_program_falls_over_is_refused_and_the_rest_is_read(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A fault of the program costs one line, and stands in the log."""
    sound = LineReader.orders

    def falling(reader: LineReader, passage: Any) -> Any:
        if passage.line.number == 2:
            raise KeyError("Par")
        return sound(reader, passage)

    monkeypatch.setattr(LineReader, "orders", falling)
    found = french("Armee Bur H\nF Mao - Bre")
    assert [RULES.notation.write(order) for order in found.orders] == ["A Bur H"]
    (no,) = found.refused
    assert (no.line, no.hint) == (2, "write line 2 anew")
    assert no.what == "the program cannot read this, by a fault of its own"
    assert "defect" in [getattr(record, "event", "") for record in caplog.records]


STORED = {
    "A Bur - Par": ["A Bur - Par"],
    "A Burgundy -> Paris": ["A Burgundy -> Paris"],
    "A Bur - Par, F Mao H": ["A Bur - Par", "F Mao H"],
    "armée bourgogne tient\r\nF Mao - Kanal": ["A Bur H", "F Mao - Eng"],
    "all hold": ["A Bur H", "F Mao H"],
    "Orders for France\n\nF Mao - nowhere\n> A Bur - Mun": ["F Mao - nowhere"],
    "F Mao - nowhere; A Bur H": ["F Mao - nowhere", "A Bur H"],
    "F Mao - nowhere; Armee Bur halten": ["F Mao - nowhere", "A Bur H"],
    "F Mao - Nor": ["? F Mao - Nor"],
    "A Bur H; A Bur - Petersb": ["A Bur H", "A Bur - Petersb"],
    "England:\nF Nth H": [],
    "A Bur H\n--\nA Bur - Par": ["A Bur H"],
}
"""What France writes, and what a game keeps of it: what is doubtful the judge does not read either."""


@pytest.mark.parametrize("text", STORED)
def test_what_is_written_is_kept_in_plain_words(text: str) -> None:
    """What the notation reads by itself stays, what only the reader understands is put into its words."""
    assert list(french(text).stored("France")) == STORED[text]


def test_a_printed_order_to_where_no_such_unit_can_be_is_looked_at() -> None:
    """All doors take 'F Ion - Tyr' for the Tyrrhenian Sea, though it is what the notation prints for Tyrolia."""
    found = read(
        Situation(RULES, PhaseKind.MOVEMENT, Position(units_from({"Italy": ["F ION"]}))), "Italy", "F Ion - Tyr"
    )
    assert found.stored() == ("F Ion - Tys",)


def test_hints_are_given_until_they_help_nobody() -> None:
    """A sheet of nothing but faults gets no more hints than anybody would read."""
    found = french("\n".join(["A Bur - Pariss Q"] * (MOST_HINTS + 5)))
    assert len(found.refused) == MOST_HINTS + 5
    assert sum(bool(no.hint) for no in found.refused) == MOST_HINTS


def test_a_thousand_ways_by_sea_take_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that could be parted in many ways are parted in one."""
    effort = Effort()
    monkeypatch.setattr("gamesmaster.reading.lines.Effort", lambda: effort)
    assert len(french("\n".join(["A Bur - Bel via" + " gulf lyon" * 20] * 40)).orders) == 40
    assert effort.steps <= Effort.MOST_STEPS // 10


def test_a_sheet_of_several_powers_is_parted() -> None:
    """Each power gets what stands below its name or behind it; what is above is ours."""
    text = "A Par H\nENGLAND: F Lon - Nth; Germany: A Ber H\n-- not a heading\nTurkey\nA Con H\n> quoted"
    found = read(Situation(RULES, PhaseKind.MOVEMENT, Position(())), "France", text)
    parts: dict[str, list[str]] = {}
    for section in found.sections:
        if section.purpose is Purpose.NOW:
            parts.setdefault(section.power, []).extend(line.text for line in section.lines)
    assert parts == {
        "France": ["A Par H"], "England": ["F Lon - Nth"], "Germany": ["A Ber H"], "Turkey": ["A Con H"],
    }  # fmt: skip


def test_what_was_made_of_a_sheet_is_told() -> None:
    """Programs get a refusal's fields, people a line; how a text was read stands beside its line."""
    found = french("Armee Burgund nach Paris\nF Mao - Brestt Q")
    assert found.read_as == ["line 1: 'Armee Burgund nach Paris' is read as A Bur - Par"]
    (no,) = found.refused
    assert no.data == {"text": "F Mao - Brestt Q", "line": 2, "column": no.column, "what": no.what, "hint": no.hint}
    assert str(no) == f"line 2, column {no.column}: {no.what} ({no.hint})"


def test_a_text_that_costs_too_much_is_read_in_the_house_style_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking ends after so many steps, whatever was written; plain orders are read all the same."""
    monkeypatch.setattr("gamesmaster.reading.sketch.MOST_STEPS", 10)
    found = french("A Bur - Par\nA Burgundy moves by sea to Paris")
    assert [RULES.notation.write(one) for one in found.orders] == ["A Bur - Par"]
    assert [no.line for no in found.refused] == [2]


def test_plain_orders_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Orders in the words that the notation prints are taken as they are, and not even looked at a second time."""
    rules = Rules.of(find_variant("standard"))
    position = Position(units_from({"France": ["A PAR", "A MAR"], "Italy": ["F ION"]}))
    orders = {"France": ["A Par - Bur", "A Mar S A Par - Bur"], "Italy": ["F Ion - Aeg"]}
    first = adjudicate(rules, PhaseKind.MOVEMENT, position, orders)
    monkeypatch.setattr(reader, "_given", lambda *_: pytest.fail("they are read again"))
    assert adjudicate(rules, PhaseKind.MOVEMENT, position, orders) == first
    with pytest.raises(pytest.fail.Exception):
        adjudicate(rules, PhaseKind.MOVEMENT, position, orders | {"Italy": ["F Ion - Tyr"]})  # where no fleet can be


def test_a_line_that_is_too_long_is_not_looked_into() -> None:
    """It is refused whole, with that reason; the line below it is read."""
    sheet = french("A Bur S F Mao " * 100 + "\nA Bur - Par")
    assert [line.what for line in sheet.refused] == ["this is too long for an order"]
    assert [str(order) for order in sheet.orders] == ["A BUR - PAR"]


def test_a_line_kept_as_refused_stays_refused() -> None:
    """A game keeps a refused line behind a question mark, also if it could be read now."""
    sheet = french("? A Bur - Par\nF Mao - Bre")
    assert [str(order) for order in sheet.orders] == ["F MAO - BRE"]
    assert [line.text for line in sheet.refused] == ["A Bur - Par"]
    assert "question mark" in sheet.refused[0].what
    assert [str(order) for order in sheet.read_only.orders] == ["F MAO - BRE"]
    assert not sheet.read_only.refused


@pytest.mark.parametrize(
    ("builds", "read_"), [(["Build A Par", "Build F Bre"], ["Build A Par", "Build F Bre"]), (["Build A Par"], [])]
)
def test_a_strange_title_is_trusted_above_all_that_is_due(builds: list[str], read_: list[str]) -> None:
    """In Winter, below a heading that nobody knows, builds count if they are as many as are due."""
    own = {"units": {"France": ["A BUR"]}, "centers": {"France": ["PAR", "BRE", "MAR"]}}
    at = corpus.position_of({"variant": "standard", "phase": "adjustments", **own})
    text = "\n".join(["Marmalade and toast:", *builds])
    sheet = read(Situation(RULES, PhaseKind.ADJUSTMENTS, at), "France", text)
    assert [RULES.notation.write(order) for order in sheet.orders] == read_


def test_broken_and_deep_json() -> None:
    """What only looks like JSON is read as lines of text, and values nested too deep are left out."""
    assert [str(order) for order in french('{"orders":\nA Bur - Par').orders] == ["A BUR - PAR"]
    assert french("[" * 40 + '"A Bur - Par"' + "]" * 40).orders == ()
    assert [str(order) for order in french('{"orders": ["A Bur - Par"]}').orders] == ["A BUR - PAR"]


@pytest.mark.parametrize(("code", "orders"), [("S01", ["A PAR - BUR"]), ("F01", []), ("W02", [])])
def test_a_code_of_a_season_is_a_heading(code: str, orders: list[str]) -> None:
    """Orders under the code of another season are not for this one."""
    sheet = read(Game.start(find_variant("standard"), seed=bytes(32)), "France", f"{code}:\nA Par - Bur")
    assert [str(order) for order in sheet.orders] == orders
