"""Orders coming in: a sheet becomes the texts that are kept, and a later set replaces or amends an earlier one."""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.errors import Unreadable
from gamesmaster.judge import Rulebook, Rules
from gamesmaster.judge.resolution import OrderReader
from gamesmaster.orders import Line, PhaseKind

OrderSet = str | Sequence[str]
"""A power's orders: a sheet, or a text for each."""

LARGEST_SET = 16 * 1024  # bytes
MOST_ORDERS = 256


def received(
    rules: Rules, kind: PhaseKind, power: str, orders: OrderSet, earlier: Sequence[str], amend: bool | None
) -> tuple[str, ...]:
    """The texts of a power's orders after this set has come in, one order each.

    `earlier` are those it had sent before.  A text that makes no order is kept: a ruling will say why.  Raises
    `BadOrder` for a set that is too large, is no text, or holds another power's orders (STD-4.h).
    """
    amends = _amends(rules.rulebook, amend)
    if not (amends or isinstance(orders, str)) and _printed(rules, kind, orders):
        return tuple(orders)
    lines = _lines(rules, kind, power, orders if isinstance(orders, str) else "\n".join(orders))
    given = tuple(line.text for line in lines)
    if not amends:
        return given
    named = {line.order.at.province for line in lines if line.order and line.order.at}
    kept = [
        line.text
        for line in _lines(rules, kind, power, "\n".join(earlier))
        if not (line.order and line.order.at and line.order.at.province in named)
    ]
    return (*kept, *given)


def _printed(rules: Rules, kind: PhaseKind, texts: Sequence[str]) -> bool:
    """Are these orders in the very words that the notation prints, as players in the program give them?

    Then they are no sheet that must be read, and the clerk, who will be asked for them anyway, knows most by heart.
    """
    if len(texts) > MOST_ORDERS or sum(map(len, texts)) > LARGEST_SET // 4:
        return False
    read = (rules.derived(OrderReader).read(text, kind).order for text in texts)
    return all(order and rules.notation.write(order) == text for order, text in zip(read, texts, strict=True))


def _amends(rulebook: Rulebook, amend: bool | None) -> bool:
    """Does a later set leave the orders it does not mention, whatever its sender says of it (DATC 4.D.1)?"""
    return {
        "replaces": False,
        "replaces_unless_amending": amend is True,
        "amends_unless_replacing": amend is not False,
        "amends": True,
    }[rulebook.later_set]


def _lines(rules: Rules, kind: PhaseKind, power: str, text: str) -> tuple[Line, ...]:
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise Unreadable("no text: half a surrogate pair", column=error.start + 1) from None
    if size > LARGEST_SET:
        raise Unreadable(f"a set of orders of more than {LARGEST_SET:,} bytes")
    sheet = rules.notation.sheet(text, kind, power)
    for other, lines in sheet.orders.items():
        if other != power and lines:
            raise Unreadable(f"orders for {other} in a set of {power}", text=lines[0].text, line=lines[0].number)
    own = sheet.orders[power]
    if len(own) > MOST_ORDERS:
        raise Unreadable(f"a set of more than {MOST_ORDERS} orders", line=own[MOST_ORDERS].number)
    return own
