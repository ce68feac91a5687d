"""Games in memory: read from their tables' records, for as long as a request lasts or a little longer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from threading import Lock

from django.db import transaction
from django.utils.translation import gettext as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, dumps, loads
from gamesmaster.game.seats import LOTS
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Sheet, Standby, Table
from gamesmaster.host.service import editions
from gamesmaster.judge.resolution import OrderReader

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
    version.  Raises `Refused` if the game has not begun, or its record cannot be read.
    """
    game = SHELF.get((table.pk, table.version))
    if game is None:
        if "record" in table.get_deferred_fields():
            table.refresh_from_db(fields=[field.attname for field in Table._meta.concrete_fields])
        if not table.record:
            raise Refused("not-started", _("The game has not begun."))
        try:
            game = _nameless(loads(table.record, find=editions.finder(table.digest), verify=False))
        except GamesmasterError as error:
            raise Refused("unreadable", _("The record of this game cannot be read."), str(error)[:200]) from error
        SHELF.put((table.pk, table.version), game)
    return game


def _nameless(game: Game) -> Game:
    """The game without its players and the lots that dealt the powers to them.

    Records of old call players by the order in which they sat down: who saw them come would know who plays what.
    """
    lots = any(throw.phase == LOTS for throw in game.throws)
    if not (game.players or lots):
        return game
    return replace(game, players={}, throws=tuple(throw for throw in game.throws if throw.phase != LOTS))


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


def in_fair_copy(game: Game) -> Game:
    """The game with the orders for this phase in the notation's own words, as bots write them.

    A hand is known by its spelling.  What cannot be read as an order stays as it was given.
    """
    return replace(game, orders={p: tuple(_fair(game, text) for text in texts) for p, texts in game.orders.items()})


def _fair(game: Game, text: str) -> str:
    order = game.rules.derived(OrderReader).read(text, game.phase.kind).order
    return game.rules.notation.write(order) if order else text
