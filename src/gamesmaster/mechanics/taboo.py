"""Taboo ground: whoever first sets foot on it is lost, and its power builds nothing for some Winters (IND-5).

Only arriving counts, by move or by retreat.  From then on the ground is like any other, and open to retreats at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from gamesmaster.board import Board, Dislodged, Location, Position, place_name
from gamesmaster.judge import (
    PLAIN,
    Ahead,
    AnyEvent,
    Aspect,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    Entry,
    Event,
    ReportMechanic,
    Rules,
    Saying,
    Sites,
    WinterMechanic,
    YearMechanic,
    lose,
    with_state,
)
from gamesmaster.judge.state import Kept, Positive, Power, Province, phase_code, phase_name
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import Verb


class TabooEvent(AnyEvent):
    """What becomes of those who break a taboo."""

    CURSED = "cursed", "IND-5.b", "{power} {has} broken the taboo of {place}: {its} unit is gone{detail}."


@dataclass(frozen=True)
class _Kept(Kept):
    whole: list[Province]
    cursed: dict[Power, Positive]


@mechanic("taboo")
@dataclass(frozen=True)
class Taboo(BoardMechanic, YearMechanic, WinterMechanic, ReportMechanic):
    """`provinces` are taboo from the start; who breaks one builds nothing in the next `winters` Winters."""

    provinces: tuple[str, ...]
    winters: int = 2

    events: ClassVar[tuple[AnyEvent, ...]] = (*TabooEvent,)
    costs: ClassVar[Mapping[AnyEvent, Saying]] = MappingProxyType(
        {TabooEvent.CURSED: Saying("IND-5.b", "breaks a taboo: the unit is lost, and its power cursed")}
    )
    kept: ClassVar[Any] = _Kept
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"provinces": "province"}
    )

    def __post_init__(self) -> None:
        if not self.provinces:
            raise ValueError("at least one province is needed")
        if not 0 <= self.winters <= 100:
            raise ValueError("a curse lasts 0 to 100 Winters")

    def start(self, rules: Rules, position: Position) -> Position:
        """Every taboo is whole (IND-5.a)."""
        return _with(position, self.provinces, {})

    def after_movement(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Take off who has set foot on taboo ground, and curse its power (IND-5.b to d)."""
        whole, cursed = _state(position)
        guilty = [unit for unit in position.units if unit.at.province in whole and not unit.aboard]
        if not guilty:
            return position, ()
        broken = {unit.at.province for unit in guilty}
        if self.winters:
            cursed |= {unit.power: self.winters for unit in guilty if unit.power in rules.numbers}
        left = lose(rules, position, guilty)
        dislodged = tuple(_sheltered(rules.board, beaten, broken) for beaten in left.dislodged)
        after = _with(replace(left, dislodged=dislodged), [p for p in whole if p not in broken], cursed)
        return after, tuple(Event(TabooEvent.CURSED, unit.power, unit.at.province) for unit in guilty)

    # -- reasons -----------------------------------------------------------------------------------------------------

    def sayings(self) -> Clauses:
        """The curse."""
        return Clauses({"cursed": Saying("IND-5.f", "is by a power under a curse, which builds nothing")})

    def ruling_aspect(self, case: Case) -> Aspect:
        """A build of the cursed is void for that alone, and for how long."""
        left = _state(case.position)[1].get(case.ruling.power, 0)
        builds = case.ruling.order is not None and case.ruling.order.verb is Verb.BUILD
        if not left or not builds or case.ruling.cause not in (Cause.NOT_A_SITE, Cause.OCCUPIED):
            return PLAIN
        until = "the curse ends with this Winter" if left == 1 else f"it lasts this Winter and {_more(left - 1)}"
        return Aspect("cursed", until)

    def event_aspect(self, board: Board, event: Event, winter: Callable[[int], str]) -> Aspect:
        """How long a curse lasts."""
        if event.kind is not TabooEvent.CURSED or not self.winters:
            return PLAIN
        return Aspect("cursed", f", and the power builds nothing until {winter(self.winters)} is over")

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[Entry]:
        """What is still taboo, and who is cursed, until when (IND-5.f)."""
        whole, cursed = _state(position)
        for place in whole:
            yield Entry("Taboo", f"{place_name(rules.board, Location(place))}, whole", province=place, clause="IND-5.a")
        for power, left in cursed.items():
            last, free = ahead.winter(left - 1), ahead.winter(left)
            text = f"builds nothing up to {phase_name(last)}, and again in {phase_name(free)}"
            yield Entry("Curses", text, power, number=left, term=phase_code(last), clause="IND-5.f")

    # -- Winter ------------------------------------------------------------------------------------------------------

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """The cursed build nowhere (IND-5.f)."""
        return {} if power in _state(position)[1] else regular

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """One Winter less of every curse."""
        whole, cursed = _state(position)
        return _with(position, whole, {power: left - 1 for power, left in cursed.items() if left > 1})


def _more(winters: int) -> str:
    return "the next" if winters == 1 else f"the next {winters}"


def _sheltered(board: Board, beaten: Dislodged, opened: set[str]) -> Dislodged:
    """A dislodged unit, to which places are open that have just become vacant (IND-5.e)."""
    unit = beaten.unit
    way = board.forms[unit.kind].flees if unit.kind in board.forms else board.ways[unit.kind]
    here = board.location_index[unit.at]
    steps: Mapping[int, tuple[int, ...]] = board.steps[way][here] if way and not unit.aboard else {}
    near = [board.locations[there] for ends in steps.values() for there in ends if not _barred(board, beaten, there)]
    found = dict.fromkeys((*beaten.retreats, *(at for at in near if at.province in opened)))
    return replace(beaten, retreats=tuple(found))


def _barred(board: Board, beaten: Dislodged, there: int) -> bool:
    """Did its attacker come from there, or is the step closed to it?"""
    unit, at = beaten.unit, board.locations[there]
    return at.province == beaten.by or board.barred(unit.power, unit.kind, board.location_index[unit.at], there)


def _state(position: Position) -> tuple[tuple[str, ...], dict[str, int]]:
    """The provinces still taboo, and power to the Winters left of its curse."""
    state = position.state.get(Taboo.id)
    if not isinstance(state, Mapping):
        return (), {}
    return tuple(state.get("whole", ())), dict(state.get("cursed", {}))


def _with(position: Position, whole: tuple[str, ...] | list[str], cursed: Mapping[str, int]) -> Position:
    state = {"whole": list(whole), "cursed": dict(cursed)} if whole or cursed else None
    return with_state(position, Taboo.id, state)
