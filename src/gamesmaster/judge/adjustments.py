"""Adjustment phases: ownership, orders of mechanics, builds and removals (STD-10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gamesmaster.board import Position, Unit
from gamesmaster.judge.adjudication import Decided
from gamesmaster.judge.attempt import Attempt
from gamesmaster.judge.binding import NOBODY, Given, Silent
from gamesmaster.judge.builds import judge_builds
from gamesmaster.judge.clerk import Clerk
from gamesmaster.judge.mechanic import Case, YearMechanic, instructed
from gamesmaster.judge.reasoning import told
from gamesmaster.judge.removals import Group, judge_removals
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.supply import Account, accounts
from gamesmaster.judge.values import Cause, Event, Result, Ruling
from gamesmaster.orders import Order, PhaseKind, Verb


def count_owners(rules: Rules, position: Position) -> Position:
    """The position after the year's count: every centre with a unit in it belongs to that unit's power (STD-10.a)."""
    taken = {
        u.at.province: u.power
        for u in position.units
        if u.power in rules.numbers and rules.board.province(u.at.province).centre
    }
    return Position(position.units, {**position.owners, **taken}, position.dislodged, position.state)


def adjudicate_adjustments(rules: Rules, position: Position, orders: Given, silent: Silent = NOBODY) -> Decided:
    """Adjudicate a Winter.  Powers in civil disorder build nothing; what nobody removes is removed by the rules."""
    tries = {
        power: [Attempt(power, g, rules.derived(Clerk).read(g, PhaseKind.ADJUSTMENTS)) for g in orders.get(power, ())]
        for power in sorted(rules.powers, key=rules.numbers.__getitem__)
    }
    for power in silent:
        for attempt in tries.get(power, ()):
            attempt.fault = attempt.fault or silent[power]
    before = position
    position, happened = _instruct(rules, position, tries)
    found = accounts(rules, position)
    number = max((u.number for u in (*position.units, *(d.unit for d in position.dislodged))), default=0)
    rulings: list[Ruling] = []
    built: list[Unit] = []
    left: dict[int, Unit | None] = {}
    for power, given in tries.items():
        account = found[power]
        removed: list[Group] = []
        if account.balance < 0:
            kept, removed = judge_removals(account, given)
            left |= dict.fromkeys((unit.number for unit in account.units), None)
            left |= {unit.number: unit for unit in kept}
            _build_at_no_cost(account.after(kept), given)
        elif given:
            judge_builds(account, given)
        for attempt in given:
            if attempt.open and attempt.verb is Verb.BUILD:
                number += 1
                (unit,) = attempt.units
                attempt.units = (Unit(number, unit.kind, power, unit.at),)
                built += attempt.units
        rulings += [_rule(rules, position, attempt) for attempt in given]
        rulings += [_removed(rules, position, power, group) for group in removed]
    kept_units = (left.get(u.number, u) for u in position.units) if left else position.units
    units = (*(u for u in kept_units if u), *built)
    after = replace(position, units=units)
    for after_winter in rules.asked(YearMechanic.after_winter):
        after = after_winter(rules, before, after)
    return Decided(after, tuple(rulings), happened)


def _instruct(
    rules: Rules, position: Position, tries: Mapping[str, Sequence[Attempt]]
) -> tuple[Position, tuple[Event, ...]]:
    """Let the mechanics carry out what is theirs, before anything is built or removed."""
    happened: list[Event] = []
    for mechanic in instructed(rules):
        mine: dict[str, list[Order | None]] = {
            power: [t.reading.order if t.open and t.verb in mechanic.verbs else None for t in given]
            for power, given in tries.items()
        }
        done = mechanic.carry_out(rules, PhaseKind.ADJUSTMENTS, position, mine)
        position = done.position
        happened += done.happened
        for (power, n), verdict in done.verdicts.items():
            tries[power][n].verdict = verdict
    return position, tuple(happened)


def _build_at_no_cost(account: Account, tries: Sequence[Attempt]) -> None:
    """Who had to remove units may still build those that cost nothing (SCO-5.b)."""
    orders = [t for t in tries if t.open and t.verb in (Verb.BUILD, Verb.WAIVE)]
    if orders and account.free():
        judge_builds(account, orders)
        return
    for attempt in orders:
        attempt.fault = Cause.NO_BUILDS


# -- rulings ---------------------------------------------------------------------------------------------------------

_DONE = {Verb.BUILD: Cause.BUILT, Verb.WAIVE: Cause.WAIVED}


def _rule(rules: Rules, position: Position, attempt: Attempt) -> Ruling:
    verdict = attempt.verdict
    result = Result.SUCCEEDS if attempt.fault is None else Result.VOID
    cause = attempt.fault or (_DONE.get(attempt.verb, Cause.REMOVED) if attempt.verb else Cause.REMOVED)
    unit = attempt.units[0] if attempt.units else verdict.unit if verdict else None
    order, given = attempt.reading.order, rules.derived(Clerk).words(attempt.given)
    case = Case(rules, position, PhaseKind.ADJUSTMENTS, attempt.power, unit, order, given, result, cause)
    if verdict:
        case = case._replace(result=verdict.result, cause=verdict.cause, by=verdict.by)
    return told(case, error=attempt.reading.error, detail=attempt.detail, aspect=attempt.aspect)


def _removed(rules: Rules, position: Position, power: str, group: Group) -> Ruling:
    unit, forms = group[0], rules.board.forms
    pair = next((kind for kind, form in forms.items() if form.cargo == unit.kind), "") if unit.aboard else ""
    order = Order(Verb.REMOVE, unit.kind, unit.at, of_kind=pair)
    result, cause = Result.SUCCEEDS, Cause.REMOVED
    return told(Case(rules, position, PhaseKind.ADJUSTMENTS, power, unit, order, "", result, cause))
