"""What became of an order, where the package has it."""

from gamesmaster.compat.diplomacy.engine.order_results import (
    BOUNCE,
    CUT,
    DISBAND,
    DISLODGED,
    DISRUPTED,
    MAYBE,
    NO_CONVOY,
    OK,
    VOID,
    OrderResult,
)

__all__ = [
    "BOUNCE", "CUT", "DISBAND", "DISLODGED", "DISRUPTED", "MAYBE", "NO_CONVOY", "OK", "VOID", "OrderResult",
]  # fmt: skip
