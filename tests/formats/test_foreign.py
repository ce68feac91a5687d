"""Boards of other programs: read as variants like any other, or refused with the place."""

import copy
import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.board import FLEET, Board, Edge, Location, Terrain, board_data, lint, read_board
from gamesmaster.errors import BadFile, NotFound
from gamesmaster.formats import read_foreign
from gamesmaster.rules import BuildSites
from gamesmaster.variant import Variant, Victory, lint_variant

BOARDS = Path(__file__).parents[1] / "data/boards"
NORTH_SEA = json.loads((BOARDS / "northseawars.json").read_text())


def foreign(change: Callable[[Any], object]) -> dict[str, Any]:
    """North Sea Wars, changed."""
    data: dict[str, Any] = copy.deepcopy(NORTH_SEA)
    change(data)
    return data


def codes(variant: Variant, count: int) -> str:
    """The codes of the first phases, in a row."""
    calendar, phase, found = variant.calendar, variant.calendar.first, []
    for _ in range(count):
        found.append(phase.code)
        phase = calendar.next(phase)
    return " ".join(found)


def test_a_board_with_one_way_trade() -> None:
    """North Sea Wars: powers, start, split Jutland, and ships that never come back from the trade provinces."""
    variant = read_foreign(BOARDS / "northseawars.json")
    assert (variant.id, variant.name, variant.victory) == ("northseawars", "North Sea Wars", Victory(8))
    assert [p.name for p in variant.powers] == NORTH_SEA["powers"]
    assert variant.power("Norse").homes == ("GOT", "SOR")
    assert variant.power("Norse").units == ("A GOT", "F SOR")
    assert variant.start.owners["SBR"] == "Britons"
    assert variant.start.problems(variant.board) == []
    assert codes(variant, 6) == "S0M S0R F0M F0R W0A S1M"
    assert variant.build_sites is BuildSites.OWN_HOMES
    out, back = Location("CNS"), Location("GRA")
    assert Edge("fleet", out, back, reason="one way in the source") in variant.board.edges
    assert not any((edge.a, edge.b) == (back, out) for edge in variant.board.edges)
    coast = variant.board.location_index[Location("JUT", "EC")]
    assert {variant.board.provinces[p].id for p in variant.board.reach(FLEET, coast)} == {"LIM", "SEA"}


def test_an_archipelago_that_convoys() -> None:
    """Ancient Mediterranean: a fleet in the Baleares may be part of a convoy, one on another coast may not."""
    board = read_foreign(BOARDS / "ancientmediterranean.json").board
    assert board.province("BAL").terrain is Terrain.COAST
    assert {p.id for p in board.provinces if p.convoy and p.terrain is not Terrain.SEA} == {"BAL"}
    assert board.index["BAL"] in board.waters[board.index["TAR"]]


def test_a_board_without_water() -> None:
    """Pure: seven inland centres, every one next to every other."""
    variant = read_foreign(BOARDS / "pure.json")
    assert all(len(near) == 6 for near in variant.board.neighbours)
    assert codes(variant, 3) == "S1901M S1901R F1901M"


@pytest.mark.parametrize("name", ["pure", "northseawars", "ancientmediterranean"])
def test_the_linter_finds_no_error(name: str) -> None:
    """What other programs play is playable here."""
    assert [
        finding for finding in lint_variant(read_foreign(BOARDS / f"{name}.json")) if finding.level == "error"
    ] == []


@pytest.mark.parametrize("name", ["pure", "northseawars", "ancientmediterranean"])
def test_foreign_boards_can_be_written_as_ours(name: str) -> None:
    """A foreign board saved as a board file reads back as the same board."""
    board = read_foreign(BOARDS / f"{name}.json").board
    again: Board = read_board(board_data(board))
    assert again.provinces == board.provinces
    assert set(again.edges) == set(board.edges)


def test_a_path_a_text_and_data_read_alike() -> None:
    """The digest depends on the data alone, and changes with them."""
    path = BOARDS / "northseawars.json"
    variants = [read_foreign(source) for source in (path, path.read_text(), NORTH_SEA)]
    assert len({variant.digest for variant in variants}) == 1
    assert read_foreign(foreign(lambda d: d.update(solo_centers=9))).digest != variants[0].digest


def test_one_season_means_two_moves_a_decade() -> None:
    """Where the only season is the year, a turn is ten years with moves in every fifth."""

    def change(data: Any) -> None:
        data["seasons"] = ["Year"]
        data["start"]["phase"] = "Year 1425 Movement"

    variant = read_foreign(foreign(change))
    assert codes(variant, 6) == "Y1425M Y1425R Y1430M Y1430R Y1430A Y1435M"
    assert [slot.count for slot in variant.calendar.slots] == [False, False, False, True, False]


def test_units_of_nobody_stand_at_the_start() -> None:
    """Neutral units are on the board and own no centre."""

    def change(data: Any) -> None:
        data["start"]["units"]["Neutral"] = ["A ALA"]
        data["start"]["centers"]["Neutral"] = ["ALA"]

    start = read_foreign(foreign(change)).start
    assert [str(unit) for unit in start.of("Neutral")] == ["A ALA"]
    assert "ALA" not in start.owners


def test_undeclared_one_way_edges_are_left_to_the_linter() -> None:
    """An edge without a way back that the file does not declare reads, and the linter names it."""
    board = read_foreign(foreign(lambda d: d["fleet"]["GOT"].remove("OST"))).board
    assert [f.where for f in lint(board) if f.code == "one-sided-edge"] == ["fleet OST - GOT"]


FAULTS: dict[str, tuple[Callable[[Any], object], str, str]] = {
    "missing key": (lambda d: d.pop("fleet"), "$.fleet", "missing"),
    "no powers": (lambda d: d.update(powers=[]), "$.powers", "at least 1"),
    "too many powers": (lambda d: d.update(powers=[f"P{n}" for n in range(500)]), "$.powers", "at most 100"),
    "type of province": (lambda d: d["provinces"]["ALA"].update(type="isle"), "$.provinces.ALA.type", "'land'"),
    "key of a province": (lambda d: d["provinces"].update({"A/B": {"type": "sea"}}), '$.provinces["A/B"]', "pattern"),
    "neighbours as text": (lambda d: d["army"].update(ALA="NBR"), "$.army.ALA", "list"),
    "edge to nowhere": (lambda d: d["army"]["ALA"].append("NBX"), "$.army.ALA[1]", "did you mean NBR?"),
    "edge from nowhere": (lambda d: d["fleet"].update({"JUT/NC": ["LIM"]}), '$.fleet["JUT/NC"]', "did you mean JUT/"),
    "one way unreadable": (lambda d: d["one_way"].append("CNS to GRA"), "$.one_way[3]", "fleet CNS > GRA"),
    "one way to nowhere": (lambda d: d["one_way"].append("fleet CNS > GAR"), "$.one_way[3]", "did you mean GRA?"),
    "one way unlisted": (lambda d: d["one_way"].append("fleet GRA > CNS"), "$.one_way[3]", "not in the list"),
    "power unknown": (lambda d: d["start"]["units"].update(Noorse=[]), "$.start.units.Noorse", "did you mean Norse?"),
    "unit nowhere": (lambda d: d["start"]["units"]["Norse"].append("A GOTH"), "$.start.units.Norse[2]", "mean GOT?"),
    "unit unreadable": (lambda d: d["start"]["units"]["Norse"].append("army"), "$.start.units.Norse[2]", "pattern"),
    "centre nowhere": (lambda d: d["start"]["centers"]["Norse"].append("GTO"), "$.start.centers.Norse[2]", "GOT?"),
    "phase unreadable": (lambda d: d["start"].update(phase="Sprong 1"), "$.start.phase", "did you mean Spring?"),
    "phase not the first": (lambda d: d["start"].update(phase="Fall 1"), "$.start.phase", "begins with Spring 1"),
    "seasons alike": (lambda d: d.update(seasons=["Spring", "Summer"]), "$.seasons", "same name"),
    "victory": (lambda d: d.update(solo_centers=0), "$.solo_centers", "greater"),
    "build sites": (lambda d: d.update(build_in="own homes"), "$.build_in", "own home centers"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_named_with_its_place(name: str) -> None:
    """A file that cannot be a game is refused with the JSON path and what would be right."""
    change, path, words = FAULTS[name]
    with pytest.raises(BadFile) as caught:
        read_foreign(foreign(change))
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert words in said.removeprefix(path)


def test_the_number_of_edges_is_bounded() -> None:
    """Twenty thousand two-way edges are the most."""
    keys = [f"P{n}" for n in range(202)]

    def change(data: Any) -> None:
        data["provinces"].update({key: {"type": "land"} for key in keys})
        data["army"].update({key: [other for other in islice(keys, 200) if other != key] for key in keys})

    with pytest.raises(BadFile, match="more than 40,000 edges"):
        read_foreign(foreign(change))


def test_files_are_read_strictly(tmp_path: Path) -> None:
    """A missing file is not found; what is no strict JSON is refused with the file's name."""
    with pytest.raises(NotFound):
        read_foreign(tmp_path / "none.json")
    path = tmp_path / "double.json"
    path.write_text('{"name": "x", "name": "y"}')
    with pytest.raises(BadFile, match=r'double\.json, \$: the key "name" is given twice'):
        read_foreign(path)
