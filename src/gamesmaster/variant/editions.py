"""Former editions of the package's variants, which it keeps for the games that were begun under them.

They lie in `variants/editions`, an archive each, named by variant and digest.  The folder only grows: `python
docs/editions.py` puts today's editions into it, and a test sees to it that no variant is changed without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from gamesmaster import strictjson
from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.variant import model
from gamesmaster.variant.model import ADDRESS_LETTERS, Edition, Variant
from gamesmaster.variant.reading import find_variant, read_edition
from gamesmaster.variant.sources import edition_in, is_packaged, shelf, split_name

STORE = "editions"
SUFFIX = ".json.gz"

_DIGEST = re.compile(r"[0-9a-f]{16,64}")
_FAMILY = re.compile(r"[a-z0-9_]{1,32}")


def find_edition(name: str, digest: str = "", among: Iterable[Edition] = ()) -> Variant:
    """Return a variant of the package, `cline9[turkey=fleet-smyrna]`, in its present or a past edition.

    The digest, or its first sixteen letters, may follow the name (`Variant.address`); by default it is the present
    edition.  `among` are editions from elsewhere, looked at last. Raises `NotFound` for an unknown edition.
    """
    plain, sign, behind = name.partition("@")
    if not digest and not sign:
        return find_variant(plain)
    digest = digest or behind
    if not _DIGEST.fullmatch(digest):
        raise NotFound(f"no edition {name[:80]!r}", hint=f"a name, @, and {ADDRESS_LETTERS} letters of a digest")
    today = find_variant(plain) if _has_choices(plain) else None
    if today and today.digest.startswith(digest):
        return today
    found = _shipped_variant(plain, digest) or _among(plain, digest, among)
    if found is None:
        raise NotFound(f"no edition {digest[:ADDRESS_LETTERS]} of {plain[:80]}", hint="a later release may have it")
    return found


def edition_of(variant: Variant) -> Edition:
    """Return the edition that a variant is of; raises `NotFound` for one that was never in files."""
    if variant.edition:
        return variant.edition
    if is_packaged(variant.id) and find_variant(variant.id) == variant:
        return _today(variant.family)
    raise NotFound(f"{variant.name} has no edition: it was not read from files", hint="read it with `find_variant`")


def shipped_editions(family: str = "*") -> Iterator[Path]:
    """Yield the archives in the package, of one variant or of all."""
    yield from sorted((shelf() / STORE).glob(f"{family}-*{SUFFIX}"))


def archive_name(variant: Variant) -> str:
    """Return the name of the archive of a variant's edition; only its default options have one."""
    return f"{variant.family}-{variant.digest[:ADDRESS_LETTERS]}{SUFFIX}"


@lru_cache(maxsize=16)
def _today(family: str) -> Edition:
    return edition_in(shelf() / family, find_variant(family).board_of)


def _has_choices(name: str) -> bool:
    """Return whether the present edition knows this name and its options."""
    try:
        find_variant(name)
    except GamesmasterError:
        return False
    return True


@lru_cache(maxsize=200)
def _shipped_variant(name: str, digest: str) -> Variant | None:
    family, chosen = split_name(name)
    if not _FAMILY.fullmatch(family):
        return None
    begins = "" if chosen else digest[:ADDRESS_LETTERS]  # without options the archive's name says it
    files = (file for file in shipped_editions(family) if file.name.startswith(f"{family}-{begins}"))
    return _among(name, digest, map(_read_edition, files))


@lru_cache(maxsize=32)
def _read_edition(file: Path) -> Edition:
    data = strictjson.read_bytes(file, limit=model.LARGEST_EDITION)
    return Edition.unpack(data, file.name, shipped=True)


def _among(name: str, digest: str, editions: Iterable[Edition]) -> Variant | None:
    """Return the variant of this name and digest in one of these editions; None if it is in none of them."""
    family, chosen = split_name(name)
    for one in editions:
        found = _with(one, chosen)
        if found and found.family == family and found.digest.startswith(digest):
            return found
    return None


def _with(one: Edition, chosen: Mapping[str, str]) -> Variant | None:
    """Return the variant with these choices, None if the edition does not have them."""
    try:
        return read_edition(one, chosen)
    except NotFound:
        return None
