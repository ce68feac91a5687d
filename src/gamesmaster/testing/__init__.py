"""Tools for tests: random boards, positions and orders, and checks of a variant.

`gamesmaster.testing.strategies` has boards, positions and orders as Hypothesis strategies (extra `testing`).

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.testing.boards import POWERS as POWERS
    from gamesmaster.testing.boards import random_board as random_board
    from gamesmaster.testing.boards import random_orders as random_orders
    from gamesmaster.testing.boards import random_position as random_position
    from gamesmaster.testing.conformance import check_games as check_games
    from gamesmaster.testing.conformance import check_variant as check_variant
    from gamesmaster.testing.scenarios import SCENARIOS as SCENARIOS
    from gamesmaster.testing.scenarios import ScenarioCheck as ScenarioCheck
    from gamesmaster.testing.scenarios import check_scenarios as check_scenarios

__getattr__, __dir__, __all__ = loaders(__name__, __file__)
