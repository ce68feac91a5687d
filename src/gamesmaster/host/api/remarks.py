"""Points of playability: said by those who play, read by whoever runs the table, and by nobody else (CLN-P.c)."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest
from ninja import Router, Status

from gamesmaster.host.api.callers import person
from gamesmaster.host.api.seeing import look
from gamesmaster.host.api.shapes.remarks import (
    QuestionIn,
    QuestionOut,
    RemarkIn,
    RemarkOut,
    ScaleOut,
    SummaryOut,
)
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Question, Remark, Table
from gamesmaster.host.service import remarks
from gamesmaster.host.service.viewing import row_of

router = Router()


def _table(request: HttpRequest, key: str, scope: str) -> tuple[User, Table]:
    user = person(request, scope)
    return user, row_of(look(key, user))


@router.get("/{slug:key}/remarks", response=list[RemarkOut])
def own(request: HttpRequest, key: str) -> list[RemarkOut]:
    """Your remarks on the game."""
    user, table = _table(request, key, "read")
    return [_remark(one) for one in remarks.own(table, user)]


@router.post("/{slug:key}/remarks", response={201: RemarkOut})
def say(request: HttpRequest, key: str, given: RemarkIn) -> Status[RemarkOut]:
    """Add a remark on the game; it replaces your earlier answer to the same question."""
    user, table = _table(request, key, "press")
    return Status(201, _remark(remarks.say(table, user, given.text, given.scores, question=given.question)))


@router.get("/{slug:key}/remarks/questions", response=list[QuestionOut])
def questions(request: HttpRequest, key: str) -> list[QuestionOut]:
    """The questions to the players; for them and for the people who read the answers."""
    user, table = _table(request, key, "read")
    if not (remarks.answers(table, user) or remarks.reads(table, user)):
        raise Refused("no-seat", "Only the players of this game can answer.")
    return [_question(one) for one in table.questions.order_by("pk")]


@router.post("/{slug:key}/remarks/questions", response={201: QuestionOut})
def ask(request: HttpRequest, key: str, given: QuestionIn) -> Status[QuestionOut]:
    """Put a question to the players."""
    user, table = _table(request, key, "gm")
    return Status(201, _question(remarks.ask(table, user, given.text)))


@router.get("/{slug:key}/remarks/summary", response=SummaryOut)
def summary(request: HttpRequest, key: str) -> SummaryOut:
    """The players' remarks; for the people who may read them."""
    user, table = _table(request, key, "gm")
    found = remarks.summary(table, user)
    scales = {s.name: ScaleOut(says=s.says, mean=s.mean, counts=list(s.counts)) for s in found.scales}
    return SummaryOut(answers=found.answers, scales=scales, remarks=[_remark(one) for one in found.remarks])


def _question(found: Question) -> QuestionOut:
    return QuestionOut(id=found.pk, ordinal=found.ordinal, text=found.text, asked=found.asked)


def _remark(found: Remark) -> RemarkOut:
    asked = found.question.text if found.question else ""
    return RemarkOut(power=found.power, ordinal=found.ordinal, question=asked, scores=found.scores, text=found.text)
