"""A phase with all that it needs, and what comes of it: what a game is beside its history.

A `Game` is played by it, and so is whoever asks without one: there is one way from a phase to the next.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from gamesmaster.board import Position
from gamesmaster.errors import OutOfTurn
from gamesmaster.game import absence
from gamesmaster.game.calendar import Phase
from gamesmaster.game.defects import adjudicate_all
from gamesmaster.game.dice import Dice, Drawn, Throw
from gamesmaster.game.house_rules import HouseRules
from gamesmaster.game.intake import OrderSet, received
from gamesmaster.game.judge_id import judge_id
from gamesmaster.game.progress import advance, remaining, season_of
from gamesmaster.game.record import Outcome, Record, in_brief, sheet_of
from gamesmaster.game.status import Status, statuses
from gamesmaster.game.variant import Variant
from gamesmaster.judge import Adjudication, Rulebook, Rules, Season
from gamesmaster.judge.binding import known_powers
from gamesmaster.orders import PhaseKind


@lru_cache(maxsize=64)
def rules_of(variant: Variant, rulebook: Rulebook) -> Rules:
    """The judge's rules, shared by all games of a variant under the same rulebook."""
    return Rules.of(variant, rulebook)


def books(
    variant: Variant,
    rulebook: Rulebook | str | Mapping[str, object] | None = None,
    house_rules: HouseRules | str | Mapping[str, object] | None = None,
) -> tuple[Rulebook, HouseRules]:
    """The rulebook and the house rules of a game: the variant's own where nothing is said.

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
        """The first phase of a game; rulebook and house rules are the variant's own by default."""
        book, house = books(variant, rulebook, house_rules)
        return cls(variant, book, variant.calendar.first, variant.start, house, seed=seed)

    @property
    def rules(self) -> Rules:
        """What the judge must know."""
        return rules_of(self.variant, self.rulebook)

    @property
    def season(self) -> Season:
        """The phase, as mechanics know it."""
        return season_of(self.variant.calendar, self.phase)

    @property
    def survivors(self) -> tuple[str, ...]:
        """The powers still in the game, and whose players take part (STD-2.c)."""
        return remaining(self.variant, self.rules, self.position)

    def status(self, sent: Mapping[str, int] = MappingProxyType({})) -> tuple[Status, ...]:
        """For each survivor, what is asked of it; `sent` is how many orders each has sent.  Nothing after the end."""
        if self.outcome:
            return ()
        return statuses(self.variant, self.rules, self.season, self.position, {**sent}, self.disorder)

    def missing(self, sent: Collection[str]) -> frozenset[str]:
        """The powers that miss their moves if only those `sent` orders (CLN-H.d)."""
        return absence.missing(self.variant, self.rules, self.phase, self.position, sent, self.disorder)

    def read(self, orders: Mapping[str, OrderSet]) -> dict[str, tuple[str, ...]]:
        """Orders by power, each set a sheet or a text an order, as texts of one order each.

        Raises `NotFound` for an unknown power, `BadOrder` for a sheet that is too large or holds another's orders.
        """
        named = known_powers(self.rules, dict.fromkeys(orders, ())).keys()
        given = zip(named, orders.values(), strict=True)
        return {power: self._texts(power, texts) for power, texts in given}

    def _texts(self, power: str, orders: OrderSet) -> tuple[str, ...]:
        if isinstance(orders, str):
            return received(self.rules, self.phase.kind, power, orders, (), False)
        return tuple(" ".join(text.split()) if "\n" in text or "\r" in text else text for text in orders)

    def judge(self, orders: Mapping[str, Sequence[str]]) -> Adjudication:
        """What the phase comes to with these orders, texts by power; no die is thrown and nothing is counted."""
        disorder = self.disorder
        if self.house_rules.missing_moves == "disorder":
            disorder |= self.missing(orders)
        return adjudicate_all(self.rules, self.phase.kind, self.position, orders, disorder)

    def adjudicate(self, orders: Mapping[str, OrderSet]) -> Turn:
        """Adjudicate the phase and go on to the next that must be played, with all that lies between.

        A power that has now missed as many seasons as the house rules allow is in civil disorder from the next phase on
        (CLN-H.e).  Raises what `read` raises, `OutOfTurn` if the game is over, and `GamesmasterError` if a die must be
        thrown of which neither seed nor draws tell.
        """
        if self.outcome:
            raise OutOfTurn(f"the game is over: {self.outcome.text}")
        texts = self.read(orders)
        judged = self.judge(texts)
        dice = Drawn(self.draws, Dice(self.seed) if self.seed else None)
        step = advance(self.variant, self.rules, self.phase, self.position, judged.position, judged.happened, dice)
        record = Record(
            self.phase, self.position, sheet_of(texts), in_brief(judged.rulings), step.events, self.disorder, judge_id()
        )
        misses, gone = self._counted(texts)
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

    def _counted(self, sent: Collection[str]) -> tuple[Mapping[str, int], frozenset[str]]:
        """The seasons missed after this phase, and the powers that have now missed one too many."""
        missing, most = self.missing(sent), self.house_rules.missed_before_standby
        misses = dict(self.misses)
        if self.phase.kind is PhaseKind.MOVEMENT:
            misses = {p: n for p, n in misses.items() if p not in sent and p not in self.disorder}
            misses |= {power: misses.get(power, 0) + 1 for power in missing}
        gone = frozenset(power for power in missing if most and misses[power] == most)
        return {power: n for power, n in misses.items() if power not in gone}, gone


@dataclass(frozen=True)
class Turn:
    """What came of a phase: the `adjudication`, the phase's `record`, the dice thrown, and the state to go on with."""

    adjudication: Adjudication
    record: Record
    throws: tuple[Throw, ...]
    next: State
