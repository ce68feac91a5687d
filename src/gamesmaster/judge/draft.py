"""What the clerk remembers of an order: how it was read, and what it comes to for each unit it may be given to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gamesmaster.board import Location
from gamesmaster.errors import BadOrder
from gamesmaster.judge.kernel import HOLD
from gamesmaster.judge.values import AnyCause
from gamesmaster.orders import Order, Verb

NOWHERE = -1
"""The number of no province and no location."""

WEIGHT = 4
"""A unit's weight; half of it and a quarter are left for weaker attacks."""


@dataclass(frozen=True, slots=True, eq=False)
class Stance:
    """A kind of unit at a location.  There is one object for each, so they are compared by identity.

    `location` and `place` say where it is by number.  `afloat`: it travels as a fleet; `carries`: it may convoy where
    it lies.  `reach` is one step's: {province: the locations there}; `helps` and `flees` are alike, for supports and
    retreats.
    """

    kind: str
    at: Location
    location: int
    place: int
    afloat: bool
    carries: bool
    reach: Mapping[int, tuple[int, ...]]
    helps: Mapping[int, tuple[int, ...]]
    flees: Mapping[int, tuple[int, ...]]


VACANT = Stance("", Location(""), NOWHERE, NOWHERE, False, False, {}, {}, {})
"""Row 0's stance: no unit is there."""


@dataclass(slots=True, eq=False)
class Draft:
    """An order worked out for a unit of one kind at one location.

    `code` is the kernel's kind; `to`, `of` are provinces (numbers, -1 for none), `goal` the location a move ends in,
    `into` the province where a move or a support counts, 0 for other orders.  `split`: a support is for a move to where
    there are several coasts.  A move goes by `land` (or as a fleet), by `sea` (an army, by convoy), or could do either.
    `fault` is why the order could not come true on any position, None if it could.

    `guarded`: it matters whose unit it is.  `seaward`: a support for an army that may be going ashore from a fleet.
    `force` is the weight it attacks or helps with, `flags` are the kernel's.  A `rider` is carried out beside its
    unit's other order.  `alone` is why a move takes no support, None if it does.

    `fits` is the stance found in `of` for which the order is known to be possible, whoever's unit it is: `VACANT` if
    the order hangs on no other unit, None if nothing is known, or if it takes more than one other unit.
    """

    order: Order
    stance: Stance
    code: int = HOLD
    to: int = NOWHERE
    of: int = NOWHERE
    goal: int = NOWHERE
    into: int = 0
    split: bool = False
    land: bool = False
    sea: bool = False
    via: bool = False
    fault: AnyCause | None = None
    guarded: bool = False
    seaward: bool = False
    force: int = WEIGHT
    flags: int = 0
    rider: bool = False
    alone: AnyCause | None = None
    fits: Stance | None = None


STANDS = Draft(Order(Verb.HOLD), VACANT)
"""What a unit does for which no order counts."""

TORN = Draft(Order(Verb.HOLD), VACANT)
"""What a unit does whose orders contradict each other (4.D.3): it stands, too."""


@dataclass(slots=True, eq=False)
class Reading:
    """A text as it was read: an order at a place, or why it is none; and the draft last made of it.

    `lands`: it is for an army aboard, and waits until all others are bound.  `meanings` are what a text without an
    order could mean, if its names are in doubt.
    """

    order: Order | None
    place: int = NOWHERE
    error: BadOrder | None = None
    draft: Draft = STANDS
    lands: bool = False
    meanings: tuple[Reading, ...] = ()

    @property
    def kind(self) -> str:
        """The letter of the unit it is for, if it says so."""
        return self.order.kind if self.order else ""
