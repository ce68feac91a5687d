"""The pages of press: threads, one of them open, and a sheet of paper to write on; by itself, or beside the board."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from gamesmaster.host.press import correspondence, live
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.models import LONGEST_MESSAGE, Message, TableState
from gamesmaster.host.tables.requests import person, view_of
from gamesmaster.host.tables.settings import PRESS
from gamesmaster.host.tables.view import TableView

SHOWN = 200
"""Messages of a thread on a page, the last ones."""
BRIEF = 30
"""The same beside the board."""


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, key: str) -> HttpResponse:
    """The press of a table that the reader may read; with POST a message is sent."""
    view = view_of(request, key)
    if request.method == "POST":
        return _send_and_answer(request, view)
    return _page(request, view)


@require_http_methods(["GET", "HEAD", "POST"])
def beside(request: HttpRequest, key: str) -> HttpResponse:
    """The same as a part of the table's page, beside the board, in brief; with POST a message is sent."""
    view = view_of(request, key)
    if view.sandbox or not view.begun:
        raise Http404("There is no press here.")
    wanted, text, refused, status = request.GET.get("with"), "", None, 200
    if request.method == "POST":
        text = request.POST.get("text", "")
        try:
            made = _send(request, view)
        except Refused as error:
            refused, status = error, 409
        else:
            view, wanted, text = (
                view_of(request, key),
                correspondence.key_with((made.shown_as, *made.to)) if made.to else "",
                "",
            )
    new = "new" in request.GET and (status == 409 or request.method != "POST")
    if wanted is None and not new:
        wanted = _newest(view)
    context = {**_context(view, wanted or "", text, BRIEF), "new": new, "refused": refused}
    return render(request, "press/beside.html", context, status=status)


def _newest(view: TableView) -> str:
    """The thread that a reader most wants to see: that with the newest message that is unread, else the newest one."""
    threads = [thread for thread in correspondence.threads(view) if thread.last]
    if not threads:
        return correspondence.PUBLIC
    return max(threads, key=lambda one: (one.unread > 0, one.lines[-1].number)).key


def _page(request: HttpRequest, view: TableView, text: str = "", status: int = 200) -> HttpResponse:
    words = request.GET.get("words", "")[:100]
    context = {
        "stamp": live.stamp(view),  # first, so that it is never newer than what the page shows
        **_context(view, request.GET.get("with", ""), text, SHOWN),
        "words": words,
        "found": correspondence.search(view, words)[:SHOWN] if words else None,
        "new": "new" in request.GET,
    }
    return render(request, "press/page.html", context, status=status)


def _context(view: TableView, wanted: str, text: str, most: int) -> dict[str, object]:
    """The threads, the one that is wanted with its last messages, and who may write to whom."""
    listed, current, writers = correspondence.threads(view), correspondence.thread(view, wanted), _writers(view)
    return {
        "view": view,
        "threads": listed,
        "unread": sum(thread.unread for thread in listed),
        "shown": current,
        "lines": current.lines[-most:],
        "cut": max(len(current.lines) - most, 0),
        "found": None,
        "writer": writers[0] if writers else "",
        "writes": _writes(view),
        "others": [name for name in _everybody(view) if name not in writers],
        "policy": PRESS[view.settings.press].says,
        "readers": readers(view),
        "muted": correspondence.muted_powers(view),
        "partner": _partner(view, current),
        "question": _question(view, current),
        "answers": _answer_recipients(view, current),
        "text": text,
        "longest": LONGEST_MESSAGE,
    }


def readers(view: TableView) -> str:
    """Who can read what is written here, in sentences; as `viewing` has it."""
    if view.viewer.gm:
        return _("You read all the messages of this game, because you are its Gamesmaster.")
    if view.has_gm:
        return _(
            "A message to all can be read by everybody who can see this game. Any other message can be read by the"
            " powers that it is for, by players who take them over later, and by the Gamesmaster of this game."
        )
    return _(
        "A message to all can be read by everybody who can see this game. Any other message can be read by the"
        " powers that it is for, and by players who take them over later."
    )


def _send(request: HttpRequest, view: TableView) -> Message:
    """Send what was written; raises `Refused`."""
    to, text = request.POST.getlist("to"), request.POST.get("text", "")
    row, user, writers = row_of(view), person(request), _writers(view)
    question = _question(view, correspondence.thread(view, request.GET.get("with", "")))
    if "answer" in request.POST and question:
        return correspondence.answer(row, question, text, user=user)
    return correspondence.send(row, writers[0] if writers else "", text, to=to, grey="grey" in request.POST, user=user)


def _send_and_answer(request: HttpRequest, view: TableView) -> HttpResponse:
    """Send what was written; if it is refused, the page again with the words in it."""
    try:
        made = _send(request, view)
    except Refused as refused:
        messages.error(request, f"{refused.what} {refused.hint}".strip())
        return _page(request, view, request.POST.get("text", ""), 409)
    key = correspondence.key_with((made.shown_as, *made.to)) if made.to else correspondence.PUBLIC
    return redirect(_address(view, key))


@require_POST
def read(request: HttpRequest, key: str) -> HttpResponse:
    """Note that a thread was read, up to the message of this number, or (`all`) that all threads were.

    A script asks for JSON, and is told how much is unread now, in words: in all, and in each thread.
    """
    view, upto = view_of(request, key), request.POST.get("upto", "")
    current = correspondence.thread(view, request.POST.get("with", ""))
    last = int(upto[:9]) if upto.isascii() and upto.isdigit() else 0
    for thread in correspondence.threads(view) if "all" in request.POST else (current,):
        numbers = [line.message.number for line in thread.lines if "all" in request.POST or line.number <= last]
        if numbers:
            correspondence.mark_read(view, thread.key, numbers[-1])
    if request.headers.get("Accept") != "application/json":
        return redirect(_address(view, current.key))
    left = {thread.key: thread.unread for thread in correspondence.threads(view)}
    words = {key: unread_words(number) for key, number in left.items()}
    return JsonResponse({"all": unread_words(sum(left.values())), "threads": words})


def unread_words(number: int) -> str:
    """So many messages are new; nothing if there are none."""
    return _("%(unread)s new") % {"unread": number} if number else ""


@require_POST
def mute(request: HttpRequest, key: str) -> HttpResponse:
    """Mute a power, or hear it again."""
    view, user = view_of(request, key), person(request)
    try:
        if user is None:
            raise Refused("no-seat", _("You do not play in this game."))
        correspondence.mute(row_of(view), user, request.POST.get("power", ""), "muted" in request.POST)
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
    return names if view.viewer.gm else [*names, correspondence.HOUSE]


def _answer_recipients(view: TableView, thread: correspondence.Thread) -> list[str] | None:
    """Whom an answer in this thread goes to, nobody: to all; None where there is nobody whom one could answer."""
    others = [name for name in thread.members if name not in view.viewer.powers and name != correspondence.ANONYMOUS]
    if view.viewer.gm:
        others = [name for name in others if name != correspondence.HOUSE]
    return others if others or not thread.key else None


def _question(view: TableView, thread: correspondence.Thread) -> int:
    """The last question in a thread that the Gamesmaster may answer to all by one button; 0 if there is none."""
    if not view.viewer.gm or not view.begun or view.house_rules.rule_answers != "to_all":
        return 0
    numbers = (
        m.message.number for m in thread.lines[::-1] if correspondence.HOUSE in m.message.to and m.message.sender
    )
    return next(numbers, 0)


def _partner(view: TableView, thread: correspondence.Thread) -> str:
    """The power at the other end of a thread of two, that may be muted."""
    others = [name for name in thread.members if name not in view.viewer.powers]
    return others[0] if len(others) == 1 and others[0] != correspondence.HOUSE and view.viewer.seat else ""


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/press/", page, name="press"),
    path("t/<slug:key>/press/beside", beside, name="press-beside"),
    path("t/<slug:key>/press/read", read, name="press-read"),
    path("t/<slug:key>/press/mute", mute, name="press-mute"),
]
