"""Orders that run over names, measured on the drawn SVG: what is painted after a line of text, and what beneath it.

A name is crossed if a stroke of an order that is painted after it runs through the middle of its line: the middle half
of the height of its capitals.  What is painted before is cut by the halo of the letters, and crosses nothing; how much
of that there is, is counted by itself.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians, sin

from tests.pictures.measured import SVG, Box, names_of
from tests.pictures.overlay import Point, parts


@dataclass(frozen=True)
class Ink:
    """A stroke of an order with this verb, by its class, as the points along it."""

    order: str
    verb: str
    kind: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Painted:
    """What was painted of a map, in turn: names and codes with the strength of their halo, and strokes of orders."""

    turns: tuple[tuple[Box, float] | Ink, ...]

    def over(self) -> Iterator[tuple[str, str]]:
        """Names that are crossed, each with the order that does it."""
        yield from self._meetings(above=True)

    def beneath(self, kinds: str) -> Iterator[tuple[str, str]]:
        """Names beneath whose middle strokes of some classes run, each with the order."""
        yield from self._meetings(above=False, kinds=kinds)

    @property
    def halos(self) -> set[float]:
        """How strong the halos of names are, from 0 for none to 1."""
        return {turn[1] for turn in self.turns if not isinstance(turn, Ink)}

    @property
    def names(self) -> list[Box]:
        """Every name and code."""
        return [turn[0] for turn in self.turns if not isinstance(turn, Ink)]

    @property
    def strokes(self) -> list[Ink]:
        """Every stroke of an order."""
        return [turn for turn in self.turns if isinstance(turn, Ink)]

    def _meetings(self, *, above: bool, kinds: str = "") -> Iterator[tuple[str, str]]:
        for at, turn in enumerate(self.turns):
            if isinstance(turn, Ink) and (not kinds or turn.kind in kinds):
                others = self.turns[:at] if above else self.turns[at + 1 :]
                boxes = _about(turn.points, [other[0] for other in others if not isinstance(other, Ink)])
                yield from ((box.what, turn.order) for box in boxes if any(in_middle(p, box) for p in turn.points))


def _about(points: tuple[Point, ...], boxes: list[Box]) -> list[Box]:
    """The lines of text that some of these points could lie in."""
    xs, ys = zip(*points, strict=True)
    west, east, north, south = min(xs), max(xs), min(ys), max(ys)
    return [
        box
        for box in boxes
        if (far := box.width + box.height) and west - far <= box.x <= east + far and north - far <= box.y <= south + far
    ]


def in_middle(point: Point, box: Box) -> bool:
    """Is a point in the middle of a line of text?"""
    dx, dy = point[0] - box.x, point[1] - box.y
    if abs(dx) + abs(dy) > box.width + box.height:
        return False
    c, s = cos(radians(box.turn)), sin(radians(box.turn))
    return abs(dx * c + dy * s) <= box.width / 2 and abs(dy * c - dx * s) <= box.height / 4


def painted(svg: str) -> Painted:
    """What is painted of a map's names and orders, in the turn in which it is painted."""
    root = ET.fromstring(svg)
    ids = {node.attrib["id"]: node for node in root.iter() if "id" in node.attrib}
    return Painted(tuple(_turns(root, ids, ())))


def _turns(
    node: ET.Element, ids: dict[str, ET.Element], above: tuple[ET.Element, ...]
) -> Iterator[tuple[Box, float] | Ink]:
    here = (*above, node)
    if node.tag == f"{SVG}defs" or node.get("class") == "letters":  # the same once more, above all halos
        return
    if node.tag == f"{SVG}use":
        yield from _turns(ids[node.attrib["href"][1:]], ids, here)
    elif node.tag == f"{SVG}text":
        yield from ((box, _halo(here)) for box in names_of(node))
    elif (
        node.tag == f"{SVG}path"
        and "class" in node.attrib
        and any(one.get("id", "").endswith("orders") for one in above)
    ):
        for points in parts(node.attrib["d"]):
            yield Ink(
                above[-1].attrib.get("id", ""),
                above[-1].attrib.get("class", "").partition(" ")[0],
                node.attrib["class"],
                tuple(_close(points)),
            )
    for child in node:
        yield from _turns(child, ids, here)


def _halo(nodes: tuple[ET.Element, ...]) -> float:
    """How strong the edge behind a text is, as its group or it says."""
    told = {key: value for node in nodes for key, value in node.attrib.items()}
    return float(told.get("stroke-opacity", 1)) if told.get("paint-order") == "stroke" and "stroke" in told else 0.0


def _close(points: list[Point], step: float = 4.0) -> Iterator[Point]:
    """The points of a line so close together that nothing slips between them."""
    for (ax, ay), (bx, by) in pairwise(points):
        many = max(1, int(max(abs(bx - ax), abs(by - ay)) / step))
        yield from ((ax + (bx - ax) * k / many, ay + (by - ay) * k / many) for k in range(many))
    yield from points[-1:]
