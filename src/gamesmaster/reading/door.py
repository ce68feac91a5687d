"""The judge's door for programs: `adjudicate` reads orders in any form, and gives the judge what they say."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from gamesmaster.board import Position
from gamesmaster.judge import Adjudication, OrderReader
from gamesmaster.judge import adjudicate as judge
from gamesmaster.orders import GivenOrder, PhaseKind
from gamesmaster.reading.reader import read
from gamesmaster.reading.sheet import OrderSheet
from gamesmaster.reading.situation import Situation
from gamesmaster.rules import Rules

Sent = str | Sequence[GivenOrder] | OrderSheet
"""A power's orders: a letter, a text or an `Order` for each order, or a sheet that was read before."""

_LISTS = frozenset((list, tuple))


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
        parsed, sets = rules.derive(OrderReader).parsed_orders[kind], orders.values()
        if not (_LISTS.issuperset(map(type, sets)) and parsed.knows(chain.from_iterable(sets))):  # type: ignore[arg-type]
            at = Situation(rules, kind, position)
            orders = {power: _given(at, power, sent) for power, sent in orders.items()}
    except (AttributeError, TypeError, ValueError):
        pass  # the judge says what is wrong
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
