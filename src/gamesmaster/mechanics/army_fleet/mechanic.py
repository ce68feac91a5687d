"""Armies aboard fleets: how they board, sail, fight, land, retreat and are lost.

One mechanic serves three old rules: Davis's army/fleet module (AFM, an option of 1000 AD), the A/Fs of Conquest of the
New World II (CNW-4 to CNW-7) and the English fleets of Scottomacy (SCO-6 to SCO-8).  They are one way of doing things
with the settings of AFM-9.a; what all three share is not a setting: a fleet carries one army of its own power, with the
strength of one unit, never into a coastal province, and only a landing parts them.

A loaded fleet is a unit of the kind `A/F` and an army that lies with it, `aboard`.  In the kernel the fleet's row is
the pair, the army's occupies nothing; a landing is the move of a convoyed army whose route is its own fleet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

from gamesmaster.board import ARMY, FLEET, LANDING, Board, Edge, Form, Location, Position, Terrain, Unit, place_name
from gamesmaster.engine import HOLD, MOVE, NOWAY, SUPPORT, Rows, may_be_removed
from gamesmaster.judge import Bound, IndexedPosition, MovementMechanic, OrderReader, ResolvedOrder, intended_standing
from gamesmaster.mechanics.army_fleet import columns, embarking
from gamesmaster.mechanics.army_fleet.boarding import board_fleets, form_pairs
from gamesmaster.mechanics.army_fleet.landing import bind_order, resolve_landing
from gamesmaster.mechanics.army_fleet.reasons import SAYINGS, pair_aspect
from gamesmaster.mechanics.army_fleet.season import after_moves, after_retreats, forget_others, seasons
from gamesmaster.mechanics.army_fleet.table import embarkation_tables, orders_of, unit_orders
from gamesmaster.mechanics.army_fleet.values import PAIR, STATE, ArmyFleetSettings, PairCause, PairEvent, PairVerb
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import SAILS_LADEN, AnyVerb, GivenOrder, Order, PhaseKind, Verb
from gamesmaster.rules import (
    Ahead,
    AnyCause,
    AnyEvent,
    BoardMechanic,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    LedgerEntry,
    MechanicResult,
    OwnVerb,
    ParameterNames,
    Positive,
    ReasonText,
    ReportMechanic,
    Rules,
    UnitKey,
    WinterMechanic,
    YearMechanic,
    phase_code,
    phase_name,
)

LADEN = "laden"
"""The way of travel of a loaded fleet."""

_SHORES = {"coastal": Terrain.COAST, "islands": Terrain.ISLANDS}


@mechanic(STATE)
@dataclass(frozen=True)
class ArmyFleet(
    ArmyFleetSettings, BoardMechanic, MovementMechanic, YearMechanic, WinterMechanic, ReportMechanic, ColumnMechanic
):
    """Armies that board fleets, sail with them, and land."""

    causes: ClassVar[tuple[AnyCause, ...]] = (*PairCause,)
    events: ClassVar[tuple[AnyEvent, ...]] = (*PairEvent,)
    verbs: ClassVar[tuple[AnyVerb, ...]] = (*PairVerb,)
    costs: ClassVar[Mapping[AnyEvent, ReasonText]] = MappingProxyType(
        {
            PairEvent.LOST: ReasonText(
                "CNW-6.e", "loses the army aboard, which cannot stay in a fleet that retreats to a coast"
            ),
            PairEvent.STARVED: ReasonText(
                "AFM-4.b", "lets the army aboard starve: this is the last season to put it ashore"
            ),
        }
    )
    kept: ClassVar[Any] = dict[UnitKey, Positive]
    names: ClassVar[ParameterNames] = MappingProxyType({"powers": "power"})

    # -- what there is -----------------------------------------------------------------------------------------------

    def extend_board(self, board: Board) -> Board:
        """Return the board with the kind `A/F`, its way of travel, and the way from aboard to the shore."""
        terrain = {p.id: p.terrain for p in board.provinces}
        shores = {_SHORES[name] for name in self.land_where}
        laden: list[Edge] = []
        landing: dict[tuple[str, str], Edge] = {}
        by_fleet = (e for e in board.edges if e.way == board.ways.get(FLEET))
        for e in (e for e in by_fleet if terrain[e.a.province] in self.loaded_enters):
            if terrain[e.b.province] in self.loaded_enters:
                laden.append(e._replace(way=LADEN))
            if terrain[e.b.province] in shores:
                a, b = Location(e.a.province), Location(e.b.province)
                landing[a.province, b.province] = Edge(LANDING, a, b, only=e.only, reason=e.reason)
        form = Form(
            base=FLEET,
            cargo=ARMY,
            helps=board.ways[FLEET] if self.loaded_supports_onto_land else LADEN,
            flees=board.ways[FLEET] if self.retreat_to_coast == "army_lost" else LADEN,
        )
        provinces = board.provinces
        if self.plain_convoy == "none":
            provinces = tuple(replace(p, convoy=False) for p in provinces)
        return replace(
            board,
            provinces=provinces,
            edges=(*board.edges, *laden, *landing.values()),
            ways={**board.ways, PAIR: LADEN},
            forms={**board.forms, PAIR: form},
            one_sea=self.plain_convoy == "one_sea_ferry",
        )

    def kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Return a loaded fleet, in words."""
        return {PAIR: ("army fleet", "army/fleet", "loaded fleet")}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield how many seasons each army has been aboard, and by when it must have landed (AFM-4)."""
        most, spent = self.max_seasons_aboard, seasons(position)
        for unit in (unit for unit in position.units if unit.aboard and most):
            number = spent.get(unit.number, 0)
            last = ahead.of_kind(PhaseKind.MOVEMENT, most - number - 1)
            text = (
                f"{unit.kind} in {place_name(rules.board, unit.at)}: {number} of {most} seasons aboard;"
                f" it starves unless it is ashore by the end of {phase_name(last)}"
            )
            yield LedgerEntry("Armies aboard", text, unit.power, unit.at.province, number, phase_code(last), "AFM-4.a")

    # -- reasons -----------------------------------------------------------------------------------------------------

    def sayings(self) -> Clauses:
        """Return the reasons of orders to board, to land and to ferry."""
        return SAYINGS

    ruling_aspect = pair_aspect

    # -- movement ----------------------------------------------------------------------------------------------------

    def before_moves(
        self, rules: Rules, position: Position, orders: Mapping[str, Sequence[GivenOrder]]
    ) -> MechanicResult:
        """Put armies aboard (AFM-3, CNW-6.a1, SCO-8)."""
        if self.board_order == "implied":
            return MechanicResult(form_pairs(self, rules, position, orders))
        return board_fleets(self, rules, position, orders)

    def resolve_order(self, reader: OrderReader, resolved: ResolvedOrder) -> None:
        """Refuse orders for an army aboard except to land (AFM-1.e), and ways of convoy that the settings exclude."""
        verb, form = resolved.order.verb, reader.board.forms.get(resolved.placement.kind)
        if form and resolved.code == SUPPORT:
            reader.help_within(resolved)  # a loaded fleet may be told to help its own army ashore
        if verb is PairVerb.LAND:
            resolve_landing(reader.board, resolved)
            return
        if form and resolved.order.kind == form.cargo:
            resolved.fault = PairCause.ABOARD
        elif form and verb in (Verb.CONVOY, PairVerb.FERRY) and resolved.of == resolved.placement.place:
            resolved.code, resolved.fault = HOLD, None  # for its own army: the fleet holds while it lands (CNW-6.c)
            return
        carried = {"regular": Verb.CONVOY, "one_sea_ferry": PairVerb.FERRY}.get(self.plain_convoy)
        if verb in (Verb.CONVOY, PairVerb.FERRY) and verb is not carried:
            resolved.fault = PairCause.NOT_CARRIED_SO

    def better_fault(self, field: IndexedPosition, resolved: ResolvedOrder, fault: AnyCause) -> AnyCause:
        """Return the cause of an order that is impossible only because an army embarked (AFM-3.c, AFM-3.f)."""
        placement, forms = resolved.placement, field.board.forms
        if resolved.fault is not None and placement.place in field.boarding_places and placement.kind in forms:
            return PairCause.LOADED
        return PairCause.WENT_ABOARD if resolved.of in field.boarding_places else fault

    bind_order = bind_order

    def adjust_problem(self, field: IndexedPosition, bound: Bound, rows: Rows) -> None:
        """Write landings as moves by convoy of their own fleets, and mark armies that board if their ferry fails."""
        columns.set_out(field.rules.derive(embarkation_tables), intended_standing(field, rows))

    after_moves = after_moves
    after_retreats = after_retreats

    def after_loss(self, rules: Rules, position: Position, units: Collection[Unit]) -> Position:
        """Return the position without the seasons of armies that were lost with their fleets."""
        return forget_others(position)

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """Return the position without the seasons of armies that were removed."""
        return forget_others(position)

    def removal_fault(
        self, rules: Rules, position: Position, units: Sequence[Unit], owed: int, regular: AnyCause | None
    ) -> AnyCause | None:
        """Return the cause if these units may not be removed together, else None.

        Allowed are the whole pair, its army alone, and the fleet alone where the army can stay (AFM-8.a,
        CNW-6.a4).
        """
        if regular is not None:
            return regular
        whole, stays = len(units) > 1, self.may_stay(rules.board, units[0].at.province)
        if may_be_removed(units[0].kind == PAIR, whole, stays, owed, self.remove_whole_needs):
            return None
        return Cause.NO_REMOVALS if whole else PairCause.LADEN

    def stray_removal(
        self, rules: Rules, position: Position, units: Sequence[Unit], order: Order, regular: AnyCause
    ) -> AnyCause:
        """Return that a fleet with an army aboard cannot be removed by its letter alone; else the regular reason."""
        return PairCause.LADEN if order.kind == FLEET and any(u.kind == PAIR for u in units) else regular

    unit_orders = unit_orders

    # -- in columns --------------------------------------------------------------------------------------------------

    def columns(self, rules: Rules) -> Columns | str:
        """Return its rules; of each army aboard it is kept how many seasons it has been so."""
        tables = rules.derive(embarkation_tables)
        if any(held and rules.board.provinces[place].coasts for place, held in enumerate(tables.provinces.holds)):
            return "loaded fleets lie on coasts"
        if self.landing_order == "own" and any(tables.provinces.holds[place] for place in rules.board.shared):
            return "armies land by orders of their own where several fleets lie"

        def orders(
            unit: Unit, verb: int, goal: Location | None, load: int, rider: int, kept: Sequence[int]
        ) -> list[Order]:
            return orders_of(rules, unit, verb, goal, load)

        return Columns(
            spans=_spans_data,
            first_verb=columns.BOARD,
            verbs=_VERBS,
            offers=embarking.offer,
            choose=embarking.choose,
            orders=orders,
            before_moves=embarking.muster,
            adjust_problem=columns.set_out,
            after_moves=columns.spend_season,
            after_retreats=columns.follow,
            before_winter=columns.keep_together,
            after_winter=columns.forget,
            table=tables,
        )


_VERBS = (
    OwnVerb(HOLD, thought=PairVerb.BOARD.phrase.thought),
    OwnVerb(HOLD, thought=PairVerb.TAKE.phrase.thought),
    OwnVerb(MOVE, thought=PairVerb.LAND.phrase.thought),
    OwnVerb(HOLD),  # an order to hold as a pair has no advantage over a hold
    OwnVerb(MOVE, thought=SAILS_LADEN),
    OwnVerb(MOVE, flags=NOWAY),
)
"""The kernel's view of its verbs, `BOARD` to `VAIN`."""


def _spans_data(spans: Mapping[int, int]) -> dict[str, int]:
    """Return the seasons that units have been aboard, as state."""
    return {str(number): seasons for number, seasons in spans.items()}
