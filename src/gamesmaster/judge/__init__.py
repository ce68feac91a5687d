"""What happens: the rulebook, the kernel, and a ruling for every order.

`adjudicate` takes a position and the orders and gives an `Adjudication`: the next position, and for every order a
`Ruling` with its result, its cause, and the clause that decided.  Nothing is changed in place.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from gamesmaster.board import Position
from gamesmaster.judge.adjudication import Adjudication
from gamesmaster.judge.adjustments import adjudicate_adjustments, count_owners
from gamesmaster.judge.binding import known_powers
from gamesmaster.judge.corroborate import Warning, corroborate
from gamesmaster.judge.legal import LegalOrders, legal_orders
from gamesmaster.judge.mechanic import Happening, Mechanic, Season, Sites, silenced, with_state
from gamesmaster.judge.movement import Movement, adjudicate_movement
from gamesmaster.judge.order_tree import order_tree
from gamesmaster.judge.problem import Problem
from gamesmaster.judge.retreats import adjudicate_retreats
from gamesmaster.judge.rulebook import PRESETS, Rulebook
from gamesmaster.judge.rules import BuildSites, Rules
from gamesmaster.judge.ruling import Cause, Clauses, Result, Ruling
from gamesmaster.judge.supply import accounts, balance, build_sites, due, sites
from gamesmaster.orders import Order, PhaseKind

__all__ = [
    "PRESETS",
    "Adjudication",
    "BuildSites",
    "Cause",
    "Clauses",
    "Happening",
    "LegalOrders",
    "Mechanic",
    "Movement",
    "Problem",
    "Result",
    "Rulebook",
    "Rules",
    "Ruling",
    "Season",
    "Sites",
    "Warning",
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


def adjudicate(
    rules: Rules,
    kind: PhaseKind,
    position: Position,
    orders: Mapping[str, Sequence[str | Order]],
    *,
    disorder: Collection[str] = (),
) -> Adjudication:
    """Adjudicate one phase.

    `orders` are by power, in any case, as texts or `Order`s in the order written; `disorder` names the powers in civil
    disorder (STD-10.h).  Bad orders become rulings; an unknown power raises `NotFound`.
    """
    given = known_powers(rules, orders)
    silent = silenced(rules, position, disorder)
    if kind is PhaseKind.MOVEMENT:
        return adjudicate_movement(rules, position, given, silent)
    if kind is PhaseKind.RETREATS:
        return adjudicate_retreats(rules, position, given, silent)
    return adjudicate_adjustments(rules, position, given, silent)


def idle(rules: Rules, kind: PhaseKind, position: Position, season: Season | None = None) -> bool:
    """Has nobody anything to do in such a phase (STD-3.a)?

    Told the `season`, it also asks whether a mechanic has orders of its own to ask for (SCO-4.c).
    """
    if season and any(mechanic.pending(rules, season, position) for mechanic in rules.mechanics):
        return False
    if kind is PhaseKind.MOVEMENT:
        return not position.units
    silent = silenced(rules, position)
    if kind is PhaseKind.RETREATS:
        return not any(d.retreats and d.unit.power not in silent for d in position.dislodged)
    return all(a.idle or (power in silent and a.balance >= 0) for power, a in accounts(rules, position).items())
