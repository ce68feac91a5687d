"""Reinforcements: units that come at a set time, if their place is empty and their power does not decline (SCO-4).

In a phase of retreats or of adjustments the power is asked; they come unless it says otherwise, after the retreats, or
before the builds.  In a movement phase they are there when it begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

from gamesmaster.board import Finding, Location, Position, place_name
from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import (
    PLAIN,
    Ahead,
    AnyCause,
    AnyEvent,
    Aspect,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    Entry,
    Event,
    MechanicResult,
    ReportMechanic,
    Result,
    Rules,
    Saying,
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
from gamesmaster.judge.state import Kept, Kind, Place, Power
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Phrase


class ReinforcementCause(AnyCause):
    """Why a unit came, or did not."""

    ARRIVED = "arrives", "SCO-4.c"
    DECLINED = "is declined", "SCO-4.d"
    NOT_DUE = "is for a unit that cannot come now", "SCO-4.f"


class ReinforcementEvent(AnyEvent):
    """Events of units that come at a set time."""

    ARRIVED = "arrived", "SCO-4.d", "{powers} reinforcements arrive in {place}."
    BARRED = "barred", "SCO-4.d", "{powers} reinforcements find {place} occupied and turn back for good."


class ReinforcementVerb(AnyVerb):
    """The verbs with which powers accept or decline reinforcements."""

    ARRIVE = "arrive", Phrase(before="arrive arrives", led=True, title="Put out", says="Put out {unit}")
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
            raise ValueError("a reinforcement comes in a year or in a turn")

    def due(self, season: Season) -> bool:
        """Return whether the reinforcement comes in this season."""
        return season.goes_by((self.season,)) and self.year in (None, season.year) and self.turn in (None, season.turn)


class _Due(NamedTuple):
    """A reinforcement that is due now, as the state remembers it."""

    power: str
    unit: str
    at: str


class _Voice(NamedTuple):
    """An order about a reinforcement: its power and number, and its verb."""

    key: tuple[str, int]
    verb: AnyVerb


@dataclass(frozen=True)
class _Kept(Kept):
    due: list[tuple[Power, Kind, Place]]


@mechanic("reinforcements")
@dataclass(frozen=True)
class Reinforcements(BoardMechanic, YearMechanic, ReportMechanic, ColumnMechanic):
    """Units that are `scheduled` to come; each once, to its place, if that is empty then (SCO-4.c, SCO-4.d)."""

    scheduled: tuple[Reinforcement, ...]

    causes: ClassVar[tuple[AnyCause, ...]] = (*ReinforcementCause,)
    events: ClassVar[tuple[AnyEvent, ...]] = (*ReinforcementEvent,)
    asks: ClassVar[tuple[str, str]] = (
        "a reinforcement to let come or decline",
        "reinforcements to let come or decline",
    )
    kept: ClassVar[Any] = _Kept
    verbs: ClassVar[tuple[AnyVerb, ...]] = (*ReinforcementVerb,)
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"power": "power", "unit": "kind", "season": "season"}
    )

    def __post_init__(self) -> None:
        if len({(r.power, r.at, r.season, r.year, r.turn) for r in self.scheduled}) < len(self.scheduled):
            raise ValueError("two of them would come to one place at once")

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Names that mean several phases of a turn: a unit comes in each."""
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

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[Entry]:
        """Yield the reinforcements still to come, with place and season (SCO-4.c)."""
        alive = {*(unit.power for unit in position.units), *position.owners.values()}
        for coming in (coming for coming in self.scheduled if coming.power in alive):
            fits = partial(_comes, coming)
            term = ahead.find(fits)
            if term and (term != ahead.now or _due(position)):
                text = f"{coming.unit} to {place_name(rules.board, Location.of(coming.at))} in {term.name}"
                place = Location.of(coming.at).province
                yield Entry("Reinforcements", text, coming.power, place, term=term.code, clause="SCO-4.c")

    # -- the year ----------------------------------------------------------------------------------------------------

    def phase_begins(
        self, rules: Rules, season: Season, position: Position, throw: object
    ) -> tuple[Position, tuple[Event, ...]]:
        """Note who is due; where no orders of this kind can be given, let them come."""
        due = [_Due(r.power, r.unit, r.at) for r in self.scheduled if r.due(season)]
        if not due:
            return position, ()
        now = standing(rules, position, [0] * (2 * len(due)))
        muster(_arrivals(rules, due, [1] * len(due), season), now)
        happened = tuple(_event(entry, now.spare[n]) for n, entry in enumerate(due) if now.spare[n])
        rest = [list(entry) for n, entry in enumerate(due) if now.kept[n]]
        position = with_newcomers(rules, position, now)
        return with_state(position, self.id, {"due": rest}) if rest else position, happened

    def orders_due(self, rules: Rules, season: Season, position: Position) -> Mapping[str, int]:
        """Each power decides on its own."""
        due = _due(position)
        return {power: sum(entry.power == power for entry in due) for power in dict.fromkeys(e.power for e in due)}

    def extra_orders(self, rules: Rules, season: Season, position: Position, power: str) -> Iterator[Order]:
        """Each may be declined, or told to come if its place is empty so far."""
        due = _due(position)
        if not any(entry.power == power for entry in due):
            return
        now = _standing(rules, position, due)
        ask(_arrivals(rules, due), now)
        for entry, choices in zip(due, now.kept[len(due) :], strict=True):
            if entry.power == power:
                for verb in (*ReinforcementVerb,)[2 - choices :]:
                    yield Order(verb, entry.unit, Location.of(entry.at))

    def sayings(self) -> Clauses:
        """Their place must be empty."""
        return Clauses({"place_taken": Saying("SCO-4.d", "finds its place occupied and turns back for good")})

    def ruling_aspect(self, case: Case) -> Aspect:
        """No reinforcements come where somebody is."""
        comes = case.ruling.order is not None and case.ruling.order.verb is ReinforcementVerb.ARRIVE
        return Aspect("place_taken") if comes and case.ruling.cause is Cause.OCCUPIED else PLAIN

    def carry_out(
        self, rules: Rules, kind: PhaseKind, position: Position, orders: Mapping[str, Sequence[Order | None]]
    ) -> MechanicResult:
        """Place the reinforcements that are due, except those declined (SCO-4.d, SCO-4.f)."""
        due = _due(position)
        verdicts: dict[tuple[str, int], Verdict] = {}
        by_entry: dict[int, list[_Voice]] = {}
        for power, given in orders.items():
            for number, order in ((n, order) for n, order in enumerate(given) if order):
                entry = next((n for n, e in enumerate(due) if e.power == power and _means(order, e)), None)
                if entry is None:
                    verdicts[power, number] = Verdict(Result.VOID, ReinforcementCause.NOT_DUE)
                else:
                    by_entry.setdefault(entry, []).append(_Voice((power, number), order.verb))
        if not due:
            return MechanicResult(position, verdicts)
        heard = {entry: _choose(voices, rules.rulebook.double_orders, verdicts) for entry, voices in by_entry.items()}
        now, happened = _standing(rules, position, due), list[Event]()
        for entry, voice in heard.items():
            now.kept[len(due) + entry] = DECLINED if voice and voice.verb is ReinforcementVerb.DECLINE else 0
        arrive(_arrivals(rules, due), now)
        for n, came in enumerate(now.spare[: len(due)]):
            if voice := heard.get(n):
                verdicts[voice.key] = _VERDICTS[came]
            else:
                happened.append(_event(due[n], came))
        return MechanicResult(
            with_state(with_newcomers(rules, position, now), self.id, None), verdicts, tuple(happened)
        )

    # -- in columns --------------------------------------------------------------------------------------------------

    def columns(self, rules: Rules) -> Columns:
        """Its rules; of each that is scheduled it is kept whether it is due, and what is asked and said of it."""
        coming = [_Due(r.power, r.unit, r.at) for r in self.scheduled]
        size, carriers = len(coming), {kind for kind, form in rules.board.forms.items() if form.cargo}
        return Columns(
            width=2 * size,
            state=partial(self._state, coming),
            due=partial(self._arrivals_in, rules, coming),
            begins=muster,
            more=sum(1 + (entry.unit in carriers) for entry in coming),
            asked=(PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS),
            askers=tuple((size + n, rules.numbers.get(entry.power, 0)) for n, entry in enumerate(coming)),
            asks=ask,
            settle=settle,
            says=partial(self._says, coming),
            carry_out=arrive,
            table=_arrivals(rules, coming),
        )

    def _arrivals_in(self, rules: Rules, coming: Sequence[_Due], season: Season) -> Arrivals | None:
        """Return the columns of what is due in a season, None if nothing is."""
        due = [int(r.due(season)) for r in self.scheduled]
        return _arrivals(rules, coming, due, season) if any(due) else None

    def _state(self, coming: Sequence[_Due], kept: Sequence[int]) -> dict[str, object] | None:
        due = [list(entry) for entry, is_due in zip(coming, kept, strict=False) if is_due]
        return {"due": due} if due else None

    def _says(self, coming: Sequence[_Due], kept: Sequence[int]) -> list[tuple[str, Order]]:
        """Return the orders to arrive or decline, from the columns."""
        verbs = {ARRIVES: ReinforcementVerb.ARRIVE, DECLINED: ReinforcementVerb.DECLINE}
        pairs = zip(coming, kept[len(coming) :], strict=True)
        return [(e.power, Order(verbs[int(answer)], e.unit, Location.of(e.at))) for e, answer in pairs if answer]


def _comes(coming: Reinforcement, term: Term) -> bool:
    return coming.due(term.season)


def _due(position: Position) -> list[_Due]:
    state: Any = position.state.get(Reinforcements.id)
    return [_Due(*entry) for entry in state["due"]] if isinstance(state, Mapping) else []


def _means(order: Order, entry: _Due) -> bool:
    """Return whether this order is for this unit; the kind may be left out."""
    here = order.at is not None and order.at.province == Location.of(entry.at).province
    return here and order.kind in ("", entry.unit)


def _choose(voices: Sequence[_Voice], answer: str, verdicts: dict[tuple[str, int], Verdict]) -> _Voice | None:
    """Return the order that counts of several for one unit (4.D.3); the others are void, or all if they contradict."""
    if answer not in ("first", "last") and len({voice.verb for voice in voices}) > 1:
        verdicts |= {voice.key: Verdict(Result.VOID, Cause.CONTRADICTED) for voice in voices}
        return None
    winner = voices[-1] if answer == "last" else voices[0]
    verdicts |= {voice.key: Verdict(Result.VOID, Cause.SECOND) for voice in voices if voice != winner}
    return winner


def _standing(rules: Rules, position: Position, due: Sequence[_Due]) -> Standing:
    """Return the columns of a position in which these are due, and nothing is said of them."""
    return standing(rules, position, [1] * len(due) + [0] * len(due))


def _arrivals(rules: Rules, entries: Sequence[_Due], due: Sequence[int] = (), season: Season | None = None) -> Arrivals:
    """Return the columns of these reinforcements."""
    kinds, places = list(rules.board.ways), [Location.of(entry.at) for entry in entries]
    return Arrivals(
        [rules.numbers.get(entry.power, 0) for entry in entries],
        [rules.board.index[at.province] for at in places],
        [goal_of(rules, entry.unit, at) for entry, at in zip(entries, places, strict=True)],
        [kinds.index(entry.unit) for entry in entries],
        due or [0] * len(entries),
        [int(season is not None and season.kind is PhaseKind.MOVEMENT)],
    )


def _event(due: _Due, came: int) -> Event:
    """Return the event of a unit that came, or was turned back."""
    kind = ReinforcementEvent.ARRIVED if came == CAME else ReinforcementEvent.BARRED
    return Event(kind, due.power, Location.of(due.at).province)


# -- the rules -------------------------------------------------------------------------------------------------------

ARRIVES, DECLINED = 1, 2
"""A power's answers about a unit; 0 for no answer."""

STAYED, CAME, TURNED_BACK = range(3)
"""The result for a unit: it is not due, or declined; it comes; its place is taken."""

_VERDICTS = {
    STAYED: Verdict(Result.SUCCEEDS, ReinforcementCause.DECLINED),
    CAME: Verdict(Result.SUCCEEDS, ReinforcementCause.ARRIVED),
    TURNED_BACK: Verdict(Result.VOID, Cause.OCCUPIED),
}


class Arrivals(NamedTuple):
    """Reinforcements by power, place, goal, and kind (`sort`); `due` is 1 for those due where a phase begins.

    `at_once[0]` is 1 if the phase takes no orders about them, and they come at its beginning. For each unit `kept` has
    whether it is due; behind these, per unit, come the questions: the number of choices, then the choice made, then
    `ARRIVES` or `DECLINED`.
    """

    power: Sequence[int]
    place: Sequence[int]
    goal: Sequence[int]
    sort: Sequence[int]
    due: Sequence[int]
    at_once: Sequence[int]


def muster(t: Arrivals, now: Standing) -> None:
    """Note who is due, of powers that have units or places; where nobody is asked, let them come."""
    for n in range(len(t.power)):
        now.kept[n] = 1 if t.due[n] and has_any(now, t.power[n]) else 0
    if t.at_once[0]:
        arrive(t, now)


def has_any(now: Standing, power: int) -> bool:
    """Return whether a power has a unit or a province."""
    count = 0
    for r in range(1, now.n + 1):
        count += now.owner[r] == power
    for place in range(len(now.holder)):
        count += now.holder[place] == power
    return power > 0 and count > 0


def ask(t: Arrivals, now: Standing) -> None:
    """Ask of all that are due whether they shall come; if the place is taken so far, only whether they are declined."""
    size = len(t.power)
    for n in range(size):
        now.kept[size + n] = 0
        if now.kept[n] and not is_meant_before(t, now, n):
            now.kept[size + n] = 1 if is_taken(t, now, n) else 2


def is_meant_before(t: Arrivals, now: Standing, n: int) -> bool:
    """Return whether an order for this unit means an equal one before it."""
    before = 0
    for m in range(n):
        alike = t.power[m] == t.power[n] and t.place[m] == t.place[n] and t.sort[m] == t.sort[n]
        before += now.kept[m] > 0 and alike
    return before > 0


def is_taken(t: Arrivals, now: Standing, n: int) -> bool:
    """Return whether the place of this reinforcement is occupied, by a unit or by another that came."""
    there = 0
    for r in range(1, now.n + 1):
        there += now.at[r] == t.place[n]
    for m in range(n):
        there += now.spare[m] == CAME and t.place[m] == t.place[n]
    return there > 0


def settle(t: Arrivals, now: Standing) -> None:
    """Make of the number of a choice what it says."""
    size = len(t.power)
    for n in range(size):
        if now.kept[size + n] and is_taken(t, now, n):
            now.kept[size + n] = DECLINED


def arrive(t: Arrivals, now: Standing) -> None:
    """Place the reinforcements not declined if their place is empty; else they are lost (SCO-4.d, SCO-4.f)."""
    size = len(t.power)
    for n in range(size):
        if now.kept[n] and now.kept[size + n] != DECLINED:
            now.spare[n] = TURNED_BACK if is_taken(t, now, n) else CAME
            if now.spare[n] == CAME:
                join(now, t.goal[n], t.power[n])
        now.kept[n] = now.kept[size + n] = 0
