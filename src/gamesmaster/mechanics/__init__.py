"""Mechanics: what variants change in the regular rules, one small module a mechanism.

Each is a frozen dataclass with typed parameters, named in `variant.toml` by its `id`; told for designers in
`docs/mechanics.md`.
"""

from gamesmaster.mechanics.anarchy import Anarchy
from gamesmaster.mechanics.boats import Boats
from gamesmaster.mechanics.downfall import Downfall
from gamesmaster.mechanics.extinction import Extinction
from gamesmaster.mechanics.placement import FreePlacement
from gamesmaster.mechanics.reinforcements import Reinforcement, Reinforcements
from gamesmaster.mechanics.shelf import MECHANICS, make_mechanic
from gamesmaster.mechanics.slow_crossing import SlowCrossing
from gamesmaster.mechanics.special_sites import SpecialSites
from gamesmaster.mechanics.standing import StandingArmies
from gamesmaster.mechanics.taboo import Taboo

__all__ = [
    "MECHANICS",
    "Anarchy",
    "Boats",
    "Downfall",
    "Extinction",
    "FreePlacement",
    "Reinforcement",
    "Reinforcements",
    "SlowCrossing",
    "SpecialSites",
    "StandingArmies",
    "Taboo",
    "make_mechanic",
]
