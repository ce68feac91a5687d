"""Common code of views: the user, the table, refusals, and conditional responses."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_POST

from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.view import TableView

View = Callable[..., HttpResponse]
MOST_KEPT = 20
"""Maximum number of invitations that a session stores."""
HIDDEN = ("no-table", "not-moderator")
"""Refusals that appear as 404."""


def person(request: HttpRequest) -> User | None:
    """Return the signed-in user; None for a visitor."""
    return request.user if isinstance(request.user, User) else None


def account(request: HttpRequest) -> User:
    """Return the signed-in user; raise 404 for a visitor."""
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def view_of(request: HttpRequest, key: str, invitation: str = "") -> TableView:
    """Return the table as the user may see it; raise 404 if it is hidden or does not exist.

    Without `invitation`, the one of the query or session is used (`guest_invitation`).
    """
    try:
        return look(request, key, invitation or guest_invitation(request, key))
    except Refused as refused:
        raise Http404(str(refused)) from None


def look(request: HttpRequest, key: str, invitation: str) -> TableView:
    """Return the table as the user may see it; raise `Refused`, with `used-up` for a used invitation."""
    return access.look(key, person(request), invitation=invitation)


def guest_invitation(request: HttpRequest, key: str) -> str:
    """Return the guest's invitation to a table: from the query, else from the session."""
    return (request.GET.get("invitation", "") or invitation(request.session, key))[:16]


def keep_invitation(request: HttpRequest, view: TableView) -> None:
    """Store a guest's invitation in the session, for all pages of the table and after signing in."""
    if view.viewer.invitation and guest_invitation(request, view.key) != view.viewer.invitation:
        known = {**request.session.get(INVITATIONS, {}), view.key: view.viewer.invitation}
        request.session[INVITATIONS] = dict(list(known.items())[-MOST_KEPT:])


def with_confirmation(
    *, reading: bool = False, only: Callable[[HttpRequest], bool] | None = None
) -> Callable[[View], View]:
    """Return a decorator that asks the owner to confirm, unless recently done; with `reading` not for GET.

    With `only` it asks for those requests alone. A submitted form is kept and processed afterwards.
    """
    asked: Callable[[View], View] = reauthentication_required(allow_get=reading, enabled=only)
    return asked


def lead_back(to: str | Callable[..., str], *names: str) -> Callable[[View], View]:
    """Return a decorator that turns a refusal into a message and a redirect; hidden things stay 404.

    `to` is the name of a page, for the same game and the other arguments with these `names`, or a function of the
    view's arguments that returns an address.
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
                if callable(to):
                    return redirect(to(request, *args, **named))
                return redirect(reverse(to, kwargs={name: named[name] for name in ("key", *names) if name in named}))

        return wrapper

    return wrap


def posted(to: str | Callable[..., str], *names: str) -> Callable[[View], View]:
    """Return a decorator for a form's address: only signed-in people send it, and refusals lead back (`lead_back`)."""

    def wrap(view: View) -> View:
        answered: View = login_required(require_POST(lead_back(to, *names)(view)))
        return answered

    return wrap


INVITATIONS = "invitations"
"""Session key of the invitations, by table key."""


def invitation(session: SessionBase, key: str) -> str:
    """Return the session's invitation to the table with this key; "" without one."""
    return str(session.get(INVITATIONS, {}).get(key, ""))


DRAWING = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""Content policy of a drawing opened by itself: its inline styles, and nothing that runs or loads."""
FOR_EVER = "public, max-age=31536000, immutable"
AGAIN = "private, no-cache"
"""The browser may store the answer but must revalidate it each time; unchanged answers get 304."""


def begun_view(request: HttpRequest, key: str) -> TableView:
    """Return the table as `view_of` does; raise 404 if its game has not begun."""
    view = view_of(request, key)
    if not view.begun:
        raise Http404("The game has not begun.")
    return view


def over(view: TableView, ordinal: int) -> int:
    """Return the number of a finished phase; raise 404 if it does not exist."""
    if not 0 <= ordinal < len(view.records):
        raise Http404("There are no results for that phase.")
    return ordinal


def respond(
    request: HttpRequest, body: str | bytes, kind: str, *, keep: str = AGAIN, policy: str = "", name: str = ""
) -> HttpResponseBase:
    """Return the body, or 304 if the client has it; the ETag is a hash of the body alone.

    `kind` is the media type, `keep` the Cache-Control header, `policy` a content policy that replaces the default. With
    `name`, the browser saves the body as a file.
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


def posted_ordinal(request: HttpRequest, field: str = "ordinal") -> int:
    """Return the number of a phase in a field, by default of the one that the form was made for; -1 if missing."""
    ordinal = read_number(request.POST.get(field, ""))
    return -1 if ordinal is None else ordinal


def read_number(text: str) -> int | None:
    """Return the number that a text contains; None if it is not a number or has more than six digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None
