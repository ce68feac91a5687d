"""API of the variants."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from gamesmaster.host.api.callers import Power, TextOut
from gamesmaster.variant import Variant, find_rules_text, find_variant, variant_names


class PowerOut(Schema):
    """A power of a variant."""

    name: Power
    homes: list[str] = Field(examples=[["BRE", "MAR", "PAR"]])
    units: list[str] = Field(examples=[["F BRE", "A MAR", "A PAR"]])


class OptionOut(Schema):
    """An option of a variant; name a choice as `cline9[turkey=fleet-smyrna]`."""

    name: str = Field(examples=["turkey"])
    says: str = Field(examples=["Which fleet Turkey begins with."])
    choices: list[str] = Field(examples=[["regular", "fleet-smyrna"]])
    default: str = Field(examples=["regular"])


class VariantOut(Schema):
    """A variant."""

    id: str = Field(examples=["standard"])
    name: str = Field(examples=["Diplomacy"])
    powers: list[PowerOut]
    provinces: dict[str, str] = Field(
        examples=[{"PAR": "Paris", "BUR": "Burgundy"}], description="id of a province to its name"
    )
    centres: list[str] = Field(examples=[["BRE", "MAR", "PAR"]])
    options: list[OptionOut]
    digest: str = Field(examples=["076ab55f5906c7074fe32a5322195b527d3191b5c3698049b00392eba480e68e"])


class VariantLine(Schema):
    """A variant in the list."""

    id: str = Field(examples=["standard"])
    name: str = Field(examples=["Diplomacy"])
    powers: int = Field(examples=[7])


router = Router()


@router.get("", response=list[VariantLine])
def variants(request: HttpRequest) -> list[VariantLine]:
    """All variants."""
    found = map(find_variant, variant_names())
    return [VariantLine(id=v.id, name=v.name, powers=len(v.powers)) for v in found]


@router.get("/{name}", response=VariantOut)
def variant(request: HttpRequest, name: str) -> VariantOut:
    """A variant by its name, with options in brackets: `cline9[turkey=fleet-smyrna]`."""
    return variant_out(find_variant(name[:300]))


@router.get("/{name}/rules", response=TextOut)
def rules(request: HttpRequest, name: str) -> TextOut:
    """The rulebook of a variant, in Markdown."""
    found = find_rules_text(name.partition("[")[0][:80])
    parts = [f"# {found.title}", found.intro, *(f"## {one.heading}\n\n{one.text}" for one in found.sections)]
    return TextOut(text="\n\n".join(parts))


def variant_out(variant: Variant) -> VariantOut:
    """Return a variant as the API shows it."""
    return VariantOut.model_validate(
        {
            "id": variant.id,
            "name": variant.name,
            "powers": [{"name": p.name, "homes": list(p.homes), "units": list(p.units)} for p in variant.powers],
            "provinces": {province.id: province.name for province in variant.board.provinces},
            "centres": [province.id for province in variant.board.provinces if province.centre],
            "options": [
                {"name": o.name, "says": o.says, "choices": list(o.choices), "default": o.default}
                for o in variant.options
            ],
            "digest": variant.digest,
        }
    )
