"""Files that are written whole or not at all, and by one writer at a time on a machine."""

from __future__ import annotations

import codecs
import math
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gamesmaster.errors import GamesmasterError, NotFound, OutOfTurn

WAIT = "GAMESMASTER_WAIT"
"""The environment's variable that says how many seconds a writer waits for another."""
SECONDS = 10.0
"""The default number of seconds to wait."""
PAUSE = 0.02
"""Seconds between two looks at a lock that another holds."""


def patience(text: str | None = None) -> float:
    """Return the seconds to wait for another writer, from a text, else from the environment, else `SECONDS`.

    Raises `GamesmasterError` for a text that is not a number of seconds.
    """
    said = os.environ.get(WAIT, "") if text is None else text
    try:
        seconds = float(said or SECONDS)
    except ValueError:
        seconds = math.nan
    if not seconds >= 0:
        raise GamesmasterError(f"{said[:40]!r} is not a number of seconds to wait", where=WAIT, hint="such as 10, or 0")
    return seconds


@contextmanager
def alone(file: Path, what: str = "this game", *, wait: float | None = None) -> Iterator[None]:
    """Hold the lock of a file. The lock is a file beside it, which the system frees even if the process is killed.

    While another writer holds it, this waits for `wait` seconds, by default as long as `patience` says. Raises
    `OutOfTurn` if that is not enough (`what` names the thing written), `NotFound` for a missing folder.
    """
    until = time.monotonic() + (patience() if wait is None else wait)
    try:
        lock = open(file.with_name(f"{file.name}.lock"), "ab", opener=_private)  # noqa: SIM115
    except FileNotFoundError:
        raise NotFound(f"no folder {file.parent}") from None
    with lock:
        while not _try_lock(lock.fileno()):
            if time.monotonic() >= until:
                raise OutOfTurn(f"another program is writing {what}", where=str(file), hint="try again")
            time.sleep(PAUSE)
        yield


def decode(data: bytes) -> str:
    """Return the text in a file: in UTF-8, in UTF-16 with its mark, or else in the encoding of Western Windows."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def write_whole(file: Path, data: bytes, *, private: bool = False) -> None:
    """Replace the contents of a file; after any interruption it contains either the old or the new.

    A `private` file is one that only its owner may read.  An `OSError` names the file.
    """
    if file.exists() and not file.is_file():  # a pipe or a device
        with name_errors(file):
            file.write_bytes(data)
        return
    with replacing(file, private=private) as stream:
        stream.write(data)


@contextmanager
def replacing(file: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Write a file anew, as `write_whole` does, piece by piece."""
    real = file.resolve()
    fresh = real.with_name(f"{real.name}.new")
    with name_errors(file):
        try:
            with open(fresh, "wb", opener=_private if private else None) as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            fresh.replace(real)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        _sync_folder(real.parent)


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files to a folder, which is made if necessary; if one fails, the new ones are deleted again."""
    made, fresh = not folder.exists(), [name for name in files if not (folder / name).exists()]
    with name_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        for name, data in files.items():
            write_whole(folder / name, data)
    except BaseException:
        for name in fresh:
            (folder / name).unlink(missing_ok=True)
        if made:
            folder.rmdir()
        raise


@contextmanager
def name_errors(file: Path) -> Iterator[None]:
    """Add the name of this file to system errors that name none, such as that of a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(file)
        raise


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner may read."""
    return os.open(path, flags, 0o600)


def _try_lock(handle: int) -> bool:
    """Try to take a lock."""
    try:
        _lock(handle)
    except OSError:
        return False
    return True


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _sync_folder(folder: Path) -> None:
        """Renaming is as durable as it gets: Windows opens no folders."""
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _sync_folder(folder: Path) -> None:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
