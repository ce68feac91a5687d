"""Adjustment phases: ownership, orders of mechanics, builds, and who removes (STD-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from gamesmaster.board import Board, Location, Position, Terrain, Unit, place_name
from gamesmaster.engine import NOWHERE
from gamesmaster.engine.winter import settle
from gamesmaster.judge.adjudication import Attempt, Decided, why_unread, with_reason
from gamesmaster.judge.binding import ALL_GIVE_ORDERS, OrderTexts, PowersWithoutOrders
from gamesmaster.judge.removals import Group, judge_removals, removal_orders
from gamesmaster.judge.resolution import OrderReader
from gamesmaster.judge.supply import Account, accounts, occupied
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.rules import (
    Cause,
    Event,
    Result,
    Rulebook,
    Rules,
    Ruling,
    WinterMechanic,
    YearMechanic,
    board_graph,
    power_mechanics,
)

MOST_NAMED = 12
"""Places that are named to somebody who would build where that is not possible."""


def judge_builds(account: Account, tries: Sequence[Attempt]) -> None:
    """Judge a power's builds: fill in the units, or the faults."""
    book = account.rules.rulebook
    for attempt in tries:
        if not attempt.open:
            continue
        if attempt.verb is Verb.WAIVE:
            attempt.fault = None if book.waive_builds == "allowed" else Cause.NO_WAIVING
        elif attempt.verb is not Verb.BUILD:
            attempt.fault = Cause.NO_REMOVALS if attempt.verb is Verb.REMOVE else Cause.OTHER_PHASE
        else:
            _site(account, attempt)
    _one_to_a_place(account, [t for t in tries if t.open and t.units], book)
    _keep(account, [t for t in tries if t.open], book.excess_builds)


def _one_to_a_place(account: Account, tries: Sequence[Attempt], book: Rulebook) -> None:
    """Keep the first, the last or none of several builds in one place (4.D.5), unless the place is shared."""
    board = account.rules.board
    if account.rules.hooks(WinterMechanic.upkeep):
        tries = _affordable(account, tries)
    by_place: dict[str, list[Attempt]] = {}
    for attempt in tries:
        by_place.setdefault(attempt.units[0].at.province, []).append(attempt)
    for place, rivals in by_place.items():
        room = account.room(place)
        if len(rivals) > room and board.index[place] not in board.shared:
            kept = {"first": rivals[:room], "last": rivals[len(rivals) - room :]}.get(book.double_builds, [])
            for attempt in rivals:
                attempt.fault = None if attempt in kept else Cause.TAKEN


def _affordable(account: Account, tries: Sequence[Attempt]) -> Sequence[Attempt]:
    """Return the builds that there is supply for, one by one; all if there is for none."""
    alone = [t for t in tries if account.cost((*account.units, *t.units)) <= account.supply]
    for attempt in tries:
        if alone and attempt not in alone:
            attempt.fault = Cause.NO_BUILDS
    return alone or tries


def _keep(account: Account, tries: Sequence[Attempt], answer: str) -> None:
    """Keep the builds and waives that supply allows: the first, the last, or none if any is too many (4.D.4).

    A waive counts as a build that costs supply, or, if no such build is left, as one that would cost nothing.
    """
    built: list[Unit] = []
    used: Counter[str] = Counter()
    waived, refused = 0, []
    for attempt in reversed(tries) if answer == "last" else tries:
        spare = account.supply - account.cost((*account.units, *built, *attempt.units)) - waived
        if attempt.units:
            place = attempt.units[0].at.province
            fits = spare >= 0 and used[place] < account.room(place)
            if fits:
                used[place] += 1
                built += attempt.units
        else:
            fits = spare > 0 or bool(account.free(built))
            waived += spare > 0
        if not fits:
            refused.append(attempt)
    for attempt in tries if refused and answer == "none" else refused:
        attempt.fault = Cause.NO_BUILDS


def _site(account: Account, attempt: Attempt) -> None:
    """Choose the kind and the coast of a build (4.B.7, 4.C.3, 4.C.4, STD-10.c)."""
    order, open_sites = attempt.parsed.order, account.sites
    assert order is not None
    assert order.at is not None
    board, book = account.rules.board, account.rules.rulebook
    if order.at.province not in open_sites:
        full = occupied(board, account.position)
        attempt.fault = Cause.OCCUPIED if order.at.province in full else Cause.NOT_A_SITE
        attempt.detail = _open_places(board, open_sites)
        return
    province = board.province(order.at.province)
    inland = province.terrain is Terrain.INLAND
    kinds = open_sites[province.id]
    kind = order.kind or _kind_meant(board, kinds, order.at, inland=inland, answer=book.build_kind_omitted)
    if inland and kind and board.sails(kind) and book.fleet_inland == "army":
        kind = _only(k for k in kinds if not board.sails(k)) or kind
    split = province.coasts if kind and not board.can_stand(kind, Location(province.id)) else ()
    coast = order.at.coast if order.at.coast in split else ""
    if split and not coast and book.build_coast_omitted == "default":
        coast = split[-1]
    if not kind:
        attempt.fault = Cause.WRONG_KIND
    elif split and not coast:
        attempt.fault = Cause.WHICH_COAST
    elif kind not in kinds or not board.can_stand(kind, Location(province.id, coast)):
        attempt.fault, attempt.aspect = Cause.NOT_A_SITE, "wrong_sort"
    else:
        attempt.units = (Unit(0, kind, attempt.power, Location(province.id, coast)),)


def _open_places(board: Board, sites: Iterable[str]) -> str:
    """Return the sentence that names where a power may build instead."""
    names = [place_name(board, Location(site)) for site in sites]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    named = ", ".join(names[:MOST_NAMED]) + more
    return f"it may build in {named}" if names else "there is no place where it may build now"


def _kind_meant(board: Board, kinds: Iterable[str], at: Location, *, inland: bool, answer: str) -> str:
    """Return the kind that a build without a letter means, of those allowed there; "" for no kind (4.C.3)."""
    if answer == "void":
        return ""
    if answer == "by_coast" and at.coast:
        return _only(kind for kind in kinds if board.sails(kind))
    return _only(kind for kind in kinds if not (inland and board.sails(kind)))


def _only(kinds: Iterable[str]) -> str:
    """Return the only kind, "" if there are several or no kinds."""
    found = list(kinds)
    return found[0] if len(found) == 1 else ""


def count_owners(rules: Rules, position: Position) -> Position:
    """Return the position after the year's count: a centre with a unit in it belongs to its power (STD-10.a)."""
    index, numbers, units = rules.board.index, rules.numbers, position.units
    idle = rules.board.bystanders
    at = [NOWHERE, *[NOWHERE if unit.aboard or unit.kind in idle else index[unit.at.province] for unit in units]]
    owner = [0, *[numbers.get(unit.power, 0) for unit in units]]
    holder = [0] * len(index)
    for province, power in position.owners.items():
        holder[index[province]] = numbers.get(power, 0)
    before = holder.copy()
    settle(len(units), at, owner, rules.derive(board_graph).centre, holder)
    changed = (place for place in at if place >= 0 and holder[place] != before[place])  # in the order of the units
    taken = {rules.board.provinces[place].id: rules.powers[holder[place] - 1] for place in changed}
    return Position(position.units, {**position.owners, **taken}, position.dislodged, position.state)


def adjudicate_adjustments(
    rules: Rules, position: Position, orders: OrderTexts, silent: PowersWithoutOrders = ALL_GIVE_ORDERS
) -> Decided:
    """Adjudicate a Winter.  Powers in civil disorder build nothing; what nobody removes is removed by the rules."""
    tries = {
        power: [
            Attempt(power, g, rules.derive(OrderReader).read(g, PhaseKind.ADJUSTMENTS)) for g in orders.get(power, ())
        ]
        for power in sorted(rules.powers, key=rules.numbers.__getitem__)
    }
    for power in silent:
        for attempt in tries.get(power, ()):
            attempt.fault = attempt.fault or silent[power]
    before = position
    position, happened = _instruct(rules, position, tries)
    found = accounts(rules, position)
    number = position.last_number
    rulings: list[Ruling] = []
    built: list[Unit] = []
    left: dict[int, Unit | None] = {}
    for power, given in tries.items():
        account = found[power]
        removed: list[Group] = []
        if account.balance < 0 or _only_removes(account, given):
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
    for after_winter in rules.hooks(YearMechanic.after_winter):
        after = after_winter(rules, before, after)
    return Decided(after, tuple(rulings), happened)


def _only_removes(account: Account, tries: Sequence[Attempt]) -> bool:
    """Return whether a power that owes no removals orders some, as mechanics allow it, and builds nothing."""
    verbs = {attempt.verb for attempt in tries if attempt.open}
    return Verb.BUILD not in verbs and bool(verbs & {Verb.REMOVE, Verb.DISBAND}) and bool(removal_orders(account))


def _instruct(
    rules: Rules, position: Position, tries: Mapping[str, Sequence[Attempt]]
) -> tuple[Position, tuple[Event, ...]]:
    """Let the mechanics carry out their own orders before anything is built or removed."""
    happened: list[Event] = []
    for mechanic in power_mechanics(rules):
        mine: dict[str, list[Order | None]] = {
            power: [t.parsed.order if t.open and t.verb in mechanic.power_verbs else None for t in given]
            for power, given in tries.items()
        }
        done = mechanic.carry_out(rules, PhaseKind.ADJUSTMENTS, position, mine)
        position = done.position
        happened += done.happened
        for (power, n), verdict in done.verdicts.items():
            tries[power][n].verdict = verdict
    return position, tuple(happened)


def _build_at_no_cost(account: Account, tries: Sequence[Attempt]) -> None:
    """Allow a power that owes removals to build units that cost nothing (SCO-5.b)."""
    orders = [t for t in tries if t.open and t.verb in (Verb.BUILD, Verb.WAIVE)]
    if orders and account.free():
        judge_builds(account, orders)
        return
    for attempt in orders:
        attempt.fault = Cause.NO_BUILDS


# -- rulings ---------------------------------------------------------------------------------------------------------

_DONE: dict[AnyVerb, Cause] = {Verb.BUILD: Cause.BUILT, Verb.WAIVE: Cause.WAIVED}


def _rule(rules: Rules, position: Position, attempt: Attempt) -> Ruling:
    verdict = attempt.verdict
    by: tuple[Unit, ...] = ()
    unit = attempt.units[0] if attempt.units else verdict.unit if verdict else None
    if verdict:
        result, cause, by, _ = verdict
    elif attempt.fault is not None:
        result, cause = Result.VOID, attempt.fault
    else:
        result, cause = Result.SUCCEEDS, _DONE.get(attempt.verb, Cause.REMOVED) if attempt.verb else Cause.REMOVED
    detail, aspect = why_unread(attempt.parsed.error)
    ruling = Ruling(
        attempt.power, unit, attempt.parsed.order, rules.derive(OrderReader).words(attempt.given), result, cause, by,
        None, None, detail or attempt.detail, aspect or attempt.aspect, rules.wording, rules.board,
    )  # fmt: skip
    return with_reason(ruling, rules, position, PhaseKind.ADJUSTMENTS)


def _removed(rules: Rules, position: Position, power: str, group: Group) -> Ruling:
    unit, forms = group[0], rules.board.forms
    pair = next((kind for kind, form in forms.items() if form.cargo == unit.kind), "") if unit.aboard else ""
    order = Order(Verb.REMOVE, unit.kind, unit.at, of_kind=pair)
    ruling = Ruling(power, unit, order, "", Result.SUCCEEDS, Cause.REMOVED, clauses=rules.wording, board=rules.board)
    return with_reason(ruling, rules, position, PhaseKind.ADJUSTMENTS)
