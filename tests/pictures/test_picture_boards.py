"""Maps of the boards that come with the package: bounded in bytes, with everything on them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import cache

import pytest

from gamesmaster.board import Board, Dislodged, Location, Position, Province, Terrain, Unit, read_board
from gamesmaster.pictures import STYLES, Look, Picture, Shapes, Snapshot, read_shapes
from gamesmaster.pictures.shapes.files import BOARD, SHAPES, board_folder, board_names, home_powers

DOCUMENT, LAYER = 400_000, 40_000  # bytes
SVG = "{http://www.w3.org/2000/svg}"


@cache
def board_of(name: str) -> tuple[Board, Shapes]:
    """A board of the package and its shapes."""
    folder = board_folder(name)
    return read_board(folder / BOARD), read_shapes(folder / SHAPES)


def fullest(board: Board) -> Position:
    """A unit for every centre, half of them elsewhere, everything owned, and every tenth unit dislodged too."""
    powers = home_powers(board) or ("One", "Two", "Three", "Four", "Five")
    open_to_units = [p for p in board.provinces if p.terrain is not Terrain.IMPASSABLE]
    ranked = sorted(open_to_units, key=lambda p: not p.centre)
    chosen = ranked[: 2 * len(board.centres) : 2]
    units = [_unit(board, p, n, powers) for n, p in enumerate(chosen, 1)]
    beaten = tuple(Dislodged(Unit(1000 + u.number, u.kind, powers[0], u.at)) for u in units[::10])
    owners = {p: powers[n % len(powers)] for n, p in enumerate(board.centres)}
    return Position(tuple(units), owners, beaten)


def _unit(board: Board, province: Province, number: int, powers: tuple[str, ...]) -> Unit:
    places = [Location(province.id, coast) for coast in ("", *province.coasts)]
    kind, at = next((k, at) for k in board.ways for at in places if board.can_stand(k, at))
    return Unit(number, kind, powers[number % len(powers)], at)


@pytest.mark.parametrize("name", board_names())
@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_the_fullest_position(name: str, layout: str) -> None:
    """On every board the fullest position is drawn whole, in less than the bytes allowed."""
    board, shapes = board_of(name)
    position = fullest(board)
    for style in STYLES:
        picture = Picture(board, shapes, home_powers(board), Look(style=style, layout=layout))
        svg = picture.svg(Snapshot(position, title=board.name))
        assert len(svg.encode()) < DOCUMENT
        assert len(picture.layer(Snapshot(position)).encode()) < LAYER - 25_000  # what is left is for orders
        numbers = [e.get("data-unit") for e in ET.fromstring(svg).iter() if e.get("data-unit")]
        assert len(numbers) == len(set(numbers)) == len(position.units) + len(position.dislodged)
