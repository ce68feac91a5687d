"""Is the house well: for load balancers and whoever watches."""

from __future__ import annotations

import hmac
import ipaddress

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse

from gamesmaster.host import metrics as figures
from gamesmaster.host.middleware import unavailable
from gamesmaster.host.service import clock, health


def healthz(request: HttpRequest) -> HttpResponse:
    """200 if the database answers and all is well, else 503; what is wrong in JSON."""
    try:
        found = health.look(clock.now())
    except DatabaseError:
        return JsonResponse({"well": False, "reasons": ["the database does not answer"]}, status=503)
    return JsonResponse(found.data, status=200 if found.well else 503)


def metrics(request: HttpRequest) -> HttpResponse:
    """The figures, for operators: with the token, or from this machine itself; to all others there is nothing."""
    if not (_has_token(request) or _from_here(request)):
        return HttpResponseNotFound()
    try:
        told = figures.written()
    except DatabaseError:
        return unavailable(request)
    return HttpResponse(told, content_type="text/plain; version=0.0.4; charset=utf-8")


def _has_token(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    wanted = settings.METRICS_TOKEN
    return bool(wanted) and hmac.compare_digest(given.encode(), wanted.encode())


def _from_here(request: HttpRequest) -> bool:
    """Does a program of this machine ask, and no server that stands before the site for somebody else?"""
    if any(
        name in request.headers for name in ("X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "X-Real-Ip", "Via")
    ):
        return False
    host = request.get_host().rpartition(":")[0] or request.get_host()
    try:
        here = ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
        return here and (host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback)
    except ValueError:
        return False
