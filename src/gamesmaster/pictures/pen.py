"""The few SVG elements that maps are written with, as text; whatever comes from people is escaped here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from math import hypot
from operator import neg

from gamesmaster.pictures.metrics import text_width
from gamesmaster.pictures.shapes import Arc, Point, Ring, Shapes, arc_points

CAPITALS = 0.355
"""From the middle of a line of text down to its base, for a font of size 1: half the height of capitals."""

_ODD = re.compile(r"[^A-Za-z0-9-]")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(words: str) -> str:
    """A text as it stands in XML, in elements and in attributes, without the characters that may stand nowhere.

    >>> escaped('<a href="x">' + chr(0))
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return escape(_UNPRINTABLE.sub("", words))


def ident(text: str) -> str:
    """A text as part of an id: other characters than letters and digits as their number, so that no two fall together.

    >>> ident("STP"), ident("a b")
    ('STP', 'a_20_b')
    """
    return _ODD.sub(lambda found: f"_{ord(found[0]):x}_", text)


def number(value: float) -> str:
    """A number with no more than one digit after the point.

    >>> number(2.0), number(2.54), number(-0.01)
    ('2', '2.5', '0')
    """
    return f"{round(value, 1) + 0:g}" if abs(value) < 100_000 else str(round(value))


def steps(numbers: Sequence[int]) -> str:
    """Numbers of a path, as close as SVG reads them.

    >>> steps((3, -4, 5))
    '3-4 5'
    """
    return str(list(numbers))[1:-1].replace(", -", "-").replace(",", "")  # far quicker than one by one


def line_path(arc: Arc) -> str:
    """The path data of a line."""
    return f"M{steps(arc[:2])}l{steps(arc[2:])}"


def ring_path(shapes: Shapes, ring: Ring) -> str:
    """The path data of a closed line."""
    numbers: list[int] = []
    for number in ring:
        numbers += _along(shapes.arcs, number)
    first = shapes.arcs[ring[0] if ring[0] >= 0 else ~ring[0]]
    start = first[:2] if ring[0] >= 0 else (sum(first[::2]), sum(first[1::2]))
    return f"M{steps(start)}l{steps(numbers)}z"


def rings_path(shapes: Shapes, rings: Iterable[Ring]) -> str:
    """The path data of several closed lines."""
    return "".join(ring_path(shapes, ring) for ring in rings)


def _along(arcs: Sequence[Arc], number: int) -> Sequence[int]:
    """The steps of an arc, in the sense in which a ring runs through it."""
    if number >= 0:
        return arcs[number][2:]
    arc = arcs[~number]
    back = [0] * (len(arc) - 2)
    back[::2], back[1::2] = map(neg, arc[-2:1:-2]), map(neg, arc[:2:-2])
    return back


def text(
    words: str,
    x: float,
    y: float,
    size: float,
    *,
    bold: bool = False,
    anchor: str = "",
    fill: str = "",
    width: float = 0,
    more: str = "",
) -> str:
    """A line of text with its middle at height `y`; it begins at `x` unless `anchor` is "middle" or "end".

    `width` sets it to exactly that length in any font; `more` holds further attributes.
    """
    attributes = "".join(
        f' {name}="{value}"'
        for name, value in {
            "font-weight": "bold" if bold else "",
            "text-anchor": anchor,
            "fill": fill,
            "textLength": number(width) if width else "",
            "lengthAdjust": "spacingAndGlyphs" if width else "",
        }.items()
        if value
    )
    down = number(y + CAPITALS * size)
    return f'<text x="{number(x)}" y="{down}" font-size="{number(size)}"{attributes}{more}>{escaped(words)}</text>'


def fitted(words: str, size: float, room: float, *, bold: bool = False) -> tuple[str, float]:
    """The text and the size in which it fits into so much room: made smaller by a third at most, then cut short."""
    wide = text_width(words, size, bold)
    if wide <= room:
        return words, size
    if wide * 0.67 <= room:
        return words, size * room / wide
    size *= 0.67
    while words and text_width(words + "…", size, bold) > room:
        words = words[: max(1, int(len(words) * 0.9)) if len(words) > 10 else len(words) - 1]
    return words + "…", size


def arrow_head(tip: tuple[float, float], back: tuple[float, float], length: float) -> str:
    """The path data of an arrow's head: its tip, a point the line comes from, and how long it is."""
    (x, y), (bx, by) = tip, back
    far = hypot(x - bx, y - by) or 1
    dx, dy = (x - bx) / far * length, (y - by) / far * length
    left, right = (x - dx - dy * 0.45, y - dy + dx * 0.45), (x - dx + dy * 0.45, y - dy - dx * 0.45)
    return "M" + "L".join(f"{number(px)} {number(py)}" for px, py in (tip, left, right)) + "z"


def ends(arc: Arc) -> tuple[tuple[Point, Point], tuple[Point, Point]]:
    """The two ends of a line, each with the point next to it."""
    points = arc_points(arc)
    return (points[0], points[1]), (points[-1], points[-2])
