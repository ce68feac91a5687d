"""Positions made to be slow: their work is counted in calls, not in seconds, so that the bound holds on any machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from gamesmaster.board import Board, Edge, Location, Position, Province, Terrain, units_from
from gamesmaster.judge import Adjudication, LegalOrders, adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rulebook, Rules

from .conftest import results


def calls(work: Callable[[], object]) -> int:
    """Count the Python calls a piece of work makes."""
    count = 0

    def tally(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(tally)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def _both(way: str, a: str, b: str) -> list[Edge]:
    return [Edge(way, Location(a), Location(b)), Edge(way, Location(b), Location(a))]


def web(width: int, height: int) -> Board:
    """A sea of width x height waters, each touching eight others, with a shore at either end: 10^20 simple paths."""
    sea = [(x, y) for x in range(width) for y in range(height)]
    provinces = [Province(f"S{x}X{y}", f"Sea {x} {y}", f"S{x}x{y}", Terrain.SEA, convoy=True) for x, y in sea]
    provinces += [Province(p, p, p, Terrain.COAST, centre=True) for p in ("WEST", "EAST")]
    edges = [
        edge
        for x, y in sea
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        if (x + dx, y + dy) in sea
        for edge in _both("fleet", f"S{x}X{y}", f"S{x + dx}X{y + dy}")
    ]
    for y in range(height):
        edges += _both("fleet", "WEST", f"S0X{y}") + _both("fleet", "EAST", f"S{width - 1}X{y}")
    return Board("web", tuple(provinces), tuple(edges))


@pytest.mark.parametrize("choice", ["any_route_survives", "every_route_must_survive"])
def test_a_web_of_sixty_fleets(choice: str) -> None:
    """C4: a convoy through 60 fleets with 10^20 paths is told at once, whatever the rule for several routes."""
    board = web(10, 6)
    rules = Rules(board, ("Blue",), rulebook=Rulebook(multi_route_convoy=choice))
    waters = [p.id for p in board.provinces if p.convoy]
    position = Position(units_from({"Blue": ["A WEST", *(f"F {w}" for w in waters)]}))
    orders = {"Blue": ["A WEST - EAST", *(f"F {w} C A WEST - EAST" for w in waters)]}
    done: list[Adjudication] = []
    work = calls(lambda: done.append(adjudicate(rules, PhaseKind.MOVEMENT, position, orders)))
    assert results(done[0])["A WEST - EAST"] == "succeeds: came_by_sea"
    assert work < 60_000


def test_a_chain_of_363_armies() -> None:
    """F10: 363 armies, each waiting for the next to leave, listed backwards, all move up, in bounded work."""
    n = 364
    provinces = tuple(Province(f"P{i}", f"Place {i}", f"P{i}", Terrain.INLAND, centre=True) for i in range(n))
    edges = tuple(edge for i in range(n - 1) for edge in _both("army", f"P{i}", f"P{i + 1}"))
    rules = Rules(Board("chain", provinces, edges), ("Red",))
    position = Position(units_from({"Red": [f"A P{i}" for i in range(n - 1)]}))
    orders = {"Red": [f"A P{i} - P{i + 1}" for i in range(n - 1)]}
    done: list[Adjudication] = []
    work = calls(lambda: done.append(adjudicate(rules, PhaseKind.MOVEMENT, position, orders)))
    assert {str(u) for u in done[0].position.units} == {f"A P{i}" for i in range(1, n)}
    assert work < 250_000


def test_a_complete_graph() -> None:
    """F10: where every place touches every other, legal orders and results stay within bounded work."""
    n = 40
    provinces = tuple(Province(f"P{i}", f"Place {i}", f"P{i}", Terrain.INLAND, centre=True) for i in range(n))
    edges = tuple(edge for i in range(n) for j in range(i) for edge in _both("army", f"P{i}", f"P{j}"))
    rules = Rules(Board("complete", provinces, edges), ("Red", "Blue"))
    units = {"Red": [f"A P{i}" for i in range(0, n, 2)], "Blue": [f"A P{i}" for i in range(1, n, 2)]}
    position = Position(units_from(units))
    found: list[int] = []
    work = calls(lambda: found.append(sum(len(LegalOrders(rules, position).of_unit(u)) for u in position.units[:5])))
    # hold, 39 moves, 39 supports in place, and each of 39 units helped into 38 other places
    assert found == [5 * (1 + 39 + 39 + 39 * 38)]
    assert work < 250_000
    orders = {power: [f"{unit} - P0" for unit in texts if unit != "A P0"] for power, texts in units.items()}
    done = adjudicate(rules, PhaseKind.MOVEMENT, position, orders)
    assert done.position.units == position.units


@pytest.mark.parametrize("n", [6, 10])
def test_large_knots(n: int) -> None:
    """C5: convoys that hang on one another in a circle of six or ten are silenced, all of them, in bounded work.

    Army i lands at D i, where a fleet supports the attack on the next convoy: if one lands, all land; if not, none.
    """
    provinces = [
        Province(f"{k}{i}", f"{k} {i}", f"{k}{i}", Terrain.SEA, convoy=k == "S") for i in range(n) for k in "ST"
    ]
    provinces += [Province(f"{k}{i}", f"{k} {i}", f"{k}{i}", Terrain.COAST) for i in range(n) for k in "PD"]
    edges: list[Edge] = []
    for i in range(n):
        for a, b in ((f"S{i}", f"P{i}"), (f"S{i}", f"D{i}"), (f"D{i}", f"S{(i + 1) % n}"), (f"T{i}", f"S{i}")):
            edges += _both("fleet", a, b)
    rules = Rules(Board("knots", tuple(provinces), tuple(edges)), ("Red", "Blue"))
    red = [unit for i in range(n) for unit in (f"A P{i}", f"F S{i}")]
    blue = [unit for i in range(n) for unit in (f"F T{i}", f"F D{i}")]
    orders = {
        "Red": [text for i in range(n) for text in (f"A P{i} - D{i}", f"F S{i} C A P{i} - D{i}")],
        "Blue": [text for i in range(n) for text in (f"F T{i} - S{i}", f"F D{i} S F T{(i + 1) % n} - S{(i + 1) % n}")],
    }
    done: list[Adjudication] = []
    position = Position(units_from({"Red": red, "Blue": blue}))
    work = calls(lambda: done.append(adjudicate(rules, PhaseKind.MOVEMENT, position, orders)))
    got = results(done[0])
    assert {got[f"A P{i} - D{i}"] for i in range(n)} == {"no convoy: convoy_silenced"}
    assert {got[f"F T{i} - S{i}"] for i in range(n)} == {"succeeds: came"}
    assert work < 200_000
