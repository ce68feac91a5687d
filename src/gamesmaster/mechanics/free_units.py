"""Free units: a power has so many of each kind that need no centres (SCO-5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from gamesmaster.board import Board, Position, Unit
from gamesmaster.judge import Ahead, Entry, Event, ReportMechanic, Rules, WinterMechanic, YearMechanic, with_state
from gamesmaster.judge.states import Count, Kind
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
