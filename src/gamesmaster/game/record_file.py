"""Records on disk: saved whole or not at all, changed by one writer at a time."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gamesmaster import strictjson
from gamesmaster.errors import BadFile, NotFound, OutOfTurn
from gamesmaster.game import record_check
from gamesmaster.game.course import Game
from gamesmaster.game.record_check import Untrue
from gamesmaster.game.record_data import game_data
from gamesmaster.game.record_reader import game_of
from gamesmaster.game.variant import Variant
from gamesmaster.game.variant_file import find_variant

LARGEST = 64 * 1024 * 1024  # bytes
DEEPEST = 32  # levels: our own fields take six, the states of mechanics the rest


def dumps(game: Game) -> str:
    """The record of a game as the text of its file: JSON, a line for each phase."""
    data = game_data(game)
    phases = ",\n".join(map(_compact, data.pop("phases")))
    rest = ",\n".join(f'"{key}": {_compact(value)}' for key, value in data.items())
    return f'{{\n{rest},\n"phases": [\n{phases}\n]\n}}\n'


def loads(
    text: str | bytes, *, find: Callable[[str], Variant] = find_variant, verify: bool = True, where: str = ""
) -> Game:
    """The game in the text of a record.

    `find` gives the variant of an id.  Raises `BadFile` with the path of what is wrong, and, unless `verify` is
    false, `Untrue` if the record does not follow from its orders.
    """
    data = strictjson.loads(text, limit=LARGEST, depth=DEEPEST, where=where)
    try:
        game = game_of(data, find)
    except BadFile as error:
        raise BadFile(error.what, where=f"{where}, {error.where}" if where else error.where, hint=error.hint) from None
    differences = record_check.verify(game) if verify else []
    if differences:
        raise Untrue(differences, where=where)
    return game


def save(game: Game, path: Path | str) -> None:
    """Write the record of a game to a file, in place of what it held.

    Whatever happens meanwhile, the file holds the old record or the new one: the new one is written beside it, brought
    safely to the disk, and then given its name.  Only its owner may read the file, for it holds the seed and the secret
    orders.  Raises `OutOfTurn` if another writer is at it, `NotFound` if there is no such folder.
    """
    file = Path(path).resolve()
    with alone(file):
        _write(file, dumps(game).encode())


def load(path: Path | str, *, find: Callable[[str], Variant] = find_variant, verify: bool = True) -> Game:
    """The game whose record is in a file; see `loads`.  Raises `NotFound` if there is no such file."""
    return loads(strictjson.read_bytes(path, limit=LARGEST), find=find, verify=verify, where=str(path))


def update(path: Path | str, change: Callable[[Game], Game], *, find: Callable[[str], Variant] = find_variant) -> Game:
    """Load a record, change the game, and save it, with no other writer in between; returns the changed game.

    What two writers do at once, one does after the other or not at all: the loser is told by `OutOfTurn`.  An error in
    `change` leaves the file as it was.
    """
    file = Path(path).resolve()
    with alone(file):
        changed = change(load(file, find=find, verify=False))
        _write(file, dumps(changed).encode())
    return changed


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@contextmanager
def alone(file: Path, what: str = "this game") -> Iterator[None]:
    """Hold the lock of a file: one beside it, whose lock the system takes back even from a killed process.

    Raises `OutOfTurn` if another writer holds it (`what` says of what), `NotFound` if there is no such folder.
    """
    try:
        lock = open(file.with_name(f"{file.name}.lock"), "ab", opener=_private)  # noqa: SIM115
    except FileNotFoundError:
        raise NotFound(f"no folder {file.parent}") from None
    with lock:
        try:
            _lock(lock.fileno())
        except OSError:
            raise OutOfTurn(f"somebody else is writing {what}", where=str(file), hint="try again") from None
        yield


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner may read."""
    return os.open(path, flags, 0o600)


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


def _write(file: Path, data: bytes) -> None:
    if len(data) > LARGEST:
        raise BadFile(f"the record would be larger than {LARGEST:,} bytes, and never be read again", where=str(file))
    write_whole(file, data)


def write_whole(file: Path, data: bytes) -> None:
    """Put this into a file in place of what it held: whatever happens meanwhile, it holds the old or the new."""
    fresh = file.with_name(f"{file.name}.new")
    try:
        with open(fresh, "wb", opener=_private) as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(file)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    _sync_folder(file.parent)
