"""Players: one protocol for bots and people, a way to play games with them, and the players that come along.

Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamesmaster.players.dumbbot import DumbBot
    from gamesmaster.players.heuristic import Heuristic
    from gamesmaster.players.match import Match, find_player, play, play_on, player_names, read_seats, seed_of
    from gamesmaster.players.player import Bot, Lapse, Player, View, views
    from gamesmaster.players.search import Searcher
    from gamesmaster.players.simple import Holder, Random
    from gamesmaster.players.valuation import Tastes

_HOMES = {
    "dumbbot": ("DumbBot",),
    "heuristic": ("Heuristic",),
    "match": ("Match", "find_player", "play", "play_on", "player_names", "read_seats", "seed_of"),
    "player": ("Bot", "Lapse", "Player", "View", "views"),
    "search": ("Searcher",),
    "simple": ("Holder", "Random"),
    "valuation": ("Tastes",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Bot",
    "DumbBot",
    "Heuristic",
    "Holder",
    "Lapse",
    "Match",
    "Player",
    "Random",
    "Searcher",
    "Tastes",
    "View",
    "find_player",
    "play",
    "play_on",
    "player_names",
    "read_seats",
    "seed_of",
    "views",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'gamesmaster.players' has no attribute {name!r}")
    return getattr(import_module(f"gamesmaster.players.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
