"""API of the variants."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from gamesmaster.host.api.callers import TextOut, caller
from gamesmaster.host.tables import editions, shelf
from gamesmaster.host.variants.own import MOST_LISTED
from gamesmaster.variant import Variant, rules_text_of


class PowerOut(Schema):
    """A power of a variant."""

    name: str
    homes: list[str]
    units: list[str]


class OptionOut(Schema):
    """An option of a variant; name a choice as `cline9[turkey=fleet-smyrna]`."""

    name: str
    says: str
    choices: list[str]
    default: str


class VariantOut(Schema):
    """A variant."""

    id: str
    name: str
    powers: list[PowerOut]
    provinces: dict[str, str] = Field(description="id of a province to its name")
    centres: list[str]
    options: list[OptionOut]
    digest: str

    @staticmethod
    def resolve_provinces(variant: Variant) -> dict[str, str]:
        """Map the ids of all provinces to their names."""
        return {province.id: province.name for province in variant.board.provinces}

    @staticmethod
    def resolve_centres(variant: Variant) -> list[str]:
        """Return the ids of the supply centres."""
        return [province.id for province in variant.board.provinces if province.centre]


class VariantLine(Schema):
    """A variant in the list."""

    id: str
    name: str
    powers: int


router = Router()


def _seen(request: HttpRequest, name: str) -> Variant:
    """Return a variant that the caller may see; raise `NotFound`."""
    found = shelf.own(name)
    if found is not None and not shelf.may_see(found, caller(request)):
        return shelf.find_variant(name)  # raises `NotFound`, as for a name that means nothing
    return editions.find_variant(name)


@router.get("", response=list[VariantLine])
def variants(request: HttpRequest) -> list[dict[str, object]]:
    """The variants that are listed; one that is shown by its link is found by its name."""
    members = (row.edition for row in shelf.listed()[:MOST_LISTED])
    found = map(editions.find_variant, (*shelf.names(), *members))
    return [{"id": v.id, "name": v.name, "powers": len(v.powers)} for v in found]


@router.get("/{name}", response=VariantOut)
def variant(request: HttpRequest, name: str) -> Variant:
    """A variant by its name, with options in brackets: `cline9[turkey=fleet-smyrna]`."""
    return _seen(request, name[:300])


@router.get("/{name}/rules", response=TextOut)
def rules(request: HttpRequest, name: str) -> dict[str, str]:
    """The rulebook of a variant, in Markdown."""
    found = rules_text_of(_seen(request, name.partition("[")[0][:80]))
    parts = [f"# {found.title}", found.intro, *(f"## {one.heading}\n\n{one.text}" for one in found.sections)]
    return {"text": "\n\n".join(parts)}
