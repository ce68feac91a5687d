"""Is the house well: for load balancers and whoever watches."""

from __future__ import annotations

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse

from gamesmaster.host.middleware import unavailable
from gamesmaster.host.service import clock, health


def healthz(request: HttpRequest) -> HttpResponse:
    """200 if the database answers and the worker is alive, else 503; what is wrong in JSON."""
    try:
        found = health.look(clock.now())
    except DatabaseError:
        return unavailable(request)
    return JsonResponse(found.data, status=200 if found.well else 503)
