"""What views have in common: who asks, and what is said when something is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from gamesmaster.host.errors import Refused
from gamesmaster.host.service import viewing
from gamesmaster.host.service.viewing import TableView

View = Callable[..., HttpResponse]
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
    """The table with this key, as the person asking may see it; 404 if there is none for this person."""
    try:
        return viewing.look(key, person(request), invitation=invitation)
    except Refused as refused:
        raise Http404(str(refused)) from None


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
