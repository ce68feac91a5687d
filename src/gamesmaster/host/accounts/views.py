"""Pages of an account: signing up, one's own sign-ins and tokens; and allauth's forms in this site's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from allauth.account import forms as account_forms
from allauth.account.views import SignupView
from allauth.mfa.base import forms as factor_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.utils import is_mfa_enabled
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from allauth.usersessions.internal.flows.sessions import end_other_sessions, end_sessions
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gamesmaster.host.accounts import signing_in, tokens
from gamesmaster.host.accounts.sign_up import INVITED
from gamesmaster.host.accounts.signing_in import HashedCode
from gamesmaster.host.accounts.tokens import ApiToken
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.requests import account, with_confirmation

SALT = "sign-up"
LONGEST = 24 * 3600  # seconds that a form stays good
TRAP, BEGUN = "website", "begun"


class AccountForm(forms.Form):
    """A form of an account's pages in this site's words; a name within a field would say the same twice."""

    labels: ClassVar[Mapping[str, Any]] = {
        "email": gettext_lazy("E-mail address"),
        "oldpassword": gettext_lazy("Current password"),
        "password": gettext_lazy("Password"),
        "password1": gettext_lazy("New password"),
        "password2": gettext_lazy("New password again"),
        "code": gettext_lazy("Code"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "label_suffix": ""})
        for name in self.labels.keys() & self.fields.keys():
            self.fields[name].label = self.labels[name]
            self.fields[name].widget.attrs.pop("placeholder", None)


class AddEmailForm(AccountForm, account_forms.AddEmailForm):  # type: ignore[misc]
    """The form by which an address is added."""


class ChangePasswordForm(AccountForm, account_forms.ChangePasswordForm):  # type: ignore[misc]
    """The form by which a password is changed."""


class SetPasswordForm(AccountForm, account_forms.SetPasswordForm):  # type: ignore[misc]
    """The form by which an account without a password gets one."""


class ResetPasswordForm(AccountForm, account_forms.ResetPasswordForm):  # type: ignore[misc]
    """The form by which a forgotten password is replaced."""


class ResetPasswordKeyForm(AccountForm, account_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """The form behind the link in the mail, with the new password."""


class ReauthenticateForm(AccountForm, account_forms.ReauthenticateForm):  # type: ignore[misc]
    """The form by which somebody who has signed in gives the password again."""


class CodeForm(AccountForm, HashedCode, factor_forms.AuthenticateForm):  # type: ignore[misc]
    """The form by which people who sign in give a code."""


class ReauthenticateCodeForm(AccountForm, HashedCode, factor_forms.ReauthenticateForm):  # type: ignore[misc]
    """The form by which somebody who has signed in gives a code again."""


class AddAppForm(AccountForm, ActivateTOTPForm):  # type: ignore[misc]
    """The form by which an authenticator app is set up."""

    labels: ClassVar = {"code": gettext_lazy("Code from the app")}


class AddKeyForm(AccountForm, AddWebAuthnForm):  # type: ignore[misc]
    """The form by which a passkey or security key is added."""

    labels: ClassVar = {
        "name": gettext_lazy("Name of the key"),
        "passwordless": gettext_lazy("Sign in with this key alone, without a password"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].help_text = gettext_lazy("The key then asks for a PIN, a fingerprint or your face.")


class EditKeyForm(AccountForm, EditWebAuthnForm):  # type: ignore[misc]
    """The form by which a key gets another name."""

    labels: ClassVar = {"name": gettext_lazy("Name of the key")}


class SignInForm(AccountForm, account_forms.LoginForm):  # type: ignore[misc]
    """The form by which people sign in."""

    labels: ClassVar = {
        "login": gettext_lazy("Name or e-mail address"),
        "password": gettext_lazy("Password"),
        "remember": gettext_lazy("Stay signed in"),
    }


class SignUpForm(AccountForm, account_forms.SignupForm):  # type: ignore[misc]
    """The form, with two traps for programs: a field that people do not see, and the time at which it was shown."""

    labels: ClassVar = {
        "username": gettext_lazy("Name"),
        "email": gettext_lazy("E-mail address (optional)"),
        "password1": gettext_lazy("Password"),
        "password2": gettext_lazy("Password again"),
    }
    data: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        attributes = {"class": "sr", "tabindex": "-1", "autocomplete": "off", "aria-hidden": "true"}
        self.fields[TRAP] = forms.CharField(required=False, label="", widget=forms.TextInput(attributes))
        self.fields[BEGUN] = forms.CharField(required=False, widget=forms.HiddenInput)
        self.initial[BEGUN] = signing.dumps(SALT, salt=SALT)

    def clean(self) -> dict[str, Any]:
        """Refuse what no person has sent; a real one who is too quick, or comes back after a day, sends it again."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get(TRAP) or not _by_hand(cleaned.get(BEGUN, "")):
            shown: Any = self.data.copy()
            shown[BEGUN] = self.initial[BEGUN]  # what is shown again begins anew
            self.data = shown
            raise forms.ValidationError(gettext_lazy("Please correct the form and send it again."), code="again")
        return cleaned


def _by_hand(begun: str) -> bool:
    """Was the form shown some seconds before, and not longer than a day?"""
    if not settings.SIGN_UP_SECONDS:
        return True
    try:
        signing.loads(begun, salt=SALT, max_age=LONGEST)
    except signing.BadSignature:
        return False
    try:
        signing.loads(begun, salt=SALT, max_age=settings.SIGN_UP_SECONDS)
    except signing.SignatureExpired:
        return True
    return False


class SignUp(SignupView):  # type: ignore[misc]
    """The form, and what becomes of it: account, address, mail to be sent and session in one transaction."""

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Make the account."""
        with transaction.atomic():
            made: HttpResponse = super().form_valid(form)
        return made


@require_safe
def accept_invitation(request: HttpRequest, token: str) -> HttpResponse:
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
    return render(request, "accounts/security.html", context)


@login_required
@require_POST
@with_confirmation()
def end_chosen_sessions(request: HttpRequest) -> HttpResponse:
    """Sign out one browser, or all but this one."""
    user, choice = account(request), request.POST.get("session", "")
    if choice == "others":
        end_other_sessions(request, user)
        messages.success(request, _("All other browsers are signed out."))
    elif choice.isascii() and choice.isdigit() and len(choice) < 16:
        end_sessions(request, list(UserSession.objects.filter(user=user, pk=int(choice))))
        messages.success(request, _("That browser is signed out."))
    return redirect("security" if request.user.is_authenticated else "account_login")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@with_confirmation(reading=True)
def tokens_page(request: HttpRequest) -> HttpResponse:
    """One's tokens; with POST a new one, whose text is shown this once."""
    user, text = account(request), ""
    if request.method == "POST":
        days = request.POST.get("days", "")
        try:
            until = int(days[:6]) if days.isdecimal() else None
            given = request.POST.getlist("scope")
            text, _ = tokens.make_token(user, request.POST.get("name", ""), given, clock.now(), days=until)
        except Refused as refused:
            messages.error(request, f"{refused.what} {refused.hint}".strip())
    rows = ApiToken.objects.filter(user=user).order_by("-pk")
    return render(request, "accounts/tokens.html", {"rows": rows, "scopes": tokens.SCOPES, "text": text})


@login_required
@require_POST
@with_confirmation()
def drop_token(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a token."""
    try:
        tokens.drop_token(account(request), number)
    except Refused as refused:
        messages.error(request, refused.what)
    return redirect("tokens")


urlpatterns: list[URLPattern] = [
    path("me/security/", security, name="security"),
    path("me/security/end", end_chosen_sessions, name="end-sessions"),
    path("me/tokens/", tokens_page, name="tokens"),
    path("me/tokens/<int:number>/drop", drop_token, name="token-drop"),
    path("accounts/signup/", signup, name="account_signup"),
    path("invited/<str:token>/", accept_invitation, name="invited-to-site"),
]
