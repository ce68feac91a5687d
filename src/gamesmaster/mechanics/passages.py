"""Passages that are open to some: a railway on which armies go far, and canals (ASI-5, ASI-6, STD-18)."""

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
    NOT_THE_OWNER = "leads through a strait that another power owns, or nobody", "STD-18.a"


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
    """Only who keeps the province `keeper` moves, supports and retreats over `edges`, either way.

    That is the power with a unit there, or its owner.
    """

    edges: tuple[tuple[str, str], ...]
    keeper: str
    by: Literal["unit", "owner"] = "unit"

    several: ClassVar[bool] = True
    causes: ClassVar[tuple[AnyCause, ...]] = (PassageCause.NOT_THE_KEEPER, PassageCause.NOT_THE_OWNER)
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"edges": "province", "keeper": "province"}
    )
    not_in_columns: ClassVar[str] = "batches have no canals with keepers"

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield an error for borders between provinces that are not neighbours, and for a keeper without an owner."""
        yield from no_borders(rules.board, self.id, self.edges)
        if self.by == "owner" and not rules.board.province(self.keeper).centre:
            yield Finding.error("no-centre", self.keeper, "its owner keeps a canal, but it is not a supply centre")

    def _closed(self, field: IndexedPosition, row: int, there: int) -> bool:
        """Return whether the canal lies between the unit of a row and a province, and its power does not keep it."""
        board = field.board
        ends = {board.provinces[field.at[row]].id, board.provinces[there].id}
        if not any(ends == {*edge} for edge in self.edges):
            return False
        if self.by == "owner":
            return field.rules.numbers.get(field.position.owners.get(self.keeper, ""), 0) != field.owner[row]
        return field.owner[field.tenant[board.index[self.keeper]]] != field.owner[row]

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Return that a move or support leads through the canal of another keeper (ASI-6.a, STD-18.a); else None."""
        if resolved.code not in (MOVE, SUPPORT) or resolved.into < 0 or not field.units[row]:
            return None
        return self._cause if self._closed(field, row, resolved.into) else None

    @property
    def _cause(self) -> PassageCause:
        return PassageCause.NOT_THE_OWNER if self.by == "owner" else PassageCause.NOT_THE_KEEPER

    def flight(self, field: IndexedPosition, row: int, regular: Flight) -> Flight:
        """Return the places without those beyond the canal, for a power that does not keep it (ASI-6.a, STD-18.a)."""
        return {place: ends for place, ends in regular.items() if not self._closed(field, row, place)}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the keeper of the canal."""
        there = [(unit.power, unit.at) for unit in position.units if unit.at.province == self.keeper]
        if self.by == "owner":
            there = [(position.owners.get(self.keeper, ""), Location(self.keeper))]
        for power, at in ((power, at) for power, at in there if power):
            text = f"keeps the canal from {place_name(rules.board, at)}"
            yield LedgerEntry("Canal", text, power, self.keeper, clause=self._cause.clause)
