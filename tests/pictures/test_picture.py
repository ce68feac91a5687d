"""Maps as documents: well formed, bounded, everything of a position on them, nothing of a stranger's in force."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.board import Board, Dislodged, Location, Position, Unit, read_board
from gamesmaster.errors import NotFound
from gamesmaster.pictures import STYLES, Look, Picture, Sign, Snapshot, read_shapes
from gamesmaster.pictures.style import contrast
from gamesmaster.variant import find_variant
from tests.pictures.overlay import grid
from tests.pictures.small import POWERS, small_board, small_board_data, small_data, small_position, small_shapes

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = """<script>alert("x")</script>&'"""


def picture(style: str = "light", layout: str = "wide", prefix: str = "") -> Picture:
    """A picture of the small map."""
    return Picture(small_board(), small_shapes(), POWERS, Look(style=style, layout=layout, prefix=prefix))


def root_of(svg: str) -> ET.Element:
    """The document, read."""
    return ET.fromstring(svg)


def ids(root: ET.Element) -> list[str]:
    """Every id in the order of the document."""
    return [element.attrib["id"] for element in root.iter() if "id" in element.attrib]


def units(root: ET.Element) -> dict[str, ET.Element]:
    """Number of each unit to its group."""
    return {e.attrib["data-unit"]: e for e in root.iter() if e.get("id", "").startswith("u-")}


def rich_position() -> Position:
    """The small map's position, with an army aboard a fleet, one dislodged, and several in one province."""
    start = small_position()
    more = (
        Unit(20, "A", "Red", Location("SOU"), aboard=6),
        *(Unit(number, "A", "Red", Location("COR")) for number in (21, 22, 23)),
    )
    beaten = Dislodged(Unit(30, "A", "Red", Location("BOR")), "ALB", (Location("ALB"),))
    return Position((*start.units, *more), start.owners, (beaten,))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_well_formed(style: str, layout: str) -> None:
    """Every style and layout makes well-formed SVG, the same each time, with ids that come once and every use found."""
    svg = picture(style, layout).svg(Snapshot(rich_position(), title="T", subtitle="S"))
    assert svg == picture(style, layout).svg(Snapshot(rich_position(), title="T", subtitle="S"))
    root = root_of(svg)
    assert root.tag == f"{SVG}svg"
    named = ids(root)
    assert [name for name, times in Counter(named).items() if times > 1] == []
    assert all(re.fullmatch("[A-Za-z0-9_-]+", name) for name in named)
    wanted = re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', svg)
    assert {a or b for a, b in wanted} <= set(named)


def test_nothing_from_outside() -> None:
    """A map has no script, a style sheet for the orders alone, and refers to nothing outside itself."""
    root = root_of(picture().svg(Snapshot(rich_position())))
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    shapes = {"rect", "path", "circle", "g", "use", "text"}
    assert tags <= {"svg", "title", "defs", "clipPath", "pattern", "style"} | shapes
    (sheet,) = (element.text or "" for element in root.iter(f"{SVG}style"))
    assert not re.search(r"@|url|:\s*expression", sheet)
    references = [
        e.get(name, "") for e in root.iter() for name in ("href", "src", "{http://www.w3.org/1999/xlink}href")
    ]
    assert all(reference.startswith("#") for reference in references if reference)
    assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)


def test_every_province_and_unit() -> None:
    """Every province is a path that can be named and clicked, every unit a group with its number and words."""
    position = rich_position()
    root = root_of(picture().svg(Snapshot(position)))
    provinces = {e.get("data-province"): e for e in root.iter(f"{SVG}path") if e.get("id", "").startswith("p-")}
    assert set(provinces) == {p.id for p in small_board().provinces}
    assert provinces["ALB"].get("id") == "p-ALB"
    shown = units(root)
    cargo = {number for e in shown.values() for number in e.get("data-cargo", "").split()}
    everybody = {str(u.number) for u in (*position.units, *(d.unit for d in position.dislodged))}
    assert set(shown) | cargo == everybody
    assert shown["30"].get("aria-label") == "Red army in Borealand, dislodged"
    assert shown["2"].get("aria-label") == "Red fleet in Insula, north coast"
    assert shown["6"].get("aria-label") == "Blue army and fleet in South Sea, carries Red army"


def test_what_is_said_of_a_province() -> None:
    """A province's label tells name, terrain, centre, home, owner and units, in the base only what never changes."""
    drawn = picture()
    root = root_of(drawn.svg(Snapshot(small_position())))
    labels = {e.get("data-province"): e.get("aria-label") for e in root.iter(f"{SVG}path") if e.get("role") == "img"}
    assert labels["BOR"] == ("Borealand, coast, supply centre, home of Blue; owned by Blue; Blue fleet in Borealand")
    assert labels["SKE"] == "Skerries, islands, supply centre; owned by nobody; Blue fleet in Skerries"
    assert labels["WAS"] == "Waste, out of play"
    assert 'aria-label="Borealand, coast, supply centre, home of Blue"' in drawn.base
    assert drawn.labels(Position())["COR"].endswith("owned by nobody")


def test_all_units_of_a_box_are_shown() -> None:
    """Thirty units in an ocean with twenty-four places are all drawn, none in the place of another."""
    crowd = tuple(Unit(number, "F", POWERS[number % 2], Location("OCE")) for number in range(1, 31))
    shown = units(root_of(picture().svg(Snapshot(Position(crowd)))))
    assert len(shown) == 30
    assert len({e.get("transform") for e in shown.values()}) == 30


def test_more_units_than_can_be_shown() -> None:
    """Where even small signs find no room, the last says how many more there are, and names them aloud."""
    crowd = tuple(Unit(number, "A", "Red", Location("COR")) for number in range(1, 13))
    svg = picture().svg(Snapshot(Position(crowd)))
    shown = units(root_of(svg))
    assert len(shown) == 8
    assert ">+4</text>" in svg
    assert str(shown["8"].get("aria-label")).count("beside it Red army") == 4


def test_hostile_names() -> None:
    """Names with markup in them are shown as text, wherever they come from."""
    board_data, shapes_data = small_board_data(), small_data()
    board_data["provinces"][0] |= {"name": HOSTILE, "home": HOSTILE}
    shapes_data["layouts"]["wide"]["ALB"]["labels"][0]["text"] = HOSTILE
    shapes_data["credit"] = HOSTILE
    drawn = Picture(read_board(board_data), read_shapes(shapes_data), [HOSTILE, "Blue"], letters={HOSTILE: "<&"})
    position = Position((Unit(1, "A", HOSTILE, Location("ALB")),), {"ALB": HOSTILE, "BOR": "<b>"})
    svg = drawn.svg(Snapshot(position, title=HOSTILE, subtitle=HOSTILE))
    root = root_of(svg)
    assert "<script" not in svg
    assert HOSTILE in {text.text for text in root.iter(f"{SVG}text")}
    assert str(units(root)["1"].get("aria-label")).startswith(HOSTILE)
    assert "<&" in {text.text for text in root.iter(f"{SVG}text")}


@given(st.text(st.characters()), st.text(st.characters()))
@settings(max_examples=30, deadline=None)
def test_any_title_at_all(title: str, name: str) -> None:
    """Whatever characters a title or a power's name has, the document can be read, and written as UTF-8."""
    drawn = Picture(small_board(), small_shapes(), [name or "x"])
    svg = drawn.svg(Snapshot(Position((Unit(1, "A", name, Location("COR")),)), title=title, subtitle=title))
    assert len(units(ET.fromstring(svg.encode()))) == 1


def test_two_maps_on_a_page() -> None:
    """With prefixes of their own, two maps share no id, and an odd prefix makes no odd id."""
    one, two = (root_of(picture(prefix=prefix).svg(Snapshot(rich_position()))) for prefix in ("one", 'a "b'))
    assert not set(ids(one)) & set(ids(two))
    assert all(re.fullmatch("[A-Za-z0-9_-]+", name) for name in (*ids(one), *ids(two)))
    assert all(name.startswith("one") for name in ids(one))


def test_print_is_black_and_white() -> None:
    """The style for paper uses black, white and patterns of them, and nothing that lets half of it through."""
    svg = picture("print").svg(Snapshot(rich_position(), marks={"ALB": [Sign.STORM]}))
    colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg))
    assert {c for c in colours if not c.startswith("url(")} == {"#000000", "#ffffff", "none"}
    assert set(re.findall(r'opacity="([^"]*)"', svg)) <= {"1"}


def test_letters_on_plates_are_legible() -> None:
    """In the document as it is, each unit's letter has a contrast of 4.5 and more on its plate."""
    for style in STYLES:
        root = root_of(picture(style).svg(Snapshot(rich_position())))
        for unit in units(root).values():
            ((plate, letter),) = [piece_of(root, unit)]
            assert contrast(letter, plate) >= 4.5


def piece_of(root: ET.Element, unit: ET.Element) -> tuple[str, str]:
    """The colours of a unit's plate and of the letter on it, wherever its piece is defined."""
    known = {element.get("id"): element for element in root.iter() if element.get("id")}
    piece = unit
    while piece.find(f"{SVG}text") is None:
        (used,) = [e for e in piece.iter(f"{SVG}use") if e.get("href", "").startswith("#c-")]
        piece = known[used.attrib["href"][1:]]
    plate, letter = piece.find(f"{SVG}use"), piece.find(f"{SVG}text")
    assert plate is not None
    assert letter is not None
    return plate.attrib["fill"], letter.attrib["fill"]


def test_layer_and_base_make_the_document() -> None:
    """The changing part is one group, and base and layer together hold all that the whole document holds."""
    drawn, position = picture(), rich_position()
    layer = drawn.layer(Snapshot(position, title="T"))
    assert layer in drawn.svg(Snapshot(position, title="T"))
    group = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{layer}</svg>')
    assert [element.get("id") for element in group] == ["layer"]
    whole = root_of(drawn.svg(Snapshot(position, title="T")))
    made = root_of(drawn.empty(title="T").replace("</svg>", f"{layer}</svg>"))
    assert ids(made) == ids(whole)
    assert made.get("viewBox") == whole.get("viewBox")


def test_owned_provinces_take_their_owners_colour() -> None:
    """Each owned province is drawn again, once in its owner's tint and once in its pattern."""
    layer = picture().layer(Snapshot(Position((), {"ALB": "Red", "COR": "Blue", "SKE": "Blue"})))
    for owner, provinces in ((0, ("COR", "SKE")), (1, ("ALB",))):
        pattern = re.search(rf'<g fill="url\(#k-{owner}\)">(.*?)</g>', layer)
        assert pattern
        assert all(f'href="#p-{province}"' in pattern[1] for province in provinces)
    assert layer.count('href="#p-ALB"') == 2
    assert 'href="#p-BOR"' not in layer


def test_marks_and_looks() -> None:
    """Mechanics' marks and boats stand in their small places; a unit may be given another sign."""
    svg = picture().svg(
        Snapshot(small_position(), marks={"ALB": [Sign.CURSE, Sign.BOAT]}, looks={1: Sign.ARMY_IN_ANARCHY})
    )
    labels = {e.get("aria-label") for e in root_of(svg).iter()}
    assert {"curse in Albany", "boat in Albany", "Red army in anarchy in Albany"} <= labels


def test_unknown_names() -> None:
    """A style or a layout that there is not is refused; units and owners that the board does not know draw nothing."""
    with pytest.raises(NotFound, match=r"no style 'lite'.*did you mean light"):
        picture("lite")
    with pytest.raises(NotFound, match=r"no layout 'wild'.*did you mean wide"):
        picture(layout="wild")
    strange = Position((), {"NOWHERE": "Red"})
    assert "NOWHERE" not in picture().svg(Snapshot(strange))


def test_neutral_units_bear_no_letter() -> None:
    """A unit of a power that takes no part is drawn on the neutral plate, without a letter."""
    drawn = picture()
    svg = drawn.svg(Snapshot(Position((Unit(1, "A", "Neutral", Location("COR")),)), looks={1: Sign.STANDING_ARMY}))
    unit = units(root_of(svg))["1"]
    assert {used.get("fill") for used in unit.iter(f"{SVG}use")} == {drawn.style.neutral.plate}
    assert unit.get("aria-label") == "Neutral standing army in Corinth"
    assert not list(unit.iter(f"{SVG}text"))


def test_title_counts_and_scale() -> None:
    """The strip below the map tells the title, each power's centres and units, the scale and the source."""
    texts = [
        t.text
        for t in root_of(picture().svg(Snapshot(small_position(), title="My Game", subtitle="Fall 3"))).iter(
            f"{SVG}text"
        )
    ]
    assert {"My Game", "Fall 3", "Blue", "Red", "2 centres, 7 units", "2 centres, 5 units"} <= set(texts)
    assert {"200 km", "200 miles", "Coastlines: drawn by hand"} <= set(texts)
    long = "x" * 400
    shown = [t.text or "" for t in root_of(picture().svg(Snapshot(title=long))).iter(f"{SVG}text")]
    assert long not in shown
    assert any(re.fullmatch("x+…", text) for text in shown)


def test_standard_start_is_small() -> None:
    """On a board of the regular game's size the layer of the start is under 15 kB without orders."""
    variant = find_variant("standard")
    layer = Picture(variant.board, grid(variant.board), variant.powers).layer(Snapshot(variant.start))
    assert len(layer.encode()) < 15_000
    assert layer.count(" data-unit=") == 22


def test_shapes_out_of_play_without_a_province() -> None:
    """A shape that is no province of the board is land out of play: drawn, but nothing to click."""
    data = small_board_data()
    data["provinces"] = [p for p in data["provinces"] if p["id"] != "WAS"]
    board: Board = read_board(data)
    svg = Picture(board, replace(small_shapes(), board=board.name), POWERS).svg()
    assert 'data-province="WAS"' not in svg
    assert "out of play" in svg
