"""Pages of the mail room: to be told no more, and, for admins, what could not be delivered."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from gamesmaster.host.mail import compose, delivery
from gamesmaster.host.service import clock, people, rows


@csrf_exempt  # the token says who it is; mail programs post without having been here (RFC 8058)
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to send no more mails of a kind; to post is to say yes."""
    found = compose.stop_read(token)
    user = User.objects.filter(pk=found[0], is_active=True).first() if found else None
    if found is None or user is None or found[1] not in KINDS:
        raise Http404
    done = request.method == "POST"
    if done:
        people.choose(user, {f"notify_{found[1]}": False})
    return render(request, "host/mail_stop.html", {"kind": KINDS[found[1]], "done": done})


KINDS = {
    "phase": _("results of phases"),
    "deadline": _("reminders before deadlines"),
    "press": "press",
    "table": _("what happens in your games"),
}
"""Kinds of mail in words."""


@require_http_methods(["GET", "HEAD", "POST"])
def dead_letters(request: HttpRequest) -> HttpResponse:
    """Mails that were given up or are held, without their texts; an admin may have them sent after all."""
    user = request.user
    if not isinstance(user, User) or not user.is_active or not user.is_superuser:
        raise Http404
    if request.method == "POST":
        told = request.POST.get("mail", "")
        number = delivery.try_again(clock.now(), [int(told)] if told.isascii() and told.isdigit() else None)
        rows.audit(user, format_lazy(_("sent {number} undelivered e-mails again"), number=number), None, clock.now())
        return redirect("dead-letters")
    return render(request, "host/mail_dead.html", {"mails": delivery.dead_letters()})


urlpatterns: list[URLPattern] = [
    path("mail/stop/<str:token>", stop, name="mail-stop"),
    path("mail/dead", dead_letters, name="dead-letters"),
]
