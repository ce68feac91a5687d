"""Colours and patterns: powers are told apart by every eye, on screens and on a photocopy."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist

import pytest

from gamesmaster.errors import NotFound
from gamesmaster.pictures.style import (
    STYLES,
    TILE,
    Pattern,
    Style,
    contrast,
    legible,
    mix,
    pattern_tile,
    sizes_of,
    style_of,
)

Triple = tuple[float, float, float]

# How linear red, green and blue are seen without one kind of cone, after Machado, Oliveira and Fernandes (2009).
SIGHTS: dict[str, tuple[Triple, Triple, Triple]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))


def times(matrix: tuple[Triple, Triple, Triple], v: Triple) -> Triple:
    """A matrix times a vector."""
    a, b, c = (sum(m * x for m, x in zip(row, v, strict=True)) for row in matrix)
    return a, b, c


def lab(colour: str, sight: str = "normal") -> Triple:
    """A colour of sRGB as CIELAB (D65), as it is seen."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    seen = times(SIGHTS[sight], (r, g, b))
    clipped = (max(0.0, min(1.0, seen[0])), max(0.0, min(1.0, seen[1])), max(0.0, min(1.0, seen[2])))
    white = [sum(row) for row in XYZ]
    ratios = [v / w for v, w in zip(times(XYZ, clipped), white, strict=True)]
    x, y, z = (t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def nearest(colours: list[str], sight: str) -> float:
    """The distance of the two most alike."""
    return min(dist(lab(a, sight), lab(b, sight)) for a, b in combinations(colours, 2))


@pytest.fixture(params=STYLES)
def style(request: pytest.FixtureRequest) -> Style:
    """Each style."""
    return style_of(request.param)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_plates_are_told_apart(name: str, sight: str) -> None:
    """The plates of any two of the first nine powers are 20 apart in CIELAB, those of all twelve 15."""
    plates = [paint.plate for paint in style_of(name).paints]
    assert nearest(plates[:9], sight) >= 20
    assert nearest(plates, sight) >= 15


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_lands_are_told_apart(name: str, sight: str) -> None:
    """Any two of the first nine powers' lands, and land that nobody owns, are 10 apart in CIELAB, all twelve 8."""
    style = style_of(name)
    tints = [paint.tint for paint in style.paints]
    assert nearest([*tints[:9], style.land], sight) >= 10
    assert nearest([*tints, style.land], sight) >= 8


def test_the_measure_of_colours() -> None:
    """Black and white are 100 apart; red and green, far apart to most, come near each other in deuteranopia."""
    assert dist(lab("#000000"), lab("#ffffff")) == pytest.approx(100, abs=0.1)
    red, green = "#b05030", "#707020"
    assert dist(lab(red, "deuteranopia"), lab(green, "deuteranopia")) < dist(lab(red), lab(green)) / 2


def test_letters_are_legible(style: Style) -> None:
    """Letters stand out from every plate with a contrast of 4.5 and more."""
    for paint in (*style.paints, style.neutral):
        assert contrast(paint.letter, paint.plate) >= 4.5


def test_names_are_legible(style: Style) -> None:
    """Names stand out from their halos by 7, and from every land they may lie on by 3."""
    assert contrast(style.label, style.halo) >= 7
    assert contrast(style.sea_label, style.sea_halo) >= 7
    for ground in (style.land, style.closed, *(paint.tint for paint in style.paints)):
        assert contrast(style.label, ground) >= 3
    assert contrast(style.sea_label, style.sea) >= 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
def test_orders_stand_out(name: str) -> None:
    """On every ground an order's line or its casing has a contrast of 3, and the two have 4.5 to each other."""
    style = style_of(name)
    grounds = [style.land, style.sea, style.closed, *(paint.tint for paint in style.paints)]
    for ink in (style.orders.plain, style.orders.done, style.orders.failed, style.orders.cut, style.orders.retreat):
        assert contrast(ink, style.orders.casing) >= 4.5
        assert [g for g in grounds if max(contrast(ink, g), contrast(style.orders.casing, g)) < 3] == []


def test_every_power_has_a_pattern_of_its_own(style: Style) -> None:
    """Twelve powers have twelve patterns, and fifty powers fifty different pairs of colour and pattern."""
    assert len({paint.pattern for paint in style.paints}) == len(style.paints) == 12
    pairs = {(number % 12, style.paint(number).pattern) for number in range(50)}
    assert len(pairs) == 50


def test_nobody_has_a_paint_of_its_own(style: Style) -> None:
    """A negative number is nobody's, whose paint is no power's."""
    assert style.paint(-1) is style.neutral
    assert style.neutral not in style.paints


def test_print_has_no_greys() -> None:
    """The style for paper knows black and white only."""
    style = style_of("print")
    paints = [c for p in (*style.paints, style.neutral) for c in (p.plate, p.letter, p.rim, p.tint, p.mark)]
    plain = [getattr(style, name) for name in Style.__slots__ if str(getattr(style, name)).startswith("#")]
    orders = [getattr(style.orders, name) for name in type(style.orders).__slots__]
    waters = [colour for _, colour in style.waterlines]
    assert {*paints, *plain, *orders, *waters} == {"#000000", "#ffffff"}


def test_waterlines_run_from_the_widest_in(style: Style) -> None:
    """Each line along the coast is drawn over a wider one."""
    assert all(wide > narrow for (wide, _), (narrow, _) in pairwise(style.waterlines))


@pytest.mark.parametrize("pattern", Pattern)
def test_patterns_are_drawn(pattern: Pattern) -> None:
    """Every pattern is a tile with something in it, in the colour asked for."""
    tile = pattern_tile("k", pattern, "#123456", 3)
    assert tile.startswith(f'<pattern id="k" width="{TILE}" height="{TILE}"')
    assert "#123456" in tile
    assert "<path" in tile or "<circle" in tile


def test_unknown_style() -> None:
    """A style that is not there is refused with the nearest that is."""
    with pytest.raises(NotFound, match=r"no style 'drak'.*did you mean dark"):
        style_of("drak")
    with pytest.raises(NotFound, match="styles are light, dark, print"):
        style_of("x" * 500)


def test_phones_have_wider_lines() -> None:
    """Everything but the margin is larger in the layout for phones."""
    wide, narrow = sizes_of("wide"), sizes_of("narrow")
    names = set(type(wide).__slots__) - {"margin"}
    assert all(getattr(narrow, name) > getattr(wide, name) for name in names)


def test_mixing() -> None:
    """A mix lies between its parts, and the legible ink is the one with more contrast."""
    assert mix("#ff0000", "#0000ff", 0.5) == "#800080"
    assert mix("#123456", "#ffffff", 1) == "#123456"
    assert (legible("#000080"), legible("#ffff80")) == ("#ffffff", "#000000")
