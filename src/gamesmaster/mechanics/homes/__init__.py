"""Homes: those that powers name in the course of the game, and removals by the distance from all that they have."""

from gamesmaster.mechanics.homes.naming import DesignatedHomes, HomeCause, HomeVerb
from gamesmaster.mechanics.homes.removals import RemovalOrder
from gamesmaster.mechanics.homes.won import WonHomes

__all__ = ["DesignatedHomes", "HomeCause", "HomeVerb", "RemovalOrder", "WonHomes"]
