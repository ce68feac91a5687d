"""Who sits at the table in a batch, and the answers of those who do not draw by lot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.game import Variant
from gamesmaster.judge import Rules
from gamesmaster.judge.batch import fast
from gamesmaster.judge.removals import farthest
from gamesmaster.judge.supply import accounts
from gamesmaster.lab.batch_lore import HOLDER, RANDOM, SEATS, lore_of, mind_of, whims_of
from gamesmaster.lab.batch_state import COUNT, KINDS, REMOVE, WINNER, WINTER
from gamesmaster.lab.batch_years import add_order
from gamesmaster.lab.tables import Tables
from gamesmaster.players.heuristic import Heuristic
from gamesmaster.players.valuation import last_before_count

if TYPE_CHECKING:
    from gamesmaster.lab.batch import Batch
    from gamesmaster.lab.batch_state import Sheet

THOUGHT = 1 << 31
"""The number of the first draw of chance that players make who think; those by lot have the lower ones."""


class Table:
    """The players of a batch's games: `seats[game, power]` are their numbers, `SEATS` their names.

    `by_lot` says that some draw their orders by lot, `thinks` that some do not.
    """

    def __init__(self, variant: Variant, t: Tables, rows: int, seats: Sheet) -> None:
        self.seats, self.whims = seats, whims_of(t, rows)
        self.by_lot, self.thinks = bool((seats == RANDOM).any()), bool((seats[:, 1:] != RANDOM).any())
        self._holds = bool((seats[:, 1:] == HOLDER).any())
        if self.thinks:
            self._answer = fast("gamesmaster.lab.batch_seats").thinking()
            self._rules, self._lore = Rules.of(variant), lore_of(variant, t, Heuristic())
            self._mind = mind_of(t, self._lore, rows, len(variant.powers) + 1)

    def first_whim(self, batch: Batch, power: int) -> int:
        """The number of the first draw that a power makes in the phase being played."""
        return THOUGHT + (batch.played * len(batch.variant.powers) + power - 1) * self.whims

    def answer(self, batch: Batch) -> None:
        """Set the orders of all who do not draw by lot, in every game of a batch."""
        kind, last = KINDS.index(batch.phase.kind), last_before_count(batch.variant.calendar, batch.phase)
        self._answer(
            0, len(batch), self.seats, kind, last, batch.seed, batch.first, self.first_whim(batch, 1), self.whims,
            batch.tables, batch.games, batch.scratch, self._lore, self._mind,
        )  # fmt: skip
        if kind == WINTER and self._holds:
            for i in range(len(batch)):
                self._remove(batch, i)

    def _remove(self, batch: Batch, i: int) -> None:
        """Remove what goes if nobody says, for those in a game who say nothing."""
        game = batch.game(i)
        if game.tally[WINNER]:
            return
        owners = game.owner[1 : game.tally[COUNT] + 1].tolist()
        rows = {int(number): r for r, number in enumerate(game.number[: game.tally[COUNT] + 1])}
        for power, name in enumerate(self._rules.powers, 1):
            owed = owners.count(power) - game.centres[power]
            if self.seats[i, power] == HOLDER and owed > 0:
                for unit in farthest(accounts(self._rules, batch.position(i))[name])[:owed]:
                    add_order(game, REMOVE, -1, rows[unit.number])


def seats_of(variant: Variant, games: int, first: int, names: Sequence[str], turning: bool) -> Sheet:
    """Who plays each power in each game (column 0 is nobody's): `Batch` says how they are told.

    Raises `GamesmasterError` if there are not as many names as powers, `NotFound` for one that batches do not know.
    """
    import numpy as np

    powers = len(variant.powers)
    if names and len(names) != powers:
        raise GamesmasterError(f"{len(names)} players named for {powers} powers", where=variant.id)
    if unknown := sorted(set(names) - set(SEATS)):
        raise NotFound(f"no player {unknown[0]!r} in batches", hint="those that play in batches: " + ", ".join(SEATS))
    row = np.array([SEATS.index(name) for name in names] or [RANDOM] * powers, np.int16)
    places = (np.arange(powers)[None, :] - (np.arange(first, first + games)[:, None] if turning else 0)) % powers
    seats = np.full((games, powers + 1), HOLDER, np.int16)
    seats[:, 1:] = row[places]
    return seats
