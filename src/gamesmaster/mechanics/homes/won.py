"""Homes that powers win: the centres that they own after some Winters, or for which they bid most (STD-17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar

from gamesmaster.board import Finding, Location, Position, Unit, place_name
from gamesmaster.english import many
from gamesmaster.errors import BadFile
from gamesmaster.judge import occupied
from gamesmaster.mechanics.homes.naming import DesignatedHomes, HomeVerb
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import AnyVerb, Order, PhaseKind
from gamesmaster.rules import (
    NO_OVERRIDE,
    Ahead,
    AnyCause,
    AnyEvent,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    Count,
    Event,
    LedgerEntry,
    MechanicResult,
    MechanicState,
    ParameterNames,
    PowerKey,
    ProvinceKey,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Result,
    Rules,
    Season,
    Sites,
    Verdict,
    WinterMechanic,
    YearMechanic,
    phase_code,
    phase_name,
    with_state,
)


class BidCause(AnyCause):
    """What became of a bid for a home centre."""

    WON = "wins the home centre", "STD-17.c"
    OUTBID = "is not higher than every other power's bid for the same centre", "STD-17.c"
    NOT_TO_BE_HAD = "is for a place that cannot be bid for", "STD-17.c"
    NO_BIDS = "comes when this power has no bid left", "STD-17.c"


class HomeEvent(AnyEvent):
    """The winning of a home centre."""

    WON = "won", "STD-17.c", "{power} bid{s} most for {place}, and {has} a unit there."


@dataclass(frozen=True)
class _Kept(MechanicState):
    winters: Count
    homes: dict[PowerKey, list[ProvinceKey]]


@mechanic("won-homes")
@dataclass(frozen=True)
class WonHomes(BoardMechanic, YearMechanic, WinterMechanic, ReportMechanic):
    """The centres that a power owns when Winter number `winter`, from 0, is complete are its homes for good.

    Until then it builds in every centre that it owns, afterwards in those homes that it owns.  In the first Winter it
    builds at most `first` units, 0 for as many as it can feed; then a centre without a unit of its owner is nobody's.

    With `bids`, each power begins the first Winter with this number of bids for centres that nobody owns: it names one
    once for each bid.  Who alone bids most for a centre has it, with the unit of `units` for it, an army by default.
    """

    winter: int
    first: int = 0
    bids: int = 0
    units: Mapping[str, str] = field(default_factory=dict)

    homes_alone: ClassVar[bool] = True
    repeats: ClassVar[bool] = True
    asks: ClassVar[tuple[str, str]] = ("a bid for a home centre", "bids for home centres")
    kept: ClassVar[Any] = _Kept
    verbs: ClassVar[tuple[AnyVerb, ...]] = (*HomeVerb,)
    causes: ClassVar[tuple[AnyCause, ...]] = (*BidCause,)
    events: ClassVar[tuple[AnyEvent, ...]] = (*HomeEvent,)
    names: ClassVar[ParameterNames] = MappingProxyType({"units": "province"})
    not_in_columns: ClassVar[str] = "in batches homes are those of the board"

    def __post_init__(self) -> None:
        if not all(0 <= number <= 1_000 for number in (self.winter, self.first, self.bids)):
            raise ValueError("winter, first and bids are 0 to 1,000")

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield an error if the orders that bid also name homes of another mechanic."""
        if self.bids and any(isinstance(mechanic, DesignatedHomes) for mechanic in rules.mechanics):
            text = "orders to designate a home cannot be bids and name homes in one variant"
            yield Finding.error("bids-and-names", f"mechanics {self.id}", text)

    def start(self, rules: Rules, position: Position) -> Position:
        """Begin with no Winter and no homes; raise `BadFile` for a unit that cannot be in its centre."""
        for centre in self._open(rules, position):
            unit = self.units.get(centre, f"A {centre}")
            kind, _, at = unit.partition(" ")
            if (kind, Location.of(at)) not in rules.board.standing or Location.of(at).province != centre:
                hint = f'units = {{ {centre} = "F {centre}" }}'
                raise BadFile(f"no unit can be won as {unit[:40]!r} in {centre}", where=self.id, hint=hint)
        return self.resume(rules, 0, position)

    def resume(self, rules: Rules, winters: int, position: Position) -> Position:
        """Set the number of past Winters; if homes have been won, assume the centres that each power owns."""
        return self._counted(rules, position, winters, {})

    def _counted(self, rules: Rules, position: Position, winters: int, homes: Mapping[str, object]) -> Position:
        if winters > self.winter and not homes:
            homes = {power: sorted(position.centres(power)) for power in rules.powers if position.centres(power)}
        return with_state(position, self.id, {"winters": winters, "homes": dict(homes)})

    def supply(self, rules: Rules, position: Position, power: str, regular: int) -> int:
        """Return `first` in the first Winter, if there is less to feed than the power has (STD-17.b)."""
        return min(regular, self.first) if self.first and not _winters(position) else regular

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return the empty centres that the power owns, once homes are won only those, and other sites (STD-17.a)."""
        full, homes = occupied(rules.board, position), _homes(position).get(power, ())
        free = _winters(position) <= self.winter
        own = [c for c in rules.board.centres if position.owners.get(c) == power and c not in full]
        others = {place: kinds for place, kinds in regular.items() if place not in rules.board.centres}
        return {**dict.fromkeys((c for c in own if free or c in homes), frozenset(rules.board.kinds)), **others}

    def homes_now(self, rules: Rules, position: Position) -> Mapping[str, str]:
        """Return the homes that have been won; all other centres are then nobody's homes."""
        homes = {home: power for power, own in _homes(position).items() for home in own}
        return {centre: homes.get(centre, "") for centre in rules.board.centres} if homes else {}

    # -- bids --------------------------------------------------------------------------------------------------------

    def _open(self, rules: Rules, position: Position) -> list[str]:
        """Return the centres that can be bid for now."""
        if not self.bids or _winters(position):
            return []
        full = occupied(rules.board, position)
        return [c for c in rules.board.centres if c not in full and not position.owners.get(c)]

    def orders_due(self, rules: Rules, season: Season, position: Position) -> Mapping[str, int]:
        """Return the bids of each power in the first Winter."""
        winter = season.kind is PhaseKind.ADJUSTMENTS
        return dict.fromkeys(rules.powers, self.bids) if winter and self._open(rules, position) else {}

    def extra_orders(self, rules: Rules, season: Season, position: Position, power: str) -> Iterator[Order]:
        """Yield a bid for each centre that nobody owns."""
        if season.kind is PhaseKind.ADJUSTMENTS:
            for centre in self._open(rules, position):
                yield Order(HomeVerb.DESIGNATE, "", Location(centre))

    def carry_out(
        self, rules: Rules, kind: PhaseKind, position: Position, orders: Mapping[str, Sequence[Order | None]]
    ) -> MechanicResult:
        """Give each centre, with a unit, to the power that alone bids most for it (STD-17.c)."""
        open_ = self._open(rules, position) if kind is PhaseKind.ADJUSTMENTS else []
        verdicts: dict[tuple[str, int], Verdict] = {}
        placed: dict[tuple[str, int], str] = {}
        for power, given in orders.items():
            wishes = [(n, order.at.province if order.at else "") for n, order in enumerate(given) if order]
            good = [(n, centre) for n, centre in wishes if centre in open_]
            placed |= {(power, n): centre for n, centre in good[: self.bids]}
            late = {(power, n): BidCause.NO_BIDS for n, _ in good[self.bids :]}
            wrong = {(power, n): BidCause.NOT_TO_BE_HAD for n, centre in wishes if centre not in open_}
            verdicts |= {bid: Verdict(Result.VOID, cause) for bid, cause in (late | wrong).items()}
        bids = Counter((centre, power) for (power, _), centre in placed.items())
        won = {centre: first for centre in open_ if (first := _highest(bids, centre))}
        for (power, n), centre in placed.items():
            has = won.get(centre) == power
            verdicts[power, n] = Verdict(Result.SUCCEEDS, BidCause.WON) if has else _OUTBID
        happened = tuple(Event(HomeEvent.WON, power, centre) for centre, power in won.items())
        return MechanicResult(self._settled(position, won), verdicts, happened)

    def _settled(self, position: Position, won: Mapping[str, str]) -> Position:
        """Return the position in which powers own these centres, with a unit in each."""
        new = []
        for number, (centre, power) in enumerate(won.items(), position.last_number + 1):
            kind, at = self.units.get(centre, f"A {centre}").split(" ")
            new.append(Unit(number, kind, power, Location.of(at)))
        return replace(position, owners={**position.owners, **won}, units=(*position.units, *new))

    # -- the years ---------------------------------------------------------------------------------------------------

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """Count the Winters; after the first, empty centres are nobody's, and after the last homes are won."""
        winters = _winters(position)
        if self.first and not winters:
            manned = {(unit.at.province, unit.power) for unit in position.units}
            position = replace(position, owners={at: p for at, p in position.owners.items() if (at, p) in manned})
        return self._counted(rules, position, winters + 1, _homes(position))

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the homes that powers have won, or when they win them (STD-17.a)."""
        if (wait := self.winter - _winters(position)) >= 0:
            last = ahead.winter(wait)
            text = f"each power builds where it owns a centre; what it owns after {phase_name(last)} are its homes"
            yield LedgerEntry("Homes", text, term=phase_code(last), clause="STD-17.a")
        if self._open(rules, position):
            text = f"each power has {many(self.bids, 'bid')} for centres that nobody owns"
            yield LedgerEntry("Homes", text, number=self.bids, clause="STD-17.c")
        for power, homes in _homes(position).items():
            names = ", ".join(place_name(rules.board, Location(home)) for home in homes)
            yield LedgerEntry("Homes", names, power, number=len(homes), clause="STD-17.a")

    def sayings(self) -> Clauses:
        """Return the reasons of builds that are not for a home, or one too many at the start."""
        return Clauses({
            "not_a_won_home": ReasonText("STD-17.a", "is for a centre that is not one of the homes of its power"),
            "first_units": ReasonText("STD-17.b", "is for more units than a power may begin with"),
        })  # fmt: skip

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return the aspect of a build that is not for a home, or one too many at the start."""
        winters, order = _winters(case.position), case.ruling.order
        words: dict[AnyCause, str] = {Cause.NOT_A_SITE: "not_a_won_home"} if winters > self.winter else {}
        if self.first and not winters:
            words = {Cause.NO_BUILDS: "first_units"}
        own = order and order.at and case.position.owners.get(order.at.province) == case.ruling.power
        return ReasonOverride(words[case.ruling.cause]) if own and case.ruling.cause in words else NO_OVERRIDE


_OUTBID = Verdict(Result.FAILS, BidCause.OUTBID)


def _highest(bids: Mapping[tuple[str, str], int], centre: str) -> str:
    """Return the power with the highest bid for a centre, "" if there are several or none."""
    ours = {power: number for (place, power), number in bids.items() if place == centre}
    first = [power for power, number in ours.items() if number == max(ours.values())]
    return first[0] if len(first) == 1 else ""


def _told(position: Position) -> Mapping[str, Any]:
    told = position.state.get(WonHomes.id)
    return told if isinstance(told, Mapping) else {}


def _winters(position: Position) -> int:
    """Return the number of the Winter that is or comes next, from 0."""
    return int(_told(position).get("winters", 0))


def _homes(position: Position) -> Mapping[str, Sequence[str]]:
    homes = _told(position).get("homes")
    return homes if isinstance(homes, Mapping) else {}
