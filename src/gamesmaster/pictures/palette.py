"""The colours of the powers: twelve for each style, told apart by every eye.

The first nine were chosen together, so that under normal sight, protanopia, deuteranopia and tritanopia every two of
them stay apart: CIELAB distance 20 and more for the plates of the units, 10 for the tints of the land.  Which power
has which, is in `colours.py`.  Colour is never alone: each power has a pattern and letters too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gamesmaster.pictures.patterns import Pattern

BLACK, WHITE = "#000000", "#ffffff"


@dataclass(frozen=True, slots=True)
class Paint:
    """What a power is drawn with: colours as `#rrggbb`.

    `plate` is the ground of its units and `letter` what is written on it, `rim` the line about it; `tint` is the ground
    of its land and `mark` the colour of the pattern on that.
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
NAMES, PLATES, PALE, DEEP = zip(*_COLOURS, strict=True)


def luminance(colour: str) -> float:
    """The relative luminance of `#rrggbb`, from 0 (black) to 1 (white)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    """The contrast of two colours as the WCAG counts it, from 1 to 21.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def legible(ground: str) -> str:
    """Black or white, whichever is read better on this colour; its contrast is 4.5 and more."""
    return max(BLACK, WHITE, key=lambda ink: contrast(ink, ground))


def mix(colour: str, other: str, share: float) -> str:
    """The colour that is `share` (0 to 1) of the first and the rest of the other."""
    pairs = zip(*([int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in (colour, other)), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def coloured(tints: Sequence[str], *, rim: str, shade: str) -> tuple[Paint, ...]:
    """The paints of a style in colour: the patterns are the tints moved a little towards `shade`."""
    return tuple(
        Paint(plate, legible(plate), rim, tint, mix(shade, tint, 0.22), pattern)
        for plate, tint, pattern in zip(PLATES, tints, Pattern, strict=False)
    )


def black_and_white() -> tuple[Paint, ...]:
    """The paints of a photocopied sheet: black plates and white ones by turns, land by pattern alone."""
    grounds = (BLACK, WHITE)
    return tuple(
        Paint(grounds[number % 2], grounds[1 - number % 2], BLACK, WHITE, BLACK, pattern)
        for number, pattern in zip(range(len(PLATES)), Pattern, strict=False)
    )


def repeated(paints: Sequence[Paint], number: int) -> Paint:
    """A paint by its number from 0; beyond the twelfth, colours return with other patterns."""
    again, place = divmod(number, len(paints))
    first, other = paints[place], paints[(place + 5 * again) % len(paints)]
    return Paint(first.plate, first.letter, first.rim, first.tint, first.mark, other.pattern) if again else first
