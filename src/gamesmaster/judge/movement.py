"""Movement phases: bind, prepare, solve; then who was dislodged, where they may go, and what each order came to."""

from __future__ import annotations

from gamesmaster.board import Dislodged, Position, Unit
from gamesmaster.judge.adjudication import Adjudication
from gamesmaster.judge.binding import NOBODY, Bound, Entry, Given, Silent, bind
from gamesmaster.judge.field import Field
from gamesmaster.judge.kernel import (
    ALWAYS,
    BROKEN,
    CAME,
    CARRIED,
    CONVOY,
    CUT,
    FAINT,
    GONE,
    HOLDS,
    MOVE,
    NEVER,
    NOWAY,
    PASS,
    SILENCED,
    SUPPORT,
    WALKS,
    Outcome,
)
from gamesmaster.judge.prepare import WEIGHT, Prepared, prepare
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.ruling import Cause, Result, Ruling


def adjudicate_movement(rules: Rules, position: Position, orders: Given, silent: Silent = NOBODY) -> Movement:
    """Adjudicate a movement phase.  `orders` are by power, as texts or `Order`s, in the order written."""
    field = Field(rules, position)
    bound = bind(field, orders, silent)
    prepared = prepare(field, bound, silent)
    return Movement(field, bound, prepared, prepared.problem.solve(), silent)


class Movement(Adjudication):
    """A decided movement phase: the kernel's columns, and what is read off them.

    `beaten` maps the row of each dislodged unit to its attacker's, `retreats` to the locations (numbers) open to it.
    """

    def __init__(self, field: Field, bound: Bound, prepared: Prepared, out: Outcome, silent: Silent = NOBODY) -> None:
        self.field, self.bound, self.out, self.silent = field, bound, out, silent
        problem, self.unmatched = prepared
        self.rows, self.contest = problem.rows, problem.contest
        to, state, gone, tenant = self.rows.to, out.state, out.gone, field.tenant
        self.beaten: dict[int, int] = {}
        for r, came in enumerate(state):
            if came == CAME:
                occupant = tenant[to[r]]
                if occupant and gone[occupant] != GONE:
                    self.beaten[occupant] = r
        self.retreats: dict[int, list[int]] = self._find_retreats() if self.beaten else {}

    # -- retreats ----------------------------------------------------------------------------------------------------

    def _find_retreats(self) -> dict[int, list[int]]:
        """Open to a dislodged unit: a step away, empty, not contested, not where its attacker came from (STD-9)."""
        field, board = self.field, self.field.board
        closed = self._full() | self._contested()
        found = {}
        for r, attacker in self.beaten.items():
            barred = {self.rows.at[attacker]} if self._bars_origin(attacker) else set()
            found[r] = [
                location
                for place, locations in field.stances[r].reach.items()
                if place not in closed and place not in barred
                for location in locations
                if not (board.restricted and self._shut(r, location))
            ]
        return found

    def _full(self) -> set[int]:
        """Provinces with a unit in them after the moves."""
        at, to, state = self.rows.at, self.rows.to, self.out.state
        return {to[r] if state[r] == CAME else at[r] for r in range(1, len(at)) if r not in self.beaten}

    def _contested(self) -> set[int]:
        """Provinces left empty by a stand-off: somebody tried to enter, to some effect, and did not."""
        kind, at, to, _, _, _, _, _, flags = self.rows
        found = set()
        for r in range(1, len(kind)):
            if kind[r] != MOVE or self.out.state[r] == CAME or flags[r] & (NOWAY | FAINT) or self._not_carried(r):
                continue
            victor = self.beaten.get(r)
            if not (victor and at[victor] == to[r] and self._loses_effect(r, victor)):
                found.add(to[r])
        return found

    def _loses_effect(self, r: int, victor: int) -> bool:
        """Has a unit no effect on the place that the one that beat it came from (4.A.7)?"""
        return self.contest == NEVER or (self.contest != ALWAYS and self._meet(r, victor))

    def _not_carried(self, r: int) -> bool:
        return self.out.route[r] in (BROKEN, SILENCED)

    def _sailed(self, r: int) -> bool:
        return bool(self.rows.flags[r] & CARRIED) and self.out.route[r] == HOLDS

    def _meet(self, r: int, s: int) -> bool:
        """Do two moves meet head on, neither passing the other?"""
        rows, route = self.rows, self.out.route
        passing = any(rows.flags[m] & NOWAY or (rows.flags[m] & PASS and route[m] != WALKS) for m in (r, s))
        return not passing and rows.to[s] == rows.whence[r] and rows.to[r] == rows.whence[s]

    def _bars_origin(self, attacker: int) -> bool:
        """No retreat to where the attacker came from, unless it came by convoy (4.A.5)."""
        return not self._sailed(attacker) or self.field.rules.rulebook.retreat_to_convoy_origin == "forbidden"

    def _shut(self, r: int, location: int) -> bool:
        unit = self._unit(r)
        return self.field.board.barred(unit.power, unit.kind, self.field.location[r], location)

    def _unit(self, r: int) -> Unit:
        unit = self.field.units[r]
        assert unit is not None
        return unit

    # -- the next position -------------------------------------------------------------------------------------------

    def _make_position(self) -> Position:
        field, state, at = self.field, self.out.state, self.rows.at
        places = field.board.locations
        units, dislodged = [], []
        for r in range(1, len(field.units)):
            unit = self._unit(r)
            if r in self.beaten:
                origin = field.board.provinces[at[self.beaten[r]]].id
                dislodged.append(Dislodged(unit, origin, tuple(places[i] for i in self.retreats[r])))
            elif state[r] == CAME:
                goal = places[self.bound.chosen[r].goal]
                units.append(Unit(unit.number, unit.kind, unit.power, goal, unit.aboard))
            else:
                units.append(unit)
        before = field.position
        return Position(tuple(units), before.owners, tuple(dislodged), before.state)

    # -- rulings -----------------------------------------------------------------------------------------------------

    def _make_rulings(self) -> tuple[Ruling, ...]:
        rulings = [self._rule(i, entry) for i, entry in enumerate(self.bound.entries(self.field.rules.clerk))]
        ordered = set(self.bound.rows)
        rulings += [self._rule_unordered(r) for r in range(1, len(self.field.units)) if r not in ordered]
        return tuple(rulings)

    def _rule(self, i: int, entry: Entry) -> Ruling:
        fault = self.bound.faults.get(i)
        r, order = entry.row, entry.reading.order
        detail = ""
        strengths: tuple[float, float] | None = None
        by: tuple[int, ...] = ()
        if fault is not None:
            result, cause = Result.VOID, fault
            if entry.reading.error is not None:
                detail = str(entry.reading.error)
        elif r in self.unmatched:
            result, cause = Result.VOID, self.unmatched[r]
        else:
            result, cause, by, strengths = self._decided(r)
        return Ruling(
            power=entry.power,
            unit=self.field.units[r],
            order=order,
            given=self.field.rules.clerk.words(entry.given),
            result=result,
            cause=cause,
            by=tuple(self._unit(b) for b in by if b),
            dislodged_by=self._victor(r),
            strengths=strengths,
            detail=detail,
            board=self.field.board,
        )

    def _victor(self, r: int) -> Unit | None:
        return self._unit(self.beaten[r]) if r in self.beaten else None

    def _rule_unordered(self, r: int) -> Ruling:
        unit = self._unit(r)
        return Ruling(
            power=unit.power,
            unit=unit,
            order=None,
            given="",
            result=Result.HOLDS,
            cause=self.silent.get(unit.power, Cause.UNORDERED),
            dislodged_by=self._victor(r),
            board=self.field.board,
        )

    def _decided(self, r: int) -> tuple[Result, Cause, tuple[int, ...], tuple[float, float] | None]:
        """Read the decision on row `r` off the kernel's columns: result, cause, who did it, the strengths compared."""
        out, kind = self.out, self.rows.kind[r]
        code = self.bound.chosen[r].code
        if code == MOVE:
            return self._decided_move(r)
        if kind == SUPPORT:
            if out.cut[r] != CUT:
                return Result.SUCCEEDS, Cause.GIVEN, (), None
            beaten = out.by[r] == self.beaten.get(r) and self.rows.whence[out.by[r]] == self.rows.to[r]
            return Result.CUT, Cause.CUT_BY_DISLODGEMENT if beaten else Cause.CUT_BY_ATTACK, (out.by[r],), None
        if code == CONVOY:
            if r in self.beaten:
                return Result.DISRUPTED, Cause.CARRIER_LOST, (self.beaten[r],), None
            if kind == CONVOY and out.route[r] == SILENCED:
                return Result.DISRUPTED, Cause.CARRIER_SILENCED, (), None
            return Result.SUCCEEDS, Cause.AVAILABLE, (), None
        return Result.HOLDS, Cause.HELD, (), None

    def _decided_move(self, r: int) -> tuple[Result, Cause, tuple[int, ...], tuple[float, float] | None]:
        out, rows = self.out, self.rows
        if out.state[r] == CAME:
            return Result.SUCCEEDS, Cause.CAME_BY_SEA if self._sailed(r) else Cause.CAME, (), None
        blocker = out.by[r]
        if self._not_carried(r):
            if out.route[r] == SILENCED:
                return Result.NO_CONVOY, Cause.CONVOY_SILENCED, (), None
            return Result.NO_CONVOY, Cause.CONVOY_BROKEN, (blocker,), None
        if not blocker:
            return Result.BOUNCES, Cause.PARADOX, (), None
        against_occupant = self.field.tenant[rows.to[r]] == blocker
        mine = out.strength[r] - (out.spoilt[r] if against_occupant else 0)
        moving = rows.kind[blocker] == MOVE
        if not against_occupant:
            cause, theirs = Cause.STOOD_OFF, out.strength[blocker]
        elif rows.owner[blocker] == rows.owner[r]:
            return Result.BOUNCES, Cause.OWN_UNIT, (blocker,), None
        elif moving and self._meet(r, blocker):
            cause, theirs = Cause.BEATEN_HEAD_ON, out.strength[blocker]
        else:
            theirs = rows.stay[blocker] if moving else out.strength[blocker]
            cause = Cause.OWN_HELP if out.strength[r] > theirs >= mine else Cause.RESISTED
        return Result.BOUNCES, cause, (blocker,), (mine / WEIGHT, theirs / WEIGHT)
