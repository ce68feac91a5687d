"""The page of one's own sign-ins: where one is signed in now, where one was, and a way to end that."""

from __future__ import annotations

from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.internal.flows.sessions import end_other_sessions, end_sessions
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from gamesmaster.host.service import sign_ins
from gamesmaster.host.views.asking import account, confirmed

UNKNOWN = "0.0.0.0"
"""What stands for the address of a session where none is kept."""


@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Sessions, sign-ins of late, and the ways in."""
    user = account(request)
    if not UserSession.objects.filter(session_key=request.session.session_key or "").exists():
        UserSession.objects.create_from_request(request)  # signed in before sessions were listed
    sessions = sorted(UserSession.objects.purge_and_list(user), key=lambda one: one.created_at, reverse=True)
    context = {
        "sessions": [(one, "" if one.ip == UNKNOWN else one.ip) for one in sessions],
        "sign_ins": sign_ins.recent(user),
        "days": sign_ins.KEPT.days,
        "second": is_mfa_enabled(user),
    }
    return render(request, "host/security.html", context)


@login_required
@require_POST
@confirmed()
def end(request: HttpRequest) -> HttpResponse:
    """Sign out one browser, or all but this one."""
    user, told = account(request), request.POST.get("session", "")
    if told == "others":
        end_other_sessions(request, user)
        messages.success(request, _("All other browsers are signed out."))
    elif told.isascii() and told.isdigit() and len(told) < 16:
        end_sessions(request, list(UserSession.objects.filter(user=user, pk=int(told))))
        messages.success(request, _("That browser is signed out."))
    return redirect("security" if request.user.is_authenticated else "account_login")
