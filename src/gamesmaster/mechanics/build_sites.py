"""Build rules: sites for single powers, kinds that a power may build at all, free placement, slow builds.

Free placement: the game begins with a phase of adjustments.  In it a power may place as many units as it owns centres,
of any kind, in any of its home provinces, with a centre or without; what it does not place it may build later by the
ordinary rule (TAD-5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

from gamesmaster.board import Finding, Location, Position, Unit, place_name
from gamesmaster.english import many
from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import balance, occupied
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import (
    NO_OVERRIDE,
    SEEN,
    Ahead,
    AnyCause,
    AnyEvent,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    Count,
    Event,
    KindKey,
    LedgerEntry,
    ParameterNames,
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
    silent_powers,
    with_state,
)


@mechanic("special-sites")
@dataclass(frozen=True)
class SpecialSites(BoardMechanic, WinterMechanic, ColumnMechanic):
    """`power`, or every power, may build in each of `places` (province to kinds of unit, none for all), if it is empty.

    A supply centre among them must be its own; seas and other places that nobody owns need no owner (SCO-4.b).
    """

    power: str = ""
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    several: ClassVar[bool] = True
    names: ClassVar[ParameterNames] = MappingProxyType({"power": "power", "places": "province"})

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield kinds of unit that no power has, or that cannot be in a site, and sites for several powers at once."""
        board, where = rules.board, f"mechanics {self.id}"
        for province, kinds in self.places.items():
            if not self.power and not board.province(province).centre:
                text = f"several powers could build in {province} in one Winter, because nobody owns it"
                yield Finding.error("site-for-all", where, text, "name a power")
            places = [board.locations[number] for number in board.locations_of(board.index[province])]
            for kind in kinds:
                if kind not in board.kinds:
                    yield Finding.error(
                        "unknown-kind", where, f"no kind of unit {kind!r}", f"known: {', '.join(board.kinds)}"
                    )
                elif not any(board.can_stand(kind, place) for place in places):
                    yield Finding.error(
                        "wrong-terrain", where, f"{kind} {province}: a unit of this kind cannot lie there"
                    )

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return the regular sites followed by these."""
        if self.power not in ("", power):
            return regular
        board, full = rules.board, occupied(rules.board, position)
        open_now = {
            province: frozenset(kinds or board.kinds) | regular.get(province, frozenset())
            for province, kinds in self.places.items()
            if province not in full and (position.owners.get(province) == power or not board.province(province).centre)
        }
        return {**regular, **open_now}

    def columns(self, rules: Rules) -> Columns:
        """Return the columns: sites depend on their owners and on the units in them."""
        return Columns()


@mechanic("emergency-builds")
@dataclass(frozen=True)
class EmergencyBuilds(BoardMechanic, WinterMechanic, ReportMechanic):
    """While `power` owns some of its home centres and not all, it feeds `units` more, and builds in `places` too.

    `places` have no supply centre; a unit of any kind that can be there may be built in each, if it is empty (NNH-5).
    """

    power: str
    places: tuple[str, ...]
    units: int = 1

    several: ClassVar[bool] = True
    names: ClassVar[ParameterNames] = MappingProxyType({"power": "power", "places": "province"})
    not_in_columns: ClassVar[str] = "batches know no emergencies"

    def __post_init__(self) -> None:
        if not 0 <= self.units <= 100:
            raise ValueError("an emergency brings 0 to 100 units")

    def _holds(self, rules: Rules, position: Position) -> bool:
        """Return whether the power owns some of its home centres and not all."""
        homes = rules.homes.get(self.power, ())
        return 0 < sum(position.owners.get(home) == self.power for home in homes) < len(homes)

    def supply(self, rules: Rules, position: Position, power: str, regular: int) -> int:
        """Return the regular supply, and in an emergency that of its units (NNH-5.b)."""
        return regular + self.units * (power == self.power and self._holds(rules, position))

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return the regular sites, followed in an emergency by these places (NNH-5.c)."""
        if power != self.power or not self._holds(rules, position):
            return regular
        full = occupied(rules.board, position)
        return {**regular, **{place: frozenset(rules.board.kinds) for place in self.places if place not in full}}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield that the power is in an emergency."""
        if self._holds(rules, position):
            names = ", ".join(rules.board.province(place).name for place in self.places)
            text = f"{many(self.units, 'unit')} beyond its centres, and builds in {names} too"
            yield LedgerEntry("Emergency", text, self.power, number=self.units, clause="NNH-5.b")


@mechanic("needed-homes")
@dataclass(frozen=True)
class NeededHomes(WinterMechanic, ReportMechanic):
    """A power builds only while it owns at least `number` of the home centres that the board gives it."""

    number: int = 1

    not_in_columns: ClassVar[str] = "in batches powers build without homes too"

    def __post_init__(self) -> None:
        if not 1 <= self.number <= 100:
            raise ValueError("a power needs 1 to 100 of its homes")

    def _lacks(self, rules: Rules, position: Position, power: str) -> bool:
        """Return whether a power owns too few of its homes."""
        homes = rules.homes.get(power, ())
        return sum(position.owners.get(home) == power for home in homes) < self.number

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return no site for a power that owns too few of its homes (STD-19.b)."""
        return {} if self._lacks(rules, position, power) else regular

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the powers with centres that own too few of their homes to build."""
        for power in rules.powers:
            if position.centres(power) and self._lacks(rules, position, power):
                text = f"builds nothing until it owns {many(self.number, 'home centre')} again"
                yield LedgerEntry("Homes", text, power, clause="STD-19.b")

    def sayings(self) -> Clauses:
        """Return the reason of a build without homes."""
        return Clauses({"homeless": ReasonText("STD-19.b", "comes when its power owns too few of its homes to build")})

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return the aspect of a build of a power that owns too few of its homes."""
        lacks = case.ruling.cause is Cause.NOT_A_SITE and self._lacks(case.rules, case.position, case.ruling.power)
        return ReasonOverride("homeless") if lacks else NO_OVERRIDE


@mechanic("build-kinds")
@dataclass(frozen=True)
class BuildKinds(BoardMechanic, WinterMechanic, ColumnMechanic):
    """Powers that build only these kinds of unit: `{"Campbell": ["A"]}`.

    It looks at the sites known so far, so those of mechanics behind it are not limited.
    """

    powers: Mapping[str, tuple[str, ...]]

    several: ClassVar[bool] = True
    names: ClassVar[ParameterNames] = MappingProxyType({"powers": "power"})

    def start(self, rules: Rules, position: Position) -> Position:
        """See that every kind can be built."""
        for kind in (kind for kinds in self.powers.values() for kind in kinds):
            if kind not in rules.board.kinds:
                raise BadFile(f"nobody builds {kind[:40]!r}", where=self.id, hint=nearest(kind, rules.board.kinds))
        return position

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return the regular sites for these kinds alone, without places where none of them can be built."""
        if power not in self.powers:
            return regular
        allowed = frozenset(self.powers[power])
        return {province: kinds & allowed for province, kinds in regular.items() if kinds & allowed}

    def columns(self, rules: Rules) -> Columns:
        """Return columns without rules: the kinds left out are the same in every position."""
        return Columns()


@mechanic("free-placement")
@dataclass(frozen=True)
class FreePlacement(BoardMechanic, YearMechanic, WinterMechanic, ReportMechanic, ColumnMechanic):
    """In the first adjustments a power builds anywhere in its home provinces (TAD-5.d); afterwards as usual."""

    kept: ClassVar[Any] = Literal[True]
    kept_openly: ClassVar[bool] = True

    def resume(self, rules: Rules, winters: int, position: Position) -> Position:
        """Open placement only if no Winter has passed."""
        return position if winters else super().resume(rules, winters, position)

    def start(self, rules: Rules, position: Position) -> Position:
        """Open placement until the end of the first adjustments."""
        return with_state(position, self.id, True)

    def sayings(self) -> Clauses:
        """Return the reasons of orders to place units."""
        return Clauses({
            "placed": ReasonText("TAD-5.d", "is placed"),
            "placed_too_many": ReasonText("TAD-5.f", "exceeds the units that may be placed"),
            "placed_abroad": ReasonText("TAD-5.d", "is not for a home province where this unit can be placed"),
        })  # fmt: skip

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Give orders of the first adjustments the reasons for placing units instead of building them."""
        words: dict[AnyCause, str] = {
            Cause.BUILT: "placed",
            Cause.NO_BUILDS: "placed_too_many",
            Cause.NOT_A_SITE: "placed_abroad",
        }
        word = words.get(case.ruling.cause, "") if case.position.state.get(self.id) else ""
        return ReasonOverride(word) if word else NO_OVERRIDE

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return all empty home provinces, for every kind of unit that can be there."""
        if not position.state.get(self.id):
            return regular
        full = {unit.at.province for unit in position.units}
        own = set(rules.home_provinces.get(power, ()))
        return {p.id: frozenset(rules.board.ways) for p in rules.board.provinces if p.id in own - full}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the builds that each power has saved, which it may use while its centres feed them (TAD-5.h)."""
        over = not position.state.get(self.id) and ahead.now.season.kind is not PhaseKind.ADJUSTMENTS
        if over and SEEN not in position.state:  # who has builds left shows only on the whole board
            silent = silent_powers(rules, position)
            for power, number in balance(rules, position).items():
                if number > 0 and power not in silent:
                    yield LedgerEntry("Builds saved", str(number), power, number=number, clause="TAD-5.h")

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """End the free placement after the first adjustments (TAD-5.i)."""
        return with_state(position, self.id, None)

    def columns(self, rules: Rules) -> Columns:
        """Return columns by which the first Winter has other sites."""
        return Columns(dated=True)


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
