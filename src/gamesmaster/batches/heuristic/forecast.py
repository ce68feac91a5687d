"""The survival of units in batches: `players.survival`, by rules over columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gamesmaster.batches.mechanics import Part
from gamesmaster.batches.state import COUNT, WINNER, Game, Scratch
from gamesmaster.engine.problem import fast
from gamesmaster.players import THROWS, phases_ahead, thrown_value, trial_units
from gamesmaster.variant import Phase, Variant

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamesmaster.batches.tables import Tables


class LossForecast:
    """Estimates which units mechanics would remove, by simulating games with one unit per province.

    `room` makes the columns of as many games as the batch has, for fewer than `rows` units.
    """

    def __init__(
        self, variant: Variant, parts: Sequence[Part], games: int, room: Callable[[int], tuple[Game, Scratch]]
    ) -> None:
        import numpy as np

        board, kinds = variant.board, list(variant.board.ways)
        self._parts, self._powers, self._calendar = parts, len(variant.powers), variant.calendar
        self._sure: NDArray[np.float64] = np.ones((games, 1 + self._powers, len(board.provinces)))
        self._any = any(part.columns.after_movement or part.columns.storm for part in parts)
        if self._any:
            units = trial_units(board, "")
            self._games, self._scratch = room(1 + len(units))
            self._laid: tuple[object, ...] = ()
            self._places = [unit.number for unit in units]
            stances = [kinds.index(u.kind) * len(board.locations) + board.location_index[u.at] for u in units]
            self._games.units.stance[:, 1:], self._games.units.number[:, 1:] = stances, self._places

    def survival(self, phase: Phase, t: Tables, games: Game) -> NDArray[np.float64]:
        """Return, by game, power and province, the probability that a unit there survives to the next movement."""
        if not self._any:
            return self._sure
        import numpy as np

        safe = np.ones_like(self._sure)
        self._laid = fast("gamesmaster.batches.code").lay_down(t, self._games, self._scratch)
        for power in range(1, 1 + self._powers):
            self._begin(games, power)
            self._ask("after_movement", self._parts)
            safe[:, power, self._places] -= self._games.units.gone[:, 1:] != 0
            for season in phases_ahead(self._calendar, phase):
                stormy = [part for part in self._parts if part.columns.stormy and part.columns.stormy(season)]
                lost = np.zeros((len(safe), len(self._places)))
                for number in range(THROWS if stormy else 0):
                    self._begin(games, power)
                    for part in stormy:
                        self._weather(part, number)
                    lost[self._games.units.gone[:, 1:] != 0] -= 1 / THROWS
                safe[:, power, self._places] *= 1 + lost
        return safe

    def _begin(self, games: Game, power: int) -> None:
        """Set up the trial games: one unit of the power in each place, and the owners of the real games."""
        trial = self._games
        trial.lands.holder[:], trial.kept[:] = games.lands.holder, games.kept
        trial.powers.centres[:], trial.powers.silent[:] = games.powers.centres, games.powers.silent
        trial.tally[:, WINNER], trial.tally[:, COUNT] = games.tally[:, WINNER], len(self._places)
        trial.units.owner[:, 1:], trial.units.gone[:], trial.joins[:] = power, 0, 0

    def _weather(self, part: Part, number: int) -> None:
        """Apply a storm in which all dice fall as in the throw of this number."""
        fell = self._games.orders.fell
        fell[:] = 0
        self._ask("throws", [part])
        fell[fell != 0] = thrown_value(number, part.columns.sides)
        self._ask("storm", [part])

    def _ask(self, hook: str, asked: Sequence[Part]) -> None:
        fast("gamesmaster.batches.code").ask(hook, asked, self._parts, len(self._sure), self._laid)
