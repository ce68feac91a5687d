"""Why orders about boats came to what they did, and what happened to boats without an order."""

from __future__ import annotations

from gamesmaster.judge import AnyCause, AnyEvent


class BoatCause(AnyCause):
    """Why something was done with boats, or was not."""

    BOAT_MADE = "builds a boat", "IND-6.b"
    BOAT_DESTROYED = "destroys a boat", "IND-7.a"
    WITHDREW = "withdraws with its boats before {by}", "IND-6.j"
    DISTURBED = "is disturbed in its work by the attack of {by}", "IND-6.c"
    BOATS_ENOUGH = "exceeds the number of boats that its power may have at a time", "SCO-10.d"
    CARRIES = "is for a move with a boat, which takes no support", "IND-6.i", True
    BOAT_GONE = "is for a boat that is no longer there", "IND-7.d", True
    NO_YARD = "is for a place where no boat can be built", "IND-6.b"
    NO_BUILDER = "is by a power that builds no boats", "SCO-10.a"
    NO_BOAT = "needs a boat that is not there", "IND-6.e"
    TOO_MANY = "names more boats than one unit can handle", "IND-6.g"
    AFLOAT = "is for a unit in a boat, which cannot do that", "IND-6.i"
    ASHORE = "is for a unit that cannot handle boats", "SCO-14.b"
    PORTAGE = "does not carry the boat built inland to the coast, as it must", "SCO-10.g"


class BoatEvent(AnyEvent):
    """What becomes of boats."""

    WRECKED = "wrecked", "SCO-12.b", "Boats in {place} are lost."
