"""Whole sheets: whose the orders are, where they stand, and what of a sheet is none."""

from __future__ import annotations

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.errors import NotFound, Unreadable
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.reading import OrderSheet, Situation, adjudicate, read
from tests.reading.corpus import rules_of

RULES = rules_of("standard")
UNITS = {
    "England": ["F LON", "F EDI", "A LVP"],
    "France": ["A PAR", "A MAR", "F BRE"],
    "Germany": ["A MUN", "A BER"],
    "Italy": ["A ROM", "A VEN"],
}
SITUATION = Situation(RULES, PhaseKind.MOVEMENT, Position(units_from(UNITS)))
WHOLE = """\
England:
F Lon - Nth   # as agreed
F Edi - Nwg; A Lvp - Yor ;

ORDERS FOR FRANCE   // by mail
  a par-bur
French orders: F Bre - Mao
GERMANY
Italy: A Rom - Apu; A Ven H
Ger
A Mun - Ruh
"""


def written(sheet: OrderSheet) -> dict[str, list[str]]:
    """What a sheet orders, as printed."""
    write = RULES.notation.write
    return {power: [write(line.order) for line in sheet.lines(power) if line.order] for power in sheet.powers}


def test_sections_of_all_forms() -> None:
    """Powers head their sections in any form; blank lines, remarks and semicolons part orders; sections add up."""
    sheet = read(SITUATION, "", WHOLE)
    assert not sheet.refused
    assert written(sheet) == {
        "England": ["F Lon - Nth", "F Edi - Nwg", "A Lvp - Yor"],
        "France": ["A Par - Bur", "F Bre - Mao"],
        "Germany": ["A Mun - Ruh"],
        "Italy": ["A Rom - Apu", "A Ven H"],
    }


def test_titles_in_square_brackets_head_their_lines() -> None:
    """Where several lines have one, a title in brackets is a heading with what stands behind it."""
    text = "[units] A Par, A Mar, F Bre\n[moves] A Par - Bur; F Bre H\n[retreats] A Mar - Gas\n[gossip] A Rom - Tus"
    sheet = read(SITUATION, "France", text)
    assert written(sheet) == {"France": ["A Par - Bur", "F Bre H"]}
    assert [str(line.order) for part in sheet.later for line in part.lines] == ["A MAR - GAS"]
    assert written(read(SITUATION, "", "[France] A Par - Bur\n[Germany] A Mun H")) == {
        "France": ["A Par - Bur"], "Germany": ["A Mun H"],
    }  # fmt: skip


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_know_their_text_and_number(ending: str) -> None:
    """Each order knows the number of its line and its own words, whatever ends the lines."""
    sheet = read(SITUATION, "", WHOLE.replace("\n", ending))
    assert [(line.line, line.text) for line in sheet.lines("England")] == [
        (2, "F Lon - Nth"),
        (3, "F Edi - Nwg"),
        (3, "A Lvp - Yor"),
    ]


def test_orders_before_any_section_are_their_authors() -> None:
    """Lines above the first section belong to the power whose sheet it is; others' orders are refused as theirs."""
    sheet = read(SITUATION, "France", "A Par - Bur\nItaly\nA Ven H")
    assert [str(order) for order in sheet.orders] == ["A PAR - BUR"]
    assert [(line.of, line.what) for line in sheet.refused] == [("Italy", "orders for Italy in a set of France")]
    with pytest.raises(Unreadable, match="orders for Italy in a set of France"):
        sheet.check_author()
    both = read(SITUATION, "France", "A Par - Bur\nItaly\nA Ven H", powers=["France", "Italy"])
    assert written(both) == {"France": ["A Par - Bur"], "Italy": ["A Ven H"]}
    assert both.of("Italy").stored() == ("A Ven H",)


def test_headings_and_parts_with_nothing_in_them() -> None:
    """A heading that names nobody changes nothing, and nothing between two semicolons is nothing."""
    sheet = read(SITUATION, "France", "Orders: A Par H;; A Mar H;\nOrders:\nF Bre H")
    assert written(sheet) == {"France": ["A Par H", "A Mar H", "F Bre H"]}


def test_orders_under_no_power_are_refused() -> None:
    """Without an author such lines are faults, unless the order itself says whose unit it is."""
    sheet = read(SITUATION, "", "A Par - Bur\nGermany A Mun H")
    assert [str(line) for line in sheet.refused] == [
        'line 1, column 1: an order under no power (write the power above it, as in "England:")'
    ]
    assert written(sheet) == {"Germany": ["A Mun H"]}
    assert [line.line for line in sheet.lines("Germany")] == [2]


def test_bad_lines_do_no_harm_to_others() -> None:
    """A bad order is reported with line and column in the sheet; the others on its line and below are read."""
    sheet = read(SITUATION, "", "France:\nA Par - Bur;  A Mar - Gasxx Q; F Bre - Mao\nA Par H")
    assert [line.order is not None for line in sheet.lines("France")] == [True, False, True, True]
    (fault,) = sheet.refused
    assert (fault.line, fault.text) == (2, "A Mar - Gasxx Q")
    assert fault.column >= 15
    assert all((line.order is None) == bool(line.what) for line in sheet.lines("France"))


def test_the_phase_holds_for_the_whole_sheet() -> None:
    """In a retreat phase the steps of a sheet are retreats."""
    position = Position(units_from({"Germany": ["A BUR"]}))
    at = Situation(RULES, PhaseKind.RETREATS, position)
    (order,) = read(at, "France", "A Par - Gas").orders
    assert order.verb is Verb.RETREAT


def test_an_unknown_author_is_refused() -> None:
    """A sheet for a power nobody knows is the caller's mistake, with the nearest power named; case does not matter."""
    with pytest.raises(NotFound, match=r"no power 'Englund' \(did you mean England\?\)"):
        read(SITUATION, "Englund", "F Lon H")
    assert read(SITUATION, "england", "F Lon H").power == "England"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("x" * 65_537, "65536 bytes"),
        ("é" * 40_000, "65536 bytes"),
        ("A Par - \ud800", "no text: half a surrogate pair"),
        ("\n" * 2_000, "2001 lines"),
        ("\n" * 60_000, "60001 lines"),
    ],
)
def test_large_sheets_are_refused(text: str, what: str) -> None:
    """A sheet of more than 64 KiB or 2,000 lines is refused as a whole."""
    with pytest.raises(Unreadable, match=what):
        read(SITUATION, "France", text)


def test_a_list_may_hold_texts_and_orders() -> None:
    """Programs give an `Order`, or a text in any dialect, for each order; both stand in the sheet."""
    order = RULES.notation.read("F Bre - Mao")
    sheet = read(SITUATION, "France", [order, "armée Paris vers Bourgogne"])
    assert sheet.stored() == ("F Bre - Mao", "A Par - Bur")
    assert sheet.orders[0] == order


def test_programs_get_a_ruling_for_what_cannot_be_read() -> None:
    """`adjudicate` reads orders in any dialect; a text that makes none is void, with the reason of the reader."""
    orders = {"france": "Armée Paris vers Bourgogne\nA Mar - Nowhere", "Italy": ["A Ven H"]}
    done = adjudicate(RULES, PhaseKind.MOVEMENT, SITUATION.position, orders)
    rulings = {ruling.given: ruling for ruling in done.rulings if ruling.given}
    assert rulings["A Par - Bur"].result == "succeeds"
    assert rulings["A Mar - Nowhere"].result == "void"
    assert "Nowhere" in rulings["A Mar - Nowhere"].detail
    sheet = read(SITUATION, "Italy", "A Ven H")
    assert len([r for r in adjudicate(RULES, "movement", SITUATION.position, {"Italy": sheet}).rulings if r.given]) == 1


def test_a_form_for_orders_refuses_small_talk() -> None:
    """In a letter small talk is passed over; in a form for orders each line that makes none is refused."""
    text = "A Par - Bur\nthat is all for now"
    assert not read(SITUATION, "France", text).refused
    (line,) = read(SITUATION, "France", text, only_orders=True).refused
    assert line.text == "that is all for now"


def test_a_text_of_many_characters_is_no_order() -> None:
    """The notation reads no text of more characters than an order has."""
    with pytest.raises(Unreadable, match="there is no order here"):
        RULES.notation.read("   ")
    assert str(RULES.notation.read("Build A Par")) == "Build A PAR"
    assert str(Order(Verb.WAIVE)) == "Waive"


@pytest.mark.parametrize("text", ["A PAR S A MAR - BUR", "A PAR H", "F BRE C A LON - PIC", "A MAR - PIE VIA", "Waive"])
def test_an_order_prints_as_its_notation(text: str) -> None:
    """What `str` makes of an order the notation reads as the same order."""
    order: Order = RULES.notation.read(text)
    assert RULES.notation.read(str(order)) == order


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_what_is_stored_has_no_ends_of_lines(ending: str) -> None:
    """A form sends its lines with other ends than a file: a game keeps the orders alone."""
    assert read(SITUATION, "France", f"A Par - Bur {ending}F Bre - Mao{ending}").stored() == (
        "A Par - Bur",
        "F Bre - Mao",
    )


def test_what_was_refused_is_not_read_later() -> None:
    """A game keeps a refused line marked, so that nobody takes it for an order of the notation."""
    (line,) = read(SITUATION, "France", "A Par - Petersb").lines()
    assert line.order is None
    assert line.stored in ("A Par - Petersb", "? A Par - Petersb")
    with pytest.raises(Unreadable):
        RULES.notation.read(line.stored, PhaseKind.MOVEMENT)


@pytest.mark.parametrize(
    "text",
    [
        "ENG: F Lon - Nth\nGER: nothing so far\nITA: A Rom - Apu\nFRA: asked for two more days",
        "England (by phone, read back to him)\nF Lon - Nth\n\nItaly (e-mail)\nA Rom - Apu",
        "# England\nF Lon - Nth\n\n# Italien\nA Rom - Apu\n\n# Deutschland, Frankreich\nkeine Befehle eingegangen",
        "Mary (England): F Lon - Nth\nGio (Italy): A Rom - Apu\nLuc (France): tomorrow, he says",
    ],
)
def test_who_sent_nothing_does_not_stop_the_others(text: str) -> None:
    """Nor do words about a player beside the name of a power."""
    found = {power: listed for power, listed in written(read(SITUATION, "", text)).items() if listed}
    assert found == {"England": ["F Lon - Nth"], "Italy": ["A Rom - Apu"]}
