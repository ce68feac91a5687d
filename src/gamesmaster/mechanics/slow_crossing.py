"""Slow crossings: waters that hold whoever enters for some seasons, and on which storms are thrown for (IND-9).

The movement phases since the one of entry are counted for each such water; a unit that bounces stays, and its clock
runs on, a newcomer's begins anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from gamesmaster.board import Finding, Position, Unit, place_name
from gamesmaster.judge import (
    Ahead,
    AnyCause,
    AnyEvent,
    BoardMechanic,
    Entry,
    Event,
    MechanicResult,
    Movement,
    MovementMechanic,
    ReportMechanic,
    Rules,
    Saying,
    Season,
    Throw,
    YearMechanic,
    lose,
    with_state,
)
from gamesmaster.judge.engine.kernel import MOVE
from gamesmaster.judge.state import Count, Province, phase_code, phase_name
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import PhaseKind

if TYPE_CHECKING:
    from gamesmaster.judge import Movement
    from gamesmaster.judge.engine.indexed import IndexedPosition
    from gamesmaster.judge.engine.resolution import ResolvedOrder


class CrossingCause(AnyCause):
    """Why a unit stays on its water."""

    TOO_EARLY = "may not leave these waters yet", "IND-9.b"


class CrossingEvent(AnyEvent):
    """What happens on these waters."""

    SUNK = "sunk", "IND-9.c", "{powers} unit in {place} goes down in a storm."
    WEATHERED = "weathered", "IND-9.c", "{powers} unit in {place} rides out a storm."
    OVERDUE = "overdue", "IND-9.b", "{powers} unit in {place} had to leave it, was not ordered to, and is lost."


@mechanic("slow-crossing")
@dataclass(frozen=True)
class SlowCrossing(BoardMechanic, MovementMechanic, YearMechanic, ReportMechanic):
    """On each of `waters` a unit stays for `sojourn` movement phases, and meets the storms of `storms`.

    With 2 of them in a year, a unit that entered in Spring may leave next Spring if that is 2, and in Fall if it is 1
    or 0.  At the beginning of each season of `storms` a die of `sides` is thrown for each unit there; on one of
    `sinks_on` it is lost, and whatever it carries.  `only` limits all this to some kinds of unit, in any form of
    theirs.  With `must_leave` a unit whose sojourn is over is lost if it has no valid order to leave; one that tries
    and is turned back stays.  `clause` is what the throws are made for.
    """

    waters: tuple[str, ...]
    storms: tuple[str, ...] = ()
    sojourn: int = 0
    sides: int = 6
    sinks_on: tuple[int, ...] = (1, 6)
    only: tuple[str, ...] = ()
    must_leave: bool = False
    clause: str = "IND-9.c"

    not_in_columns: ClassVar[str] = "dice are thrown, and units held, game by game"
    causes: ClassVar[tuple[AnyCause, ...]] = (*CrossingCause,)
    events: ClassVar[tuple[AnyEvent, ...]] = (*CrossingEvent,)
    costs: ClassVar[Mapping[AnyEvent, Saying]] = MappingProxyType(
        {CrossingEvent.OVERDUE: Saying("IND-9.b", "loses the unit, which must leave this water now")}
    )
    kept: ClassVar[Any] = dict[Province, Count]
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"waters": "province", "storms": "season", "only": "kind"}
    )

    def __post_init__(self) -> None:
        if not self.waters:
            raise ValueError("at least one water is needed")
        if not 0 <= self.sojourn <= 100:
            raise ValueError("a sojourn is 0 to 100 movement phases")
        if self.must_leave and not self.sojourn:
            raise ValueError("must_leave needs a sojourn of at least 1, after which units must leave")
        if not 2 <= self.sides <= 1_000:
            raise ValueError("a die has 2 to 1,000 sides")
        if not all(1 <= number <= self.sides for number in self.sinks_on):
            raise ValueError(f"a die with {self.sides} sides throws 1 to {self.sides}")
        if "|" in self.clause or not self.clause:
            raise ValueError("name a clause, without a bar")

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """A crossing that changes nothing, a storm that harms nobody."""
        where = f"mechanics {self.id}"
        if self.sojourn < 2 and not self.storms:
            yield Finding.warning("no-effect", where, "units that enter may leave at once, and no season has storms")
        if self.storms and not self.sinks_on:
            yield Finding.warning("harmless-storm", where, "no throw of the die sinks anybody")

    # -- movement ----------------------------------------------------------------------------------------------------

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Too early to leave (IND-9.b)."""
        unit = field.units[row]
        if unit is None or resolved.code != MOVE or not self._holds(field.rules, unit):
            return None
        since = _clocks(field.position).get(unit.at.province, self.sojourn)
        return CrossingCause.TOO_EARLY if since + 1 < self.sojourn else None

    def after_moves(self, movement: Movement, position: Position) -> MechanicResult:
        """Turn the clocks on; who has just come begins at 0 (IND-9.a, IND-9.f).  Lose those who had to leave."""
        if self.sojourn < 2 and not self.must_leave:
            return MechanicResult(position)
        late = self._late(movement)
        position = lose(movement.field.rules, position, late) if late else position
        rules, before = movement.field.rules, _clocks(movement.field.position)
        were_here = {unit.number: unit.at.province for unit in movement.field.position.units}
        now: dict[str, int] = {}
        for unit in self._there(rules, position):
            here = unit.at.province
            stayed = were_here.get(unit.number) == here
            now[here] = before.get(here, self.sojourn) + 1 if stayed else 0
        happened = tuple(Event(CrossingEvent.OVERDUE, unit.power, unit.at.province) for unit in late)
        return MechanicResult(with_state(position, self.id, now or None), happened=happened)

    def _late(self, movement: Movement) -> list[Unit]:
        """The units that had to leave now and were not ordered to, or not in a way that could be."""
        field, clocks = movement.field, _clocks(movement.field.position)
        return [
            unit
            for row, unit in enumerate(field.units)
            if self.must_leave
            and unit is not None
            and self._holds(field.rules, unit)
            and movement.bound.chosen[row].code != MOVE
            and clocks.get(unit.at.province, self.sojourn) + 1 >= self.sojourn
        ]

    # -- the year ----------------------------------------------------------------------------------------------------

    def phase_begins(
        self, rules: Rules, season: Season, position: Position, throw: Throw
    ) -> tuple[Position, tuple[Event, ...]]:
        """The storm, before anything else in its season (IND-9.c, IND-9.d)."""
        if not season.goes_by(self.storms):
            return position, ()
        sunk: list[Unit] = []
        happened: list[Event] = []
        for unit in self._there(rules, position):
            fell = throw(self.sides, self.clause, f"{unit.power} {unit}")
            if fell in self.sinks_on:
                sunk.append(unit)
            kind = CrossingEvent.SUNK if fell in self.sinks_on else CrossingEvent.WEATHERED
            happened.append(Event(kind, unit.power, unit.at.province))
        left = lose(rules, position, sunk) if sunk else position
        still = {unit.at.province for unit in self._there(rules, left)}
        clocks = {water: since for water, since in _clocks(left).items() if water in still}
        return with_state(left, self.id, clocks or None) if sunk else left, tuple(happened)

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[Entry]:
        """Who is on these waters, and when each may leave at the earliest (IND-9.b)."""
        clocks = _clocks(position)
        for unit in self._there(rules, position) if self.sojourn > 1 else ():
            water = unit.at.province
            leaves = ahead.of_kind(PhaseKind.MOVEMENT, max(0, self.sojourn - 1 - clocks.get(water, self.sojourn)))
            text = f"{unit.kind} in {place_name(rules.board, unit.at)} may leave in {phase_name(leaves)}"
            yield Entry("Crossings", text, unit.power, water, term=phase_code(leaves), clause="IND-9.b")

    # -- inside ------------------------------------------------------------------------------------------------------

    def _there(self, rules: Rules, position: Position) -> Iterator[Unit]:
        """The units on these waters, in order; those aboard share their carrier's lot."""
        return (unit for unit in position.units if self._holds(rules, unit))

    def _holds(self, rules: Rules, unit: Unit) -> bool:
        known = not self.only or unit.kind in self.only or rules.board.base(unit.kind) in self.only
        return known and not unit.aboard and unit.at.province in self.waters


def _clocks(position: Position) -> dict[str, int]:
    """Water to the number of movement phases since the one in which its unit entered."""
    state = position.state.get(SlowCrossing.id, {})
    return dict(state) if isinstance(state, Mapping) else {}
