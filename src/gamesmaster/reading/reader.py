"""The reader: what somebody sends for a phase, as a careful Gamesmaster reads it.

`read` makes an `OrderSheet` of a text.  Every door calls it, once for each text that comes in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from gamesmaster.board import Position
from gamesmaster.errors import BadOrder, NotFound, Unreadable, nearest
from gamesmaster.judge import Rules, Season
from gamesmaster.judge.engine import OrderReader
from gamesmaster.judge.rules import Made
from gamesmaster.orders import UNREAD, GivenOrder, Order, PhaseKind, Verb
from gamesmaster.orders.sentence import defect
from gamesmaster.reading.layout import Passage, is_html, lay_out, passages, text_of
from gamesmaster.reading.lines import Effort, LineReader
from gamesmaster.reading.meaning import may_be
from gamesmaster.reading.sections import behind_title, is_title, power_headed, verb_headed
from gamesmaster.reading.sheet import LONGEST_SHEET, MOST_LINES, OrderSheet, Purpose, Section, SheetLine, unread
from gamesmaster.reading.wordbook import Wordbooks


class _Phase(Protocol):
    @property
    def kind(self) -> PhaseKind:
        """Moves, retreats or adjustments."""


class Played(Protocol):
    """A game, or one state of it."""

    @property
    def rules(self) -> Rules:
        """What the judge must know."""

    @property
    def phase(self) -> _Phase:
        """The phase being played."""

    @property
    def position(self) -> Position:
        """The units and owners when it began."""

    @property
    def season(self) -> Season:
        """The phase, as mechanics know it."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known when a text is read: the rules, the kind of phase, and the position."""

    rules: Rules
    kind: PhaseKind
    position: Position
    season: Season | None = None

    @classmethod
    def of(cls, played: Played) -> Situation:
        """The situation in a game."""
        return cls(played.rules, played.phase.kind, played.position, played.season)


def read(
    situation: Played | Situation, power: str, text: str | Sequence[GivenOrder], *, powers: Collection[str] = ()
) -> OrderSheet:
    """Read what `power` sends.

    `situation` is a `Game`, a `State`, or a `Situation`.  `text` is a whole letter, or a list with a text or an
    `Order` for each order.  `power` is empty for a sheet of all powers, of which `powers` lists those whose orders
    are read; by default all of them for such a sheet, and only `power` otherwise.

    Raises `NotFound` for an unknown power, `Unreadable` for a text of more than 64 KiB or 2,000 lines.  Nothing else in
    a text raises: it is refused, or passed over, with a reason.

    >>> import gamesmaster as gm
    >>> game = gm.Game.start(gm.find_variant("standard"), seed=bytes(32))
    >>> sheet = gm.read(game, "Germany", "Armee München geht nach Burgund")
    >>> [str(order) for order in sheet.orders]
    ['A MUN - BUR']
    """
    at = situation if isinstance(situation, Situation) else Situation.of(situation)
    known = at.rules.powers
    if power and power not in known:
        named = {name.casefold(): name for name in known}.get(power.casefold())
        if named is None:
            raise NotFound(f"no power {power[:60]!r}", hint=nearest(power, known))
        power = named
    listed = text.split("\n") if isinstance(text, str) else text
    if printed := _printed_sheet(at, power, listed):
        return printed
    whole = text if isinstance(text, str) else "\n".join(_words(at.rules, part) for part in text)
    _check_size(whole)
    return _SheetReader(at, power, powers or ([power] if power else known)).read(whole)


def _check_size(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Unreadable("no text: half a surrogate pair", column=error.start + 1) from None
    if len(text) > LONGEST_SHEET or len(text.encode()) > LONGEST_SHEET:
        raise Unreadable(f"a sheet of more than {LONGEST_SHEET} bytes", hint="send the orders alone")
    lines = text.count("\n") + 1
    if lines > MOST_LINES:
        raise Unreadable(f"a sheet of {lines} lines; the most is {MOST_LINES}", line=MOST_LINES + 1)


# -- orders in the words that the notation prints -----------------------------------------------------------------


class Printed:
    """Orders by their text, as far as this is what the notation prints: `rules.derive(Printed).order(text, kind)`.

    "F Ion - Tyr" is none of them, since no fleet can be in Tyrolia: something else is meant.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._found = {kind: Made(partial(self._find, kind)) for kind in PhaseKind}

    def order(self, text: GivenOrder, kind: PhaseKind) -> Order | None:
        """The order that is printed so, in upper or lower case; None for any other text."""
        return self._found[kind][text]

    def _find(self, kind: PhaseKind, text: GivenOrder) -> Order | None:
        rules = self.rules
        order = rules.derive(OrderReader).read(text, kind).order
        if order is None or (isinstance(text, str) and rules.notation.write(order).casefold() != text.casefold()):
            return None
        going = order.of_kind if order.of else order.kind
        possible = order.to is None or going not in rules.board.ways or may_be(rules.board, going, order.to.province)
        return order if possible else None


def _words(rules: Rules, part: GivenOrder) -> str:
    return rules.derive(OrderReader).words(part)


def _printed_sheet(at: Situation, power: str, given: Sequence[GivenOrder]) -> OrderSheet | None:
    """The sheet of orders in these words, None if one of them is not, or is another power's."""
    printed, lines = at.rules.derive(Printed), []
    if not power or len(given) > MOST_LINES:
        return None
    for number, part in enumerate(given, 1):
        if part == "":
            continue
        order = printed.order(part, at.kind)
        if order is None or order.power not in ("", power):
            return None
        text = _words(at.rules, part)
        lines.append(SheetLine(text, number, 1, replace(order, power="") if order.power else order, stored=text))
    text = "\n".join(line.text for line in lines)
    return OrderSheet(text, power, at.kind, (Section(Purpose.NOW, power, tuple(lines)),))


# -- sheets as they come ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """A section that is being read."""

    purpose: Purpose
    power: str
    heading: str = ""
    lines: list[SheetLine] = field(default_factory=list)

    def closed(self) -> Section:
        return Section(self.purpose, self.power, tuple(self.lines), self.heading)


class _SheetReader:
    """Reads one sheet."""

    def __init__(self, at: Situation, power: str, powers: Collection[str]) -> None:
        self.at, self.power, self.powers = at, power, powers
        self.books = at.rules.derive(Wordbooks)
        self.effort = Effort()
        self.sections = [_Open(Purpose.NOW, power)]
        self._readers: dict[str, LineReader] = {}

    def read(self, text: str) -> OrderSheet:
        """The sheet of a text."""
        for line in lay_out(text_of(text) if is_html(text) else text):
            for passage in [] if line.skipped else passages(line):
                self._safely(passage)
        for section in self.sections:
            section.lines = list(self._with_rest(section))
        return OrderSheet(text, self.power, self.at.kind, tuple(section.closed() for section in self.sections))

    def _reader(self, power: str) -> LineReader:
        """The reader of a power's lines."""
        if power not in self._readers:
            at = self.at
            self._readers[power] = LineReader(at.rules, at.kind, at.position, power, at.season, self.effort)
        return self._readers[power]

    def _add(self, *lines: SheetLine) -> None:
        self.sections[-1].lines += lines

    def _safely(self, passage: Passage) -> None:
        """Take some words; what the program itself falls over is refused, and stands in the log."""
        try:
            self._take(passage)
        except Exception as error:  # whatever it is, it is a fault of ours
            line, text = passage.line.number, passage.text
            hint = f"write line {line} anew"
            self._add(SheetLine(text, line, 1, stored=unread(text), what=defect(error).what, hint=hint))

    def _take(self, passage: Passage) -> None:
        """Read a heading, an order or several, or say why it is none."""
        passage = self._after_heading(passage).without(":")
        if not passage.words:
            return
        power = self.sections[-1].power or self._prefix(passage)
        if power and power not in self.powers:
            what = f"orders for {power} in a set of {self.power}" if self.power else f"orders for {power}"
            self._add(SheetLine(passage.text, passage.line.number, passage.column(0), what=what, of=power))
        elif not power:
            what, hint = "an order under no power", 'write the power above it, as in "England:"'
            self._add(SheetLine(passage.text, passage.line.number, passage.column(0), what=what, hint=hint))
        else:
            lines = (
                self._read_marked(power, passage) if passage.keys[0] == UNREAD else self._reader(power).read(passage)
            )
            if power == self.sections[-1].power:
                self._add(*lines)
            else:  # "Germany A Mun H" in a sheet of all powers
                self.sections[-1:-1] = [_Open(Purpose.NOW, power, lines=lines)]

    def _read_marked(self, power: str, passage: Passage) -> list[SheetLine]:
        """A line that was refused before, as a game keeps it: it stays refused, whatever may be read now."""
        words = passage.part(1, len(passage.keys))
        if not words.keys:
            return [self._reader(power).refuse(passage)]
        lines = self._reader(power).read(words)
        what = "a line that begins with a question mark is not an order"
        hints = [f"did you mean {self.at.rules.notation.write(line.order)}?" if line.order else "" for line in lines]
        return [
            replace(line, order=None, stored=unread(line.text), what=line.what or what, hint=line.hint or hint)
            for line, hint in zip(lines, hints, strict=True)
        ]

    def _prefix(self, passage: Passage) -> str:
        """The power that an order itself names before its unit."""
        try:
            return self.at.rules.notation.read(passage.text, self.at.kind, hints=False).power
        except BadOrder:
            return ""

    def _after_heading(self, passage: Passage) -> Passage:
        """The words behind a heading that names a power or says what all below it is."""
        if power := power_headed(self.books, passage):
            self._begin(power, passage.text)
            return behind_title(passage)
        if verb := verb_headed(self.books, passage, self.at.kind):
            if (power := self.sections[-1].power) in self.powers:
                self._reader(power).carried = verb
            return behind_title(passage)
        return behind_title(passage) if is_title(passage) else passage

    def _begin(self, power: str, heading: str) -> None:
        self.sections.append(_Open(Purpose.NOW, power, heading))
        if power in self.powers:
            self._reader(power).carried = None

    def _with_rest(self, section: _Open) -> Iterator[SheetLine]:
        """The lines, with "all hold" and "the rest hold" written out for the units that are meant."""
        named = {line.order.at.province for line in section.lines if line.order and line.order.at}
        for line in section.lines:
            order = line.order
            if order is None or order.at is not None or order.verb is Verb.WAIVE:
                yield line
                continue
            reader = self._reader(section.power)
            for unit in reader.scene.own:
                if not unit.aboard and unit.at.province not in named:
                    each = Order(order.verb, unit.kind, unit.at)
                    stored = reader.notation.write(each)
                    yield replace(line, order=each, read_as=reader.read_as(line.text, each), stored=stored)
