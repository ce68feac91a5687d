"""What players say: orders, and the one notation for every door."""

from gamesmaster.orders.model import Order, PhaseKind, Verb

__all__ = ["Order", "PhaseKind", "Verb"]
