"""Removals: which units orders mean, which of them may go, and which go if nobody says (STD-10.d to g)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from gamesmaster.board import Board, Location, Unit
from gamesmaster.engine.company import find_loads
from gamesmaster.engine.winter import measure, next_to_go, turn_of
from gamesmaster.judge.adjudication import Attempt
from gamesmaster.judge.supply import Account, cargo_of, carrier_of, without_units
from gamesmaster.orders import Order, Verb
from gamesmaster.rules import AnyCause, Cause, WinterMechanic, board_graph, standing

Group = tuple[Unit, ...]
"""The units that one order removes: one unit, or a carrier and its cargo."""


def judge_removals(account: Account, tries: Sequence[Attempt]) -> tuple[tuple[Unit, ...], list[Group]]:
    """Judge a power's removals: fill in the units, or the faults.

    Return the units that are left at the end, and those removed without an order.
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
        left = without_units(account.rules.board, left, {u.number for u in group})
    return left, rest


def _name(account: Account, attempt: Attempt, named: list[Group]) -> None:
    """Find the units that a removal means: of several alike, those that no earlier order has `named` (CNW-5.a).

    Half of a pair that was named whole is chosen only if no other unit is left.
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
    """Return the groups that a removal from this place may mean, the likeliest first.

    An army aboard goes as `A from A/F` or, without another army there, as `A`; a bare `F` never means the fleet of a
    pair (CNW-5.a). The letter counts only where there are several units (4.C.2).
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
    """Return why a removal matches none of a power's units in the place that it names."""
    fault: AnyCause = Cause.WRONG_KIND
    for missed_removal in account.rules.hooks(WinterMechanic.stray_removal):
        fault = missed_removal(account.rules, account.position, own, order, fault)
    return fault


def _carry_out(account: Account, tries: Sequence[Attempt]) -> tuple[Unit, ...]:
    """Remove units as ordered, one after the other, while removals are due; return the units that are left."""
    left = tuple(account.units)
    for attempt in tries:
        numbers = {u.number for u in attempt.units}
        going = tuple(u for u in left if u.number in numbers)
        if len(going) < len(numbers):
            attempt.fault = Cause.SECOND
        elif not (fault := _unfit(account, left, going)):
            left = without_units(account.rules.board, left, numbers)
        else:
            attempt.fault = fault
    return left


def _unfit(account: Account, left: Sequence[Unit], going: Group) -> AnyCause | None:
    """Return why these units cannot be removed now; None if they can.

    Nothing is owed, they cost nothing, or the rules do not let them go without their partner.
    """
    cost = account.cost(left)
    owed = cost - account.supply
    board, position = account.rules.board, account.position
    fault: AnyCause | None = None if owed > 0 else Cause.NO_REMOVALS
    for removal_fault in account.rules.hooks(WinterMechanic.removal_fault):
        fault = removal_fault(account.rules, position, going, owed, fault)
    if fault is None and account.cost(without_units(board, left, {u.number for u in going})) >= cost:
        return Cause.COSTS_NOTHING
    return fault


def _only_those_meant(account: Account, valid: Sequence[Attempt]) -> tuple[Unit, ...]:
    """Return the units left after too many removals: only those also due by default are made (4.D.6 a)."""
    meant = {u.number for group in _default(account, account.units) for u in group}
    gone: set[int] = set()
    for attempt in valid:
        numbers = {u.number for u in attempt.units}
        attempt.fault = None if numbers <= meant else Cause.NO_REMOVALS
        gone |= numbers & meant
    return without_units(account.rules.board, account.units, gone)


def removal_orders(account: Account) -> list[Order]:
    """Return the removals that a power may order, each good by itself: those owed, or those that mechanics allow."""
    units, forms = account.units, account.rules.board.forms
    asked, owes = account.rules.hooks(WinterMechanic.removal_fault), account.balance < 0
    if not owes and not asked:
        return []
    plain = owes and not forms and not asked and not account.rules.hooks(WinterMechanic.upkeep)
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


def most_removals(account: Account) -> int:
    """Return how many units a power may remove: as many as it owes, or all where mechanics allow more."""
    owed = max(0, -account.balance)
    rest = account.after(account.units[owed:])
    return owed + (len(removal_orders(rest)) if rest.balance >= 0 else 0)


# -- if nobody says ---------------------------------------------------------------------------------------------------


def _default(account: Account, left: Sequence[Unit]) -> Iterator[Group]:
    """Yield the groups that are removed by default, one after the other, until nothing is owed (STD-10.g)."""
    if account.cost(left) <= account.supply:
        return
    turns = {unit.number: turn for turn, unit in enumerate(removal_sequence(account))}
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
        left = without_units(account.rules.board, left, {unit.number for unit in group})


def removal_sequence(account: Account) -> Sequence[Unit]:
    """Return a power's units as they go if nobody says: the farthest, fleets first, then by name (STD-10.g)."""
    rules, position, units = account.rules, account.position, account.units
    for removal_order in rules.hooks(WinterMechanic.removal_order):
        if (order := removal_order(rules, position, account.power)) is not None:
            return order
    name = {u.number: rules.board.province(u.at.province).name for u in units}
    return farthest_first(
        sorted(units, key=lambda u: (not rules.board.sails(u.kind), name[u.number])), _distances(account)
    )


def farthest_first(units: Sequence[Unit], distance: Mapping[int, int]) -> list[Unit]:
    """Return units in the order of automatic removal: the farthest first, equally far ones as they are given."""
    turn = {unit.number: turn_of(distance[unit.number], rank, len(units)) for rank, unit in enumerate(units)}
    return sorted(units, key=lambda unit: turn[unit.number])


def _distances(account: Account) -> Mapping[int, int]:
    """Map each unit number to its distance from home, as the rulebook measures it (4.D.8)."""
    rules, position, power = account.rules, account.position, account.power
    board, answer = rules.board, rules.rulebook.default_removal
    far = len(board.provinces)
    if answer == "nearest_owned_centre":
        distance, ring = [0] * far, [0] * far
        measure(rules.numbers[power], standing(rules, position).lands.holder, rules.derive(board_graph), distance, ring)
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
    """Return the steps of a fleet from its coast to the nearest goal; `far` if it can reach none.

    `measured` returns the distances of `voyages`; by default they are measured again.
    """
    steps = measured(kind, at) if measured else voyages(board, kind, at)
    return min((steps[goal] for goal in goals if goal in steps), default=far)


def voyages(board: Board, kind: str, at: Location) -> dict[int, int]:
    """Map each province number to a fleet's steps to it; a loaded fleet counts as an empty one."""
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
