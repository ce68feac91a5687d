"""A second adjudicator of Problems: slow, short, and written from the rules instead of from the kernel.

It applies the rules to an assumption about which moves succeed and which convoy routes hold.

The definitions are those of DATC 5 (attack, hold, prevent and defend strength, cut, path), written down one by one and
without regard to speed: the naive solver applies them to every assumption.

It checks whether each assumption agrees with itself.  For every assignment of convoy routes it tries every set of
moves that might succeed, and keeps those in which exactly the moves that should succeed do; of these the largest is
the answer, since of units that follow one another in a circle either all may go or none, and the rules let them go
(DATC 6.C).  This gives, for every assignment of routes, the routes that would then hold.  Routes are settled group by
group, a group being a smallest set of routes that depends on nothing outside it: by the one assignment of the group
that agrees with itself, if there is exactly one, otherwise by the paradox rule (DATC 4.A.2).

An army that may walk instead does so in every assignment in which its route does not hold (DATC 4.A.3 c).

Nothing is shared with the kernel but the constants and the columns.  The time grows as two to the power of moves and
routes: eight rows are fine, twenty are not.

>>> from random import Random
>>> from gamesmaster import Rules, find_variant
>>> from tests.scuffles import fight
>>> standard = find_variant("standard")
>>> problem = fight(standard, Rules.of(standard), Random(1)).problem
>>> differences(problem, problem.solve())
[]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations, takewhile
from typing import NamedTuple

from gamesmaster.engine import Problem
from gamesmaster.engine import rows as k

Numbers = frozenset[int]
"""A set of rows, by number."""


class Row(NamedTuple):
    """One row of a Problem (see `gamesmaster.engine.kernel.Rows`)."""

    number: int
    kind: int
    at: int
    to: int
    whence: int
    about: int
    owner: int
    force: int
    stay: int
    flags: int


class Facts:
    """The facts of a Problem before any assumption."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rows = [Row(number, *cells) for number, cells in enumerate(zip(*problem.rows, strict=True))]
        self.units = self.rows[1:]
        self.occupant = {u.at: u for u in self.units if not u.flags & k.ABSENT}
        self.moves = [u for u in self.units if u.kind == k.MOVE and not u.flags & k.NOWAY]
        self.supports = [u for u in self.units if u.kind == k.SUPPORT]
        self.carried = [u for u in self.moves if u.flags & k.CARRIED]

    def toward(self, place: int) -> list[Row]:
        """Return the moves to a place."""
        return [m for m in self.moves if m.to == place]

    def fleets(self, army: Row) -> list[Row]:
        """Return the fleets that were ordered to convoy an army."""
        return [u for u in self.units if u.kind == k.CONVOY and u.about == army.number]

    def is_linked(self, a: int, b: int) -> bool:
        """Return whether a convoy can pass between shore or water `a` and water `b`."""
        return bool(self.problem.link[a * self.problem.size + b])

    def useless(self, support: Row) -> bool:
        """Return whether it is given to a row that takes no support."""
        return bool(self.rows[support.about].flags & k.ALONE)

    def spoils(self, support: Row) -> bool:
        """Return whether it is given to a move against the supporter's own side, which it may not help to dislodge.

        (DATC 6.D.10.)
        """
        helped = self.rows[support.about]
        foe = self.occupant.get(helped.to)
        return helped.kind == k.MOVE and foe is not None and foe.owner == support.owner


class Scene:
    """The consequences of assuming that just the moves `came` succeed and just the routes `holds` hold.

    `walks` are the carried rows that go by land instead.
    """

    def __init__(self, facts: Facts, came: Numbers, holds: Numbers, walks: Numbers) -> None:
        self.facts, self.came, self.holds, self.walks = facts, came, holds, walks

    def acts(self, move: Row) -> bool:
        """Return whether a move gets as far as an attack on its destination (DATC 5: path)."""
        return not move.flags & k.CARRIED or move.number in self.holds | self.walks

    # -- support -----------------------------------------------------------------------------------------------------

    def cutters(self, support: Row) -> list[Row]:
        """Return the moves that cut this support.

        A move from the province supported into cuts only by dislodging (DATC 5: support).
        """
        if self.facts.useless(support):
            return []
        return [
            m
            for m in self.facts.toward(support.at)
            if self.acts(m)
            and m.owner != support.owner
            and not m.flags & k.FREE
            and (not m.flags & k.BLUNT or m.number in self.walks)
            and (m.whence != support.to or m.number in self.came)
        ]

    @cached_property
    def given(self) -> list[Row]:
        """The supports that count."""
        return [s for s in self.facts.supports if not self.facts.useless(s) and not self.cutters(s)]

    @cached_property
    def strength(self) -> list[int]:
        """Return, for every row, its own weight and the support it gets."""
        weights = [row.stay if row.kind == k.SUPPORT else row.force for row in self.facts.rows]
        for s in self.given:
            weights[s.about] += s.force
        return weights

    @cached_property
    def spoilt(self) -> list[int]:
        """Return, for every row, the support that may not dislodge, being of the side of the unit attacked."""
        weights = [0] * len(self.facts.rows)
        for s in self.given:
            if self.facts.spoils(s):
                weights[s.about] += s.force
        return weights

    # -- moves -------------------------------------------------------------------------------------------------------

    def has_left(self, unit: Row) -> bool:
        """Return whether a unit has left its place.

        With LEAVES a unit aboard a fleet of its own side has left too, even if it could not land (AFM-2.e).
        """
        if unit.number in self.came:
            return True
        aboard = unit.flags & k.LEAVES and unit.number in self.holds
        return bool(aboard) and any(f.owner == unit.owner and self.afloat(f) for f in self.facts.fleets(unit))

    def passes(self, move: Row) -> bool:
        """Return whether its move meets no opposing move."""
        return bool(move.flags & k.FREE) or (bool(move.flags & k.PASS) and move.number not in self.walks)

    def head_on(self, move: Row) -> list[Row]:
        """Return the moves that this one meets head on: each attacks the place from which the other attacks (DATC 5).

        An army that strikes from its last fleet is met there, whatever becomes of its route (DATC 6.F.30 under
        4.A.4).
        """
        if self.passes(move):
            return []
        return [
            m
            for m in self.facts.toward(move.whence)
            if m.whence == move.to and not self.passes(m) and (self.acts(m) or m.whence != m.at)
        ]

    def prevents(self, move: Row) -> int:
        """Return the strength with which a move keeps others out of its goal (DATC 5: prevent strength; 4.A.7)."""
        contest = self.facts.problem.contest
        if not self.acts(move) or move.flags & k.FREE:
            return 0
        if contest != k.ALWAYS and any(m.number in self.came for m in self.head_on(move)):
            return 0
        if contest == k.NEVER and any(v.whence == move.to for v in self.victors(move)):
            return 0
        return self.strength[move.number]

    def victors(self, unit: Row) -> list[Row]:
        """Return the move that dislodges a unit, if any does."""
        if unit.flags & k.ABSENT or self.has_left(unit):
            return []
        return [m for m in self.facts.toward(unit.at) if m.number in self.came and not m.flags & k.FREE]

    def fails(self, move: Row) -> bool:
        """Return whether a move that acts fails: somebody stops it, or it has no strength at all."""
        return bool(self.stoppers(move)) or not self.strength[move.number]

    def stoppers(self, move: Row) -> list[Row]:
        """Return the units that stop a move that acts."""
        if move.flags & k.FREE:
            return []
        full = self.strength[move.number]
        fair = full - self.spoilt[move.number]
        opposed = self.head_on(move)
        rows = [x for x in opposed if x.owner == move.owner or fair <= max(self.strength[x.number], x.stay)]
        host = self.facts.occupant.get(move.to)
        free = host is None or self.has_left(host)
        if host is not None and not free:
            defence = host.stay if host.kind == k.MOVE else self.strength[host.number]
            if host.owner == move.owner or fair <= defence:
                rows.append(host)
        power = full if free and not opposed else fair
        return rows + [m for m in self.facts.toward(move.to) if m is not move and power <= self.prevents(m)]

    # -- convoys -----------------------------------------------------------------------------------------------------

    def afloat(self, fleet: Row) -> bool:
        """Return whether a carrier is undislodged."""
        return not any(m.number in self.came and not m.flags & k.FREE for m in self.facts.toward(fleet.at))

    def failing_carriers(self, army: Row) -> list[Row]:
        """Return the carriers of an army that failed it: dislodged, or, ordered to sail it there first, not arrived."""
        if army.flags & k.SAILS:
            return [c for c in self.facts.rows if c.number == army.about and c.number not in self.came]
        fleets = [self.facts.rows[army.about]] if army.about else self.facts.fleets(army)
        return [f for f in fleets if not self.afloat(f)]

    def carries(self, army: Row) -> bool:
        """Return whether the route of a carried row would hold.

        Without EVERY one whole chain is enough (DATC 4.A.1).
        """
        lost = self.failing_carriers(army)
        if army.about:
            return not lost
        return not (army.flags & k.EVERY and lost) and self._chain(army, lost)

    def _chain(self, army: Row, lost: list[Row]) -> bool:
        is_linked = self.facts.is_linked
        ashore = [f for f in self.facts.fleets(army) if f not in lost]
        reached = [f for f in ashore if is_linked(army.at, f.at)]
        ring = reached
        while ring:
            ring = [f for f in ashore if f not in reached and any(is_linked(g.at, f.at) for g in ring)]
            reached = reached + ring
        return any(is_linked(army.to, f.at) for f in reached)


NONE: Numbers = frozenset()


class Undecided(Exception):
    """The rules give this Problem no answer, or two: it is not one that orders could make."""


def solve(problem: Problem) -> k.Outcome:
    """Adjudicate by trying everything; of several rows that stopped a row, `by` names the first.

    Raises `Undecided` if for some assignment of routes no set of moves agrees with itself, or several largest ones do.
    """
    return Naive(problem).outcome()


def differences(problem: Problem, outcome: k.Outcome) -> list[str]:
    """Return the differences of an outcome of this Problem from the rules, in words.

    `by` may be any row that is responsible.
    """
    naive = Naive(problem)
    expected = naive.outcome()
    lines = []
    for row in naive.facts.units:
        r = row.number
        for name, cells, wanted in zip(outcome._fields, outcome, expected, strict=True):
            if name == "by":
                blame = naive.blame(row) or [0]
                if cells[r] not in blame:
                    lines.append(f"row {r}: by is {cells[r]}, not one of {blame}")
            elif cells[r] != wanted[r]:
                lines.append(f"row {r}: {name} is {cells[r]}, not {wanted[r]}")
    return lines


class Naive:
    """One Problem settled.

    `routes` says of each carried row HOLDS, BROKEN, SILENCED or WALKS, and of each silenced fleet SILENCED; `doomed`
    are the moves that the all-hold rule stops.  `circles` counts the groups of routes that depended on themselves,
    `paradoxes` those of them that had to be broken.
    """

    def __init__(self, problem: Problem) -> None:
        self.facts = Facts(problem)
        self._scenes: dict[tuple[Numbers, Numbers], Scene] = {}
        self.routes: dict[int, int] = {}
        self.doomed = NONE
        self.circles = self.paradoxes = 0
        while rest := frozenset(a.number for a in self.facts.carried) - self.routes.keys():
            self._settle_group(rest)
        self.scene = self._scene(self._holding, self.doomed)

    # -- assumptions -------------------------------------------------------------------------------------------------

    def _consistent(self, holds: Numbers, doomed: Numbers = NONE) -> Iterator[Scene]:
        """Yield each set of moves that agrees with itself if just these routes hold, the largest sets first."""
        walks = frozenset(a.number for a in self.facts.carried if a.flags & k.EITHER) - holds
        bare = Scene(self.facts, NONE, holds, walks)
        free = [m for m in self.facts.moves if bare.acts(m) and m.number not in doomed]
        for size in range(len(free), -1, -1):
            for some in combinations(free, size):
                scene = Scene(self.facts, frozenset(m.number for m in some), holds, walks)
                if all((m.number in scene.came) != scene.fails(m) for m in free):
                    yield scene

    def _scene(self, holds: Numbers, doomed: Numbers) -> Scene:
        key = holds, doomed
        if key not in self._scenes:
            self._scenes[key] = self._find_scene(holds, doomed)
        return self._scenes[key]

    def _find_scene(self, holds: Numbers, doomed: Numbers) -> Scene:
        scenes = self._consistent(holds, doomed)
        first = next(scenes, None)
        if first is None:
            raise Undecided(f"no set of moves agrees with itself when {set(holds)} hold")
        others = list(takewhile(lambda scene: len(scene.came) == len(first.came), scenes))
        if others:
            raise Undecided(f"{1 + len(others)} largest sets of moves agree with themselves when {set(holds)} hold")
        return first

    def _would_hold(self, holds: Numbers, doomed: Numbers) -> Numbers:
        return self._carried(self._scene(holds, doomed))

    def _carried(self, scene: Scene) -> Numbers:
        """Return the armies whose routes hold in a scene."""
        return frozenset(a.number for a in self.facts.carried if scene.carries(a))

    def resolutions(self) -> Iterator[Scene]:
        """Yield every consistent resolution: exactly those moves succeed and routes hold that should, given the rest.

        No paradox rule is applied.  The first scene with given routes is the largest; others with the same routes
        leave circles of moves standing that could move.
        """
        for holds in subsets(a.number for a in self.facts.carried):
            yield from (scene for scene in self._consistent(holds) if self._carried(scene) == holds)

    # -- routes ------------------------------------------------------------------------------------------------------

    @property
    def _holding(self) -> Numbers:
        return frozenset(r for r, lot in self.routes.items() if lot == k.HOLDS)

    def _lost(self, r: int, otherwise: int) -> int:
        """Return the result of an army whose route does not hold: it walks if it can."""
        return k.WALKS if self.facts.rows[r].flags & k.EITHER else otherwise

    def _settle_group(self, rest: Numbers) -> None:
        """Close the routes of one smallest group that depends on nothing outside it."""
        table = {holds: self._would_hold(self._holding | holds, self.doomed) for holds in subsets(rest)}
        needs = {r: frozenset(s for s in rest if depends_on(r, s, table)) for r in rest}
        group = min((closure(r, needs) for r in sorted(rest)), key=lambda g: (any(needs[r] for r in g), len(g)))
        answers = [holds for holds in table if table[holds] & group == holds <= group]
        circle = any(needs[r] for r in group)
        self.circles += circle
        if len(answers) != 1 or (circle and any(self.facts.rows[r].flags & k.SAILS for r in group)):
            self._break_paradox(group)
        else:
            self.routes |= {r: k.HOLDS if r in answers[0] else self._lost(r, k.BROKEN) for r in group}

    def _break_paradox(self, group: Numbers) -> None:
        """Silence the fleets whose fate depends on these routes.

        The all-hold rule also stops the moves that are part of the paradox.
        """
        self.paradoxes += 1
        trials = [self._holding | holds for holds in subsets(group)]
        scenes = [self._scene(holds, self.doomed) for holds in trials]
        fleets = [f for r in group for f in self.facts.fleets(self.facts.rows[r])]
        wavering = [f.number for f in fleets if len({scene.afloat(f) for scene in scenes}) > 1]
        if self.facts.problem.knot == k.ALL_HOLD:
            self.doomed |= self._entangled_moves(group, trials)
        self.routes |= {r: self._lost(r, k.SILENCED) for r in group}
        self.routes |= dict.fromkeys(wavering, k.SILENCED)

    def _entangled_moves(self, group: Numbers, trials: list[Numbers]) -> Numbers:
        """Return the moves that depend on these routes, and on which they depend.

        (DATC 4.A.2 d: part of the paradox.)
        """
        part = set()
        for m in self.facts.moves:
            comes = [holds for holds in trials if m.number in self._scene(holds, self.doomed).came]
            if 0 < len(comes) < len(trials):
                without = self.doomed | {m.number}
                shifts = [(self._would_hold(t, self.doomed) ^ self._would_hold(t, without)) & group for t in comes]
                if m.number in group or any(shifts):
                    part.add(m.number)
        return frozenset(part)

    # -- the answer --------------------------------------------------------------------------------------------------

    def outcome(self) -> k.Outcome:
        """Return the answer in the kernel's columns."""
        scene, facts = self.scene, self.facts
        out = k.Outcome(*([0] * len(facts.rows) for _ in k.Outcome._fields))
        for row in facts.units:
            r = row.number
            if row.kind == k.MOVE:
                out.state[r] = k.CAME if r in scene.came else k.FAILED
                out.gone[r] = k.GONE if scene.has_left(row) else k.STAYS
            elif row.kind == k.SUPPORT:
                out.cut[r] = k.CUT if scene.cutters(row) else k.GIVEN
            out.route[r] = self.routes.get(r, k.OPEN)
            out.strength[r], out.spoilt[r] = scene.strength[r], scene.spoilt[r]
            out.by[r] = next(iter(self.blame(row)), 0)
        return out

    def blame(self, row: Row) -> list[int]:
        """Return the rows that stopped a move, cut a support, or lost an army its route; empty where no row did."""
        scene = self.scene
        if row.kind == k.SUPPORT:
            guilty = scene.cutters(row)
        elif row.kind != k.MOVE or row.flags & k.NOWAY or row.number in scene.came or row.number in self.doomed:
            guilty = []
        elif not scene.acts(row):
            guilty = scene.failing_carriers(row) if self.routes[row.number] == k.BROKEN else []
        else:
            guilty = scene.stoppers(row)
        return [g.number for g in guilty]


def subsets(numbers: Iterable[int]) -> list[Numbers]:
    """Return every subset, the smallest first."""
    pool = sorted(numbers)
    return [frozenset(some) for size in range(len(pool) + 1) for some in combinations(pool, size)]


def depends_on(r: int, s: int, table: dict[Numbers, Numbers]) -> bool:
    """Return whether the route of `r` depends on that of `s` for at least one combination of the others."""
    return any((r in hold) != (r in table[holds - {s}]) for holds, hold in table.items())


def closure(start: int, needs: dict[int, Numbers]) -> Numbers:
    """Return all that `start` needs, directly or not."""
    group = frozenset({start})
    while True:
        grown = group.union(*(needs[r] for r in group))
        if grown == group:
            return group
        group = grown
