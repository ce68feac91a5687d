"""Drafts: what a set of orders would come to by itself, and what it lacks; the same for pages, mail and programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, corroborate_all
from gamesmaster.host.errors import Refused
from gamesmaster.host.service.table_view import TableView
from gamesmaster.judge import Ruling, Warning
from gamesmaster.judge.plain_words import in_plain_words
from gamesmaster.judge.ruling import Cause

PLACE = re.compile(r"\bline \d+, column \d+: ")
MOST_TOLD = 3
"""Of the lines that count for nothing, so many are told one by one."""


@dataclass(frozen=True, slots=True)
class Lack:
    """Something without which a set of orders is not whole.

    `kind` is `unread` (a line that cannot be read), `void` (an order that cannot come true), `unordered` (a unit
    without an order), `open` (builds left unused) or `loss` (what is ordered costs a unit, or boats).  `line` is the
    line's number, from 1, and 0 where there is none; `subject`, `text` and `clause` are those of a warning.
    """

    kind: str
    line: int
    subject: str
    text: str
    clause: str

    def __str__(self) -> str:
        if self.line:
            return _("line {number}, “{line}”, {fault}").format(
                number=self.line, line=self.subject[:80], fault=self.text
            )
        return f"{self.subject} {self.text}" if self.subject else _("this {fault}").format(fault=self.text)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a power's orders would come to if nobody else gave any, what may be slips in them, and what they lack."""

    rulings: tuple[Ruling, ...]
    warnings: tuple[Warning, ...]
    lacks: tuple[Lack, ...] = ()

    @property
    def faults(self) -> tuple[Lack, ...]:
        """Of what it lacks, the lines that count for nothing."""
        return tuple(lack for lack in self.lacks if lack.line)


def look_over(game: Game, power: str, texts: str | Sequence[str]) -> Draft:
    """What these orders would come to in this game by themselves; raises `Refused` for what cannot be taken."""
    try:
        trial = game.submit(power, plain(game, power, texts), amend=False)
        judged = trial.what_if()
        lines = trial.orders[power]
        warned = corroborate_all(game.rules, game.phase.kind, game.position, {power: list(lines)})
    except GamesmasterError as error:
        raise Refused("bad-orders", error.what, error.hint) from error
    rulings = tuple(ruling for ruling in judged.rulings if ruling.power == power)
    return Draft(rulings, tuple(warned), (*_faults(rulings, lines), *_missing(warned)))


def plain(game: Game, power: str, texts: str | Sequence[str]) -> str | Sequence[str]:
    """A power's orders in words that the notation reads by itself, whatever dialect they were written in."""
    return in_plain_words(game.rules, game.phase.kind, game.position, power, texts, game.season)


def draft_preview(view: TableView, power: str, texts: str | Sequence[str]) -> Draft:
    """What these orders would come to by themselves; nothing is stored, and no other power's orders are looked at.

    Raises `Refused` for a power that the viewer does not order for, or orders that cannot be taken.
    """
    if power not in view.viewer.powers and not view.viewer.gm:
        raise Refused("no-seat", _("You do not order for {power}.").format(power=power[:60]))
    return look_over(view.bare_game, power, texts)


def lacks_of(view: TableView, power: str) -> tuple[Lack, ...]:
    """What the set lacks that is stored for a power; nothing if there is none that the viewer may see."""
    sheet = next((sheet for sheet in view.sheets if sheet.power == power), None)
    try:
        return draft_preview(view, power, sheet.lines).lacks if sheet else ()
    except Refused:  # out of the game meanwhile
        return ()


def told(lacks: Sequence[Lack]) -> list[str]:
    """What a set lacks, in few words: the first lines that count for nothing, and how many units have no order."""
    faults = [str(lack) for lack in lacks if lack.line]
    found = faults[:MOST_TOLD] + (
        [_("{many} lines more").format(many=len(faults) - MOST_TOLD)] if len(faults) > MOST_TOLD else []
    )
    for text, many in Counter(lack.text for lack in lacks if lack.kind == "unordered").items():
        alone = next(lack.subject for lack in lacks if lack.text == text)
        found.append(f"{alone} {text}" if many == 1 else f"{many} units {text.replace('has ', 'have ', 1)}")
    return found + [str(lack) for lack in lacks if lack.kind in ("open", "loss")]


def _faults(rulings: Sequence[Ruling], lines: Sequence[str]) -> Iterator[Lack]:
    """The lines that cannot be read, and those that cannot come true, in the order in which they were given."""
    left = list(enumerate(lines, 1))
    found = []
    for ruling in rulings:
        place = next((place for place in left if place[1] == ruling.given), None)
        if place is None:
            continue
        left.remove(place)
        if not ruling.possible:
            kind = "unread" if ruling.cause is Cause.UNREADABLE else "void"
            text = PLACE.sub("", ruling.text)  # the line's number is told already, as it stands in the whole set
            found.append(Lack(kind, place[0], ruling.given, text, ruling.clause))
    return iter(sorted(found, key=lambda lack: lack.line))


def _missing(warned: Sequence[Warning]) -> Iterator[Lack]:
    for w in warned:
        if w.loss:
            yield Lack("loss", 0, w.subject, w.text, w.clause)
        elif w.lacking:
            yield Lack("unordered" if w.subject else "open", 0, w.subject, w.text, w.clause)
