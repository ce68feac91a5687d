"""Rulings: what became of an order, and why.

A ruling's words are made when somebody asks for them; until then it is a handful of references.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias

from gamesmaster.board import Board, Position, Unit, unit_and_power, unit_name
from gamesmaster.orders import AnyVerb, Order, PhaseKind


class Result(StrEnum):
    """The result of an order; the value is the word in reports, records and JSON."""

    SUCCEEDS = "succeeds"
    HOLDS = "holds"
    BOUNCES = "bounces"
    CUT = "cut"
    VOID = "void"
    NO_CONVOY = "no convoy"
    DISRUPTED = "disrupted"
    FAILS = "fails"  # of work that came to nothing


class AnyCause(StrEnum):
    """Why an order came to what it did: of the regular game (`Cause`), or of a mechanic that declares its own.

    The value is the sentence's end, in which `{by}` is filled in by the ruling; the name stands in records.  `clause`
    is the rule that decides.  `possible`: a void order with this cause could have come true by itself, and did not
    match the others (STD-4.e).

    >>> class Weather(AnyCause):
    ...     FROZEN_IN = "is frozen in", "ICE-2.a"
    >>> Weather.FROZEN_IN.clause
    'ICE-2.a'
    """

    clause: str
    possible: bool

    def __new__(cls, sentence: str, clause: str = "STD-4.d", possible: bool = False) -> Self:
        """Create a member from its sentence, its clause, and whether its order was possible."""
        self = str.__new__(cls, sentence)
        self._value_ = sentence
        self.clause, self.possible = clause, possible
        return self


class Cause(AnyCause):
    """The reasons for results in the regular game; the value is the word in records."""

    # what came true
    HELD = "holds", "STD-4.a"
    CAME = "moves", "STD-5.a"
    CAME_BY_SEA = "moves by convoy", "STD-8.a"
    GIVEN = "gives its support", "STD-7.a"
    AVAILABLE = "stands ready to convoy", "STD-8.a"
    RETREATED = "retreats", "STD-9.b"
    DISBANDED = "disbands", "STD-9.a"
    BUILT = "is built", "STD-10.c"
    REMOVED = "is removed", "STD-10.f"
    WAIVED = "leaves the build unused", "STD-10.e"
    UNORDERED = "has no order and holds", "STD-4.c"
    DISORDER = "is in civil disorder and holds", "STD-10.h"
    # what was possible and failed
    STOOD_OFF = "is stood off by {by}", "STD-6.a"
    RESISTED = "is not strong enough to dislodge {by}", "STD-6.b"
    BEATEN_HEAD_ON = "is stopped head on by {by}", "STD-6.c"
    OWN_UNIT = "may not dislodge a unit of its own power, {by}", "STD-6.e"
    OWN_HELP = "may not be helped by its own power to dislodge {by}", "STD-6.e"
    CONVOY_BROKEN = "is not carried: its convoy is broken by the loss of {by}", "STD-8.d"
    CONVOY_SILENCED = "is not carried: its convoy is caught in a paradox", "STD-8.g"
    PARADOX = "is held back by a convoy paradox", "DATC 4.A.2"
    CUT_BY_ATTACK = "is cut by the attack of {by}", "STD-7.c"
    CUT_BY_DISLODGEMENT = "is cut because the supporting unit is dislodged by {by}", "STD-7.d"
    CARRIER_LOST = "is dislodged by {by} and carries nobody", "STD-8.d"
    CARRIER_SILENCED = "is silenced by a convoy paradox", "STD-8.g"
    COLLIDED = "meets {by} in retreat, and both disband", "STD-9.d"
    # what could have been, but matched nothing
    UNMATCHED = "matches no order that was given", "STD-4.e", True
    MOVES_AWAY = "is for a unit that was ordered to move", "STD-7.b", True
    NO_CHAIN = "has no complete chain of convoying fleets ordered for it", "STD-4.e", True
    OTHER_COAST = "names another coast than the move", "STD-5.g", True
    SEVERAL = "does not say whose unit it is for, and several powers ordered that move", "STD-4.f", True
    IN_DISORDER = "is for a unit in civil disorder, which may not be supported", "DATC 4.D.9", True
    # what could not be
    UNREADABLE = "cannot be read", "STD-4.f"
    DEFECT = "cannot be judged because of a fault in this program", "STD-4.f"
    NO_UNIT = "is for a unit that is not there", "STD-4.b"
    FOREIGN = "is for another power's unit", "STD-4.b"
    OTHER_PHASE = "does not belong to this phase", "STD-3.a"
    SECOND = "comes after another possible order for the same unit", "STD-4.g"
    CONTRADICTED = "is one of several different orders for the same unit", "STD-4.g"
    WRONG_KIND = "names the wrong kind of unit, or none", "DATC 4.C.2"
    WRONG_NATION = "names the wrong nationality, or none", "DATC 4.C.6"
    WRONG_COAST = "names a coast that is not possible here", "STD-5.f"
    WHICH_COAST = "does not say which coast", "STD-5.e"
    NOT_ADJACENT = "leads to a place the unit cannot reach"
    NOWHERE = "leads to where the unit stands"
    CLOSED = "leads to a place where this unit may not go"
    NO_PASSAGE = "needs a convoy, which the fleets on the board could not form"
    NO_PATH = "does not name the path of its convoy, as it must", "DATC 4.A.6"
    OUT_OF_REACH = "supports into a place the unit itself could not enter", "STD-7.a"
    NOBODY = "is for a unit that is not there to be helped"
    CANNOT = "supports a move that its unit could not make"
    NEEDED = "supports a move that could only be made by a convoy the unit itself is needed in", "STD-4.j"
    NOT_AT_SEA = "is for a unit that cannot convoy", "STD-8.a"
    NO_ARMY = "would convoy something other than an army", "STD-8.a"
    SUPERFLUOUS = "is by a fleet that no route needs", "STD-4.i"
    NOT_OPEN = "leads to a place that is not open to retreat", "STD-9.b"
    NOT_DISLODGED = "is for a unit that need not retreat", "STD-9.a"
    NO_BUILDS = "exceeds the builds allowed", "STD-10.d"
    NO_REMOVALS = "exceeds the removals needed", "STD-10.d"
    COSTS_NOTHING = "is for a unit that needs no centre", "SCO-5.d"
    NOT_A_SITE = "is not for a place where this power may build", "STD-10.c"
    OCCUPIED = "is for a place that is not empty", "STD-10.c"
    TAKEN = "is for a place where another build is ordered", "DATC 4.D.5"
    NO_WAIVING = "is not allowed: every build must be used", "DATC 4.D.7"


class AnyEvent(StrEnum):
    """A kind of event, without an order: of the regular game (`EventKind`), or declared by a mechanic.

    The value is the word in files. `clause` is the rule behind it, `sentence` its wording, with `{power}`, `{powers}`
    (the possessive), `{place}`, `{of}` (who had it before), `{detail}` (what a mechanic adds), and `{s}`, `{has}`,
    `{is_}`, `{its}` for verbs and pronouns that go with the power.
    """

    clause: str
    sentence: str

    def __new__(cls, word: str, clause: str, sentence: str) -> Self:
        """Create a member from its word, its clause and its sentence."""
        self = str.__new__(cls, word)
        self._value_ = word
        self.clause, self.sentence = clause, sentence
        return self


class EventKind(AnyEvent):
    """The events of the regular game; the value is the word in files."""

    DESTROYED = "destroyed", "STD-9.e", "{powers} unit from {place} has nowhere to retreat and disbands."
    TAKES = "takes", "STD-10.a", "{power} take{s} {place}{of}."
    ELIMINATED = "eliminated", "STD-2.c", "{power} {has} neither centres nor units left and {is_} out of the game."
    TIED = "tied", "STD-2.a", "{power} {has} what wins the game, but {is_} not alone ahead: the game goes on."
    LEADS = "leads", "STD-2.d", "{power} lead{s} every other power by enough centres to win."
    FIRST = "first", "STD-2.e", "The last year is over, and no power has more centres than {power}."
    SURVIVES = "survives", "STD-2.e", "The last year is over, and {power} {is_} still in the game."


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a power without an order.

    DESTROYED: its unit, beaten out of `province`, had nowhere to retreat.  TAKES: it becomes the owner of the centre
    `province`, which belonged to `of` ("" for nobody) before.  ELIMINATED: it has neither centres nor units left.
    TIED: it has what wins the game, but so has another that is as large.  LEADS: it wins by its lead.  FIRST, SURVIVES:
    it wins, or shares a draw, at the end of the last year.  The others are what mechanics bring: each has its
    `sentence`.
    """

    kind: AnyEvent
    power: str
    province: str = ""
    of: str = ""


class GameEnd(NamedTuple):
    """The end of a game: the powers that share the victory, and the events that say why.

    If it is `drawn`, the survivors share a draw; a mechanic that says so names no winners.
    """

    winners: tuple[str, ...] = ()
    drawn: bool = False
    events: tuple[Event, ...] = ()


class ReasonText(NamedTuple):
    """The wording of a reason: its clause and its words; an empty one means the usual."""

    clause: str = ""
    says: str = ""


class ReasonOverride(NamedTuple):
    """A mechanic's refinement of a reason: a word of `Mechanic.sayings`, and a hint how to correct the order.

    `detail` replaces the judge's own detail, unless it is None.
    """

    word: str = ""
    detail: str | None = None


NO_OVERRIDE = ReasonOverride()
"""Nothing is known better."""

_NOTHING: Mapping[str, ReasonText] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Clauses:
    """A variant's wording of reasons: sayings by cause (`stood_off`) and by aspect, and by the word of an event.

    Anything missing here has the usual words and the usual clause.
    """

    orders: Mapping[str, ReasonText] = field(default_factory=lambda: _NOTHING)
    events: Mapping[str, ReasonText] = field(default_factory=lambda: _NOTHING)

    def of(self, cause: AnyCause, aspect: str = "") -> str:
        """Return the clause to cite for a cause, or for this aspect of it."""
        own = self.orders.get(aspect, UNTOLD).clause or self.orders.get(cause.name.lower(), UNTOLD).clause
        return own or cause.clause

    def words(self, cause: AnyCause, aspect: str = "") -> str:
        """Return the sentence's end for a cause, or for this aspect of it."""
        own = self.orders.get(aspect, UNTOLD).says or self.orders.get(cause.name.lower(), UNTOLD).says
        return own or cause.value

    def event(self, word: str, aspect: str = "") -> ReasonText:
        """Return the saying for an event, or for this aspect of it; empty for the usual one."""
        return self.events.get(aspect) or self.events.get(word, UNTOLD)

    def over(self, others: Clauses) -> Clauses:
        """Return these clauses with those of `others` for everything that they do not cover."""
        return Clauses(_over(self.orders, others.orders), _over(self.events, others.events))


def _over(mine: Mapping[str, ReasonText], theirs: Mapping[str, ReasonText]) -> Mapping[str, ReasonText]:
    known = mine.keys() | theirs.keys()
    pairs = ((word, mine.get(word, UNTOLD), theirs.get(word, UNTOLD)) for word in sorted(known))
    return {word: ReasonText(one.clause or two.clause, one.says or two.says) for word, one, two in pairs}


UNTOLD = ReasonText()
"""No overrides."""

USUAL = Clauses({
    "removed_unasked": ReasonText("STD-10.g", "is removed by the rules, no removal being ordered"),
    "disbanded_unasked": ReasonText("STD-9.e", "has no order to retreat and disbands"),
    "wrong_sort": ReasonText("STD-10.c", "is for a kind of unit that is not built there"),
    "doubtful_place": ReasonText(),
})  # fmt: skip
"""The judge's own refinements of causes, in the regular game too."""


class Ruling(NamedTuple):
    """The decision on one order, or on a unit that had none.

    `given` is the text as it came (empty for a unit without an order), `by` the units that stopped or cut it,
    `dislodged_by` the one that beat its unit out of the province, `strengths` what it brought and what it met, in units
    of one (None where nothing was compared).  `aspect` is a word that selects a more precise reason than the cause
    alone.  `clauses` and `board` supply the words for these; rulings that differ only in them are equal.
    """

    power: str
    unit: Unit | None
    order: Order | None
    given: str
    result: Result
    cause: AnyCause
    by: tuple[Unit, ...] = ()
    dislodged_by: Unit | None = None
    strengths: tuple[float, float] | None = None
    detail: str = ""
    aspect: str = ""
    clauses: Clauses = USUAL
    board: Board | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruling) and self[:_WORDS] == other[:_WORDS]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:_WORDS])

    def __repr__(self) -> str:
        fields = zip(self._fields[:_WORDS], self[:_WORDS], strict=True)
        return f"Ruling({', '.join(f'{name}={value!r}' for name, value in fields)})"

    @property
    def clause(self) -> str:
        """The clause that decided, of the variant's own rulebook where it has one for that."""
        return self.clauses.of(self.cause, self.aspect)

    @property
    def dislodged(self) -> bool:
        """Return whether the unit was dislodged."""
        return self.dislodged_by is not None

    @property
    def possible(self) -> bool:
        """Return whether this order could succeed alone.

        If it is void all the same, no other order matched (STD-4.e).
        """
        return self.result is not Result.VOID or self.cause.possible

    def name(self, unit: Unit) -> str:
        """Return a unit as the report names it: `A Par`, or `W 14 (Seneca)` where provinces go by numbers."""
        return unit_name(self.board, unit) if self.board else str(unit)

    def whose(self, unit: Unit) -> str:
        """Return the name of a unit with its power: `A Par (France)`, `W 14 (Seneca, Iroquois)`."""
        return unit_and_power(self.board, unit) if self.board else f"{unit} ({unit.power})"

    @property
    def text(self) -> str:
        """The reason as a sentence, without a full stop."""
        said = self.clauses.words(self.cause, self.aspect)
        words = said.format(by=" and ".join(map(self.whose, self.by)) or "another unit")
        if self.strengths is not None:
            words += " ({:g} against {:g})".format(*self.strengths)
        if self.detail:
            words += f": {self.detail}"
        if self.dislodged_by is not None and self.cause is not Cause.CARRIER_LOST:
            words += f"; dislodged by {self.whose(self.dislodged_by)}"
        return words


_WORDS = Ruling._fields.index("clauses")
"""Index of the first field of a ruling that only its wording needs."""

Sites = Mapping[str, frozenset[str]]
"""The places where a power may build: empty provinces in order, each with the kinds of unit that may be built there."""

Throw = Callable[[int, str, str], int]
"""Throws a die: how many sides it has, for which clause, for what; a number from 1."""


class Season(NamedTuple):
    """A phase as mechanics know it: the season's name, the year, the turn (from 0), and what kind of phase it is.

    `also` are the season's other names.
    """

    name: str
    year: int
    turn: int
    kind: PhaseKind
    also: tuple[str, ...] = ()

    def goes_by(self, names: Iterable[str]) -> bool:
        """Return whether one of these names means this season.

        A name is `Summer` or, with the kind of phase, `Spring retreats`.
        """
        own = [name.casefold() for name in (self.name, *self.also)]
        wanted = {name.casefold() for name in names}
        return not wanted.isdisjoint((*own, *(f"{name} {self.kind.value}" for name in own)))


class Verdict(NamedTuple):
    """A mechanic's decision on one order: the result, the cause, the units that decided it, and the unit it was for."""

    result: Result
    cause: AnyCause
    by: tuple[Unit, ...] = ()
    unit: Unit | None = None


Verdicts = Mapping[tuple[str, int], Verdict]
"""Decisions by power and the number of the order among those it gave, from 0."""


class MechanicResult(NamedTuple):
    """The result of orders that a mechanic carries out: the position, its decisions (`verdicts`), and the events."""

    position: Position
    verdicts: Verdicts = MappingProxyType({})
    happened: tuple[Event, ...] = ()


def with_state(position: Position, key: str, value: object) -> Position:
    """Return the position with another state of one mechanic; None takes it away."""
    state = {k: v for k, v in position.state.items() if k != key}
    if value is not None:
        state[key] = value
    return Position(position.units, position.owners, position.dislodged, state)


ParameterNames: TypeAlias = Mapping[str, Literal["power", "province", "kind", "season"]]
"""Parameters of a mechanic that name something, each with the type of what it names."""


class Mechanic:
    """One thing that a variant has and the regular game has not: what it is called, keeps and declares.

    What it does are hooks, which it has from the bases of the moments at which it is asked: `BoardMechanic`,
    `MovementMechanic`, `YearMechanic`, `WinterMechanic`, `ReportMechanic` and `ProofMechanic`.
    """

    id: ClassVar[str] = ""
    """Its name in `variant.toml`, and the key of its state."""

    several: ClassVar[bool] = False
    """True if a variant may have it several times, with different parameters. Such a mechanic keeps no state."""

    implied: ClassVar[bool] = False
    """True if the board itself needs it, so that no file names it."""

    kept: ClassVar[Any] = None
    """The type of its state (`rules.state`), by which what comes from a file is checked; None if it keeps none."""

    kept_openly: ClassVar[bool] = False
    """True if its state tells nothing that partial sight hides, so that everybody may know it."""

    names: ClassVar[ParameterNames] = MappingProxyType({})
    """The parameters that name something, and its type: a variant that names something unknown is refused.

    A parameter may be a text, or hold texts (a mapping's keys) or tables with such keys, however deep.
    """

    causes: ClassVar[tuple[AnyCause, ...]] = ()
    """The causes of its own that it gives for rulings."""

    events: ClassVar[tuple[AnyEvent, ...]] = ()
    """The events of its own that it reports."""

    verbs: ClassVar[tuple[AnyVerb, ...]] = ()
    """The verbs of its own that orders have."""

    costs: ClassVar[Mapping[AnyEvent, ReasonText]] = MappingProxyType({})
    """Losses caused by the power's own orders, by event: the clause, and the end of the warning's sentence (`starves
    the army aboard`).
    """

    not_in_columns: ClassVar[str] = "it says nothing in columns"
    """Why batches do not carry it out, unless it is a `ColumnMechanic`."""

    def kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Return words for the kinds of unit that it adds, by letter: `{"A/F": ("army fleet",)}`."""
        return {}

    def carried_words(self) -> tuple[str, ...]:
        """Return words for the things that units make and carry; orders are printed with the first one."""
        return ()

    def nobodies(self) -> tuple[str, ...]:
        """Return names in orders for the owner of units that belong to no power: `S Neutral W 66`."""
        return ()

    def sayings(self) -> Clauses:
        """Return the wording of the reasons that it refines, with clauses that a variant may replace."""
        return NO_SAYINGS


NO_SAYINGS = Clauses()
"""No overrides."""


def causes_with(mechanics: Iterable[Mechanic | type[Mechanic]]) -> dict[str, AnyCause]:
    """Return every cause there is in a game with these mechanics, by its word: its name in small letters."""
    own = (cause for mechanic in mechanics for cause in mechanic.causes)
    return {cause.name.lower(): cause for cause in (*Cause, *own)}


def events_with(mechanics: Iterable[Mechanic | type[Mechanic]]) -> dict[str, AnyEvent]:
    """Return every kind of event there is in a game with these mechanics, by its word in files."""
    own = (event for mechanic in mechanics for event in mechanic.events)
    return {event.value: event for event in (*EventKind, *own)}
