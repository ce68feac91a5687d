"""What players say: orders, and the one notation for every door."""

from gamesmaster.orders.model import AnyVerb, Order, PhaseKind, Phrase, Verb
from gamesmaster.orders.notation import STANDARD_KINDS, Notation
from gamesmaster.orders.parts import Parts
from gamesmaster.orders.sentence import TOWARDS, need_move, read_carried, read_helped
from gamesmaster.orders.sheet import Line, Sheet

__all__ = [
    "STANDARD_KINDS",
    "TOWARDS",
    "AnyVerb",
    "Line",
    "Notation",
    "Order",
    "Parts",
    "PhaseKind",
    "Phrase",
    "Sheet",
    "Verb",
    "need_move",
    "read_carried",
    "read_helped",
]
