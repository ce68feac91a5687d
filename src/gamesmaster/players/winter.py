"""A phase of adjustments: builds and removals chosen one after the other, each good beside those before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from gamesmaster.board import Location, Unit
from gamesmaster.judge.supply import Account, cargo_of, without
from gamesmaster.judge.winter import removal_orders
from gamesmaster.orders import Order, Verb
from gamesmaster.players.view import View

PickBuild = Callable[[Sequence[Unit], Counter[str]], Unit]
"""Chooses what to build: among these, with so many of each kind there."""

PickRemoval = Callable[[Sequence[Order], Account], Order]
"""Chooses a removal among these, by the account as it stands."""


def adjusted(view: View, build: PickBuild, remove: PickRemoval) -> list[Order]:
    """All builds that the power may make, those that cost nothing first, or all removals that it owes."""
    account = view.account
    return _removals(view, account, remove) if account.balance < 0 else _builds(view, account, build)


def _builds(view: View, account: Account, pick: PickBuild) -> list[Order]:
    built: list[Unit] = []
    kinds = Counter(view.board.base(unit.kind) for unit in account.units)
    while True:
        choice = account.free(built) or list(account.builds(built))
        if not choice:
            return [Order(Verb.BUILD, unit.kind, unit.at) for unit in built]
        built.append(pick(choice, kinds))
        kinds[built[-1].kind] += 1


def _removals(view: View, account: Account, pick: PickRemoval) -> list[Order]:
    first, listed, chosen, halved = account.units, removal_orders(account), [], set()
    while account.balance < 0:
        whole = {o for o in removal_orders(account) if o.kind in view.board.forms and not o.of_kind and o.at in halved}
        choice = [order for order in removal_orders(account) if order not in whole]
        if not choice:
            break
        order = pick(choice, account)
        gone = meant(account.units, order)
        chosen.append(_as_it_was(first, order, gone))
        if chosen[-1].of_kind:
            halved.add(order.at)  # a whole pair named there now might be taken for this one
        account = account.after(without(view.board, account.units, {unit.number for unit in gone}))
    return _together(chosen, listed, first)


def _together(chosen: Sequence[Order], listed: Sequence[Order], units: Sequence[Unit]) -> list[Order]:
    """The removals, one for a pair whose halves both go if it is `listed`: the second half's was not, at first.

    Where several such pairs lie together, as in a box, nobody could tell whose halves they are; they stay as they are.
    """
    halves = Counter((order.at, order.of_kind) for order in chosen if order.of_kind)
    pairs: Counter[tuple[Location | None, str]] = Counter((unit.at, unit.kind) for unit in units)
    found: list[Order] = []
    for order in chosen:
        pair, whole = (order.at, order.of_kind), Order(Verb.REMOVE, order.of_kind, order.at)
        if halves[pair] < 2 or pairs[pair] > 1 or whole not in listed:
            found.append(order)
        elif whole not in found:
            found.append(whole)
    return found


def _as_it_was(units: Sequence[Unit], order: Order, gone: Sequence[Unit]) -> Order:
    """A removal in the words of the position, where the carrier of a load that has gone before is half of a pair."""
    earlier = next((u for u in units if [u.number] == [g.number for g in gone]), None)
    if earlier is None or earlier.kind == gone[0].kind:
        return order
    return Order(Verb.REMOVE, order.kind, order.at, of_kind=earlier.kind)


def meant(units: Sequence[Unit], order: Order) -> list[Unit]:
    """The units of a power that go by a removal: one, one of those aboard and its carrier, or both."""
    carrier = next((u for u in units if u.at == order.at and u.kind == (order.of_kind or order.kind)), None)
    if carrier is None:
        return []
    load = cargo_of(units, carrier)
    if not order.of_kind:
        return [carrier, load] if load else [carrier]
    return [load] if load and load.kind == order.kind else [carrier]
