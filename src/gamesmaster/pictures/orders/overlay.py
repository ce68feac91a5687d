"""Orders and results drawn over the units of a map.

What came true is solid; a move that bounces ends in a bar short of its goal, a support that is cut is broken, a convoy
that is disrupted turns to zigzag, what was not carried out is dotted, and a dislodged unit stands in a star.  All of it
is read from the rulings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from gamesmaster.board import Board, Position, Unit
from gamesmaster.orders import Verb
from gamesmaster.pictures.map.pieces import Stand, arrange
from gamesmaster.pictures.orders.model import Drawable, DrawnOrder, orders_to_draw
from gamesmaster.pictures.orders.strokes import strokes
from gamesmaster.pictures.orders.ways import Ways
from gamesmaster.pictures.shapes.values import Shapes, Spot
from gamesmaster.pictures.style import Sizes, Style, sizes_of, style_of

_HEIGHT = (Verb.WAIVE, Verb.HOLD, Verb.CONVOY, Verb.MOVE, Verb.RETREAT, Verb.SUPPORT)
"""What is drawn first and so lies beneath; verbs not named come last."""


def draw_orders(
    board: Board,
    shapes: Shapes,
    layout: str,
    position: Position,
    rulings: Sequence[Drawable],
    style: str = "light",
    *,
    stands: Iterable[Stand] | None = None,
    sign: Callable[[Unit, Spot], str] | None = None,
    prefix: str = "",
    sheet: bool = True,
) -> str:
    """A group of SVG that shows orders and what became of them, to be laid over the units of a position.

    `rulings` are those of the phase that began with `position`, or orders not yet decided (`plan`); `layout` and
    `style` are names.  `stands` says where the units are drawn, if not as `arrange` would have it, and `sign` draws a
    unit that is built.  Each order is a group with an id (`o-` and the number of its unit), with classes that name its
    verb, result and cause, and with the ruling's words as its title; ids begin with `prefix`.
    Without `sheet` the style sheet (`order_sheet`) is left out, for a document that has it already.
    """
    ink, sizes, places = style_of(style), sizes_of(layout), shapes.layouts[layout]
    orders = orders_to_draw(board, position, rulings)
    where = arrange(places, position, {}) if stands is None else stands
    ways = Ways(board, places, shapes.links, position, orders, where, sizes)
    groups = "".join(_group(ways, one, prefix, sign) for one in sorted(orders, key=_height))
    rows = f"<style>{rules(ink, sizes)}</style>" if sheet else ""
    return f'<g id="{prefix}orders" class="{scope(ink, sizes)}">{rows}{groups}</g>'


def _height(one: DrawnOrder) -> tuple[bool, bool, int]:
    """What lies above what: what came to nothing beneath, dislodged units on top."""
    return not one.void, one.dislodged, _HEIGHT.index(one.verb) if one.verb in _HEIGHT else len(_HEIGHT)


def _group(ways: Ways, one: DrawnOrder, prefix: str, sign: Callable[[Unit, Spot], str] | None) -> str:
    words = escape(one.text)
    start = f'<g id="{prefix}o-{one.key}" class="{one.classes}" role="img">'  # named by its title
    paths = "".join(f'<path class="{kind}" d="{data}"/>' for kind, data in strokes(ways, one))
    comer = one.comer
    spot = ways.spot(comer, comer.at) if comer else None
    coming = sign(comer, spot) if sign and comer and spot else ""
    return f"{start}<title>{words}</title>{coming}{paths}</g>"


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
