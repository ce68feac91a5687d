"""The layout as a whole: on a realm of very uneven provinces, and case by case."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import pytest
from shapely.geometry import LineString, Point, Polygon, box

from gamesmaster.atlas.layout import NARROW, WIDE, Placing, Sizes, lay_out, shortfalls
from gamesmaster.pictures.shapes.values import Label, Place
from tests.atlas.realm import FRAME, islet, realm, strip

SIZES = {"wide": WIDE, "narrow": NARROW}
Rectangle = tuple[float, float, float, float]


@lru_cache
def laid(layout: str, seed: int = 5) -> tuple[dict[str, Place], list[str]]:
    """The realm laid out, once for all tests."""
    return lay_out(realm(seed), FRAME, SIZES[layout])


def square(x: float, y: float, side: float) -> Rectangle:
    """A square about a point."""
    return x - side / 2, y - side / 2, x + side / 2, y + side / 2


def rectangles(place: Place) -> list[tuple[str, Rectangle]]:
    """All that takes room in a place; a turned label as level squares along its line."""
    found = []
    for coast, spots in place.spots.items():
        found += [(f"unit {coast}{n}", square(*spot)) for n, spot in enumerate(spots)]
    found += [("extra", square(*spot)) for spot in place.extras]
    if place.centre:
        found.append(("centre", square(place.centre.x, place.centre.y, 2 * place.centre.r)))
    for label in place.labels:
        assert label.turn == 0, "no province of the realm is long enough for a turned name"
        (x, y), w, h = label.at, label.width / 2, label.height / 2
        found.append(("label", (x - w, y - h, x + w, y + h)))
    return found


def shared(a: Rectangle, b: Rectangle) -> tuple[float, float]:
    """How far rectangles reach into each other, across and down; negative for a gap."""
    return min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])


@pytest.mark.parametrize("layout", SIZES)
@pytest.mark.parametrize("seed", [5, 8])
def test_nothing_covers_anything_else(layout: str, seed: int) -> None:
    """Units, marks and labels of all provinces lie apart, but for a second unit on the edge of its own first."""
    things = [(key, *thing) for key, place in laid(layout, seed)[0].items() for thing in rectangles(place)]
    assert len(things) > 100
    for (a, what_a, rect_a), (b, what_b, rect_b) in combinations(things, 2):
        depth = min(shared(rect_a, rect_b))
        if a == b and {what_a, what_b} == {"unit 0", "unit 1"}:
            assert depth <= min(rect_a[2] - rect_a[0], rect_b[2] - rect_b[0]) / 3 + 1
        elif a == b and what_a == what_b == "label":
            assert depth <= 0
        else:
            assert depth <= -3, f"{what_a} of {a} and {what_b} of {b}"


@pytest.mark.parametrize("layout", SIZES)
def test_everything_lies_in_the_frame(layout: str) -> None:
    """No square and no text leaves the page."""
    for place in laid(layout)[0].values():
        for _, (x0, y0, x1, y1) in rectangles(place):
            assert 0 <= x0 < x1 <= FRAME[0]
            assert 0 <= y0 < y1 <= FRAME[1]


@pytest.mark.parametrize("layout", SIZES)
def test_units_lie_in_their_provinces(layout: str) -> None:
    """The middle of every unit's square lies in its province with 57 % of it at least, and nearly always all of it."""
    shares = []
    for key, place in laid(layout)[0].items():
        shape = realm()[key].shape
        for spot in place.spots[""]:
            assert shape.contains(Point(spot.x, spot.y)), key
            shares.append(shape.intersection(box(*square(*spot))).area / spot.room**2)
    assert min(shares) >= 0.57
    assert sum(share > 0.97 for share in shares) > 0.85 * len(shares)


@pytest.mark.parametrize("layout", SIZES)
def test_every_province_in_play_has_its_code_and_its_places(layout: str) -> None:
    """One code each, in the province or joined to it by a line; two units, the marks wanted; nothing reported."""
    places, lacking = laid(layout)
    for key, placing in realm().items():
        place = places[key]
        codes = [label for label in place.labels if label.role == "code"]
        if not placing.playable:
            assert not codes
            assert place.spots == {"": ()}
            continue
        assert [label.text for label in codes] == [placing.code]
        assert placing.shape.contains(Point(codes[0].at)) != bool(codes[0].leader)
        assert len(place.spots[""]) == 2
        assert len(place.extras) == placing.extras
        assert (place.centre is not None) == placing.centre
    assert lacking == []


def test_names_are_for_the_wide_layout() -> None:
    """Ample provinces are named in the wide layout, broken over lines as needed, none in the narrow one."""
    named = 0
    for key, place in laid("wide")[0].items():
        name = " ".join(label.text for label in place.labels if label.role == "name")
        assert name in ("", realm()[key].name)
        named += bool(name)
        assert name or realm()[key].shape.area < 300**2, key
    assert named > 20
    assert all(label.role == "code" for place in laid("narrow")[0].values() for label in place.labels)


@pytest.mark.parametrize("layout", SIZES)
def test_the_same_realm_is_laid_out_alike_in_any_order(layout: str) -> None:
    """Laying out again, with the provinces the other way round, gives the same places."""
    again, lacking = lay_out(dict(reversed(realm().items())), FRAME, SIZES[layout])
    assert dict(again) == laid(layout)[0]
    assert lacking == laid(layout)[1]
    assert list(again) == list(reversed(realm()))


# -- cases -----------------------------------------------------------------------------------------------------------

PAGE = (1200, 1000)
SEA = Placing(box(0, 0, *PAGE).difference(islet(44)), "SEA", "Round Sea", water=True)


def alone(placing: Placing, sizes: Sizes = WIDE, **others: Placing) -> tuple[Place, list[str]]:
    """One province laid out, with others about it if given."""
    places, lacking = lay_out({"it": placing, **others}, PAGE, sizes)
    return places["it"], lacking


def test_a_code_that_does_not_fit_stands_outside_with_a_line() -> None:
    """The code of a small island stands in the sea; its line ends on the island and crosses nothing."""
    place, lacking = alone(Placing(islet(44), "Isl", "Island", centre=True), sea=SEA)
    assert lacking == []
    (label,) = place.labels
    assert (label.text, label.role) == ("Isl", "code")
    assert not islet(44).intersects(text_box(label))
    assert label.leader
    assert islet(44).contains(Point(label.leader))
    x, y = label.leader
    near = (
        min(max(x, label.at[0] - label.width / 2), label.at[0] + label.width / 2),
        min(max(y, label.at[1] - label.height / 2), label.at[1] + label.height / 2),
    )
    line = LineString([near, (x, y)])
    assert line.length < 200
    for what, rect in rectangles(place):
        assert what == "label" or not line.intersects(box(*rect)), what


def text_box(label: Label) -> Polygon:
    """The room of a level label."""
    return box(*((label.at[k] + sign * half) for sign, k, half in zip(
        (-1, -1, 1, 1), (0, 1, 0, 1), (label.width / 2, label.height / 2) * 2, strict=True
    )))  # fmt: skip


def test_each_coast_has_its_unit_close_by() -> None:
    """The unit of each coast lies within a unit's length of its own shore, all three apart from each other."""
    north, south = LineString([(100, 100), (1000, 100)]), LineString([(100, 600), (1000, 600)])
    province = strip((100, 100), (1000, 100), (1000, 600), (100, 600), coasts={"NC": north, "SC": south})
    place, lacking = alone(province)
    assert lacking == []
    assert set(place.spots) == {"", "NC", "SC"}
    for coast, shore in (("NC", north), ("SC", south)):
        (spot,) = place.spots[coast]
        assert Point(spot.x, spot.y).distance(shore) < 1.5 * spot.room
    boxes = [box(*square(*place.spots[key][0])) for key in ("", "NC", "SC")]
    assert not any(a.intersects(b) for a, b in combinations(boxes, 2))


def test_a_water_that_two_coasts_share_decides_for_neither() -> None:
    """Where one sea lies before both coasts, the unit of each lies on the side that is its own."""
    west, south = LineString([(100, 700), (100, 100), (500, 100)]), LineString([(100, 700), (1000, 700)])
    both = west.union(south)
    province = strip((100, 100), (1000, 100), (1000, 700), (100, 700), coasts={"WC": west, "SC": both})
    place, _ = alone(province)
    assert place.spots["SC"][0].y > 500
    assert place.spots["WC"][0].y < 400


def test_a_box_has_a_tidy_grid() -> None:
    """Twenty-four units lie in rows and columns of equal squares, in an ocean that has room for them."""
    ocean = strip((20, 20), (1180, 20), (1180, 700), (500, 980), (20, 980), spots=24, water=True)
    place, lacking = alone(ocean)
    assert lacking == []
    spots = place.spots[""]
    assert len(spots) == 24
    assert {spot.room for spot in spots} == {WIDE.room}
    assert len({spot.x for spot in spots}) * len({spot.y for spot in spots}) == 24
    assert [label.role for label in place.labels] == ["code", "name"]


def test_a_few_more_units_have_places_of_their_own() -> None:
    """Five units: the first four apart, whatever the second covers of the first."""
    place, lacking = alone(strip((100, 100), (900, 100), (900, 600), (100, 600), spots=5))
    assert lacking == []
    assert len(place.spots[""]) == 5


def test_a_province_that_is_too_small_is_reported() -> None:
    """A speck has smaller units than can be read well, or fewer than wanted: the report names it and says how much."""
    speck = Placing(islet(18), "Spk", "Speck", centre=True)
    place, lacking = alone(speck, sea=SEA)
    assert lacking
    assert all(lack.startswith(("it: no room for", "it: room for", "it: the side of its units is")) for lack in lacking)
    assert [label.text for label in place.labels] == ["Spk"]


def test_a_province_without_any_room_is_reported_not_fatal() -> None:
    """A province outside the frame has nothing, and the report says so."""
    place, lacking = alone(Placing(box(3000, 3000, 3100, 3100), "Far", "Far away", centre=True))
    assert place.spots == {"": ()}
    assert lacking == [
        "it: no room for the code Far", "it: room for 0 of 2 units", "it: no room for the mark of the supply centre",
    ]  # fmt: skip


def test_an_empty_shape_is_reported_not_fatal() -> None:
    """A province whose shape is empty has nothing, and the report says so."""
    place, lacking = alone(Placing(Polygon(), "Nil", "Nil"))
    assert place.spots == {"": ()}
    assert lacking == ["it: no room for the code Nil", "it: room for 0 of 2 units"]


def test_land_out_of_play_has_only_its_name() -> None:
    """A name where it fits, never larger than usual; nothing at all where it does not."""
    desert = Placing(box(100, 100, 900, 600), "Des", "Great Desert", playable=False)
    place, lacking = alone(desert)
    assert lacking == []
    assert {label.role for label in place.labels} == {"name"}
    assert max(label.size for label in place.labels) <= WIDE.name
    assert place.spots == {"": ()}
    assert alone(Placing(islet(30), "Des", "Great Desert", playable=False))[0].labels == ()


def test_a_long_province_has_a_turned_name() -> None:
    """Where a name fits only along a slanting province, it is turned by a multiple of five degrees, 60 at most."""
    slanting = strip((100, 100), (190, 90), (920, 720), (850, 810), name="Longshorereach", spots=1, code="Lon")
    place, lacking = alone(slanting)
    assert lacking == []
    turns = {label.turn for label in place.labels}
    assert len(turns) == 1
    turn = turns.pop()
    assert turn % 5 == 0
    assert 30 <= turn <= 60
    assert {label.role for label in place.labels} == {"code", "name"}


def test_obstacles_are_kept_clear() -> None:
    """Nothing is placed on what is drawn already."""
    line = LineString([(100, 350), (900, 350)]).buffer(60)
    province = Placing(box(100, 100, 900, 600), "Des", "Great Desert", centre=True)
    places, _ = lay_out({"it": province}, PAGE, WIDE, obstacles=[line])
    assert rectangles(places["it"])
    assert not any(line.intersects(box(*rect)) for _, rect in rectangles(places["it"]))


def test_no_provinces_need_no_places() -> None:
    """An empty page is laid out as such."""
    assert lay_out({}, PAGE, WIDE) == ({}, [])
    assert shortfalls({}, {}, WIDE) == []
