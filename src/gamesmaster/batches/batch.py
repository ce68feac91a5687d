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

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gamesmaster.batches.group import GameGroup
from gamesmaster.batches.heuristic.own import list_own, no_own
from gamesmaster.batches.mechanics import Part, asking_parts, with_arrays
from gamesmaster.batches.state import (
    ASKED,
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
    set_order,
)
from gamesmaster.batches.years import see_last
from gamesmaster.board import Position
from gamesmaster.engine import lead
from gamesmaster.game import Dice, last_ones_at, winning_counts
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.rules import NO_REMOVAL, Columns, YearMechanic
from gamesmaster.variant import Phase, Variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamesmaster.batches.heuristic.context import OwnOrders
    from gamesmaster.rules import Rule

    Array = NDArray[Any]


class Batch(GameGroup):
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

    @property
    def asks_powers(self) -> bool:
        """True if powers give orders of their own to mechanics in this phase."""
        return bool(self._asking())

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

    def _asking(self) -> list[Part]:
        """Return the mechanics that powers give orders of their own in this phase."""
        return asking_parts(self.parts, self.phase.kind)

    def _feed(self) -> None:
        """Let mechanics set what powers can feed beside their centres."""
        self._clear(self.games.powers.fed, self.games.powers.free)
        self._ask("feeds")

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

    def _rules(self, hook: str) -> list[Rule]:
        """Return the rules that mechanics have at this point."""
        return [rule for part in self.parts if hook and (rule := getattr(part.columns, hook))]

    # -- one game ----------------------------------------------------------------------------------------------------

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
