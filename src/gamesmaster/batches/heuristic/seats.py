"""The players of a batch: the orders of heuristic players and holders, beside those drawn at random.

`answer_all` is compiled separately, so that the two loops of `code` need not wait for it.
Importing this imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from numba.extending import overload

from gamesmaster.batches.heuristic import context
from gamesmaster.batches.heuristic.answers import answer
from gamesmaster.batches.heuristic.context import Context, OwnOrders, Workspace, memory_at
from gamesmaster.batches.state import COUNT, VIA, WINNER, Game, Scratch, game_at
from gamesmaster.batches.tables import Tables
from gamesmaster.engine import MOVE, choices, machine
from gamesmaster.engine.heuristic import outlook, tables
from gamesmaster.engine.heuristic.memory import Memory, Moves, note
from gamesmaster.engine.heuristic.tables import BoardTables, Tastes
from gamesmaster.engine.machine import NO_MEMORY, functions_of, held, modules_called, register, to_code
from gamesmaster.orders import model
from gamesmaster.rules import columns

if TYPE_CHECKING:
    from gamesmaster.batches.state import Sheet


CONSTANTS = (choices, columns, context, machine, outlook, tables, model)
"""Modules whose constants the loop uses, or whose functions are registered apart."""


@cache
def thinking() -> Callable[..., None]:
    """Return `answer_all`, compiled by the first run, and then kept on disk until any of its sources changes."""
    for function in functions_of(outlook):
        if function is not outlook.sum_up:
            register(function)
    overload(outlook.sum_up)(_sum_up)
    called = [module for module in modules_called(answer_all) if module is not outlook]
    return to_code(answer_all, called, CONSTANTS, **NO_MEMORY)


def _sum_up(  # pragma: no cover
    total: Any, weight: Any, ring: Any, numbers: Any, ways: Any, share: Any
) -> Callable[..., None]:
    """Return `outlook.sum_up` for machine code; Numba calls this while it compiles, with these names."""

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


@cache
def noting() -> Callable[..., None]:
    """Return `note_all`, compiled as `thinking` is."""
    return to_code(note_all, modules_called(note_all), CONSTANTS, **NO_MEMORY)


def note_all(first: int, last: int, t: Tables, games: Game, s: Scratch, memory: Memory) -> None:
    """Remember the movement ordered in games `first` to `last` - 1, before it is carried out."""
    t, s = held(t), held(s)
    for i in range(first, last):
        if games.tally[i, WINNER]:
            continue
        game = held(game_at(games, i))
        for r in range(1, game.tally[COUNT] + 1):
            moves = game.orders.verb[r] == MOVE or game.orders.verb[r] == VIA
            s.goals[r] = t.stances.place[game.orders.to[r]] if moves else -1
            s.rows.fleets[r] = -1 if game.units.aboard[r] else t.stances.place[game.units.stance[r]]
        moved = held(Moves(game.units.number, game.units.owner, s.rows.fleets, s.goals, game.lands.holder))
        note(held(memory_at(memory, i)), moved, game.tally[COUNT], t.ground.centre, len(game.powers.centres))


def answer_all(
    first: int, last: int, seats: Sheet, kind: int, count: bool, seed: int, number: int, draw: int, draws: int,
    t: Tables, games: Game, s: Scratch, b: BoardTables, minds: tuple[Tastes, ...], memory: Memory,
    w: Workspace,
    safe: Any, own: OwnOrders, homes: Any,
) -> None:  # fmt: skip
    """Set orders (`answer`) in games `first` to `last` - 1, the first of all having this number.

    `safe`, `own` and `homes` are each game's (`Context`).
    """
    t, s, b, w = held(t), held(s), held(b), held(w)
    for i in range(first, last):
        if not games.tally[i, WINNER]:
            game = held(game_at(games, i))
            orders = held(OwnOrders(own.number[i], own.verb[i], own.to[i], own.load[i], own.rider[i]))
            d = Context(t, game, s, b, minds, held(memory_at(memory, i)), w, safe[i], orders, homes[i])
            answer(d, seats[i], kind, count, seed, number + i, draw, draws)
