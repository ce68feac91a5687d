"""Lists of games, and the lobby of one: who sits there, sitting down, inviting, beginning."""

from __future__ import annotations

from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import SeatState, Table, TableState
from gamesmaster.host.service import listing, tables
from gamesmaster.host.service.viewing import TableView, row_of
from gamesmaster.host.views.asking import account, person, refused_back, seen
from gamesmaster.host.views.settings_told import house_sentences, sentences
from gamesmaster.host.views.table_standby import standby_shown, to_lobby
from gamesmaster.players import player_names

WISHES = 3
LOST = (SeatState.STANDBY_WANTED, SeatState.DISORDER)


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """The lists: `?list=` open, mine, running or finished; `?q=` searches in it."""
    user = person(request)
    kind = request.GET.get("list", "mine" if user and listing.find("mine", user, most=1) else "open")
    if kind not in listing.KINDS:
        raise Http404
    words = request.GET.get("q", "")[:100]
    page = int(request.GET["page"]) if request.GET.get("page", "").isdecimal() and len(request.GET["page"]) < 6 else 0
    lines = listing.find(kind, user, words=words, page=page)
    context = {
        "kind": kind, "kinds": listing.KINDS, "q": words, "games": lines, "page": page,
        "more": len(lines) == listing.PAGE,
    }  # fmt: skip
    return render(request, "host/games.html", context)


@require_safe
def lobby(request: HttpRequest, key: str) -> HttpResponse:
    """Who sits at a table, how it is played, and the way in."""
    return _lobby(request, seen(request, key))


@require_safe
def invited(request: HttpRequest, key: str, invitation: str) -> HttpResponse:
    """The lobby as somebody with an invitation sees it."""
    return _lobby(request, seen(request, key, invitation), invitation)


def _lobby(request: HttpRequest, view: TableView, invitation: str = "") -> HttpResponse:
    row = row_of(view)
    hosts = view.viewer.gm or view.viewer.owner
    sits = view.viewer.seat is not None
    forming = view.state == TableState.FORMING
    lost = [seat.power for seat in view.seats if seat.state in LOST] if not forming else []
    room = len(view.variant.powers) - len(view.seats)
    may_ask = view.settings.join == "open" or bool(invitation) or view.viewer.owner
    context = {
        "view": view,
        "forming": forming,
        "hosts": hosts and not view.sandbox,
        "sits": sits,
        "room": room,
        "empty": range(room) if forming else (),
        "lost": lost,
        "standby": standby_shown(view, invitation),
        "may_join": not sits and not view.viewer.gm and may_ask and (room > 0 if forming else bool(lost)),
        "wishes": range(1, WISHES + 1) if view.settings.powers == "preference" and forming else (),
        "rules": sentences(view.settings, row),
        "house_rules": house_sentences(row),
        "invitation": invitation,
        "invitations": _invitations(row) if hosts else [],
        "bots": player_names(),
    }
    return render(request, "host/lobby.html", context)


def _invitations(table: Table) -> list[tuple[str, int, str]]:
    found = table.invitations.filter(uses_left__gt=0).order_by("-pk")[:20]
    return [(_address(table, one.key), one.uses_left, one.power) for one in found]


def _address(table: Table, invitation: str) -> str:
    return site.BASE_URL + reverse("invited", kwargs={"key": table.key, "invitation": invitation})


@login_required
@require_POST
@refused_back(to_lobby)
def join(request: HttpRequest, key: str) -> HttpResponse:
    """Sit down."""
    invitation = request.POST.get("invitation", "")[:16]
    view = seen(request, key, invitation)
    wishes = list(dict.fromkeys(word for word in request.POST.getlist("wish") if word))
    tables.join(
        row_of(view), account(request), invitation=invitation, preferences=wishes, power=request.POST.get("power", "")
    )
    messages.success(request, "You have a seat.")
    now = row_of(view)
    return redirect("lobby" if now.state == TableState.FORMING else "table", key=key)


@login_required
@require_POST
@refused_back(to_lobby)
def leave(request: HttpRequest, key: str) -> HttpResponse:
    """Get up."""
    view = seen(request, key)
    if view.state != TableState.FORMING and request.POST.get("sure") != "yes":
        raise Refused("not-sure", "Say that you are sure: your power will want another player.")
    tables.leave(row_of(view), account(request))
    messages.success(request, "You have left the table.")
    return redirect("games")


@login_required
@require_POST
@refused_back(to_lobby)
def host(request: HttpRequest, key: str) -> HttpResponse:
    """What whoever made the table does with it: invite, put a bot in a seat, begin, give up."""
    user, row = account(request), row_of(seen(request, key))
    match request.POST.get("what"):
        case "invite":
            uses = request.POST.get("uses", "1")
            power = request.POST.get("power", "")
            tables.invite(row, user, power=power, uses=int(uses) if uses.isdecimal() and len(uses) < 4 else 0)
            messages.success(request, "The invitation stands below. Send its link to whom you like.")
        case "bot":
            tables.add_bot(row, request.POST.get("bot", ""), user)
        case "start":
            tables.start(row, user)
        case "cancel":
            tables.cancel(row, user)
            messages.success(request, "The table was given up.")
            return redirect("games")
        case _:
            raise Refused("no-such-thing", "There is nothing of that name to do.")
    row.refresh_from_db()
    return redirect("lobby" if row.state == TableState.FORMING else "table", key=key)
