"""API of the variants, and of members' uploads."""

from __future__ import annotations

from typing import Annotated

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from gamesmaster.host.api.callers import Done, Given, TextOut, caller, person
from gamesmaster.host.site import limits
from gamesmaster.host.tables import editions, shelf
from gamesmaster.host.tables.shelf import OwnVariant
from gamesmaster.host.variants import uploads
from gamesmaster.host.variants.checking import Fault
from gamesmaster.host.variants.own import MOST_LISTED, UPLOADS
from gamesmaster.unpacking import LARGEST_UPLOAD, MOST_FILES
from gamesmaster.variant import Option, Variant, rules_text_of


class PowerOut(Schema):
    """A power of a variant."""

    name: str
    homes: list[str]
    units: list[str]


class VariantOut(Schema):
    """A variant."""

    id: str
    name: str
    powers: list[PowerOut]
    provinces: dict[str, str] = Field(description="id of a province to its name")
    centres: list[str]
    options: list[Option]
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


class ChoiceOut(Schema):
    """A variant in a pack of another program; `fault` says why it cannot be imported."""

    id: str
    name: str
    powers: list[str]
    provinces: int
    centres: int
    begins: str
    fault: str


class OwnVariantOut(Schema):
    """A variant of yours; `id` is its name on this site, once an upload has passed, `waiting`: an upload is checked.

    After the upload of a pack of several variants, `pack` has them: upload it again with the id of one as `only`.
    """

    key: str
    id: str = Field(alias="edition")
    title: str
    shown: str
    file: str
    waiting: bool
    findings: list[Fault]
    remarks: list[str]
    pack: list[ChoiceOut]

    @staticmethod
    def resolve_waiting(row: OwnVariant) -> bool:
        """Return whether an upload waits for its check."""
        return row.sent is not None


FileText = Annotated[str, Field(max_length=LARGEST_UPLOAD)]


class UploadIn(Given):
    """The files of a variant by their names (`variant.toml`, `board.json`, ...), or the map of another program.

    `only` is the id of a variant in a pack.
    """

    files: dict[Annotated[str, Field(max_length=100)], FileText] = Field(min_length=1, max_length=MOST_FILES)
    only: str = Field("", max_length=32)

    @property
    def data(self) -> dict[str, bytes]:
        """Return the files as bytes."""
        return {name: text.encode(errors="surrogatepass") for name, text in self.files.items()}


router = Router()
own_router = Router()


def _own(request: HttpRequest, key: str, scope: str) -> tuple[User, OwnVariant]:
    user = person(request, scope)
    found = shelf.of_member(user).filter(key=key).first()
    if found is None:
        raise Http404
    return user, found


@own_router.get("", response=list[OwnVariantOut])
def own_variants(request: HttpRequest) -> QuerySet[OwnVariant]:
    """Your variants."""
    return shelf.of_member(person(request, "read"))


@own_router.post("", response={201: OwnVariantOut})
def upload(request: HttpRequest, given: UploadIn) -> Status[OwnVariant]:
    """Upload a new variant. It is checked within some minutes; a notice says so, and GET what was found."""
    user = person(request, "tables")
    limits.check(UPLOADS, request)
    return Status(201, uploads.upload(user, given.data, only=given.only))


@own_router.get("/{slug:key}", response=OwnVariantOut)
def own_variant(request: HttpRequest, key: str) -> OwnVariant:
    """A variant of yours, with the findings of its last check."""
    return _own(request, key, "read")[1]


@own_router.put("/{slug:key}", response=OwnVariantOut)
def upload_edition(request: HttpRequest, key: str, given: UploadIn) -> OwnVariant:
    """Upload the next edition of a variant. Games on former editions go on with them."""
    user, row = _own(request, key, "tables")
    limits.check(UPLOADS, request)
    return uploads.upload(user, given.data, row, given.only)


@own_router.delete("/{slug:key}", response=Done)
def remove(request: HttpRequest, key: str) -> Done:
    """Remove a variant. Games on it go on."""
    user, row = _own(request, key, "tables")
    uploads.remove(row, user)
    return Done()


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
