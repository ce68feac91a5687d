"""The batches' machine code: the plain functions of this room and the kernel, compiled by Numba with two loops.

Importing this imports Numba; nothing is compiled before `machine_code` is called and its loops are run.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numba

from gamesmaster.judge.engine import aftermath, choices, compiled, convoys, kernel, winter
from gamesmaster.judge.engine.compiled import borrowed, registered
from gamesmaster.lab.batches import chance, moves, orders, state, tables, years
from gamesmaster.lab.batches.moves import move
from gamesmaster.lab.batches.orders import draw_movement
from gamesmaster.lab.batches.state import (
    BEATEN,
    MOVES,
    ORDERS,
    PHASES,
    RETREATS,
    WINNER,
    WINTER,
    Game,
    Scratch,
    game_at,
)
from gamesmaster.lab.batches.tables import Tables
from gamesmaster.lab.batches.years import (
    adjust,
    count_owners,
    draw_retreats,
    draw_winter,
    note_eliminations,
    refuges,
    retreat,
)


class Code(NamedTuple):
    """The loops as machine code: one draws orders, the other carries orders out."""

    draw: Callable[..., None]
    carry_out: Callable[..., None]


@cache
def machine_code() -> Code:
    """Both loops; each is compiled when it is first run, and then kept on disk until any of its sources changes."""
    modules = (kernel, convoys, aftermath, winter, chance, state, tables, orders, moves, years)
    source = "".join(inspect.getsource(module) for module in (*modules, choices, compiled))
    name = hashlib.sha256(source.encode()).hexdigest()[:16]
    for module in modules:
        registered(module)
    for loop in (draw_all, carry_out_all):
        loop.__qualname__ = f"{loop.__name__}_{name}"
    to_code = numba.njit(nogil=True, cache=True, forceinline=True)
    return Code(to_code(draw_all), to_code(carry_out_all))


def draw_all(first: int, last: int, kind: int, seed: int, number: int, t: Tables, games: Game, s: Scratch) -> None:
    """Draw lawful orders for a phase of games `first` to `last` - 1, the first of all having this number."""
    t, games, s = borrowed(t), borrowed(games), borrowed(s)
    for i in range(first, last):
        game = game_at(games, i)
        if game.tally[WINNER]:
            continue
        if kind == MOVES:
            draw_movement(t, game, s, seed, number + i)
        elif kind == RETREATS:
            draw_retreats(t, game, seed, number + i)
        else:
            draw_winter(t, game, s, seed, number + i)


def carry_out_all(
    first: int, last: int, kind: int, counts: bool, turn: int, t: Tables, games: Game, s: Scratch
) -> None:
    """Carry out the orders of a phase of games `first` to `last` - 1, and count the owners if it is time to."""
    t, games, s = borrowed(t), borrowed(games), borrowed(s)
    for i in range(first, last):
        game = game_at(games, i)
        if game.tally[WINNER]:
            continue
        if kind == MOVES:
            move(t, game, s)
            game.tally[PHASES] += 1
        elif kind == RETREATS:
            open_to_any = 0
            for r in range(1, game.tally[BEATEN] + 1):
                open_to_any += refuges(t, game, r)
            game.tally[PHASES] += open_to_any > 0
            retreat(t, game, s)
        else:
            game.tally[PHASES] += game.tally[ORDERS] > 0
            adjust(game)
        if counts:
            count_owners(t, game, s)
        if counts or kind == WINTER:
            note_eliminations(game, turn)
