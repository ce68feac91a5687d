"""Adjustment phases: ownership, orders of mechanics, builds and removals (STD-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gamesmaster.board import Board, Location, Position, Terrain, Unit, place_name
from gamesmaster.judge.adjudication import Decided, why_unread, with_reason
from gamesmaster.judge.columns import standing
from gamesmaster.judge.engine.binding import NOBODY, Given, Silent
from gamesmaster.judge.engine.company import find_loads
from gamesmaster.judge.engine.resolution import OrderReader, ParsedOrder
from gamesmaster.judge.engine.winter import ground, measure, next_to_go, settle, turn_of
from gamesmaster.judge.mechanic import WinterMechanic, YearMechanic, power_mechanics
from gamesmaster.judge.rules import Rulebook, Rules
from gamesmaster.judge.supply import Account, accounts, cargo_of, carrier_of, occupied, without
from gamesmaster.judge.values import AnyCause, Cause, Event, Result, Ruling, Verdict
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb


class Attempt:
    """An order: the unit it builds or the units it removes (none for a waive), or why it cannot be.

    `detail` is what helps to mend it, `aspect` what is known of the reason beside the cause.  `verdict` is what a
    mechanic decided on it; then nobody else looks at it.
    """

    __slots__ = ("aspect", "detail", "fault", "given", "parsed", "power", "units", "verb", "verdict")

    def __init__(self, power: str, given: str | Order, parsed: ParsedOrder) -> None:
        self.power, self.given, self.parsed = power, given, parsed
        self.verb = parsed.order.verb if parsed.order else None
        self.units: tuple[Unit, ...] = ()
        self.fault: AnyCause | None = None if parsed.order else Cause.UNREADABLE
        self.verdict: Verdict | None = None
        self.aspect = ""
        self.detail = ""

    @property
    def open(self) -> bool:
        """Is nothing decided against it yet, and nothing by a mechanic?"""
        return self.fault is None and self.verdict is None


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
    """Of several builds in one place keep the first, the last or none (4.D.5), unless the place is shared."""
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
    """The builds that there is supply for, one by one; all if there is for none."""
    alone = [t for t in tries if account.cost((*account.units, *t.units)) <= account.supply]
    for attempt in tries:
        if alone and attempt not in alone:
            attempt.fault = Cause.NO_BUILDS
    return alone or tries


def _keep(account: Account, tries: Sequence[Attempt], answer: str) -> None:
    """Keep the builds and waives that there is supply for: the first, the last, or none if any is too many (4.D.4).

    A waive takes the place of a build that costs one, or, where no such is left, of one that would cost nothing.
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
    kind = order.kind or _kind_meant(board, kinds, order.at, inland, book.build_kind_omitted)
    if inland and kind and board.sails(kind) and book.fleet_inland == "army":
        kind = _only(k for k in kinds if not board.sails(k)) or kind
    split = province.coasts if kind and board.sails(kind) else ()
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
    """Where a power may build instead."""
    names = [place_name(board, Location(site)) for site in sites]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    named = ", ".join(names[:MOST_NAMED]) + more
    return f"it may build in {named}" if names else "there is no place where it may build now"


def _kind_meant(board: Board, kinds: Iterable[str], at: Location, inland: bool, answer: str) -> str:
    """The kind that a build without a letter means, of those that may be built there; "" if it means none (4.C.3)."""
    if answer == "void":
        return ""
    if answer == "by_coast" and at.coast:
        return _only(kind for kind in kinds if board.sails(kind))
    return _only(kind for kind in kinds if not (inland and board.sails(kind)))


def _only(kinds: Iterable[str]) -> str:
    """The one kind that there is, "" if there is none or a choice."""
    found = list(kinds)
    return found[0] if len(found) == 1 else ""


Group = tuple[Unit, ...]
"""What goes by one order: a unit, or one that carries and the one aboard."""


def judge_removals(account: Account, tries: Sequence[Attempt]) -> tuple[tuple[Unit, ...], list[Group]]:
    """Judge a power's removals: fill in the units, or the faults.

    Gives the units that are left when nothing is owed any more, and what was removed without an order.
    """
    answer = account.rules.rulebook.excess_removals
    tries = list(reversed(tries)) if answer == "last" else tries
    named: list[Group] = []
    for attempt in tries:
        if attempt.open and attempt.verb in (Verb.REMOVE, Verb.DISBAND):
            _name(account, attempt, named)
        elif attempt.open and attempt.verb not in (Verb.BUILD, Verb.WAIVE):
            attempt.fault = Cause.OTHER_PHASE
    valid = [t for t in tries if t.open and t.units]
    left = _carry_out(account, valid)
    if answer == "automatic" and any(not t.open for t in valid):
        left = _only_those_meant(account, valid)
    rest = []
    for group in _default(account, left):
        rest.append(group)
        left = without(account.rules.board, left, {u.number for u in group})
    return left, rest


def _name(account: Account, attempt: Attempt, named: list[Group]) -> None:
    """Find the units that a removal means: where several are alike, those that no order before has `named` (CNW-5.a).

    A half of a pair that was named whole is meant only where there is no other: the pair may not go.
    """
    order = attempt.parsed.order
    assert order is not None
    here = [u for u in account.position.units if order.at and u.at.province == order.at.province]
    own = [u for u in here if u.power == attempt.power]
    if not own:
        attempt.fault = Cause.FOREIGN if here else Cause.NO_UNIT
        return
    groups = _groups(account, own, order)
    taken = {unit.number for group in named for unit in group}
    fresh = sorted(
        (group for group in groups if group not in named), key=lambda group: any(u.number in taken for u in group)
    )
    if not fresh:
        attempt.fault = Cause.SECOND if groups else _missed(account, own, order)
        return
    attempt.units = fresh[0]
    named.append(fresh[0])


def _groups(account: Account, own: Sequence[Unit], order: Order) -> list[Group]:
    """What a removal from this place may mean, the likeliest first.

    An army aboard goes as `A from A/F` or, where no other army is, as `A`; no `F` means the fleet of a pair (CNW-5.a).
    The letter counts only where there are several units (4.C.2).
    """
    forms = account.rules.board.forms
    pairs = [(u, load) for u in own if (load := cargo_of(own, u))]
    if order.of_kind in forms:
        return [(half,) for pair in pairs for half in pair if account.rules.board.base(half.kind) == order.kind]
    if account.rules.board.cargo(order.kind):
        return list(pairs)
    halves = [u for pair in pairs for u in pair]
    free = [u for u in own if u not in halves]
    if not pairs and len(free) == 1:
        return [(free[0],)]
    meant: list[Group] = [(u,) for u in free if order.kind in ("", u.kind)]
    if order.kind:
        return meant or [(half,) for pair in pairs for half in pair if half.kind == order.kind]
    return meant or list(pairs)


def _missed(account: Account, own: Sequence[Unit], order: Order) -> AnyCause:
    """Why a removal means none of a power's units in the place that it names."""
    fault: AnyCause = Cause.WRONG_KIND
    for missed_removal in account.rules.hooks(WinterMechanic.stray_removal):
        fault = missed_removal(account.rules, account.position, own, order, fault)
    return fault


def _carry_out(account: Account, tries: Sequence[Attempt]) -> tuple[Unit, ...]:
    """Remove what is ordered, one after the other, while anything is owed; the units that are left."""
    left = tuple(account.units)
    for attempt in tries:
        numbers = {u.number for u in attempt.units}
        going = tuple(u for u in left if u.number in numbers)
        if len(going) < len(numbers):
            attempt.fault = Cause.SECOND
        elif not (fault := _unfit(account, left, going)):
            left = without(account.rules.board, left, numbers)
        else:
            attempt.fault = fault
    return left


def _unfit(account: Account, left: Sequence[Unit], going: Group) -> AnyCause | None:
    """Why these may not be removed now: nothing is owed, they cost nothing, or the pair may not be parted so."""
    cost = account.cost(left)
    owed = cost - account.supply
    if owed <= 0:
        return Cause.NO_REMOVALS
    board, position = account.rules.board, account.position
    fault: AnyCause | None = None
    for removal_fault in account.rules.hooks(WinterMechanic.removal_fault):
        fault = removal_fault(account.rules, position, going, owed, fault)
    if fault is None and account.cost(without(board, left, {u.number for u in going})) >= cost:
        return Cause.COSTS_NOTHING
    return fault


def _only_those_meant(account: Account, valid: Sequence[Attempt]) -> tuple[Unit, ...]:
    """Of too many removals only those that would go by default are made (4.D.6 a)."""
    meant = {u.number for group in _default(account, account.units) for u in group}
    gone: set[int] = set()
    for attempt in valid:
        numbers = {u.number for u in attempt.units}
        attempt.fault = None if numbers <= meant else Cause.NO_REMOVALS
        gone |= numbers & meant
    return without(account.rules.board, account.units, gone)


def removal_orders(account: Account) -> list[Order]:
    """The removals that a power which owes some may order, each good by itself."""
    units, forms = account.units, account.rules.board.forms
    plain = (
        not forms
        and not account.rules.hooks(WinterMechanic.upkeep)
        and not account.rules.hooks(WinterMechanic.removal_fault)
    )
    found: dict[Order, None] = {}
    for unit in units:
        carrier, load = carrier_of(units, unit), cargo_of(units, unit)
        pair = (carrier or unit).kind if carrier or load else ""
        kind = account.rules.board.base(unit.kind) if load else unit.kind
        if plain or not _unfit(account, units, (unit,)):
            found[Order(Verb.REMOVE, kind, unit.at, of_kind=pair)] = None
        if load and not _unfit(account, units, (unit, load)):
            found[Order(Verb.REMOVE, unit.kind, unit.at)] = None
    return list(found)


# -- if nobody says ---------------------------------------------------------------------------------------------------


def _default(account: Account, left: Sequence[Unit]) -> Iterator[Group]:
    """What is removed when the owner does not say, one after the other, until nothing is owed (STD-10.g)."""
    if account.cost(left) <= account.supply:
        return
    turns = {unit.number: turn for turn, unit in enumerate(farthest(account))}
    while account.cost(left) > account.supply:
        load, going = [0] * (1 + len(left)), [0, *[turns.get(unit.number, len(turns)) for unit in left]]
        aboard = [0, *[unit.aboard for unit in left]]
        if any(aboard):
            find_loads(len(left), [0, *[unit.number for unit in left]], aboard, [0] * len(load), load)
        first, second = next_to_go(len(left), load, going, [False, *account.costly(left)])
        if not first:
            return
        group = (left[first - 1], left[second - 1]) if second else (left[first - 1],)
        yield group
        left = without(account.rules.board, left, {unit.number for unit in group})


def farthest(account: Account) -> Sequence[Unit]:
    """A power's units as they go if nobody says: the farthest, fleets first, then by name (STD-10.g)."""
    rules, position, units = account.rules, account.position, account.units
    for removal_order in rules.hooks(WinterMechanic.removal_order):
        if (order := removal_order(rules, position, account.power)) is not None:
            return order
    name = {u.number: rules.board.province(u.at.province).name for u in units}
    return farthest_first(
        sorted(units, key=lambda u: (not rules.board.sails(u.kind), name[u.number])), _distances(account)
    )


def farthest_first(units: Sequence[Unit], distance: Mapping[int, int]) -> list[Unit]:
    """Units as they go if nobody says: the farthest, by their numbers, and of those equally far as they are given."""
    turn = {unit.number: turn_of(distance[unit.number], rank, len(units)) for rank, unit in enumerate(units)}
    return sorted(units, key=lambda unit: turn[unit.number])


def _distances(account: Account) -> Mapping[int, int]:
    """Unit number to its distance from home, as the rulebook measures it (4.D.8)."""
    rules, position, power = account.rules, account.position, account.power
    board, answer = rules.board, rules.rulebook.default_removal
    far = len(board.provinces)
    if answer == "nearest_owned_centre":
        distance, ring = [0] * far, [0] * far
        measure(rules.numbers[power], standing(rules, position).holder, rules.derive(ground), distance, ring)
        return {u.number: distance[board.index[u.at.province]] for u in account.units}
    homes = answer == "nearest_home_centre"  # this answer follows what units can do, the others the map
    goals = rules.homes.get(power, ())
    if not homes:
        goals = rules.home_provinces.get(power, ()) or goals
    near = board.distances([board.index[g] for g in goals], overland=homes)
    found = {u.number: near.get(board.index[u.at.province], far) for u in account.units}
    if homes:
        wanted = {board.index[g] for g in goals}
        for unit in account.units:
            at_sea = carrier_of(account.units, unit) or unit
            if board.sails(at_sea.kind):
                found[unit.number] = sailing(board, at_sea.kind, at_sea.at, wanted, far)
    return found


def sailing(
    board: Board,
    kind: str,
    at: Location,
    goals: Collection[int],
    far: int,
    measured: Callable[[str, Location], Mapping[int, int]] | None = None,
) -> int:
    """Steps that a fleet must make, from the coast it stands on, to the nearest goal; `far` if it can reach none.

    Voyages that are `measured` are not measured again.
    """
    steps = measured(kind, at) if measured else voyages(board, kind, at)
    return min((steps[goal] for goal in goals if goal in steps), default=far)


def voyages(board: Board, kind: str, at: Location) -> dict[int, int]:
    """Province number -> steps that a fleet must make to it; a laden one goes where it could go empty."""
    ring = [board.location_index[at]]
    seen, found = set(ring), {board.place[ring[0]]: 0}
    steps = 0
    while ring:
        ahead = {to for here in ring for locations in board.reach(board.base(kind), here).values() for to in locations}
        ring, steps = sorted(ahead - seen), steps + 1
        seen.update(ring)
        for location in ring:
            found.setdefault(board.place[location], steps)
    return found


def count_owners(rules: Rules, position: Position) -> Position:
    """The position after the year's count: every centre with a unit in it belongs to that unit's power (STD-10.a)."""
    now = standing(rules, position)
    before = list(now.holder)
    settle(now.n, now.at, now.owner, rules.derive(ground).centre, now.holder)
    ashore = (place for place in now.at[1:] if place >= 0)  # in the order of the units
    changed = (place for place in ashore if now.holder[place] != before[place])
    taken = {rules.board.provinces[place].id: rules.powers[now.holder[place] - 1] for place in changed}
    return Position(position.units, {**position.owners, **taken}, position.dislodged, position.state)


def adjudicate_adjustments(rules: Rules, position: Position, orders: Given, silent: Silent = NOBODY) -> Decided:
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
    for after_winter in rules.hooks(YearMechanic.after_winter):
        after = after_winter(rules, before, after)
    return Decided(after, tuple(rulings), happened)


def _instruct(
    rules: Rules, position: Position, tries: Mapping[str, Sequence[Attempt]]
) -> tuple[Position, tuple[Event, ...]]:
    """Let the mechanics carry out what is theirs, before anything is built or removed."""
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
    """Who had to remove units may still build those that cost nothing (SCO-5.b)."""
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
