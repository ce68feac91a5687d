"""Games in memory: read from their tables' records, for as long as a request lasts or a little longer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from threading import Lock

from django.db import transaction

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, dumps, loads
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Sheet, Standby, Table

MOST_KEPT = 256


class _Shelf:
    """The games last used, by table and version; a version never changes its game."""

    def __init__(self) -> None:
        self._games: OrderedDict[tuple[int, int], Game] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[int, int]) -> Game | None:
        with self._lock:
            if key in self._games:
                self._games.move_to_end(key)
            return self._games.get(key)

    def put(self, key: tuple[int, int], game: Game) -> None:
        with self._lock:
            self._games[key] = game
            while len(self._games) > MOST_KEPT:
                self._games.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._games.clear()


SHELF = _Shelf()


@dataclass(frozen=True, slots=True)
class Kept:
    """A game without orders and votes, and its record."""

    game: Game
    record: str


def load(table: Table) -> Game:
    """The game of a table, without the orders and votes of the phase being played.

    A row that was read without its record is read again, all of it, if the game is not in memory: both are then of one
    version.  Raises `Refused` if the game has not begun, or its record cannot be read (its variant has changed since).
    """
    game = SHELF.get((table.pk, table.version))
    if game is None:
        if "record" in table.get_deferred_fields():
            table.refresh_from_db(fields=[field.attname for field in Table._meta.concrete_fields])
        if not table.record:
            raise Refused("not-started", "The game has not begun.")
        try:
            game = loads(table.record, verify=False)
        except GamesmasterError as error:
            raise Refused("unreadable", "The record of this game cannot be read.", str(error)[:200]) from error
        SHELF.put((table.pk, table.version), game)
    return game


def written(game: Game) -> Kept:
    """What is kept of a game: orders and votes are left out."""
    bare = replace(game, orders={}, votes={})
    return Kept(bare, dumps(bare))


def keep(table: Table, game: Game | Kept) -> Game:
    """Put a changed game into its table, to be saved by the caller; returns what is kept of it."""
    kept = game if isinstance(game, Kept) else written(game)
    bare = kept.game
    table.record, table.ordinal, table.phase_code = kept.record, len(bare.records), bare.phase.code
    touch(table)
    key = (table.pk, table.version)
    transaction.on_commit(lambda: SHELF.put(key, bare))
    return bare


def touch(table: Table) -> None:
    """Count a change of the table."""
    table.version += 1


def with_sheets(game: Game, sheets: Iterable[Sheet | Standby]) -> Game:
    """The game with these sheets handed in; one that the game does not take (its power is out or gone) is left out."""
    for sheet in sheets:
        try:
            game = game.submit(sheet.power, sheet.lines, amend=False)
        except GamesmasterError:
            continue
    return game
