"""Lengths of time as people write them: `2 days`, `36h`, `1d 12h`, `90 min`."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

_PART = re.compile(r"\s*(\d{1,5})\s*(w|d|h|m)[a-z]*\.?\s*,?", re.IGNORECASE)
_MINUTES = {"w": 7 * 24 * 60, "d": 24 * 60, "h": 60, "m": 1}
_WORDS = (("week", 7 * 24 * 60), ("day", 24 * 60), ("hour", 60), ("minute", 1))


def minutes(text: str) -> int | None:
    """The minutes of a length; None for no text.  Raises `ValueError` with what could be written instead."""
    text = text.strip()
    if not text:
        return None
    total, at = 0, 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise ValueError(_("Write a length like 2 days, 36h or 1d 12h."))
        total += int(part[1]) * _MINUTES[part[2].lower()]
        at = part.end()
    return total


def told(length: int | None) -> str:
    """A length as `minutes` reads it, in any language: `2 days`, `1 day 12 hours`; empty for none."""
    if length is None:
        return ""
    words, rest = [], length
    for word, size in _WORDS:
        if word == "week" and rest % size:  # 10 days, not 1 week 3 days
            continue
        number, rest = divmod(rest, size)
        if number:
            words.append(f"{number} {word}{'s' if number > 1 else ''}")
    return " ".join(words) or "0 minutes"
