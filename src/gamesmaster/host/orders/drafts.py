"""Drafts: what a set of orders would come to by itself, and what it lacks; the same for pages, mail and programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from django.utils.translation import gettext as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, corroborate_all
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.view import TableView
from gamesmaster.judge import Cause, OrderWarning, Ruling
from gamesmaster.reading.lines import Read, Refusal, Understood
from gamesmaster.reading.sheet import plainly

PLACE = re.compile(r"\bline \d+, column \d+: ")
MOST_LISTED = 3
"""Of the lines that count for nothing, so many are told one by one."""


@dataclass(frozen=True, slots=True)
class Lack:
    """Something without which a set of orders is not whole.

    `kind` is `unread` (a line that cannot be read), `void` (an order that cannot come true), `unordered` (a unit
    without an order), `open` (builds left unused) or `loss` (what is ordered costs a unit, or what it carries).  `line`
    is the line's number, from 1, and 0 where there is none; `subject`, `text` and `clause` are those of a warning.  Of
    a line that cannot be read, `column` is where the fault is, and `hint` the nearest order that may be given.
    """

    kind: str
    line: int
    subject: str
    text: str
    clause: str
    column: int = 0
    hint: str = ""

    def __str__(self) -> str:
        if self.line:
            fault = f"{self.text} ({self.hint})" if self.hint else self.text
            return _("line {number}, “{line}”, {fault}").format(number=self.line, line=self.subject[:80], fault=fault)
        return f"{self.subject} {self.text}" if self.subject else _("this {fault}").format(fault=self.text)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a power's orders would come to if nobody else gave any, what may be slips in them, and what they lack.

    `read` is what was made of the text; `found` has, for each line of the set, what of the text it comes from.
    """

    rulings: tuple[Ruling, ...]
    warnings: tuple[OrderWarning, ...]
    lacks: tuple[Lack, ...] = ()
    read: Read = field(default_factory=Read)
    found: Mapping[str, Understood | Refusal] = field(default_factory=dict)

    @property
    def faults(self) -> tuple[Lack, ...]:
        """Of what it lacks, the lines that count for nothing."""
        return tuple(lack for lack in self.lacks if lack.line)


def look_over(game: Game, power: str, texts: str | Sequence[str]) -> Draft:
    """What these orders would come to in this game by themselves; raises `Refused` for what cannot be taken."""
    read = Read()
    try:
        said, read = in_plain(game, power, texts)
        trial = game.submit(power, said, amend=False)
        judged = trial.what_if()
        lines = trial.orders[power]
        warned = corroborate_all(game.rules, game.phase.kind, game.position, {power: list(lines)})
        found = _sources(game, power, said, read)
    except GamesmasterError as error:
        raise refusal_of(error, read) from error
    rulings = tuple(ruling for ruling in judged.rulings if ruling.power == power)
    return Draft(rulings, tuple(warned), (*_faults(rulings, lines, found), *_missing(warned)), read, found)


def in_plain(game: Game, power: str, texts: str | Sequence[str]) -> tuple[str | Sequence[str], Read]:
    """A power's orders in words that the notation reads by itself, whatever dialect, and what was made of them."""
    said = texts if isinstance(texts, str) else tuple(texts)
    return _plainly(game.rules, game.phase.kind, game.position, power, said, game.season)


_plainly = lru_cache(maxsize=256)(plainly)
"""The same words are read once, though they are looked at, kept, and looked over again when they are shown."""


def refusal_of(error: GamesmasterError, read: Read) -> Refused:
    """That a whole set is refused, with the nearest order that may be given to the line that is why."""
    nearest = (no.hint for no in read.refused if no.line == getattr(error, "line", 0))
    return Refused("bad-orders", error.what, error.hint or next(nearest, ""))


def _sources(game: Game, power: str, said: str | Sequence[str], read: Read) -> dict[str, Understood | Refusal]:
    """For each line of the set that these words make, what of the text as it was written it comes from."""
    left: list[Understood | Refusal] = [*read.orders, *read.refused]
    if not left:
        return {}
    whole = said if isinstance(said, str) else "\n".join(said)
    found: dict[str, Understood | Refusal] = {}
    for line in game.rules.notation.sheet(whole, game.phase.kind, power).orders[power]:
        fits = (one for one in left if one.line == line.number and getattr(one, "order", None) == line.order)
        if (one := next(fits, None)) is not None:
            left.remove(one)
            found.setdefault(line.text, one)
    return found


def draft_preview(view: TableView, power: str, texts: str | Sequence[str]) -> Draft:
    """What these orders would come to by themselves; nothing is stored, and no other power's orders are looked at.

    Raises `Refused` for a power that the viewer does not order for, or orders that cannot be taken.
    """
    if power not in view.viewer.powers and not view.viewer.gm:
        raise Refused("no-seat", _("You do not give orders for {power}.").format(power=power[:60]))
    return look_over(view.bare_game, power, texts)


def lacks_of(view: TableView, power: str) -> tuple[Lack, ...]:
    """What the set lacks that is stored for a power; nothing if there is none that the viewer may see."""
    sheet = next((sheet for sheet in view.sheets if sheet.power == power), None)
    try:
        return draft_preview(view, power, sheet.lines).lacks if sheet else ()
    except Refused:  # out of the game meanwhile
        return ()


def lack_words(lacks: Sequence[Lack]) -> list[str]:
    """What a set lacks, in few words: the first lines that count for nothing, and how many units have no order."""
    faults = [str(lack) for lack in lacks if lack.line]
    found = faults[:MOST_LISTED] + (
        [_("{many} more lines").format(many=len(faults) - MOST_LISTED)] if len(faults) > MOST_LISTED else []
    )
    for text, many in Counter(lack.text for lack in lacks if lack.kind == "unordered").items():
        alone = next(lack.subject for lack in lacks if lack.text == text)
        found.append(f"{alone} {text}" if many == 1 else f"{many} units {text.replace('has ', 'have ', 1)}")
    return found + [str(lack) for lack in lacks if lack.kind in ("open", "loss")]


def _faults(
    rulings: Sequence[Ruling], lines: Sequence[str], found: Mapping[str, Understood | Refusal]
) -> Iterator[Lack]:
    """The lines that cannot be read, and those that cannot come true, in the order in which they were given."""
    left = list(enumerate(lines, 1))
    faults = []
    for ruling in rulings:
        place = next((place for place in left if place[1] == ruling.given), None)
        if place is None:
            continue
        left.remove(place)
        if not ruling.possible:
            faults.append(_fault(ruling, place[0], found.get(ruling.given)))
    return iter(sorted(faults, key=lambda lack: lack.line))


def _fault(ruling: Ruling, line: int, found: Understood | Refusal | None) -> Lack:
    """Why a line counts for nothing: in the reader's words, who knows the position, or else in the judge's."""
    if isinstance(found, Refusal):
        text = _("cannot be read: {what}").format(what=found.what)
        return Lack("unread", line, ruling.given, text, ruling.clause, found.column, found.hint)
    kind = "unread" if ruling.cause is Cause.UNREADABLE else "void"
    text = PLACE.sub("", ruling.text)  # the line's number is told already, as it stands in the whole set
    return Lack(kind, line, ruling.given, text, ruling.clause)


def _missing(warned: Sequence[OrderWarning]) -> Iterator[Lack]:
    for w in warned:
        if w.loss:
            yield Lack("loss", 0, w.subject, w.text, w.clause)
        elif w.lacking:
            yield Lack("unordered" if w.subject else "open", 0, w.subject, w.text, w.clause)
