"""The ground of a map: sea with its waterlines, land, what is out of play, the tinted edges of the home provinces.

Each province is a path with an id, drawn once; everything else that needs its shape uses that one again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from gamesmaster.board import Board, Province, Terrain
from gamesmaster.pictures.powers import Heraldry
from gamesmaster.pictures.shapes.values import Ring, Shapes
from gamesmaster.pictures.style import Pattern, Sizes, Style, mix, pattern_tile
from gamesmaster.pictures.svg import escape_xml, ident, number, rings_path

EDGE = 13  # page units: how far a home province's tint reaches in from its borders
WET = (Terrain.SEA, Terrain.BOX, Terrain.ISLANDS)
"""The terrains drawn as water; the land of islands lies in it."""


def province_id(province: str, prefix: str = "") -> str:
    """Return the id of a province's path."""
    return f"{prefix}p-{ident(province)}"


def isles_id(province: str, prefix: str = "") -> str:
    """Return the id of the path of the land in a province of islands."""
    return f"{prefix}i-{ident(province)}"


def paint_id(number: int, prefix: str = "") -> str:
    """Return the id of the pattern of a power's land; a negative number is nobody's."""
    return f"{prefix}k-{number if number >= 0 else 'n'}"


def uses(ids: Iterable[str]) -> str:
    """Return references to shapes; they take their colours from the element around them."""
    return "".join(f'<use href="#{name}"/>' for name in ids)


class Base:
    """The lowest part of a map."""

    def __init__(
        self, board: Board, shapes: Shapes, heraldry: Heraldry, style: Style, sizes: Sizes, prefix: str = ""
    ) -> None:
        self.board, self.shapes, self.heraldry, self.prefix = board, shapes, heraldry, prefix
        self.style, self.sizes = style, sizes
        drawn = [p for p in board.provinces if p.id in shapes.provinces]
        self._wet = [p for p in drawn if p.terrain in WET]
        self._dry = [p for p in drawn if p.land and p.terrain not in WET]
        self._closed = [p for p in drawn if p.terrain is Terrain.IMPASSABLE]

    @property
    def hatched(self) -> bool:
        """True if anything is out of play."""
        return bool(self._closed or self._strangers or self._far_waters)

    @cached_property
    def isles(self) -> dict[str, tuple[Ring, ...]]:
        """Province of islands to the rings of the land in its waters."""
        shapes = self.shapes.provinces
        return {p.id: shapes[p.id].isles for p in self._wet if shapes[p.id].isles}

    @cached_property
    def homes(self) -> dict[str, list[str]]:
        """Power to the home provinces it is drawn to have on land, in styles that have colours to tint them with."""
        found: dict[str, list[str]] = {}
        for province in self._dry if not self.style.plain else ():
            if province.home in self.heraldry.order:
                found.setdefault(province.home or "", []).append(province.id)
        return found

    def edge(self, power: str) -> str:
        """Return the colour of the edges of a power's home provinces."""
        return mix(self.heraldry[power].paint.tint, self.style.land, 0.75)

    def defs(self) -> str:
        """Return definitions: the frame of the map, and the patterns of the powers and of closed provinces."""
        style, prefix = self.style, self.prefix
        width, height = self.shapes.size
        paints = [(bearer.number, bearer.paint) for bearer in self.heraldry.bearers] + [(-1, style.neutral)]
        tiles = [pattern_tile(paint_id(n, prefix), p.pattern, p.mark, style.hatching) for n, p in paints]
        closed = Pattern.DASHES if style.plain else Pattern.RISING
        return (
            f'<clipPath id="{prefix}frame"><rect width="{width}" height="{height}"/></clipPath>'
            + "".join(tiles)
            + pattern_tile(f"{prefix}closed", closed, style.hatch, 3)
            + "".join(
                f'<clipPath id="{prefix}h-{self.heraldry[power].number}">{self._again(provinces)}</clipPath>'
                for power, provinces in self.homes.items()
            )
        )

    def draw(self, labels: Mapping[str, str]) -> str:
        """Return the ground itself; `labels` say what each province is to be called aloud, escaped already."""
        style, prefix = self.style, self.prefix
        width, height = self.shapes.size
        shores = uses(f"{prefix}{name}" for name in ("lands", "closed-land", "wild"))
        lines = "".join(
            f'<g stroke="{colour}" stroke-width="{wide:g}">{shores}</g>'
            for wide, colour in (*style.waterlines, (2 * self.sizes.coast, style.coast))
        )
        isles = "".join(
            f'<path id="{isles_id(province, prefix)}" data-province="{escape_xml(province)}" fill-rule="evenodd"'
            f' d="{rings_path(self.shapes, rings)}"/>'
            for province, rings in self.isles.items()
        )
        wild = rings_path(self.shapes, self.shapes.backdrop.land)
        quiet = 'pointer-events="none" aria-hidden="true"'
        return (
            f'<rect width="{width}" height="{height}" fill="{style.sea}"/>'
            f'<g fill="{style.sea}">{self._provinces(self._wet, labels)}</g>'
            f'<g fill="url(#{prefix}closed)" {quiet}>{self._far_waters}</g>'
            f'<g fill="none" stroke-linejoin="round" {quiet}>{lines}</g>'
            f'<g fill="{style.wild}"><path id="{prefix}wild" d="{wild}" fill-rule="evenodd"/></g>'
            f'<g fill="{style.closed}"><g id="{prefix}closed-land">{self._provinces(self._closed, labels)}'
            f"{self._strangers}</g></g>"
            f'<use href="#{prefix}closed-land" fill="url(#{prefix}closed)" {quiet}/>'
            f'<g fill="{style.land}"><g id="{prefix}lands">{self._provinces(self._dry, labels)}{isles}</g></g>'
            f"{self._home_edges()}"
        )

    # -- its parts ---------------------------------------------------------------------------------------------------

    def _provinces(self, provinces: Iterable[Province], labels: Mapping[str, str]) -> str:
        return "".join(
            f'<path id="{province_id(p.id, self.prefix)}" data-province="{escape_xml(p.id)}" role="img"'
            f' aria-label="{labels[p.id]}" fill-rule="evenodd"'
            f' d="{rings_path(self.shapes, self.shapes.provinces[p.id].rings)}"/>'
            for p in provinces
        )

    def _again(self, provinces: Iterable[str]) -> str:
        return uses(province_id(province, self.prefix) for province in provinces)

    @cached_property
    def _strangers(self) -> str:
        """The land out of play: shapes of land that are not provinces of the board."""
        return self._stranger_path("land")

    @cached_property
    def _far_waters(self) -> str:
        """The water out of play: shapes of water that are not provinces of the board."""
        return self._stranger_path("sea")

    def _stranger_path(self, side: str) -> str:
        known = self.board.index
        shapes = [shape for key, shape in self.shapes.provinces.items() if key not in known]
        rings = [ring for shape in shapes if (shape.out or "land") == side for ring in shape.rings]
        return f'<path d="{rings_path(self.shapes, rings)}" fill-rule="evenodd"/>' if rings else ""

    def _home_edges(self) -> str:
        edges = "".join(
            f'<g clip-path="url(#{self.prefix}h-{self.heraldry[power].number})" stroke="{self.edge(power)}"'
            f' stroke-width="{number(2 * EDGE)}">{self._again(provinces)}</g>'
            for power, provinces in self.homes.items()
        )
        return f'<g fill="none" pointer-events="none" aria-hidden="true">{edges}</g>' if edges else ""
