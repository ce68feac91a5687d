"""The mechanics there are, by name, and how a table of `variant.toml` becomes one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import Mechanic
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
from gamesmaster.mechanics.reinforcements import Reinforcements
from gamesmaster.mechanics.removal_order import RemovalOrder
from gamesmaster.mechanics.slow_crossing import SlowCrossing
from gamesmaster.mechanics.special_sites import SpecialSites
from gamesmaster.mechanics.standing import StandingArmies
from gamesmaster.mechanics.taboo import Taboo
from gamesmaster.mechanics.weak_borders import WeakBorders

_ALL: tuple[type[Mechanic], ...] = (
    Anarchy,
    ArmyFleet,
    Boats,
    BuildKinds,
    DesignatedHomes,
    Downfall,
    Extinction,
    FreePlacement,
    FreeUnits,
    OffBoardSupply,
    PrivateBorders,
    Reinforcements,
    RemovalOrder,
    SlowCrossing,
    SpecialSites,
    StandingArmies,
    Taboo,
    WeakBorders,
)

MECHANICS: Mapping[str, type[Mechanic]] = MappingProxyType({kind.id: kind for kind in _ALL})
"""Every mechanic by its name in files."""


def make_mechanic(told: Mapping[str, object], where: str) -> Mechanic:
    """The mechanic that a `[[mechanics]]` table asks for.

    `where` names the table in complaints.  Raises `BadFile` for an unknown name, an unknown or missing parameter, or a
    value that a parameter cannot have, with the nearest right thing.
    """
    from pydantic import TypeAdapter, ValidationError

    parameters = dict(told)
    name = parameters.pop("name", None)
    if not isinstance(name, str) or name not in MECHANICS:
        hint = nearest(str(name)[:80], MECHANICS) or f"known: {', '.join(MECHANICS)}"
        raise BadFile(f"no mechanic {str(name)[:80]!r}", where=f"{where}.name", hint=hint)
    kind = MECHANICS[name]
    known = [key for key in getattr(kind, "__dataclass_fields__", {}) if key != "id"]
    for key in parameters:
        if key not in known:
            hint = nearest(key, known) or f"known: {', '.join(known) or 'none'}"
            raise BadFile(f"{name} has no parameter {key[:80]!r}", where=where, hint=hint)
    try:
        return TypeAdapter(kind).validate_python(parameters)
    except ValidationError as found:
        fault = found.errors(include_url=False)[0]
        path = ".".join(map(str, fault["loc"]))
        raise BadFile(str(fault["msg"])[:200], where=f"{where}.{path}" if path else where) from None
