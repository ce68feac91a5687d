"""Styles: every colour and every width of a map, for light and dark screens and for paper.

Colours are `#rrggbb`; widths are page units (a picture 1600 pixels wide has two and a half of them to a pixel).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from gamesmaster.errors import NotFound, nearest
from gamesmaster.pictures.palette import BLACK, DEEP, PALE, WHITE, Paint, black_and_white, coloured, repeated
from gamesmaster.pictures.patterns import Pattern

StyleName = Literal["light", "dark", "print"]
STYLES: tuple[StyleName, ...] = ("light", "dark", "print")
FONT = "Roboto,'Helvetica Neue',Arial,sans-serif"


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
    and colour.  `closed` and `hatch` are for what is out of play, `wild` is other land about the board.  `hatching` is
    the width of the lines in patterns; `plain` says that there is no colour.
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
        """The paint of this number (`colours.paints_of`); a negative number is nobody's."""
        return repeated(self.paints, number) if number >= 0 else self.neutral


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
    paints=coloured(PALE, rim="#23282f", shade="#23282f"),
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
    paints=coloured(DEEP, rim=WHITE, shade=WHITE),
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


def style_of(name: str) -> Style:
    """The style of this name; raises `NotFound` with the nearest."""
    for style in _STYLES.values():
        if style.name == name:
            return style
    raise NotFound(f"no style {name[:80]!r}", hint=nearest(name, STYLES) or f"styles are {', '.join(STYLES)}")


@dataclass(frozen=True, slots=True)
class Sizes:
    """The widths of one layout, in page units.

    `coast`, `border` and `fine` are lines of the map, `halo` is the edge behind names; `order` is the line of an order
    and `head` the length of its arrow's head, `rim` the edge of a unit's sign; `text` is the size of the legend's
    letters and `title` that of the title; `margin` lies about the frame.  `sign` is the side of a unit's sign in the
    legend, and the largest on the map.
    """

    coast: float
    border: float
    fine: float
    halo: float
    order: float
    head: float
    rim: float
    text: float
    title: float
    margin: int
    sign: float


WIDE = Sizes(
    coast=5, border=3, fine=3, halo=9, order=9, head=34, rim=4, text=38, title=84, margin=40, sign=84,
)  # fmt: skip
NARROW = Sizes(
    coast=8, border=6, fine=6, halo=14, order=16, head=54, rim=5, text=112, title=170, margin=40, sign=130,
)  # fmt: skip


def sizes_of(layout: str) -> Sizes:
    """The sizes for a layout of this name: those for phones if it is "narrow"."""
    return NARROW if layout == "narrow" else WIDE
