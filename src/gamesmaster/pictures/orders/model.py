"""Orders to draw and describe: from their rulings, or from the orders alone before they are decided.

Nothing is decided here: result, cause and reason are the ruling's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from gamesmaster.board import Board, Location, Position, Unit, unit_name
from gamesmaster.orders import AnyVerb, Notation, Order, Verb
from gamesmaster.rules import AnyCause, Result, Ruling

LONGEST = 60
"""Characters shown of an order that cannot be read."""


@dataclass(frozen=True, slots=True)
class Planned:
    """An order that is not decided yet, and the unit it is for, if there is one."""

    power: str
    unit: Unit | None
    order: Order


Drawable = Ruling | Planned
"""An order drawn over a map: with its ruling, or one that is only planned."""


def plan(position: Position, orders: Mapping[str, Iterable[Order]]) -> tuple[Planned, ...]:
    """Return orders by power as planned orders, each with the power's unit in the place that it names."""
    waiting = [d.unit for d in position.dislodged]
    found = []
    for power, given in orders.items():
        for order in given:
            own = (u for u in (*waiting, *position.units) if order.at and u.at.province == order.at.province)
            found.append(Planned(power, next((u for u in own if u.power == power), None), order))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """An order as it is drawn.

    `key` names it within the picture: its unit's number where it has one.  `verb` is what it tells its unit; a unit
    without a readable order holds.  `result` and `cause` are None before the phase is decided.  `text` is the whole
    sentence, with power, order, result and reason.
    """

    key: str
    power: str
    unit: Unit | None
    order: Order | None
    verb: AnyVerb
    text: str
    result: Result | None = None
    cause: AnyCause | None = None
    dislodged: bool = False

    @property
    def at(self) -> Location | None:
        """The place where its unit is, or would be."""
        return self.unit.at if self.unit else self.order.at if self.order else None

    @property
    def comer(self) -> Unit | None:
        """The unit that is built, or that is to be."""
        if self.verb is not Verb.BUILD or self.void:
            return None
        if self.unit is None and self.order and self.order.at:
            return Unit(0, self.order.kind, self.power, self.order.at)
        return self.unit

    @property
    def classes(self) -> str:
        """Verb, result and cause as words for style sheets."""
        words = [self.verb.value, self.result.value if self.result else "planned"]
        words += [self.cause.name.replace("_", "-")] if self.cause else []
        words += ["dislodged"] if self.dislodged else []
        return " ".join(word.replace(" ", "-").lower() for word in words)

    @property
    def void(self) -> bool:
        """True if it was not carried out at all."""
        return self.result is Result.VOID


def orders_to_draw(board: Board, position: Position, drawables: Sequence[Drawable]) -> tuple[DrawnOrder, ...]:
    """Return rulings or undecided orders in their order, ready to be drawn, each with its own key."""
    keys = _keys(drawables)
    out = {d.unit.number for d in position.dislodged}
    return tuple(
        DrawnOrder(
            key=next(keys),
            power=one.power,
            unit=one.unit,
            order=one.order,
            verb=verb_to_draw(one.order, out=one.unit is not None and one.unit.number in out),
            text=sentence(board, one),
            result=one.result if isinstance(one, Ruling) else None,
            cause=one.cause if isinstance(one, Ruling) else None,
            dislodged=isinstance(one, Ruling) and one.dislodged,
        )
        for one in drawables
    )


_REGULAR = {verb.value: verb for verb in Verb}


def verb_to_draw(order: Order | None, *, out: bool = False) -> AnyVerb:
    """Return the verb as which an order is drawn; only a unit that is `out` of its province retreats or disbands."""
    if order is None:
        return Verb.HOLD
    if out:
        return Verb.RETREAT if order.verb is Verb.MOVE else order.verb
    return _REGULAR.get(order.verb.phrase.drawn, order.verb.like)


def _keys(drawables: Iterable[Drawable]) -> Iterator[str]:
    seen: dict[str, int] = {}
    for one in drawables:
        key = str(one.unit.number) if one.unit else "x"
        seen[key] = seen.get(key, 0) + 1
        yield key if seen[key] == 1 else f"{key}-{seen[key]}"


# -- words -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def notation_of(board: Board) -> Notation:
    """Return the notation in which a board's orders are written; making one takes longer than drawing a map."""
    return Notation(board)


def sentence(board: Board, one: Drawable) -> str:
    """Return the order and its result as a sentence: `France: A Par - Bur. Bounces: it is stood off by ...`."""
    words = f"{one.power}: {drawable_words(board, one)}."
    return f"{words} {result_words(one)}." if isinstance(one, Ruling) else words


def result_words(ruling: Ruling) -> str:
    """Return its result and the ruling's own reason: `Bounces: it is stood off by A Mun (Germany) (1 against 1)`."""
    text, result = ruling.text, ruling.result.value
    said = text if text.partition(";")[0] == result else f"{result}: it {text}"
    return said[:1].upper() + said[1:]


def drawable_words(board: Board, one: Drawable) -> str:
    """Return the order as the notation writes it, for the unit that was meant; as it was given if it made no order."""
    order, unit = one.order, one.unit
    if order is None:
        given = one.given if isinstance(one, Ruling) else ""
        words = f'"{_printable(given)}"' if given or unit is None else unit_name(board, unit)
    elif unit and order.at and unit.at.province == order.at.province:
        words = _write(board, replace(order, kind=unit.kind, at=unit.at, power=""))
    else:
        words = _write(board, order)
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 3]}..."


def _write(board: Board, order: Order) -> str:
    places = [place.province for place in (order.at, order.to, order.of) if place]
    if all(place in board.index for place in (*places, *order.route)):
        return notation_of(board).tell(order)
    return f"{order.verb} {' '.join(places)}"


def _printable(text: str) -> str:
    """Return a stranger's words without invisible characters."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
