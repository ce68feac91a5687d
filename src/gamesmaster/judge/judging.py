"""Judging: one phase adjudicated, and orders looked over before they are played.

`adjudicate` takes a position and the orders and gives an `Adjudication`: the next position, and for every order a
`Ruling` with its result, its cause, and the clause that decided.  Nothing is changed in place.

To corroborate orders is to look for what their sender may not have meant.  Only the orders given are looked at: other
powers' secrets can neither be told nor guessed from what is said here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gamesmaster.board import Position
from gamesmaster.errors import NotFound, must_be, nearest
from gamesmaster.judge.adjudication import Adjudication
from gamesmaster.judge.binding import by_line, known_powers
from gamesmaster.judge.indexed import IndexedPosition
from gamesmaster.judge.movement import adjudicate_movement
from gamesmaster.judge.retreats import adjudicate_retreats
from gamesmaster.judge.spelling import check_position, is_spelt, respell
from gamesmaster.judge.supply import accounts, due
from gamesmaster.judge.winter import adjudicate_adjustments
from gamesmaster.orders import GivenOrder, Order, PhaseKind
from gamesmaster.rules import AnyCause, Cause, Event, Result, Rules, Ruling, Season, YearMechanic, silent_powers


def adjudicate(
    rules: Rules,
    kind: PhaseKind | str,
    position: Position,
    orders: Mapping[str, str | Sequence[GivenOrder]],
    *,
    disorder: Collection[str] = (),
) -> Adjudication:
    """Adjudicate one phase.

    `orders` are by power, in any case, as texts or `Order`s in the order written, or as one text with one order per
    line; `kind` may be its word (`"movement"`); `disorder` names the powers in civil disorder (STD-10.h).  Bad orders
    become rulings.  Units and centres may be spelt as in orders.  Raises `NotFound` for an unknown power or kind of
    phase, `BadPosition` for units that cannot be where they are: no such place or kind, or two in a province that is
    not shared; `TypeError` for arguments of any other type.
    """
    kind = phase_kind(kind)
    try:
        given = known_powers(rules, by_line(orders))
        if kind is not PhaseKind.MOVEMENT and not is_spelt(rules.board, position):
            position = respell(rules, position)
        silent = silent_powers(rules, position, disorder)
        if len({unit.at.province for unit in position.units}) < len(position.units):
            check_position(rules, position, rules.board.name)
        if kind is PhaseKind.MOVEMENT:
            return adjudicate_movement(rules, position, given, silent)
        if kind is PhaseKind.RETREATS:
            return adjudicate_retreats(rules, position, given, silent)
        return adjudicate_adjustments(rules, position, given, silent)
    except (AttributeError, KeyError, TypeError):
        _check_kinds(rules, position, orders, disorder)
        if not is_spelt(rules.board, position):
            return adjudicate(rules, kind, respell(rules, position), orders, disorder=disorder)
        check_position(rules, position, rules.board.name)
        raise


def _check_kinds(rules: Rules, position: Position, orders: object, disorder: object) -> None:
    """Raise `TypeError` if something is not of the kind that it should be; looked at only where judging has failed."""
    must_be(Rules, rules, "Rules.of(variant)")
    must_be(Position, position, "a Position, such as variant.start")
    must_be(Iterable, disorder, "the names of the powers in civil disorder")
    must_be(Mapping, orders, 'a mapping such as {"France": ["A Par - Bur"]}')
    for power, sent in orders.items() if isinstance(orders, Mapping) else ():
        check_set(power, sent)


def check_set(power: object, sent: object) -> None:
    """Raise `TypeError` unless this is the name of a power, and a text or a list of texts and `Order`s."""
    must_be(str, power, "the name of a power")
    must_be(Iterable, sent, f"a text or a list of texts for {power}")
    for text in sent if isinstance(sent, Iterable) and not isinstance(sent, str) else ():
        must_be((str, Order), text, f"a text or an Order for {power}")


def phase_kind(kind: PhaseKind | str) -> PhaseKind:
    """Return the kind of phase that a word such as `"movement"` names; raises `NotFound` for any other."""
    if isinstance(kind, PhaseKind):
        return kind
    try:
        return PhaseKind(kind)
    except ValueError:
        hint = nearest(str(kind), PhaseKind) or ", ".join(PhaseKind)
        raise NotFound(f"no kind of phase {str(kind)[:60]!r}", hint=hint) from None


def idle(rules: Rules, kind: PhaseKind, position: Position, season: Season | None = None) -> bool:
    """Return whether no power has anything to do in a phase of this kind (STD-3.a).

    With the `season`, orders that a mechanic needs in it count too (SCO-4.c).
    """
    if season and any(due(rules, season, position) for due in rules.hooks(YearMechanic.orders_due)):
        return False
    if kind is PhaseKind.MOVEMENT:
        return not position.units
    silent = silent_powers(rules, position)
    if kind is PhaseKind.RETREATS:
        return not any(d.retreats and d.unit.power not in silent for d in position.dislodged)
    return all(a.idle or (power in silent and a.balance >= 0) for power, a in accounts(rules, position).items())


# -- corroborating -----------------------------------------------------------------------------------------------------

UNORDERED: Mapping[AnyCause, str] = {
    Cause.HELD: "has no order and will hold",
    Cause.DISBANDED: "has no order and will disband",
    Cause.REMOVED: "will be removed, nothing else being named",
}
"""What warnings say of a unit without an order, by what becomes of it."""
_JUDGES = {
    PhaseKind.MOVEMENT: adjudicate_movement,
    PhaseKind.RETREATS: adjudicate_retreats,
    PhaseKind.ADJUSTMENTS: adjudicate_adjustments,
}


@dataclass(frozen=True, slots=True)
class OrderWarning:
    """Something in a power's orders that may be a slip.

    `subject` is the order as given, or the unit, it is about (empty: the power as a whole); `text` is the sentence's
    end, as a ruling's; `clause` the rule behind it.  `lacking`: no order is at fault, one is not there.  `loss`: the
    order can be carried out, and costs a unit, or worse.
    """

    power: str
    subject: str
    text: str
    clause: str
    lacking: bool = False
    loss: bool = False

    def __str__(self) -> str:
        return f"{self.subject or self.power} {self.text}"


def corroborate(
    rules: Rules, kind: PhaseKind, position: Position, orders: Mapping[str, Sequence[GivenOrder]]
) -> list[OrderWarning]:
    """Return warnings about the orders of one or more powers in a phase of this kind, in the order given.

    They concern orders that cannot come true (STD-4.d), supports and convoys of the power's own units that match
    nothing (STD-4.e), moves against its own units, units without an order, orders that alone lose a unit (an army
    aboard that starves, a taboo broken), and builds or removals left open. Raises `NotFound` for an unknown power.
    """
    given = known_powers(rules, orders)
    judged = _JUDGES[kind](rules, position, given, silent_powers(rules, position))
    warnings = [warning for ruling in judged.rulings for warning in _about(rules, position, given, ruling)]
    warnings += _losses(rules, given, judged)
    if kind is PhaseKind.ADJUSTMENTS:
        warnings += [warning for power in given for warning in _builds_left(rules, position, power, judged)]
    return warnings


def _about(rules: Rules, position: Position, given: Mapping[str, object], ruling: Ruling) -> Iterator[OrderWarning]:
    if ruling.power not in given:
        return
    if not ruling.given:
        assert ruling.unit is not None
        text = UNORDERED.get(ruling.cause, UNORDERED[Cause.HELD])
        yield OrderWarning(ruling.power, ruling.name(ruling.unit), text, ruling.clause, lacking=True)
    elif not ruling.possible or _lacks_match(rules, position, given, ruling):
        yield OrderWarning(ruling.power, ruling.given, _words(ruling), ruling.clause)
    elif ruling.result is Result.BOUNCES and ruling.by and all(u.power == ruling.power for u in ruling.by):
        yield OrderWarning(ruling.power, ruling.given, ruling.text, ruling.clause)


def _words(ruling: Ruling) -> str:
    if ruling.cause is Cause.NO_CHAIN:
        return "has no complete chain of your own fleets ordered to convoy it"
    return ruling.text


def _lacks_match(rules: Rules, position: Position, given: Mapping[str, object], ruling: Ruling) -> bool:
    """Return whether an order of the power's own fails to fit this one; orders of others stay secret."""
    if ruling.result is not Result.VOID or ruling.order is None:
        return False
    if ruling.order.of is None:
        return True
    place = rules.board.index[ruling.order.of.province]
    field = IndexedPosition(rules, position)
    helped = field.units[field.row(place, rules.numbers[ruling.power], ruling.order.of_kind)]
    return helped is not None and helped.power in given


def _losses(rules: Rules, given: Mapping[str, object], judged: Adjudication) -> Iterator[OrderWarning]:
    """Yield a warning for each loss that the powers' own orders cause, if nobody else does anything."""
    costs = {kind: saying for mechanic in rules.mechanics for kind, saying in mechanic.costs.items()}
    for event in judged.happened:
        saying = costs.get(event.kind)
        if saying and event.power in given:
            clause = rules.clauses.event(event.kind.value).clause or saying.clause
            yield OrderWarning(event.power, _order_behind(judged, event), saying.says, clause, loss=True)


def _order_behind(judged: Adjudication, event: Event) -> str:
    """Return the order that caused an event, of the unit that came there or was there; or the unit without an order."""
    own = [r for r in judged.rulings if r.power == event.power and r.unit]
    came = [r for r in own if r.order and r.order.to and r.order.to.province == event.province]
    stood = [r for r in own if r.unit and r.unit.at.province == event.province]
    return next((r.given or r.name(r.unit) for r in (*came, *stood) if r.unit), "")


def _builds_left(rules: Rules, position: Position, power: str, judged: Adjudication) -> Iterator[OrderWarning]:
    used = sum(r.power == power and r.cause in (Cause.BUILT, Cause.WAIVED) for r in judged.rulings)
    left = due(rules, position)[power] - used
    if left > 0:
        text = f"leaves {left} build{'s' * (left > 1)} unused"
        yield OrderWarning(power, "", text, rules.wording.of(Cause.WAIVED), lacking=True)
