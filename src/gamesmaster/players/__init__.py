"""Players: one protocol for bots and people, a way to play games with them, and the players that come along.

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.engine.heuristic.tables import Tastes as Tastes
    from gamesmaster.players.heuristic import DumbBot as DumbBot
    from gamesmaster.players.heuristic import Heuristic as Heuristic
    from gamesmaster.players.match import Match as Match
    from gamesmaster.players.match import Referee as Referee
    from gamesmaster.players.match import find_player as find_player
    from gamesmaster.players.match import last_year as last_year
    from gamesmaster.players.match import play as play
    from gamesmaster.players.match import play_on as play_on
    from gamesmaster.players.match import player_names as player_names
    from gamesmaster.players.match import read_seats as read_seats
    from gamesmaster.players.match import seed_of as seed_of
    from gamesmaster.players.minds import MINDS as MINDS
    from gamesmaster.players.pairs import partners as partners
    from gamesmaster.players.player import Bot as Bot
    from gamesmaster.players.player import Lapse as Lapse
    from gamesmaster.players.player import Player as Player
    from gamesmaster.players.player import Seat as Seat
    from gamesmaster.players.player import Silent as Silent
    from gamesmaster.players.player import View as View
    from gamesmaster.players.player import views as views
    from gamesmaster.players.search import Searcher as Searcher
    from gamesmaster.players.simple import Holder as Holder
    from gamesmaster.players.simple import Random as Random
    from gamesmaster.players.simple import choose_adjustments as choose_adjustments
    from gamesmaster.players.simple import choose_extras as choose_extras
    from gamesmaster.players.simple import group_extras as group_extras
    from gamesmaster.players.simple import rider_orders as rider_orders
    from gamesmaster.players.survival import THROWS as THROWS
    from gamesmaster.players.survival import last_before_count as last_before_count
    from gamesmaster.players.survival import phases_ahead as phases_ahead
    from gamesmaster.players.survival import thrown_value as thrown_value
    from gamesmaster.players.survival import trial_units as trial_units

__getattr__, __dir__, __all__ = loaders(__name__, __file__)
