"""The page of personal tokens."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import ApiToken
from gamesmaster.host.service import clock, tokens
from gamesmaster.host.views.asking import account, confirmed


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@confirmed(reading=True)
def page(request: HttpRequest) -> HttpResponse:
    """One's tokens; with POST a new one, whose text is shown this once."""
    user, text = account(request), ""
    if request.method == "POST":
        days = request.POST.get("days", "")
        try:
            until = int(days[:6]) if days.isdecimal() else None
            given = request.POST.getlist("scope")
            text, _ = tokens.make(user, request.POST.get("name", ""), given, clock.now(), days=until)
        except Refused as refused:
            messages.error(request, f"{refused.what} {refused.hint}".strip())
    rows = ApiToken.objects.filter(user=user).order_by("-pk")
    return render(request, "host/tokens.html", {"rows": rows, "scopes": tokens.SCOPES, "text": text})


@login_required
@require_POST
@confirmed()
def drop(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a token."""
    try:
        tokens.drop(account(request), number)
    except Refused as refused:
        messages.error(request, refused.what)
    return redirect("tokens")
