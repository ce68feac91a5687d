"""API of moderation: reports, suspensions, the audit log, roles."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from gamesmaster.errors import NotFound
from gamesmaster.host.accounts import people
from gamesmaster.host.api.callers import Done, Given, PathNumber, browser, person
from gamesmaster.host.gm.api import AuditOut
from gamesmaster.host.moderation import oversight
from gamesmaster.host.moderation.oversight import Complaint, Pair
from gamesmaster.host.tables.models import AuditLine


class ComplaintOut(Schema):
    """A report, without its text if it is about a game in which you play."""

    id: int
    about: str
    text: str
    by: str
    table: str
    made: datetime
    state: str
    answer: str


class AnswerIn(Given):
    """The answer to the person who sent the report."""

    answer: Annotated[str, Field(max_length=4_000)]


class SuspendIn(Given):
    """Whether to suspend an account."""

    suspended: bool = True


class RoleIn(Given):
    """Whether an account is a moderator's."""

    moderator: bool


class AlikeOut(Schema):
    """Two players of a game who share an address: on how many days recently, and the last of them."""

    table: str = Field(alias="table.key")
    players: list[str]
    days: int
    last: date

    @staticmethod
    def resolve_players(pair: Pair) -> list[str]:
        """Return the names of both."""
        return [pair.one.username, pair.two.username]


router = Router()
SCOPE = "moderation"


def _keeper(request: HttpRequest) -> User:
    user = person(request, SCOPE)
    people.must_keep_order(user)
    return user


@router.get("/complaints", response=list[ComplaintOut])
def complaints(request: HttpRequest, state: Literal["open", "closed"] = "open") -> list[dict[str, object]]:
    """The open reports, oldest first, or those closed recently."""
    user = _keeper(request)
    found = oversight.complaints(user, state=state)
    shown = found if state == Complaint.OPEN else found.order_by("-closed")
    return [_complaint(one, user) for one in shown[:200]]


@router.post("/complaints/{number}/close", response=ComplaintOut)
def close(request: HttpRequest, number: PathNumber, given: AnswerIn) -> dict[str, object]:
    """Close a report."""
    user = _keeper(request)
    return _complaint(oversight.close_complaint(number, user, given.answer), user)


@router.get("/log", response=list[AuditOut])
def log(
    request: HttpRequest, table: Annotated[str, Query(max_length=16, description="only for this game")] = ""
) -> QuerySet[AuditLine]:
    """The latest lines of the audit log, except those about games in which you play."""
    return oversight.audit_log(_keeper(request), key=table)


@router.get("/alike", response=list[AlikeOut])
def same_address(request: HttpRequest) -> list[Pair]:
    """Players of one game who share an address: a reason to look closer, not a proof."""
    return oversight.shared_addresses(_keeper(request))


@router.put("/people/{username}/suspended", response=Done)
def suspend(request: HttpRequest, username: str, given: SuspendIn) -> Done:
    """Suspend an account, or readmit it."""
    user = _keeper(request)
    oversight.suspend(_find_user(username), user, wanted=given.suspended)
    return Done()


@router.put("/people/{username}/moderator", response=Done)
def role(request: HttpRequest, username: str, given: RoleIn) -> Done:
    """Give or take away the role of moderator; only for admins who are signed in, never with a token."""
    user = browser(request)
    people.must_keep_order(user)
    people.set_moderator(_find_user(username), user, wanted=given.moderator)
    return Done()


def _find_user(username: str) -> User:
    found = User.objects.filter(username=username).first()
    if found is None:
        raise NotFound(f"nobody here is called {username[:60]!r}")
    return found


def _complaint(found: Complaint, reader: User) -> dict[str, object]:
    hidden = found.table is not None and oversight.sits(reader, found.table)
    shown = {"id": found.pk, "about": found.about, "made": found.made, "state": found.state}
    if hidden:
        return {**shown, "text": "", "by": "", "table": "", "answer": ""}
    by, table = found.by.username if found.by else "", found.table.key if found.table else ""
    return {**shown, "text": found.text, "by": by, "table": table, "answer": found.answer}
