"""Standbys: offering oneself, and the orders that a standby is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from gamesmaster.host.errors import Refused
from gamesmaster.host.service import standbys
from gamesmaster.host.service.viewing import TableView, row_of
from gamesmaster.host.views.asking import account, refused_back, seen
from gamesmaster.host.views.table_join import to_lobby
from gamesmaster.orders import PhaseKind


@dataclass(frozen=True, slots=True)
class Shown:
    """A reader's own offer, or the way to one: which power is wished, which is asked for, what was sent."""

    offers: bool
    wish: str = ""
    power: str = ""
    asked: bool = False
    text: str = ""
    sent_at: datetime | None = None


def standby_shown(view: TableView) -> Shown | None:
    """What a reader is shown of being a standby; None for those who are none and may not be one."""
    viewer, offer = view.viewer, view.viewer.standby
    if view.state not in standbys.OPEN or not view.settings.absent.beforehand:
        return None
    if offer is not None:
        moves = view.begun and view.bare_game.phase.kind is PhaseKind.MOVEMENT
        return Shown(True, offer.wish, offer.power, moves, "\n".join(offer.lines), offer.sent_at)
    open_ = view.settings.join == "open" or bool(viewer.invitation) or viewer.owner
    return Shown(False) if viewer.user and open_ and not (viewer.seat or viewer.gm) else None


@login_required
@require_POST
@refused_back(to_lobby)
def standby(request: HttpRequest, key: str) -> HttpResponse:
    """Offer oneself, withdraw, or send orders."""
    invitation = request.POST.get("invitation", "")[:16]
    view, user = seen(request, key, invitation), account(request)
    row, told = row_of(view), request.POST.get("ordinal", "")
    match request.POST.get("what"):
        case "offer":
            standbys.offer(row, user, wish=request.POST.get("power", ""), invitation=invitation)
            messages.success(request, _("You are a standby here. We will write to you when your orders are needed."))
        case "withdraw":
            standbys.withdraw(row, user)
            messages.success(request, _("You are no longer a standby here."))
            return redirect("games")
        case "send":
            ordinal = int(told) if told.isascii() and told.isdigit() and len(told) < 7 else -1
            standbys.send(row, user, request.POST.get("text", ""), ordinal=ordinal)
            messages.success(request, _("Your orders have been saved."))
            return redirect("table", key=key)
        case _:
            raise Refused("no-such-thing", _("Unknown action."))
    return redirect("lobby", key=key)
