"""Choices in batches: everything that may be ordered, as arrays for programs of one's own, and their answers as orders.

A *slot* is a question, as in the environment for learning (docs/lab-environment.md): one for each unit, for each
dislodged unit, or for each build that may be made or removal that is owed.  Importing this imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gamesmaster.batches.adjustments import (
    add_order,
    balance,
    begin_winter,
    free,
    list_builds,
    list_units,
    load_of,
    remove_farthest,
    room_left,
    stand_in,
)
from gamesmaster.batches.orders import offer, offers, survey
from gamesmaster.batches.state import (
    BEATEN,
    BUILD,
    COUNT,
    DISBAND,
    MOVES,
    REMOVE,
    RETREAT,
    RETREATS,
    WINNER,
    Game,
    Scratch,
    game_at,
)
from gamesmaster.batches.tables import Tables
from gamesmaster.batches.years import list_refuges
from gamesmaster.errors import GamesmasterError
from gamesmaster.judge import columns
from gamesmaster.judge.columns import NO_REMOVAL
from gamesmaster.judge.engine import kernel, machine
from gamesmaster.judge.engine.kernel import HOLD
from gamesmaster.judge.engine.machine import NO_MEMORY, held, modules_called, to_code
from gamesmaster.judge.engine.winter import may_be_removed

if TYPE_CHECKING:
    from numpy.typing import NDArray

WAIVED = -1
"""The verb of the answer that builds nothing."""


class Choices(NamedTuple):
    """What may be ordered in one phase of every game.

    * `power`, shape (games, slots): the number of the power that is asked, from 1; 0 where nobody is.
    * `legal`, shape (games, slots, most): which answers there are.  The first of a slot holds, disbands or builds
      nothing (unless all builds must be made), or it removes the power's first unit.
    * `verb`, `to`, `about`, the same shape: the order that an answer is, in the columns of `Game`.

    In a Winter the slots of a power have the same list; no two of its answers may build in one place or remove one
    unit, and none of them a carrier from under the one aboard where that cannot stay.  The arrays are made anew for
    each phase, and are whoever asked for them's to keep.
    """

    power: NDArray[np.int16]
    legal: NDArray[np.bool_]
    verb: NDArray[np.int16]
    to: NDArray[np.int16]
    about: NDArray[np.int16]


def list_choices(kind: int, waives: bool, t: Tables, games: Game, s: Scratch) -> Choices:
    """What may be ordered in a phase of this kind (`state.KINDS` by number) in each game that is not over.

    If nobody `waives`, all builds that can be made must be.
    """
    number, sizes = len(games.tally), np.ones(2, np.int64)
    for _ in range(2):  # with room for one answer it is seen how much is needed
        shape = (number, int(sizes[0]), int(sizes[1]))
        lists = (np.zeros(shape, np.int16) for _ in range(3))
        found = Choices(np.zeros(shape[:2], np.int16), np.zeros(shape, np.bool_), *lists)
        _loop(list_all)(number, kind, waives, t, games, s, found, sizes)
    return found


def set_orders(answers: NDArray[Any], choices: Choices, kind: int, t: Tables, games: Game, s: Scratch) -> None:
    """Set the answers of shape (games, slots) as orders; where nobody is asked, what stands there is of no account.

    Raises `GamesmasterError` for answers that are not legal, or of a Winter that contradict one another.
    """
    if answers.shape != choices.power.shape or answers.dtype.kind not in "iu":
        raise GamesmasterError(f"answers must be whole numbers of shape {choices.power.shape}")
    asked = choices.power > 0
    picked = np.where(asked, answers, 0)[..., None]
    within = (picked >= 0) & (picked < choices.legal.shape[2])
    legal = within & np.take_along_axis(choices.legal, np.where(within, picked, 0), axis=2)
    if wrong := np.argwhere(asked & ~legal[..., 0]).tolist():
        raise GamesmasterError("answer {1} of game {0} is not legal".format(*wrong[0]))
    twice = np.full(1, -1)
    _loop(set_all)(len(answers), kind, picked[..., 0].astype(np.int16), choices, t, games, s, twice)
    if twice[0] >= 0:
        raise GamesmasterError(f"two answers of game {twice[0]} build in one place, or remove one unit or part a pair")


@cache
def _loop(loop: Callable[..., None]) -> Callable[..., None]:
    """A loop as machine code: compiled when it is first run, and then kept on disk until any of its sources changes."""
    return to_code(loop, modules_called(loop), (columns, kernel, machine), **NO_MEMORY)


def list_all(
    number: int, kind: int, waives: bool, t: Tables, games: Game, s: Scratch, choices: Choices, sizes: Any
) -> None:
    """List what may be ordered in games 0 to `number` - 1.

    What there is no room for is left out; `sizes` become the most slots of a game and the most answers of a slot.
    """
    t, s = held(t), held(s)
    for i in range(number):
        game = held(game_at(games, i))
        if not game.tally[WINNER]:
            own = Choices(choices.power[i], choices.legal[i], choices.verb[i], choices.to[i], choices.about[i])
            if kind == MOVES:
                list_moves(t, game, s, own, sizes)
            elif kind == RETREATS:
                list_retreats(t, game, s, own, sizes)
            else:
                list_winter(waives, t, game, s, own, sizes)


def note(own: Choices, sizes: Any, slot: int, power: int, n: int, verb: int, to: int, about: int) -> None:
    """Enter answer n of a slot, if there is room."""
    sizes[0], sizes[1] = max(sizes[0], slot + 1), max(sizes[1], n + 1)
    if slot < own.legal.shape[0] and n < own.legal.shape[1]:
        own.power[slot], own.legal[slot, n] = power, True
        own.verb[slot, n], own.to[slot, n], own.about[slot, n] = verb, to, about


def list_moves(t: Tables, game: Game, s: Scratch, own: Choices, sizes: Any) -> None:
    """List the orders of each unit whose power gives any."""
    survey(t, game, s)
    for r in range(1, game.tally[COUNT] + 1):
        power, n = game.owner[r], 0
        if power and not game.silent[power]:
            for number in range(offers(t, game, s, r)):
                ok, verb, to, about = offer(t, game, s, r, number)
                if ok:
                    note(own, sizes, r - 1, power, n, verb, to, about)
                    n += 1


def list_retreats(t: Tables, game: Game, s: Scratch, own: Choices, sizes: Any) -> None:
    """List where each dislodged unit may go, behind disbanding it."""
    for r in range(1, game.tally[BEATEN] + 1):
        power = game.lost_owner[r]
        if power and not game.silent[power]:
            note(own, sizes, r - 1, power, 0, DISBAND, -1, 0)
            for n in range(list_refuges(t, game, s, r)):
                note(own, sizes, r - 1, power, 1 + n, RETREAT, s.listed[n], 0)


def list_winter(waives: bool, t: Tables, game: Game, s: Scratch, own: Choices, sizes: Any) -> None:
    """List what may be built for each build there is room for, and the units of a power for each that it removes.

    The first choice of a build is to build nothing, if anybody `waives`.
    """
    begin_winter(t, game, s)
    slot = 0
    for power in range(1, len(game.centres)):
        spare, room = 0 if game.silent[power] else balance(game, power), 0
        for site in range(t.site_at[power], t.site_at[power + 1]):
            room += room_left(t, game, power, t.site[site]) if free(t, game, s, power, site) else 0
        for _ in range(min(spare, room)):
            n = 0
            if waives:
                note(own, sizes, slot, power, 0, WAIVED, -1, 0)
                n = 1
            for k in range(list_builds(t, game, s, power)):
                note(own, sizes, slot, power, n + k, BUILD, s.listed[k], power)
            slot += 1
        for _ in range(-spare):
            for n in range(list_units(game, s, power)):
                note(own, sizes, slot, power, n, REMOVE, -1, s.listed[n])
            slot += 1


def set_all(
    number: int, kind: int, picked: Any, choices: Choices, t: Tables, games: Game, s: Scratch, twice: Any
) -> None:
    """Set answers as the orders of games 0 to `number` - 1; `twice` becomes a game whose answers contradict."""
    t, s = held(t), held(s)
    for i in range(number):
        game = held(game_at(games, i))
        if game.tally[WINNER]:
            continue
        own = Choices(choices.power[i], choices.legal[i], choices.verb[i], choices.to[i], choices.about[i])
        if kind != MOVES and kind != RETREATS:
            if not set_winter(picked[i], own, t, game, s):
                twice[0] = i
            continue
        for slot in range(game.tally[COUNT] if kind == MOVES else game.tally[BEATEN]):
            r = slot + 1
            game.verb[r], game.to[r], game.about[r] = HOLD if kind == MOVES else DISBAND, -1, 0
            if slot < len(own.power) and own.power[slot]:
                n = picked[i, slot]
                game.verb[r], game.to[r], game.about[r] = own.verb[slot, n], own.to[slot, n], own.about[slot, n]


def set_winter(picked: Any, own: Choices, t: Tables, game: Game, s: Scratch) -> bool:
    """Set the answers of a Winter; false if two contradict.  Who gives no orders loses what goes if nobody says."""
    begin_winter(t, game, s)
    for power in range(1, len(game.centres)):
        if game.silent[power]:
            remove_farthest(t, game, s, power, -balance(game, power))
    s.goals[:] = 0
    for slot in range(len(own.power)):
        n = picked[slot]
        verb, to, about = own.verb[slot, n], own.to[slot, n], own.about[slot, n]
        if not own.power[slot] or verb == WAIVED:
            continue
        if verb == BUILD:
            if not room_left(t, game, about, t.place[to]):
                return False
        else:
            about = stand_in(t, game, s.goals, about)
            if s.goals[about]:
                return False
            s.goals[about] = 1
        add_order(game, verb, to, about)
    for r in range(1, game.tally[COUNT] + 1):
        laden = s.goals[r] != 0 and load_of(game, s.goals, game.number[r]) > 0
        if laden and not may_be_removed(True, False, not game.barred[r] & NO_REMOVAL, 1, 1):
            return False
    return True
