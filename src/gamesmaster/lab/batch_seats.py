"""Who plays in a batch: the orders of heuristic players and holders, set where others' are drawn by lot.

`answer_all` is machine code of its own, so that the two loops of `batch_code` need not wait for it.
Importing this imports Numba.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numba
from numba.extending import register_jitable

from gamesmaster.judge import compiled
from gamesmaster.judge.compiled import borrowed, functions_of, registered
from gamesmaster.lab import (
    batch_answers,
    batch_lore,
    batch_options,
    batch_orders,
    batch_plan,
    batch_routes,
    batch_state,
    batch_tactics,
    batch_worth,
    batch_years,
    drawing,
    tables,
)
from gamesmaster.lab.batch_answers import answer
from gamesmaster.lab.batch_lore import Desk, Lore, Mind
from gamesmaster.lab.batch_state import WINNER, Game, Scratch, game_at
from gamesmaster.lab.tables import Tables

if TYPE_CHECKING:
    from gamesmaster.lab.batch_state import Sheet

MODULES = (
    drawing, batch_state, batch_routes, batch_orders, batch_years, batch_worth, batch_options, batch_tactics,
    batch_answers,
)  # fmt: skip

APART = ("weigh", "hope")
"""Of a plan's functions those that stay functions of their own.

All that they call is made part of them, and they are called with few columns; the rest is called as it stands. To make
one piece of everything, as of the other loops, would keep the compiler busy for a quarter of an hour.
"""


@cache
def thinking() -> Callable[..., None]:
    """`answer_all`, compiled when it is first run, and then kept on disk until any of its sources changes."""
    sources = (*MODULES, batch_plan, batch_lore, compiled, tables)
    source = "".join(inspect.getsource(module) for module in sources)
    for module in MODULES:
        registered(module)
    for function in functions_of(batch_plan):
        register_jitable(forceinline=function.__name__ not in APART)(function)
    answer_all.__qualname__ = f"{answer_all.__name__}_{hashlib.sha256(source.encode()).hexdigest()[:16]}"
    code: Callable[..., None] = numba.njit(nogil=True, cache=True)(answer_all)
    return code


def answer_all(
    first: int, last: int, seats: Sheet, kind: int, count: bool, seed: int, number: int, draw: int, whims: int,
    t: Tables, games: Game, s: Scratch, lore: Lore, mind: Mind,
) -> None:  # fmt: skip
    """Set orders (`answer`) in games `first` to `last` - 1, the first of all having this number."""
    t, games, s, lore, mind = borrowed(t), borrowed(games), borrowed(s), borrowed(lore), borrowed(mind)
    for i in range(first, last):
        game = game_at(games, i)
        if not game.tally[WINNER]:
            answer(Desk(t, game, s, lore, mind), seats[i], kind, count, seed, number + i, draw, whims)
