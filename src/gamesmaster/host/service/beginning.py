"""How a game begins: empty seats are filled, the powers drawn, the first deadline set."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, Variant, find_variant
from gamesmaster.game.seats import LOTS
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Seat, Table, TableState
from gamesmaster.host.service import letters, outbox, press, rows, turns
from gamesmaster.host.table_settings import TableSettings


def start_if_full(table: Table, now: datetime) -> None:
    """Begin the game if nothing more is waited for."""
    full = len(rows.seated(table)) == len(find_variant(table.variant).powers)
    if full and table.gm_id is None and rows.settings_of(table).starts == "full":
        start(table, now)


def start(table: Table, now: datetime) -> None:
    """Begin the game of a table under lock; raises `Refused` if players are missing and no bot fills their seats."""
    settings, variant = rows.settings_of(table), find_variant(table.variant)
    seats = rows.seated(table)
    if settings.fill:
        for _ in range(len(variant.powers) - len(seats)):
            seats.append(Seat.objects.create(table=table, bot=settings.fill, joined=now))
    if len(seats) != len(variant.powers):
        raise Refused("not-full", f"{len(variant.powers)} players are wanted, and {len(seats)} sit here.")
    game = _drawn(table, variant, seats, settings)
    places = {player: power for power, player in game.players.items()}
    for number, seat in enumerate(seats):
        seat.power = places[_called(number)]
        seat.save(update_fields=["power"])
    begin(table, game, now)
    outbox.tell_seats(table, rows.seated(table), letters.started(table, game), now)


def begin(table: Table, game: Game, now: datetime) -> None:
    """Set the first deadline, and let the table run."""
    table.state, table.started = TableState.RUNNING, now
    turns.begin(table, game, now)
    if not table.sandbox:
        press.announce(table, f"The game begins. SHA-256 of the seed: {hashlib.sha256(game.seed).hexdigest()}", now)


def new_game(table: Table, players: Mapping[str, str] | Sequence[str]) -> Game:
    """The game of a table before its first phase; raises `Refused` if it cannot be played."""
    rulebook = table.rulebook.get("given")
    try:
        return Game.start(
            find_variant(table.variant), seed=bytes(table.seed), rulebook=rulebook, players=players,
            house_rules=dict(table.house_rules),
        )  # fmt: skip
    except GamesmasterError as error:
        raise Refused("bad-variant", error.what, error.hint) from error


def _drawn(table: Table, variant: Variant, seats: list[Seat], settings: TableSettings) -> Game:
    """The game with the powers drawn: by lot, or each in turn, in an order drawn by lot, taking the dearest left."""
    names = [_called(number) for number in range(len(seats))]
    if settings.powers == "lot":
        return new_game(table, names)
    wishes = {name: seat.preferences for name, seat in zip(names, seats, strict=True)}
    left = [power.name for power in variant.powers]
    players = {}
    drawn = Game.start(variant, seed=bytes(table.seed)).dice.shuffle(names, LOTS, "STD-1.a")
    for name in sorted(drawn, key=lambda name: not wishes[name]):  # who wants nothing takes what is left
        taken = next((power for power in wishes[name] if power in left), left[-1])
        left.remove(taken)
        players[taken] = name
    return new_game(table, players)


def _called(number: int) -> str:
    """What the record calls a player: it names nobody, for it may be an anonymous game."""
    return f"player {number + 1:02}"
