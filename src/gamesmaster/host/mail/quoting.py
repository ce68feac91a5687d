"""What somebody has written, apart from what the mail quotes: what stands above the first sign of a quotation."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gamesmaster.orders.layout import forwards

MARK = "##- Please write above this line -##"
"""Every mail of the house begins with it: whatever quotes the mail, nothing below is read."""

_SIGNATURE = re.compile(r"--\s?")
_RULES = re.compile(r"\s*(-{3,}.{1,60}-{3,}|_{10,})\s*")


@dataclass(frozen=True, slots=True)
class Written:
    """What somebody has written, and how many lines below a quotation were left unread."""

    text: str
    unread: int = 0


def written(text: str) -> Written:
    """The text above the first quotation or signature.

    The line that says who is quoted goes with the quotation, in whatever language: the paragraph before it, if that
    ends with a colon.
    """
    lines = text.split("\n")
    end = next((at for at in range(len(lines)) if _cuts(lines, at)), len(lines))
    below = lines[end:]
    signed = bool(below) and bool(_SIGNATURE.fullmatch(below[0]))
    unread = 0 if signed else sum(1 for line in below[1:] if line.strip() and not line.lstrip().startswith((">", "|")))
    if not signed and end < len(lines):
        end = _without_attribution(lines, end)
    marked = any(MARK in line for line in below)
    return Written("\n".join(lines[:end]).rstrip(), 0 if marked else unread)


def _cuts(lines: list[str], at: int) -> bool:
    line = lines[at][:400]
    if MARK in line or line.lstrip().startswith(">") or _SIGNATURE.fullmatch(line):
        return True
    return bool(_RULES.fullmatch(line)) or forwards(lines, at)


def _without_attribution(lines: list[str], end: int) -> int:
    at = end
    while at > 0 and not lines[at - 1].strip():
        at -= 1
    if at == 0 or not lines[at - 1].rstrip().endswith(":"):
        return end
    begin = at - 1
    told = lines[begin]
    if not _who(told) and begin > 0 and lines[begin - 1].strip():  # it may be wrapped
        begin, told = begin - 1, f"{lines[begin - 1]} {told}"
    return begin if _who(told) else end


def _who(told: str) -> bool:
    """Does this line say who wrote when?  It has a date or an address in it; a heading like `France:` has not."""
    return "@" in told or any(letter.isdigit() for letter in told)
