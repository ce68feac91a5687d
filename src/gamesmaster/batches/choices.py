"""Choices in batches: all legal orders, as arrays for other programs, and the answers of these as orders.

A *slot* is a question, as in the environment for learning (docs/lab-environment.md): one for each unit, for each
dislodged unit, or for each possible build or removal that is owed, and then one for each question of a mechanic to a
power.  Importing this imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gamesmaster.batches.adjustments import (
    add_order,
    add_removal,
    along,
    balance,
    begin_winter,
    build,
    cost_of_more,
    count_costly,
    leave_cheapest,
    list_builds,
    list_units,
    load_of,
    note_left,
    remove_farthest,
    room_left,
    stand_in,
)
from gamesmaster.batches.code import lay_down
from gamesmaster.batches.mechanics import Part
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
    WAIVED,
    WINNER,
    Game,
    Scratch,
    game_at,
)
from gamesmaster.batches.tables import Tables
from gamesmaster.batches.years import list_refuges
from gamesmaster.engine import HOLD, kernel, machine, may_be_removed
from gamesmaster.engine.machine import NO_MEMORY, held, modules_called, to_code
from gamesmaster.engine.winter import is_affordable
from gamesmaster.errors import GamesmasterError
from gamesmaster.rules import NO_REMOVAL, columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

ASKED = -2
"""The verb of answers to what a mechanic asks."""


class Choices(NamedTuple):
    """The legal orders in one phase of every game.

    * `power`, shape (games, slots): the number of the power that answers, from 1; 0 for unused slots, whose answers are
      ignored.
    * `legal`, shape (games, slots, most): which answers exist.  The first of a slot holds, disbands or builds nothing
      (unless all builds must be made), or it removes the power's first unit.
    * `verb`, `to`, `about`, the same shape: the order of an answer, in the columns of `Game`. For answers to a
      mechanic, `ASKED`, `to` is the number, 0 for none, and `about` its index in `Game.kept`.

    In a Winter the slots of a power have the same list; a power that owes removals can only remove. No two of its
    answers may build in one place or remove one unit. None may remove a carrier without cargo that cannot stay.
    Together they must be builds that can be paid for, or removals that each reduce the costs. The arrays are new for
    each phase, and the caller may keep them.
    """

    power: NDArray[np.int16]
    legal: NDArray[np.bool_]
    verb: NDArray[np.int16]
    to: NDArray[np.int16]
    about: NDArray[np.int16]


def list_choices(kind: int, waives: bool, asking: Sequence[Part], t: Tables, games: Game, s: Scratch) -> Choices:
    """Return the legal orders in a phase of this kind (`state.KINDS` by number) in each game that is not over.

    Unless the rules allow to waive builds (`waives`), all builds that can be made must be. The mechanics in `asking`
    have already counted their possible answers.
    """
    number, sizes = len(games.tally), np.ones(2, np.int64)
    for _ in range(2):  # with room for one answer it is seen how much is needed
        found = _room(number, int(sizes[0]), int(sizes[1]))
        _loop(list_all)(number, kind, waives, *lay_down(t, games, s), found, sizes)
    return _with_questions(found, asking, games)


def _room(games: int, slots: int, most: int) -> Choices:
    """Return empty choices for this number of games, slots and answers."""
    shape = games, slots, most
    lists = (np.zeros(shape, np.int16) for _ in range(3))
    return Choices(np.zeros(shape[:2], np.int16), np.zeros(shape, np.bool_), *lists)


def _with_questions(choices: Choices, asking: Sequence[Part], games: Game) -> Choices:
    """Return the choices, with a slot more for each matter that these mechanics ask a power about."""
    matters = [(part.first + column, power) for part in asking for column, power in part.columns.askers]
    if not matters:
        return choices
    columns, powers = map(list, zip(*matters, strict=True))
    heard = (games.silent[:, powers] == 0) & (games.tally[:, [WINNER]] == 0)
    answers = np.where(heard, games.kept[:, columns], 0)
    number, slots, most = choices.legal.shape
    found = _room(number, slots + len(matters), max(most, 1 + int(answers.max())))
    for column, known in zip(found, choices, strict=True):
        column[tuple(map(slice, known.shape))] = known
    numbers = np.arange(found.legal.shape[2])
    found.power[:, slots:] = np.where(answers > 0, powers, 0)
    found.legal[:, slots:] = (numbers <= answers[..., None]) & (answers > 0)[..., None]
    found.verb[:, slots:], found.to[:, slots:] = ASKED, numbers
    found.about[:, slots:] = np.array(columns)[:, None]
    return found


def set_orders(answers: NDArray[Any], choices: Choices, kind: int, t: Tables, games: Game, s: Scratch) -> None:
    """Set the answers of shape (games, slots) as orders; where nobody is asked, what stands there is of no account.

    Raises `GamesmasterError` for answers that are not legal, or of a Winter that contradict one another.
    """
    if answers.shape != choices.power.shape or answers.dtype.kind not in "iu":
        raise GamesmasterError(f"answers must be whole numbers of shape {choices.power.shape}")
    asked = choices.power > 0
    picked = np.where(asked, answers, 0)
    within = (picked >= 0) & (picked < choices.legal.shape[2])
    legal = within & np.take_along_axis(choices.legal, np.where(within, picked, 0)[..., None], axis=2)[..., 0]
    if wrong := np.argwhere(asked & ~legal).tolist():
        raise GamesmasterError("answer {1} of game {0} is not legal".format(*wrong[0]))
    twice = np.full(1, -1)
    _loop(set_all)(len(answers), kind, picked.astype(np.int16), choices, *lay_down(t, games, s), twice)
    if twice[0] >= 0:
        raise GamesmasterError(
            f"two answers of game {twice[0]} build in one place, or remove one unit or part a pair, or more is built or"
            " removed than may be"
        )
    for slot in np.flatnonzero(choices.verb[0, :, 0] == ASKED):
        games.kept[:, choices.about[0, slot, 0]] = picked[:, slot]


@cache
def _loop(loop: Callable[..., None]) -> Callable[..., None]:
    """Return a loop as machine code: compiled when it is first run, then cached until its sources change."""
    return to_code(loop, modules_called(loop), (columns, kernel, machine), **NO_MEMORY)


def list_all(
    number: int, kind: int, waives: bool, t: Tables, games: Game, s: Scratch, choices: Choices, sizes: Any
) -> None:
    """List the legal orders in games 0 to `number` - 1.

    Orders beyond the room are left out; `sizes` become the most slots of a game and the most answers of a slot.
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
        if game.silent[power]:
            continue
        spare = balance(game, power)
        for _ in range(_count_builds(t, game, s, power) if spare >= 0 else 0):
            n = 0
            if waives:
                note(own, sizes, slot, power, 0, WAIVED, -1, 0)
                n = 1
            for k in range(list_builds(t, game, s, power)):
                note(own, sizes, slot, power, n + k, BUILD, s.listed[k], power)
            slot += 1
        for _ in range(-spare):
            n = 0
            for k in range(_list_costly(t, game, s, power)):
                note(own, sizes, slot, power, k, REMOVE, -1, s.listed[k])
            slot += 1


def _count_builds(t: Tables, game: Game, s: Scratch, power: int) -> int:
    """Return how many units a power could build, one after the other, those first that cost nothing."""
    count, options = 0, list_builds(t, game, s, power)
    while options:
        leave_cheapest(t, game, s, power, options)
        build(t, game, s, power, s.listed[0])
        count += 1
        options = list_builds(t, game, s, power)
    begin_winter(t, game, s)
    return count


def _list_costly(t: Tables, game: Game, s: Scratch, power: int) -> int:
    """List the rows of a power's units that cost something, while none is removed yet; how many there are."""
    found = 0
    s.goals[:] = 0
    note_left(t, game, s, power)
    for k in range(list_units(game, s, power)):
        if s.costly[s.listed[k]]:
            s.listed[found] = s.listed[k]
            found += 1
    return found


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
            if slot < len(own.power) and own.power[slot] and own.verb[slot, 0] != ASKED:
                n = picked[i, slot]
                game.verb[r], game.to[r], game.about[r] = own.verb[slot, n], own.to[slot, n], own.about[slot, n]


def set_winter(picked: Any, own: Choices, t: Tables, game: Game, s: Scratch) -> bool:
    """Set the answers of a Winter; false if two contradict.  Who gives no orders loses what goes if nobody says."""
    begin_winter(t, game, s)
    for power in range(1, len(game.centres)):
        if game.silent[power]:
            remove_farthest(t, game, s, power, -balance(game, power))
    s.goals[:] = 0
    for first in (True, False):  # those aboard go before their carriers
        for slot in range(len(own.power)):
            n = picked[slot]
            verb, to, about = own.verb[slot, n], own.to[slot, n], own.about[slot, n]
            if not own.power[slot] or verb in (WAIVED, ASKED) or first != (verb == REMOVE and game.aboard[about] > 0):
                continue
            if verb == BUILD:
                ok = answer_build(t, game, about, to)
            else:
                ok = answer_removal(t, game, s, own.power[slot], about)
            if not ok:
                return False
    for r in range(1, game.tally[COUNT] + 1):
        laden = s.goals[r] != 0 and load_of(game, s.goals, game.number[r]) > 0
        if laden and not may_be_removed(True, False, not game.barred[r] & NO_REMOVAL, 1, 1):
            return False
    return True


def answer_build(t: Tables, game: Game, power: int, stance: int) -> bool:
    """Order a build; return False if it cannot be paid for, or has no room, beside the builds before."""
    more, spare = cost_of_more(t, game, power, t.base[t.sort[stance]]), balance(game, power)
    payable = is_affordable(more, spare - count_costly(t, game, power))
    if not payable or not room_left(t, game, power, t.place[stance]):
        return False
    add_order(game, BUILD, stance, power)
    return True


def answer_removal(t: Tables, game: Game, s: Scratch, power: int, r: int) -> bool:
    """Order a unit to be removed beside those that are gone by `s.goals`, with whom it takes along at no cost.

    False if it is gone, or costs nothing beside them.
    """
    note_left(t, game, s, power)
    r = stand_in(t, game, s, r, along(game, s, r) > 0 and not s.costly[along(game, s, r)])
    if not s.costly[r]:
        return False
    load = along(game, s, r)
    add_removal(game, s, r, 0 if s.costly[load] else load)
    return True
