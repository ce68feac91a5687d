"""Games for programs that learn or search: thousands at once, or one as PettingZoo knows it; orders as numbers.

Names are loaded when they are first used: vector environments need the extra `fast`, the forms of Gymnasium and
PettingZoo the extra `zoo`, that of OpenSpiel the extra `openspiel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.environments.encodings import DeepMindActions as DeepMindActions
    from gamesmaster.environments.encodings import DipNetVocabulary as DipNetVocabulary
    from gamesmaster.environments.gym import GymVectorEnv as GymVectorEnv
    from gamesmaster.environments.padding import describe as describe
    from gamesmaster.environments.planes import channels as channels
    from gamesmaster.environments.rewards import REWARDS as REWARDS
    from gamesmaster.environments.rewards import Step as Step
    from gamesmaster.environments.spiel import OpenSpielGame as OpenSpielGame
    from gamesmaster.environments.vector import VectorEnvironment as VectorEnvironment
    from gamesmaster.environments.zoo import GamesEnv as GamesEnv
    from gamesmaster.environments.zoo import aec_env as aec_env
    from gamesmaster.environments.zoo import parallel_env as parallel_env

__getattr__, __dir__, __all__ = loaders(__name__, __file__)
