"""Games and what they are made of are values: pickled, copied, compared and hashed by what they hold."""

from __future__ import annotations

import asyncio
import copy
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pytest

from gamesmaster.board import Position
from gamesmaster.game import Game, dumps
from gamesmaster.rules import Rules
from gamesmaster.testing.conformance import play
from gamesmaster.variant import Variant, find_variant, variant_names
from tests.lengths import mark_long

PHASES = 12


def later(variant: Variant) -> tuple[Game, dict[str, list[str]]]:
    """A game after some phases of random orders, and orders for the one being played."""
    *_, (game, orders) = play(variant, PHASES, 3)
    return game, {power: [game.rules.notation.write(order) for order in given] for power, given in orders.items()}


def processed(game: Game, orders: dict[str, list[str]]) -> Game:
    """The game after one more phase, in whatever process."""
    for power, texts in orders.items():
        game = game.submit(power, texts, amend=False)
    return game.process()


@pytest.mark.parametrize("name", mark_long(variant_names(), but=("standard", "scottomacy", "1000ad", "fog")))
def test_values(name: str) -> None:
    """Each comes back from a pickle and from a copy equal to itself, with the same hash; its tables are not sent."""
    game, orders = later(find_variant(name))
    after = processed(game, orders)
    judged = after.adjudication(after.records[-1])
    values = (after, after.position, after.records[-1], after.variant, after.variant.board, after.rules, judged)
    for value in (*values, *judged.rulings, after.house_rules, after.rulebook):
        for twin in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert twin == value
            assert hash(twin) == hash(value)
    assert len(pickle.dumps(after.rules)) < 200_000
    assert dumps(processed(pickle.loads(pickle.dumps(game)), orders)) == dumps(after)


def test_what_differs_is_not_equal() -> None:
    """A unit, an owner, the state of a mechanic, a province, a rule: each makes another value."""
    variant = find_variant("indianomacy")
    start, board, rules = variant.start, variant.board, Rules.of(variant)
    assert start == Position(start.units, dict(start.owners), start.dislodged, dict(start.state))
    for other in (
        Position(start.units[1:], start.owners, start.dislodged, start.state),
        Position(start.units, {**start.owners, start.units[0].at.province: "Nobody"}, start.dislodged, start.state),
        Position(start.units, start.owners, start.dislodged, {**start.state, "x": 1}),
    ):
        assert other != start
    assert replace(board) == board
    assert replace(board, provinces=board.provinces[:-1], edges=()) != board
    assert replace(variant) == variant
    assert replace(variant, victory=replace(variant.victory, centres=3)) != variant
    assert replace(rules) == rules
    assert replace(rules, mechanics=()) != rules
    assert board != variant


def test_positions_are_keys() -> None:
    """A table by position finds an equal one that was made elsewhere."""
    game, orders = later(find_variant("1000ad"))
    table = {game.position: 1}
    assert table[pickle.loads(pickle.dumps(game.position))] == 1
    assert processed(game, orders).position not in table


def test_one_of_each_in_a_process() -> None:
    """Of equal boards that are unpickled there is one, so that its tables are made once."""
    game, _ = later(find_variant("standard"))
    ones = [pickle.loads(pickle.dumps(game)) for _ in range(3)]
    assert len({id(one.variant.board) for one in ones}) == len({id(one.variant) for one in ones}) == 1


def test_processes_threads_and_tasks() -> None:
    """A pool of processes, one of threads and tasks of asyncio give the same game as one hand."""
    given = [later(find_variant(name)) for name in ("standard", "scottomacy")]
    expected = [dumps(processed(*one)) for one in given]
    games, orders = zip(*given, strict=True)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert [dumps(one) for one in pool.map(processed, games, orders)] == expected
    with ThreadPoolExecutor(4) as threads:
        assert [dumps(one) for one in threads.map(processed, games * 4, orders * 4)] == expected * 4

    async def tasks() -> list[Game]:
        return list(await asyncio.gather(*(asyncio.to_thread(processed, *one) for one in given)))

    assert [dumps(one) for one in asyncio.run(tasks())] == expected
