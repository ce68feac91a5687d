"""Going through a province's plans, cheapest first, without trying what cannot work.

What does not fit with small units does not fit with larger ones.  So the smallest plan of a `Group` is tried first, and
if it fails the group is left out; where the group's limit lies is found by halving.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from gamesmaster.atlas.layout.fill import Filling
from gamesmaster.atlas.layout.plan import Dropped, Plan
from gamesmaster.atlas.layout.text import Block

MOST_CODES = 6  # fillings for which a place for the code is looked for in vain, before a group is given up


class Group(NamedTuple):
    """Plans that differ only in the size of units; `small` units are below the least that can be read well."""

    small: bool
    block: Block | None
    inside: float
    grid: tuple[int, int] | None
    dropped: Dropped
    paired: bool  # a second unit as large as the first


class Search:
    """The plans of one province, cheapest first."""

    def __init__(self, plans: Sequence[Plan], room_least: int) -> None:
        self.plans = [(plan, _group(plan, room_least)) for plan in plans]
        self.groups: dict[Group, list[Plan]] = defaultdict(list)
        for plan, group in sorted(self.plans, key=lambda pair: pair[0].room):
            self.groups[group].append(plan)
        self.shortest: dict[tuple[bool, float], Group] = {}
        for group in sorted(self.groups, key=lambda g: (g.paired, _ink(g.block))):
            if group.block:
                self.shortest.setdefault((group.small, group.inside), group)

    def fillings(
        self, fill: Callable[[Plan], Filling | None], finish: Callable[[Filling], Filling | None]
    ) -> Iterator[Filling]:
        """Fillings by the plans that work; `finish` sets a code outside, if it can."""
        trial = _Trial(self, fill)
        in_vain: dict[Group, int] = defaultdict(int)
        for plan, group in self.plans:
            if in_vain[group] >= MOST_CODES or not trial.hopeful(plan, group):
                continue
            filling = trial.tried(plan)
            if filling and filling.needs_code:
                filling = finish(filling)
                in_vain[group] += filling is None
            if filling:
                yield filling


class _Trial:
    """What has been found out about the plans on the ground as it is now."""

    def __init__(self, search: Search, fill: Callable[[Plan], Filling | None]) -> None:
        self.search, self.fill = search, fill
        self.known: dict[int, Filling | None] = {}
        self.limits: dict[Group, int] = {}

    def tried(self, plan: Plan) -> Filling | None:
        """What comes of a plan."""
        if id(plan) not in self.known:
            self.known[id(plan)] = self.fill(plan)
        return self.known[id(plan)]

    def hopeful(self, plan: Plan, group: Group) -> bool:
        """Might the plan work?"""
        if group.block:
            shortest = self.search.shortest[group.small, group.inside]
            if not self.tried(self.search.groups[shortest][0]):
                return False
        if group not in self.limits:
            self.limits[group] = plan.room if self.tried(plan) else self._limit(group)
        return plan.room <= self.limits[group]

    def _limit(self, group: Group) -> int:
        """The largest room for units that works in this group, 0 if none does."""
        plans = self.search.groups[group]
        if not self.tried(plans[0]):
            return 0
        low, high = 0, len(plans)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.tried(plans[middle]) else (low, middle)
        return plans[low].room


def _group(plan: Plan, room_least: int) -> Group:
    small = plan.room < room_least
    return Group(small, plan.block, plan.inside, plan.grid, plan.dropped, plan.second == plan.room)


def _ink(block: Block | None) -> int:
    """How much room a text takes, more or less."""
    return sum(line.width * line.size for line in block.lines) if block else 0
