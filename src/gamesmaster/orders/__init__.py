"""What players say: orders, and the one notation for every door."""

from gamesmaster.orders.model import DASH, UNREAD, AnyVerb, GivenOrder, Order, PhaseKind, Phrase, Unread, Verb
from gamesmaster.orders.notation import STANDARD_KINDS, Notation
from gamesmaster.orders.parts import Parts
from gamesmaster.orders.sentence import TOWARDS, need_move, read_carried, read_helped

__all__ = [
    "DASH",
    "STANDARD_KINDS",
    "TOWARDS",
    "UNREAD",
    "AnyVerb",
    "GivenOrder",
    "Notation",
    "Order",
    "Parts",
    "PhaseKind",
    "Phrase",
    "Unread",
    "Verb",
    "need_move",
    "read_carried",
    "read_helped",
]
