"""Hypothesis strategies for tests of adjudicators, bots and readers (extra `testing`).

Each draws what the function of the same kind in `gamesmaster.testing` draws, so that what Hypothesis finds can be found
again with a seed; when a test fails, Hypothesis looks for the simplest draw that still fails.

>>> from hypothesis import given
>>> from hypothesis import strategies as st
>>> from gamesmaster import Rules, adjudicate_movement
>>> from gamesmaster.testing import POWERS
>>> @given(st.data())
... def every_unit_gets_a_ruling(data):
...     board = data.draw(boards(columns=2, rows=2))
...     position = data.draw(positions(board))
...     movement = adjudicate_movement(Rules(board, POWERS), position, data.draw(orders(board, position)))
...     assert {unit.number for unit in position} <= {ruling.unit.number for ruling in movement.rulings if ruling.unit}
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from gamesmaster.board import Board, Position
from gamesmaster.orders import Order
from gamesmaster.testing.boards import random_board, random_orders, random_position


def boards(*, columns: int = 4, rows: int = 3) -> st.SearchStrategy[Board]:
    """Return boards with land and water, shores and split coasts, for the powers in `gamesmaster.testing.POWERS`."""
    return _randoms().map(lambda rng: random_board(rng, columns=columns, rows=rows))


def positions(board: Board) -> st.SearchStrategy[Position]:
    """Return positions on a board: at most one unit in each province, owners of some centres."""
    return _randoms().map(lambda rng: random_position(rng, board))


def orders(board: Board, position: Position, *, wild: int = 10) -> st.SearchStrategy[dict[str, list[Order]]]:
    """Return orders by power for a movement phase; `wild` percent of the units have orders without sense."""
    return _randoms().map(lambda rng: random_orders(rng, board, position, wild=wild))


def _randoms() -> st.SearchStrategy[Random]:
    return st.randoms(use_true_random=False)
