"""The reader: what somebody sends for a phase, as a careful Gamesmaster reads it.

`read` makes an `OrderSheet` of a text.  Every door calls it, once for each text that comes in.  A text goes this way:

* `layout.lay_out` takes away what is around the words, and `passages.passages` parts each line.
* `letter.LetterReader` takes one passage after the other: a heading (`sections.Headings`), orders
  (`lines.LineReader`), or prose (`prose.ProseReader`, with `ahead.Ahead` for later phases).
* `entries.Entries` keeps what was read of each, with what it is for.
* `corrections.correction` replaces orders, and `corrections.settle` drops or asks about what a letter says twice.

`adjudicate` is the judge's door for programs: it reads orders in any form, and gives the judge what they say.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from gamesmaster.board import Position
from gamesmaster.errors import Unreadable, must_be
from gamesmaster.judge import Adjudication, OrderReader, check_set
from gamesmaster.judge import adjudicate as judge
from gamesmaster.orders import GivenOrder, PhaseKind
from gamesmaster.reading.sheet import LONGEST_SHEET, MOST_LINES, OrderSheet, Purpose, Section, SheetLine
from gamesmaster.reading.situation import Played, Situation
from gamesmaster.rules import Rules

Sent = str | Sequence[GivenOrder] | OrderSheet
"""A power's orders: a letter, a text or an `Order` for each order, or a sheet that was read before."""


def adjudicate(
    rules: Rules,
    kind: PhaseKind | str,
    position: Position,
    orders: Mapping[str, Sent],
    *,
    disorder: Collection[str] = (),
) -> Adjudication:
    """Adjudicate one phase.

    `orders` are by power, in any case: as one text, as a list of texts and `Order`s in the order written, or as a sheet
    that `read` made.  Texts may be in any dialect.  `kind` may be its word (`"movement"`); `disorder` names the powers
    in civil disorder (STD-10.h).  Bad orders become rulings.

    Raises `NotFound` for an unknown power or kind of phase, `BadPosition` for units that cannot be where they are: no
    such place or kind, or two in a province with room for one; `TypeError` for anything else that is not as above.
    """
    try:
        kind = kind if isinstance(kind, PhaseKind) else PhaseKind(kind)
        parsed = rules.derive(OrderReader).parsed_orders[kind]
        doubted = parsed.doubted
        done = judge(rules, kind, position, orders, disorder=disorder)  # type: ignore[arg-type]
        if parsed.doubted is doubted:  # all orders are plain
            return done
    except (AttributeError, TypeError, ValueError):
        pass  # for sheets go on; for wrong arguments the judge raises below
    try:
        at = Situation(rules, PhaseKind(kind), position)
        orders = {power: _given(at, power, sent) for power, sent in orders.items()}
    except (AttributeError, TypeError, ValueError):
        pass
    return judge(rules, kind, position, orders, disorder=disorder)  # type: ignore[arg-type]


def _given(at: Situation, power: str, sent: Sent) -> Sequence[GivenOrder]:
    """Return a power's orders as the judge takes them: unchanged if they are printed so, else what the reader makes."""
    if isinstance(sent, OrderSheet):
        return sent.given(power)
    if isinstance(sent, str):
        sent = [line for line in sent.splitlines() if line.strip()]
    parsed = at.rules.derive(OrderReader).parsed_orders[at.kind]
    if all(parsed[one].plain for one in sent):
        return sent
    return read(at, power, sent, only_orders=True).given()


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
    from gamesmaster.reading.letter import LetterReader  # takes a third of the time of an import

    whole = text if isinstance(text, str) else "\n".join(map(at.rules.derive(OrderReader).words, text))
    try:
        size = len(whole.encode())
    except UnicodeEncodeError as error:
        raise Unreadable("no text: half a surrogate pair", column=error.start + 1) from None
    if size > LONGEST_SHEET:
        raise Unreadable(f"a sheet of more than {LONGEST_SHEET} bytes", hint="send the orders alone")
    if (lines := whole.count("\n") + 1) > MOST_LINES:
        raise Unreadable(f"a sheet of {lines} lines; the most is {MOST_LINES}", line=MOST_LINES + 1)
    meant = powers or ([power] if power else at.rules.powers)
    parsed = at.rules.derive(OrderReader).parsed_orders[at.kind]
    as_printed = all(parsed[line].exact for line in listed if line)
    letter = LetterReader(at, power, meant, whole, only_orders=only_orders, printed=as_printed)
    sheet = letter.sheet()
    if title := letter.lone_title():  # "To business: ..."
        again = LetterReader(at, power, meant, whole, only_orders=only_orders)
        again.trusted = title
        trusted = again.sheet()
        return trusted if again.is_whole() else sheet
    return sheet


def _printed_sheet(at: Situation, power: str, given: Sequence[GivenOrder]) -> OrderSheet | None:
    """Return the sheet of orders written as the program prints them; None if one is not, or is for another's unit."""
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
        text = at.rules.derive(OrderReader).words(part)
        lines.append(SheetLine(text, number, 1, replace(order, power="") if order.power else order, stored=text))
    text = "\n".join(line.text for line in lines)
    return OrderSheet(text, power, at.kind, (Section(Purpose.NOW, power, tuple(lines)),))
