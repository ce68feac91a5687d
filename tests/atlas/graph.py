"""A board as plain names and sets, so that a statement about it can be asked of it in a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from gamesmaster.board import FLEET, Board, Edge, Location, Province, Terrain

WATER = (Terrain.SEA, Terrain.ISLANDS, Terrain.BOX)
WAYS = ("army", "fleet")
BOARDS = (
    "standard", "cline9", "indianomacy", "scottomacy", "conquest2", "1000ad", "ancmed", "hundredyears", "modern",
    "1900", "asia1870", "eurasia1901",
)  # fmt: skip
"""The boards that are made from folders in `boards/`."""


class Graph:
    """The provinces in play and the steps between them.

    Places are texts, `STP` or `STP/NC`; a place without a coast stands for all of its province.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.provinces = {p.id: p for p in board.provinces if p.terrain is not Terrain.IMPASSABLE}

    def place(self, text: str) -> str:
        """The place, if it is one in play; raises `ValueError`."""
        province, _, coast = text.partition("/")
        if province not in self.provinces or (coast and coast not in self.provinces[province].coasts):
            raise ValueError(f"no place {text!r} in play")
        return text

    def water(self, province: str) -> bool:
        """Is this a water, an archipelago counted as one?"""
        return self.provinces[province].terrain in WATER

    def shore(self, province: str) -> bool:
        """Is this a land that lies on a water?"""
        return not self.water(province) and any(map(self.water, self.near("fleet", province)))

    @cached_property
    def _edges(self) -> dict[str, dict[str, list[Edge]]]:
        table: dict[str, dict[str, list[Edge]]] = {}
        for edge in self.board.edges:
            for start in {str(edge.a), edge.a.province}:
                table.setdefault(edge.way, {}).setdefault(start, []).append(edge)
        return table

    def leaving(self, way: str, place: str) -> list[Edge]:
        """The steps out of a place."""
        return self._edges.get(way, {}).get(place, [])

    def near(self, way: str, place: str) -> set[str]:
        """The provinces one step away."""
        if way == "any":
            return {province for each in self._edges for province in self.near(each, place)}
        return {e.b.province for e in self.leaving(way, place)}

    def reach(self, place: str) -> set[str]:
        """The places, with their coasts, one step away for a fleet; what is closed to fleets is left out."""
        return {str(e.b) for e in self.leaving("fleet", place) if not self.board.shut("", FLEET, e.b.province)}

    def between(self, way: str, a: str, b: str) -> list[Edge]:
        """The steps from one place to another."""
        goal = Location.of(b)
        return [e for e in self.leaving(way, a) if e.b == goal or (not goal.coast and e.b.province == goal.province)]

    def pairs(self, way: str) -> set[frozenset[str]]:
        """The pairs of provinces that a step joins."""
        return {frozenset((e.a.province, e.b.province)) for e in self.board.edges if e.way == way}

    def distance(
        self, way: str, starts: Iterable[str], goals: Iterable[str], without: Iterable[str] = ()
    ) -> int | None:
        """Steps from the nearest of `starts` to the nearest of `goals` past `without`; None if no way leads."""
        shut, wanted = set(without), set(goals)
        ring = {place for start in starts for place in self._places(start)}
        seen, count = set(ring), 0
        while ring and not wanted & {place.partition("/")[0] for place in ring}:
            ring = {b for a in ring for b in self._steps(way, a) if b.partition("/")[0] not in shut} - seen
            seen, count = seen | ring, count + 1
        return count if ring else None

    def _places(self, province: str) -> set[str]:
        return {f"{province}/{coast}" for coast in self.provinces[province].coasts} or {province}

    def _steps(self, way: str, place: str) -> set[str]:
        """One step: fleets keep to the coast they lie on, others do not care."""
        if way == "fleet":
            return self.reach(place)
        return {b for province in self.near(way, place.partition("/")[0]) for b in self._places(province)}

    def convoyed(self, a: str, b: str) -> bool:
        """Could some chain of convoying waters join these two shores?"""
        ring = self._carrying(a)
        seen = set(ring)
        while ring:
            if any(b in self._touching(water) for water in ring):
                return True
            ring = {w for here in ring for w in self._carrying(here)} - seen
            seen |= ring
        return False

    def _touching(self, province: str) -> set[str]:
        return {e.b.province for e in self.leaving("fleet", province) if e.convoy}

    def _carrying(self, province: str) -> set[str]:
        return {p for p in self._touching(province) if self.provinces[p].convoy}

    @cached_property
    def groups(self) -> dict[str, set[str]]:
        """The provinces of each kind that a statement may list or count."""
        tests: dict[str, Callable[[Province], bool]] = {
            "provinces": lambda p: True,
            "land": lambda p: p.terrain in (Terrain.INLAND, Terrain.COAST),
            "inland": lambda p: p.terrain is Terrain.INLAND,
            "coast": lambda p: p.terrain is Terrain.COAST,
            "sea": lambda p: p.terrain is Terrain.SEA,
            "islands": lambda p: p.terrain is Terrain.ISLANDS,
            "box": lambda p: p.terrain is Terrain.BOX,
            "water": lambda p: p.terrain in WATER,
            "shore": lambda p: self.shore(p.id),
            "apart": lambda p: not self.water(p.id) and not self.near("army", p.id),
            "split": lambda p: bool(p.coasts),
            "convoy": lambda p: p.convoy,
            "centre": lambda p: p.centre,
            "home": lambda p: p.home is not None,
            "home centre": lambda p: p.centre and p.home is not None,
            "neutral centre": lambda p: p.centre and p.home is None,
        }
        return {word: {p.id for p in self.provinces.values() if test(p)} for word, test in tests.items()}

    @cached_property
    def counts(self) -> dict[str, int]:
        """The size of every group, and the number of pairs joined: by way, and by what they join."""
        edges: dict[str, int] = {}
        for way in WAYS:
            pairs = self.pairs(way)
            waters = [sum(map(self.water, pair)) for pair in pairs]
            shores = sum(pair <= self.groups["shore"] for pair in pairs)
            edges |= {way: len(pairs), f"{way} shore-shore": shores}
            edges |= {f"{way} water-water": waters.count(2), f"{way} shore-water": waters.count(1)}
        return {word: len(group) for word, group in self.groups.items()} | edges
