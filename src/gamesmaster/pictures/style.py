"""Styles: every colour, pattern and width of a map, for light and dark screens and for paper.

Colours are `#rrggbb`; widths are page units (a picture 1600 pixels wide has two and a half of them to a pixel).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from gamesmaster.errors import NotFound, nearest
from gamesmaster.plugins import brought, load

TILE = 48  # page units


class Pattern(StrEnum):
    """The twelve patterns in the order in which powers take them, and one for what is out of play."""

    RISING = "rising"
    CROSSED = "crossed"
    DOTS = "dots"
    GRID = "grid"
    FALLING = "falling"
    PLUS = "plus"
    WAVES = "waves"
    UPRIGHT = "upright"
    RINGS = "rings"
    LEVEL = "level"
    ZIGZAG = "zigzag"
    BRICKS = "bricks"
    DASHES = "dashes"


_FILE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("styles.toml").read_text(encoding="utf-8"))
_ROUND = {Pattern.DOTS: ("fill", 5), Pattern.RINGS: ("stroke", 8)}


def pattern_tile(ident: str, pattern: Pattern, mark: str, width: float) -> str:
    """Return the SVG `<pattern>` of this id: marks of one colour on nothing, lines `width` page units wide."""
    if pattern in _ROUND:
        how, radius = _ROUND[pattern]
        pen = f'stroke="{mark}" stroke-width="{width:g}" fill="none"' if how == "stroke" else f'fill="{mark}"'
        drawn = f'<g {pen}><circle cx="12" cy="12" r="{radius}"/><circle cx="36" cy="36" r="{radius}"/></g>'
    else:
        drawn = f'<path d="{_FILE["lines"][pattern]}" fill="none" stroke="{mark}" stroke-width="{width:g}"/>'
    return f'<pattern id="{ident}" width="{TILE}" height="{TILE}" patternUnits="userSpaceOnUse">{drawn}</pattern>'


BLACK, WHITE = "#000000", "#ffffff"


@dataclass(frozen=True, slots=True)
class Paint:
    """The colours of a power, as `#rrggbb`.

    `plate` is the ground of its units and `letter` the colour of the letters on it, `rim` the line about it; `tint` is
    the ground of its land and `mark` the colour of the pattern on that.
    """

    plate: str
    letter: str
    rim: str
    tint: str
    mark: str
    pattern: Pattern


NAMES: tuple[str, ...] = tuple(_FILE["colours"])
"""The names of the colours of powers."""
PLATES: tuple[str, ...] = tuple(plate for plate, _, _ in _FILE["colours"].values())
"""The colours themselves, those of the plates of units."""
PALE: tuple[str, ...] = tuple(pale for _, pale, _ in _FILE["colours"].values())
"""Paler ones, for land on light paper."""
DEEP: tuple[str, ...] = tuple(deep for _, _, deep in _FILE["colours"].values())
"""Deeper ones, for land on dark paper."""
KNOWN: Mapping[str, str] = MappingProxyType(_FILE["powers"])
"""The colours of the powers of the package's games, by name."""


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb`, from 0 (black) to 1 (white)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    """Return the contrast of two colours as the WCAG counts it, from 1 to 21.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def legible(ground: str) -> str:
    """Return black or white, whichever has the higher contrast to this colour (at least 4.5)."""
    return max(BLACK, WHITE, key=lambda ink: contrast(ink, ground))


def mix(colour: str, other: str, share: float) -> str:
    """Return the colour that is `share` (0 to 1) of the first and the rest of the other."""
    pairs = zip(*([int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in (colour, other)), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def colour_paints(tints: Sequence[str], *, rim: str, shade: str) -> tuple[Paint, ...]:
    """Return the paints of a style in colour: the patterns are the tints moved a little towards `shade`."""
    return tuple(
        Paint(plate, legible(plate), rim, tint, mix(shade, tint, 0.22), pattern)
        for plate, tint, pattern in zip(PLATES, tints, Pattern, strict=False)
    )


def black_and_white() -> tuple[Paint, ...]:
    """Return the paints of a photocopied sheet: black plates and white ones by turns, land by pattern alone."""
    grounds = (BLACK, WHITE)
    return tuple(
        Paint(grounds[number % 2], grounds[1 - number % 2], BLACK, WHITE, BLACK, pattern)
        for number, pattern in zip(range(len(PLATES)), Pattern, strict=False)
    )


StyleName = Literal["light", "dark", "print"]
"""The name of a style."""
STYLES: tuple[StyleName, ...] = ("light", "dark", "print")
"""The names of the styles, for `style`."""
FONT = "Roboto,'Helvetica Neue',Arial,sans-serif"
"""The font of maps, in CSS."""


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours of orders: `casing` is the contrasting edge about a line, the others say what became of the order."""

    plain: str
    done: str
    failed: str
    cut: str
    void: str
    retreat: str
    casing: str


@dataclass(frozen=True, slots=True)
class Style:
    """The colours of one style."""

    name: str
    page: str  # the paper about the map
    ink: str  # for text on it
    faint: str  # likewise
    land: str
    sea: str
    coast: str
    border: str
    sea_border: str
    waterlines: tuple[tuple[int, str], ...]  # the lines that follow the coast at sea, widest first: width and colour
    lake: str
    river: str
    closed: str  # for areas out of play
    hatch: str  # likewise
    wild: str  # other land about the board
    label: str  # for names
    halo: str  # behind them
    sea_label: str  # for names at sea
    sea_halo: str  # behind them
    link: str
    centre: str
    neutral: Paint
    paints: tuple[Paint, ...]
    orders: Inks
    hatching: float  # the width of the lines in patterns
    plain: bool = False  # without colour

    def paint(self, number: int) -> Paint:
        """Return the paint of this number (`paints_of`); a negative number is nobody's.

        Beyond the twelfth, colours return with other patterns.
        """
        if number < 0:
            return self.neutral
        again, place = divmod(number, len(self.paints))
        return replace(self.paints[place], pattern=self.paints[(place + 5 * again) % len(self.paints)].pattern)


def _style(name: StyleName, paints: tuple[Paint, ...]) -> Style:
    """Return a style of `styles.toml` with the paints of its powers."""
    told: dict[str, Any] = dict(_FILE["styles"][name])
    neutral, inks = dict(told.pop("neutral")), told.pop("orders")
    neutral["pattern"] = Pattern(neutral["pattern"])
    lines = tuple((width, colour) for width, colour in told.pop("waterlines"))
    return Style(**told, name=name, waterlines=lines, neutral=Paint(**neutral), paints=paints, orders=Inks(**inks))


LIGHT = _style("light", colour_paints(PALE, rim="#23282f", shade="#23282f"))
DARK = _style("dark", colour_paints(DEEP, rim=WHITE, shade=WHITE))
PRINT = _style("print", black_and_white())
_STYLES: Mapping[str, Style] = MappingProxyType({style.name: style for style in (LIGHT, DARK, PRINT)})


class Look(NamedTuple):
    """How maps are drawn."""

    style: str = "light"  # one of `STYLES`
    layout: str = "wide"  # a layout of the board's shapes
    prefix: str = ""  # begins every id, so that several maps can stand on one page


def style_of(name: str) -> Style:
    """Return the style of this name; raises `NotFound` with the nearest.

    Other packages bring styles as entry points of the group `gamesmaster.styles`, each a `Style`.
    """
    if name in _STYLES:
        return _STYLES[name]
    others = brought("styles")
    if name in others:
        return load(others[name], "style", Style)
    known = (*STYLES, *others)
    raise NotFound(f"no style {name[:80]!r}", hint=nearest(name, known) or f"styles are {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class Sizes:
    """The widths of one layout, in page units.

    `coast`, `border` and `fine` are lines of the map, `halo` is the edge behind names; `order` is the line of an order
    and `head` the length of its arrow's head, `text` is the size of the legend's
    letters and `title` that of the title; `margin` lies about the frame.  `sign` is the side of a unit's sign in the
    legend, and the largest on the map.
    """

    coast: float
    border: float
    fine: float
    halo: float
    order: float
    head: float
    text: float
    title: float
    margin: int
    sign: float


WIDE = Sizes(
    coast=5, border=3, fine=3, halo=9, order=9, head=34, text=38, title=84, margin=40, sign=84,
)  # fmt: skip
NARROW = Sizes(
    coast=8, border=6, fine=6, halo=14, order=16, head=54, text=112, title=170, margin=40, sign=130,
)  # fmt: skip


def sizes_of(layout: str) -> Sizes:
    """Return the sizes for a layout of this name: those for phones if it is "narrow"."""
    return NARROW if layout == "narrow" else WIDE
