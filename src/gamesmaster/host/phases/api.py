"""API of finished phases, and of votes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Path, Router, Schema, Status
from pydantic import Field

from gamesmaster.formats import ledger_data
from gamesmaster.game import event_reason
from gamesmaster.host.api.callers import (
    Done,
    Given,
    Name,
    Ordinal,
    Plain,
    TextOut,
    caller,
    own_power,
    person,
    with_etag,
)
from gamesmaster.host.games.api import PositionOut, TableOut, position_out
from gamesmaster.host.orders.api import RulingOut, WishIn, ruling_out
from gamesmaster.host.phases import endgame, past, votes
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.access import look, row_of
from gamesmaster.host.tables.view import BallotView, TableView


class BackIn(Given):
    """The phase to go back to, or to fork from."""

    ordinal: Ordinal


class StatementIn(Given):
    """Your statement about a finished game; an empty text deletes it."""

    text: Annotated[str, Field(max_length=4_000)]


class EventOut(Schema):
    """An event that nobody ordered."""

    kind: str
    power: str
    text: str
    clause: str


class PhaseLine(Schema):
    """A phase that is over."""

    ordinal: int
    phase: str
    name: str


class CorrectionOut(Schema):
    """A correction of the board by the Gamesmaster: the reason, and what it changed."""

    why: str
    changes: list[str]


class PhaseOut(PhaseLine):
    """A phase that is over: how it began, the orders with their results and reasons, and other events."""

    corrections: list[CorrectionOut] = Field(description="corrections of the board before the phase was played")
    position: PositionOut
    rulings: list[RulingOut]
    events: list[EventOut]


class HoldingOut(Schema):
    """What a power has; `strength` is how many units it can support, where special rules affect that."""

    power: str
    centers: int
    units: int
    strength: int | None


class EntryOut(Schema):
    """A line of the ledger: its text, and its parts if it has any; `term` is the code of a phase."""

    heading: str
    text: str
    power: str = Field(description="empty if no power owns it")
    province: str
    number: int | None
    term: str
    clause: str


class LedgerOut(Schema):
    """What is published about a position besides the map."""

    phase: str
    powers: list[HoldingOut]
    entries: list[EntryOut]


router = Router()
PastOrdinal = Annotated[int, Plain, Path(ge=0, le=1_000_000)]


@router.get("/{slug:key}/phases", response=list[PhaseLine])
def phases(request: HttpRequest, key: str) -> list[dict[str, object]]:
    """The phases that are over."""
    view = look(key, caller(request))
    return [phase_line(view, ordinal) for ordinal in range(len(view.records))]


@router.get("/{slug:key}/phases/{ordinal}", response=PhaseOut)
def phase(request: HttpRequest, key: str, ordinal: PastOrdinal) -> dict[str, object]:
    """A phase that is over: the result of every order, the reason, and the clause that decided."""
    return phase_out(look(key, caller(request)), ordinal)


@router.get("/{slug:key}/phases/{ordinal}/report", response=TextOut)
def phase_report(request: HttpRequest, key: str, ordinal: PastOrdinal) -> dict[str, str]:
    """The report of a phase that is over."""
    return {"text": look(key, caller(request)).report(ordinal)}


@router.get("/{slug:key}/phases/{ordinal}/ledger", response=LedgerOut)
def phase_ledger(request: HttpRequest, key: str, ordinal: PastOrdinal) -> dict[str, Any]:
    """The published position at the beginning of a phase that is over."""
    return ledger_out(look(key, caller(request)), ordinal)


@router.get("/{slug:key}/ledger", response=LedgerOut)
def ledger(request: HttpRequest, key: str) -> dict[str, Any]:
    """The published position of the current phase, with what the variant's special rules keep."""
    return ledger_out(look(key, caller(request)))


@router.get("/{slug:key}/history", response=TextOut)
def history(request: HttpRequest, key: str) -> dict[str, str]:
    """The reports of all phases that are over."""
    return {"text": look(key, caller(request)).history()}


@router.get("/{slug:key}/record", response=dict[str, Any])
def record(request: HttpRequest, key: str) -> HttpResponse:
    """The record of the game as a file for Gamesmaster, without what is not public yet."""
    text = look(key, caller(request)).record_text()
    return with_etag(request, HttpResponse(text, content_type="application/json"))


@router.post("/{slug:key}/fork", response={201: TableOut})
def fork(request: HttpRequest, key: str, given: BackIn) -> Status[TableView]:
    """Open a sandbox from the position of a phase."""
    user = caller(request, "tables")
    made = past.fork(look(key, user), given.ordinal, user)
    return Status(201, look(made.key, user))


def phase_line(view: TableView, ordinal: int) -> dict[str, object]:
    """Return a finished phase as a line of a list."""
    phase = view.record(ordinal).phase
    return {"ordinal": ordinal, "phase": phase.code, "name": view.variant.calendar.name(phase)}


def phase_out(view: TableView, ordinal: int) -> dict[str, object]:
    """Return a finished phase."""
    record = view.record(ordinal)
    reasons = ((event, event_reason(view.variant, record.phase, event)) for event in record.events)
    return {
        **phase_line(view, ordinal),
        "corrections": view.corrections(ordinal),
        "position": position_out(record.phase.code, record.position),
        "rulings": [ruling_out(ruling) for ruling in view.adjudication(ordinal).rulings],
        "events": [
            {"kind": e.kind.value, "power": e.power, "text": one.text, "clause": one.clause} for e, one in reasons
        ],
    }


def ledger_out(view: TableView, ordinal: int | None = None) -> dict[str, Any]:
    """Return the ledger of the current or a finished phase; raise `Refused` before the game begins."""
    ledger = view.ledger(ordinal)
    if ledger is None:
        raise Refused("not-started", "The game has not begun.")
    return ledger_data(ledger)


class VoteIn(Given):
    """A vote: the game ends and `winners` share it. An empty list withdraws your vote."""

    ordinal: Ordinal
    winners: list[Name] = Field(max_length=100)


votes_router = Router()


@votes_router.get("/{slug:key}/votes", response=list[BallotView])
def known_votes(request: HttpRequest, key: str) -> list[BallotView]:
    """The votes that you are allowed to see."""
    return list(look(key, caller(request)).ballots)  # django-ninja takes a pair for a status and a body


@votes_router.put("/{slug:key}/votes/{power}/end", response=Done)
def vote(request: HttpRequest, key: str, power: str, given: VoteIn) -> Done:
    """Vote to end the game with a draw or a win for one power; `done` means that this ended it."""
    user = caller(request, "orders")
    view = look(key, user)
    name = own_power(view, power)
    return Done(done=votes.cast(row_of(view), name, given.winners, ordinal=given.ordinal, user=user))


@votes_router.put("/{slug:key}/votes/{power}/{kind}", response=Done)
def wish(
    request: HttpRequest, key: str, power: str, kind: Literal["extend", "pause", "resume", "cancel"], given: WishIn
) -> Done:
    """Vote for more time, a pause, its end, or to cancel the game.  `wanted` false withdraws it; `done`: it carried."""
    user = caller(request, "orders")
    view = look(key, user)
    name = own_power(view, power)
    if given.wanted:
        return Done(done=votes.wish(row_of(view), name, kind, ordinal=given.ordinal, user=user))
    votes.withdraw(row_of(view), name, kind, ordinal=given.ordinal, user=user)
    return Done(done=False)


@router.put("/{slug:key}/statement", response=Done)
def state(request: HttpRequest, key: str, given: StatementIn) -> Done:
    """Publish your statement about a finished game in which you played."""
    user = person(request, "orders")
    endgame.state(row_of(look(key, user)), user, given.text)
    return Done()
