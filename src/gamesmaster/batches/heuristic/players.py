"""The players of a batch: their seats, and the orders of those that do not draw at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gamesmaster.batches.heuristic.context import (
    HOLDER,
    RANDOM,
    SEATS,
    OwnOrders,
    arrays_of,
    count_draws,
    new_workspace,
)
from gamesmaster.batches.state import KINDS
from gamesmaster.engine.problem import fast
from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.players import Heuristic, last_before_count
from gamesmaster.variant import Phase, Variant

if TYPE_CHECKING:
    from gamesmaster.batches.state import Sheet
    from gamesmaster.batches.tables import Tables

FIRST_DRAW = 1 << 31
"""The number of the first random draw of thinking players; random players have the lower ones."""


class BatchPlayers:
    """The players of a batch's games: `seats[game, power]` are their numbers, `SEATS` their names.

    `by_lot` is True if some draw their orders at random, `thinks` if some do not.
    """

    def __init__(self, variant: Variant, t: Tables, rows: int, seats: Sheet) -> None:
        self.seats, self._variant, self.draws = seats, variant, count_draws(t, rows)
        self.by_lot, self.thinks = bool((seats == RANDOM).any()), bool((seats[:, 1:] != RANDOM).any())
        if self.thinks:
            self._answer = fast("gamesmaster.batches.heuristic.seats").thinking()
            self._board = arrays_of(variant, Heuristic(), rows)
            self._workspace = new_workspace(variant, self._board, rows)

    def first_draw(self, played: int, power: int) -> int:
        """Return the number of a power's first draw in the phase after `played` others."""
        return FIRST_DRAW + (played * len(self._variant.powers) + power - 1) * self.draws

    def answer(
        self, phase: Phase, played: int, seed: int, first: int, columns: tuple[Any, ...], safe: Any, own: OwnOrders,
        homes: Any,
    ) -> None:  # fmt: skip
        """Set the orders of all players that do not draw at random in a phase, after `played` others.

        `first` is the number of the first of the games, whose `columns` are tables, games and scratch, laid down; `own`
        are the orders on offer by mechanics in each, `safe` and `homes` are as in a `Context`.
        """
        kind, last = KINDS.index(phase.kind), last_before_count(self._variant.calendar, phase)
        self._answer(
            0, len(self.seats), self.seats, kind, last, seed, first, self.first_draw(played, 1), self.draws,
            *columns, self._board, self._workspace, safe, own, homes,
        )  # fmt: skip


class Turning(tuple[str, ...]):
    """Players that move on by one power with each game; in game number 0 they play the powers as named."""

    __slots__ = ()


def seats_of(variant: Variant, games: int, first: int, names: Sequence[str]) -> Sheet:
    """Return the player of each power in each game (column 0 is nobody's), from names as `Batch` takes them.

    Raises `GamesmasterError` if there are not as many names as powers, `NotFound` for one that batches do not know.
    """
    import numpy as np

    powers = len(variant.powers)
    if names and len(names) != powers:
        raise GamesmasterError(f"{len(names)} players named for {powers} powers", where=variant.id)
    if unknown := sorted(set(names) - set(SEATS)):
        raise NotFound(f"no player {unknown[0]!r} in batches", hint="those that play in batches: " + ", ".join(SEATS))
    row = np.array([SEATS.index(name) for name in names] or [RANDOM] * powers, np.int16)
    turns = np.arange(first, first + games)[:, None] if isinstance(names, Turning) else 0
    places = (np.arange(powers)[None, :] - turns) % powers
    seats = np.full((games, powers + 1), HOLDER, np.int16)
    seats[:, 1:] = row[places]
    return seats
