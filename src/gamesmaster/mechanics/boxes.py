"""Boxes: provinces, so called on the board, in which any number of units lie and nobody fights (CNW-5).

No variant asks for them by name: they are had by every board that has such a province.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from gamesmaster.board import Board
from gamesmaster.engine import ABSENT, FREE, MOVE, SUPPORT, Rows
from gamesmaster.judge import (
    Bound,
    IndexedPosition,
    MovementMechanic,
    OrderReader,
    ParsedOrder,
    ResolvedOrder,
    free_of,
    intended_standing,
)
from gamesmaster.rules import (
    NO_OVERRIDE,
    AnyCause,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    Mechanic,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Rules,
    Standing,
)


class BoxCause(AnyCause):
    """Why orders about boxes are void."""

    NEEDLESS = "is for a place where no unit can be attacked", "CNW-5.a"
    LEFT_OVER = "is for one unit more than its power has of this kind there", "CNW-5.a", True


@dataclass(frozen=True)
class Boxes(BoardMechanic, MovementMechanic, ReportMechanic, ColumnMechanic):
    """Provinces in which units lie together: they occupy nothing, and nobody is opposed who comes."""

    id: ClassVar[str] = "boxes"
    implied: ClassVar[bool] = True
    causes: ClassVar[tuple[AnyCause, ...]] = (*BoxCause,)

    def extend_board(self, board: Board) -> Board:
        """Return the board with its boxes as shared places."""
        return replace(board, shared=board.shared | board.boxes)

    def resolve_order(self, reader: OrderReader, resolved: ResolvedOrder) -> None:
        """Let a unit in a box support others from there (CNW-5.b), and refuse supports into a box.

        Nobody can be attacked in a box, so these are needless.
        """
        if resolved.code != SUPPORT:
            return
        if resolved.placement.place in reader.board.shared:
            reader.help_within(resolved)
        if resolved.into in reader.board.shared and resolved.fault in (None, Cause.WRONG_KIND, Cause.WRONG_COAST):
            resolved.fault = BoxCause.NEEDLESS

    def order_row(self, field: IndexedPosition, bound: Bound, parsed: ParsedOrder, power: int, regular: int) -> int:
        """Return the next unit without an order: orders are matched in the order written (CNW-5.a)."""
        if parsed.place not in field.crowded:
            return regular
        return next(free_of(field, bound, field.candidates(parsed.place, power, parsed.kind)), 0)

    def stray_order(self, field: IndexedPosition, parsed: ParsedOrder, regular: AnyCause) -> AnyCause:
        """Return the cause of an order to a box whose units have all been given orders, or are missing (CNW-5.a)."""
        left_over = regular is Cause.NO_UNIT and parsed.place in field.board.shared
        return BoxCause.LEFT_OVER if left_over else regular

    def adjust_problem(self, field: IndexedPosition, bound: Bound, rows: Rows) -> None:
        """Let units in a box occupy nothing, and moves into one meet no opposition (CNW-5.a)."""
        lie_apart(field.rules.derive(room_of), intended_standing(field, rows))

    def columns(self, rules: Rules) -> Columns:
        """Return its rule."""
        return Columns(adjust_problem=lie_apart, table=rules.derive(room_of))

    def sayings(self) -> Clauses:
        """Return the wording for an order without any unit in the box."""
        return _SAYINGS

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return the aspect of an order left over in a box: its power has no unit of that kind there."""
        order = case.ruling.order
        if case.ruling.cause is not BoxCause.LEFT_OVER or order is None:
            return NO_OVERRIDE
        own = (u for u in case.position.of(case.ruling.power) if u.at == order.at and order.kind in ("", u.kind))
        return NO_OVERRIDE if any(own) else ReasonOverride("none_there")


class BoxTables(NamedTuple):
    """By province whether there is room for any number of units."""

    shared: Sequence[int]


def room_of(rules: Rules) -> BoxTables:
    """Return the provinces with room for several units; `rules.derive(room_of)` caches them."""
    return BoxTables([int(place in rules.board.shared) for place in range(len(rules.board.provinces))])


def lie_apart(t: BoxTables, now: Standing) -> None:
    """Let units in a box occupy nothing, and moves into one meet no opposition (CNW-5.a)."""
    for r in range(1, now.n + 1):
        if now.units.at[r] >= 0 and t.shared[now.units.at[r]]:
            now.moves.flags[r] |= ABSENT
        if now.moves.act[r] == MOVE and t.shared[now.moves.to[r]]:
            now.moves.flags[r] |= FREE


_SAYINGS = Clauses({"none_there": ReasonText("STD-4.b", "is for a unit that is not there")})


IMPLIED: tuple[type[Mechanic], ...] = (Boxes,)
"""The mechanics that boards may ask for."""


def implied_mechanics(board: Board) -> tuple[Mechanic, ...]:
    """Return the mechanics that a board needs because of the kinds of its provinces."""
    return (Boxes(),) if board.boxes else ()
