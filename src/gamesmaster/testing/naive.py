"""A second adjudicator of Problems: slow, short, and written from the rules instead of from the kernel.

It supposes, and looks whether what it supposed agrees with itself.  For every assignment of convoy routes it tries
every set of moves that might come through, and keeps those in which exactly the moves that should come through do; of
these the largest is the answer, since of units that follow one another in a circle either all may go or none, and the
rules let them go (DATC 6.C).  That tells, for every assignment of routes, which routes would then hold.  Routes are
settled group by group, a group being a smallest set of routes that hangs on nothing outside it: by the one assignment
of the group that agrees with itself, if there is exactly one, otherwise by the paradox rule (DATC 4.A.2).

An army that may walk instead has a third lot besides a route that holds and one that does not.  It walks when its route
has been found broken; should a circle hang on that, the circle is a paradox (DATC 6.G.11 under 4.A.3 c).

Nothing is shared with the kernel but the constants and the columns.  The time grows as two to the power of moves and
routes: eight rows are fine, twenty are not.

>>> from random import Random
>>> from gamesmaster.testing import random_problem
>>> problem = random_problem(Random(1))
>>> differences(problem, problem.solve())
[]
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from gamesmaster.judge import kernel as k
from gamesmaster.judge.problem import Problem
from gamesmaster.testing.scene import Facts, Numbers, Row, Scene

NONE: Numbers = frozenset()


class Undecided(Exception):
    """The rules give this Problem no answer, or two: it is not one that orders could make."""


def solve(problem: Problem) -> k.Outcome:
    """Adjudicate by trying everything; of several rows that stopped a row, `by` names the first.

    Raises `Undecided` if for some assignment of routes no set of moves agrees with itself, or several largest ones do.
    """
    return Naive(problem).outcome()


def differences(problem: Problem, outcome: k.Outcome) -> list[str]:
    """Where an outcome of this Problem is not what the rules say, in words; `by` may name any row that was to blame."""
    naive = Naive(problem)
    expected = naive.outcome()
    found = []
    for row in naive.facts.units:
        r = row.number
        for name, cells, wanted in zip(outcome._fields, outcome, expected, strict=True):
            if name == "by":
                blame = naive.blame(row) or [0]
                if cells[r] not in blame:
                    found.append(f"row {r}: by is {cells[r]}, not one of {blame}")
            elif cells[r] != wanted[r]:
                found.append(f"row {r}: {name} is {cells[r]}, not {wanted[r]}")
    return found


class Lots(NamedTuple):
    """Which carried rows go by sea, and which by land; the others go nowhere."""

    holds: Numbers
    walks: Numbers

    def __or__(self, more: Lots) -> Lots:
        return Lots(self.holds | more.holds, self.walks | more.walks)

    def without(self, r: int) -> Lots:
        """The same, with row `r` going nowhere."""
        return Lots(self.holds - {r}, self.walks - {r})


class Naive:
    """One Problem settled.

    `routes` says of each carried row HOLDS, BROKEN, SILENCED or WALKS, and of each silenced fleet SILENCED; `doomed`
    are the moves that the all-hold rule stops.  `circles` counts the groups of routes that hung on themselves,
    `paradoxes` those of them that had to be broken.
    """

    def __init__(self, problem: Problem) -> None:
        self.facts = Facts(problem)
        self._scenes: dict[tuple[Lots, Numbers], Scene] = {}
        self.routes: dict[int, int] = {}
        self.doomed = NONE
        self.circles = self.paradoxes = 0
        while rest := frozenset(a.number for a in self.facts.carried) - self.routes.keys():
            self._settle_group(rest)
        self.scene = self._scene(self._settled, self.doomed)

    # -- supposing ---------------------------------------------------------------------------------------------------

    def _scene(self, lots: Lots, doomed: Numbers) -> Scene:
        key = lots, doomed
        if key not in self._scenes:
            self._scenes[key] = self._find_scene(lots, doomed)
        return self._scenes[key]

    def _find_scene(self, lots: Lots, doomed: Numbers) -> Scene:
        bare = Scene(self.facts, NONE, *lots)
        free = [m for m in self.facts.moves if bare.acts(m) and m.number not in doomed]
        for size in range(len(free), -1, -1):
            trials = (Scene(self.facts, frozenset(m.number for m in some), *lots) for some in combinations(free, size))
            found = [s for s in trials if all((m.number in s.came) != bool(s.stoppers(m)) for m in free)]
            if len(found) == 1:
                return found[0]
            if found:
                raise Undecided(f"{len(found)} largest sets of moves agree with themselves when {set(lots.holds)} hold")
        raise Undecided(f"no set of moves agrees with itself when {set(lots.holds)} hold")

    def _would_hold(self, lots: Lots, doomed: Numbers) -> Numbers:
        scene = self._scene(lots, doomed)
        return frozenset(a.number for a in self.facts.carried if scene.carries(a))

    # -- routes ------------------------------------------------------------------------------------------------------

    @property
    def _settled(self) -> Lots:
        holds, walks = (frozenset(r for r, lot in self.routes.items() if lot == what) for what in (k.HOLDS, k.WALKS))
        return Lots(holds, walks)

    def _settle_group(self, rest: Numbers) -> None:
        """Close the routes of one smallest group that hangs on nothing outside it."""
        either = frozenset(r for r in rest if self.facts.rows[r].flags & k.EITHER)
        trials = [Lots(holds, walks) for holds in subsets(rest) for walks in subsets(either - holds)]
        table = {lots: self._would_hold(self._settled | lots, self.doomed) for lots in trials}
        needs = {r: frozenset(s for s in rest if hangs_on(r, s, table)) for r in rest}
        group = min((closed(r, needs) for r in sorted(rest)), key=lambda g: (any(needs[r] for r in g), len(g)))
        answers = [lots.holds for lots in trials if not lots.walks if table[lots] & group == lots.holds <= group]
        circle = any(needs[r] for r in group)
        self.circles += circle
        sails = any(self.facts.rows[r].flags & k.SAILS for r in group)
        if len(answers) != 1 or (circle and (sails or group & either - answers[0])):
            self._break_paradox(group)
        else:
            self.routes |= {r: k.HOLDS if r in answers[0] else k.WALKS if r in either else k.BROKEN for r in group}

    def _break_paradox(self, group: Numbers) -> None:
        """Silence the fleets whose fate hangs on these routes, and with all-hold stop the moves that are part of it."""
        self.paradoxes += 1
        trials = [self._settled | Lots(holds, NONE) for holds in subsets(group)]
        scenes = [self._scene(lots, self.doomed) for lots in trials]
        fleets = [f for r in group for f in self.facts.fleets(self.facts.rows[r])]
        wavering = [f.number for f in fleets if len({scene.afloat(f) for scene in scenes}) > 1]
        if self.facts.problem.knot == k.ALL_HOLD:
            self.doomed |= self._entangled(group, trials)
        for r in group:
            self.routes[r] = k.WALKS if self.facts.rows[r].flags & k.EITHER else k.SILENCED
        self.routes |= dict.fromkeys(wavering, k.SILENCED)

    def _entangled(self, group: Numbers, trials: list[Lots]) -> Numbers:
        """The moves that hang on these routes, and on which these routes hang (DATC 4.A.2 d: part of the paradox)."""
        part = set()
        for m in self.facts.moves:
            comes = [lots for lots in trials if m.number in self._scene(lots, self.doomed).came]
            if 0 < len(comes) < len(trials):
                without = self.doomed | {m.number}
                shifts = [(self._would_hold(t, self.doomed) ^ self._would_hold(t, without)) & group for t in comes]
                if m.number in group or any(shifts):
                    part.add(m.number)
        return frozenset(part)

    # -- the answer --------------------------------------------------------------------------------------------------

    def outcome(self) -> k.Outcome:
        """The answer in the kernel's columns."""
        scene, facts = self.scene, self.facts
        out = k.Outcome(*([0] * len(facts.rows) for _ in k.Outcome._fields))
        for row in facts.units:
            r = row.number
            if row.kind == k.MOVE:
                out.state[r] = k.CAME if r in scene.came else k.FAILED
                out.gone[r] = k.GONE if scene.gone(row) else k.STAYS
            elif row.kind == k.SUPPORT:
                out.cut[r] = k.CUT if scene.cutters(row) else k.GIVEN
            out.route[r] = self.routes.get(r, k.OPEN)
            out.strength[r], out.spoilt[r] = scene.strength[r], scene.spoilt[r]
            out.by[r] = next(iter(self.blame(row)), 0)
        return out

    def blame(self, row: Row) -> list[int]:
        """The rows that stopped a move, cut a support, or lost an army its route; empty where no row did."""
        scene = self.scene
        if row.kind == k.SUPPORT:
            guilty = scene.cutters(row)
        elif row.kind != k.MOVE or row.flags & k.NOWAY or row.number in scene.came or row.number in self.doomed:
            guilty = []
        elif not scene.acts(row):
            guilty = scene.lost(row) if self.routes[row.number] == k.BROKEN else []
        else:
            guilty = scene.stoppers(row)
        return [g.number for g in guilty]


def subsets(numbers: Iterable[int]) -> list[Numbers]:
    """Every subset, the smallest first."""
    pool = sorted(numbers)
    return [frozenset(some) for size in range(len(pool) + 1) for some in combinations(pool, size)]


def hangs_on(r: int, s: int, table: dict[Lots, Numbers]) -> bool:
    """Does it make a difference for the route of `r`, whatever the others do, what becomes of `s`?"""
    return any((r in hold) != (r in table[lots.without(s)]) for lots, hold in table.items())


def closed(start: int, needs: dict[int, Numbers]) -> Numbers:
    """All that `start` needs, and what that needs, and so on."""
    group = frozenset({start})
    while True:
        grown = group.union(*(needs[r] for r in group))
        if grown == group:
            return group
        group = grown
