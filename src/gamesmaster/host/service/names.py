"""Names of accounts: which are refused because readers would take them for somebody else.

Accounts that have such a name stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from confusable_homoglyphs import categories, confusables
from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import find_variant, variant_names

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
