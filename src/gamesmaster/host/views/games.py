"""Lists of games, and the lobby of one: who sits there, sitting down, inviting, beginning."""

from __future__ import annotations

from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Table, TableState
from gamesmaster.host.service import bots, listing, tables
from gamesmaster.host.service.rows import WANTED
from gamesmaster.host.service.table_view import OVER
from gamesmaster.host.service.viewing import TableView, row_of
from gamesmaster.host.views.asking import account, keep_invitation, look, person, refused_back, seen
from gamesmaster.host.views.settings_told import house_sentences, sentences
from gamesmaster.host.views.table_join import price_of_leaving, seating, to_lobby
from gamesmaster.host.views.table_standby import standby_shown


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """The lists: `?list=` open, mine, running or finished; `?q=` searches in it."""
    user = person(request)
    plays = bool(user and listing.find("mine", user, most=1))
    kind = request.GET.get("list", "mine" if plays else "open")
    if kind not in listing.KINDS:
        raise Http404
    words = request.GET.get("q", "")[:100]
    page = int(request.GET["page"]) if request.GET.get("page", "").isdecimal() and len(request.GET["page"]) < 6 else 0
    lines = listing.find(kind, user, words=words, page=page)
    context = {
        "kind": kind, "kinds": listing.KINDS, "q": words, "games": lines, "page": page,
        "more": len(lines) == listing.PAGE, "newcomer": not plays,
    }  # fmt: skip
    return render(request, "host/games.html", context)


@require_safe
def lobby(request: HttpRequest, key: str) -> HttpResponse:
    """Who sits at a table, how it is played, and the way in."""
    return _lobby(request, seen(request, key))


@require_safe
def invited(request: HttpRequest, key: str, invitation: str) -> HttpResponse:
    """The lobby as somebody with an invitation sees it; one that holds no longer is told to be so, and nothing else."""
    try:
        view = look(request, key, invitation)
    except Refused as refused:
        if refused.code != "used-up":
            raise Http404 from None
        return render(request, "host/invitation_used.html", {"refused": refused}, status=410)
    keep_invitation(request, view)
    return _lobby(request, view, invitation)


def _lobby(request: HttpRequest, view: TableView, invitation: str = "") -> HttpResponse:
    row = row_of(view)
    hosts = (view.viewer.gm or view.viewer.owner) and not view.sandbox
    forming, over = view.state == TableState.FORMING, view.state in OVER
    room = len(view.variant.powers) - len(view.seats)
    lost = [seat.power for seat in view.seats if seat.state in WANTED and not seat.own] if view.begun else []
    context = {
        **seating(view, invitation),
        "forming": forming,
        "over": over,
        "hosts": hosts,
        "sits": view.viewer.seat is not None and not over,
        "room": room,
        "may_fill": lost if hosts and row.gm_id is None else [],
        "price": price_of_leaving(view),
        "standby": standby_shown(view),
        "rules": sentences(view.settings, row),
        "house_rules": house_sentences(row),
        "invitations": _invitations(row) if hosts and not over else [],
        "bots": bots.BOTS.values(),
    }
    return render(request, "host/lobby.html", context)


def _invitations(table: Table) -> list[tuple[str, str, int, str]]:
    found = table.invitations.filter(uses_left__gt=0).order_by("-pk")[:20]
    return [(_address(table, one.key), one.key, one.uses_left, one.power) for one in found]


def _address(table: Table, invitation: str) -> str:
    return site.BASE_URL + reverse("invited", kwargs={"key": table.key, "invitation": invitation})


@login_required
@require_POST
@refused_back(to_lobby)
def join(request: HttpRequest, key: str) -> HttpResponse:
    """Sit down, take a power over, or come back to one's own."""
    invitation, user = request.POST.get("invitation", "")[:16], account(request)
    row = row_of(look(request, key, invitation))
    wishes = list(dict.fromkeys(word for word in request.POST.getlist("wish") if word))
    seat = tables.join(row, user, invitation=invitation, preferences=wishes, power=request.POST.get("power", ""))
    messages.success(request, _("You play {power}.").format(power=seat.power) if seat.power else _("You have a seat."))
    row.refresh_from_db()
    return redirect("lobby" if row.state == TableState.FORMING else "table", key=key)


@login_required
@require_POST
@refused_back(to_lobby)
def leave(request: HttpRequest, key: str) -> HttpResponse:
    """Get up."""
    view = seen(request, key)
    if view.state != TableState.FORMING and request.POST.get("sure") != "yes":
        raise Refused("not-sure", _("Tick the box to confirm: someone else will have to take over your power."))
    tables.leave(row_of(view), account(request))
    messages.success(request, _("You have left the game."))
    return redirect("games")


@login_required
@require_POST
@refused_back(to_lobby)
def resume(request: HttpRequest, key: str) -> HttpResponse:
    """Let a game go on that stands still."""
    tables.resume(row_of(seen(request, key)), account(request))
    messages.success(request, _("The game goes on."))
    return redirect("table", key=key)


@login_required
@require_POST
@refused_back(to_lobby)
def host(request: HttpRequest, key: str) -> HttpResponse:
    """What whoever made the table does with it: invite, put a bot in a seat, begin, fill a lost seat, cancel."""
    user, row = account(request), row_of(seen(request, key))
    match request.POST.get("what"):
        case "invite" | "withdraw" | "fill" as what:
            messages.success(request, _seats_filled(request, row, user, what))
            return redirect(f"{reverse('lobby', kwargs={'key': key})}#hosting")
        case "bot" | "bots" as what:
            tables.add_bot(row, request.POST.get("bot", ""), user, all_free=what == "bots")
        case "start":
            tables.start(row, user)
        case "cancel":
            tables.cancel(row, user)
            messages.success(request, _("The game has been cancelled."))
            return redirect("games")
        case _:
            raise Refused("no-such-thing", _("Unknown action."))
    row.refresh_from_db()
    return redirect("lobby" if row.state == TableState.FORMING else "table", key=key)


def _seats_filled(request: HttpRequest, row: Table, user: User, what: str) -> str:
    """See to it that somebody comes: invite, take an invitation back, or put a player in a lost seat; what is said."""
    told = request.POST
    if what == "withdraw":
        tables.withdraw(row, user, told.get("invitation", ""))
        return _("The invitation has been withdrawn: its link no longer works.")
    if what == "fill":
        found = User.objects.filter(username=told.get("player", ""), is_active=True).first()
        if found is None:
            raise Refused("no-player", _("There is no player with that name."))
        tables.replace(row, told.get("power", ""), found, user)
        return _("{name} now plays {power}.").format(name=found.username, power=told.get("power"))
    uses = told.get("uses", "1")
    tables.invite(row, user, power=told.get("power", ""), uses=int(uses) if uses.isdecimal() and len(uses) < 4 else 0)
    return _("Invitation created. Copy the link below and send it to your guests.")
