"""For those who test: random Problems, boards and orders, and a second adjudicator to hold the first against.

`gamesmaster.testing.strategies` has the same as Hypothesis strategies (extra `testing`).

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.testing.boards import POWERS, random_board, random_orders, random_position
    from gamesmaster.testing.cases import CaseReport, run_cases
    from gamesmaster.testing.catalogue import Carried, find_catalogue, place_of, read_catalogue
    from gamesmaster.testing.conformance import check_games, check_variant
    from gamesmaster.testing.free_text import check_texts
    from gamesmaster.testing.naive import Undecided, differences
    from gamesmaster.testing.problems import Theme, permute, random_problem

__all__ = [
    "POWERS",
    "Carried",
    "CaseReport",
    "Theme",
    "Undecided",
    "check_games",
    "check_texts",
    "check_variant",
    "differences",
    "find_catalogue",
    "permute",
    "place_of",
    "random_board",
    "random_orders",
    "random_position",
    "random_problem",
    "read_catalogue",
    "run_cases",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
