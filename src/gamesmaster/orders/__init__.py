"""What players say: orders, and the one notation for every door."""

from gamesmaster.orders.model import AnyVerb, Order, PhaseKind, Phrase, Verb
from gamesmaster.orders.notation import STANDARD_KINDS, Notation
from gamesmaster.orders.sheet import Line, Sheet

__all__ = ["STANDARD_KINDS", "AnyVerb", "Line", "Notation", "Order", "PhaseKind", "Phrase", "Sheet", "Verb"]
