"""Making an account: all of it or nothing, by whom the site lets, and not by programs that fill in every form.

The words of the form are this site's, and so are those of the form by which people sign in.
"""

from __future__ import annotations

from typing import Any

from allauth.account.forms import LoginForm, SignupForm
from allauth.account.views import SignupView
from django import forms
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from gamesmaster.host.accounts import INVITED

SALT = "sign-up"
LONGEST = 24 * 3600  # seconds that a form stays good
TRAP, BEGUN = "website", "begun"


class SignInForm(LoginForm):  # type: ignore[misc]
    """The form by which people sign in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "label_suffix": ""})
        word(self, login=_("Name or e-mail address"), password=_("Password"), remember=_("Stay signed in"))


class SignUpForm(SignupForm):  # type: ignore[misc]
    """The form, with two traps for programs: a field that people do not see, and the time at which it was shown."""

    data: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "label_suffix": ""})
        word(
            self, username=_("Name"), email=_("E-mail address (optional)"), password1=_("Password"),
            password2=_("Password again"),
        )  # fmt: skip
        attributes = {"class": "sr", "tabindex": "-1", "autocomplete": "off", "aria-hidden": "true"}
        self.fields[TRAP] = forms.CharField(required=False, label="", widget=forms.TextInput(attributes))
        self.fields[BEGUN] = forms.CharField(required=False, widget=forms.HiddenInput)
        self.initial[BEGUN] = signing.dumps(SALT, salt=SALT)

    def clean(self) -> dict[str, Any]:
        """Refuse what no person has sent; a real one who is too quick, or comes back after a day, sends it again."""
        cleaned: dict[str, Any] = super().clean()
        if cleaned.get(TRAP) or not _by_hand(cleaned.get(BEGUN, "")):
            shown: Any = self.data.copy()
            shown[BEGUN] = self.initial[BEGUN]  # what is shown again begins anew
            self.data = shown
            raise forms.ValidationError(_("Please correct the form and send it again."), code="again")
        return cleaned


def word(form: forms.Form, **labels: Any) -> None:
    """Name the fields of a form; a name in the field as well would say the same twice."""
    for name, label in labels.items():
        if name in form.fields:
            form.fields[name].label = label
            form.fields[name].widget.attrs.pop("placeholder", None)


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

    def form_valid(self, form: SignupForm) -> HttpResponse:
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
