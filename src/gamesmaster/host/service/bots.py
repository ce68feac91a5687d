"""Bots in seats: asked when a phase is processed, with a player's view and nothing more."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Seat
from gamesmaster.players import find_player, player_names
from gamesmaster.players.seat import Seat as Place
from gamesmaster.players.seat import Silent
from gamesmaster.players.view import views

PATIENCE = 10.0
"""Seconds that a bot may take for a phase."""
LOG = logging.getLogger("gamesmaster.host")


def check_name(name: str) -> None:
    """Raise `Refused` unless a bot of this name comes along; never a file, for that would be run."""
    if name not in player_names():
        raise Refused("no-bot", f"There is no bot {name[:40]!r}.", f"there are {', '.join(player_names())}")


def answer(game: Game, seats: Iterable[Seat]) -> dict[str, tuple[str, ...]]:
    """The orders of the bots that are asked for some; a bot that fails has sent none, like anybody who is late."""
    sitting = [seat for seat in seats if seat.bot and seat.power]
    if not sitting:
        return {}
    seen = views(game)
    found = {}
    for seat in sitting:
        power = seat.power or ""
        view = seen[power]
        if not view.asked or power in game.disorder:
            continue
        try:
            check_name(seat.bot)
            found[power] = Place(power, find_player(seat.bot), PATIENCE).orders(view)
        except (Silent, GamesmasterError) as error:
            LOG.warning("a bot did not answer", extra={"event": "bot", "why": type(error).__name__})
    return found
