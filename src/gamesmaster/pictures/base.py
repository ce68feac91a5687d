"""The ground of a map: sea with its waterlines, land, what is out of play, the tinted edges of the home provinces.

Each province is a path with an id, drawn once; everything else that needs its shape uses that one again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from gamesmaster.board import Board, Province, Terrain
from gamesmaster.pictures.heraldry import Heraldry
from gamesmaster.pictures.palette import mix
from gamesmaster.pictures.patterns import TILE, pattern_tile
from gamesmaster.pictures.pen import ident, number, rings_path
from gamesmaster.pictures.shapes import Shapes
from gamesmaster.pictures.style import Sizes, Style

EDGE = 13  # page units: how far a home province's tint reaches in from its borders

WET = (Terrain.SEA, Terrain.BOX, Terrain.ISLANDS)


def province_id(province: str, prefix: str = "") -> str:
    """The id of a province's path."""
    return f"{prefix}p-{ident(province)}"


def paint_id(number: int, prefix: str = "") -> str:
    """The id of the pattern of a power's land; a negative number is nobody's."""
    return f"{prefix}k-{number if number >= 0 else 'n'}"


class Base:
    """The lowest part of a map.  `parts` alternate with provinces: a text, then the id whose label follows it."""

    def __init__(
        self, board: Board, shapes: Shapes, heraldry: Heraldry, style: Style, sizes: Sizes, prefix: str = ""
    ) -> None:
        self.board, self.shapes, self.heraldry, self.prefix = board, shapes, heraldry, prefix
        self.style, self.sizes = style, sizes
        drawn = [p for p in board.provinces if p.id in shapes.provinces]
        self.wet = [p for p in drawn if p.terrain in WET]
        self.dry = [p for p in drawn if p.land and p.terrain not in WET]
        self.closed = [p for p in drawn if p.terrain is Terrain.IMPASSABLE]

    def defs(self) -> str:
        """Definitions: the frame to which the map is cut, the powers' patterns, the hatching of what is closed."""
        style, prefix = self.style, self.prefix
        width, height = self.shapes.size
        tiles = [
            pattern_tile(paint_id(b.number, prefix), b.paint.pattern, b.paint.mark, style.hatching)
            for b in self.heraldry.bearers
        ]
        nobody = style.neutral
        tiles.append(pattern_tile(paint_id(-1, prefix), nobody.pattern, nobody.mark, style.hatching))
        return (
            f'<clipPath id="{prefix}frame"><rect width="{width}" height="{height}"/></clipPath>'
            + "".join(tiles)
            + f'<pattern id="{prefix}closed" width="{TILE}" height="{TILE}" patternUnits="userSpaceOnUse">'
            f'<path d="M-4 28L28-4M-4 52L52-4M20 52L52 20" stroke="{style.hatch}"'
            f' stroke-width="{2 if style.plain else 4}"/></pattern>' + "".join(self._home_clips())
        )

    def parts(self, labels: Mapping[str, str]) -> str:
        """The ground itself; `labels` say what each province is to be called aloud."""
        style, prefix = self.style, self.prefix
        width, height = self.shapes.size
        shores = "".join(f'<use href="#{prefix}{name}"/>' for name in ("lands", "closed-land", "wild"))
        lines = "".join(
            f'<g stroke="{colour}" stroke-width="{wide}">{shores}</g>'
            for wide, colour in (*style.waterlines, (2 * self.sizes.coast, style.coast))
        )
        return (
            f'<rect width="{width}" height="{height}" fill="{style.sea}"/>'
            f'<g id="{prefix}waters" fill="{style.sea}">{self._provinces(self.wet, labels)}</g>'
            f'<g fill="none" stroke-linejoin="round" pointer-events="none" aria-hidden="true">{lines}</g>'
            f'<g fill="{style.wild}"><path id="{prefix}wild" d="{rings_path(self.shapes, self.shapes.backdrop.land)}"'
            f' fill-rule="evenodd"/></g>'
            f'<g fill="{style.closed}"><g id="{prefix}closed-land">{self._provinces(self.closed, labels)}'
            f"{self.strangers}</g></g>"
            f'<use href="#{prefix}closed-land" fill="url(#{prefix}closed)" pointer-events="none" aria-hidden="true"/>'
            f'<g fill="{style.land}"><g id="{prefix}lands">{self._provinces(self.dry, labels)}</g></g>'
            f"{self._home_edges()}"
        )

    def _provinces(self, provinces: Iterable[Province], labels: Mapping[str, str]) -> str:
        return "".join(
            f'<path id="{province_id(p.id, self.prefix)}" data-province="{escape(p.id)}" fill-rule="evenodd" role="img"'
            f' aria-label="{escape(labels[p.id])}" d="{rings_path(self.shapes, self.shapes.provinces[p.id].rings)}"/>'
            for p in provinces
        )

    @property
    def strangers(self) -> str:
        """Shapes that are no province of the board: land out of play."""
        known = self.board.index
        rings = [r for key, shape in self.shapes.provinces.items() if key not in known for r in shape.rings]
        return f'<path d="{rings_path(self.shapes, rings)}" fill-rule="evenodd"/>' if rings else ""

    # -- homes -------------------------------------------------------------------------------------------------------

    def homes(self) -> dict[str, list[str]]:
        """Power to the home provinces it is drawn to have on land, in styles that have colours to tint them with."""
        found: dict[str, list[str]] = {}
        for province in self.dry if not self.style.plain else ():
            if province.home in self.heraldry.order:
                found.setdefault(province.home or "", []).append(province.id)
        return found

    def _home_clips(self) -> Iterable[str]:
        for power, provinces in self.homes().items():
            uses = "".join(f'<use href="#{province_id(p, self.prefix)}"/>' for p in provinces)
            yield f'<clipPath id="{self.prefix}h-{self.heraldry[power].number}">{uses}</clipPath>'

    def _home_edges(self) -> str:
        edges = []
        for power, provinces in self.homes().items():
            bearer = self.heraldry[power]
            uses = "".join(f'<use href="#{province_id(p, self.prefix)}"/>' for p in provinces)
            colour = mix(bearer.paint.tint, self.style.land, 0.75)
            edges.append(
                f'<g clip-path="url(#{self.prefix}h-{bearer.number})" stroke="{colour}"'
                f' stroke-width="{number(2 * EDGE)}">{uses}</g>'
            )
        return f'<g fill="none" pointer-events="none" aria-hidden="true">{"".join(edges)}</g>' if edges else ""
