"""Positions as values, and what can be wrong with one."""

from __future__ import annotations

import pytest

from gamesmaster.board import Board, Location, Position, Province, Terrain, Unit, units_from
from gamesmaster.variant import find_variant

BOARD = find_variant("standard").board


def test_looking() -> None:
    """A position tells a power's units and centres, and what stands in a province."""
    position = Position(
        units_from({"France": ["A PAR", "F BRE"], "Italy": ["A ROM"]}), {"PAR": "France", "MAR": "France"}
    )
    assert list(map(str, position.of("France"))) == ["A PAR", "F BRE"]
    assert position.centres("France") == ("MAR", "PAR")
    assert str(position.at("ROM")) == "A ROM"
    assert position.at("NAP") is None
    assert [unit.number for unit in position] == [1, 2, 3]


def test_nothing_changes() -> None:
    """The owners and the mechanics' states of a position cannot be written to."""
    position = Position(owners={"PAR": "France"})
    with pytest.raises(TypeError):
        position.owners["PAR"] = "Italy"  # type: ignore[index]


@pytest.mark.parametrize(
    ("units", "problem"),
    [
        (["X PAR"], "X PAR: no such kind of unit"),
        (["A XXX"], "A XXX: no such place"),
        (["A NTH"], "A NTH: a unit of this kind cannot lie there"),
        (["F MUN"], "F MUN: a unit of this kind cannot lie there"),
        (["F SPA"], "F SPA: a unit of this kind cannot lie there"),
        (["A SPA/NC"], "A SPA/NC: a unit of this kind cannot lie there"),
        (["A PAR", "A PAR"], "A PAR: A PAR is in the same province"),
        (["A SPA", "F SPA/NC"], "F SPA/NC: A SPA is in the same province"),
    ],
)
def test_problems(units: list[str], problem: str) -> None:
    """Everything wrong with a position is named."""
    assert Position(units_from({"France": units})).problems(BOARD) == [problem]


def test_numbers_and_owners() -> None:
    """Two units of one number, and owners of places that are not there, are wrong."""
    twins = (Unit(1, "A", "France", Location("PAR")), Unit(1, "A", "France", Location("BUR")))
    found = Position(twins, {"XXX": "France"}).problems(BOARD)
    assert found == ["two units have the same number", "XXX: no such province"]


def test_units_may_lie_together_in_a_box() -> None:
    """In a box of the ocean several units lie in one province."""
    board = Board("box", (Province("ATL", "Atlantic", "Atl", Terrain.BOX),), ())
    assert Position(units_from({"Spain": ["F ATL", "A ATL"], "France": ["F ATL"]})).problems(board) == []
