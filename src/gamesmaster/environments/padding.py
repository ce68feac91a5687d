"""Choices as arrays of one size, as Gymnasium and PettingZoo want them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from gamesmaster.batches.choices import ANSWERS, SLOTS
from gamesmaster.batches.state import BUILD, RETREATS
from gamesmaster.environments.bounds import Bounds
from gamesmaster.environments.vector import VectorEnvironment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

COLUMNS = ("verb", "kind", "at", "to", "of")
"""The columns of an order: its verb (1 + its number in `Choices`), the kind of its unit, where that stands or is built,
where it goes, and where the unit is that it helps, removes or carries; kinds and locations by number, from 1.
"""


def describe(env: VectorEnvironment) -> Array:
    """Return all answers in `env.choices` as orders, shape (answers, 5), in `COLUMNS`; 0 is for what an order lacks."""
    c, g = env.choices, env.batch.games
    places, size = len(env.variant.board.locations), int(c.used[ANSWERS])
    slot = np.repeat(np.arange(c.used[SLOTS]), np.diff(c.begin[: c.used[SLOTS] + 1]))
    game, row, verb, to, about = c.game[slot], c.row[slot], c.verb[:size], c.to[:size], c.about[:size]
    winter = row == 0
    stance = np.where(env.kind[game] == RETREATS, g.beaten.stance[game, row], g.units.stance[game, row])
    stance = np.where(winter, np.where(verb == BUILD, to, g.units.stance[game, np.where(verb >= 0, about, 0)]), stance)
    found = np.zeros((size, len(COLUMNS)), np.int16)
    found[:, 0] = 1 + verb
    ordered = ~winter | (verb > 0)
    found[:, 1] = np.where(ordered, 1 + stance // places, 0)
    found[:, 2] = np.where(ordered, 1 + stance % places, 0)
    found[:, 3] = np.where(~winter & (verb >= 0) & (to >= 0), 1 + to % places, 0)
    found[:, 4] = np.where(~winter & (about > 0), 1 + g.units.stance[game, about] % places, 0)
    return found


class Padding:
    """Room for the choices of `rows` learners, each with as many slots and choices as the bounds say.

    `orders`, shape (rows, slots, choices, 5), are orders in `COLUMNS`; `mask` says which there are. The first choice is
    always there, if only to do nothing.  `cut` counts, by row, the orders that had no room.
    """

    def __init__(self, rows: int, bounds: Bounds) -> None:
        self.bounds = bounds
        self.orders = np.zeros((rows, *bounds, len(COLUMNS)), np.int16)
        self.mask = np.zeros((rows, *bounds), np.int8)
        self._sizes = np.ones((rows, bounds.slots), np.int64)
        self.cut = np.zeros(rows, np.int64)
        self._row = self._rank = np.zeros(0, np.int64)
        self._used = self._row, self._row, self._row

    def fill(self, env: VectorEnvironment, row: Array) -> None:
        """Enter all choices of an environment; `row` is that of each slot."""
        c = env.choices
        by_row = np.argsort(row, kind="stable")
        rank = np.empty_like(by_row)
        rank[by_row] = np.arange(len(row)) - np.searchsorted(row[by_row], row[by_row])
        self._row, self._rank = row, rank
        slot = np.repeat(np.arange(len(row)), np.diff(c.begin[: len(row) + 1]))
        number = np.arange(len(slot)) - c.begin[slot]
        fits = (rank[slot] < self.bounds.slots) & (number < self.bounds.choices)
        place = row[slot[fits]], rank[slot[fits]], number[fits]
        self.orders[self._used], self.mask[self._used], self._sizes[:] = 0, 0, 1
        self.mask[:, :, 0] = 1
        self.orders[place], self.mask[place] = describe(env)[fits], 1
        np.maximum.at(self._sizes, place[:2], 1 + place[2])
        self._used = place
        self.cut[:] = np.bincount(row[slot[~fits]], minlength=len(self.cut))

    def answers(self, actions: Array) -> tuple[Array, Array]:
        """Return actions of shape (rows, slots) as answers by slot, and how many numbers of each row name no choice."""
        within = self._rank < self.bounds.slots
        answers = np.zeros(len(self._row), np.int32)
        answers[within] = np.clip(actions[self._row[within], self._rank[within]], -1, self.bounds.choices)
        named = (actions >= 0) & (actions < self._sizes)
        return answers, (~named).sum(axis=1)


def spaces_of(env: VectorEnvironment, bounds: Bounds) -> dict[str, spaces.Space[Any]]:
    """Return the spaces of what is seen of one game, and of a learner's choices."""
    limits = np.iinfo(np.int16)
    found: dict[str, spaces.Space[Any]] = {}
    for name, array in env.observation.items():
        low, high = (0, 255) if array.dtype == np.uint8 else (limits.min, limits.max)
        found[name] = spaces.Box(low, high, array.shape[1:], array.dtype.type)
    found["orders"] = spaces.Box(0, limits.max, (*bounds, len(COLUMNS)), np.int16)
    return found
