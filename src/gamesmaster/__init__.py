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
from gamesmaster.version import __version__

if TYPE_CHECKING:
    from gamesmaster.board import Board, Location, Position, Province, Unit, read_board, units_from
    from gamesmaster.errors import BadFile, BadOrder, BadPosition, BadRulebook, GamesmasterError, NotFound, OutOfTurn
    from gamesmaster.formats import export
    from gamesmaster.game import Game, State, load, read_state, report, save, state_data
    from gamesmaster.judge import Adjudication
    from gamesmaster.orders import Notation, Order, PhaseKind, Verb
    from gamesmaster.reading import OrderSheet, adjudicate, read
    from gamesmaster.rules import Cause, Result, Rulebook, Rules, Ruling
    from gamesmaster.variant import Variant, find_variant, read_variant, variant_names

__all__ = [
    "Adjudication",
    "BadFile",
    "BadOrder",
    "BadPosition",
    "BadRulebook",
    "Board",
    "Cause",
    "Game",
    "GamesmasterError",
    "Location",
    "NotFound",
    "Notation",
    "Order",
    "OrderSheet",
    "OutOfTurn",
    "PhaseKind",
    "Position",
    "Province",
    "Result",
    "Rulebook",
    "Rules",
    "Ruling",
    "State",
    "Unit",
    "Variant",
    "Verb",
    "__version__",
    "adjudicate",
    "export",
    "find_variant",
    "load",
    "read",
    "read_board",
    "read_state",
    "read_variant",
    "report",
    "save",
    "state_data",
    "units_from",
    "variant_names",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
