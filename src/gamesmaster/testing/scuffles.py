"""Scuffles: small random positions of a variant in which everybody is at everybody's throat, with orders to match.

A handful of units of all kinds, laden and afloat ones too, stand close together; what they are ordered is lawful, and
supports, landings and moves to the same places are preferred to holding still.  Small enough for the naive solver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from gamesmaster.board import Board, Position, units_from
from gamesmaster.judge import LegalOrders, Movement, Rules, adjudicate_movement
from gamesmaster.mechanics import Boats, PairVerb
from gamesmaster.orders import Order, Verb
from gamesmaster.variant import Variant

REACH = 9
"""So many provinces around a random one are the scene."""

_EAGER = {Verb.HOLD: 1, Verb.MOVE: 6, PairVerb.LAND: 8, PairVerb.BOARD: 4}


def scuffle(variant: Variant, chance: Random, most: int = 6) -> Position:
    """A random position of at most so many pieces, a laden unit counting as one."""
    board = variant.board
    powers = [power.name for power in variant.powers]
    placed: dict[str, list[str]] = {}
    lie: dict[str, list[str]] = {}
    boats = next((m for m in variant.mechanics if isinstance(m, Boats)), None)
    for place in _places(board, chance, most):
        here = [at for at in board.locations if at.province == place]
        stands = [f"{kind} {at}" for kind in board.ways for at in here if board.can_stand(kind, at)]
        if not stands:
            continue
        power, unit = chance.choice(powers), chance.choice(stands)
        placed.setdefault(power, []).append(unit)
        afloat = boats is not None and unit.startswith(f"{boats.form} ")
        if boats is not None and (afloat or (board.province(place).land and chance.random() < 0.7)):
            lie[place] = [power if boats.named else ""] * (1 if afloat else chance.randint(1, 2))
    units = tuple(u for u in units_from(placed, forms=board.forms) if u.kind in board.ways)
    return Position(units, {}, (), {"boats": {"lie": lie}} if lie else {})


def _places(board: Board, chance: Random, most: int) -> list[str]:
    """Provinces close together, some of a box more than once."""
    start = chance.randrange(len(board.provinces))
    near = board.distances([start])
    ring = sorted(near, key=lambda place: (near[place], chance.random()))[:REACH]
    boxed = [place for place in ring if place in board.boxes] * 3
    chance.shuffle(ring)
    return [board.provinces[place].id for place in (ring[:most] + boxed)[: most + 2]]


def quarrel(rules: Rules, position: Position, chance: Random) -> Mapping[str, Sequence[Order]]:
    """A lawful order for each unit: half of them go, and many of the others help where they can."""
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
    """An order that hangs on no other unit, if there is one."""
    alone = [order for order in choices if order.of is None and not order.verb.rider] or list(choices)
    return chance.choices(alone, [_EAGER.get(order.verb, 2) for order in alone])[0]


def fight(variant: Variant, rules: Rules, chance: Random, most: int = 6) -> Movement:
    """A scuffle, and what becomes of it."""
    position = scuffle(variant, chance, most)
    return adjudicate_movement(rules, position, quarrel(rules, position, chance))
