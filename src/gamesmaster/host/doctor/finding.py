"""What the doctor finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum


class Colour(IntEnum):
    """How bad it is: well, to be seen to, or broken."""

    GREEN, YELLOW, RED = range(3)


@dataclass(slots=True)
class Finding:
    """Something found by a `check`: its colour, what it is, what to do about it, and the work that mends it."""

    colour: Colour
    told: str
    advice: str = ""
    mend: Callable[[], Iterable[str]] | None = None
    check: str = ""

    @property
    def data(self) -> dict[str, object]:
        """For programs."""
        return {
            "check": self.check, "colour": self.colour.name.lower(), "told": self.told, "advice": self.advice,
            "mendable": self.mend is not None,
        }  # fmt: skip


def green(told: str) -> Finding:
    """All is well."""
    return Finding(Colour.GREEN, told)


def yellow(told: str, advice: str = "", mend: Callable[[], Iterable[str]] | None = None) -> Finding:
    """It works, but somebody should see to it."""
    return Finding(Colour.YELLOW, told, advice, mend)


def red(told: str, advice: str = "", mend: Callable[[], Iterable[str]] | None = None) -> Finding:
    """It is broken, or will be."""
    return Finding(Colour.RED, told, advice, mend)


def worst(found: Iterable[Finding]) -> Colour:
    """The colour of the whole."""
    return max((one.colour for one in found), default=Colour.GREEN)
