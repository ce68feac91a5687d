"""Could an order come true with the units now on the board, whatever anybody orders (STD-4.d)?"""

from __future__ import annotations

from gamesmaster.judge.draft import Draft
from gamesmaster.judge.field import Field
from gamesmaster.judge.kernel import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.judge.values import AnyCause, Cause


def possible(field: Field, draft: Draft, row: int) -> AnyCause | None:
    """Why this order could not come true with the units now on the board, whatever anybody orders; None if it could."""
    if draft.fault is not None or draft.code == HOLD:
        return draft.fault
    if draft.code == MOVE:
        return _possible_move(field, draft, row)
    if draft.seaward and field.from_sea(draft):
        return None if field.landers(draft) else Cause.NOBODY
    helped = field.helped(row, draft)
    stance = field.stances[helped]
    if not helped:
        return Cause.NOBODY
    unit, clerk = field.units[helped], field.clerk
    assert unit is not None
    fault = clerk.misfit(draft, stance, unit.power, field.owner[helped] != field.owner[row])
    if fault is None and (draft.code == CONVOY or (draft.to >= 0 and draft.to not in stance.reach)):
        return _possible_by_sea(field, draft)
    if draft.guarded:
        return fault or (Cause.OUT_OF_REACH if draft.code == SUPPORT and not field.may_help(row, draft) else None)
    if fault is None and not field.crowded and not clerk.asks_whose(draft):
        draft.fits = stance
    return fault


def _possible_move(field: Field, draft: Draft, row: int) -> AnyCause | None:
    if field.walks(row, draft):
        return None
    if not draft.sea:
        return Cause.CLOSED
    return None if field.passage(draft.stance.place, draft.to) else Cause.NO_PASSAGE


def _possible_by_sea(field: Field, draft: Draft) -> AnyCause | None:
    """The same, of helping a move that must go by convoy (STD-4.i, STD-4.j)."""
    here, carries = draft.stance.place, draft.stance.carries
    if draft.code == CONVOY:
        return field.needed(here, draft.of, draft.to)
    if not field.passage(draft.of, draft.to):
        return Cause.CANNOT
    return Cause.NEEDED if carries and not field.passage_without(draft.of, draft.to, here) else None
