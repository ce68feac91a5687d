"""The page of a game that is over: the final table, and what the players say of it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from gamesmaster.host.service import endgame
from gamesmaster.host.service.endgame import Standing
from gamesmaster.host.service.shown import SeatView
from gamesmaster.host.service.viewing import TableView, row_of
from gamesmaster.host.views.asking import account, refused_back
from gamesmaster.host.views.table_answers import begun


@dataclass(frozen=True, slots=True)
class Final:
    """What is shown of a game that is over.

    `own` is the seat of a reader who has played, `unrated` says why there are no ratings.
    """

    standings: tuple[Standing, ...]
    statements: tuple[SeatView, ...]
    own: SeatView | None
    unrated: str
    longest: int = endgame.LONGEST_STATEMENT


def final(view: TableView) -> Final | None:
    """What there is to show; None while the game goes on."""
    if view.outcome is None:
        return None
    found = endgame.standings(view)
    seats = {seat.power: seat for seat in view.seats}
    return Final(
        standings=found,
        statements=tuple(s for one in found if (s := seats.get(one.power)) is not None and s.statement),
        own=next((seat for seat in view.seats if seat.own and not view.sandbox), None),
        unrated="" if view.sandbox else endgame.unrated(view),
    )


def _back(request: HttpRequest, key: str) -> str:
    return reverse("table", args=[key]) + "#statements"


@login_required
@require_POST
@refused_back(_back)
def statement(request: HttpRequest, key: str) -> HttpResponse:
    """Keep what a player says of the game; an empty text takes it away."""
    view, text = begun(request, key), request.POST.get("text", "")
    endgame.state(row_of(view), account(request), text)
    messages.success(
        request, _("Your statement has been saved.") if text.strip() else _("Your statement has been deleted.")
    )
    return redirect(_back(request, key))
