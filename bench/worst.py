"""Positions made to be slow, from texts never met before to the last ruling."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.timing import Spread, seconds
from gamesmaster import Order, PhaseKind, Position, Rulebook, Rules, Unit, Verb, adjudicate, find_variant, units_from
from gamesmaster.board import Board, Edge, Location, Province, Terrain
from gamesmaster.judge import LegalOrders, OrderReader
from tests.scenarios.cases import run_datc

DATC = Path(__file__).parents[1] / "tests/data/datc.json"

Orders = Mapping[str, list[str]]


class Worst(NamedTuple):
    """A position and its orders, under some rules."""

    name: str
    rules: Rules
    position: Position
    orders: Orders

    def solve(self) -> None:
        """From texts to rulings."""
        done = adjudicate(self.rules, PhaseKind.MOVEMENT, self.position, self.orders)
        _ = done.position, done.rulings

    def forget(self) -> None:
        """Forget the texts, but not the board: that is made ready once for all games."""
        self.rules.derive(OrderReader).parsed_orders[PhaseKind.MOVEMENT].clear()


def worst_cases() -> Iterator[Worst]:
    """Every kind of position we know to be hard."""
    for choice in ("any_route_survives", "every_route_must_survive"):
        yield convoy_web(10, 6, choice)
    yield lattice(26, 14, seed=1)
    yield chain(364)
    for n in (7, 20):
        yield knot(n)


def time_worst(rounds: int) -> dict[str, Spread]:
    """Seconds for each of the worst cases, and for the slowest of the DATC's paradoxes."""
    found = {}
    for case in worst_cases():
        case.solve()
        times = []
        for _ in range(rounds):
            case.forget()
            times.append(seconds(case.solve))
        found[case.name] = Spread.of(times)
    found["the slowest of the DATC's cases 6.F and 6.G"] = _slowest_datc(rounds)
    return found


def _slowest_datc(rounds: int) -> Spread:
    """Each case under every rulebook it speaks of, its position read and its results compared."""
    variant = find_variant("standard")
    cases = [case for case in json.loads(DATC.read_text())["cases"] if case["id"].startswith(("6.F", "6.G"))]
    works = [lambda case=case: list(run_datc(case, variant)) for case in cases]
    times = [[seconds(work) for _ in range(rounds)] for work in works]
    return max(map(Spread.of, times), key=lambda spread: spread.median)


# -- boards ----------------------------------------------------------------------------------------------------------


def convoy_web(width: int, height: int, choice: str) -> Worst:
    """An army over a sea of width x height fleets, each water next to eight others: 10^20 simple paths."""
    sea = [(x, y) for x in range(width) for y in range(height)]
    waters = [_province(f"S{x}X{y}", Terrain.SEA) for x, y in sea]
    steps = ((1, 0), (0, 1), (1, 1), (1, -1))
    pairs = [((x, y), (x + dx, y + dy)) for x, y in sea for dx, dy in steps if (x + dx, y + dy) in sea]
    edges = [*_edges("fleet", ((f"S{x}X{y}", f"S{u}X{v}") for (x, y), (u, v) in pairs))]
    edges += _edges("fleet", (("WEST", f"S0X{y}") for y in range(height)))
    edges += _edges("fleet", (("EAST", f"S{width - 1}X{y}") for y in range(height)))
    shores = [_province(id, Terrain.COAST) for id in ("WEST", "EAST")]
    rules = Rules(
        Board("web", (*waters, *shores), tuple(edges)), ("Blue",), rulebook=Rulebook(multi_route_convoy=choice)
    )
    units = {"Blue": ["A WEST", *(f"F {water.id}" for water in waters)]}
    orders = {"Blue": ["A WEST - EAST", *(f"F {water.id} C A WEST - EAST" for water in waters)]}
    return Worst(f"a web of {len(waters)} fleets ({choice})", rules, Position(units_from(units)), orders)


def lattice(width: int, height: int, seed: int) -> Worst:
    """Every province of width x height has a unit; about half of them move, the others support what they can."""
    land = {(x, y): x % 3 != 0 for x in range(width) for y in range(height)}
    provinces = [_province(f"P{x}X{y}", Terrain.COAST if dry else Terrain.SEA) for (x, y), dry in land.items()]
    pairs = [
        ((x, y), (x + dx, y + dy)) for x, y in land for dx, dy in ((1, 0), (0, 1), (1, 1)) if (x + dx, y + dy) in land
    ]
    names = [(f"P{x}X{y}", f"P{u}X{v}", land[x, y] and land[u, v]) for (x, y), (u, v) in pairs]
    edges = [*_edges("army", ((a, b) for a, b, dry in names if dry)), *_edges("fleet", ((a, b) for a, b, _ in names))]
    powers = ("Red", "Green", "Blue")
    rules, rng = Rules(Board("lattice", tuple(provinces), tuple(edges)), powers), Random(seed)
    placed: dict[str, list[str]] = {power: [] for power in powers}
    for province in provinces:
        placed[rng.choice(powers)].append(f"{'F' if province.convoy else 'A'} {province.id}")
    position = Position(units_from(placed))
    return Worst(
        f"{len(provinces)} provinces, every unit ordered", rules, position, concerted_orders(rules, position, rng)
    )


def concerted_orders(rules: Rules, position: Position, rng: Random) -> Orders:
    """Moves of about half the units, drawn at random, and supports that match what others were ordered."""
    legal = LegalOrders(rules, position)
    able = {unit: legal.of_unit(unit) for unit in position}
    goals: dict[Location, Location | None] = {}
    chosen: dict[Unit, Order] = {}
    for unit, orders in able.items():
        moves = [order for order in orders if order.verb is Verb.MOVE and not order.via]
        if moves and rng.random() < 0.5:
            chosen[unit] = rng.choice(moves)
            goals[unit.at] = chosen[unit].to
    for unit in [unit for unit in position if unit not in chosen]:
        supports = (order for order in able[unit] if order.verb is Verb.SUPPORT)
        useful = [order for order in supports if order.of and goals.get(order.of) == order.to]
        chosen[unit] = rng.choice(useful or able[unit][:1])
    written: dict[str, list[str]] = {}
    for unit, order in chosen.items():
        written.setdefault(unit.power, []).append(rules.notation.write(order))
    return written


def chain(n: int) -> Worst:
    """Armies in n - 1 of n provinces in a row, each waiting for the next to leave, the last listed first."""
    provinces = tuple(_province(f"P{i}", Terrain.INLAND) for i in range(n))
    edges = tuple(_edges("army", ((f"P{i}", f"P{i + 1}") for i in range(n - 1))))
    rules = Rules(Board("chain", provinces, edges), ("Red",))
    position = Position(units_from({"Red": [f"A P{i}" for i in range(n - 1)]}))
    return Worst(f"a chain of {n - 1} armies", rules, position, {"Red": [f"A P{i} - P{i + 1}" for i in range(n - 1)]})


def knot(n: int) -> Worst:
    """Convoys that hang on one another in a circle: each army lands where a fleet supports an attack on the next."""
    ring = range(n)
    provinces = [_province(f"{kind}{i}", Terrain.SEA) for i in ring for kind in "ST"]
    provinces += [_province(f"{kind}{i}", Terrain.COAST) for i in ring for kind in "PD"]
    pairs = [
        pair
        for i in ring
        for pair in ((f"S{i}", f"P{i}"), (f"S{i}", f"D{i}"), (f"D{i}", f"S{(i + 1) % n}"), (f"T{i}", f"S{i}"))
    ]
    rules = Rules(Board("knot", tuple(provinces), tuple(_edges("fleet", pairs))), ("Red", "Blue"))
    units = {
        "Red": [unit for i in ring for unit in (f"A P{i}", f"F S{i}")],
        "Blue": [unit for i in ring for unit in (f"F T{i}", f"F D{i}")],
    }
    orders = {
        "Red": [text for i in ring for text in (f"A P{i} - D{i}", f"F S{i} C A P{i} - D{i}")],
        "Blue": [text for i in ring for text in (f"F T{i} - S{i}", f"F D{i} S F T{(i + 1) % n} - S{(i + 1) % n}")],
    }
    return Worst(f"a circle of {n} convoys", rules, Position(units_from(units)), orders)


def _province(id: str, terrain: Terrain) -> Province:
    return Province(id, f"Place {id}", id, terrain, convoy=terrain is Terrain.SEA)


def _edges(way: str, pairs: Iterable[tuple[str, str]]) -> Iterator[Edge]:
    """Steps both ways."""
    for a, b in pairs:
        yield Edge(way, Location(a), Location(b))
        yield Edge(way, Location(b), Location(a))
