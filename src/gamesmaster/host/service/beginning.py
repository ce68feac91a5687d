"""How a game begins: empty seats are filled, the powers drawn, the first deadline set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Dice, Game, Variant, new_seed
from gamesmaster.game.seats import LOTS
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Seat, Table, TableState
from gamesmaster.host.service import editions, letters, press, rows, turns
from gamesmaster.host.table_settings import TableSettings


def start_if_full(table: Table, now: datetime) -> None:
    """Begin the game if nothing more is waited for."""
    full = len(rows.seated(table)) == len(editions.of(table).powers)
    if full and table.gm_id is None and rows.settings_of(table).starts == "full":
        start(table, now)


def start(table: Table, now: datetime) -> None:
    """Begin the game of a table under lock; raises `Refused` if players are missing and no bot fills their seats."""
    settings, variant = rows.settings_of(table), editions.of(table)
    seats = rows.seated(table)
    if settings.fill:
        while len(seats) < len(variant.powers):
            seats.append(Seat.objects.create(table=table, bot=settings.fill, joined=now))
    if len(seats) != len(variant.powers):
        raise Refused(
            "not-full",
            _("{needed} players are needed, and {joined} have joined.").format(
                needed=len(variant.powers), joined=len(seats)
            ),
        )
    for seat, power in _drawn(variant, seats, settings):
        seat.power = power
        seat.save(update_fields=["power"])
    game = new_game(table)
    begin(table, game, now)
    seats = rows.seated(table)
    press.proclaim(table, letters.started(table, game, seats), now, seats)


def begin(table: Table, game: Game, now: datetime) -> None:
    """Set the first deadline, and let the table run."""
    table.state, table.started = TableState.RUNNING, now
    turns.begin(table, game, now)


def new_game(table: Table) -> Game:
    """The game of a table before its first phase; raises `Refused` if it cannot be played.

    The record names no players: who sits where is for `viewing` to tell.
    """
    rulebook = table.rulebook.get("given")
    try:
        return Game.start(
            editions.of(table), seed=bytes(table.seed), rulebook=rulebook, house_rules=dict(table.house_rules)
        )
    except GamesmasterError as error:
        raise Refused("bad-variant", error.what, error.hint) from error


def _drawn(variant: Variant, seats: list[Seat], settings: TableSettings) -> Iterator[tuple[Seat, str]]:
    """Each seat with its power: by lot, or each in turn, in an order drawn by lot, taking the dearest left.

    These lots are not the game's dice, and are kept nowhere: with the game's seed, which is told in the end, and the
    order in which players sat down anybody could draw the powers again, and learn who plays what.
    """
    lots = Dice(new_seed())
    left = [*lots.shuffle((power.name for power in variant.powers), LOTS, "STD-1.a")]
    wishes = {str(seat.pk): seat.preferences if settings.powers == "preference" else [] for seat in seats}
    drawn = lots.shuffle(wishes, LOTS, "STD-1.a")
    by_key = {str(seat.pk): seat for seat in seats}
    for key in sorted(drawn, key=lambda key: not wishes[key]):  # who wants nothing takes what is left
        taken = next((power for power in wishes[key] if power in left), left[-1])
        left.remove(taken)
        yield by_key[key], taken
