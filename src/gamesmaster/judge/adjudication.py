"""What comes out of judging a phase: the next position, and a ruling with its reason for every order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property

from gamesmaster.board import Position
from gamesmaster.errors import Ambiguous, BadOrder, UnknownPlace
from gamesmaster.judge.mechanic import Case, ReportMechanic
from gamesmaster.judge.values import PLAIN, Aspect, Cause, Event, Ruling


class Adjudication(ABC):
    """The decision on a phase.  `position` and `rulings` are made when first asked for."""

    @abstractmethod
    def _make_position(self) -> Position:
        """Work the next position out."""

    @abstractmethod
    def _make_rulings(self) -> tuple[Ruling, ...]:
        """Put the decisions into rulings."""

    @cached_property
    def position(self) -> Position:
        """The position after the phase; units that must retreat stand in its `dislodged`."""
        return self._make_position()

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """A ruling for every order given, in the order given, then for every unit without one."""
        return self._make_rulings()

    @property
    def dislodgements(self) -> Mapping[int, tuple[float, float]]:
        """Of each dislodged unit, by its number: how strong the attack was, and what held against it.

        None where that is not known any more, of adjudications that were copied from another process.
        """
        return {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Adjudication):
            return NotImplemented
        mine, theirs = ((one.position, one.rulings, one.happened) for one in (self, other))
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self.position, len(self.rulings)))

    def __reduce__(self) -> tuple[type[Decided], tuple[object, ...]]:
        return Decided, (self.position, self.rulings, self.happened)

    @property
    @abstractmethod
    def happened(self) -> tuple[Event, ...]:
        """What happened in the phase without an order."""


class Decided(Adjudication):
    """An adjudication made at once: the short phases of retreats and adjustments."""

    def __init__(self, position: Position, rulings: tuple[Ruling, ...], happened: tuple[Event, ...] = ()) -> None:
        self._position, self._rulings, self._happened = position, rulings, happened

    def _make_position(self) -> Position:
        return self._position

    def _make_rulings(self) -> tuple[Ruling, ...]:
        return self._rulings

    @property
    def happened(self) -> tuple[Event, ...]:
        """What happened in the phase without an order."""
        return self._happened


def told(
    case: Case,
    *,
    strengths: tuple[float, float] | None = None,
    error: BadOrder | None = None,
    detail: str = "",
    aspect: str = "",
) -> Ruling:
    """The ruling on a case; `aspect` and `detail` are what the judge knows of the reason, where no mechanic does.

    `error` is why an order could not be read.
    """
    if error is not None:
        detail, aspect = str(error), "doubtful_place" if isinstance(error, (UnknownPlace, Ambiguous)) else ""
    found = _aspect(case, aspect)
    return Ruling(
        power=case.power,
        unit=case.unit,
        order=case.order,
        given=case.given,
        result=case.result,
        cause=case.cause,
        by=case.by,
        dislodged_by=case.dislodged_by,
        strengths=strengths,
        detail=detail if found.detail is None else found.detail,
        board=case.rules.board,
        clauses=case.rules.told,
        aspect=found.word,
    )


def _aspect(case: Case, known: str) -> Aspect:
    for ruling_aspect in case.rules.asked(ReportMechanic.ruling_aspect):
        if (found := ruling_aspect(case)) is not PLAIN:
            return found
    if not case.given and case.cause in (Cause.REMOVED, Cause.DISBANDED):
        return Aspect("removed_unasked" if case.cause is Cause.REMOVED else "disbanded_unasked")
    word = _left_over(case) if case.cause is Cause.LEFT_OVER else known
    return Aspect(word) if word else PLAIN


def _left_over(case: Case) -> str:
    """Why an order finds no unit where several lie together: there is none, or no pair to be formed (CNW-6.a1)."""
    assert case.order is not None
    assert case.order.at is not None
    if case.order.kind in case.rules.board.forms:
        return "pair_wanting"
    own = (u for u in case.position.of(case.power) if u.at == case.order.at and case.order.kind in ("", u.kind))
    return "" if any(own) else "none_there"
