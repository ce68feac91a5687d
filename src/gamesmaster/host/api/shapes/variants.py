"""Variants, field by field."""

from __future__ import annotations

from ninja import Schema
from pydantic import Field

from gamesmaster.host.api.shapes.common import Power


class PowerOut(Schema):
    """A power of a variant."""

    name: Power
    homes: list[str] = Field(examples=[["Par", "Bre", "Mar"]])
    units: list[str] = Field(examples=[["A Par", "F Bre", "A Mar"]])


class OptionOut(Schema):
    """An option of a variant; name a choice as `cline9[turkey=fleet-smyrna]`."""

    name: str = Field(examples=["turkey"])
    says: str = Field(examples=["Which fleet Turkey begins with."])
    choices: list[str] = Field(examples=[["fleet-ankara", "fleet-smyrna"]])
    default: str = Field(examples=["fleet-ankara"])


class VariantOut(Schema):
    """A variant."""

    id: str = Field(examples=["standard"])
    name: str = Field(examples=["Standard"])
    powers: list[PowerOut]
    provinces: dict[str, str] = Field(
        examples=[{"Par": "Paris", "Bur": "Burgundy"}], description="id of a province to its name"
    )
    centres: list[str] = Field(examples=[["Par", "Bre", "Mar"]])
    options: list[OptionOut]
    digest: str = Field(examples=["3c1f0a9b"])


class VariantLine(Schema):
    """A variant in the list."""

    id: str = Field(examples=["standard"])
    name: str = Field(examples=["Standard"])
    powers: int = Field(examples=[7])
