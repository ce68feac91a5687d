"""What players say: orders, and the one notation for every door."""

from gamesmaster.orders.model import (
    BREAKS_UP,
    BUILDS,
    DASH,
    GOES_ABOARD,
    GOES_ASHORE,
    NO_THOUGHT,
    RIDES,
    SAILS_LADEN,
    TAKES_IN,
    UNREAD,
    AnyVerb,
    GivenOrder,
    Order,
    PhaseKind,
    Phrase,
    Unread,
    Verb,
)
from gamesmaster.orders.notation import STANDARD_KINDS, Notation
from gamesmaster.orders.sentence import LONGEST_ORDER, defect

__all__ = [
    "BREAKS_UP",
    "BUILDS",
    "DASH",
    "GOES_ABOARD",
    "GOES_ASHORE",
    "LONGEST_ORDER",
    "NO_THOUGHT",
    "RIDES",
    "SAILS_LADEN",
    "STANDARD_KINDS",
    "TAKES_IN",
    "UNREAD",
    "AnyVerb",
    "GivenOrder",
    "Notation",
    "Order",
    "PhaseKind",
    "Phrase",
    "Unread",
    "Verb",
    "defect",
]
