"""The variant of a record: its name, the digest of its edition, and the edition itself where it is in the record."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from gamesmaster.errors import BadFile, GamesmasterError, NotFound
from gamesmaster.strictjson import Keys, fields, path_text, refuse, text
from gamesmaster.variant import LARGEST_EDITION, Edition, Variant, find_edition, read_edition, split_name

Find: TypeAlias = Callable[[str], Variant]
Read: TypeAlias = Callable[[Edition, Mapping[str, str]], Variant]
_LONGEST = (LARGEST_EDITION // 3 + 1) * 4


def variant_data(variant: Variant) -> dict[str, Any]:
    """Return the variant's id and digest, with its edition unless every installation has that."""
    data: dict[str, Any] = {"id": variant.id, "digest": variant.digest}
    if variant.edition and not variant.edition.shipped:
        data["edition"] = pack(variant.edition)
    return data


@lru_cache(maxsize=8)
def pack(edition: Edition) -> str:
    """Return an edition as it stands in a record; raises `BadFile` for one that is too large."""
    return b64encode(edition.pack()).decode()


def variant_of(value: object, find: Find, read: Read = read_edition) -> Variant:
    """Return the variant that the entry of a record names.

    It is the one that `find` has under its id, if it is the edition of the record; else the edition in the record
    itself, as `read` reads it, else one of the past that the package keeps.  Raises `BadFile` if none of these exists.
    """
    entry = fields(value, ("variant",), "id digest", "edition")
    name, digest = text(entry["id"], ("variant", "id")), text(entry["digest"], ("variant", "digest"))
    variant: Variant | None = None
    fault: GamesmasterError = BadFile(
        f"this game was begun under another edition of {name[:80]}, which is neither in the record nor in the package",
        where=path_text(("variant", "digest")),
        hint="a later release may have it",
    )
    try:
        variant = find(name)
    except NotFound as error:
        fault = BadFile(error.what, where=path_text(("variant", "id")), hint=error.hint)
    except GamesmasterError as error:
        fault = error
    if variant and variant.digest == digest:
        return variant
    if "edition" in entry:
        return _inside(entry["edition"], name, digest, read)
    try:
        return find_edition(name, digest)
    except GamesmasterError:
        raise fault from None


def _inside(value: object, name: str, digest: str, read: Read) -> Variant:
    """Return the variant of the edition in a record, which must be the one that the record names."""
    path: Keys = ("variant", "edition")
    written = text(value, path)
    if len(written) > _LONGEST:
        refuse(f"larger than {LARGEST_EDITION:,} bytes", path)
    try:
        data = b64decode(written, validate=True)
    except (binascii.Error, ValueError):
        refuse("expected base64", path)
    try:
        variant = read(Edition.unpack(data), split_name(name)[1])
    except GamesmasterError as error:
        raise BadFile(
            error.what, where=", ".join(filter(None, (path_text(path), error.where))), hint=error.hint
        ) from None
    if (variant.id, variant.digest) != (name, digest):
        refuse(f"this is another edition than the record names: {variant.id}, {variant.digest[:16]}", path)
    return variant
