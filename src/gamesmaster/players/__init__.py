"""Players: one protocol for bots and people, a way to play games with them, and the players that come along.

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.engine.heuristic.tables import Tastes
    from gamesmaster.players.heuristic import DumbBot, Heuristic
    from gamesmaster.players.match import (
        Match,
        Referee,
        find_player,
        last_year,
        play,
        play_on,
        player_names,
        read_seats,
        seed_of,
    )
    from gamesmaster.players.minds import MINDS
    from gamesmaster.players.pairs import partners
    from gamesmaster.players.player import Bot, Lapse, Player, Seat, Silent, View, views
    from gamesmaster.players.search import Searcher
    from gamesmaster.players.simple import Holder, Random, choose_adjustments, choose_extras, group_extras, rider_orders
    from gamesmaster.players.survival import THROWS, last_before_count, phases_ahead, thrown_value, trial_units

__all__ = [
    "MINDS",
    "THROWS",
    "Bot",
    "DumbBot",
    "Heuristic",
    "Holder",
    "Lapse",
    "Match",
    "Player",
    "Random",
    "Referee",
    "Searcher",
    "Seat",
    "Silent",
    "Tastes",
    "View",
    "choose_adjustments",
    "choose_extras",
    "find_player",
    "group_extras",
    "last_before_count",
    "last_year",
    "partners",
    "phases_ahead",
    "play",
    "play_on",
    "player_names",
    "read_seats",
    "rider_orders",
    "seed_of",
    "thrown_value",
    "trial_units",
    "views",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
