"""Shapes: where on the page each province lies, and where its units, marks and names are drawn.

Page units are integers: x grows to the right, y downwards, and the frame is about 4000 of them wide.  Borders are kept
as arcs, each shared exactly by the provinces on both sides of it, so that neighbours never gap or overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

Point = tuple[int, int]
"""Coordinates on the sheet, in its units."""
Arc = tuple[int, ...]
"""A line: x and y of its first point, then the step (dx, dy) to each of the others."""
Ring = tuple[int, ...]
"""A closed line: numbers of arcs end to end; n is arc n as it stands, a negative n is arc -1-n run backwards."""

Role = Literal["code", "name"]
"""What a label shows: the short key of a province, or its name."""
LinkKind = Literal["land", "arrow", "offboard", "canal", ""]
"""How a link between two provinces is drawn."""


class Spot(NamedTuple):
    """A place for one unit: the middle of a square `room` units wide."""

    x: int
    y: int
    room: int


class Disc(NamedTuple):
    """A place for the mark of a supply centre: its middle and its radius."""

    x: int
    y: int
    r: int


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text.

    `at` is the middle of the text, `size` the size of the font, `width` the length to which the line is set in any
    font, `turn` an angle in degrees clockwise.  `role` says what it is: the code that orders are written with, or
    (a line of) the name.  `leader` is the point in the province to which a line leads from a label that stands outside.
    """

    text: str
    role: Role
    at: Point
    size: int
    width: int
    turn: int = 0
    leader: Point | None = None

    @property
    def height(self) -> float:
        """The height of the line: capitals with their accents."""
        return TALL * self.size


TALL = 0.76
"""Height of a line of text for a font of size 1."""


@dataclass(frozen=True, slots=True)
class Place:
    """The things drawn in a province, and their places.

    `spots` holds the places for units by coast: "" for the province at large (the unit, then a dislodged or second one,
    and so on), and one entry for each split coast. `extras` are small places for the marks of mechanics.
    """

    spots: Mapping[str, tuple[Spot, ...]]
    extras: tuple[Spot, ...] = ()
    centre: Disc | None = None
    labels: tuple[Label, ...] = ()


NOWHERE = Place({"": ()})
"""The place of a province that a layout says nothing of."""


@dataclass(frozen=True, slots=True)
class Layout(Mapping[str, Place]):
    """Places by province, for one size of picture."""

    places: Mapping[str, Place] = field(default_factory=dict)

    def __getitem__(self, province: str) -> Place:
        return self.places[province]

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __hash__(self) -> int:  # so that what is worked out from a layout can be kept
        return hash(frozenset(self.places))


@dataclass(frozen=True, slots=True)
class ProvinceShape:
    """The outline of a province: its rings, outer ones and holes alike, filled by the even-odd rule.

    `contact` is the length in kilometres along which it touches each neighbour in the drawing.  `isles` are lands
    within its water, such as those of an archipelago.  `out` says whether an area outside the board is land or sea.
    """

    rings: tuple[Ring, ...]
    contact: Mapping[str, float] = field(default_factory=dict)
    isles: tuple[Ring, ...] = ()
    out: Literal["", "land", "sea"] = ""


@dataclass(frozen=True, slots=True)
class Backdrop:
    """The parts drawn but out of play: land outside the provinces, lakes, and rivers (numbers of arcs)."""

    land: tuple[Ring, ...] = ()
    lakes: tuple[Ring, ...] = ()
    rivers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A border that the shapes do not show, added by hand (`op` "+"), or one that they show wrongly (`op` "-").

    `kind` is how it is drawn: "land" (a crossing by land: dashes with dots at the ends), "arrow" (a passage for
    fleets), "offboard" (out of the frame by `path` and in again by `path2`), "canal", or "" (not at all).
    """

    a: str
    b: str
    ways: tuple[str, ...]
    op: Literal["+", "-"]
    kind: LinkKind = ""
    path: Arc = ()
    path2: Arc = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Least:
    """The contacts, in kilometres, that make a border: of land and land, land and sea, sea and sea."""

    land: float
    shore: float
    sea: float


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes of a board.

    `size` is the frame's width and height in page units, `km` the kilometres of a unit in the middle of the frame.
    A `diagram` shows no geography, and has no scale.  `layouts` holds "wide", for pictures of 700 pixels and more, and
    "narrow", for phones.
    """

    board: str
    size: Point
    km: float
    least: Least
    arcs: tuple[Arc, ...]
    provinces: Mapping[str, ProvinceShape]
    layouts: Mapping[str, Layout]
    backdrop: Backdrop = Backdrop()
    links: tuple[Link, ...] = ()
    credit: str = ""
    diagram: bool = False

    def arc_points(self, number: int) -> list[Point]:
        """Return the points of an arc, backwards if `number` is negative as in rings."""
        points = arc_points(self.arcs[number if number >= 0 else ~number])
        return points if number >= 0 else points[::-1]

    def ring_points(self, ring: Ring) -> list[Point]:
        """Return the corners of a ring, in its order; the first is not repeated at the end."""
        return [point for number in ring for point in self.arc_points(number)[:-1]]

    def outline(self, province: str) -> list[list[Point]]:
        """Return the rings of a province as points; raises `KeyError` for a province without a shape."""
        return [self.ring_points(ring) for ring in self.provinces[province].rings]


def arc_points(arc: Arc) -> list[Point]:
    """Return the points of a line.

    >>> arc_points((10, 20, 5, 0, 0, -5))
    [(10, 20), (15, 20), (15, 15)]
    """
    return list(zip(accumulate(arc[::2]), accumulate(arc[1::2]), strict=True))


def arc_of(points: list[Point]) -> Arc:
    """Return the line through these points.

    >>> arc_of([(10, 20), (15, 20), (15, 15)])
    (10, 20, 5, 0, 0, -5)
    """
    steps = [(x - x0, y - y0) for (x0, y0), (x, y) in pairwise(points)]
    return tuple(number for pair in [*points[:1], *steps] for number in pair)
