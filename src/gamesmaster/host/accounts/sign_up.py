"""Sign-up: who may create an account, which names and passwords are refused, and links that work once.

Depending on `settings.SIGN_UP`, anybody may sign up, or only people with an invitation, or people whom a moderator
approves, or nobody. Names that look like another's are refused, and so are passwords that are easily guessed; existing
accounts keep their names. Links are stored as hashes: invitations, links for the first admin, and links for a new
password.
"""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
import unicodedata
from datetime import datetime, timedelta
from functools import cache
from urllib.error import URLError
from urllib.request import Request, urlopen

from allauth.account import app_settings
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.accounts import people
from gamesmaster.host.accounts.likeness import Likeness, likeness
from gamesmaster.host.accounts.people import OneTimeLink, Profile
from gamesmaster.host.site import names
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import outbox, shelf, store

OFFICES = ("gamesmaster", "gamemaster", "moderator", "admin", "administrator", "webmaster", "postmaster", "sysadmin")
"""No name may begin with one of these."""
RESERVED = (
    "gm", "mod", "root", "system", "support", "help", "staff", "team", "host", "hostmaster", "abuse", "security",
    "noreply", "mailer-daemon", "anonymous", "nobody", "everybody", "all", "player", "observer", "standby", "bot", "me",
    "deleted",
)  # fmt: skip
"""Names reserved for the site."""


def name_fault(name: str) -> str:
    """Return why an account cannot have this name, as a sentence; empty if it can."""
    if "@" in name:
        return _("A name cannot contain @, because it would look like an e-mail address.")
    if unicodedata.normalize("NFKC", name) != name:
        return _("Please write the name in ordinary letters and digits.")
    if unseen := names.name_fault(name):
        return unseen
    if names.mixes_scripts(name):
        return _("A name cannot mix letters of several scripts.")
    shape = likeness(name)
    if not shape:
        return _("A name needs at least one letter or digit.")
    if shape in _reserved_likenesses() or any(shape.startswith(likeness(office)) for office in OFFICES):
        return _("That name is reserved.")
    if Likeness.objects.filter(name=shape).exists():
        return _("That name looks like the name of another player. Please choose one that cannot be confused with it.")
    return ""


@cache
def _reserved_likenesses() -> frozenset[str]:
    """Return the looks of reserved names: the site's words and the powers of all variants."""
    words = set(RESERVED)
    for variant in shelf.names():
        try:
            words |= {power.name for power in shelf.find_variant(variant).powers}
        except GamesmasterError:
            continue
    return frozenset(map(likeness, words))


LOG = logging.getLogger("gamesmaster.host")
WORDS = ("gamesmaster", "diplomacy")
LEAST_OWN = 4
"""Characters that a password must have besides such words."""
SECONDS = 3
"""Timeout of the service for breached passwords."""
SHOWN = 5
"""Hash digits, of forty, that the service sees. About a thousand known passwords share them."""


class OwnWords:
    """Refuses passwords that consist of little more than the name of the game, the program or the site."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Raise `ValidationError` for a password that contains the person's own words."""
        host = re.sub(r"^https?://|:\d+$", "", settings.BASE_URL.casefold())
        words = sorted({*WORDS, *re.findall(r"[^.-]{4,}", host)}, key=len, reverse=True)
        left = re.sub("|".join(map(re.escape, words)), "", password.casefold())
        if left != password.casefold() and len(left) < LEAST_OWN:
            raise ValidationError(
                gettext_lazy("This password is too easily guessed on this site."), code="password_own_words"
            )

    def get_help_text(self) -> str:
        """Return the rule as a sentence, shown before somebody chooses a password."""
        return str(gettext_lazy("Your password must not consist of the name of the site or the game."))


class Breached:
    """Refuses passwords known from breaches. The service sees only the beginning of the password's hash.

    The service speaks the protocol of "Pwned Passwords": for five digits of the SHA-1 it lists the remaining digits of
    every known password, each with a count. If it does not answer, the password is accepted.
    """

    def __init__(self, address: str) -> None:
        if not re.match(r"https://|http://(127\.0\.0\.1|localhost)[:/]", address):
            raise ImproperlyConfigured("GAMESMASTER_BREACHED_PASSWORDS must begin with https://")
        self.address = address

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Raise `ValidationError` for a password that is known from a breach."""
        digits = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()
        asked = Request(self.address + digits[:SHOWN], headers={"Add-Padding": "true", "User-Agent": "Gamesmaster"})
        try:
            with urlopen(asked, timeout=SECONDS) as answer:
                lines = answer.read(1 << 20).decode("ascii", "replace").split()
        except (URLError, OSError) as error:
            LOG.warning("no answer about breached passwords", extra={"why": type(error).__name__})
            return
        known = dict(line.partition(":")[::2] for line in lines)
        if known.get(digits[SHOWN:], "0") != "0":  # padding has the count 0
            raise ValidationError(
                gettext_lazy("This password is known from a breach of another site. Please choose a different one."),
                code="password_breached",
            )

    def get_help_text(self) -> str:
        """Return the rule as a sentence, shown before somebody chooses a password."""
        return str(gettext_lazy("Your password must not be one that is known from a breach of another site."))


INVITED = "sign-up invitation"
"""Session key of the invitation that a visitor has brought."""


OPEN, INVITATION, APPROVAL, CLOSED = "open", "invitation", "approval", "closed"
INVITATION_LINK = "sign-up"
LASTS = timedelta(days=7)
MOST_OPEN = 100
"""Maximum number of unused invitations per moderator."""


def mode() -> str:
    """Return who may create an account; an unknown setting counts as closed."""
    chosen = str(settings.SIGN_UP)
    return chosen if chosen in (OPEN, INVITATION, APPROVAL) else CLOSED


def invite(by: User, now: datetime) -> str:
    """Create an invitation and return its token; raise `Refused` unless `by` is a moderator."""
    people.must_keep_order(by)
    unused = OneTimeLink.objects.filter(purpose=INVITATION_LINK, by=by, used=None, expires__gt=now)
    if unused.count() >= MOST_OPEN:
        raise Refused("too-many", "You have made many invitations that nobody has used.", "wait until they expire")
    token = secrets.token_urlsafe(24)
    OneTimeLink.objects.create(token_hash=_hash(token), purpose=INVITATION_LINK, made=now, expires=now + LASTS, by=by)
    store.audit(by, "made an invitation to the site", None, now)
    return token


def may_sign_up(token: str, now: datetime) -> bool:
    """Return whether a visitor with this token (empty for none) may create an account."""
    return mode() in (OPEN, APPROVAL) or (mode() == INVITATION and _invitations(token, now).exists())


def admit(user: User, token: str, now: datetime) -> None:
    """Admit a new account: use up its invitation, or deactivate it until a moderator approves.

    Raise `Refused` if the invitation was used in the meantime.
    """
    invited = bool(token) and _invitations(token, now).update(used=now) == 1
    if mode() == INVITATION and not invited:
        raise Refused("link-used", "This invitation has already been used, or has expired.", "ask for another")
    if mode() == APPROVAL and not invited:
        user.is_active = False
        user.save(update_fields=["is_active"])
        Profile.objects.update_or_create(user=user, defaults={"waiting": True})


def waiting(by: User) -> QuerySet[User]:
    """Return the accounts that await approval, oldest first; raise `Refused` unless `by` is a moderator."""
    people.must_keep_order(by)
    return User.objects.filter(profile__waiting=True, is_active=False).order_by("date_joined")


def settle(user: User, by: User, now: datetime, *, let_in: bool) -> None:
    """Approve an account that waits, or delete it; raise `Refused` unless `by` is a moderator and it waits."""
    people.must_keep_order(by)
    with transaction.atomic():
        if not Profile.objects.filter(user=user, waiting=True).update(waiting=False):
            raise Refused("not-waiting", "This account does not wait for anybody.")
        if let_in:
            user.is_active = True
            user.save(update_fields=["is_active"])
            store.audit(by, f"let in: {user.username}", None, now)
        else:
            user.delete()
            store.audit(by, "turned down a sign-up", None, now)


def tidy(now: datetime) -> int:
    """Delete invitations that expired at least seven days ago and return how many were deleted."""
    return OneTimeLink.objects.filter(purpose=INVITATION_LINK, expires__lt=now - LASTS).delete()[0]


def _invitations(token: str, now: datetime) -> QuerySet[OneTimeLink]:
    return OneTimeLink.objects.filter(token_hash=_hash(token), purpose=INVITATION_LINK, used=None, expires__gt=now)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


FIRST_ADMIN_LINK = "first admin"


def first_link(now: datetime) -> str:
    """Return the token of a new link for the first admin, or "" if there is an admin. Earlier links become invalid."""
    if User.objects.filter(is_superuser=True).exists():
        return ""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        OneTimeLink.objects.filter(purpose=FIRST_ADMIN_LINK, used=None).delete()
        OneTimeLink.objects.create(token_hash=_hash(token), purpose=FIRST_ADMIN_LINK, made=now)
    return token


def link_holds(token: str) -> bool:
    """Return whether this link for the first admin is unused."""
    return OneTimeLink.objects.filter(token_hash=_hash(token), purpose=FIRST_ADMIN_LINK, used=None).exists()


def first_admin(token: str, user: User, now: datetime) -> User:
    """Save this new user as admin and use up the link; raise `Refused` if the link was used."""
    with transaction.atomic():
        held = OneTimeLink.objects.filter(token_hash=_hash(token), purpose=FIRST_ADMIN_LINK, used=None).update(used=now)
        if not held:
            raise Refused("link-used", _("This link has already been used."))
        user.is_superuser = user.is_staff = True
        user.save()
        store.audit(user, gettext_lazy("became the first admin"), None, now)
    return user


def needs_link(user: User) -> bool:
    """Return whether an admin may create a password link for this person: not an admin, and without usable e-mail."""
    return user.is_active and not user.is_superuser and not (outbox.sends() and outbox.reaches(user))


def password_link(user: User, by: User, now: datetime) -> str:
    """Return the URL where a person chooses a new password, once and within three days; an admin passes it on.

    It is for people whom the site cannot mail. Raise `Refused` otherwise.
    """
    if not by.is_superuser:
        raise Refused("not-admin", _("Only an admin makes password links."))
    if not needs_link(user):
        hint = _('"Forgot your password?" sends a mail') if outbox.sends() and outbox.reaches(user) else ""
        raise Refused("not-that-one", _("There is no password link for {name}."), hint, name=user.username)
    key = {"uidb36": user_pk_to_url_str(user), "key": app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)}
    store.audit(by, gettext_lazy("made a password link for {name}"), None, now, name=user.username)
    return f"{settings.BASE_URL}{reverse('account_reset_password_from_key', kwargs=key)}"
