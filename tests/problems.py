"""Random Problems of a plausible form, small enough to be adjudicated by trying everything.

Each has a theme, which says what it is likely to hold.  The form is what `prepare` would write: no row asks for
anything that no order and no mechanic means.
"""

from __future__ import annotations

from enum import StrEnum
from random import Random

from hypothesis import strategies as st

from gamesmaster.engine import rows as k
from gamesmaster.engine.problem import NOBODY, Problem

UNIT, HALF, QUARTER = 4, 2, 1
"""Weights: a unit, an attack at half strength, a move that only its like resists (it stands with a unit's weight)."""


class DraftRow:
    """A row while it is written; at first a unit that holds."""

    def __init__(self, number: int, at: int, owner: int) -> None:
        self.number, self.at, self.owner = number, at, owner
        self.kind, self.to, self.whence, self.about = k.HOLD, at, at, 0
        self.force = self.stay = UNIT
        self.flags = 0

    def goal(self) -> int:
        """Return the province that a support for it must name."""
        return self.to if self.kind == k.MOVE else self.at

    def move(self, to: int, flags: int = 0) -> None:
        """Order it to go."""
        self.kind, self.to = k.MOVE, to
        self.flags |= flags

    def support(self, helped: DraftRow) -> None:
        """Order it to help another row in whatever that was ordered to do."""
        self.kind, self.to, self.about = k.SUPPORT, helped.goal(), helped.number

    def convoy(self, army: DraftRow) -> None:
        """Order it to carry an army."""
        self.kind, self.about = k.CONVOY, army.number

    def cells(self) -> tuple[int, ...]:
        """Return the cells, in the order of the columns."""
        return (
            self.kind, self.at, self.to, self.whence, self.about, self.owner, self.force, self.stay, self.flags
        )  # fmt: skip


class Draft:
    """Rows so far, and pairs of provinces that a convoy passes between."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.rows: list[DraftRow] = []
        self.links: set[tuple[int, int]] = set()
        self.size = 0

    def chance(self, percent: int) -> bool:
        """Throw for it."""
        return self.rng.randrange(100) < percent

    def add(self, at: int, owner: int) -> DraftRow:
        """Put a unit somewhere."""
        row = DraftRow(len(self.rows) + 1, at, owner)
        self.rows.append(row)
        self.size = max(self.size, at + 1)
        return row

    def join(self, water: int, other: int, both_waters: bool) -> None:
        """Let convoys pass between a water and a shore, or another water."""
        self.links.add((other, water))
        if both_waters:
            self.links.add((water, other))

    def problem(self) -> Problem:
        """Return the Problem, with one of the rules for contested places and for paradoxes."""
        rng = self.rng
        blank = (k.HOLD, 0, 0, 0, 0, NOBODY, 0, 0, 0)
        columns = zip(blank, *(row.cells() for row in self.rows), strict=True)
        link = bytearray(self.size * self.size)
        for a, b in self.links:
            link[a * self.size + b] = 1
        return Problem(
            rows=k.Rows(*(list(cells) for cells in columns)),
            size=self.size,
            link=bytes(link),
            contest=rng.choice([k.UNLESS_HEAD_ON, k.UNLESS_HEAD_ON, k.UNLESS_HEAD_ON, k.NEVER, k.ALWAYS]),
            knot=rng.choice([k.SZYKMAN, k.SZYKMAN, k.ALL_HOLD]),
        )


MOST_ARMIES = 3


def knotted_problem(rng: Random) -> Problem:
    """Draw one to three armies at sea, whose landings decide which fleets are dislodged or do not arrive.

    Every fleet has an enemy, and a supporter that helps the stronger or the weaker side; every army moves against
    supporters. So each route may depend on any other, or on itself.
    """
    draft = _Knot(rng)
    for _ in range(rng.randint(1, MOST_ARMIES)):
        if draft.chance(20):
            draft.sail()
        else:
            draft.embark()
    draft.land()
    return draft.problem()


class _Knot(Draft):
    """The pieces of a knot: armies aboard, armies convoyed by one or two fleets, and who fights over the fleets."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.armies: list[DraftRow] = []
        self.supporters: list[DraftRow] = []
        self.common = k.EVERY if self.chance(15) else 0

    def unit(self) -> DraftRow:
        """Put a unit on a place of its own."""
        return self.add(self.size, self.rng.randint(1, 4))

    def embark(self) -> None:
        """An army on the shore, and its fleets: either of two may do, or both are needed."""
        army = self.unit()
        army.flags = k.CARRIED | k.PASS | self.common | self.rng.choice([0] * 8 + [k.EITHER, k.LEAVES])
        fleets = [self.unit() for _ in range(self.rng.choice([1, 1, 2]))]
        for fleet in fleets:
            fleet.convoy(army)
            self.threaten(fleet)
        chain = self.chance(50)
        for fleet in fleets[:1] if chain else fleets:
            self.join(fleet.at, army.at, both_waters=False)
        for other in fleets[1:] if chain else ():
            self.join(fleets[0].at, other.at, both_waters=True)
        self.armies.append(army)

    def sail(self) -> None:
        """An army aboard a fleet that must first win another water."""
        fleet, guard = self.unit(), self.unit()
        fleet.move(guard.at)
        self.take_sides(fleet, guard)
        army = self.add(guard.at, fleet.owner)
        army.about, army.flags = fleet.number, k.ABSENT | k.CARRIED | k.SAILS | k.PASS
        self.armies.append(army)

    def threaten(self, fleet: DraftRow) -> None:
        """Attack a fleet."""
        attacker = self.unit()
        attacker.move(fleet.at)
        self.take_sides(attacker, fleet)

    def take_sides(self, attacker: DraftRow, fleet: DraftRow) -> None:
        """Help the attack, or the fleet against an attack with help; two supporters may share a place (SCO-8.a)."""
        supporter = self.unit()
        if self.supporters and self.chance(30):
            supporter.at = supporter.whence = self.rng.choice(self.supporters).at
            supporter.flags = k.ABSENT
        if self.chance(60):
            supporter.support(attacker)
        else:
            supporter.support(fleet)
            second = self.unit()
            second.support(attacker)
            if self.chance(50):
                self.supporters.append(second)
        self.supporters.append(supporter)

    def land(self) -> None:
        """Send every army against a supporter; the fleets next to its goal are its own."""
        for army in self.armies:
            army.move(self.rng.choice(self.supporters).at)
            fleets = [row for row in self.rows if row.kind == k.CONVOY and row.about == army.number]
            for fleet in fleets:
                if fleet is fleets[-1] or (army.at, fleet.at) in self.links:
                    self.join(fleet.at, army.to, both_waters=False)


MOST_ROWS = 8
MOST_CARRIED = 4


class Theme(StrEnum):
    """The theme of a random Problem."""

    PLAIN = "plain"  # land only: supports, rings, units head on
    CONVOYS = "convoys"  # routes that depend on battles
    KNOTS = "knots"  # routes that depend on one another
    LANDINGS = "landings"  # armies aboard fleets, and ferries
    CROWD = "crowd"  # a place where units lie together, other weights


def random_problem(rng: Random, theme: Theme | None = None) -> Problem:
    """Draw a Problem of 2 to 8 rows on 3 to 7 provinces, or of up to 27 rows for a knot.

    The same generator in the same state always draws the same one.
    """
    theme = theme or rng.choice(list(Theme))
    return knotted_problem(rng) if theme is Theme.KNOTS else _Skirmish(rng, theme).problem()


def problems() -> st.SearchStrategy[Problem]:
    """Return Problems of every theme, small enough for the naive solver, as a Hypothesis strategy."""
    return st.randoms(use_true_random=False).map(random_problem)


def permute(problem: Problem, order: list[int]) -> Problem:
    """Return the same Problem with its rows in another order: new row i + 1 is old row `order[i]`."""
    new = {0: 0} | {old: i for i, old in enumerate(order, 1)}
    rows = k.Rows(*([cells[0], *(cells[old] for old in order)] for cells in problem.rows))
    rows.about[:] = [new[about] for about in rows.about]
    return problem._replace(rows=rows)


class _Skirmish(Draft):
    """A Problem while it is drawn: waters come first among the provinces, the box last.

    Goals are drawn so that things meet: convoyed armies make for supporters, supporters help those who attack convoys.
    """

    def __init__(self, rng: Random, theme: Theme) -> None:
        super().__init__(rng)
        self.theme = theme
        self.by_sea = theme in (Theme.CONVOYS, Theme.LANDINGS)
        self.waters = 0 if theme is Theme.PLAIN else rng.randint(1, 3)
        self.size = self.waters + rng.randint(3, 4)
        self.box = self.size - 1 if theme is Theme.CROWD else -1
        self.shores = [p for p in range(self.waters, self.size) if p != self.box]
        self._join_waters()
        self._place_units()
        self._choose_kinds()
        self._aim_moves()
        self._order_fleets()
        self._order_landings()
        self._aim_supports()

    # -- the pieces --------------------------------------------------------------------------------------------------

    def _place_units(self) -> None:
        for place in range(self.size):
            if place == self.box:
                for _ in range(self.rng.randint(1, 2)):
                    self.add(place, self.rng.randint(1, 3)).flags = k.ABSENT
            elif self.chance(90):
                self.add(place, self.rng.randint(1, 3))
        taken = {row.at for row in self.rows}
        for place in [p for p in self.shores if p not in taken][: max(0, 2 - len(self.rows))]:
            self.add(place, 1)

    def _join_waters(self) -> None:
        for water in range(self.waters):
            for other in range(self.size):
                if other not in (water, self.box) and self.chance(60):
                    self.join(water, other, both_waters=other < self.waters)

    # -- the orders --------------------------------------------------------------------------------------------------

    def _choose_kinds(self) -> None:
        """First what each unit does; whither and for whom is drawn when all are known."""
        carried = 0
        for row in self.rows:
            if self.by_sea and row.at >= self.waters and carried < MOST_CARRIED and self.chance(45):
                row.kind, row.flags = k.MOVE, k.CARRIED | k.PASS
                carried += 1
            elif self.by_sea and row.at < self.waters and self.chance(65):
                row.kind = k.CONVOY if self.theme is Theme.CONVOYS else self.rng.choice([k.CONVOY, k.MOVE, k.HOLD])
            else:
                row.kind = self.rng.choice([k.MOVE, k.MOVE, k.SUPPORT, k.SUPPORT, k.HOLD])
            if row.kind == k.HOLD and self.chance(15):
                row.owner = 10 + row.at  # a standing army, of no power

    def _aim_moves(self) -> None:
        every = self.chance(15)
        prize = self.rng.choice(self.shores)
        for row in self.rows:
            if row.flags & k.CARRIED:
                self._send_by_sea(row, every)
        for row in self.rows:
            if row.kind == k.MOVE and not row.flags & k.CARRIED:
                comers = [u.at for u in self.rows if u.kind == k.MOVE and u.to == row.at != u.at]
                seaward = self.by_sea and self.chance(50)
                goals = [p for p in range(self.waters if seaward else self.size) if p != row.at]
                if comers and self.chance(50):
                    goals = comers
                elif prize != row.at and self.chance(30):
                    goals = [prize]
                self._send(row, self.rng.choice(goals or self.shores))

    def _send(self, row: DraftRow, goal: int) -> None:
        row.to = goal
        if goal == self.box:
            row.flags |= k.FREE
        elif self.chance(5):
            row.flags |= k.NOWAY
        elif self.chance(5):
            row.flags |= k.PASS
        elif self.chance(50 if self.theme is Theme.CROWD else 5):
            row.force = self.rng.choice([HALF, QUARTER])
            if row.force == QUARTER:
                row.flags |= k.BLUNT | k.FAINT | k.ALONE
            row.stay = self.rng.choice([UNIT, UNIT, UNIT, QUARTER])

    def _send_by_sea(self, row: DraftRow, every: bool) -> None:
        goals = [p for p in self.shores if p != row.at]
        guarded = [p for p in goals if any(u.at == p and u.kind == k.SUPPORT for u in self.rows)]
        row.to = self.rng.choice(guarded if guarded and self.chance(60) else goals)
        row.flags |= k.EVERY if every else 0
        if self.chance(15):
            row.flags |= k.EITHER
        elif self.theme is Theme.LANDINGS and self.chance(50):
            row.flags |= k.LEAVES
        if self.chance(8):
            row.flags |= k.BLUNT

    def _order_fleets(self) -> None:
        armies = [row for row in self.rows if row.flags & k.CARRIED]
        for row in self.rows:
            if row.kind == k.CONVOY and armies:
                row.convoy(self.rng.choice(armies))
            elif row.kind == k.CONVOY:
                row.kind = k.HOLD
        for army in armies:
            fleets = [row for row in self.rows if row.kind == k.CONVOY and row.about == army.number]
            if fleets and not army.flags & (k.EITHER | k.LEAVES) and self.chance(20):
                self._strike_from(army, self.rng.choice(fleets).at)

    def _strike_from(self, army: DraftRow, water: int) -> None:
        """Make an army attack from its last fleet (DATC 4.A.4), and other rows meet it there."""
        army.whence = water
        army.flags &= ~k.PASS
        for row in self.rows:
            if row.at == army.to and row.kind == k.MOVE and not row.flags and self.chance(70):
                row.to = water

    def _order_landings(self) -> None:
        for fleet in list(self.rows) if self.theme is Theme.LANDINGS else ():
            afloat = fleet.at < self.waters and fleet.kind in (k.HOLD, k.MOVE) and not fleet.flags & k.NOWAY
            if afloat and fleet.goal() < self.waters and len(self.rows) < MOST_ROWS and self.chance(90):
                army = self.add(fleet.goal(), fleet.owner)
                army.about = fleet.number
                guarded = [u.at for u in self.rows if u.kind == k.SUPPORT and u.at in self.shores]
                army.move(self.rng.choice(guarded if guarded and self.chance(60) else self.shores), k.ABSENT | k.PASS)
                sails = fleet.kind == k.MOVE
                army.flags |= k.CARRIED | k.SAILS if sails else self.rng.choice([0, k.CARRIED])
                if self.chance(10):
                    army.flags |= k.BLUNT

    def _aim_supports(self) -> None:
        supporters = [u for u in self.rows if u.kind == k.SUPPORT]
        for row in supporters:
            row.kind = k.HOLD  # unless there is somebody to help
        for row in supporters:
            others = [u for u in self.rows if row.at != u.goal() != self.box and not u.flags & k.NOWAY and u is not row]
            if others:
                row.support(self.rng.choice(self._worth_helping(row, others) or others))

    def _worth_helping(self, row: DraftRow, others: list[DraftRow]) -> list[DraftRow]:
        """Return rows worth supporting.

        They attack the supporter's attackers, have support already, or move to or by sea.
        """
        foes = {u.at for u in self.rows if u.kind == k.MOVE and u.to == row.at}
        helped = {u.about for u in self.rows if u.kind == k.SUPPORT}
        if self.chance(25):
            return [u for u in others if u.goal() in foes]
        if self.chance(40):
            return [u for u in others if u.number in helped]
        if self.chance(50):
            return [u for u in others if u.kind == k.MOVE and (u.to < self.waters or u.flags & k.CARRIED)]
        return []
