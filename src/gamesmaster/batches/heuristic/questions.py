"""Questions of mechanics to powers in batches, beside the orders of units, and the players' answers.

The columns that `Columns.askers` names hold the number of answers, and then the answer given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gamesmaster.batches.chance import below
from gamesmaster.batches.heuristic.context import MINDED, RANDOM
from gamesmaster.batches.mechanics import Part
from gamesmaster.batches.state import DRAWS, WINNER, Game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamesmaster.batches.state import Sheet

    Array = NDArray[Any]

Settle = Callable[[str, Sequence[Part]], None]
"""Asks the rules of mechanics, by the name of their hook."""


class GivenAnswers(NamedTuple):
    """What powers answer that no player plays: `learns[game, power]` are these, `answers` are laid out as `kept`."""

    learns: Array
    answers: Array


class Questions:
    """The players that mechanics ask: `seats[game, power]` are their numbers."""

    def __init__(self, seats: Sheet) -> None:
        self._seats = seats
        self._open: dict[int, Array] = {}

    def answer(
        self, asking: Sequence[Part], games: Game, seed: int, first: int, ask: Settle, given: GivenAnswers | None = None
    ) -> None:
        """Answer the questions of these mechanics, then settle them by `ask`; `first` is the number of the first game.

        Random players give all answers with equal probability, thinking players the first, and holders none. Thinking
        players `name` a place later, when its value is known.  What is `given` is answered for those who learn.
        """
        import numpy as np

        self._open = {}
        going = games.tally[:, WINNER] == 0
        for part in asking:
            for column, power in part.columns.askers:
                at = part.first + column
                answers, seats = games.kept[:, at], self._seats[:, power]
                answers[going & (games.powers.silent[:, power] != 0)] = 0
                learns = going & given.learns[:, power] if given else going & False
                plays, thinks = going & ~learns, seats >= MINDED
                if part.columns.places:
                    self._open[at] = np.where(plays & thinks, answers, 0)
                sure = plays & (seats != RANDOM)
                answers[sure] = (answers.clip(max=0 if part.columns.places else 1) * thinks)[sure]
                if given:
                    answers[learns] = given.answers[learns, at]
                for i in (plays & (answers > 0) & (seats == RANDOM)).nonzero()[0]:
                    draw = int(games.tally[i, DRAWS])
                    answers[i] = 1 + below(int(answers[i]), seed, first + int(i), draw)
                    games.tally[i, DRAWS] += 1
            ask("settle", [part])

    def homes(self, provinces: int) -> Array:
        """Room for what provinces are worth to powers that build there; for none if nobody is asked who thinks."""
        import numpy as np

        asked = any(answers.any() for answers in self._open.values())
        return np.zeros((*self._seats.shape, provinces if asked else 0))

    def name(self, asking: Sequence[Part], games: Game, homes: Array, ask: Settle) -> None:
        """Name the places that are worth most to those who think, of those that these mechanics ask about."""
        import numpy as np

        number = np.arange(len(homes))
        for part in asking if homes.size else ():
            columns = {at: power for column, power in part.columns.askers if (at := part.first + column) in self._open}
            said, best = games.kept.copy(), {column: np.full(len(homes), -1.0) for column in columns}
            for answer in range(1, 1 + max((int(self._open[column].max()) for column in columns), default=0)):
                for column in columns:
                    games.kept[:, column] = np.where(self._open[column] >= answer, answer, 0)
                ask("settle", [part])
                for column, power in columns.items():
                    place = games.kept[:, column]
                    worth = np.where(place > 0, homes[number, power, place - 1], -1.0)
                    said[worth > best[column], column] = place[worth > best[column]]
                    best[column] = np.maximum(best[column], worth)
            games.kept[:] = said
