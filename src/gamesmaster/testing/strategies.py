"""Hypothesis strategies for tests of adjudicators, bots and readers (extra `testing`).

Each draws what the function of the same kind in `gamesmaster.testing` draws, so that what Hypothesis finds can be found
again with a seed; when a test fails, Hypothesis looks for the simplest draw that still fails.

>>> from random import Random

from hypothesis import given
>>> from gamesmaster.testing import differences
>>> @given(problems())
... def agrees_with_the_rules(problem):
...     assert differences(problem, problem.solve()) == []
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from gamesmaster.board import Board, Position
from gamesmaster.judge import Problem
from gamesmaster.orders import Order
from gamesmaster.testing.boards import random_board, random_orders, random_position
from gamesmaster.testing.problems import Theme, random_problem


def problems(theme: Theme | None = None) -> st.SearchStrategy[Problem]:
    """Problems for the kernel, small enough for the naive solver; of every theme unless one is named."""
    return _randoms().map(lambda rng: random_problem(rng, theme))


def boards(*, columns: int = 4, rows: int = 3) -> st.SearchStrategy[Board]:
    """Boards with land and water, shores and split coasts, for the powers in `gamesmaster.testing.POWERS`."""
    return _randoms().map(lambda rng: random_board(rng, columns=columns, rows=rows))


def positions(board: Board) -> st.SearchStrategy[Position]:
    """Positions on a board: a unit or none in each province, owners of some centres."""
    return _randoms().map(lambda rng: random_position(rng, board))


def orders(board: Board, position: Position, *, wild: int = 10) -> st.SearchStrategy[dict[str, list[Order]]]:
    """Orders by power, for a movement phase; of a hundred units `wild` are the subject of an order without sense."""
    return _randoms().map(lambda rng: random_orders(rng, board, position, wild=wild))


def _randoms() -> st.SearchStrategy[Random]:
    return st.randoms(use_true_random=False)
