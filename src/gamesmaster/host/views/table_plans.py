"""The buttons of private plans: begin one, let a bot guess, take its orders into the game, delete it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from gamesmaster.host.service import bots, limits, plans
from gamesmaster.host.service.plans import Home, Plan
from gamesmaster.host.service.viewing import TableView
from gamesmaster.host.views.asking import refused_back
from gamesmaster.host.views.table_answers import begun

GUESSES = limits.Limit("guess", 60, 3600)


@dataclass(frozen=True, slots=True)
class Planning:
    """What the page of a table shows of plans: those for this game, or the game that this plan is for."""

    plans: tuple[Plan, ...]
    home: Home | None
    bots: tuple[bots.Bot, ...] = tuple(bots.BOTS.values())


def planning(view: TableView) -> Planning | None:
    """What there is to show; None for somebody who has nothing to plan here."""
    found = plans.home(view)
    return Planning(plans.own(view), found) if found or plans.may_plan(view) else None


def _table(key: str, power: str) -> str:
    return f"{reverse('table', args=[key])}?{urlencode({'power': power})}"


def _back(request: HttpRequest, key: str) -> str:
    return reverse("table", args=[key])


@login_required
@require_POST
@refused_back(_back)
def make(request: HttpRequest, key: str) -> HttpResponse:
    """Begin a plan."""
    view = begun(request, key)
    made = plans.make(view, request.POST.get("name", ""))
    return redirect(_table(made.key, view.viewer.powers[0]))


@login_required
@require_POST
@refused_back(_back)
def guess(request: HttpRequest, key: str) -> HttpResponse:
    """Let a bot order for the others."""
    view = begun(request, key)
    limits.check(GUESSES, request)
    bot = request.POST.get("bot", "")
    found = plans.guess(view, bot)
    if found:
        messages.success(
            request,
            _("{title} has guessed the orders of {found}.").format(title=bots.title(bot), found=", ".join(found)),
        )
    else:
        messages.info(request, _("There is nothing to guess: no other power without orders of yours is asked for any."))
    return redirect("table", key)


@login_required
@require_POST
@refused_back(_back)
def use(request: HttpRequest, key: str) -> HttpResponse:
    """Take the plan's orders into the game."""
    home = plans.use(begun(request, key))
    messages.success(
        request,
        _(
            "The orders of your plan are saved as {power}'s orders in the game. Say that you are ready when you are."
        ).format(power=home.power),
    )
    return redirect(_table(home.key, home.power))


@login_required
@require_POST
@refused_back(_back)
def delete(request: HttpRequest, key: str) -> HttpResponse:
    """Delete the plan."""
    view = begun(request, key)
    home = plans.delete(view)
    messages.success(request, _("Your plan “{name}” is deleted.").format(name=view.name))
    return redirect("table", home)
