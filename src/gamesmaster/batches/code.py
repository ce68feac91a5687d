"""The batches' machine code: the plain functions of this room and the kernel, compiled by Numba with its loops.

Importing this imports Numba; nothing is compiled before `machine_code` is called and its loops are run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from gamesmaster.batches.adjustments import adjust, draw_winter
from gamesmaster.batches.mechanics import Part
from gamesmaster.batches.moves import foresee, move
from gamesmaster.batches.orders import draw_movement
from gamesmaster.batches.state import (
    BEATEN,
    CONCLUDE,
    LEAVE,
    MOVES,
    ORDERS,
    PHASES,
    RETREATS,
    SETTLE,
    WEIGH,
    WINNER,
    End,
    Game,
    Scratch,
    game_at,
)
from gamesmaster.batches.tables import Tables
from gamesmaster.batches.years import draw_retreats, end_phase, list_refuges, retreat, standing_of, take_forms
from gamesmaster.engine import choices, machine, rows
from gamesmaster.engine.machine import NO_MEMORY, entry_of, held, laid, modules_called, to_code
from gamesmaster.rules import Rule, columns

TAKING = ("storm", "after_moves", "after_movement", "after_count")
"""The hooks at which mechanics may take units off."""

WHOLE: dict[str, Any] = {"forceinline": True, **NO_MEMORY}
"""Options of loops that are made one piece with all that they call."""


CONSTANTS = (choices, columns, machine, rows)
"""Modules whose constants loops use."""


class Code(NamedTuple):
    """The loops as machine code: they draw orders, carry them out, and conclude phases that mechanics have a say in."""

    draw: Callable[..., None]
    carry_out: Callable[..., None]
    conclude: Callable[..., None]


@cache
def machine_code() -> Code:
    """Return the loops; each is compiled when it is first run, then cached until its sources change."""
    loops = (draw_all, carry_out_all, conclude_all)
    return Code(*(to_code(loop, modules_called(loop), CONSTANTS, wraps=False, **WHOLE) for loop in loops))


def draw_all(first: int, last: int, kind: int, seed: int, number: int, t: Tables, games: Game, s: Scratch) -> None:
    """Draw legal orders for a phase of games `first` to `last` - 1; `number` is that of the first game of the batch."""
    t, s = held(t), held(s)
    for i in range(first, last):
        if games.tally[i, WINNER]:
            continue
        game = held(game_at(games, i))
        if kind == MOVES:
            draw_movement(t, game, s, seed, number + i)
        elif kind == RETREATS:
            draw_retreats(t, game, s, seed, number + i)
        else:
            draw_winter(t, game, s, seed, number + i)


def carry_out_all(
    first: int, last: int, leaves: bool, whole: bool, end: End, t: Tables, games: Game, s: Scratch
) -> None:
    """Carry out the orders of a phase of games `first` to `last` - 1.

    With `leaves`, units move at once, since no mechanic has a rule to be run before. With `whole`, no mechanic has
    any rule in this phase, so it is concluded, too.
    """
    t, s = held(t), held(s)
    for i in range(first, last):
        if games.tally[i, WINNER]:
            continue
        game = held(game_at(games, i))
        if end.kind == MOVES:
            if whole:
                foresee(t, game)
            move(t, game, s)
            game.tally[PHASES] += 1
        elif end.kind == RETREATS:
            open_to_any = 0
            for r in range(1, game.tally[BEATEN] + 1):
                if not game.powers.silent[game.beaten.owner[r]]:
                    open_to_any += list_refuges(t, game, s, r)
            game.tally[PHASES] += open_to_any > 0
            retreat(t, game, s)
        else:
            game.tally[PHASES] += game.tally[ORDERS] > 0
            adjust(t, game)
        if leaves:
            end_phase(LEAVE, end, t, game, s)
        if whole:
            for step in (SETTLE, WEIGH, CONCLUDE):
                end_phase(step, end, t, game, s)


def conclude_all(first: int, last: int, step: int, end: End, t: Tables, games: Game, s: Scratch) -> None:
    """Take one step of a phase of games `first` to `last` - 1; rules of mechanics are run between the steps."""
    t, s = held(t), held(s)
    for i in range(first, last):
        if not games.tally[i, WINNER]:
            end_phase(step, end, t, held(game_at(games, i)), s)


@cache
def loop_of(rule: Rule) -> Callable[..., None]:
    """Return the loop that runs the rule of a mechanic, as machine code.

    It is compiled separately when it is first run, so that games without mechanics do not wait for it. It is then
    kept on disk until a source of the functions that it calls changes.
    """

    def ask_all(
        first: int, last: int, at: int, to: int, moving: bool, told: Any, t: Tables, games: Game, s: Scratch
    ) -> None:
        """Run the rule for games `first` to `last` - 1, whose columns `at` to `to` - 1 of `kept` are the mechanic's."""
        own = held(told)
        for i in range(first, last):
            if not games.tally[i, WINNER]:
                game = held(game_at(games, i))
                rule(own, held(standing_of(t, game, s, at, to, moving)))
                take_forms(t, game, s, moving)

    ask_all.__name__ = f"ask_{rule.__name__}"
    return to_code(ask_all, modules_called(ask_all), CONSTANTS, **WHOLE)


TABLE = 5
"""The argument index of a rule's parameters in loops: mechanics may share a rule, with different parameters."""


def lay_down(*columns: Any) -> tuple[Any, ...]:
    """Return the columns in the form that the loops take."""
    return tuple(map(laid, columns))


def run(loop: Callable[..., None], *arguments: Any) -> None:
    """Run a loop of which each argument is always of the same type, the last one laid down: it is not looked at again.

    To look at the types takes as long as a loop over a few games.
    """
    entry = _ENTRIES.get((id(loop), id(arguments[-1].held)))
    if entry is None:
        entry = entry_of(loop, len(arguments) - 1, arguments[-1])
        if entry is not loop:
            _ENTRIES[id(loop), id(arguments[-1].held)] = entry
    entry(*arguments)


_ENTRIES: dict[tuple[int, int], Callable[..., None]] = {}
"""The entry points of loops, by loop and by type of the last argument, both of which are kept for ever."""


def ask(hook: str, asked: Sequence[Part], parts: Sequence[Part], games: int, columns: tuple[Any, ...]) -> None:
    """Apply the rules of these mechanics at this point, and after losses the `after_loss` of all mechanics.

    `games` is the number of games; see `_apply` for the `columns`.
    """
    for part in asked:
        if rule := getattr(part.columns, hook):
            _apply(rule, part, hook, games, columns)
            for other in parts if hook in TAKING else ():
                if other.columns.after_loss:
                    _apply(other.columns.after_loss, other, hook, games, columns)


def _apply(rule: Rule, part: Part, hook: str, games: int, columns: tuple[Any, ...]) -> None:
    """Apply a rule to this number of games; `columns` are the tables, the games and the scratch, laid down."""
    run = entry_of(loop_of(rule), TABLE, part.table)
    run(0, games, part.first, part.last, hook == "after_moves", part.table, *columns)
