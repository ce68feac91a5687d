"""Corrections: the entries of a letter, and what becomes of those that it takes back, or says two things about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from gamesmaster.orders import Order, Verb
from gamesmaster.orders.dialect import dialects
from gamesmaster.orders.words import key
from gamesmaster.reading.layout import Passage
from gamesmaster.reading.lines import LineReader, Spans
from gamesmaster.reading.sections import CHOICE, DRAFT, NOTICE, REPLACED, Heading
from gamesmaster.reading.sheet import Purpose, SheetLine, unread

_OF_UNITS = frozenset({
    Verb.MOVE, Verb.HOLD, Verb.SUPPORT, Verb.CONVOY, Verb.RETREAT, Verb.DISBAND, Verb.REMOVE,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """What stands under one heading; what is brief ends at the next empty line, and `outer` goes on."""

    heading: Heading
    power: str
    title: str = ""
    outer: Part | None = None


@dataclass(slots=True)
class Entry:
    """A line with what it is for; `version` counts the sets of orders that replace those before.

    `piece` are its words if they were not looked at, since they stand below a heading that is not understood.
    """

    purpose: Purpose
    part: Part
    line: SheetLine
    version: int = 0
    piece: Passage | None = None

    @property
    def order(self) -> Order | None:
        """The order for this phase that it is."""
        return self.line.order if self.purpose is Purpose.NOW else None

    def drop(self, why: str = REPLACED) -> None:
        """Pass it over for what another line says."""
        self.purpose, self.line = Purpose.NOTHING, replace(self.line, order=None, read_as="", what=why)

    def doubt(self, why: str) -> None:
        """Ask about it."""
        if self.line.order:
            self.line = doubtful(self.line, why)


def doubtful(line: SheetLine, why: str) -> SheetLine:
    """The line of an order that is none until its writer says so."""
    hint, orders = f"did you mean {line.stored}?", (line.order,) if line.order else ()
    return replace(line, order=None, read_as="", stored=unread(line.text), what=why, hint=hint, options=orders)


def _unit(order: Order) -> object:
    return order.at.province if order.at else order


def _action(order: Order | None) -> object:
    return order and (order.verb, _unit(order), order.of and order.of.province, order.to and order.to.province)


def same_unit(one: Order | None, other: Order | None) -> bool:
    """Return whether two orders are for the same unit."""
    return one is not None and other is not None and _unit(one) == _unit(other)


def correction(entries: Sequence[Entry], piece: Passage, found: Spans, reader: LineReader) -> list[SheetLine] | None:
    """The orders that words put in the place of others, which are dropped; None if that is not what they plainly say.

    Orders that they may mean are asked about then.
    """
    has, text = reader.cues.has, piece.said
    known = [entry for entry in entries if entry.order]
    behind = {where.stop for where in piece.find(reader.cues("instead"))}
    old, new = list[Entry](), list[SheetLine]()
    for where, lines in found:
        same = [entry for line in lines for entry in known if _action(entry.order) == _action(line.order)]
        old += same
        new += [] if same or where.start in behind else lines
    units = {_unit(line.order) for line in new if line.order} or _places(piece, reader)
    named = [entry for entry in known if entry.order and _unit(entry.order) in units]
    unread = {at for at in reader.begins(piece) if not any(at in where for where, _ in found)}
    if unread and new:
        named = [entry for entry in known if entry.order and _unit(entry.order) in units | _places(piece, reader)]
    if (
        (unread and new)
        or "?" in text
        or has("leads", text)
        or has("doubt", text)
        or (not new and not has("cancels", text))
    ):
        named, clear = named if has("correction", text) and not has("greeting", text) else [], False
    else:
        ordinal = has("ordinals", text)
        if not new:
            named = old or (known if has("above", text) else known[_numbered(ordinal[0])] if ordinal else named)
        clear = bool(named)
    for entry in named:
        entry.drop() if clear else entry.doubt(CHOICE)
    return new if clear else None


def _places(piece: Passage, reader: LineReader) -> set[object]:
    """The places of the units that words name."""
    spots = {at + more for at in reader.begins(piece) for more in (0, 1) if at + more < len(piece.keys)}
    return {province for at in spots if (place := reader.place_at(piece, at)) for province in place[1]}


def _numbered(word: str) -> slice:
    """Which line an ordinal means: that of each language in its turn, the last one of a table the last line."""
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
        for entry in orders:
            order = entry.order
            if order and order.at and order.verb in _OF_UNITS and order.at.province not in own.get(power, set()):
                entry.doubt("no unit of this power is there")
        _settle_versions([entry for entry in orders if entry.order])
        _settle_notices(entries, orders)
        _settle_conflicts(entries, orders)


def _settle_versions(orders: list[Entry]) -> None:
    last = max((entry.version for entry in orders), default=0)
    units = {_unit(entry.order) for entry in orders if entry.version == last and entry.order}
    for entry in orders:
        if entry.version < last and entry.order:
            entry.drop() if _unit(entry.order) in units else entry.doubt("the version below leaves this out")


def _settle_notices(entries: Sequence[Entry], orders: list[Entry]) -> None:
    """Drop everything above words that say that nothing above them is an order."""
    noticed = [at for at, entry in enumerate(entries) if entry.line.what == NOTICE]
    if noticed and not any(entry.order for entry in entries[noticed[-1] :]):
        for entry in orders:
            entry.drop(DRAFT)


def _settle_conflicts(entries: Sequence[Entry], orders: list[Entry]) -> None:
    """Ask about two orders for one unit that have other words between them, which may say which one counts."""
    spoken = list(accumulate(entry.purpose in (Purpose.CHAT, Purpose.NOTHING) for entry in entries))
    places = {id(entry): at for at, entry in enumerate(entries)}
    latest: dict[object, Entry] = {}
    for entry in orders:
        unit = _unit(entry.order) if entry.order else None
        before = latest.get(unit)
        if before and entry.order and _action(before.order) != _action(entry.order):
            between = spoken[places[id(before)]] != spoken[places[id(entry)]] or before.part is not entry.part
            for one in (before, entry) if between else ():
                one.doubt(CHOICE)
        if unit is not None and entry.order:
            latest[unit] = entry
