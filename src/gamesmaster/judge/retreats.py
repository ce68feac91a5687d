"""Retreat phases: each dislodged unit goes to a place open to it, or disbands (STD-9)."""

from __future__ import annotations

from gamesmaster.board import Dislodged, Position, Unit
from gamesmaster.judge.adjudication import Decided
from gamesmaster.judge.binding import NOBODY, Given, Silent
from gamesmaster.judge.draft import Reading
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.ruling import Cause, Result, Ruling
from gamesmaster.orders import Order, PhaseKind, Verb


class _Try:
    """One order for a dislodged unit: the goal (location number, -1 disbands), or why it cannot be."""

    __slots__ = ("fault", "given", "goal", "power", "reading", "who")

    def __init__(self, power: str, given: str | Order, reading: Reading, who: Dislodged | None) -> None:
        self.power, self.given, self.reading, self.who = power, given, reading, who
        self.goal = -1
        self.fault: Cause | None = None


def adjudicate_retreats(rules: Rules, position: Position, orders: Given, silent: Silent = NOBODY) -> Decided:
    """Adjudicate a retreat phase; a unit without a possible order disbands (STD-9.e), also in civil disorder."""
    tries = [_attempt(rules, position, power, given) for power, texts in orders.items() for given in texts]
    chosen: dict[int, _Try] = {}
    for attempt in tries:
        if attempt.power in silent and attempt.fault is None:
            attempt.fault = silent[attempt.power]
        if attempt.fault is None:
            _choose(chosen, attempt, rules.rulebook.double_orders)
    goals: dict[int, list[_Try]] = {}
    for attempt in chosen.values():
        if attempt.fault is None and attempt.goal >= 0:
            goals.setdefault(rules.board.place[attempt.goal], []).append(attempt)
    moved = [_moved(rules, rivals[0]) for rivals in goals.values() if len(rivals) == 1]
    units = sorted((*position.units, *moved), key=lambda u: u.number)
    rulings = [_rule(rules, attempt, goals) for attempt in tries]
    rulings += [_unordered(rules, d) for d in position.dislodged if not any(t.who is d for t in tries)]
    return Decided(Position(tuple(units), position.owners, (), position.state), tuple(rulings))


def _attempt(rules: Rules, position: Position, power: str, given: str | Order) -> _Try:
    reading = rules.clerk.read(given, PhaseKind.RETREATS)
    order = reading.order
    who = next((d for d in position.dislodged if order and order.at and d.unit.at.province == order.at.province), None)
    attempt = _Try(power, given, reading, who)
    if order is None:
        attempt.fault = Cause.UNREADABLE
    elif who is None:
        here = position.at(order.at.province) if order.at else None
        attempt.fault = Cause.NOT_DISLODGED if here and here.power == power else Cause.NO_UNIT
    elif who.unit.power != power:
        attempt.fault, attempt.who = Cause.FOREIGN, None
    elif order.verb in (Verb.RETREAT, Verb.MOVE):
        _aim(rules, attempt, order, who)
    elif order.verb is not Verb.DISBAND:
        attempt.fault = Cause.OTHER_PHASE
    return attempt


def _aim(rules: Rules, attempt: _Try, order: Order, who: Dislodged) -> None:
    assert order.to is not None
    board = rules.board
    reached = tuple(board.location_index[at] for at in who.retreats if at.province == order.to.province)
    if not reached:
        attempt.fault = Cause.NOT_OPEN
    elif board.ways[who.unit.kind] == "fleet":
        attempt.goal, attempt.fault = rules.clerk.coast(order.to, reached)
    else:
        attempt.goal = reached[0]


def _choose(chosen: dict[int, _Try], attempt: _Try, answer: str) -> None:
    """Choose between several possible orders for one unit (4.D.3)."""
    assert attempt.who is not None
    earlier = chosen.setdefault(attempt.who.unit.number, attempt)
    if earlier is attempt:
        return
    if answer == "first" or earlier.goal == attempt.goal:
        attempt.fault = Cause.SECOND
    elif answer == "last":
        earlier.fault = Cause.SECOND
        chosen[attempt.who.unit.number] = attempt
    else:
        earlier.fault = attempt.fault = Cause.CONTRADICTED


def _moved(rules: Rules, attempt: _Try) -> Unit:
    assert attempt.who is not None
    unit = attempt.who.unit
    return Unit(unit.number, unit.kind, unit.power, rules.board.locations[attempt.goal], unit.aboard)


def _rule(rules: Rules, attempt: _Try, goals: dict[int, list[_Try]]) -> Ruling:
    by: tuple[Unit, ...] = ()
    if attempt.fault is not None:
        result, cause = Result.VOID, attempt.fault
    elif attempt.goal < 0:
        result, cause = Result.SUCCEEDS, Cause.DISBANDED
    else:
        rivals = [t for t in goals[rules.board.place[attempt.goal]] if t is not attempt]
        by = tuple(t.who.unit for t in rivals if t.who)
        result, cause = (Result.BOUNCES, Cause.COLLIDED) if rivals else (Result.SUCCEEDS, Cause.RETREATED)
    error = attempt.reading.error
    return Ruling(
        power=attempt.power,
        unit=attempt.who.unit if attempt.who else None,
        order=attempt.reading.order,
        given=rules.clerk.words(attempt.given),
        result=result,
        cause=cause,
        by=by,
        detail=str(error) if error else "",
        board=rules.board,
    )


def _unordered(rules: Rules, who: Dislodged) -> Ruling:
    order = Order(Verb.DISBAND, who.unit.kind, who.unit.at)
    return Ruling(who.unit.power, who.unit, order, "", Result.SUCCEEDS, Cause.DISBANDED, board=rules.board)
