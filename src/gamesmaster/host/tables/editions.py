"""Editions of variants: a table is played and shown by the edition with which it was made.

The package has today's editions and those of its past; the database keeps, in its own table, every edition that a table
was made with, so that no update can take one away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import lru_cache, partial
from typing import TypeAlias

from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.game import loads
from gamesmaster.host.tables.models import KeptEdition, Table
from gamesmaster.variant import Edition, Variant, edition_of, find_edition, read_edition

FindVariant: TypeAlias = Callable[[str], Variant]


def variant_of(table: Table) -> Variant:
    """The variant of a table, in its own edition; raises `NotFound` if nobody has that any more."""
    return variant_by_digest(table.variant, table.digest)


def find_variant(name: str) -> Variant:
    """A variant by its name or, for one edition of it, its address; raises `NotFound`."""
    plain, _, digest = name.partition("@")
    return variant_by_digest(plain, digest) if digest else find_edition(name)


@lru_cache(maxsize=512)
def variant_by_digest(name: str, digest: str) -> Variant:
    """The variant of this name with this digest; raises `NotFound`."""
    return find_edition(name, digest, among=_kept_editions(name.partition("[")[0].casefold()))


def variant_finder(digest: str) -> FindVariant:
    """How the variant of a record is found that names this digest; raises `NotFound`."""
    return partial(variant_by_digest, digest=digest)


def shipped_finder(digest: str) -> FindVariant:
    """The same in the package alone."""
    return partial(find_edition, digest=digest)


def _kept_editions(family: str) -> Iterator[Edition]:
    """The editions of a variant that this site keeps, read only if the package has none that will do."""
    for row in KeptEdition.objects.filter(family=family).order_by("digest"):
        yield Edition.unpack(bytes(row.archive), f"the edition {row.digest[:16]} of this site")


def keep_edition(variant: Variant, now: datetime) -> None:
    """Keep the edition of a variant for ever; raises `NotFound` for one that was never in files."""
    edition = edition_of(variant)
    plain = variant if "[" not in variant.id else _plain(variant, edition)
    if KeptEdition.objects.filter(pk=plain.digest).exists():
        return  # packing takes longer than all else that makes a game
    row = KeptEdition(digest=plain.digest, family=plain.family, archive=edition.pack(), kept=now)
    KeptEdition.objects.bulk_create([row], ignore_conflicts=True)


def _plain(variant: Variant, edition: Edition) -> Variant:
    """The variant without options."""
    if variant.edition is None:
        return find_edition(variant.family)
    return read_edition(edition)


def keep_editions(now: datetime) -> int:
    """Keep the editions of all tables; how many editions has nobody any more?"""
    lost = 0
    for name, digest in Table.objects.exclude(digest="").values_list("variant", "digest").distinct():
        try:
            keep_edition(_anywhere(name, digest), now)
        except GamesmasterError:
            lost += 1
    return lost


def _anywhere(name: str, digest: str) -> Variant:
    """The variant, out of one of the records if need be; raises `BadFile` or `NotFound`."""
    try:
        return variant_by_digest(name, digest)
    except NotFound:
        records = (
            Table.objects.filter(variant=name, digest=digest).values_list("record", flat=True).order_by("-ordinal")
        )
        return loads(records[0], verify=False).variant
