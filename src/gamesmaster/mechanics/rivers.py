"""Rivers: a move over one has a unit's strength less, and nobody supports or retreats over it (STD-16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from gamesmaster.board import Board, Finding
from gamesmaster.engine import BLUNT, CARRIED, MOVE, NOWAY, POWERLESS, SUPPORT, Rows
from gamesmaster.engine.problem import WEIGHT
from gamesmaster.judge import Bound, Flight, IndexedPosition, MovementMechanic, ResolvedOrder
from gamesmaster.mechanics.borders import no_borders
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.rules import (
    NO_OVERRIDE,
    AnyCause,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    ParameterNames,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Rules,
)


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
