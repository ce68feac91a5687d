"""Reinforcements: units that come at a set time, if their place is empty and their power does not decline (SCO-4).

In a phase of retreats or of adjustments the power is asked; they come unless it says otherwise, after the retreats, or
before the builds.  In a movement phase they are there when it begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

from gamesmaster.board import Board, Location, Position, place_name, units_from
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
    Entry,
    Event,
    MechanicResult,
    ReportMechanic,
    Result,
    Rules,
    Saying,
    Season,
    Term,
    Verdict,
    YearMechanic,
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
    """What becomes of units that come at a set time."""

    ARRIVED = "arrived", "SCO-4.d", "{powers} reinforcements arrive in {place}."
    BARRED = "barred", "SCO-4.d", "{powers} reinforcements find {place} occupied and turn back for good."


class ReinforcementVerb(AnyVerb):
    """What powers order of them."""

    ARRIVE = "arrive", Phrase(before="arrive arrives", led=True, title="Put out", says="Put out {unit}")
    DECLINE = "decline", Phrase(before="decline declines", led=True, title="Decline", says="Decline {unit}")


@dataclass(frozen=True)
class Reinforcement:
    """A unit of `power` that comes `at` a place, of the kind `unit` (`A/F` for a laden fleet).

    It comes in the first phase called `season` (`Summer`, `Spring retreats`) of a `year`, or of a `turn`, from 0.
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
        """Is this its time?"""
        return season.goes_by((self.season,)) and self.year in (None, season.year) and self.turn in (None, season.turn)


class _Due(NamedTuple):
    """A reinforcement that is due now, as the state remembers it."""

    power: str
    unit: str
    at: str


class _Voice(NamedTuple):
    """What was said of a reinforcement: the order's power and number, and its verb."""

    key: tuple[str, int]
    verb: AnyVerb


@dataclass(frozen=True)
class _Kept(Kept):
    due: list[tuple[Power, Kind, Place]]


@mechanic("reinforcements")
@dataclass(frozen=True)
class Reinforcements(BoardMechanic, YearMechanic, ReportMechanic):
    """Units that are `scheduled` to come; each once, to its place, if that is empty then (SCO-4.c, SCO-4.d)."""

    scheduled: tuple[Reinforcement, ...]

    not_in_columns: ClassVar[str] = "the orders that decline units, and units that come, have no rows"
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

    def start(self, rules: Rules, position: Position) -> Position:
        """See that every place is one."""
        places = {str(location) for location in rules.board.locations}
        for coming in self.scheduled:
            if coming.at not in places or not rules.board.can_stand(coming.unit, Location.of(coming.at)):
                what = f"no {coming.unit} can come to {coming.at[:40]!r}"
                raise BadFile(what, where=self.id, hint=nearest(coming.at, places))
        return position

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[Entry]:
        """Who is still to come, where and when (SCO-4.c)."""
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
        alive = {*(unit.power for unit in position.units), *position.owners.values()}
        due = [_Due(r.power, r.unit, r.at) for r in self.scheduled if r.due(season) and r.power in alive]
        if not due:
            return position, ()
        if season.kind is PhaseKind.MOVEMENT:
            happened = []
            for entry in due:
                position, what = _come(rules.board, position, entry)
                happened.append(what)
            return position, tuple(happened)
        return with_state(position, self.id, {"due": [list(entry) for entry in due]}), ()

    def orders_due(self, rules: Rules, season: Season, position: Position) -> Mapping[str, int]:
        """Each power decides on its own."""
        due = _due(position)
        return {power: sum(entry.power == power for entry in due) for power in dict.fromkeys(e.power for e in due)}

    def extra_orders(self, rules: Rules, season: Season, position: Position, power: str) -> Iterator[Order]:
        """Each may be declined, or told to come if its place is empty so far."""
        for entry in (entry for entry in _due(position) if entry.power == power):
            at = Location.of(entry.at)
            verbs = (ReinforcementVerb.DECLINE,) if position.at(at.province) else (*ReinforcementVerb,)
            yield from (Order(verb, entry.unit, at) for verb in verbs)

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
        """Let those come that nobody declined (SCO-4.d, SCO-4.f)."""
        due = _due(position)
        verdicts: dict[tuple[str, int], Verdict] = {}
        told: dict[_Due, list[_Voice]] = {}
        for power, given in orders.items():
            for number, order in ((n, order) for n, order in enumerate(given) if order):
                entry = next((e for e in due if e.power == power and _means(order, e)), None)
                if entry is None:
                    verdicts[power, number] = Verdict(Result.VOID, ReinforcementCause.NOT_DUE)
                else:
                    told.setdefault(entry, []).append(_Voice((power, number), order.verb))
        heard = {entry: _chosen(voices, rules.rulebook.double_orders, verdicts) for entry, voices in told.items()}
        happened: list[Event] = []
        for entry in due:
            voice = heard.get(entry)
            if voice and voice.verb is ReinforcementVerb.DECLINE:
                verdicts[voice.key] = Verdict(Result.SUCCEEDS, ReinforcementCause.DECLINED)
                continue
            position, what = _come(rules.board, position, entry)
            if voice:
                came = Verdict(Result.SUCCEEDS, ReinforcementCause.ARRIVED)
                verdicts[voice.key] = (
                    came if what.kind is ReinforcementEvent.ARRIVED else Verdict(Result.VOID, Cause.OCCUPIED)
                )
            else:
                happened.append(what)
        return MechanicResult(with_state(position, self.id, None) if due else position, verdicts, tuple(happened))


def _comes(coming: Reinforcement, term: Term) -> bool:
    return coming.due(term.season)


def _due(position: Position) -> list[_Due]:
    state: Any = position.state.get(Reinforcements.id)
    return [_Due(*entry) for entry in state["due"]] if isinstance(state, Mapping) else []


def _means(order: Order, entry: _Due) -> bool:
    """Is this order for this unit?  The kind may be left out."""
    here = order.at is not None and order.at.province == Location.of(entry.at).province
    return here and order.kind in ("", entry.unit)


def _chosen(voices: Sequence[_Voice], answer: str, verdicts: dict[tuple[str, int], Verdict]) -> _Voice | None:
    """Which of several orders for one unit counts (4.D.3); the others are void, or all if they contradict."""
    if answer not in ("first", "last") and len({voice.verb for voice in voices}) > 1:
        verdicts |= {voice.key: Verdict(Result.VOID, Cause.CONTRADICTED) for voice in voices}
        return None
    kept = voices[-1] if answer == "last" else voices[0]
    verdicts |= {voice.key: Verdict(Result.VOID, Cause.SECOND) for voice in voices if voice != kept}
    return kept


def _come(board: Board, position: Position, due: _Due) -> tuple[Position, Event]:
    """Put a unit on the board if its place is empty; else it is lost."""
    province = Location.of(due.at).province
    if position.at(province):
        return position, Event(ReinforcementEvent.BARRED, due.power, province)
    number = 1 + max((u.number for u in (*position.units, *(d.unit for d in position.dislodged))), default=0)
    units = units_from({due.power: [f"{due.unit} {due.at}"]}, number, board.forms)
    return replace(position, units=(*position.units, *units)), Event(ReinforcementEvent.ARRIVED, due.power, province)
