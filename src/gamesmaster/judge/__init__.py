"""Adjudication: the rulebook, the kernel, and a ruling for every order.

`adjudicate` takes a position and the orders and gives an `Adjudication`: the next position, and for every order a
`Ruling` with its result, its cause, and the clause that decided.  Nothing is changed in place.
"""

from __future__ import annotations

from gamesmaster.judge.adjudication import Adjudication, Decided
from gamesmaster.judge.columns import OPENED, ColumnMechanic, Columns, Standing, goal_of, join, standing, with_newcomers
from gamesmaster.judge.engine.problem import Problem
from gamesmaster.judge.judging import OrderWarning, adjudicate, check_set, corroborate, idle
from gamesmaster.judge.legal import LegalOrders, Tree, legal_orders, order_tree
from gamesmaster.judge.mechanic import (
    BoardMechanic,
    Case,
    ProofMechanic,
    ReportMechanic,
    WinterMechanic,
    YearMechanic,
    lose,
    silent_powers,
)
from gamesmaster.judge.movement import Movement, MovementMechanic, adjudicate_movement
from gamesmaster.judge.removals import farthest_first, removal_orders, sailing, voyages
from gamesmaster.judge.retreats import find_refuges
from gamesmaster.judge.rules import PRESETS, BuildSites, Made, Rulebook, Rules
from gamesmaster.judge.spelling import DISLODGED, check_position, read_place, read_unit, respell
from gamesmaster.judge.state import Ahead, Entry, Term
from gamesmaster.judge.supply import Account, accounts, balance, build_sites, cargo_of, carrier_of, due, occupied, sites
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
    Throw,
    Verdict,
    causes_with,
    events_with,
    with_state,
)
from gamesmaster.judge.winter import count_owners

__all__ = [
    "DISLODGED",
    "OPENED",
    "PLAIN",
    "PRESETS",
    "USUAL",
    "Account",
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
    "ColumnMechanic",
    "Columns",
    "Decided",
    "Entry",
    "Event",
    "EventKind",
    "LegalOrders",
    "Made",
    "Mechanic",
    "MechanicResult",
    "Movement",
    "MovementMechanic",
    "OrderWarning",
    "Problem",
    "ProofMechanic",
    "ReportMechanic",
    "Result",
    "Rulebook",
    "Rules",
    "Ruling",
    "Saying",
    "Season",
    "Sites",
    "Standing",
    "Term",
    "Throw",
    "Tree",
    "Verdict",
    "WinterMechanic",
    "YearMechanic",
    "accounts",
    "adjudicate",
    "adjudicate_movement",
    "balance",
    "build_sites",
    "cargo_of",
    "carrier_of",
    "causes_with",
    "check_position",
    "check_set",
    "corroborate",
    "count_owners",
    "due",
    "events_with",
    "farthest_first",
    "find_refuges",
    "goal_of",
    "idle",
    "join",
    "legal_orders",
    "lose",
    "occupied",
    "order_tree",
    "read_place",
    "read_unit",
    "removal_orders",
    "respell",
    "sailing",
    "silent_powers",
    "sites",
    "standing",
    "voyages",
    "with_newcomers",
    "with_state",
]
