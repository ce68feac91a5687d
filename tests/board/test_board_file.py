"""Board files: what is read, what is refused and how, and that writing gives back what was read."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.board import Board, Closure, Edge, Location, Province, Terrain, board_data, board_schema, read_board
from gamesmaster.board.file import LARGEST_BOARD
from gamesmaster.errors import BadBoard, NotFound
from gamesmaster.schemas import MOST_EDGES, MOST_PROVINCES
from tests.effort import calls_of

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "src/gamesmaster/variants/standard/board.json"
STRAIT = json.loads((ROOT / "docs/board-files.md").read_text().split("```json\n")[1].split("```")[0])


def strait(change: Callable[[Any], object] | None = None) -> dict[str, Any]:
    """The board of docs/board-files.md, changed."""
    data: dict[str, Any] = copy.deepcopy(STRAIT)
    if change:
        change(data)
    return data


def complaint(source: Any) -> str:
    """What reading this source is refused with."""
    with pytest.raises(BadBoard) as caught:
        read_board(source)
    return str(caught.value)


def test_the_example_of_the_page_reads() -> None:
    """The board in docs/board-files.md becomes provinces, two-way edges with their exceptions, and closures."""
    board = read_board(strait())
    assert board.province("CAL") == Province("CAL", "Calais", "Cal", Terrain.COAST, centre=True, aliases=("Kales",))
    assert board.province("NMY").coasts == ("NC", "WC")
    assert [p.id for p in board.provinces if p.convoy] == ["DOV", "OCE"]
    assert Edge("army", Location("PAR"), Location("CAL")) in board.edges
    west = Edge("fleet", Location("KEN"), Location("OCE"), reason="the tide runs west")
    assert west in board.edges
    assert not any(edge.a == west.b and edge.b == west.a for edge in board.edges)
    assert {e.convoy for e in board.edges if {e.a.province, e.b.province} == {"DOV", "OCE"}} == {False}
    assert board.closures == (Closure("LON", frozenset("F"), frozenset(["France"]), "the river is chained"),)


def test_coasts_have_other_letters() -> None:
    """A coast may have second letters, which are kept; letters that are taken, or that mean nothing, are refused."""

    def named(aliases: dict[str, str]) -> Callable[[Any], None]:
        return lambda data: data["provinces"][4].update(coast_aliases=aliases)

    board = read_board(strait(named({"EC": "NC"})))
    assert board.province("NMY").coast_aliases == (("EC", "NC"),)
    assert board_data(board) == board_data(read_board(board_data(board)))
    for aliases in ({"WC": "NC"}, {"EC": "SC"}):
        with pytest.raises(BadBoard, match=r"\$\.provinces\[4\]\.coast_aliases\.[EW]C: .* another name for NMY/[NS]C"):
            read_board(strait(named(aliases)))


def test_a_file_a_text_and_data_read_alike(tmp_path: Path) -> None:
    """A path, a JSON text and a mapping give the same board."""
    text = json.dumps(strait())
    path = tmp_path / "board.json"
    path.write_text(text)
    assert board_data(read_board(path)) == board_data(read_board(text)) == board_data(read_board(strait()))


def test_what_is_left_out_follows_from_the_terrain() -> None:
    """Seas and boxes convoy unless the file says otherwise, land does not; the id stands in for an abbreviation."""

    def change(data: Any) -> None:
        data["provinces"][5]["convoy"] = False
        data["provinces"][6] |= {"terrain": "box"}
        data["provinces"][1] |= {"convoy": True}
        del data["provinces"][0]["abbr"]

    board = read_board(strait(change))
    assert [p.id for p in board.provinces if p.convoy] == ["KEN", "OCE"]
    assert board.province("LON").abbr == "LON"


FAULTS: dict[str, tuple[Callable[[Any], object], str, str]] = {
    "unknown key": (lambda d: d.update(provnces=[]), "$.provnces", "did you mean provinces?"),
    "unknown key of a province": (lambda d: d["provinces"][2].update(center=True), "$.provinces[2].center", "centre?"),
    "missing key": (lambda d: d["provinces"][0].pop("name"), "$.provinces[0].name", "missing"),
    "no edges": (lambda d: d.pop("edges"), "$.edges", "missing"),
    "another format": (lambda d: d.update(format=2), "$.format", "1"),
    "wrong type": (lambda d: d["provinces"][0].update(centre="yes"), "$.provinces[0].centre", "boolean"),
    "number for a word": (lambda d: d["provinces"][0].update(name=7), "$.provinces[0].name", "string"),
    "terrain": (lambda d: d["provinces"][0].update(terrain="cost"), "$.provinces[0].terrain", "did you mean coast?"),
    "id with a slash": (lambda d: d["provinces"][0].update(id="L/N"), "$.provinces[0].id", "'L/N'"),
    "id too long": (lambda d: d["provinces"][0].update(id="L" * 17), "$.provinces[0].id", "pattern"),
    "empty name": (lambda d: d["provinces"][0].update(name=""), "$.provinces[0].name", "at least 1"),
    "long name": (lambda d: d["provinces"][0].update(name="L" * 81), "$.provinces[0].name", "80"),
    "blank around a name": (lambda d: d["provinces"][0].update(name=" London"), "$.provinces[0].name", "pattern"),
    "invisible mark": (lambda d: d["provinces"][0].update(name="Lon\u202edon"), "$.provinces[0].name", "invisible"),
    "control character": (lambda d: d["provinces"][2].update(aliases=["a\0b"]), "$.provinces[2].aliases[0]", "control"),
    "lone surrogate": (lambda d: d["provinces"][0].update(name="Lon\ud800"), "$.provinces[0].name", "Unicode"),
    "id twice": (lambda d: d["provinces"][1].update(id="LON"), "$.provinces[1].id", "LON is listed twice"),
    "coast twice": (lambda d: d["provinces"][4].update(coasts=["NC", "NC"]), "$.provinces[4].coasts", "twice"),
    "coast in small letters": (lambda d: d["provinces"][4].update(coasts=["nc"]), "$.provinces[4].coasts[0]", "'nc'"),
    "no provinces": (lambda d: d.update(provinces=[]), "$.provinces", "at least 1"),
    "edge to nowhere": (lambda d: d["edges"]["army"].append(["CAL", "PARS"]), "$.edges.army[4][1]", "you mean PAR?"),
    "edge to no coast": (lambda d: d["edges"]["fleet"].append(["NMY/SC", "OCE"]), "$.edges.fleet[9][0]", "mean NMY/"),
    "edge of three": (lambda d: d["edges"]["army"].append(["CAL", "PAR", "LON"]), "$.edges.army[4]", "at most 2"),
    "edge to itself": (lambda d: d["edges"]["army"].append(["CAL", "CAL"]), "$.edges.army[4]", "itself"),
    "edge twice": (lambda d: d["edges"]["army"].append(["PAR", "CAL"]), "$.edges.army[4]", "listed twice"),
    "edges as a list": (lambda d: d.update(edges=[]), "$.edges", "object"),
    "way in capitals": (lambda d: d["edges"].update(ARMY=[]), "$.edges.ARMY", "pattern"),
    "exception without edge": (lambda d: d["exceptions"][0].update(edge=["LON", "CAL"]), "$.exceptions[0].edge", "no "),
    "exception turned round": (
        lambda d: d["exceptions"][1].update(edge=["OCE", "KEN"]), "$.exceptions[1].edge", "it is listed as KEN - OCE"),
    "exception to nowhere": (
        lambda d: d["exceptions"][1].update(edge=["KEN", "OCEE"]), "$.exceptions[1].edge[1]", "did you mean OCE?"),
    "exception twice": (lambda d: d["exceptions"].append(d["exceptions"][0]), "$.exceptions[2]", "already"),
    "exception to nothing": (lambda d: d["exceptions"][0].update(convoy=True), "$.exceptions[0]", "changes nothing"),
    "exception of another way": (lambda d: d["exceptions"][0].update(way="flet"), "$.exceptions[0].way", "mean fleet?"),
    "closed nowhere": (lambda d: d["closures"][0].update(province="LOD"), "$.closures[0].province", "mean LON?"),
    "closed to nothing known": (lambda d: d["closures"][0].update(kinds=["W"]), "$.closures[0].kinds", "known: A, F"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_named_with_its_place(name: str) -> None:
    """A board that breaks the format is refused with the JSON path and what would be right."""
    change, path, words = FAULTS[name]
    said = complaint(strait(change))
    assert said.startswith(f"{path}: ")
    assert words in said.removeprefix(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1, column 1: not JSON"),
        ("{", "line 1, column 2: not JSON"),
        ("[]", "$: expected an object here"),
        ("7", "$: expected an object here"),
        ('{"format": 1, "format": 1}', '$: the key "format" is given twice'),
        ('{"format": 1e999}', "$.format: this number is too large"),
        ('{"format": NaN}', "$.format: NaN is not a number in JSON"),
        ('{"format": 1000000000000000000000000}', "$.format: this number is too long"),
        ('{"name": "\\ud800"}', "$.name: this text holds half a surrogate pair"),
        ("[" * 100_000, "nested deeper than 8 levels"),
        ('{"a":' * 9 + "1" + "}" * 9, "nested deeper than 8 levels"),
        ("board.json", "a file is read from a Path"),
    ],
)
def test_texts_that_are_no_strict_json_are_refused(text: str, words: str) -> None:
    """Duplicate keys, numbers out of range, half characters and deep nesting are refused with their place."""
    assert words in complaint(text)


def test_a_file_is_named_in_complaints(tmp_path: Path) -> None:
    """The complaint about a file begins with its name; a file that is not there is not found."""
    path = tmp_path / "board.json"
    path.write_text('{"format": 1}')
    assert complaint(path).startswith(f"{path}, $.")
    with pytest.raises(NotFound, match="no file"):
        read_board(tmp_path / "bord.json")
    assert "cannot be read" in complaint(tmp_path)


def test_the_size_of_a_board_is_bounded(tmp_path: Path) -> None:
    """A file over 4 MiB, over 1,000 provinces or over 20,000 edges in all is refused."""
    path = tmp_path / "board.json"
    path.write_bytes(b" " * (LARGEST_BOARD + 1))
    assert "larger than 4,194,304 bytes" in complaint(path)
    crowd = [{"id": f"P{n}", "name": f"P{n}", "terrain": "inland"} for n in range(MOST_PROVINCES + 1)]
    assert "$.provinces" in complaint(strait(lambda d: d.update(provinces=crowd)))
    half = [[f"P{a}", f"P{b}"] for a in range(200) for b in range(a)][: MOST_EDGES // 2 + 1]
    both = {"format": 1, "name": "Crowd", "provinces": crowd[:-1], "edges": {"army": half, "boat": half}}
    assert "$.edges: more than 20,000 edges" in complaint(both)


def test_the_largest_boards_are_read_with_bounded_work() -> None:
    """A board at the limits of the format takes some calls for each edge."""
    crowd = [{"id": f"P{n}", "name": f"P{n}", "terrain": "inland"} for n in range(MOST_PROVINCES)]
    edges = [[f"P{a}", f"P{b}"] for a in range(201) for b in range(a)][:MOST_EDGES]
    data = {"format": 1, "name": "Crowd", "provinces": crowd, "edges": {"army": edges}}
    assert len(read_board(data).edges) == 2 * MOST_EDGES
    assert calls_of(lambda: read_board(data)) < 50 * MOST_EDGES


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists) | st.binary())
def test_no_value_gets_past_the_reader(value: Any) -> None:
    """Whatever stands in the place of a part of the board, it is read or refused, never a crash."""
    for key in STRAIT:
        faults = []
        try:
            read_board({**strait(), key: value})
        except BadBoard as refused:
            faults.append(refused)
        assert all(fault.where.startswith(f"$.{key}") for fault in faults)


PLACES = {p.id: p for p in (Province("A1", "One", "One", Terrain.COAST, coasts=("NC", "SC")),
                            Province("B2", "Two", "Two", Terrain.SEA, aliases=("II",)),
                            Province("C3", "Three", "C3", Terrain.BOX, centre=True, convoy=True),
                            Province("D4", "Four", "D", Terrain.ISLANDS, home="Red", convoy=True))}  # fmt: skip
LOCATIONS = [Location("A1"), Location("A1", "NC"), Location("A1", "SC"), *map(Location, ("B2", "C3", "D4"))]
SETS = st.frozensets(st.sampled_from(["Red", "Blue"]))
EDGES = st.builds(
    Edge,
    st.sampled_from(["army", "fleet", "boat"]),
    st.sampled_from(LOCATIONS),
    st.sampled_from(LOCATIONS),
    st.booleans(),
    SETS,
    st.sampled_from(["", "a cape"]),
).filter(lambda e: e.a != e.b and (bool(e.only) or not e.convoy or not e.reason))
CLOSURES = st.builds(
    Closure, st.sampled_from(list(PLACES)), st.frozensets(st.sampled_from("AF")), SETS, st.sampled_from(["", "ice"])
)


@given(
    st.lists(EDGES, unique_by=lambda e: (e.way, e.a, e.b)),
    st.lists(CLOSURES, max_size=3),
    st.sampled_from([{"A": "army", "F": "fleet"}, {"W": "army", "C": "boat", "A": "army", "F": "fleet"}]),
)
def test_writing_and_reading_gives_the_board_back(
    edges: list[Edge], closures: list[Closure], ways: dict[str, str]
) -> None:
    """Any board, one-way and exceptional edges included, comes back from its data, and the data from the board."""
    board = Board("Any", tuple(PLACES.values()), tuple(edges), tuple(closures), ways)
    data = json.loads(json.dumps(board_data(board)))
    again = read_board(data)
    assert (again.name, again.provinces, again.closures) == (board.name, board.provinces, board.closures)
    assert again.ways == board.ways
    assert set(again.edges) == set(board.edges)
    assert board_data(again) == data


def test_the_published_schema_is_current() -> None:
    """docs/board.schema.json is what `board_schema` makes; regenerate it when the format changes."""
    assert json.loads((ROOT / "docs/board.schema.json").read_text()) == board_schema()


def test_the_schema_takes_what_the_reader_takes() -> None:
    """The standard board and the page's example obey the published schema; a board with a slip does not."""
    validator = jsonschema.Draft202012Validator(board_schema())
    validator.validate(json.loads(STANDARD.read_text()))
    validator.validate(strait())
    assert not validator.is_valid(strait(lambda d: d["provinces"][0].update(terrain="cost")))
    assert not validator.is_valid(strait(lambda d: d.update(provnces=[])))


def test_importing_the_board_does_not_import_pydantic() -> None:
    """`import gamesmaster.board` stays light: the file's models are loaded when a file is read."""
    script = "import sys, gamesmaster.board, gamesmaster.game; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
