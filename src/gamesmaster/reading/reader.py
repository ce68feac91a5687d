"""The reader: what somebody sends for a phase, as a careful Gamesmaster reads it.

`read` makes an `OrderSheet` of a text.  Every door calls it, once for each text that comes in.  A text goes this way:

* `layout.lay_out` takes away what is around the words, and `passages.passages` parts each line.
* `letter.LetterReader` takes one passage after the other: a heading (`sections.Headings`), orders
  (`lines.LineReader`), or prose (`prose.ProseReader`, with `ahead.Ahead` for later phases).
* `entries.Entries` keeps what was read of each, with what it is for.
* `corrections.correction` replaces orders, and `corrections.settle` drops or asks about what a letter says twice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from gamesmaster.errors import Unreadable, must_be
from gamesmaster.judge import OrderReader, check_set
from gamesmaster.orders import GivenOrder, PhaseKind
from gamesmaster.reading.letter import LetterReader
from gamesmaster.reading.sheet import LONGEST_SHEET, MOST_LINES, OrderSheet, Purpose, Section, SheetLine
from gamesmaster.reading.situation import Played, Situation
from gamesmaster.rules import Rules


def read(
    situation: Played | Situation,
    power: str,
    text: str | Sequence[GivenOrder],
    *,
    powers: Collection[str] = (),
    only_orders: bool = False,
) -> OrderSheet:
    """Read what `power` sends.

    `situation` is a `Game`, a `State`, or a `Situation`.  `text` is a whole letter, or a list with a text or an
    `Order` for each order.  `power` is empty for a sheet of all powers, of which `powers` lists those whose orders
    are read; by default all of them for such a sheet, and only `power` otherwise.  If the text should hold
    `only_orders`, as a form for orders does, words that nobody takes for an order are refused; in a letter they are
    passed over.

    Raises `NotFound` for an unknown power, `Unreadable` for a text of more than 64 KiB or 2,000 lines.  Nothing else in
    a text raises: it is refused, or passed over, with a reason.

    >>> import gamesmaster as gm
    >>> game = gm.Game.start(gm.find_variant("standard"), seed=bytes(32))
    >>> sheet = gm.read(game, "Germany", "Armee München geht nach Burgund")
    >>> [str(order) for order in sheet.orders]
    ['A MUN - BUR']
    """
    must_be((Situation, Played), situation, "a Game, a State or a Situation")
    check_set(power or "a sheet of all powers", text)
    at = situation if isinstance(situation, Situation) else Situation.of(situation)
    power = at.rules.power(power) if power else ""
    if isinstance(text, str):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    listed = [line.strip() for line in text.split("\n")] if isinstance(text, str) else text
    if printed := _printed_sheet(at, power, listed):
        return printed
    whole = text if isinstance(text, str) else "\n".join(_words(at.rules, part) for part in text)
    _check_size(whole)
    meant = powers or ([power] if power else at.rules.powers)
    parsed = at.rules.derive(OrderReader).parsed_orders[at.kind]
    as_printed = all(parsed[line].exact for line in listed if line)
    return LetterReader(at, power, meant, whole, only_orders=only_orders, printed=as_printed).sheet()


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


def _words(rules: Rules, part: GivenOrder) -> str:
    return rules.derive(OrderReader).words(part)


def _printed_sheet(at: Situation, power: str, given: Sequence[GivenOrder]) -> OrderSheet | None:
    """The sheet of orders in these words, None if one of them is not, or is another power's."""
    parsed_orders, lines = at.rules.derive(OrderReader).parsed_orders[at.kind], []
    if not power or len(given) > MOST_LINES:
        return None
    moving = at.kind is PhaseKind.MOVEMENT
    standing = {unit.at.province: unit.kind for unit in at.position.units if moving and not unit.aboard}
    own = {unit.at.province for unit in at.position.units if unit.power == power}
    for number, part in enumerate(given, 1):
        if part == "":
            continue
        parsed = parsed_orders[part]
        order = parsed.order if parsed.plain else None
        if order is None or order.power not in ("", power):
            return None
        if order.at and order.kind and standing.get(order.at.province, order.kind) != order.kind:
            return None  # "A Vis - Vir" of an army aboard its fleet
        if moving and order.at and order.at.province not in own:
            return None  # another name may be meant
        text = _words(at.rules, part)
        lines.append(SheetLine(text, number, 1, replace(order, power="") if order.power else order, stored=text))
    text = "\n".join(line.text for line in lines)
    return OrderSheet(text, power, at.kind, (Section(Purpose.NOW, power, tuple(lines)),))
