"""Curves and marks: where they begin and end, what they pass, and how they are cut to length."""

from __future__ import annotations

from itertools import pairwise
from math import dist, hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.pictures.curves import Curve, Point, join, pull_aside, pulls_of, through
from gamesmaster.pictures.orders.strokes import bar, burst, cross, head, plus, ring, slashes, square, zigzag

from .overlay import nearest_to, parts

NUMBERS = st.integers(0, 4000)
POINTS = st.tuples(NUMBERS, NUMBERS)


def bow(a: Point, b: Point, rise: float) -> Curve:
    """A line pulled aside so that it rises so far in the middle."""
    return Curve((pull_aside(a, b, (rise * 4 / 3, rise * 4 / 3)),))


@given(a=POINTS, b=POINTS, rise=st.floats(0, 100))
def test_a_bow(a: Point, b: Point, rise: float) -> None:
    """A bow runs from one end to the other and rises as far as it is told, to the right as one goes."""
    curve = bow(a, b, rise)
    assert curve.at(0) == pytest.approx(a)
    assert curve.at(1) == pytest.approx(b)
    x, y = curve.at(0.5)
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = hypot(dx, dy) or 1
    across = ((x - (a[0] + b[0]) / 2) * -dy + (y - (a[1] + b[1]) / 2) * dx) / length
    assert across == pytest.approx(rise if a != b else 0, abs=1e-6)


@given(a=POINTS, b=POINTS, pulls=st.tuples(st.floats(-100, 100), st.floats(-100, 100)))
def test_pulls(a: Point, b: Point, pulls: tuple[float, float]) -> None:
    """How far a line is pulled aside can be read from it again."""
    assert pulls_of(pull_aside(a, b, pulls)) == pytest.approx(pulls if a != b else (0, 0), abs=1e-6)


@given(st.lists(POINTS, min_size=1, max_size=8))
def test_through_all_its_points(points: list[Point]) -> None:
    """A smooth curve passes each of its points in order, and is nowhere broken."""
    curve = through(points)
    row = [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]
    if len(row) > 1:
        assert [piece[0] for piece in curve.pieces] == row[:-1]
        assert curve.pieces[-1][3] == row[-1]
    for before, after in pairwise(curve.pieces):
        assert before[3] == after[0]
    for i in range(len(curve.pieces)):
        assert hypot(*curve.heading(i)) == pytest.approx(1)


@given(points=st.lists(POINTS, min_size=2, max_size=6, unique=True), cut=st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_a_part(points: list[Point], cut: tuple[float, float]) -> None:
    """A part of a curve lies on it and has the ends asked for."""
    curve = through(points)
    start, end = (share * len(curve.pieces) for share in sorted(cut))
    part = curve.part(start, end)
    assert part.at(0) == pytest.approx(curve.at(start), abs=0.1)
    assert part.at(len(part.pieces)) == pytest.approx(curve.at(end), abs=0.1)
    assert part.length <= curve.length + 1e-6


def test_circles_at_the_ends() -> None:
    """A curve leaves the circle about its beginning and enters that about its end where told; inside both, half way."""
    curve = bow((0, 0), (300, 0), 40)
    assert dist(curve.at(curve.leaves((0, 0), 50)), (0, 0)) == pytest.approx(50, abs=1)
    assert dist(curve.at(curve.enters((300, 0), 70)), (300, 0)) == pytest.approx(70, abs=1)
    assert curve.leaves((0, 0), 1000) == curve.enters((300, 0), 1000) == 0.5


def test_outside_circles() -> None:
    """What is left of a curve outside circles begins and ends at their edges; nothing is left of one inside."""
    curve = through([(0, 0), (200, 0), (400, 0)])
    stretches = curve.outside([((200, 0), 50), ((400, 0), 30)])
    ends = [curve.at(t)[0] for stretch in stretches for t in stretch]
    assert ends == pytest.approx([0, 150, 250, 370], abs=1)
    assert curve.outside([]) == ((0, 2),)
    assert curve.outside([((200, 0), 1000)]) == ()


def test_lengths() -> None:
    """Length counts the pieces and not the gaps between them."""
    curve = join([through([(0, 0), (100, 0)]), through([(900, 0), (1000, 0)])])
    assert curve.length == pytest.approx(200)
    assert curve.at(curve.after(150)) == pytest.approx((950, 0))
    assert curve.after(1000) == 2
    assert curve.data == "M0 0c33 0 67 0 100 0M900 0c33 0 67 0 100 0"


def test_a_point() -> None:
    """A curve of no length is harmless: it has a heading, parts and data."""
    point: Curve = bow((5, 5), (5, 5), 0)
    assert point.length == 0
    assert point.part(0.5, 0.5).data == "M5 5c0 0 0 0 0 0"
    assert hypot(*point.heading(0)) <= 1


def test_marks() -> None:
    """Marks lie where they are told: heads have their tip there, the others their middle."""
    assert next(parts(head((10, 20), (1, 0), 8)))[0] == (10, 20)
    (left, right) = next(parts(bar((10, 20), (1, 0), 8)))
    assert {left, right} == {(10, 16), (10, 24)}
    for mark in (cross((10, 20), 8), plus((10, 20), 8)):
        strokes = list(parts(mark))
        assert len(strokes) == 2
        assert all(nearest_to((10, 20), stroke) == 0 for stroke in strokes)
    around = next(parts(burst((0, 0), 100)))
    assert {round(hypot(*p), -1) for p in around} == {100, 120}
    assert ring((10, 20), 5) == "M5 20a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"
    assert square((10, 20), 5) == "M5 15h10v10h-10z"
    assert len(list(parts(slashes((0, 0), (1, 0), 30)))) == 2


def test_zigzag() -> None:
    """A zigzag turns from side to side of its curve and has the same ends."""
    curve = through([(0, 0), (200, 0)])
    points = next(parts(zigzag(curve, 20, 8)))
    assert points[0] == (0, 0)
    assert points[-1] == (200, 0)
    assert [y for _, y in points[1:-1]] == [8, -8] * 4 + [8]
