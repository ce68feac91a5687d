"""What happens: the rulebook, the kernel, and a ruling for every order.

`adjudicate` takes a position and the orders and gives an `Adjudication`: the next position, and for every order a
`Ruling` with its result, its cause, and the clause that decided.  Nothing is changed in place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from gamesmaster.board import Position
from gamesmaster.errors import BadPosition, NotFound, must_be, nearest
from gamesmaster.judge.adjudication import Adjudication
from gamesmaster.judge.binding import known_powers
from gamesmaster.judge.corroborate import OrderWarning, corroborate
from gamesmaster.judge.legal import LegalOrders, legal_orders, order_tree
from gamesmaster.judge.mechanic import BoardMechanic, Case, ReportMechanic, WinterMechanic, YearMechanic, silenced
from gamesmaster.judge.movement import Movement, MovementMechanic, adjudicate_movement
from gamesmaster.judge.problem import Problem
from gamesmaster.judge.retreats import adjudicate_retreats
from gamesmaster.judge.rules import PRESETS, BuildSites, Rulebook, Rules
from gamesmaster.judge.state import Ahead, Entry, Term
from gamesmaster.judge.supply import accounts, balance, build_sites, due, sites
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
from gamesmaster.judge.winter import adjudicate_adjustments, count_owners
from gamesmaster.orders import Order, PhaseKind

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


def adjudicate(
    rules: Rules,
    kind: PhaseKind | str,
    position: Position,
    orders: Mapping[str, str | Sequence[str | Order]],
    *,
    disorder: Collection[str] = (),
) -> Adjudication:
    """Adjudicate one phase.

    `orders` are by power, in any case, as texts or `Order`s in the order written, or as one text with an order a line;
    `kind` may be its word (`"movement"`); `disorder` names the powers in civil disorder (STD-10.h).  Bad orders become
    rulings.  Raises `NotFound` for an unknown power or kind of phase, `BadPosition` for units that cannot be where they
    are: no such place or kind, or two in a province where only one may lie; `TypeError` for what is none of all that.
    """
    kind = _phase_kind(kind)
    try:
        given = known_powers(rules, {power: _each(texts) for power, texts in orders.items()})
        silent = silenced(rules, position, disorder)
        if len({unit.at.province for unit in position.units}) < len(position.units):
            _refuse(rules, position)
        if kind is PhaseKind.MOVEMENT:
            return adjudicate_movement(rules, position, given, silent)
        if kind is PhaseKind.RETREATS:
            return adjudicate_retreats(rules, position, given, silent)
        return adjudicate_adjustments(rules, position, given, silent)
    except (AttributeError, KeyError, TypeError):
        _check_kinds(rules, position, orders)
        _refuse(rules, position)
        raise


def _check_kinds(rules: Rules, position: Position, orders: Mapping[str, str | Sequence[str | Order]]) -> None:
    """Raise `TypeError` if something is not of the kind that it should be; looked at only where judging has failed."""
    must_be(Rules, rules, "Rules.of(variant)")
    must_be(Position, position, "a Position, such as variant.start")
    must_be(Mapping, orders, 'a mapping such as {"France": ["A Par - Bur"]}')
    for power, texts in orders.items():
        must_be(Iterable, texts, f"a text or a list of texts for {power}")
        for text in texts:
            if not isinstance(text, Order):
                must_be(str, text, f"a text or an Order for {power}")


def _refuse(rules: Rules, position: Position) -> None:
    """Raise `BadPosition` if units cannot be where they are."""
    if problems := position.problems(rules.board):
        raise BadPosition(problems[0], where=rules.board.name)


def _phase_kind(kind: PhaseKind | str) -> PhaseKind:
    if isinstance(kind, PhaseKind):
        return kind
    try:
        return PhaseKind(kind)
    except ValueError:
        hint = nearest(str(kind), PhaseKind) or ", ".join(PhaseKind)
        raise NotFound(f"no kind of phase {str(kind)[:60]!r}", hint=hint) from None


def _each(texts: str | Sequence[str | Order]) -> Sequence[str | Order]:
    """A power's orders one by one; a single text is a sheet."""
    return [line for line in texts.splitlines() if line.strip()] if isinstance(texts, str) else texts


def idle(rules: Rules, kind: PhaseKind, position: Position, season: Season | None = None) -> bool:
    """Has nobody anything to do in such a phase (STD-3.a)?

    Told the `season`, it also asks whether a mechanic has orders of its own to ask for (SCO-4.c).
    """
    if season and any(due(rules, season, position) for due in rules.asked(YearMechanic.orders_due)):
        return False
    if kind is PhaseKind.MOVEMENT:
        return not position.units
    silent = silenced(rules, position)
    if kind is PhaseKind.RETREATS:
        return not any(d.retreats and d.unit.power not in silent for d in position.dislodged)
    return all(a.idle or (power in silent and a.balance >= 0) for power, a in accounts(rules, position).items())
