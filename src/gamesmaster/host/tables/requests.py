"""What the views of tables have in common: who asks, which table, refusals, answers that need not be sent twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.cache import get_conditional_response, patch_vary_headers

from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.view import TableView

View = Callable[..., HttpResponse]
MOST_KEPT = 20
"""So many invitations a session remembers."""
HIDDEN = ("no-table", "not-moderator")
"""Refusals that look like a page that is not there."""


def person(request: HttpRequest) -> User | None:
    """Who asks; None for somebody who is not signed in."""
    return request.user if isinstance(request.user, User) else None


def account(request: HttpRequest) -> User:
    """Who asks, on a page for people who are signed in."""
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def view_of(request: HttpRequest, key: str, invitation: str = "") -> TableView:
    """The table with this key, as the person asking may see it; 404 if there is none for this person.

    Guests bring their invitation along (`guest_invitation`), if it is not told.
    """
    try:
        return look(request, key, invitation or guest_invitation(request, key))
    except Refused as refused:
        raise Http404(str(refused)) from None


def look(request: HttpRequest, key: str, invitation: str) -> TableView:
    """The same, of a guest with an invitation; raises `Refused`, also for one that holds no longer (`used-up`)."""
    return access.look(key, person(request), invitation=invitation)


def guest_invitation(request: HttpRequest, key: str) -> str:
    """The invitation with which a guest has come to a table: told in the address, or at an earlier page."""
    return (request.GET.get("invitation", "") or invitation(request.session, key))[:16]


def keep_invitation(request: HttpRequest, view: TableView) -> None:
    """Remember a guest's invitation, for all pages of the table that it leads to, and beyond signing in."""
    if view.viewer.invitation and guest_invitation(request, view.key) != view.viewer.invitation:
        known = {**request.session.get(INVITATIONS, {}), view.key: view.viewer.invitation}
        request.session[INVITATIONS] = dict(list(known.items())[-MOST_KEPT:])


def with_confirmation(*, reading: bool = False) -> Callable[[View], View]:
    """Ask for the password or a passkey again, unless that was done a moment ago; not for `reading`, if that is free.

    What somebody has sent is kept meanwhile, and taken up again.
    """
    asked: Callable[[View], View] = reauthentication_required(allow_get=reading)
    return asked


def lead_back(to: Callable[..., str]) -> Callable[[View], View]:
    """Lead back to the page `to` names, with the reason, when a service refuses; what is hidden stays 404.

    `to` is asked with the arguments of the view.
    """

    def wrap(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
            try:
                return view(request, *args, **named)
            except Refused as refused:
                if refused.code in HIDDEN:
                    raise Http404 from None
                messages.error(request, str(refused))
                return redirect(to(request, *args, **named))

        return wrapper

    return wrap


INVITATIONS = "invitations"
"""Where in a session the invitations are with which somebody came, by the keys of tables."""


def invitation(session: SessionBase, key: str) -> str:
    """The invitation with which somebody has come to the table with this key; empty if there was none."""
    return str(session.get(INVITATIONS, {}).get(key, ""))


DRAWING = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of a drawing opened by itself: its own style sheet, and nothing else that could run or load."""
FOR_EVER = "public, max-age=31536000, immutable"
AGAIN = "private, no-cache"
"""Kept by the browser, but asked for again each time: it says 304 if nothing has changed."""


def begun_view(request: HttpRequest, key: str) -> TableView:
    """The same of a table whose game has begun; 404 otherwise."""
    view = view_of(request, key)
    if not view.begun:
        raise Http404("The game has not begun.")
    return view


def over(view: TableView, ordinal: int) -> int:
    """The number of a phase that is over; 404 if there is none."""
    if not 0 <= ordinal < len(view.records):
        raise Http404("There are no results for that phase.")
    return ordinal


def respond(
    request: HttpRequest, body: str | bytes, kind: str, *, keep: str = AGAIN, policy: str = "", name: str = ""
) -> HttpResponseBase:
    """The body, or 304 if the asker has it; its tag is a hash of what is shown, so that it tells nothing else.

    `kind` is its media type, `keep` how long it is good for, `policy` a content policy other than the house's; with a
    `name` it is a file to be kept.
    """
    data = body.encode() if isinstance(body, str) else body
    tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    response = get_conditional_response(request, etag=tag) or HttpResponse(data, content_type=kind)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = keep
    if keep == AGAIN:
        patch_vary_headers(response, ["Cookie"])
    if policy:
        response.headers["Content-Security-Policy"] = policy
    if name:
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def posted_ordinal(request: HttpRequest) -> int:
    """The number of the phase that the page was made for, -1 if it tells none."""
    ordinal = read_number(request.POST.get("ordinal", ""))
    return -1 if ordinal is None else ordinal


def read_number(text: str) -> int | None:
    """The number that a text is, None for what is none or too long to be one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None
