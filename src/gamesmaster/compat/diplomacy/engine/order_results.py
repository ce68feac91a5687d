"""What became of an order."""

from __future__ import annotations

from enum import StrEnum


class OrderResult(StrEnum):
    """A result of an order; an order that came true has none."""

    OK = ""
    NO_CONVOY = "no convoy"
    BOUNCE = "bounce"
    VOID = "void"
    CUT = "cut"
    DISLODGED = "dislodged"
    DISRUPTED = "disrupted"
    DISBAND = "disband"
    MAYBE = "maybe"

    @property
    def message(self) -> str:
        """The word for it."""
        return self.value

    @property
    def code(self) -> int:
        """Its number: 0 for `OK`, from 10001 for the others."""
        place = list(OrderResult).index(self)
        return 10_000 + place if place else 0


OK = OrderResult.OK
NO_CONVOY = OrderResult.NO_CONVOY
BOUNCE = OrderResult.BOUNCE
VOID = OrderResult.VOID
CUT = OrderResult.CUT
DISLODGED = OrderResult.DISLODGED
DISRUPTED = OrderResult.DISRUPTED
DISBAND = OrderResult.DISBAND
MAYBE = OrderResult.MAYBE
