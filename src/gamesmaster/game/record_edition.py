"""Which variant a record is of: the one that is at hand, or the edition under which the game was begun."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import TypeAlias

from gamesmaster.errors import BadFile, GamesmasterError, NotFound
from gamesmaster.game import edition
from gamesmaster.game.edition import Edition
from gamesmaster.game.editions import find_edition
from gamesmaster.game.record_parts import Path, bad, fields, text
from gamesmaster.game.variant import Variant
from gamesmaster.game.variant_file import read_edition
from gamesmaster.game.variant_options import split_name
from gamesmaster.strictjson import path_text

Find: TypeAlias = Callable[[str], Variant]
Read: TypeAlias = Callable[[Edition, Mapping[str, str]], Variant]
_LONGEST = (edition.LARGEST // 3 + 1) * 4


def variant_of(value: object, find: Find, read: Read = read_edition) -> Variant:
    """The variant that the entry of a record names.

    That which `find` has under its id, if it is the edition of the record; else the edition in the record itself, as
    `read` reads it, else one of the past that the package keeps.  Raises `BadFile` if there is none.
    """
    told = fields(value, ("variant",), "id digest", "edition")
    name, digest = text(told["id"], ("variant", "id")), text(told["digest"], ("variant", "digest"))
    found: Variant | None = None
    fault: GamesmasterError = BadFile(
        f"this game was begun under another edition of {name[:80]}, which is neither in the record nor in the package",
        where=path_text(("variant", "digest")),
        hint="a later release may have it",
    )
    try:
        found = find(name)
    except NotFound as error:
        fault = BadFile(error.what, where=path_text(("variant", "id")), hint=error.hint)
    except GamesmasterError as error:
        fault = error
    if found and found.digest == digest:
        return found
    if "edition" in told:
        return _inside(told["edition"], name, digest, read)
    try:
        return find_edition(name, digest)
    except GamesmasterError:
        raise fault from None


def _inside(value: object, name: str, digest: str, read: Read) -> Variant:
    """The variant of the edition in a record, which must be the one that the record names."""
    path: Path = ("variant", "edition")
    written = text(value, path)
    if len(written) > _LONGEST:
        bad(f"larger than {edition.LARGEST:,} bytes", path)
    try:
        data = b64decode(written, validate=True)
    except (binascii.Error, ValueError):
        bad("expected base64", path)
    try:
        found = read(Edition.unpack(data), split_name(name)[1])
    except GamesmasterError as error:
        raise BadFile(
            error.what, where=", ".join(filter(None, (path_text(path), error.where))), hint=error.hint
        ) from None
    if (found.id, found.digest) != (name, digest):
        bad(f"this is another edition than the record names: {found.id}, {found.digest[:16]}", path)
    return found
