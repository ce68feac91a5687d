"""Reinforcements: units that come at a set time, if their place is empty and their power does not decline (SCO-4).

In a phase of retreats or of adjustments the power is asked; they come unless it says otherwise, after the retreats, or
before the builds.  In a movement phase they are there when it begins.  A unit that finds its place occupied is lost, or
waits for the first phase of retreats that begins with the place empty (SCO-4.d).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

from gamesmaster.board import Finding, Location, Position, place_name
from gamesmaster.errors import BadFile, nearest
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Phrase
from gamesmaster.rules import (
    NO_OVERRIDE,
    Ahead,
    AnyCause,
    AnyEvent,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    Event,
    KindKey,
    LedgerEntry,
    MechanicResult,
    MechanicState,
    ParameterNames,
    PlaceKey,
    PowerKey,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Result,
    Rules,
    Season,
    Standing,
    Term,
    Verdict,
    YearMechanic,
    goal_of,
    join,
    standing,
    with_newcomers,
    with_state,
)


class ReinforcementCause(AnyCause):
    """Why a unit came, or did not."""

    ARRIVED = "arrives", "SCO-4.c"
    DECLINED = "is declined", "SCO-4.d"
    WAITS = "finds its place occupied and waits", "SCO-4.d"
    NOT_DUE = "is for a unit that cannot come now", "SCO-4.f"


class ReinforcementEvent(AnyEvent):
    """Events of units that come at a set time."""

    ARRIVED = "arrived", "SCO-4.d", "{powers} reinforcements arrive in {place}."
    BARRED = "barred", "SCO-4.d", "{powers} reinforcements find {place} occupied and turn back for good."
    POSTPONED = "postponed", "SCO-4.d", "{powers} reinforcements find {place} occupied and wait."


class ReinforcementVerb(AnyVerb):
    """The verbs with which powers accept or decline reinforcements."""

    ARRIVE = (
        "arrive",
        Phrase(before="arrive arrives", led=True, accepting=True, title="Put out", says="Put out {unit}"),
    )
    DECLINE = "decline", Phrase(before="decline declines", led=True, title="Decline", says="Decline {unit}")


@dataclass(frozen=True)
class Reinforcement:
    """A unit of `power` that comes `at` a place, of the kind `unit` (`A/F` for a laden fleet).

    It comes in the phase called `season` (`Summer`, `Spring retreats`) of a `year`, or of a `turn`, from 0: again in
    each, if several are called so.
    """

    power: str
    unit: str
    at: str
    season: str
    year: int | None = None
    turn: int | None = None

    __pydantic_config__ = MappingProxyType({"extra": "forbid"})

    def __post_init__(self) -> None:
        if (self.year is None) == (self.turn is None):
            raise ValueError("give a reinforcement either a year or a turn")

    @property
    def triple(self) -> tuple[str, str, str]:
        """Power, unit and place, by which the state remembers it."""
        return self.power, self.unit, self.at

    def due(self, season: Season) -> bool:
        """Return whether the reinforcement comes in this season."""
        return season.goes_by((self.season,)) and self.year in (None, season.year) and self.turn in (None, season.turn)

    def due_in(self, term: Term) -> bool:
        """Return whether the reinforcement comes in this phase of the ledger."""
        return self.due(term.season)


class _Voice(NamedTuple):
    """An order about a reinforcement: its power and number, and its verb."""

    key: tuple[str, int]
    verb: AnyVerb


@dataclass(frozen=True)
class _Kept(MechanicState):
    due: list[tuple[PowerKey, KindKey, PlaceKey]] = field(default_factory=list)
    waiting: list[tuple[PowerKey, KindKey, PlaceKey]] = field(default_factory=list)


@mechanic("reinforcements")
@dataclass(frozen=True)
class Reinforcements(BoardMechanic, YearMechanic, ReportMechanic, ColumnMechanic):
    """Units that are `scheduled` to come; each once, to its place, if that is empty then (SCO-4.c, SCO-4.d).

    One whose place is `occupied` then is lost, or postponed: it comes after the first later retreats that begin with
    the place empty.
    """

    scheduled: tuple[Reinforcement, ...]
    occupied: Literal["lost", "postponed"] = "lost"

    causes: ClassVar[tuple[AnyCause, ...]] = (*ReinforcementCause,)
    events: ClassVar[tuple[AnyEvent, ...]] = (*ReinforcementEvent,)
    asks: ClassVar[tuple[str, str]] = (
        "a reinforcement to accept or decline",
        "reinforcements to accept or decline",
    )
    kept: ClassVar[Any] = _Kept
    verbs: ClassVar[tuple[AnyVerb, ...]] = (*ReinforcementVerb,)
    names: ClassVar[ParameterNames] = MappingProxyType({"power": "power", "unit": "kind", "season": "season"})

    def __post_init__(self) -> None:
        if len({(r.power, r.at, r.season, r.year, r.turn) for r in self.scheduled}) < len(self.scheduled):
            raise ValueError("two of them would come to one place at once")

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Warn of names that mean several phases of a turn: a unit comes in each of them."""
        known = [season.casefold() for season in seasons]
        for coming in self.scheduled:
            if known.count(coming.season.casefold()) > 1:
                text = f"{coming.season} means several phases of a turn, and {coming.unit} comes in each of them"
                hint = f"name one, as in {coming.season + ' movement'!r}"
                yield Finding.warning("repeated-reinforcement", f"mechanics {self.id}", text, hint)

    def start(self, rules: Rules, position: Position) -> Position:
        """See that every place is one."""
        places = {str(location) for location in rules.board.locations}
        for coming in self.scheduled:
            if coming.at not in places or not rules.board.can_stand(coming.unit, Location.of(coming.at)):
                what = f"no {coming.unit} can come to {coming.at[:40]!r}"
                raise BadFile(what, where=self.id, hint=nearest(coming.at, places))
        return position

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the units still to come, with a warning while their places are occupied (SCO-4.c, SCO-4.d)."""
        alive = {*(unit.power for unit in position.units), *position.owners.values()}
        kept = self._numbers(position)
        for n, coming in enumerate(self.scheduled):
            at, term = Location.of(coming.at), ahead.find(coming.due_in)
            text, there = f"{coming.unit} to {place_name(rules.board, at)}", position.at(at.province)
            if kept[n] == WAITING:
                text += ", after the first retreats that begin with it empty"
                yield LedgerEntry("Reinforcements", text, coming.power, at.province, clause="SCO-4.d")
            elif coming.power in alive and term and (term != ahead.now or DUE in kept):
                warning = (
                    f"; it is {self.occupied} unless {there.kind} ({there.power}) has left by then" if there else ""
                )
                text += f" in {term.name}{warning}"
                yield LedgerEntry("Reinforcements", text, coming.power, at.province, term=term.code, clause="SCO-4.c")

    # -- the year ----------------------------------------------------------------------------------------------------

    def phase_begins(
        self, rules: Rules, season: Season, position: Position, throw: object
    ) -> tuple[Position, tuple[Event, ...]]:
        """Mark units that are due; in phases without orders of this kind, let them come."""
        arrivals = self._arrivals_in(rules, season)
        if arrivals is None:
            return position, ()
        now = standing(rules, position, self._numbers(position))
        muster(arrivals, now)
        happened = tuple(_event(coming, came) for coming, came in zip(self.scheduled, now.spare, strict=False) if came)
        return with_state(with_newcomers(rules, position, now), self.id, self._state(now.kept)), happened

    def orders_due(self, rules: Rules, season: Season, position: Position) -> Mapping[str, int]:
        """Return how many reinforcements each power may decide on."""
        kept = self._numbers(position)
        return Counter(coming.power for n, coming in enumerate(self.scheduled) if kept[n] == DUE)

    def extra_orders(self, rules: Rules, season: Season, position: Position, power: str) -> Iterator[Order]:
        """Yield the orders to decline each unit, or to place it if its place is empty so far."""
        if not self.orders_due(rules, season, position).get(power):
            return
        now = standing(rules, position, self._numbers(position))
        ask(self._arrivals(rules), now)
        for coming, choices in zip(self.scheduled, now.kept[len(self.scheduled) :], strict=True):
            if coming.power == power:
                for verb in (*ReinforcementVerb,)[2 - choices :]:
                    yield Order(verb, coming.unit, Location.of(coming.at))

    def sayings(self) -> Clauses:
        """Return the reasons of reinforcements: their place must be empty."""
        return Clauses({"place_taken": ReasonText("SCO-4.d", "finds its place occupied and turns back for good")})

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Give reinforcements whose place is occupied a reason of their own."""
        comes = case.ruling.order is not None and case.ruling.order.verb is ReinforcementVerb.ARRIVE
        return ReasonOverride("place_taken") if comes and case.ruling.cause is Cause.OCCUPIED else NO_OVERRIDE

    def carry_out(
        self, rules: Rules, kind: PhaseKind, position: Position, orders: Mapping[str, Sequence[Order | None]]
    ) -> MechanicResult:
        """Place the reinforcements that are due, except those declined (SCO-4.d, SCO-4.f)."""
        now, size = standing(rules, position, self._numbers(position)), len(self.scheduled)
        due = [n for n in range(size) if now.kept[n] == DUE]
        verdicts: dict[tuple[str, int], Verdict] = {}
        by_entry: dict[int, list[_Voice]] = {}
        for power, given in orders.items():
            for number, order in ((n, order) for n, order in enumerate(given) if order):
                entry = next((n for n in due if _means(power, order, self.scheduled[n])), None)
                if entry is None:
                    verdicts[power, number] = Verdict(Result.VOID, ReinforcementCause.NOT_DUE)
                else:
                    by_entry.setdefault(entry, []).append(_Voice((power, number), order.verb))
        if not due:
            return MechanicResult(position, verdicts)
        heard = {entry: _choose(voices, rules.rulebook.double_orders, verdicts) for entry, voices in by_entry.items()}
        for entry, voice in heard.items():
            now.kept[size + entry] = DECLINED if voice and voice.verb is ReinforcementVerb.DECLINE else 0
        arrive(self._arrivals(rules), now)
        verdicts |= {voice.key: _VERDICTS[now.spare[n]] for n, voice in heard.items() if voice}
        happened = tuple(_event(self.scheduled[n], now.spare[n]) for n in due if not heard.get(n))
        position = with_state(with_newcomers(rules, position, now), self.id, self._state(now.kept))
        return MechanicResult(position, verdicts, happened)

    # -- in columns --------------------------------------------------------------------------------------------------

    def columns(self, rules: Rules) -> Columns:
        """Return its rules. `kept` has the state of each scheduled unit, and the number of the order given for it."""
        size, carriers = len(self.scheduled), {kind for kind, form in rules.board.forms.items() if form.cargo}
        return Columns(
            width=2 * size,
            state=self._state,
            due=partial(self._arrivals_in, rules),
            begins=muster,
            more=sum(1 + (coming.unit in carriers) for coming in self.scheduled),
            asked=(PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS),
            askers=tuple((size + n, rules.numbers.get(coming.power, 0)) for n, coming in enumerate(self.scheduled)),
            asks=ask,
            settle=settle,
            says=self._says,
            carry_out=arrive,
            table=self._arrivals(rules),
        )

    def _numbers(self, position: Position) -> list[int]:
        """Return the numbers kept of all scheduled reinforcements, and room for the questions about them."""
        state: Any = position.state.get(self.id) or {}
        left = {number: [*map(tuple, state.get(word, ()))] for number, word in _WORDS.items()}
        kept = [0] * (2 * len(self.scheduled))
        for n, coming in enumerate(self.scheduled):
            kept[n] = next((number for number, units in left.items() if coming.triple in units), 0)
            if kept[n]:
                left[kept[n]].remove(coming.triple)
        return kept

    def _state(self, kept: Sequence[int]) -> dict[str, object] | None:
        pairs = [*zip(self.scheduled, kept, strict=False)]
        lists = {word: [[*coming.triple] for coming, k in pairs if k == number] for number, word in _WORDS.items()}
        return {word: units for word, units in lists.items() if units} or None

    def _arrivals_in(self, rules: Rules, season: Season) -> ReinforcementTables | None:
        """Return the columns of the units that come in a season, None if none is due or waiting."""
        due = [int(r.due(season)) for r in self.scheduled]
        waits = self.occupied == "postponed" and season.kind is PhaseKind.RETREATS
        return self._arrivals(rules, due, season) if waits or any(due) else None

    def _arrivals(self, rules: Rules, due: Sequence[int] = (), season: Season | None = None) -> ReinforcementTables:
        """Return the columns of all scheduled reinforcements."""
        kinds, places = list(rules.board.ways), [Location.of(coming.at) for coming in self.scheduled]
        return ReinforcementTables(
            [rules.numbers.get(coming.power, 0) for coming in self.scheduled],
            [rules.board.index[at.province] for at in places],
            [goal_of(rules, coming.unit, at) for coming, at in zip(self.scheduled, places, strict=True)],
            [kinds.index(coming.unit) for coming in self.scheduled],
            due or [0] * len(places),
            [int(season is not None and season.kind is PhaseKind.MOVEMENT), int(self.occupied == "postponed")],
        )

    def _says(self, kept: Sequence[int]) -> list[tuple[str, Order]]:
        """Return the orders to arrive or decline, from the columns."""
        verbs = {ARRIVES: ReinforcementVerb.ARRIVE, DECLINED: ReinforcementVerb.DECLINE}
        pairs = zip(self.scheduled, kept[len(self.scheduled) :], strict=True)
        return [(e.power, Order(verbs[int(answer)], e.unit, Location.of(e.at))) for e, answer in pairs if answer]


def _means(power: str, order: Order, coming: Reinforcement) -> bool:
    """Return whether a power's order is for this unit; the kind may be left out."""
    here = order.at is not None and order.at.province == Location.of(coming.at).province
    return here and power == coming.power and order.kind in ("", coming.unit)


def _choose(voices: Sequence[_Voice], answer: str, verdicts: dict[tuple[str, int], Verdict]) -> _Voice | None:
    """Return the order that counts of several for one unit (4.D.3); the others are void, or all if they contradict."""
    if answer not in ("first", "last") and len({voice.verb for voice in voices}) > 1:
        verdicts |= {voice.key: Verdict(Result.VOID, Cause.CONTRADICTED) for voice in voices}
        return None
    winner = voices[-1] if answer == "last" else voices[0]
    verdicts |= {voice.key: Verdict(Result.VOID, Cause.SECOND) for voice in voices if voice != winner}
    return winner


def _event(coming: Reinforcement, came: int) -> Event:
    """Return the event of a unit that came, was turned back, or waits."""
    return Event(_EVENTS[came], coming.power, Location.of(coming.at).province)


# -- the rules -------------------------------------------------------------------------------------------------------

ARRIVES, DECLINED = 1, 2
"""A power's answers about a unit; 0 for no answer."""

AT_ONCE, WAITS = range(2)
"""Places in `Arrivals.settings`."""

DUE, WAITING = 1, 2
"""The state of a unit: it is due in this phase, or waits for its place to be empty; 0 for any other."""

_WORDS = {DUE: "due", WAITING: "waiting"}

STAYED, CAME, TURNED_BACK, PUT_OFF = range(4)
"""The result for a unit: it is not due, or declined; it comes; its place is taken, and it is lost or waits."""

_VERDICTS = {
    STAYED: Verdict(Result.SUCCEEDS, ReinforcementCause.DECLINED),
    CAME: Verdict(Result.SUCCEEDS, ReinforcementCause.ARRIVED),
    TURNED_BACK: Verdict(Result.VOID, Cause.OCCUPIED),
    PUT_OFF: Verdict(Result.FAILS, ReinforcementCause.WAITS),
}
_EVENTS = {
    CAME: ReinforcementEvent.ARRIVED,
    TURNED_BACK: ReinforcementEvent.BARRED,
    PUT_OFF: ReinforcementEvent.POSTPONED,
}


class ReinforcementTables(NamedTuple):
    """Reinforcements.

    For each unit `kept` has whether it is `DUE` or `WAITING`; behind these, per unit, come the questions: the number of
    choices, then the choice made, then `ARRIVES` or `DECLINED`.
    """

    power: Sequence[int]
    place: Sequence[int]
    goal: Sequence[int]
    sort: Sequence[int]  # its kind
    due: Sequence[int]  # 1 for those due where a phase begins
    settings: Sequence[int]  # 1 if the phase takes no orders about them (`AT_ONCE`); 1 if a unit waits (`WAITS`)


def muster(t: ReinforcementTables, now: Standing) -> None:
    """Mark the units due, of powers that have units or places; in phases without a choice, let them come."""
    for n in range(len(t.power)):
        if not has_any(now, t.power[n]):
            now.kept[n] = 0
        elif t.due[n] or (now.kept[n] == WAITING and not is_taken(t, now, n)):
            now.kept[n] = DUE
    if t.settings[AT_ONCE]:
        arrive(t, now)


def has_any(now: Standing, power: int) -> bool:
    """Return whether a power has a unit or a province."""
    count = 0
    for r in range(1, now.n + 1):
        count += now.units.owner[r] == power
    for place in range(len(now.lands.holder)):
        count += now.lands.holder[place] == power
    return power > 0 and count > 0


def ask(t: ReinforcementTables, now: Standing) -> None:
    """Offer the choice to accept or decline each unit that is due; one that would be lost can only be declined."""
    size = len(t.power)
    for n in range(size):
        now.kept[size + n] = 0
        if now.kept[n] == DUE and not is_meant_before(t, now, n):
            now.kept[size + n] = 1 if is_hopeless(t, now, n) else 2


def is_meant_before(t: ReinforcementTables, now: Standing, n: int) -> bool:
    """Return whether an order for this unit means an equal one before it."""
    before = 0
    for m in range(n):
        alike = t.power[m] == t.power[n] and t.place[m] == t.place[n] and t.sort[m] == t.sort[n]
        before += now.kept[m] == DUE and alike
    return before > 0


def is_taken(t: ReinforcementTables, now: Standing, n: int) -> bool:
    """Return whether the place of this reinforcement is occupied, by a unit or by another that came."""
    there = 0
    for r in range(1, now.n + 1):
        there += now.units.at[r] == t.place[n]
    for m in range(n):
        there += now.spare[m] == CAME and t.place[m] == t.place[n]
    return there > 0


def is_hopeless(t: ReinforcementTables, now: Standing, n: int) -> bool:
    """Return whether this unit's place is taken so far, and it does not wait."""
    return not t.settings[WAITS] and is_taken(t, now, n)


def settle(t: ReinforcementTables, now: Standing) -> None:
    """Replace the number of each choice by its meaning: a unit that would be lost can only be declined."""
    size = len(t.power)
    for n in range(size):
        if now.kept[size + n] and is_hopeless(t, now, n):
            now.kept[size + n] = DECLINED


def arrive(t: ReinforcementTables, now: Standing) -> None:
    """Place the reinforcements not declined if their place is empty; else they are lost, or wait (SCO-4.d, SCO-4.f)."""
    size = len(t.power)
    for n in range(size):
        if now.kept[n] == DUE:
            if now.kept[size + n] != DECLINED:
                missed = PUT_OFF if t.settings[WAITS] else TURNED_BACK
                now.spare[n] = missed if is_taken(t, now, n) else CAME
                if now.spare[n] == CAME:
                    join(now, t.goal[n], t.power[n])
            now.kept[n] = WAITING if now.spare[n] == PUT_OFF else 0
        now.kept[size + n] = 0
