"""Borders that are not like others: those that only some powers may pass, weak ones, far ones, and rivers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Literal

from gamesmaster.board import Board, Edge, Finding, Location, Unit
from gamesmaster.engine import BLUNT, CARRIED, CONVOY, MOVE, NOWAY, POWERLESS, SUPPORT, Rows, weakened
from gamesmaster.engine.problem import WEIGHT
from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import Bound, Flight, IndexedPosition, MovementMechanic, OrderReader, ResolvedOrder
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.rules import (
    NO_OVERRIDE,
    AnyCause,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    ParameterNames,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Rules,
    YearMechanic,
)


@mechanic("private-borders")
@dataclass(frozen=True)
class PrivateBorders(BoardMechanic, ColumnMechanic):
    """Only `powers` may cross `edges`, either way.

    An edge of the board is closed to all others. With a `way` of travel, `army` or `fleet`, missing edges are added;
    their ends may then name a coast (`STP/NC`). No convoy crosses an added edge.
    """

    edges: tuple[tuple[str, str], ...]
    powers: tuple[str, ...]
    way: str = ""

    several: ClassVar[bool] = True
    names: ClassVar[ParameterNames] = MappingProxyType({"powers": "power"})

    def extend_board(self, board: Board) -> Board:
        """Return the board with these steps reserved for these powers; raise `BadFile` for an unknown place."""
        edges, own = list(board.edges), frozenset(self.powers)
        for a, b in ((Location.of(a), Location.of(b)) for a, b in self.edges):
            for end in (a, b):
                if end not in board.location_index:
                    known = map(str, board.locations)
                    raise BadFile(f"no place {str(end)[:40]!r}", where=self.id, hint=nearest(str(end), known))
            numbers = [n for n, edge in enumerate(edges) if self._means(edge, a, b)]
            for number in numbers:
                edge = edges[number]
                only = edge.only & own if edge.only else own
                edges[number] = edge._replace(only=only, reason=edge.reason or f"for {', '.join(self.powers)} only")
            if not numbers:
                edges += self._new_edges(board, a, b, own)
        return replace(board, edges=tuple(edges))

    def columns(self, rules: Rules) -> Columns:
        """Return empty columns: the steps of the board have the whole rule."""
        return Columns()

    def _means(self, edge: Edge, a: Location, b: Location) -> bool:
        """Return whether this edge joins the two places by the given way; a place without a coast means all of them."""
        if self.way and edge.way != self.way:
            return False
        return any(
            all(end == place or (end.province == place.province and not place.coast) for end, place in ends)
            for ends in (((edge.a, a), (edge.b, b)), ((edge.a, b), (edge.b, a)))
        )

    def _new_edges(self, board: Board, a: Location, b: Location, own: frozenset[str]) -> list[Edge]:
        if self.way not in board.ways.values():
            ways = ", ".join(sorted(set(board.ways.values())))
            what = f"no {self.way[:20]!r} way of travel" if self.way else f"{a} and {b} are not neighbours"
            raise BadFile(what, where=self.id, hint=f"with a way they are made so: {ways}")
        reason = f"for {', '.join(self.powers)} only"
        return [Edge(self.way, x, y, convoy=False, only=own, reason=reason) for x, y in ((a, b), (b, a))]


@mechanic("weak-borders")
@dataclass(frozen=True)
class WeakBorders(BoardMechanic, MovementMechanic, ColumnMechanic):
    """A move over one of `edges` attacks with half a unit's strength, and `supports` over it count `half` or `full`.

    Edges hold both ways, for units of the kinds in `only`, or of all.  An army that is convoyed crosses no border.
    """

    edges: tuple[tuple[str, str], ...]
    supports: Literal["half", "full"] = "half"
    only: tuple[str, ...] = ()

    several: ClassVar[bool] = True
    names: ClassVar[ParameterNames] = MappingProxyType({"edges": "province", "only": "kind"})

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield an error for each border between provinces that are not neighbours."""
        return no_borders(rules.board, self.id, self.edges)

    def adjust_problem(self, field: IndexedPosition, bound: Bound, rows: Rows) -> None:
        """Halve the weight of these moves and supports."""
        weak = self._weak(field.board)
        for row in range(1, len(rows.kind)):
            if weak(field.kind(row), rows.kind[row], rows.at[row], rows.to[row]):
                rows.force[row] = weakened(rows.force[row], rows.flags[row], 1)

    def columns(self, rules: Rules) -> Columns:
        """Return the columns: the steps that are halved."""
        return Columns(weak=self._weak(rules.board))

    def _weak(self, board: Board) -> Callable[[str, int, int, int], bool]:
        """Return a function that says whether a move or support between two provinces (numbers) is halved."""
        weak = _both_ways(board, self.edges)
        counted = (MOVE, SUPPORT) if self.supports == "half" else (MOVE,)

        def halves(kind: str, act: int, at: int, to: int) -> bool:
            return act in counted and (at, to) in weak and (not self.only or board.base(kind) in self.only)

        return halves


class FarCause(AnyCause):
    """Why an order over a far border fails."""

    NO_HELP = "supports over a passage that is too long for help", "NNH-6.b"
    GIVES_WAY = "gives way to the retreat of {by}, which leads over no long passage", "NNH-6.e"


@mechanic("far-borders")
@dataclass(frozen=True)
class FarBorders(BoardMechanic, MovementMechanic, YearMechanic):
    """Long passages: a move over one of `edges` has half a unit's strength, and no support is given over them.

    Without support, such a move cuts nothing.  An army that can only be landed over one has half its strength too.  A
    retreat over one gives way to a retreat over none (NNH-6).
    """

    edges: tuple[tuple[str, str], ...]

    several: ClassVar[bool] = True
    causes: ClassVar[tuple[AnyCause, ...]] = (*FarCause,)
    names: ClassVar[ParameterNames] = MappingProxyType({"edges": "province"})
    not_in_columns: ClassVar[str] = "batches know no long passages"

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield an error for each border between provinces that are not neighbours."""
        return no_borders(rules.board, self.id, self.edges)

    def resolve_order(self, reader: OrderReader, resolved: ResolvedOrder) -> None:
        """Refuse supports over these borders (NNH-6.b)."""
        here = reader.board.index[resolved.placement.at.province]
        if resolved.code == SUPPORT and (here, resolved.into) in _both_ways(reader.board, self.edges):
            resolved.fault = resolved.fault or FarCause.NO_HELP

    def adjust_problem(self, field: IndexedPosition, bound: Bound, rows: Rows) -> None:
        """Halve these moves, and let those without support cut nothing (NNH-6.a, NNH-6.c, NNH-6.d)."""
        far = _both_ways(field.board, self.edges)
        helped = {rows.about[row] for row in range(1, len(rows.kind)) if rows.kind[row] == SUPPORT}
        for row in range(1, len(rows.kind)):
            if rows.kind[row] != MOVE:
                continue
            if rows.flags[row] & CARRIED:
                if self._lands_far(field.board, rows, row, far):
                    rows.force[row] >>= 1
            elif (rows.at[row], rows.to[row]) in far:
                rows.force[row] = weakened(rows.force[row], rows.flags[row], 1)
                rows.flags[row] |= 0 if row in helped else BLUNT

    def _lands_far(self, board: Board, rows: Rows, army: int, far: set[tuple[int, int]]) -> bool:
        """Return whether all convoying fleets beside the destination of an army are beyond a far border (NNH-6.d)."""
        to = rows.to[army]
        waters = {rows.at[r] for r in range(1, len(rows.kind)) if rows.kind[r] == CONVOY and rows.about[r] == army}
        last = {water for water in waters if to in board.neighbours[water]}
        return bool(last) and all((water, to) in far for water in last)

    def yields_retreat(self, rules: Rules, unit: Unit, to: Location) -> AnyCause | None:
        """Return that a retreat over one of the borders gives way (NNH-6.e)."""
        index = rules.board.index
        far = (index[unit.at.province], index[to.province]) in _both_ways(rules.board, self.edges)
        return FarCause.GIVES_WAY if far else None


def _both_ways(board: Board, edges: Sequence[tuple[str, str]]) -> set[tuple[int, int]]:
    """Return these borders by the numbers of their provinces, in either direction."""
    return {(board.index[x], board.index[y]) for a, b in edges for x, y in ((a, b), (b, a))}


def no_borders(board: Board, name: str, edges: Sequence[tuple[str, str]]) -> Iterator[Finding]:
    """Yield an error for each of these borders of a mechanic between provinces that are not neighbours."""
    near, index = board.neighbours, board.index
    for a, b in edges:
        if index[b] not in near[index[a]]:
            hint = f"neighbours are {', '.join(sorted(board.provinces[n].id for n in near[index[a]])[:12])}"
            yield Finding.error("no-border", f"mechanics {name}", f"{a} and {b} are not neighbours", hint)


class RiverCause(AnyCause):
    """Why an order over a river is void."""

    OVER_A_RIVER = "would help over a river", "STD-16.b"


@mechanic("rivers")
@dataclass(frozen=True)
class Rivers(BoardMechanic, MovementMechanic, ReportMechanic):
    """A move over one of `edges` attacks with one unit's strength less, and nobody supports or retreats over them.

    Edges hold both ways, for units of the kinds in `only`, or of all.  An army that is convoyed crosses no river.
    """

    edges: tuple[tuple[str, str], ...]
    only: tuple[str, ...] = ()

    causes: ClassVar[tuple[AnyCause, ...]] = (*RiverCause,)
    names: ClassVar[ParameterNames] = MappingProxyType({"edges": "province", "only": "kind"})
    not_in_columns: ClassVar[str] = "batches have no rivers"

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield an error for each border between provinces that are not neighbours."""
        return no_borders(rules.board, self.id, self.edges)

    def _parts(self, board: Board, kind: str, here: int, there: int) -> bool:
        """Return whether a river lies between two provinces (numbers) for a kind of unit."""
        ends = {board.provinces[here].id, board.provinces[there].id}
        return (not self.only or board.base(kind) in self.only) and any(ends == {*edge} for edge in self.edges)

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Return that a support leads over a river (STD-16.b); else None."""
        if resolved.code != SUPPORT or not field.units[row]:
            return None
        over = self._parts(field.board, field.kind(row), field.at[row], resolved.into)
        return RiverCause.OVER_A_RIVER if over else None

    def adjust_problem(self, field: IndexedPosition, bound: Bound, rows: Rows) -> None:
        """Take a unit's strength off these moves, and let them cut no support (STD-16.a)."""
        for row in range(1, len(rows.kind)):
            goes = rows.kind[row] == MOVE and not rows.flags[row] & (CARRIED | NOWAY)
            if goes and self._parts(field.board, field.kind(row), rows.at[row], rows.to[row]):
                rows.force[row] = max(rows.force[row] - WEIGHT, 0)
                rows.flags[row] |= BLUNT if rows.force[row] else BLUNT | POWERLESS

    def flight(self, field: IndexedPosition, row: int, regular: Flight) -> Flight:
        """Return the places without those over a river (STD-16.c)."""
        kind, here = field.kind(row), field.at[row]
        return {place: ends for place, ends in regular.items() if not self._parts(field.board, kind, here, place)}

    def sayings(self) -> Clauses:
        """Return the reason of a move over a river that nobody supports."""
        return Clauses({"river_alone": ReasonText("STD-16.a", "is over a river, where it has no strength alone")})

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return the aspect of a move over a river that had no strength."""
        ruling, board = case.ruling, case.rules.board
        order, unit = ruling.order, ruling.unit
        if ruling.cause is not Cause.PARADOX or not order or not order.to or not unit:
            return NO_OVERRIDE
        here, there = board.index[unit.at.province], board.index[order.to.province]
        return ReasonOverride("river_alone") if self._parts(board, unit.kind, here, there) else NO_OVERRIDE
