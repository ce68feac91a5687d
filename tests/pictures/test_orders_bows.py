"""Lines that bow to keep clear of units and names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.pictures.curves import Curve, Piece, pulls_of
from gamesmaster.pictures.orders.bows import Things
from gamesmaster.pictures.shapes.values import Label, Layout, Place, Spot

A, B = (100.0, 500.0), (900.0, 500.0)
RIMS = (50.0, 50.0)
WIDE = (-300.0, 300.0)


def things(*labels: Label, spots: tuple[Spot, ...] = (), thick: float = 9) -> Things:
    """A page with these names and units."""
    return Things(Layout({"x": Place({"": ()}, labels=labels)}), spots, thick)


def name(x: int, y: int, width: int = 200, turn: int = 0) -> Label:
    """A name of capitals 28 units high."""
    return Label("NAME", "name", (x, y), 40, width, turn)


def runs_over(piece: Piece, label: Label) -> bool:
    """Does a line run through the letters of a name that is not turned?"""
    points = (Curve((piece,)).at(k / 200) for k in range(201))
    half, high = label.width / 2, 0.3 * label.size
    return any(abs(x - label.at[0]) < half and abs(y - label.at[1]) < high for x, y in points)


@given(wish=st.tuples(st.floats(-90, 90), st.floats(-90, 90)))
def test_an_open_line_goes_as_is_wished(wish: tuple[float, float]) -> None:
    """Where nothing is in the way a line has the pulls that are wished for, to the left or to the right."""
    assert pulls_of(things(name(500, 900)).line((A, B), wish, WIDE, RIMS)[1]) == pytest.approx(wish)


@given(x=st.integers(300, 700), y=st.integers(420, 580), wish=st.floats(-100, 100))
def test_a_line_passes_a_name(x: int, y: int, wish: float) -> None:
    """A name in the middle of the way is passed by, on the nearer side, within the bounds."""
    label = name(x, y)
    line = things(label).line((A, B), (wish, wish), WIDE, RIMS)[1]
    assert not runs_over(line, label)
    assert all(-300 <= pull <= 300 for pull in pulls_of(line))


def test_a_line_passes_a_turned_name() -> None:
    """A name that stands upright is as wide as its letters are high: a little bow passes beside its end."""
    upright = things(name(500, 390, turn=90)).line((A, B), (0, 0), WIDE, RIMS)[1]
    assert pulls_of(upright) == (0, 0)
    (first, second) = pulls_of(things(name(500, 410, turn=90)).line((A, B), (0, 0), WIDE, RIMS)[1])
    assert first == second
    assert 0 < first < 60


def test_two_names_are_passed_one_on_each_side() -> None:
    """A line that can pass neither of two names by one bow is pulled to one side first, then to the other."""
    labels = name(330, 420, width=180), name(330, 640, width=180), name(670, 360, width=180), name(670, 560, width=180)
    line = things(*labels).line((A, B), (0, 0), WIDE, RIMS)[1]
    assert not any(runs_over(line, label) for label in labels)


def test_units_count_for_more_than_names() -> None:
    """Where there is no way between, a line runs over the names, not over the unit."""
    labels = tuple(name(500, y, width=700) for y in range(100, 1000, 60) if y != 520)
    line = things(*labels, spots=(Spot(500, 520, 84),)).line((A, B), (0, 0), WIDE, RIMS)[1]
    points = [Curve((line,)).at(k / 200) for k in range(201)]
    assert all(max(abs(x - 500), abs(y - 520)) > 42 for x, y in points)


def test_what_lies_at_the_ends_does_not_count() -> None:
    """The units at both ends are not passed by, nor is a name beneath their rims."""
    page = things(name(100, 500, width=20), spots=(Spot(100, 500, 84), Spot(900, 500, 84)))
    assert pulls_of(page.line((A, B), (40, 40), WIDE, RIMS)[1]) == pytest.approx((40, 40))


def test_ends_without_rims_are_harmless() -> None:
    """A line to a point beneath a name, or between two points that are one, is drawn somehow."""
    for label in (name(900, 500), name(900, 512), name(100, 488)):
        assert things(label).line((A, B), (0, 0), WIDE, (0, 0))[1][3] == B
        assert things(label).line((A, A), (0, 0), WIDE, (0, 0))[1][3] == A


def test_bounds_hold() -> None:
    """A line that may bow to one side only, or hardly at all, stays there whatever is in its way."""
    for bounds in ((20.0, 300.0), (-10.0, 10.0)):
        pulls = pulls_of(things(name(500, 460, width=500)).line((A, B), (20, 20), bounds, RIMS)[1])
        assert min(bounds[0] * 2.5, bounds[0]) <= min(pulls)
        assert max(pulls) <= bounds[1] * 2.5


def test_layouts_that_are_equal_are_known_again() -> None:
    """What was worked out from a layout is found again by an equal one, and by no other."""
    one, same, other = (Layout({"x": Place({"": ()}, labels=(name(x, 5),))}) for x in (5, 5, 6))
    assert {one: 1}.get(same) == 1
    assert {one: 1}.get(other) is None
