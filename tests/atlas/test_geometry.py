"""The plane bent and magnified without a tear; areas taken apart into arcs and put together again."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import Point, box

from gamesmaster.atlas.partition import bend, cells, topology
from gamesmaster.atlas.settings import Lens
from gamesmaster.atlas.sheet import magnify

FRAME = box(0, 0, 4000, 3000)
points = st.tuples(st.integers(50, 3950), st.integers(50, 2950))


@given(st.floats(0, 4000), st.floats(0, 4000), st.floats(0, 2))
def test_the_plane_is_bent_but_never_folded(x: float, y: float, wiggle: float) -> None:
    """Everywhere, a small square keeps its orientation: the displacement has a positive Jacobian."""
    step = 1e-3
    here, right, up = bend(np.array([[x, y], [x + step, y], [x, y + step]]), wiggle)
    (a, b), (c, d) = (right - here) / step, (up - here) / step
    assert a * d - b * c > 0


@given(points, points, points, st.floats(0.45, 2.2), st.floats(100, 3000))
def test_a_lens_moves_no_two_points_past_each_other(
    p: tuple[int, int], q: tuple[int, int], middle: tuple[int, int], factor: float, radius: float
) -> None:
    """Along a ray from its middle, what lay farther out still does, and beyond the rim nothing moves."""
    lens = Lens(at=(0, 0), radius=radius / 1000, factor=factor)
    centre = np.array(middle, dtype=float)
    seen = magnify(np.array([p, q], dtype=float), centre, lens) - centre
    before = np.hypot(*(np.array([p, q], dtype=float) - centre).T)
    after = np.hypot(*seen.T)
    assert (before[0] - before[1]) * (after[0] - after[1]) >= -1e-6
    assert np.allclose(after[before >= radius], before[before >= radius])


@settings(deadline=None, max_examples=40)
@given(st.lists(points, min_size=3, max_size=24, unique=True), st.integers(2, 5), st.sampled_from([0, 6]))
def test_cells_cover_the_frame_without_gap_or_overlap(anchors: list[tuple[int, int]], owners: int, smooth: int) -> None:
    """Every part of the frame lies in exactly one cell, however the borders are drawn."""
    named = [(f"P{number % owners}", at) for number, at in enumerate(anchors)]
    found = cells(named, FRAME, 1.0, smooth=smooth, wiggle=1.0)
    inside = [cell.intersection(FRAME).area for cell in found.values()]
    assert abs(sum(inside) - FRAME.area) < 1e-3 * FRAME.area
    assert shapely.union_all(list(found.values())).contains(FRAME)


@settings(deadline=None, max_examples=40)
@given(st.lists(points, min_size=2, max_size=16, unique=True))
def test_straight_cells_go_to_the_nearest_anchor(anchors: list[tuple[int, int]]) -> None:
    """Without rounding or wiggle a cell holds what lies nearest to its anchor."""
    found = cells([(str(n), at) for n, at in enumerate(anchors)], FRAME, 1.0, smooth=0, wiggle=0.0)
    for probe in (Point(1234.5, 987.6), Point(3210.9, 2345.6), Point(77.7, 1500.3)):
        distances = sorted((probe.distance(Point(at)), str(n)) for n, at in enumerate(anchors))
        if len(distances) < 2 or distances[1][0] - distances[0][0] > 20:
            assert found[distances[0][1]].contains(probe)


@settings(deadline=None, max_examples=60)
@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1), st.integers(1, 4))
def test_areas_taken_apart_and_put_together_are_the_same(squares: set[tuple[int, int]], owners: int) -> None:
    """Arcs lie between the two areas they name, are used once forwards and once backwards, and make the areas again."""
    areas = {}
    for owner in range(owners):
        own = [box(x, y, x + 1, y + 1) for x, y in sorted(squares) if (3 * x + 5 * y) % owners == owner]
        if own:
            areas[str(owner)] = shapely.coverage_union_all(own)
    found = topology(areas)
    for key, area in areas.items():
        assert shapely.equals(found.area(key), area)
    used = [(key, number) for key, rings in found.rings.items() for ring in rings for number in ring]
    for number, arc in enumerate(found.arcs):
        assert (arc.left, number) in used
        assert (not arc.right) or (arc.right, ~number) in used or arc.left == arc.right
