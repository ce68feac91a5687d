"""Mechanics: what variants change in the regular rules, one small module a mechanism.

Each is a frozen dataclass with typed parameters, named in `variant.toml` by its `id`; told for designers in
`docs/mechanics.md`.  Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.mechanics.army_fleet import ArmyFleet as ArmyFleet
    from gamesmaster.mechanics.army_fleet.values import PairVerb as PairVerb
    from gamesmaster.mechanics.boats import Boats as Boats
    from gamesmaster.mechanics.boats.values import BoatVerb as BoatVerb
    from gamesmaster.mechanics.borders import FarBorders as FarBorders
    from gamesmaster.mechanics.borders import PrivateBorders as PrivateBorders
    from gamesmaster.mechanics.borders import Rivers as Rivers
    from gamesmaster.mechanics.borders import WeakBorders as WeakBorders
    from gamesmaster.mechanics.boxes import IMPLIED as IMPLIED
    from gamesmaster.mechanics.boxes import Boxes as Boxes
    from gamesmaster.mechanics.boxes import implied_mechanics as implied_mechanics
    from gamesmaster.mechanics.build_sites import BuildKinds as BuildKinds
    from gamesmaster.mechanics.build_sites import DelayedBuilds as DelayedBuilds
    from gamesmaster.mechanics.build_sites import EmergencyBuilds as EmergencyBuilds
    from gamesmaster.mechanics.build_sites import FreePlacement as FreePlacement
    from gamesmaster.mechanics.build_sites import NeededHomes as NeededHomes
    from gamesmaster.mechanics.build_sites import SpecialSites as SpecialSites
    from gamesmaster.mechanics.elimination import Anarchy as Anarchy
    from gamesmaster.mechanics.elimination import Downfall as Downfall
    from gamesmaster.mechanics.elimination import Extinction as Extinction
    from gamesmaster.mechanics.elimination import NoRetreats as NoRetreats
    from gamesmaster.mechanics.goals import EnteredProvinces as EnteredProvinces
    from gamesmaster.mechanics.goals import HeldProvinces as HeldProvinces
    from gamesmaster.mechanics.goals import NeededProvinces as NeededProvinces
    from gamesmaster.mechanics.goals import NoCaptures as NoCaptures
    from gamesmaster.mechanics.goals import Teams as Teams
    from gamesmaster.mechanics.goals import Welfare as Welfare
    from gamesmaster.mechanics.homes import DesignatedHomes as DesignatedHomes
    from gamesmaster.mechanics.homes import HomeVerb as HomeVerb
    from gamesmaster.mechanics.homes import RemovalOrder as RemovalOrder
    from gamesmaster.mechanics.homes import WonHomes as WonHomes
    from gamesmaster.mechanics.kinds import UnitKind as UnitKind
    from gamesmaster.mechanics.passages import Canal as Canal
    from gamesmaster.mechanics.passages import Railway as Railway
    from gamesmaster.mechanics.passages import SeasonalBorders as SeasonalBorders
    from gamesmaster.mechanics.registry import MECHANICS as MECHANICS
    from gamesmaster.mechanics.registry import make_mechanic as make_mechanic
    from gamesmaster.mechanics.registry import mechanic as mechanic
    from gamesmaster.mechanics.reinforcements import Reinforcement as Reinforcement
    from gamesmaster.mechanics.reinforcements import Reinforcements as Reinforcements
    from gamesmaster.mechanics.reinforcements import ReinforcementVerb as ReinforcementVerb
    from gamesmaster.mechanics.sight import Sight as Sight
    from gamesmaster.mechanics.slow_crossing import SlowCrossing as SlowCrossing
    from gamesmaster.mechanics.standing import StandingArmies as StandingArmies
    from gamesmaster.mechanics.supply import CentreValues as CentreValues
    from gamesmaster.mechanics.supply import FreeUnits as FreeUnits
    from gamesmaster.mechanics.supply import OffBoardSupply as OffBoardSupply
    from gamesmaster.mechanics.taboo import Taboo as Taboo
    from gamesmaster.mechanics.transforming import Transformation as Transformation

__getattr__, __dir__, __all__ = loaders(__name__, __file__)
