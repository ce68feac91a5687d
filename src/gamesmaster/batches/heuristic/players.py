"""The players of a batch: their seats, and the orders of those that do not draw at random."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from gamesmaster.batches.heuristic.context import (
    HOLDER,
    MINDED,
    RANDOM,
    OwnOrders,
    arrays_of,
    count_draws,
    minds_of,
    new_workspace,
)
from gamesmaster.batches.state import DRAWN, KINDS, WINNER, Game
from gamesmaster.engine.heuristic.memory import SINCE, Memory
from gamesmaster.engine.problem import fast
from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.players import MINDS, Tastes, last_before_count
from gamesmaster.variant import Phase, Variant

if TYPE_CHECKING:
    from gamesmaster.batches.state import Sheet
    from gamesmaster.batches.tables import Tables

FIRST_DRAW = 1 << 31
"""The number of the first random draw of thinking players; random players have the lower ones."""


class BatchPlayers:
    """The players of a batch's games: `seats[game, power]` are their numbers, the `minds` those of thinking players.

    `by_lot` is True if some draw their orders at random, `thinks` if some do not.
    """

    def __init__(self, variant: Variant, t: Tables, rows: int, seats: Sheet, minds: Sequence[Tastes]) -> None:
        self.seats, self.minds, self._variant, self.draws = seats, minds, variant, count_draws(t, rows)
        self.by_lot, self.thinks = bool((seats == RANDOM).any()), bool((seats[:, 1:] != RANDOM).any())
        if self.thinks:
            self._note = fast("gamesmaster.batches.heuristic.seats").noting()
            self._answer = fast("gamesmaster.batches.heuristic.seats").thinking()
            self._board, self._minds = arrays_of(variant, rows), minds_of(minds)
            self._workspace = new_workspace(variant, self._board, rows)

    def with_seats(self, seats: Sheet) -> BatchPlayers:
        """Return the same players in other seats, for games of the same variant played in the same thread."""
        other = copy(self)
        other.seats = seats
        return other

    def first_draw(self, played: int, power: int) -> int:
        """Return the number of a power's first draw in the phase after `played` others."""
        return FIRST_DRAW + (played * len(self._variant.powers) + power - 1) * self.draws

    def vote(self, games: Game, memory: Memory) -> None:
        """End the games whose survivors all vote for a draw."""
        import numpy as np

        patience = np.array([tastes.tiring for tastes in self.minds], np.int16)[(self.seats - MINDED).clip(min=0)]
        wants = (self.seats >= MINDED) & (patience > 0) & (memory.growth[:, SINCE, None] >= patience)
        drawn = (wants | (games.powers.fallen > 0))[:, 1:].all(axis=1) & (games.tally[:, WINNER] == 0)
        games.tally[drawn, WINNER] = DRAWN

    def note(self, columns: tuple[Any, ...], memory: Memory) -> None:
        """Remember the movement that is ordered."""
        self._note(0, len(self.seats), *columns, memory)

    def answer(
        self, phase: Phase, played: int, seed: int, first: int, columns: tuple[Any, ...], memory: Memory, safe: Any,
        own: OwnOrders, homes: Any,
    ) -> None:  # fmt: skip
        """Set the orders of all players that do not draw at random in a phase, after `played` others.

        `first` is the number of the first of the games, whose `columns` are tables, games and scratch, laid down; `own`
        are the orders on offer by mechanics in each, `safe` and `homes` are as in a `Context`.
        """
        kind, last = KINDS.index(phase.kind), last_before_count(self._variant.calendar, phase)
        self._answer(
            0, len(self.seats), self.seats, kind, last, seed, first, self.first_draw(played, 1), self.draws,
            *columns, self._board, self._minds, memory, self._workspace, safe, own, homes,
        )  # fmt: skip


class Turning(tuple[str | Tastes, ...]):
    """Players that move on by one power with each game; in game number 0 they play the powers as named."""

    __slots__ = ()


def seats_of(
    variant: Variant, games: int, first: int, players: Sequence[str | Tastes]
) -> tuple[Sheet, tuple[Tastes, ...]]:
    """Return the player of each power in each game (column 0 is nobody's), and the minds of thinking ones, by number.

    `players` are as `Batch` takes them.
    Raises `GamesmasterError` if there are not as many as powers, `NotFound` for one that batches do not know.
    """
    import numpy as np

    powers = len(variant.powers)
    if players and len(players) != powers:
        raise GamesmasterError(f"{len(players)} players named for {powers} powers", where=variant.id)
    known: dict[str | Tastes, int] = {"random": RANDOM, "holder": HOLDER}
    if unknown := sorted({p for p in players if isinstance(p, str)} - {*known, *MINDS}):
        names = ", ".join(("random", "holder", *MINDS))
        raise NotFound(f"no player {unknown[0]!r} in batches", hint=f"those that play in batches: {names}")
    tastes = {player: MINDS[player] if isinstance(player, str) else player for player in {*players} - {*known}}
    minds = tuple(dict.fromkeys(tastes[player] for player in players if player in tastes))
    numbers = [known[p] if p in known else MINDED + minds.index(tastes[p]) for p in players]
    row = np.array(numbers or [RANDOM] * powers, np.int16)
    turns = np.arange(first, first + games)[:, None] if isinstance(players, Turning) else 0
    places = (np.arange(powers)[None, :] - turns) % powers
    seats = np.full((games, powers + 1), HOLDER, np.int16)
    seats[:, 1:] = row[places]
    return seats, minds
