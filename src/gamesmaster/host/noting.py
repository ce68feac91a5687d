"""Noting from where people play, for moderators: a hash, for some days (`service.alike`)."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.contrib.auth.models import User
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from gamesmaster.host.service import alike, clock, limits

Answer = Callable[[HttpRequest], HttpResponse]
LOG = logging.getLogger("gamesmaster.host")
SAFE = ("GET", "HEAD", "OPTIONS")


def note_address(answer: Answer) -> Answer:
    """Note the address of whoever has sent something that was taken; never of whoever only looks."""

    def answered(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        if request.method not in SAFE and response.status_code < 400 and isinstance(request.user, User):
            _note(request.user, limits.address(request))
        return response

    return answered


def _note(user: User, address: str) -> None:
    """Note it; what was taken stays taken if that cannot be done."""
    try:
        if user.pk is not None:  # an account may just have been deleted
            alike.note(user, address, clock.now())
    except DatabaseError as error:
        LOG.warning("an address could not be noted", exc_info=error, extra={"event": "trace"})
