"""What a layout is made from: the provinces to be filled, and how large the things in them are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry


@dataclass(frozen=True, slots=True)
class Placing:
    """A province as the layout sees it.

    `shape` is in page units, best with whole numbers for coordinates.  `coasts` gives for each split coast the place by
    which its unit lies: a point, or the sea part of its frontier.  `spots` is how many units want a place, `extras` how
    many small marks.  A province that is not `playable` gets its name if there is room, and nothing else.
    """

    shape: Polygon | MultiPolygon
    code: str
    name: str = ""
    water: bool = False
    playable: bool = True
    centre: bool = False
    coasts: Mapping[str, BaseGeometry] = field(default_factory=dict)
    spots: int = 2
    extras: int = 0


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large things are, in page units: as wished, and the least that can still be read.

    `room` is the side of a unit's square, `code` and `name` are sizes of type (`name` 0: no names), `centre` is the
    radius of a supply centre's mark, `extra` the side of a small mark.
    """

    room: int
    room_least: int
    code: int
    code_least: int
    name: int
    name_least: int
    centre: int
    extra: int
    extra_least: int

    def rooms(self) -> tuple[int, ...]:
        """Sides of a unit's square worth trying, from the wished one down to below the least."""
        between = range(self.room // 8 * 8 - 8, self.room_least, -8)
        below = (round(self.room_least * part / 4) * 4 for part in (0.85, 0.7, 0.55))
        return tuple(dict.fromkeys((self.room, *between, self.room_least, *below)))

    def extra_side(self, room: int) -> int:
        """The side of small marks beside units of this size."""
        return max(self.extra_least, round(self.extra * min(1.0, room / self.room)))


WIDE = Sizes(
    room=84, room_least=46, code=34, code_least=25, name=26, name_least=20, centre=13, extra=40, extra_least=26
)
"""For pictures of 700 pixels and more."""

NARROW = Sizes(
    room=120, room_least=60, code=66, code_least=44, name=0, name_least=0, centre=18, extra=56, extra_least=40
)
"""For phones: larger signs, codes only."""
