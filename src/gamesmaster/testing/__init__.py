"""For those who test: random Problems, boards and orders, and a second adjudicator to hold the first against.

`gamesmaster.testing.strategies` has the same as Hypothesis strategies (extra `testing`).
"""

from gamesmaster.testing.boards import POWERS, random_board, random_orders, random_position
from gamesmaster.testing.naive import Undecided, differences
from gamesmaster.testing.problems import Theme, permuted, random_problem

__all__ = [
    "POWERS",
    "Theme",
    "Undecided",
    "differences",
    "permuted",
    "random_board",
    "random_orders",
    "random_position",
    "random_problem",
]
