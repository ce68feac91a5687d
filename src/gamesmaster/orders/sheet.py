"""Order sheets: the orders of one power or of many, as they come by mail or in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn

from gamesmaster.errors import BadOrder, Unreadable
from gamesmaster.orders.model import Order, PhaseKind
from gamesmaster.orders.parts import Parts
from gamesmaster.orders.sentence import defect, read_order
from gamesmaster.orders.words import Lexicon, Word, split

LONGEST_SHEET = 64 * 1024  # bytes
MOST_LINES = 2_000  # and orders
MOST_HINTS = 20  # looking for the nearest name takes long; a sheet with more faults is not an order sheet
_COMMENTS = ("#", "//")


@dataclass(frozen=True, slots=True)
class Line:
    """One order of a sheet as it was written, the number of its line (from 1), and what came of it.

    Either `order` or `error` is there, never both.
    """

    text: str
    number: int
    order: Order | None = None
    error: BadOrder | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of orders: for each power it names, the power's lines in the order written.

    `strays` are lines that belong to no power; each has an error.
    """

    orders: Mapping[str, tuple[Line, ...]]
    strays: tuple[Line, ...] = ()

    @property
    def errors(self) -> tuple[BadOrder, ...]:
        """Every error of the sheet, from the top."""
        lines = [*self.strays, *(line for lines in self.orders.values() for line in lines)]
        found = [line.error for line in lines if line.error]
        return tuple(sorted(found, key=lambda error: (error.line, error.column)))


def read_sheet(lexicon: Lexicon, text: str, phase: PhaseKind | None, author: str | None) -> Sheet:
    """The sheet in a text; raises `Unreadable` only if it is too large to be one."""
    if len(text) > LONGEST_SHEET or len(text.encode(errors="surrogatepass")) > LONGEST_SHEET:
        raise Unreadable(f"a sheet of more than {LONGEST_SHEET} bytes")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MOST_LINES:
        raise Unreadable(f"a sheet of {len(lines)} lines; the most is {MOST_LINES}", line=MOST_LINES + 1)
    reader = _SheetReader(lexicon, phase, author)
    parts = 0
    for number, line in enumerate(lines, 1):
        for words in _cut(split(line)):
            parts += 1
            if parts > MOST_LINES:
                raise Unreadable(f"a sheet of more than {MOST_LINES} orders", line=number)
            reader.part(line, words, number)
    return reader.sheet()


def _cut(words: list[Word]) -> Iterator[list[Word]]:
    """The words of a line without its comment, cut at semicolons; empty parts are left out."""
    part: list[Word] = []
    for word in words:
        if word.key in _COMMENTS:
            break
        if word.key != ";":
            part.append(word)
        elif part:
            yield part
            part = []
    if part:
        yield part


class _SheetReader:
    """Reads a sheet part by part, remembering whose section it is in."""

    def __init__(self, lexicon: Lexicon, phase: PhaseKind | None, author: str | None) -> None:
        self.lexicon, self.phase, self.author = lexicon, phase, author
        self.power = author
        self.lines: dict[str, list[Line]] = {author: []} if author else {}
        self.strays: list[Line] = []
        self.faults = 0

    def sheet(self) -> Sheet:
        orders = {power: tuple(lines) for power, lines in self.lines.items()}
        return Sheet(MappingProxyType(orders), tuple(self.strays))

    def part(self, text: str, words: list[Word], number: int) -> None:
        """Read a heading, an order, or a heading with an order behind it."""
        try:
            words = self._after_heading(text, words, number)
            if words:
                order = self._order(text, words, number)
                self._add(Line(_raw(text, words), number, order), self.power or order.power)
        except BadOrder as error:
            self._fail(text, words, number, error)
        except Exception as error:  # a heading that the program falls over
            self._fail(text, words, number, defect(error))

    def _fail(self, text: str, words: list[Word], number: int, error: BadOrder) -> None:
        self._add(Line(_raw(text, words), number, error=error), self.power)
        self.faults += 1

    def _add(self, line: Line, power: str | None) -> None:
        (self.lines.setdefault(power, []) if power else self.strays).append(line)

    def _parts(self, text: str, words: list[Word], number: int) -> Parts:
        return Parts(self.lexicon, text, words, number, hints=self.faults < MOST_HINTS)

    def _after_heading(self, text: str, words: list[Word], number: int) -> list[Word]:
        """The words behind a heading, whose section begins; all of them if there is none."""
        colon = next((at for at, word in enumerate(words) if word.key == ":"), len(words))
        title = _title(words[:colon])
        parts = self._parts(text, title, number)
        power, size = parts.power_at(0)
        if power and size == len(title):
            self.power = power
            self.lines.setdefault(power, [])
        elif title:
            if colon < len(words) or len(title) < colon:
                self._unknown_power(parts)
            return words
        return words[colon + 1 :]

    def _order(self, text: str, words: list[Word], number: int) -> Order:
        parts = self._parts(text, words, number)
        try:
            order = read_order(parts, self.phase)
        except BadOrder:
            if self._is_title(parts.keys):
                parts.at = 0
                self._unknown_power(parts)
            raise
        if not self.power and not order.power:
            parts.fail("an order under no power", 0, hint='write the power above it, as in "England:"')
        return order

    def _is_title(self, keys: list[str]) -> bool:
        """Are these words, which make no order, rather the name of a power?  Not if any belongs to an order."""
        spoken = self.lexicon.stops | self.lexicon.kinds_begin | self.lexicon.first.keys()
        return bool(self.lexicon.powers.exact) and all(k.isalnum() and k not in spoken for k in keys)

    def _unknown_power(self, parts: Parts) -> NoReturn:
        """Raise about a heading nobody answers to; what follows is not for the power of the section before."""
        self.power = self.author
        size = len(parts.keys)
        parts.fail(f"no power {parts.quote(size)}", hint=parts.near(size, self.lexicon.powers))


def _title(words: list[Word]) -> list[Word]:
    """What a heading is about: "Orders for France" and "French orders" are about France."""
    if words and words[0].key == "orders":
        words = words[2:] if len(words) > 1 and words[1].key in ("for", "of", "from") else words[1:]
    return words[:-1] if words and words[-1].key == "orders" else words


def _raw(text: str, words: list[Word]) -> str:
    return text[words[0].start : words[-1].end]
