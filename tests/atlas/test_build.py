"""A board made from a small coast: who borders whom, what becomes of islands, and what the designer is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamesmaster.atlas import STEPS, Built, build, read_folder
from gamesmaster.board import Terrain, board_data, lint
from gamesmaster.errors import BadBoard, NotFound
from gamesmaster.pictures import lint_shapes, read_shapes, shapes_data, shapes_text
from tests.atlas.island import BOARD, COASTS, EDGES, PROVINCES, make_folder

NAMED = COASTS.replace("neighbours", "neighbours,aliases").replace("MID NTH", "MID NTH,ec")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The small board."""
    return build(read_folder(make_folder(tmp_path_factory.mktemp("made") / "two")))


def pairs(built: Built, way: str) -> set[tuple[str, str]]:
    """The edges of one way of travel, each once."""
    return {(str(e.a), str(e.b)) for e in built.board.edges if e.way == way and str(e.a) < str(e.b)}


def test_borders_are_read_off_the_shapes_and_put_right_by_the_table(built: Built) -> None:
    """Lands that touch, shores and waters that touch, shores that meet by a water; then what edges.csv says."""
    assert pairs(built, "army") == {("MID", "WST"), ("EST", "MID")}
    assert pairs(built, "fleet") == {
        ("EST", "NTH"), ("EST", "SND"), ("EST", "STH"), ("MID", "NTH"), ("MID", "SND"), ("MID", "STH"),
        ("MID", "WST/NC"), ("MID", "WST/SC"), ("NTH", "WST/NC"), ("STH", "WST/SC"), ("SND", "STH"), ("NTH", "STH"),
    }  # fmt: skip


def test_provinces_are_what_the_map_makes_of_them(built: Built) -> None:
    """Land on the water is coast, out of play is not on the board, coasts and centres come from the tables."""
    terrain = {p.id: p.terrain for p in built.board.provinces}
    assert terrain == {
        "WST": Terrain.COAST, "MID": Terrain.COAST, "EST": Terrain.COAST,
        "NTH": Terrain.SEA, "STH": Terrain.SEA, "SND": Terrain.SEA,
    }  # fmt: skip
    assert built.board.province("WST").coasts == ("NC", "SC")
    assert built.board.centres == ("WST", "EST")
    assert built.shapes.provinces["xOUT"].out == "land"


def test_coasts_have_other_letters(tmp_path: Path) -> None:
    """Other letters for a coast go from the table to the board, whose file keeps them."""
    board = build(read_folder(make_folder(tmp_path, coasts=NAMED))).board
    assert board.province("WST").coast_aliases == (("EC", "NC"),)
    assert "coast_aliases" in str(board_data(board))


def test_islands_go_to_the_land_they_lie_by_or_to_nobody(built: Built) -> None:
    """An island within reach of Westland is Westland's; one far out is only drawn."""
    assert len(built.shapes.provinces["WST"].rings) == 2
    assert len(built.shapes.backdrop.land) == 1
    assert any("belong to no province" in remark for remark in built.remarks)


def test_links_explain_what_the_shapes_do_not_show(built: Built) -> None:
    """Each row of the table is a link with its reason; one that is drawn has a line from shore to shore."""
    ferry, boom = built.shapes.links
    assert (ferry.op, ferry.kind, ferry.reason) == ("+", "land", "a ferry crosses the sound")
    assert len(ferry.path) == 4
    assert (boom.op, boom.kind, boom.path) == ("-", "", ())


def test_the_linters_find_nothing(built: Built) -> None:
    """What the room makes is what the linters of boards and of shapes ask for."""
    assert [f for f in lint(built.board) if f.level == "error"] == []
    assert [f for f in lint_shapes(built.board, built.shapes) if f.level == "error"] == []


def test_shapes_written_and_read_are_the_same(built: Built) -> None:
    """The text that is written is read back as equal shapes."""
    assert shapes_data(read_shapes(shapes_text(built.shapes))) == shapes_data(built.shapes)


def test_the_same_folder_makes_the_same_bytes(built: Built, tmp_path: Path) -> None:
    """Built again from another place, board and shapes are equal to the last letter; progress tells every step."""
    told: list[tuple[str, int, int]] = []
    again = build(read_folder(make_folder(tmp_path / "again")), lambda *step: told.append(step))
    assert shapes_text(again.shapes) == shapes_text(built.shapes)
    assert board_data(again.board) == board_data(built.board)
    assert [name for name, _, _ in told] == list(STEPS)


@pytest.mark.parametrize(
    ("texts", "where", "what"),
    [
        (
            {"provinces": PROVINCES.replace("sea,,,0 3.5", "see,,,0 3.5")},
            "provinces.csv, row 5, column kind",
            "no kind",
        ),
        ({"provinces": PROVINCES.replace("3 0\n", "3 x\n")}, "provinces.csv, row 4, column points", "is not a point"),
        (
            {"provinces": PROVINCES.replace("1 0\n", "1 95\n")},
            "provinces.csv, row 7, column points",
            "not on the globe",
        ),
        ({"provinces": PROVINCES.replace("MID,Mid", "WST,Mid")}, "provinces.csv, row 3, column id", "listed twice"),
        ({"provinces": PROVINCES.replace("EST,Eastland", "EST,")}, "provinces.csv, row 4, column name", "be empty"),
        ({"edges": EDGES.replace("MID,EST", "MID,ETS")}, "edges.csv, row 2, column b", "no province 'ETS'"),
        ({"edges": EDGES.replace("+,army", "*,army")}, "edges.csv, row 2, column op", "no op '*'"),
        ({"edges": EDGES.replace("boom lies", 'boom, "lies')}, "edges.csv", "7 columns"),
        ({"coasts": COASTS.replace("MID NTH", "MID NHT")}, "coasts.csv, row 2, column neighbours", "no province NHT"),
        ({"coasts": COASTS.replace("MID STH", "MID")}, "coasts.csv", "the coasts of WST: STH on no coast"),
        ({"coasts": NAMED.replace("ec", "sc")}, "coasts.csv, row 2, column aliases", "SC cannot be another name"),
        ({"coasts": NAMED.replace("ec", "e5")}, "coasts.csv, row 2, column aliases", "E5 cannot be another name"),
        ({"board": BOARD.replace("-600", "700")}, "board.toml, $.frame", "west"),
        ({"board": BOARD.replace("border = 20", "bordr = 20")}, "board.toml, $.thresholds.bordr", "not known"),
        ({"board": BOARD.replace("+proj=laea", "+proj=nonsense")}, "board.toml, $.projection", "no projection"),
        ({"board": BOARD + '[water]\nlakes = ["Meer"]\n'}, "board.toml, $.water", "no lake 'Meer'"),
        ({"board": "name = "}, "board.toml", "not TOML"),
        ({"board": BOARD.replace("coast.geojson", "cost.geojson")}, "", "cost.geojson"),
    ],
)
def test_faults_name_the_file_the_row_and_the_column(
    texts: dict[str, str], where: str, what: str, tmp_path: Path
) -> None:
    """A beginner's slip is told with its place and, where a word was mistyped, the nearest right one."""
    folder = make_folder(tmp_path, **texts)
    with pytest.raises((BadBoard, NotFound)) as caught:
        build(read_folder(folder))
    assert where in str(caught.value)
    assert what in str(caught.value)


def test_a_province_that_gets_no_land_is_named(tmp_path: Path) -> None:
    """An anchor far outside the frame leaves its province without a cell, and the builder says which and where."""
    text = PROVINCES + "FAR,Farland,Far,land,,,40 40\n"
    with pytest.raises(BadBoard, match=r"Farland \(FAR\) has no land in the frame") as caught:
        build(read_folder(make_folder(tmp_path, provinces=text)))
    assert "provinces.csv, row 9" in str(caught.value)


def test_an_empty_folder_says_how_to_start(tmp_path: Path) -> None:
    """Without board.toml the builder names the command that makes one."""
    with pytest.raises(NotFound, match="board new"):
        read_folder(tmp_path)
