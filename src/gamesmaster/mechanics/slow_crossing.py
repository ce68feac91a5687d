"""Slow crossings: waters that hold each unit for some seasons, and on which dice decide storms (IND-9).

Each such water counts the movement phases since the one of entry. A unit that bounces stays and its clock runs on; a
new unit starts the clock again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from gamesmaster.board import Finding, Position, Unit, place_name
from gamesmaster.engine import MOVE
from gamesmaster.judge import IndexedPosition, Movement, MovementMechanic, ResolvedOrder
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import (
    NO_MOVES,
    Ahead,
    AnyCause,
    AnyEvent,
    BoardMechanic,
    ColumnMechanic,
    Columns,
    Count,
    Event,
    LedgerEntry,
    MechanicResult,
    ParameterNames,
    ProvinceKey,
    ReasonText,
    ReportMechanic,
    Rules,
    Season,
    Standing,
    Throw,
    YearMechanic,
    lose,
    phase_code,
    phase_name,
    standing,
    with_state,
)


class CrossingCause(AnyCause):
    """Why a unit stays on its water."""

    TOO_EARLY = "may not leave these waters yet", "IND-9.b"


class CrossingEvent(AnyEvent):
    """Events on these waters."""

    SUNK = "sunk", "IND-9.c", "{powers} unit in {place} goes down in a storm."
    WEATHERED = "weathered", "IND-9.c", "{powers} unit in {place} rides out a storm."
    OVERDUE = "overdue", "IND-9.b", "{powers} unit in {place} had to leave it, was not ordered to, and is lost."


@mechanic("slow-crossing")
@dataclass(frozen=True)
class SlowCrossing(BoardMechanic, MovementMechanic, YearMechanic, ReportMechanic, ColumnMechanic):
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

    causes: ClassVar[tuple[AnyCause, ...]] = (*CrossingCause,)
    events: ClassVar[tuple[AnyEvent, ...]] = (*CrossingEvent,)
    costs: ClassVar[Mapping[AnyEvent, ReasonText]] = MappingProxyType(
        {CrossingEvent.OVERDUE: ReasonText("IND-9.b", "loses the unit, which must leave this water now")}
    )
    kept: ClassVar[Any] = dict[ProvinceKey, Count]
    names: ClassVar[ParameterNames] = MappingProxyType({"waters": "province", "storms": "season", "only": "kind"})

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
            raise ValueError("clause must name a clause, without a bar (|)")

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield findings on a crossing that changes nothing, and a storm that sinks nothing."""
        where = f"mechanics {self.id}"
        if self.sojourn < 2 and not self.storms:
            yield Finding.warning("no-effect", where, "units that enter may leave at once, and no season has storms")
        if self.storms and not self.sinks_on:
            yield Finding.warning("harmless-storm", where, "no throw of the die sinks anybody")

    # -- movement ----------------------------------------------------------------------------------------------------

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Return that a unit cannot leave its water yet (IND-9.b); else None."""
        unit = field.units[row]
        if unit is None or resolved.code != MOVE or not self._holds(field.rules, unit):
            return None
        clock = _clock(field.position, unit.at.province)
        return CrossingCause.TOO_EARLY if is_held(clock, self.sojourn) else None

    def after_moves(self, movement: Movement, position: Position) -> MechanicResult:
        """Advance the clocks, with 0 for a unit that has just entered (IND-9.a, IND-9.f).

        Remove units that had to leave.
        """
        rules, clocks = movement.field.rules, _clocks(movement.field.position)
        if not (clocks or any(True for _ in self._there(rules, position))):
            return MechanicResult(position)
        now = movement.standing(position, self._numbers(movement.field.position))
        left = {unit.number for unit in position.units}
        turn_on(self._crossing(rules), now)
        late = [u for row, u in enumerate(movement.field.units) if u and now.units.gone[row] and u.number in left]
        position = lose(rules, position, late) if late else position
        happened = tuple(Event(CrossingEvent.OVERDUE, unit.power, unit.at.province) for unit in late)
        return MechanicResult(with_state(position, self.id, self._state(now.kept)), happened=happened)

    # -- the year ----------------------------------------------------------------------------------------------------

    def phase_begins(
        self, rules: Rules, season: Season, position: Position, throw: Throw
    ) -> tuple[Position, tuple[Event, ...]]:
        """Return the storm, before anything else in its season (IND-9.c, IND-9.d)."""
        if not season.goes_by(self.storms):
            return position, ()
        now = standing(rules, position, self._numbers(position))
        crossing = self._crossing(rules)
        expose(crossing, now)
        exposed = [(row, unit) for row, unit in enumerate(position.units, 1) if now.orders.fell[row]]
        for row, unit in exposed:
            now.orders.fell[row] = throw(self.sides, self.clause, f"{unit.power} {unit}")
        sink(crossing, now)
        sunk = [unit for row, unit in exposed if now.units.gone[row]]
        happened = tuple(
            Event(CrossingEvent.SUNK if now.units.gone[row] else CrossingEvent.WEATHERED, unit.power, unit.at.province)
            for row, unit in exposed
        )
        if not sunk:
            return position, happened
        return with_state(lose(rules, position, sunk), self.id, self._state(now.kept)), happened

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the units on these waters, and when each may leave at the earliest (IND-9.b)."""
        clocks = _clocks(position)
        for unit in self._there(rules, position) if self.sojourn > 1 else ():
            water = unit.at.province
            term = ahead.of_kind(PhaseKind.MOVEMENT, max(0, self.sojourn - 1 - clocks.get(water, self.sojourn)))
            text = f"{unit.kind} in {place_name(rules.board, unit.at)} may leave in {phase_name(term)}"
            yield LedgerEntry("Crossings", text, unit.power, water, term=phase_code(term), clause="IND-9.b")

    # -- in columns --------------------------------------------------------------------------------------------------

    def columns(self, rules: Rules) -> Columns:
        """Return its rules; the clock of each water is kept."""
        return Columns(
            width=len(self.waters),
            state=self._state,
            bars=hold_back,
            stormy=partial(Season.goes_by, names=self.storms) if self.storms else None,
            sides=self.sides,
            clause=self.clause,
            throws=expose,
            storm=sink,
            after_moves=turn_on,
            table=self._crossing(rules),
        )

    def _crossing(self, rules: Rules) -> Crossing:
        board = rules.board
        return Crossing(
            [self.sojourn, int(self.must_leave)],
            [self.waters.index(p.id) if p.id in self.waters else -1 for p in board.provinces],
            [int(self._knows(rules, kind)) for kind in board.ways],
            [int(number in self.sinks_on) for number in range(self.sides + 1)],
        )

    def _numbers(self, position: Position) -> list[int]:
        return [_clock(position, water) for water in self.waters]

    def _state(self, kept: Sequence[int]) -> dict[str, int] | None:
        return {water: int(clock) - 1 for water, clock in zip(self.waters, kept, strict=True) if clock} or None

    # -- inside ------------------------------------------------------------------------------------------------------

    def _there(self, rules: Rules, position: Position) -> Iterator[Unit]:
        """Return the units on these waters, in order; those aboard share their carrier's lot."""
        return (unit for unit in position.units if self._holds(rules, unit))

    def _holds(self, rules: Rules, unit: Unit) -> bool:
        return unit.at.province in self.waters and not unit.aboard and self._knows(rules, unit.kind)

    def _knows(self, rules: Rules, kind: str) -> bool:
        return not self.only or kind in self.only or rules.board.base(kind) in self.only


def _clocks(position: Position) -> dict[str, int]:
    """Map each water to the number of movement phases since the one in which its unit entered."""
    state = position.state.get(SlowCrossing.id, {})
    return dict(state) if isinstance(state, Mapping) else {}


def _clock(position: Position, water: str) -> int:
    """Return the clock of one water as its column has it: one more than `_clocks`, 0 if it has none there."""
    return 1 + _clocks(position).get(water, -1)


class Crossing(NamedTuple):
    """The rules of a crossing, and its waters, in columns."""

    terms: Sequence[int]  # the sojourn, and 1 if a unit must then leave
    clock: Sequence[int]  # by province: the number of its clock, -1 for none
    held: Sequence[int]  # by kind of unit: 1 if it is held
    sinks: Sequence[int]  # by number on the die: 1 if it sinks the unit


def is_held(clock: int, sojourn: int) -> bool:
    """Return whether it is too early for a unit to leave a water (IND-9.b); a unit without a clock may."""
    return clock > 0 and clock < sojourn


def clock_of(t: Crossing, now: Standing, r: int, place: int) -> int:
    """Return the number of the clock that a unit has in a place, -1 for none."""
    return t.clock[place] if place >= 0 and t.held[now.units.sort[r]] else -1


def hold_back(t: Crossing, now: Standing) -> None:
    """Bar the moves of units for which it is too early to leave."""
    for r in range(1, now.n + 1):
        water = clock_of(t, now, r, now.units.at[r])
        if water >= 0 and is_held(now.kept[water], t.terms[0]):
            now.orders.barred[r] |= NO_MOVES


def turn_on(t: Crossing, now: Standing) -> None:
    """Turn the clocks on, and begin those of newcomers; lose who had to leave and did not try (IND-9.a, b, f)."""
    sojourn, must_leave = t.terms
    if sojourn < 2 and not must_leave:
        return
    for water in range(len(now.kept)):
        now.spare[water] = 0
    for r in range(1, now.n + 1):
        if now.moves.victor[r] or now.units.gone[r]:
            continue
        here = clock_of(t, now, r, now.units.at[r])
        if must_leave and here >= 0 and now.moves.act[r] != MOVE and not is_held(now.kept[here], sojourn):
            now.units.gone[r] = 1
            continue
        water = clock_of(t, now, r, now.moves.to[r]) if now.moves.came[r] else here
        if water >= 0:
            known = now.kept[water] if now.kept[water] else sojourn + 1
            now.spare[water] = 1 if now.moves.came[r] else known + 1
    for water in range(len(now.kept)):
        now.kept[water] = now.spare[water]


def expose(t: Crossing, now: Standing) -> None:
    """Mark the units for which a die is thrown in a storm (IND-9.c, IND-9.d)."""
    for r in range(1, now.n + 1):
        if clock_of(t, now, r, now.units.at[r]) >= 0:
            now.orders.fell[r] = 1


def sink(t: Crossing, now: Standing) -> None:
    """Remove the units that sink in the storm, and stop the clocks of waters without a unit."""
    for water in range(len(now.kept)):
        now.spare[water] = 0
    sunk = 0
    for r in range(1, now.n + 1):
        if now.orders.fell[r] and t.sinks[now.orders.fell[r]]:
            now.units.gone[r] = 1
            sunk += 1
        elif now.orders.fell[r]:
            now.spare[t.clock[now.units.at[r]]] = 1
    for water in range(len(now.kept)):
        if sunk and not now.spare[water]:
            now.kept[water] = 0
