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
    # what only some mechanics know
    BOARD = "board"  # of an army: go aboard a fleet
    TAKE = "take"  # of a fleet: take an army aboard
    LAND = "land"  # of an army aboard: go ashore
    FERRY = "ferry"  # of a fleet: carry an army over one sea
    MAKE = "make"  # of a unit on land: build a boat
    DESTROY = "destroy"  # of a unit, beside its other order: destroy a boat
    DESIGNATE = "designate"  # of a power: name a home centre
    ARRIVE = "arrive"  # of a power: let a reinforcement come
    DECLINE = "decline"  # of a power: let it not come


@dataclass(frozen=True, slots=True)
class Order:
    """One order.

    `kind` is the unit letter as written, "" if none was; `at` is where the unit stands (or is built), None for a waive.
    `to` is the goal of a move or retreat, or, in a support or convoy, the goal of the unit helped: None there means
    support in place.  `of` is where the unit helped stands and `of_kind` its letter as written.  `of_power` is its
    nationality as written ("F Lon S German A Kie"), "" if none was.  `via` says that the words "by convoy" were used,
    `route` lists the waters named for it.  `power` is a nationality prefix before the order itself.

    `boats` is how many boats go along, or are made or destroyed, and `builders` are the powers whose boats are named
    ("A 44 - o with 2 BB of Macleod").  `landing` says that a support is for an army going ashore from a fleet
    ("A 90 S A/F ff lands 73").  A removal of one half of an army/fleet names the pair in `of_kind` ("Remove A from A/F
    ATL").
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
    boats: int = 0
    builders: tuple[str, ...] = ()
    landing: bool = False

    @property
    def complete(self) -> bool:
        """Does it say all that its verb needs?  What a reader makes always does."""
        if self.verb in _MAKES and not self.boats:
            return False
        placed = self.at is not None or self.verb is Verb.WAIVE
        bound = self.to is not None or self.verb not in _BOUND
        helps = self.of is not None or self.verb not in _HELPS
        return placed and bound and helps


_BOUND = frozenset({Verb.MOVE, Verb.RETREAT, Verb.CONVOY, Verb.BOARD, Verb.LAND, Verb.FERRY})
_HELPS = frozenset({Verb.SUPPORT, Verb.CONVOY, Verb.TAKE, Verb.FERRY})
_MAKES = frozenset({Verb.MAKE, Verb.DESTROY})


class PhaseKind(StrEnum):
    """The three kinds of phase, each with its own orders."""

    MOVEMENT = "movement"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"
