"""Corrections: the entries of a letter, and what becomes of those that it takes back, or says two things about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gamesmaster.orders import Order, Verb
from gamesmaster.orders.dialect import cue, dialects
from gamesmaster.orders.words import key
from gamesmaster.reading.layout import Passage
from gamesmaster.reading.lines import LineReader, Spans
from gamesmaster.reading.sections import CHOICE, DRAFT, REPLACED, Heading, has
from gamesmaster.reading.sheet import Purpose, SheetLine, unread

_ORDINARY = frozenset({Verb.MOVE, Verb.HOLD, Verb.SUPPORT, Verb.CONVOY, Verb.RETREAT, Verb.DISBAND})


@dataclass(frozen=True, slots=True)
class Part:
    """What stands under one heading; what is brief ends at the next empty line, and `outer` goes on."""

    heading: Heading
    power: str
    title: str = ""
    outer: Part | None = None


@dataclass(slots=True)
class Entry:
    """A line with what it is for; `version` counts the sets of orders that replace those before."""

    purpose: Purpose
    part: Part
    line: SheetLine
    version: int = 0

    @property
    def order(self) -> Order | None:
        """The order for this phase that it is."""
        return self.line.order if self.purpose is Purpose.NOW else None

    def drop(self, why: str = REPLACED) -> None:
        """Pass it over for what another line says."""
        self.purpose, self.line = Purpose.NOTHING, replace(self.line, order=None, read_as="", what=why)


def doubtful(line: SheetLine, why: str) -> SheetLine:
    """A line that may be an order, but is none until its writer says so."""
    hint = f"did you mean {line.stored}?" if line.order else line.hint
    orders = (line.order,) if line.order else line.options
    return replace(line, order=None, read_as="", stored=unread(line.text), what=why, hint=hint, options=orders)


def _unit(order: Order) -> object:
    return order.at.province if order.at else order


def _action(order: Order) -> object:
    return order.verb, _unit(order), order.of and order.of.province, order.to and order.to.province


def same_unit(one: Order | None, other: Order | None) -> bool:
    """Return whether two orders are for the same unit."""
    return one is not None and other is not None and _unit(one) == _unit(other)


def supersede(entries: Sequence[Entry], by: Entry) -> None:
    """Drop the orders that this one replaces: those of the same unit."""
    for entry in entries:
        if entry.part.power == by.part.power and same_unit(entry.order, by.order):
            entry.drop()


def correction(entries: Sequence[Entry], piece: Passage, found: Spans, reader: LineReader) -> list[SheetLine] | None:
    """The orders that words put in the place of others, which are dropped; None if that is not what they plainly say.

    What they may mean is asked about then.
    """
    text = " ".join(piece.keys)
    known = [entry for entry in entries if entry.order]
    behind = {where.stop for where in piece.find(cue("instead"))}
    old, new = list[Entry](), list[SheetLine]()
    for where, lines in found:
        same = [
            e for line in lines for e in known if e.order and line.order and _action(e.order) == _action(line.order)
        ]
        old += same
        new += [] if same or where.start in behind else lines
    units = {_unit(line.order) for line in new if line.order} or _places(piece, reader)
    named = [entry for entry in known if entry.order and _unit(entry.order) in units]
    if "?" in text or has("leads", text) or has("doubt", text) or (not new and not has("cancels", text)):
        clear = False
    elif new:
        clear = bool(named)
    else:
        ordinal = has("ordinals", text)
        named = old or (known if has("above", text) else known[_number(ordinal[0])] if ordinal else named)
        clear = bool(named)
    for entry in named:
        if clear:
            entry.drop()
        else:
            entry.line = doubtful(entry.line, CHOICE)
    return new if clear else None


def _places(piece: Passage, reader: LineReader) -> set[object]:
    """The places of the units that words name."""
    places = (
        reader.place_at(piece, at + more)
        for at in reader.begins(piece)
        for more in (0, 1)
        if at + more < len(piece.keys)
    )
    return {province for place in places if place for province in place[1]}


def _number(word: str) -> slice:
    """Which line an ordinal means, that of each language in its turn; the last is the last."""
    for listed in (dialect.notes.get("ordinals", ()) for dialect in dialects().values()):
        for number, name in enumerate(listed):
            if word.startswith(key(name.rstrip("*"))):
                return slice(-1, None) if number == len(listed) - 1 else slice(number, number + 1)
    return slice(0)


def settle(entries: Sequence[Entry], own: dict[str, set[str]]) -> None:
    """Drop what a later version of the orders replaces, and ask about what a letter says twice, or of others' units.

    `own` are the places of each power's units.
    """
    for power in {entry.part.power for entry in entries}:
        orders = [entry for entry in entries if entry.order and entry.part.power == power]
        _settle_versions(orders)
        _settle_notices(entries, orders)
        _settle_conflicts(entries, [entry for entry in orders if entry.order])
        for entry in orders:
            order = entry.order
            if order and order.at and order.verb in _ORDINARY and order.at.province not in own.get(power, set()):
                entry.line = replace(doubtful(entry.line, "this is for a unit that is not there"), hint="")


def _settle_versions(orders: list[Entry]) -> None:
    last = max((entry.version for entry in orders), default=0)
    units = {_unit(entry.line.order) for entry in orders if entry.version == last and entry.line.order}
    for entry in orders:
        if entry.version < last and entry.line.order:
            if _unit(entry.line.order) in units:
                entry.drop()
            else:
                entry.line = doubtful(entry.line, "the version below leaves this out")


def _settle_notices(entries: Sequence[Entry], orders: list[Entry]) -> None:
    """Drop everything above words that say that nothing above them is an order."""
    notices = [
        at for at, entry in enumerate(entries) if entry.line.what == DRAFT and has("notice", key(entry.line.text))
    ]
    if notices and not any(entry.order for entry in entries[notices[-1] :]):
        for entry in orders:
            entry.drop(DRAFT)


def _settle_conflicts(entries: Sequence[Entry], orders: list[Entry]) -> None:
    """Ask about two orders for one unit that have other words between them, which may say which one counts."""
    words = [at for at, entry in enumerate(entries) if entry.purpose in (Purpose.CHAT, Purpose.NOTHING)]
    places = {id(entry): at for at, entry in enumerate(entries)}
    for number, first in enumerate(orders):
        for second in orders[number + 1 :]:
            between = same_unit(first.order, second.order) and any(
                places[id(first)] < at < places[id(second)] for at in words
            )
            if between and first.order and second.order and _action(first.order) != _action(second.order):
                first.line, second.line = (doubtful(entry.line, CHOICE) for entry in (first, second))
