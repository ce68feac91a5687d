"""The result of adjudicating a phase: the next position, and a ruling with its reason for every order.

During an adjustment phase each order, be it a build, a removal or a mechanic's own, is an `Attempt`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar

from gamesmaster.board import Position, Unit
from gamesmaster.errors import Ambiguous, BadOrder, UnknownPlace
from gamesmaster.judge.resolution import ParsedOrder
from gamesmaster.orders import GivenOrder, Order, PhaseKind
from gamesmaster.rules import NO_OVERRIDE, AnyCause, Case, Cause, Event, ReportMechanic, Rules, Ruling, Verdict


class Adjudication(ABC):
    """The decision on a phase.

    `position` is the position after the phase, `rulings` has a `Ruling` for every order and for every unit without one.
    Both are computed at first use and kept.
    """

    partial: ClassVar[bool] = False
    """True if it does not show everything, because powers do not see the whole board."""

    def tells_of(self, power: str) -> bool:
        """Return whether everything about this power is shown."""
        return True

    @abstractmethod
    def _make_position(self) -> Position:
        """Work the next position out."""

    @abstractmethod
    def _make_rulings(self) -> tuple[Ruling, ...]:
        """Put the decisions into rulings."""

    @cached_property
    def position(self) -> Position:
        """The position after the phase; units that must retreat are in its `dislodged`."""
        return self._make_position()

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """A ruling for every order given, in the order given, then for every unit without one."""
        return self._make_rulings()

    @property
    def dislodgements(self) -> Mapping[int, tuple[float, float]]:
        """Map the number of each dislodged unit to the strength of the attack and the strength that held against it.

        The mapping is empty for adjudications copied from another process, which do not keep these figures.
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
        """Return the events of the phase: all that happened without an order."""


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
        """Return the events of the phase: all that happened without an order."""
        return self._happened


class Attempt:
    """An order of a Winter: the unit it builds or the units it removes (none for a waive), or why it cannot be.

    `detail` is what helps to mend it, `aspect` what is known of the reason beside the cause.  `verdict` is what a
    mechanic decided on it; then nobody else looks at it.
    """

    __slots__ = ("aspect", "detail", "fault", "given", "parsed", "power", "units", "verb", "verdict")

    def __init__(self, power: str, given: GivenOrder, parsed: ParsedOrder) -> None:
        self.power, self.given, self.parsed = power, given, parsed
        self.verb = parsed.order.verb if parsed.order else None
        self.units: tuple[Unit, ...] = ()
        self.fault: AnyCause | None = None if parsed.order else Cause.UNREADABLE
        self.verdict: Verdict | None = None
        self.aspect = ""
        self.detail = ""

    @property
    def open(self) -> bool:
        """Return whether this order is still undecided: it has no fault and no verdict of a mechanic."""
        return self.fault is None and self.verdict is None


def with_reason(
    ruling: Ruling,
    rules: Rules,
    position: Position,
    kind: PhaseKind,
    orders: Mapping[int, Order] = MappingProxyType({}),
) -> Ruling:
    """Return the ruling with its reason as a mechanic, or the judge, knows it better than by the cause alone.

    `position` is what the phase found, `orders` what units carried out in it, by their numbers.
    """
    if hooks := rules.hooks(ReportMechanic.ruling_aspect):
        case = Case(rules, position, kind, ruling, orders)
        for ruling_aspect in hooks:
            if (found := ruling_aspect(case)) is not NO_OVERRIDE:
                detail = ruling.detail if found.detail is None else found.detail
                return ruling._replace(detail=detail, aspect=found.word)
    if ruling.cause in UNASKED and not ruling.given:
        return ruling._replace(aspect=f"{ruling.cause.name.lower()}_unasked")
    return ruling


UNASKED = frozenset({Cause.REMOVED, Cause.DISBANDED})
"""Causes whose reasons differ by whether anybody ordered the removal or disbandment."""


def why_unread(error: BadOrder | None) -> tuple[str, str]:
    """Return the detail and the aspect of a ruling on an order that could not be read."""
    if error is None:
        return "", ""
    return str(error), "doubtful_place" if isinstance(error, (UnknownPlace, Ambiguous)) else ""
