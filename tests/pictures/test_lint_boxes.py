"""Boxes and areas: the linter's geometry against plain counting."""

import doctest
from math import cos, radians, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.pictures import lint
from gamesmaster.pictures.lint import Box, box, inside, overlapping

SIDES = st.integers(1, 60)
BOXES = st.builds(box, st.tuples(st.integers(0, 100), st.integers(0, 100)), SIDES, SIDES, st.integers(-180, 180))


def holds(shape: Box, x: float, y: float) -> bool:
    """Is the point in the box, as its corners say, going round?"""
    c = shape.corners
    sides = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for a, b in zip(c, (*c[1:], c[0]), strict=True)]
    return min(sides) > 0


def test_the_examples_run() -> None:
    """What the descriptions say is so."""
    assert doctest.testmod(lint).failed == 0


@settings(max_examples=40, deadline=None)
@given(BOXES, BOXES)
def test_depth_tells_whether_boxes_overlap(a: Box, b: Box) -> None:
    """Boxes that are apart share no point of a grid; those that reach far into each other do; both agree how far."""
    depth = a.depth(b)
    grid = [(x, y) for x in range(-45, 150, 3) for y in range(-45, 150, 3)]
    shared = any(holds(a, x, y) and holds(b, x, y) for x, y in grid)
    assert shared or depth < 7
    assert depth > 0 or not shared
    assert depth == pytest.approx(b.depth(a))


@given(st.lists(BOXES, max_size=12))
def test_all_overlaps_are_found(boxes: list[Box]) -> None:
    """Exactly the pairs that reach into each other are told, each once."""
    pairs = {(i, j) for j in range(len(boxes)) for i in range(j) if boxes[i].depth(boxes[j]) > 0}
    found = [(i, j) for i, j, _ in overlapping(boxes)]
    assert set(found) == pairs
    assert len(found) == len(pairs)


def test_a_box_is_turned_clockwise() -> None:
    """On a page, where y grows downwards, the upper left corner of a box goes to the upper right."""
    (x, y), *_ = box((0, 0), 20, 20, 90).corners
    assert (x, y) == pytest.approx((10, -10))
    (x, y), *_ = box((0, 0), 20, 0, 30).corners
    assert (x, y) == pytest.approx((-10 * cos(radians(30)), -10 * sin(radians(30))))


def test_a_frame_allows_a_little() -> None:
    """A box may leave the frame by no more than is allowed."""
    assert box((10, 10), 20, 20).within((100, 100), 0)
    assert box((9, 10), 20, 20).within((100, 100), 1)
    assert not box((9, 10), 20, 20).within((100, 100), 0.5)
    assert not box((95, 10), 20, 20).within((100, 100), 1)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 9), st.integers(0, 9))
def test_points_of_a_triangle(width: int, height: int, x: int, y: int) -> None:
    """A point is in a right-angled triangle if it lies below the long side; points on the sides may go either way."""
    ring = [(0, 0), (10 * width, 0), (0, 10 * height)]
    point = (10 * x + 3, 10 * y + 4)
    side = point[0] * height + point[1] * width - 10 * width * height
    if side:
        assert inside(point, [ring]) == inside(point, [ring[::-1]]) == (side < 0)
        assert not inside(point, [ring, ring])
