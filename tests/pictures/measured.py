"""What is on a map, measured on the drawn SVG itself: where its names and its units lie.

Nothing here asks the layouts: a name is where its `<text>` says, a unit where its group is moved to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, dist, radians, sin
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
CAPITALS = 0.71  # height of capitals for a font of size 1
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")

Corner = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle on the page, turned about its middle by an angle in degrees."""

    what: str
    x: float
    y: float
    width: float
    height: float
    turn: float = 0.0

    def corners(self) -> list[Corner]:
        """Its four corners, one after the other."""
        along, across = radians(self.turn), radians(self.turn + 90)
        half = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        return [
            (
                self.x + a * self.width * cos(along) + b * self.height * cos(across),
                self.y + a * self.width * sin(along) + b * self.height * sin(across),
            )
            for a, b in half
        ]


def names(svg: str) -> list[Box]:
    """Every name and code of a province; they are the texts that are set to a length."""
    return [box for node in _root(svg).iter(f"{SVG}text") for box in names_of(node)]


def names_of(node: ET.Element) -> Iterator[Box]:
    """The name or code that a text is, if it is one."""
    if "textLength" in node.attrib:
        size, width = float(node.attrib["font-size"]), float(node.attrib["textLength"])
        middle = float(node.attrib["y"]) - CAPITALS / 2 * size
        turn = _NUMBERS.findall(node.attrib.get("transform", "0"))[0]
        yield Box(node.text or "", float(node.attrib["x"]), middle, width, CAPITALS * size, float(turn))


def units(svg: str) -> list[Box]:
    """Every unit, by its number, as the square that its sign fills."""
    return [_square(node, node.attrib["data-unit"]) for node in _signs(svg) if "data-unit" in node.attrib]


def marks(svg: str) -> list[Box]:
    """Every mark, by what is said of it, as the square that its sign fills."""
    return [_square(node, node.attrib["aria-label"]) for node in _signs(svg) if "data-unit" not in node.attrib]


def _signs(svg: str) -> list[ET.Element]:
    nodes = _root(svg).iter()
    return [node for node in nodes if "scale" in node.get("transform", "") and node.get("role") == "img"]


def _square(node: ET.Element, what: str) -> Box:
    x, y, scale = map(float, _NUMBERS.findall(node.attrib["transform"])[:3])
    return Box(what, x, y, 100 * scale, 100 * scale)


def overlaps(first: Sequence[Box], second: Sequence[Box], slack: float = 1.0) -> Iterator[tuple[str, str]]:
    """Pairs of boxes, one of each, that reach into each other by more than `slack` units."""
    for number, a in enumerate(first):
        others = first[number + 1 :] if second is first else second
        for b in others:
            near = (a.width + a.height + b.width + b.height) / 2
            if abs(a.x - b.x) < near and abs(a.y - b.y) < near and _depth(a.corners(), b.corners()) > slack:
                yield a.what, b.what


def _depth(a: list[Corner], b: list[Corner]) -> float:
    """How far two convex shapes reach into each other: the least overlap along any of their sides' directions."""
    depths = []
    for shape in (a, b):
        for (x0, y0), (x1, y1) in pairwise(shape):
            length = dist((x0, y0), (x1, y1))
            nx, ny = (y0 - y1) / length, (x1 - x0) / length
            spans = [[x * nx + y * ny for x, y in corners] for corners in (a, b)]
            depths.append(min(max(s) for s in spans) - max(min(s) for s in spans))
    return min(depths)


def inside(point: Corner, rings: Sequence[Sequence[Corner]]) -> bool:
    """Is a point in an area, by the even-odd rule?"""
    x, y = point
    crossings = 0
    for ring in rings:
        for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                crossings += 1
    return crossings % 2 == 1


def _root(svg: str) -> ET.Element:
    return ET.fromstring(svg)
