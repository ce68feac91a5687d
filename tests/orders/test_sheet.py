"""Whole order sheets."""

from __future__ import annotations

import pytest

from gamesmaster.errors import NotFound, Unreadable
from gamesmaster.orders import Notation, PhaseKind, Sheet, Verb

WHOLE = """\
England:
F Lon - Nth   # as agreed
F Edi - Nwg; A Lvp - Yor ;

ORDERS FOR FRANCE   // by mail
  a par-bur
French orders: F Bre - Mao
GERMANY
Italy: A Rom - Ven; A Ven H
Ger
A Mun - Ruh
"""


def written(notation: Notation, sheet: Sheet) -> dict[str, list[str]]:
    """What a sheet without faults orders, as printed."""
    assert not sheet.errors
    return {
        power: [notation.write(line.order) for line in lines if line.order] for power, lines in sheet.orders.items()
    }


def test_sections_of_all_forms(standard: Notation) -> None:
    """Powers head their sections in any form; blank lines, remarks and semicolons part orders; sections add up."""
    assert written(standard, standard.sheet(WHOLE)) == {
        "England": ["F Lon - Nth", "F Edi - Nwg", "A Lvp - Yor"],
        "France": ["A Par - Bur", "F Bre - Mao"],
        "Germany": ["A Mun - Ruh"],
        "Italy": ["A Rom - Ven", "A Ven H"],
    }


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_know_their_text_and_number(standard: Notation, ending: str) -> None:
    """Each order knows the number of its line and its own words, whatever ends the lines."""
    sheet = standard.sheet(WHOLE.replace("\n", ending))
    assert [(line.number, line.text) for line in sheet.orders["England"]] == [
        (2, "F Lon - Nth"),
        (3, "F Edi - Nwg"),
        (3, "A Lvp - Yor"),
    ]


def test_orders_before_any_section_are_their_authors(standard: Notation) -> None:
    """Lines above the first section belong to the power whose sheet it is."""
    sheet = standard.sheet("A Par - Bur\nItaly\nA Ven H", power="France")
    assert written(standard, sheet) == {"France": ["A Par - Bur"], "Italy": ["A Ven H"]}
    assert written(standard, standard.sheet("", power="France")) == {"France": []}


def test_headings_and_parts_with_nothing_in_them(standard: Notation) -> None:
    """A heading that names nobody changes nothing, and nothing between two semicolons is nothing."""
    sheet = standard.sheet("Orders: A Par H;; A Mar H;\nOrders\nA Pic H", power="France")
    assert written(standard, sheet) == {"France": ["A Par H", "A Mar H", "A Pic H"]}


def test_orders_under_no_power_are_strays(standard: Notation) -> None:
    """Without an author such lines are faults, unless the order itself says whose unit it is."""
    sheet = standard.sheet("A Par - Bur\nGermany A Mun H")
    assert [line.text for line in sheet.strays] == ["A Par - Bur"]
    assert str(sheet.errors[0]) == (
        'line 1, column 1: an order under no power (write the power above it, as in "England:")'
    )
    assert [line.number for line in sheet.orders["Germany"]] == [2]


@pytest.mark.parametrize("heading", ["Frence:", "Frence", "Orders for Frence", "Frence orders"])
def test_unknown_powers(standard: Notation, heading: str) -> None:
    """A power that does not exist is a fault with the nearest one named, and takes its orders from nobody else."""
    sheet = standard.sheet(f"England:\nF Lon H\n{heading}\nA Par H")
    assert len(sheet.orders["England"]) == 1
    assert [line.number for line in sheet.strays] == [3, 4]
    assert sheet.errors[0].what == "no power 'Frence'"
    assert sheet.errors[0].hint == "did you mean France?"
    assert sheet.errors[0].column == heading.index("Frence") + 1


def test_a_letter_in_a_players_own_sheet(standard: Notation) -> None:
    """Words around the orders of a sheet with an author are faults, and the orders below stay the author's."""
    sheet = standard.sheet("Dear GM,\nF Lon - Nth\nYours, Eve", power="England")
    assert [line.order is not None for line in sheet.orders["England"]] == [False, True, False]
    assert not sheet.strays


def test_bad_lines_do_no_harm_to_others(standard: Notation) -> None:
    """A bad order is reported with line and column in the sheet; the others on its line and below are read."""
    sheet = standard.sheet("France:\nA Par - Bur;  A Mar - Gass Q; F Bre - Mao\nA Pic H", PhaseKind.MOVEMENT)
    lines = sheet.orders["France"]
    assert [line.order is not None for line in lines] == [True, False, True, True]
    assert [(error.line, error.column, error.what) for error in sheet.errors] == [(2, 23, "no province 'Gass Q'")]
    assert lines[1].text == "A Mar - Gass Q"
    assert all((line.order is None) != (line.error is None) for line in lines)


def test_errors_come_from_the_top(standard: Notation) -> None:
    """The faults of all sections and of none are listed in the order of the sheet."""
    sheet = standard.sheet("A Par H\nItaly: A Xyz H\nFrance\nA Qqq H\nItaly\nA Zzz H; A Www H")
    assert [(error.line, error.column) for error in sheet.errors] == [(1, 1), (2, 10), (4, 3), (6, 3), (6, 12)]


def test_the_phase_holds_for_the_whole_sheet(standard: Notation) -> None:
    """In a retreat phase the steps of a sheet are retreats."""
    (line,) = standard.sheet("A Par - Gas", PhaseKind.RETREATS, "France").orders["France"]
    assert line.order
    assert line.order.verb is Verb.RETREAT


def test_headings_of_powers_called_like_units(odd: Notation) -> None:
    """A power called A heads its section by that letter; `A 12` alone is an order cut off, not a power."""
    sheet = odd.sheet("A\nW 12 H\nS:\nW 13 H\nBarbary States: A 58 H\nA 12")
    assert {power: len(lines) for power, lines in sheet.orders.items()} == {"A": 1, "S": 1, "Barbary States": 2}
    assert [str(error) for error in sheet.errors] == [
        "line 6, column 5: expected what the unit does, but the order ends here"
    ]


def test_an_unknown_author_is_refused(standard: Notation) -> None:
    """A sheet for a power nobody knows is the caller's mistake, with the nearest power named."""
    with pytest.raises(NotFound, match=r"no power 'Englund' \(did you mean England\?\)"):
        standard.sheet("F Lon H", power="Englund")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("x" * 65_537, "65536 bytes"),
        ("é" * 40_000, "65536 bytes"),
        ("\ud800" * 30_000, "65536 bytes"),
        ("\n" * 2_000, "2001 lines"),
        ("\n" * 60_000, "60001 lines"),
        ("x;" * 2_001, "2000 orders"),
    ],
)
def test_large_sheets_are_refused(standard: Notation, text: str, what: str) -> None:
    """A sheet of more than 64 KiB, 2,000 lines or 2,000 orders is refused as a whole."""
    with pytest.raises(Unreadable, match=what):
        standard.sheet(text, power="France")


def test_a_long_line_is_a_bad_line(standard: Notation) -> None:
    """An order of more than 400 characters within a sheet is a fault of its own; a line of many orders is none."""
    many = ";".join(["A Par - Bur"] * 60)
    sheet = standard.sheet(f"{many}\nA Par - Bur {'via Nth ' * 60}\n# {'remark ' * 80}", power="France")
    assert [error.line for error in sheet.errors] == [2]
    assert sheet.errors[0].what == "an order of 491 characters; the most is 400"


def test_a_sheet_of_nothing_but_faults_has_few_hints(standard: Notation) -> None:
    """Only the first faults of a sheet get hints, so that nonsense takes little time."""
    sheet = standard.sheet("A Burgandie H\n" * 1_900, power="France")
    hints = [bool(error.hint) for error in sheet.errors]
    assert hints == [True] * 20 + [False] * 1_880
