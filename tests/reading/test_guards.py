"""What is not guessed: units that a letter lists or spares, conditional blocks, and headings behind a postscript."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamesmaster.orders import PhaseKind
from gamesmaster.reading import OrderSheet, Situation, read
from tests.reading.corpus import position_of, rules_of

UNITS = {"France": ["A PAR", "A MAR", "F BRE"], "Germany": ["A MUN"]}


def sheet(phase: PhaseKind, text: str) -> OrderSheet:
    """What France says in a phase, with one unit too many in Winter."""
    owners = {"PAR": "France", "MAR": "France", "MUN": "Germany"}
    position = position_of({"variant": "standard", "phase": phase.value, "units": UNITS})
    return read(Situation(rules_of("standard"), phase, replace(position, owners=owners)), "France", text)


def orders(found: OrderSheet) -> list[str]:
    """The orders of a sheet in the notation."""
    return [str(order) for order in found.orders]


@pytest.mark.parametrize(
    "text",
    [
        "My units:\n- A Par\n- A Mar",
        "– A Par\n– A Mar",
        "Do not remove:\nA Par",
        "Removals: none\n\nA Par\nA Mar",
        "Remove one of:\nA Par\nA Mar",
        "I refuse to remove A Par",
        "Remove anything but A Par",
        "Nobody removes A Par",
        "I thought about removing A Par",
        "Nicht abbauen:\nA Par",
        "Ne pas supprimer :\nA Par",
        "Non rimuovere:\nA Par",
    ],
)
def test_a_unit_that_is_listed_or_spared_is_not_removed(text: str) -> None:
    """A dash before a unit, or a word that takes a removal back, is asked about (STD-8.c)."""
    found = sheet(PhaseKind.ADJUSTMENTS, text)
    assert orders(found) == []
    assert found.refused


@pytest.mark.parametrize("text", ["-A Par", "Removals:\n- A Par", "Remove A Par, not A Mar", "Je supprime A Par"])
def test_a_unit_that_is_said_to_go_is_removed(text: str) -> None:
    """A sign against the unit, a heading or a verb says it plainly."""
    assert orders(sheet(PhaseKind.ADJUSTMENTS, text)) == ["Remove A PAR"]


def test_no_removal_is_sent_ahead_that_is_denied() -> None:
    """The same holds for what is kept for Winter."""
    found = sheet(PhaseKind.MOVEMENT, "A Par - Bur\nDo not disband A Par")
    assert orders(found) == ["A PAR - BUR"]
    assert found.later == ()


@pytest.mark.parametrize("condition", ["if A Mun - Bur", "if A Mun attacks Bur"])
def test_a_condition_with_an_order_in_it_reaches_to_its_end(condition: str) -> None:
    """No part of a conditional block is an order."""
    text = f"{condition}\nA Par - Bur\nelse\nA Par H\nendif\nA Mar - Spa"
    assert orders(sheet(PhaseKind.MOVEMENT, text)) == ["A MAR - SPA"]


@pytest.mark.parametrize("heading", ["Retreats", "Plan B", "Old orders", "Next turn"])
def test_a_heading_behind_a_postscript_says_what_it_says(heading: str) -> None:
    """A postscript corrects orders only if nothing else is said of the lines below."""
    assert orders(sheet(PhaseKind.MOVEMENT, f"A Par - Pic\nP.S. {heading}:\nA Par - Bur")) == ["A PAR - PIC"]
    assert orders(sheet(PhaseKind.MOVEMENT, "A Par - Pic\nP.S. A Par - Bur")) == ["A PAR - BUR"]


def test_what_is_none_has_no_lines_below() -> None:
    """A heading that says "none" at once stops nothing."""
    found = sheet(PhaseKind.MOVEMENT, "Retreats: none\nA Par - Bur\nA Mar - Spa")
    assert orders(found) == ["A PAR - BUR", "A MAR - SPA"]


@pytest.mark.parametrize("text", ["A Par\nA Bur\nA Mar", "1. A Par\n2. A Gas", "Paris\nGascony"])
def test_units_in_a_list_do_not_move_to_each_other(text: str) -> None:
    """Two lines are one order only if a dash or a verb stands in them."""
    assert orders(sheet(PhaseKind.MOVEMENT, text)) == []
