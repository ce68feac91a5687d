"""What views have in common: who asks, and what is said when something is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from gamesmaster.host.errors import Refused
from gamesmaster.host.service import viewing, watch
from gamesmaster.host.service.viewing import TableView
from gamesmaster.host.service.watch import INVITATIONS

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


def seen(request: HttpRequest, key: str, invitation: str = "") -> TableView:
    """The table with this key, as the person asking may see it; 404 if there is none for this person.

    Guests bring their invitation along (`brought`), if it is not told.
    """
    try:
        return look(request, key, invitation or brought(request, key))
    except Refused as refused:
        raise Http404(str(refused)) from None


def look(request: HttpRequest, key: str, invitation: str) -> TableView:
    """The same, of a guest with an invitation; raises `Refused`, also for one that holds no longer (`used-up`)."""
    return viewing.look(key, person(request), invitation=invitation)


def brought(request: HttpRequest, key: str) -> str:
    """The invitation with which a guest has come to a table: told in the address, or at an earlier page."""
    return (request.GET.get("invitation", "") or watch.invitation(request.session, key))[:16]


def keep_invitation(request: HttpRequest, view: TableView) -> None:
    """Remember a guest's invitation, for all pages of the table that it leads to, and beyond signing in."""
    if view.viewer.invitation and brought(request, view.key) != view.viewer.invitation:
        known = {**request.session.get(INVITATIONS, {}), view.key: view.viewer.invitation}
        request.session[INVITATIONS] = dict(list(known.items())[-MOST_KEPT:])


def confirmed(*, reading: bool = False) -> Callable[[View], View]:
    """Ask for the password or a passkey again, unless that was done a moment ago; not for `reading`, if that is free.

    What somebody has sent is kept meanwhile, and taken up again.
    """
    asked: Callable[[View], View] = reauthentication_required(allow_get=reading)
    return asked


def refused_back(to: Callable[..., str]) -> Callable[[View], View]:
    """Lead back to the page `to` names, with the reason, when a service refuses; what is hidden stays 404.

    `to` is asked with the arguments of the view.
    """

    def wrap(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
            try:
                return view(request, *args, **named)
            except Refused as refused:
                if refused.code in HIDDEN:
                    raise Http404 from None
                messages.error(request, str(refused))
                return redirect(to(request, *args, **named))

        return guarded

    return wrap
