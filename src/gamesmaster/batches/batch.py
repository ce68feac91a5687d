"""Many games of one variant in lock step, by machine code: orders are drawn, or set from outside, and carried out.

Needs the extra `fast`.  The first batch ever played waits for the compiler, up to half a minute; the code is
then kept on disk.

>>> from gamesmaster.variant import find_variant
>>> batch = Batch(find_variant("standard"), 2, seed=7)
>>> batch.draw()
>>> len(batch.orders(0)["Austria"])
3
>>> batch.carry_out()
>>> batch.phase.code
'S1901R'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self

from gamesmaster.batches.chance import MASK, BatchRandom
from gamesmaster.batches.heuristic.context import memories
from gamesmaster.batches.heuristic.forecast import LossForecast
from gamesmaster.batches.heuristic.own import list_own, no_own
from gamesmaster.batches.heuristic.players import BatchPlayers, seats_of
from gamesmaster.batches.heuristic.questions import GivenAnswers, Questions
from gamesmaster.batches.mechanics import Part, asking_parts, dated_state, parts_of, rules_in_batch, with_arrays
from gamesmaster.batches.room import columns_at_start, most_units, room_for, scratch_for
from gamesmaster.batches.state import (
    ASKED,
    AWAY,
    CLOSE,
    CONCLUDE,
    COUNT,
    DRAWN,
    FORESEE,
    KINDS,
    LEAVE,
    MOVES,
    ORDERS,
    PHASES,
    REMAIN,
    REMOVE,
    RETREATS,
    SETTLE,
    SHARED,
    WAIVED,
    WEIGH,
    WHOLE,
    WINNER,
    WINTER,
    End,
    Game,
    game_at,
    set_order,
)
from gamesmaster.batches.tables import sites_of, tables_of
from gamesmaster.batches.transcript import Transcript
from gamesmaster.batches.years import see_last
from gamesmaster.board import Position
from gamesmaster.engine import lead
from gamesmaster.engine.groups import each_column, map_columns
from gamesmaster.engine.problem import fast
from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Dice, last_ones_at, winning_counts
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.players import Tastes, last_year, seed_of
from gamesmaster.rules import NO_REMOVAL, Columns, YearMechanic
from gamesmaster.variant import Phase, Variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamesmaster.batches.code import Code
    from gamesmaster.batches.heuristic.context import OwnOrders
    from gamesmaster.batches.tables import Tables
    from gamesmaster.rules import Rule

    Array = NDArray[Any]


REMADE = frozenset({
    "code", "rules", "tables", "parts", "scratch", "forecast", "_dated", "_ends", "_going", "_lay", "_laid", "_players",
    "_questions",
})  # fmt: skip
"""The attributes of a batch that its copies make anew: machine code finds some of them by their addresses."""


class Batch:
    """Games `first` to `first + games` - 1 under one seed, all in the same phase.

    A game that has been won or drawn is not continued. `seats` names the player of each power, in the variant's order:
    "random" draws orders at random and is the default; "holder" does nothing; names in `players.MINDS`, or tastes of
    your own, play as `players.Heuristic` does with these tastes and this `chance`, and vote as it does when a movement
    begins. Those in a `Turning` move on by one power with each game.  `games` are the columns of all, `memory` what
    thinking players remember, `tables` the board's; code that sets orders there must set legal ones: machine code
    trusts its numbers.
    `keys` gives the seed of each game's dice, by its number; by default they are made from `seed`.

    A batch can be copied and pickled between any two calls.  The copy has columns of its own and the same future, also
    in another process; it plays on without changing the first.

    Raises `GamesmasterError` if `supports` rejects the variant, or thinking players do not understand its mechanics,
    for numbers or a seed beyond 32 bits, for more or fewer seats than powers, or unknown players, and if Numba or NumPy
    is not installed.
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

    def _is_foreseen(self, part: Part) -> bool:
        """Return whether thinking players understand this mechanic.

        They do not if its units come before Winter builds.
        """
        return part.columns.foreseen and not self._is_due_in_winter(part)

    @property
    def asks_for_years(self) -> bool:
        """True if the year of a phase counts for some mechanic, beyond the end of the phase."""
        return any(part.columns.dated or part.columns.stormy or part.columns.due for part in self.parts)

    @property
    def asks_powers(self) -> bool:
        """True if powers give orders of their own to mechanics in this phase."""
        return bool(self._asking())

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

    def take_over(self, other: Batch) -> None:
        """Let all games be what those of another batch of the same variant are."""
        for columns, others in ((self.games, other.games), (self.memory, other.memory)):
            for column, value in zip(each_column(columns), each_column(others), strict=True):
                column[:] = value

    def begin_anew(self, places: Array, start: Batch) -> None:
        """Let the games at these places be what the only game of a batch at its `start` is."""
        for columns, first in ((self.games, start.games), (self.memory, start.memory)):
            for column, value in zip(each_column(columns), each_column(first), strict=True):
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

    def _is_due_in_winter(self, part: Part) -> bool:
        """Return whether some Winter of a game begins with orders that powers give this mechanic."""
        due, calendar = part.columns.due, self.variant.calendar
        if due is None or not part.columns.asked:
            return False
        phases = phases_until(self.variant, last_year(self.variant, None))
        return any(due(calendar.season(phase)) for phase in phases if phase.kind is PhaseKind.ADJUSTMENTS)

    def __len__(self) -> int:
        return len(self.games.tally)

    @property
    def over(self) -> bool:
        """True if all games have been won."""
        return bool(self.games.tally[:, WINNER].all())

    def draw(self) -> None:
        """Let the players set legal orders for this phase.

        Random players draw each unit's orders with equal probability, and all the builds and removals that are due.
        """
        kind = KINDS.index(self.phase.kind)
        if kind == MOVES and self._players.minds:
            self._players.vote(self.games, self.memory)
        self.survey()
        self.answer_questions()
        with self._with_newcomers():
            self._draw_orders(kind)

    def answer_questions(self) -> None:
        """Answer what mechanics ask of powers in this phase, after `survey`: by the players, or by what is `given`."""
        if asking := self._asking():
            self._questions.answer(asking, self.games, self.seed, self.first, self._ask, self.given)

    def _draw_orders(self, kind: int) -> None:
        """Let the players set the orders of units, and those of Winters."""
        own = self._list_own() if self._players.thinks else None  # first, since it overwrites what is ordered
        if self._players.by_lot:
            self.code.draw(0, len(self), kind, self.seed, self.first, *self.laid)
            self.name_own_orders()
        if own is not None:
            homes = self._questions.homes(len(self.variant.board.provinces))
            chance = self.played, self.seed, self.first
            safe = self.forecast.survival(self.phase, self.tables, self.games)
            self._players.answer(self.phase, *chance, self.laid, self.memory, safe, own, homes)
            self._questions.name(self._asking(), self.games, homes, self._ask)

    def _list_own(self) -> OwnOrders:
        """Return the orders of mechanics that players think about in this phase."""
        thought = any(verb.thought for part in self.parts for verb in part.columns.verbs)
        if self.phase.kind is PhaseKind.MOVEMENT and thought:
            return list_own(self.games, self._ask)
        return no_own(self.games.orders.offers * 0)

    def survey(self) -> None:
        """Let mechanics set what units may not be ordered in this phase, and offer orders beside the regular ones."""
        g, kind = self.games, self.phase.kind
        if self.parts and kind is PhaseKind.MOVEMENT:
            self._clear(g.orders.barred, g.orders.offers, g.orders.load, g.orders.rider)
            self._ask("bars")
            self._ask("offers")
        self._survey_winter()
        for part in self._asking():
            self._ask("asks", [part])
            for column, _ in part.columns.askers:
                self.note_asked(g.kept[:, part.first + column] > 0)

    def note_asked(self, asked: Array) -> None:
        """Note that powers are asked something in these games, a mask, for all phases in which it is counted."""
        self._asked |= asked & (self.games.tally[:, WINNER] == 0)

    def _survey_winter(self) -> None:
        """Let mechanics set what may be built and removed, if this is a Winter."""
        g = self.games
        if self.parts and self.phase.kind is PhaseKind.ADJUSTMENTS:
            self._clear(g.powers.barren, g.orders.barred, g.units.far, g.lands.room)
            g.lands.room[self._going] += 1
            self._feed()
            self._ask("before_winter")

    @contextmanager
    def _with_newcomers(self) -> Iterator[None]:
        """Put reinforcements of this Winter on the board while the builds are drawn, and take them off again."""
        coming = [part for part in self._asking() if part.columns.more and self.phase.kind is PhaseKind.ADJUSTMENTS]
        if not coming:
            yield
            return
        kept, counts = self.games.kept.copy(), self.games.tally[:, COUNT].copy()
        self._carry_out_own(coming)
        self._survey_winter()
        yield
        self.games.kept[:], self.games.tally[:, COUNT] = kept, counts

    def _nowhere(self) -> Array:
        """Return False for each game."""
        import numpy as np

        return np.zeros(len(self), np.bool_)

    def _asking(self) -> list[Part]:
        """Return the mechanics that powers give orders of their own in this phase."""
        return asking_parts(self.parts, self.phase.kind)

    def _feed(self) -> None:
        """Let mechanics set what powers can feed beside their centres."""
        self._clear(self.games.powers.fed, self.games.powers.free)
        self._ask("feeds")

    def _clear(self, *columns: Array) -> None:
        """Set these columns of the games that are played to 0."""
        for column in columns:
            column[self._going] = 0

    def name_own_orders(self) -> None:
        """Put those orders of mechanics into columns whose numbers are drawn."""
        if self.phase.kind is PhaseKind.MOVEMENT:
            self._ask("choose")

    def carry_out(self) -> None:
        """Carry out the orders of this phase, and go on to the next of the calendar."""
        if self.phase.kind is PhaseKind.MOVEMENT and self._players.minds:
            self._players.note(self.laid, self.memory)
        if self.phase not in self._ends:
            self._ends[self.phase] = end_of(self.variant, self.phase), self.variant.calendar.next(self.phase)
        end, following = self._ends[self.phase]
        kind = end.kind
        if kind == MOVES and self.parts:
            self._ask("before_moves")
            self._step(FORESEE, end)
            self._ask("adjust_problem")
        hook = {MOVES: "after_moves", RETREATS: "after_retreats"}.get(kind, "")
        leaves = not self._rules(hook)
        if kind == WINTER:
            self._carry_out_own(self._asking())
        asked = (self._asked & (self.games.tally[:, WINNER] == 0)).nonzero()[0] if self._asked.any() else []
        played = self.games.tally[asked, PHASES] + 1
        self.code.carry_out(0, len(self), leaves, not self.parts, end, *self.laid)
        if not leaves:
            self._ask(hook)
            self._step(LEAVE, end)
        self.games.tally[asked, PHASES] = self.games.tally[asked, PHASES].clip(min=played)
        if kind == RETREATS:
            self._carry_out_own(self._asking())
        if self.parts:
            self._go_on(end)
        if kind == WINTER:
            self.winters += 1
            self._date_tables()
        self.phase = following
        self.played += 1
        self._asked[self._going] = False
        self._begin()
        if self.parts:  # without mechanics those who own centres never lose all of them together
            self._feed()
            self._step(REMAIN, end)

    def _date_tables(self) -> None:
        """Set the sites in the tables to those after this number of Winters."""
        if any(part.columns.dated for part in self.parts):
            if self.winters not in self._dated:
                sites = sites_of(self.rules, dated_state(self.rules, self.winters))
                self._dated[self.winters] = self.tables._replace(sites=sites)
            self.tables = self._dated[self.winters]

    def _carry_out_own(self, parts: Sequence[Part]) -> None:
        """Let mechanics carry out the orders that powers give them in this phase."""
        for part in parts:
            self._ask("carry_out", [part])
            self._close()

    def _go_on(self, end: End) -> None:
        """Conclude a phase, asking the mechanics."""
        early = [p for p in self.parts if isinstance(p.mechanic, YearMechanic) and p.mechanic.counts_first]
        late = [part for part in self.parts if part not in early]
        self._ask("after_winter" if end.kind == WINTER else "after_movement")
        if end.kind != WINTER and self._rules("after_movement"):
            self._step(CLOSE, end)
        if not (end.counts or end.kind == WINTER):
            return
        for step, asked in ((SETTLE, early), (WEIGH, late), (CONCLUDE, [])):
            if step == CONCLUDE:
                self._feed()
            self._step(step, end)
            for part in asked if end.counts else ():
                if part.columns.after_count:
                    self._ask("after_count", [part])
                    self._step(CLOSE, end)

    def _begin(self) -> None:
        """Begin a phase with the dice that mechanics throw in it, and with what is due then."""
        season = self.variant.calendar.season(self.phase)
        for part in self.parts:
            if part.columns.stormy and part.columns.stormy(season):
                self._clear(self.games.orders.fell)
                self._ask("throws", [part])
                self._throw(part.columns)
                self._ask("storm", [part])
                self._close()
            if part.columns.due and (due := part.columns.due(season)):
                self._ask("begins", [with_arrays(part, due)])
                self._close()

    def _throw(self, columns: Columns) -> None:
        """Throw the dice for the units that are marked, as the table would."""
        g, transcript = self.games, self.transcript
        g.orders.fell[g.tally[:, WINNER] != 0] = 0
        for i, r in zip(*g.orders.fell.nonzero(), strict=True):
            unit, dice = transcript.unit(i, r), Dice(self.key(i))
            g.orders.fell[i, r] = 1 + dice.below(columns.sides, self.phase.code, columns.clause, f"{unit.power} {unit}")

    def _close(self) -> None:
        """Take off who is gone, and take in who comes."""
        self._step(CLOSE, End(MOVES, 0, False, False, False, 0, 0))

    def _step(self, step: int, end: End) -> None:
        self.code.conclude(0, len(self), step, end, *self.laid)

    def _rules(self, hook: str) -> list[Rule]:
        """Return the rules that mechanics have at this point."""
        return [rule for part in self.parts if hook and (rule := getattr(part.columns, hook))]

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

    # -- one game ----------------------------------------------------------------------------------------------------

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

    def position(self, i: int) -> Position:
        """Return the position of the game at this place in the batch, from 0."""
        return self.transcript.position(i, self.winters)

    def orders(self, i: int) -> dict[str, list[Order]]:
        """Return the orders set in a game of the batch, by power; in a phase of movement only units' of powers."""
        return self.transcript.orders(i, self.phase.kind)

    def order_of(self, i: int, row: int, answer: tuple[int, int, int]) -> list[Order]:
        """Return the orders of an answer in `choices.Choices`: `verb`, `to` and `about`, for a unit in this row.

        An answer that does nothing gives no order.  The orders set in the game are lost.
        """
        g, kind, (verb, to, about) = self.games, self.phase.kind, answer
        if verb == ASKED:
            return self._said(i, to, about)
        if verb == WAIVED and kind is PhaseKind.ADJUSTMENTS:
            return []
        row = row or 1  # in Winter orders have no rows
        set_order(self.game(i).orders, row, verb, to, about)
        if verb == REMOVE:
            along = g.orders.barred[i, about] & NO_REMOVAL and about in self._carriers(i)
            g.orders.to[i, row], g.orders.load[i, row] = -1, WHOLE if to == WHOLE or along else 0
        self.name_own_orders()
        return self.transcript.orders_of_row(i, row, kind)[1]

    def _carriers(self, i: int) -> list[int]:
        """Return the rows of a game's units that carry others."""
        numbers = self.games.units.aboard[i]
        return [r for r, number in enumerate(self.games.units.number[i]) if number and number in numbers]

    def _said(self, i: int, answer: int, column: int) -> list[Order]:
        """Return the order that answers the question in this column of `kept`."""
        for part in self._asking():
            if any(part.first + at == column for at, _ in part.columns.askers) and part.columns.says and answer:
                kept = self.games.kept.copy()
                for at, _ in part.columns.askers:
                    self.games.kept[i, part.first + at] = answer if part.first + at == column else 0
                self._ask("settle", [part])
                said = part.columns.says(self.games.kept[i, part.first : part.last])
                self.games.kept[:] = kept
                return [order for _, order in said]
        return []

    def is_played(self, i: int) -> bool:
        """Return whether there is anything to do in this phase of a game, once orders are drawn.

        If not, the game skips it.

        Questions of mechanics to a power count, too. A game that has been won is not continued.
        """
        kind, tally = self.phase.kind, self.games.tally[i]
        if tally[WINNER]:
            return False
        if kind is PhaseKind.MOVEMENT or self._asked[i]:
            return True
        if kind is PhaseKind.ADJUSTMENTS:
            return bool(tally[ORDERS])
        silent = self.silent(i)
        return any(beaten.retreats for beaten in self.position(i).dislodged if beaten.unit.power not in silent)

    def silent(self, i: int) -> tuple[str, ...]:
        """Return the powers of a game of the batch that give no orders any more."""
        return self.transcript.silent(i)

    def winner(self, i: int) -> str:
        """Return the power that has won a game of the batch, empty if none has, or several have."""
        return self.transcript.powers[max(0, int(self.games.tally[i, WINNER]))]

    def winners(self, i: int) -> tuple[str, ...]:
        """Return the powers that have won a game of the batch: one, or several that share it; none if nobody has.

        The survivors share a draw.
        """
        if self.games.tally[i, WINNER] == DRAWN:
            fallen = self.games.powers.fallen[i, 1:]
            return tuple(name for name, gone in zip(self.transcript.powers[1:], fallen, strict=True) if not gone)
        if self.games.tally[i, WINNER] != SHARED:
            return (self.winner(i),) if self.winner(i) else ()
        see_last(len(self.variant.powers), self.game(i), self.scratch)
        leads = self.scratch.claims.leads
        lead(self.scratch.claims.weights, leads)
        return tuple(name for name, first in zip(self.transcript.powers, leads, strict=True) if first)


def end_of(variant: Variant, phase: Phase) -> End:
    """Return what is counted at the end of a phase."""
    turn, lead = variant.calendar.turn(phase), variant.victory.lead
    needed, last = lead.needed(turn) if lead else 0, last_ones_at(variant, phase)
    counts, ways = variant.calendar.counts(phase), winning_counts(variant, phase)
    return End(KINDS.index(phase.kind), 1 + turn, counts, *ways, needed, last)


def key_of(seed: int, number: int) -> bytes:
    """Return the seed of the dice of a game, by its number."""
    return seed_of(seed << 32 | number)


def phases_until(variant: Variant, last: int) -> Iterator[Phase]:
    """Yield the phases of a variant to the end of a year."""
    phase = variant.calendar.first
    while phase.year <= last:
        yield phase
        phase = variant.calendar.next(phase)
