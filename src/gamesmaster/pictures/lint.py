"""The linter of shapes: where what is drawn and what is played do not agree, and where the map cannot be read.

Geometry and board are made together, but both may be mended by hand; a border that is drawn and cannot be crossed is
the slip that players stumble over most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise, permutations
from math import cos, hypot, radians, sin
from pathlib import Path

from gamesmaster.board import ARMY, FLEET, FLEET_WAY, Board, Finding, Province, Terrain
from gamesmaster.errors import GamesmasterError, NotFound, nearest
from gamesmaster.pictures.shapes.files import shapes_of
from gamesmaster.pictures.shapes.values import NOWHERE, Label, Layout, Place, Point, Shapes
from gamesmaster.variant import RULES, SHAPES, read_rules_text, read_variant


def lint_shapes(board: Board, shapes: Shapes) -> list[Finding]:
    """Return everything suspicious about the shapes of a board, errors first.

    Provinces without shapes; borders drawn but not on the board and the reverse, unless a link explains them; missing
    spots and labels, and things in a layout that overlap or lie outside.
    """
    found = [*_lint_provinces(board, shapes), *lint_borders(board, shapes), *lint_places(board, shapes)]
    return sorted(found, key=lambda finding: finding.level)


def lint_files(folder: Path) -> list[Finding]:
    """Return the findings on the files beside a `variant.toml`: the rules for players, and the map."""
    findings: list[Finding] = []
    try:
        read_rules_text(folder)
    except NotFound:
        findings.append(Finding.warning("no-rules", folder / RULES, "there are no rules for players to read"))
    except GamesmasterError as fault:
        findings.append(Finding.error("bad-rules", fault.where, fault.what, fault.hint))
    try:
        played = read_variant(folder)
    except GamesmasterError:
        return findings  # told already; the map is looked at when the rest can be read
    try:
        findings += lint_shapes(played.board, shapes_of(played, folder))
    except NotFound:
        hint = "gamesmaster board build makes one"
        findings.append(Finding.warning("no-map", folder / SHAPES, "there is no map", hint))
    except GamesmasterError as fault:
        findings.append(Finding.error("bad-map", fault.where, fault.what, fault.hint))
    return findings


def _lint_provinces(board: Board, shapes: Shapes) -> Iterator[Finding]:
    """Yield provinces of the board that are not drawn, and shapes in play that are not on the board."""
    if board.name != shapes.board:
        yield Finding.warning(
            "another-board", "", f"these are the shapes of {shapes.board!r}, the board is {board.name!r}"
        )
    for province in board.provinces:
        if province.id not in shapes.provinces:
            hint = nearest(province.id, shapes.provinces.keys() - board.index.keys())
            yield Finding.error("no-shape", province.id, f"{province.name} has no shape", hint)
        elif not shapes.provinces[province.id].rings:
            yield Finding.error("no-shape", province.id, f"the shape of {province.name} is empty")
    for key in shapes.provinces:
        places = [layout[key] for layout in shapes.layouts.values() if key in layout]
        in_play = any(p.spots[""] or p.centre or any(label.role == "code" for label in p.labels) for p in places)
        if key not in board.index and in_play:  # land out of play may only have a shape and a name
            hint = nearest(key, board.index.keys() - shapes.provinces.keys())
            yield Finding.error(
                "shape-of-nothing", key, "a shape with room for units, but no province of the board", hint
            )


Pair = frozenset[str]

_NEARLY = 0.25  # of the least contact: how far from it a contact is sure to be meant
_ROUNDED = 0.06  # kilometres: lengths are written to a tenth


def lint_borders(board: Board, shapes: Shapes) -> Iterator[Finding]:
    """Yield findings about every pair of provinces in play that touch or are adjacent.

    Lands that touch must be adjacent for armies, and waters, or water and land, for fleets, unless a link says
    something else. Islands and boxes count as water. A fleet's step from land to land cannot be seen in the shapes
    alone: it needs lands that touch, and a water that touches both.
    """
    chart = _Chart(board, shapes)
    known = [p.id for p in board.provinces if p.terrain is not Terrain.IMPASSABLE and p.id in shapes.provinces]
    for a, b in combinations(known, 2):
        pair = frozenset((a, b))
        if pair in chart.contacts or any(pair in pairs for pairs in chart.edges.values()) or pair in chart.linked:
            yield from chart.pair(a, b)


class _Chart:
    """The contacts by the shapes, and the adjacencies by the board, by pairs of provinces."""

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
        """Yield findings about one pair."""
        on_land = self.land[a] and self.land[b]
        if on_land:
            yield from self.coastal_step(a, b)
        for kind, touching in ((ARMY, on_land), (FLEET, not on_land)):
            if kind in self.board.ways and (touching or kind == ARMY):
                yield from self.border(a, b, kind, touching=touching)

    def border(self, a: str, b: str, kind: str, *, touching: bool) -> Iterator[Finding]:
        """Yield findings about the border of two provinces; `touching` says that contacts decide."""
        way, pair = self.way(kind), frozenset((a, b))
        contact, least = self.contacts.get(pair, 0.0), self.least(a, b)
        adjacent, link = pair in self.edges.get(way, ()), self.links.get((way, pair))
        if link:
            if adjacent != (link == "+"):
                yield self.unheeded_link(a, b, kind, link)
        elif adjacent and not touching:
            text = f"{_UNITS[kind]} pass, but {self.name(b if self.land[a] else a)} is water"
            yield Finding.error("border-not-drawn", f"{a} - {b}", text, _row(a, b, "+", kind))
        elif adjacent and contact < least - _ROUNDED:
            text = f"{_UNITS[kind]} pass, but {self.contact_words(a, b, contact, least)}"
            yield Finding.error("border-not-drawn", f"{a} - {b}", text, _row(a, b, "+", kind))
        elif not adjacent and touching and contact >= least + _ROUNDED:
            text = f"{self.contact_words(a, b, contact, least)}, but {_UNITS[kind]} do not pass"
            yield Finding.error("border-not-on-board", f"{a} - {b}", text, _row(a, b, "-", kind))
        elif touching and abs(contact - least) <= _NEARLY * least:
            text = f"{self.contact_words(a, b, contact, least)}: a small change would decide who may pass"
            op = "+" if adjacent else "-"
            yield Finding.warning("doubtful-border", f"{a} - {b}", text, _row(a, b, op, kind, "to settle it"))

    def coastal_step(self, a: str, b: str) -> Iterator[Finding]:
        """Yield findings about a fleet's step from land to land."""
        way, pair = self.way(FLEET), frozenset((a, b))
        adjacent, link = pair in self.edges.get(way, ()), self.links.get((way, pair))
        if link:
            if adjacent != (link == "+"):
                yield self.unheeded_link(a, b, FLEET, link)
        elif adjacent and not self.touch(a, b):
            contact = self.contacts.get(pair, 0.0)
            text = f"fleets pass, but {self.contact_words(a, b, contact, self.least(a, b))}"
            yield Finding.error("border-not-drawn", f"{a} - {b}", text, _row(a, b, "+", FLEET))
        elif adjacent and self.waters.get(a, set()).isdisjoint(self.waters.get(b, ())):
            text = f"fleets pass, but no sea touches both {self.name(a)} and {self.name(b)}"
            yield Finding.error("step-without-sea", f"{a} - {b}", text, _row(a, b, "+", FLEET))

    def way(self, kind: str) -> str:
        """Return the way of travel of armies or fleets that is drawn; "" for a kind that the board does not have."""
        plain = {ARMY: "army", FLEET: FLEET_WAY}
        return plain[kind] if kind in self.board.traits else self.board.ways.get(kind, "")

    def least(self, a: str, b: str) -> float:
        """Return the contact, in kilometres, that makes a border of these two."""
        least, lands = self.shapes.least, self.land[a] + self.land[b]
        return (least.sea, least.shore, least.land)[lands]

    def touch(self, a: str, b: str) -> bool:
        """Return whether these two touch or are linked."""
        pair = frozenset((a, b))
        return pair in self.joined or self.contacts.get(pair, 0.0) >= self.least(a, b) - _ROUNDED

    def contact_words(self, a: str, b: str, contact: float, least: float) -> str:
        """Return the length of the contact of these two, in words."""
        names = f"{self.name(a)} and {self.name(b)}"
        return f"{names} touch along {contact:g} km ({least:g} make a border)" if contact else f"{names} do not touch"

    def unheeded_link(self, a: str, b: str, kind: str, op: str) -> Finding:
        """Return a link that the board does not follow."""
        names = f"{self.name(a)} and {self.name(b)}"
        does, change = ("do not pass", "added") if op == "+" else ("pass", "taken away")
        text = f"{_UNITS[kind]} {does} between {names}, though the shapes say that the border was {change}"
        return Finding.error("link-unheeded", f"{a} - {b}", text, "build the board again")

    def name(self, key: str) -> str:
        """Return the name of a province."""
        return self.board.province(key).name


_UNITS = {ARMY: "armies", FLEET: "fleets"}
_WHO = {ARMY: "army", FLEET: "fleet"}


def _row(a: str, b: str, op: str, kind: str, why: str = "if that is meant") -> str:
    """Return the row to write in `edges.csv`."""
    return f"{why}, in edges.csv: {a},{b},{op},{_WHO[kind]},,,and the reason"


_SLACK = 1.5  # page units: coordinates are rounded
_MOST = 10_000  # things, and overlaps: a large board has some 1,500 things
_SHARED = 0.36  # how much of a unit's width a second unit of the same province may cover, each way


def lint_places(board: Board, shapes: Shapes) -> Iterator[Finding]:
    """Yield findings about both layouts: first each province in play, then things that overlap."""
    outlines = {key: shapes.outline(key) for key in shapes.provinces}
    for name, layout in shapes.layouts.items():
        for province in board.provinces:
            if province.id in shapes.provinces and province.terrain is not Terrain.IMPASSABLE:
                yield from _lacking(province, layout.get(province.id, NOWHERE), name)
        things = list(_things(layout))
        yield from _astray(things, outlines, name)
        yield from _in_the_way(things, shapes.size, name)


def _lacking(province: Province, place: Place, layout: str) -> Iterator[Finding]:
    """Yield what the layout lacks for a province in play, or has wrong."""
    where = f"{province.id} ({layout})"
    if not place.spots[""]:
        yield Finding.error("no-spot", where, "no spot for a unit")
    for coast in province.coasts:
        if not place.spots.get(coast):
            yield Finding.error("no-spot", where, f"no spot for a fleet at {province.id}/{coast}")
    for coast in place.spots:
        if coast and coast not in province.coasts:
            yield Finding.error(
                "spot-for-no-coast", where, f"a spot for {province.id}/{coast}, a coast that is not on the board"
            )
    codes = [label.text for label in place.labels if label.role == "code"]
    if not codes:
        yield Finding.error("no-code", where, f"no label says that this is {province.abbr}")
    for code in codes:
        if code.casefold() not in (province.abbr.casefold(), f"{province.abbr} {province.id}".casefold()):
            yield Finding.error(
                "wrong-code", where, f"the label says {code!r}, orders are written with {province.abbr!r}"
            )
    if province.centre != (place.centre is not None):
        lack = (
            "a supply centre without its mark" if province.centre else "the mark of a supply centre, but it is not one"
        )
        yield Finding.error("centre-mark", where, lack)


def _astray(things: Iterable[_Thing], outlines: Mapping[str, list[list[Point]]], layout: str) -> Iterator[Finding]:
    """Yield the things outside their province: units, centre, ends of leaders; extras only get a warning."""
    for thing in things:
        if thing.at is None or inside(thing.at, outlines[thing.province]):
            continue
        level = Finding.warning if thing.kind == "extra" else Finding.error
        code, what = f"{thing.kind}-outside", f"{thing.name} is at {thing.at}"
        if thing.kind == "label":
            code, what = "leader-outside", f"the line from the {thing.name} ends at {thing.at}"
        yield level(code, f"{thing.province} ({layout})", f"{what}, which is not in the province")


@dataclass(frozen=True, slots=True)
class _Thing:
    """Something drawn.

    `at` is the point of it that must lie in the province: the middle, or for a label the end of its leader, if it has
    one.  `first` sets a first unit and a coast's apart from later ones.
    """

    province: str
    kind: str  # label, spot, extra, centre
    name: str
    box: Box
    at: Point | None
    room: int = 0
    first: bool = True


def _things(layout: Layout) -> Iterator[_Thing]:
    for key, place in layout.items():
        for coast, spots in place.spots.items():
            for n, (x, y, room) in enumerate(spots):
                name = f"spot {n + 1}{' of ' * bool(coast)}{coast} of {key}"
                yield _Thing(key, "spot", name, box((x, y), room, room), (x, y), room, n == 0)
        for n, (x, y, room) in enumerate(place.extras, 1):
            yield _Thing(key, "extra", f"small place {n} of {key}", box((x, y), room, room), (x, y))
        if place.centre:
            x, y, r = place.centre
            yield _Thing(key, "centre", f"centre mark of {key}", box((x, y), 2 * r, 2 * r), (x, y))
        for label in place.labels:
            yield _Thing(key, "label", f"label {label.text!r} of {key}", label_box(label), label.leader)


def _in_the_way(things: Sequence[_Thing], size: Point, name: str) -> Iterator[Finding]:
    """Yield things that overlap each other, or leave the frame."""
    for thing in things:
        if not thing.box.within(size, _SLACK):
            yield Finding.error("out-of-frame", f"{thing.province} ({name})", f"{thing.name} leaves the frame")
    if len(things) > _MOST:
        yield Finding.error(
            "crowded", name, f"{len(things):,} things to draw: overlaps are looked for among {_MOST:,} at most"
        )
        return
    for i, j, depth in islice(overlapping([thing.box for thing in things]), _MOST):
        a, b = things[i], things[j]
        if depth > _allowance(a, b):
            where = f"{a.province} ({name})" if a.province == b.province else f"{a.province}, {b.province} ({name})"
            level = Finding.warning if a.province == b.province and a.kind == b.kind == "spot" else Finding.error
            yield level("overlap", where, f"{a.name} and {b.name} overlap by {depth:.0f} units")


def _allowance(a: _Thing, b: _Thing) -> float:
    """Return how far two things may overlap: a second unit may overlap the first of its province a little."""
    if a.province == b.province and a.kind == b.kind == "spot" and not (a.first and b.first):
        return _SHARED * min(a.room, b.room)
    return _SLACK


Corner = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the page, by its corners in turn."""

    corners: tuple[Corner, Corner, Corner, Corner]

    def bounds(self) -> tuple[float, float, float, float]:
        """Return the least x, least y, greatest x and greatest y."""
        xs, ys = zip(*self.corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def depth(self, other: Box) -> float:
        """Return how far the two overlap: the least shift that would separate them; negative if they are apart."""
        return min(_overlap(self.corners, other.corners, axis) for box in (self, other) for axis in box.axes())

    def axes(self) -> Iterator[Corner]:
        """Yield the directions of its sides, of length 1."""
        for (x, y), (u, v) in pairwise(self.corners[:3]):
            length = hypot(u - x, v - y) or 1
            yield (u - x) / length, (v - y) / length

    def within(self, size: Point, slack: float) -> bool:
        """Return whether it lies in a frame of this width and height, with this slack."""
        return all(-slack <= x <= size[0] + slack and -slack <= y <= size[1] + slack for x, y in self.corners)


def box(middle: Point, width: float, height: float, turn: float = 0) -> Box:
    """Return a rectangle about its middle, turned by this many degrees clockwise."""
    c, s = cos(radians(turn)), sin(radians(turn))
    halves = [(dx * width / 2, dy * height / 2) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    a, b, d, e = [(middle[0] + dx * c - dy * s, middle[1] + dx * s + dy * c) for dx, dy in halves]
    return Box((a, b, d, e))


def label_box(label: Label) -> Box:
    """Return the room that a line of text takes."""
    return box(label.at, label.width, label.height, label.turn)


def overlapping(boxes: Sequence[Box]) -> Iterator[tuple[int, int, float]]:
    """Yield pairs of boxes that overlap, as numbers, the lower first, and the depth of the overlap."""
    bounds = [b.bounds() for b in boxes]
    order = sorted(range(len(boxes)), key=bounds.__getitem__)
    for at, i in enumerate(order):
        _, top, right, bottom = bounds[i]
        for j in islice(order, at + 1, None):
            if bounds[j][0] >= right:
                break
            if bounds[j][1] < bottom and bounds[j][3] > top and (depth := boxes[i].depth(boxes[j])) > 0:
                yield min(i, j), max(i, j), depth


def inside(point: Point, rings: Iterable[Sequence[Point]]) -> bool:
    """Return whether the point is in this area, by the even-odd rule.

    >>> square = [(0, 0), (10, 0), (10, 10), (0, 10)]
    >>> inside((5, 5), [square]), inside((15, 5), [square]), inside((5, 5), [square, [(4, 4), (6, 4), (5, 8)]])
    (True, False, False)
    """
    x, y = point
    odd = False
    for ring in rings:
        u, v = ring[-1]
        for p, q in ring:
            if (q > y) != (v > y) and x < (u - p) * (y - q) / (v - q) + p:
                odd = not odd
            u, v = p, q
    return odd


def _overlap(ours: Iterable[Corner], theirs: Iterable[Corner], axis: Corner) -> float:
    a = [x * axis[0] + y * axis[1] for x, y in ours]
    b = [x * axis[0] + y * axis[1] for x, y in theirs]
    return min(max(a), max(b)) - max(min(a), min(b))
