"""Sheets as people send them: parted by the powers whose orders stand in them, and in the plain words that are kept.

What is kept the notation reads by itself alone.  Every door gives its texts through here, so that all understand the
same, and what one refuses no other takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamesmaster.board import Position
from gamesmaster.errors import BadOrder
from gamesmaster.judge.engine.resolution import OrderReader
from gamesmaster.judge.reading.meaning import may_be
from gamesmaster.judge.reading.reader import Read, Reader, Refusal, power_headed
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.values import Season
from gamesmaster.orders import Notation, Order, PhaseKind, Sheet
from gamesmaster.orders.layout import lay_out, passages
from gamesmaster.orders.sheet import LONGEST_SHEET, MOST_LINES


def sections(notation: Notation, text: str, author: str) -> dict[str, str]:
    """The text once for each power whose orders stand in it, without those of the others.

    What stands above all headings is the `author`'s, who may be nobody ("").  Every letter that is left stands where
    it stood.
    """
    spans = list(_spans(notation, text, author))
    return {
        power: _without(text, [span for whose, span in spans if whose != power])
        for power in dict.fromkeys(whose for whose, _ in spans)
    }


def _spans(notation: Notation, text: str, author: str) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Whose each passage of a text is, with its line (from 0), and where it begins and ends there."""
    power = author
    for line in lay_out(text):
        parts = [] if line.skipped else list(passages(line))
        starts = [0, *(passage.words[0].start for passage in parts[1:]), len(line.text)]
        for number, passage in enumerate(parts):
            power = power_headed(notation, passage) or power
            yield power, (line.number - 1, starts[number], starts[number + 1])


def _without(text: str, spans: Sequence[tuple[int, int, int]]) -> str:
    """A text with spaces in the place of these parts of its lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, start, end in spans:
        line = lines[number]
        lines[number] = f"{line[:start]}{' ' * (end - start)}{line[end:]}"
    return "\n".join(lines)


def in_plain_words(
    rules: Rules, kind: PhaseKind, position: Position, power: str, texts: str | Sequence[str],
    season: Season | None = None,
) -> str | Sequence[str]:  # fmt: skip
    """A sheet, or a text for each order, in plain words; what is in such words already comes back as it is, at once."""
    return plainly(rules, kind, position, power, texts, season)[0]


def plainly(
    rules: Rules, kind: PhaseKind, position: Position, power: str, texts: str | Sequence[str],
    season: Season | None = None,
) -> tuple[str | Sequence[str], Read]:  # fmt: skip
    """The same, and what was made of it: nothing is said of what is in plain words, or too long for a sheet."""
    whole = texts if isinstance(texts, str) else "\n".join(texts)
    if len(whole) > LONGEST_SHEET or whole.count("\n") >= MOST_LINES or _is_as_printed(rules, kind, whole):
        return texts, Read()
    plain, read = rewrite_sheet(Reader(rules, kind, position, power, season), whole)
    return (texts if plain == whole else plain), read


def rewrite_sheet(reader: Reader, text: str) -> tuple[str, Read]:
    """A sheet in plain words, line for line, and what was made of it.

    What the notation reads alike stays as it is written, and so does what nobody can read.  Headings and letters around
    the orders become empty lines.  What the notation would read and the reader refuses is marked as doubtful.
    """
    read = reader.sheet(text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        orders = [one.order for one in read.orders if one.line == number]
        refused = [no for no in read.refused if no.line == number]
        alone = reader.notation.sheet(line, reader.kind, reader.power)
        if any(no.of for no in refused):
            continue  # it is for who takes the orders to say that they are somebody else's
        if _orders(alone) != orders:
            rest = (_unread(reader.notation, reader.kind, no) for no in refused)
            lines[number - 1] = "; ".join([*map(reader.notation.write, orders), *rest])
        elif alone.errors and not refused:
            lines[number - 1] = ""
    return "\n".join(lines), read


def _orders(sheet: Sheet) -> list[Order]:
    """What the notation reads in a line by itself, whoever's it is."""
    return [line.order for lines in sheet.orders.values() for line in lines if line.order]


def _unread(notation: Notation, kind: PhaseKind, refused: Refusal) -> str:
    """The words of what was refused, so that the notation does not read them either."""
    try:
        notation.read(refused.text, kind)
    except BadOrder:
        return refused.text
    if len(refused.options) > 1:
        return " or ".join(map(notation.write, refused.options))
    return f"{refused.text} ?"


def _is_as_printed(rules: Rules, kind: PhaseKind, text: str) -> bool:
    """Is every line an order in the words that the notation prints, to a place where such a unit can be?

    "F Ion - Tyr" is none, since no fleet can be in Tyrolia: something else is meant.
    """
    read = ((line, rules.derive(OrderReader).read(line, kind).order) for line in text.split("\n") if line)
    return all(order is not None and _can_be(rules, order, line) for line, order in read)


def _can_be(rules: Rules, order: Order, line: str) -> bool:
    if rules.notation.write(order).casefold() != line.casefold():
        return False
    kind = order.of_kind if order.of else order.kind
    return order.to is None or kind not in rules.board.ways or may_be(rules.board, kind, order.to.province)
