"""Checking a receipt: anybody may, without an account."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from gamesmaster.host.errors import Refused
from gamesmaster.host.service import limits, receipts

CHECKS = limits.Limit("receipt", 120, 3600)


@require_http_methods(["GET", "POST"])
def verify(request: HttpRequest) -> HttpResponse:
    """A field for a receipt, and what it is worth."""
    text = request.POST.get("receipt", "")[:2000]
    context: dict[str, object] = {"text": text}
    if request.method == "POST":
        try:
            limits.check(CHECKS, request)
            found = receipts.check(text)
        except Refused as refused:
            context["refused"] = str(refused)
        else:
            context["found"] = found
            if found.genuine:
                parts = text.strip().split("|")
                context |= {"key": parts[2], "phase": parts[4], "power": parts[5], "at": receipts.when(text)}
    return render(request, "host/front_receipts.html", context)
