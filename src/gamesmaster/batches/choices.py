"""Choices in batches: all legal orders as flat lists for other programs, and the answers of these as orders.

A *slot* is a question: one for each unit, for each dislodged unit, for each possible build or removal that is owed, and
then one for each question of a mechanic to a power.  Importing this imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gamesmaster.batches.adjustments import (
    add_removal,
    balance,
    begin_winter,
    build,
    cost_of_more,
    count_costly,
    leave_cheapest,
    list_builds,
    list_removals,
    may_go_whole,
    put_aside,
    put_back,
    remove,
    remove_farthest,
    remove_rest,
    room_left,
    stand_in,
)
from gamesmaster.batches.chance import philox, share
from gamesmaster.batches.orders import UNASKED_FOR, list_orders, most_offers, survey, write_order
from gamesmaster.batches.state import (
    ASKED,
    BEATEN,
    BUILD,
    COUNT,
    DISBAND,
    MOVES,
    REMOVE,
    RETREAT,
    RETREATS,
    UNASKED,
    WAIVED,
    WHOLE,
    WINNER,
    Game,
    Scratch,
    game_at,
    set_order,
)
from gamesmaster.batches.tables import Tables
from gamesmaster.batches.years import list_refuges
from gamesmaster.engine import HOLD, machine, rows
from gamesmaster.engine.machine import NO_MEMORY, held, modules_called, to_code
from gamesmaster.engine.winter import is_affordable
from gamesmaster.rules import columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLOTS, ANSWERS, FULL = range(3)
"""Indices of `Choices.used`: the numbers of slots and answers in use, and 1 if there was no room for all."""

SAMPLE, SET, NARROW = range(3)
"""What `answer_all` does: draw answers, set them as orders, or see which are still possible beside those given."""

GIVEN, POSSIBLE = 1, 2
"""Values by which `NARROW` marks answers: the one that is given, and those that a slot without an answer may have."""


class Choices(NamedTuple):
    """The legal orders of many games, one after the other in flat arrays that are allocated once.

    Each game has slots, one for each order that is due, and each slot has answers.  The first answer of a slot holds,
    disbands or builds nothing (unless all builds must be made), or it removes the power's first unit.

    An order of a mechanic's own has `rules.columns.DRAWN` as its verb and a number in `to`.  An answer to a mechanic
    has `ASKED`, the number in `to`, 0 for none, and in `about` its index in `Game.kept`.  A removal with `WHOLE` in
    `to` removes a carrier and its cargo by one order, where the carrier might also go alone.

    In a Winter the slots of a power have the same list. A power that owes removals can only remove.
    """

    first: NDArray[np.int32]  # by game: its first slot
    last: NDArray[np.int32]  # by game: the slot behind its last
    game: NDArray[np.int32]  # by slot
    power: NDArray[np.int16]  # by slot, from 1
    row: NDArray[np.int16]  # by slot: the row of the unit, or of the dislodged unit, 0 in Winters
    begin: NDArray[np.int32]  # by slot: its first answer; the last is that before the next slot's
    verb: NDArray[np.int16]  # by answer, as in `Game.orders`
    to: NDArray[np.int16]  # by answer, likewise
    about: NDArray[np.int16]  # by answer, likewise
    used: NDArray[np.int64]  # the numbers of slots and of answers (`SLOTS`, `ANSWERS`); 1 if there was no room (`FULL`)


def room_for_choices(games: int, slots: int, answers: int) -> Choices:
    """Return empty choices with room for this number of slots and answers in all games together."""
    whole = {"first": games, "last": games, "game": slots, "begin": slots + 1}
    short = {"power": slots, "row": slots, "verb": answers, "to": answers, "about": answers}
    made: dict[str, Any] = {name: np.zeros(size, np.int32) for name, size in whole.items()}
    made |= {name: np.zeros(size, np.int16) for name, size in short.items()}
    return Choices(**made, used=np.zeros(3, np.int64))


@cache
def loop(function: Callable[..., None]) -> Callable[..., None]:
    """Return `list_all` or `answer_all` as machine code: compiled when first run, then kept until its sources change.

    No index in them is negative.
    """
    constants = (columns, machine, rows)
    return to_code(function, modules_called(function), constants, wraps=False, forceinline=True, **NO_MEMORY)


# -- lists -----------------------------------------------------------------------------------------------------------


def list_all(
    number: int, kind: int, waives: bool, learns: Any, askers: Any, c: Choices, t: Tables, games: Game, s: Scratch
) -> None:
    """List the legal orders in games 0 to `number` - 1 that are going on, behind the slots in use.

    `learns[i, power]` says whose orders are listed, `askers` are the columns of `Game.kept` with a question, each with
    the power that is asked.  It ends where there is no more room.
    """
    t, s, c = held(t), held(s), held(c)
    for i in range(number):
        if games.tally[i, WINNER]:
            continue
        game = held(game_at(games, i))
        slots, answers = c.used[SLOTS], c.used[ANSWERS]
        c.first[i] = slots
        if kind == MOVES:
            list_moves(t, game, s, learns[i], c)
        elif kind == RETREATS:
            list_retreats(t, game, s, learns[i], c)
        else:
            list_winter(waives, t, game, s, learns[i], c)
        list_questions(game, learns[i], askers, c)
        if c.used[FULL]:
            c.used[SLOTS], c.used[ANSWERS] = slots, answers
            return
        c.last[i] = c.used[SLOTS]


def order_all(number: int, source: Choices, target: Choices) -> None:
    """Copy the choices of games 0 to `number` - 1 to others with as much room, game by game."""
    c, d = held(source), held(target)
    slots, answers = 0, 0
    for i in range(number):
        d.first[i] = slots
        begin = c.begin[c.first[i]]
        for slot in range(c.first[i], c.last[i]):
            d.game[slots], d.power[slots], d.row[slots] = i, c.power[slot], c.row[slot]
            slots += 1
            d.begin[slots] = answers + c.begin[slot + 1] - begin
        d.last[i] = slots
        for column, copied in ((c.verb, d.verb), (c.to, d.to), (c.about, d.about)):
            for k in range(d.begin[slots] - answers):
                copied[answers + k] = column[begin + k]
        answers = d.begin[slots]
    d.used[SLOTS], d.used[ANSWERS] = slots, answers


def has_room(c: Choices, answers: int) -> bool:
    """Return whether one more slot with this number of answers has room, and note if it has not."""
    if c.used[SLOTS] < len(c.power) and c.used[ANSWERS] + answers + UNASKED_FOR <= len(c.verb):
        return True
    c.used[FULL] = 1
    return False


def close_slot(c: Choices, power: int, row: int, end: int) -> None:
    """Enter a slot whose answers have been entered, up to that of number `end` - 1."""
    slot = c.used[SLOTS]
    c.power[slot], c.row[slot], c.begin[slot + 1] = power, row, end
    c.used[SLOTS], c.used[ANSWERS] = slot + 1, end


def enter(c: Choices, n: int, verb: int, to: int, about: int) -> int:
    """Enter answer n, and return the number of the next."""
    return write_order(c.verb, c.to, c.about, n, verb, to, about)


def list_moves(t: Tables, game: Game, s: Scratch, learns: Any, c: Choices) -> None:
    """List the orders of each unit whose power learns and gives any."""
    survey(t, game, s)
    most = most_offers(s)
    for r in range(1, game.tally[COUNT] + 1):
        power = game.units.owner[r]
        if learns[power] and not game.powers.silent[power] and has_room(c, most + game.orders.offers[r]):
            n = list_orders(t, game, s, r, c.verb, c.to, c.about, c.used[ANSWERS])
            close_slot(c, power, r, n)


def list_retreats(t: Tables, game: Game, s: Scratch, learns: Any, c: Choices) -> None:
    """List where each dislodged unit may go, behind disbanding it; who can go nowhere is not asked about."""
    for r in range(1, game.tally[BEATEN] + 1):
        power = game.beaten.owner[r]
        if learns[power] and not game.powers.silent[power] and has_room(c, len(s.listed)):
            found = list_refuges(t, game, s, r)
            n = enter(c, c.used[ANSWERS], DISBAND, -1, 0)
            for k in range(found):
                n = enter(c, n, RETREAT, s.listed[k], 0)
            if found:
                close_slot(c, power, r, n)


def list_winter(waives: bool, t: Tables, game: Game, s: Scratch, learns: Any, c: Choices) -> None:
    """List what may be built for each build there is room for, and what may be removed for each removal owed.

    The first answer to a build is to build nothing, if anybody `waives`.
    """
    begin_winter(t, game, s)
    for power in range(1, len(game.powers.centres)):
        if not learns[power] or game.powers.silent[power]:
            continue
        spare = balance(game, power)
        if spare < 0:
            s.goals[:] = 0
        count = _count_builds(t, game, s, power) if spare >= 0 else -spare
        found = list_builds(t, game, s, power) if spare >= 0 else list_removals(t, game, s, power, -spare)
        for _ in range(count):
            if has_room(c, 2 * len(s.listed)):
                n = c.used[ANSWERS]
                if spare < 0:
                    n = _list_removed(game, s, c, power, found, -spare)
                else:
                    n = enter(c, n, WAIVED, -1, power) if waives else n
                    for k in range(found):
                        n = enter(c, n, BUILD, s.listed[k], power)
                if n > c.used[ANSWERS]:
                    close_slot(c, power, 0, n)


def _list_removed(game: Game, s: Scratch, c: Choices, power: int, found: int, owed: int) -> int:
    """Enter the removals of the units listed, and of pairs that may go whole; return the number of the next answer."""
    n = int(c.used[ANSWERS])
    for k in range(found):
        n = enter(c, n, REMOVE, -1, s.listed[k])
    for r in range(1, game.tally[COUNT] + 1):
        if game.units.owner[r] == power and may_go_whole(game, s, r, owed):
            n = enter(c, n, REMOVE, WHOLE, r)
    return n


def list_questions(game: Game, learns: Any, askers: Any, c: Choices) -> None:
    """List the numbers that answer the questions of mechanics, which have counted them."""
    for q in range(len(askers)):
        column, power = askers[q, 0], askers[q, 1]
        answers = game.kept[column]
        if answers > 0 and learns[power] and not game.powers.silent[power] and has_room(c, 1 + answers):
            n = c.used[ANSWERS]
            for number in range(1 + answers):
                n = enter(c, n, ASKED, number, column)
            close_slot(c, power, 0, n)


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


# -- answers ---------------------------------------------------------------------------------------------------------


class Answers(NamedTuple):
    """Answers by slot, and the answers in `Choices`."""

    number: NDArray[np.int32]  # by slot: which of its answers, from 0, -1 for none
    dropped: NDArray[np.uint8]  # by slot: 1 if that was not possible
    fits: NDArray[np.uint8]  # by answer: whether it is still possible (`NARROW`)
    kind: NDArray[np.int16]  # by game: its kind of phase


def answer_all(
    number: int, mode: int, seed: int, learns: Any, aside: Any, a: Answers, c: Choices,
    t: Tables, games: Game, s: Scratch,
) -> None:  # fmt: skip
    """Draw answers in games 0 to `number` - 1 that are going on, set them as orders, or narrow what is possible.

    Answers that are not in the list, or in Winter not possible beside those before them, are `dropped`: the first of
    the list counts instead, or the first that is possible; what should be removed is then removed by the rules.
    `seed` is that of this draw; orders of powers that do not learn are already set, and kept.  `aside` is scratch.
    """
    t, s, c, a = held(t), held(s), held(c), held(a)
    for i in range(number):
        if games.tally[i, WINNER] or (mode != SET and c.first[i] == c.last[i]):
            continue
        game = held(game_at(games, i))
        if a.kind[i] != MOVES and a.kind[i] != RETREATS:
            answer_winter(mode, seed, i, learns[i], aside, a, c, t, game, s)
            continue
        if mode == SET:
            rest(a.kind[i], learns[i], game)
        for slot in range(c.first[i], c.last[i]):
            n = settle_answer(mode, seed, slot, c.begin[slot + 1] - c.begin[slot], a, c)
            if mode == SET and c.row[slot]:
                r, k = c.row[slot], c.begin[slot] + n
                game.orders.verb[r], game.orders.to[r], game.orders.about[r] = c.verb[k], c.to[k], c.about[k]


def rest(kind: int, learns: Any, game: Game) -> None:
    """Let all units hold that learners or nobody commands, or disband if they are dislodged."""
    count, verb, owner = COUNT, HOLD, game.units.owner
    if kind == RETREATS:
        count, verb, owner = BEATEN, DISBAND, game.beaten.owner
    for r in range(1, game.tally[count] + 1):
        if learns[owner[r]] or not owner[r]:
            set_order(game.orders, r, verb)


def settle_answer(mode: int, seed: int, slot: int, options: int, a: Answers, c: Choices) -> int:
    """Draw, check or narrow the answer to a slot that depends on no other; return the number of its answer."""
    if mode == SAMPLE:
        word, _ = philox(slot, 0, seed)
        a.number[slot] = share(word, options)
    n = a.number[slot]
    known = 0 <= n < options
    if mode == NARROW:
        for k in range(options):
            a.fits[c.begin[slot] + k] = GIVEN if k == n else POSSIBLE * (not known)
    a.dropped[slot] = not known
    return n if known else 0


def answer_winter(
    mode: int, seed: int, i: int, learns: Any, aside: Any, a: Answers, c: Choices, t: Tables, game: Game, s: Scratch
) -> None:
    """Do the same with a Winter's answers, power by power and slot by slot.  `SET` keeps the orders that were set."""
    put_aside(t, game, s, aside)
    for power in range(1, len(game.powers.centres)):
        if not learns[power]:
            put_back(game, aside, power)
            continue
        spare = balance(game, power)
        if game.powers.silent[power]:
            remove_farthest(t, game, s, power, -spare)
            continue
        owed = -spare
        s.goals[:] = 0
        for slot in range(c.first[i], c.last[i]):
            if c.power[slot] != power:
                continue
            if c.verb[c.begin[slot]] == ASKED:
                settle_answer(mode, seed, slot, c.begin[slot + 1] - c.begin[slot], a, c)
            elif spare < 0 and owed <= 0:
                pass_by(mode, slot, a, c)
            else:
                owed -= answer_slot(mode, seed, slot, owed, a, c, t, game, s)
        if owed > 0:
            remove_rest(t, game, s, power, owed, UNASKED)


def pass_by(mode: int, slot: int, a: Answers, c: Choices) -> None:
    """Ask nothing in a slot: what is owed is removed already."""
    a.dropped[slot] = 0
    if mode == SAMPLE:
        a.number[slot] = 0
    for k in range(c.begin[slot], c.begin[slot + 1]):
        a.fits[k] = 0


def answer_slot(
    mode: int, seed: int, slot: int, owed: int, a: Answers, c: Choices, t: Tables, game: Game, s: Scratch
) -> int:
    """Order the build or the removal that answers a slot, and return how much less is owed.

    If it is not possible, nothing is removed, and the first is built that is possible.
    """
    begin, end, n, found, first = c.begin[slot], c.begin[slot + 1], a.number[slot], 0, -1
    removable = list_removals(t, game, s, c.power[slot], owed) if c.verb[begin] == REMOVE else 0
    for k in range(begin, end):
        a.fits[k] = fits(c, k, owed, removable, t, game, s)
        if a.fits[k]:
            found += 1
            first = k if first < 0 else first
    if mode == SAMPLE and found:
        word, _ = philox(slot, 0, seed)
        left, n = share(word, found), -1
        while left >= 0:
            n += 1
            left -= a.fits[begin + n]
        a.number[slot] = n
    elif mode == SAMPLE:
        a.number[slot] = 0
    chosen = begin + n if 0 <= n < end - begin and a.fits[begin + n] else -1
    a.dropped[slot] = chosen < 0
    if mode == NARROW:
        for k in range(begin, end):
            a.fits[k] = (GIVEN if k == chosen else 0) if chosen >= 0 else POSSIBLE * a.fits[k]
    elif chosen < 0 and c.verb[begin] != REMOVE:
        chosen = first
    return carry_answer(c, chosen, t, game, s) if chosen >= 0 else 0


def fits(c: Choices, k: int, owed: int, removable: int, t: Tables, game: Game, s: Scratch) -> bool:
    """Return whether answer k is possible beside those before it; `s.listed[:removable]` may be removed."""
    if c.verb[k] == WAIVED:
        return True
    if c.verb[k] == BUILD:
        power, stance = c.about[k], c.to[k]
        more, spare = cost_of_more(t, game, power, t.kinds.base[t.stances.sort[stance]]), balance(game, power)
        payable = is_affordable(more, spare - count_costly(t, game, power))
        return payable and room_left(t, game, power, t.stances.place[stance]) > 0
    r = c.about[k]
    if c.to[k] == WHOLE:
        return may_go_whole(game, s, r, owed)
    found = False
    for n in range(removable):
        found = found or s.listed[n] == r
    return found


def carry_answer(c: Choices, k: int, t: Tables, game: Game, s: Scratch) -> int:
    """Set answer k as an order of this Winter, and return how much less is owed."""
    if c.verb[k] == BUILD:
        build(t, game, s, c.about[k], c.to[k])
    elif c.to[k] == WHOLE:
        r = stand_in(t, game, s, c.about[k], True)
        relief = s.rows.costly[r] + s.rows.costly[s.rows.cargo[r]]
        add_removal(game, s, r, s.rows.cargo[r])
        return int(relief)
    elif c.verb[k] == REMOVE:
        return remove(t, game, s, c.about[k])
    return 0
