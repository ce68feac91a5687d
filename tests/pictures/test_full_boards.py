"""The fullest positions on every board of the package: no name covers another, no unit a name, every unit at home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import count

import pytest

from gamesmaster.board import Board, Dislodged, Location, Position, Terrain, Unit, read_board
from gamesmaster.pictures import Look, Picture, Shapes, Sign, Snapshot, read_shapes
from gamesmaster.pictures.shapes.files import board_folder, board_names, home_powers
from tests.pictures.measured import inside, marks, names, overlaps, units

LAYOUTS = ("wide", "narrow")
CASES = [(name, layout) for name in board_names() for layout in LAYOUTS]


@cache
def board_of(name: str) -> tuple[Board, Shapes]:
    """A board of the package and its shapes."""
    folder = board_folder(name)
    return read_board(folder / "board.json"), read_shapes(folder / "shapes.json")


def fullest(board: Board, coast: int) -> Position:
    """A unit everywhere, on the coast of that number where there are several, another beside it; boxes full."""
    powers, numbers = home_powers(board) or ("Nobody",), count(1)
    standing: list[Unit] = []
    beaten: list[Dislodged] = []
    for place, province in enumerate(board.provinces):
        if province.terrain is Terrain.IMPASSABLE:
            continue
        kind = "A" if province.terrain in (Terrain.INLAND, Terrain.COAST) and not province.coasts else "F"
        at = Location(province.id, province.coasts[coast % len(province.coasts)] if province.coasts else "")
        power = powers[place % len(powers)]
        many = range(24 if province.terrain is Terrain.BOX else 1)
        standing.extend(Unit(next(numbers), kind, power, at) for _ in many)
        if province.terrain is not Terrain.BOX:
            beaten.append(Dislodged(Unit(next(numbers), kind, powers[(place + 1) % len(powers)], at)))
    return Position(tuple(standing), {}, tuple(beaten))


def drawn(name: str, layout: str, position: Position, marks: Mapping[str, Sequence[Sign]] | None = None) -> str:
    """The map of a position on a board of the package."""
    board, shapes = board_of(name)
    return Picture(board, shapes, home_powers(board) or ("Nobody",), Look(layout=layout)).svg(
        Snapshot(position, marks=marks or {})
    )


def test_all_boards_are_here() -> None:
    """Every board of the six games and the regular one is in the package with its shapes."""
    assert set(board_names()) >= {"1000ad", "cline9", "conquest2", "indianomacy", "scottomacy", "standard"}


@pytest.mark.parametrize(("name", "layout"), CASES)
def test_no_name_covers_another(name: str, layout: str) -> None:
    """Measured on the drawing, the boxes of all names are apart, and every province in play has its code."""
    board, _ = board_of(name)
    found = names(drawn(name, layout, Position()))
    assert list(overlaps(found, found)) == []
    told = {box.what for box in found}
    assert [p.id for p in board.provinces if not told & {p.abbr, f"{p.abbr} {p.id}"}] == []


@pytest.mark.parametrize("coast", [0, 1])
@pytest.mark.parametrize(("name", "layout"), CASES)
def test_no_unit_hides_a_name_and_none_lies_elsewhere(name: str, layout: str, coast: int) -> None:
    """With a unit and a dislodged one in every province, all names stay clear and every unit lies in its province."""
    _, shapes = board_of(name)
    position = fullest(board_of(name)[0], coast)
    svg = drawn(name, layout, position)
    at = {str(u.number): u.at.province for u in (*position.units, *(d.unit for d in position.dislodged))}
    found = units(svg)
    assert sorted(box.what for box in found) == sorted(at)
    assert list(overlaps(found, names(svg))) == []
    assert [at[b.what] for b in found if not inside((b.x, b.y), shapes.outline(at[b.what]))] == []


@pytest.mark.parametrize(("name", "layout"), CASES)
def test_no_two_units_hide_each_other(name: str, layout: str) -> None:
    """Of units standing in different provinces, and of those in a box, none covers another."""
    position = replace(fullest(board_of(name)[0], 0), dislodged=())
    found = units(drawn(name, layout, position))
    assert list(overlaps(found, found)) == []


@pytest.mark.parametrize(("name", "layout"), [case for case in CASES if case[0] in ("indianomacy", "scottomacy")])
def test_boats_ashore_hide_nothing(name: str, layout: str) -> None:
    """On the boards of boats, two in every coastal province cover neither names nor units nor each other."""
    board, _ = board_of(name)
    coastal = [p.id for p in board.provinces if p.terrain is Terrain.COAST]
    position = replace(fullest(board, 0), dislodged=())
    svg = drawn(name, layout, position, {key: [Sign.BOAT, Sign.BOAT] for key in coastal})
    boats = marks(svg)
    assert len(boats) == 2 * len(coastal)
    assert list(overlaps(boats, names(svg))) == []
    assert list(overlaps(boats, units(svg))) == []
    assert list(overlaps(boats, boats)) == []
