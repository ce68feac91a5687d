"""Results: the phases that are over, reports, the record, forks."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Router, Status

from gamesmaster.game import dumps
from gamesmaster.host.api.caching import with_etag
from gamesmaster.host.api.callers import caller
from gamesmaster.host.api.seeing import ledger_out, look, phase_line, phase_out, table_out
from gamesmaster.host.api.shapes.common import TextOut
from gamesmaster.host.api.shapes.master import BackIn
from gamesmaster.host.api.shapes.past import LedgerOut, PhaseLine, PhaseOut
from gamesmaster.host.api.shapes.tables import TableOut
from gamesmaster.host.service import past

router = Router()
Ordinal = Annotated[int, Path(ge=0, le=1_000_000)]


@router.get("/{slug:key}/phases", response=list[PhaseLine])
def phases(request: HttpRequest, key: str) -> list[PhaseLine]:
    """The phases that are over."""
    view = look(key, caller(request))
    return [phase_line(view, ordinal) for ordinal in range(len(view.records))]


@router.get("/{slug:key}/phases/{ordinal}", response=PhaseOut)
def phase(request: HttpRequest, key: str, ordinal: Ordinal) -> PhaseOut:
    """A phase that is over: the result of every order, the reason, and the clause that decided."""
    return phase_out(look(key, caller(request)), ordinal)


@router.get("/{slug:key}/phases/{ordinal}/report", response=TextOut)
def phase_report(request: HttpRequest, key: str, ordinal: Ordinal) -> TextOut:
    """The report of a phase that is over."""
    return TextOut(text=look(key, caller(request)).report(ordinal))


@router.get("/{slug:key}/phases/{ordinal}/ledger", response=LedgerOut)
def phase_ledger(request: HttpRequest, key: str, ordinal: Ordinal) -> LedgerOut:
    """The published position at the beginning of a phase that is over."""
    return ledger_out(look(key, caller(request)), ordinal)


@router.get("/{slug:key}/ledger", response=LedgerOut)
def ledger(request: HttpRequest, key: str) -> LedgerOut:
    """The published position of the current phase, with what the variant's special rules keep."""
    return ledger_out(look(key, caller(request)))


@router.get("/{slug:key}/history", response=TextOut)
def history(request: HttpRequest, key: str) -> TextOut:
    """The reports of all phases that are over."""
    return TextOut(text=look(key, caller(request)).history())


@router.get("/{slug:key}/record", response=dict[str, Any])
def record(request: HttpRequest, key: str) -> HttpResponse:
    """The record of the game as a file for Gamesmaster, without what is not public yet."""
    text = dumps(look(key, caller(request)).bare_game)
    return with_etag(request, HttpResponse(text, content_type="application/json"))


@router.post("/{slug:key}/fork", response={201: TableOut})
def fork(request: HttpRequest, key: str, given: BackIn) -> Status[TableOut]:
    """Open a sandbox from the position of a phase."""
    user = caller(request, "tables")
    made = past.fork(look(key, user), given.ordinal, user)
    return Status(201, table_out(look(made.key, user)))
