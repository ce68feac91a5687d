"""From a game that another program recorded to a record of our own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from gamesmaster.board import Position
from gamesmaster.errors import BadFile
from gamesmaster.formats.phases import PhaseLine
from gamesmaster.game import Game
from gamesmaster.judge import idle


def recorded_game(phases: Iterable[PhaseLine]) -> Game:
    """The game that these phases tell of, played again from the variant's start with the orders recorded.

    Its seed comes from the game's name: the same phases give the same record.  Raises `BadFile` if there are none, if
    they are of more than one game, or if a phase is not the one that the orders led to.
    """
    game: Game | None = None
    name = ""
    for phase in phases:
        if game is None:
            name, seed = phase.game, hashlib.sha256(phase.game.encode()).digest()
            game = Game.start(phase.variant, seed=seed, rulebook=phase.rules.rulebook)
        elif phase.game != name or phase.variant is not game.variant:
            raise BadFile(f"more than one game: {name!r} and {phase.game!r}", hint="a record holds one")
        game = _played(game, phase)
    if game is None:
        raise BadFile("no game of another program to write as a record")
    return game


def _played(game: Game, phase: PhaseLine) -> Game:
    """The game one phase later; a phase that our games skip, nobody having anything to do, is passed over (STD-3.a)."""
    where = f"{phase.game}, {phase.phase}"
    if phase.phase != game.phase or game.outcome:
        if idle(phase.rules, phase.phase.kind, phase.position):
            return game
        raise BadFile(game.outcome.text if game.outcome else f"{game.phase} is to be played", where=where)
    if _standing(phase.position) != _standing(game.position):
        raise BadFile("its units do not stand where the orders before it led them", where=where)
    for power, texts in phase.orders.items():
        if texts:
            game = game.submit(power, texts)
    return game.process()


def _standing(position: Position) -> set[str]:
    return {f"{unit.power} {unit}" for unit in position.units}
