"""Units and places are read in the spellings of people and programs, and refused with the nearest right thing."""

from __future__ import annotations

import re

import pytest

from gamesmaster.errors import BadFile
from gamesmaster.judge import read_place, read_unit
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant

RULES = {
    name: Rules.of(find_variant(name)) for name in ("standard", "conquest2", "indianomacy", "scottomacy", "1000ad")
}


@pytest.mark.parametrize(
    ("variant", "text", "unit"),
    [
        ("standard", "A PAR", "A PAR"),
        ("standard", "A Paris", "A PAR"),
        ("standard", "Army Paris", "A PAR"),
        ("standard", "a par", "A PAR"),
        ("standard", "ARMY  PARIS", "A PAR"),
        ("standard", " A PAR ", "A PAR"),
        ("standard", "French A Par", "A PAR"),
        ("standard", "(A PAR)", "A PAR"),
        ("standard", "*F NTH", "F NTH"),
        ("standard", "* Fleet North Sea", "F NTH"),
        ("standard", "F STP/SC", "F STP/SC"),
        ("standard", "f stp/sc", "F STP/SC"),
        ("standard", "F Stp(sc)", "F STP/SC"),
        ("standard", "F STP-SC", "F STP/SC"),
        ("standard", "F stp sc", "F STP/SC"),
        ("standard", "Fleet St. Petersburg (South Coast)", "F STP/SC"),
        ("standard", "fleet st petersburg south coast", "F STP/SC"),
        ("standard", "F spa/n", "F SPA/NC"),
        ("conquest2", "a/f vis", "A/F VIS"),
        ("indianomacy", "War Party 14", "W 14"),
        ("indianomacy", "w/cf b", "W/CF b"),
        ("scottomacy", "F H", "F h"),
        ("scottomacy", "f h", "F h"),
        ("1000ad", "A LOM", "A Lom"),
    ],
)
def test_units_are_read(variant: str, text: str, unit: str) -> None:
    """Kinds in words, names in full, any case, coasts in any form, and the star of a dislodged unit."""
    assert str(read_unit(text, "France", 1, RULES[variant])) == unit


@pytest.mark.parametrize("variant", list(RULES))
def test_units_as_the_board_names_them(variant: str) -> None:
    """Every unit that may lie on a board is read from its own text."""
    rules, board = RULES[variant], RULES[variant].board
    for kind, at in sorted(board.standing):
        assert str(read_unit(f"{kind} {at}", "France", 1, rules)) == f"{kind} {at}"
        if not board.numbered:
            assert str(read_unit(f"{kind} {at}".lower(), "France", 1, rules)) == f"{kind} {at}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("PAR", "'PAR' does not say what kind of unit it is (did you mean A PAR?)"),
        ("Albania", "'Albania' does not say what kind of unit it is (did you mean A ALB or F ALB?)"),
        ("stp", "(did you mean A STP or F STP/NC or F STP/SC?)"),
        ("Q BRE", "'Q BRE': no kind of unit 'Q' (did you mean A BRE or F BRE?)"),
        ("A Brgdny", "'A Brgdny': no province 'Brgdny' (did you mean Burgundy (Bur)?)"),
        ("A", "'A' is not a unit (write its place behind its kind)"),
        ("A PAR - BUR", "'A PAR - BUR' is not a unit (write its kind and its place, as in an order)"),
        ("A PAR S A MAR", "is not a unit"),
        ("German A Mun", "'German A Mun' is a unit of Germany, not of France"),
        ("F BUL/NC", "'F BUL/NC' has no such coast (BUL/EC or BUL/SC)"),
        ("", "''"),
        ("1 2", "no province"),
    ],
)
def test_what_is_no_unit(text: str, told: str) -> None:
    """The refusal repeats what was written and names what may be meant, and no other place for an example."""
    with pytest.raises(BadFile, match=re.escape(told)) as caught:
        read_unit(text, "France", 1, RULES["standard"])
    assert "ALB" not in str(caught.value) or text == "Albania"


def test_places_are_read() -> None:
    """A place alone, by its id in any case, its name or a shortened one, with its coast."""
    rules = RULES["standard"]
    for text, place in (
        ("PAR", "PAR"),
        ("par", "PAR"),
        ("Paris", "PAR"),
        ("stp/nc", "STP/NC"),
        ("Bulgaria (ec)", "BUL/EC"),
    ):
        assert str(read_place(text, rules)) == place
    with pytest.raises(BadFile, match=r"did you mean Burgundy \(Bur\)"):
        read_place("Brgdny", rules)
