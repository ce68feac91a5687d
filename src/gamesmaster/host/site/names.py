"""Characters in names and subjects that a reader cannot see, or takes for others."""

from __future__ import annotations

import re
import unicodedata

from django.utils.translation import gettext as _

TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}), frozenset({"LATIN", "HAN", "HANGUL"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
)  # fmt: skip
"""Scripts that are mixed in one language. Any other word has a single script."""
_PLAIN = {"COMMON", "INHERITED", "UNKNOWN"}
_EMPTY = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters and marks that are drawn as nothing."""
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
MOST_MARKS = 4
"""Maximum number of marks on one letter."""
EMOJI = "\ufe0f"
"""Asks for the coloured form of the character before it; keyboards of phones add it unasked."""


def name_fault(name: str) -> str:
    """Return why a name cannot be told from others by its look, as a sentence; empty if it can."""
    if visible(name) != unicodedata.normalize("NFC", name):
        return _("A name cannot have invisible characters, or letters with many marks.")
    if any(mixes_scripts(word) for word in re.findall(r"[^\W\d_]+", name)):
        return _("A name cannot mix letters of several scripts.")
    return ""


def visible(text: str) -> str:
    """Return a text without characters that are invisible or turn its direction, and without surplus marks."""
    shown, marks = [], 0
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind not in _HIDDEN and not _EMPTY.match(char) and marks <= MOST_MARKS:
            shown.append(char)
    return "".join(shown)


def mixes_scripts(word: str) -> bool:
    """Return whether a word has letters of scripts that no language mixes."""
    if word.isascii():
        return False
    from confusable_homoglyphs import categories  # imported here: its tables take a tenth of the start-up time

    scripts = {script for script in categories.unique_aliases(word) if script not in _PLAIN}
    return len(scripts) > 1 and not any(scripts <= language for language in TOGETHER)
