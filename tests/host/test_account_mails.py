"""E-mails about accounts: every one that allauth can send is in this site's words, and says what to do."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import allauth
import pytest
from django.contrib.auth.models import User
from django.template.loader import get_template, render_to_string
from django.utils import translation

import gamesmaster
from tests.host.test_translation import english, other_language
from tests.test_wording import BANNED

THEIRS = Path(allauth.__file__).parent / "templates"
OURS = Path(gamesmaster.__file__).parent / "host" / "templates"
NAMES = sorted(str(file.relative_to(THEIRS)) for file in THEIRS.glob("*/email/*.txt"))
PREFIXES = [
    name.removesuffix("_message.txt") for name in NAMES if name.endswith("_message.txt") and "/base_" not in name
]
ADDRESS = "https://play.example.org"
CONTEXT: dict[str, Any] = {
    "site": ADDRESS, "user": User(username="zqzoe"), "email": "zqzoe@example.org", "username": "zqzoe",
    "activate_url": f"{ADDRESS}/accounts/confirm-email/key/",
    "password_reset_url": f"{ADDRESS}/accounts/password/reset/",
    "signup_url": f"{ADDRESS}/accounts/signup/", "from_email": "zqold@example.org", "to_email": "zqnew@example.org",
    "deleted_email": "zqold@example.org", "provider": "zqprovider", "ip": "192.0.2.1",
    "user_agent": "zqbrowser & zqmore",
    "timestamp": datetime(2027, 1, 7, 12, tzinfo=UTC),
}  # fmt: skip
__all__ = ["other_language"]


def mail(prefix: str, **more: Any) -> tuple[str, str]:
    """Subject and text of an e-mail."""
    context = {**CONTEXT, **more}
    return tuple(render_to_string(f"{prefix}_{part}.txt", context).strip() for part in ("subject", "message"))  # type: ignore[return-value]


@pytest.mark.parametrize("name", NAMES)
def test_no_template_of_the_library_is_used(name: str) -> None:
    """Each template of an e-mail that comes with allauth has one of this site in its place."""
    assert Path(str(get_template(name).origin)).is_relative_to(OURS)  # type: ignore[attr-defined]


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("code", ["", "zq-1234"])
def test_words(prefix: str, code: str) -> None:
    """Subjects have one line; e-mails say where they come from, and have no banned turn and nothing left to fill in."""
    subject, text = mail(prefix, code=code if "_confirmation" in prefix else "zq-1234")
    assert 8 < len(subject) < 70
    assert "\n" not in subject
    assert text.endswith("Nobody reads replies to it.")
    assert f"Gamesmaster at {ADDRESS}." in text
    assert not [turn for turn in BANNED if re.search(turn, f"{subject}\n{text}", re.IGNORECASE)]
    assert not re.search(
        r"\{|\}|&#|  |\n\n\n|\bemail\b|\bNone\b|Hello from|Thank you for using", re.sub(r"https:\S+", "URL", text)
    )


@pytest.mark.parametrize(
    ("prefix", "part"),
    [
        ("account/email/email_confirmation_signup", CONTEXT["activate_url"]),
        ("account/email/password_reset_key", CONTEXT["password_reset_url"]),
        ("account/email/email_changed", "was zqold@example.org, and is now zqnew@example.org"),
        ("mfa/email/totp_activated", f"{ADDRESS}/accounts/password/reset/\n{ADDRESS}/me/security/"),
        ("mfa/email/webauthn_added", "at 2027-01-07 12:00 UTC, from the network address 192.0.2.1, with this browser"),
        ("mfa/email/webauthn_added", "zqbrowser & zqmore"),
    ],
)  # fmt: skip
def test_what_they_say(prefix: str, part: str) -> None:
    """Links stand on lines of their own; of a change the reader learns what it was, when and from where."""
    assert part in mail(prefix)[1]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_in_another_language(prefix: str, other_language: None) -> None:
    """No e-mail about an account has a sentence that stays English."""
    with translation.override("qps"):
        lines = "\n".join(mail(prefix)).split("\n")
    assert [line for line in english(lines) if "https://" not in line] == []
