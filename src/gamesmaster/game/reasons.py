"""Further reasons beside a ruling's own: attackers, strengths, and orders that were missing.

A `Ruling` says why an order failed.  `reasons` looks at the others of the phase as well, and explains success too, or
where a unit had no order at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from gamesmaster.board import Board, Location, Position, Unit, province_name
from gamesmaster.english import many
from gamesmaster.game.record import Record
from gamesmaster.judge import Adjudication, due
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.rules import (
    NO_OVERRIDE,
    Cause,
    Event,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Result,
    Rules,
    Ruling,
)
from gamesmaster.variant import Phase, Variant

TURNED_BACK = (Cause.STOOD_OFF, Cause.RESISTED, Cause.BEATEN_HEAD_ON, Cause.OWN_HELP)


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence, and the clause that it goes by, empty where it is a fact alone."""

    text: str
    clause: str = ""


def further_reasons(board: Board, judged: Adjudication, ruling: Ruling) -> tuple[Reason, ...]:
    """Return the further reasons for a ruling; the clauses are those of the variant, or of the regular rules.

    Results that are shown only in part have no further reasons, since these could reveal hidden units.
    """
    return () if judged.partial else tuple(_reasons(board, judged, ruling))


def idle_builds(rules: Rules, position: Position, judged: Adjudication) -> Iterator[Reason]:
    """Yield the builds of a Winter that were neither ordered nor waived, given the position at its beginning."""
    used = Counter(
        one.power
        for one in judged.rulings
        if one.result is Result.SUCCEEDS and one.cause in (Cause.BUILT, Cause.WAIVED)
    )
    for power, most in due(rules, position).items():
        if most > used[power] and judged.tells_of(power):
            builds = many(most - used[power], "build")
            yield Reason(f"{power} gave no order for {builds}.", rules.wording.of(Cause.WAIVED))


def _reasons(board: Board, judged: Adjudication, ruling: Ruling) -> Iterator[Reason]:
    if ruling.result is Result.SUCCEEDS and ruling.order is not None and ruling.order.verb.like is Verb.MOVE:
        yield from _arrival(board, judged, ruling)
    elif ruling.cause is Cause.GIVEN:
        yield from _help(judged, ruling)
    elif ruling.cause is Cause.AVAILABLE:
        yield from _carriage(judged, ruling)
    elif ruling.cause is Cause.NO_CHAIN:
        yield from _chain(board, judged, ruling)
    elif ruling.cause is Cause.REMOVED and not ruling.given:
        text = "No removal was ordered, so the rules choose which unit goes."
        yield Reason(text, "STD-10.g")
    if (ruling.unit is not None and ruling.result is not Result.VOID) or ruling.dislodged:
        yield from _attacks_on(judged, ruling)


def _arrival(board: Board, judged: Adjudication, ruling: Ruling) -> Iterator[Reason]:
    """Yield the units that a move dislodged and the rivals for its destination, or that nobody opposed it."""
    beaten = [one for one in judged.rulings if one.dislodged_by == ruling.unit]
    rivals = [one for one in judged.rulings if ruling.unit in one.by and one.cause is Cause.STOOD_OFF]
    for one in beaten:
        strengths = judged.dislodgements.get(one.unit.number) if one.unit else None
        if one.unit and strengths:
            text = f"It dislodges {ruling.whose(one.unit)}: {strengths[0]:g} against {strengths[1]:g}."
            yield Reason(text, ruling.clauses.of(Cause.RESISTED))
    for one in rivals:
        if one.unit and one.strengths:
            strengths = one.strengths[1], one.strengths[0]
            text = f"{ruling.whose(one.unit)} tries to go there as well: {strengths[0]:g} against {strengths[1]:g}."
            yield Reason(text, ruling.clauses.of(Cause.STOOD_OFF))
    goal = ruling.order.to if ruling.order else None
    if goal and goal.province in board.index and not (beaten or rivals):
        yield Reason(f"Nobody stands in its way to {board.province(goal.province).name}.")


def _help(judged: Adjudication, ruling: Ruling) -> Iterator[Reason]:
    """Yield the result of the order, or the fate of the unit, that was supported."""
    order = ruling.order
    if order is None or order.of is None:
        return
    at = order.of.province
    for one in judged.rulings:
        if one.unit is None or one.unit.at.province != at:
            continue
        if order.to is None:
            yield Reason(f"The unit that it supports, {ruling.whose(one.unit)}, {_describe_stay(judged, one)}.")
        elif one.order and one.order.verb is Verb.MOVE:
            yield Reason(f"The move that it supports, {one.given}, {_fate(one)}.")


def _describe_stay(judged: Adjudication, ruling: Ruling) -> str:
    """Return a description of what happened to a unit that stayed."""
    if ruling.dislodged:
        return "is dislodged all the same"
    return "is attacked, and stands" if _attackers(judged, ruling) else "is attacked by nobody"


def _fate(ruling: Ruling) -> str:
    return "succeeds" if ruling.result is Result.SUCCEEDS else f"fails: it {ruling.text}"


def _attackers(judged: Adjudication, ruling: Ruling) -> list[Ruling]:
    """Return the orders of other units to move to a unit's place."""
    return [
        one
        for one in judged.rulings
        if ruling.unit and one.unit and one.order and one.order.to and one.order.verb.like is Verb.MOVE
        and one.order.to.province == ruling.unit.at.province and one.unit != ruling.unit
        and one.result is not Result.VOID
    ]  # fmt: skip


def _carriage(judged: Adjudication, ruling: Ruling) -> Iterator[Reason]:
    """Yield the result of the move that a fleet was to carry."""
    order = ruling.order
    if order is None or order.of is None:
        return
    for one in judged.rulings:
        moves = one.unit and one.order and one.order.verb is Verb.MOVE and one.order.to == order.to
        if one.unit and moves and one.unit.at.province == order.of.province:
            yield Reason(f"The move that it carries, {one.given}, {_fate(one)}.")


def _chain(board: Board, judged: Adjudication, ruling: Ruling) -> Iterator[Reason]:
    """Yield the fleets ordered to carry an army if they do not form a whole route, or others that could help."""
    order, unit = ruling.order, ruling.unit
    if order is None or order.to is None or unit is None:
        return
    ordered = [
        one.unit
        for one in judged.rulings
        if one.unit and one.order and one.order.verb is Verb.CONVOY and one.order.of and one.order.to
        and (one.order.of.province, one.order.to.province) == (unit.at.province, order.to.province)
    ]  # fmt: skip
    if ordered:
        found = ", ".join(map(ruling.whose, ordered))
        yield Reason(f"Only {found} had orders to carry it, and that is not the whole way.")
    else:
        yield Reason("No fleet had an order to carry it there.")
    lacking = _lacking(board, judged, unit.at.province, order.to.province, {fleet.number for fleet in ordered})
    if lacking:
        yield Reason(f"The way lacks an order to {' and one to '.join(map(ruling.whose, lacking))}.")


def _lacking(board: Board, judged: Adjudication, start: str, end: str, ordered: set[int]) -> tuple[Unit, ...]:
    """Return the fewest further fleets that would complete a convoy's route, from its beginning; may be empty."""
    fleets = {
        board.index[one.unit.at.province]: one.unit
        for one in judged.rulings
        if one.unit and not one.unit.aboard and board.sails(one.unit.kind)
    }
    first, goal, turns = board.index[start], board.index[end], count()
    reached: set[int] = set()
    ways: list[tuple[int, int, int, tuple[Unit, ...]]] = [(0, next(turns), first, ())]
    while ways:
        _, _, at, lacking = heappop(ways)
        if at != first and goal in board.shores[at]:
            return lacking
        reached.add(at)
        for water in board.waters[at] - reached:
            if fleet := fleets.get(water):
                more = lacking if fleet.number in ordered else (*lacking, fleet)
                heappush(ways, (len(more), next(turns), water, more))
    return ()


def _attacks_on(judged: Adjudication, ruling: Ruling) -> Iterator[Reason]:
    """Yield the attacks on a unit where it stood, with their strengths."""
    unit, victor = ruling.unit, ruling.dislodged_by
    strengths = judged.dislodgements.get(unit.number) if unit else None
    if victor and strengths:
        text = f"{ruling.whose(victor)} attacks it with a strength of {strengths[0]:g}; it holds with {strengths[1]:g}."
        yield Reason(text, ruling.clauses.of(Cause.RESISTED))
        return
    if ruling.cause not in (Cause.HELD, Cause.UNORDERED, Cause.DISORDER):
        return
    for one in judged.rulings:
        if unit in one.by and one.cause in TURNED_BACK and one.unit and one.strengths:
            text = f"{ruling.whose(one.unit)} attacks it with a strength of {one.strengths[0]:g}; it holds with"
            yield Reason(f"{text} {one.strengths[1]:g}.", one.clause)
    if not _attackers(judged, ruling):
        yield Reason("Nobody attacks it.")


def unordered_losses(record: Record, judged: Adjudication) -> Iterator[Ruling]:
    """Yield a ruling for each unit that the phase disbands or removes without a valid order.

    A unit without an order has a ruling of its own already. If all its orders to retreat are void, its rulings are
    those of the orders, so the first of them is yielded as if there had been no order (STD-9.e).
    """
    lost = (ruling for ruling in judged.rulings if not ruling.given and ruling.result is Result.SUCCEEDS)
    yield from (ruling for ruling in lost if ruling.unit)
    for unit in (out.unit for out in record.position.dislodged):
        own = [ruling for ruling in judged.rulings if ruling.unit == unit]
        if own and all(ruling.result is Result.VOID for ruling in own):
            gone = own[0]._replace(given="", result=Result.SUCCEEDS, cause=Cause.DISBANDED)
            yield gone._replace(aspect="disbanded_unasked", detail="")


@dataclass(frozen=True, slots=True)
class Happening:
    """An event of a phase, as data for programs; fields may be empty."""

    kind: str  # the word of the event, or `disbanded` or `removed`
    power: str  # the power affected
    province: str  # the place
    of: str  # the former owner of the province
    text: str
    clause: str


def happenings(variant: Variant, record: Record, judged: Adjudication) -> Iterator[Happening]:
    """Yield what happened in a phase without an order: its events, then each unit that no valid order saves."""
    for event in record.events:
        reason = event_reason(variant, record.phase, event)
        yield Happening(event.kind.value, event.power, event.province, event.of, reason.text, reason.clause)
    for ruling in unordered_losses(record, judged):
        assert ruling.unit is not None
        text = f"{ruling.whose(ruling.unit)} {ruling.text}."
        yield Happening(ruling.cause.name.lower(), ruling.power, ruling.unit.at.province, "", text, ruling.clause)


def event_reason(variant: Variant, phase: Phase, event: Event) -> Reason:
    """Return an event of a phase that is over: its sentence, and its clause."""
    saying, detail = event_saying(variant, phase, event)
    known = {power.name: power.plural for power in variant.powers}
    text = saying.says.format(
        place=province_name(variant.board, event.province) if event.province else "",
        of=f" from {event.of}" if event.of else "",
        detail=detail,
        **_grammar(event.power, plural=known.get(event.power, False)),
    )
    return Reason(text, saying.clause)


def event_saying(variant: Variant, phase: Phase, event: Event) -> tuple[ReasonText, str]:
    """Return the clause and the sentence pattern of an event, and the text for `{detail}` in it."""
    aspect = _aspect(variant, phase, event)
    own, usual = variant.clauses.event(event.kind.value, aspect.word), variant.clauses.event(event.kind.value)
    clause = own.clause or usual.clause or event.kind.clause
    return ReasonText(clause, own.says or usual.says or event.kind.sentence), aspect.detail or ""


def _aspect(variant: Variant, phase: Phase, event: Event) -> ReasonOverride:
    """Return the mechanics' aspect of an event."""

    def winter(number: int) -> str:
        """Return the name of the `number`-th Winter, counted from the phase on."""
        now = phase
        for _ in range(number * len(variant.calendar.slots) + 1):
            if now.kind is PhaseKind.ADJUSTMENTS:
                number -= 1
                if not number:
                    break
            now = variant.calendar.next(now)
        return f"{now.season} {variant.calendar.year(now)}"

    for mechanic in variant.mechanics:
        if isinstance(mechanic, ReportMechanic):
            found = mechanic.event_aspect(variant.board, event, winter)
            if found is not NO_OVERRIDE:
                return found
    return NO_OVERRIDE


def _grammar(power: str, *, plural: bool) -> dict[str, str]:
    """Return the grammatical forms for a sentence with this power as its subject."""
    singular = {"s": "s", "has": "has", "is_": "is", "it": "it", "its": "its"}
    words = {"s": "", "has": "have", "is_": "are", "it": "they", "its": "their"} if plural else singular
    owner = f"{power}'" if plural and power.endswith("s") else f"{power}'s"
    return {"power": power, "powers": owner, **words}


@dataclass(frozen=True, slots=True)
class Attack:
    """A move of a unit of `who` into a province where a unit of `whom` stood, or, that being empty, that `whom` owns.

    `whom` is empty for nobody's, and may be `who`; `supported` says that another unit was ordered to help.
    """

    who: str
    whom: str
    province: str
    supported: bool


def attacks(position: Position, rulings: Sequence[Ruling]) -> Iterator[Attack]:
    """Yield the valid moves from this position, in the order of the rulings, with any result."""
    counted = [(r.unit, r.order) for r in rulings if r.order and r.unit and r.result is not Result.VOID]
    helped = {(_province(order.of), _province(order.to)) for _, order in counted if order.verb is Verb.SUPPORT}
    for unit, order in counted:
        goal = _province(order.to)
        if order.verb.like is Verb.MOVE:
            there = position.at(goal)
            whom = there.power if there else position.owners.get(goal, "")
            yield Attack(unit.power, whom, goal, (unit.at.province, goal) in helped)


def _province(place: Location | None) -> str:
    return place.province if place else ""
