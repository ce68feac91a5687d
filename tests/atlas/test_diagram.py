"""Diagrams: a map of a board from its borders alone."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, combinations, pairwise, product
from pathlib import Path
from typing import Any

import pytest
from shapely.geometry import Polygon

from gamesmaster.atlas import draw_diagram
from gamesmaster.atlas.layout.fill import Filler, Filling, Plan
from gamesmaster.atlas.layout.grid import Ground
from gamesmaster.board import Board, Edge, Location, Province, Terrain
from gamesmaster.formats import import_variants, read_foreign
from gamesmaster.pictures import Picture, lint_shapes, read_shapes, shapes_text

DATA = Path(__file__).parents[1] / "data"
ROW = [f"P{number:02}" for number in range(16)]


def ring(*names: str) -> Board:
    """A board of lands, each a neighbour of the next, the last of the first."""
    return lands(names, zip(names, (*names[1:], names[0]), strict=True))


def lands(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> Board:
    """A board of lands, of which these are neighbours."""
    provinces = tuple(Province(name, name, name.capitalize(), Terrain.INLAND, centre=True) for name in names)
    edges = [Edge("army", Location(x), Location(y)) for a, b in pairs for x, y in ((a, b), (b, a))]
    return Board("Ring", provinces, tuple(edges))


@pytest.mark.parametrize("path", ["boards/northseawars.json", "imports/strait.map"])
def test_neighbours_touch_and_nobody_else(path: str) -> None:
    """The linter of shapes, which compares contacts with borders, finds nothing on boards that a plane holds."""
    board = (read_foreign(DATA / path) if path.endswith("json") else import_variants(DATA / path)[0].variant).board
    shapes = draw_diagram(board)
    assert [str(finding) for finding in lint_shapes(board, shapes) if finding.level == "error"] == []
    assert not [link for link in shapes.links if link.op == "+" and link.kind and "GRA" not in (link.a, link.b)]
    assert read_shapes(shapes_text(shapes)) == shapes
    assert shapes == draw_diagram(board)


def test_borders_that_no_plane_holds_are_lines() -> None:
    """Of seven provinces that all are neighbours, some borders are drawn as crossings; a diagram has no scale."""
    board = read_foreign(DATA / "boards/pure.json").board
    shapes = draw_diagram(board)
    assert [str(finding) for finding in lint_shapes(board, shapes) if finding.level == "error"] == []
    crossings = [link for link in shapes.links if link.kind == "land"]
    assert len(crossings) == 6  # 21 borders, of which a plane holds 15
    assert all(link.path for link in crossings)
    assert " km<" not in Picture(board, shapes, ["Austria"]).svg()


def test_one_line_leads_across_a_point_where_four_meet() -> None:
    """Of the two borders across a point among sixteen lands one is a line; no land is shut in by both."""
    names = [[f"{row}{column}X" for column in "ABCD"] for row in "ABCD"]
    beside = [pair for row in (*names, *zip(*names, strict=True)) for pair in pairwise(row)]
    board = lands(chain(*names), [*beside, ("BBX", "CCX"), ("BCX", "CBX")])
    shapes = draw_diagram(board)
    assert [(link.a, link.b) for link in shapes.links if link.op == "+"] in ([("BBX", "CCX")], [("BCX", "CBX")])


@pytest.mark.parametrize(("size", "lines"), [(4, 0), (7, 49)])
def test_parts_and_layers_of_a_board_lie_side_by_side(size: int, lines: int) -> None:
    """Of two parts none is shut in by the other, nor of two layers, whose many borders are lines between them."""
    parts = [[[f"{part}{row}{column}" for column in range(size)] for row in range(size)] for part in "XY"]
    beside = [pair for part in parts for row in (*part, *zip(*part, strict=True)) for pair in pairwise(row)]
    beside += [pair for part in parts for a, b in pairwise(part) for pair in zip(a, b[1:], strict=False)]
    names = [list(chain(*part)) for part in parts]
    shapes = draw_diagram(lands(chain(*names), [*beside, *(zip(*names, strict=True) if lines else ())]))
    areas = [sum(Polygon(ring).area for ring in shapes.outline(key)) for key in shapes.provinces]
    assert min(areas) > 0.1 * sum(areas) / len(areas)
    assert len([link for link in shapes.links if link.kind]) == lines
    assert all(a[0] == b[0] for a, shape in shapes.provinces.items() for b in shape.contact)


def test_a_diagram_is_laid_out_with_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is made once for both layouts, and four in five provinces are filled at the first try."""
    tries: dict[Filler, int] = Counter()
    pages: list[Ground] = []
    fill, make = Filler.fill, Ground.__init__

    def count(filler: Filler, plan: Plan) -> Filling | None:
        tries[filler] += 1
        return fill(filler, plan)

    def note(ground: Ground, *args: Any) -> None:
        pages.append(ground)
        make(ground, *args)

    monkeypatch.setattr(Filler, "fill", count)
    monkeypatch.setattr(Ground, "__init__", note)
    draw_diagram(read_foreign(DATA / "boards/ancientmediterranean.json").board)
    assert len(pages) == 1
    assert sum(number == 1 for number in tries.values()) > 0.8 * len(tries)
    assert sum(tries.values()) < 3 * len(tries)


def test_the_smallest_province_has_its_share() -> None:
    """The smallest province has more than 0.28 of the mean area, though few neighbours hold it open."""
    shapes = draw_diagram(read_foreign(DATA / "boards/ancientmediterranean.json").board)
    areas = [sum(Polygon(ring).area for ring in shapes.outline(key)) for key in shapes.provinces]
    assert min(areas) > 0.28 * sum(areas) / len(areas)


def test_a_gap_among_many_is_left_empty_or_impassable() -> None:
    """Eight lands around a gap do not meet in a point; an impassable province of the board fills it."""
    hollow = ring("AAA", "BBB", "CCC", "DDD", "EEE", "FFF", "GGG", "HHH")
    assert draw_diagram(hollow).backdrop.land
    shut = Province("SWI", "Swiss", "Swi", Terrain.IMPASSABLE)
    full = Board("Ring", (*hollow.provinces, shut), hollow.edges)
    shapes = draw_diagram(full)
    assert (shapes.provinces["SWI"].out, shapes.backdrop.land) == ("land", ())


@pytest.mark.parametrize(
    "board",
    [
        ring("AAA", "BBB"),
        lands(ROW, chain(pairwise(ROW), ((end, land) for land in ROW[2:] for end in ROW[:2]))),
        lands(ROW, combinations(ROW, 2)),
        lands(ROW, product(ROW[:3], ROW[3:])),
        lands((*ROW, "AAA", "BBB"), pairwise(ROW)),
    ],
    ids=["two", "between-two", "all", "three-sided", "alone"],
)
def test_every_province_is_drawn_and_named(board: Board) -> None:
    """However few or many borders a board has, each province has room and its code in both layouts."""
    shapes = draw_diagram(board)
    assert shapes == draw_diagram(board)
    areas = [sum(Polygon(ring).area for ring in shapes.outline(province.id)) for province in board.provinces]
    assert min(areas) > 0.01 * sum(areas) / len(areas)
    for layout in shapes.layouts.values():
        assert all(any(label.role == "code" for label in place.labels) for place in layout.places.values())


def test_parts_that_meet_in_one_land_lie_side_by_side() -> None:
    """Of triangles of lands, each hung on one land of those before it, none is shut in another."""
    triangles = [(0, 1, 2), *((at, 3 + 2 * n, 4 + 2 * n) for n, at in enumerate([0, 4, 6, 1, 4, 1, 7]))]
    names = [f"P{number:02}" for number in range(3 + 2 * 7)]
    shapes = draw_diagram(
        lands(names, ((names[a], names[b]) for corners in triangles for a, b in combinations(corners, 2)))
    )
    areas = [sum(Polygon(ring).area for ring in shapes.outline(key)) for key in names]
    assert min(areas) > 0.02 * sum(areas) / len(areas)
    assert not [link for link in shapes.links if link.kind]
