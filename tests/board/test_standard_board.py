"""The standard board as it comes with the package."""

import json
from pathlib import Path

import pytest

from gamesmaster.board import FLEET, Board, Location, Terrain, board_data, lint, read_board
from gamesmaster.board.lint import fold
from tests.effort import calls_of

STANDARD = Path(__file__).parents[2] / "src/gamesmaster/variants/standard/board.json"


@pytest.fixture(scope="module")
def board() -> Board:
    """The standard board."""
    return read_board(STANDARD)


def pairs(board: Board, way: str) -> set[frozenset[str]]:
    """Pairs of provinces joined by this way of travel."""
    return {frozenset((e.a.province, e.b.province)) for e in board.edges if e.way == way}


def test_it_has_the_known_numbers(board: Board) -> None:
    """75 provinces, 56 of land and 19 of water, 34 centres (STD-1.c); 111 army and 138 fleet borders."""
    assert len(board.provinces) == 75
    assert sum(p.land for p in board.provinces) == 56
    assert sum(p.terrain is Terrain.SEA for p in board.provinces) == 19
    assert len(board.centres) == 34
    assert (len(pairs(board, "army")), len(pairs(board, "fleet"))) == (111, 138)


def test_every_edge_leads_both_ways(board: Board) -> None:
    """The regular board has no one-way step, no passage closed to convoys and no privilege."""
    known = set(board.edges)
    assert all(edge._replace(a=edge.b, b=edge.a) in known for edge in board.edges)
    assert all(edge.convoy and not edge.only for edge in board.edges)


@pytest.mark.parametrize(
    ("place", "reached"),
    [
        ("BUL/EC", "BLA CON RUM"),
        ("BUL/SC", "AEG CON GRE"),
        ("SPA/NC", "GAS MAO POR"),
        ("SPA/SC", "LYO MAO MAR POR WES"),
        ("STP/NC", "BAR NWY"),
        ("STP/SC", "BOT FIN LVN"),
    ],
)
def test_split_coasts_keep_fleets_apart(board: Board, place: str, reached: str) -> None:
    """Bulgaria, Spain and St. Petersburg have two coasts, each with its own neighbours (STD-5.d)."""
    near = board.reach(FLEET, board.location_index[Location.of(place)])
    assert {board.provinces[p].id for p in near} == set(reached.split())


def test_some_neighbouring_coasts_are_for_armies_only(board: Board) -> None:
    """Coastal provinces without a shared piece of coast are no fleet step: Rome to Venice (STD-5.b)."""
    coastal = {p.id for p in board.provinces if p.terrain is Terrain.COAST}
    only_army = {" ".join(sorted(pair)) for pair in pairs(board, "army") - pairs(board, "fleet") if pair <= coastal}
    listed = "Ank-Smy Apu-Rom Arm-Smy Arm-Syr Edi-Lvp Fin-Nwy Gas-Mar Lvp-Yor Pie-Ven Rom-Ven Tus-Ven Wal-Yor"
    assert only_army == {pair.upper().replace("-", " ") for pair in listed.split()}


def test_the_file_is_written_as_the_program_writes_it(board: Board) -> None:
    """The checked-in data are exactly what `board_data` gives."""
    assert board_data(board) == json.loads(STANDARD.read_text())


def test_the_linter_finds_nothing(board: Board) -> None:
    """The standard board is clean, with the seven powers and 18 centres to win."""
    words = {"Austria": ["Austrian"], "England": ["English"], "France": ["French"], "Germany": ["German"],
             "Italy": ["Italian"], "Russia": ["Russian"], "Turkey": ["Turkish"]}  # fmt: skip
    assert lint(board, words, 18) == []


@pytest.mark.parametrize(
    ("word", "province"),
    [
        ("NAT", "NAO"), ("NTS", "NTH"), ("GOL", "LYO"), ("MID", "MAO"), ("TYN", "TYS"), ("WME", "WES"), ("EME", "EAS"),
        ("SKR", "SKA"), ("HBI", "HEL"), ("GOB", "BOT"), ("NRG", "NWG"), ("NOR", "NWY"), ("LPL", "LVP"), ("LVO", "LVN"),
        ("Saint Petersburg", "STP"), ("St Petersburg", "STP"), ("Tyrol", "TYR"), ("Romania", "RUM"),
        ("Gulf of Lyons", "LYO"), ("Heligoland Bight", "HEL"), ("Tyrrhenian", "TYS"), ("Mid Atlantic", "MAO"),
    ],
)  # fmt: skip
def test_other_names_in_use_are_known(board: Board, word: str, province: str) -> None:
    """Codes and spellings of other sites stand among the aliases (STD-4.f)."""
    names = {fold(name): p.id for p in board.provinces for name in (p.id, p.abbr, p.name, *p.aliases)}
    assert names[fold(word)] == province


def test_reading_it_is_quick() -> None:
    """The standard board is read in few calls, once pydantic is loaded."""
    read_board(STANDARD)
    assert calls_of(lambda: read_board(STANDARD)) < 20_000
