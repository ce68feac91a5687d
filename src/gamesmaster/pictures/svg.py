"""The few SVG elements that maps are written with, as text, and how wide a text is.

Whatever comes from people is escaped here.  Widths of texts are known without the font (Roboto): names are placed where
no font is installed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from html import escape
from math import hypot
from operator import neg
from pathlib import Path
from unicodedata import category, east_asian_width, normalize

from gamesmaster.pictures.shapes.values import Arc, Label, Point, Ring, Shapes, arc_points

_LETTERS = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x180)])) + "‘’“”–—…ȘșȚț"
_FILE = tomllib.loads(Path(__file__).with_name("widths.toml").read_text(encoding="utf-8"))
_WIDTHS = {bold: dict(zip(_LETTERS, _FILE["bold" if bold else "regular"], strict=True)) for bold in (False, True)}
_USUAL = {False: 580, True: 600}
"""For letters of which nothing is known: about a capital of Roboto, so that no text is given too little room."""


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line of text set in Roboto of this size, in the units of the size.

    >>> round(text_width("Burgundy", 100), 1)
    421.5
    >>> text_width("BUR", 100, bold=True) > text_width("BUR", 100)
    True
    """
    widths = _WIDTHS[bold]
    return sum(widths.get(letter) or _unknown(letter, bold=bold) for letter in normalize("NFC", text)) * size / 1000


def _unknown(letter: str, *, bold: bool) -> int:
    if category(letter) in ("Mn", "Me", "Cf"):  # drawn over the letter before, or not at all
        return 0
    return 1000 if east_asian_width(letter) in "WF" else _USUAL[bold]


CAPITALS = 0.355
"""From the middle of a line of text down to its base, for a font of size 1: half the height of capitals."""

_ODD = re.compile(r"[^A-Za-z0-9-]")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape_xml(words: str) -> str:
    """Return a text escaped for XML elements and attributes, without characters that XML forbids.

    >>> escape_xml('<a href="x">' + chr(0))
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return escape(_UNPRINTABLE.sub("", words))


def ident(text: str) -> str:
    """Return a text as part of an id; characters except letters and digits become numbers, so ids stay different.

    >>> ident("STP"), ident("a b")
    ('STP', 'a_20_b')
    """
    return _ODD.sub(lambda found: f"_{ord(found[0]):x}_", text)


def number(value: float) -> str:
    """Return a number with no more than one digit after the point.

    >>> number(2.0), number(2.54), number(-0.01)
    ('2', '2.5', '0')
    """
    return f"{round(value, 1) + 0:g}" if abs(value) < 100_000 else str(round(value))


def steps(numbers: Sequence[int]) -> str:
    """Return the numbers of a path with as few separators as SVG allows.

    >>> steps((3, -4, 5))
    '3-4 5'
    """
    return str(list(numbers))[1:-1].replace(", -", "-").replace(",", "")  # far quicker than one by one


def line_path(arc: Arc) -> str:
    """Return the path data of a line."""
    return f"M{steps(arc[:2])}l{steps(arc[2:])}"


def ring_path(shapes: Shapes, ring: Ring) -> str:
    """Return the path data of a closed line."""
    numbers: list[int] = []
    for number in ring:
        numbers += _along(shapes.arcs, number)
    first = shapes.arcs[ring[0] if ring[0] >= 0 else ~ring[0]]
    start = first[:2] if ring[0] >= 0 else (sum(first[::2]), sum(first[1::2]))
    return f"M{steps(start)}l{steps(numbers)}z"


def rings_path(shapes: Shapes, rings: Iterable[Ring]) -> str:
    """Return the path data of several closed lines."""
    return "".join(ring_path(shapes, ring) for ring in rings)


def _along(arcs: Sequence[Arc], number: int) -> Sequence[int]:
    """Return the steps of an arc, in the sense in which a ring runs through it."""
    if number >= 0:
        return arcs[number][2:]
    arc = arcs[~number]
    back = [0] * (len(arc) - 2)
    back[::2], back[1::2] = map(neg, arc[-2:1:-2]), map(neg, arc[:2:-2])
    return back


def text(
    words: str, at: tuple[float, float], size: float, *, bold: bool = False, anchor: str = "", fill: str = ""
) -> str:
    """Return a line of text with its middle at the height of `at`; it begins there unless `anchor` says otherwise.

    `anchor` is "middle" or "end".
    """
    wanted = {"font-weight": "bold" if bold else "", "text-anchor": anchor, "fill": fill}
    return _element(words, at, size, "".join(f' {name}="{value}"' for name, value in wanted.items() if value))


def label_text(label: Label) -> str:
    """Return a label, turned, and exactly as long as its `width` in any font."""
    length = f' textLength="{number(label.width)}" lengthAdjust="spacingAndGlyphs"' if label.width else ""
    turn = f' transform="rotate({label.turn} {label.at[0]} {label.at[1]})"' if label.turn else ""
    return _element(label.text, label.at, label.size, length + turn)


def _element(words: str, at: tuple[float, float], size: float, attributes: str) -> str:
    x, y = number(at[0]), number(at[1] + CAPITALS * size)
    return f'<text x="{x}" y="{y}" font-size="{number(size)}"{attributes}>{escape_xml(words)}</text>'


def fit(words: str, size: float, room: float, *, bold: bool = False) -> tuple[str, float]:
    """Return the text and the size in which it fits into `room`: smaller by a third at most, then cut short."""
    wide = text_width(words, size, bold=bold)
    if wide <= room:
        return words, size
    if wide * 0.67 <= room:
        return words, size * room / wide
    size *= 0.67
    while words and text_width(words + "…", size, bold=bold) > room:
        words = words[: max(1, int(len(words) * 0.9)) if len(words) > 10 else len(words) - 1]
    return words + "…", size


def arrow_head(tip: tuple[float, float], back: tuple[float, float], length: float) -> str:
    """Return the path data of an arrow's head: its tip, a point the line comes from, and how long it is."""
    (x, y), (bx, by) = tip, back
    far = hypot(x - bx, y - by) or 1
    dx, dy = (x - bx) / far * length, (y - by) / far * length
    left, right = (x - dx - dy * 0.45, y - dy + dx * 0.45), (x - dx + dy * 0.45, y - dy - dx * 0.45)
    return "M" + "L".join(f"{number(px)} {number(py)}" for px, py in (tip, left, right)) + "z"


def ends(arc: Arc) -> tuple[tuple[Point, Point], tuple[Point, Point]]:
    """Return the two ends of a line, each with the point next to it."""
    points = arc_points(arc)
    return (points[0], points[1]), (points[-1], points[-2])
