"""Boats through random seasons: each change of their number is explained, and nothing lies where it may not."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.board import Location, Position, Unit
from gamesmaster.judge import Adjudication, LegalOrders, adjudicate
from gamesmaster.mechanics import Boats
from gamesmaster.mechanics.boats.values import BoatPlacement, BoatVerb, is_water
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.rules import Result, Rules
from tests.mechanics.boats_help import BUNCHES, CANOES, rules

SEASONS = 6
NATIONS = {
    "canoes": ("Iroquois", "Illinois", "Dakota"),
    "clans": ("England", "England", "MacDonald", "MacLeod", "Keith", "Gordon"),
}


def opening(boats: Boats, game: Rules, dice: random.Random, powers: tuple[str, ...]) -> Position:
    """Units crowded together about the shores, afloat and ashore, England's Fleets too, and boats for most of them."""
    board = game.board
    shores = [p for p in board.provinces if any(e.way == "boat" and e.b.province == p.id for e in board.edges)]
    far = board.distances([board.index[dice.choice(shores).id]])
    near = sorted(shores, key=lambda p: far.get(board.index[p.id], 99) + dice.random())[:24]
    units: list[Unit] = []
    lie: dict[str, list[str]] = {}
    for number, province in enumerate(dice.sample(near, 16), 1):
        wet, power = is_water(board, province.id), dice.choice(powers)
        kind = boats.form if wet else boats.kind
        if power == "England" and not province.coasts and not board.shut(power, "F", province.id):
            kind = "F"
        elif wet or dice.random() < 0.5:
            builders = [p for p in powers if p != "England"]
            lie[province.id] = [
                dice.choice(builders) if boats.named else "" for _ in range(dice.randint(1, boats.carry))
            ]
        units.append(Unit(number, kind, power, Location(province.id)))
    return Position(tuple(units), state={"boats": {"lie": lie}})


def orders_of(game: Rules, now: Position, kind: PhaseKind, dice: random.Random) -> dict[str, list[str]]:
    """A lawful order for most units, many of them helping others, and now and then something else beside it."""
    legal = LegalOrders(game, now)
    offered = {power: legal.of_power(kind, power) for power in game.powers}
    chosen: dict[Location | None, Order] = {}
    for order in dice.sample(everything := [o for orders in offered.values() for o in orders], len(everything)):
        chosen.setdefault(order.at, order)
    moves = {(order.at, order.to) for order in chosen.values() if order.verb is Verb.MOVE}
    for order in everything:
        helps = order.verb is Verb.SUPPORT and order.to and (order.of, order.to) in moves
        if helps and chosen[order.at].verb is not Verb.MOVE:
            chosen[order.at] = order
    given = {}
    for power, orders in offered.items():
        own = [o for o in orders if o is chosen[o.at] or (o.verb is BoatVerb.DESTROY and dice.random() < 0.15)]
        texts = [game.notation.write(order) for order in own if dice.random() < 0.9]
        more = dice.sample(orders, min(1, len(orders))) if dice.random() < 0.3 else []
        given[power] = [
            *texts,
            *map(game.notation.write, more),
            "W 12 builds CF" if "W" in game.kinds else "A 44 - o with BB",
        ]
    return given


def done_by(done: Adjudication, verb: AnyVerb) -> int:
    """How many orders of this kind were carried out."""
    return sum(r.order is not None and r.order.verb is verb and r.result is Result.SUCCEEDS for r in done.rulings)


def check_sound(boats: Boats, game: Rules, now: Position) -> None:
    """Nobody is where he cannot be, and every water with boats has its one unit afloat, and the other way round."""
    assert now.problems(game.board) == []
    moored = BoatPlacement.of(now)
    everybody = [*now.units, *(d.unit for d in now.dislodged)]
    afloat = Counter(u.at.province for u in everybody if u.kind == boats.form)
    wet = {place for place in moored.lie if is_water(game.board, place)}
    assert wet == set(afloat)
    assert all(many == 1 for many in afloat.values())
    assert all(len(moored.at(place)) <= boats.carry for place in wet)
    assert all(any(e.b.province == place for e in game.board.edges if e.way == "boat") for place in moored.lie)
    assert all(len(set(pile)) == 1 and not pile[0] for pile in moored.lie.values() if not boats.named)


@pytest.mark.bulk
@pytest.mark.parametrize(("boats", "name"), [(CANOES, "canoes"), (BUNCHES, "clans")], ids=("canoes", "clans"))
@given(seed=st.integers(0, 10**9))
@settings(max_examples=25, deadline=None)
def test_boats_are_kept(boats: Boats, name: str, seed: int) -> None:
    """Made, destroyed and lost explain every change; no raw boat is older than a season; the limit is kept."""
    dice, game = random.Random(seed), rules(name)
    now = opening(boats, game, dice, NATIONS[name])
    check_sound(boats, game, now)
    for _ in range(SEASONS):
        before = BoatPlacement.of(now)
        done = adjudicate(game, PhaseKind.MOVEMENT, now, orders_of(game, now, PhaseKind.MOVEMENT, dice))
        after = BoatPlacement.of(done.position)
        lost = sum(h.kind == "wrecked" for h in done.happened)
        change = done_by(done, BoatVerb.MAKE) - done_by(done, BoatVerb.DESTROY) - lost
        assert after.count().total() == before.count().total() + change
        made = {r.order.at.province for r in done.rulings if r.order and r.order.at and r.order.verb is BoatVerb.MAKE}
        assert set(after.raw) <= made
        if boats.limit:
            more = after.count() - before.count()
            assert all(after.count()[builder] <= boats.limit for builder in more)
        check_sound(boats, game, done.position)
        now = fled(boats, game, done.position, dice)


def fled(boats: Boats, game: Rules, now: Position, dice: random.Random) -> Position:
    """The position after the retreats: boats are lost with those afloat who were, and only so."""
    done = adjudicate(game, PhaseKind.RETREATS, now, orders_of(game, now, PhaseKind.RETREATS, dice))
    alive = {u.number for u in done.position.units}
    drowned = [d.unit for d in now.dislodged if d.unit.kind == boats.form and d.unit.number not in alive]
    before, after = BoatPlacement.of(now), BoatPlacement.of(done.position)
    sunk = sum(len(before.at(unit.at.province)) for unit in drowned)
    assert after.count().total() == before.count().total() - sunk
    assert sorted(h.province for h in done.happened) == sorted(unit.at.province for unit in drowned)
    check_sound(boats, game, done.position)
    return done.position


@pytest.mark.bulk
@given(seed=st.integers(0, 10**9))
@settings(max_examples=20, deadline=None)
def test_the_order_of_powers_is_nothing(seed: int) -> None:
    """Whose orders are read first makes no difference to anybody's boats."""
    dice, game = random.Random(seed), rules("clans")
    now = opening(BUNCHES, game, dice, NATIONS["clans"])
    orders = orders_of(game, now, PhaseKind.MOVEMENT, dice)
    turned = dict(reversed(orders.items()))
    one, other = (adjudicate(game, PhaseKind.MOVEMENT, now, given) for given in (orders, turned))
    assert one.position == other.position
