"""Adjudication on numbers: resolved orders bound to units, the kernel's columns, and the decision who beats whom."""

from gamesmaster.judge.engine.binding import BindingMechanic, Bound, choose, free_of, known_powers
from gamesmaster.judge.engine.company import row_of
from gamesmaster.judge.engine.convoys import weakened
from gamesmaster.judge.engine.endings import claim, is_alive, lead, weigh_last
from gamesmaster.judge.engine.indexed import IndexedPosition
from gamesmaster.judge.engine.kernel import (
    ABSENT,
    ALONE,
    BLUNT,
    CARRIED,
    CONVOY,
    FAINT,
    FREE,
    GONE,
    HOLD,
    LEAVES,
    MOVE,
    NOWAY,
    PASS,
    SAILS,
    SUPPORT,
    Column,
    Rows,
)
from gamesmaster.judge.engine.resolution import (
    CONFLICTING,
    NOWHERE,
    OrderReader,
    ParsedOrder,
    Placement,
    ResolvedOrder,
)
from gamesmaster.judge.engine.winter import cost_of, may_be_removed

__all__ = [
    "ABSENT",
    "ALONE",
    "BLUNT",
    "CARRIED",
    "CONFLICTING",
    "CONVOY",
    "FAINT",
    "FREE",
    "GONE",
    "HOLD",
    "LEAVES",
    "MOVE",
    "NOWAY",
    "NOWHERE",
    "PASS",
    "SAILS",
    "SUPPORT",
    "BindingMechanic",
    "Bound",
    "Column",
    "IndexedPosition",
    "OrderReader",
    "ParsedOrder",
    "Placement",
    "ResolvedOrder",
    "Rows",
    "choose",
    "claim",
    "cost_of",
    "free_of",
    "is_alive",
    "known_powers",
    "lead",
    "may_be_removed",
    "row_of",
    "weakened",
    "weigh_last",
]
