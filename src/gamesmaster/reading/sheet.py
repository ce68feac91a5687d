"""The order sheet: everything that was made of one text, section by section and line by line.

Every door makes it once.  Whatever stands behind a door works with the orders in it and reads no text again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from gamesmaster.errors import Unreadable
from gamesmaster.orders import GivenOrder, Order, PhaseKind, Unread

LONGEST_SHEET = 64 * 1024
"""The longest text that is read as a sheet, in bytes."""
MOST_LINES = 2_000
"""The most lines that a sheet has."""


class Purpose(StrEnum):
    """What the words of a section are for."""

    NOW = "now"
    """Orders for the phase being played."""
    RETREATS = "retreats"
    """Retreats sent ahead, for units that may be dislodged in this phase."""
    ADJUSTMENTS = "adjustments"
    """Builds and removals sent ahead."""
    NOTHING = "nothing"
    """No orders: a draft, a quotation, another season, a promise."""
    CHAT = "chat"
    """Words beside the orders that nobody takes for one: a greeting, small talk, a signature."""


_PASSED_OVER = frozenset({Purpose.NOTHING, Purpose.CHAT})


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A piece of a text: the order that it makes, or why it makes none.

    `text` is as it was written, `line` and `column` say where it begins (from 1).  `read_as` says how words that are
    not in the notation were read.  `stored` is what a game keeps of it: the text itself if the notation reads it alike,
    else the order in the notation.

    Without an `order`, `what` is the reason, `hint` the nearest legal order, and `options` are the orders that the
    words could mean.  `of` is the other power whose order it is.
    """

    text: str
    line: int
    column: int = 1
    order: Order | None = None
    read_as: str = ""
    stored: str = ""
    what: str = ""
    hint: str = ""
    options: tuple[Order, ...] = ()
    of: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """A refusal as programs are given it."""
        return {name: getattr(self, name) for name in ("text", "line", "column", "what", "hint")}

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"line {self.line}, column {self.column}: {self.what}{hint}" if self.what else self.text


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading: its purpose, the power that it is for, and its lines.

    `heading` is the heading as written, empty for the top of a sheet.  The lines of a section without orders
    (`Purpose.NOTHING`, `Purpose.CHAT`) each give the reason why they were passed over.
    """

    purpose: Purpose
    power: str
    lines: tuple[SheetLine, ...]
    heading: str = ""


@dataclass(frozen=True, slots=True)
class OrderSheet:
    """A text that `power` sent for a phase of the kind `phase`, as it was read.

    `text` is the text as given.  `power` is empty for a sheet of all powers.  `orders` are the sender's orders for this
    phase, `refused` the lines that make no order, `doubtful` those to ask about, and `later` what was sent ahead.
    """

    text: str
    power: str
    phase: PhaseKind
    sections: tuple[Section, ...]

    def lines(self, power: str = "", purpose: Purpose = Purpose.NOW) -> tuple[SheetLine, ...]:
        """Return the lines of a power (by default of the sender) for a purpose, in the order written."""
        whose = power or self.power
        return tuple(line for s in self.sections if s.power == whose and s.purpose is purpose for line in s.lines)

    @property
    def orders(self) -> tuple[Order, ...]:
        """The sender's orders for this phase."""
        return tuple(line.order for line in self.lines() if line.order)

    @property
    def powers(self) -> tuple[str, ...]:
        """Every power that has a section for this phase, in the order in which they come."""
        return tuple(dict.fromkeys(s.power for s in self.sections if s.purpose is Purpose.NOW and s.power))

    @property
    def refused(self) -> tuple[SheetLine, ...]:
        """Every line that was read as an order and makes none, from the top."""
        return tuple(line for line in self._read() if line.what)

    @property
    def doubtful(self) -> tuple[SheetLine, ...]:
        """Every refused line that may be an order, which its writer is to be asked about."""
        return tuple(line for line in self.refused if line.options)

    @property
    def later(self) -> tuple[Section, ...]:
        """What is sent ahead for the retreats and the adjustments to come, a section for each power and phase."""
        ahead = [s for s in self.sections if s.purpose in (Purpose.RETREATS, Purpose.ADJUSTMENTS)]
        found = dict.fromkeys((s.purpose, s.power) for s in ahead)
        return tuple(Section(purpose, power, self.lines(power, purpose)) for purpose, power in found)

    @property
    def passed_over(self) -> tuple[SheetLine, ...]:
        """Every line that was not read as an order, each with the reason."""
        return tuple(line for s in self.sections if s.purpose in _PASSED_OVER for line in s.lines)

    @property
    def read_as(self) -> list[str]:
        """How unusual lines were read: `line 2: 'München nach Burgund' is read as A Mun - Bur`."""
        return [f"line {line.line}: {line.read_as}" for line in self._read() if line.read_as]

    def _read(self) -> Iterator[SheetLine]:
        return (line for s in self.sections if s.purpose not in _PASSED_OVER for line in s.lines)

    def stored(self, power: str = "") -> tuple[str, ...]:
        """Return what a game keeps of a power's lines for this phase: a text each, refused ones marked (`UNREAD`)."""
        return tuple(line.stored for line in self.lines(power) if not line.of)

    def given(self, power: str = "") -> tuple[GivenOrder, ...]:
        """Return a power's lines for this phase as the judge takes them, with the reasons of refused ones."""
        lines = (line for line in self.lines(power) if not line.of)
        return tuple(Unread(line.text, line.what, line.hint) if line.what else line.stored for line in lines)

    def of(self, power: str) -> OrderSheet:
        """Return the part for one power as a sheet."""
        return replace(self, power=power, sections=tuple(s for s in self.sections if s.power == power))

    @property
    def read_only(self) -> OrderSheet:
        """The sheet without the lines that were refused, and without sections of which every line was."""
        kept = [replace(s, lines=tuple(line for line in s.lines if line.order)) for s in self.sections]
        left = (s for s, was in zip(kept, self.sections, strict=True) if s.lines or not was.lines)
        return replace(self, sections=tuple(left))

    def check_author(self) -> None:
        """Raise `Unreadable` if the sheet has orders of another power than its author (STD-4.h)."""
        for line in self.refused:
            if line.of:
                raise Unreadable(line.what, text=line.text, line=line.line)


def unread(text: str) -> str:
    """Return a refused line as a game keeps it, so that the notation does not read it either."""
    return str(Unread(text, ""))
