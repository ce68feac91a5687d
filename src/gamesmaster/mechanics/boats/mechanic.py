"""Boats: units on land build them, carry them along the shore, put out in them and land, and never fight in them.

One mechanic serves the canoe-fleets of Indianomacy (IND-6 to IND-8) and the Boat-Bunches of Scottomacy (SCO-10 to 14).
A move with a boat is a row of the kernel with a quarter of a unit's force, so that it gives way to every other move and
dislodges nobody; it cuts nothing, closes nothing and takes no help.  A unit afloat is the same unit in another form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from types import MappingProxyType
from typing import Any, ClassVar

from gamesmaster.board import Board, Finding, Form, Location, Position, Unit, place_name
from gamesmaster.engine import ALONE, BLUNT, FAINT, HOLD, MOVE
from gamesmaster.errors import BadFile
from gamesmaster.judge import MovementMechanic
from gamesmaster.mechanics.boats import columns, orders, proof, reasons, season
from gamesmaster.mechanics.boats.table import WAY, boat_index
from gamesmaster.mechanics.boats.values import (
    STATE,
    BoatCause,
    BoatEvent,
    BoatPlacement,
    BoatSettings,
    BoatsKept,
    BoatVerb,
    is_water,
)
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import RIDES, AnyVerb
from gamesmaster.rules import (
    Ahead,
    AnyCause,
    AnyEvent,
    BoardMechanic,
    Clauses,
    ColumnMechanic,
    Columns,
    Event,
    LedgerEntry,
    OwnVerb,
    ParameterNames,
    ProofMechanic,
    ReasonText,
    ReportMechanic,
    Rules,
    YearMechanic,
)

LARGEST = 32_767
"""The largest number that stands for boats taken along, in batches' columns."""


@mechanic(STATE)
@dataclass(frozen=True)
class Boats(BoatSettings, BoardMechanic, MovementMechanic, YearMechanic, ReportMechanic, ProofMechanic, ColumnMechanic):
    """Units that build boats, carry them along, and go in them."""

    causes: ClassVar[tuple[AnyCause, ...]] = (*BoatCause,)
    events: ClassVar[tuple[AnyEvent, ...]] = (*BoatEvent,)
    verbs: ClassVar[tuple[AnyVerb, ...]] = (*BoatVerb,)
    costs: ClassVar[Mapping[AnyEvent, ReasonText]] = MappingProxyType(
        {BoatEvent.WRECKED: ReasonText("SCO-10.g", "loses the boats there, which nobody carries to where they can lie")}
    )
    kept: ClassVar[Any] = BoatsKept
    names: ClassVar[ParameterNames] = MappingProxyType({"kind": "kind", "builders": "power"})

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Warn of a board on which no province touches water."""
        if not any(edge.way == WAY for edge in rules.board.edges):
            yield Finding.warning(
                "no-water", f"mechanics {self.id}", "no province touches water, so nobody ever goes by boat"
            )

    # -- what there is -----------------------------------------------------------------------------------------------

    def extend_board(self, board: Board) -> Board:
        """Return the board with the form and its way of travel.

        Raises `BadFile` if the form is a kind of unit already.
        """
        if self.form in board.ways:
            raise BadFile(f"{self.form} is a kind of unit already", where=f"mechanics {self.id}.form")
        form = Form(self.kind, flees=WAY)
        return replace(
            board,
            ways={**board.ways, self.form: WAY},
            forms={**board.forms, self.form: form},
            thing="boat",
            edges=(*board.edges, *orders.boat_edges(board, board.ways[self.kind], inland=self.build_at == "land")),
        )

    def kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Return the unit afloat."""
        return {self.form: self.called}

    def carried_words(self) -> tuple[str, ...]:
        """Return the words for a boat."""
        return self.words

    def kind_signs(self) -> Mapping[str, str]:
        """Return the signs: a unit afloat is drawn in its boat, a boat ashore alone."""
        return {self.form: self.sign, self.words[0]: "boat"}

    def place_signs(self, rules: Rules, position: Position) -> Mapping[str, Sequence[str]]:
        """Return a sign for each boat on land, raw boats included; boats afloat are part of their unit's sign."""
        moored = BoatPlacement.of(position)
        ashore = {place: len(pile) for place, pile in moored.lie.items() if not is_water(rules.board, place)}
        for place in moored.raw:
            ashore[place] = ashore.get(place, 0) + 1
        return {place: ("boat",) * number for place, number in sorted(ashore.items())}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the places of boats, their builders, the raw ones, and the number that each power has built.

        See SCO-10.d, SCO-10.e and IND-6.c.
        """
        moored, board = BoatPlacement.of(position), rules.board
        for place in sorted(moored.lie, key=board.index.__getitem__):
            pile, afloat = moored.at(place), ", afloat" if is_water(board, place) else ""
            boats = ", ".join(pile) if self.named else str(len(pile))
            text = f"{place_name(board, Location(place))}: {boats}{afloat}"
            yield LedgerEntry("Boats", text, province=place, number=len(pile))
        for place, builder in moored.raw.items():
            text = f"{place_name(board, Location(place))}: {builder}, built inland"
            yield LedgerEntry("Boats", text, province=place, number=1)
        if self.limit:
            for builder, number in sorted(moored.count().items()):
                yield LedgerEntry("Boats built", f"{number} of {self.limit}", builder, number=number)

    # -- reasons -----------------------------------------------------------------------------------------------------

    def sayings(self) -> Clauses:
        """Return the reasons of orders with boats."""
        return reasons.SAYINGS

    ruling_aspect = reasons.ruling_aspect
    event_aspect = reasons.event_aspect

    # -- movement ----------------------------------------------------------------------------------------------------

    resolve_order = orders.resolve_order
    order_fault = orders.order_fault
    unit_orders = orders.unit_orders
    after_moves = season.after_moves
    after_retreats = season.after_retreats

    def after_loss(self, rules: Rules, position: Position, units: Collection[Unit]) -> Position:
        """Sink boats in the waters where units were lost."""
        moored = BoatPlacement.of(position)
        for place in {unit.at.province for unit in units if is_water(rules.board, unit.at.province)}:
            moored = moored.with_pile(place, ())
        return moored.put(position)

    # -- the year ----------------------------------------------------------------------------------------------------

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Sink the boats of units afloat that the count removed."""
        return boat_index(rules).sink_empty(position), ()

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """Sink the boats of units afloat that were removed; boats on land remain (IND-6.h, SCO-12.b)."""
        return boat_index(rules).sink_empty(position)

    # -- in columns --------------------------------------------------------------------------------------------------

    def form_at(self, rules: Rules, kind: str, at: Location) -> str:
        """Return the form of a kind of unit in a place: afloat if it is a water."""
        return boat_index(rules).form_at(kind, at)

    def columns(self, rules: Rules) -> Columns | str:
        """Return its rules; `kept` has the boats in each place."""
        index = boat_index(rules)
        loads = comb(len(index.names) + self.carry, self.carry)
        if loads > index.width or (1 + len(index.names)) ** self.carry > LARGEST:
            return "one unit takes so many boats"
        if any(orders.has_closed_steps(rules.board, self.form, power) for power in rules.powers):
            return "ways by boat are closed to some"

        def state(kept: Sequence[int]) -> object:
            return index.placement(kept).put(Position()).state.get(STATE)

        return Columns(
            width=index.width,
            state=state,
            verbs=(
                OwnVerb(MOVE, orders.FORCE, BLUNT | FAINT | ALONE, thought=RIDES),
                OwnVerb(HOLD, thought=BoatVerb.MAKE.phrase.thought),
                OwnVerb(HOLD, thought=BoatVerb.DESTROY.phrase.thought),
            ),
            offers=columns.offer,
            choose=columns.choose,
            thinks=columns.think,
            orders=index.orders,
            after_moves=columns.go_on,
            after_retreats=columns.flee,
            after_loss=columns.sink_lost,
            after_count=columns.sink_empty,
            after_winter=columns.sink_empty,
            table=index.tables,
        )

    # -- proof -------------------------------------------------------------------------------------------------------

    random_state = proof.random_state
    phase_faults = proof.phase_faults
