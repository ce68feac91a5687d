"""Movement phases: bind, prepare, solve; then who was dislodged, where they may go, and what each order came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from gamesmaster.board import Dislodged, Position, Unit
from gamesmaster.engine import CONVOY, GONE, HOLD, MOVE, NOWAY, SUPPORT, Column
from gamesmaster.engine.aftermath import CONTESTED, barred_origin, close, dislodge, is_landed, is_stranded, meets
from gamesmaster.engine.problem import WEIGHT
from gamesmaster.engine.rows import CAME, CUT, SILENCED, Outcome
from gamesmaster.errors import BadOrder
from gamesmaster.judge.adjudication import Adjudication, why_unread, with_reason
from gamesmaster.judge.binding import (
    ALL_GIVE_ORDERS,
    BindingMechanic,
    Bound,
    OrderTexts,
    PowersWithoutOrders,
    bind_orders,
)
from gamesmaster.judge.indexed import IndexedPosition, intended_standing
from gamesmaster.judge.prepare import Prepared, prepare
from gamesmaster.judge.retreats import find_refuges
from gamesmaster.orders import GivenOrder, Order, PhaseKind
from gamesmaster.rules import (
    AnyCause,
    Cause,
    Event,
    MechanicResult,
    ReportMechanic,
    Result,
    Rules,
    Ruling,
    Standing,
    Verdict,
    Verdicts,
    after_movement,
    choices,
    sorts_of,
)


def adjudicate_movement(
    rules: Rules, position: Position, orders: OrderTexts, silent: PowersWithoutOrders = ALL_GIVE_ORDERS
) -> Movement:
    """Adjudicate a movement phase.  `orders` are by power, as texts or `Order`s, in the order written."""
    ready, verdicts = _mustered(rules, position, orders, silent)
    field = IndexedPosition(rules, ready, position)
    bound = bind_orders(field, orders, silent, verdicts)
    prepared = prepare(field, bound, silent)
    return Movement(field, bound, prepared, prepared.problem.solve(), silent)


def _mustered(
    rules: Rules, position: Position, orders: OrderTexts, silent: PowersWithoutOrders
) -> tuple[Position, Verdicts]:
    """Return the position after all boarding, and the verdicts on orders to board."""
    verdicts: dict[tuple[str, int], Verdict] = {}
    for before_moves in rules.hooks(MovementMechanic.before_moves):
        heard = {power: given for power, given in orders.items() if power not in silent}
        position, decided, _ = before_moves(rules, position, heard)
        verdicts |= decided
    return position, verdicts


Decision = tuple[Result, AnyCause, tuple[Unit, ...], tuple[float, float] | None]
"""The decision on an order: the result, the cause, the units that decided it, and the strengths compared."""

HELD: Decision = (Result.HOLDS, Cause.HELD, (), None)
GIVEN: Decision = (Result.SUCCEEDS, Cause.GIVEN, (), None)
AVAILABLE: Decision = (Result.SUCCEEDS, Cause.AVAILABLE, (), None)

RowResult = tuple[Unit | None, Decision, Unit | None]
"""The end of a unit's phase: the unit, the decision on its order, and the unit that dislodged it."""


Flight: TypeAlias = "Mapping[int, tuple[int, ...]]"
"""Numbers of provinces that a unit can flee to, each with the numbers of its locations there."""


class MovementMechanic(BindingMechanic):
    """A variant's changes to a movement phase."""

    def before_moves(
        self, rules: Rules, position: Position, orders: Mapping[str, Sequence[GivenOrder]]
    ) -> MechanicResult:
        """Return the position after events before the moves (boarding), and verdicts on their orders.

        Orders with a verdict are not bound.
        """
        return MechanicResult(position)

    def flight(self, field: IndexedPosition, row: int, regular: Flight) -> Flight:
        """Return the places that the dislodged unit of a row can reach, with their locations, given those so far."""
        return regular

    def after_moves(self, movement: Movement, position: Position) -> MechanicResult:
        """Apply the outcome to the new position: cargo follows, things are lost, made or destroyed.

        Verdicts on bound orders are by power and number too.
        """
        return MechanicResult(position)


class Movement(Adjudication):
    """A decided movement phase: the kernel's columns, and what is read off them.

    `beaten` maps the row of each dislodged unit to its attacker's, `retreats` to the locations (numbers) open to it.
    `problem` is what the kernel was given.
    """

    def __init__(
        self,
        field: IndexedPosition,
        bound: Bound,
        prepared: Prepared,
        out: Outcome,
        silent: PowersWithoutOrders = ALL_GIVE_ORDERS,
    ) -> None:
        self.field, self.bound, self.out, self.silent = field, bound, out, silent
        self.problem, self.unmatched = prepared
        self.rows = self.problem.rows
        self._victors = [0] * len(out.state)  # by row, as the columns have it
        beaten = dislodge(len(self._victors) - 1, self.rows, out, field.tenant, self._victors)
        self.beaten = {r: attacker for r, attacker in enumerate(self._victors) if attacker} if beaten else {}
        self.retreats: dict[int, list[int]] = self._find_retreats() if self.beaten else {}

    # -- retreats ----------------------------------------------------------------------------------------------------

    def _find_retreats(self) -> dict[int, list[int]]:
        """Open to a dislodged unit: a step away, empty, not contested, not where its attacker came from (STD-9)."""
        board, closed, book = self.field.board, self._closed, self.field.rules.derive(choices)
        return {
            r: find_refuges(
                board, self._unit(r), self._flees(r), closed, barred_origin(attacker, self.rows, self.out, book)
            )
            for r, attacker in self.beaten.items()
        }

    @cached_property
    def _closed(self) -> list[int]:
        """Province to why nobody may retreat there (`FULL`, `CONTESTED`); in shared ones there is room for all."""
        board, size, book = self.field.board, self.problem.size, self.field.rules.derive(choices)
        shared, closed = [place in board.shared for place in range(size)] if board.shared else (), [0] * size
        close(len(self._victors) - 1, self.rows, self.out, self._victors, book, shared, closed)
        return closed

    def _flees(self, r: int) -> Flight:
        """Return the retreats that the board allows. A carrier whose army has landed retreats as an ordinary fleet."""
        placement = self.field.placements[r]
        if self.out.state[self.field.cargo.get(r, 0)] == CAME:
            return self.field.board.reach(self.field.board.unladen(placement.kind), placement.location)
        reached: Flight = placement.flees
        for flight in self.field.rules.hooks(MovementMechanic.flight):
            reached = flight(self.field, r, reached)
        return reached

    @property
    def standoffs(self) -> tuple[str, ...]:
        """Ids of the provinces left empty by a stand-off, in the board's order."""
        provinces = self.field.board.provinces
        return tuple(provinces[place].id for place, why in enumerate(self._closed) if why == CONTESTED)

    @property
    def dislodgements(self) -> Mapping[int, tuple[float, float]]:
        """Map the number of each dislodged unit to the strength of the attack and the strength that held (STD-6.b)."""
        out, rows, found = self.out, self.rows, {}
        for r, attacker in self.beaten.items():
            stays = rows.kind[r] == MOVE and not meets(attacker, r, rows, out)
            held = rows.stay[r] if stays else out.strength[r]
            found[self._unit(r).number] = ((out.strength[attacker] - out.spoilt[attacker]) / WEIGHT, held / WEIGHT)
        return found

    def _unit(self, r: int) -> Unit:
        unit = self.field.units[r]
        assert unit is not None
        return unit

    # -- the next position -------------------------------------------------------------------------------------------

    def _make_position(self) -> Position:
        return self._settled.position

    @property
    def happened(self) -> tuple[Event, ...]:
        """Return the events of the phase: all that happened without an order."""
        return self._settled.happened

    def after(self, r: int) -> Unit:
        """Return the unit of this row after the moves, with its place and kind; unchanged if nothing has changed."""
        unit, field, state = self._unit(r), self.field, self.out.state
        at, kind, aboard = unit.at, unit.kind, unit.aboard
        if state[r] == CAME:
            at, aboard = field.board.locations[self.bound.chosen[r].goal], 0
        elif aboard:
            carrier = field.carrier[r]
            at = self.after(carrier).at if carrier else at
        if r in field.cargo and state[field.cargo[r]] == CAME:
            kind = field.board.unladen(kind)
        same = at == unit.at and kind == unit.kind and aboard == unit.aboard
        return unit if same else Unit(unit.number, kind, unit.power, at, aboard)

    @cached_property
    def _settled(self) -> MechanicResult:
        """The position after the moves, and what the mechanics make of it."""
        field, before = self.field, self.field.position
        units = list(field.units)
        came = [r for r, state in enumerate(self.out.state) if state == CAME]
        for r in {*came, *field.cargo, *field.carrier}:
            units[r] = self.after(r)
        dislodged = [self._dislodgement(r) for r in self.beaten]
        for r in self.beaten:
            units[r] = None
        position = Position(tuple(filter(None, units)), before.owners, tuple(dislodged), before.state)
        verdicts: dict[tuple[str, int], Verdict] = {}
        happened: list[Event] = []
        for after_moves in field.rules.hooks(MovementMechanic.after_moves):
            position, decided, more = after_moves(self, position)
            verdicts |= decided
            happened += more
        position, more = after_movement(field.rules, position)
        return MechanicResult(position, verdicts, (*happened, *more))

    def _dislodgement(self, r: int) -> Dislodged:
        board = self.field.board
        origin = board.provinces[self.rows.at[self.beaten[r]]].id
        return Dislodged(self.after(r), origin, tuple([board.locations[i] for i in self.retreats[r]]))

    def standing(self, position: Position, kept: Column) -> Standing:
        """Return the columns of the position before the moves, for a mechanic's rule; `position` is the one after them.

        Units aboard have no place. A unit is gone if it is neither in `position` nor dislodged. Owners are left out.
        """
        now, sorts = self._columns, self.field.rules.derive(sorts_of)
        n, sort = len(now.units.sort), list(now.units.sort)
        gone, after = [0] * n, {unit.number: unit.kind for unit in position.units}
        for r, unit in enumerate(self.field.position.units, 1):
            if unit.number in after:
                sort[r] = sorts[after[unit.number]]
            elif not self._victors[r]:
                gone[r] = 1
        return now._replace(
            kept=kept,
            spare=[0] * len(kept),
            units=now.units._replace(
                at=list(now.units.at), sort=sort, aboard=list(now.units.aboard), span=[0] * n, gone=gone
            ),
            orders=now.orders._replace(verb=[0] * n, load=[0] * n, rider=[0] * n, result=[0] * n),
        )

    @cached_property
    def _columns(self) -> Standing:
        """Return the columns that all mechanics are given alike; units dislodged before have no province."""
        field, chosen, flags, act = self.field, self.bound.chosen, self.rows.flags, self.rows.kind
        if self.bound.noway:  # who was ordered what nobody can do does not try to leave
            act = [HOLD if flags[r] & NOWAY and chosen[r].code != MOVE else kind for r, kind in enumerate(act)]
        now = intended_standing(field, self.rows)
        return now._replace(
            moves=now.moves._replace(
                moving=True,
                act=act,
                came=[int(state == CAME) for state in self.out.state],
                victor=self._victors,
                left=[int(gone == GONE) for gone in self.out.gone],
            )
        )

    # -- rulings -----------------------------------------------------------------------------------------------------

    def _make_rulings(self) -> tuple[Ruling, ...]:
        return (*self._rule_orders(), *[self._rule_unordered(r) for r in self._idle_rows()])

    def _idle_rows(self) -> list[int]:
        """Return the rows of the units for which no order came; those aboard go with their carriers."""
        field, bound, carrier = self.field, self.bound, self.field.carrier
        left = set(range(1, len(field.units))).difference(bound.rows, carrier)
        if carrier or bound.decided:
            heard = {verdict.unit.number for verdict in bound.decided.values() if verdict.unit}
            ordered = {*bound.rows, *(r for r, unit in enumerate(field.units) if unit and unit.number in heard)}
            left -= {*ordered, *(c for r, c in carrier.items() if r in ordered)}
        return sorted(left)

    def _rule_orders(self) -> list[Ruling]:
        """Return the rulings on the orders given: most tell what became of their rows."""
        bound, words, wording, board = self.bound, self.field.reader.words, self.field.rules.wording, self.field.board
        fates = self._fates()
        others = self._other_fates(fates)
        rows, read = iter(bound.rows), iter(bound.parsed)
        rulings: list[Ruling] = []
        for power, orders in bound.given.items():
            for given, r, parsed in zip(orders, rows, read):  # noqa: B905 (the next power's orders go on with the rows)
                number = len(rulings)
                unit, (result, cause, by, strengths), victor = others[number] if number in others else fates[r]
                text = given if isinstance(given, str) else words(given)
                ruling = (power, unit, parsed.order, text, result, cause, by, victor, strengths, "", "", wording, board)
                rulings.append(Ruling._make(ruling))  # twice as fast as a call with all these arguments
        for number in range(len(rulings)) if self._explained else others:
            rulings[number] = self._with_reason(rulings[number], bound.parsed[number].error)
        return rulings

    def _fates(self) -> list[RowResult]:
        """Return the unit, decision and dislodger of each row, read off the kernel's columns."""
        kinds, state, cut, units = self.rows.kind, self.out.state, self.out.cut, self.field.units
        void, unmatched = Result.VOID, self.unmatched
        fates: list[RowResult] = []
        for r, resolved in enumerate(self.bound.chosen):
            decision = HELD
            if r in unmatched:
                decision = void, unmatched[r], (), None
            elif resolved.code == MOVE:
                decision = self._success(r) if state[r] == CAME else self._failure(r)
            elif kinds[r] == SUPPORT:
                decision = self._cutting(r) if cut[r] == CUT else GIVEN
            elif resolved.code == CONVOY:
                decision = self._convoy(r)
            fates.append((units[r], decision, None))
        for r, attacker in self.beaten.items():
            fates[r] = units[r], fates[r][1], units[attacker]
        return fates

    def _other_fates(self, fates: Sequence[RowResult]) -> dict[int, RowResult]:
        """Map the number of each order that its row does not describe to its fate.

        These are orders with a fault, orders decided by a mechanic, and orders written as a carrier's.
        """
        bound, carrier = self.bound, self.field.carrier
        found: dict[int, RowResult] = {}
        for number, r in enumerate(bound.rows) if carrier else ():
            order = bound.parsed[number].order
            if r in carrier and order is not None and order.kind in self.field.board.forms:
                found[number] = fates[carrier[r]][0], fates[r][1], fates[carrier[r]][2]
        for number, fault in bound.faults.items():
            unit, _, victor = found[number] if number in found else fates[bound.rows[number]]
            found[number] = unit, (Result.VOID, fault, (), None), victor
        for number, verdict in self._verdicts().items():
            unit, _, victor = fates[bound.rows[number]]
            found[number] = verdict.unit or unit, (verdict.result, verdict.cause, verdict.by, None), victor
        return found

    def _verdicts(self) -> Mapping[int, Verdict]:
        """Return the mechanics' verdicts, given before or after the moves, by the numbers of the orders."""
        bound, settled = self.bound, self._settled.verdicts
        if not settled:
            return bound.decided
        return bound.decided | {i: settled[key] for i, key in enumerate(bound.keys()) if key in settled}

    def _with_reason(self, ruling: Ruling, error: BadOrder | None = None) -> Ruling:
        if error is not None:
            detail, aspect = why_unread(error)
            ruling = ruling._replace(detail=detail, aspect=aspect)
        field = self.field
        return with_reason(ruling, field.rules, field.before, PhaseKind.MOVEMENT, self._carried_out)

    @cached_property
    def _explained(self) -> bool:
        """Return whether a mechanic adds aspects to the reasons of rulings."""
        return bool(self.field.rules.hooks(ReportMechanic.ruling_aspect))

    @cached_property
    def _carried_out(self) -> Mapping[int, Order]:
        """Map units, by number, to the orders they carry out; empty unless a mechanic uses it."""
        if not self._explained:
            return {}
        return {u.number: d.order for u, d in zip(self.field.units, self.bound.chosen, strict=True) if u}

    def _rule_unordered(self, r: int) -> Ruling:
        unit, rules = self._unit(r), self.field.rules
        cause = self.silent.get(unit.power, Cause.UNORDERED)
        victor = self._unit(self.beaten[r]) if r in self.beaten else None
        ruling = Ruling(
            unit.power, unit, None, "", Result.HOLDS, cause, dislodged_by=victor,
            clauses=rules.wording, board=rules.board,
        )  # fmt: skip
        return self._with_reason(ruling)

    def _success(self, r: int) -> Decision:
        """Return the decision on a move that succeeded."""
        cause = self.bound.chosen[r].came
        if cause is None:
            cause = Cause.CAME_BY_SEA if is_landed(r, self.rows, self.out) else Cause.CAME
        return Result.SUCCEEDS, cause, (), None

    def _failure(self, r: int) -> Decision:
        """Return the decision on a move that failed, with the strengths compared."""
        out, rows, blocker = self.out, self.rows, self.out.by[r]
        if is_stranded(r, out):
            return self._stranding(r)
        if not blocker:
            return Result.BOUNCES, Cause.PARADOX, (), None
        by = self._doers(blocker)
        occupant = self.field.tenant[rows.to[r]]
        against_occupant = occupant == blocker
        mine = out.strength[r] - (out.spoilt[r] if against_occupant or out.gone[occupant] != GONE else 0)
        moving = rows.kind[blocker] == MOVE
        if not against_occupant:
            cause, theirs = Cause.STOOD_OFF, out.strength[blocker]
        elif rows.owner[blocker] == rows.owner[r]:
            return Result.BOUNCES, Cause.OWN_UNIT, by, None
        elif moving and meets(r, blocker, rows, out):
            cause, theirs = Cause.BEATEN_HEAD_ON, max(out.strength[blocker], rows.stay[blocker])
        else:
            theirs = rows.stay[blocker] if moving else out.strength[blocker]
            cause = Cause.OWN_HELP if out.strength[r] > theirs >= mine else Cause.RESISTED
        return Result.BOUNCES, cause, by, (mine / WEIGHT, theirs / WEIGHT)

    def _stranding(self, r: int) -> Decision:
        """Return the decision on a move that was not carried."""
        left, by = self.bound.chosen[r].left, self._doers(self.out.by[r])
        if left:
            return Result.NO_CONVOY, left, by, None
        if self.out.route[r] == SILENCED:
            return Result.NO_CONVOY, Cause.CONVOY_SILENCED, (), None
        return Result.NO_CONVOY, Cause.CONVOY_BROKEN, by, None

    def _cutting(self, r: int) -> Decision:
        """Return the decision on a support that was cut."""
        cutter = self.out.by[r]
        beaten = cutter == self.beaten.get(r) and self.rows.whence[cutter] == self.rows.to[r]
        return Result.CUT, Cause.CUT_BY_DISLODGEMENT if beaten else Cause.CUT_BY_ATTACK, self._doers(cutter), None

    def _convoy(self, r: int) -> Decision:
        """Return the decision on an order to convoy."""
        if r in self.beaten:
            return Result.DISRUPTED, Cause.CARRIER_LOST, self._doers(self.beaten[r]), None
        if self.rows.kind[r] == CONVOY and self.out.route[r] == SILENCED:
            return Result.DISRUPTED, Cause.CARRIER_SILENCED, (), None
        return AVAILABLE

    def _doers(self, r: int) -> tuple[Unit, ...]:
        """Return the unit of a row; of none, none."""
        unit = self.field.units[r]
        return (unit,) if unit else ()
