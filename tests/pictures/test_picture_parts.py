"""The parts of a map: paths, letters of powers, places of units, links, lines of text."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import accumulate
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.board import Board, Dislodged, Location, Position, Unit
from gamesmaster.game import Game
from gamesmaster.pictures import Label, Layout, Picture, Place, Shapes, Snapshot, Spot
from gamesmaster.pictures.legend import round_down
from gamesmaster.pictures.map.ink import Links, near_edge
from gamesmaster.pictures.map.pieces import arrange, share_out
from gamesmaster.pictures.powers import initials
from gamesmaster.pictures.shapes.files import shapes_of
from gamesmaster.pictures.shapes.values import LinkKind
from gamesmaster.pictures.style import sizes_of, style_of
from gamesmaster.pictures.svg import arrow_head, fit, ident, label_text, number, ring_path, steps, text, text_width
from gamesmaster.rules import LedgerEntry
from gamesmaster.variant import find_variant
from tests.pictures.small import POWERS, small_board, small_position, small_shapes


def corners(path: str) -> list[tuple[int, int]]:
    """The points of a closed path of relative steps."""
    numbers = list(map(int, re.findall(r"-?\d+", path)))
    return list(zip(accumulate(numbers[::2]), accumulate(numbers[1::2]), strict=True))[:-1]


def test_rings_are_drawn_as_the_shapes_have_them() -> None:
    """The path of every ring runs through the ring's own points, whichever way its arcs run."""
    shapes = small_shapes()
    rings = [ring for shape in shapes.provinces.values() for ring in shape.rings]
    assert any(arc < 0 for ring in rings for arc in ring)
    for ring in rings:
        assert corners(ring_path(shapes, ring)) == shapes.ring_points(ring)


@given(st.lists(st.integers(-(10**5), 10**5)))
def test_steps_are_read_back(numbers: list[int]) -> None:
    """Numbers written closely are read back the same."""
    assert list(map(int, re.findall(r"-?\d+", steps(numbers)))) == numbers


@given(st.text(), st.text())
def test_idents_never_fall_together(one: str, two: str) -> None:
    """Different texts make different parts of ids, of plain characters only."""
    assert (ident(one) == ident(two)) == (one == two)
    assert re.fullmatch(r"[A-Za-z0-9_-]*", ident(one))


@given(st.floats(-(10**6), 10**6))
def test_numbers_are_short_and_near(value: float) -> None:
    """A number is written without exponent, to a tenth below a hundred thousand."""
    assert re.fullmatch(r"-?\d+(\.\d)?", number(value))
    assert abs(float(number(value)) - value) <= 0.5001


@given(st.lists(st.text("ABab", min_size=1, max_size=5), unique=True, max_size=12))
def test_letters_are_never_shared(names: list[str]) -> None:
    """Every power has one to three letters of its own, beginning as its name does."""
    short = initials(names)
    assert len(set(short.values())) == len(names)
    for name in names:
        assert 1 <= len(short[name]) <= 3
        assert short[name][0] == name[0].upper()


def test_letters_of_known_games() -> None:
    """One letter where that is enough; where powers begin alike, the next in which they differ; never A or F alone.

    On a unit those would say army and fleet.
    """
    seven = ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"]
    assert list(initials(seven).values()) == ["Au", "E", "Fr", "G", "I", "R", "T"]
    clans = initials(["Campbell", "Gordon", "Graham", "MacDonald", "MacLeod"])
    assert list(clans.values()) == ["C", "Go", "Gr", "MD", "ML"]


# -- places --------------------------------------------------------------------------------------------------------


def layout(spots: int = 2) -> Layout:
    """A layout of one province with these many places, and a coast."""
    row = tuple(Spot(100 * n, 0, 80) for n in range(spots))
    return Layout({"X": Place({"": row, "NC": (Spot(0, 500, 80),)})})


def unit(number: int, coast: str = "", aboard: int = 0, power: str = "Red") -> Unit:
    """A unit there."""
    return Unit(number, "F" if coast else "A", power, Location("X", coast), aboard)


def test_units_take_the_spots_in_order() -> None:
    """The first unit has the first spot, the dislodged one the second; a fleet on a coast has the coast's."""
    position = Position((unit(1),), dislodged=(Dislodged(unit(2)),))
    assert [(s.unit.number, s.spot.x, s.dislodged) for s in arrange(layout(), position, {})] == [
        (1, 0, False),
        (2, 100, True),
    ]
    coastal = arrange(layout(), Position((unit(3, "NC"),), dislodged=(Dislodged(unit(4, "NC")),)), {})
    assert [(s.spot.x, s.spot.y) for s in coastal] == [(0, 500), (100, 0)]


def test_a_dislodged_unit_leaves_the_first_spot_free() -> None:
    """A dislodged unit whose victor is not drawn in the province has the second spot all the same."""
    (stand,) = arrange(layout(), Position(dislodged=(Dislodged(unit(1)),)), {})
    assert stand.spot.x == 100


def test_cargo_has_no_place_of_its_own() -> None:
    """What is aboard is drawn with its carrier; what claims to be aboard nothing, or itself, stands alone."""
    stands = arrange(layout(3), Position((unit(1), unit(2, aboard=1), unit(3, aboard=9), unit(4, aboard=4))), {})
    assert [(s.unit.number, [u.number for u in s.cargo]) for s in stands] == [(1, [2]), (3, []), (4, [])]


def test_powers_stand_together() -> None:
    """In a crowd units stand by power, in the order of the powers."""
    crowd = Position(tuple(unit(n, power=("Red", "Blue")[n % 2]) for n in range(1, 5)))
    stands = arrange(layout(4), crowd, {"Blue": 0, "Red": 1})
    assert [s.unit.power for s in stands] == ["Blue", "Blue", "Red", "Red"]


def test_every_power_has_rows_of_its_own_in_a_box() -> None:
    """In an ocean of six rows each of five powers stands in a row, in their order; seven share rows as they come."""
    variant = find_variant("conquest2")
    shapes, order = shapes_of(variant), {power.name: n for n, power in enumerate(variant.powers)}
    rows: dict[str, set[int]] = {}
    for stand in arrange(shapes.layouts["wide"], variant.start, order):
        if stand.unit.at.province == "ATL":
            rows.setdefault(stand.unit.power, set()).add(stand.spot.y)
    assert len(rows) == 5
    heights = [min(rows[power]) for power in order if power in rows]
    assert heights == sorted(set(heights))
    assert all(len(row) == 1 for row in rows.values())
    crowd = Position(tuple(Unit(n + 1, "F", f"P{n // 5}", Location("ATL")) for n in range(35)))
    spots = [stand.spot for stand in arrange(shapes.layouts["wide"], crowd, {f"P{n}": n for n in range(7)})]
    assert spots == list(shapes.layouts["wide"]["ATL"].spots[""][:35])


@pytest.mark.parametrize("wanted", range(1, 13))
def test_spots_are_shared_out(wanted: int) -> None:
    """There are as many spots as wanted, up to four for each, the first ones kept whole; no two have one middle."""
    row = [Spot(0, 0, 80), Spot(100, 0, 80), Spot(200, 0, 80)]
    spots = share_out(row, wanted)
    assert len(spots) >= min(wanted, 12)
    assert len({(s.x, s.y) for s in spots}) == len(spots)
    assert (spots[0] == row[0]) == (wanted <= 9)


def test_nowhere_to_stand() -> None:
    """A unit in a province without places is not drawn, and breaks nothing."""
    assert arrange(Layout({}), Position((unit(1),)), {}) == []


# -- links and leaders ------------------------------------------------------------------------------------------------


def pen(shapes: Shapes) -> Links:
    """What draws links, in the light style."""
    return Links(small_board(), shapes, style_of("light"), sizes_of("wide"))


@pytest.mark.parametrize(
    ("kind", "marks"),
    [
        ("land", {"<circle": 2, "stroke-dasharray": 1, "z": 0}),
        ("arrow", {"<circle": 0, "stroke-dasharray": 0, "z": 2}),
        ("canal", {"<circle": 0, "stroke-dasharray": 0, "z": 0}),
    ],
)
def test_links_by_kind(kind: LinkKind, marks: dict[str, int]) -> None:
    """A way by land is dashed between two dots, a passage an arrow with two heads, a canal a double line."""
    shapes = small_shapes()
    drawn = pen(shapes).link(replace(shapes.links[0], kind=kind))
    found = {mark: drawn.count(mark) if mark != "z" else sum(d.count("z") for d in re.findall(' d="([^"]*)"', drawn))
             for mark in marks}  # fmt: skip
    assert found == marks


def test_offboard_arrows_point_out_within_the_frame() -> None:
    """Where a link leaves the frame, its arrow's tip is on the frame, and the code of the other side stands by it."""
    shapes = small_shapes()
    link = next(link for link in shapes.links if link.kind == "offboard")
    drawn, codes = pen(shapes).link(link), pen(shapes).codes()
    assert ">Ske</text>" in codes
    assert ">Oce</text>" in codes
    tips = [tuple(map(float, m)) for m in re.findall(r"M(-?[\d.]+) (-?[\d.]+)L[^Mz]*z", drawn)]
    assert len(tips) == 2
    width, height = shapes.size
    for x, y in tips:
        assert 0 <= x <= width
        assert 0 <= y <= height
        assert min(x, y, width - x, height - y) <= 1


def one_way(a: str, b: str) -> Board:
    """The board of these shapes, on which only one of the two provinces leads to the other."""
    board = small_board()
    return replace(board, edges=tuple(e for e in board.edges if (e.a.province, e.b.province) != (b, a)))


def heads(board: Board, kind: LinkKind) -> list[tuple[float, float]]:
    """The tips of the arrows of the one link of a kind."""
    shapes = small_shapes()
    link = next(link for link in shapes.links if link.kind == kind)
    drawn = Links(board, shapes, style_of("light"), sizes_of("wide")).link(link)
    return [(float(x), float(y)) for x, y in re.findall(r"M(-?[\d.]+) (-?[\d.]+)L[^Mz]*z", drawn)]


def test_a_passage_one_way_has_one_head() -> None:
    """The head of an arrow is at the province that one can go to, and nowhere else."""
    assert heads(small_board(), "arrow") == [(2200, 1300), (2650, 2560)]
    assert heads(one_way("WES", "SKE"), "arrow") == [(2650, 2560)]
    assert heads(one_way("SKE", "WES"), "arrow") == [(2200, 1300)]


def test_a_way_off_the_map_one_way_leaves_here_and_comes_in_there() -> None:
    """At the end where one can only come in, the head points away from the frame."""
    assert heads(small_board(), "offboard") == [(0, 2850), (3471.7, 3000)]
    assert heads(one_way("OCE", "SKE"), "offboard") == [(0, 2850), (3430, 2900)]
    assert heads(one_way("SKE", "OCE"), "offboard") == [(100, 2800), (3471.7, 3000)]


def test_links_taken_away_are_not_drawn() -> None:
    """A border that was taken away, without a path, leaves no line; each drawn kind is explained once in the key."""
    svg = Picture(small_board(), small_shapes(), POWERS).svg()
    assert [svg.count(words) for words in ("way by land", ">passage for fleets", "passage off the map", ">canal")] == [
        1, 1, 1, 0,
    ]  # fmt: skip


def test_a_passage_is_one_for_fleets_only_where_there_are_fleets() -> None:
    """The key of Indianomacy, whose waters are crossed in canoes, does not speak of fleets."""
    variant = find_variant("indianomacy2")
    svg = Picture(variant.board, shapes_of(variant), variant.powers).svg(Snapshot(variant.start, title=variant.name))
    assert (svg.count(">passage for fleets"), svg.count(">passage by water")) == (0, 1)
    assert ">Indianomacy II<" in svg


@given(st.integers(-500, 500), st.integers(-500, 500), st.sampled_from(range(-60, 61, 5)))
def test_leaders_begin_at_the_near_edge(x: int, y: int, turn: int) -> None:
    """A leader line begins on the label's own box, no farther from its goal than the label's middle."""
    label = Label("Abc", "code", (0, 0), 40, 120, turn, (x, y))
    start = near_edge(label)
    assert dist(start, (x, y)) <= dist((0, 0), (x, y)) + 5
    assert dist(start, (0, 0)) <= dist((0, 0), (64, 16))


def test_arrow_heads() -> None:
    """A head has its tip where it should be, and is as long as asked."""
    assert arrow_head((100, 0), (0, 0), 20) == "M100 0L80 9L80 -9z"
    assert arrow_head((5, 5), (5, 5), 20).startswith("M5 5")


# -- text -----------------------------------------------------------------------------------------------------------


@given(st.text(max_size=200), st.floats(10, 2000))
def test_texts_are_made_to_fit(words: str, room: float) -> None:
    """A text is given whole if it fits, smaller if that helps, else cut; it overflows by an ellipsis at most."""
    shown, size = fit(words, 40, room)
    assert size <= 40
    assert text_width(shown, size) <= max(room, text_width("…", size)) + 0.01
    if text_width(words, 40) <= room:
        assert (shown, size) == (words, 40)


def test_lines_of_text() -> None:
    """A line is set about its middle height, a label to its width, and both are escaped."""
    line = text("<b>", (10, 100), 40, bold=True, anchor="middle")
    assert line == '<text x="10" y="114.2" font-size="40" font-weight="bold" text-anchor="middle">&lt;b&gt;</text>'
    assert label_text(Label("<b>", "code", (10, 100), 40, 80)) == (
        '<text x="10" y="114.2" font-size="40" textLength="80" lengthAdjust="spacingAndGlyphs">&lt;b&gt;</text>'
    )


@given(st.floats(0.001, 10**6))
def test_round_lengths(value: float) -> None:
    """The scale's length is the largest 1, 2 or 5 with noughts that is not too long."""
    found = round_down(value)
    assert f"{found:e}"[0] in "125"
    assert f"{found:e}"[1:].startswith(".000000e")
    assert found <= value * 1.000001
    assert value < found * 2.500001


def test_labels_keep_their_width() -> None:
    """Every label of the layout is in the map, set to its width in any font."""
    shapes = small_shapes()
    svg = Picture(small_board(), shapes, POWERS).svg(Snapshot(small_position()))
    labels = [label for place in shapes.layouts["wide"].values() for label in place.labels]
    assert labels
    for label in labels:
        assert re.search(rf'font-size="{label.size}"[^>]* textLength="{label.width}"[^>]*>{label.text}</text>', svg)


def test_the_ledger_stands_below_the_map() -> None:
    """Every heading and line of the ledger is printed on a map by itself, in lines that fit, with room of their own."""
    game = Game.start(find_variant("scottomacy"), seed=bytes(32))
    long = LedgerEntry("Kept", "a line that is far too long for one: " + "and so on, " * 60, "England")
    ledger = replace(game.ledger, entries=(*game.ledger.entries, long))
    assert ledger.sections
    drawn = Picture(game.variant.board, shapes_of(game.variant), game.variant.powers)
    bare, noted = drawn.svg(Snapshot(game.position)), drawn.svg(Snapshot(game.position, ledger=ledger))
    added = noted[len(bare) - len("</svg>\n") :]
    words = re.findall(r"<text [^>]*>([^<]*)</text>", added)
    assert " ".join(words).split() == " ".join(f"{h} {' '.join(ls)}" for h, ls in ledger.sections.items()).split()
    feet = [float(y) for y in re.findall(r'<text x="0" y="([\d.]+)"', added)]
    assert feet == sorted(set(feet))
    heights = [float(svg.split('viewBox="')[1].split('"')[0].split()[3]) for svg in (bare, noted)]
    assert heights[1] - heights[0] > feet[-1] - feet[0]
    widest = max(text_width(line, sizes_of("wide").text * 0.8) for line in words)
    assert widest < drawn.shapes.size[0] * 1.05  # what is a little too long is set a little smaller
