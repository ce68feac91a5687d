"""Games for programs that learn or search: thousands at once, or one as PettingZoo knows it; orders as numbers.

Names are loaded when they are first used: vector environments need the extra `fast`, the forms of Gymnasium and
PettingZoo the extra `zoo`, that of OpenSpiel the extra `openspiel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.environments.encodings import DeepMindActions, DipNetVocabulary
    from gamesmaster.environments.gym import GymVectorEnv
    from gamesmaster.environments.padding import describe
    from gamesmaster.environments.planes import channels
    from gamesmaster.environments.rewards import REWARDS, Step
    from gamesmaster.environments.spiel import OpenSpielGame
    from gamesmaster.environments.vector import VectorEnvironment
    from gamesmaster.environments.zoo import GamesEnv, aec_env, parallel_env

__all__ = [
    "REWARDS",
    "DeepMindActions",
    "DipNetVocabulary",
    "GamesEnv",
    "GymVectorEnv",
    "OpenSpielGame",
    "Step",
    "VectorEnvironment",
    "aec_env",
    "channels",
    "describe",
    "parallel_env",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
