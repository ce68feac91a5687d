"""Movement phases: bind, prepare, solve; then who was dislodged, where they may go, and what each order came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from gamesmaster.board import Dislodged, Position, Unit
from gamesmaster.judge.adjudication import UNASKED, Adjudication, why_unread, with_reason
from gamesmaster.judge.engine.aftermath import (
    CONTESTED,
    barred_origin,
    close,
    dislodge,
    is_landed,
    is_open,
    is_stranded,
    meets,
)
from gamesmaster.judge.engine.binding import NOBODY, BindingMechanic, Bound, Given, Silent, bind
from gamesmaster.judge.engine.choices import ORIGIN_BARRED, choices
from gamesmaster.judge.engine.indexed import IndexedPosition
from gamesmaster.judge.engine.kernel import CAME, CONVOY, CUT, MOVE, SILENCED, SUPPORT, Outcome
from gamesmaster.judge.engine.prepare import Prepared, prepare
from gamesmaster.judge.engine.resolution import WEIGHT, ParsedOrder
from gamesmaster.judge.mechanic import ReportMechanic, after_movement
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.values import AnyCause, Cause, Event, MechanicResult, Result, Ruling, Verdict, Verdicts
from gamesmaster.orders import Order, PhaseKind


def adjudicate_movement(rules: Rules, position: Position, orders: Given, silent: Silent = NOBODY) -> Movement:
    """Adjudicate a movement phase.  `orders` are by power, as texts or `Order`s, in the order written."""
    ready, verdicts = _mustered(rules, position, orders, silent)
    field = IndexedPosition(rules, ready, position)
    bound = bind(field, orders, silent, verdicts)
    prepared = prepare(field, bound, silent)
    return Movement(field, bound, prepared, prepared.problem.solve(), silent)


def _mustered(rules: Rules, position: Position, orders: Given, silent: Silent) -> tuple[Position, Verdicts]:
    """The position when all who go aboard have done so, and what was decided on the orders to."""
    verdicts: dict[tuple[str, int], Verdict] = {}
    for before_moves in rules.hooks(MovementMechanic.before_moves):
        heard = {power: given for power, given in orders.items() if power not in silent}
        position, decided, _ = before_moves(rules, position, heard)
        verdicts |= decided
    return position, verdicts


class MovementMechanic(BindingMechanic):
    """What a variant changes in a movement phase."""

    def before_moves(
        self, rules: Rules, position: Position, orders: Mapping[str, Sequence[str | Order]]
    ) -> MechanicResult:
        """What happens before anything moves (armies go aboard); orders it gives a verdict on are not bound."""
        return MechanicResult(position)

    def after_moves(self, movement: Movement, position: Position) -> MechanicResult:
        """Carry the outcome on into the new position: cargo follows, what was carried is lost, made or destroyed.

        Verdicts on bound orders are by power and number too.
        """
        return MechanicResult(position)


class Movement(Adjudication):
    """A decided movement phase: the kernel's columns, and what is read off them.

    `beaten` maps the row of each dislodged unit to its attacker's, `retreats` to the locations (numbers) open to it.
    `problem` is what the kernel was given.
    """

    def __init__(
        self, field: IndexedPosition, bound: Bound, prepared: Prepared, out: Outcome, silent: Silent = NOBODY
    ) -> None:
        self.field, self.bound, self.out, self.silent = field, bound, out, silent
        self.problem, self.unmatched = prepared
        self.rows, self.contest = self.problem.rows, self.problem.contest
        self._victors = [0] * len(out.state)  # by row, as the columns have it
        beaten = dislodge(len(self._victors) - 1, self.rows, out, field.tenant, self._victors)
        self.beaten = {r: attacker for r, attacker in enumerate(self._victors) if attacker} if beaten else {}
        self.retreats: dict[int, list[int]] = self._find_retreats() if self.beaten else {}

    # -- retreats ----------------------------------------------------------------------------------------------------

    def _find_retreats(self) -> dict[int, list[int]]:
        """Open to a dislodged unit: a step away, empty, not contested, not where its attacker came from (STD-9)."""
        board, closed = self.field.board, self._closed
        origin_barred = self.field.rules.derive(choices)[ORIGIN_BARRED]
        found = {}
        for r, attacker in self.beaten.items():
            barred = barred_origin(attacker, self.rows, self.out, origin_barred)
            found[r] = [
                location
                for place, locations in self._flees(r).items()
                if is_open(place, closed, barred)
                for location in locations
                if not (board.restricted and self._shut(r, location))
            ]
        return found

    @cached_property
    def _closed(self) -> list[int]:
        """Province to why nobody may retreat there (`FULL`, `CONTESTED`); in shared ones there is room for all."""
        closed = [0] * self.problem.size
        close(len(self._victors) - 1, self.rows, self.out, self._victors, self.contest, closed)
        for place in self.field.board.shared:
            closed[place] = 0
        return closed

    def _flees(self, r: int) -> Mapping[int, tuple[int, ...]]:
        """Where a unit may retreat to for all that the board says: one whose cargo is ashore as if it never had any."""
        placement = self.field.placements[r]
        if self.out.state[self.field.cargo.get(r, 0)] == CAME:
            return self.field.board.reach(self.field.board.base(placement.kind), placement.location)
        return placement.flees

    @property
    def standoffs(self) -> tuple[str, ...]:
        """Ids of the provinces left empty by a stand-off, in the board's order."""
        provinces = self.field.board.provinces
        return tuple(provinces[place].id for place, why in enumerate(self._closed) if why == CONTESTED)

    @property
    def dislodgements(self) -> Mapping[int, tuple[float, float]]:
        """Of each dislodged unit, by its number: how strong the attack was, and what held against it (STD-6.b)."""
        out, rows, found = self.out, self.rows, {}
        for r, attacker in self.beaten.items():
            stays = rows.kind[r] == MOVE and not meets(attacker, r, rows, out)
            held = rows.stay[r] if stays else out.strength[r]
            found[self._unit(r).number] = ((out.strength[attacker] - out.spoilt[attacker]) / WEIGHT, held / WEIGHT)
        return found

    def _shut(self, r: int, location: int) -> bool:
        unit = self._unit(r)
        return self.field.board.barred(unit.power, unit.kind, self.field.location[r], location)

    def _unit(self, r: int) -> Unit:
        unit = self.field.units[r]
        assert unit is not None
        return unit

    # -- the next position -------------------------------------------------------------------------------------------

    def _make_position(self) -> Position:
        return self._settled.position

    @property
    def happened(self) -> tuple[Event, ...]:
        """What happened in the phase without an order."""
        return self._settled.happened

    def came(self, r: int) -> bool:
        """Did the unit of this row move, and get there?"""
        return self.out.state[r] == CAME

    def after(self, r: int) -> Unit:
        """The unit of this row after the moves: where it is, and what it has become; itself if nothing has changed."""
        unit, field = self._unit(r), self.field
        at, kind, aboard = unit.at, unit.kind, unit.aboard
        if self.came(r):
            at, aboard = field.board.locations[self.bound.chosen[r].goal], 0
        elif aboard:
            carrier = field.carrier[r]
            at = self.after(carrier).at if carrier else at
        if r in field.cargo and self.came(field.cargo[r]):
            kind = field.board.base(kind)
        same = (at, kind, aboard) == (unit.at, unit.kind, unit.aboard)
        return unit if same else Unit(unit.number, kind, unit.power, at, aboard)

    @cached_property
    def _settled(self) -> MechanicResult:
        """The position after the moves, and what the mechanics make of it."""
        field, at, places = self.field, self.rows.at, self.field.board.locations
        units, dislodged = [], []
        changed = self.beaten.keys() | field.cargo.keys() | field.carrier.keys()
        for r in range(1, len(field.units)):
            if self.out.state[r] != CAME and r not in changed:
                units.append(self._unit(r))
            elif r in self.beaten:
                origin = field.board.provinces[at[self.beaten[r]]].id
                dislodged.append(Dislodged(self.after(r), origin, tuple(places[i] for i in self.retreats[r])))
            else:
                units.append(self.after(r))
        before = field.position
        position = Position(tuple(units), before.owners, tuple(dislodged), before.state)
        verdicts: dict[tuple[str, int], Verdict] = {}
        happened: list[Event] = []
        for after_moves in field.rules.hooks(MovementMechanic.after_moves):
            position, decided, more = after_moves(self, position)
            verdicts |= decided
            happened += more
        position, more = after_movement(field.rules, position)
        return MechanicResult(position, verdicts, (*happened, *more))

    # -- rulings -----------------------------------------------------------------------------------------------------

    def _make_rulings(self) -> tuple[Ruling, ...]:
        field, bound, reader = self.field, self.bound, self.field.reader
        verdicts = dict(bound.decided)
        if settled := self._settled.verdicts:
            verdicts |= {i: settled[key] for i, key in enumerate(bound.keys()) if key in settled}
        parsed_orders, clear = reader.parsed_orders[PhaseKind.MOVEMENT], bound.clear
        rulings: list[Ruling] = []
        for power, orders in bound.given.items():
            for given in orders:
                number = len(rulings)
                parsed = clear.get(number) or parsed_orders[given]
                text = given if isinstance(given, str) else reader.words(given)
                rulings.append(self._rule(number, power, text, parsed, verdicts.get(number)))
        ordered, carrier = set(bound.rows), field.carrier
        if heard := {v.unit.number for v in bound.decided.values() if v.unit}:
            ordered |= {r for r, unit in enumerate(field.units) if unit and unit.number in heard}
        silent = ordered | {c for r, c in carrier.items() if r in ordered} | carrier.keys()
        rulings += [self._rule_unordered(r) for r in range(1, len(field.units)) if r not in silent]
        return tuple(rulings)

    def _rule(self, number: int, power: str, text: str, parsed: ParsedOrder, verdict: Verdict | None) -> Ruling:
        """The ruling on an order: what a mechanic has decided, a fault, or what the kernel's columns say."""
        field, rules, order = self.field, self.field.rules, parsed.order
        r, fault = self.bound.rows[number], self.bound.faults.get(number)
        unit, strengths = field.units[r], None
        by: tuple[Unit, ...] = ()
        if verdict is not None:
            result, cause, by, unit = verdict if verdict.unit else verdict._replace(unit=unit)
        else:
            if fault is not None:
                result, cause = Result.VOID, fault
            elif r in self.unmatched:
                result, cause = Result.VOID, self.unmatched[r]
            else:
                result, cause, doers, strengths = self._decided(r)
                if doers:
                    by = tuple([self._unit(row) for row in doers if row])
            if order is not None and r in field.carrier and order.kind in field.board.forms:
                r = field.carrier[r]  # it may be written as the order of both, or of the one that is carried
                unit = field.units[r]
        victor = self._unit(self.beaten[r]) if r in self.beaten else None
        detail, aspect = why_unread(parsed.error) if parsed.error is not None else ("", "")
        ruling = Ruling(
            power, unit, order, text, result, cause, by, victor, strengths, detail, aspect, rules.wording, rules.board
        )
        return self._with_reason(ruling) if self._explained or cause in UNASKED else ruling

    def _with_reason(self, ruling: Ruling) -> Ruling:
        field = self.field
        return with_reason(ruling, field.rules, field.before, PhaseKind.MOVEMENT, self._carried_out)

    @cached_property
    def _explained(self) -> bool:
        """Does a mechanic know better why?"""
        return bool(self.field.rules.hooks(ReportMechanic.ruling_aspect))

    @cached_property
    def _carried_out(self) -> Mapping[int, Order]:
        """What units carry out, by their numbers; only mechanics want to know it."""
        if not self._explained:
            return {}
        return {u.number: d.order for u, d in zip(self.field.units, self.bound.chosen, strict=True) if u}

    def _victor(self, r: int) -> Unit | None:
        return self._unit(self.beaten[r]) if r in self.beaten else None

    def _rule_unordered(self, r: int) -> Ruling:
        unit, rules = self._unit(r), self.field.rules
        cause = self.silent.get(unit.power, Cause.UNORDERED)
        ruling = Ruling(
            unit.power, unit, None, "", Result.HOLDS, cause, dislodged_by=self._victor(r),
            clauses=rules.wording, board=rules.board,
        )  # fmt: skip
        return self._with_reason(ruling)

    def _decided(self, r: int) -> tuple[Result, AnyCause, tuple[int, ...], tuple[float, float] | None]:
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

    def _decided_move(self, r: int) -> tuple[Result, AnyCause, tuple[int, ...], tuple[float, float] | None]:
        out, rows, resolved = self.out, self.rows, self.bound.chosen[r]
        if out.state[r] == CAME:
            cause = resolved.came or (Cause.CAME_BY_SEA if is_landed(r, rows, out) else Cause.CAME)
            return Result.SUCCEEDS, cause, (), None
        blocker = out.by[r]
        if is_stranded(r, out):
            if resolved.left:
                return Result.NO_CONVOY, resolved.left, (blocker,) if blocker else (), None
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
        elif moving and meets(r, blocker, rows, out):
            cause, theirs = Cause.BEATEN_HEAD_ON, max(out.strength[blocker], rows.stay[blocker])
        else:
            theirs = rows.stay[blocker] if moving else out.strength[blocker]
            cause = Cause.OWN_HELP if out.strength[r] > theirs >= mine else Cause.RESISTED
        return Result.BOUNCES, cause, (blocker,), (mine / WEIGHT, theirs / WEIGHT)
