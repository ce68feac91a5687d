"""What happens: the rulebook, the kernel, and a ruling for every order.

`adjudicate` takes a position and the orders and gives an `Adjudication`: the next position, and for every order a
`Ruling` with its result, its cause, and the clause that decided.  Nothing is changed in place.
"""

from __future__ import annotations

from gamesmaster.judge.adjudication import Adjudication
from gamesmaster.judge.engine.problem import Problem
from gamesmaster.judge.judging import OrderWarning, adjudicate, corroborate, idle
from gamesmaster.judge.legal import LegalOrders, legal_orders, order_tree
from gamesmaster.judge.mechanic import BoardMechanic, Case, ReportMechanic, WinterMechanic, YearMechanic, silenced
from gamesmaster.judge.movement import Movement, MovementMechanic
from gamesmaster.judge.rules import PRESETS, BuildSites, Rulebook, Rules
from gamesmaster.judge.state import Ahead, Entry, Term
from gamesmaster.judge.supply import balance, build_sites, due, sites
from gamesmaster.judge.values import (
    PLAIN,
    USUAL,
    AnyCause,
    AnyEvent,
    Aspect,
    Cause,
    Clauses,
    Event,
    EventKind,
    Mechanic,
    MechanicResult,
    Result,
    Ruling,
    Saying,
    Season,
    Sites,
    Verdict,
    with_state,
)
from gamesmaster.judge.winter import count_owners

__all__ = [
    "PLAIN",
    "PRESETS",
    "USUAL",
    "Adjudication",
    "Ahead",
    "AnyCause",
    "AnyEvent",
    "Aspect",
    "BoardMechanic",
    "BuildSites",
    "Case",
    "Cause",
    "Clauses",
    "Entry",
    "Event",
    "EventKind",
    "LegalOrders",
    "Mechanic",
    "MechanicResult",
    "Movement",
    "MovementMechanic",
    "OrderWarning",
    "Problem",
    "ReportMechanic",
    "Result",
    "Rulebook",
    "Rules",
    "Ruling",
    "Saying",
    "Season",
    "Sites",
    "Term",
    "Verdict",
    "WinterMechanic",
    "YearMechanic",
    "adjudicate",
    "balance",
    "build_sites",
    "corroborate",
    "count_owners",
    "due",
    "idle",
    "legal_orders",
    "order_tree",
    "silenced",
    "sites",
    "with_state",
]
