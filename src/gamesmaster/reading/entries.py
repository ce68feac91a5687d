"""Entries: the lines of a letter as far as it was read, each with what it is for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.orders.words import key
from gamesmaster.reading.lines import KINDS, PHASES, LineReader, Readers
from gamesmaster.reading.passages import Passage, passage
from gamesmaster.reading.sections import Heading, Why
from gamesmaster.reading.sheet import Purpose, Section, SheetLine, unread

_CLAUSE_END = re.compile(r"[,;:(]|\.\s")
_BULLET = re.compile(r"[-–—−]\s")


@dataclass(frozen=True, slots=True)
class Part:
    """What stands under one heading, whose line is `line`; what is brief ends at an empty line, and `outer` goes on."""

    heading: Heading
    power: str
    title: str = ""
    outer: Part | None = None
    line: int = 0


@dataclass(slots=True)
class Entry:
    """A line with what it is for; `version` counts the sets of orders that replace those before.

    `block` counts the empty lines above; `was` is an order that was dropped, or only asked; `held` is the line as an
    order, where it stands below a heading for drafts, or one that is not understood.
    """

    purpose: Purpose
    part: Part
    line: SheetLine
    version: int = 0
    block: int = 0
    was: Order | None = None
    held: SheetLine | None = None

    @property
    def order(self) -> Order | None:
        """The order for this phase that it is."""
        return self.line.order if self.purpose is Purpose.NOW else None

    def drop(self, why: str = Why.REPLACED) -> None:
        """Pass it over for what another line says."""
        self.was = self.order or self.was
        self.purpose, self.line = Purpose.NOTHING, replace(self.line, order=None, read_as="", what=why)

    def doubt(self, why: str) -> None:
        """Ask about it, if it is an order for this phase."""
        if self.order:
            self.line = doubtful(self.line, why)


def doubtful(line: SheetLine, why: str) -> SheetLine:
    """Return the line of an order that does not count until its writer confirms it."""
    hint, orders = f"did you mean {line.stored}?", (line.order,) if line.order else ()
    return replace(line, order=None, read_as="", stored=unread(line.text), what=why, hint=hint, options=orders)


def unit_of(order: Order) -> object:
    """Return the province of the unit that an order is for, or the order itself without one or beside another."""
    return order.at.province if order.at and not order.verb.rider else order


def action_of(order: Order | None) -> object:
    """Return the part of an order that distinguishes it from others for its unit, without coasts."""
    if order is None:
        return None
    built = order.verb is Verb.BUILD and order.kind
    return order.verb, unit_of(order), order.of and order.of.province, order.to and order.to.province, built


def same_unit(one: Order | None, other: Order | None) -> bool:
    """Return whether two orders are for the same unit."""
    return one is not None and other is not None and unit_of(one) == unit_of(other)


class Entries:
    """What has been read of a letter of `power`, or of a Gamesmaster for `powers`.

    `part` is the part that is being read, `version` counts the sets of orders that replace those above, `block` the
    empty lines above, and `begun` is where this part begins.
    """

    def __init__(self, readers: Readers, power: str, powers: Collection[str], *, only_orders: bool = False) -> None:
        self.readers, self.power, self.powers, self.only_orders = readers, power, powers, only_orders
        self.at, self.cues = readers.at, readers.cues
        self.part = Part(Heading(Purpose.NOW), power)
        self.listed: list[Entry] = []
        self.begun = self.version = self.block = 0

    @property
    def here(self) -> LineReader:
        """The reader of the lines of this part, or of any if nobody's orders are read in it."""
        purpose = self.part.heading.purpose if self.part.heading.purpose in KINDS else Purpose.NOW
        power = self.part.power if self.part.power in self.at.rules.powers else self.at.rules.powers[0]
        reader = self.readers.of(power, purpose)
        reader.carried = self.part.heading.verb
        return reader

    @property
    def reads(self) -> bool:
        """Return whether orders are read in this part."""
        return self.part.heading.purpose is not Purpose.NOTHING and self.part.power in self.powers

    def own(self, power: str = "") -> list[Entry]:
        """Return the entries of a power, by default of the one whose orders are read in this part."""
        return [entry for entry in self.listed if entry.part.power == (power or self.part.power)]

    def keep(
        self,
        lines: Iterable[SheetLine],
        purpose: Purpose | None = None,
        *,
        corrects: bool = False,
        prefers: bool = False,
    ) -> None:
        """Keep lines for a purpose, by default that of this part, or of the phase that their verbs belong to.

        If one `corrects`, the orders above for its unit are dropped.  Builds that somebody `prefers` replace as many
        above; of more it is asked which.
        """
        lines = list(lines)
        above = [e for e in self.own() if e.order and e.order.verb is Verb.BUILD] if prefers else []
        above = [entry for entry in above if not any(same_unit(entry.order, line.order) for line in lines)]
        for entry in above if lines else ():
            if len(above) == len(lines):
                entry.drop()
            else:
                entry.doubt(Why.CHOICE)
        for line in lines:
            own = purpose or self.part.heading.purpose or Purpose.NOW
            kind = PHASES.get(line.order.verb, self.at.kind) if line.order else self.at.kind
            if own in KINDS and line.order and kind is not KINDS[own]:
                own = Purpose.NOTHING
            elif own is Purpose.NOW and kind is not self.at.kind:
                ahead = {kind: purpose for purpose, kind in KINDS.items()}.get(kind, Purpose.NOTHING)
                own = Purpose.NOTHING if self.at.kind is PhaseKind.ADJUSTMENTS else ahead
            if own is Purpose.NOTHING:
                line = replace(line, order=None, read_as="", what=Why.SEASON)
            if line.order and own is Purpose.NOW and self.part.heading.asks:
                line = doubtful(line, self.part.heading.why)
            removes = line.order is not None and line.order.verb in (Verb.REMOVE, Verb.DISBAND)
            if removes and (self.denies(line.text) or self.denies(self.part.title)):  # it may be spared
                own, line = Purpose.NOW, doubtful(line, Why.CHOICE)
            if own in KINDS and line.order and line.order in {e.line.order for e in self.listed if e.purpose is own}:
                continue
            entry = Entry(own, self.part, line, self.version, self.block)
            for other in self.listed if corrects or self.part.heading.corrects else ():
                if other.part.power == self.part.power and same_unit(other.order, entry.order):
                    other.drop()
            self.listed.append(entry)

    def settle_counts(self) -> None:
        """Drop waivers of builds that are not due.

        Mark removals as doubtful that are in a list, by dashes or on one line, and more than the power owes.
        """
        for power in self.at.rules.powers if self.at.kind is PhaseKind.ADJUSTMENTS else ():
            removed = [e for e in self.own(power) if e.order and e.order.verb is Verb.REMOVE]
            on_line = Counter(entry.line.line for entry in removed)
            listed = [e for e in removed if _BULLET.match(e.line.text) or on_line[e.line.line] > 1]
            if (due := self.at.due(power)) is None:
                continue
            for entry in listed if len(removed) > -due else ():
                entry.doubt(Why.CHOICE)
            waived = [e for e in self.own(power) if e.order and e.order.verb is Verb.WAIVE]
            builds = sum(e.order is not None for e in self.own(power)) - len(waived)
            for entry in waived[max(due - builds, 1) :]:
                entry.drop()
            revoked = waived and builds >= due and self.cues.any(("oops", "correction"), key(waived[-1].line.text))
            for entry in self.own(power) if revoked else ():  # "Wait, make it nothing at all"
                if entry.order and entry.order.verb is Verb.BUILD:
                    entry.drop()
            self._settle_builds(power, due)

    def _settle_builds(self, power: str, due: int) -> None:
        """Drop builds that a correction below them leaves no room for, or prefers others to; ask which if only some."""
        builds = [e for e in self.own(power) if e.order and e.order.verb is Verb.BUILD]
        before = next((at for at, entry in enumerate(builds) if entry.part.heading.corrects), 0)
        prefers = before and self.cues.has("prefers", key(builds[before].part.title))
        most = due if 0 < due < len(builds) else before if prefers else 0
        for entry in builds[:before] if most else ():
            if len(builds) - before >= most:
                entry.drop()
            else:
                entry.doubt(Why.CHOICE)

    def denies(self, text: str) -> bool:
        """Return whether the first clause of a text says that something is not done, or not to something."""
        said = self.cues("musing").sub("", key(_CLAUSE_END.split(text)[0]))
        return self.cues.any(("negation", "spares"), said)

    def pass_over(self, why: str, piece: Passage) -> None:
        """Note words that are passed over."""
        if self.only_orders and why == Why.CHAT and self.part.heading.purpose in (None, Purpose.NOW) and self.reads:
            self.keep([self.here.refuse(piece)])
            return
        what = f"{why} {self.part.title!r}" if why == Why.UNKNOWN else why
        line = SheetLine(piece.text, piece.line.number, piece.column(0), what=what)
        keeps = why in (Why.UNKNOWN, Why.DRAFT, Why.QUESTION) and self.part.power in self.powers
        purpose = Purpose.CHAT if why in (Why.CHAT, Why.HEADING) else Purpose.NOTHING
        words = piece.without("?")
        for held in (self.here.orders(words) if keeps and words.words else ()) or (None,):
            said = replace(line, text=held.text, column=held.column) if held else line
            entry = Entry(purpose, self.part, said, self.version, self.block, held=held)
            if held and why == Why.QUESTION:
                entry.was, entry.held = held.order, None
            self.listed.append(entry)

    def refuse(self, piece: Passage, why: str = "") -> None:
        """Refuse words, and name the orders in them; what was ordered above otherwise for their units is in doubt."""
        (line, *_), write = self.here.read(piece), self.at.rules.notation.write
        orders = tuple(one.order for _, lines in self.here.spans(piece) for one in lines if one.order)
        if why and orders and not line.options:
            listed = " or ".join(map(write, orders))
            hint = f"did you mean {listed}?" if len(orders) == 1 else f"write one of these: {listed}"
            line = replace(line, what=why, hint=hint, options=orders, column=piece.column(0), stored=unread(line.text))
        for entry in self._unsettled(piece, orders, asked=why == Why.CONDITION):
            entry.doubt(Why.CHOICE)
        self.keep([line])

    def _unsettled(self, piece: Passage, orders: Sequence[Order], *, asked: bool) -> Iterator[Entry]:
        """Yield the entries that refused words would change, if they are a condition or take something back.

        `orders` are those in the words; without any, a correction is about the units that it names beside a place,
        unless they are `asked` about as a condition.
        """
        said = key(piece.line.written[: piece.words[-1].end])  # "Err, hold on: A Par - Pic is what I need"
        back = self.part.heading.corrects or self.cues.any(("correction", "oops", "cancels"), said)
        if "?" in piece.keys[-1:] or not (back or self.cues.has("condition", piece.said)):
            return
        named = self.here.provinces(piece) if back else frozenset[str]()
        if self.at.kind is not PhaseKind.ADJUSTMENTS:  # "Sorry, no train from Paris" is about no order
            lost = len(named) > 1 and not orders and not asked
            named = frozenset[str]().union(*self.here.begins(piece).values()) if lost else frozenset()
        built = back and (  # "Build A Vie, not the fleet", "A fleet would be better"
            any(order.verb is Verb.BUILD for order in orders) or self.cues.has("prefers", said)
        )
        for entry in self.own():
            others = (order for order in orders if same_unit(entry.order, order))
            if entry.order and (
                (built and entry.order.verb is Verb.BUILD)
                or unit_of(entry.order) in named
                or any(action_of(entry.order) != action_of(order) for order in others)
            ):
                yield entry

    def begin(self, heading: Heading, title: Passage, *, brief: bool) -> None:
        """Go on below a heading."""
        if heading.purpose is None:
            return
        outer = self.part.outer or self.part
        power = heading.power or outer.power
        if heading.new and any(entry.order and entry.part.power == power for entry in self.listed):
            self.version += 1
        brief = (brief and heading.purpose is not Purpose.NOW) or heading.asks or heading.why == Why.UNKNOWN
        self.part = Part(heading, power, title.text, outer if brief else None, title.line.number)
        self.begun = len(self.listed)

    def sections(self) -> Iterator[Section]:
        """Yield the lines by purpose and heading, in the order written."""
        grouped = groupby(self.listed, key=lambda entry: (entry.purpose, entry.part.power, entry.part.title))
        for (purpose, power, title), listed in grouped:
            yield Section(purpose, power, tuple(line for one in listed for line in self._written_out(one)), title)
        yield from self._empty()

    def _empty(self) -> Iterator[Section]:
        """Yield a section for each heading of a later phase without orders, or "none": it takes back what was sent."""
        below: dict[tuple[Purpose | None, str, str], list[Entry]] = {}
        for entry in self.listed:
            below.setdefault((entry.part.heading.purpose, entry.part.power, entry.part.title), []).append(entry)
        for (purpose, power, title), listed in below.items():
            said = {entry.line.text.rstrip(":. ") for entry in listed} - {title}
            spoken = all(entry.purpose is Purpose.CHAT for entry in listed)
            if purpose in KINDS and spoken and all(self.cues("nothing").fullmatch(key(text)) for text in said):
                yield Section(purpose, power, (), title)

    def _written_out(self, entry: Entry) -> Iterator[SheetLine]:
        """Yield a line, with "all hold" and "the rest hold" written out for each unit meant."""
        line, order = entry.line, entry.line.order
        if order is None or order.at is not None or order.verb is Verb.WAIVE:
            yield line
            return
        reader, power = self.readers.of(entry.part.power), entry.part.power
        named = {e.order.at.province for e in self.listed if e.order and e.order.at and e.part.power == power}
        for asked in (e.line for e in self.own(power) if e.purpose is Purpose.NOW and e.line.what and e.line.text):
            named |= reader.provinces(passage(asked.text, asked.line))  # "Attack Burgundy from Paris. The rest hold."
        for unit in reader.scene.own:
            if not unit.aboard and unit.at.province not in named:
                each = Order(order.verb, unit.kind, unit.at)
                read_as, stored = reader.read_as(line.text, each), reader.notation.write(each)
                yield replace(line, order=each, read_as=read_as, stored=stored)
