"""How orders look: the style sheet of the overlay, in each style and for each layout.

An order has one colour, by what became of it; its strokes differ by class, so that black and white tell as much.  Rules
are named after style and layout, so that several maps on one page do not clash.
"""

from __future__ import annotations

from gamesmaster.pictures.style import Sizes, Style

_COLOURS = (
    ("planned", "plain"),
    ("retreat", "retreat"),
    ("disband", "retreat"),
    ("remove", "retreat"),
    ("bounces", "failed"),
    ("no-convoy", "failed"),
    ("disrupted", "failed"),
    ("cut", "cut"),
    ("void", "void"),
)
"""Results and verbs that have another ink than what came true; a later one outdoes an earlier."""


def scope(style: Style, sizes: Sizes) -> str:
    """The class of an overlay: its style and the width of its lines in one word."""
    return f"o-{style.name}-{_number(sizes.order)}"


def rules(style: Style, sizes: Sizes) -> str:
    """The style sheet of an overlay."""
    inks, name = style.orders, f".{scope(style, sizes)}"
    found = [
        f"{name}{{color:{inks.done}}}",
        *(f"{name} .{word}{{color:{getattr(inks, ink)}}}" for word, ink in _COLOURS),
        f"{name} path{{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}}",
        *(f"{name} .{word}{{{how}}}" for word, how in _strokes(style, sizes).items()),
    ]
    return "".join(found)


def _strokes(style: Style, sizes: Sizes) -> dict[str, str]:
    """The strokes by class.  The classes are single letters, since every order has some of them.

    On paper, where lines have no colour to stand out from the hatchings, they are broader.
    """
    inks, unit = style.orders, sizes.order * (1.3 if style.plain else 1)

    def width(times: float, *dashes: float) -> str:
        dashed = f";stroke-dasharray:{' '.join(_number(d * unit) for d in dashes)}" if dashes else ""
        return f"stroke-width:{_number(times * unit)}{dashed}"

    casing = f"stroke:{inks.casing};stroke-opacity:{0.9 if inks.casing != inks.plain else 1}"
    return {
        "H": f"{casing};{width(2.3)}",  # the casing beneath a move
        "I": f"{casing};{width(1.8)}",  # and beneath finer lines
        "J": f"{casing};{width(1)};stroke-opacity:.6",
        "M": width(1),  # a move
        "S": width(0.7),  # a support, a ring
        "T": f"{width(0.35)};stroke-opacity:.7",  # the thread through a fleet that convoys
        "F": f"fill:currentColor;{width(0.3)}",  # a head, a joint
        "O": f"fill:{inks.casing};{width(0.5)}",  # a joint of what failed
        "B": f"{width(1.3)};stroke-linecap:butt",  # the bar that stops a move
        "C": width(0.7, 2.6, 1.9),  # a support that is cut
        "R": width(1.1, 0, 2.1),  # a retreat
        "V": width(0.55, 0, 1.35),  # what was not carried out
        "D": f"color:{inks.failed};{width(0.7)}",  # the star about a dislodged unit
        "X": width(1.1),  # what is struck out
        "U": f"{width(0.3)};stroke-opacity:.6",  # a unit in the key
        "N": width(0.6, 1.4, 1.2),  # a unit to come
    }


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
