"""The page of the queue: what to wait for, how many wait, and an end of the wait; and the same for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST
from ninja import Router, Schema
from pydantic import Field

from gamesmaster.host.api.callers import Done, Given, person
from gamesmaster.host.games import queue
from gamesmaster.host.games.queue import Wanted
from gamesmaster.host.site import limits
from gamesmaster.host.tables import shelf
from gamesmaster.host.tables.requests import account
from gamesmaster.host.tables.settings import FIELDS

ASKED = limits.Limit("queue", 30, 3600)
BOTS = (
    ("never", gettext_lazy("Never: I wait for people")),
    ("now", gettext_lazy("At once")),
    ("hour", gettext_lazy("After an hour")),
    ("day", gettext_lazy("After a day")),
)


class WishForm(forms.Form):
    """The form for a wish; an empty choice leaves it open."""

    variant = forms.ChoiceField(required=False, label=gettext_lazy("Variant"))
    pace = forms.ChoiceField(required=False, label=gettext_lazy("Pace"))
    press = forms.ChoiceField(required=False, label=gettext_lazy("Who may write to whom"))
    min_reliability = forms.IntegerField(
        required=False, min_value=0, max_value=100, label=gettext_lazy("Reliability of the others, in per cent")
    )
    bots = forms.ChoiceField(choices=BOTS, label=gettext_lazy("Bots take empty places"))

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._offer("variant", [(name, shelf.find_variant(name).name) for name in shelf.names()])
        for field in ("pace", "press"):
            self._offer(field, [(choice.name, choice.title) for choice in FIELDS[field].choices])

    def _offer(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("Any")), *choices]

    @property
    def wanted(self) -> Wanted:
        """Return the wish, once the form is valid."""
        return Wanted(**{**self.cleaned_data, "min_reliability": self.cleaned_data["min_reliability"] or 0})


@login_required
@require_http_methods(["GET", "POST"])
def find_game(request: HttpRequest) -> HttpResponse:
    """Show the queue; with POST wait for a game, and go to it if it begins."""
    user = account(request)
    given = {"variant": "standard", "pace": "relaxed", "press": "groups", "min_reliability": 0, "bots": "never"}
    form = WishForm(request.POST) if request.method == "POST" else WishForm(initial=given)
    if request.method == "POST" and form.is_valid():
        limits.check(ASKED, request)
        begun = queue.wait(user, form.wanted)
        if begun is not None:
            messages.success(request, _("A game has begun, and you are in it."))
            return redirect("table", key=begun.key)
        messages.success(request, _("You wait for a game. We tell you when it begins."))
        return redirect("find-game")
    found = queue.queue_of(user)
    context = {"form": form, "queue": found, "wish": wish_in_words(found.wish)}
    return render(request, "games/find.html", context, status=200 if request.method == "GET" else 422)


def wish_in_words(wish: queue.Wish | None) -> list[tuple[str, str]]:
    """Return what somebody waits for, as titles and answers."""
    if wish is None:
        return []
    titles = [
        (_("Variant"), shelf.find_variant(wish.variant).name if wish.variant else ""),
        (_("Pace"), str(FIELDS["pace"].choice(wish.pace).title) if wish.pace else ""),
        (_("Who may write to whom"), str(FIELDS["press"].choice(wish.press).title) if wish.press else ""),
    ]
    return [(title, answer or _("Any")) for title, answer in titles]


@login_required
@require_POST
def leave_queue(request: HttpRequest) -> HttpResponse:
    """Wait no longer."""
    queue.give_up(account(request))
    messages.success(request, _("You no longer wait for a game."))
    return redirect("find-game")


urlpatterns: list[URLPattern] = [
    path("games/find", find_game, name="find-game"),
    path("games/find/leave", leave_queue, name="leave-queue"),
]

router = Router()


class QueueIn(Given):
    """What you want to play; an empty text is anything."""

    variant: str = ""
    pace: str = ""
    press: str = ""
    min_reliability: int = Field(0, ge=0, le=100, description="of the other players, in per cent")
    bots: str = Field("never", description="when bots may take empty places: never, now, hour or day")


class QueuedOut(Schema):
    """What you wait for."""

    variant: str
    pace: str
    press: str
    min_reliability: int
    bots_from: datetime | None
    since: datetime
    ends: datetime


class QueueOut(Schema):
    """The queue: your wish, who waits, and the game that has begun with you, if one has."""

    wish: QueuedOut | None
    waiting: int = Field(description="people who wait for any game")
    fitting: int = Field(description="those of them for the game of yours that is nearest to its beginning")
    needed: int = Field(description="players of that game")
    table: str = Field("", description="key of the game that has begun")


@router.get("", response=QueueOut)
def own_queue(request: HttpRequest) -> queue.Queue:
    """What you wait for, and how many others do."""
    return queue.queue_of(person(request))


@router.put("", response=QueueOut)
def wait_for_game(request: HttpRequest, given: QueueIn) -> dict[str, object]:
    """Wait for a game. It begins, perhaps at once, as soon as enough people wait for the same one."""
    user = person(request, "tables")
    limits.check(ASKED, request)
    begun = queue.wait(user, Wanted(**given.model_dump()))
    found = queue.queue_of(user)
    return {
        "wish": found.wish, "waiting": found.waiting, "fitting": found.fitting, "needed": found.needed,
        "table": begun.key if begun else "",
    }  # fmt: skip


@router.delete("", response=Done)
def wait_no_longer(request: HttpRequest) -> Done:
    """Wait no longer."""
    queue.give_up(person(request, "tables"))
    return Done()
