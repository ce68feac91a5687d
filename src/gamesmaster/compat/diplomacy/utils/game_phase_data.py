"""A phase of a game as data, where the package has it."""

from gamesmaster.compat.diplomacy.engine.game_phase_data import GamePhaseData

__all__ = ["GamePhaseData"]
