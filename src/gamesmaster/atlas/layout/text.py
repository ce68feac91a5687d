"""The things to lay out, their sizes, and their text as blocks.

The code on top of the name's lines, level or turned.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, pairwise

from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.layout.grid import Rect, rect_around
from gamesmaster.pictures import TALL, Label, Point, Role, text_width


@dataclass(frozen=True, slots=True)
class Placing:
    """A province as the layout sees it."""

    shape: Polygon | MultiPolygon  # in page units, best with whole numbers for coordinates
    code: str
    name: str = ""
    water: bool = False
    playable: bool = True  # others get their name if there is room, and nothing else
    centre: bool = False
    coasts: Mapping[str, BaseGeometry] = field(default_factory=dict)  # of units at split coasts
    spots: int = 2  # how many units want a place
    extras: int = 0  # how many small marks


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of things, in page units: as wanted, and the least that can still be read."""

    room: int  # the side of a unit's square
    room_least: int
    code: int  # its size of type
    code_least: int
    name: int  # likewise, 0 for no names
    name_least: int
    centre: int  # the radius of a supply centre's mark
    extra: int  # the side of a small mark
    extra_least: int

    def rooms(self) -> tuple[int, ...]:
        """Return the sides to try for a unit's square, from the wished one down to below the least."""
        between = range(self.room // 8 * 8 - 8, self.room_least, -8)
        below = (round(self.room_least * part / 4) * 4 for part in (0.85, 0.7, 0.55))
        return tuple(dict.fromkeys((self.room, *between, self.room_least, *below)))

    def extra_side(self, room: int) -> int:
        """Return the side of small marks next to units of this size."""
        return max(self.extra_least, round(self.extra * min(1.0, room / self.room)))


WIDE = Sizes(
    room=84, room_least=46, code=34, code_least=25, name=26, name_least=20, centre=13, extra=40, extra_least=26
)
"""For pictures of 700 pixels and more."""

NARROW = Sizes(
    room=120, room_least=60, code=66, code_least=44, name=0, name_least=0, centre=18, extra=56, extra_least=40
)
"""For phones: larger signs, codes only."""

LAYOUTS = {"wide": WIDE, "narrow": NARROW}
"""Both layouts of a map, by name."""


# -- text as blocks ----------------------------------------------------------------------------------------------------


LEADING = 1.08  # from line to line, in sizes of the type
MOST_LINES = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block: its text, and where its middle lies from the block's middle."""

    text: str
    role: Role
    size: int
    width: int
    dx: float
    dy: float


@dataclass(frozen=True, slots=True)
class Block:
    """Lines set together.  `cost` says how far this setting is from the best one."""

    lines: tuple[Line, ...]
    turn: int
    cost: float

    def rects(self) -> tuple[Rect, ...]:
        """Return rectangles in cells that cover the lines; a turned line is cut into short pieces."""
        return _rects(self.lines, self.turn)

    def labels(self, at: Point, leader: Point | None = None) -> tuple[Label, ...]:
        """Return the labels of the block with its middle here; the leader goes from the first line."""
        return tuple(
            Label(
                line.text,
                line.role,
                (at[0] + round(line.dx), at[1] + round(line.dy)),
                line.size,
                line.width,
                self.turn,
                None if number else leader,
            )
            for number, line in enumerate(self.lines)
        )


@lru_cache(maxsize=4096)
def _rects(lines: tuple[Line, ...], turn: int) -> tuple[Rect, ...]:
    along = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    found: list[Rect] = []
    for line in lines:
        tall = TALL * line.size
        pieces = max(1, math.ceil(line.width / (1.5 * tall))) if turn else 1
        piece = line.width / pieces
        half_x = (piece * abs(along[0]) + tall * abs(along[1])) / 2
        half_y = (piece * abs(along[1]) + tall * abs(along[0])) / 2
        for k in range(pieces):
            off = (k + 0.5) * piece - line.width / 2
            # a unit more each way: a label's middle is rounded to whole numbers
            found.append(rect_around(line.dx + off * along[0], line.dy + off * along[1], half_x + 0.6, half_y + 0.6))
    return tuple(found)


def block(parts: list[tuple[str, Role, int]], turn: int = 0, cost: float = 0.0) -> Block:
    """Return a block of lines (text, role, size), set under each other around a common middle."""
    heights = [TALL * size for _, _, size in parts]
    gaps = [(LEADING - TALL) * min(a[2], b[2]) for a, b in pairwise(parts)]
    total = sum(heights) + sum(gaps)
    lines, top = [], -total / 2
    sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))
    for n, (text, role, size) in enumerate(parts):
        down = top + heights[n] / 2
        width = math.ceil(text_width(text, size, bold=role == "code"))
        lines.append(Line(text, role, size, width, round(-down * sine, 3), round(down * cosine, 3)))
        top += heights[n] + (gaps[n] if n < len(gaps) else 0.0)
    return Block(tuple(lines), turn, cost)


@lru_cache(maxsize=2048)
def line_breaks(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the ways to set a name: for each number of lines the best balanced one, fewest lines first."""
    words = name.split()
    found = []
    for count in range(1, min(MOST_LINES, len(words)) + 1):
        cuts = (
            tuple(" ".join(words[a:b]) for a, b in zip((0, *cut), (*cut, len(words)), strict=True))
            for cut in combinations(range(1, len(words)), count - 1)
        )
        found.append(min(cuts, key=lambda lines: (max(map(_length, lines)), lines)))
    return tuple(found)


def _length(text: str) -> float:
    return round(text_width(text, 100), 3)


@lru_cache(maxsize=2048)
def blocks(code: str, name: str, sizes: Sizes, largest: float, turns: tuple[int, ...]) -> tuple[Block, ...]:
    """Return every block worth trying for a playable province.

    `largest` is the factor by which the name may be larger than usual; `turns` are the angles allowed besides level.
    """
    return tuple(_blocks(code, name, sizes, largest, turns))


def _blocks(code: str, name: str, sizes: Sizes, largest: float, turns: tuple[int, ...]) -> Iterator[Block]:
    if name and sizes.name:
        above = [round(sizes.name * part) for part in (1.5, 1.3, 1.15) if part <= largest]
        for size in dict.fromkeys((*above, *steps(sizes.name, sizes.name_least, 3))):
            code_size = max(sizes.code_least, round(sizes.code * max(0.85, size / sizes.name)))
            smaller = max(0.0, (sizes.name * largest - size) / sizes.name)
            for lines in line_breaks(name):
                parts: list[tuple[str, Role, int]] = [(line, "name", size) for line in lines]
                if name != code:
                    parts.insert(0, (code, "code", code_size))
                elif len(parts) == 1:
                    parts = [(code, "code", code_size)]
                cost = 6.0 * smaller * (0.35 if size > sizes.name else 1.0) + 0.15 * (len(lines) - 1)
                yield block(parts, 0, cost)
                for turn in turns:
                    yield block(parts, turn, cost + 0.9 + abs(turn) / 100)
    alone = 3.5 if sizes.name else 0.0
    for size in steps(sizes.code, sizes.code_least, max(3, sizes.code // 10)):
        yield block([(code, "code", size)], 0, alone + 4.0 * (sizes.code - size) / sizes.code)


def name_blocks(name: str, sizes: Sizes, largest: float, turns: tuple[int, ...]) -> Iterator[Block]:
    """Yield blocks of a name alone, for land out of play, never larger than the names of provinces in play."""
    for size in steps(round(sizes.name * min(largest, 1.0)), sizes.name_least, 3):
        for lines in line_breaks(name):
            parts: list[tuple[str, Role, int]] = [(line, "name", size) for line in lines]
            cost = 6.0 * (sizes.name - size) / sizes.name + 0.15 * (len(lines) - 1)
            yield block(parts, 0, cost)
            for turn in turns:
                yield block(parts, turn, cost + 0.9 + abs(turn) / 100)


def steps(wished: int, least: int, stride: int) -> tuple[int, ...]:
    """Return sizes from the wished one down to the least."""
    return tuple(dict.fromkeys((*range(wished, least, -stride), least))) if wished > least else (wished,)
