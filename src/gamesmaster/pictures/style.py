"""Styles: every colour, pattern and width of a map, for light and dark screens and for paper.

Colours are `#rrggbb`; widths are page units (a picture 1600 pixels wide has two and a half of them to a pixel).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, NamedTuple

from gamesmaster.errors import NotFound, nearest

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


_LINES = {
    Pattern.RISING: "M-6 30L30-6M-6 54L54-6M18 54L54 18",
    Pattern.CROSSED: "M0 0L48 48M0 48L48 0M-6 6L6-6M42 54L54 42M-6 42L6 54M42-6L54 6",
    Pattern.GRID: "M0 12H48M0 36H48M12 0V48M36 0V48",
    Pattern.FALLING: "M-6 18L30 54M-6-6L54 54M18-6L54 30",
    Pattern.PLUS: "M4 12H20M12 4V20M28 36H44M36 28V44",
    Pattern.WAVES: "M-12 24Q0 10 12 24T36 24T60 24M-12 0Q0-14 12 0T36 0T60 0M-12 48Q0 34 12 48T36 48T60 48",
    Pattern.UPRIGHT: "M8 0V48M24 0V48M40 0V48",
    Pattern.LEVEL: "M0 8H48M0 24H48M0 40H48",
    Pattern.ZIGZAG: "M-6 18L12 0L36 24L54 6M-6 42L12 24L36 48L54 30M-6 66L12 48L36 72L54 54M-6-6L12-24L36 0L54-18",
    Pattern.BRICKS: "M0 0H48M0 24H48M12 0V24M36 24V48M0 48H48",
    Pattern.DASHES: "M4 8H16M28 20H40M4 32H16M28 44H40",
}
_ROUND = {Pattern.DOTS: ("fill", 5), Pattern.RINGS: ("stroke", 8)}


def pattern_tile(ident: str, pattern: Pattern, mark: str, width: float) -> str:
    """Return the SVG `<pattern>` of this id: marks of one colour on nothing, lines `width` page units wide."""
    if pattern in _ROUND:
        how, radius = _ROUND[pattern]
        pen = f'stroke="{mark}" stroke-width="{width:g}" fill="none"' if how == "stroke" else f'fill="{mark}"'
        drawn = f'<g {pen}><circle cx="12" cy="12" r="{radius}"/><circle cx="36" cy="36" r="{radius}"/></g>'
    else:
        drawn = f'<path d="{_LINES[pattern]}" fill="none" stroke="{mark}" stroke-width="{width:g}"/>'
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


# Name, the plate of a unit, the land on light paper, the land on dark.
_COLOURS = (
    ("red", "#ac0511", "#fd9ea4", "#69000d"),
    ("dark blue", "#0d2463", "#8091b7", "#1e3c60"),
    ("light blue", "#7fbdf0", "#a1d8fc", "#528ebd"),
    ("brown", "#473333", "#ad8f75", "#554333"),
    ("green", "#52874d", "#6fb993", "#507242"),
    ("white", "#e6ddee", "#d4c8de", "#818697"),
    ("yellow", "#f5d242", "#ecd98f", "#9e8926"),
    ("orange", "#da6a00", "#d6a062", "#97511a"),
    ("violet", "#8349ac", "#bda2db", "#6c4f8f"),
    ("lime", "#92c458", "#b4d596", "#65924a"),
    ("teal", "#3b8fa1", "#91b4be", "#326174"),
    ("pink", "#f99cb2", "#e9bcc5", "#ab6b71"),
)
NAMES = tuple(name for name, *_ in _COLOURS)
"""The names of the colours of powers."""
PLATES = tuple(plate for _, plate, _, _ in _COLOURS)
"""The colours themselves, those of the plates of units."""
PALE = tuple(pale for _, _, pale, _ in _COLOURS)
"""Paler ones, for land on light paper."""
DEEP = tuple(deep for *_, deep in _COLOURS)
"""Deeper ones, for land on dark paper."""


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
    """The colours of one style.

    `page` is the paper about the map, `ink` and `faint` are for text on it; `label` and `sea_label` are for names, with
    a `halo` and a `sea_halo` behind them.  `waterlines` are the lines that follow the coast at sea, widest first: width
    and colour.  `closed` and `hatch` are for areas out of play, `wild` is other land about the board.  `hatching` is
    the width of the lines in patterns; `plain` is True for a style without colour.
    """

    name: StyleName
    page: str
    ink: str
    faint: str
    land: str
    sea: str
    coast: str
    border: str
    sea_border: str
    waterlines: tuple[tuple[int, str], ...]
    lake: str
    river: str
    closed: str
    hatch: str
    wild: str
    label: str
    halo: str
    sea_label: str
    sea_halo: str
    link: str
    centre: str
    neutral: Paint
    paints: tuple[Paint, ...]
    orders: Inks
    hatching: float
    plain: bool = False

    def paint(self, number: int) -> Paint:
        """Return the paint of this number (`paints_of`); a negative number is nobody's.

        Beyond the twelfth, colours return with other patterns.
        """
        if number < 0:
            return self.neutral
        again, place = divmod(number, len(self.paints))
        return replace(self.paints[place], pattern=self.paints[(place + 5 * again) % len(self.paints)].pattern)


LIGHT = Style(
    name="light",
    page="#fdfbf5",
    ink="#23282f",
    faint="#6b6a64",
    land="#f8f3e6",
    sea="#e3ecee",
    coast="#3f5a68",
    border="#6e6252",
    sea_border="#668695",
    waterlines=((66, "#c3d6dd"), (61, "#dde8eb"), (46, "#b3cbd5"), (41, "#d4e2e7"), (27, "#9fbdca"), (22, "#c6d9e0")),
    lake="#cfe0e6",
    river="#8fb3c2",
    closed="#e4e0d5",
    hatch="#c4bfb1",
    wild="#eae7de",
    label="#1f2226",
    halo="#fffdf7",
    sea_label="#24485a",
    sea_halo="#e9f1f3",
    link="#24485a",
    centre="#2b2620",
    neutral=Paint("#85847e", BLACK, "#23282f", "#f8f3e6", "#d8d2c2", Pattern.DOTS),
    paints=colour_paints(PALE, rim="#23282f", shade="#23282f"),
    orders=Inks("#23282f", "#14522b", "#ab1208", "#ab1208", "#77756e", "#7a2ba0", "#ffffff"),
    hatching=3,
)

DARK = Style(
    name="dark",
    page="#0f141a",
    ink="#e9e6dd",
    faint="#9aa1a8",
    land="#3a3d42",
    sea="#17202a",
    coast="#8fa9b8",
    border="#8d8f92",
    sea_border="#6a8699",
    waterlines=((66, "#2a3f4e"), (61, "#1a2530"), (46, "#335061"), (41, "#1e2d39"), (27, "#3f6175"), (22, "#243847")),
    lake="#1c2a36",
    river="#4f6f82",
    closed="#26282b",
    hatch="#34373b",
    wild="#2b2e32",
    label="#ffffff",
    halo="#15181c",
    sea_label="#a9c6d6",
    sea_halo="#141c25",
    link="#a9c6d6",
    centre="#f4f0e4",
    neutral=Paint("#9a9a96", BLACK, WHITE, "#3a3d42", "#55585e", Pattern.DOTS),
    paints=colour_paints(DEEP, rim=WHITE, shade=WHITE),
    orders=Inks("#f4f0e4", "#8be0a4", "#ffa99c", "#ffa99c", "#a6a6a0", "#d9a6ff", "#0b0e12"),
    hatching=3,
)

PRINT = Style(
    name="print",
    page=WHITE,
    ink=BLACK,
    faint=BLACK,
    land=WHITE,
    sea=WHITE,
    coast=BLACK,
    border=BLACK,
    sea_border=BLACK,
    waterlines=((54, BLACK), (50, WHITE), (34, BLACK), (30, WHITE), (18, BLACK), (13, WHITE)),
    lake=WHITE,
    river=BLACK,
    closed=WHITE,
    hatch=BLACK,
    wild=WHITE,
    label=BLACK,
    halo=WHITE,
    sea_label=BLACK,
    sea_halo=WHITE,
    link=BLACK,
    centre=BLACK,
    neutral=Paint(WHITE, BLACK, BLACK, WHITE, BLACK, Pattern.DOTS),
    paints=black_and_white(),
    orders=Inks(BLACK, BLACK, BLACK, BLACK, BLACK, BLACK, WHITE),
    hatching=2.8,
    plain=True,
)

_STYLES = MappingProxyType({style.name: style for style in (LIGHT, DARK, PRINT)})


class Look(NamedTuple):
    """How maps are drawn."""

    style: str = "light"  # one of `STYLES`
    layout: str = "wide"  # a layout of the board's shapes
    prefix: str = ""  # begins every id, so that several maps can stand on one page


def style_of(name: str) -> Style:
    """Return the style of this name; raises `NotFound` with the nearest."""
    for style in _STYLES.values():
        if style.name == name:
            return style
    raise NotFound(f"no style {name[:80]!r}", hint=nearest(name, STYLES) or f"styles are {', '.join(STYLES)}")


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
