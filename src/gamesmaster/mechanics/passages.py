"""Passages that units open and close: a railway on which armies go far, and a canal with a keeper (ASI-5, ASI-6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType
from typing import ClassVar, Literal

from gamesmaster.board import Board, Finding, Location, Position, Traits, place_name
from gamesmaster.engine import MOVE, SUPPORT
from gamesmaster.errors import BadFile
from gamesmaster.judge import Flight, IndexedPosition, MovementMechanic, ResolvedOrder
from gamesmaster.mechanics.borders import no_borders
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.rules import (
    Ahead,
    AnyCause,
    BoardMechanic,
    LedgerEntry,
    ReportMechanic,
    Rules,
    limits_sight,
)


class PassageCause(AnyCause):
    """Why a passage is closed to a unit."""

    LINE_BLOCKED = "is by rail, past or into a place where a unit of another power stands", "ASI-5.b"
    NOT_THE_KEEPER = "leads through a canal whose keeper is another power or nobody", "ASI-6.a"


@mechanic("railway")
@dataclass(frozen=True)
class Railway(BoardMechanic, MovementMechanic, ReportMechanic):
    """Units of a `kind` go from any province of a `line` to any other in one move: those of `powers`, or all.

    Where a unit of another power stands when the phase begins, they neither pass nor arrive.  Supports and retreats
    lead to neighbours alone, and no convoy goes by rail.
    """

    line: tuple[str, ...]
    powers: tuple[str, ...] = ()
    kind: str = "A"

    causes: ClassVar[tuple[AnyCause, ...]] = (PassageCause.LINE_BLOCKED,)
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"line": "province", "powers": "power", "kind": "kind"}
    )
    not_in_columns: ClassVar[str] = "batches have no railways"

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield an error for hidden boards, on which a refused order would show where units stand."""
        if limits_sight(rules):
            yield Finding.error("hidden-railway", f"mechanics {self.id}", "a railway needs a board that everybody sees")

    def extend_board(self, board: Board) -> Board:
        """Return the board with the steps by rail; raise `BadFile` if another mechanic has changed the kind."""
        if self.kind in board.traits:
            raise BadFile(f"{self.kind[:20]!r} has ways of its own already", where=self.id)
        way = board.ways[self.kind]
        known = {(edge.a.province, edge.b.province) for edge in board.edges if edge.way == way}
        edges = [edge._replace(way=self.kind, convoy=False) for edge in board.edges if edge.way == way]
        plain, only = edges[0], frozenset(self.powers)
        for pair in combinations(self.line, 2):
            for a, b in (pair, pair[::-1]):
                if (a, b) not in known:
                    edges.append(plain._replace(a=Location(a), b=Location(b), only=only, reason="by rail"))
        traits = Traits("land", way, way, convoys=False, convoyed=True, takes=True)
        return replace(
            board,
            edges=(*board.edges, *edges),
            ways={**board.ways, self.kind: self.kind},
            traits={**board.traits, self.kind: traits},
        )

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Return that a unit of another power stands on the line (ASI-5.b); else None."""
        placement, board = resolved.placement, field.board
        if resolved.code != MOVE or placement.kind != self.kind or not resolved.land or resolved.to in placement.helps:
            return None
        stations = [board.index[place] for place in self.line]
        start, end = stations.index(placement.place), stations.index(resolved.to)
        ahead = stations[start + 1 : end + 1] if start < end else stations[end:start]
        blocked = any(field.tenant[place] and field.owner[field.tenant[place]] != field.owner[row] for place in ahead)
        return PassageCause.LINE_BLOCKED if blocked else None

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield where units of other powers stand on the line of those that use it."""
        for unit in position.units:
            if self.powers and unit.at.province in self.line and unit.power not in self.powers:
                text = f"closes the line in {place_name(rules.board, unit.at)}"
                yield LedgerEntry("Railway", text, unit.power, unit.at.province, clause="ASI-5.b")


@mechanic("canal")
@dataclass(frozen=True)
class Canal(BoardMechanic, MovementMechanic, ReportMechanic):
    """Only the power with a unit in the province `keeper` moves, supports and retreats over `edges`, either way."""

    edges: tuple[tuple[str, str], ...]
    keeper: str

    several: ClassVar[bool] = True
    causes: ClassVar[tuple[AnyCause, ...]] = (PassageCause.NOT_THE_KEEPER,)
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"edges": "province", "keeper": "province"}
    )
    not_in_columns: ClassVar[str] = "batches have no canals with keepers"

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield an error for each border between provinces that are not neighbours."""
        return no_borders(rules.board, self.id, self.edges)

    def _closed(self, field: IndexedPosition, row: int, there: int) -> bool:
        """Return whether the canal lies between the unit of a row and a province, and its power does not keep it."""
        board, tenant = field.board, field.tenant[field.board.index[self.keeper]]
        ends = {board.provinces[field.at[row]].id, board.provinces[there].id}
        return any(ends == {*edge} for edge in self.edges) and field.owner[tenant] != field.owner[row]

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Return that a move or support leads through the canal of another keeper (ASI-6.a); else None."""
        if resolved.code not in (MOVE, SUPPORT) or resolved.into < 0 or not field.units[row]:
            return None
        return PassageCause.NOT_THE_KEEPER if self._closed(field, row, resolved.into) else None

    def flight(self, field: IndexedPosition, row: int, regular: Flight) -> Flight:
        """Return the places without those beyond the canal, for a power that does not keep it (ASI-6.a)."""
        return {place: ends for place, ends in regular.items() if not self._closed(field, row, place)}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the keeper of the canal."""
        for unit in position.units:
            if unit.at.province == self.keeper:
                text = f"keeps the canal from {place_name(rules.board, unit.at)}"
                yield LedgerEntry("Canal", text, unit.power, self.keeper, clause="ASI-6.a")
