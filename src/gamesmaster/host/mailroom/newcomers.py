"""Sign-up by mail: somebody asks for an account and gets it by answering the mail sent to the same address.

Until the answer only a `SignUp` exists, for a week. Senders can be forged, so the number of mails per address and per
day is limited. From outside, an address with an account looks the same as one without.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from uuid import uuid4

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy

from gamesmaster.host.accounts import sign_up
from gamesmaster.host.accounts.people import Profile, SignUp
from gamesmaster.host.mailroom.reading import HELP
from gamesmaster.host.tables import notifications, outbox, store
from gamesmaster.host.tables.models import OutMail
from gamesmaster.host.tables.outbox import AnswerMail

EVENT = "signup"
KEPT = timedelta(days=7)
MOST_LETTERS = 3
"""Mails to one address while its `SignUp` is kept."""
MOST_A_DAY = 100
"""Mails per day to all newcomers."""
MOST_LINES = 60
LONGEST_ADDRESS = 254
LONGEST_LOCAL = 64
_WISH = re.compile(r"(?:register|sign ?up)(?: as)? (\S.{0,149})", re.IGNORECASE)
_YES = re.compile(r"(?:yes|confirm)[.!]?", re.IGNORECASE)


def wish(text: str) -> str:
    """Return the name for which a mail requests an account; empty if it requests none."""
    lines = (_WISH.fullmatch(" ".join(line.split())) for line in text.split("\n")[:MOST_LINES])
    return next((found[1] for found in lines if found), "")


def send_link(email: str, name: str, now: datetime) -> bool:
    """Send the mail that confirms a sign-up, if limits and settings allow, and return whether one was sent."""
    if sign_up.mode() != sign_up.OPEN or not is_address(email) or _has_account(email):
        return False
    with transaction.atomic():
        SignUp.objects.filter(made__lt=now - KEPT).delete()
        if OutMail.objects.filter(event=EVENT, made__gt=now - timedelta(days=1)).count() >= MOST_A_DAY:
            return False
        SignUp.objects.get_or_create(email=email.casefold(), defaults={"made": now})
        row = SignUp.objects.select_for_update().get(email=email.casefold())
        if row.letters >= MOST_LETTERS:
            return False
        fault = fault_of(name)
        row.name, row.letters = "" if fault else name, row.letters + 1
        row.save(update_fields=["name", "letters"])
        name_of_mail = "sign_up_again" if fault else "sign_up"
        _write(row, *notifications.compose(name_of_mail, base=settings.BASE_URL, name=name, fault=fault), now)
    return True


def confirm(row: SignUp, text: str, now: datetime) -> User | None:
    """Create the account if the answer says yes; return None if it does not, is late, or the name is taken."""
    if now - row.made > KEPT or not row.name:
        return None
    if not any(_YES.fullmatch(line.strip()) for line in text.split("\n")[:MOST_LINES]):
        return None
    if fault_of(row.name) or _has_account(row.email):
        return None
    try:
        with transaction.atomic():
            user = User.objects.create_user(row.name, row.email)
            EmailAddress.objects.create(user=user, email=row.email, verified=True, primary=True)
            Profile.objects.create(user=user)
            row.delete()
            store.audit(user, gettext_lazy("made an account by mail"), None, now)
            subject, body = notifications.compose("welcome", name=user.username, base=settings.BASE_URL, help=HELP)
            outbox.answer(user, AnswerMail(subject, body, f"welcome {user.pk}"), now)
    except IntegrityError:
        return None
    return user


def fault_of(name: str) -> str:
    """Return what is wrong with a name; empty if nothing is."""
    try:
        User._meta.get_field("username").run_validators(name)
        get_adapter().clean_username(name)
    except ValidationError as error:
        return " ".join(map(str, error.messages))[:300]
    return ""


def tidy(now: datetime) -> int:
    """Delete expired sign-ups and return how many were deleted."""
    return SignUp.objects.filter(made__lt=now - KEPT).delete()[0]


def is_address(email: str) -> bool:
    """Return whether mails can be sent to this address; the parts have at most the lengths of RFC 5321."""
    if len(email) > LONGEST_ADDRESS or len(email.rpartition("@")[0].encode()) > LONGEST_LOCAL:
        return False
    try:
        validate_email(email)
    except ValidationError:
        return False
    return not email.casefold().endswith(f"@{settings.MAIL_DOMAIN.casefold()}")


def _has_account(email: str) -> bool:
    return (
        User.objects.filter(email__iexact=email).exists() or EmailAddress.objects.filter(email__iexact=email).exists()
    )


def _write(row: SignUp, subject: str, body: str, now: datetime) -> None:
    """Queue a mail to an unconfirmed address; its reply address is made when it is sent."""
    dedupe = f"{EVENT}:{row.pk}:{row.letters}:{uuid4().hex[:8]}"
    outbox.mail(now, dedupe=dedupe, to=row.email, event=EVENT, subject=subject, body=body).save()
