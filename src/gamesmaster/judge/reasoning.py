"""Rulings with their reasons: the cause that the judge found, and what of it mechanics know better."""

from __future__ import annotations

from gamesmaster.errors import Ambiguous, BadOrder, UnknownPlace
from gamesmaster.judge.mechanic import Case, ReportMechanic
from gamesmaster.judge.values import PLAIN, Aspect, Cause, Ruling


def told(
    case: Case,
    *,
    strengths: tuple[float, float] | None = None,
    error: BadOrder | None = None,
    detail: str = "",
    aspect: str = "",
) -> Ruling:
    """The ruling on a case; `aspect` and `detail` are what the judge knows of the reason, where no mechanic does.

    `error` is why an order could not be read.
    """
    if error is not None:
        detail, aspect = str(error), "doubtful_place" if isinstance(error, (UnknownPlace, Ambiguous)) else ""
    found = _aspect(case, aspect)
    return Ruling(
        power=case.power,
        unit=case.unit,
        order=case.order,
        given=case.given,
        result=case.result,
        cause=case.cause,
        by=case.by,
        dislodged_by=case.dislodged_by,
        strengths=strengths,
        detail=detail if found.detail is None else found.detail,
        board=case.rules.board,
        clauses=case.rules.told,
        aspect=found.word,
    )


def _aspect(case: Case, known: str) -> Aspect:
    for ruling_aspect in case.rules.asked(ReportMechanic.ruling_aspect):
        if (found := ruling_aspect(case)) is not PLAIN:
            return found
    if not case.given and case.cause in (Cause.REMOVED, Cause.DISBANDED):
        return Aspect("removed_unasked" if case.cause is Cause.REMOVED else "disbanded_unasked")
    word = _left_over(case) if case.cause is Cause.LEFT_OVER else known
    return Aspect(word) if word else PLAIN


def _left_over(case: Case) -> str:
    """Why an order finds no unit where several lie together: there is none, or no pair to be formed (CNW-6.a1)."""
    assert case.order is not None
    assert case.order.at is not None
    if case.order.kind in case.rules.board.forms:
        return "pair_wanting"
    own = (u for u in case.position.of(case.power) if u.at == case.order.at and case.order.kind in ("", u.kind))
    return "" if any(own) else "none_there"
