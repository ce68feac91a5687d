"""A position made ready for judging: who stands where by number, and which crossings its fleets could form."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property

from gamesmaster.board import Location, Position, Unit
from gamesmaster.judge.clerk import LANDING, Clerk
from gamesmaster.judge.draft import NOWHERE, VACANT, Draft
from gamesmaster.judge.problem import NOBODY
from gamesmaster.judge.routes import joined, minimal_waters, simple_waters
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.values import Cause


class Field:
    """Units as rows 1..n; everything else by province number.

    `tenant` maps a province to the row of its unit, in a box (`crowded`) that of the first; it has one
    cell more than there are provinces, so that asking for no province, -1, gives row 0.  `fleets` are the waters whose
    fleets may convoy.  `carrier` maps the row of a unit aboard, which is nobody's tenant, to that of its carrier (0: it
    is not on the board), and `cargo` the other way.  `before` is the position before anybody went aboard.
    """

    def __init__(self, rules: Rules, position: Position, before: Position | None = None) -> None:
        self.rules, self.board, self.position = rules, rules.board, position
        self.before = before or position
        self.units: tuple[Unit | None, ...] = (None, *position.units)
        n = len(self.units)
        self.stances, self.at, self.owner = [VACANT] * n, [NOWHERE] * n, [NOBODY] * n
        self.tenant = [0] * (len(self.board.provinces) + 1)
        self.fleets: set[int] = set()
        self.carrier: dict[int, int] = {}
        self.clerk = rules.derived(Clerk)
        known, numbers = self.clerk.stances, rules.numbers
        stances, at, owner, tenant, fleets = self.stances, self.at, self.owner, self.tenant, self.fleets
        for r, unit in enumerate(position.units, 1):
            if unit.aboard:
                self._stow(r, unit)
                continue
            stances[r] = stance = known[unit.kind][unit.at]
            at[r] = place = stance.place
            owner[r] = numbers.get(unit.power, 0)
            tenant[place] = r
            if stance.carries:
                fleets.add(place)
        self.cargo = {c: r for r, c in self.carrier.items() if c}
        if self.before is not position:  # a fleet that takes somebody aboard could have carried another instead
            self.fleets |= {s.place for s in (known[u.kind][u.at] for u in self.before.units) if s.carries}
        self.crowded: dict[int, list[int]] = self._find_crowds() if self.board.boxes else {}
        self._routes: dict[tuple[frozenset[int], frozenset[int]], Set[int]] = {}

    def _stow(self, r: int, unit: Unit) -> None:
        """Enter a unit that is aboard of another."""
        self.stances[r] = self.clerk.stowed(unit.kind, unit.at)
        self.at[r], self.owner[r] = self.stances[r].place, self.rules.numbers.get(unit.power, 0)
        self.carrier[r] = next((c for c, u in enumerate(self.position.units, 1) if u.number == unit.aboard), 0)

    def _find_crowds(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for r, place in enumerate(self.at):
            if place in self.board.boxes and r not in self.carrier:
                found.setdefault(place, []).append(r)
        for place, rows in found.items():
            self.tenant[place] = rows[0]
        return found

    @cached_property
    def location(self) -> list[int]:
        """Row to the number of its unit's location."""
        return [s.location for s in self.stances]

    @cached_property
    def embarked(self) -> frozenset[int]:
        """Numbers of the provinces where a unit stood that has gone aboard, or has taken one aboard, this season."""
        if self.before is self.position:
            return frozenset()
        now = {u.number: u for u in self.position.units}
        return frozenset(self.board.index[u.at.province] for u in self.before.units if now[u.number] != u)

    def gone_aboard(self, place: int, power: int, kind: str) -> tuple[int, Unit] | None:
        """The power's unit that stood at this place until it went aboard this season: its row, and it as it stood."""
        if place not in self.embarked:
            return None
        stood = {u.number: u for u in self.before.units if self.board.index[u.at.province] == place}
        for row in self.carrier:
            unit = self.units[row]
            former = stood.get(unit.number) if unit else None
            if former and former != unit and self.owner[row] == power and kind in ("", former.kind):
                return row, former
        return None

    @cached_property
    def absent(self) -> frozenset[int]:
        """Rows of the units that occupy nothing: those aboard, and those in a box."""
        boxed = (r for place in self.board.boxes for r in self.crowded.get(place, ()))
        return frozenset((*self.carrier, *boxed))

    def row(self, place: int, power: int, kind: str) -> int:
        """The row of the unit an order at this place means, 0 for none.

        In a box nobody else's unit is meant, nor one of another kind (CNW-5.a).
        """
        if place in self.crowded:
            rows = self.meant(place, power, kind)
            return rows[0] if rows else 0
        return self.tenant[place]

    def meant(self, place: int, power: int, kind: str) -> list[int]:
        """The rows of the units in a box that an order may mean."""
        return [r for r in self.crowded[place] if self.owner[r] == power and kind in ("", self.kind(r))]

    def helped(self, r: int, draft: Draft) -> int:
        """The row of the unit that the support or convoy of row `r` means, 0 for none."""
        if draft.seaward and self.from_sea(draft):
            return next(iter(self.landers(draft)), 0)
        if draft.of in self.crowded:
            return self.row(draft.of, self.power_meant(r, draft), draft.order.of_kind)
        return self.tenant[draft.of]

    def power_meant(self, r: int, draft: Draft) -> int:
        """Whose unit the support of row `r` is for, where several may be meant.

        If none is named it is its own power's; where that has no such unit beside, but only one other has, that one's
        (STD-4.f: what can have only one meaning is followed).
        """
        if draft.order.of_power:
            return self.rules.numbers.get(draft.order.of_power, self.owner[r])
        kind, rows = draft.order.of_kind, self.crowded[draft.of]
        owners = {self.owner[row] for row in rows if row != r and kind in ("", self.kind(row))}
        return owners.pop() if len(owners) == 1 else self.owner[r]

    def from_sea(self, draft: Draft) -> bool:
        """Is a support for an army that goes ashore, and not for one that stands on islands?"""
        if not draft.seaward or draft.order.landing:
            return draft.seaward
        tenant = self.tenant[draft.of]
        return not tenant or self.kind(tenant) != draft.order.of_kind

    def landers(self, draft: Draft) -> list[int]:
        """The rows of those aboard who could go ashore as a support says: from where they lie, or have sailed to."""
        board, named = self.board, self.rules.numbers.get(draft.order.of_power, 0)
        water = board.location_index[Location(board.provinces[draft.of].id)] if draft.of >= 0 else NOWHERE
        if water < 0 or draft.to not in board.steps_by(LANDING, water):
            return []
        found = [r for r in self.carrier if not named or self.owner[r] == named]
        near = [r for r in found if self.at[r] == draft.of or draft.of in self.stances[self.carrier[r]].reach]
        return sorted(near, key=lambda r: (self.at[r] != draft.of, r))

    def walks(self, r: int, draft: Draft) -> bool:
        """Is the way by land (or as a fleet) open to the unit of row `r`, ordered to move?"""
        unit = self.units[r]
        assert unit is not None
        return draft.land and not (
            draft.guarded and self.board.barred(unit.power, unit.kind, self.location[r], draft.goal)
        )

    def may_help(self, r: int, draft: Draft) -> bool:
        """Is some way to the place supported into open to the unit of row `r` itself (SCO-6.e)?"""
        unit, ends = self.units[r], draft.stance.helps.get(draft.into, ())
        assert unit is not None
        return any(not self.board.barred(unit.power, unit.kind, self.location[r], end) for end in ends)

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
