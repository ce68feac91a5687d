"""How many slots and answers a power can have in a variant, for programs that need arrays of one size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from gamesmaster.board import Board, Location, Position, Terrain, Unit
from gamesmaster.judge import Account, LegalOrders, MovementMechanic, accounts
from gamesmaster.rules import Rules
from gamesmaster.variant import Variant


class Bounds(NamedTuple):
    """The number of a power's slots, and of answers in each of them."""

    slots: int
    choices: int


@lru_cache(maxsize=64)
def bounds_of(variant: Variant, rules: Rules) -> Bounds:
    """Return the bounds of a variant, from its data alone.

    There is a slot for each unit that a power can have before it has won, two where units have a rider beside their
    order.  A slot has room for as many orders, convoys left out, as any unit has on a board that is full.
    """
    most_orders = max(_longest(rules, _full(variant, by_land=by_land)) for by_land in (True, False))
    return Bounds(_most_units(variant, rules) * (2 if rules.carried_words else 1), most_orders)


def _most_units(variant: Variant, rules: Rules) -> int:
    found = accounts(rules, variant.start)
    return max(max(_needed(variant, power) + _unpaid(found[power]), len(found[power].units)) for power in found)


def _needed(variant: Variant, power: str) -> int:
    """As many centres or units as win; nobody has more of both for long."""
    victory = variant.victory
    return max(victory.target(power), victory.unit_target(power))


def _unpaid(account: Account) -> int:
    """Return how many units a power has at the start, or may have, that no centre feeds."""
    return account.supply - account.centres + len(account.units) - account.cost(account.units)


def _longest(rules: Rules, position: Position) -> int:
    """Return the most orders of any unit of a position, convoys left out: counted, not listed, for those are many."""
    legal = LegalOrders(rules, position)
    offers, most = legal.offers, 0
    for row, unit in enumerate(position.units, 1):
        moves = len(offers.steps[row]) + len(offers.landings[row])
        supports = sum(len(offers.helpable[place]) for place in offers.supportable(row))
        added = sum(1 for more in rules.hooks(MovementMechanic.unit_orders) for _ in more(legal.field, unit))
        most = max(most, 1 + moves + supports + added)
    return most


def _full(variant: Variant, *, by_land: bool) -> Position:
    """Return a board with a unit in every province, `by_land` or else by sea where both can be."""
    board, power = variant.board, variant.powers[0].name
    kinds = sorted(board.kinds, key=lambda kind: board.sails(kind) is by_land)
    placed = filter(None, (_place(board, kinds, p.id) for p in board.provinces if p.terrain is not Terrain.IMPASSABLE))
    units = (Unit(number, kind, power, at) for number, (kind, at) in enumerate(placed, 1))
    return Position(tuple(units), {}, (), variant.start.state)


def _place(board: Board, kinds: Sequence[str], province: str) -> tuple[str, Location] | None:
    places = [board.locations[n] for n in board.locations_of(board.index[province])]
    return next(((kind, at) for kind in kinds for at in places if board.can_stand(kind, at)), None)
