"""What the linter says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong (`error`) or may be (`warning`).

    `code` names the kind of slip for programs, `where` its place, `text` says it in words and `hint` how to mend it.
    """

    level: Literal["error", "warning"]
    code: str
    where: str
    text: str
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{self.level}: {place}{self.text}{f' ({self.hint})' if self.hint else ''} [{self.code}]"


def error(code: str, where: object, text: str, hint: str = "") -> Finding:
    """A finding that makes the thing unplayable, or play otherwise than drawn."""
    return Finding("error", code, str(where), text, hint)


def warning(code: str, where: object, text: str, hint: str = "") -> Finding:
    """A finding that may be meant."""
    return Finding("warning", code, str(where), text, hint)
