"""Build rules: sites for single powers, kinds that a power may build at all, free placement.

Free placement: the game begins with a phase of adjustments.  In it a power may place as many units as it owns centres,
of any kind, in any of its home provinces, with a centre or without; what it does not place it may build later by the
ordinary rule (TAD-5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from gamesmaster.board import Finding, Position
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
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    LedgerEntry,
    ParameterNames,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Rules,
    Sites,
    WinterMechanic,
    YearMechanic,
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
