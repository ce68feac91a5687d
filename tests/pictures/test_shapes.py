"""Shapes as values: lines decoded, rings joined, places looked up."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.pictures.shapes import values as module
from gamesmaster.pictures.shapes.values import Label, Point, arc_of, arc_points
from tests.pictures.small import small_shapes

SMALL = small_shapes()
POINTS = st.tuples(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))


def test_the_examples_run() -> None:
    """What the descriptions say is so."""
    assert doctest.testmod(module).failed == 0


@given(st.lists(POINTS, min_size=1))
def test_lines_go_there_and_back(points: list[Point]) -> None:
    """A line written as steps leads through the same points."""
    assert arc_points(arc_of(points)) == points


def test_rings_run_along_their_arcs() -> None:
    """Arcs are joined end to end, those with a negative number backwards, and no corner comes twice in a row."""
    ocean = SMALL.ring_points(SMALL.provinces["OCE"].rings[0])
    assert ocean[:5] == [(900, 0), (930, 300), (880, 700), (920, 1100), (900, 1500)]
    assert ocean[5:] == [(860, 1900), (930, 2400), (900, 3000), (0, 3000), (0, 0)]


def test_an_outline_has_islands_and_holes() -> None:
    """Every ring of a province is there: a second island, and the hole that it makes in the sea."""
    _, isle = SMALL.outline("INS")
    _, hole = SMALL.outline("SOU")
    assert sorted(isle) == sorted(hole)
    assert isle[1:] == hole[:0:-1]
    with pytest.raises(KeyError):
        SMALL.outline("ATL")


def test_the_outlines_fill_the_frame() -> None:
    """The areas of all provinces together are the area of the frame: neighbours neither gap nor overlap."""

    def area(ring: list[Point]) -> float:
        return sum(x * v - u * y for (x, y), (u, v) in zip(ring, ring[1:] + ring[:1], strict=True)) / 2

    assert (
        sum(area(ring) for province in SMALL.provinces for ring in SMALL.outline(province))
        == SMALL.size[0] * SMALL.size[1]
    )


def test_a_layout_is_a_mapping() -> None:
    """Places are found by province, and what a layout says nothing of is found missing."""
    wide = SMALL.layouts["wide"]
    assert set(wide) == set(SMALL.provinces)
    assert len(wide) == 9
    assert wide["INS"].spots["NC"][0].room == 84
    assert wide.get("ATL") is None


def test_a_line_of_text_is_as_high_as_its_capitals() -> None:
    """The room a label takes follows from the size of its font."""
    assert Label("Bor", "code", (0, 0), 100, 180).height == pytest.approx(76)
