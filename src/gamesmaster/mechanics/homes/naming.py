"""Homes that powers name for themselves in the course of the game (CNW-8A, CNW-I.b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from gamesmaster.board import Location, Position, place_name
from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import occupied
from gamesmaster.mechanics.homes.columns import (
    Naming,
    ask,
    count_left,
    count_winter,
    is_nameable,
    is_usable,
    open_homes,
    question,
    settle,
    take_down,
)
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Phrase
from gamesmaster.rules import (
    NO_OVERRIDE,
    Ahead,
    AnyCause,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    Count,
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
    Standing,
    Verdict,
    WinterMechanic,
    YearMechanic,
    phase_code,
    phase_name,
    standing,
    with_state,
)


class Home(NamedTuple):
    """A home that was named: the province, and in which Winter, from 0."""

    province: str
    winter: int


class HomeCause(AnyCause):
    """Why a home was named, or was not."""

    DESIGNATED = "is named a home centre", "CNW-8A.a1"
    NO_HOME_DUE = "comes when this power has no home centre left to name", "CNW-8A.b1"
    NOT_A_HOME = "is for a place that this power may not make its home", "CNW-8A.a2"


class HomeVerb(AnyVerb):
    """The verb with which powers name homes."""

    DESIGNATE = (
        "designate",
        Phrase(
            before="designate designates",
            led=True,
            place=True,
            title="Name a home centre",
            says="Name {goal} a home centre",
        ),
    )


@dataclass(frozen=True)
class _Kept(MechanicState):
    winters: Count
    homes: dict[PowerKey, list[tuple[ProvinceKey, Count]]]


@mechanic("designated-homes")
@dataclass(frozen=True)
class DesignatedHomes(BoardMechanic, YearMechanic, WinterMechanic, ReportMechanic, ColumnMechanic):
    """A power may name one home in the game, among the `pairs` told for it, in a Winter in which it owns it.

    It builds there `wait` Winters later or after, and not before the Winter numbered `opens`, from 0.  The powers
    `replacing` name a new home for each of their own that they do not own, anywhere but in `never` and where others
    have named theirs, and use it at once.  What is named is never changed, and serves nobody but who named it, while he
    owns it.
    """

    pairs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    opens: int = 0
    wait: int = 1
    replacing: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    causes: ClassVar[tuple[AnyCause, ...]] = (*HomeCause,)
    asks: ClassVar[tuple[str, str]] = ("a home centre to name", "home centres to name")
    kept: ClassVar[Any] = _Kept
    verbs: ClassVar[tuple[AnyVerb, ...]] = (*HomeVerb,)
    names: ClassVar[ParameterNames] = MappingProxyType({"pairs": "power", "replacing": "power", "never": "province"})

    def __post_init__(self) -> None:
        if not (0 <= self.opens <= 1000 and 0 <= self.wait <= 1000):
            raise ValueError("opens and wait are 0 to 1000 Winters")
        if both := sorted(set(self.pairs) & set(self.replacing)):
            raise ValueError(f"{both[0]} is in pairs and in replacing: name it in one of them")

    def start(self, rules: Rules, position: Position) -> Position:
        """Begin with no Winter and no home named; raise `BadFile` if a nameable province is not a centre."""
        for province in (province for pair in self.pairs.values() for province in pair):
            if province not in rules.board.centres:
                hint = nearest(province, rules.board.centres)
                raise BadFile(f"{province[:40]!r} is not a supply centre", where=self.id, hint=hint)
        return self.resume(rules, 0, position)

    def resume(self, rules: Rules, winters: int, position: Position) -> Position:
        """Set the number of past Winters; which homes were named is not known."""
        return with_state(position, self.id, {"winters": winters, "homes": {}})

    # -- naming ------------------------------------------------------------------------------------------------------

    def orders_due(self, rules: Rules, season: Season, position: Position) -> Mapping[str, int]:
        """Return 1 for each power that may name a home in this Winter."""
        if season.kind is not PhaseKind.ADJUSTMENTS:
            return {}
        return {power: 1 for power in rules.powers if self._nameable(rules, position, power)}

    def extra_orders(self, rules: Rules, season: Season, position: Position, power: str) -> Iterator[Order]:
        """Yield every place that it may name."""
        if season.kind is PhaseKind.ADJUSTMENTS:
            for province in self._nameable(rules, position, power):
                yield Order(HomeVerb.DESIGNATE, "", Location(province))

    def carry_out(
        self, rules: Rules, kind: PhaseKind, position: Position, orders: Mapping[str, Sequence[Order | None]]
    ) -> MechanicResult:
        """Record the homes that powers name, in the order written."""
        verdicts: dict[tuple[str, int], Verdict] = {}
        for power, given in orders.items():
            for number, order in ((n, order) for n, order in enumerate(given) if order):
                fault = (
                    self._fault(rules, position, power, order) if kind is PhaseKind.ADJUSTMENTS else Cause.OTHER_PHASE
                )
                verdicts[power, number] = Verdict(
                    Result.VOID if fault else Result.SUCCEEDS, fault or HomeCause.DESIGNATED
                )
                if not fault and order.at:
                    position = self._named(position, power, order.at.province)
        return MechanicResult(position, verdicts)

    def _fault(self, rules: Rules, position: Position, power: str, order: Order) -> AnyCause | None:
        if not self._left(rules, position, power):
            return HomeCause.NO_HOME_DUE if power in (*self.pairs, *self.replacing) else HomeCause.NOT_A_HOME
        named = order.at is not None and order.at.province in self._nameable(rules, position, power)
        return None if named else HomeCause.NOT_A_HOME

    def _left(self, rules: Rules, position: Position, power: str) -> int:
        """Return how many homes the power may still name."""
        return count_left(self.naming(rules), self._standing(rules, position), rules.numbers[power])

    def _nameable(self, rules: Rules, position: Position, power: str) -> list[str]:
        """Return the places that the power may name now."""
        naming, now, number = self.naming(rules), self._standing(rules, position), rules.numbers[power]
        if not count_left(naming, now, number):
            return []
        provinces = enumerate(rules.board.provinces)
        return [province.id for place, province in provinces if is_nameable(naming, now, number, place)]

    def _named(self, position: Position, power: str, province: str) -> Position:
        winters = _winters(position)
        homes = {p: [list(home) for home in find_homes(position, p)] for p in _state(position)}
        homes.setdefault(power, []).append([province, winters])
        return with_state(position, self.id, {"winters": winters, "homes": homes})

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the homes named, each with its first Winter, and those that can still be named (CNW-8A)."""
        board, winters = rules.board, _winters(position)
        for power in rules.powers:
            for home in find_homes(position, power):
                wait = 0 if power in self.replacing else max(0, self.opens - winters, home.winter + self.wait - winters)
                since = ahead.winter(wait)
                serves = f"builds there from {phase_name(since)}" if wait else "builds there"
                lost = "" if position.owners.get(home.province) == power else "; not its own now"
                text = f"{place_name(board, Location(home.province))}, {serves}{lost}"
                yield LedgerEntry("Homes named", text, power, home.province, term=phase_code(since), clause="CNW-8A.c3")
            left, open_ = self._left(rules, position, power), self._nameable(rules, position, power)
            places = open_ or (self.pairs.get(power, ()) if left else ())
            if places:
                names = " or ".join(place_name(board, Location(place)) for place in places)
                text = names if open_ else f"{names}, once it owns it"
                yield LedgerEntry("Homes that may be named", text, power, number=left, clause="CNW-8A.a1")

    def homes_now(self, rules: Rules, position: Position) -> Mapping[str, str]:
        """Return the homes that have been named."""
        return {home.province: power for power in rules.powers for home in find_homes(position, power)}

    # -- building ----------------------------------------------------------------------------------------------------

    def sayings(self) -> Clauses:
        """Return the reasons of builds at homes that were named, and at those that are not open yet."""
        return Clauses({
            "built_at_named_home": ReasonText("CNW-8A.b2"),
            "home_not_open": ReasonText("CNW-8A.c3", "is for a home centre that is not open to builds yet"),
        })  # fmt: skip

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return the aspect of a build at a named home, made or not yet possible."""
        words: dict[AnyCause, str] = {Cause.BUILT: "built_at_named_home", Cause.NOT_A_SITE: "home_not_open"}
        if case.ruling.cause not in words or case.ruling.order is None or case.ruling.order.at is None:
            return NO_OVERRIDE
        home, position = case.ruling.order.at.province, case.position
        named = home in {one.province for one in find_homes(position, case.ruling.power)}
        return (
            ReasonOverride(words[case.ruling.cause])
            if named and position.owners.get(home) == case.ruling.power
            else NO_OVERRIDE
        )

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return the regular sites and the open named homes that the power owns and that are empty (CNW-8A.b2)."""
        full, winters = occupied(rules.board, position), _winters(position)
        naming, replaces = self.naming(rules), int(power in self.replacing)
        usable = [
            home.province for home in find_homes(position, power) if is_usable(naming, replaces, home.winter, winters)
        ]
        own = [home for home in usable if position.owners.get(home) == power and home not in full]
        return {**regular, **dict.fromkeys(own, frozenset(rules.board.kinds))} if own else regular

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """Count the Winters."""
        homes = _told(position).get("homes") or {}
        return with_state(position, self.id, {"winters": _winters(position) + 1, "homes": homes})

    # -- in columns --------------------------------------------------------------------------------------------------

    def columns(self, rules: Rules) -> Columns:
        """Return its rules; `kept` has the homes named and the powers' choices."""
        naming = self.naming(rules)
        return Columns(
            width=question(naming, len(rules.powers)) + 1,
            state=partial(self._kept_of, rules),
            before_winter=open_homes,
            after_winter=count_winter,
            crowds=True,
            opens=partial(self._all_open, rules),
            asked=(PhaseKind.ADJUSTMENTS,),
            askers=tuple((question(naming, number), number) for number in rules.numbers.values()),
            asks=ask,
            settle=settle,
            places=True,
            says=partial(self._says, rules),
            carry_out=take_down,
            table=naming,
        )

    def _slots(self, rules: Rules, power: str) -> int:
        """Return how many homes a power may ever name."""
        return len(rules.homes.get(power, ())) if power in self.replacing else int(power in self.pairs)

    def naming(self, rules: Rules) -> Naming:
        """Return the columns of the homes that powers may name."""
        board, size = rules.board, len(rules.board.provinces)
        name, home = [0] * (size * (1 + len(rules.powers))), [0] * (size * (1 + len(rules.powers)))
        for power, number in rules.numbers.items():
            own = rules.homes.get(power, ())
            others = (centre for centre in board.centres if centre not in {*self.never, *own})
            places = self.pairs.get(power, others if power in self.replacing else ())
            for table, provinces in ((name, places), (home, own)):
                for province in provinces:
                    table[number * size + board.index[province]] = 1
        slots = [self._slots(rules, power) for power in rules.powers]
        replaces = [0, *(int(power in self.replacing) for power in rules.powers)]
        return Naming([self.opens, self.wait], [0, *accumulate(slots, initial=0)], replaces, name, home)

    def _standing(self, rules: Rules, position: Position) -> Standing:
        """Return the columns of a position without choices."""
        naming, kept = self.naming(rules), [_winters(position)]
        for power in rules.powers:
            homes = find_homes(position, power)
            for slot in range(self._slots(rules, power)):
                home = homes[slot] if slot < len(homes) else None
                kept += [1 + rules.board.index[home.province], home.winter] if home else [0, 0]
        return standing(rules, position, kept + [0] * (question(naming, len(rules.powers)) + 1 - len(kept)))

    def _kept_of(self, rules: Rules, kept: Sequence[int]) -> dict[str, object]:
        """Return the state of homes named, from its columns."""
        homes, slot = dict[str, list[list[object]]](), 0
        for power in rules.powers:
            for _ in range(self._slots(rules, power)):
                if place := int(kept[1 + 2 * slot]):
                    home: list[object] = [rules.board.provinces[place - 1].id, int(kept[2 + 2 * slot])]
                    homes.setdefault(power, []).append(home)
                slot += 1
        return {"winters": int(kept[0]), "homes": homes}

    def _all_open(self, rules: Rules, power: str) -> dict[str, object]:
        """Return a power's state in which all that it may ever name is open."""
        size, name = len(rules.board.provinces), self.naming(rules).name
        own = name[rules.numbers[power] * size : (rules.numbers[power] + 1) * size]
        homes = [[province.id, 0] for province, may in zip(rules.board.provinces, own, strict=True) if may]
        return {"winters": self.opens + self.wait, "homes": {power: homes}}

    def _says(self, rules: Rules, kept: Sequence[int]) -> list[tuple[str, Order]]:
        """Return the orders that name homes, from the columns."""
        asked = zip(rules.powers, kept[len(kept) - len(rules.powers) :], strict=True)
        places = ((power, rules.board.provinces[place - 1].id) for power, place in asked if place)
        return [(power, Order(HomeVerb.DESIGNATE, "", Location(province))) for power, province in places]


def find_homes(position: Position, power: str) -> tuple[Home, ...]:
    """Return the homes that a power has named, owned or not, in the order in which it did."""
    return tuple(Home(str(province), int(winter)) for province, winter in _state(position).get(power, ()))


def _told(position: Position) -> Mapping[str, object]:
    told = position.state.get(DesignatedHomes.id)
    return told if isinstance(told, Mapping) else {}


def _state(position: Position) -> Mapping[str, Sequence[tuple[str, int]]]:
    homes = _told(position).get("homes")
    return homes if isinstance(homes, Mapping) else {}


def _winters(position: Position) -> int:
    """Return the number of the Winter that is or comes next, from 0."""
    winters = _told(position).get("winters")
    return winters if isinstance(winters, int) else 0
