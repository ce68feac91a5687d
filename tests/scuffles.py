"""Scuffles: small random positions of a variant, with orders that meet.

A handful of units of all kinds, loaded and afloat ones too, stand close together. Their orders are legal, and supports,
landings and moves to the same places are preferred to holds. It is small enough for the naive solver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from gamesmaster.board import Board, Position, units_from
from gamesmaster.judge import LegalOrders, Movement, adjudicate_movement
from gamesmaster.mechanics import PairVerb
from gamesmaster.orders import Order, Verb
from gamesmaster.rules import ProofMechanic, Rules
from gamesmaster.variant import Variant

REACH = 9
"""The number of provinces around a random one that form the scene."""

_EAGER = {Verb.HOLD: 1, Verb.MOVE: 6, PairVerb.LAND: 8, PairVerb.BOARD: 4}


def scuffle(variant: Variant, chance: Random, most: int = 6) -> Position:
    """Return a random position of at most `most` pieces; a loaded unit counts as one."""
    board = variant.board
    powers = [power.name for power in variant.powers]
    placed: dict[str, list[str]] = {}
    for place in _places(board, chance, most):
        here = [at for at in board.locations if at.province == place]
        stands = [f"{kind} {at}" for kind in board.ways for at in here if board.can_stand(kind, at)]
        if not stands:
            continue
        power, unit = chance.choice(powers), chance.choice(stands)
        placed.setdefault(power, []).append(unit)
    units = tuple(u for u in units_from(placed, forms=board.forms) if u.kind in board.ways)
    keepers = (mechanic for mechanic in variant.mechanics if isinstance(mechanic, ProofMechanic))
    state = {mechanic.id: mechanic.random_state(board, units, chance) for mechanic in keepers}
    return Position(units, {}, (), {key: value for key, value in state.items() if value})


def _places(board: Board, chance: Random, most: int) -> list[str]:
    """Return provinces close together, a box perhaps several times."""
    start = chance.randrange(len(board.provinces))
    near = board.distances([start])
    ring = sorted(near, key=lambda place: (near[place], chance.random()))[:REACH]
    boxed = [place for place in ring if place in board.boxes] * 3
    chance.shuffle(ring)
    return [board.provinces[place].id for place in (ring[:most] + boxed)[: most + 2]]


def quarrel(rules: Rules, position: Position, chance: Random) -> Mapping[str, Sequence[Order]]:
    """Return a legal order for each unit: half of them move, and many of the others support where they can."""
    legal = LegalOrders(rules, position)
    choices = {unit: legal.of_unit(unit) for unit in position.units if unit.power in rules.numbers}
    given = {unit: _alone(orders, chance) for unit, orders in choices.items() if orders}
    wanted = {(order.at, order.to) for order in given.values()}
    for unit, order in given.items():
        helpful = [o for o in choices[unit] if o.of is not None and (o.of, o.to) in wanted]
        if helpful and chance.random() < 0.6:
            given[unit] = chance.choice(helpful)
            wanted.discard((order.at, order.to))
    orders: dict[str, list[Order]] = {}
    for unit, order in given.items():
        burnt = (o for o in choices[unit] if o.verb.rider and chance.random() < 0.3)
        orders.setdefault(unit.power, []).extend((order, *burnt))
    return orders


def _alone(choices: Sequence[Order], chance: Random) -> Order:
    """Return an order that depends on no other unit, if possible."""
    alone = [order for order in choices if order.of is None and not order.verb.rider] or list(choices)
    return chance.choices(alone, [_EAGER.get(order.verb, 2) for order in alone])[0]


def fight(variant: Variant, rules: Rules, chance: Random) -> Movement:
    """Return a scuffle, and what becomes of it."""
    position = scuffle(variant, chance)
    return adjudicate_movement(rules, position, quarrel(rules, position, chance))
