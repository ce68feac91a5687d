"""The Gamesmaster's desk: the letters of a season, each line beside its reading, before anything is stored.

`lay_out` reads the letters.  Nothing changes the game until a set is accepted (`accept`), and each accepted set has a
receipt.  What is not clear becomes a query to its writer (`query`), or is corrected (`correct`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Protocol

from gamesmaster.english import many
from gamesmaster.errors import GamesmasterError, Unreadable
from gamesmaster.game.course import Game
from gamesmaster.orders import UNREAD
from gamesmaster.reading import OrderSheet, Purpose, Section, SheetLine, read

_LETTERS = 12
"""Number of letters in the code of a receipt."""


class AnyLetter(Protocol):
    """A letter: its text, who sent it with which subject, and where it was found."""

    @property
    def text(self) -> str:
        """The text of the letter."""

    @property
    def sender(self) -> str:
        """Name and address of who sent it."""

    @property
    def subject(self) -> str:
        """The subject of the letter."""

    @property
    def where(self) -> str:
        """The file in which it was found."""


@dataclass(frozen=True, slots=True)
class DeskLine:
    """A line of a letter and how it was read: `reading` is the order in full words, `why` the doubt or the reason.

    `purpose` says for which phase it is.  Small talk is left out.  It `asks` if it has to be looked at before the set
    is accepted.
    """

    line: SheetLine
    purpose: Purpose
    reading: str
    why: str

    @property
    def asks(self) -> bool:
        """Return whether it was taken for an order and makes none."""
        return bool(self.line.what) and self.purpose is not Purpose.NOTHING


@dataclass(frozen=True, slots=True)
class DeskSet:
    """The orders in one letter for one power.

    `phase` is the code of the phase that the letter was read for. `replaced` is True if a later letter has orders for
    the same power; by default only the latest set is stored.
    """

    power: str
    phase: str
    sheet: OrderSheet
    letter: AnyLetter
    lines: tuple[DeskLine, ...]
    replaced: bool = False

    @property
    def is_clear(self) -> bool:
        """Return whether no line of it has to be looked at, and it has orders."""
        return not any(line.asks for line in self.lines) and any(line.line.order for line in self.lines)

    @property
    def doubtful_first(self) -> tuple[DeskLine, ...]:
        """The lines: those to be checked first, then the orders, then those passed over."""
        return tuple(sorted(self.lines, key=lambda line: 0 if line.asks else 1 if line.line.order else 2))


@dataclass(frozen=True, slots=True)
class Desk:
    """The sets of all letters, those with doubtful lines first, and the letters of which nobody's orders were read."""

    sets: tuple[DeskSet, ...]
    unread: tuple[tuple[AnyLetter, str], ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of what was accepted: the same orders of a power for a phase always have the same `code`."""

    power: str
    phase: str
    orders: tuple[str, ...]
    code: str

    def __str__(self) -> str:
        return f"{self.power}, {self.phase}: {many(len(self.orders), 'order')} accepted, receipt {self.code}"


def lay_out(game: Game, letters: Iterable[AnyLetter], *, power: str = "") -> Desk:
    """Read letters for the current phase of a game.

    A letter is for the powers that it names.  Orders under no power's name are for the power of the sender, known
    from the game's players, the sender's name or the subject, or else for `power`.
    """
    sets: list[DeskSet] = []
    unread: list[tuple[AnyLetter, str]] = []
    for letter in letters:
        try:
            author = sender_of(game, letter) or power
            sheet = read(game, author, letter.text, powers=game.rules.powers)
        except GamesmasterError as error:
            unread.append((letter, str(error)))
            continue
        powers = dict.fromkeys([*sheet.powers, *(section.power for section in sheet.later)])
        found = [_set(game, name, sheet, letter) for name in powers if sheet.lines(name) or sheet.of(name).later]
        if not any(line.line.order for one in found for line in one.lines):
            orphans = ", ".join(line.text for line in sheet.refused)[:200]
            why = f"it names no power: {orphans}" if orphans and not author else "no line of it is an order"
            unread.append((letter, why))
        sets += found
    latest = {one.power: number for number, one in enumerate(sets) if one.sheet.lines()}
    sets = [replace(one, replaced=number < latest.get(one.power, 0)) for number, one in enumerate(sets)]
    return Desk(tuple(sorted(sets, key=lambda one: (one.replaced, one.is_clear))), tuple(unread))


def sender_of(game: Game, letter: AnyLetter) -> str:
    """Return the power of the player who sent a letter, by players' or powers' names; empty if unknown."""
    said = f"{letter.sender} {letter.subject}"
    players = [power for power, player in game.players.items() if player and _names(said, player)]
    if len(players) == 1:
        return players[0]
    named = [name for name in game.rules.powers if _names(said, name)]
    return named[0] if len(named) == 1 else ""


def _names(text: str, name: str) -> bool:
    """Return whether a name is in a text as whole words: `roman@example.org` does not name Oman."""
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE))


def correct(game: Game, one: DeskSet, line: SheetLine, text: str) -> DeskSet:
    """Return the set with a line replaced by the orders in a text, or removed if the text is empty.

    A line sent ahead is replaced for its own phase; a line that was passed over is replaced by orders for this phase.
    Raises `Unreadable` if the text is not an order of this power; the set is then unchanged.
    """
    sections = one.sheet.sections
    at = next(n for n, section in enumerate(sections) if any(old is line for old in section.lines))
    old = sections[at]
    purpose = Purpose.NOW if old.purpose is Purpose.NOTHING else old.purpose
    new = [replace(order, line=line.line, column=line.column) for order in _orders(game, one.power, text, purpose)]
    before = next(n for n, other in enumerate(old.lines) if other is line)
    kept = old.lines[:before], old.lines[before + 1 :]
    changed = [replace(old, lines=(*kept[0], *(new if purpose is old.purpose else ()), *kept[1]))]
    if new and purpose is not old.purpose:
        changed.insert(0, Section(purpose, one.power, tuple(new)))
    sheet = replace(one.sheet, sections=(*sections[:at], *changed, *sections[at + 1 :]))
    return _set(game, one.power, sheet, one.letter)


def _orders(game: Game, power: str, text: str, purpose: Purpose) -> tuple[SheetLine, ...]:
    """Return the orders for this purpose in a text, none in an empty one.

    Raises `Unreadable` for one that makes none.
    """
    if not text.strip():
        return ()
    sheet = read(game, power, text if purpose is Purpose.NOW else f"{purpose}:\n{text}")
    found = sheet.lines(purpose=purpose)
    fault = next((line for line in found if line.what), None)
    if fault or not found:
        raise Unreadable(fault.what if fault else "this is not an order", hint=fault.hint if fault else "")
    return found


def accept(game: Game, one: DeskSet) -> tuple[Game, Receipt]:
    """Return the game with the orders of a set, and the receipt; lines that are not orders are left out.

    Raises what `Game.submit` raises.
    """
    game = game.submit(one.power, one.sheet.of(one.power).read_only, phase=one.phase, amend=False)
    return game, receipt_for(game, one.power)


def receipt_for(game: Game, power: str) -> Receipt:
    """Return the receipt for the orders that a game has of a power."""
    orders = game.orders.get(power, ())
    phase = game.phase.code
    proof = sha256("\n".join((game.variant.id, game.dice.commitment, phase, power, *orders)).encode())
    return Receipt(power, phase, orders, proof.hexdigest()[:_LETTERS].upper())


def query(game: Game, one: DeskSet) -> str:
    """Return a letter to the writer of a set about the lines that are not clear; empty if all are."""
    asked = [line for line in one.doubtful_first if line.asks]
    if not asked:
        return ""
    phase = game.variant.calendar.name(game.phase)
    lines = [f"To {one.power}", "", f"I have your orders for {phase}. These lines are not clear to me:", ""]
    for line in asked:
        lines += [f"  {line.line.text.strip()}", f"      {line.why}", ""]
    read_well = [line.reading for line in one.lines if line.line.order and line.purpose is Purpose.NOW]
    if read_well:
        lines += ["I read the others as follows:", "", *(f"  {reading}" for reading in read_well), ""]
    return "\n".join([*lines, "Please send the orders that you mean, one per line.", ""])


def _set(game: Game, power: str, sheet: OrderSheet, letter: AnyLetter) -> DeskSet:
    return DeskSet(power, game.phase.code, sheet.of(power), letter, tuple(_lines(game, sheet.of(power))))


def _lines(game: Game, sheet: OrderSheet) -> Iterator[DeskLine]:
    for section in sheet.sections:
        for line in section.lines if section.purpose is not Purpose.CHAT else ():
            reading = game.rules.notation.write(line.order, full=True) if line.order else ""
            hint = f" ({line.hint})" if line.hint else ""
            why = f"{line.what}{hint}" if line.what else line.read_as
            yield DeskLine(line, section.purpose, reading, why.removeprefix(f"{UNREAD} "))
