"""The variants that games of this site can be begun on, by name.

Those of the package and those in the folder of `serve --variants` are fixed while a process runs. Those of members have
a row (`OwnVariant`) and editions in the database. Their names end with a random key, so that they can neither be
guessed nor stand for another variant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy

from gamesmaster.errors import BadFile, NotFound, nearest
from gamesmaster.host.tables.models import KEY_LENGTH, KEY_LETTERS, KeptEdition, Seat, Table, new_key
from gamesmaster.pictures import shapes_of
from gamesmaster.variant import (
    VARIANT,
    Brief,
    Variant,
    edition_of,
    find_brief,
    full_name,
    is_packaged,
    lint_folder,
    read_brief,
    read_edition,
    read_variant,
    split_name,
    variant_names,
)
from gamesmaster.variant import find_variant as find_packaged


@cache
def operator_variants() -> Mapping[str, Variant]:
    """Return the variants in the operator's folder, by id.

    Raise `NotFound` if the folder is missing, and `BadFile` for a variant with errors, without a map, or with the id of
    a variant of the package.
    """
    if not settings.VARIANTS:
        return {}
    root = Path(settings.VARIANTS)
    if not root.is_dir():
        raise NotFound(f"no folder {root}", hint="--variants names a folder that holds the folders of variants")
    folders = [file.parent for file in sorted(root.glob(f"*/{VARIANT}"))]
    return MappingProxyType({variant.id: variant for variant in map(_checked, folders)})


def _checked(folder: Path) -> Variant:
    error = next((finding for finding in lint_folder(folder) if finding.level == "error"), None)
    if error:
        raise BadFile(error.text, where=error.where, hint=error.hint or f"gamesmaster variant lint {folder}")
    variant = read_variant(folder)
    if is_packaged(variant.id):
        what = f"{variant.id} is the id of a variant that comes with the program"
        raise BadFile(what, where=str(folder / VARIANT), hint="give the variant and its folder another id")
    shapes_of(variant, folder)
    return variant


def names() -> tuple[str, ...]:
    """Return the ids of all these variants, sorted."""
    return tuple(sorted({*variant_names(), *operator_variants()}))


def find_variant(name: str) -> Variant:
    """Return the present edition of a variant; options may follow its name in brackets. Raise `NotFound`."""
    family, chosen = split_name(name)
    own = operator_variants().get(family.casefold())
    if own is not None:
        return with_options(own, full_name("", chosen))
    try:
        return find_packaged(name)
    except NotFound:
        if is_packaged(family):
            raise
        hint = nearest(family, names()) or f"known: {', '.join(names())}"
        raise NotFound(f"no variant {family[:80]!r}", hint=hint) from None


@lru_cache(maxsize=200)
def with_options(variant: Variant, options: str) -> Variant:
    """Return the edition of a variant with the options in brackets chosen."""
    chosen = split_name(options)[1]
    return read_edition(edition_of(variant), chosen) if chosen else variant


def brief_of(variant: Variant) -> Brief:
    """Return the variant in brief; empty for one that has no such file."""
    if is_packaged(variant.family):
        return find_brief(variant.family)
    folder = variant.edition.where if variant.family in operator_variants() and variant.edition else ""
    return read_brief(Path(folder)) if folder else Brief()


# -- variants of members -----------------------------------------------------------------------------------------------


class Shown(models.TextChoices):
    """Who may see a member's variant and begin games on it."""

    PRIVATE = "private", gettext_lazy("Only you, and the players of your games")
    LINK = "link", gettext_lazy("Everybody who has the link or sees a game on it")
    ASKED = "asked", gettext_lazy("Everybody who has the link; a moderator is asked to list it")
    LISTED = "listed", gettext_lazy("Everybody: it is listed among the variants of this site")


class OwnVariant(models.Model):
    """A variant that a member has uploaded. Its editions are `KeptEdition`s."""

    key = models.CharField(max_length=16, unique=True, default=new_key, editable=False)
    name = models.CharField(max_length=32, blank=True)  # id on this site; "" until an upload has passed its check
    title = models.CharField(max_length=80, blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="variants")
    shown = models.CharField(max_length=8, default=Shown.PRIVATE)  # a `Shown`
    edition = models.CharField(max_length=36, blank=True)  # id within the present edition: `name`, or `name_2`
    digest = models.CharField(max_length=64, blank=True)  # of the present edition
    number = models.PositiveIntegerField(default=1)  # of editions, counting those that differ in map or rules alone
    parent = models.ForeignKey("self", models.SET_NULL, null=True, related_name="forks")
    parent_address = models.CharField(max_length=60, blank=True)  # the edition that it was copied from
    removed = models.BooleanField(default=False)
    made = models.DateTimeField()
    file = models.CharField(max_length=100, blank=True)  # what the last upload was called
    upload = models.BinaryField(default=bytes)  # an upload that waits for its check
    sent = models.DateTimeField(null=True)  # when it arrived
    checked = models.DateTimeField(null=True)
    findings = models.JSONField(default=list)  # of the last check: level, where, text, hint
    remarks = models.JSONField(default=list)  # of an import
    only = models.CharField(max_length=32, blank=True)  # of a pack: the id of the variant that is meant
    pack = models.JSONField(default=list)  # variants of a pack, to choose from: the fields of a `Choice`
    beside = models.BinaryField(default=bytes)  # a zip of what decides no game: pictures, and worked cases

    class Meta:
        """An index for the next upload to check."""

        indexes = [models.Index(fields=["sent"], name="own_variant_sent")]

    @property
    def who_sees(self) -> str:
        """Return who may see it, in words."""
        return str(Shown(self.shown).label)


_OWN = re.compile(rf"[a-z0-9][a-z0-9_]*_([{KEY_LETTERS}]{{{KEY_LENGTH}}})(_\d+)?")


def own(name: str) -> OwnVariant | None:
    """Return the member's variant that a name or address means, also a removed one; None for any other name."""
    match = _OWN.fullmatch(re.split(r"[\[@]", name, maxsplit=1)[0].strip().casefold())
    found = OwnVariant.objects.defer("upload", "beside").exclude(digest="").select_related("owner", "parent")
    return found.filter(key=match[1]).first() if match else None


def may_see(found: OwnVariant, user: User | None) -> bool:
    """Return whether a person may see the page of a member's variant; players of its games may."""
    if user is not None and found.owner_id == user.pk:
        return True
    if found.shown != Shown.PRIVATE and not found.removed:
        return True
    if user is None:
        return False
    runs = Table.objects.filter(Q(owner=user) | Q(gm=user), variant__startswith=found.name)
    return runs.exists() or Seat.objects.filter(user=user, table__variant__startswith=found.name).exists()


def may_begin(name: str, user: User | None) -> bool:
    """Return whether a person may begin a game on the variant with this name."""
    family = re.split(r"[\[@]", name, maxsplit=1)[0].strip().casefold()
    if family in names():
        return True
    found = own(name)
    mine = found is not None and user is not None and found.owner_id == user.pk
    return found is not None and not found.removed and (mine or found.shown != Shown.PRIVATE)


def listed() -> QuerySet[OwnVariant]:
    """Return the members' variants that a moderator has listed, by title."""
    return (
        OwnVariant.objects.defer("upload", "beside").filter(shown=Shown.LISTED, removed=False).order_by("title", "pk")
    )


def of_member(user: User) -> QuerySet[OwnVariant]:
    """Return a person's variants, newest first."""
    return OwnVariant.objects.defer("upload", "beside").filter(owner=user, removed=False).order_by("-pk")


def offered(user: User | None, wanted: str = "") -> tuple[str, ...]:
    """Return the names that a form for a new game offers: the fixed ones, the person's own, and the `wanted` one."""
    mine = of_member(user).exclude(digest="").values_list("edition", flat=True) if user else ()
    return tuple(dict.fromkeys((*names(), *mine, *([wanted] if wanted and may_begin(wanted, user) else ()))))


def present_name(name: str) -> str:
    """Return the id of the present edition of a member's variant; any other name as it is."""
    found = own(name)
    return found.edition if found else name


def remove(found: OwnVariant) -> None:
    """Remove a member's variant. Games on it go on with their edition, which stays while there are any."""
    if found.name and Table.objects.filter(variant__startswith=found.name).exists():
        found.removed, found.upload, found.beside, found.sent = True, b"", b"", None
        found.findings, found.remarks, found.pack = [], [], []
        found.save(update_fields=["removed", "upload", "beside", "sent", "findings", "remarks", "pack"])
        return
    if found.name:
        KeptEdition.objects.filter(family__startswith=found.name).delete()
    found.delete()
