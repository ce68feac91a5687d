"""Home centres: their letters can be read at 1280 pixels, and their marks cover neither names nor units."""

from __future__ import annotations

import re

import pytest

from gamesmaster.pictures import Picture
from gamesmaster.pictures.map.ink import home_discs
from gamesmaster.pictures.shapes.files import board_names, home_powers
from tests.lengths import mark_long
from tests.pictures.measured import Box, names, overlaps, units
from tests.pictures.test_full_boards import board_of, drawn, fullest

SCREEN = 1280  # pixels
MARK = re.compile(
    r'<circle cx="(\d+)" cy="(\d+)" r="([\d.]+)" fill="#[0-9a-f]{6}" stroke="#[0-9a-f]{6}" stroke-width="1.5"/>'
    r'<text x="\1"[^>]* font-size="([\d.]+)"[^>]*>(\w+)</text>'
)


def homes(svg: str) -> list[tuple[Box, float]]:
    """The marks of home centres as the squares about them, each with the size of its letters."""
    board = svg[: svg.index('id="board"')]  # the ink alone, not the key
    return [
        (Box(letters, float(x), float(y), 2 * float(r), 2 * float(r)), float(size))
        for x, y, r, size, letters in MARK.findall(board)
    ]


@pytest.mark.parametrize("name", [name for name in board_names() if name != "conquest2"])
def test_home_centres_are_legible(name: str) -> None:
    """On a screen of 1280 pixels most marks are discs of 12 pixels and more, their single letters of 8 and more."""
    board, shapes = board_of(name)
    svg = Picture(board, shapes, home_powers(board)).svg()
    pixels = SCREEN / (shapes.size[0] + 80)
    found = homes(svg)
    assert len(found) == sum(p.centre and p.home is not None for p in board.provinces)
    large = [mark for mark, size in found if mark.width * pixels >= 11.5]
    assert len(large) >= 0.75 * len(found)
    assert min(size * pixels for mark, size in found if mark in large and len(mark.what) == 1) >= 8


@pytest.mark.parametrize("layout", mark_long(["wide", "narrow"], but=["narrow"]))
@pytest.mark.parametrize("name", [name for name in board_names() if name != "conquest2"])
def test_marks_cover_nothing(name: str, layout: str) -> None:
    """With a unit in every province no home centre's mark lies over a name, a unit or another mark."""
    board, shapes = board_of(name)
    svg = drawn(name, layout, fullest(board, 0))
    # the box of a mark has corners that the disc has not
    discs = [Box(m.what, m.x, m.y, 0.7 * m.width, 0.7 * m.height) for m, _ in homes(svg)]
    assert list(overlaps(discs, discs)) == []
    assert list(overlaps(discs, names(svg))) == []
    assert list(overlaps(discs, units(svg))) == []
    assert all(
        disc.r >= (13 if layout == "wide" else 18)
        for disc in home_discs(
            shapes, shapes.layouts[layout], [province.id for province in board.provinces if province.home]
        ).values()
    )
