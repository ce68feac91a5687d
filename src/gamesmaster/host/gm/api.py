"""API of the Gamesmaster: actions, webhooks, and remarks on playability."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

from django.contrib.auth.models import User
from django.http import HttpRequest
from ninja import Path, Router, Schema, Status
from pydantic import Field

from gamesmaster.host.accounts.people import named_user
from gamesmaster.host.api.callers import (
    Code,
    Done,
    Given,
    Key,
    Name,
    Number,
    OrderSet,
    Ordinal,
    Power,
    caller,
    own_power,
    person,
)
from gamesmaster.host.games import deadlines, seats
from gamesmaster.host.games.api import TableOut, table_out
from gamesmaster.host.gm import desk, hooks, remarks
from gamesmaster.host.gm.remarks import Question, Remark
from gamesmaster.host.orders import drafts
from gamesmaster.host.orders.api import ReceiptOut, RulingOut, WishIn, receipt_out, ruling_out
from gamesmaster.host.phases import past, processing
from gamesmaster.host.phases.api import BackIn
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.access import look, row_of
from gamesmaster.host.tables.models import Table, WebHook
from gamesmaster.host.tables.view import TableView


class ExtendIn(Given):
    """A new deadline."""

    until: datetime = Field(examples=["2027-01-05T20:00:00Z"])


class ReplaceIn(Given):
    """The player who takes over a power, by name."""

    power: Name = Field(examples=["France"])
    user: Annotated[str, Field(max_length=150)] = Field(examples=["ben"])


class OverrideIn(Given):
    """Orders entered by the Gamesmaster."""

    ordinal: Ordinal
    orders: OrderSet = Field(examples=[["A Par H", "F Bre - Mao"]])


class AnnounceIn(Given):
    """A message to all players in the Gamesmaster's name."""

    text: Annotated[str, Field(max_length=10_000)] = Field(examples=["The rulebook says Winter, and Winter it is."])


class CourseOut(Schema):
    """A power in one phase, compared with the average; `change`: its centres since the phase before.

    Of its units `dislodged` were, and `lost` went off the board; `attacked` are the powers that moved against it.
    """

    phase: Code
    centres: int = Field(examples=[5])
    units: int = Field(examples=[5])
    mean_centres: float = Field(examples=[4.1])
    mean_units: float = Field(examples=[4.0])
    change: int = Field(examples=[1])
    dislodged: int = Field(examples=[1])
    lost: int = Field(examples=[0])
    attacked: list[str] = Field(examples=[["Persia", "Russia"]])


class HookIn(Given):
    """The address of a webhook."""

    url: Annotated[str, Field(max_length=500)] = Field(examples=["https://example.org/hook"])
    events: list[Name] = Field(default=[], max_length=10, examples=[["phase"]])


class HookOut(Schema):
    """A webhook; its `secret` is shown once, when it is set."""

    id: int = Field(examples=[1])
    url: str = Field(examples=["https://example.org/hook"])
    events: list[str] = Field(examples=[["phase"]])
    failures: int = Field(examples=[0])
    secret: str = ""


class AuditOut(Schema):
    """A line of the audit log; never an order, a vote or press."""

    at: datetime
    who: str = Field(examples=["keeper"])
    what: str = Field(examples=["moved the deadline to 2027-01-05 20:00 UTC"])
    table: Key


router = Router()


def _look_up(request: HttpRequest, key: str) -> tuple[User | None, TableView, Table]:
    user = caller(request, "gm")
    view = look(key, user)
    return user, view, row_of(view)


@router.post("/{slug:key}/process", response=TableOut)
def process(request: HttpRequest, key: str, given: WishIn) -> TableOut:
    """Process the phase with this number now."""
    user, _, table = _look_up(request, key)
    done = processing.ask(table, given.ordinal, user)
    if done not in (processing.Done.PROCESSED, processing.Done.ALREADY):
        raise Refused("not-processed", f"The phase was not processed: {done.value}.", "try again in a moment")
    return table_out(look(key, user))


@router.get("/{slug:key}/preview", response=list[RulingOut])
def preview(request: HttpRequest, key: str) -> list[RulingOut]:
    """The results that the orders sent so far would have; the log notes that you looked."""
    user, _, table = _look_up(request, key)
    return [ruling_out(ruling) for ruling in processing.preview(table, user).rulings]


@router.post("/{slug:key}/extend", response=TableOut)
def extend(request: HttpRequest, key: str, given: ExtendIn) -> TableOut:
    """Move the deadline."""
    user, _, table = _look_up(request, key)
    if given.until.tzinfo is None:
        raise Refused("bad-time", "A time must have a zone.", "2027-01-05T20:00:00Z")
    deadlines.extend(table, user, given.until)
    return table_out(look(key, user))


@router.post("/{slug:key}/pause", response=Done)
def pause(request: HttpRequest, key: str) -> Done:
    """Stop the clock."""
    user, _, table = _look_up(request, key)
    deadlines.pause(table, user)
    return Done()


@router.post("/{slug:key}/resume", response=Done)
def resume(request: HttpRequest, key: str) -> Done:
    """Start the clock again. In a game without a Gamesmaster, its owner can do this."""
    user, _, table = _look_up(request, key)
    deadlines.resume(table, user)
    return Done()


@router.post("/{slug:key}/rollback", response=TableOut)
def rollback(request: HttpRequest, key: str, given: BackIn) -> TableOut:
    """Take the game back to a phase. All players are notified; receipts for later phases become void."""
    user, _, table = _look_up(request, key)
    past.rollback(table, given.ordinal, user)
    return table_out(look(key, user))


@router.post("/{slug:key}/replace", response=TableOut)
def replace(request: HttpRequest, key: str, given: ReplaceIn) -> TableOut:
    """Give a power to another player."""
    user, view, table = _look_up(request, key)
    if not view.viewer.owner:  # the owner may fill lost seats
        access.must_run(table, user)
    seats.replace(table, view.variant.power(given.power).name, named_user(given.user), user)
    return table_out(look(key, user))


@router.put("/{slug:key}/override/{power}", response=ReceiptOut)
def override(request: HttpRequest, key: str, power: str, given: OverrideIn) -> ReceiptOut:
    """Enter orders for a power in place of its player; all players are notified."""
    user, view, table = _look_up(request, key)
    name = own_power(view, power)
    made = desk.override(table, name, given.orders, user, ordinal=given.ordinal, sure=True)
    return receipt_out(made, look(key, user), drafts.sheet_of(view.bare_game, name, given.orders))


@router.post("/{slug:key}/announce", response=Done)
def announce(request: HttpRequest, key: str, given: AnnounceIn) -> Done:
    """Write to all players in the Gamesmaster's name."""
    user, _, table = _look_up(request, key)
    desk.tell_all(table, user, given.text)
    return Done()


@router.get("/{slug:key}/log", response=list[AuditOut])
def log(request: HttpRequest, key: str) -> list[AuditOut]:
    """The log of the game, newest entries first; for the people who run it."""
    user, view, table = _look_up(request, key)
    access.must_run(table, user)
    lines = table.audit.select_related("who").order_by("-at", "-pk")[:200]
    return [
        AuditOut(at=line.at, who=line.who.username if line.who else "", what=line.what, table=view.key)
        for line in lines
    ]


@router.get("/{slug:key}/course/{power}", response=list[CourseOut])
def course(request: HttpRequest, key: str, power: str) -> list[CourseOut]:
    """A power phase by phase, compared with the average, and who attacked it; for the people who run the game."""
    user, view, table = _look_up(request, key)
    access.must_run(table, user)
    found = desk.course_of(view, view.variant.power(power).name) if view.begun else []
    return [CourseOut(**asdict(one)) for one in found]


@router.get("/{slug:key}/hooks", response=list[HookOut])
def own_hooks(request: HttpRequest, key: str) -> list[HookOut]:
    """Your webhooks for the game."""
    user = person(request, "gm")
    return [_hook(hook) for hook in row_of(look(key, user)).hooks.filter(owner=user).order_by("pk")]


@router.post("/{slug:key}/hooks", response={201: HookOut})
def set_hook(request: HttpRequest, key: str, given: HookIn) -> Status[HookOut]:
    """Set a webhook. The secret that signs its messages is shown only now."""
    user, _, table = _look_up(request, key)
    made = hooks.add(table, user, given.url, given.events)
    return Status(201, _hook(made, made.secret))


@router.delete("/{slug:key}/hooks/{number}", response=Done)
def drop_hook(request: HttpRequest, key: str, number: Annotated[int, Path(ge=0, le=2**31 - 1)]) -> Done:
    """Delete a webhook."""
    user, _, table = _look_up(request, key)
    hooks.drop(table, user, number)
    return Done()


def _hook(hook: WebHook, secret: str = "") -> HookOut:
    return HookOut(id=hook.pk, url=hook.url, events=hook.events, failures=hook.failures, secret=secret)


Score = Annotated[int, Field(ge=1, le=5)]


class QuestionIn(Given):
    """A question to the players."""

    text: Annotated[str, Field(max_length=400)] = Field(examples=["Is the Black Sea too crowded?"])


class QuestionOut(Schema):
    """A question that the players were asked."""

    id: int = Field(examples=[1])
    ordinal: int = Field(examples=[4])
    text: str = Field(examples=["Is the Black Sea too crowded?"])
    asked: datetime


class RemarkIn(Given):
    """Your remarks on the game: scores from 1 to 5 by their names, a text, or both."""

    text: Annotated[str, Field(max_length=4_000)] = Field(default="", examples=["Too crowded, but fun."])
    scores: dict[str, Score] = Field(default={}, examples=[{"balance": 4, "joy": 5}])
    question: Number | None = Field(default=None, description="the question that it answers")


class RemarkOut(Schema):
    """Somebody's remarks on the game."""

    power: Power
    ordinal: int = Field(examples=[4])
    question: str = Field(examples=[""])
    scores: dict[str, int] = Field(examples=[{"balance": 4, "joy": 5}])
    text: str = Field(examples=["Too crowded, but fun."])


class ScaleOut(Schema):
    """One point that everybody is asked about: the mean of the answers, and the number of each, from 1 to 5."""

    says: str = Field(examples=["It is fun"])
    mean: float | None = Field(examples=[4.5])
    counts: list[int] = Field(examples=[[0, 0, 0, 1, 1]])


class SummaryOut(Schema):
    """What the players think, without their names."""

    answers: int = Field(examples=[2])
    scales: dict[str, ScaleOut] = Field(description="each point that is asked, by its name")
    remarks: list[RemarkOut]


remarks_router = Router()


def _table(request: HttpRequest, key: str, scope: str) -> tuple[User, Table]:
    user = person(request, scope)
    return user, row_of(look(key, user))


@remarks_router.get("/{slug:key}/remarks", response=list[RemarkOut])
def own(request: HttpRequest, key: str) -> list[RemarkOut]:
    """Your remarks on the game."""
    user, table = _table(request, key, "read")
    return [_remark(one) for one in remarks.own_remarks(table, user)]


@remarks_router.post("/{slug:key}/remarks", response={201: RemarkOut})
def say(request: HttpRequest, key: str, given: RemarkIn) -> Status[RemarkOut]:
    """Add a remark on the game; it replaces your earlier answer to the same question."""
    user, table = _table(request, key, "press")
    return Status(201, _remark(remarks.say(table, user, given.text, given.scores, question=given.question)))


@remarks_router.get("/{slug:key}/remarks/questions", response=list[QuestionOut])
def questions(request: HttpRequest, key: str) -> list[QuestionOut]:
    """The questions to the players; for them and for the people who read the answers."""
    user, table = _table(request, key, "read")
    if not (remarks.may_answer(table, user) or remarks.may_read(table, user)):
        raise Refused("no-seat", "Only the players of this game can answer.")
    return [_question(one) for one in table.questions.order_by("pk")]


@remarks_router.post("/{slug:key}/remarks/questions", response={201: QuestionOut})
def ask(request: HttpRequest, key: str, given: QuestionIn) -> Status[QuestionOut]:
    """Put a question to the players."""
    user, table = _table(request, key, "gm")
    return Status(201, _question(remarks.ask(table, user, given.text)))


@remarks_router.get("/{slug:key}/remarks/summary", response=SummaryOut)
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
