"""Mechanics: what variants change in the regular rules, one small module a mechanism.

Each is a frozen dataclass with typed parameters, named in `variant.toml` by its `id`; told for designers in
`docs/mechanics.md`.
"""

from gamesmaster.mechanics.anarchy import Anarchy
from gamesmaster.mechanics.army_fleet import ArmyFleet
from gamesmaster.mechanics.boats import Boats
from gamesmaster.mechanics.build_kinds import BuildKinds
from gamesmaster.mechanics.designated_homes import DesignatedHomes
from gamesmaster.mechanics.downfall import Downfall
from gamesmaster.mechanics.extinction import Extinction
from gamesmaster.mechanics.free_units import FreeUnits
from gamesmaster.mechanics.off_board_supply import OffBoardSupply
from gamesmaster.mechanics.placement import FreePlacement
from gamesmaster.mechanics.private_borders import PrivateBorders
from gamesmaster.mechanics.registry import MECHANICS, make_mechanic, mechanic
from gamesmaster.mechanics.reinforcements import Reinforcement, Reinforcements
from gamesmaster.mechanics.removal_order import RemovalOrder
from gamesmaster.mechanics.slow_crossing import SlowCrossing
from gamesmaster.mechanics.special_sites import SpecialSites
from gamesmaster.mechanics.standing import StandingArmies
from gamesmaster.mechanics.taboo import Taboo
from gamesmaster.mechanics.weak_borders import WeakBorders

__all__ = [
    "MECHANICS",
    "Anarchy",
    "ArmyFleet",
    "Boats",
    "BuildKinds",
    "DesignatedHomes",
    "Downfall",
    "Extinction",
    "FreePlacement",
    "FreeUnits",
    "OffBoardSupply",
    "PrivateBorders",
    "Reinforcement",
    "Reinforcements",
    "RemovalOrder",
    "SlowCrossing",
    "SpecialSites",
    "StandingArmies",
    "Taboo",
    "WeakBorders",
    "make_mechanic",
    "mechanic",
]
