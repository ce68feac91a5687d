"""Orders and results drawn over the units of a map, and the key to them: a sample of each kind of line, drawn alike.

What came true is solid; a move that bounces ends in a bar short of its goal, a support that is cut is broken, a convoy
that is disrupted turns to zigzag, what was not carried out is dotted, and a dislodged unit stands in a star.  All of it
is read from the rulings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import NamedTuple

from gamesmaster.board import Board, Edge, Location, Position, Province, Terrain, Unit
from gamesmaster.orders import AnyVerb, Order, Phrase, Verb
from gamesmaster.pictures.map.pieces import Stand, arrange
from gamesmaster.pictures.orders.model import Drawable, DrawnOrder, Planned, orders_to_draw, verb_to_draw
from gamesmaster.pictures.orders.strokes import ring, square, strokes
from gamesmaster.pictures.orders.ways import Page, Ways
from gamesmaster.pictures.shapes.values import Layout, Place, Shapes, Spot
from gamesmaster.pictures.style import Look, Sizes, Style, sizes_of, style_of
from gamesmaster.rules import AnyCause, Cause, Result, Ruling

_HEIGHT: tuple[AnyVerb, ...] = (Verb.WAIVE, Verb.HOLD, Verb.CONVOY, Verb.MOVE, Verb.RETREAT, Verb.SUPPORT)
"""The order of drawing: the first lies beneath, and verbs not named come last.

Void orders lie beneath all others, those of dislodged units above.
"""


class Beneath(NamedTuple):
    """The map over which orders are drawn."""

    stands: Sequence[Stand]  # where it draws the units
    sign: Callable[[Unit, Spot], str]  # draws a unit that is built


def draw_orders(
    board: Board,
    shapes: Shapes,
    position: Position,
    rulings: Sequence[Drawable],
    look: Look = Look(),  # noqa: B008 - a value
    beneath: Beneath | None = None,
) -> str:
    """Return a group of SVG that shows orders and what became of them, to be laid over the units of a position.

    `rulings` are those of the phase that began with `position`, or orders not yet decided (`plan`). Each order is a
    group with an id (`o-` and the number of its unit), with classes that name its verb, result and cause, and with the
    ruling's words as its title. The style sheet (`order_sheet`) is left out over a map `beneath`, which has it.
    """
    ink, sizes, places = style_of(look.style), sizes_of(look.layout), shapes.layouts[look.layout]
    orders = orders_to_draw(board, position, rulings)
    where = beneath.stands if beneath else arrange(places, position, {})
    ways = Ways(board, Page(places, shapes.links, sizes), position, orders, where)
    sign = beneath.sign if beneath else None
    height = {verb: number for number, verb in enumerate(_HEIGHT)}
    lowest = sorted(orders, key=lambda one: (not one.void, one.dislodged, height.get(one.verb, len(height))))
    groups = "".join(_group(ways, one, look.prefix, sign) for one in lowest)
    rows = "" if beneath else f"<style>{rules(ink, sizes)}</style>"
    return f'<g id="{look.prefix}orders" class="{scope(ink, sizes)}">{rows}{groups}</g>'


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
    """Return the class of an overlay: its style and the width of its lines in one word."""
    return f"o-{style.name}-{_number(sizes.order)}"


def rules(style: Style, sizes: Sizes) -> str:
    """Return the style sheet of an overlay."""
    inks, name = style.orders, f".{scope(style, sizes)}"
    found = [
        f"{name}{{color:{inks.done}}}",
        *(f"{name} .{word}{{color:{getattr(inks, ink)}}}" for word, ink in _COLOURS),
        f"{name} path{{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}}",
        *(f"{name} .{word}{{{how}}}" for word, how in _strokes(style, sizes).items()),
    ]
    return "".join(found)


def _strokes(style: Style, sizes: Sizes) -> dict[str, str]:
    """Return the strokes by class.  The classes are single letters, since every order has some of them.

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


# -- the key to the overlay of orders ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A line of the key: what it means, and a sample as SVG about (0, 0), `width` and `height` page units large.

    Samples are drawn by the classes of `order_sheet`, which the overlay brings with it.
    """

    label: str
    sample: str
    width: float
    height: float


def order_sheet(style: str, layout: str = "wide") -> str:
    """Return the style sheet of the overlay, and of the samples."""
    return rules(style_of(style), sizes_of(layout))


def order_key(
    style: str,
    layout: str = "wide",
    drawables: Sequence[Drawable] | None = None,
    verbs: Collection[AnyVerb] | None = None,
) -> tuple[KeyRow, ...]:
    """Return the rows of the key; with `drawables`, only those for what is among them.

    With `verbs`, those that mechanics add, what is drawn for such has their words, and is left out if no verb has it.
    Builds that are waived are not drawn on the map: their row names the powers.
    """
    ink, sizes = style_of(style), sizes_of(layout)
    used = None if drawables is None else {row for one in drawables for row in _key_rows(one)}
    own = {one.order.verb: None for one in drawables or () if one.order} if verbs is None else verbs
    words = {row: said for verb in own for row, said in _words(verb)}
    waived = dict.fromkeys(one.power for one in drawables or () if "waive" in _key_rows(one))
    return tuple(
        KeyRow(
            _label(words.get(key, label), waived if key == "waive" else ()),
            f'<g class="{scope(ink, sizes)}">{_sample(key, sizes)}</g>',
            2.8 * sizes.sign,
            1.2 * sizes.sign,
        )
        for key, (label, _) in _ROWS.items()
        if (used is None or key in used) and (verbs is None or key in words or key not in _OF_MECHANICS)
    )


def _words(verb: AnyVerb) -> Iterator[tuple[str, str]]:
    """Yield the rows that a mechanic's verb gives its own words, with these."""
    for result, said in zip((Result.SUCCEEDS, Result.FAILS), verb.phrase.key, strict=False):
        yield f"{verb.phrase.drawn} {result}", said


def _label(words: str, powers: Collection[str]) -> str:
    return f"{words}: {', '.join(powers)}" if powers else words


def _key_rows(one: Drawable) -> set[str]:
    """Return the rows of the key that explain how an order is drawn."""
    if isinstance(one, Planned):
        return {"planned"}
    star = {"dislodged"} if one.dislodged else set()
    if one.result is Result.VOID:
        return star | {"void"}
    verb = verb_to_draw(one.order)
    row = _BY_CAUSE.get(one.cause) or _BY_RESULT.get(one.result) or f"{verb.phrase.drawn or verb} {one.result}"
    return star | {row if row in _ROWS else verb.value}


_BY_CAUSE: dict[AnyCause, str] = {
    Cause.RETREATED: "retreat",
    Cause.COLLIDED: "retreat",
    Cause.DISBANDED: "disband",
    Cause.REMOVED: "remove",
}
_BY_RESULT = {Result.HOLDS: "hold", Result.NO_CONVOY: "no convoy", Result.DISRUPTED: "no convoy"}

# -- a board of three places on which samples are drawn --------------------------------------------------------------

_A, _B, _C, _SEA = (Location(name) for name in ("a", "b", "c", "s"))
_BOARD = Board(
    "key",
    (
        *(Province(at.province, at.province, at.province, Terrain.COAST) for at in (_A, _B, _C)),
        Province("s", "s", "s", Terrain.SEA, convoy=True),
    ),
    tuple(Edge("fleet", a, b) for a, b in ((_A, _SEA), (_SEA, _A), (_B, _SEA), (_SEA, _B))),
)
_MOVER, _HELPER, _FLEET = Unit(1, "A", "", _A), Unit(2, "A", "", _C), Unit(3, "F", "", _SEA)
_MOVE = Order(Verb.MOVE, "A", _A, _B)
_SUPPORT = Order(Verb.SUPPORT, "A", _C, _B, _A, "A")
_CONVOY = Order(Verb.CONVOY, "F", _SEA, _B, _A, "A")


def _ruling(unit: Unit, order: Order, result: Result, cause: Cause, by: Unit | None = None) -> Ruling:
    return Ruling("", unit, order, "", result, cause, dislodged_by=by)


_CAME = _ruling(_MOVER, _MOVE, Result.SUCCEEDS, Cause.CAME)
_SAILED = _ruling(_MOVER, _MOVE, Result.SUCCEEDS, Cause.CAME_BY_SEA)
_HELD = Order(Verb.HOLD, "A", _C)


class _Sample(AnyVerb):
    WORK = "work", Phrase(drawn="work")
    BLOW = "blow", Phrase(drawn="blow")


_WORK, _BLOW = Order(_Sample.WORK, "F", _SEA), Order(_Sample.BLOW, "F", _SEA)
_ROWS: dict[str, tuple[str, tuple[Drawable, ...]]] = {
    "move succeeds": ("moves", (_CAME,)),
    "move bounces": ("is stopped", (_ruling(_MOVER, _MOVE, Result.BOUNCES, Cause.STOOD_OFF),)),
    "support succeeds": ("supports", (_CAME, _ruling(_HELPER, _SUPPORT, Result.SUCCEEDS, Cause.GIVEN))),
    "support cut": ("support is cut", (_CAME, _ruling(_HELPER, _SUPPORT, Result.CUT, Cause.CUT_BY_ATTACK))),
    "convoy succeeds": ("convoys", (_SAILED, _ruling(_FLEET, _CONVOY, Result.SUCCEEDS, Cause.AVAILABLE))),
    "no convoy": ("convoy is broken", (_ruling(_MOVER, _MOVE, Result.NO_CONVOY, Cause.CONVOY_SILENCED),)),
    "hold": ("holds", (_ruling(_FLEET, _HELD, Result.HOLDS, Cause.HELD),)),
    "dislodged": ("is dislodged", (_ruling(_FLEET, _HELD, Result.HOLDS, Cause.HELD, _MOVER),)),
    "retreat": ("retreats", (_ruling(_MOVER, Order(Verb.RETREAT, "A", _A, _B), Result.SUCCEEDS, Cause.RETREATED),)),
    "disband": ("disbands", (_ruling(_FLEET, Order(Verb.DISBAND, "F", _SEA), Result.SUCCEEDS, Cause.DISBANDED),)),
    "build": ("is built", (_ruling(_FLEET, Order(Verb.BUILD, "F", _SEA), Result.SUCCEEDS, Cause.BUILT),)),
    "remove": ("is removed", (_ruling(_FLEET, Order(Verb.REMOVE, "F", _SEA), Result.SUCCEEDS, Cause.REMOVED),)),
    "work succeeds": ("does its work", (_ruling(_FLEET, _WORK, Result.SUCCEEDS, Cause.HELD),)),
    "work fails": ("works in vain", (_ruling(_FLEET, _WORK, Result.FAILS, Cause.HELD),)),
    "blow succeeds": ("strikes", (_ruling(_FLEET, _BLOW, Result.SUCCEEDS, Cause.HELD),)),
    "waive": ("leaves a build unused", ()),
    "planned": ("is ordered", (Planned("", _MOVER, _MOVE),)),
    "void": ("not carried out", (_ruling(_MOVER, _MOVE, Result.VOID, Cause.UNMATCHED),)),
}


_OF_MECHANICS = ("work succeeds", "work fails", "blow succeeds")


def _places(sizes: Sizes) -> Layout:
    """Return the places of the samples: from left to right, with little room for units, since none are drawn."""
    at = {"a": (-1.2, -0.12, 0.3), "b": (1.2, -0.12, 0.3), "c": (-0.85, 0.46, 0.3), "s": (0.0, 0.0, 0.56)}
    spots = {name: [round(number * sizes.sign) for number in place] for name, place in at.items()}
    return Layout({name: Place({"": (Spot(x, y, room),)}) for name, (x, y, room) in spots.items()})


@lru_cache(maxsize=64)
def _sample(key: str, sizes: Sizes) -> str:
    """Return the drawing in a row of the key, the same in every picture of a layout."""
    drawables, places = _ROWS[key][1], _places(sizes)
    units = tuple({d.unit.number: d.unit for d in drawables if d.unit and key != "build"}.values())
    position = Position(units)
    orders, stands = orders_to_draw(_BOARD, position, drawables), arrange(places, position, {})
    ways = Ways(_BOARD, Page(places, (), sizes), position, orders, stands)
    if not drawables:
        return f'<path class="N" d="{ring((0, 0), 0.3 * sizes.sign)}"/>'
    signs = "".join(f'<path class="U" d="{square((s.spot.x, s.spot.y), s.spot.room / 2)}"/>' for s in stands)
    groups = (
        f'<g class="{one.classes}">{"".join(f"""<path class="{kind}" d="{data}"/>""" for kind, data in drawn)}</g>'
        for one in orders
        for drawn in [strokes(ways, one)]
    )
    return signs + "".join(groups)
