"""Pages of people: the account page (settings, calendar, data), a player's profile, and the ratings."""

from __future__ import annotations

import json
from datetime import date

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from gamesmaster.host.accounts import people
from gamesmaster.host.accounts.people import COLOUR_MODES
from gamesmaster.host.games import ratings
from gamesmaster.host.moderation import oversight
from gamesmaster.host.profiles import own_data
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.site.zones import zones
from gamesmaster.host.tables import shelf
from gamesmaster.host.tables.requests import account, lead_back, posted, with_confirmation

THEMES = {"auto": gettext_lazy("Same as the browser"), "light": gettext_lazy("Light"), "dark": gettext_lazy("Dark")}


@login_required
@require_http_methods(["GET", "POST"])
@lead_back("me")
def me(request: HttpRequest) -> HttpResponse:
    """Show the person's settings; with POST change them."""
    user = account(request)
    if request.method == "POST":
        post = request.POST
        if post.get("theme") not in THEMES or post.get("colour_mode") not in COLOUR_MODES:
            raise Refused("no-choice", _("Please choose one of the options shown."))
        chosen = {name: post[name] for name in ("theme", "colour_mode", "dialect") if name in post}
        people.choose(user, {**chosen, "time_zone": post.get("time_zone", "")})
        messages.success(request, _("Settings saved."))
        return redirect("me")
    profile = people.profile(user)
    context = {
        "profile": profile,
        "themes": THEMES,
        "colour_modes": COLOUR_MODES,
        "dialects": people.dialect_titles(),
        "zones": sorted(zones()),
        "now": timezone.localtime(clock.now()),
        "absences": user.absences.order_by("begins"),
        "complaints": user.complaints.order_by("-made")[:10],
        "reliability": ratings.reliability(user),
    }
    return render(request, "profiles/me.html", context)


@posted("me")
def absences(request: HttpRequest) -> HttpResponse:
    """Add days to the person's calendar, or remove them."""
    user, out = account(request), request.POST.get("out", "")
    if out.isdecimal() and len(out) < 16:
        people.come_back(user, int(out))
    else:
        people.go_away(user, _day(request.POST.get("begins", "")), _day(request.POST.get("ends", "")))
        messages.success(request, _("Your games will wait for you on those days, within each game's limit."))
    return redirect(reverse("me") + "#absences")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused("bad-days", _("Please write dates like 2027-07-14.")) from None


@login_required
@require_http_methods(["GET", "POST"])
@with_confirmation(reading=True)
@lead_back("my-data")
def data(request: HttpRequest) -> HttpResponse:
    """Show the page about the person's data; with POST delete the account."""
    user = account(request)
    if request.method == "POST":
        if request.POST.get("sure") != "yes":
            messages.error(request, _("Tick the box to delete your account. Nothing was deleted."))
            return redirect("my-data")
        own_data.forget(user)
        logout(request)
        messages.success(request, _("Your account has been deleted. Goodbye."))
        return redirect("home")
    return render(request, "profiles/data.html", {"notes": settings.NOTE_ADDRESSES, "days": oversight.TRACES_KEPT.days})


@login_required
@require_safe
@with_confirmation()
def export(request: HttpRequest) -> HttpResponse:
    """Return the person's data as a file."""
    text = json.dumps(own_data.export(account(request)), indent=2, ensure_ascii=False)
    answer = HttpResponse(text, content_type="application/json; charset=utf-8")
    answer.headers["Content-Disposition"] = 'attachment; filename="my-gamesmaster-data.json"'
    return answer


@require_safe
def person(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player's ratings, reliability, and finished games with known players."""
    user = get_object_or_404(User, username=name, is_active=True)
    own = [(_scope(r.scope), ratings.public_rating(r.mu, r.sigma), r.games) for r in user.ratings.order_by("scope")]
    places = {r.table_id: r for r in user.rated.all()}
    context = {
        "person": user,
        "ratings": own,
        "reliability": ratings.reliability(user, public=True),
        "games": [(seat, places.get(seat.table_id)) for seat in ratings.own_tables(user)],
    }
    return render(request, "profiles/person.html", context)


@require_safe
def ratings_list(request: HttpRequest) -> HttpResponse:
    """Show a page of the ratings, over all games or those of `variant` of the query."""
    scope, place = request.GET.get("variant", ""), request.GET.get("after", "")
    after = int(place[:7]) if place.isascii() and place.isdigit() else 0
    if scope and scope not in shelf.names():
        raise Http404
    variants = [(name, shelf.find_variant(name).name) for name in shelf.names()]
    listed = ratings.standings(scope, after=after)
    more = ratings.standings(scope, after=after + len(listed), most=1)
    context = {"scope": scope, "standings": listed, "variants": variants, "after": after, "more": more}
    return render(request, "profiles/ratings.html", context)


def _scope(scope: str) -> str:
    if not scope:
        return _("All games")
    return shelf.find_variant(scope).name if scope in shelf.names() else scope


urlpatterns: list[URLPattern] = [
    path("me", me, name="me"),
    path("me/absences", absences, name="absences"),
    path("me/data", data, name="my-data"),
    path("me/data.json", export, name="my-data-export"),
    path("ratings", ratings_list, name="ratings"),
    path("people/<str:name>/", person, name="person"),
]
