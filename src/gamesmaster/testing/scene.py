"""What the rules say once it is supposed which moves come through and which convoy routes hold.

The definitions are those of DATC 5 (attack, hold, prevent and defend strength, cut, path), written down one by one and
without regard to speed: the naive solver asks them of every supposition.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from gamesmaster.judge import kernel as k
from gamesmaster.judge.problem import Problem

Numbers = frozenset[int]
"""A set of rows, by number."""


class Row(NamedTuple):
    """One row of a Problem (see `gamesmaster.judge.kernel.Rows`)."""

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
    """What a Problem says before anything is supposed."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rows = [Row(number, *cells) for number, cells in enumerate(zip(*problem.rows, strict=True))]
        self.units = self.rows[1:]
        self.occupant = {u.at: u for u in self.units if not u.flags & k.ABSENT}
        self.moves = [u for u in self.units if u.kind == k.MOVE and not u.flags & k.NOWAY]
        self.supports = [u for u in self.units if u.kind == k.SUPPORT]
        self.carried = [u for u in self.moves if u.flags & k.CARRIED]

    def toward(self, place: int) -> list[Row]:
        """Moves to a place."""
        return [m for m in self.moves if m.to == place]

    def fleets(self, army: Row) -> list[Row]:
        """The fleets that were ordered to convoy an army."""
        return [u for u in self.units if u.kind == k.CONVOY and u.about == army.number]

    def linked(self, a: int, b: int) -> bool:
        """Does a convoy pass between shore or water `a` and water `b`?"""
        return bool(self.problem.link[a * self.problem.size + b])

    def useless(self, support: Row) -> bool:
        """Is it given to a row that nobody can support?"""
        return bool(self.rows[support.about].flags & k.ALONE)

    def spoils(self, support: Row) -> bool:
        """Is it given to a move against the supporter's own side?  It may not help to dislodge (DATC 6.D.10)."""
        helped = self.rows[support.about]
        foe = self.occupant.get(helped.to)
        return helped.kind == k.MOVE and foe is not None and foe.owner == support.owner


class Scene:
    """What follows from supposing that just the moves `came` come through and just the routes `holds` hold.

    `walks` are the carried rows that go by land instead.
    """

    def __init__(self, facts: Facts, came: Numbers, holds: Numbers, walks: Numbers) -> None:
        self.facts, self.came, self.holds, self.walks = facts, came, holds, walks

    def acts(self, move: Row) -> bool:
        """Does a move get as far as an attack on its goal (DATC 5: path)?"""
        return not move.flags & k.CARRIED or move.number in self.holds | self.walks

    # -- support -----------------------------------------------------------------------------------------------------

    def cutters(self, support: Row) -> list[Row]:
        """Who cuts this support?  From the place supported into only by dislodging (DATC 5: support)."""
        if self.facts.useless(support):
            return []
        return [
            m
            for m in self.facts.toward(support.at)
            if self.acts(m)
            and m.owner != support.owner
            and not m.flags & (k.BLUNT | k.FREE)
            and (m.whence != support.to or m.number in self.came)
        ]

    @cached_property
    def given(self) -> list[Row]:
        """The supports that count."""
        return [s for s in self.facts.supports if not self.facts.useless(s) and not self.cutters(s)]

    @cached_property
    def strength(self) -> list[int]:
        """Of every row: its own weight and the help it gets."""
        weights = [row.force for row in self.facts.rows]
        for s in self.given:
            weights[s.about] += s.force
        return weights

    @cached_property
    def spoilt(self) -> list[int]:
        """Of every row: the help that may not dislodge the unit at its goal, because it is that unit's own side's."""
        weights = [0] * len(self.facts.rows)
        for s in self.given:
            if self.facts.spoils(s):
                weights[s.about] += s.force
        return weights

    # -- moves -------------------------------------------------------------------------------------------------------

    def gone(self, unit: Row) -> bool:
        """Has a unit left its place?  With LEAVES also aboard a fleet of its own, though refused ashore (AFM-2.e)."""
        if unit.number in self.came:
            return True
        aboard = unit.flags & k.LEAVES and unit.number in self.holds
        return bool(aboard) and any(f.owner == unit.owner and self.afloat(f) for f in self.facts.fleets(unit))

    def passes(self, move: Row) -> bool:
        """Does it go where nobody meets it?"""
        return bool(move.flags & k.FREE) or (bool(move.flags & k.PASS) and move.number not in self.walks)

    def met(self, move: Row) -> list[Row]:
        """The moves it meets head on: each strikes where the other's blow comes from (DATC 5: head-to-head battle).

        An army that strikes from its last fleet is met there, whatever becomes of its route (DATC 6.F.30 under 4.A.4).
        """
        if self.passes(move):
            return []
        return [
            m
            for m in self.facts.toward(move.whence)
            if m.whence == move.to and not self.passes(m) and (self.acts(m) or m.whence != m.at)
        ]

    def prevents(self, move: Row) -> int:
        """The strength with which a move keeps others out of its goal (DATC 5: prevent strength; 4.A.7)."""
        contest = self.facts.problem.contest
        if not self.acts(move) or move.flags & k.FREE:
            return 0
        if contest != k.ALWAYS and any(m.number in self.came for m in self.met(move)):
            return 0
        if contest == k.NEVER and any(v.whence == move.to for v in self.victors(move)):
            return 0
        return self.strength[move.number]

    def victors(self, unit: Row) -> list[Row]:
        """The move that dislodges a unit, if any does."""
        if unit.flags & k.ABSENT or self.gone(unit):
            return []
        return [m for m in self.facts.toward(unit.at) if m.number in self.came and not m.flags & k.FREE]

    def stoppers(self, move: Row) -> list[Row]:
        """Everybody who keeps a move that acts from coming through; if there is nobody, it comes through."""
        if move.flags & k.FREE:
            return []
        full = self.strength[move.number]
        fair = full - self.spoilt[move.number]
        met = self.met(move)
        found = [x for x in met if x.owner == move.owner or fair <= max(self.strength[x.number], x.stay)]
        host = self.facts.occupant.get(move.to)
        free = host is None or self.gone(host)
        if host is not None and not free:
            defence = host.stay if host.kind == k.MOVE else self.strength[host.number]
            if host.owner == move.owner or fair <= defence:
                found.append(host)
        power = full if free and not met else fair
        return found + [m for m in self.facts.toward(move.to) if m is not move and power <= self.prevents(m)]

    # -- convoys -----------------------------------------------------------------------------------------------------

    def afloat(self, fleet: Row) -> bool:
        """Is a carrier undislodged?"""
        return not any(m.number in self.came and not m.flags & k.FREE for m in self.facts.toward(fleet.at))

    def lost(self, army: Row) -> list[Row]:
        """The carriers of an army that failed it: dislodged, or, ordered to sail it there first, not arrived."""
        if army.flags & k.SAILS:
            return [c for c in self.facts.rows if c.number == army.about and c.number not in self.came]
        fleets = [self.facts.rows[army.about]] if army.about else self.facts.fleets(army)
        return [f for f in fleets if not self.afloat(f)]

    def carries(self, army: Row) -> bool:
        """Would the route of a carried army hold?  One whole chain is enough, without EVERY (DATC 4.A.1)."""
        lost = self.lost(army)
        if army.about:
            return not lost
        return not (army.flags & k.EVERY and lost) and self._chain(army, lost)

    def _chain(self, army: Row, lost: list[Row]) -> bool:
        linked = self.facts.linked
        ashore = [f for f in self.facts.fleets(army) if f not in lost]
        reached = [f for f in ashore if linked(army.at, f.at)]
        ring = reached
        while ring:
            ring = [f for f in ashore if f not in reached and any(linked(g.at, f.at) for g in ring)]
            reached = reached + ring
        return any(linked(army.to, f.at) for f in reached)
