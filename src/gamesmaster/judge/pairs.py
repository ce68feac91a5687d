"""Units that carry another: the pair they are, and what is left when one half goes (AFM-8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

from gamesmaster.board import Board, Terrain, Unit
from gamesmaster.judge.values import AnyCause, Cause


def carrier_of(units: Collection[Unit], unit: Unit) -> Unit | None:
    """The unit that carries this one, if it is aboard of any."""
    return next((u for u in units if u.number == unit.aboard), None) if unit.aboard else None


def cargo_of(units: Collection[Unit], unit: Unit) -> Unit | None:
    """The unit aboard of this one, if it carries any."""
    return next((u for u in units if u.aboard == unit.number), None)


def without(board: Board, units: Sequence[Unit], gone: Collection[int]) -> tuple[Unit, ...]:
    """The units that are left when those with these numbers are gone.

    A carrier that has lost its load is an ordinary unit again (`A/F` to `F`); one whose carrier is gone stands where it
    was carried (CNW-6.a4).
    """
    left = tuple(u for u in units if u.number not in gone)
    if not board.forms or len(left) == len(units):
        return left
    numbers = {u.number for u in left}
    left = tuple(replace(u, aboard=0) if u.aboard not in numbers and u.aboard else u for u in left)
    laden = {u.aboard for u in left}
    return tuple(
        replace(u, kind=board.base(u.kind)) if _carries(board, u) and u.number not in laden else u for u in left
    )


def _carries(board: Board, unit: Unit) -> bool:
    return unit.kind in board.forms and bool(board.forms[unit.kind].cargo)


def parted(
    board: Board,
    units: Sequence[Unit],
    owed: int,
    *,
    whole_needs: int = 2,
    fleet_alone: Literal["never", "box"] = "never",
) -> AnyCause | None:
    """Why a pair (two units) or a half of it (one) may not be removed by one order, None if it may (AFM-8.a).

    The whole pair needs `whole_needs` owed; the carrier goes from under its load nowhere, or only in a `box`.
    """
    if len(units) > 1:
        return Cause.NO_REMOVALS if owed < whole_needs else None
    laden = any(_carries(board, unit) for unit in units)
    boxed = all(board.province(unit.at.province).terrain is Terrain.BOX for unit in units)
    return Cause.LADEN if laden and not (boxed and fleet_alone == "box") else None
