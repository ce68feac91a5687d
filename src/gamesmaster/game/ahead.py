"""Orders sent ahead: retreats and adjustments that wait for their phase, where house rules allow that (CLN-H.h)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from gamesmaster.game.judging import corroborate_all
from gamesmaster.game.record import SentAhead
from gamesmaster.game.state import State
from gamesmaster.judge import OrderWarning
from gamesmaster.orders import PhaseKind
from gamesmaster.reading import OrderSheet, Purpose, SheetLine
from gamesmaster.rules import Cause, Result, Ruling
from gamesmaster.variant import Calendar, HouseRules, Phase

_TAKEN = {
    PhaseKind.MOVEMENT: (Purpose.RETREATS, Purpose.ADJUSTMENTS),
    PhaseKind.RETREATS: (Purpose.ADJUSTMENTS,),
    PhaseKind.ADJUSTMENTS: (),
}
"""The purposes for which orders can be sent ahead, by kind of phase."""
_NEEDLESS = (Cause.SECOND, Cause.CONTRADICTED, Cause.NOT_DISLODGED, Cause.NO_BUILDS, Cause.NO_REMOVALS)
"""Causes of orders that are left out because others count already, or nothing is asked."""


def keeps_ahead(house_rules: HouseRules) -> bool:
    """Return whether a game keeps orders sent ahead."""
    return house_rules.conditional_orders != "none"


def not_kept(house_rules: HouseRules, sheet: OrderSheet) -> tuple[SheetLine, ...]:
    """Return the orders of a sheet for later phases that a game passes over."""
    kept = _TAKEN[sheet.phase] if keeps_ahead(house_rules) else ()
    return tuple(line for s in sheet.later if s.purpose not in kept for line in s.lines if line.order)


def take_ahead(ahead: SentAhead, sheet: OrderSheet, power: str) -> SentAhead:
    """Return what a power has sent ahead after this sheet.

    A section of the sheet replaces what was sent ahead of its kind, and an empty one removes it. A section in which
    nothing could be read changes nothing.
    """
    for purpose in _TAKEN[sheet.phase]:
        sections = [section for section in sheet.of(power).later if section.purpose is purpose]
        lines = [line for section in sections for line in section.lines]
        texts = tuple(dict.fromkeys(line.stored for line in lines if line.order))
        if texts or (sections and not lines):
            ahead = replace(ahead, **{purpose.value: texts})
    return ahead


def still_waiting(
    calendar: Calendar, before: Phase, now: Phase, ahead: Mapping[str, SentAhead]
) -> dict[str, SentAhead]:
    """Return the orders sent ahead that still wait, by power, when the phase `now` has begun after `before`.

    Retreats are only for the phase after the moves, adjustments for the next of the calendar, played or not.
    """
    phase, over = before, ["retreats"]
    while phase != now:
        phase = calendar.next(phase)
        over += ["adjustments"] if phase.kind is PhaseKind.ADJUSTMENTS else []
    left = {power: one.without(*over) for power, one in ahead.items()}
    return {power: one for power, one in left.items() if one}


@dataclass(frozen=True, slots=True)
class DueOrders:
    """The use made of the orders that a power sent ahead for the phase that has begun.

    `orders` are now its orders for the phase. `missing` has a warning for each unit, build or removal without a
    possible order; then `rejected` are the orders that were impossible, each with the reason.
    """

    power: str
    orders: tuple[str, ...]
    rejected: tuple[Ruling, ...] = ()
    missing: tuple[OrderWarning, ...] = ()


def due_orders(state: State, ahead: Mapping[str, SentAhead]) -> Iterator[DueOrders]:
    """Yield the use made of orders sent ahead for a phase that begins, for each power with orders due."""
    kind = state.phase.kind
    if not ahead or kind is PhaseKind.MOVEMENT:
        return
    for status in state.status():
        texts = getattr(ahead.get(status.power, SentAhead()), kind.value)
        if texts and status.is_due and not status.disorder:
            yield _choose(state, status.power, texts)


def _choose(state: State, power: str, texts: tuple[str, ...]) -> DueOrders:
    """Take the orders one by one, each if it and all before it would be carried out if nobody else ordered anything."""
    orders, rejected = list[str](), list[Ruling]()
    for text in texts:
        judged = state.judge({power: [*orders, text]})
        rulings = [ruling for ruling in judged.rulings if ruling.power == power and ruling.given]
        if all(ruling.result is Result.SUCCEEDS for ruling in rulings):
            orders.append(text)
        else:
            rejected += [ruling for ruling in rulings if ruling.given == text and ruling.cause not in _NEEDLESS][:1]
    warned = corroborate_all(state.rules, state.phase.kind, state.position, {power: orders})
    missing = tuple(warning for warning in warned if warning.lacking)
    return DueOrders(power, tuple(orders), tuple(rejected) if missing else (), missing)
