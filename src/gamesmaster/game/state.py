"""A phase with its whole context, and its results: a game without its history.

A `Game` is played by it, and so is a single phase without one: there is one way from a phase to the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from gamesmaster.board import Position, Unit
from gamesmaster.errors import OutOfTurn, Unreadable, must_be
from gamesmaster.game.dice import Dice, Drawn, Throw
from gamesmaster.game.judging import adjudicate_all, judge_id
from gamesmaster.game.progress import advance, centre_counts, remaining, unit_counts
from gamesmaster.game.record import Outcome, Record, in_brief, sheet_of
from gamesmaster.judge import Adjudication, OrderReader, check_set, due
from gamesmaster.orders import GivenOrder, Order, PhaseKind
from gamesmaster.reading import OrderSheet, Sent, read
from gamesmaster.rules import Rulebook, Rules, Season, YearMechanic
from gamesmaster.variant import HouseRules, Phase, Variant


@lru_cache(maxsize=64)
def rules_of(variant: Variant, rulebook: Rulebook) -> Rules:
    """Return the judge's rules, shared by all games of a variant under the same rulebook."""
    return Rules.of(variant, rulebook)


def books(
    variant: Variant,
    rulebook: Rulebook | str | Mapping[str, object] | None = None,
    house_rules: HouseRules | str | Mapping[str, object] | None = None,
) -> tuple[Rulebook, HouseRules]:
    """Return the rulebook and the house rules of a game: the variant's own where nothing is said.

    House rules decide some choices of the rulebook themselves.  Raises `BadRulebook`.
    """
    house = HouseRules.of(house_rules, HouseRules.of(variant.house_rules))
    return house.over(Rulebook.of(variant.rulebook if rulebook is None else rulebook)), house


@dataclass(frozen=True)
class State:
    """A phase that is to be played, from `position`.

    `disorder` are the powers in civil disorder (STD-10.h), `misses` how many of its last seasons of moves each power
    has missed in a row, where any.  `seed` is that of the dice, empty if it is not known; `draws` are dice that have
    been thrown elsewhere, and go before the seed.  With an `outcome` the game is over.
    """

    variant: Variant
    rulebook: Rulebook
    phase: Phase
    position: Position
    house_rules: HouseRules = field(default_factory=HouseRules)
    disorder: frozenset[str] = frozenset()
    misses: Mapping[str, int] = field(default_factory=dict)
    seed: bytes = b""
    draws: tuple[Throw, ...] = ()
    outcome: Outcome | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "variant", self.house_rules.over_victory(self.variant))

    def __hash__(self) -> int:
        return hash((self.variant, self.phase, self.position, self.disorder))

    @classmethod
    def start(
        cls,
        variant: Variant,
        *,
        rulebook: Rulebook | str | Mapping[str, object] | None = None,
        house_rules: HouseRules | str | Mapping[str, object] | None = None,
        seed: bytes = b"",
    ) -> State:
        """Return the first phase of a game; rulebook and house rules are the variant's own by default."""
        must_be(Variant, variant, "a Variant, as find_variant finds it")
        book, house = books(variant, rulebook, house_rules)
        return cls(variant, book, variant.calendar.first, variant.start, house, seed=seed)

    @property
    def rules(self) -> Rules:
        """The judge's rules: those of the variant under the state's rulebook."""
        return rules_of(self.variant, self.rulebook)

    @property
    def season(self) -> Season:
        """The phase, as mechanics know it."""
        return self.variant.calendar.season(self.phase)

    @property
    def survivors(self) -> tuple[str, ...]:
        """The powers still in the game, and whose players take part (STD-2.c)."""
        return remaining(self.variant, self.rules, self.position)

    def status(self, sent: Mapping[str, int] = MappingProxyType({})) -> tuple[Status, ...]:
        """Return what is due from each survivor, empty after the end; `sent` is how many orders each has sent."""
        if self.outcome:
            return ()
        return statuses(self.variant, self.rules, self.season, self.position, {**sent}, self.disorder)

    def missing(self, sent: Collection[str]) -> frozenset[str]:
        """Return the powers that miss their moves if only those `sent` orders (CLN-H.d)."""
        return missing(self.variant, self.rules, self.phase, self.position, sent, self.disorder)

    def read(self, orders: Mapping[str, Sent]) -> dict[str, tuple[GivenOrder, ...]]:
        """Return orders by power, in any form that people send, in the form that the judge takes.

        Orders under two names of a power are one set. Raises `NotFound` for an unknown power, `BadOrder` for a sheet
        that is too large or holds another's orders.
        """
        must_be(Mapping, orders, 'a mapping such as {"France": ["A Par - Bur"]}')
        found: dict[str, tuple[GivenOrder, ...]] = {}
        for name, sent in orders.items():
            check_set(name, () if isinstance(sent, OrderSheet) else sent)
            power = self.rules.power(name)
            found[power] = found.get(power, ()) + self._given(power, sent)
        return found

    def _given(self, power: str, sent: Sent) -> tuple[GivenOrder, ...]:
        printed = _as_printed(self.rules, self.phase.kind, sent)
        return read_set(self, power, sent).given(power) if printed is None else printed

    def judge(self, orders: Mapping[str, Sequence[GivenOrder]]) -> Adjudication:
        """Return the adjudication of the phase with these orders, texts by power.

        It throws no dice and counts nothing.
        """
        disorder = self.disorder
        if self.house_rules.missing_moves == "disorder":
            disorder |= self.missing(orders)
        return adjudicate_all(self.rules, self.phase.kind, self.position, orders, disorder)

    def adjudicate(self, orders: Mapping[str, Sent]) -> Turn:
        """Adjudicate the phase and go on to the next that must be played, through all phases between.

        A power that has now missed as many seasons as the house rules allow is in civil disorder from the next phase
        on (CLN-H.e).  Raises errors of `read`, `OutOfTurn` if the game is over, and `GamesmasterError` if a die must
        be thrown but the state has neither its seed nor its result.
        """
        return self.play(self.read(orders))

    def play(self, orders: Mapping[str, Sequence[GivenOrder]]) -> Turn:
        """Adjudicate the phase with orders that have been read, and go on to the next.

        Raises what `adjudicate` raises, except for faults of sheets.
        """
        if self.outcome:
            raise OutOfTurn(f"the game is over: {self.outcome.text}")
        judged = self.judge(orders)
        dice = Drawn(self.draws, Dice(self.seed) if self.seed else None)
        step = advance(self.variant, self.rules, self.phase, self.position, judged, dice)
        texts, rulings = sheet_of(self._texts(orders)), in_brief(judged.rulings)
        record = Record(self.phase, self.position, texts, rulings, step.events, self.disorder, judge_id())
        misses, gone = self._count_misses(orders)
        following = replace(
            self,
            phase=step.phase,
            position=step.position,
            disorder=self.disorder | gone,
            draws=tuple(throw for throw in self.draws if throw not in step.throws),
            outcome=step.outcome,
        )
        left = following.survivors if misses else ()
        following = replace(following, misses={power: number for power, number in misses.items() if power in left})
        return Turn(judged, record, step.throws, following)

    def _texts(self, orders: Mapping[str, Sequence[GivenOrder]]) -> dict[str, list[str]]:
        """Return orders as a record keeps them."""
        write = self.rules.notation.write
        return {p: [write(one) if isinstance(one, Order) else str(one) for one in given] for p, given in orders.items()}

    def _count_misses(self, sent: Collection[str]) -> tuple[Mapping[str, int], frozenset[str]]:
        """Return the seasons missed after this phase, and the powers that have now missed one too many."""
        missing, most = self.missing(sent), self.house_rules.missed_before_standby
        misses = dict(self.misses)
        if self.phase.kind is PhaseKind.MOVEMENT:
            misses = {p: n for p, n in misses.items() if p not in sent and p not in self.disorder}
            misses |= {power: misses.get(power, 0) + 1 for power in missing}
        gone = frozenset(power for power in missing if most and misses[power] == most)
        return {power: n for power, n in misses.items() if power not in gone}, gone


@dataclass(frozen=True)
class Turn:
    """The result of a phase: the `adjudication`, the phase's `record`, the dice thrown, and the state to go on with."""

    adjudication: Adjudication
    record: Record
    throws: tuple[Throw, ...]
    next: State


@dataclass(frozen=True, slots=True)
class Status:
    """A power's supply centres and units, and the orders due from it.

    `due` is the number of units that need orders or must retreat, of builds or, if negative, of removals; 0 if nothing
    is due.  `orders` is the number of orders it has sent, None if no set has come.  `choices` is the number of orders
    of a mechanic's own that it may give besides, and `choosing` describes them.
    """

    power: str
    centres: int
    units: int
    kind: PhaseKind
    due: int
    orders: int | None
    disorder: bool
    choices: int = 0
    choosing: str = ""

    @property
    def is_due(self) -> bool:
        """True if any orders are due from it."""
        return self.due != 0 or self.choices != 0

    @property
    def waiting(self) -> bool:
        """True if orders are due, have not been sent, and there is a player to send them."""
        return self.is_due and self.orders is None and not self.disorder

    @property
    def text(self) -> str:
        """The orders due, in words: `orders for 3 units`, `a retreat`, `2 builds, a home to name`, `nothing`."""
        parts = [self._due()] if self.due else []
        if self.choices:
            parts.append(self.choosing or (f"{self.choices} choices" if self.choices > 1 else "a choice"))
        return ", ".join(parts) or "nothing"

    def _due(self) -> str:
        number = abs(self.due)
        if self.kind is PhaseKind.MOVEMENT:
            return f"orders for {number} {'unit' if number == 1 else 'units'}"
        word = "retreat" if self.kind is PhaseKind.RETREATS else "build" if self.due > 0 else "removal"
        return f"{number} {word}s" if number > 1 else f"a {word}"


def statuses(
    variant: Variant,
    rules: Rules,
    season: Season,
    position: Position,
    orders: dict[str, int],
    disorder: frozenset[str],
) -> tuple[Status, ...]:
    """Return the status of every power still in the game, in the variant's order.

    `orders` counts what each has sent.
    """
    centres, units = centre_counts(variant, position), unit_counts(variant, position)
    due, choices = _count_due(rules, season.kind, position), Counter[str]()
    for orders_due in rules.hooks(YearMechanic.orders_due):
        choices.update(orders_due(rules, season, position))
    choosing = _name_choices(rules, season, position)
    return tuple(
        Status(
            power,
            centres[power],
            units[power],
            season.kind,
            due[power],
            orders.get(power),
            power in disorder,
            choices[power],
            choosing.get(power, ""),
        )
        for power in remaining(variant, rules, position)
    )


def _name_choices(rules: Rules, season: Season, position: Position) -> dict[str, str]:
    """Return each power's further choices, in words: `a home to name`."""
    found: dict[str, list[str]] = {}
    for mechanic in (m for m in rules.mechanics if isinstance(m, YearMechanic)):
        one, many = mechanic.asks
        for power, number in mechanic.orders_due(rules, season, position).items():
            found.setdefault(power, []).append(f"{number} {many}" if number > 1 else one)
    return {power: ", ".join(words) for power, words in found.items()}


def _count_due(rules: Rules, kind: PhaseKind, position: Position) -> dict[str, int]:
    if kind is PhaseKind.MOVEMENT:
        return {power: _count_orders(power, position.units) for power in rules.powers}
    if kind is PhaseKind.RETREATS:
        return {power: _count_orders(power, (d.unit for d in position.dislodged)) for power in rules.powers}
    return due(rules, position)


def _count_orders(power: str, units: Iterable[Unit]) -> int:
    """Return how many of these units of a power need orders; units aboard do not."""
    return sum(unit.power == power and not unit.aboard for unit in units)


def missing(
    variant: Variant,
    rules: Rules,
    phase: Phase,
    position: Position,
    sent: Collection[str],
    disorder: Collection[str],
) -> frozenset[str]:
    """Return the powers with a player and units to move that are not among those that `sent` a set of orders.

    Only movement phases count; an empty set is a set.
    """
    if phase.kind is not PhaseKind.MOVEMENT:
        return frozenset()
    asked = {unit.power for unit in position.units if not unit.aboard}
    left = remaining(variant, rules, position)
    return frozenset(power for power in left if power in asked and power not in sent and power not in disorder)


def misses(variant: Variant, rules: Rules, records: Sequence[Record], power: str, most: int) -> int:
    """Return how many of its last movement phases a power missed in succession.

    At `most` (0 for no limit) its player was lost; the count begins anew for the next player. A phase in which the
    power had nothing to move neither counts nor ends the succession.
    """
    run = 0
    for record in reversed(records):
        if record.phase.kind is not PhaseKind.MOVEMENT:
            continue
        sent = record.orders
        if power in sent or power in record.disorder:
            break
        run += power in missing(variant, rules, record.phase, record.position, sent, record.disorder)
    return run % most if most else run


LARGEST_SET = 16 * 1024
"""Bytes of a power's set of orders; a larger one is refused."""
MOST_ORDERS = 256
"""Orders of a set."""


def merge_sets(
    state: State, power: str, sent: Sent, earlier: Sequence[str], *, amend: bool | None
) -> tuple[tuple[str, ...], OrderSheet | None]:
    """Return the texts of a power's orders after a new set, one order each, and its sheet if it had to be read.

    `earlier` are the orders saved before. A text that makes no order is kept: a ruling will say why. A sheet with
    orders only for later phases leaves them as they are. Raises `BadOrder` for a set that is too large or holds
    another power's orders (STD-4.h).
    """
    wanted = "a text, a list with a text or an Order for each order, or an OrderSheet"
    must_be((str, list, tuple, Sequence, OrderSheet), sent, wanted)
    check_set(power, () if isinstance(sent, OrderSheet) else sent)
    rules, kind = state.rules, state.phase.kind
    amends = _amends(rules.rulebook, amend=amend)
    printed = None if amends else _as_printed(rules, kind, sent)
    if printed is not None:
        return tuple(map(rules.derive(OrderReader).words, printed)), None
    sheet = read_set(state, power, sent)
    if not sheet.lines(power) and sheet.of(power).later:
        return tuple(earlier), sheet
    if not amends:
        return sheet.stored(power), sheet
    read = rules.derive(OrderReader).read
    named = {line.order.at.province for line in sheet.lines(power) if line.order and line.order.at}
    before = ((text, read(text, kind).order) for text in earlier)
    kept = [text for text, order in before if not (order and order.at and order.at.province in named)]
    return (*kept, *sheet.stored(power)), sheet


def _as_printed(rules: Rules, kind: PhaseKind, sent: Sent) -> tuple[GivenOrder, ...] | None:
    """Return single orders written exactly as the notation prints them, which need no reading; None for others."""
    if isinstance(sent, str | OrderSheet) or len(sent) > MOST_ORDERS:
        return None
    parsed = rules.derive(OrderReader).parsed_orders[kind]
    if not all(parsed[one].exact for one in sent):
        return None
    return tuple(sent) if sum(len(one) for one in sent if isinstance(one, str)) <= LARGEST_SET // 4 else None


def read_set(state: State, power: str, sent: Sent) -> OrderSheet:
    """Return the sheet of one power's set.

    Raises `BadOrder` if it is too large or holds another power's orders (STD-4.h).
    """
    sheet = sent if isinstance(sent, OrderSheet) else _read(state, power, sent)
    sheet.check_author()
    lines = [*sheet.lines(power), *(line for section in sheet.of(power).later for line in section.lines)]
    if len(lines) > MOST_ORDERS:
        raise Unreadable(f"a set of more than {MOST_ORDERS} orders", line=lines[MOST_ORDERS].line)
    if sum(len(line.stored.encode()) for line in lines) > LARGEST_SET:
        raise Unreadable(f"a set of orders of more than {LARGEST_SET:,} bytes")
    return sheet


def _read(state: State, power: str, sent: str | Sequence[GivenOrder]) -> OrderSheet:
    if isinstance(sent, str):
        text = sent
    else:
        words = state.rules.derive(OrderReader).words
        text = "\n".join(" ".join(words(one).split()) for one in sent)
    if len(text.encode(errors="surrogatepass")) > LARGEST_SET:
        raise Unreadable(f"a set of orders of more than {LARGEST_SET:,} bytes")
    return read(state, power, text, only_orders=True)


def _amends(rulebook: Rulebook, *, amend: bool | None) -> bool:
    """Return whether a later set leaves the orders it does not mention, as the rulebook and `amend` say.

    (DATC 4.D.1.)
    """
    return {
        "replaces": False,
        "replaces_unless_amending": amend is True,
        "amends_unless_replacing": amend is not False,
        "amends": True,
    }[rulebook.later_set]
