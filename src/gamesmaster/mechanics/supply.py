"""What powers live on beside the centres they own: units that cost nothing, and supply from off the board.

Supply from home over the sea: centres off the board, fewer every Winter, and a place where all may build (CNW-8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from gamesmaster.board import Board, Position, Unit
from gamesmaster.judge import (
    Ahead,
    BoardMechanic,
    Entry,
    Event,
    ReportMechanic,
    Rules,
    Sites,
    WinterMechanic,
    YearMechanic,
    balance,
    with_state,
)
from gamesmaster.judge.state import Count, Kept, Kind, Positive, Power, phase_code, phase_name
from gamesmaster.mechanics.registry import mechanic


@mechanic("free-units")
@dataclass(frozen=True)
class FreeUnits(YearMechanic, WinterMechanic, ReportMechanic):
    """`power` pays nothing for the first units of each kind, as many as `free` says: `{"A": 4, "F": 4}`.

    Units aboard and afloat count by what they are at bottom.  The free ones are no particular pieces: one that is lost
    may be `replaced`; if not, the number that is free never rises above what was left at a count (SCO-5.c).
    """

    power: str
    free: Mapping[str, int]
    replaced: bool = True

    not_in_columns: ClassVar[str] = "what a unit costs hangs on how many there are of its kind"
    kept: ClassVar[Any] = dict[Kind, Count]
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"power": "power", "free": "kind"}
    )

    def __post_init__(self) -> None:
        if not all(0 <= number <= 1000 for number in self.free.values()):
            raise ValueError("from 0 to 1000 units of a kind are free")

    def upkeep(self, rules: Rules, position: Position, power: str, units: Sequence[Unit], regular: int) -> int:
        """What they would cost, less one for each that is free (SCO-5.b)."""
        if power != self.power:
            return regular
        there, allowed = _by_kind(rules.board, units), self._allowed(position)
        return max(0, regular - sum(min(there[kind], number) for kind, number in allowed.items()))

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[Entry]:
        """How many units of each kind are free, and how many of those there are (SCO-5.a)."""
        if self.power in rules.numbers:
            there = _by_kind(rules.board, position.of(self.power))
            for kind, number in self._allowed(position).items():
                used = min(number, there[kind])
                word = next(iter(rules.kinds.get(kind, ())), kind)
                yield Entry("Units that need no centre", f"{word} {used} of {number}", self.power, number=number)

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Free units that are lost are gone, unless they may be replaced."""
        if self.replaced:
            return position, ()
        there = _by_kind(rules.board, position.of(self.power))
        left = {kind: min(number, there[kind]) for kind, number in self._allowed(position).items()}
        return with_state(position, self.id, left if left != self.free else None), ()

    def _allowed(self, position: Position) -> Mapping[str, int]:
        state = position.state.get(self.id)
        return state if isinstance(state, Mapping) and not self.replaced else self.free


def _by_kind(board: Board, units: Sequence[Unit]) -> Counter[str]:
    """How many there are of each kind, whatever form they have."""
    return Counter(board.base(unit.kind) for unit in units)


@dataclass(frozen=True)
class _Kept(Kept):
    winters: Count
    deferred: dict[Power, Positive]


@mechanic("off-board-supply")
@dataclass(frozen=True)
class OffBoardSupply(BoardMechanic, YearMechanic, WinterMechanic, ReportMechanic):
    """Each of `powers` has centres off the board, and may build as many units in `place`, and those it deferred.

    `schedule` is how many centres there are in the first Winter, the second and so on; the last number stands for all
    Winters after, and from then on, if it `needs_centre`, only for powers that own one on the board (CNW-8.b2).  Builds
    that could have been placed there and were not may be made up for later (CNW-8.b4).
    """

    place: str
    powers: tuple[str, ...]
    schedule: tuple[int, ...]
    needs_centre: bool = True

    not_in_columns: ClassVar[str] = "several units are built in one place, and builds are deferred"
    kept: ClassVar[Any] = _Kept
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"place": "province", "powers": "power"}
    )

    def __post_init__(self) -> None:
        if not self.schedule or not all(0 <= number <= 1000 for number in self.schedule):
            raise ValueError("the schedule is one number of centres or several, each 0 to 1000")

    def start(self, rules: Rules, position: Position) -> Position:
        """No Winter has been, nothing is deferred."""
        return self.resume(rules, 0, position)

    def resume(self, rules: Rules, winters: int, position: Position) -> Position:
        """As many Winters have been; of builds deferred nothing is known."""
        return _with(position, winters)

    def centres(self, rules: Rules, position: Position, power: str) -> int:
        """How many centres the power has off the board, for the Winter that is or comes next (CNW-8.b1, CNW-8.b2)."""
        if power not in self.powers:
            return 0
        last = len(self.schedule) - 1
        winters = min(_winters(position), last)
        poor = winters == last and self.needs_centre
        if poor and not any(position.owners.get(centre) == power for centre in rules.board.centres):
            return 0
        return self.schedule[winters]

    def strength(self, rules: Rules, position: Position, power: str, regular: int | None) -> int | None:
        """As many more as there were in the Winter just over; nothing can be said before the first (CNW-N3)."""
        winters = _winters(position)
        if regular is None or not winters:
            return None
        return regular + self.centres(rules, _with(position, winters - 1), power)

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[Entry]:
        """The centres off the board for the Winter that is or comes next, and the builds deferred (CNW-8.b)."""
        winter = ahead.winter()
        for power in (power for power in self.powers if power in rules.numbers):
            number = self.centres(rules, position, power)
            text = f"{number} in {phase_name(winter)}"
            yield Entry("Centres off the board", text, power, self.place, number, phase_code(winter), "CNW-8.b1")
        for power, number in _deferred(position).items():
            yield Entry("Builds deferred", str(number), power, self.place, number, clause="CNW-8.b4")

    def cap(self, rules: Rules, position: Position, power: str) -> int:
        """How many units the power may build in the place this Winter (CNW-8.b3)."""
        return self.centres(rules, position, power) + _deferred(position).get(power, 0)

    def supply(self, rules: Rules, position: Position, power: str, regular: int) -> int:
        """What it could feed so far, and as many more."""
        return regular + self.centres(rules, position, power)

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """The regular ones, and the place, for every kind, whoever lies there (CNW-4.a)."""
        if power not in self.powers:
            return regular
        return {**regular, self.place: frozenset(rules.board.kinds)}

    def room(self, rules: Rules, position: Position, power: str, province: str, regular: int) -> int:
        """In the place as many as the cap."""
        return self.cap(rules, position, power) if province == self.place and power in self.powers else regular

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """Note the builds that are deferred: those due and possible in the place, and not made (CNW-8.b4)."""
        known = {unit.number for unit in before.units}
        new = [unit for unit in position.units if unit.number not in known]
        there = Counter(unit.power for unit in new if unit.at.province == self.place)
        everywhere = Counter(unit.power for unit in new)
        missing = balance(rules, before)
        deferred = {}
        for power in (power for power in self.powers if power in missing):
            unused = min(missing[power] - everywhere[power], self.cap(rules, before, power) - there[power])
            if unused > 0:
                deferred[power] = unused
        return with_state(position, self.id, {"winters": _winters(before) + 1, "deferred": deferred})


def _with(position: Position, winters: int) -> Position:
    """The position after so many Winters, with nothing deferred."""
    return with_state(position, OffBoardSupply.id, {"winters": winters, "deferred": {}})


def _state(position: Position) -> Mapping[str, object]:
    state = position.state.get(OffBoardSupply.id)
    return state if isinstance(state, Mapping) else {}


def _winters(position: Position) -> int:
    """How many Winters have been."""
    winters = _state(position).get("winters")
    return winters if isinstance(winters, int) else 0


def _deferred(position: Position) -> Mapping[str, int]:
    """Power to its builds deferred."""
    deferred = _state(position).get("deferred")
    return deferred if isinstance(deferred, Mapping) else {}
