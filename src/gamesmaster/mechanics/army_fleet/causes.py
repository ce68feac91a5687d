"""Why orders about armies aboard fleets came to what they did, and what happened to them without an order."""

from __future__ import annotations

from gamesmaster.judge import AnyCause, AnyEvent


class PairCause(AnyCause):
    """Why an army went aboard, or did not."""

    BOARDED = "goes aboard", "AFM-3.a"
    TAKES = "takes it aboard", "SCO-8.a"
    ABOARD = "is for an army aboard, which can only go ashore", "AFM-1.e"
    FULL = "is for a fleet that is full", "AFM-1.d"
    NO_SHIP = "is for a fleet that cannot take it aboard", "AFM-3.a"
    UNTAKEN = "is not matched by an order of the fleet to take it aboard", "SCO-8.b", True
    TWO_BOARD = "is one of several armies for the same fleet", "AFM-3.e", True
    NOT_CARRIED_SO = "is not a way in which armies are carried here", "AFM-2.b"
    JUST_BOARDED = "is for an army that went aboard in that water this season", "AFM-3.g", True
    BUSY = "is for an army whose fleet is ordered to do something else", "AFM-6.e", True


class PairEvent(AnyEvent):
    """What becomes of armies aboard."""

    LOST = "lost", "CNW-6.e", "{power} lose{s} the unit that was carried in {place}."
    STARVED = "starved", "AFM-4.b", "{power} lose{s} the army aboard in {place}, which has been too long at sea."
