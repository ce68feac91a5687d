"""The tutorial: the page that it begins from, and what the pages of a table show of it while it is played."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from gamesmaster.host.errors import Refused
from gamesmaster.host.service import limits
from gamesmaster.host.service import tutorial as played
from gamesmaster.host.service.tutorial import Verdict
from gamesmaster.host.service.tutorial_turns import POWER, SCENES, TURNS, Scene
from gamesmaster.host.service.viewing import TableView

BEGINNINGS = limits.Limit("tutorial", 60, 3600)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a page shows of a scene: its number, and when it is over what came of it.

    `before` and `after` are the scenes that one can go to, None where there are no more; `goes_on` says that the one
    after it is the next phase of the same sandbox.
    """

    scene: Scene
    before: int | None
    after: int | None
    verdict: Verdict | None = None
    goes_on: bool = False
    power: str = POWER
    turns: int = TURNS


def lesson(view: TableView, ordinal: int | None = None) -> Lesson | None:
    """The scene that is played here, or with an `ordinal` one that is over; None at a table that is no tutorial."""
    number = played.number_of(view, ordinal)
    if number is None:
        return None
    beginnings = [n for n, scene in enumerate(SCENES) if scene.phase]
    before = max((n for n in beginnings if n < number), default=None)
    after = min((n for n in beginnings if n > number), default=None)
    if ordinal is None:
        return Lesson(SCENES[number], before, after)
    found = played.verdict(view, ordinal)
    goes_on = found.reached and number + 1 < len(SCENES) and not SCENES[number + 1].phase
    return Lesson(SCENES[number], before, after, found, goes_on)


def scenes_over(view: TableView) -> bool:
    """Is this a sandbox of the tutorial with nothing more to play?"""
    return played.is_tutorial(view) and (view.outcome is not None or played.number_of(view) is None)


@require_http_methods(["GET", "HEAD", "POST"])
def tutorial(request: HttpRequest) -> HttpResponse:
    """What the tutorial teaches; with POST the `scene` of this number begins, the first if none is named."""
    if request.method != "POST":
        turns = [(turn, [*scenes]) for turn, scenes in groupby(enumerate(SCENES), lambda pair: pair[1].turn)]
        return render(request, "host/tutorial.html", {"turns": turns})
    told = request.POST.get("scene", "0")
    if not told.isascii() or not told.isdigit() or int(told[:4]) >= len(SCENES):
        raise Http404("There is no such turn.")
    try:
        limits.check(BEGINNINGS, request)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("tutorial")
    return redirect("table", played.begin(int(told)).key)
