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
from gamesmaster.pictures.arrange import Stand, arrange
from gamesmaster.pictures.orders_ink import rules, scope
from gamesmaster.pictures.orders_strokes import strokes
from gamesmaster.pictures.orders_told import Drawable, Told, told
from gamesmaster.pictures.orders_ways import Ways
from gamesmaster.pictures.shapes import Shapes, Spot
from gamesmaster.pictures.style import sizes_of, style_of

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
    orders = told(board, position, rulings)
    where = arrange(places, position, {}) if stands is None else stands
    ways = Ways(board, places, shapes.links, position, orders, where, sizes)
    groups = "".join(_group(ways, one, prefix, sign) for one in sorted(orders, key=_height))
    rows = f"<style>{rules(ink, sizes)}</style>" if sheet else ""
    return f'<g id="{prefix}orders" class="{scope(ink, sizes)}">{rows}{groups}</g>'


def _height(one: Told) -> tuple[bool, bool, int]:
    """What lies above what: what came to nothing beneath, dislodged units on top."""
    return not one.void, one.dislodged, _HEIGHT.index(one.verb) if one.verb in _HEIGHT else len(_HEIGHT)


def _group(ways: Ways, one: Told, prefix: str, sign: Callable[[Unit, Spot], str] | None) -> str:
    words = escape(one.text)
    start = f'<g id="{prefix}o-{one.key}" class="{one.classes}" role="img">'  # named by its title
    paths = "".join(f'<path class="{kind}" d="{data}"/>' for kind, data in strokes(ways, one))
    comer = one.comer
    spot = ways.spot(comer, comer.at) if comer else None
    coming = sign(comer, spot) if sign and comer and spot else ""
    return f"{start}<title>{words}</title>{coming}{paths}</g>"
