"""The forms of an account's pages, each one of allauth's with this site's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from allauth.account import forms as account_forms
from allauth.mfa.base import forms as factor_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django import forms
from django.conf import settings
from django.core import signing
from django.utils.translation import gettext_lazy

from gamesmaster.host.accounts.second_factor import HashedCode

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
