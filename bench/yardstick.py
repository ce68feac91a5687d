"""PyPI `diplomacy` 1.1.2, as it is meant to be used, on puzzles."""

from __future__ import annotations

from copy import deepcopy
from typing import NamedTuple

from diplomacy import Game

from bench.puzzle import Puzzle


class Verdict(NamedTuple):
    """What became of a puzzle: units that stay or arrived, and dislodged ones with their retreats; all with powers."""

    units: frozenset[str]
    dislodged: frozenset[tuple[str, tuple[str, ...]]]


class Yardstick:
    """Makes games out of puzzles; a copy of one empty game each, since copies are made faster than games."""

    def __init__(self) -> None:
        self.empty = Game()
        self.empty.clear_units()

    def prepared(self, puzzle: Puzzle) -> Game:
        """A game with the units of the puzzle, its caches built, waiting for orders."""
        game = deepcopy(self.empty)
        for power, units in puzzle.units.items():
            game.set_units(power, list(units))
        game.build_caches()
        return game

    def ordered(self, puzzle: Puzzle) -> Game:
        """The same with its orders read, checked and set, so that only moves are left to resolve."""
        game = self.prepared(puzzle)
        for power, orders in puzzle.orders.items():
            game.set_orders(power, orders)
        game._determine_orders()
        game._add_coasts()
        return game

    def verdict(self, puzzle: Puzzle) -> Verdict:
        """Resolve a puzzle, and find the retreats."""
        game = self.ordered(puzzle)
        game._move_results()
        powers = game.powers.items()
        stuck = {unit: name for name, units in puzzle.units.items() for unit in units if unit in game.popped}
        beaten = [(f"{name} {unit}", tuple(sorted(goals))) for name, p in powers for unit, goals in p.retreats.items()]
        beaten += [(f"{name} {unit}", ()) for unit, name in stuck.items()]
        return Verdict(frozenset(f"{name} {unit}" for name, p in powers for unit in p.units), frozenset(beaten))


def resolve_moves(games: list[Game]) -> None:
    """Time this for games whose orders are set: the resolution of moves alone, without retreats."""
    for game in games:
        game._resolve_moves()


def strings_to_result(games: list[Game], orders: list[dict[str, list[str]]], *, expand: bool = True) -> None:
    """Time this for prepared games: texts read and checked, the phase processed.

    Without `expand` the texts must be in the yardstick's own spelling, which saves it most of the reading.
    """
    for game, given in zip(games, orders, strict=True):
        for power, texts in given.items():
            game.set_orders(power, texts, expand=expand)
        game.process()
