"""Boats: the canoe-fleets of Indianomacy and the Boat-Bunches of Scottomacy."""

from gamesmaster.mechanics.boats.mechanic import Boats

__all__ = ["Boats"]
