"""A drop-in for programs written for the PyPI package `diplomacy`: the same names, by our own judge.

Its modules lie where that package has them, so that only the imports of a program change.
"""

from gamesmaster.compat.diplomacy.engine.game import Game
from gamesmaster.compat.diplomacy.engine.game_phase_data import GamePhaseData
from gamesmaster.compat.diplomacy.engine.map import Map
from gamesmaster.compat.diplomacy.engine.message import Message
from gamesmaster.compat.diplomacy.engine.power import Power

__all__ = ["Game", "GamePhaseData", "Map", "Message", "Power"]
