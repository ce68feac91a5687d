"""Overlays of orders taken apart: what was drawn for each order, and through which points its lines run."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import atan2, cos, dist, hypot, sin, sqrt, tau

from gamesmaster.board import Board, Position, units_from
from gamesmaster.judge import adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.pictures import Look
from gamesmaster.pictures.orders.model import Drawable
from gamesmaster.pictures.orders.overlay import draw_orders
from gamesmaster.pictures.shapes.values import Layout, Least, Place, Shapes, Spot
from gamesmaster.rules import Rules, Ruling
from gamesmaster.variant import find_variant

Point = tuple[float, float]
STANDARD = find_variant("standard")
RULES = Rules.of(STANDARD)
ROOM = 84


def grid(board: Board) -> Shapes:
    """Shapes without outlines: the provinces of a board row by row, wide apart, each with two spots and its coasts."""
    places = {}
    for number, province in enumerate(board.provinces):
        x, y = 200 + 400 * (number % 9), 200 + 400 * (number // 9)
        spots: dict[str, tuple[Spot, ...]] = {"": (Spot(x, y, ROOM), Spot(x + 70, y + 60, ROOM))}
        spots |= {coast: (Spot(x + 90 * side, y - 90, ROOM),) for side, coast in enumerate(province.coasts, -1)}
        places[province.id] = Place(spots)
    layout = Layout(places)
    return Shapes(board.name, (4000, 4000), 1, Least(1, 1, 1), (), {}, {"wide": layout, "narrow": layout})


@cache
def standard_grid() -> Shapes:
    """The provinces of the standard board row by row."""
    return grid(STANDARD.board)


def place(province: str, coast: str = "") -> Point:
    """Where the unit of a province stands on the grid of the standard board."""
    spot = standard_grid().layouts["wide"][province].spots[coast][0]
    return spot.x, spot.y


@dataclass(frozen=True)
class Drawn:
    """What was drawn for one order: the classes of its group, its title, and its strokes by class."""

    key: str
    classes: tuple[str, ...]
    title: str
    strokes: Mapping[str, tuple[str, ...]]

    def line(self, kind: str) -> list[Point]:
        """The points of its one stroke of a class."""
        (path,) = self.strokes[kind]
        return [point for part in parts(path) for point in part]


def overlay(text: str) -> dict[str, Drawn]:
    """The groups of an overlay by key, in the order drawn."""
    root = ET.fromstring(text)
    found = {}
    for group in root.findall("g"):
        strokes: dict[str, tuple[str, ...]] = {}
        for path in group.iter("path"):
            kind = path.attrib["class"]
            strokes[kind] = (*strokes.get(kind, ()), path.attrib["d"])
        key = group.attrib["id"].partition("o-")[2]
        title = group.findtext("title", "")
        assert key not in found
        found[key] = Drawn(key, tuple(group.attrib["class"].split()), title, strokes)
    return found


def movement(
    units: Mapping[str, Sequence[str]], orders: Mapping[str, Sequence[str]]
) -> tuple[Position, tuple[Ruling, ...]]:
    """A movement phase on the standard board, adjudicated."""
    position = Position(units_from(units))
    return position, adjudicate(RULES, PhaseKind.MOVEMENT, position, orders).rulings


def drawn(position: Position, drawables: Sequence[Drawable], style: str = "light") -> dict[str, Drawn]:
    """The overlay of orders on the grid of the standard board, by the orders as their sentences begin."""
    found = overlay(draw_orders(STANDARD.board, standard_grid(), position, drawables, Look(style=style)))
    return {one.title.split(": ", 1)[1].split(". ")[0].rstrip("."): one for one in found.values()}


def played(units: Mapping[str, Sequence[str]], orders: Mapping[str, Sequence[str]]) -> dict[str, Drawn]:
    """A movement phase on the grid, adjudicated and drawn."""
    return drawn(*movement(units, orders))


def parts(path: str) -> Iterator[list[Point]]:
    """The separate lines of a path, as points close to each other along it."""
    points: list[Point] = []
    for command, text in re.findall(r"([Mclahvz])([^Mclahvz]*)", path):
        numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", text)]
        if command == "M":
            if points:
                yield points
            points = [(numbers[0], numbers[1])]
        elif command == "l":
            for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
                points.append((points[-1][0] + dx, points[-1][1] + dy))
        elif command == "c":
            points += _curve(points[-1], numbers)
        elif command == "a":
            for k in range(0, len(numbers), 7):
                points += _arc(points[-1], *numbers[k : k + 7])
    yield points


def _arc(
    start: Point, r: float, _r: float, _turn: float, large: float, sweep: float, dx: float, dy: float
) -> list[Point]:
    """Points along a part of a circle."""
    half, (x, y) = hypot(dx, dy) / 2, start
    away = sqrt(max(0.0, r * r - half * half)) * (1 if large == sweep else -1)
    if half:
        x, y = x + dx / 2 + away * dy / (2 * half), y + dy / 2 - away * dx / (2 * half)
    begin, end = atan2(start[1] - y, start[0] - x), atan2(start[1] + dy - y, start[0] + dx - x)
    turn = (end - begin) % tau if sweep else -((begin - end) % tau)
    radius = dist(start, (x, y))
    return [(x + radius * cos(begin + turn * k / 24), y + radius * sin(begin + turn * k / 24)) for k in range(1, 25)]


def _curve(start: Point, numbers: Sequence[float]) -> list[Point]:
    x, y = start
    b, c, d = ((x + dx, y + dy) for dx, dy in zip(numbers[::2], numbers[1::2], strict=True))
    found = []
    for step in range(1, 33):
        u, v = step / 32, 1 - step / 32
        weights = (v * v * v, 3 * v * v * u, 3 * v * u * u, u * u * u)
        found.append(
            (
                sum(w * p[0] for w, p in zip(weights, (start, b, c, d), strict=True)),
                sum(w * p[1] for w, p in zip(weights, (start, b, c, d), strict=True)),
            )
        )
    return found


def centre(ring: Sequence[Point]) -> Point:
    """The middle of a closed line."""
    xs, ys = zip(*ring, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def nearest_to(point: Point, line: Sequence[Point]) -> float:
    """How near a line comes to a point."""
    return min(_from_segment(point, a, b) for a, b in pairwise(line))


def _from_segment(point: Point, a: Point, b: Point) -> float:
    (px, py), (ax, ay), (bx, by) = point, a, b
    square = (bx - ax) ** 2 + (by - ay) ** 2
    along = max(0.0, min(1.0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / square)) if square else 0.0
    return dist(point, (ax + along * (bx - ax), ay + along * (by - ay)))
