"""Welfare: points for the units that powers could feed and do not have (WEL-10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gamesmaster.board import Position, Unit
from gamesmaster.english import many
from gamesmaster.judge import balance
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import (
    NO_OVERRIDE,
    Ahead,
    AnyCause,
    Case,
    Cause,
    Clauses,
    LedgerEntry,
    Positive,
    PowerKey,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Rules,
    Season,
    WinterMechanic,
    YearMechanic,
    with_state,
)


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
