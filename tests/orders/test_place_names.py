"""Places and units have one spelling for people, which is the one of orders."""

from __future__ import annotations

from random import Random

import pytest

from gamesmaster.board import Location, Unit, place_name, place_words, unit_and_power, unit_code, unit_name
from gamesmaster.board.position import coast_words
from gamesmaster.game.state import rules_of
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.rules import Rulebook
from gamesmaster.variant import find_variant, variant_names
from tests.coasts import misspelt

BOARD = find_variant("standard").board
SPLIT = [name for name in variant_names() if any(p.coasts for p in find_variant(name).board.provinces)]


@pytest.mark.parametrize("variant", SPLIT)
def test_units_are_named_as_orders_name_them(variant: str) -> None:
    """What reports call a unit is how its order begins, on every coast of every board."""
    found = find_variant(variant)
    board, notation = found.board, rules_of(found, Rulebook()).notation
    fleets = [kind for kind in board.kinds if board.sails(kind)]
    for at in (at for at in board.locations if at.coast):
        for kind in fleets:
            unit, order = Unit(1, kind, "England", at), Order(Verb.HOLD, kind, at)
            assert notation.write(order) == f"{unit_code(board, unit)} H"
            assert notation.tell(order) == f"{unit_name(board, unit)} H"
            assert notation.read(notation.tell(order), PhaseKind.MOVEMENT) == order
            written = notation.write(order, full=True)
            told = (written, notation.tell(order), unit_and_power(board, unit), place_words(board, at))
            assert not misspelt(board, "\n".join(told))


def test_forms_of_a_name() -> None:
    """Short, with the power, and in words; names stand beside numbers."""
    here = Location("STP", "SC")
    assert (place_name(BOARD, here), place_name(BOARD, here, "Russia")) == ("Stp/SC", "Stp/SC (Russia)")
    assert place_words(BOARD, here) == "St. Petersburg, south coast"
    assert place_words(BOARD, here, str.upper) == "St. Petersburg, SOUTH COAST"
    numbered = find_variant("scottomacy").board
    assert place_name(numbered, Location("44", "W"), "Macleod") == "44 (Aros Castle, Macleod)/W"
    assert (coast_words("EC"), coast_words("GULF")) == ("east coast", "coast GULF")


def test_what_is_not_on_the_board_is_named_as_it_is() -> None:
    """Records of other boards can be told of."""
    assert place_name(BOARD, Location("XYZ", "NC"), "Russia") == "XYZ/NC (Russia)"


def test_other_spellings_are_seen() -> None:
    """The search for them finds what it should."""
    wrong = [
        "F Stp/sc",
        "F STP/SC",
        "Stp (SC)",
        "St. Petersburg/SC",
        "St. Petersburg (SC)",
        "Stp sc",
        "Spa, south coast",
    ]
    chance = Random(1)
    for one in wrong:
        text = f"{chance.choice(['F Stp/SC', 'F Spa/NC', 'F St. Petersburg (sc)'])} S {one} - Bot"
        assert len(misspelt(BOARD, text)) == 1, text
