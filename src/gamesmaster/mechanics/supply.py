"""Supply beyond the centres on the board: units that cost nothing, and centres off the board.

Supply from home over the sea: centres off the board, fewer every Winter, and a place where all may build (CNW-8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from gamesmaster.board import Board, Finding, Location, Position, Unit, place_name
from gamesmaster.engine import cost_of
from gamesmaster.english import many
from gamesmaster.judge import balance
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.rules import (
    Ahead,
    BoardMechanic,
    ColumnMechanic,
    Columns,
    Count,
    Event,
    KindKey,
    LedgerEntry,
    MechanicState,
    ParameterNames,
    Positive,
    PowerKey,
    ReportMechanic,
    Rules,
    Sites,
    Standing,
    WinterMechanic,
    YearMechanic,
    phase_code,
    phase_name,
    standing,
    with_state,
)


@mechanic("free-units")
@dataclass(frozen=True)
class FreeUnits(YearMechanic, WinterMechanic, ReportMechanic, ColumnMechanic):
    """`power` pays nothing for the first units of each kind, as many as `free` says: `{"A": 4, "F": 4}`.

    Units aboard and afloat count as their basic kind. Any units of the kind may be the free ones: one that is lost may
    be `replaced`; if not, the number of free units never rises above the number left at a count (SCO-5.c).
    """

    power: str
    free: Mapping[str, int]
    replaced: bool = True

    kept: ClassVar[Any] = dict[KindKey, Count]
    names: ClassVar[ParameterNames] = MappingProxyType({"power": "power", "free": "kind"})

    def __post_init__(self) -> None:
        if not all(0 <= number <= 1000 for number in self.free.values()):
            raise ValueError("from 0 to 1000 units of a kind are free")

    def upkeep(self, rules: Rules, position: Position, power: str, units: Sequence[Unit], regular: int) -> int:
        """Return the cost of the units, less one for each that is free (SCO-5.b)."""
        if power != self.power:
            return regular
        there = _by_kind(rules.board, units)
        free = free_units(self._terms(rules), [there[kind] for kind in self.free], self._losses(position))
        return max(0, regular - free)

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield, by kind, how many units are free and how many of these are on the board (SCO-5.a)."""
        if self.power in rules.numbers:
            there = _by_kind(rules.board, position.of(self.power))
            for kind, number in self._allowances(position).items():
                used = min(number, there[kind])
                word = next(iter(rules.kinds.get(kind, ())), kind)
                yield LedgerEntry("Units that need no centre", f"{word} {used} of {number}", self.power, number=number)

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Reduce the number of free units by those lost, unless they may be replaced."""
        if self.replaced:
            return position, ()
        now = standing(rules, position, self._losses(position))
        forfeit(self._terms(rules), now)
        return with_state(position, self.id, self._state(now.kept)), ()

    def _allowances(self, position: Position) -> Mapping[str, int]:
        state = position.state.get(self.id)
        return state if isinstance(state, Mapping) and not self.replaced else self.free

    # -- in columns --------------------------------------------------------------------------------------------------

    def columns(self, rules: Rules) -> Columns:
        """Return its rules; of each kind it is kept how many are free no more."""
        return Columns(
            width=len(self.free),
            state=self._state,
            feeds=let_off,
            after_count=None if self.replaced else forfeit,
            more=sum(self.free.values()),
            spares=True,
            table=self._terms(rules),
        )

    def _losses(self, position: Position) -> list[int]:
        allowed = self._allowances(position)
        return [number - allowed.get(kind, 0) for kind, number in self.free.items()]

    def _state(self, kept: Sequence[int]) -> dict[str, int] | None:
        """Return the number of free units by kind; None if it is still the first one."""
        if not any(kept):
            return None
        return {kind: number - int(lost) for (kind, number), lost in zip(self.free.items(), kept, strict=True)}

    def _terms(self, rules: Rules) -> Terms:
        board, kinds = rules.board, list(self.free)
        bases = [board.base(kind) for kind in board.ways]
        return Terms(
            [rules.numbers.get(self.power, 0)],
            [*self.free.values()],
            [kinds.index(base) if base in kinds else -1 for base in bases],
            [list(board.ways).index(kind) for kind in kinds],
        )


class Terms(NamedTuple):
    """What a power feeds without supply, in columns."""

    power: Sequence[int]  # its number
    free: Sequence[int]  # of each kind of which some are free: how many
    which: Sequence[int]  # by kind: which of these it is at bottom, -1 for none
    kind: Sequence[int]  # of each of these: its number


def free_units(t: Terms, there: Sequence[int], lost: Sequence[int]) -> int:
    """Return how many of the units on the board cost nothing (SCO-5.b)."""
    units = 0
    for n in range(len(t.free)):
        units += there[n] - cost_of(there[n], t.free[n] - lost[n])
    return units


def count_kinds(t: Terms, now: Standing) -> None:
    """Count the power's units by kind in `spare`."""
    for n in range(len(t.free)):
        now.spare[n] = 0
    for r in range(1, now.n + 1):
        if t.power[0] and now.units.owner[r] == t.power[0] and t.which[now.units.sort[r]] >= 0:
            now.spare[t.which[now.units.sort[r]]] += 1


def let_off(t: Terms, now: Standing) -> None:
    """Set the number of free units of each kind, and let the power feed that many more units (SCO-5.b)."""
    count_kinds(t, now)
    now.powers.fed[t.power[0]] += free_units(t, now.spare, now.kept)
    for n in range(len(t.kind)):
        now.powers.free[t.power[0] * len(t.which) + t.kind[n]] = t.free[n] - now.kept[n]


def forfeit(t: Terms, now: Standing) -> None:
    """Reduce the number of free units to those left at the count (SCO-5.c)."""
    count_kinds(t, now)
    for n in range(len(t.free)):
        now.kept[n] = t.free[n] - min(t.free[n] - now.kept[n], now.spare[n])


def _by_kind(board: Board, units: Sequence[Unit]) -> Counter[str]:
    """Return the number of units of each basic kind."""
    return Counter(board.base(unit.kind) for unit in units)


@dataclass(frozen=True)
class _Kept(MechanicState):
    winters: Count
    deferred: dict[PowerKey, Positive]


@mechanic("centre-values")
@dataclass(frozen=True)
class CentreValues(BoardMechanic, YearMechanic, WinterMechanic, ReportMechanic):
    """Some centres count `values` centres, 0 for none, in supply and for victory: for `powers`, or for all."""

    values: Mapping[str, int]
    powers: tuple[str, ...] = ()

    several: ClassVar[bool] = True
    names: ClassVar[ParameterNames] = MappingProxyType({"values": "province", "powers": "power"})
    not_in_columns: ClassVar[str] = "in batches every centre counts one"

    def __post_init__(self) -> None:
        if not self.values or not all(0 <= value <= 20 for value in self.values.values()):
            raise ValueError("name at least one centre; it counts 0 to 20 centres")

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield the provinces that are not supply centres."""
        for province in self.values:
            if not rules.board.province(province).centre:
                yield Finding.error("no-centre", province, "it has a value as a centre, but is not a supply centre")

    def _more(self, position: Position, power: str) -> int:
        """Return what the power's centres count beyond their number, below 0 if they count less."""
        if self.powers and power not in self.powers:
            return 0
        return sum(value - 1 for place, value in self.values.items() if position.owners.get(place) == power)

    def supply(self, rules: Rules, position: Position, power: str, regular: int) -> int:
        """Return the supply with what these centres count (STD-15.a)."""
        return regular + self._more(position, power)

    def centres_counted(self, rules: Rules, position: Position, regular: Mapping[str, int]) -> Mapping[str, int]:
        """Return the numbers with what these centres count (STD-15.a)."""
        return {power: number + self._more(position, power) for power, number in regular.items()}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield what each of these centres counts for its owner."""
        for place, value in self.values.items():
            owner = position.owners.get(place, "")
            if owner and (not self.powers or owner in self.powers):
                text = f"{place_name(rules.board, Location(place))} counts {many(value, 'centre')}"
                yield LedgerEntry("Values of centres", text, owner, place, number=value, clause="STD-15.a")


@mechanic("off-board-supply")
@dataclass(frozen=True)
class OffBoardSupply(BoardMechanic, YearMechanic, WinterMechanic, ReportMechanic, ColumnMechanic):
    """Each of `powers` has centres off the board, and may build as many units in `place`, and those it deferred.

    `schedule` is how many centres there are in the first Winter, the second and so on; the last number stands for all
    Winters after, and from then on, if it `needs_centre`, only for powers that own one on the board (CNW-8.b2).  Builds
    that could have been placed there and were not may be made up for later (CNW-8.b4).
    """

    place: str
    powers: tuple[str, ...]
    schedule: tuple[int, ...]
    needs_centre: bool = True

    kept: ClassVar[Any] = _Kept
    names: ClassVar[ParameterNames] = MappingProxyType({"place": "province", "powers": "power"})

    def __post_init__(self) -> None:
        if not self.schedule or not all(0 <= number <= 1000 for number in self.schedule):
            raise ValueError("the schedule is one number of centres or several, each 0 to 1000")

    def start(self, rules: Rules, position: Position) -> Position:
        """Begin with no Winter and no deferred builds."""
        return self.resume(rules, 0, position)

    def resume(self, rules: Rules, winters: int, position: Position) -> Position:
        """Set the number of past Winters; which builds were deferred is not known."""
        return _with(position, winters)

    def centres(self, rules: Rules, position: Position, power: str) -> int:
        """Return how many centres the power has off the board for the present or next Winter (CNW-8.b1, CNW-8.b2)."""
        if power not in self.powers:
            return 0
        owns = any(position.owners.get(centre) == power for centre in rules.board.centres)
        return count_off(self._terms(rules), _winters(position), owns)

    def strength(self, rules: Rules, position: Position, power: str, regular: int | None) -> int | None:
        """Add the off-board supply of the Winter just over; None before the first Winter (CNW-N3)."""
        winters = _winters(position)
        if regular is None or not winters:
            return None
        return regular + self.centres(rules, _with(position, winters - 1), power)

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the centres off the board for the Winter that is or comes next, and the builds deferred (CNW-8.b)."""
        winter = ahead.winter()
        for power in (power for power in self.powers if power in rules.numbers):
            number = self.centres(rules, position, power)
            text = f"{number} in {phase_name(winter)}"
            yield LedgerEntry("Centres off the board", text, power, self.place, number, phase_code(winter), "CNW-8.b1")
        for power, number in _deferred_builds(position).items():
            yield LedgerEntry("Builds deferred", str(number), power, self.place, number, clause="CNW-8.b4")

    def cap(self, rules: Rules, position: Position, power: str) -> int:
        """Return how many units the power may build in the place this Winter (CNW-8.b3)."""
        return self.centres(rules, position, power) + _deferred_builds(position).get(power, 0)

    def supply(self, rules: Rules, position: Position, power: str, regular: int) -> int:
        """Return the regular supply, and one more for each centre off the board."""
        return regular + self.centres(rules, position, power)

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return the regular sites and the place, for every kind, occupied or not (CNW-4.a)."""
        if power not in self.powers:
            return regular
        return {**regular, self.place: frozenset(rules.board.kinds)}

    def room(self, rules: Rules, position: Position, power: str, province: str, regular: int) -> int:
        """Return the number of units that a place has room for: off the board, the cap."""
        return self.cap(rules, position, power) if province == self.place and power in self.powers else regular

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """Record the builds that are deferred, from the supply and the cap that are left (CNW-8.b4)."""
        known = {unit.number for unit in before.units}
        new = [unit for unit in position.units if unit.number not in known]
        there = Counter(unit.power for unit in new if unit.at.province == self.place)
        everywhere = Counter(unit.power for unit in new)
        deferred = _deferred_builds(before)
        numbers = [_winters(before), 0, *(deferred.get(power, 0) for power in rules.powers)]
        now, terms = standing(rules, position, numbers), self._terms(rules)
        for power, missing in balance(rules, before).items():
            number = rules.numbers[power]
            now.powers.fed[number] = missing - everywhere[power]
            now.lands.room[site(terms, now, number)] = self.cap(rules, before, power) - there[power]
        defer(terms, now)
        return with_state(position, self.id, self._state(rules, now.kept))

    # -- in columns --------------------------------------------------------------------------------------------------

    def columns(self, rules: Rules) -> Columns:
        """Return its rules; it is kept how many Winters have been, and how many builds each power has deferred."""
        return Columns(
            width=1 + len(rules.powers) + 1,
            state=partial(self._state, rules),
            feeds=supply,
            before_winter=make_room,
            after_winter=defer,
            more=max(self.schedule) * len(self.powers),
            crowds=True,
            table=self._terms(rules),
        )

    def _state(self, rules: Rules, kept: Sequence[int]) -> dict[str, object]:
        deferred = {power: int(kept[1 + n]) for power, n in rules.numbers.items() if kept[1 + n]}
        return {"winters": int(kept[0]), "deferred": deferred}

    def _terms(self, rules: Rules) -> OffBoard:
        powers = [power in self.powers for power in rules.powers]
        needs = [int(self.needs_centre)]
        return OffBoard([rules.board.index[self.place]], [0, *map(int, powers)], self.schedule, needs)


class OffBoard(NamedTuple):
    """Centres off the board, in columns."""

    place: Sequence[int]  # one number: the province
    has: Sequence[int]  # by power: 1 if it has such centres
    schedule: Sequence[int]  # how many, by Winter
    needs: Sequence[int]  # one number: 1 if the last entry is only for powers with a centre on the board


def count_off(t: OffBoard, winters: int, owns: bool) -> int:
    """Return the number of centres off the board after `winters` Winters (CNW-8.b2).

    `owns` says that the power owns a centre on the board.
    """
    last = len(t.schedule) - 1
    if winters >= last and t.needs[0] and not owns:
        return 0
    return t.schedule[min(winters, last)]


def site(t: OffBoard, now: Standing, power: int) -> int:
    """Return the index in `room` of the place for a power."""
    return power * len(now.lands.holder) + t.place[0]


def supply(t: OffBoard, now: Standing) -> None:
    """Let powers feed one more unit for each centre off the board."""
    for power in range(1, len(now.powers.centres)):
        if t.has[power]:
            now.powers.fed[power] += count_off(t, now.kept[0], now.powers.centres[power] > 0)


def make_room(t: OffBoard, now: Standing) -> None:
    """Let powers build in the place one unit for each centre off the board, and those deferred (CNW-8.b3)."""
    for power in range(1, len(now.powers.centres)):
        if t.has[power]:
            centres = count_off(t, now.kept[0], now.powers.centres[power] > 0)
            now.lands.room[site(t, now, power)] = centres + now.kept[1 + power]


def defer(t: OffBoard, now: Standing) -> None:
    """Defer the builds that were due and possible in the place and not made (CNW-8.b4)."""
    now.kept[0] += 1
    for power in range(1, len(now.powers.centres)):
        if t.has[power]:
            now.kept[1 + power] = max(0, min(now.powers.fed[power], now.lands.room[site(t, now, power)]))


def _with(position: Position, winters: int) -> Position:
    """Return the position after this number of Winters, with nothing deferred."""
    return with_state(position, OffBoardSupply.id, {"winters": winters, "deferred": {}})


def _state(position: Position) -> Mapping[str, object]:
    state = position.state.get(OffBoardSupply.id)
    return state if isinstance(state, Mapping) else {}


def _winters(position: Position) -> int:
    """Return how many Winters have been."""
    winters = _state(position).get("winters")
    return winters if isinstance(winters, int) else 0


def _deferred_builds(position: Position) -> Mapping[str, int]:
    """Map each power to the number of its deferred builds."""
    deferred = _state(position).get("deferred")
    return deferred if isinstance(deferred, Mapping) else {}
