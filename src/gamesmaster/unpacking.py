"""Uploads and packs: one file, or a zip, taken apart in memory within bounds.

Names in a zip only say which file is which. Nothing is written under such a name, and whatever is not an ordinary file
with an ordinary name is refused as a whole.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping

from gamesmaster.errors import BadFile

LARGEST_UPLOAD = 1024 * 1024
"""Bytes of an upload."""
LARGEST_WHOLE = 8 * 1024 * 1024
"""Bytes of all files of a zip, unpacked."""
MOST_FILES = 40
DEEPEST = 3
"""Folders and file name together."""

_PART = re.compile(r"[^\W_][\w .+()-]{0,99}")
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_LEFT_OUT = re.compile(r"(.*/)?(__MACOSX/.*|\.DS_Store|Thumbs\.db|\._[^/]*)")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
)
SIGNATURE = b"PK\x03\x04"


def unpack(data: bytes, name: str) -> dict[str, bytes]:
    """Return the files in an upload by their names, without the folders around them; raise `BadFile`.

    `name` is what the upload is called. Of files in several folders only those beside the uppermost are returned.
    """
    if len(data) > LARGEST_UPLOAD:
        raise BadFile(f"larger than {LARGEST_UPLOAD:,} bytes", where=name)
    if not data.startswith(SIGNATURE):
        check_name(name)
        return {name: data}
    files = unzip(data, name)
    top = min((path.count("/") for path in files), default=0)
    return {path.rpartition("/")[2]: content for path, content in files.items() if path.count("/") == top}


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of these files, as `unpack` reads it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def check_name(path: str) -> None:
    """Raise `BadFile` unless this is the plain relative name of a file, such as `game/board.json`."""
    parts = path.split("/")
    plain = all(_PART.fullmatch(part) and not _DEVICE.fullmatch(part) for part in parts)
    if not plain or len(parts) > DEEPEST:
        hint = "plain names, of at most two folders: game/board.json"
        raise BadFile(f"a file cannot be called {path[:80]!r} here", hint=hint)


def unzip(data: bytes, where: str, *, most: int = MOST_FILES) -> dict[str, bytes]:
    """Return the files in a zip by their paths; raise `BadFile` for more than `most`, and for odd ones."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not _LEFT_OUT.fullmatch(entry.orig_filename)]
            _check_entries(entries, where, most)
            return {entry.orig_filename: _read(archive, entry) for entry in entries if not entry.is_dir()}
    except _BROKEN as fault:
        if isinstance(fault, BadFile):
            raise
        raise BadFile(f"not a zip that can be read: {fault}"[:200], where=where) from None


def _check_entries(entries: list[zipfile.ZipInfo], where: str, most: int) -> None:
    """Raise `BadFile` for entries that are too many, too large, or anything but ordinary files."""
    if len(entries) > most:
        raise BadFile(f"more than {most} files", where=where, hint="only the files of one variant")
    if sum(entry.file_size for entry in entries) > LARGEST_WHOLE:
        raise BadFile(f"more than {LARGEST_WHOLE:,} bytes unpacked", where=where)
    seen = set[str]()
    for entry in entries:
        name = entry.orig_filename
        check_name(name.removesuffix("/"))
        if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise BadFile(f"{name[:80]} is a link or a device", where=where, hint="only files")
        if entry.flag_bits & _ENCRYPTED:
            raise BadFile(f"{name[:80]} is encrypted", where=where)
        if entry.compress_type not in _METHODS:
            raise BadFile(f"{name[:80]} is packed in an unusual way", where=where, hint="an ordinary zip (deflate)")
        if name.casefold() in seen:
            raise BadFile(f"{name[:80]} is there twice", where=where)
        seen.add(name.casefold())


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    with archive.open(entry) as file:
        content = file.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise BadFile(f"{entry.orig_filename[:80]} does not have the size that the zip says", hint="zip it again")
    return content
