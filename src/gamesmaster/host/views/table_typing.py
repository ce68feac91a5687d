"""Typing at the desk: how an order may go on, as it is completed in the player's own dialect.

Only what the power may order is offered, in its position alone: nothing that anybody has sent.
"""

from __future__ import annotations

from dataclasses import asdict

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from gamesmaster.host.service import people
from gamesmaster.host.views.asking import person
from gamesmaster.host.views.table_answers import begun
from gamesmaster.orders.completion import Completer
from gamesmaster.orders.dialect import HOUSE


@require_safe
def table_completions(request: HttpRequest, key: str) -> JsonResponse:
    """The ways to go on from `?text=`, for `?power=`.

    They are in the dialect that the player has chosen, or else in that of `?like=`, in which the last order was typed,
    or in whichever fits.
    """
    view = begun(request, key)
    power, text = request.GET.get("power", ""), request.GET.get("text", "")
    if power not in view.viewer.powers:
        told = {"error": _("You do not give orders for this power."), "hint": ", ".join(view.viewer.powers)}
        return JsonResponse(told, status=403)
    user, titles = person(request), people.dialect_titles()
    own = people.profile(user).dialect if user else HOUSE
    game = view.bare_game
    orders = view.legal.of_power(game.phase.kind, power, game.season)
    wanted = [dialect for dialect in (own, request.GET.get("like", "")) if dialect in titles]
    found = Completer(game.rules.notation, orders, power).complete(text, *wanted)
    ways = [asdict(way) for way in found.ways]
    return JsonResponse({"dialect": found.dialect, "title": titles[found.dialect], "ways": ways})
