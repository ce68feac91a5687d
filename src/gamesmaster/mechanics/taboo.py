"""Taboo ground: the first unit to enter it is lost, and its power builds nothing for some Winters (IND-5).

Only arriving counts, by move or by retreat. From then on the ground is like any other, and open to retreats at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from gamesmaster.board import Board, Dislodged, Location, Position, place_name
from gamesmaster.judge import OrderReader, find_refuges
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import Verb
from gamesmaster.rules import (
    NO_OVERRIDE,
    Ahead,
    AnyEvent,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    Event,
    LedgerEntry,
    MechanicState,
    ParameterNames,
    Positive,
    PowerKey,
    ProvinceKey,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Rules,
    Sites,
    Standing,
    WinterMechanic,
    YearMechanic,
    lose,
    phase_code,
    phase_name,
    standing,
    with_state,
)


class TabooEvent(AnyEvent):
    """Events of powers that break a taboo."""

    CURSED = "cursed", "IND-5.b", "{power} {has} broken the taboo of {place}: {its} unit is gone{detail}."


@dataclass(frozen=True)
class _Kept(MechanicState):
    whole: list[ProvinceKey]
    cursed: dict[PowerKey, Positive]


@mechanic("taboo")
@dataclass(frozen=True)
class Taboo(BoardMechanic, YearMechanic, WinterMechanic, ReportMechanic, ColumnMechanic):
    """`provinces` are taboo from the start; who breaks one builds nothing in the next `winters` Winters."""

    provinces: tuple[str, ...]
    winters: int = 2

    events: ClassVar[tuple[AnyEvent, ...]] = (*TabooEvent,)
    costs: ClassVar[Mapping[AnyEvent, ReasonText]] = MappingProxyType(
        {TabooEvent.CURSED: ReasonText("IND-5.b", "breaks a taboo: the unit is lost, and its power cursed")}
    )
    kept: ClassVar[Any] = _Kept
    names: ClassVar[ParameterNames] = MappingProxyType({"provinces": "province"})

    def __post_init__(self) -> None:
        if not self.provinces:
            raise ValueError("at least one province is needed")
        if not 0 <= self.winters <= 100:
            raise ValueError("a curse lasts 0 to 100 Winters")

    def start(self, rules: Rules, position: Position) -> Position:
        """Return the position at the start, in which every taboo is whole (IND-5.a)."""
        return with_state(position, self.id, {"whole": list(self.provinces), "cursed": {}})

    def after_movement(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Take off who has set foot on taboo ground, and curse its power (IND-5.b to d)."""
        if not any(unit.at.province in self.provinces for unit in position.units):
            return position, ()
        now = standing(rules, position, self._kept(rules, position))
        trespass(self._ground(rules), now)
        guilty = [unit for row, unit in enumerate(position.units, 1) if now.units.gone[row]]
        if not guilty:
            return position, ()
        broken = {unit.at.province for unit in guilty}
        left = lose(rules, position, guilty)
        dislodged = tuple(_sheltered(rules, beaten, broken) for beaten in left.dislodged)
        after = with_state(replace(left, dislodged=dislodged), self.id, self._state(rules, now.kept))
        return after, tuple(Event(TabooEvent.CURSED, unit.power, unit.at.province) for unit in guilty)

    # -- in columns --------------------------------------------------------------------------------------------------

    def columns(self, rules: Rules) -> Columns:
        """Return its rules.

        `kept` has whether the taboo of each ground is broken, and the length of each power's curse.
        """
        return Columns(
            width=len(self.provinces) + 1 + len(rules.powers),
            state=partial(self._state, rules),
            after_movement=trespass,
            before_winter=forbid,
            after_winter=relent,
            table=self._ground(rules),
        )

    def _ground(self, rules: Rules) -> TabooTables:
        return TabooTables([self.winters], [rules.board.index[province] for province in self.provinces])

    def _kept(self, rules: Rules, position: Position) -> list[int]:
        whole, cursed = _state(position)
        return [*(int(p not in whole) for p in self.provinces), 0, *(cursed.get(power, 0) for power in rules.powers)]

    def _state(self, rules: Rules, kept: Sequence[int]) -> dict[str, object] | None:
        first = len(self.provinces)
        whole = [province for number, province in enumerate(self.provinces) if not kept[number]]
        cursed = {power: int(kept[first + n]) for power, n in rules.numbers.items() if kept[first + n]}
        return {"whole": whole, "cursed": cursed} if whole or cursed else None

    # -- reasons -----------------------------------------------------------------------------------------------------

    def sayings(self) -> Clauses:
        """Return the wording of the curse."""
        return Clauses({"cursed": ReasonText("IND-5.f", "is by a power under a curse, which builds nothing")})

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return the aspect of a build that is void because of a curse, with its end."""
        left = _state(case.position)[1].get(case.ruling.power, 0)
        builds = case.ruling.order is not None and case.ruling.order.verb is Verb.BUILD
        if not left or not builds or case.ruling.cause not in (Cause.NOT_A_SITE, Cause.OCCUPIED):
            return NO_OVERRIDE
        more = "the next" if left == 2 else f"the next {left - 1}"
        until = "the curse ends with this Winter" if left == 1 else f"it lasts this Winter and {more}"
        return ReasonOverride("cursed", until)

    def event_aspect(self, board: Board, event: Event, winter: Callable[[int], str]) -> ReasonOverride:
        """Return the aspect that says how long a curse lasts."""
        if event.kind is not TabooEvent.CURSED or not self.winters:
            return NO_OVERRIDE
        return ReasonOverride("cursed", f", and the power builds nothing until {winter(self.winters)} is over")

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the places still taboo, and the powers cursed with the end of the curse (IND-5.f)."""
        whole, cursed = _state(position)
        for place in whole:
            yield LedgerEntry(
                "Taboo", f"{place_name(rules.board, Location(place))}, whole", province=place, clause="IND-5.a"
            )
        for power, left in cursed.items():
            last, free = ahead.winter(left - 1), ahead.winter(left)
            text = f"builds nothing up to {phase_name(last)}, and again in {phase_name(free)}"
            yield LedgerEntry("Curses", text, power, number=left, term=phase_code(last), clause="IND-5.f")

    # -- Winter ------------------------------------------------------------------------------------------------------

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return the sites: none for a power under a curse (IND-5.f)."""
        return {} if power in _state(position)[1] else regular

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """Shorten every curse by one Winter."""
        now = standing(rules, position, self._kept(rules, position))
        relent(self._ground(rules), now)
        return with_state(position, self.id, self._state(rules, now.kept))


class TabooTables(NamedTuple):
    """The number of Winters that a curse lasts, and the provinces that are taboo."""

    winters: Sequence[int]
    places: Sequence[int]


def trespass(t: TabooTables, now: Standing) -> None:
    """Remove the unit on taboo ground, and curse its power; afterwards the ground is not taboo (IND-5.b to e)."""
    first = len(t.places)
    for number in range(first):
        broken = now.kept[number]
        for r in range(1, now.n + 1):
            if not broken and now.units.at[r] == t.places[number]:
                now.units.gone[r] = now.kept[number] = 1
                now.lands.closed[now.units.at[r]] = 0
                if now.units.owner[r]:
                    now.kept[first + now.units.owner[r]] = t.winters[0]


def forbid(t: TabooTables, now: Standing) -> None:
    """Bar powers under a curse from building (IND-5.f)."""
    for power in range(1, len(now.powers.centres)):
        if now.kept[len(t.places) + power]:
            now.powers.barren[power] = 1


def relent(t: TabooTables, now: Standing) -> None:
    """Shorten every curse by one Winter."""
    for power in range(1, len(now.powers.centres)):
        now.kept[len(t.places) + power] = max(0, now.kept[len(t.places) + power] - 1)


def _sheltered(rules: Rules, beaten: Dislodged, opened: set[str]) -> Dislodged:
    """Return a dislodged unit with the retreats that have just become vacant (IND-5.e)."""
    unit, board = beaten.unit, rules.board
    so_far = {at.province for at in beaten.retreats}
    closed = [province.id not in so_far | opened for province in board.provinces]
    barred = -1 if beaten.by in so_far else board.index.get(beaten.by, -1)
    flees = {} if unit.aboard else rules.derive(OrderReader).placements[unit.kind][unit.at].flees
    found = find_refuges(board, unit, flees, closed, barred)
    return replace(beaten, retreats=tuple(board.locations[location] for location in found))


def _state(position: Position) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the provinces still taboo, and the remaining Winters of each power's curse."""
    state = position.state.get(Taboo.id)
    if not isinstance(state, Mapping):
        return (), {}
    return tuple(state.get("whole", ())), dict(state.get("cursed", {}))
