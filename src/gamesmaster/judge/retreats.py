"""Retreat phases: each dislodged unit goes to a place open to it, or disbands (STD-9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamesmaster.board import Board, Dislodged, Position, Unit
from gamesmaster.engine.aftermath import gather, is_open, may_enter
from gamesmaster.judge.adjudication import Decided, why_unread, with_reason
from gamesmaster.judge.binding import ALL_GIVE_ORDERS, OrderTexts, PowersWithoutOrders
from gamesmaster.judge.resolution import OrderReader, ParsedOrder, open_ends
from gamesmaster.orders import GivenOrder, Order, PhaseKind, Verb
from gamesmaster.rules import (
    AnyCause,
    Cause,
    Event,
    Result,
    Rules,
    Ruling,
    Verdict,
    YearMechanic,
    after_movement,
    power_mechanics,
)


class _Try:
    """One order for a dislodged unit: the goal (location number, -1 disbands), or why it cannot be.

    An order that a mechanic carries out by itself has its `verdict` instead.
    """

    __slots__ = ("fault", "given", "goal", "parsed", "power", "verdict", "who", "yields")

    def __init__(self, power: str, given: GivenOrder, parsed: ParsedOrder, who: Dislodged | None) -> None:
        self.power, self.given, self.parsed, self.who = power, given, parsed, who
        self.goal = -1
        self.fault: AnyCause | None = None
        self.verdict: Verdict | None = None
        self.yields: AnyCause | None = None


def adjudicate_retreats(
    rules: Rules, position: Position, orders: OrderTexts, silent: PowersWithoutOrders = ALL_GIVE_ORDERS
) -> Decided:
    """Adjudicate a retreat phase; a unit without a possible order disbands (STD-9.e), also in civil disorder.

    Those aboard share the fate of their carrier, as the mechanics say; then come the orders that mechanics carry out by
    themselves.
    """
    tries = {power: [_attempt(rules, position, power, given) for given in texts] for power, texts in orders.items()}
    every = [attempt for own in tries.values() for attempt in own]
    chosen: dict[int, _Try] = {}
    for attempt in every:
        if attempt.power in silent and attempt.fault is None:
            attempt.fault = silent[attempt.power]
        if attempt.fault is None and attempt.who is not None:
            _choose(chosen, attempt, rules.rulebook.double_orders)
    fleeing = [attempt for attempt in chosen.values() if attempt.fault is None and attempt.goal >= 0]
    rivals = _rivals(rules, fleeing)
    moved = [_move(rules, attempt) for attempt in fleeing if attempt not in rivals]
    laden = (d.unit for d in position.dislodged if d.unit.aboard)
    units = sorted((*position.units, *moved, *laden), key=lambda u: u.number)
    after, happened = _apply_mechanics(rules, position, Position(tuple(units), position.owners, (), position.state))
    after, more = _carry_out(rules, after, tries)
    after, last = after_movement(rules, after)
    rulings = [_rule(rules, position, attempt, rivals.get(attempt, ())) for attempt in every]
    alone = (d for d in position.dislodged if not d.unit.aboard and not any(t.who is d for t in every))
    rulings += [_disband_ruling(rules, position, d) for d in alone]
    return Decided(after, tuple(rulings), (*happened, *more, *last))


def find_refuges(
    board: Board, unit: Unit, flees: Mapping[int, tuple[int, ...]], closed: Sequence[int], barred: int
) -> list[int]:
    """Return the locations open to a dislodged unit, of those a step away, by province (STD-9): numbers all.

    `closed` is not 0 for provinces that nobody may retreat to, `barred` the one that this unit may not.
    """
    open_ = [location for place, ends in flees.items() if is_open(place, closed, barred) for location in ends]
    return list(open_ends(board, unit.power, unit.kind, board.location_index[unit.at], open_))


def _apply_mechanics(rules: Rules, before: Position, after: Position) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after the mechanics' part in the retreats (cargo follows or is lost), and the events."""
    happened: tuple[Event, ...] = ()
    for after_retreats in rules.hooks(YearMechanic.after_retreats):
        after, more = after_retreats(rules, before, after)
        happened += more
    return after, happened


def _carry_out(
    rules: Rules, position: Position, tries: Mapping[str, Sequence[_Try]]
) -> tuple[Position, tuple[Event, ...]]:
    """Let the mechanics carry out their own orders; an order on which no mechanic decides is void."""
    happened: tuple[Event, ...] = ()
    for mechanic in power_mechanics(rules):
        own = {power: [_for(mechanic, t) for t in attempts] for power, attempts in tries.items()}
        position, verdicts, more = mechanic.carry_out(rules, PhaseKind.RETREATS, position, own)
        happened += more
        for (power, number), verdict in verdicts.items():
            tries[power][number].verdict = verdict
    for attempt in (attempt for attempts in tries.values() for attempt in attempts):
        if attempt.fault is None and attempt.who is None and attempt.verdict is None:
            attempt.fault = Cause.OTHER_PHASE
    return position, happened


def _for(mechanic: YearMechanic, attempt: _Try) -> Order | None:
    """Return the order, if it is one that this mechanic carries out by itself."""
    order = attempt.parsed.order
    return order if order and attempt.fault is None and order.verb in mechanic.power_verbs else None


def _attempt(rules: Rules, position: Position, power: str, given: GivenOrder) -> _Try:
    parsed = rules.derive(OrderReader).read(given, PhaseKind.RETREATS)
    order = parsed.order
    if order and any(order.verb in mechanic.power_verbs for mechanic in power_mechanics(rules)):
        return _Try(power, given, parsed, None)
    who = _meant(position, order.at.province) if order and order.at else None
    attempt = _Try(power, given, parsed, who)
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


def _meant(position: Position, province: str) -> Dislodged | None:
    """Return the dislodged unit that an order at this place is for: of a carrier and its cargo the carrier."""
    return next((d for d in position.dislodged if d.unit.at.province == province and not d.unit.aboard), None)


def _aim(rules: Rules, attempt: _Try, order: Order, who: Dislodged) -> None:
    assert order.to is not None
    board = rules.board
    reached = tuple(board.location_index[at] for at in who.retreats if at.province == order.to.province)
    if not reached:
        attempt.fault = Cause.NOT_OPEN
    elif board.sails(who.unit.kind):
        attempt.goal, attempt.fault = rules.derive(OrderReader).coast(order.to, reached)
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


def _rivals(rules: Rules, fleeing: Sequence[_Try]) -> dict[_Try, list[_Try]]:
    """Map each retreat that fails to the retreats it meets (STD-9.d).

    Retreats to shared places never collide.  The only one of several that does not yield succeeds.
    """
    board = rules.board
    goals, crowd = [-1, *(board.place[attempt.goal] for attempt in fleeing)], [0] * len(board.provinces)
    gather(len(fleeing), goals, crowd)
    by_place: dict[int, list[_Try]] = {}
    for attempt, place in zip(fleeing, goals[1:], strict=True):
        if not may_enter(crowd[place], place in board.shared):
            by_place.setdefault(place, []).append(attempt)
    found: dict[_Try, list[_Try]] = {}
    for met in by_place.values():
        causes = {one: _why_it_yields(rules, one) for one in met}
        firm = [one for one in met if causes[one] is None]
        for one in met:
            if len(firm) == 1 and one not in firm:
                one.yields = causes[one]
            if firm != [one]:
                found[one] = firm if one.yields else [other for other in met if other is not one]
    return found


def _why_it_yields(rules: Rules, attempt: _Try) -> AnyCause | None:
    """Return why a retreat gives way to another one to the same place, as a mechanic says; None if it does not."""
    assert attempt.who is not None
    unit, to = attempt.who.unit, rules.board.locations[attempt.goal]
    causes = (yields(rules, unit, to) for yields in rules.hooks(YearMechanic.yields_retreat))
    return next((cause for cause in causes if cause), None)


def _move(rules: Rules, attempt: _Try) -> Unit:
    assert attempt.who is not None
    unit = attempt.who.unit
    return Unit(unit.number, unit.kind, unit.power, rules.board.locations[attempt.goal], unit.aboard)


def _rule(rules: Rules, position: Position, attempt: _Try, rivals: Sequence[_Try]) -> Ruling:
    by: tuple[Unit, ...] = ()
    unit = attempt.who.unit if attempt.who else None
    if attempt.fault is not None:
        result, cause = Result.VOID, attempt.fault
    elif attempt.verdict is not None:
        result, cause, by, unit = attempt.verdict
    elif attempt.goal < 0:
        result, cause = Result.SUCCEEDS, Cause.DISBANDED
    else:
        by = tuple(t.who.unit for t in rivals if t.who)
        result, cause = (
            (Result.BOUNCES, attempt.yields or Cause.COLLIDED) if rivals else (Result.SUCCEEDS, Cause.RETREATED)
        )
    order, given = attempt.parsed.order, rules.derive(OrderReader).words(attempt.given)
    ruling = Ruling(
        attempt.power, unit, order, given, result, cause, by, None, None, *why_unread(attempt.parsed.error),
        rules.wording, rules.board,
    )  # fmt: skip
    return with_reason(ruling, rules, position, PhaseKind.RETREATS)


def _disband_ruling(rules: Rules, position: Position, who: Dislodged) -> Ruling:
    unit = who.unit
    order = Order(Verb.DISBAND, unit.kind, unit.at)
    ruling = Ruling(
        unit.power, unit, order, "", Result.SUCCEEDS, Cause.DISBANDED, clauses=rules.wording, board=rules.board
    )
    return with_reason(ruling, rules, position, PhaseKind.RETREATS)
