"""Words: the text of an order in one spelling, every word of it knowing where it stood.

A text is folded once: compatibility forms (full-width letters, ligatures) to plain ones, small letters, no accents,
every dash and arrow to one dash, nothing invisible.  Full stops, commas, underscores and apostrophes only part words.
All of it takes one pass, so the time is in proportion to the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

DASH = "-"
_WORD = re.compile(r"[^\W_]+|[-=>]+|//|[^\s.,_'’]")
_ACCENTS = frozenset(range(0x300, 0x370)) - frozenset(range(0x334, 0x339))  # what is struck out stays so
_EMOJI_STYLE = range(0xFE00, 0xFE10)
_STRAY_DASHES = "\u2043\u2212\u02d7"  # hyphen bullet, minus sign, modifier minus: dashes by look, not by category


class Word(NamedTuple):
    """A word, number or sign: `key` in the one spelling, and the part of the text (from 0) it came from."""

    key: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    """One character in the one spelling: often itself, sometimes several, none if it cannot be seen."""
    if unicodedata.category(char) == "Cf" or ord(char) in _EMOJI_STYLE:
        return ""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(_dashed(part) for part in plain if ord(part) not in _ACCENTS)


def _dashed(char: str) -> str:
    if char.isascii():
        return char
    if unicodedata.category(char) == "Pd" or char in _STRAY_DASHES:
        return DASH
    name = unicodedata.name(char, "")
    if "ARROW" in name and "RIGHTWARDS" in name and "LEFTWARDS" not in name:
        return DASH
    return {"HEAVY PLUS SIGN": "+", "HEAVY MINUS SIGN": DASH}.get(name, char)


def _fold(text: str) -> tuple[str, Sequence[int]]:
    """The text in the one spelling, and for every character of it the place in `text` it came from."""
    if text.isascii():
        return text.lower(), range(len(text))
    folded: list[str] = []
    origin: list[int] = []
    for place, char in enumerate(text):
        part = _folded(char)
        folded.append(part)
        origin += [place] * len(part)
    return "".join(folded), origin


def split(text: str) -> list[Word]:
    """The words of a text; a run of dashes and arrows is one dash.  Signs that no order has are words, too."""
    folded, origin = _fold(text)
    words = []
    for match in _WORD.finditer(folded):
        key = DASH if match[0][0] in "-=>" else match[0]
        words.append(Word(key, origin[match.start()], origin[match.end() - 1] + 1))
    return words


def key(text: str) -> str:
    """The words of a name in the one spelling, a space between each: `St. Petersburg` -> `st petersburg`."""
    return " ".join(word.key for word in split(text))
