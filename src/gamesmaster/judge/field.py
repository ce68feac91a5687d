"""A position made ready for judging: who stands where by number, and which crossings its fleets could form."""

from __future__ import annotations

from functools import cached_property

from gamesmaster.board import Position, Unit
from gamesmaster.judge.routes import joined, on_minimal_path, on_simple_path
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.ruling import Cause


class Field:
    """Units as rows 1..n; everything else by province number."""

    def __init__(self, rules: Rules, position: Position) -> None:
        board, clerk = rules.board, rules.clerk
        self.rules, self.board, self.position = rules, board, position
        self.units: tuple[Unit | None, ...] = (None, *position.units)
        n = len(self.units)
        self.at, self.owner, self.stance, self.location = [-1] * n, [-1] * n, [0] * n, [0] * n
        self.tenant = tenant = [0] * len(board.provinces)
        self.crowded: dict[int, list[int]] = {}
        index, place, numbers = board.location_index, board.place, rules.numbers
        for r, unit in enumerate(position.units, 1):
            location = index[unit.at]
            p = place[location]
            self.at[r] = p
            self.location[r] = location
            self.owner[r] = numbers.get(unit.power, 0)
            self.stance[r] = clerk.stance(unit.kind, location)
            if tenant[p]:
                self.crowded.setdefault(p, [tenant[p]]).append(r)
            else:
                tenant[p] = r

    def row(self, place: int, power: int, kind: str) -> int:
        """The row of the unit an order at this place means, 0 for none: of several, the power's own, then by letter."""
        if place in self.crowded:
            rows = self.crowded[place]
            return min(rows, key=lambda r: (self.owner[r] != power, self.kind(r) != kind, r))
        return self.tenant[place]

    def kind(self, r: int) -> str:
        """The letter of row `r`."""
        unit = self.units[r]
        assert unit is not None
        return unit.kind

    def carries(self, r: int) -> bool:
        """Could the unit of row `r` convoy where it lies?"""
        return self.board.ways[self.kind(r)] == "fleet" and self.board.carries[self.at[r]]

    # -- crossings ---------------------------------------------------------------------------------------------------

    @cached_property
    def crossings(self) -> list[tuple[frozenset[int], frozenset[int]]]:
        """Groups of waters joined by the fleets now lying in them, with all that each group touches."""
        shores = self.board.shores
        left = {self.at[r] for r in range(1, len(self.units)) if self.carries(r)}
        groups = []
        while left:
            group = {left.pop()}
            ring = list(group)
            while ring:
                ring = [w for here in ring for w in shores[here] & left if w not in group]
                group.update(ring)
                left.difference_update(ring)
            groups.append((frozenset(group), frozenset().union(*(shores[w] for w in group))))
        return groups

    def passage(self, a: int, b: int) -> bool:
        """Could the fleets on the board form a convoy from shore `a` to shore `b`?"""
        return any(a in touched and b in touched for _, touched in self.crossings)

    def passage_without(self, a: int, b: int, water: int) -> bool:
        """The same, without the fleet in `water`."""
        for group, touched in self.crossings:
            if a in touched and b in touched:
                if water not in group:
                    return True
                return joined(self.board.shores, group - {water}, a, b)
        return False

    def needed(self, water: int, a: int, b: int) -> Cause | None:
        """Why a fleet in `water` could not convoy from `a` to `b`: no passage, or superfluous (STD-4.i)."""
        for group, touched in self.crossings:
            if water in group:
                if a not in touched or b not in touched:
                    return Cause.NO_PASSAGE
                every = self.rules.rulebook.multi_route_convoy == "every_route_must_survive"
                on_path = on_simple_path if every else on_minimal_path
                alone = len(group) == 1 or on_path(self.board.shores, group, a, b, water)
                return None if alone else Cause.SUPERFLUOUS
        return Cause.NO_PASSAGE
