"""Names and passwords that are refused: names that readers would take for somebody else's, passwords easily guessed.

Accounts that have such a name stay as they are.
"""

from __future__ import annotations

import hashlib
import logging
import re
import unicodedata
from functools import cache, lru_cache
from urllib.error import URLError
from urllib.request import Request, urlopen

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.errors import GamesmasterError
from gamesmaster.variant import find_variant, variant_names

OFFICES = ("gamesmaster", "gamemaster", "moderator", "admin", "administrator", "webmaster", "postmaster", "sysadmin")
"""Nobody's name may begin like one of these."""
RESERVED = (
    "gm", "mod", "root", "system", "support", "help", "staff", "team", "host", "hostmaster", "abuse", "security",
    "noreply", "mailer-daemon", "anonymous", "nobody", "everybody", "all", "player", "observer", "standby", "bot", "me",
    "deleted",
)  # fmt: skip
"""Words of the house that are nobody's name."""
TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}), frozenset({"LATIN", "HAN", "HANGUL"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
)  # fmt: skip
"""Scripts that one language writes together; of all others a name has one."""
_PLAIN = {"COMMON", "INHERITED", "UNKNOWN"}
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l"})


def fault(name: str) -> str:
    """Why an account cannot be called so, as a sentence; empty if it can."""
    from confusable_homoglyphs import categories  # not above: its tables take a tenth of the time of a start

    if "@" in name:
        return _("A name cannot contain @, because it would look like an e-mail address.")
    if unicodedata.normalize("NFKC", name) != name:
        return _("Please write the name in ordinary letters and digits.")
    scripts = {script for script in categories.unique_aliases(name) if script not in _PLAIN}
    if len(scripts) > 1 and not any(scripts <= language for language in TOGETHER):
        return _("A name cannot mix letters of several scripts.")
    shape = look(name)
    if not shape:
        return _("A name needs at least one letter or digit.")
    if shape in _kept() or any(shape.startswith(look(office)) for office in OFFICES):
        return _("That name is reserved.")
    if any(look(other) == shape for other in User.objects.values_list("username", flat=True)):
        return _("That name looks like the name of another player. Please choose one that cannot be confused with it.")
    return ""


@lru_cache(65536)
def look(name: str) -> str:
    """What a name looks like at a glance: two that share it are taken for each other."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    drawn = "".join(map(_latin, plain)).casefold().translate(_ALIKE)
    return re.sub(r"[\W_]", "", drawn).replace("rn", "m").replace("vv", "w")


@cache
def _latin(char: str) -> str:
    """The Latin letters that a character looks like; itself if it looks like none."""
    if char.isascii():
        return char
    from confusable_homoglyphs import confusables

    found = confusables.is_confusable(char, greedy=True) or []
    alike = (one["c"] for data in found for one in data["homoglyphs"])
    return next((text for text in alike if text.isascii() and text.isalnum()), char)


@cache
def _kept() -> frozenset[str]:
    """The looks of words that are nobody's: those of the house, and the powers of the variants."""
    words = set(RESERVED)
    for variant in variant_names():
        try:
            words |= {power.name for power in find_variant(variant).powers}
        except GamesmasterError:
            continue
    return frozenset(map(look, words))


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
            raise ValidationError(
                gettext_lazy("This password is too easily guessed on this site."), code="password_own_words"
            )

    def get_help_text(self) -> str:
        """What is said before somebody chooses."""
        return str(gettext_lazy("Your password must not consist of the name of the site or the game."))


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
                gettext_lazy("This password is known from a breach of another site. Please choose a different one."),
                code="password_breached",
            )

    def get_help_text(self) -> str:
        """What is said before somebody chooses."""
        return str(gettext_lazy("Your password must not be one that is known from a breach of another site."))
