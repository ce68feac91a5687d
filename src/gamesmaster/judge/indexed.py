"""A position prepared for adjudication: the units by number, and the crossings that its fleets could form.

It also answers what depends on one order and the position alone: whether the order could come true (STD-4.d).
"""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import cached_property
from typing import Any, TypeVar

from gamesmaster.board import LANDING, Location, Position, Unit
from gamesmaster.engine import CONVOY, HOLD, MOVE, NOWHERE, SUPPORT, Rows
from gamesmaster.engine.choices import EVERY_ROUTE
from gamesmaster.engine.company import ANY, first_alike, is_alike, power_helped
from gamesmaster.engine.convoys import (
    Crossings,
    Search,
    Seas,
    clear,
    crosses_without,
    crossing,
    find_useful,
    group_waters,
    is_useful,
    scratch,
)
from gamesmaster.engine.problem import NOBODY
from gamesmaster.judge.resolution import VACANT, OrderReader, ResolvedOrder, open_ends
from gamesmaster.rules import AnyCause, Cause, Rules, Standing, choices, empty_standing, seas, sorts_of

T = TypeVar("T")


class IndexedPosition:
    """Units as rows 1..n; everything else by province number.

    `tenant` maps a province to the row of its unit, where several lie together (`crowded`) that of the first; it has
    one cell more than there are provinces, so that asking for no province, -1, gives row 0.  `fleets` are the waters
    whose fleets may convoy.  `carrier` maps the row of a unit aboard, which is nobody's tenant, to that of its carrier
    (0: it is not on the board), and `cargo` the other way.  `before` is the position before anybody went aboard.
    """

    def __init__(self, rules: Rules, position: Position, before: Position | None = None) -> None:
        self.rules, self.board, self.position = rules, rules.board, position
        self.before = before or position
        self.units: tuple[Unit | None, ...] = (None, *position.units)
        n = len(self.units)
        self.placements, self.at, self.owner = [VACANT] * n, [NOWHERE] * n, [NOBODY] * n
        self.tenant = [0] * (len(self.board.provinces) + 1)
        self.fleets: set[int] = set()
        self.carrier: dict[int, int] = {}
        self.reader = rules.derive(OrderReader)
        known, numbers = self.reader.placements, rules.numbers
        placements, at, owner, tenant, fleets = self.placements, self.at, self.owner, self.tenant, self.fleets
        for r, unit in enumerate(position.units, 1):
            if unit.aboard:
                self._stow(r, unit)
                continue
            placements[r] = placement = known[unit.kind][unit.at]
            at[r] = place = placement.place
            owner[r] = numbers.get(unit.power, 0)
            tenant[place] = r
            if placement.carries:
                fleets.add(place)
        self.cargo = {c: r for r, c in self.carrier.items() if c}
        if self.before is not position:  # a fleet that takes somebody aboard could have carried another instead
            self.fleets |= {s.place for s in (known[u.kind][u.at] for u in self.before.units) if s.carries}
        self.crowded: dict[int, list[int]] = self._find_crowds() if self.board.shared else {}
        self._routes: dict[tuple[int, int, int], Set[int]] = {}

    def _stow(self, r: int, unit: Unit) -> None:
        """Enter a unit that is aboard another."""
        self.placements[r] = self.reader.placement_aboard(unit.kind, unit.at)
        self.at[r], self.owner[r] = self.placements[r].place, self.rules.numbers.get(unit.power, 0)
        self.carrier[r] = next((c for c, u in enumerate(self.position.units, 1) if u.number == unit.aboard), 0)

    def _find_crowds(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for r, place in enumerate(self.at):
            if place in self.board.shared and r not in self.carrier:
                found.setdefault(place, []).append(r)
        for place, rows in found.items():
            self.tenant[place] = rows[0]
        return found

    def derive(self, kind: Callable[[IndexedPosition], T]) -> T:
        """Return what `kind` makes of this position; it is made once, at the first call."""
        if kind not in self._derived:
            self._derived[kind] = kind(self)
        made: T = self._derived[kind]
        return made

    @cached_property
    def _derived(self) -> dict[Callable[[IndexedPosition], Any], Any]:
        return {}

    @cached_property
    def location(self) -> list[int]:
        """Row to the number of its unit's location."""
        return [s.location for s in self.placements]

    @cached_property
    def boarding_places(self) -> frozenset[int]:
        """Numbers of the provinces where a unit stood that has gone aboard, or has taken one aboard, this season."""
        if self.before is self.position:
            return frozenset()
        now = {u.number: u for u in self.position.units}
        return frozenset(self.board.index[u.at.province] for u in self.before.units if now[u.number] != u)

    def row(self, place: int, power: int, kind: str) -> int:
        """Return the row of the unit that an order at this place means, 0 for none.

        If the place is shared, only a unit of this power and kind is meant.
        """
        if place in self.crowded:
            sort = self._sort_named(kind)
            return first_alike(self.crowded[place], power, sort, self.owner, self.sorts, self.aboard, self.gone)
        return self.tenant[place]

    def candidates(self, place: int, power: int, kind: str) -> list[int]:
        """Return the rows of the units that an order for a shared place can mean, the likeliest first."""
        sort = self._sort_named(kind)
        return [r for r in self.crowded[place] if is_alike(r, power, sort, self.owner, self.sorts)]

    def _sort_named(self, kind: str) -> int:
        """Return the number of a kind that is named, `ANY` for none; of one that there is not, a number beyond all."""
        sorts = self.rules.derive(sorts_of)
        return sorts.get(kind, len(sorts)) if kind else ANY

    @cached_property
    def sorts(self) -> list[int]:
        """Row to the number of its unit's kind (`sorts_of`)."""
        sorts = self.rules.derive(sorts_of)
        return [0, *[sorts[unit.kind] for unit in self.position.units]]

    @cached_property
    def aboard(self) -> list[int]:
        """Row to the number of the unit that carries its unit, 0 for none."""
        return [0, *[unit.aboard for unit in self.position.units]]

    @cached_property
    def gone(self) -> list[int]:
        """Row to whether its unit is off the board, which none is."""
        return [0] * len(self.units)

    def helped_row(self, r: int, resolved: ResolvedOrder) -> int:
        """Return the row of the unit that the support or convoy of row `r` means, 0 for none."""
        if resolved.seaward and self.from_sea(resolved):
            return next(iter(self.landers(resolved)), 0)
        if resolved.of in self.crowded:
            row = self.row(resolved.of, self.helped_power(r, resolved), resolved.order.of_kind)
            return row or next(iter(self.strangers(resolved)), 0)
        return self.tenant[resolved.of]

    def helped_power(self, r: int, resolved: ResolvedOrder) -> int:
        """Return the power of the unit that the support of row `r` means, if several units are in one place.

        If the order names a power, this is the answer.
        """
        if resolved.order.of_power:
            return self.rules.numbers.get(resolved.order.of_power, self.owner[r])
        alike = self.strangers(resolved)
        return power_helped(r, alike, len(alike), self.owner)

    def strangers(self, resolved: ResolvedOrder) -> list[int]:
        """Return the rows, of any power, that a support without a nationality may mean in a shared place."""
        if resolved.order.of_power:
            return []
        return [row for row in self.crowded[resolved.of] if resolved.order.of_kind in ("", self.kind(row))]

    def from_sea(self, resolved: ResolvedOrder) -> bool:
        """Return whether a support is for an army that lands, not for one that is on islands."""
        if not resolved.seaward or resolved.order.doing:
            return resolved.seaward
        tenant = self.tenant[resolved.of]
        return not tenant or self.kind(tenant) != resolved.order.of_kind

    def landers(self, resolved: ResolvedOrder) -> list[int]:
        """Return the rows of units aboard that could land as a support says: from their place, or after their move."""
        board, named = self.board, self.rules.numbers.get(resolved.order.of_power, 0)
        water = board.location_index[Location(board.provinces[resolved.of].id)] if resolved.of >= 0 else NOWHERE
        if water < 0 or resolved.to not in board.steps_by(LANDING, water):
            return []
        found = [r for r in self.carrier if not named or self.owner[r] == named]
        near = [r for r in found if self.at[r] == resolved.of or resolved.of in self.placements[self.carrier[r]].reach]
        return sorted(near, key=lambda r: (self.at[r] != resolved.of, r))

    def walks(self, r: int, resolved: ResolvedOrder) -> bool:
        """Return whether the unit of row `r` can go by land (or as a fleet) where it is ordered."""
        if not (resolved.land and resolved.guarded):
            return resolved.land
        unit = self.units[r]
        assert unit is not None
        return not self.board.barred(unit.power, unit.kind, self.location[r], resolved.goal)

    def may_help(self, r: int, resolved: ResolvedOrder) -> bool:
        """Return whether the unit of row `r` itself may go to the province that it supports into (SCO-6.e)."""
        unit, ends = self.units[r], resolved.placement.helps.get(resolved.into, ())
        assert unit is not None
        return bool(open_ends(self.board, unit.power, unit.kind, self.location[r], ends))

    def kind(self, r: int) -> str:
        """Return the letter of row `r`."""
        return self.placements[r].kind

    def carries(self, r: int) -> bool:
        """Return whether the unit of row `r` could convoy where it is."""
        return self.placements[r].carries

    # -- crossings ---------------------------------------------------------------------------------------------------

    @cached_property
    def seas(self) -> Seas:
        """The board's waters, for searches."""
        return self.rules.derive(seas)

    @cached_property
    def search(self) -> Search:
        """Scratch for searches over this board's waters."""
        return scratch(len(self.board.provinces))

    @cached_property
    def crossings(self) -> Crossings:
        """The groups of waters that the fleets now lying in them join."""
        size, fleet = len(self.board.provinces), list(self.fleets)
        found = Crossings([0] * size, [0] * (len(fleet) + 2), list(fleet), [0] * (size * (len(fleet) + 1)), [0])
        group_waters(self.seas, fleet, len(fleet), found)
        return found

    @cached_property
    def _groups(self) -> list[frozenset[int]]:
        """The waters of each group of `crossings`; the first group's number is 1."""
        water, start = self.crossings.water, self.crossings.start
        return [frozenset(water[start[g] : start[g + 1]]) for g in range(1, self.crossings.groups[0] + 1)]

    def waters_from(self, shore: int) -> frozenset[int]:
        """Return the waters with fleets that join this shore to others."""
        touched, size = self.crossings.touched, len(self.tenant) - 1
        found = [waters for g, waters in enumerate(self._groups, 1) if touched[g * size + shore]]
        return found[0] if len(found) == 1 else frozenset().union(*found)

    def passage(self, a: int, b: int) -> bool:
        """Return whether the fleets on the board could form a convoy from shore `a` to shore `b`."""
        return crossing(self.crossings, len(self.tenant) - 1, a, b, 0) > 0

    def passage_without(self, a: int, b: int, water: int) -> bool:
        """Return whether a convoy from `a` to `b` has a route without the fleet in `water`."""
        return crosses_without(self.seas, self.crossings, a, b, water, self.search)

    def convoy_fault(self, water: int, a: int, b: int) -> Cause | None:
        """Return why a fleet in `water` could not convoy from `a` to `b`; None if it could.

        Either no route goes through it, or no route needs it (STD-4.i).
        """
        crossings, size = self.crossings, len(self.tenant) - 1
        group = crossings.group[water]
        if not (crossings.touched[group * size + a] and crossings.touched[group * size + b]):
            return Cause.NO_PASSAGE
        answers = self.rules.derive(choices)
        if answers[EVERY_ROUTE]:
            useful = water in self._useful(group, a, b)
        else:
            useful = is_useful(self.seas, crossings, a, b, water, answers, self.search)
        return None if useful else Cause.SUPERFLUOUS

    def _useful(self, group: int, a: int, b: int) -> Set[int]:
        """Return the waters of a group that are on some route from `a` to `b`; to find one alone takes as long."""
        if (a, b, group) not in self._routes:
            crossings, search = self.crossings, self.search
            fleet = crossings.water[crossings.start[group] : crossings.start[group + 1]]
            find_useful(self.seas, fleet, len(fleet), a, b, NOWHERE, self.rules.derive(choices), search)
            self._routes[a, b, group] = {water for water in fleet if search.found[water]}
            clear(fleet, len(fleet), search.found)
        return self._routes[a, b, group]


def possible(field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
    """Return why this order cannot succeed whatever others order, with the units now on the board; None if it can."""
    if resolved.fault is not None or resolved.code == HOLD:
        return resolved.fault
    if resolved.code == MOVE:
        return _possible_move(field, resolved, row)
    if resolved.seaward and field.from_sea(resolved):
        return None if field.landers(resolved) else Cause.NOBODY
    apart = not (resolved.seaward or field.crowded)
    helped = field.tenant[resolved.of] if apart else field.helped_row(row, resolved)
    placement, fault = field.placements[helped], None
    if placement is not resolved.suits:
        if not helped:
            return Cause.NOBODY
        fault = _misfit(field, resolved, row, helped)
    if fault is None and (resolved.code == CONVOY or (resolved.to >= 0 and resolved.to not in placement.reach)):
        return _possible_by_sea(field, resolved)
    if resolved.guarded:
        return fault or (Cause.OUT_OF_REACH if resolved.code == SUPPORT and not field.may_help(row, resolved) else None)
    if fault is None and not field.crowded and placement is resolved.suits:
        resolved.fits = placement
    return fault


def _misfit(field: IndexedPosition, resolved: ResolvedOrder, row: int, helped: int) -> AnyCause | None:
    """Return why a support or convoy cannot be meant for the unit in the place that it names."""
    unit, reader, placement = field.units[helped], field.reader, field.placements[helped]
    assert unit is not None
    fault = reader.misfit(resolved, placement, unit.power, foreign=field.owner[helped] != field.owner[row])
    if fault is None and not reader.asks_whose(resolved):
        resolved.suits = placement
    return fault


def _possible_move(field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
    if field.walks(row, resolved):
        return None
    if not resolved.sea:
        return Cause.CLOSED
    return None if field.passage(resolved.placement.place, resolved.to) else Cause.NO_PASSAGE


def _possible_by_sea(field: IndexedPosition, resolved: ResolvedOrder) -> AnyCause | None:
    """Return why help for a move that must go by convoy cannot succeed (STD-4.i, STD-4.j); None if it can."""
    here, carries = resolved.placement.place, resolved.placement.carries
    if resolved.code == CONVOY:
        return field.convoy_fault(here, resolved.of, resolved.to)
    if not field.passage(resolved.of, resolved.to):
        return Cause.CANNOT
    return Cause.NEEDED if carries and not field.passage_without(resolved.of, resolved.to, here) else None


def intended_standing(field: IndexedPosition, rows: Rows) -> Standing:
    """Return the columns of what units intend, whose flags a mechanic's rule may change; owners are left out."""
    units, idle, empty = field.position.units, [0] * len(field.at), field.rules.derive(empty_standing)
    return empty._replace(
        n=len(units),
        units=empty.units._replace(
            number=[0, *[unit.number for unit in units]],
            at=[NOWHERE if r in field.carrier else at for r, at in enumerate(field.at)] if field.carrier else field.at,
            sort=field.sorts,
            owner=field.owner,
            aboard=field.aboard,
        ),
        orders=empty.orders._replace(barred=idle, offers=idle, fell=idle, goal=idle, about=rows.about),
        moves=empty.moves._replace(act=rows.kind, to=rows.to, flags=rows.flags),
    )
