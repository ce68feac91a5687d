"""Builds that take years: a unit ordered in one Winter comes in a later one (STD-14)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple

from gamesmaster.board import Location, Position, Unit, place_name
from gamesmaster.judge import occupied
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import (
    NO_OVERRIDE,
    Ahead,
    AnyEvent,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    Count,
    Event,
    KindKey,
    LedgerEntry,
    PlaceKey,
    PowerKey,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Rules,
    Season,
    Sites,
    WinterMechanic,
    YearMechanic,
    phase_code,
    with_state,
)


class BuildEvent(AnyEvent):
    """What becomes of a build that took its time."""

    COMPLETED = "completed", "STD-14.b", "{powers} unit in {place} is completed."
    ABANDONED = "abandoned", "STD-14.c", "{powers} unit in {place} is abandoned unfinished."


class Site(NamedTuple):
    """A unit that is being built: its power, kind and place, and the Winters until it is there."""

    power: str
    kind: str
    at: str
    winters: int

    @property
    def province(self) -> str:
        """The province where it is built."""
        return Location.of(self.at).province


@mechanic("delayed-builds")
@dataclass(frozen=True)
class DelayedBuilds(BoardMechanic, YearMechanic, WinterMechanic, ReportMechanic):
    """Units that powers build `away` from their home centres, or anywhere (`all`), come `winters` Winters later.

    Until then each costs a centre and keeps its site.  If another power owns the site or a unit is in it then, the
    unit is lost.
    """

    builds: Literal["away", "all"] = "away"
    winters: int = 1

    kept: ClassVar[Any] = list[tuple[PowerKey, KindKey, PlaceKey, Count]]
    events: ClassVar[tuple[AnyEvent, ...]] = (*BuildEvent,)
    not_in_columns: ClassVar[str] = "batches keep no builds that take years"

    def __post_init__(self) -> None:
        if not 1 <= self.winters <= 100:
            raise ValueError("a build takes 1 to 100 Winters")

    def _waits(self, rules: Rules, power: str, province: str) -> bool:
        """Return whether a build of this power in a province takes its time."""
        return self.builds == "all" or province not in rules.homes.get(power, ())

    def phase_begins(
        self, rules: Rules, season: Season, position: Position, throw: object
    ) -> tuple[Position, tuple[Event, ...]]:
        """Complete at the beginning of a Winter the units that are due, or lose them (STD-14.b, STD-14.c)."""
        if season.kind is not PhaseKind.ADJUSTMENTS or not (sites := sites_in(position)):
            return position, ()
        full, number, units, happened = occupied(rules.board, position), position.last_number, [*position.units], []
        left = [site._replace(winters=site.winters - 1) for site in sites]
        for site in (site for site in left if not site.winters):
            free = site.province not in full and position.owners.get(site.province) == site.power
            if free:
                number += 1
                units.append(Unit(number, site.kind, site.power, Location.of(site.at)))
            happened.append(Event(BuildEvent.COMPLETED if free else BuildEvent.ABANDONED, site.power, site.province))
        position = replace(position, units=tuple(units))
        return self._kept(position, [site for site in left if site.winters]), tuple(happened)

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """Take the units that were built this Winter, and take their time, off the board again (STD-14.a)."""
        old = {unit.number for unit in before.units}
        new = [u for u in position.units if u.number not in old and self._waits(rules, u.power, u.at.province)]
        sites = [*sites_in(position), *(Site(unit.power, unit.kind, str(unit.at), self.winters) for unit in new)]
        return self._kept(replace(position, units=tuple(u for u in position.units if u not in new)), sites)

    def _kept(self, position: Position, sites: list[Site]) -> Position:
        return with_state(position, self.id, [list(site) for site in sites] or None)

    def supply(self, rules: Rules, position: Position, power: str, regular: int) -> int:
        """Return the supply without what the units that are being built cost (STD-14.a)."""
        return regular - sum(site.power == power for site in sites_in(position))

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return the sites without those in which a unit is being built."""
        busy = {site.province for site in sites_in(position)}
        return {province: kinds for province, kinds in regular.items() if province not in busy} if busy else regular

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the units that are being built, and when they come."""
        for site in sites_in(position):
            winter = ahead.now.season.kind is PhaseKind.ADJUSTMENTS
            term = ahead.winter(site.winters - (not winter))
            text = f"{site.kind} in {place_name(rules.board, Location.of(site.at))}"
            text += f", there in {term.name}" if term else ""
            yield LedgerEntry("Being built", text, site.power, site.province, term=phase_code(term), clause="STD-14.b")

    def sayings(self) -> Clauses:
        """Return the reason of a build that takes its time."""
        says = f"is begun, and there {'next Winter' if self.winters == 1 else f'in {self.winters} Winters'}"
        return Clauses({"begun": ReasonText("STD-14.a", says)})

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return the aspect of a build that takes its time."""
        ruling, unit = case.ruling, case.ruling.unit
        if (
            ruling.cause is not Cause.BUILT
            or unit is None
            or not self._waits(case.rules, ruling.power, unit.at.province)
        ):
            return NO_OVERRIDE
        return ReasonOverride("begun")


def sites_in(position: Position) -> list[Site]:
    """Return the units that are being built, in the order in which they were begun."""
    told = position.state.get(DelayedBuilds.id)
    return [Site(str(p), str(kind), str(at), int(n)) for p, kind, at, n in told] if isinstance(told, list) else []
