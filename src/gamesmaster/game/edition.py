"""Editions: all that a variant is at one time, as the texts of its files, in one small archive.

A game is played and shown for ever by the edition with which it was begun, whatever becomes of the variant since.
The archive is JSON (`{"format": 1, "files": {"variant.toml": ...}}`), compressed with gzip, and the same for the same
files.  It may come from a stranger: how large it is, and becomes, is bounded, only files of known names may be in it,
and nothing of it is ever written to a disk or run.
"""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from gamesmaster import strictjson
from gamesmaster.errors import BadFile
from gamesmaster.game.record_parts import fields, text

VARIANT, BOARD, SHAPES, RULES = "variant.toml", "board.json", "shapes.json", "RULES.md"
FILES = (VARIANT, BOARD, SHAPES, RULES)
"""What may be in an edition; the first two must be."""
FOREIGN = "foreign.json"
"""The only file in the edition of a board that another program has exported; `gamesmaster.formats` reads it."""
FORMAT = 1
LARGEST = 2 * 1024 * 1024  # bytes, compressed
LARGEST_WHOLE = 8 * 1024 * 1024  # bytes, unpacked
_DEEPEST = 3
_GZIP = 16 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class Edition:
    """The texts of a variant's files, by their names; `where` says where they come from, for complaints.

    One that is `shipped` lies in the package, and every installation of this or a later release has it.
    """

    files: tuple[tuple[str, str], ...]
    where: str = field(default="", compare=False)
    shipped: bool = field(default=False, compare=False)

    @classmethod
    def read(cls, folder: Path, board: Path | None = None) -> Edition:
        """The edition in a folder, with the board and its shapes from another one if its variant shares them.

        Shapes and rules that are missing, or could never be read, are left out: whoever needs them will say so.
        """
        homes = {VARIANT: folder, BOARD: board or folder, SHAPES: board or folder, RULES: folder}
        found = ((name, _text_of(home / name)) for name, home in homes.items())
        return cls(tuple(sorted((name, told) for name, told in found if told)), str(folder))

    @classmethod
    def unpack(cls, data: bytes, where: str = "", *, shipped: bool = False) -> Edition:
        """The edition in an archive; raises `BadFile` for what is no archive, or larger than one may be."""
        if len(data) > LARGEST:
            raise BadFile(f"larger than {LARGEST:,} bytes", where=where)
        opened = zlib.decompressobj(_GZIP)
        try:
            whole = opened.decompress(data, LARGEST_WHOLE + 1)
        except zlib.error as error:
            raise BadFile(f"no edition of a variant: {error}", where=where) from None
        if not opened.eof or opened.unused_data:
            what = (
                f"more than {LARGEST_WHOLE:,} bytes unpacked" if len(whole) > LARGEST_WHOLE else "cut off or added to"
            )
            raise BadFile(f"no edition of a variant: {what}", where=where)
        try:
            return cls(_files(strictjson.loads(whole, limit=LARGEST_WHOLE, depth=_DEEPEST)), where, shipped)
        except BadFile as fault:
            raise BadFile(fault.what, where=", ".join(filter(None, (where, fault.where))), hint=fault.hint) from None

    def pack(self) -> bytes:
        """The archive; raises `BadFile` if it would be larger than one may be."""
        told = json.dumps({"format": FORMAT, "files": dict(self.files)}, ensure_ascii=False, separators=(",", ":"))
        whole = told.encode()
        data = gzip.compress(whole, 9, mtime=0)
        if len(whole) > LARGEST_WHOLE or len(data) > LARGEST:
            raise BadFile(f"an edition of more than {LARGEST:,} bytes, and could not be read again", where=self.where)
        return data

    def text(self, name: str) -> str:
        """What one of the files says; empty if it is not in the edition."""
        return dict(self.files).get(name, "")

    def place(self, name: str) -> str:
        """Where that file stands, for complaints."""
        return str(Path(self.where) / name)


def _text_of(path: Path) -> str:
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST_WHOLE else b""
        return data.decode()
    except (OSError, ValueError):
        return ""


def _files(data: object) -> tuple[tuple[str, str], ...]:
    """The files in the JSON of an archive."""
    top = fields(data, (), "format files")
    if top["format"] != FORMAT:
        raise BadFile(f"this is not an edition of format {FORMAT}", where="$.format")
    own = not (isinstance(top["files"], dict) and FOREIGN in top["files"])
    found = fields(top["files"], ("files",), *((" ".join(FILES[:2]), " ".join(FILES[2:])) if own else (FOREIGN, "")))
    return tuple(sorted((name, text(told, ("files", name))) for name, told in found.items()))
