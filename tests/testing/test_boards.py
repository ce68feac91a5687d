"""Random boards, positions and orders are fit to be judged, and so are the strategies that draw them."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.board import Board, Terrain, lint
from gamesmaster.judge import adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rules
from gamesmaster.testing import POWERS, random_board, random_orders, random_position
from gamesmaster.testing.strategies import boards, orders, positions


def test_boards_are_sound() -> None:
    """The linter finds no error in a random board; among many are split coasts, inland provinces and seas."""
    terrains, split = Counter[Terrain](), 0
    for seed in range(200):
        board = random_board(Random(seed))
        assert [finding for finding in lint(board) if finding.level == "error"] == []
        terrains.update(province.terrain for province in board.provinces)
        split += any(province.coasts for province in board.provinces)
    assert terrains.keys() == {Terrain.INLAND, Terrain.COAST, Terrain.SEA}
    assert 50 < split < 200


def test_positions_are_sound() -> None:
    """Every unit of a random position may lie where it lies, alone in its province."""
    for seed in range(200):
        board = random_board(Random(seed))
        position = random_position(Random(seed), board)
        assert position.problems(board) == []
        assert set(position.owners.values()) <= set(POWERS)


def test_orders_do_what_orders_do() -> None:
    """Among the rulings on random orders are all results that a movement phase has, sea crossings included."""
    seen = Counter[str]()
    for seed in range(500):
        rng = Random(seed)
        board = random_board(rng)
        position = random_position(rng, board)
        done = adjudicate(Rules(board, POWERS), PhaseKind.MOVEMENT, position, random_orders(rng, board, position))
        seen.update(ruling.result.name for ruling in done.rulings)
        seen.update(ruling.cause.name for ruling in done.rulings)
    assert {"SUCCEEDS", "HOLDS", "BOUNCES", "CUT", "VOID", "CAME_BY_SEA", "NOT_ADJACENT", "FOREIGN"} <= seen.keys()


@settings(max_examples=100, deadline=None)
@given(st.data(), boards())
def test_judging_loses_no_unit(data: st.DataObject, board: Board) -> None:
    """However wild the orders, every unit stands somewhere afterwards or must retreat, and each order has a ruling."""
    position = data.draw(positions(board))
    given_orders = data.draw(orders(board, position, wild=60))
    done = adjudicate(Rules(board, POWERS), PhaseKind.MOVEMENT, position, given_orders)
    after = [unit.number for unit in done.position.units] + [d.unit.number for d in done.position.dislodged]
    assert sorted(after) == [unit.number for unit in position.units]
    assert len([r for r in done.rulings if r.given]) == sum(map(len, given_orders.values()))
    assert done.position.problems(board) == []
