"""Pages of an account: sign-up, sessions, sign-ins and tokens; and allauth's forms with this site's labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from allauth.account import forms as account_forms
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthenticate_by_code import REAUTHENTICATION_CODE_SESSION_KEY
from allauth.account.internal.flows.reauthentication import resume_request
from allauth.account.utils import get_next_redirect_url, passthrough_next_redirect_url
from allauth.account.views import SignupView, confirm_reauthentication_code, request_reauthentication_code
from allauth.mfa.base import forms as factor_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.utils import is_mfa_enabled
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from allauth.socialaccount import forms as social_forms
from allauth.socialaccount.models import SocialApp
from allauth.usersessions.internal.flows.sessions import end_other_sessions, end_sessions
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from gamesmaster.host.accounts import confirming, people, signing_in, tokens
from gamesmaster.host.accounts.sign_up import INVITED
from gamesmaster.host.accounts.signing_in import CountedCode, HashedCode
from gamesmaster.host.accounts.tokens import ApiToken
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.site.zones import zones
from gamesmaster.host.tables.requests import account, with_confirmation

SALT = "sign-up"
LONGEST = 24 * 3600  # maximum age of a form, in seconds
TRAP, BEGUN, ZONE = "website", "begun", "time_zone"


class AccountForm(forms.Form):
    """Base of the account forms: sets this site's labels and removes placeholders, which would repeat them."""

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


def _labelled(*bases: type, **labels: Any) -> Any:
    """Return one of allauth's forms with this site's labels."""
    return type(bases[-1].__name__, (AccountForm, *bases), {"labels": labels} if labels else {})


AddEmailForm = _labelled(account_forms.AddEmailForm)
SetPasswordForm = _labelled(account_forms.SetPasswordForm)
ResetPasswordForm = _labelled(account_forms.ResetPasswordForm)
ResetPasswordKeyForm = _labelled(account_forms.ResetPasswordKeyForm)
ReauthenticateForm = _labelled(account_forms.ReauthenticateForm)
CodeForm = _labelled(CountedCode, HashedCode, factor_forms.AuthenticateForm)
ReauthenticateCodeForm = _labelled(CountedCode, HashedCode, factor_forms.ReauthenticateForm)
MailedCodeForm = _labelled(
    CountedCode, account_forms.ConfirmReauthenticationCodeForm, code=gettext_lazy("Code from the e-mail")
)
AddAppForm = _labelled(ActivateTOTPForm, code=gettext_lazy("Code from the app"))
EditKeyForm = _labelled(EditWebAuthnForm, name=gettext_lazy("Name of the key"))
SignInForm = _labelled(
    account_forms.LoginForm,
    login=gettext_lazy("Name or e-mail address"),
    password=gettext_lazy("Password"),
    remember=gettext_lazy("Stay signed in"),
)


class ChangePasswordForm(AccountForm, account_forms.ChangePasswordForm):  # type: ignore[misc]
    """Form that changes the password. A wrong current password is counted as at sign-in."""

    def clean_oldpassword(self) -> str:
        """Return the current password if it is correct and not too many were wrong before."""
        typed: str = self.cleaned_data["oldpassword"]
        if not get_adapter().reauthenticate(self.user, typed):
            raise get_adapter().validation_error("enter_current_password")
        return typed


class DisconnectForm(social_forms.DisconnectForm):  # type: ignore[misc]
    """Form that disconnects a provider, also one that the operator has removed."""

    def save(self) -> None:
        """Disconnect the provider, after the owner has confirmed."""
        try:
            super().save()
        except SocialApp.DoesNotExist:  # its name was wanted for a mail; nobody can sign in through it
            self.cleaned_data["account"].delete()


class AddKeyForm(AccountForm, AddWebAuthnForm):  # type: ignore[misc]
    """Form that adds a passkey, or a security key that is only a second factor."""

    labels: ClassVar = {
        "name": gettext_lazy("Name of the key"),
        "passwordless": gettext_lazy("Sign in with this key alone, without a password"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["passwordless"] = True
        self.fields["passwordless"].help_text = gettext_lazy("The key then asks for a PIN, a fingerprint or your face.")


AGAIN = gettext_lazy(
    "To keep programs out, this form can be sent from a few seconds to a day after it was opened. Please enter the"
    " password again and send it once more."
)


class ZoneOfBrowser(forms.HiddenInput):
    """A hidden field that a script fills in with the time zone of the browser."""

    def __init__(self) -> None:
        super().__init__({"data-zone-guess": ""})


class SignUpForm(AccountForm, account_forms.SignupForm):  # type: ignore[misc]
    """Sign-up form with two traps for programs: a hidden field and the time at which it was shown."""

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
        wait = settings.SIGN_UP_SECONDS and settings.SIGN_UP_SECONDS + 1
        waits = {"data-wait": str(wait)}  # seconds after which the page sends the form
        self.fields[BEGUN] = forms.CharField(required=False, widget=forms.HiddenInput(waits))
        self.fields[ZONE] = forms.CharField(required=False, max_length=64, widget=ZoneOfBrowser)
        self.initial[BEGUN] = signing.dumps(SALT, salt=SALT)

    def clean(self) -> dict[str, Any]:
        """Refuse a form that a program filled in. People who are too fast or a day late send it again."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get(TRAP) or not _by_hand(cleaned.get(BEGUN, "")):
            shown: Any = self.data.copy()
            shown[BEGUN] = self.initial[BEGUN]  # restart the clock of the form that is shown again
            self.data = shown
            raise forms.ValidationError(AGAIN, code="again")
        return cleaned


def _by_hand(begun: str) -> bool:
    """Return whether the form was shown at least `SIGN_UP_SECONDS` and at most a day ago."""
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
    """The sign-up page."""

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Create account, address, mail and session in one transaction, with the time zone of the browser."""
        with transaction.atomic():
            made: HttpResponse = super().form_valid(form)
            zone = form.cleaned_data.get(ZONE)
            if self.user is not None and zone in zones():
                people.choose(self.user, {"time_zone": zone})
        return made


@require_safe
def accept_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Store an invitation in the session and redirect to the sign-up form."""
    request.session[INVITED] = token[:60]
    return redirect("account_signup")


signup = SignUp.as_view()


@login_required
@require_safe
def sign_in_again(request: HttpRequest) -> HttpResponse:
    """Lead to the account's providers in order to confirm, or say what to do without any way; then resume."""
    user, adapter = account(request), get_adapter()
    if request.session.pop(confirming.BACK, False):  # only the person's own request may be resumed, not one by a link
        return resume_request(request) or redirect(adapter.get_login_redirect_url(request))
    others = [way for way in adapter.get_reauthentication_methods(user) if way["id"] != confirming.PROVIDER]
    context = {
        "providers": confirming.providers(request, user),
        "here": request.get_full_path(),
        "reauthentication_alternatives": [
            {**way, "url": passthrough_next_redirect_url(request, way["url"], REDIRECT_FIELD_NAME)} for way in others
        ],
    }
    return render(request, "account/sign_in_again.html", context)


@login_required
def ask_for_code(request: HttpRequest) -> HttpResponse:
    """Let the owner have a code mailed; a reader who has confirmed, perhaps with a second click, is led on."""
    if request.method == "GET" and confirming.is_confirmed(request):
        return redirect(get_next_redirect_url(request) or get_adapter().get_login_redirect_url(request))
    answer: HttpResponse = request_reauthentication_code(request)
    return answer


@login_required
def take_code(request: HttpRequest) -> HttpResponse:
    """Take a mailed code; drop it if the account has got a password or a factor since it was mailed."""
    if confirming.CODE not in [way["id"] for way in get_adapter().get_reauthentication_methods(account(request))]:
        request.session.pop(REAUTHENTICATION_CODE_SESSION_KEY, None)
    answer: HttpResponse = confirm_reauthentication_code(request)
    return answer


UNKNOWN = "0.0.0.0"
"""Stands for the address of a session where addresses are not noted."""


@login_required
@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Show sessions, recent sign-ins and sign-in methods."""
    user = account(request)
    if not UserSession.objects.filter(session_key=request.session.session_key or "").exists():
        UserSession.objects.create_from_request(request)  # signed in before sessions were recorded
    sessions = sorted(UserSession.objects.purge_and_list(user), key=lambda one: one.created_at, reverse=True)
    context = {
        "sessions": [(one, "" if one.ip == UNKNOWN else one.ip) for one in sessions],
        "sign_ins": signing_in.recent(user),
        "days": signing_in.KEPT.days,
        "second": is_mfa_enabled(user),
    }
    return render(request, "accounts/security.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@with_confirmation(reading=True)
def end_chosen_sessions(request: HttpRequest) -> HttpResponse:
    """Sign out one browser, or all but this one; a GET, as after a confirmation sent twice, only shows the list."""
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
    """Show the person's tokens; with POST create one and show its text once."""
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
@require_http_methods(["GET", "HEAD", "POST"])
@with_confirmation(reading=True)
def drop_token(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a token; a GET, as after a confirmation sent twice, only shows the list."""
    try:
        if request.method == "POST":
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
    path("accounts/reauthenticate/code/", ask_for_code, name="account_request_reauthentication_code"),
    path("accounts/reauthenticate/code/confirm/", take_code, name="account_confirm_reauthentication_code"),
    path("accounts/reauthenticate/again/", sign_in_again, name="sign-in-again"),
    path("invited/<str:token>/", accept_invitation, name="invited-to-site"),
]
