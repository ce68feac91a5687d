"""The players of a batch: the orders of heuristic players and holders, beside those drawn at random.

`answer_all` is compiled separately, so that the two loops of `code` need not wait for it.
Importing this imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from numba.extending import overload

from gamesmaster.batches.heuristic import lore
from gamesmaster.batches.heuristic.answers import answer
from gamesmaster.batches.heuristic.lore import Desk, Lore, Mind, Own
from gamesmaster.batches.state import WINNER, Game, Scratch, game_at
from gamesmaster.batches.tables import Tables
from gamesmaster.engine.heuristic import menu, outlook, pick, plan
from gamesmaster.judge import columns
from gamesmaster.judge.engine import choices, machine
from gamesmaster.judge.engine.machine import NO_MEMORY, functions_of, held, modules_called, register, to_code

if TYPE_CHECKING:
    from gamesmaster.batches.state import Sheet


PLAYERS = (outlook, menu, pick, plan)
"""Modules that players at the table think by, too."""

CONSTANTS = (lore, choices, columns, machine)
"""Modules whose constants the loop uses."""


@cache
def thinking() -> Callable[..., None]:
    """`answer_all`, compiled when it is first run, and then kept on disk until any of its sources changes."""
    for function in (function for module in PLAYERS for function in functions_of(module)):
        if function is not outlook.sum_up:
            register(function)
    overload(outlook.sum_up)(_sum_up)
    called = [module for module in modules_called(answer_all) if module not in PLAYERS]
    return to_code(answer_all, called, (*PLAYERS, *CONSTANTS), **NO_MEMORY)


def _sum_up(  # pragma: no cover
    total: Any, weight: Any, ring: Any, numbers: Any, ways: Any, share: Any
) -> Callable[..., None]:
    """`outlook.sum_up` as machine code has it; this runs while Numba compiles, which asks for the same annotations."""

    def summed(total: Any, weight: Any, ring: Any, numbers: Any, ways: Any, share: Any) -> None:
        for n in range(len(ring)):
            found = 0.0
            for i in range(ways.at[n], ways.at[n + 1]):
                found += numbers[ways.source[i]]
            ring[n] = found * share[n]
        for n in range(len(ring)):
            numbers[n] = ring[n]
            total[n] += weight * ring[n]

    return summed


def answer_all(
    first: int, last: int, seats: Sheet, kind: int, count: bool, seed: int, number: int, draw: int, whims: int,
    t: Tables, games: Game, s: Scratch, lore: Lore, mind: Mind,
    safe: Any, own: Own, homes: Any,
) -> None:  # fmt: skip
    """Set orders (`answer`) in games `first` to `last` - 1, the first of all having this number.

    `safe`, `own` and `homes` are each game's (`Desk`).
    """
    t, s, lore, mind = held(t), held(s), held(lore), held(mind)
    for i in range(first, last):
        game = held(game_at(games, i))
        if not game.tally[WINNER]:
            orders = held(Own(own.number[i], own.verb[i], own.to[i], own.load[i], own.rider[i]))
            desk = Desk(t, game, s, lore, mind, safe[i], orders, homes[i])
            answer(desk, seats[i], kind, count, seed, number + i, draw, whims)
