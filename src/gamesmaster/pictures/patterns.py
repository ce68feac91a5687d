"""Patterns: what tells the powers' lands apart where colour does not.

Each is a tile that repeats, drawn with lines about as fine as a photocopier keeps.
"""

from __future__ import annotations

from enum import StrEnum

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
    """The SVG `<pattern>` of this id: marks of one colour on nothing, lines `width` page units wide."""
    if pattern in _ROUND:
        how, radius = _ROUND[pattern]
        pen = f'stroke="{mark}" stroke-width="{width:g}" fill="none"' if how == "stroke" else f'fill="{mark}"'
        drawn = f'<g {pen}><circle cx="12" cy="12" r="{radius}"/><circle cx="36" cy="36" r="{radius}"/></g>'
    else:
        drawn = f'<path d="{_LINES[pattern]}" fill="none" stroke="{mark}" stroke-width="{width:g}"/>'
    return f'<pattern id="{ident}" width="{TILE}" height="{TILE}" patternUnits="userSpaceOnUse">{drawn}</pattern>'
