"""Ends of a game beside centres: provinces held, needed or entered, teams, no captures; and welfare.

What they keep is how long that has lasted, so that the record of a game comes to the same end whenever it is judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from gamesmaster.board import Finding, Location, Position, Unit, place_name
from gamesmaster.english import many
from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import balance
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import (
    NO_OVERRIDE,
    Ahead,
    AnyCause,
    AnyEvent,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    Event,
    GameEnd,
    LedgerEntry,
    ParameterNames,
    Positive,
    PowerKey,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Rules,
    Season,
    WinterMechanic,
    YearMechanic,
    silent_powers,
    with_state,
)


class GoalEvent(AnyEvent):
    """The ends that these mechanics bring."""

    HELD = "held", "STD-2.f", "{power} {has} held the provinces that win for as long as it takes."
    LACKING = "lacking", "STD-2.j", "{power} {has} enough to win, but lack{s} provinces that a winner needs."
    TEAM = "team", "STD-2.k", "{power} {is_} in the team that wins."
    ENTERED = "entered", "STD-2.l", "{power} {has} a unit in {place}, and win{s} at the next count."
    STILL = "still", "STD-2.g", "No supply centre has changed hands for so long that the game ends."


def _check_provinces(goal: HeldProvinces | NeededProvinces) -> None:
    """Raise `ValueError` if provinces are named twice, or more are asked for than are named."""
    if not 0 <= goal.number <= len(set(goal.provinces)) == len(goal.provinces) or not goal.provinces:
        raise ValueError("name each province once, and no larger number than that of the provinces")


def _goal_lines(rules: Rules, goals: Mapping[str, Sequence[str]], clause: str) -> Iterator[LedgerEntry]:
    """Yield the goals of each power; those of all powers in one line if they are the same."""
    shared = len({*map(frozenset, goals.values())}) == 1 and len(goals) == len(rules.powers)
    for power, provinces in [*goals.items()][: 1 if shared else None]:
        names = ", ".join(place_name(rules.board, Location(province)) for province in provinces)
        text, whose = (f"All powers: {names}", "") if shared else (names, power)
        yield LedgerEntry("Goals", text, whose, number=len(provinces), clause=clause)


def _without_centre(rules: Rules, provinces: Sequence[str]) -> Iterator[Finding]:
    """Yield an error for each of the provinces that nobody can own."""
    for province in provinces:
        if not rules.board.province(province).centre:
            text = "it is to win the game for its owner, but nobody can own a province without a supply centre"
            yield Finding.error("goal-without-centre", province, text)


@mechanic("held-provinces")
@dataclass(frozen=True)
class HeldProvinces(BoardMechanic, YearMechanic, ReportMechanic):
    """A power that owns `number` of the `provinces`, 0 for all, at `counts` counts in a row wins.

    If several powers come to that at the same count, the game goes on until one of them is alone.
    """

    provinces: tuple[str, ...]
    number: int = 0
    counts: int = 1

    events: ClassVar[tuple[AnyEvent, ...]] = (GoalEvent.HELD,)
    kept: ClassVar[Any] = dict[PowerKey, Positive]
    names: ClassVar[ParameterNames] = MappingProxyType({"provinces": "province"})
    not_in_columns: ClassVar[str] = "batches do not keep how long provinces are held"

    def __post_init__(self) -> None:
        _check_provinces(self)
        if not 1 <= self.counts <= 1_000:
            raise ValueError("provinces are held for 1 to 1,000 counts")

    @property
    def needed(self) -> int:
        """Return the number of provinces that win."""
        return self.number or len(self.provinces)

    @property
    def goal(self) -> str:
        """Return what wins: `3 of LON, PAR, ROM, VIE at 2 counts in a row`."""
        number = "all" if self.needed == len(self.provinces) else str(self.needed)
        often = f" at {self.counts} counts in a row" if self.counts > 1 else ""
        return f"{number} of {', '.join(self.provinces)}{often}"

    def goal_provinces(self, rules: Rules) -> Mapping[str, Sequence[str]]:
        """Return the provinces for every power."""
        return dict.fromkeys(rules.powers, self.provinces)

    def ends_game(self, rules: Rules, before: Position, position: Position) -> tuple[Position, GameEnd | None]:
        """Count on for the powers that own enough of the provinces, and see whether one of them wins (STD-2.f)."""
        owned, kept, silent = self._owned(position), self._kept(position), silent_powers(rules, position)
        held = {p: kept.get(p, 0) + 1 for p in rules.powers if owned[p] >= self.needed and p not in silent}
        after = with_state(position, self.id, {power: min(n, self.counts) for power, n in held.items()} or None)
        there = [power for power, counts in held.items() if counts >= self.counts]
        if len(there) != 1:
            return after, None
        return after, GameEnd((there[0],), events=(Event(GoalEvent.HELD, there[0]),))

    def _owned(self, position: Position) -> Counter[str]:
        return Counter(position.owners.get(province, "") for province in self.provinces)

    def _kept(self, position: Position) -> Mapping[str, int]:
        kept = position.state.get(self.id)
        return kept if isinstance(kept, Mapping) else {}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the provinces, and for each power with one of them how many it owns, and how often it had enough."""
        yield from _goal_lines(rules, self.goal_provinces(rules), GoalEvent.HELD.clause)
        owned, kept = self._owned(position), self._kept(position)
        for power in (power for power in rules.powers if owned[power]):
            text = f"owns {owned[power]} of the {many(self.needed, 'province')} that win"
            if self.counts > 1:
                text += f", held at {kept.get(power, 0)} of {self.counts} counts"
            yield LedgerEntry("Victory", text, power, number=owned[power], clause=GoalEvent.HELD.clause)

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield the provinces without a supply centre, which nobody can own."""
        yield from _without_centre(rules, self.provinces)


@mechanic("needed-provinces")
@dataclass(frozen=True)
class NeededProvinces(BoardMechanic, YearMechanic, ReportMechanic):
    """`powers`, or all, win by a number only while they own `number` of the `provinces`, 0 for all."""

    provinces: tuple[str, ...]
    number: int = 0
    powers: tuple[str, ...] = ()

    several: ClassVar[bool] = True
    events: ClassVar[tuple[AnyEvent, ...]] = (GoalEvent.LACKING,)
    names: ClassVar[ParameterNames] = MappingProxyType({"provinces": "province", "powers": "power"})
    not_in_columns: ClassVar[str] = "batches let numbers alone win"

    def __post_init__(self) -> None:
        _check_provinces(self)

    @property
    def goal(self) -> str:
        """Return what a winner needs: `a winner must own ROM too`, `Harald must own 1 of LON, YOR too`."""
        number = "" if self.number in (0, len(self.provinces)) else f"{self.number} of "
        whom = ", ".join(self.powers) or "a winner"
        return f"{whom} must own {number}{', '.join(self.provinces)} too"

    def goal_provinces(self, rules: Rules) -> Mapping[str, Sequence[str]]:
        """Return the provinces for the powers that need them."""
        return dict.fromkeys(self.powers or rules.powers, self.provinces)

    def bars_victory(self, rules: Rules, position: Position, power: str) -> AnyEvent | None:
        """Return an event if the power owns too few of the provinces (STD-2.j)."""
        if self.powers and power not in self.powers:
            return None
        return None if self._owned(position, power) >= (self.number or len(self.provinces)) else GoalEvent.LACKING

    def _owned(self, position: Position, power: str) -> int:
        return sum(position.owners.get(province) == power for province in self.provinces)

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the provinces, and for each power with one of them how many it owns."""
        yield from _goal_lines(rules, self.goal_provinces(rules), GoalEvent.LACKING.clause)
        for power in self.powers or rules.powers:
            if owned := self._owned(position, power):
                needed = many(self.number or len(self.provinces), "province")
                text = f"owns {owned} of {', '.join(self.provinces)}; a winner needs {needed}"
                yield LedgerEntry("Victory", text, power, number=owned, clause=GoalEvent.LACKING.clause)

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield the provinces without a supply centre, which nobody can own."""
        yield from _without_centre(rules, self.provinces)


@mechanic("teams")
@dataclass(frozen=True)
class Teams(BoardMechanic, YearMechanic, ReportMechanic):
    """The powers of a team win together when they own `centres` centres between them, and more than any other team.

    Those of its powers share the victory that still own a centre or have a unit.
    """

    teams: tuple[tuple[str, ...], ...]
    centres: int

    events: ClassVar[tuple[AnyEvent, ...]] = (GoalEvent.TEAM,)
    not_in_columns: ClassVar[str] = "batches know no teams"

    def __post_init__(self) -> None:
        members = [power for team in self.teams for power in team]
        if not all(self.teams) or len(self.teams) < 2 or len(set(members)) < len(members):
            raise ValueError("name at least two teams, and each power in one of them at most")
        if not 1 <= self.centres <= 1_000:
            raise ValueError("a team wins with 1 to 1,000 centres")

    @property
    def goal(self) -> str:
        """Return what wins: `18 centres for a team: France and Germany, Russia and Turkey`."""
        return f"{self.centres} centres for a team: {'; '.join(' and '.join(team) for team in self.teams)}"

    def start(self, rules: Rules, position: Position) -> Position:
        """Check the names of the powers; raise `BadFile` with the nearest."""
        for power in (power for team in self.teams for power in team):
            if power not in rules.powers:
                hint = nearest(power, rules.powers)
                raise BadFile(f"no power {power[:40]!r} in this game", where=self.id, hint=hint)
        return position

    def ends_game(self, rules: Rules, before: Position, position: Position) -> tuple[Position, GameEnd | None]:
        """Return the victory of the team that owns enough centres, and more than each other one (STD-2.k)."""
        owned = self._owned(rules, position)
        most = max(owned.values())
        first = [team for team, number in owned.items() if number == most >= self.centres]
        if len(first) != 1:
            return position, None
        there = {*position.owners.values(), *(unit.power for unit in position.units)}
        winners = tuple(power for power in rules.powers if power in first[0] and power in there)
        return position, GameEnd(winners, events=tuple(Event(GoalEvent.TEAM, power) for power in winners))

    def _owned(self, rules: Rules, position: Position) -> dict[tuple[str, ...], int]:
        owned = Counter(map(position.owners.get, rules.board.centres))
        return {team: sum(owned[power] for power in team) for team in self.teams}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the centres of each team."""
        for team, number in self._owned(rules, position).items():
            text = f"{' and '.join(team)}: {number} of the {many(self.centres, 'centre')} with which a team wins"
            yield LedgerEntry("Teams", text, number=number, clause=GoalEvent.TEAM.clause)


@mechanic("entered-provinces")
@dataclass(frozen=True)
class EnteredProvinces(BoardMechanic, YearMechanic, ReportMechanic):
    """A power that has a unit in one of its `goals` after a phase of moves or retreats wins at the next count.

    Several that have come so far since the last count share the victory.
    """

    goals: Mapping[str, tuple[str, ...]]

    events: ClassVar[tuple[AnyEvent, ...]] = (GoalEvent.ENTERED,)
    kept: ClassVar[Any] = list[PowerKey]
    names: ClassVar[ParameterNames] = MappingProxyType({"goals": "power"})
    not_in_columns: ClassVar[str] = "batches do not see who enters a province"

    @property
    def goal(self) -> str:
        """Return what wins: `a unit in LON or EDI for France, in PAR for England`."""
        wins = [f"in {' or '.join(provinces)} for {power}" for power, provinces in self.goals.items()]
        return f"a unit {', '.join(wins)}"

    def goal_provinces(self, rules: Rules) -> Mapping[str, Sequence[str]]:
        """Return the goals."""
        return self.goals

    def start(self, rules: Rules, position: Position) -> Position:
        """Check the names of the provinces; raise `BadFile` with the nearest, or if a power stands in its goal."""
        for power, province in ((power, province) for power, goals in self.goals.items() for province in goals):
            if province not in rules.board.index:
                hint = nearest(province, rules.board.index)
                raise BadFile(f"no province {province[:40]!r}", where=self.id, hint=hint)
            if any(unit.at.province == province for unit in position.of(power)):
                raise BadFile(f"{power} begins the game in {province}, its goal", where=self.id)
        return position

    def after_movement(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Note the powers that have come to a goal, each once (STD-2.l)."""
        came = {u.power: u.at.province for u in position.units if u.at.province in self.goals.get(u.power, ())}
        there = self._kept(position)
        new = [power for power in rules.powers if power in came and power not in there]
        happened = tuple(Event(GoalEvent.ENTERED, power, came[power]) for power in new)
        return with_state(position, self.id, [*there, *new] or None), happened

    def ends_game(self, rules: Rules, before: Position, position: Position) -> tuple[Position, GameEnd | None]:
        """Return the victory of the powers that have come to a goal since the last count (STD-2.l)."""
        there, silent = self._kept(position), silent_powers(rules, position)
        winners = tuple(power for power in rules.powers if power in there and power not in silent)
        return with_state(position, self.id, None), GameEnd(winners) if winners else None

    def _kept(self, position: Position) -> list[str]:
        kept = position.state.get(self.id)
        return kept if isinstance(kept, list) else []

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the goals, and the powers that have come to one."""
        yield from _goal_lines(rules, self.goals, GoalEvent.ENTERED.clause)
        for power in self._kept(position):
            text = "has come to a place that wins, and wins at the next count"
            yield LedgerEntry("Victory", text, power, clause=GoalEvent.ENTERED.clause)


@mechanic("no-captures")
@dataclass(frozen=True)
class NoCaptures(YearMechanic, ReportMechanic):
    """The survivors share a draw when no supply centre has changed hands at `counts` counts in a row."""

    counts: int

    events: ClassVar[tuple[AnyEvent, ...]] = (GoalEvent.STILL,)
    kept: ClassVar[Any] = Positive
    not_in_columns: ClassVar[str] = "batches do not keep how long no centre has changed hands"

    def __post_init__(self) -> None:
        if not 1 <= self.counts <= 1_000:
            raise ValueError("a game ends after 1 to 1,000 counts without a capture")

    @property
    def goal(self) -> str:
        """Return what ends the game."""
        return f"a draw of the survivors after {many(self.counts, 'count')} without a capture"

    def ends_game(self, rules: Rules, before: Position, position: Position) -> tuple[Position, GameEnd | None]:
        """Count if no centre has changed hands, and end the game when the limit is reached (STD-2.g)."""
        moved = any(before.owners.get(place) != position.owners.get(place) for place in rules.board.centres)
        still = 0 if moved else self._kept(position) + 1
        after = with_state(position, self.id, still or None)
        if still < self.counts:
            return after, None
        return after, GameEnd(drawn=True, events=(Event(GoalEvent.STILL, ""),))

    def _kept(self, position: Position) -> int:
        kept = position.state.get(self.id)
        return kept if isinstance(kept, int) else 0

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield for how many counts no centre has changed hands."""
        if still := self._kept(position):
            text = f"No supply centre changed hands at {still} of the {many(self.counts, 'count')} that end the game"
            yield LedgerEntry("Victory", text, number=still, clause=GoalEvent.STILL.clause)


@mechanic("welfare")
@dataclass(frozen=True)
class Welfare(YearMechanic, WinterMechanic, ReportMechanic):
    """After each Winter a power has a point more for every unit that it could feed and does not have.

    A power that builds nothing may remove units that it can feed.  Points are never lost.
    """

    asks: ClassVar[tuple[str, str]] = ("units to keep or remove", "units to keep or remove")
    kept: ClassVar[Any] = dict[PowerKey, Positive]
    not_in_columns: ClassVar[str] = "batches keep no welfare points"

    def orders_due(self, rules: Rules, season: Season, position: Position) -> Mapping[str, int]:
        """Return 1 in Winter for each power with units that it can feed, and may remove (WEL-10.a)."""
        if season.kind is not PhaseKind.ADJUSTMENTS:
            return {}
        owners = {unit.power for unit in position.units}
        return {power: 1 for power, spare in balance(rules, position).items() if power in owners and spare >= 0}

    def removal_fault(
        self, rules: Rules, position: Position, units: Sequence[Unit], owed: int, regular: AnyCause | None
    ) -> AnyCause | None:
        """Return the reason so far, unless it is that no removal is owed (WEL-10.a)."""
        return None if regular is Cause.NO_REMOVALS else regular

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """Add a point for each unit that a power could feed and does not have (WEL-10.b)."""
        gained = {power: max(0, spare) for power, spare in balance(rules, position).items()}
        points = {power: self.points(rules, position)[power] + gained[power] for power in rules.powers}
        return with_state(position, self.id, {power: number for power, number in points.items() if number} or None)

    def points(self, rules: Rules, position: Position) -> Mapping[str, int]:
        """Return the welfare points of every power."""
        kept = position.state.get(self.id)
        return {power: int(kept.get(power, 0)) if isinstance(kept, Mapping) else 0 for power in rules.powers}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the points of every power that has some."""
        for power, number in self.points(rules, position).items():
            if number:
                yield LedgerEntry("Welfare", many(number, "point"), power, number=number, clause="WEL-10.b")

    def sayings(self) -> Clauses:
        """Return the reasons of removals that are not owed."""
        return Clauses({
            "given_up": ReasonText("WEL-10.a", "is removed for the welfare of its power"),
            "builds_too": ReasonText("WEL-10.a", "is not made, since its power builds in the same Winter"),
        })  # fmt: skip

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return the aspect of a removal that is not owed, or that comes with builds."""
        ruling = case.ruling
        if ruling.cause is Cause.NO_REMOVALS:
            return ReasonOverride("builds_too")
        freely = ruling.cause is Cause.REMOVED and balance(case.rules, case.position)[ruling.power] >= 0
        return ReasonOverride("given_up") if freely else NO_OVERRIDE
