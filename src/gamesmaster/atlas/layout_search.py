"""Going through a province's plans, cheapest first, without trying what cannot work.

If something does not fit with small units, it does not fit with larger ones.  So the smallest plan of a `Group` is
tried first, and if it fails the group is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from gamesmaster.atlas.layout_fill import Filling
from gamesmaster.atlas.layout_plan import Dropped, Plan
from gamesmaster.atlas.layout_text import Block

MOST_CODES = 6  # fillings for which a place for the code is looked for in vain, before a group is given up


class Group(NamedTuple):
    """Plans that differ only in the size of units."""

    block: Block | None
    inside: float
    grid: tuple[int, int] | None
    dropped: Dropped


class Search:
    """The plans of one province, sorted.  `floors` holds the plan with the smallest units in each group."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.plans = plans
        self.floors: dict[Group, Plan] = {}
        for plan in sorted(plans, key=lambda p: (p.room, p.second)):
            self.floors.setdefault(_group(plan), plan)
        self.shortest: dict[float, Plan] = {}
        for plan in sorted(self.floors.values(), key=lambda p: (_ink(p.block), p.cost)):
            if plan.block:
                self.shortest.setdefault(plan.inside, plan)

    def fillings(
        self, fill: Callable[[Plan], Filling | None], finish: Callable[[Filling], Filling | None]
    ) -> Iterator[Filling]:
        """Fillings by the plans that work; `finish` sets a code outside, if it can."""
        known: dict[int, Filling | None] = {}
        failed: dict[tuple[Group, bool], float] = {}
        in_vain: dict[Group, int] = {}

        def tried(plan: Plan) -> Filling | None:
            if id(plan) not in known:
                known[id(plan)] = fill(plan)
            return known[id(plan)]

        for plan in self.plans:
            group, paired = _group(plan), plan.second == plan.room
            if plan.room >= failed.get((group, paired), math.inf) or in_vain.get(group, 0) >= MOST_CODES:
                continue
            if plan.block and tried(self.shortest[plan.inside]) is None:
                continue
            if tried(self.floors[group]) is None:
                continue
            filling = tried(plan)
            if filling is None:
                failed[group, paired] = plan.room
                continue
            if filling.needs_code and (filling := finish(filling)) is None:
                in_vain[group] = in_vain.get(group, 0) + 1
            if filling:
                yield filling


def _group(plan: Plan) -> Group:
    return Group(plan.block, plan.inside, plan.grid, plan.dropped)


def _ink(block: Block | None) -> int:
    """How much room a text takes, more or less."""
    return sum(line.width * line.size for line in block.lines) if block else 0
