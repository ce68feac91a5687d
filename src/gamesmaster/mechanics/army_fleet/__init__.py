"""Armies aboard fleets, in 1000 AD, Conquest of the New World II and Scottomacy."""

from gamesmaster.mechanics.army_fleet.mechanic import ArmyFleet

__all__ = ["ArmyFleet"]
