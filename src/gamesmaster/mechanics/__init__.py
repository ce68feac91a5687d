"""Mechanics: what variants change in the regular rules, one small module a mechanism.

Each is a frozen dataclass with typed parameters, named in `variant.toml` by its `id`; told for designers in
`docs/mechanics.md`.  Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.mechanics.army_fleet import ArmyFleet
    from gamesmaster.mechanics.army_fleet.verbs import PairVerb
    from gamesmaster.mechanics.boats import Boats
    from gamesmaster.mechanics.boats.verbs import BoatVerb
    from gamesmaster.mechanics.borders import FarBorders, PrivateBorders, WeakBorders
    from gamesmaster.mechanics.boxes import IMPLIED, Boxes, implied_mechanics
    from gamesmaster.mechanics.build_sites import BuildKinds, EmergencyBuilds, FreePlacement, SpecialSites
    from gamesmaster.mechanics.delayed_builds import DelayedBuilds
    from gamesmaster.mechanics.elimination import Anarchy, Downfall, Extinction
    from gamesmaster.mechanics.goals import HeldProvinces, NeededProvinces, NoCaptures, Teams
    from gamesmaster.mechanics.homes import DesignatedHomes, HomeVerb, RemovalOrder
    from gamesmaster.mechanics.kinds import UnitKind
    from gamesmaster.mechanics.passages import Canal, Railway
    from gamesmaster.mechanics.registry import MECHANICS, make_mechanic, mechanic
    from gamesmaster.mechanics.reinforcements import Reinforcement, Reinforcements, ReinforcementVerb
    from gamesmaster.mechanics.rivers import Rivers
    from gamesmaster.mechanics.sight import Sight
    from gamesmaster.mechanics.slow_crossing import SlowCrossing
    from gamesmaster.mechanics.standing import StandingArmies
    from gamesmaster.mechanics.supply import CentreValues, FreeUnits, OffBoardSupply
    from gamesmaster.mechanics.taboo import Taboo
    from gamesmaster.mechanics.transforming import Transformation
    from gamesmaster.mechanics.welfare import Welfare

__all__ = [
    "IMPLIED",
    "MECHANICS",
    "Anarchy",
    "ArmyFleet",
    "BoatVerb",
    "Boats",
    "Boxes",
    "BuildKinds",
    "Canal",
    "CentreValues",
    "DelayedBuilds",
    "DesignatedHomes",
    "Downfall",
    "EmergencyBuilds",
    "Extinction",
    "FarBorders",
    "FreePlacement",
    "FreeUnits",
    "HeldProvinces",
    "HomeVerb",
    "NeededProvinces",
    "NoCaptures",
    "OffBoardSupply",
    "PairVerb",
    "PrivateBorders",
    "Railway",
    "Reinforcement",
    "ReinforcementVerb",
    "Reinforcements",
    "RemovalOrder",
    "Rivers",
    "Sight",
    "SlowCrossing",
    "SpecialSites",
    "StandingArmies",
    "Taboo",
    "Teams",
    "Transformation",
    "UnitKind",
    "WeakBorders",
    "Welfare",
    "implied_mechanics",
    "make_mechanic",
    "mechanic",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
