"""Gamesmaster on puzzles: from orders already loaded, from strings, and in batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, NamedTuple

from bench.puzzle import Puzzle
from bench.yardstick import Verdict
from gamesmaster import PhaseKind, Position, Rules, adjudicate, find_variant, units_from
from gamesmaster.judge import Bound, IndexedPosition, Movement, OrderReader
from gamesmaster.judge.binding import bind_orders
from gamesmaster.judge.prepare import Prepared, prepare

Orders = dict[str, list[str]]


class Loaded(NamedTuple):
    """A phase whose orders are read, checked and laid out in columns: all that is left is to decide."""

    field: IndexedPosition
    bound: Bound
    prepared: Prepared


class Contender:
    """The standard rules, under the preferred rulebook or with other choices.

    `LIKE_THE_YARDSTICK` is the one choice in which the yardstick differs: an army ordered to go by a convoy that nobody
    gives walks, if it can (DATC 4.A.3).
    """

    LIKE_THE_YARDSTICK: ClassVar = {"4.A.3": "c"}

    def __init__(self, choices: Mapping[str, str] = LIKE_THE_YARDSTICK) -> None:
        self.variant = replace(find_variant("standard"), rulebook=choices)
        self.rules = Rules.of(self.variant)
        self.names = {power.upper(): power for power in self.rules.powers}

    def position(self, puzzle: Puzzle) -> Position:
        """The position before the phase."""
        return Position(units_from({self.names[power]: units for power, units in puzzle.units.items()}))

    def orders(self, puzzle: Puzzle) -> Orders:
        """The orders, by the powers' names as we write them."""
        return {self.names[power]: texts for power, texts in puzzle.orders.items()}

    def load(self, puzzle: Puzzle) -> Loaded:
        """Read and check the orders, and lay them out."""
        field = IndexedPosition(self.rules, self.position(puzzle))
        bound = bind_orders(field, self.orders(puzzle))
        return Loaded(field, bound, prepare(field, bound))

    def forget(self) -> None:
        """Forget every text read so far."""
        self.rules.derive(OrderReader).parsed_orders[PhaseKind.MOVEMENT].clear()

    def verdict(self, puzzle: Puzzle) -> Verdict:
        """Adjudicate a puzzle, and say what became of it in the yardstick's spelling."""
        after = adjudicate(self.rules, PhaseKind.MOVEMENT, self.position(puzzle), self.orders(puzzle)).position
        beaten = ((f"{d.unit.power.upper()} {d.unit}", tuple(sorted(map(str, d.retreats)))) for d in after.dislodged)
        return Verdict(frozenset(f"{u.power.upper()} {u}" for u in after.units), frozenset(beaten))


def decide(phases: list[Loaded]) -> None:
    """Time this: who moves, who is dislodged and may retreat where; the columns hold every ruling's cause."""
    for field, bound, prepared in phases:
        Movement(field, bound, prepared, prepared.problem.solve())


def adjudicate_all(rules: Rules, positions: list[Position], orders: list[Orders]) -> None:
    """Time this: the same from strings, each order's lawfulness checked."""
    for position, given in zip(positions, orders, strict=True):
        adjudicate(rules, PhaseKind.MOVEMENT, position, given)


def adjudicate_anew(contender: Contender, positions: list[Position], orders: list[Orders]) -> None:
    """Time this: the same with every text forgotten before each phase."""
    for position, given in zip(positions, orders, strict=True):
        contender.forget()
        adjudicate(contender.rules, PhaseKind.MOVEMENT, position, given)


def explain_all(rules: Rules, positions: list[Position], orders: list[Orders]) -> None:
    """Time this: the same with the next position and a `Ruling` for every order made, too."""
    for position, given in zip(positions, orders, strict=True):
        done = adjudicate(rules, PhaseKind.MOVEMENT, position, given)
        _ = done.position, done.rulings
