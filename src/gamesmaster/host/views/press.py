"""The pages of press: threads, one of them open, and a sheet of paper to write on."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import TableState
from gamesmaster.host.models.press import LONGEST_MESSAGE
from gamesmaster.host.service import live, press, threads
from gamesmaster.host.service.viewing import TableView, row_of
from gamesmaster.host.views.asking import person
from gamesmaster.host.views.table_answers import seen

POLICIES = {
    "none": "Players cannot write to each other in this game.",
    "broadcast": "Only the Gamesmaster can write in this game.",
    "public": "All press is public in this game.",
    "private": "Players can write to all, or to one power.",
    "groups": "Players can write to all, to one power, or to a group.",
    "rulebook": "Players can write to anybody, but only while moves are due.",
}
SHOWN = 200
"""Messages of a thread on a page, the last ones."""


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, key: str) -> HttpResponse:
    """The press of a table that the reader may read; with POST a message is sent."""
    view = seen(request, key)
    if request.method == "POST":
        return _sent(request, view)
    return _page(request, view)


def _page(request: HttpRequest, view: TableView, text: str = "", status: int = 200) -> HttpResponse:
    words = request.GET.get("words", "")[:100]
    wanted = request.GET.get("with", "")
    shown = threads.thread(view, wanted)
    writers = _writers(view)
    context = {
        "stamp": live.stamp(view),  # first, so that it is never newer than what the page shows
        "view": view,
        "threads": threads.threads(view),
        "shown": shown,
        "lines": shown.lines[-SHOWN:],
        "cut": max(len(shown.lines) - SHOWN, 0),
        "words": words,
        "found": threads.search(view, words)[:SHOWN] if words else None,
        "new": "new" in request.GET,
        "writer": writers[0] if writers else "",
        "writes": _writes(view),
        "others": [name for name in _everybody(view) if name not in writers],
        "policy": POLICIES[view.settings.press],
        "muted": threads.muted(view),
        "partner": _partner(view, shown),
        "question": _question(view, shown),
        "answers": _addressed(view, shown),
        "text": text,
        "longest": LONGEST_MESSAGE,
    }
    return render(request, "host/press.html", context, status=status)


def _sent(request: HttpRequest, view: TableView) -> HttpResponse:
    """Send what was written; if it is refused, the page again with the words in it."""
    to, text = request.POST.getlist("to"), request.POST.get("text", "")
    row, user, writers = row_of(view), person(request), _writers(view)
    asked = _question(view, threads.thread(view, request.GET.get("with", "")))
    try:
        if "answer" in request.POST and asked:
            made = press.answer(row, asked, text, user=user)
        else:
            made = press.send(row, writers[0] if writers else "", text, to=to, grey="grey" in request.POST, user=user)
    except Refused as refused:
        messages.error(request, f"{refused.what} {refused.hint}".strip())
        return _page(request, view, text, 409)
    key = threads.key_with((made.shown_as, *made.to)) if made.to else threads.PUBLIC
    return redirect(_address(view, key))


@require_POST
def read(request: HttpRequest, key: str) -> HttpResponse:
    """Note that a thread was read, up to the message of this number."""
    view = seen(request, key)
    shown, upto = threads.thread(view, request.POST.get("with", "")), request.POST.get("upto", "")
    numbers = [line.message.number for line in shown.lines if upto.isdecimal() and line.number <= int(upto[:9])]
    if numbers:
        press.mark_read(view, shown.key, numbers[-1])
    return redirect(_address(view, shown.key))


@require_POST
def mute(request: HttpRequest, key: str) -> HttpResponse:
    """Mute a power, or hear it again."""
    view, user = seen(request, key), person(request)
    try:
        if user is None:
            raise Refused("no-seat", "You do not play in this game.")
        press.mute(row_of(view), user, request.POST.get("power", ""), "muted" in request.POST)
    except Refused as refused:
        messages.error(request, refused.what)
    return redirect(_address(view, request.POST.get("with", "")))


def _address(view: TableView, thread: str) -> str:
    query = f"?{urlencode({'with': thread})}" if thread else ""
    return f"{reverse('press', args=[view.key])}{query}#last"


def _writers(view: TableView) -> tuple[str, ...]:
    """The power that the reader writes for; none for the Gamesmaster, who writes as such."""
    return () if view.sandbox else view.viewer.powers


def _writes(view: TableView) -> bool:
    """May the reader write at all?  What in particular is for the service to say."""
    closed = view.state in (TableState.FORMING, TableState.CANCELLED)
    return not view.sandbox and not closed and bool(view.viewer.powers or view.viewer.gm)


def _everybody(view: TableView) -> list[str]:
    names = [power.name for power in view.variant.powers]
    return names if view.viewer.gm else [*names, press.HOUSE]


def _addressed(view: TableView, shown: threads.Thread) -> list[str] | None:
    """Whom an answer in this thread goes to, nobody: to all; None where there is nobody whom one could answer."""
    others = [name for name in shown.members if name not in view.viewer.powers and name != press.ANONYMOUS]
    if view.viewer.gm:
        others = [name for name in others if name != press.HOUSE]
    return others if others or not shown.key else None


def _question(view: TableView, shown: threads.Thread) -> int:
    """The last question in a thread that the Gamesmaster may answer to all by one button; 0 if there is none."""
    if not view.viewer.gm or not view.begun or view.house_rules.rule_answers != "to_all":
        return 0
    asked = (m.message.number for m in shown.lines[::-1] if press.HOUSE in m.message.to and m.message.sender)
    return next(asked, 0)


def _partner(view: TableView, shown: threads.Thread) -> str:
    """The power at the other end of a thread of two, that may be muted."""
    others = [name for name in shown.members if name not in view.viewer.powers]
    return others[0] if len(others) == 1 and others[0] != press.HOUSE and view.viewer.seat else ""
