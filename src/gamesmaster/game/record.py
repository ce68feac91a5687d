"""The record of a game: a `Record` for every phase that is over, and how the game ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from sys import intern
from types import MappingProxyType
from typing import Protocol

from gamesmaster.board import Position
from gamesmaster.rules import AnyCause, Event, Result, Ruling
from gamesmaster.variant import Phase


@dataclass(frozen=True, slots=True)
class SentAhead:
    """The orders that a power sent ahead, in the notation; for the same unit or build the preferred one comes first."""

    retreats: tuple[str, ...] = ()
    adjustments: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.retreats or self.adjustments)

    @classmethod
    def of(cls, data: Mapping[str, list[str]]) -> SentAhead:
        """Return the orders in `data`."""
        return cls(**{kind: tuple(texts) for kind, texts in data.items()})

    @property
    def data(self) -> dict[str, list[str]]:
        """The orders by kind as JSON; a kind without orders is left out."""
        return {kind: list(texts) for kind, texts in asdict(self).items() if texts}

    def without(self, *kinds: str) -> SentAhead:
        """Return the rest without these kinds of orders: `retreats`, `adjustments`."""
        return replace(self, **dict.fromkeys(kinds, ()))


NOTHING_AHEAD: Mapping[str, SentAhead] = MappingProxyType({})


LONGEST_REASON = 400
"""Characters of the reason for a correction."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A Gamesmaster's correction of the board: the reason, and the phase and position that it replaced (CLN-H.i)."""

    why: str
    phase: Phase
    position: Position


class Stage(Protocol):
    """A phase that is over or being played, and the corrections made before it was played, oldest first."""

    @property
    def phase(self) -> Phase:
        """The phase."""
        ...

    @property
    def position(self) -> Position:
        """The position from which it is played."""
        ...

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """The corrections that led to this phase and position."""
        ...


def as_left(stage: Stage) -> Stage | Correction:
    """Return the phase and position to which the orders of the phase before led, before any correction."""
    return stage.corrections[0] if stage.corrections else stage


@dataclass(frozen=True, slots=True)
class Record:
    """A phase that is over.

    `position` is the one it began with, `sheet` the orders as given (`orders` unfolds it), `disorder` the powers then
    in civil disorder.  `rulings` is what became of the orders, in brief: for each order, power by power as in the
    sheet, and then for each unit that had none.  `judge` is the program that judged it (`judge_id`), empty where that
    is not known.  `ahead` is what each power had sent ahead by then: a secret, which a rollback restores and no report
    shows.  `corrections` are those of its beginning.  Kept small: a whole game is held in memory.
    """

    phase: Phase
    position: Position
    sheet: str = ""
    rulings: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    disorder: frozenset[str] = frozenset()
    judge: str = field(default="", compare=False)
    ahead: Mapping[str, SentAhead] = field(default_factory=lambda: NOTHING_AHEAD, hash=False)
    corrections: tuple[Correction, ...] = ()

    @property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """The texts as given, by power; a power that sent no set is not in it, one that sent an empty set is."""
        sections = (section.split("\n") for section in self.sheet.split("\n\n") if section)
        return {power: tuple(texts) for power, *texts in sections}


def sheet_of(orders: Mapping[str, Sequence[str]]) -> str:
    """Return orders by power as one text: a paragraph for each power under its name, one order per line."""
    return "\n\n".join("\n".join((power, *texts)) for power, texts in orders.items())


def in_brief(rulings: Iterable[Ruling]) -> tuple[str, ...]:
    """Return rulings as the record keeps them: result and cause in a few words (`bounces: stood off`).

    Orders come first, then units.
    """
    return tuple(_words(r.result, r.cause) for r in sorted(rulings, key=lambda r: not r.given))


@cache
def _words(result: Result, cause: AnyCause) -> str:
    return intern(f"{result}: {cause.name.lower().replace('_', ' ')}")


class Termination(StrEnum):
    """The ways in which a game ends."""

    VICTORY = "victory"
    DRAW = "draw"
    CONCESSION = "concession"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: how, after or during which phase (its code), and who shares the victory.

    VICTORY: one power has what wins (STD-2.a), or the last ones share it (TAD-9.d); without winners nobody was left.
    DRAW: the survivors agreed to share (STD-2.b).  CONCESSION: all the others agreed that one wins.
    """

    termination: Termination
    winners: tuple[str, ...]
    phase: str

    @property
    def shares(self) -> dict[str, Fraction]:
        """Each winner's part of the victory: equal parts that make one (STD-2.b)."""
        return {power: Fraction(1, len(self.winners)) for power in self.winners}

    @property
    def text(self) -> str:
        """It as a sentence."""
        if self.termination is Termination.DRAW:
            *others, last = self.winners
            return f"{', '.join(others)} and {last} share a draw." if others else f"{last} alone was left, and won."
        if not self.winners:
            return "Nobody is left to win."
        *others, last = self.winners
        if others:
            return f"{', '.join(others)} and {last} share the victory."
        return f"{last} won{' by concession' if self.termination is Termination.CONCESSION else ''}."
