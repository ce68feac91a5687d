"""A position made ready for judging: who stands where by number, and which crossings its fleets could form."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property

from gamesmaster.board import Position, Unit
from gamesmaster.judge.draft import NOWHERE, VACANT, Draft
from gamesmaster.judge.problem import NOBODY
from gamesmaster.judge.routes import joined, minimal_waters, simple_waters
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.ruling import Cause


class Field:
    """Units as rows 1..n; everything else by province number.

    `tenant` maps a province to the row of its unit, the first of several (`crowded`); it has one cell more than there
    are provinces, so that asking for no province, -1, gives row 0.  `fleets` are the waters whose fleets may convoy.
    """

    def __init__(self, rules: Rules, position: Position) -> None:
        self.rules, self.board, self.position = rules, rules.board, position
        self.units: tuple[Unit | None, ...] = (None, *position.units)
        n = len(self.units)
        self.stances, self.at, self.owner = [VACANT] * n, [NOWHERE] * n, [NOBODY] * n
        self.tenant = [0] * (len(self.board.provinces) + 1)
        self.fleets: set[int] = set()
        known, numbers = rules.clerk.stances, rules.numbers
        stances, at, owner, tenant, fleets = self.stances, self.at, self.owner, self.tenant, self.fleets
        for r, unit in enumerate(position.units, 1):
            stances[r] = stance = known[unit.kind][unit.at]
            at[r] = place = stance.place
            owner[r] = numbers.get(unit.power, 0)
            tenant[place] = r
            if stance.carries:
                fleets.add(place)
        crowded = tenant.count(0) > len(tenant) - (n - 1)
        self.crowded: dict[int, list[int]] = self._find_crowds() if crowded else {}
        self._routes: dict[tuple[frozenset[int], frozenset[int]], Set[int]] = {}

    def _find_crowds(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for r, place in enumerate(self.at):
            found.setdefault(place, []).append(r)
        crowds = {place: rows for place, rows in found.items() if len(rows) > 1}
        for place, rows in crowds.items():
            self.tenant[place] = rows[0]
        return crowds

    @cached_property
    def location(self) -> list[int]:
        """Row to the number of its unit's location."""
        return [s.location for s in self.stances]

    def row(self, place: int, power: int, kind: str) -> int:
        """The row of the unit an order at this place means, 0 for none: of several, the power's own, then by letter."""
        if place in self.crowded:
            rows = self.crowded[place]
            return min(rows, key=lambda r: (self.owner[r] != power, self.kind(r) != kind, r))
        return self.tenant[place]

    def helped(self, r: int, draft: Draft) -> int:
        """The row of the unit that the support or convoy of row `r` means, 0 for none."""
        if draft.of in self.crowded:
            return self.row(draft.of, self.owner[r], draft.order.of_kind)
        return self.tenant[draft.of]

    def walks(self, r: int, draft: Draft) -> bool:
        """Is the way by land (or as a fleet) open to the unit of row `r`, ordered to move?"""
        unit = self.units[r]
        assert unit is not None
        restricted = self.board.restricted
        return draft.land and not (
            restricted and self.board.barred(unit.power, unit.kind, self.location[r], draft.goal)
        )

    def kind(self, r: int) -> str:
        """The letter of row `r`."""
        return self.stances[r].kind

    def carries(self, r: int) -> bool:
        """Could the unit of row `r` convoy where it lies?"""
        return self.stances[r].carries

    # -- crossings ---------------------------------------------------------------------------------------------------

    @cached_property
    def crossings(self) -> list[tuple[frozenset[int], frozenset[int]]]:
        """Groups of waters joined by the fleets now lying in them, with all that each group touches."""
        shores = self.board.shores
        groups: list[tuple[frozenset[int], frozenset[int]]] = []
        for water in self.fleets:
            joining = [g for g in groups if water in g[1]]
            groups = [g for g in groups if water not in g[1]]
            group = frozenset((water,)).union(*[g[0] for g in joining])
            groups.append((group, shores[water].union(*[g[1] for g in joining])))
        return groups

    def passage(self, a: int, b: int) -> bool:
        """Could the fleets on the board form a convoy from shore `a` to shore `b`?"""
        near_a, near_b = self.board.waters[a] & self.fleets, self.board.waters[b] & self.fleets
        if not near_a.isdisjoint(near_b):
            return True
        return bool(near_a and near_b) and any(a in touched and b in touched for _, touched in self.crossings)

    def passage_without(self, a: int, b: int, water: int) -> bool:
        """The same, without the fleet in `water`."""
        return any(
            a in touched and b in touched and (water not in group or joined(self.board.shores, group - {water}, a, b))
            for group, touched in self.crossings
        )

    def needed(self, water: int, a: int, b: int) -> Cause | None:
        """Why a fleet in `water` could not convoy from `a` to `b`: no passage, or superfluous (STD-4.i)."""
        waters = self.board.waters
        if water in waters[a] and water in waters[b]:
            return None
        group, touched = next(g for g in self.crossings if water in g[0])
        if a not in touched or b not in touched:
            return Cause.NO_PASSAGE
        return None if water in self._useful(group, a, b) else Cause.SUPERFLUOUS

    def _useful(self, group: frozenset[int], a: int, b: int) -> Set[int]:
        """The waters of a group that are on some route from `a` to `b`; one answer for shores alike."""
        near = self.board.waters[a] & group, self.board.waters[b] & group
        if near not in self._routes:
            every = self.rules.rulebook.multi_route_convoy == "every_route_must_survive"
            self._routes[near] = (simple_waters if every else minimal_waters)(self.board.shores, group, a, b)
        return self._routes[near]
