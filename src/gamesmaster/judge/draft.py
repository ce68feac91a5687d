"""What the clerk remembers of an order: how it was read, and what it comes to for each unit it may be given to."""

from __future__ import annotations

from dataclasses import dataclass, field

from gamesmaster.board import Location
from gamesmaster.errors import BadOrder
from gamesmaster.judge.kernel import HOLD
from gamesmaster.judge.problem import NOBODY
from gamesmaster.judge.ruling import Cause
from gamesmaster.orders import Order

NOWHERE = -1
"""The number of no province and no location."""


@dataclass(slots=True, eq=False)
class Stance:
    """A unit as orders see it: its kind, its power, and where it stands.  Compared by identity.

    `owner` is the power's number, `location` and `place` say where by number.  `afloat`: it travels as a fleet;
    `carries`: it may convoy where it lies.  `reach` is one step's: {province: the locations there}.
    """

    kind: str
    power: str
    at: Location
    owner: int
    location: int
    place: int
    afloat: bool
    carries: bool
    reach: dict[int, tuple[int, ...]]


VACANT = Stance("", "", Location(""), NOBODY, NOWHERE, NOWHERE, False, False, {})
"""Row 0's stance: no unit is there."""


@dataclass(slots=True, eq=False)
class Aid:
    """A support or convoy worked out for the unit it meets: why it could not help it, or that this must go `by_sea`."""

    fault: Cause | None
    by_sea: bool = False


@dataclass(slots=True, eq=False)
class Draft:
    """An order worked out for a unit.

    `code` is the kernel's kind; `to`, `of` are provinces (numbers, -1 for none), `goal` the location a move ends in,
    `into` the province a support counts in; `split` says that it helps a move to where there are several coasts.  A
    move goes by `land` (or as a fleet), or by `sea` (an army, by convoy), or could do both.  `fault` is why the order
    could not come true on any position, None if it could; it is `settled` if other units have no say in that.
    """

    order: Order
    stance: Stance
    code: int = HOLD
    to: int = NOWHERE
    of: int = NOWHERE
    goal: int = NOWHERE
    into: int = NOWHERE
    split: bool = False
    land: bool = False
    sea: bool = False
    via: bool = False
    fault: Cause | None = None
    settled: bool = False
    aids: dict[Stance, Aid] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Reading:
    """A text as it was read: an order, or why it is none; and the drafts made of it so far."""

    order: Order | None
    place: int = NOWHERE
    error: BadOrder | None = None
    drafts: dict[Stance, Draft] = field(default_factory=dict)
