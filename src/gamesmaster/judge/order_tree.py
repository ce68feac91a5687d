"""Orders as choices within choices, for guided entry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from gamesmaster.english import many
from gamesmaster.orders import Notation, Order, Verb

Tree: TypeAlias = "dict[str, Tree | str]"
"""Each level a choice, each leaf the text of an order."""


def order_tree(notation: Notation, orders: Iterable[Order]) -> Tree:
    """The orders as choices within choices, for guided entry.

    Unit, verb, the unit helped, the goal; each leaf is the text of an order:
    `{"A PAR": {"move": {"BUR": "A Par - Bur"}, "support": {"A MAR": {"hold": "A Par S A Mar"}}}}`.
    """
    tree: Tree = {}
    for order in orders:
        *branches, leaf = _choices(order)
        level = tree
        for branch in branches:
            deeper = level.setdefault(branch, {})
            assert isinstance(deeper, dict)
            level = deeper
        level[leaf] = notation.write(order)
    return tree


_OF_POWERS = frozenset({Verb.BUILD, Verb.REMOVE, Verb.DESIGNATE, Verb.ARRIVE, Verb.DECLINE})


def _choices(order: Order) -> list[str]:
    """What is chosen, one thing after the other, until only this order is left."""
    if order.verb is Verb.WAIVE:
        return ["waive"]
    unit = f"{order.kind} {order.at}".strip()
    if order.verb in _OF_POWERS:
        half = f"{order.kind} from {order.of_kind} {order.at}" if order.of_kind else ""
        return [order.verb.value, half or unit]
    helped = [f"{order.of_power} {order.of_kind} {order.of}".strip()] if order.of else []
    builders = f" of {' '.join(order.builders)}" if order.builders else ""
    if order.verb in (Verb.MAKE, Verb.DESTROY):
        return [unit, order.verb.value, f"boat{builders}"]
    if order.to is None:
        return [unit, order.verb.value, *helped, *(["hold"] if helped else [])]
    goal = f"{order.to} by convoy" if order.via else str(order.to)
    with_boats = f" with {many(order.boats, 'boat')}{builders}" if order.boats else ""
    return [unit, order.verb.value, *helped, goal + with_boats]
