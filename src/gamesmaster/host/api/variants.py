"""Variants: which there are, and what is in them."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router

from gamesmaster.game import find_rules_text, find_variant, variant_names
from gamesmaster.host.api.seeing import variant_out
from gamesmaster.host.api.shapes.common import TextOut
from gamesmaster.host.api.shapes.variants import VariantLine, VariantOut

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
