"""Pages of notices: how a person hears of things."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from gamesmaster.host.accounts import people
from gamesmaster.host.tables import outbox
from gamesmaster.host.tables.notifications import CHANNELS, CHOSEN
from gamesmaster.host.tables.requests import account, lead_back


@login_required
@require_http_methods(["GET", "POST"])
@lead_back("notice-settings")
def settings_page(request: HttpRequest) -> HttpResponse:
    """Show how the person hears of each kind of event; with POST change it."""
    user = account(request)
    if request.method == "POST":
        people.choose(user, {"notices": {kind: request.POST[kind] for kind in CHOSEN if kind in request.POST}})
        messages.success(request, _("Settings saved."))
        return redirect("notice-settings")
    channels = people.profile(user).channels
    context = {
        "kinds": [(name, _(kind.title), channels[name]) for name, kind in CHOSEN.items()],
        "channels": CHANNELS,
        "reached": outbox.reaches(user),
    }
    return render(request, "notices/settings.html", context)


urlpatterns: list[URLPattern] = [
    path("me/notices", settings_page, name="notice-settings"),
]
