"""One order of an adjustment phase on its way to a ruling."""

from __future__ import annotations

from gamesmaster.board import Unit
from gamesmaster.judge.draft import Reading
from gamesmaster.judge.values import AnyCause, Cause, Verdict
from gamesmaster.orders import Order


class Attempt:
    """An order: the unit it builds or the units it removes (none for a waive), or why it cannot be.

    `detail` is what helps to mend it, `aspect` what is known of the reason beside the cause.  `verdict` is what a
    mechanic decided on it; then nobody else looks at it.
    """

    __slots__ = ("aspect", "detail", "fault", "given", "power", "reading", "units", "verb", "verdict")

    def __init__(self, power: str, given: str | Order, reading: Reading) -> None:
        self.power, self.given, self.reading = power, given, reading
        self.verb = reading.order.verb if reading.order else None
        self.units: tuple[Unit, ...] = ()
        self.fault: AnyCause | None = None if reading.order else Cause.UNREADABLE
        self.verdict: Verdict | None = None
        self.aspect = ""
        self.detail = ""

    @property
    def open(self) -> bool:
        """Is nothing decided against it yet, and nothing by a mechanic?"""
        return self.fault is None and self.verdict is None
