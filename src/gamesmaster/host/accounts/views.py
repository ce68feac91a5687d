"""Pages of an account: signing up, one's own sign-ins, one's own tokens."""

from __future__ import annotations

from allauth.account.views import SignupView
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.internal.flows.sessions import end_other_sessions, end_sessions
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gamesmaster.host.accounts import signing_in, tokens
from gamesmaster.host.accounts.forms import SignUpForm
from gamesmaster.host.accounts.models import ApiToken
from gamesmaster.host.accounts.sign_up import INVITED
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.requests import account, confirmed


class SignUp(SignupView):  # type: ignore[misc]
    """The form, and what becomes of it: account, address, mail to be sent and session in one transaction."""

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Make the account."""
        with transaction.atomic():
            made: HttpResponse = super().form_valid(form)
        return made


@require_safe
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """Remember an invitation, and lead to the form."""
    request.session[INVITED] = token[:60]
    return redirect("account_signup")


signup = SignUp.as_view()


UNKNOWN = "0.0.0.0"
"""What stands for the address of a session where none is kept."""


@login_required
@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Sessions, sign-ins of late, and the ways in."""
    user = account(request)
    if not UserSession.objects.filter(session_key=request.session.session_key or "").exists():
        UserSession.objects.create_from_request(request)  # signed in before sessions were listed
    sessions = sorted(UserSession.objects.purge_and_list(user), key=lambda one: one.created_at, reverse=True)
    context = {
        "sessions": [(one, "" if one.ip == UNKNOWN else one.ip) for one in sessions],
        "sign_ins": signing_in.recent(user),
        "days": signing_in.KEPT.days,
        "second": is_mfa_enabled(user),
    }
    return render(request, "host/security.html", context)


@login_required
@require_POST
@confirmed()
def end_sessions_chosen(request: HttpRequest) -> HttpResponse:
    """Sign out one browser, or all but this one."""
    user, told = account(request), request.POST.get("session", "")
    if told == "others":
        end_other_sessions(request, user)
        messages.success(request, _("All other browsers are signed out."))
    elif told.isascii() and told.isdigit() and len(told) < 16:
        end_sessions(request, list(UserSession.objects.filter(user=user, pk=int(told))))
        messages.success(request, _("That browser is signed out."))
    return redirect("security" if request.user.is_authenticated else "account_login")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@confirmed(reading=True)
def tokens_page(request: HttpRequest) -> HttpResponse:
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
def drop_token(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a token."""
    try:
        tokens.drop(account(request), number)
    except Refused as refused:
        messages.error(request, refused.what)
    return redirect("tokens")


urlpatterns: list[URLPattern] = [
    path("me/security/", security, name="security"),
    path("me/security/end", end_sessions_chosen, name="end-sessions"),
    path("me/tokens/", tokens_page, name="tokens"),
    path("me/tokens/<int:number>/drop", drop_token, name="token-drop"),
    path("accounts/signup/", signup, name="account_signup"),
    path("invited/<str:token>/", invited, name="invited-to-site"),
]
