"""Records on disk: saved whole or not at all, changed by one writer at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gamesmaster import strictjson
from gamesmaster.errors import BadFile, GamesmasterError, must_be
from gamesmaster.files import alone, write_whole
from gamesmaster.game import record_check
from gamesmaster.game.course import Game
from gamesmaster.game.record_check import Difference, Untrue, verify
from gamesmaster.game.record_edition import Find, Read
from gamesmaster.game.record_json import game_data, game_of
from gamesmaster.game.sight import SeenGame
from gamesmaster.variant import Variant, find_variant, read_edition

LARGEST_RECORD = 64 * 1024 * 1024
"""Bytes of a record; a larger one is refused."""
DEEPEST_RECORD = 32
"""Levels of nesting: the fields of a record take six, the states of mechanics the rest."""


def dumps(game: Game) -> str:
    """Return the record of a game as the text of its file: JSON, a line for each phase.

    Raises `GamesmasterError` for a game as some powers see it, which is not whole.
    """
    must_be(Game, game, "a Game")
    if isinstance(game, SeenGame):
        raise GamesmasterError("a game as a power sees it has no record", hint="save the whole game")
    data = game_data(game)
    phases = ",\n".join(map(_compact, data.pop("phases")))
    rest = ",\n".join(f'"{key}": {_compact(value)}' for key, value in data.items())
    return f'{{\n{rest},\n"phases": [\n{phases}\n]\n}}\n'


def loads(
    text: str | bytes,
    *,
    find: Find = find_variant,
    read: Read = read_edition,
    verify: bool = True,
    where: str = "",
    otherwise: Callable[[Sequence[Difference]], object] = len,
) -> Game:
    """Return the game in the text of a record.

    `find` gives the variant of an id; if its edition is not the one with which the game was begun, that one is taken
    out of the record (`read` reads it), or out of the package.  Raises `BadFile` with the path of what is wrong, and,
    unless `verify` is false, `Untrue` if the record does not follow from its orders.  Where another program adjudicated
    and this one would rule differently, the published results stand; `otherwise` receives the differences.
    """
    data = strictjson.loads(text, limit=LARGEST_RECORD, depth=DEEPEST_RECORD, where=where)
    try:
        game = game_of(data, find, read)
    except BadFile as error:
        raise BadFile(error.what, where=f"{where}, {error.where}" if where else error.where, hint=error.hint) from None
    differences = record_check.verify(game) if verify else []
    if untrue := [one for one in differences if not one.otherwise]:
        raise Untrue(untrue, where=where)
    if differences:
        otherwise(differences)
    return game


def save(game: Game, path: Path | str, *, wait: float | None = None) -> None:
    """Write the record of a game to a file, replacing the old contents.

    Whatever happens meanwhile, the file holds the old record or the new one: the new one is written beside it, brought
    safely to the disk, and then given its name.  Only its owner may read the file, for it holds the seed and the secret
    orders.  While another writer works on the file, this waits for `wait` seconds, or those of the environment's
    `GAMESMASTER_WAIT`, or ten. Raises `OutOfTurn` if that is not enough, `NotFound` for a missing folder.
    """
    file = Path(path).resolve()
    with alone(file, wait=wait):
        _write(file, dumps(game).encode())


def load(
    path: Path | str,
    *,
    find: Find = find_variant,
    read: Read = read_edition,
    verify: bool = True,
    otherwise: Callable[[Sequence[Difference]], object] = len,
) -> Game:
    """Return the game whose record is in a file; see `loads`. Raises `NotFound` for a missing file."""
    data = strictjson.read_bytes(path, limit=LARGEST_RECORD)
    return loads(data, find=find, read=read, verify=verify, where=str(path), otherwise=otherwise)


def update(
    path: Path | str,
    change: Callable[[Game], Game],
    *,
    find: Find = find_variant,
    read: Read = read_edition,
    wait: float | None = None,
) -> Game:
    """Load a record, change the game, and save it, with no other writer in between; returns the changed game.

    Two writers at once work one after the other: the second waits, as `save` does, and gets `OutOfTurn` if the first
    takes too long.  An error in `change` leaves the file as it was.
    """
    file = Path(path).resolve()
    with alone(file, wait=wait):
        changed = change(load(file, find=find, read=read, verify=False))
        _write(file, dumps(changed).encode())
    return changed


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _write(file: Path, data: bytes) -> None:
    if len(data) > LARGEST_RECORD:
        raise BadFile(
            f"the record would be larger than {LARGEST_RECORD:,} bytes, and never be read again", where=str(file)
        )
    write_whole(file, data, private=True)


@dataclass(frozen=True, slots=True)
class Survey:
    """The result of a check of a record by this program.

    `edition` is the address of the edition it is played by; it is a `former` one if the program has another today.
    `differences` are the results that it would rule differently, `fault` the reason why it cannot be read.
    """

    edition: str = ""
    former: bool = False
    differences: tuple[Difference, ...] = ()
    fault: str = ""

    @property
    def changed(self) -> bool:
        """True if any published result would be different or missing."""
        return bool(self.fault or self.differences)

    @property
    def phases(self) -> tuple[str, ...]:
        """The codes of the phases that would be ruled differently."""
        return tuple(dict.fromkeys(one.phase for one in self.differences))


def survey(
    text: str | bytes, *, find: Find = find_variant, read: Read = read_edition, today: Find | None = None
) -> Survey:
    """Return the result of a check of the record in a text; raises nothing.

    `find` and `read` are those of `loads`; `today` finds the variants of new games, if that is not `find`.
    """
    try:
        game = loads(text, find=find, read=read, verify=False)
        differences = tuple(verify(game))
    except GamesmasterError as error:
        return Survey(fault=str(error))
    except Exception as error:  # a fault of this program, which a survey looks for
        return Survey(fault=f"a fault of the program, {type(error).__name__}")
    return Survey(game.variant.address, is_former(game.variant, today or find), differences)


def is_former(variant: Variant, find: Find = find_variant) -> bool:
    """Return whether the variant's name finds another edition today."""
    try:
        return find(variant.id).digest != variant.digest
    except GamesmasterError:  # it is missing, or lacks these options
        return variant.edition is not None and variant.edition.shipped
