"""Gamesmaster: plays, adjudicates, hosts and designs Diplomacy variants.

>>> import gamesmaster as gm
>>> rules = gm.Rules.of(gm.find_variant("standard"))
>>> position = gm.Position(gm.units_from({"France": ["A PAR"], "Germany": ["A MUN"]}))
>>> orders = {"France": ["A Paris - Burgundy"], "Germany": ["A Mun - Bur"]}
>>> done = gm.adjudicate(rules, gm.PhaseKind.MOVEMENT, position, orders)
>>> for ruling in done.rulings:
...     print(ruling.given, "->", ruling.result + ":", ruling.text)
A Paris - Burgundy -> bounces: is stood off by A Mun (Germany) (1 against 1)
A Mun - Bur -> bounces: is stood off by A Par (France) (1 against 1)

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders
from gamesmaster.version import __version__ as __version__

if TYPE_CHECKING:
    from gamesmaster.board import Board as Board
    from gamesmaster.board import Location as Location
    from gamesmaster.board import Position as Position
    from gamesmaster.board import Province as Province
    from gamesmaster.board import Unit as Unit
    from gamesmaster.board import read_board as read_board
    from gamesmaster.board import units_from as units_from
    from gamesmaster.errors import BadFile as BadFile
    from gamesmaster.errors import BadOrder as BadOrder
    from gamesmaster.errors import BadPosition as BadPosition
    from gamesmaster.errors import BadRulebook as BadRulebook
    from gamesmaster.errors import GamesmasterError as GamesmasterError
    from gamesmaster.errors import NotFound as NotFound
    from gamesmaster.errors import OutOfTurn as OutOfTurn
    from gamesmaster.formats import export as export
    from gamesmaster.game import Game as Game
    from gamesmaster.game import State as State
    from gamesmaster.game import load as load
    from gamesmaster.game import read_state as read_state
    from gamesmaster.game import report as report
    from gamesmaster.game import save as save
    from gamesmaster.game import state_data as state_data
    from gamesmaster.judge import Adjudication as Adjudication
    from gamesmaster.orders import Notation as Notation
    from gamesmaster.orders import Order as Order
    from gamesmaster.orders import PhaseKind as PhaseKind
    from gamesmaster.orders import Verb as Verb
    from gamesmaster.reading import OrderSheet as OrderSheet
    from gamesmaster.reading import adjudicate as adjudicate
    from gamesmaster.reading import read as read
    from gamesmaster.rules import Cause as Cause
    from gamesmaster.rules import Result as Result
    from gamesmaster.rules import Rulebook as Rulebook
    from gamesmaster.rules import Rules as Rules
    from gamesmaster.rules import Ruling as Ruling
    from gamesmaster.variant import Variant as Variant
    from gamesmaster.variant import find_variant as find_variant
    from gamesmaster.variant import read_variant as read_variant
    from gamesmaster.variant import variant_names as variant_names

__getattr__, __dir__, __all__ = loaders(__name__, __file__)
