"""Pages of press: the list of threads, the open one, and a form for a message; as a page or beside the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from gamesmaster.host.notices import inbox
from gamesmaster.host.press import correspondence, holding, live, threads
from gamesmaster.host.press.correspondence import ALL, Press
from gamesmaster.host.press.threads import LONGEST_PAGE
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.models import LONGEST_MESSAGE, HeldLetter, Message, TableState, thread_of
from gamesmaster.host.tables.requests import person, view_of
from gamesmaster.host.tables.settings import FIELDS
from gamesmaster.host.tables.view import TableView

BRIEF = 30
"""Number of messages of a thread that are shown beside the board, the latest ones."""


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """The message form as submitted: addressees, text, and `grey` for unsigned."""

    to: tuple[str, ...] = ()
    text: str = ""
    grey: bool = False

    @classmethod
    def of(cls, request: HttpRequest) -> MessageDraft:
        """Return what a request to send a message contains."""
        given = request.POST
        return cls(tuple(given.getlist("to")), given.get("text", ""), "grey" in given)


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the press that the reader may read; with POST send a message, take one back or strike one out."""
    view = view_of(request, key)
    if request.method == "POST":
        return _change(request, view) if _CHANGES & request.POST.keys() else _send_and_answer(request, view)
    if view.viewer.seat is None:  # players' messages are read when they have been in view
        inbox.seen(view.viewer.user, key, press=True)
    return _page(request, view, MessageDraft())


@require_http_methods(["GET", "HEAD", "POST"])
def beside(request: HttpRequest, key: str) -> HttpResponse:
    """Show a short form of press beside the board; with POST send a message."""
    view = view_of(request, key)
    if view.sandbox or not view.begun:
        raise Http404("There is no press here.")
    wanted, draft, refused, status = request.GET.get("with"), MessageDraft(), None, 200
    if request.method == "POST":
        try:
            if _CHANGES & request.POST.keys():
                draft, made = _carry_out(request, view), None
            else:
                made = _send(request, view, MessageDraft.of(request))
        except Refused as error:
            draft, refused, status = MessageDraft.of(request), error, 409
        else:
            view, wanted = view_of(request, key), _thread_of(made) if made else wanted
    new = "new" in request.GET and (status == 409 or request.method != "POST")
    if wanted is None and not new and request.method != "POST":
        # the thread with the newest unread message, else that with the newest message
        wanted = max(threads.threads(view), key=lambda one: (one.unread > 0, one.last)).key
    context = {**_context(view, wanted or "", draft, most=BRIEF), "new": new, "refused": refused}
    return render(request, "press/beside.html", context, status=status)


def _page(request: HttpRequest, view: TableView, draft: MessageDraft, status: int = 200) -> HttpResponse:
    words = request.GET.get("words", "")[:100]
    context = {
        "stamp": live.stamp(view),  # first, so that it is never newer than the page
        **_context(view, request.GET.get("with", ""), draft, before=_number(request.GET.get("before", ""))),
        "words": words,
        "found": threads.search(view, words)[:LONGEST_PAGE] if words else None,
        "new": "new" in request.GET,
    }
    return render(request, "press/page.html", context, status=status)


def _context(
    view: TableView, wanted: str, draft: MessageDraft, *, before: int = 0, most: int = LONGEST_PAGE
) -> dict[str, object]:
    """Return the template context: the threads, messages of the wanted one (`before` a number), and addressees."""
    listed, writers = threads.threads(view), _writers(view)
    current = threads.thread(view, wanted, before=before, most=most)
    answers, policy = _answer_recipients(view, current), _policy(view)
    refused = None if answers is None or draft.text else policy([name for name in answers if name != ALL])
    others = [name for name in _everybody(view) if name not in writers and (name in draft.to or not policy([name]))]
    to_all = ALL in draft.to or not policy([])
    return {
        "view": view,
        "threads": listed,
        "unread": sum(thread.unread for thread in listed),
        "shown": current,
        "lines": current.lines,
        "held": holding.own_letters(view, current.key),
        "found": None,
        "writer": writers[0] if writers else "",
        "writes": _writes(view) and (to_all or bool(others)),
        "others": others,
        "to_all": to_all,
        "policy": FIELDS["press"].choice(view.settings.press).says,
        "readers": readers(view),
        "muted": threads.muted_powers(view),
        "partner": _partner(view, current),
        "question": _question(view, current),
        "answers": None if refused else answers,
        "no_answer": refused.what if refused else _("You cannot reply to an unsigned message."),
        "draft": draft,
        "longest": LONGEST_MESSAGE,
    }


def readers(view: TableView) -> str:
    """Return a description of who can read messages, as `tables.access` decides."""
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


_CHANGES = {"back", "strike", "restore"}
"""Names of the buttons that change a letter; their value is its number."""


def _carry_out(request: HttpRequest, view: TableView) -> MessageDraft:
    """Take back a letter and return its text, or strike out or restore one; raise `Refused`."""
    row, user = row_of(view), person(request)
    if "back" in request.POST:
        letter = holding.take_back(row, _number(request.POST["back"]), user)
        grey = bool(letter.sender) and letter.shown_as == correspondence.ANONYMOUS
        return MessageDraft(tuple(letter.to) or (ALL,), letter.text, grey)
    struck = "strike" in request.POST
    number = _number(request.POST["strike" if struck else "restore"])
    holding.strike(row, threads.key_of_number(view, number), user, struck=struck)
    return MessageDraft()


def _change(request: HttpRequest, view: TableView) -> HttpResponse:
    """Change a letter; show the text of one that was taken back in the form, and otherwise redirect to the thread."""
    try:
        draft = _carry_out(request, view)
    except Refused as refused:
        messages.error(request, str(refused))
        return _page(request, view, MessageDraft(), 409)
    if draft.text:
        return _page(request, view_of(request, view.key), draft)
    return redirect(_address(view, request.GET.get("with", "")))


def _send(request: HttpRequest, view: TableView, draft: MessageDraft) -> Message | HeldLetter:
    """Send the message; raise `Refused`."""
    row, user, writers = row_of(view), person(request), _writers(view)
    if not writers and not view.viewer.gm and not view.sandbox:
        no_seat = Refused("no-seat", _("You do not play in this game."))
        raise Refused("signed-out", _("You are signed out.")) if user is None else no_seat
    question = _question(view, threads.thread(view, request.GET.get("with", "")))
    if "answer" in request.POST and question:
        return correspondence.answer(row, question, draft.text, user=user)
    power = writers[0] if writers else ""
    return correspondence.send(row, power, Press(draft.text, draft.to, grey=draft.grey), user=user)


def _send_and_answer(request: HttpRequest, view: TableView) -> HttpResponse:
    """Send the message and redirect to its thread, or show the page with the form again if it is refused."""
    draft = MessageDraft.of(request)
    try:
        made = _send(request, view, draft)
    except Refused as refused:
        messages.error(request, str(refused))
        return _page(request, view, draft, 409)
    return redirect(_address(view, _thread_of(made)))


def _thread_of(message: Message | HeldLetter) -> str:
    return thread_of(message.shown_as, message.to)


@require_POST
def read(request: HttpRequest, key: str) -> HttpResponse:
    """Mark a thread as read up to the message with this number, or all threads (`all`).

    A script that accepts JSON gets the numbers of unread messages in words, in all and by thread.
    """
    view, wanted = view_of(request, key), request.POST.get("with", "")
    if "all" in request.POST:
        for thread in threads.threads(view):
            threads.mark_read(view, thread.key, thread.last)
    else:
        threads.read_upto(view, wanted, _number(request.POST.get("upto", "")))
    if request.headers.get("Accept") != "application/json":
        return redirect(_address(view, threads.key_with(threads.members_of(wanted))))
    left = {thread.key: thread.unread for thread in threads.threads(view)}
    words = {key: unread_words(number) for key, number in left.items()}
    return JsonResponse({"all": unread_words(sum(left.values())), "threads": words})


def _number(text: str) -> int:
    """Return the number of a message in a request; 0 for anything else."""
    return int(text[:9]) if text.isascii() and text.isdigit() else 0


def unread_words(number: int) -> str:
    """Return the number of unread messages in words; empty for 0."""
    return _("%(unread)s new") % {"unread": number} if number else ""


@require_POST
def mute(request: HttpRequest, key: str) -> HttpResponse:
    """Mute a power, or unmute it."""
    view, user = view_of(request, key), person(request)
    try:
        if user is None:
            raise Refused("no-seat", _("You do not play in this game."))
        correspondence.mute(row_of(view), user, request.POST.get("power", ""), muted="muted" in request.POST)
    except Refused as refused:
        messages.error(request, refused.what)
    return redirect(_address(view, request.POST.get("with", "")))


def _address(view: TableView, thread: str) -> str:
    query = f"?{urlencode({'with': thread})}" if thread else ""
    return f"{reverse('press', args=[view.key])}{query}#last"


def _writers(view: TableView) -> tuple[str, ...]:
    """Return the powers that the reader writes for; empty for the Gamesmaster."""
    return () if view.sandbox else view.viewer.powers


def _writes(view: TableView) -> bool:
    """Return whether the reader may write at all; the service decides about each message."""
    closed = view.state in (TableState.FORMING, TableState.CANCELLED)
    return not view.sandbox and not closed and bool(view.viewer.powers or view.viewer.gm)


def _policy(view: TableView) -> Callable[[Sequence[str]], Refused | None]:
    """Return what says why the reader may not write to these powers, with an empty list to all."""
    policy = correspondence.Policy(view.settings, view.state, view.phase_code, view.has_gm)
    return policy.refusal if _writers(view) else lambda _to: None


def _everybody(view: TableView) -> list[str]:
    names = [power.name for power in view.variant.powers]
    return [*names, correspondence.HOUSE] if view.has_gm and not view.viewer.gm else names


def _answer_recipients(view: TableView, thread: threads.Thread) -> list[str] | None:
    """Return who gets an answer in this thread; None if the thread has nobody to answer."""
    if not thread.key:
        return [ALL]
    others = [name for name in thread.members if name not in view.viewer.powers and name != correspondence.ANONYMOUS]
    powers = [name for name in others if name != correspondence.HOUSE]
    if view.viewer.gm or (powers and not view.has_gm):
        others = powers
    return others or None


def _question(view: TableView, thread: threads.Thread) -> int:
    """Return the last question in a thread that the Gamesmaster may answer to all; 0 if the thread has none."""
    if not view.viewer.gm or not view.begun or view.house_rules.rule_answers != "to_all":
        return 0
    numbers = (
        m.message.number for m in thread.lines[::-1] if correspondence.HOUSE in m.message.to and m.message.sender
    )
    return next(numbers, 0)


def _partner(view: TableView, thread: threads.Thread) -> str:
    """Return the power at the other end of a thread of two, which can be muted; "" for other threads."""
    others = [name for name in thread.members if name not in view.viewer.powers]
    return others[0] if len(others) == 1 and others[0] != correspondence.HOUSE and view.viewer.seat else ""


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/press/", page, name="press"),
    path("t/<slug:key>/press/beside", beside, name="press-beside"),
    path("t/<slug:key>/press/read", read, name="press-read"),
    path("t/<slug:key>/press/mute", mute, name="press-mute"),
]
