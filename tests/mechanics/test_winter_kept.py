"""What holds after every Winter of four games, whatever was ordered from whatever position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.board import Location, Position, Terrain, Unit
from gamesmaster.judge import LegalOrders, accounts, adjudicate, balance, due, idle
from gamesmaster.mechanics.homes import HomeVerb
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.rules import Cause, Result, Rules

from .winters import POWERS, rules

GAMES = sorted(POWERS)
A = PhaseKind.ADJUSTMENTS


def anywhere(game: Rules, chance: Random) -> Position:
    """Some units of some powers, laden ones too, in places where they can be; some centres owned; some Winter."""
    board, units, full = game.board, list[Unit](), set[str]()
    for power in chance.sample(game.powers, chance.randint(1, 3)):
        for _ in range(chance.randint(0, 9)):
            kind = chance.choice(list(board.ways))
            at = chance.choice([at for at in board.locations if board.can_stand(kind, at)])
            if at.province in full:
                continue
            if board.province(at.province).terrain is not Terrain.BOX:
                full.add(at.province)
            units.append(Unit(len(units) + 1, kind, power, at))
            if kind in board.forms and board.forms[kind].cargo:
                units.append(Unit(len(units) + 1, board.forms[kind].cargo, power, at, aboard=len(units)))
    owners = {centre: chance.choice(game.powers) for centre in board.centres if chance.random() < chance.random()}
    winter = chance.randint(0, 4)
    state: dict[str, object] = {}
    if any(mechanic.id == "off-board-supply" for mechanic in game.mechanics):
        state["off-board-supply"] = {"winters": winter, "deferred": {"England": chance.randint(0, 3)}}
        homes = {"England": [[chance.choice(["NOV", "VIR"]), chance.randint(0, winter)]]}
        state["designated-homes"] = {"winters": winter, "homes": chance.choice([{}, homes])}
    return Position(tuple(units), owners, (), state)


def something(game: Rules, position: Position, power: str, chance: Random) -> list[str | Order]:
    """Lawful orders of a power, several times too, and some that are not."""
    lawful = LegalOrders(game, position).of_winter(power)
    orders: list[str | Order] = [chance.choice(lawful) for _ in range(chance.randint(0, 12)) if lawful]
    for _ in range(chance.randint(0, 4)):
        at = chance.choice([u.at for u in position.units] or [Location(game.board.centres[0])])
        verb = chance.choice([Verb.BUILD, Verb.REMOVE, HomeVerb.DESIGNATE])
        orders.append(Order(verb, chance.choice([*game.board.ways, ""]), at))
    chance.shuffle(orders)
    return orders


@pytest.mark.bulk
@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_after_a_winter(name: str, seed: int) -> None:
    """Nobody has more than can be fed, nobody has built more than was due, and the pieces are as they must be."""
    game, chance = rules(name), Random(seed)
    before = anywhere(game, chance)
    assert before.problems(game.board) == []
    orders = {power: something(game, before, power, chance) for power in game.powers}
    after = adjudicate(game, A, before, orders).position
    assert after.problems(game.board) == []
    left = balance(game, replace(after, state=before.state))  # by the supply of this Winter
    allowed, known = due(game, before), {u.number for u in before.units}
    built = Counter(u.power for u in after.units if u.number not in known)
    for power in game.powers:
        assert left[power] >= 0
        assert built[power] <= max(allowed[power], 8 if allowed[power] < 0 else 0)
        if allowed[power] >= 0:
            assert set(before.of(power)) <= set(after.of(power))
        else:
            assert len(after.of(power)) - built[power] < len(before.of(power))
    _well_deferred(game, before, after)


def _well_deferred(game: Rules, before: Position, after: Position) -> None:
    """No more is deferred than there are units missing."""
    missing = balance(game, replace(after, state=before.state))
    told: Any = after.state.get("off-board-supply", {"deferred": {}})
    assert all(0 < number <= missing[power] for power, number in told["deferred"].items())


@pytest.mark.bulk
@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=30, deadline=None)
def test_what_is_offered_is_good(name: str, seed: int) -> None:
    """Each lawful order of a Winter is carried out if it is the only one; who is offered none has nothing to do."""
    game, chance = rules(name), Random(seed)
    position = anywhere(game, chance)
    legal = LegalOrders(game, position)
    for power, number in due(game, position).items():
        offered = legal.of_winter(power)
        assert bool(offered) == (number != 0)
        for order in chance.sample(offered, min(4, len(offered))):
            ruling = adjudicate(game, A, position, {power: [order]}).rulings[0]
            assert ruling.result is Result.SUCCEEDS, (str(order), ruling.text)
            text = game.notation.write(order)
            assert game.notation.read(text, A) == order
    assert idle(game, A, position) == (not any(due(game, position).values()))


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=30, deadline=None)
def test_as_many_are_built_as_are_due(name: str, seed: int) -> None:
    """Who builds what costs least, wherever there is room, builds just what is due."""
    game = rules(name)
    position = anywhere(game, Random(seed))
    found = accounts(game, position)
    orders: Mapping[str, Sequence[Order]] = {
        power: [
            Order(Verb.BUILD, unit.kind, unit.at)
            for unit in sorted(account.builds(), key=lambda unit: account.cost((*account.units, unit)))
            for _ in range(account.room(unit.at.province))
        ]
        for power, account in found.items()
    }
    done = adjudicate(game, A, position, orders)
    made = Counter(r.power for r in done.rulings if r.cause is Cause.BUILT)
    for power, number in due(game, position).items():
        if number >= 0:
            assert made[power] == number
