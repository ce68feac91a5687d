"""Adjudication: orders bound to units, the phases, and a ruling for every order.

`adjudicate` takes a position and the orders and gives an `Adjudication`: the next position, and for every order a
`Ruling` with its result, its cause, and the clause that decided.  Nothing is changed in place.
"""

from __future__ import annotations

from gamesmaster.judge.adjudication import Adjudication, Decided
from gamesmaster.judge.binding import BindingMechanic, Bound, by_line, choose, free_of, known_powers
from gamesmaster.judge.indexed import IndexedPosition, intended_standing
from gamesmaster.judge.judging import OrderWarning, adjudicate, check_set, corroborate, idle, phase_kind
from gamesmaster.judge.legal import (
    LegalOrders,
    Tree,
    add_dislodged,
    ashore_verb,
    convoy_verb,
    given_options,
    legal_orders,
    order_tree,
)
from gamesmaster.judge.movement import Flight, Movement, MovementMechanic, adjudicate_movement
from gamesmaster.judge.removals import farthest_first, most_removals, removal_orders, removal_sequence, sailing, voyages
from gamesmaster.judge.resolution import (
    CONFLICTING,
    OrderReader,
    ParsedOrder,
    Placement,
    ResolvedOrder,
    open_ends,
    supportable,
)
from gamesmaster.judge.retreats import find_refuges
from gamesmaster.judge.spelling import DISLODGED, check_position, read_place, read_unit, respell
from gamesmaster.judge.supply import (
    Account,
    SiteRow,
    accounts,
    balance,
    build_sites,
    cargo_of,
    carrier_of,
    due,
    occupied,
    site_rows,
    sites,
    without_units,
)
from gamesmaster.judge.winter import count_owners

__all__ = [
    "CONFLICTING",
    "DISLODGED",
    "Account",
    "Adjudication",
    "BindingMechanic",
    "Bound",
    "Decided",
    "Flight",
    "IndexedPosition",
    "LegalOrders",
    "Movement",
    "MovementMechanic",
    "OrderReader",
    "OrderWarning",
    "ParsedOrder",
    "Placement",
    "ResolvedOrder",
    "SiteRow",
    "Tree",
    "accounts",
    "add_dislodged",
    "adjudicate",
    "adjudicate_movement",
    "ashore_verb",
    "balance",
    "build_sites",
    "by_line",
    "cargo_of",
    "carrier_of",
    "check_position",
    "check_set",
    "choose",
    "convoy_verb",
    "corroborate",
    "count_owners",
    "due",
    "farthest_first",
    "find_refuges",
    "free_of",
    "given_options",
    "idle",
    "intended_standing",
    "known_powers",
    "legal_orders",
    "most_removals",
    "occupied",
    "open_ends",
    "order_tree",
    "phase_kind",
    "read_place",
    "read_unit",
    "removal_orders",
    "removal_sequence",
    "respell",
    "sailing",
    "site_rows",
    "sites",
    "supportable",
    "voyages",
    "without_units",
]
