"""What players say: one value for every order.

An `Order` is words made exact, not yet checked against any position: it names places, never units.  The same text
always gives the same order, and printing an order and reading it back gives it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gamesmaster.board.model import Location


class Verb(StrEnum):
    """What an order tells its unit, or its power, to do."""

    HOLD = "hold"
    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    RETREAT = "retreat"
    DISBAND = "disband"  # of a dislodged unit
    BUILD = "build"
    REMOVE = "remove"  # in an adjustment phase
    WAIVE = "waive"


@dataclass(frozen=True, slots=True)
class Order:
    """One order.

    `kind` is the unit letter as written, "" if none was; `at` is where the unit stands (or is built), None for a waive.
    `to` is the goal of a move or retreat, or, in a support or convoy, the goal of the unit helped: None there means
    support in place.  `of` is where the unit helped stands and `of_kind` its letter as written.  `of_power` is its
    nationality as written ("F Lon S German A Kie"), "" if none was.  `via` says that the words "by convoy" were used,
    `route` lists the waters named for it.  `power` is a nationality prefix before the order itself.
    """

    verb: Verb
    kind: str = ""
    at: Location | None = None
    to: Location | None = None
    of: Location | None = None
    of_kind: str = ""
    of_power: str = ""
    via: bool = False
    route: tuple[str, ...] = ()
    power: str = ""

    @property
    def complete(self) -> bool:
        """Does it say all that its verb needs?  What a reader makes always does."""
        placed = self.at is not None or self.verb is Verb.WAIVE
        bound = self.to is not None or self.verb not in (Verb.MOVE, Verb.RETREAT, Verb.CONVOY)
        helps = self.of is not None or self.verb not in (Verb.SUPPORT, Verb.CONVOY)
        return placed and bound and helps


class PhaseKind(StrEnum):
    """The three kinds of phase, each with its own orders."""

    MOVEMENT = "movement"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"
