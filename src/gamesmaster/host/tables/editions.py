"""Editions of variants: a table is always played and shown with the edition it was created with.

The package contains current and former editions. The database also keeps every edition that a table was created with,
so that no update can remove it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import lru_cache, partial
from typing import TypeAlias

from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.game import loads
from gamesmaster.host.tables import shelf
from gamesmaster.host.tables.models import KeptEdition, Table
from gamesmaster.variant import Edition, Variant, edition_of, find_edition, full_name, read_edition, split_name

FindVariant: TypeAlias = Callable[[str], Variant]


def variant_of(table: Table) -> Variant:
    """Return the variant of a table in the table's edition; raise `NotFound` if that no longer exists."""
    return variant_by_digest(table.variant, table.digest)


def find_variant(name: str) -> Variant:
    """Return a variant by its name, or one edition of it by its address; raise `NotFound`."""
    plain, _, digest = name.partition("@")
    if digest:
        return variant_by_digest(plain, digest)
    own = shelf.own(plain)
    if own is None:
        return shelf.find_variant(plain)
    return shelf.with_options(variant_by_digest(own.edition, own.digest), full_name("", split_name(plain)[1]))


@lru_cache(maxsize=512)
def variant_by_digest(name: str, digest: str) -> Variant:
    """Return the variant with this name and digest; raise `NotFound`."""
    return find_edition(name, digest, among=_kept_editions(name.partition("[")[0].casefold()))


def variant_finder(digest: str) -> FindVariant:
    """Return a function that finds the variant of a record with this digest; it raises `NotFound`."""
    return partial(variant_by_digest, digest=digest)


def _kept_editions(family: str) -> Iterator[Edition]:
    """Yield the editions of a variant that this site keeps. They are read only if the package's do not match."""
    own = shelf.operator_variants().get(family)
    if own is not None:
        yield edition_of(own)
    for row in KeptEdition.objects.filter(family=family).order_by("digest"):
        yield Edition.unpack(bytes(row.archive), f"the edition {row.digest[:16]} of this site")


def keep_edition(variant: Variant, now: datetime) -> None:
    """Keep the edition of a variant in the database; raise `NotFound` for a variant that was never in files."""
    edition = edition_of(variant)
    plain = variant if "[" not in variant.id else _plain(variant, edition)
    if KeptEdition.objects.filter(pk=plain.digest).exists():
        return  # packing takes longer than the rest of creating a game
    row = KeptEdition(digest=plain.digest, family=plain.family, archive=edition.pack(), kept=now)
    KeptEdition.objects.bulk_create([row], ignore_conflicts=True)


def _plain(variant: Variant, edition: Edition) -> Variant:
    """Return the variant without options."""
    if variant.edition is None:
        return find_edition(variant.family)
    return read_edition(edition)


def keep_editions(now: datetime) -> int:
    """Keep the editions of all tables and return the number of editions that could not be found."""
    lost = 0
    for name, digest in Table.objects.exclude(digest="").values_list("variant", "digest").distinct():
        try:
            keep_edition(_anywhere(name, digest), now)
        except GamesmasterError:
            lost += 1
    return lost


def _anywhere(name: str, digest: str) -> Variant:
    """Return the variant, from the record of a table if necessary; raise `BadFile` or `NotFound`."""
    try:
        return variant_by_digest(name, digest)
    except NotFound:
        records = (
            Table.objects.filter(variant=name, digest=digest).values_list("record", flat=True).order_by("-ordinal")
        )
        return loads(records[0], verify=False).variant
