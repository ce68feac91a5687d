"""The ledger: what a Gamesmaster keeps of a position beside units and owners, and publishes with it (CNW-N3).

Mechanics tell its lines as data; `game.ledger` gathers them, and every report, page and program prints the same.  All
of it follows from the position, which everybody knows: no order is behind a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from gamesmaster.judge.values import Season
from gamesmaster.orders import PhaseKind


class Term(NamedTuple):
    """A phase from now on: its short code, its name without the kind (`Winter 1602`), and as mechanics know it.

    `counted` says that the owners of the centres are settled when it is over.
    """

    code: str
    name: str
    season: Season
    counted: bool = False


Fits: TypeAlias = "Callable[[Term], bool]"


@dataclass(frozen=True, slots=True)
class Ahead:
    """The phases from the one that is played, or comes next, on; they are worked out as far as somebody asks."""

    phases: Iterator[Term]
    _seen: list[Term] = field(default_factory=list)

    def find(self, fits: Fits, after: int = 0) -> Term | None:
        """The first phase that fits, or the one so many of them `after` it; None if none comes soon enough."""
        for term in self._terms():
            if fits(term):
                if not after:
                    return term
                after -= 1
        return None

    def of_kind(self, kind: PhaseKind, after: int = 0) -> Term | None:
        """The first phase of this kind, or the one so many of them `after` it."""
        return self.find(lambda term: term.season.kind is kind, after)

    def winter(self, after: int = 0) -> Term | None:
        """The Winter that is or comes next, or the one so many Winters after it."""
        return self.of_kind(PhaseKind.ADJUSTMENTS, after)

    @property
    def now(self) -> Term:
        """The phase that is played, or comes next."""
        return next(self._terms())

    def _terms(self) -> Iterator[Term]:
        yield from self._seen
        for term in self.phases:
            self._seen.append(term)
            yield term


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the ledger: under which `heading`, and what it says, `text`; what it says is whole without the rest.

    `power` is whose it is (the text does not name it), `province` where, `number` how many, `term` the phase in which
    something ends or comes, as far as there is one.  `clause` is the rule behind it.
    """

    heading: str
    text: str
    power: str = ""
    province: str = ""
    number: int | None = None
    term: str = ""
    clause: str = ""


def named(term: Term | None) -> str:
    """The name of a phase, or what stands for one that nobody lives to see."""
    return term.name if term else "a year far off"


def coded(term: Term | None) -> str:
    """The code of a phase; of none, nothing."""
    return term.code if term else ""
