"""Shapes read from data: every value with its place, every bound kept, every reference led somewhere.

Written by hand rather than with pydantic: a file is mostly one long list of integers, and these checks go over it at
the speed of the built-in functions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import accumulate
from types import MappingProxyType
from typing import Literal, NamedTuple, NoReturn, cast

from gamesmaster.errors import BadShapes, nearest
from gamesmaster.pictures.shapes.values import (
    Arc,
    Backdrop,
    Disc,
    Label,
    Layout,
    Least,
    Link,
    LinkKind,
    Place,
    Point,
    ProvinceShape,
    Ring,
    Role,
    Shapes,
    Spot,
)
from gamesmaster.strictjson import path_text

MARGIN = 1_000
"""The distance from the frame, in page units, at which things may still lie."""

PROVINCE = re.compile(r"[A-Za-z0-9]{1,16}\Z")
LOCATION = re.compile(r"[A-Za-z0-9]{1,16}(/[A-Z]{1,4})?\Z")
COAST = re.compile(r"([A-Z]{1,4})?\Z")
_INTEGERS = frozenset([int])  # and not bool, which is a kind of int
WAY = re.compile(r"[a-z]{1,16}\Z")


class Node(NamedTuple):
    """A value, the path to it, and the name of the source."""

    value: object
    path: tuple[str | int, ...] = ()
    where: str = ""

    def fault(self, what: str, hint: str = "") -> NoReturn:
        """Refuse this value."""
        path = path_text(self.path)
        raise BadShapes(what, where=f"{self.where}, {path}" if self.where else path, hint=hint)

    def child(self, key: str | int, value: object) -> Node:
        """Return a value within this one."""
        return Node(value, (*self.path, key), self.where)

    def entry(self, needed: Collection[str], optional: Mapping[str, object] = MappingProxyType({})) -> dict[str, Node]:
        """Return an object with these keys and no others; `optional` gives the values of those that may be missing."""
        found = self.table(len(needed) + len(optional) + 1)
        for key in found:
            if key not in needed and key not in optional:
                self.child(key, None).fault("this key is not known here", nearest(key, [*needed, *optional]))
        for key in needed:
            if key not in found:
                self.child(key, None).fault("this key is missing")
        return {key: self.child(key, value) for key, value in optional.items()} | found

    def table(self, most: int, keys: re.Pattern[str] | None = None) -> dict[str, Node]:
        """Return an object with any keys, or any that match."""
        if not isinstance(self.value, dict):
            self.fault("expected an object")
        if len(self.value) > most:
            self.fault(f"more than {most:,} entries")
        for key in self.value:
            if not isinstance(key, str) or (keys and not keys.match(key)):
                self.child(str(key), None).fault("this key is not of the form expected here")
        return {key: self.child(key, value) for key, value in self.value.items()}

    def items(self, most: int) -> list[Node]:
        """Return a list."""
        if not isinstance(self.value, list):
            self.fault("expected a list")
        if len(self.value) > most:
            self.fault(f"more than {most:,} entries")
        return [self.child(number, value) for number, value in enumerate(self.value)]

    def integers(self, low: int, high: int, least: int, most: int, hint: str = "") -> tuple[int, ...]:
        """Return a list of at least `least` and at most `most` integers from `low` to `high`."""
        values = self._whole(least, most)
        if values and (min(values) < low or max(values) > high):
            for number, value in enumerate(values):
                self.child(number, value).integer(low, high, hint)
        return tuple(values)

    def steps(self, most: int) -> tuple[int, ...]:
        """Return pairs of integers, at least two pairs, at most `most` integers."""
        values = self._whole(4, most)
        if len(values) % 2:
            self.fault("an odd number of integers: x and y come in pairs")
        return tuple(values)

    def _whole(self, least: int, most: int) -> list[int]:
        if not isinstance(self.value, list):
            self.fault("expected a list of integers")
        if not least <= len(self.value) <= most:
            self.fault(f"{least:,} to {most:,} integers are expected here" if least < most else f"not {most} integers")
        if not _INTEGERS.issuperset(map(type, self.value)):
            wrong = next(number for number, value in enumerate(self.value) if type(value) is not int)
            self.child(wrong, None).fault("expected an integer")
        return self.value

    def integer(self, low: int, high: int, hint: str = "") -> int:
        """Return an integer from `low` to `high`."""
        if type(self.value) is not int or not low <= self.value <= high:
            self.fault(f"expected an integer from {low:,} to {high:,}", hint)
        return self.value

    def flag(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            self.fault("expected true or false")
        return self.value

    def number(self, above: float, high: float) -> float:
        """Return a number greater than `above`, at most `high`."""
        if type(self.value) not in (int, float) or not above < self.value <= high:  # type: ignore[operator]
            self.fault(f"expected a number from {above:,} to {high:,}")
        return float(self.value)  # type: ignore[arg-type]

    def text(self, longest: int, pattern: re.Pattern[str] | None = None) -> str:
        """Return a text without control characters, no longer than this, that matches."""
        if not isinstance(self.value, str):
            self.fault("expected a text")
        if len(self.value) > longest:
            self.fault(f"longer than {longest} characters")
        if not self.value.isprintable():
            self.fault("control characters and invisible marks are not allowed")
        if pattern and not pattern.match(self.value):
            self.fault(f"this is not of the form expected here, {self.value[:40]!r}")
        return self.value

    def choice(self, options: Collection[str]) -> str:
        """Return one of these words."""
        word = self.text(40)
        if word not in options:
            self.fault(f"not one of {', '.join(repr(o) for o in options)}", nearest(word, options))
        return word


MOST_ARCS = 20_000
MOST_POINTS = 200_000  # of all arcs and paths
MOST_DRAWN = 3 * MOST_POINTS  # counting an arc each time that a ring uses it: neighbours do so twice
MOST_PROVINCES = 1_000
MOST_LABELS = 4
MOST_SPOTS = 64  # of a province, over all its coasts; and as many extras
MOST_LINKS = 1_000
FRAME = (100, 20_000)  # least and most units of a side
_FARTHEST = FRAME[1] + MARGIN
_EARTH = 41_000  # kilometres round it
_KINDS = ("land", "arrow", "offboard", "canal", "")

Out = Literal["", "land", "sea"]


class Reader:
    """Reads the parts of one file; what comes first in it bounds what comes later."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.size: Point = (0, 0)
        self.arcs: tuple[Arc, ...] = ()
        self.ends: list[tuple[Point, Point]] = []
        self.known: dict[str, Node] = {}
        self.points = self.drawn = 0

    def shapes(self) -> Shapes:
        """Return the whole file."""
        needed = ("format", "board", "size", "km", "least", "arcs", "provinces", "layouts")
        entry = self.root.entry(needed, {"credit": "", "backdrop": {}, "links": [], "diagram": False})
        entry["format"].integer(1, 1)
        self.size = cast("Point", entry["size"].integers(*FRAME, 2, 2))
        self.arcs = tuple(self.arc(node) for node in entry["arcs"].items(MOST_ARCS))
        self.known = entry["provinces"].table(MOST_PROVINCES, PROVINCE)
        least = entry["least"].entry(("land", "shore", "sea"))
        layouts = entry["layouts"].entry(("wide", "narrow"))
        return Shapes(
            board=entry["board"].text(80),
            size=self.size,
            km=entry["km"].number(0, _EARTH),
            least=Least(**{kind: node.number(0, _EARTH) for kind, node in least.items()}),
            arcs=self.arcs,
            provinces={key: self.province(node) for key, node in self.known.items()},
            layouts={name: self.layout(node) for name, node in layouts.items()},
            backdrop=self.backdrop(entry["backdrop"]),
            links=tuple(self.link(node) for node in entry["links"].items(MOST_LINKS)),
            credit=entry["credit"].text(400),
            diagram=entry["diagram"].flag(),
        )

    # -- lines -------------------------------------------------------------------------------------------------------

    def arc(self, node: Node) -> Arc:
        """Return a line of two points or more, all of them near the frame."""
        arc = node.steps(2 * MOST_POINTS)
        self.points += len(arc) // 2
        if self.points > MOST_POINTS:
            node.fault(f"more than {MOST_POINTS:,} points so far")
        xs, ys = list(accumulate(arc[::2])), list(accumulate(arc[1::2]))
        for side, (numbers, far) in enumerate(((xs, self.size[0]), (ys, self.size[1]))):
            if min(numbers) < -MARGIN or max(numbers) > far + MARGIN:
                first = next(i for i, number in enumerate(numbers) if not -MARGIN <= number <= far + MARGIN)
                node.child(2 * first + side, None).fault("this step leads far out of the frame")
        self.ends.append(((xs[0], ys[0]), (xs[-1], ys[-1])))
        return arc

    def path(self, entry: dict[str, Node], key: str) -> Arc:
        """Return a line of a link: checked as an arc is, but not one of them."""
        arc = self.arc(entry[key])
        self.ends.pop()
        return arc

    def ring(self, node: Node) -> Ring:
        """Return a line that closes."""
        count = len(self.arcs)
        ring = node.integers(-count, count - 1, 1, MOST_ARCS, f"there are {count} arcs")
        for number, (arc, after) in enumerate(zip(ring, (*ring[1:], ring[0]), strict=True)):
            end = self.ends[arc][1] if arc >= 0 else self.ends[~arc][0]
            start = self.ends[after][0] if after >= 0 else self.ends[~after][1]
            if end != start:
                what = f"the ring is not closed: arc {arc} ends at {end}, but {after} begins at {start}"
                node.child(number, None).fault(what)
        self.drawn += sum(len(self.arcs[arc if arc >= 0 else ~arc]) // 2 for arc in ring)
        if self.drawn > MOST_DRAWN:
            node.fault(f"more than {MOST_DRAWN:,} points drawn so far")
        return ring

    def rings(self, node: Node) -> tuple[Ring, ...]:
        """Return closed lines."""
        return tuple(self.ring(ring) for ring in node.items(MOST_ARCS))

    def backdrop(self, node: Node) -> Backdrop:
        """Read the parts out of play."""
        entry = node.entry((), {"land": [], "lakes": [], "rivers": []})
        count = len(self.arcs)
        rivers = entry["rivers"].integers(0, count - 1, 0, count, f"there are {count} arcs")
        return Backdrop(self.rings(entry["land"]), self.rings(entry["lakes"]), rivers)

    # -- provinces and links -----------------------------------------------------------------------------------------

    def province(self, node: Node) -> ProvinceShape:
        """Return the outline of a province, and the lengths of its borders."""
        entry = node.entry(("rings",), {"contact": {}, "isles": [], "out": ""})
        contact = entry["contact"].table(MOST_PROVINCES)
        for key, length in contact.items():
            if key not in self.known or key == node.path[-1]:
                length.fault("not one of the other provinces with a shape", nearest(key, self.known))
        lengths = {key: length.number(0, _EARTH) for key, length in contact.items()}
        return ProvinceShape(
            rings=self.rings(entry["rings"]),
            contact=lengths,
            isles=self.rings(entry["isles"]),
            out=cast("Out", entry["out"].choice(("", "land", "sea"))),
        )

    def link(self, node: Node) -> Link:
        """Read a border added to those of the shapes, or taken from them."""
        entry = node.entry(("a", "b", "ways", "op"), {"kind": "", "path": None, "path2": None, "reason": ""})
        kind = entry["kind"].choice(_KINDS)
        lines = {"": (), "offboard": ("path", "path2")}.get(kind, ("path",))
        for key in ("path", "path2"):
            if (entry[key].value is not None) != (key in lines):
                node.fault(f"links of the kind {kind!r} have {' and '.join(lines) or 'no path'}")
        a, b = (end.text(21, LOCATION) for end in (entry["a"], entry["b"]))
        for end, key in ((entry["a"], a.partition("/")[0]), (entry["b"], b.partition("/")[0])):
            if key not in self.known:
                end.fault("no such province has a shape", nearest(key, self.known))
        if a.partition("/")[0] == b.partition("/")[0]:
            node.fault(f"this link leads from {a} to itself")
        return Link(
            a=a,
            b=b,
            ways=tuple(way.text(16, WAY) for way in entry["ways"].items(16)),
            op="+" if entry["op"].choice("+-") == "+" else "-",
            kind=cast("LinkKind", kind),
            reason=entry["reason"].text(400),
            **{key: self.path(entry, key) for key in lines},
        )

    # -- layouts -----------------------------------------------------------------------------------------------------

    def layout(self, node: Node) -> Layout:
        """Read the places of things in each province."""
        places = node.table(MOST_PROVINCES)
        for key, place in places.items():
            if key not in self.known:
                place.fault("no such province has a shape", nearest(key, self.known))
        return Layout({key: self.place(place) for key, place in places.items()})

    def place(self, node: Node) -> Place:
        """Read the places of things in one province."""
        entry = node.entry(("spots",), {"extras": [], "centre": None, "labels": []})
        spots = {coast: self.spots(spots) for coast, spots in entry["spots"].table(9, COAST).items()}
        if "" not in spots:
            entry["spots"].fault('no list of spots for the province at large, ""')
        if sum(map(len, spots.values())) > MOST_SPOTS:
            entry["spots"].fault(f"more than {MOST_SPOTS} spots")
        return Place(
            spots=spots,
            extras=self.spots(entry["extras"]),
            centre=None if entry["centre"].value is None else Disc(*self.round(entry["centre"])),
            labels=tuple(self.label(label) for label in entry["labels"].items(MOST_LABELS)),
        )

    def spots(self, node: Node) -> tuple[Spot, ...]:
        """Return spots for units."""
        return tuple(Spot(*self.round(spot)) for spot in node.items(MOST_SPOTS))

    def round(self, node: Node) -> tuple[int, int, int]:
        """Return a point and the room around it."""
        x, y, room = node.integers(-MARGIN, _FARTHEST, 3, 3)
        self.near(node, (x, y))
        if room < 1:
            node.child(2, room).integer(1, FRAME[1])
        return x, y, room

    def label(self, node: Node) -> Label:
        """Return a line of text."""
        entry = node.entry(("text", "role", "at", "size", "width"), {"turn": 0, "from": None})
        text = entry["text"].text(40)
        if not text.strip():
            entry["text"].fault("an empty text")
        return Label(
            text=text,
            role=cast("Role", entry["role"].choice(("code", "name"))),
            at=self.point(entry["at"]),
            size=entry["size"].integer(1, FRAME[1]),
            width=entry["width"].integer(1, FRAME[1]),
            turn=entry["turn"].integer(-180, 180),
            leader=None if entry["from"].value is None else self.point(entry["from"]),
        )

    def point(self, node: Node) -> Point:
        """Return a point near the frame."""
        x, y = node.integers(-MARGIN, _FARTHEST, 2, 2)
        self.near(node, (x, y))
        return x, y

    def near(self, node: Node, point: Point) -> None:
        """Refuse a point far out of the frame."""
        for side, (number, far) in enumerate(zip(point, self.size, strict=True)):
            if not -MARGIN <= number <= far + MARGIN:
                node.child(side, number).integer(-MARGIN, far + MARGIN)
