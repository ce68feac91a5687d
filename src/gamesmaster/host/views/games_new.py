"""A new game: three questions, the rest folded away."""

from __future__ import annotations

import json

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Table
from gamesmaster.host.service import limits, people, tables
from gamesmaster.host.views.asking import account
from gamesmaster.host.views.games_beginnings import JOIN, PACE_SAYS, PRESETS, beginning, usual_waits
from gamesmaster.host.views.games_form import NewGame
from gamesmaster.host.views.variants import cards

MADE = limits.Limit("new-game", 30, 3600)
DEFAULT_BOT = "heuristic"


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The form (`?preset=` and `?variant=` fill it in), and the table that comes of it."""
    user = account(request)
    preset = request.GET.get("preset", "usual")
    zone = people.profile(user).time_zone
    form = NewGame(request.POST) if request.method == "POST" else NewGame(
        initial=beginning(preset, request.GET.get("variant", ""), zone)
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
    paces = [(name, (*words, json.dumps(usual_waits(name)))) for name, words in PACE_SAYS.items()]
    context = {
        "form": form, "variants": cards(), "joins": JOIN, "paces": paces, "presets": PRESETS, "preset": preset,
        "chosen": {name: form[name].value() for name in ("variant", "pace", "join")},
    }  # fmt: skip
    return render(request, "host/games_new.html", context, status=200 if request.method == "GET" else 422)


@login_required
@require_POST
def alone(request: HttpRequest) -> HttpResponse:
    """A game alone against bots, begun at once: the beginning of that name, without the form."""
    zone = people.profile(account(request)).time_zone
    answers = beginning("bots", request.POST.get("variant", ""), zone)
    form = NewGame({name: value for name, value in answers.items() if value is not False})
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
    user, told = account(request), form.cleaned_data
    settings = form.settings
    if told["begin"] and not settings.fill:
        settings = settings.model_copy(update={"fill": DEFAULT_BOT})
    made = tables.create(
        user, form.variant_name(), settings, name=told["name"], rulebook=told["rulebook"] or None,
        house_rules=form.house_rules_given(), gm=user if told["part"] == "gm" else None,
    )  # fmt: skip
    try:
        if told["part"] == "player":
            tables.join(made, user)
        if told["begin"]:
            tables.start(made, user)
    except Refused as refused:  # the table stands; what is wanting is said there
        messages.warning(request, str(refused))
    return made
