"""Tools for tests: random boards, positions and orders, and checks of a variant.

`gamesmaster.testing.strategies` has boards, positions and orders as Hypothesis strategies (extra `testing`).

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.testing.boards import POWERS, random_board, random_orders, random_position
    from gamesmaster.testing.conformance import check_games, check_variant
    from gamesmaster.testing.scenarios import SCENARIOS, ScenarioCheck, check_scenarios

__all__ = [
    "POWERS",
    "SCENARIOS",
    "ScenarioCheck",
    "check_games",
    "check_scenarios",
    "check_variant",
    "random_board",
    "random_orders",
    "random_position",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
