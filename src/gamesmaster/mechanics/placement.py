"""Free placement: the first orders of the game put the first units anywhere within a power's home borders.

The game begins with a phase of adjustments.  In it a power may place as many units as it owns centres, of any kind, in
any of its home provinces, with a centre or without; what it does not place it may build later by the ordinary rule
(TAD-5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from gamesmaster.board import Position
from gamesmaster.judge import (
    PLAIN,
    Ahead,
    AnyCause,
    Aspect,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    Entry,
    ReportMechanic,
    Rules,
    Saying,
    Sites,
    WinterMechanic,
    YearMechanic,
    balance,
    silenced,
    with_state,
)
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import PhaseKind


@mechanic("free-placement")
@dataclass(frozen=True)
class FreePlacement(BoardMechanic, YearMechanic, WinterMechanic, ReportMechanic):
    """In the first adjustments a power builds anywhere in its home provinces (TAD-5.d); afterwards as usual."""

    kept: ClassVar[Any] = Literal[True]

    def resumed(self, rules: Rules, winters: int, position: Position) -> Position:
        """Units are placed in the first Winter alone."""
        return position if winters else super().resumed(rules, winters, position)

    def start(self, rules: Rules, position: Position) -> Position:
        """Placement is open until the first adjustments are over."""
        return with_state(position, self.id, True)

    def sayings(self) -> Clauses:
        """Placing the first units."""
        return Clauses({
            "placed": Saying("TAD-5.d", "is placed"),
            "placed_too_many": Saying("TAD-5.f", "exceeds the units that may be placed"),
            "placed_abroad": Saying("TAD-5.d", "is not for a home province where this unit can be placed"),
        })  # fmt: skip

    def ruling_aspect(self, case: Case) -> Aspect:
        """In the first adjustments units are placed, not built."""
        words: dict[AnyCause, str] = {
            Cause.BUILT: "placed",
            Cause.NO_BUILDS: "placed_too_many",
            Cause.NOT_A_SITE: "placed_abroad",
        }
        word = words.get(case.cause, "") if case.position.state.get(self.id) else ""
        return Aspect(word) if word else PLAIN

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """All empty home provinces, for every kind of unit that can lie there."""
        if not position.state.get(self.id):
            return regular
        full = {unit.at.province for unit in position.units}
        own = set(rules.home_provinces.get(power, ()))
        return {p.id: frozenset(rules.board.ways) for p in rules.board.provinces if p.id in own - full}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[Entry]:
        """The builds that each power has saved, which it may use while its centres feed them (TAD-5.h)."""
        if not position.state.get(self.id) and ahead.now.season.kind is not PhaseKind.ADJUSTMENTS:
            silent = silenced(rules, position)
            for power, number in balance(rules, position).items():
                if number > 0 and power not in silent:
                    yield Entry("Builds saved", str(number), power, number=number, clause="TAD-5.h")

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """The freedom belongs to the first adjustments only (TAD-5.i)."""
        return with_state(position, self.id, None)
