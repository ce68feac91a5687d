"""Pages of games that form or change hands: lists, the form for a new game, the lobby, offers of standbys."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.generic import RedirectView

from gamesmaster.host.accounts import people
from gamesmaster.host.games import deadlines, hosting, patience, ratings, seats, standbys
from gamesmaster.host.games.forms import NewGame
from gamesmaster.host.games.hosting import GameChoice, cards, own_cards
from gamesmaster.host.games.words import beginning, house_sentences, sentences, usual_waits
from gamesmaster.host.site import limits
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import shelf
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.models import Table, TableState
from gamesmaster.host.tables.requests import account, keep_invitation, look, person, posted, posted_ordinal, view_of
from gamesmaster.host.tables.settings import FIELDS, PRESETS
from gamesmaster.host.tables.store import WANTED
from gamesmaster.host.tables.view import OVER, TableView
from gamesmaster.orders import PhaseKind


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """Show a list of games. Query: `list` is open, mine, running or finished; `q` searches."""
    user = person(request)
    plays = bool(user and hosting.find_tables("mine", user, most=1))
    kind = request.GET.get("list", "mine" if plays else "open")
    if kind not in hosting.KINDS:
        raise Http404
    words = request.GET.get("q", "")[:100]
    page = int(request.GET["page"]) if request.GET.get("page", "").isdecimal() and len(request.GET["page"]) < 6 else 0
    lines = hosting.find_tables(kind, user, words=words, page=page)
    context = {
        "kind": kind, "kinds": hosting.KINDS, "q": words, "games": lines, "page": page,
        "more": len(lines) == hosting.PAGE, "newcomer": not plays,
    }  # fmt: skip
    return render(request, "games/list.html", context)


@require_safe
def lobby(request: HttpRequest, key: str) -> HttpResponse:
    """Show the lobby: players, settings, and how to join."""
    return _lobby(request, view_of(request, key))


@require_safe
def invitation_lobby(request: HttpRequest, key: str, invitation: str) -> HttpResponse:
    """Show the lobby to a guest with an invitation; a used one gets a page that reveals nothing about the game."""
    try:
        view = look(request, key, invitation)
    except Refused as refused:
        if refused.code != "used-up":
            raise Http404 from None
        return render(request, "games/invitation_used.html", {"refused": refused}, status=410)
    keep_invitation(request, view)
    return _lobby(request, view, invitation)


def _lobby(request: HttpRequest, view: TableView, invitation: str = "") -> HttpResponse:
    row = row_of(view)
    hosts = (view.viewer.gm or view.viewer.owner) and not view.sandbox
    forming, over = view.state == TableState.FORMING, view.state in OVER
    room = len(view.variant.powers) - len(view.seats)
    lost = [seat.power for seat in view.seats if seat.state in WANTED and not seat.own] if view.begun else []
    context = {
        **seats_context(view, invitation),
        "forming": forming,
        "over": over,
        "hosts": hosts,
        "sits": view.viewer.seat is not None and not over,
        "room": room,
        "may_fill": lost if hosts and row.gm_id is None else [],
        "price": price_of_leaving(view),
        "standby": shown_standby(view),
        "rules": sentences(view.settings, row),
        "house_rules": house_sentences(row),
        "invitations": _invitations(row) if hosts and not over else [],
        "bots": seats.BOTS.values(),
    }
    return render(request, "games/lobby.html", context)


def _invitations(table: Table) -> list[tuple[str, str, int, str]]:
    rows = table.invitations.filter(uses_left__gt=0).order_by("-pk")[:20]
    return [(_address(table, one.key), one.key, one.uses_left, one.power) for one in rows]


def _address(table: Table, invitation: str) -> str:
    return site.BASE_URL + reverse("invited", kwargs={"key": table.key, "invitation": invitation})


def to_lobby(request: HttpRequest, key: str) -> str:
    """Return the address of the lobby, with the invitation that was posted."""
    invitation = request.POST.get("invitation", "")
    if invitation.isalnum():
        return reverse("invited", kwargs={"key": key, "invitation": invitation})
    return reverse("lobby", kwargs={"key": key})


@posted(to_lobby)
def join(request: HttpRequest, key: str) -> HttpResponse:
    """Take a seat, take a power over, or return to a lost seat."""
    invitation, user = request.POST.get("invitation", "")[:16], account(request)
    row = row_of(look(request, key, invitation))
    wishes = list(dict.fromkeys(word for word in request.POST.getlist("wish") if word))
    seat = seats.join(row, user, invitation=invitation, preferences=wishes, power=request.POST.get("power", ""))
    messages.success(request, _("You play {power}.").format(power=seat.power) if seat.power else _("You have a seat."))
    row.refresh_from_db()
    return redirect("lobby" if row.state == TableState.FORMING else "table", key=key)


@posted(to_lobby)
def leave(request: HttpRequest, key: str) -> HttpResponse:
    """Leave the game; in a running game only if the box was ticked."""
    view = view_of(request, key)
    if view.state != TableState.FORMING and request.POST.get("sure") != "yes":
        raise Refused("not-sure", _("Tick the box to confirm: someone else will have to take over your power."))
    seats.leave(row_of(view), account(request))
    messages.success(request, _("You have left the game."))
    return redirect("games")


@posted(to_lobby)
def resume(request: HttpRequest, key: str) -> HttpResponse:
    """Resume a paused game."""
    deadlines.resume(row_of(view_of(request, key)), account(request))
    messages.success(request, _("The game goes on."))
    return redirect("table", key=key)


@posted(to_lobby)
def host(request: HttpRequest, key: str) -> HttpResponse:
    """Carry out one action of the person who runs the game: invite, add bots, start, fill a seat, cancel."""
    user, row = account(request), row_of(view_of(request, key))
    match request.POST.get("what"):
        case "invite" | "withdraw" | "fill" as what:
            messages.success(request, _seek_players(request, row, user, what))
            return redirect(f"{reverse('lobby', kwargs={'key': key})}#hosting")
        case "bot" | "bots" as what:
            seats.add_bot(row, request.POST.get("bot", ""), user, all_free=what == "bots")
        case "start":
            hosting.start(row, user)
        case "cancel":
            hosting.cancel(row, user)
            messages.success(request, _("The game has been cancelled."))
            return redirect("games")
        case _:
            raise Refused("no-such-thing", _("Unknown action."))
    row.refresh_from_db()
    return redirect("lobby" if row.state == TableState.FORMING else "table", key=key)


def _seek_players(request: HttpRequest, row: Table, user: User, what: str) -> str:
    """Invite, withdraw an invitation, or fill a lost seat; return the message to show."""
    post = request.POST
    if what == "withdraw":
        seats.withdraw(row, user, post.get("invitation", ""))
        return _("The invitation has been withdrawn: its link no longer works.")
    if what == "fill":
        player = people.named_user(post.get("player", ""))
        seats.replace(row, post.get("power", ""), player, user)
        return _("{name} now plays {power}.").format(name=player.username, power=post.get("power"))
    uses = post.get("uses", "1")
    seats.invite(row, user, power=post.get("power", ""), uses=int(uses) if uses.isdecimal() and len(uses) < 4 else 0)
    return _("Invitation created. Copy the link below and send it to your guests.")


MADE = limits.Limit("new-game", 30, 3600)
DEFAULT_BOT = "heuristic"


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Show the form, with defaults from `preset` and `variant` of the query; with POST create the game."""
    user = account(request)
    preset = request.GET.get("preset", "usual")
    zone = people.profile(user).time_zone
    wanted = shelf.present_name((request.POST or request.GET).get("variant", ""))
    offered = shelf.offered(user, wanted)
    form = NewGame(request.POST, variants=offered) if request.method == "POST" else NewGame(
        initial=beginning(preset, wanted if wanted in offered else "", zone), variants=offered
    )  # fmt: skip
    if request.method == "POST" and form.is_valid():
        try:
            limits.check(MADE, request)
            made = _make(request, form)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            made.refresh_from_db()
            return redirect("lobby" if made.state == "forming" else "table", key=made.key)
    paces = [(one, json.dumps(usual_waits(one.name))) for one in FIELDS["pace"].choices]
    context = {
        "form": form, "variants": [*cards(), *own_cards(offered)],
        "joins": FIELDS["join"].choices, "paces": paces, "presets": PRESETS,
        "preset": preset,
        "chosen": {name: form[name].value() for name in ("variant", "pace", "join")},
    }  # fmt: skip
    return render(request, "games/new.html", context, status=200 if request.method == "GET" else 422)


@login_required
@require_POST
def alone(request: HttpRequest) -> HttpResponse:
    """Create and begin a game against bots, from the preset of that name, without the form."""
    zone = people.profile(account(request)).time_zone
    wanted = shelf.present_name(request.POST.get("variant", ""))
    offered = shelf.offered(account(request), wanted)
    answers = beginning("bots", wanted if wanted in offered else "", zone)
    form = NewGame({name: value for name, value in answers.items() if value is not False}, variants=offered)
    try:
        limits.check(MADE, request)
        if not form.is_valid():
            raise Refused("bad-variant", _("That game cannot be created."), _("choose another variant"))
        made = _make(request, form)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("new-game")
    return redirect("table", key=made.key)


def _make(request: HttpRequest, form: NewGame) -> Table:
    user, answers = account(request), form.cleaned_data
    settings = form.settings
    if answers["begin"] and not settings.fill:
        settings = settings.model_copy(update={"fill": DEFAULT_BOT})
    made = hosting.create(
        user,
        GameChoice(
            form.variant_name(),
            name=answers["name"],
            rulebook=answers["rulebook"] or None,
            house_rules=form.chosen_house_rules(),
        ),
        settings,
        gm=user if answers["part"] == "gm" else None,
    )
    try:
        if answers["part"] == "player":
            seats.join(made, user)
        if answers["begin"]:
            hosting.start(made, user)
    except Refused as refused:  # the table stays; its page shows what is missing
        messages.warning(request, str(refused))
    return made


WISHES = 3


@dataclass(frozen=True, slots=True)
class WayIn:
    """A reader's way to a seat."""

    how: str  # "sit", "take" over, come "back", or ""
    powers: tuple[str, ...] = ()  # powers to choose from
    wishes: range = range(0)  # numbers of the preferences that may be given
    lost: bool = False  # the own power is in civil disorder and cannot send orders
    why_not: str = ""  # why this reader cannot join; "" if he or she can


def way_in(view: TableView, invitation: str = "") -> WayIn | None:
    """Return how the reader of a page, who may have an invitation, can get a seat; None if the page offers nothing."""
    viewer, forming = view.viewer, view.state == TableState.FORMING
    if view.sandbox or viewer.gm or view.state not in (TableState.FORMING, TableState.RUNNING, TableState.PAUSED):
        return None
    wanted = tuple(seat.power for seat in view.seats if seat.state in WANTED) if not forming else ()
    if viewer.seat is not None:
        own = next((seat for seat in view.seats if seat.own and seat.power in wanted), None)
        return WayIn("back", (own.power,), lost=own.state == "disorder") if own else None
    free = len(view.variant.powers) - len(view.seats) if forming else len(wanted)
    if not free:
        return WayIn("", why_not=_("All seats are taken.")) if invitation else None
    by_wish = range(1, WISHES + 1) if forming and view.settings.powers == "preference" else range(0)
    return WayIn("sit" if forming else "take", wanted, by_wish, why_not=_why_not(view, invitation))


def _why_not(view: TableView, invitation: str) -> str:
    """Return why this reader cannot join; empty if nothing prevents it."""
    if view.viewer.owner:
        return ""
    if view.settings.join != "open" and not view.viewer.invitation:
        if invitation:
            return _("This invitation has been used up or withdrawn. Ask the person who sent it for a new link.")
        return _("You need an invitation to join this game: a link from the person who created it.")
    try:
        if view.viewer.user is not None:
            ratings.check_reliable(view.viewer.user, view.settings.min_reliability)
    except Refused as refused:
        return str(refused)
    return ""


def seats_context(view: TableView, invitation: str = "") -> dict[str, object]:
    """Return the template context about seats; an invitation is passed on from page to page."""
    key = invitation or view.viewer.invitation
    free = len(view.variant.powers) - len(view.seats) if view.state == TableState.FORMING else 0
    return {"view": view, "way": way_in(view, key), "invitation": key, "empty": range(free)}


def price_of_leaving(view: TableView) -> int:
    """Return how many missed seasons leaving costs; 0 if no other person plays."""
    people = [seat for seat in view.seats if not seat.bot and not seat.own and seat.player]
    return ratings.PRICE_OF_LEAVING if people else 0


@dataclass(frozen=True, slots=True)
class Shown:
    """A reader's offer as standby, or the possibility to make one."""

    offers: bool  # has made an offer
    wish: str = ""  # the power wished for; "" for any
    power: str = ""  # the power whose orders are due from the standby
    asked: bool = False  # orders can be sent in this phase
    text: str = ""  # the orders sent
    sent_at: datetime | None = None


def shown_standby(view: TableView) -> Shown | None:
    """Return what a reader sees about standbys; None if it does not concern the reader."""
    viewer, offer = view.viewer, view.viewer.standby
    if view.state not in standbys.OPEN or not view.settings.absent.beforehand:
        return None
    if offer is not None:
        moves = view.begun and view.bare_game.phase.kind is PhaseKind.MOVEMENT
        return Shown(True, offer.wish, offer.power, moves, "\n".join(offer.lines), offer.sent_at)
    open_ = view.settings.join == "open" or bool(viewer.invitation) or viewer.owner
    return Shown(False) if viewer.user and open_ and not (viewer.seat or viewer.gm) else None


@posted(to_lobby)
def standby(request: HttpRequest, key: str) -> HttpResponse:
    """Offer to be a standby, withdraw the offer, or send a standby's orders."""
    invitation = request.POST.get("invitation", "")[:16]
    view, user = view_of(request, key, invitation), account(request)
    row = row_of(view)
    match request.POST.get("what"):
        case "offer":
            standbys.offer(row, user, wish=request.POST.get("power", ""), invitation=invitation)
            messages.success(request, _("You are a standby here. We will write to you when your orders are needed."))
        case "withdraw":
            standbys.withdraw(row, user)
            messages.success(request, _("You are no longer a standby here."))
            return redirect("games")
        case "send":
            standbys.send(row, user, request.POST.get("text", ""), ordinal=posted_ordinal(request))
            messages.success(request, _("Your orders have been saved."))
            return redirect("table", key=key)
        case _:
            raise Refused("no-such-thing", _("Unknown action."))
    return redirect("lobby", key=key)


@posted("table")
def nudge(request: HttpRequest, key: str) -> HttpResponse:
    """Remind the players for whom a phase without a deadline waits."""
    patience.nudge(row_of(view_of(request, key)), account(request))
    messages.success(request, _("The players for whom the game waits have been reminded."))
    return redirect("table", key=key)


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/nudge", nudge, name="nudge"),
    path("t/<slug:key>/standby", standby, name="table-standby"),
    path("games", games, name="games"),
    path("games/", RedirectView.as_view(pattern_name="games", query_string=True)),
    path("join/<slug:key>/<slug:invitation>/", invitation_lobby, name="invited"),
    path("t/<slug:key>/lobby/", lobby, name="lobby"),
    path("t/<slug:key>/join", join, name="join"),
    path("t/<slug:key>/leave", leave, name="leave"),
    path("t/<slug:key>/resume", resume, name="resume"),
    path("t/<slug:key>/host", host, name="host-table"),
    path("games/new", new, name="new-game"),
    path("games/alone", alone, name="new-alone"),
]
