"""What learners see of many games: planes of the board and numbers by power, written in place by machine code.

Importing this imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gamesmaster.batches import Choices
from gamesmaster.batches.state import ASKED, BEATEN, CAME, COUNT, REMOVE, VICTOR, Game, game_at
from gamesmaster.batches.tables import Tables
from gamesmaster.engine.machine import NO_MEMORY, held, modules_called, to_code
from gamesmaster.variant import Variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

LAST = ("verb", "to", "about", "result")
"""The columns of `Planes.last`."""

WENT, STAYED, DISLODGED = 1, 2, 3
"""Results of the orders in `Planes.last`."""


class Planes(NamedTuple):
    """What is seen of each game; docs/environments.md describes each plane."""

    board: NDArray[np.uint8]  # [game, channel, location]: the planes (`channels`)
    last: NDArray[np.int16]  # [game, location]: the orders of the last movement (`LAST`)
    due: NDArray[np.int16]  # [game, power]: what is due
    alive: NDArray[np.uint8]  # [game, power]: 1 for those that are not eliminated


def channels(variant: Variant) -> Mapping[str, range]:
    """Return the channels of `Planes.board`, by name.

    In "units" and "dislodged" they go by kind, and for each kind by power, nobody being the last power; in "aboard" and
    "owners" by power.
    """
    powers = len(variant.powers) + 1
    kinds = len(variant.board.ways) * powers
    found, at = {}, 0
    sizes = {"units": kinds, "aboard": powers, "dislodged": kinds, "owners": powers, "centres": 1, "span": 1}
    for name, size in sizes.items():
        found[name] = range(at, at + size)
        at += size
    return found


def new_planes(variant: Variant, games: int) -> Planes:
    """Return empty planes for this number of games."""
    places, powers = len(variant.board.locations), len(variant.powers)
    board = np.zeros((games, channels(variant)["span"].stop, places), np.uint8)
    last = np.zeros((games, places, len(LAST)), np.int16)
    return Planes(board, last, np.zeros((games, powers), np.int16), np.zeros((games, powers), np.uint8))


@cache
def loop() -> Callable[..., None]:
    """Return `observe_all` as machine code: compiled when first run, then kept until its sources change."""
    return to_code(observe_all, modules_called(observe_all), wraps=False, forceinline=True, **NO_MEMORY)


def observe_all(number: int, which: Any, stood: Any, p: Planes, c: Choices, t: Tables, games: Game) -> None:
    """Write the planes of those of games 0 to `number` - 1 that `which` selects.

    If `stood` is not empty, only their `last` orders are written, of units that stood in these stances.
    """
    t, c, p = held(t), held(c), held(p)
    for i in range(number):
        if which[i] and len(stood):
            note_orders(t, held(game_at(games, i)), stood[i], p.last[i])
        elif which[i]:
            observe(t, held(game_at(games, i)), p.board[i])
            see_powers(i, held(game_at(games, i)), p, c)


def note_orders(t: Tables, game: Game, stood: Any, last: Any) -> None:
    """Write the orders of a movement and what came of them, at the places of the units."""
    places = len(t.stances.place) // len(t.kinds.empty)
    last[:] = 0
    for r in range(1, len(stood)):
        if stood[r] >= 0:
            at, about = stood[r] % places, game.orders.about[r]
            last[at, 0] = 1 + game.orders.verb[r]
            last[at, 1] = 1 + game.orders.to[r] % places if game.orders.to[r] >= 0 else 0
            last[at, 2] = 1 + stood[about] % places if about and stood[about] >= 0 else 0
            came = WENT if game.moved[CAME, r] else STAYED
            last[at, 3] = DISLODGED if game.moved[VICTOR, r] else came


def observe(t: Tables, game: Game, board: Any) -> None:
    """Write the planes of a board."""
    kinds, powers = len(t.kinds.empty), len(game.powers.centres)
    places = len(t.stances.place) // kinds
    aboard, beaten = kinds * powers, (kinds + 1) * powers
    owners, last = (2 * kinds + 1) * powers, (2 * kinds + 2) * powers
    board[:] = 0
    for r in range(1, game.tally[COUNT] + 1):
        at, who = game.units.stance[r] % places, (game.units.owner[r] or powers) - 1
        if game.units.aboard[r]:
            board[aboard + who, at] += 1
        else:
            board[t.stances.sort[game.units.stance[r]] * powers + who, at] += 1
        board[last + 1, at] += game.units.span[r]
    for r in range(1, game.tally[BEATEN] + 1):
        at, who = game.beaten.stance[r] % places, (game.beaten.owner[r] or powers) - 1
        board[beaten + t.stances.sort[game.beaten.stance[r]] * powers + who, at] += 1
    for at in range(places):
        place = t.stances.place[at]
        centre, holder = t.ground.centre[place] != 0, game.lands.holder[place]
        board[last, at] = centre
        if centre or holder:
            board[owners + (holder or powers) - 1, at] = 1


def see_powers(i: int, game: Game, p: Planes, c: Choices) -> None:
    """Write what is due from each power, removals as negative numbers, and whether it is still there."""
    for power in range(1, len(game.powers.centres)):
        p.alive[i, power - 1] = not game.powers.fallen[power]
        p.due[i, power - 1] = 0
    for slot in range(c.first[i], c.last[i]):
        verb = c.verb[c.begin[slot]]
        if verb != ASKED:
            p.due[i, c.power[slot] - 1] += -1 if verb == REMOVE else 1
