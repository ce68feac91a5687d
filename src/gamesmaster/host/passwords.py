"""Passwords that are refused besides short and common ones: the site's own words, and those known from breaches."""

from __future__ import annotations

import hashlib
import logging
import re
from urllib.error import URLError
from urllib.request import Request, urlopen

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.utils.translation import gettext_lazy as _

LOG = logging.getLogger("gamesmaster.host")
WORDS = ("gamesmaster", "diplomacy")
LEAST_OWN = 4
"""So many characters a password must have besides such words."""
SECONDS = 3
"""So long whoever chooses a password waits for the service at most."""
SHOWN = 5
"""So many of forty digits of a hash the service sees: some thousand passwords begin alike."""


class OwnWords:
    """Refuses what is made of the name of the game, of the program, or of the site, and little else."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Raises `ValidationError` for such a password."""
        host = re.sub(r"^https?://|:\d+$", "", settings.BASE_URL.casefold())
        words = sorted({*WORDS, *re.findall(r"[^.-]{4,}", host)}, key=len, reverse=True)
        left = re.sub("|".join(map(re.escape, words)), "", password.casefold())
        if left != password.casefold() and len(left) < LEAST_OWN:
            raise ValidationError(_("This password is too easily guessed on this site."), code="password_own_words")

    def get_help_text(self) -> str:
        """What is said before somebody chooses."""
        return str(_("Your password must not consist of the name of the site or the game."))


class Breached:
    """Refuses what a service knows from breaches, to which no more than the beginning of a hash is told.

    The service speaks as "Pwned Passwords" does: at `address` and five digits of the SHA-1 it lists the other digits
    of all that it knows, each with a number.  If it does not answer, the password is taken.
    """

    def __init__(self, address: str) -> None:
        if not re.match(r"https://|http://(127\.0\.0\.1|localhost)[:/]", address):
            raise ImproperlyConfigured("GAMESMASTER_BREACHED_PASSWORDS must begin with https://")
        self.address = address

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Raises `ValidationError` for such a password."""
        digits = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()
        asked = Request(self.address + digits[:SHOWN], headers={"Add-Padding": "true", "User-Agent": "Gamesmaster"})
        try:
            with urlopen(asked, timeout=SECONDS) as answer:
                lines = answer.read(1 << 20).decode("ascii", "replace").split()
        except (URLError, OSError) as error:
            LOG.warning("no answer about breached passwords", extra={"why": type(error).__name__})
            return
        known = dict(line.partition(":")[::2] for line in lines)
        if known.get(digits[SHOWN:], "0") != "0":  # lines of padding have the number 0
            raise ValidationError(
                _("This password is known from a breach of another site. Please choose a different one."),
                code="password_breached",
            )

    def get_help_text(self) -> str:
        """What is said before somebody chooses."""
        return str(_("Your password must not be one that is known from a breach of another site."))
