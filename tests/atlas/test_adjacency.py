"""The committed boards have the borders they are meant to have, edge by edge.

`adjacency/<board>.json` holds the borders that each reconstruction settled on: pairs of provinces by way of travel, and
what a fleet reaches from each coast.  A board that departs from them says so in `boards/<board>/differs.toml`, with a
reason for every pair; there is no such file where nothing differs.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.board import board_data, read_board
from tests.atlas.graph import BOARDS, WAYS, Graph

ROOT = Path(__file__).parents[2]
TABLES = Path(__file__).parent / "adjacency"
Pairs = set[frozenset[str]]


def graph_of(board: str) -> Graph:
    """The committed board."""
    return Graph(read_board(ROOT / "src/gamesmaster/variants" / board / "board.json"))


def table_of(board: str) -> dict[str, Any]:
    """The borders it is meant to have."""
    table: dict[str, Any] = json.loads((TABLES / f"{board}.json").read_text(encoding="utf-8"))
    return table


def departures(board: str) -> list[Mapping[str, Any]]:
    """The differences that are argued, each a way, an edge, "+" or "-" and a reason."""
    path = ROOT / "boards" / board / "differs.toml"
    if not path.exists():
        return []
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    assert set(data) == {"difference"}
    assert all(set(entry) == {"way", "edge", "op", "reason"} and entry["reason"] for entry in data["difference"])
    return list(data["difference"])


def meant(board: str, way: str) -> Pairs:
    """The pairs of the table, with the argued differences carried out; each of them must make a difference."""
    pairs = {frozenset(pair) for pair in table_of(board)[way]}
    for entry in departures(board):
        pair = frozenset(entry["edge"])
        if entry["way"] == way:
            assert (pair in pairs) is (entry["op"] == "-"), f"{entry} changes nothing"
            pairs ^= {pair}
    return pairs


def plain(pairs: Pairs) -> list[str]:
    """Pairs as words, for the message of a failing test."""
    return sorted("-".join(sorted(pair)) for pair in pairs)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("board", BOARDS)
def test_borders_are_those_of_the_table(board: str, way: str) -> None:
    """The pairs of provinces that a step joins are those of the table, no more and no fewer, and lead both ways."""
    graph = graph_of(board)
    found, wanted = graph.pairs(way), meant(board, way)
    assert plain(found - wanted) == [], "on the board and not in the table"
    assert plain(wanted - found) == [], "in the table and not on the board"
    assert all(graph.between(way, b, a) for a, b in map(sorted, found))
    assert all(graph.between(way, a, b) for a, b in map(sorted, found))


@pytest.mark.parametrize("board", BOARDS)
def test_coasts_are_those_of_the_table(board: str) -> None:
    """The split coasts are those of the table, and from each a fleet reaches the places listed there and no others."""
    graph, coasts = graph_of(board), table_of(board)["coasts"]
    places = {f"{p.id}/{coast}" for p in graph.provinces.values() for coast in p.coasts}
    assert places == set(coasts)
    assert {place: graph.reach(place) for place in places} == {place: set(near) for place, near in coasts.items()}


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_leads_out_of_play(board: str) -> None:
    """No edge touches what is out of play, and every province in play has a neighbour."""
    graph = graph_of(board)
    ends = {end.province for edge in graph.board.edges for end in (edge.a, edge.b)}
    assert ends == set(graph.provinces)


def test_standard_is_the_regular_game() -> None:
    """The standard board made from its sources is the regular game: every province, every edge, every coast."""
    made = board_data(read_board(ROOT / "src/gamesmaster/variants/standard/board.json"))
    regular = json.loads((TABLES / "regular_game.json").read_text(encoding="utf-8"))
    assert set(made) == set(regular) == {"format", "name", "provinces", "edges"}
    assert made["name"] == regular["name"]
    assert {p["id"]: p for p in made["provinces"]} == {p["id"]: p for p in regular["provinces"]}
    for way in WAYS:
        assert {frozenset(pair) for pair in made["edges"][way]} == {frozenset(pair) for pair in regular["edges"][way]}
        assert len(made["edges"][way]) == len(regular["edges"][way])
