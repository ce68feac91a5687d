"""Slips between shapes and board: provinces that touch but are not adjacent, and the reverse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from gamesmaster.board import ARMY, FLEET, Board, Finding, Terrain
from gamesmaster.board.lint_finding import error, warning
from gamesmaster.pictures.shapes import Shapes

Pair = frozenset[str]

_NEARLY = 0.25  # of the least contact: how far from it a contact is sure to be meant
_ROUNDED = 0.06  # kilometres: lengths are written to a tenth


def lint_borders(board: Board, shapes: Shapes) -> Iterator[Finding]:
    """Findings about every pair of provinces in play that touch, or that are adjacent.

    Lands that touch are to be adjacent for armies; waters, and water and land, for fleets, unless a link says
    otherwise.  Islands and boxes count as water.  A fleet's step from land to land is not read off the shapes: it wants
    lands that touch, and a water that touches both.
    """
    chart = _Chart(board, shapes)
    known = [p.id for p in board.provinces if p.terrain is not Terrain.IMPASSABLE and p.id in shapes.provinces]
    for a, b in combinations(known, 2):
        pair = frozenset((a, b))
        if pair in chart.contacts or any(pair in pairs for pairs in chart.edges.values()) or pair in chart.linked:
            yield from chart.pair(a, b)


class _Chart:
    """What touches by the shapes, and what is adjacent by the board, by pairs of provinces."""

    def __init__(self, board: Board, shapes: Shapes) -> None:
        self.board, self.shapes = board, shapes
        self.land = {p.id: p.terrain in (Terrain.INLAND, Terrain.COAST) for p in board.provinces}
        self.contacts: dict[Pair, float] = {}
        for a, shape in shapes.provinces.items():
            for b, length in shape.contact.items():
                pair = frozenset((a, b))
                self.contacts[pair] = max(length, self.contacts.get(pair, 0.0))
        self.edges: dict[str, set[Pair]] = {}
        for edge in board.edges:
            self.edges.setdefault(edge.way, set()).add(frozenset((edge.a.province, edge.b.province)))
        self.links: dict[tuple[str, Pair], str] = {}
        for link in shapes.links:
            pair = frozenset(end.partition("/")[0] for end in (link.a, link.b))
            self.links.update({(way, pair): link.op for way in link.ways})
        self.linked = {pair for _, pair in self.links}
        self.joined = {pair for (_, pair), op in self.links.items() if op == "+"}
        self.waters: dict[str, set[str]] = {}
        for pair in self.contacts.keys() | self.joined:
            for a, b in permutations(pair, 2):
                if a in self.land and b in self.land and not self.land[b] and self.touch(a, b):
                    self.waters.setdefault(a, set()).add(b)

    def pair(self, a: str, b: str) -> Iterator[Finding]:
        """Findings about one pair."""
        on_land = self.land[a] and self.land[b]
        if on_land:
            yield from self.coastal_step(a, b)
        for kind, touching in ((ARMY, on_land), (FLEET, not on_land)):
            if kind in self.board.ways and (touching or kind == ARMY):
                yield from self.border(a, b, kind, touching)

    def border(self, a: str, b: str, kind: str, touching: bool) -> Iterator[Finding]:
        """Findings about passing from one to the other; `touching`: do contacts decide?"""
        way, pair = self.board.ways[kind], frozenset((a, b))
        contact, least = self.contacts.get(pair, 0.0), self.least(a, b)
        adjacent, link = pair in self.edges.get(way, ()), self.links.get((way, pair))
        if link:
            if adjacent != (link == "+"):
                yield self.unheeded(a, b, kind, link)
        elif adjacent and not touching:
            text = f"{_UNITS[kind]} pass, but {self.name(b if self.land[a] else a)} is water"
            yield error("border-not-drawn", f"{a} - {b}", text, _row(a, b, "+", kind))
        elif adjacent and contact < least - _ROUNDED:
            text = f"{_UNITS[kind]} pass, but {self.told(a, b, contact, least)}"
            yield error("border-not-drawn", f"{a} - {b}", text, _row(a, b, "+", kind))
        elif not adjacent and touching and contact >= least + _ROUNDED:
            text = f"{self.told(a, b, contact, least)}, but {_UNITS[kind]} do not pass"
            yield error("border-not-on-board", f"{a} - {b}", text, _row(a, b, "-", kind))
        elif touching and abs(contact - least) <= _NEARLY * least:
            text = f"{self.told(a, b, contact, least)}: a small change would decide who may pass"
            op = "+" if adjacent else "-"
            yield warning("doubtful-border", f"{a} - {b}", text, _row(a, b, op, kind, "to settle it"))

    def coastal_step(self, a: str, b: str) -> Iterator[Finding]:
        """Findings about fleets going from land to land."""
        way, pair = self.board.ways.get(FLEET, ""), frozenset((a, b))
        adjacent, link = pair in self.edges.get(way, ()), self.links.get((way, pair))
        if link:
            if adjacent != (link == "+"):
                yield self.unheeded(a, b, FLEET, link)
        elif adjacent and not self.touch(a, b):
            contact = self.contacts.get(pair, 0.0)
            text = f"fleets pass, but {self.told(a, b, contact, self.least(a, b))}"
            yield error("border-not-drawn", f"{a} - {b}", text, _row(a, b, "+", FLEET))
        elif adjacent and self.waters.get(a, set()).isdisjoint(self.waters.get(b, ())):
            text = f"fleets pass, but no sea touches both {self.name(a)} and {self.name(b)}"
            yield error("step-without-sea", f"{a} - {b}", text, _row(a, b, "+", FLEET))

    def least(self, a: str, b: str) -> float:
        """The contact, in kilometres, that makes a border of these two."""
        least, lands = self.shapes.least, self.land[a] + self.land[b]
        return (least.sea, least.shore, least.land)[lands]

    def touch(self, a: str, b: str) -> bool:
        """Do these two touch, or are they linked?"""
        pair = frozenset((a, b))
        return pair in self.joined or self.contacts.get(pair, 0.0) >= self.least(a, b) - _ROUNDED

    def told(self, a: str, b: str, contact: float, least: float) -> str:
        """How far these two touch, in words."""
        names = f"{self.name(a)} and {self.name(b)}"
        return f"{names} touch along {contact:g} km ({least:g} make a border)" if contact else f"{names} do not touch"

    def unheeded(self, a: str, b: str, kind: str, op: str) -> Finding:
        """A link that the board does not follow."""
        names = f"{self.name(a)} and {self.name(b)}"
        does, change = ("do not pass", "added") if op == "+" else ("pass", "taken away")
        text = f"{_UNITS[kind]} {does} between {names}, though the shapes say that the border was {change}"
        return error("link-unheeded", f"{a} - {b}", text, "build the board again")

    def name(self, key: str) -> str:
        """What people call a province."""
        return self.board.province(key).name


_UNITS = {ARMY: "armies", FLEET: "fleets"}
_WHO = {ARMY: "army", FLEET: "fleet"}


def _row(a: str, b: str, op: str, kind: str, why: str = "if that is meant") -> str:
    """What to write in `edges.csv`."""
    return f"{why}, in edges.csv: {a},{b},{op},{_WHO[kind]},,,and the reason"
