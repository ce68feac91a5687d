"""The games of a batch in lock step: their columns, copies and selections of them, and calls of machine code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self

from gamesmaster.batches.chance import MASK, BatchRandom
from gamesmaster.batches.heuristic.context import memories
from gamesmaster.batches.heuristic.forecast import LossForecast
from gamesmaster.batches.heuristic.players import BatchPlayers, seats_of
from gamesmaster.batches.heuristic.questions import GivenAnswers, Questions
from gamesmaster.batches.mechanics import Part, dated_state, parts_of, rules_in_batch, with_arrays
from gamesmaster.batches.room import columns_at_start, most_units, room_for, scratch_for
from gamesmaster.batches.state import AWAY, WINNER, End, Game, game_at
from gamesmaster.batches.tables import sites_of, tables_of
from gamesmaster.batches.transcript import Transcript
from gamesmaster.engine.groups import each_column, map_columns
from gamesmaster.engine.problem import fast
from gamesmaster.errors import GamesmasterError
from gamesmaster.orders import PhaseKind
from gamesmaster.players import Tastes, last_year, seed_of
from gamesmaster.variant import Phase, Variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamesmaster.batches.code import Code
    from gamesmaster.batches.tables import Tables

    Array = NDArray[Any]


REMADE = frozenset({
    "code", "rules", "tables", "parts", "scratch", "forecast", "_dated", "_ends", "_going", "_lay", "_laid", "_players",
    "_questions",
})  # fmt: skip
"""The attributes of a batch that its copies make anew: machine code finds some of them by their addresses."""


class GameGroup:
    """Games of one variant in the same phase: their columns, and what machine code needs beside them.

    Its parameters and what it raises are those of `Batch`, which plays the games.
    """

    def __init__(
        self,
        variant: Variant,
        games: int,
        *,
        seed: int,
        first: int = 0,
        seats: Sequence[str | Tastes] = (),
        keys: Callable[[int], bytes] | None = None,
    ) -> None:
        if games < 1 or first < 0 or first + games - 1 > MASK or not 0 <= seed <= MASK:
            raise GamesmasterError("a batch has at least one game; seed and numbers of games are of 32 bits")
        self.variant, self.seed, self.first = variant, seed, first
        tables, parts = tables_of(variant), parts_of(rules_in_batch(variant))
        thinks = not {"random", "holder"}.issuperset(seats)
        if thinks and (rash := next((part.mechanic.id for part in parts if not self._is_foreseen(part)), "")):
            raise GamesmasterError(
                f"players in batches do not reckon with {rash}", hint="let it be random, or holder", where=variant.id
            )
        self.phase: Phase = variant.calendar.first
        self.played = self.winters = 0
        self.games = columns_at_start(variant, tables, games, most_units(variant, tables) + 1)
        self._asked = self._nowhere()
        self._seats, self._minds = seats_of(variant, games, first, seats)
        self.memory = memories(variant, games)
        self._keys = keys or partial(key_of, seed)
        self.given: GivenAnswers | None = None
        self._prepare()

    def _prepare(self) -> None:
        """Make what a copy makes anew (`REMADE`): it follows from the rest, or is scratch."""
        variant, rows = self.variant, self.games.units.number.shape[1]
        self.code: Code = fast("gamesmaster.batches.code").machine_code()
        self.rules, self.tables = rules_in_batch(variant), tables_of(variant)
        self._dated: dict[int, Tables] = {0: self.tables}
        self._ends: dict[Phase, tuple[End, Phase]] = {}
        self._going: Array | slice = slice(None)
        self.parts = tuple(with_arrays(part, part.columns.table) for part in parts_of(self.rules))
        if self.winters:
            self._date_tables()
        self.scratch = scratch_for(variant, self.tables, rows)
        self._lay: tuple[Any, ...] = (None, None, None)
        self._laid: tuple[Any, ...] = ()
        self._players = BatchPlayers(variant, self.tables, rows, self._seats, self._minds)
        self._questions = Questions(self._seats)

    @cached_property
    def forecast(self) -> LossForecast:
        """The losses that thinking players expect of mechanics."""
        room = partial(room_for, self.variant, self.tables, len(self))
        return LossForecast(self.variant, self.parts, len(self), room)

    def __len__(self) -> int:
        return len(self.games.tally)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy or a pickle takes over, with arrays of its own."""
        kept = {name: value for name, value in vars(self).items() if name not in REMADE}
        copies = {"games": map_columns(copy, self.games), "memory": map_columns(copy, self.memory)}
        return kept | copies | {"_asked": self._asked.copy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what another batch was."""
        vars(self).update(state)
        self._prepare()

    def __deepcopy__(self, memo: object) -> Self:
        """Return a copy; the variant, which never changes, is shared."""
        return copy(self)

    def select(self, places: Array) -> Self:
        """Return a batch of copies of the games at these places, in this order; it may play on by itself."""
        import numpy as np

        other = object.__new__(type(self))
        vars(other).update({name: value for name, value in vars(self).items() if name != "forecast"})
        other.games = map_columns(lambda column: column[places], self.games)
        other.scratch = map_columns(np.zeros_like, self.scratch)
        other.memory = map_columns(lambda column: column[places], self.memory)
        other._asked, other._seats = self._asked[places], self._seats[places]
        other._lay = (None, None, None)
        other._players, other._questions = self._players.with_seats(other._seats), Questions(other._seats)
        return other

    @contextmanager
    def only(self, going: Array) -> Iterator[None]:
        """Play only the games that this mask selects while the block runs; others stand still, in whatever phase."""
        if going.all():
            yield
            return
        winner = self.games.tally[:, WINNER]
        away = (winner == 0) & ~going
        winner[away], self._going = AWAY, going
        try:
            yield
        finally:
            winner[away], self._going = 0, slice(None)

    def go_to(self, phase: Phase, winters: int) -> None:
        """Say that the games to be played next are in this phase, after this number of Winters."""
        self.phase, self.winters = phase, winters
        self._date_tables()

    def take_over(self, other: GameGroup, places: Array | slice = slice(None)) -> None:
        """Let all games, or those at these places, be what those of another batch of the same variant are.

        The other batch has as many games, or one for all.
        """
        for columns, others in ((self.games, other.games), (self.memory, other.memory)):
            for column, value in zip(each_column(columns), each_column(others), strict=True):
                column[places] = value

    def set_keys(self, keys: Callable[[int], bytes]) -> None:
        """Take the seeds of the games' dice from this function, by the numbers of the games."""
        self._keys = keys

    def take_seats(self, players: Sequence[str | Tastes]) -> None:
        """Let other players play on, as `Batch` takes them."""
        self._seats, self._minds = seats_of(self.variant, len(self), self.first, players)
        self.given = None
        rows = self.games.units.number.shape[1]
        self._players = BatchPlayers(self.variant, self.tables, rows, self._seats, self._minds)
        self._questions = Questions(self._seats)

    @property
    def over(self) -> bool:
        """True if all games have been won."""
        return bool(self.games.tally[:, WINNER].all())

    def key(self, i: int) -> bytes:
        """Return the seed of the dice of the game at this place, as `Game.start` takes it."""
        return self._keys(self.first + i)

    def game(self, i: int) -> Game:
        """Return the columns of the game at this place in the batch, from 0."""
        return game_at(self.games, i)

    def chance(self, i: int, power: str) -> BatchRandom:
        """Return the chance of a power's player in the phase being played, as a player at the table would have it."""
        number = self.transcript.powers.index(power)
        return BatchRandom(self.seed, self.first + i, self._players.first_draw(self.played, number))

    @property
    def transcript(self) -> Transcript:
        """The games as they stand, for what is to be said of one of them."""
        return Transcript(self.variant, self.rules, self.parts, self.tables, self.games)

    @property
    def asks_for_years(self) -> bool:
        """True if the year of a phase counts for some mechanic, beyond the end of the phase."""
        return any(part.columns.dated or part.columns.stormy or part.columns.due for part in self.parts)

    @property
    def askers(self) -> Array:
        """The columns of `Game.kept` where mechanics count the answers to a question, each with the power asked."""
        import numpy as np

        found = [(part.first + column, power) for part in self.parts for column, power in part.columns.askers]
        return np.array(found, np.int32).reshape(-1, 2)

    @property
    def comes_in_winter(self) -> str:
        """The mechanic that brings units at the beginning of Winters if powers want them, empty if none does."""
        return next((part.mechanic.id for part in self.parts if self._is_due_in_winter(part)), "")

    def _is_foreseen(self, part: Part) -> bool:
        """Return whether thinking players understand this mechanic.

        They do not if its units come before Winter builds.
        """
        return part.columns.foreseen and not self._is_due_in_winter(part)

    def _is_due_in_winter(self, part: Part) -> bool:
        """Return whether some Winter of a game begins with orders that powers give this mechanic."""
        due, calendar = part.columns.due, self.variant.calendar
        if due is None or not part.columns.asked:
            return False
        phases = phases_until(self.variant, last_year(self.variant, None))
        return any(due(calendar.season(phase)) for phase in phases if phase.kind is PhaseKind.ADJUSTMENTS)

    def _date_tables(self) -> None:
        """Set the sites in the tables to those after this number of Winters."""
        if any(part.columns.dated for part in self.parts):
            if self.winters not in self._dated:
                sites = sites_of(self.rules, dated_state(self.rules, self.winters))
                self._dated[self.winters] = self.tables._replace(sites=sites)
            self.tables = self._dated[self.winters]

    def _nowhere(self) -> Array:
        """Return False for each game."""
        import numpy as np

        return np.zeros(len(self), np.bool_)

    def _clear(self, *columns: Array) -> None:
        """Set these columns of the games that are played to 0."""
        for column in columns:
            column[self._going] = 0

    def _step(self, step: int, end: End) -> None:
        self.code.conclude(0, len(self), step, end, *self.laid)

    def _ask(self, hook: str, parts: Sequence[Part] | None = None) -> None:
        asked, ask = self.parts if parts is None else parts, fast("gamesmaster.batches.code").ask
        ask(hook, asked, self.parts, len(self), self.laid)

    @property
    def laid(self) -> tuple[Any, ...]:
        """The tables, the games and the scratch as machine code takes them, as long as they are the same."""
        now = self.tables, self.games, self.scratch
        if any(columns is not before for columns, before in zip(now, self._lay, strict=True)):
            self._lay, self._laid = now, fast("gamesmaster.batches.code").lay_down(*now)
        return self._laid


def key_of(seed: int, number: int) -> bytes:
    """Return the seed of the dice of a game, by its number."""
    return seed_of(seed << 32 | number)


def phases_until(variant: Variant, last: int) -> Iterator[Phase]:
    """Yield the phases of a variant to the end of a year."""
    phase = variant.calendar.first
    while phase.year <= last:
        yield phase
        phase = variant.calendar.next(phase)
