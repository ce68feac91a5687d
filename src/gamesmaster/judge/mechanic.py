"""Mechanics: what a variant changes in the regular rules, and the points at which the judge asks for it.

A mechanic is a value with typed parameters; its own state lies in `Position.state` under its id.  Each hook here is
asked at one named point of the way of the data and changes nothing unless a mechanic overrides it, so that the regular
game is the same sequence of hooks with no mechanic installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from gamesmaster.board import Board, Finding, Position, Unit
from gamesmaster.judge.ruling import PLAIN, Aspect, Cause, Clauses, Result, Saying
from gamesmaster.orders import Order, PhaseKind, Verb

if TYPE_CHECKING:
    from gamesmaster.judge.binding import Bound
    from gamesmaster.judge.clerk import Clerk
    from gamesmaster.judge.draft import Draft
    from gamesmaster.judge.field import Field
    from gamesmaster.judge.kernel import Rows
    from gamesmaster.judge.ledger import Ahead, Entry
    from gamesmaster.judge.legal import LegalOrders
    from gamesmaster.judge.movement import Movement
    from gamesmaster.judge.rules import Rules

Sites = Mapping[str, frozenset[str]]
"""Where a power may build: empty provinces in order, each with the kinds of unit that may be built there."""

Throw = Callable[[int, str, str], int]
"""Throws a die: how many sides it has, for which clause, for what; a number from 1."""


class Happening(NamedTuple):
    """Something that befell a power without an order: a word for its kind, the power, where, and who else."""

    word: str
    power: str
    province: str = ""
    of: str = ""


class Season(NamedTuple):
    """A phase as mechanics know it: the season's name, the year, the turn (from 0), and what kind of phase it is.

    `also` are the season's other names.
    """

    name: str
    year: int
    turn: int
    kind: PhaseKind
    also: tuple[str, ...] = ()

    def called(self, names: Iterable[str]) -> bool:
        """Does one of these names mean it: `Summer`, or, with the kind of phase, `Spring retreats`?"""
        own = [name.casefold() for name in (self.name, *self.also)]
        wanted = {name.casefold() for name in names}
        return not wanted.isdisjoint((*own, *(f"{name} {self.kind.value}" for name in own)))


class Verdict(NamedTuple):
    """What a mechanic decides on one order: the result, why, by whose doing, and the unit it was for."""

    result: Result
    cause: Cause
    by: tuple[Unit, ...] = ()
    unit: Unit | None = None


Verdicts = Mapping[tuple[str, int], Verdict]
"""Decisions by power and the number of the order among those it gave, from 0."""


class Instructed(NamedTuple):
    """What comes of orders that a mechanic carries out by itself: the position, what befell, and the decisions."""

    position: Position
    verdicts: Verdicts = MappingProxyType({})
    happened: tuple[Happening, ...] = ()


class Case(NamedTuple):
    """What is known of a ruling when its reason is put into words.

    `orders` is what units carry out in a movement phase, by their numbers.  `unit` stands as the phase found it.
    """

    rules: Rules
    position: Position
    kind: PhaseKind
    power: str
    unit: Unit | None
    order: Order | None
    given: str
    result: Result
    cause: Cause
    by: tuple[Unit, ...] = ()
    dislodged_by: Unit | None = None
    orders: Mapping[int, Order] = MappingProxyType({})


class Mechanic:
    """One thing that a variant has and the regular game has not."""

    id: ClassVar[str] = ""
    """Its name in `variant.toml`, and the key of its state."""

    several: ClassVar[bool] = False
    """May a variant have it more than once, each time with other parameters?  Then it keeps no state."""

    kept: ClassVar[Any] = None
    """The type of its state (`judge.states`), by which what comes from a file is checked; None if it keeps none."""

    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType({})
    """Which of its parameters name something, and what: a variant that names what there is not is refused.

    A parameter may be a text, or hold texts (a mapping's keys) or tables with such keys, however deep.
    """

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """What is wrong with its parameters on this board, or may be; `seasons` are those of the calendar.

        That what its parameters name exists (`names`) is seen to when a variant is read.
        """
        return iter(())

    # -- what there is -----------------------------------------------------------------------------------------------

    def fit(self, board: Board) -> Board:
        """The board with the kinds of unit and the ways of travel that this adds."""
        return board

    def kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Words for the kinds of unit it adds, by letter: `{"A/F": ("army fleet",)}`."""
        return {}

    def boats(self) -> tuple[str, ...]:
        """Words for the boats it adds, the first one as orders are printed."""
        return ()

    def nobodies(self) -> tuple[str, ...]:
        """Names for those whose units belong to no power, as orders may say them: `S Neutral W 66`."""
        return ()

    def start(self, rules: Rules, position: Position) -> Position:
        """What the start needs beyond units and owners."""
        return position

    def resumed(self, rules: Rules, winters: int, position: Position) -> Position:
        """What is to be supposed of its state in a position of which nobody says, so many Winters after the start."""
        kept = self.start(rules, position).state.get(self.id)
        return with_state(position, self.id, kept)

    def silent(self, rules: Rules, position: Position) -> Mapping[str, Cause]:
        """Powers that give no orders and agree to nothing, and why."""
        return {}

    def looks(self, rules: Rules, position: Position) -> Mapping[int, str]:
        """Units that maps show with a sign of their own: number to a word of the closed list (`pictures.Sign`)."""
        return {}

    def signs(self) -> Mapping[str, str]:
        """Signs, of the same list, for what it adds, units or things: `{"A/BB": "army-afloat", "BB": "boat"}`."""
        return {}

    def marks(self, rules: Rules, position: Position) -> Mapping[str, Sequence[str]]:
        """What maps show in provinces beside units: words of the same list, one for each thing that lies there."""
        return {}

    def ledger(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[Entry]:
        """What is published of the things it keeps, line by line, `ahead` being the phases from now on."""
        return iter(())

    def strength(self, rules: Rules, position: Position, power: str, regular: int | None) -> int | None:
        """How many units a power could feed as reckoned in the Winter just over, given how many so far.

        None if that cannot be said.
        """
        return None if regular is None else self.supply(rules, position, power, regular)

    # -- reasons -----------------------------------------------------------------------------------------------------

    def sayings(self) -> Clauses:
        """How the reasons are told that `aspect` and `befell` find, with clauses that a variant may replace."""
        return NO_SAYINGS

    def aspect(self, case: Case) -> Aspect:
        """What of the reason for a ruling this knows better than its cause tells; `PLAIN` for nothing."""
        return PLAIN

    costs: ClassVar[Mapping[str, Saying]] = MappingProxyType({})
    """What happens to whoever gives certain orders, by the word of the happening: the clause, and the end of a sentence
    that warns of it (`starves the army aboard`)."""

    def befell(self, board: Board, happening: Happening, winter: Callable[[int], str]) -> Aspect:
        """The same of an event; `winter` names the first, second ... Winter from the event's phase on.

        The `detail` is put where its sentence has `{detail}`.
        """
        return PLAIN

    # -- movement ----------------------------------------------------------------------------------------------------

    def muster(self, rules: Rules, position: Position, orders: Mapping[str, Sequence[str | Order]]) -> Instructed:
        """What happens before anything moves (armies go aboard); orders it gives a verdict on are not bound."""
        return Instructed(position)

    def draft(self, clerk: Clerk, draft: Draft) -> None:
        """Work out an order for a kind of unit at a place: a verb of its own, or a change of what the rules made of it.

        Drafts are remembered, so this knows no position; `check` does.
        """

    def check(self, field: Field, draft: Draft, row: int) -> Cause | None:
        """Why the unit of this row cannot carry an order out on this position; None if this sees nothing against it."""
        return None

    def ashore(self, field: Field, bound: Bound, draft: Draft, row: int) -> Cause | None:
        """Why the army aboard in this row cannot go ashore as ordered, all other orders being bound; None if it can."""
        return None

    def prepare(self, field: Field, bound: Bound, rows: Rows) -> None:
        """Put its facts into the rows of the problem: weights, flags, moves of those aboard."""

    def settle(self, movement: Movement, position: Position) -> Instructed:
        """Carry the outcome on into the new position: cargo follows, boats are lost, made and destroyed.

        Verdicts on bound orders are by power and number too.
        """
        return Instructed(position)

    def orders(self, legal: LegalOrders, unit: Unit) -> Iterator[Order]:
        """The lawful orders of a unit in a movement phase that this adds to the regular ones."""
        return iter(())

    def moved(self, rules: Rules, position: Position) -> tuple[Position, tuple[Happening, ...]]:
        """What becomes of the position that a phase of moves, or one of retreats, has left."""
        return position, ()

    def retreated(self, rules: Rules, before: Position, after: Position) -> tuple[Position, tuple[Happening, ...]]:
        """What becomes of the position that a phase of retreats has left: cargo follows or is lost."""
        return after, ()

    # -- the year ----------------------------------------------------------------------------------------------------

    def opened(
        self, rules: Rules, season: Season, position: Position, throw: Throw
    ) -> tuple[Position, tuple[Happening, ...]]:
        """What the beginning of a phase brings, played or not (storms).

        It is asked before it is seen whether anybody has anything to do; not of the first phase of a game, whose
        position is the start itself.
        """
        return position, ()

    def pending(self, rules: Rules, season: Season, position: Position) -> Mapping[str, int]:
        """Powers that are asked for orders of its own in this phase, and how many: then the phase is played."""
        return {}

    asks: ClassVar[tuple[str, str]] = ("a choice", "choices")
    """What `pending` asks for, in words: one, and the noun for several."""

    def choices(self, rules: Rules, season: Season, position: Position, power: str) -> Iterator[Order]:
        """The lawful orders of its own that a power may give in this phase."""
        return iter(())

    def instruct(
        self, rules: Rules, kind: PhaseKind, position: Position, orders: Mapping[str, Sequence[Order | None]]
    ) -> Instructed:
        """Carry out the orders whose verb is among `verbs`: after the retreats, or before builds and removals.

        `orders` are all, power by power, None for what is not this mechanic's.
        """
        return Instructed(position)

    verbs: ClassVar[frozenset[Verb]] = frozenset()
    """The verbs of orders that powers give it outside movement phases."""

    def count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Happening, ...]]:
        """What the year's count brings, after the owners are settled and victory by numbers has been looked at."""
        return position, ()

    counts_first: ClassVar[bool] = False
    """Is its `count` asked before victory is looked at?"""

    # -- Winter ------------------------------------------------------------------------------------------------------

    def supply(self, rules: Rules, position: Position, power: str, regular: int) -> int:
        """How many units a power can feed, given how many it could so far."""
        return regular

    def upkeep(self, rules: Rules, position: Position, power: str, units: Sequence[Unit], regular: int) -> int:
        """What these units of a power cost in supply, given what they would so far."""
        return regular

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Where a power may build, given where it might so far."""
        return regular

    def room(self, rules: Rules, position: Position, power: str, province: str, regular: int) -> int:
        """How many units a power may build in one of its sites this Winter, given how many so far."""
        return regular

    def removable(
        self, rules: Rules, position: Position, units: Sequence[Unit], owed: int, regular: Cause | None
    ) -> Cause | None:
        """Why these units, or this one of a pair, may not be removed by one order; given why not so far, None if so.

        `owed` is by how much the power's units cost more than it can feed.
        """
        return regular

    def farthest(self, rules: Rules, position: Position, power: str) -> Sequence[Unit] | None:
        """A power's units in the order in which they go if nobody says; None leaves it to the rulebook (4.D.8)."""
        return None

    def wintered(self, rules: Rules, before: Position, position: Position) -> Position:
        """What the end of an adjustment phase brings, played or not; `before` is what it began with."""
        return position


NO_SAYINGS = Clauses()
"""Nothing is told otherwise than usual."""


def after_moves(rules: Rules, position: Position) -> tuple[Position, tuple[Happening, ...]]:
    """What the mechanics make of the position that a phase of moves or retreats has left, and what befell."""
    happened: tuple[Happening, ...] = ()
    for mechanic in rules.asked("moved"):
        position, more = mechanic.moved(rules, position)
        happened += more
    return position, happened


def with_state(position: Position, key: str, value: object) -> Position:
    """The position with another state of one mechanic; None takes it away."""
    state = {k: v for k, v in position.state.items() if k != key}
    if value is not None:
        state[key] = value
    return Position(position.units, position.owners, position.dislodged, state)


def silenced(rules: Rules, position: Position, disorder: Iterable[str] = ()) -> dict[str, Cause]:
    """All who give no orders, and why: powers in civil disorder, and those that a mechanic silences."""
    found = dict.fromkeys(disorder, Cause.DISORDER)
    for mechanic in rules.mechanics:
        found |= mechanic.silent(rules, position)
    return found
