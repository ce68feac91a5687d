"""The shape of `board.json`, from which the reading of it and the published JSON Schema both come.

Imported only when a file is read: importing pydantic takes far longer than reading a board.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from gamesmaster.board.model import Terrain
from gamesmaster.schemas import (
    MOST_EDGES,
    MOST_PROVINCES,
    Coast,
    Entry,
    Kind,
    Name,
    Place,
    ProvinceId,
    Reason,
    Short,
    Way,
)

Pair = Annotated[list[Place], Field(min_length=2, max_length=2)]
Powers = Annotated[list[Name], Field(max_length=100, description="names of powers; empty for all of them")]


class ProvinceEntry(Entry):
    """A space of the board."""

    id: ProvinceId = Field(description="the short key by which the rest of the file names it")
    name: Name = Field(description="the full name; removals in civil disorder go by its alphabet")
    abbr: Short | None = Field(None, description="what orders are printed with; the id by default")
    aliases: list[Name] = Field([], max_length=32, description="other names that readers of orders may use")
    terrain: Annotated[Terrain, Field(strict=False)]
    centre: bool = Field(False, description="is it a supply centre?")
    home: Name | None = Field(None, description="the power whose home it belongs to")
    coasts: list[Coast] = Field([], max_length=8, description="its coasts, if it has several that are kept apart")
    coast_aliases: dict[Coast, Coast] = Field({}, max_length=8, description="other letters for its coasts")
    convoy: bool | None = Field(
        None, description="may a fleet here convoy? by default yes on seas and in boxes, no elsewhere"
    )


class ExceptionEntry(Entry):
    """An edge that differs from the others."""

    way: Way
    edge: Pair = Field(description="the pair, in the order in which `edges` lists it")
    one_way: bool = Field(False, description="the step leads from the first place to the second only")
    convoy: bool = Field(True, description="false: fleets pass, convoys do not")
    only: Powers = Field([], description="the powers that may use it; empty for all")
    reason: Reason = ""


class ClosureEntry(Entry):
    """A province closed to some."""

    province: ProvinceId
    kinds: list[Kind] = Field([], max_length=16, description="the kinds of unit kept out; empty for all")
    powers: Powers = Field([], description="the powers kept out; empty for all")
    reason: Reason = ""


class BoardFile(Entry):
    """The file of a board: provinces, and the steps between them by each way of travel."""

    format: Literal[1] = Field(description="version of this format")
    name: Name
    ways: dict[Kind, Way] = Field({"A": "army", "F": "fleet"}, max_length=16, description="how each kind of unit goes")
    provinces: list[ProvinceEntry] = Field(min_length=1, max_length=MOST_PROVINCES)
    edges: dict[Way, Annotated[list[Pair], Field(max_length=MOST_EDGES)]] = Field(
        max_length=16, description="way of travel: pairs of places (`PAR`, or `SPA/NC` on a split coast), two-way"
    )
    exceptions: list[ExceptionEntry] = Field([], max_length=2_000)
    closures: list[ClosureEntry] = Field([], max_length=2_000)
