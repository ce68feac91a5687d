"""Adjustment phases: ownership, builds and removals (STD-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from gamesmaster.board import ARMY, FLEET, Location, Position, Terrain, Unit
from gamesmaster.judge.adjudication import Decided
from gamesmaster.judge.binding import NOBODY, Given, Silent
from gamesmaster.judge.draft import Reading
from gamesmaster.judge.mechanic import Sites
from gamesmaster.judge.rules import BuildSites, Rules
from gamesmaster.judge.ruling import Cause, Result, Ruling
from gamesmaster.orders import Order, PhaseKind, Verb


def count_owners(rules: Rules, position: Position) -> Position:
    """The position after the year's count: every centre with a unit in it belongs to that unit's power (STD-10.a)."""
    taken = {
        u.at.province: u.power
        for u in position.units
        if u.power in rules.numbers and rules.board.province(u.at.province).centre
    }
    return Position(position.units, {**position.owners, **taken}, position.dislodged, position.state)


def balance(rules: Rules, position: Position) -> dict[str, int]:
    """Centres less units, by power: how many each may build, or, if negative, must remove (STD-10.b)."""
    units = Counter(u.power for u in position.units)
    centres = Counter(position.owners[c] for c in rules.board.centres if c in position.owners)
    return {power: centres[power] - units[power] for power in rules.powers}


def sites(rules: Rules, position: Position, power: str) -> tuple[str, ...]:
    """The empty provinces where a power may build, in the board's order (STD-10.c)."""
    return tuple(build_sites(rules, position, power))


def build_sites(rules: Rules, position: Position, power: str) -> Sites:
    """The empty provinces where a power may build, each with the kinds it may build there (STD-10.c)."""
    full = {u.at.province for u in position.units}
    owned = [c for c in rules.board.centres if position.owners.get(c) == power and c not in full]
    if rules.build_sites == BuildSites.ANY_OWNED:
        homes = set(owned)
    elif rules.build_sites == BuildSites.ANY_HOME:
        homes = {c for centres in rules.homes.values() for c in centres}
    else:
        homes = set(rules.homes.get(power, ()))
    found: Sites = dict.fromkeys((c for c in owned if c in homes), frozenset(rules.board.ways))
    for mechanic in rules.mechanics:
        found = mechanic.sites(rules, position, power, found)
    return found


class _Try:
    """One order of an adjustment phase: the unit it builds or removes (None for a waive), or why it cannot be."""

    __slots__ = ("fault", "given", "power", "reading", "unit", "verb")

    def __init__(self, power: str, given: str | Order, reading: Reading) -> None:
        self.power, self.given, self.reading = power, given, reading
        self.verb = reading.order.verb if reading.order else None
        self.unit: Unit | None = None
        self.fault: Cause | None = None if reading.order else Cause.UNREADABLE


def adjudicate_adjustments(rules: Rules, position: Position, orders: Given, silent: Silent = NOBODY) -> Decided:
    """Adjudicate a Winter.  Powers in civil disorder build nothing; what nobody removes is removed by the rules."""
    due = balance(rules, position)
    number = max((u.number for u in (*position.units, *(d.unit for d in position.dislodged))), default=0)
    rulings: list[Ruling] = []
    built: list[Unit] = []
    gone: set[int] = set()
    for power in sorted(rules.powers, key=rules.numbers.__getitem__):
        tries = [_Try(power, g, rules.clerk.read(g, PhaseKind.ADJUSTMENTS)) for g in orders.get(power, ())]
        if power in silent:
            for attempt in tries:
                attempt.fault = attempt.fault or silent[power]
        if due[power] >= 0:
            _build(rules, position, tries, due[power])
            chosen = [t for t in tries if t.fault is None and t.unit is not None]
            for attempt in chosen:
                assert attempt.unit is not None
                number += 1
                attempt.unit = Unit(number, attempt.unit.kind, power, attempt.unit.at)
                built.append(attempt.unit)
        else:
            _remove(rules, position, tries, -due[power])
            named = {t.unit.number for t in tries if t.fault is None and t.unit is not None}
            rest = _default_removals(rules, position, power, -due[power] - len(named), named)
            gone |= named | {u.number for u in rest}
            rulings += [_rule(rules, t) for t in tries]
            rulings += [_removed(rules, u) for u in rest]
            continue
        rulings += [_rule(rules, t) for t in tries]
    units = (*(u for u in position.units if u.number not in gone), *built)
    return Decided(Position(units, position.owners, position.dislodged, position.state), tuple(rulings))


# -- builds ----------------------------------------------------------------------------------------------------------


def _build(rules: Rules, position: Position, tries: Sequence[_Try], allowed: int) -> None:
    """Judge a power's builds: fill in the units, or the faults."""
    book = rules.rulebook
    open_sites = build_sites(rules, position, tries[0].power) if tries else {}
    full = {u.at.province for u in position.units}
    for attempt in tries:
        if attempt.fault is not None:
            continue
        if attempt.verb is Verb.WAIVE:
            attempt.fault = None if book.waive_builds == "allowed" else Cause.NO_WAIVING
        elif attempt.verb is not Verb.BUILD:
            attempt.fault = Cause.NO_REMOVALS if attempt.verb is Verb.REMOVE else Cause.OTHER_PHASE
        else:
            _site(rules, attempt, open_sites, full)
    by_place: dict[str, list[_Try]] = {}
    for attempt in tries:
        if attempt.fault is None and attempt.unit is not None:
            by_place.setdefault(attempt.unit.at.province, []).append(attempt)
    for rivals in by_place.values():
        _keep(rivals, 1, book.double_builds, Cause.TAKEN)
    _keep([t for t in tries if t.fault is None], allowed, book.excess_builds, Cause.NO_BUILDS)


def _keep(tries: Sequence[_Try], most: int, answer: str, fault: Cause) -> None:
    """Of orders that exceed what is allowed keep the first, the last or none (4.D.4, 4.D.5, 4.D.6)."""
    if len(tries) <= most:
        return
    kept = {"first": tries[:most], "last": tries[len(tries) - most :]}.get(answer, [])
    for attempt in tries:
        if attempt not in kept:
            attempt.fault = fault


def _site(rules: Rules, attempt: _Try, open_sites: Sites, full: Collection[str]) -> None:
    """Choose the kind and the coast of a build (4.B.7, 4.C.3, 4.C.4, STD-10.c)."""
    order = attempt.reading.order
    assert order is not None
    assert order.at is not None
    if order.at.province not in open_sites:
        attempt.fault = Cause.OCCUPIED if order.at.province in full else Cause.NOT_A_SITE
        return
    board, book = rules.board, rules.rulebook
    province = board.province(order.at.province)
    inland = province.terrain is Terrain.INLAND
    kind = order.kind or _kind_meant(order.at, inland, book.build_kind_omitted)
    if inland and kind and board.ways[kind] == "fleet" and book.fleet_inland == "army":
        kind = ARMY
    split = province.coasts if kind and board.ways[kind] == "fleet" else ()
    coast = order.at.coast if order.at.coast in split else ""
    if split and not coast and book.build_coast_omitted == "default":
        coast = split[-1]
    if not kind:
        attempt.fault = Cause.WRONG_KIND
    elif split and not coast:
        attempt.fault = Cause.WHICH_COAST
    elif kind not in open_sites[province.id] or not board.can_stand(kind, Location(province.id, coast)):
        attempt.fault = Cause.NOT_A_SITE
    else:
        attempt.unit = Unit(0, kind, attempt.power, Location(province.id, coast))


def _kind_meant(at: Location, inland: bool, answer: str) -> str:
    """The kind a build without a letter means, "" if it means none (4.C.3)."""
    if answer == "void":
        return ""
    if answer == "by_coast" and at.coast:
        return FLEET
    return ARMY if inland else ""


# -- removals --------------------------------------------------------------------------------------------------------


def _remove(rules: Rules, position: Position, tries: Sequence[_Try], needed: int) -> None:
    """Judge a power's removals: fill in the units, or the faults."""
    seen: set[int] = set()
    for attempt in tries:
        order = attempt.reading.order
        if attempt.fault is not None or order is None:
            continue
        if attempt.verb not in (Verb.REMOVE, Verb.DISBAND):
            attempt.fault = Cause.NO_BUILDS if attempt.verb in (Verb.BUILD, Verb.WAIVE) else Cause.OTHER_PHASE
            continue
        here = [u for u in position.units if order.at and u.at.province == order.at.province]
        own = next((u for u in here if u.power == attempt.power), None)
        if own is None:
            attempt.fault = Cause.FOREIGN if here else Cause.NO_UNIT
        elif own.number in seen:
            attempt.fault = Cause.SECOND
        else:
            seen.add(own.number)
            attempt.unit = own
    valid = [t for t in tries if t.fault is None]
    if len(valid) > needed and rules.rulebook.excess_removals == "automatic":
        meant = _default_removals(rules, position, tries[0].power, needed, ())
        for attempt in valid:
            attempt.fault = None if attempt.unit in meant else Cause.NO_REMOVALS
        return
    _keep(valid, needed, rules.rulebook.excess_removals, Cause.NO_REMOVALS)


def _default_removals(rules: Rules, position: Position, power: str, needed: int, named: Collection[int]) -> list[Unit]:
    """Choose what is removed when the owner does not say: the farthest, fleets first, then by name (STD-10.g)."""
    if needed <= 0:
        return []
    distance = _distances(rules, position, power)
    left = [u for u in position.units if u.power == power and u.number not in named]
    name = {u.number: rules.board.province(u.at.province).name for u in left}
    left.sort(key=lambda u: (-distance[u.number], rules.board.ways[u.kind] != "fleet", name[u.number]))
    return left[:needed]


def _distances(rules: Rules, position: Position, power: str) -> Mapping[int, int]:
    """Unit number to its distance from home, as the rulebook measures it (4.D.8)."""
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
    found = {u.number: near.get(board.index[u.at.province], far) for u in position.units if u.power == power}
    if homes:
        wanted = {board.index[g] for g in goals}
        fleets = [u for u in position.units if u.power == power and board.ways[u.kind] == "fleet"]
        found.update({u.number: _sailing(rules, u, wanted, far) for u in fleets})
    return found


def _sailing(rules: Rules, fleet: Unit, goals: Collection[int], far: int) -> int:
    """Steps a fleet must make, from the coast it stands on, to the nearest goal; `far` if it can reach none."""
    board = rules.board
    ring, steps = [board.location_index[fleet.at]], 0
    seen = set(ring)
    while ring:
        if any(board.place[location] in goals for location in ring):
            return steps
        ahead = {to for here in ring for locations in board.reach(fleet.kind, here).values() for to in locations}
        ring = sorted(ahead - seen)
        seen.update(ring)
        steps += 1
    return far


# -- rulings ---------------------------------------------------------------------------------------------------------


def _rule(rules: Rules, attempt: _Try) -> Ruling:
    done = {Verb.BUILD: Cause.BUILT, Verb.WAIVE: Cause.WAIVED}
    error = attempt.reading.error
    return Ruling(
        power=attempt.power,
        unit=attempt.unit,
        order=attempt.reading.order,
        given=rules.clerk.words(attempt.given),
        result=Result.SUCCEEDS if attempt.fault is None else Result.VOID,
        cause=attempt.fault or (done.get(attempt.verb, Cause.REMOVED) if attempt.verb else Cause.REMOVED),
        detail=str(error) if error else "",
        board=rules.board,
    )


def _removed(rules: Rules, unit: Unit) -> Ruling:
    order = Order(Verb.REMOVE, unit.kind, unit.at)
    return Ruling(unit.power, unit, order, "", Result.SUCCEEDS, Cause.REMOVED, board=rules.board)
