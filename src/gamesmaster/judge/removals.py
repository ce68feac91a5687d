"""Removals: which of those ordered are made, and what goes if the owner does not say (STD-10.f, STD-10.g)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from gamesmaster.board import Board, Location, Unit
from gamesmaster.judge.attempt import Attempt
from gamesmaster.judge.mechanic import WinterMechanic
from gamesmaster.judge.pairs import cargo_of, carrier_of, without
from gamesmaster.judge.supply import Account
from gamesmaster.judge.values import AnyCause, Cause
from gamesmaster.orders import Order, Verb

Group = tuple[Unit, ...]
"""What goes by one order: a unit, or one that carries and the one aboard."""


def judge_removals(account: Account, tries: Sequence[Attempt]) -> tuple[tuple[Unit, ...], list[Group]]:
    """Judge a power's removals: fill in the units, or the faults.

    Gives the units that are left when nothing is owed any more, and what was removed without an order.
    """
    answer = account.rules.rulebook.excess_removals
    named: set[tuple[int, ...]] = set()
    for attempt in tries:
        if attempt.open and attempt.verb in (Verb.REMOVE, Verb.DISBAND):
            _name(account, attempt, named)
        elif attempt.open and attempt.verb not in (Verb.BUILD, Verb.WAIVE):
            attempt.fault = Cause.OTHER_PHASE
    valid = [t for t in tries if t.open and t.units]
    left = _carry_out(account, list(reversed(valid)) if answer == "last" else valid)
    if answer == "automatic" and any(not t.open for t in valid):
        left = _only_those_meant(account, valid)
    rest = []
    for group in _default(account, left):
        rest.append(group)
        left = without(account.rules.board, left, {u.number for u in group})
    return left, rest


def _name(account: Account, attempt: Attempt, named: set[tuple[int, ...]]) -> None:
    """Find the units that a removal means."""
    order = attempt.reading.order
    assert order is not None
    here = [u for u in account.position.units if order.at and u.at.province == order.at.province]
    own = [u for u in here if u.power == attempt.power]
    if not own:
        attempt.fault = Cause.FOREIGN if here else Cause.NO_UNIT
        return
    groups = _groups(account, own, order)
    fresh = [group for group in groups if tuple(u.number for u in group) not in named]
    if not fresh:
        attempt.fault = Cause.SECOND if groups else _unmeant(account, own, order)
        return
    attempt.units = fresh[0]
    named.add(tuple(u.number for u in fresh[0]))


def _groups(account: Account, own: Sequence[Unit], order: Order) -> list[Group]:
    """What a removal from this place may mean, the likeliest first.

    An army aboard goes as `A from A/F` or, where no other army is, as `A`; no `F` means the fleet of a pair (CNW-5.a).
    The letter counts only where there are several units (4.C.2).
    """
    forms = account.rules.board.forms
    pairs = [(u, load) for u in own if (load := cargo_of(own, u))]
    if order.of_kind in forms:
        return [(half,) for pair in pairs for half in pair if account.rules.board.base(half.kind) == order.kind]
    if order.kind in forms and forms[order.kind].cargo:
        return list(pairs)
    halves = [u for pair in pairs for u in pair]
    free = [u for u in own if u not in halves]
    if not pairs and len(free) == 1:
        return [(free[0],)]
    meant: list[Group] = [(u,) for u in free if order.kind in ("", u.kind)]
    if order.kind:
        return meant or [(half,) for pair in pairs for half in pair if half.kind == order.kind]
    return meant or list(pairs)


def _unmeant(account: Account, own: Sequence[Unit], order: Order) -> AnyCause:
    """Why a removal means none of a power's units in the place that it names."""
    laden = any(cargo_of(own, u) and account.rules.board.base(u.kind) == order.kind for u in own)
    return Cause.LADEN if laden else Cause.WRONG_KIND


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
    for removal_fault in account.rules.asked(WinterMechanic.removal_fault):
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
        and not account.rules.asked(WinterMechanic.upkeep)
        and not account.rules.asked(WinterMechanic.removal_fault)
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
    left = tuple(left)
    if account.cost(left) <= account.supply:
        return
    places = {unit.number: n for n, unit in enumerate(farthest(account))}
    while account.cost(left) > account.supply:
        order = sorted(left, key=lambda u: places.get(u.number, len(places)))
        going = next((group for group in _in_turn(order) if _lowers(account, left, group)), None)
        if going is None:
            return
        yield going
        left = without(account.rules.board, left, {u.number for u in going})


def _in_turn(order: Sequence[Unit]) -> Iterator[Group]:
    """The farthest first; who is aboard goes before the carrier (AFM-8.b), whole pairs at the very last (SCO-1.e)."""
    for unit in order:
        yield (cargo_of(order, unit) or unit,)
    for unit in order:
        if load := cargo_of(order, unit):
            yield unit, load


def _lowers(account: Account, left: Sequence[Unit], going: Group) -> bool:
    after = without(account.rules.board, left, {u.number for u in going})
    return account.cost(after) < account.cost(left)


def farthest(account: Account) -> Sequence[Unit]:
    """A power's units as they go if nobody says: the farthest, fleets first, then by name (STD-10.g)."""
    rules, position, units = account.rules, account.position, account.units
    for removal_order in rules.asked(WinterMechanic.removal_order):
        if (order := removal_order(rules, position, account.power)) is not None:
            return order
    distance = _distances(account)
    name = {u.number: rules.board.province(u.at.province).name for u in units}
    return sorted(units, key=lambda u: (-distance[u.number], not rules.board.sails(u.kind), name[u.number]))


def _distances(account: Account) -> Mapping[int, int]:
    """Unit number to its distance from home, as the rulebook measures it (4.D.8)."""
    rules, position, power = account.rules, account.position, account.power
    board, answer = rules.board, rules.rulebook.default_removal
    far = len(board.provinces)
    if answer == "nearest_owned_centre":
        goals: Collection[str] = position.centres(power)
    elif answer == "nearest_home_centre":
        goals = rules.homes.get(power, ())
    else:
        goals = rules.home_provinces.get(power, ()) or rules.homes.get(power, ())
    homes = answer == "nearest_home_centre"  # this answer follows what units can do, the others the map
    near = board.distances([board.index[g] for g in goals], overland=homes)
    found = {u.number: near.get(board.index[u.at.province], far) for u in account.units}
    if homes:
        wanted = {board.index[g] for g in goals}
        for unit in account.units:
            at_sea = carrier_of(account.units, unit) or unit
            if board.sails(at_sea.kind):
                found[unit.number] = sailing(board, at_sea.kind, at_sea.at, wanted, far)
    return found


def sailing(board: Board, kind: str, at: Location, goals: Collection[int], far: int) -> int:
    """Steps that a fleet must make, from the coast it stands on, to the nearest goal; `far` if it can reach none.

    A laden one goes where it could go empty.
    """
    ring, steps = [board.location_index[at]], 0
    seen = set(ring)
    while ring:
        if any(board.place[location] in goals for location in ring):
            return steps
        ahead = {to for here in ring for locations in board.reach(board.base(kind), here).values() for to in locations}
        ring = sorted(ahead - seen)
        seen.update(ring)
        steps += 1
    return far
