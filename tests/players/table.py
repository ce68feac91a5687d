"""Games and players for the tests of players: positions anywhere, players of every bad kind."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gamesmaster.board import Board, Position, units_from
from gamesmaster.formats import read_foreign
from gamesmaster.game import Game
from gamesmaster.judge import Adjudication, adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.players import Bot, Player, View, views
from gamesmaster.testing import POWERS
from gamesmaster.variant import Power, Variant, Victory, find_variant

SEED = bytes(32)
STANDARD = find_variant("standard")
CODES = {PhaseKind.MOVEMENT: "S1901M", PhaseKind.RETREATS: "S1901R", PhaseKind.ADJUSTMENTS: "W1901A"}


def board_of(name: str) -> Variant:
    """One of the boards of other programs."""
    return read_foreign(Path(__file__).parents[1] / "data/boards" / f"{name}.json")


def variant_on(board: Board) -> Variant:
    """A game for `POWERS` on a board, with the regular calendar; each third centre is a home of one of them."""
    powers = tuple(Power(name, name, board.centres[i::4], board.centres[i::4]) for i, name in enumerate(POWERS))
    return Variant("drawn", "Drawn", board, powers, Position(), STANDARD.calendar, Victory(len(board.provinces)))


def at(variant: Variant, phase: str, position: Position) -> Game:
    """A game that stands at a phase, with nothing before it."""
    return replace(Game.start(variant, seed=SEED), phase=variant.calendar.read(phase), position=position)


def seen(power: str, phase: str, units: Mapping[str, list[str]], owners: Mapping[str, str] | None = None) -> View:
    """What a power sees of a standard game at a phase; `owners` has each power's centres in one text."""
    owned = {centre: who for who, centres in (owners or {}).items() for centre in centres.split()}
    return views(at(STANDARD, phase, Position(units_from(units), owned)))[power]


def told(player: Player, view: View) -> list[str]:
    """The texts of a player's orders, sorted."""
    answer = player.orders(view)
    assert not isinstance(answer, str)
    return sorted(order if isinstance(order, str) else view.rules.notation.write(order) for order in answer)


def judged(player: Player, view: View) -> Adjudication:
    """What a player's orders come to if nobody else gives any."""
    return adjudicate(view.rules, view.phase.kind, view.position, {view.power: told(player, view)})


class Says(Bot):
    """Answers with whatever a function gives."""

    name = "says"

    def __init__(self, answer: Callable[[View], Any]) -> None:
        self.answer = answer

    def orders(self, view: View) -> Any:
        """The function's answer."""
        return self.answer(view)


class Late(Bot):
    """Takes its time over everything."""

    name = "late"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def orders(self, view: View) -> Iterable[str]:
        """Nothing, late."""
        time.sleep(self.seconds)
        return ()


class Diary(Bot):
    """Holds with every unit, and writes down what it is asked and told."""

    name = "diary"

    def __init__(self, wants: tuple[str, ...] = ()) -> None:
        self.wants = wants
        self.pages: list[str] = []

    def orders(self, view: View) -> str:
        """Nothing."""
        self.pages.append(f"orders {view.phase} {view.due}")
        return ""

    def vote(self, view: View) -> tuple[str, ...]:
        """What it was made to want."""
        self.pages.append(f"vote {view.phase}")
        return self.wants

    def hear(self, view: View) -> None:
        """Write down what is over."""
        self.pages.append(f"told {view.history[-1].phase}")

    def over(self, view: View) -> None:
        """Write down how it ended."""
        self.pages.append(f"over {view.outcome.text if view.outcome else 'nothing'}")
