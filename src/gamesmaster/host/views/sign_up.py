"""Making an account: all of it or nothing, by whom the site lets, and not by programs that fill in every form."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import SignupForm
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


class SignUpForm(SignupForm):  # type: ignore[misc]
    """The form, with two traps for programs: a field that people do not see, and the time at which it was shown."""

    data: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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
