"""Many games of one variant in lock step, by machine code: orders are drawn, or set from outside, and carried out.

Needs the extra `fast`.  The first batch ever played waits for the compiler, about a minute; the code is
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
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from gamesmaster.batches.chance import MASK
from gamesmaster.batches.heuristic.noise import Whims
from gamesmaster.batches.heuristic.own import list_own, no_own
from gamesmaster.batches.heuristic.perils import Perils
from gamesmaster.batches.heuristic.questions import Questions
from gamesmaster.batches.heuristic.table import Table, seats_of
from gamesmaster.batches.mechanics import (
    Part,
    dated_state,
    newcomers,
    parts_of,
    rules_in_batch,
    state_of,
    with_arrays,
)
from gamesmaster.batches.room import most_units, room_for
from gamesmaster.batches.state import (
    BEATEN,
    BUILD,
    CLOSE,
    CONCLUDE,
    COUNT,
    DISBAND,
    FORESEE,
    KINDS,
    LEAVE,
    MOVES,
    ORDERS,
    PHASES,
    REMAIN,
    REMOVE,
    RETREAT,
    RETREATS,
    SETTLE,
    SHARED,
    STANDS,
    UNASKED,
    VIA,
    WEIGH,
    WHOLE,
    WINNER,
    WINTER,
    End,
    Game,
    game_at,
)
from gamesmaster.batches.tables import sites_of, steps_of, tables_of
from gamesmaster.batches.years import open_to, see_last
from gamesmaster.board import Dislodged, Position, Unit
from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Dice, season_of
from gamesmaster.game.progress import winning_counts
from gamesmaster.judge import Columns, YearMechanic
from gamesmaster.judge.columns import OWN
from gamesmaster.judge.engine import kernel, lead
from gamesmaster.judge.engine.problem import fast
from gamesmaster.judge.legal import ashore_verb, convoy_verb
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players import last_year, seed_of
from gamesmaster.variant import Phase, Variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamesmaster.batches.choices import Choices
    from gamesmaster.batches.code import Code
    from gamesmaster.judge.columns import Rule

    Array = NDArray[Any]


_VERBS = {
    kernel.HOLD: Verb.HOLD,
    kernel.MOVE: Verb.MOVE,
    kernel.SUPPORT: Verb.SUPPORT,
    kernel.CONVOY: Verb.CONVOY,
    VIA: Verb.MOVE,
    RETREAT: Verb.RETREAT,
    DISBAND: Verb.DISBAND,
    BUILD: Verb.BUILD,
    REMOVE: Verb.REMOVE,
}


class Batch:
    """Games `first` to `first + games` - 1 under one seed, all in the same phase.

    A game that somebody has won is not played on.  `seats` names who plays each power, in the variant's order:
    "random", who draws by lot, as all do if it is left out; "holder", who does nothing; "heuristic", who plays as
    `players.Heuristic` does with these `whims`.  If they are `turning`, each sits a power further with each game; in
    game number 0 they sit where they are named.  `games` are the columns of all, `tables` the board's; whoever sets
    orders there himself must set lawful ones: machine code trusts its numbers.  `keys` gives the seed of each game's
    dice, by its number; they are made from `seed` if it is left out.

    Raises `GamesmasterError` if the variant is none that `supports` allows, or has mechanics that players who think do
    not reckon with, for numbers or a seed beyond 32 bits, for more or fewer seats than powers, or unknown players, and
    if Numba or NumPy is not installed.
    """

    def __init__(
        self,
        variant: Variant,
        games: int,
        *,
        seed: int,
        first: int = 0,
        seats: Sequence[str] = (),
        turning: bool = False,
        keys: Callable[[int], bytes] | None = None,
    ) -> None:
        if games < 1 or first < 0 or first + games - 1 > MASK or not 0 <= seed <= MASK:
            raise GamesmasterError("a batch has at least one game; seed and numbers of games are of 32 bits")
        self.variant, self.seed, self.first = variant, seed, first
        self.tables = tables_of(variant)
        self.code: Code = fast("gamesmaster.batches.code").machine_code()
        self.phase: Phase = variant.calendar.first
        self.rules, self.winters = rules_in_batch(variant), 0
        self.parts = tuple(with_arrays(part, part.columns.table) for part in parts_of(self.rules))
        thinks = not {"random", "holder"}.issuperset(seats)
        if thinks and (rash := next((part.mechanic.id for part in self.parts if not self._is_foreseen(part)), "")):
            raise GamesmasterError(
                f"players in batches do not reckon with {rash}", hint="let it be random, or holder", where=variant.id
            )
        rows = most_units(variant, self.tables) + 1
        self.games, self.scratch = room_for(variant, self.tables, games, rows)
        self.played, self._asked = 0, self._nowhere()
        perils = Perils(variant, self.parts, games, partial(room_for, variant, self.tables, games))
        seated = seats_of(variant, games, first, seats, turning)
        self._table = Table(variant, self.tables, rows, seated, perils)
        self._questions = Questions(seated, self._ask)
        self._powers = ("", *(power.name for power in variant.powers))
        self._keys = keys or partial(key_of, seed)

    def _is_foreseen(self, part: Part) -> bool:
        """Do players who think know all that this mechanic has to do with?  Not who comes before they build."""
        due, calendar = part.columns.due, self.variant.calendar
        for phase in phases_until(self.variant, last_year(self.variant, None)) if due and part.columns.asked else ():
            if phase.kind is PhaseKind.ADJUSTMENTS and due and due(season_of(calendar, phase)):
                return False
        return part.columns.foreseen

    def __len__(self) -> int:
        return len(self.games.tally)

    @property
    def over(self) -> bool:
        """Has somebody won each of the games?"""
        return bool(self.games.tally[:, WINNER].all())

    def draw(self) -> None:
        """Let the players set lawful orders for this phase.

        By lot each unit's are equally likely, and all the builds and removals that are due are drawn.
        """
        kind = KINDS.index(self.phase.kind)
        self.survey()
        self._questions.answer(self._asking(), self.games, self.seed, self.first)
        with self._with_newcomers():
            self._draw_orders(kind)

    def _draw_orders(self, kind: int) -> None:
        """Let the players set orders to units, and for Winters."""
        own = no_own(self.games.offers * 0)
        if self._table.thinks and kind == MOVES and any(part.columns.thinks for part in self.parts):
            own = list_own(self.games, self._ask)
        homes = self._questions.homes(len(self.variant.board.provinces))
        if self._table.by_lot:
            self.code.draw(0, len(self), kind, self.seed, self.first, self.tables, self.games, self.scratch)
            self.name_own_orders()
        if self._table.thinks:
            chance = self.played, self.seed, self.first
            self._table.answer(self.phase, *chance, self.tables, self.games, self.scratch, own, homes)
            self._questions.name(self._asking(), self.games, homes)

    def choices(self) -> Choices:
        """What may be ordered in this phase, as arrays; the first time waits for the compiler.

        An order that only a mechanic knows has `judge.columns.DRAWN` as its verb, and a number in `to`.

        Raises `GamesmasterError` where some units cost nothing, since what may be built then hangs on what else is, and
        where powers give mechanics orders of their own.
        """
        if any(part.columns.spares for part in self.parts):
            raise GamesmasterError("there are no choices where units cost nothing", where=self.variant.id)
        if asking := next((part.mechanic.id for part in self.parts if part.columns.asks), ""):
            raise GamesmasterError(f"there are no choices of what {asking} asks", where=self.variant.id)
        self.survey()
        kind, choices = KINDS.index(self.phase.kind), fast("gamesmaster.batches.choices")
        waives = self.rules.rulebook.waive_builds == "allowed"
        listed: Choices = choices.list_choices(kind, waives, self.tables, self.games, self.scratch)
        return listed

    def choose(self, answers: Array, choices: Choices) -> None:
        """Set the orders of all powers in this phase: `answers`, of shape (games, slots), number them in its `choices`.

        Raises `GamesmasterError` for answers that are not legal, or of a Winter that contradict one another; then the
        phase must be given other orders before it is carried out.
        """
        kind, module = KINDS.index(self.phase.kind), fast("gamesmaster.batches.choices")
        module.set_orders(answers, choices, kind, self.tables, self.games, self.scratch)
        self.name_own_orders()

    def survey(self) -> None:
        """Let mechanics say what may not be ordered in this phase, and what may be beside the regular orders."""
        g, kind = self.games, self.phase.kind
        if self.parts and kind is PhaseKind.MOVEMENT:
            g.barred[:] = g.offers[:] = g.load[:] = g.rider[:] = 0
            self._ask("bars")
            self._ask("offers")
        self._survey_winter()
        for part in self._asking():
            self._ask("asks", [part])
            for column, _ in part.columns.askers:
                self._asked |= (g.kept[:, part.first + column] > 0) & (g.tally[:, WINNER] == 0)

    def _survey_winter(self) -> None:
        """Let mechanics say what may be built and removed, if this is a Winter."""
        g = self.games
        if self.parts and self.phase.kind is PhaseKind.ADJUSTMENTS:
            g.barren[:] = g.barred[:] = 0
            g.room[:] = 1
            g.far[:] = 0
            self._feed()
            self._ask("before_winter")

    @contextmanager
    def _with_newcomers(self) -> Iterator[None]:
        """Let those units be on the board for a while that are to come this Winter, before anything is built."""
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
        """Of each game: no."""
        import numpy as np

        return np.zeros(len(self), np.bool_)

    def _asking(self) -> list[Part]:
        """The mechanics that powers give orders of their own in this phase."""
        return [part for part in self.parts if self.phase.kind in part.columns.asked]

    def _feed(self) -> None:
        """Let mechanics say what powers can feed beside their centres."""
        self.games.fed[:] = self.games.free[:] = 0
        self._ask("feeds")

    def name_own_orders(self) -> None:
        """Put those orders of mechanics into columns whose numbers are drawn."""
        if self.phase.kind is PhaseKind.MOVEMENT:
            self._ask("choose")

    def carry_out(self) -> None:
        """Carry out the orders of this phase, and go on to the next of the calendar."""
        calendar, kind, phase = self.variant.calendar, KINDS.index(self.phase.kind), self.phase
        end = End(kind, 1 + calendar.turn(phase), calendar.counts(phase), *winning_counts(self.variant, phase))
        if kind == MOVES and self.parts:
            self._ask("before_moves")
            self._step(FORESEE, end)
            self._ask("adjust_problem")
        hook = {MOVES: "after_moves", RETREATS: "after_retreats"}.get(kind, "")
        leaves = not self._rules(hook)
        if kind == WINTER:
            self._carry_out_own(self._asking())
        played = self.games.tally[:, PHASES] + self._asked
        self.code.carry_out(0, len(self), leaves, not self.parts, end, self.tables, self.games, self.scratch)
        if not leaves:
            self._ask(hook)
            self._step(LEAVE, end)
        self.games.tally[:, PHASES] = self.games.tally[:, PHASES].clip(min=played)
        if kind == RETREATS:
            self._carry_out_own(self._asking())
        if self.parts:
            self._go_on(end)
        if kind == WINTER:
            self.winters += 1
            if any(part.columns.dated for part in self.parts):
                sites = sites_of(self.rules, dated_state(self.rules, self.winters))
                self.tables = self.tables._replace(**sites)
        self.phase = calendar.next(self.phase)
        self.played += 1
        self._asked = self._nowhere()
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
        season = season_of(self.variant.calendar, self.phase)
        for part in self.parts:
            if part.columns.stormy and part.columns.stormy(season):
                self.games.fell[:] = 0
                self._ask("throws", [part])
                self._throw(part.columns)
                self._ask("storm", [part])
                self._close()
            if part.columns.due and (due := part.columns.due(season)):
                self._ask("begins", [with_arrays(part, due)])
                self._close()

    def _throw(self, columns: Columns) -> None:
        """Throw the dice for the units that are marked, as the table would."""
        g = self.games
        g.fell[g.tally[:, WINNER] != 0] = 0
        for i, r in zip(*g.fell.nonzero(), strict=True):
            unit, dice = self._unit(i, r), Dice(self.key(i))
            g.fell[i, r] = 1 + dice.below(columns.sides, self.phase.code, columns.clause, f"{unit.power} {unit}")

    def _close(self) -> None:
        """Take off who is gone, and take in who comes."""
        self._step(CLOSE, End(MOVES, 0, False, False, False))

    def _step(self, step: int, end: End) -> None:
        self.code.conclude(0, len(self), step, end, self.tables, self.games, self.scratch)

    def _rules(self, hook: str) -> list[Rule]:
        """The rules that mechanics have at this point."""
        return [rule for part in self.parts if hook and (rule := getattr(part.columns, hook))]

    def _ask(self, hook: str, parts: Sequence[Part] | None = None) -> None:
        asked, ask = self.parts if parts is None else parts, fast("gamesmaster.batches.code").ask
        ask(hook, asked, self.parts, self.tables, self.games, self.scratch)

    # -- one game, in the judge's words ------------------------------------------------------------------------------

    def key(self, i: int) -> bytes:
        """The seed of the dice of the game at this place, as `Game.start` takes it."""
        return self._keys(self.first + i)

    def game(self, i: int) -> Game:
        """The columns of the game at this place in the batch, from 0."""
        return game_at(self.games, i)

    def whims(self, i: int, power: str) -> Whims:
        """The chance of a power's player in the phase being played, as a player at the table would have it."""
        return Whims(self.seed, self.first + i, self._table.first_whim(self.played, self._powers.index(power)))

    def position(self, i: int) -> Position:
        """The position of the game at this place in the batch, from 0."""
        g, n = self.games, range(1, self.games.tally[i, COUNT] + 1)
        provinces = self.variant.board.provinces
        units = tuple(self._unit(i, r) for r in n)
        owners = {provinces[p].id: self._powers[holder] for p, holder in enumerate(g.holder[i]) if holder}
        beaten = tuple(self._dislodged(i, r) for r in range(1, g.tally[i, BEATEN] + 1))
        spans = {int(g.number[i, r]): int(g.span[i, r]) for r in n if g.span[i, r]}
        return Position(units, owners, beaten, state_of(self.rules, self.parts, self.winters, g.kept[i], spans))

    def orders(self, i: int) -> dict[str, list[Order]]:
        """The orders set in a game of the batch, by power; in a phase of movement only units' of powers."""
        found: dict[str, list[Order]] = {power: [] for power in self._powers[1:]}
        g, kind, silent = self.games, self.phase.kind, self.silent(i)
        count = {PhaseKind.MOVEMENT: COUNT, PhaseKind.RETREATS: BEATEN, PhaseKind.ADJUSTMENTS: ORDERS}[kind]
        for r in range(1, g.tally[i, count] + 1):
            power, orders = self._orders(i, r)
            if power and power not in silent:
                found[power] += orders
        if kind is PhaseKind.ADJUSTMENTS:  # those aboard go before their carriers, with whichever the judge begins
            base, last = self.variant.board.base, self.rules.rulebook.excess_removals == "last"
            for orders in found.values():
                orders.sort(key=lambda order: (order.kind == base(order.of_kind)) - (order.of_kind != ""))
                if last and orders and orders[0].verb is Verb.REMOVE:
                    orders.reverse()
        for part in self._asking():
            for power, order in part.columns.says(g.kept[i, part.first : part.last]) if part.columns.says else ():
                found[power].append(order)
        return found

    def is_asked(self, i: int) -> bool:
        """Do mechanics ask anything of a power in this phase of a game, once orders are drawn?"""
        return bool(self._asked[i])

    def silent(self, i: int) -> tuple[str, ...]:
        """The powers of a game of the batch that give no orders any more."""
        return tuple(power for power, silent in zip(self._powers, self.games.silent[i], strict=True) if silent)

    def winner(self, i: int) -> str:
        """The power that has won a game of the batch, empty if none has, or several have."""
        return self._powers[max(0, int(self.games.tally[i, WINNER]))]

    def winners(self, i: int) -> tuple[str, ...]:
        """The powers that have won a game of the batch: one, or several that share it; none if nobody has."""
        if self.games.tally[i, WINNER] != SHARED:
            return (self.winner(i),) if self.winner(i) else ()
        see_last(self.tables, self.game(i), self.scratch)
        lead(self.scratch.weights, self.scratch.leads)
        return tuple(name for name, first in zip(self._powers, self.scratch.leads, strict=True) if first)

    def _place(self, stance: int) -> tuple[str, Any]:
        board = self.variant.board
        kind, location = divmod(int(stance), len(board.locations))
        return tuple(board.ways)[kind], board.locations[location]

    def _unit(self, i: int, r: int) -> Unit:
        g = self.games
        kind, at = self._place(g.stance[i, r])
        return Unit(int(g.number[i, r]), kind, self._power(g.number[i, r], g.owner[i, r]), at, int(g.aboard[i, r]))

    def _power(self, number: int, owner: int) -> str:
        """Whose a unit is, by name."""
        return self._powers[owner] or self._nobodies.get(int(number), self._newcomer)

    @cached_property
    def _nobodies(self) -> dict[int, str]:
        """The names that the units of no power go by, by their numbers, of those there at the start."""
        return {unit.number: unit.power for unit in self.variant.start.units if unit.power not in self._powers}

    @cached_property
    def _newcomer(self) -> str:
        """The name of those of no power who come later."""
        return next(iter(newcomers(self.rules)), "")

    def _dislodged(self, i: int, r: int) -> Dislodged:
        g, t, board = self.games, self.tables, self.variant.board
        stance, origin = g.lost_flees[i, r], g.lost_from[i, r]
        steps = steps_of(t, g.lost_owner[i, r], stance)
        flees, game = t.flees[t.flees_at[steps] : t.flees_at[steps + 1]], self.game(i)
        retreats = tuple(self._place(to)[1] for to in flees if open_to(t, game, r, to))
        power = self._power(g.lost_number[i, r], g.lost_owner[i, r])
        kind, at = self._place(g.lost_stance[i, r])
        unit = Unit(int(g.lost_number[i, r]), kind, power, at)
        return Dislodged(unit, board.provinces[origin].id, retreats)

    def _order(self, i: int, r: int) -> tuple[str, Order]:
        """The power that gives order r, and the order."""
        g = self.games
        code, to, about = g.verb[i, r], g.to[i, r], g.about[i, r]
        goal = self._place(to)[1] if to >= 0 else None
        verb = convoy_verb(self.rules) if code == kernel.CONVOY else _VERBS[code]
        if code == BUILD:
            return self._powers[about], Order(verb, *self._place(to))
        if code == REMOVE:
            return self._powers[g.owner[i, about]], self._removal(i, about, int(g.load[i, r]))
        if code in (RETREAT, DISBAND):
            return self._powers[g.lost_owner[i, r]], Order(verb, *self._place(g.lost_stance[i, r]), goal)
        kind, at = self._place(g.stance[i, r])
        if not about:
            return self._powers[g.owner[i, r]], Order(verb, kind, at, goal, via=bool(code == VIA))
        of_kind, of = self._place(g.stance[i, about])
        power, doing = self._whose(i, r, about), None
        if g.aboard[i, about]:
            of_kind, doing = self._carrier(i, about).kind, ashore_verb(self.rules)
        return self._powers[g.owner[i, r]], Order(verb, kind, at, goal, of, of_kind, power, doing=doing)

    def _whose(self, i: int, r: int, other: int) -> str:
        """Whose the unit is that an order is about, where that must be said: where several lie together."""
        g = self.games
        said = self.tables.shared[self.tables.place[g.stance[i, other]]] and g.owner[i, r] != g.owner[i, other]
        return self._power(g.number[i, other], g.owner[i, other]) if said else ""

    def _carrier(self, i: int, r: int) -> Unit:
        """The unit that carries the one of a row."""
        return self._unit(i, self.games.number[i].tolist().index(self.games.aboard[i, r], 1))

    def _removal(self, i: int, r: int, load: int) -> Order:
        """The removal of a unit, which may be one that is carried, or carries, with its load or without."""
        unit, board = self._unit(i, r), self.variant.board
        if load & (WHOLE | STANDS):
            return Order(Verb.REMOVE, unit.kind, unit.at)
        pair = self._carrier(i, r).kind if unit.aboard else ""
        if unit.kind in board.forms and board.forms[unit.kind].cargo:
            pair = unit.kind
        return Order(Verb.REMOVE, board.base(unit.kind) if pair else unit.kind, unit.at, of_kind=pair)

    def _orders(self, i: int, r: int) -> tuple[str, list[Order]]:
        """The power that gives order r, and the order, or orders if a mechanic has something to say of it."""
        g, movement = self.games, self.phase.kind is PhaseKind.MOVEMENT
        if movement and g.aboard[i, r] and g.verb[i, r] == kernel.HOLD:
            return "", []  # who is aboard holds without an order
        if self.phase.kind is PhaseKind.ADJUSTMENTS and g.load[i, r] & UNASKED:
            return "", []
        if movement and g.verb[i, r] == kernel.HOLD and g.load[i, r] == UNASKED:
            return "", []  # the order of another speaks for both
        if not movement or (g.verb[i, r] < OWN and not g.rider[i, r]):
            power, order = self._order(i, r)
            return power, [order]
        goal = self._place(g.to[i, r])[1] if g.to[i, r] >= 0 else None
        unit = self._unit(i, r)
        verb, load, rider = (int(column[i, r]) for column in (g.verb, g.load, g.rider))
        found = [self._order(i, r)[1]] if verb < OWN and verb != kernel.HOLD else []
        for part in self.parts:
            if orders := part.columns.orders:
                found += orders(unit, verb, goal, load, rider, g.kept[i, part.first : part.last].tolist())
        return unit.power, found


def key_of(seed: int, number: int) -> bytes:
    """The seed of the dice of a game, by its number."""
    return seed_of(seed << 32 | number)


def phases_until(variant: Variant, last: int) -> Iterator[Phase]:
    """The phases of a variant to the end of a year."""
    phase = variant.calendar.first
    while phase.year <= last:
        yield phase
        phase = variant.calendar.next(phase)
