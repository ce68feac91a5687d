"""Adjudication on numbers: plain functions over columns, which know no orders, rules or mechanics.

Columns are lists in ordinary Python, and arrays for which Numba compiles the same source.  `kernel` decides who beats
whom, `convoys`, `aftermath`, `winter` and `endings` what comes before and after; `heuristic` is the heuristic player.
"""

from __future__ import annotations

from gamesmaster.engine.company import row_of
from gamesmaster.engine.convoys import scaled, weakened
from gamesmaster.engine.endings import ahead_by, claim, is_alive, lead, weigh_last
from gamesmaster.engine.kernel import (
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
    POWERLESS,
    SAILS,
    SUPPORT,
    Column,
    Rows,
)
from gamesmaster.engine.problem import NOWHERE, Problem
from gamesmaster.engine.winter import cost_of, may_be_removed

__all__ = [
    "ABSENT",
    "ALONE",
    "BLUNT",
    "CARRIED",
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
    "POWERLESS",
    "SAILS",
    "SUPPORT",
    "Column",
    "Problem",
    "Rows",
    "ahead_by",
    "claim",
    "cost_of",
    "is_alive",
    "lead",
    "may_be_removed",
    "row_of",
    "scaled",
    "weakened",
    "weigh_last",
]
