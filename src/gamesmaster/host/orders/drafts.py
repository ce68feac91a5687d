"""Drafts: what a set of orders would come to by itself, and what it lacks; the same for pages, mail and programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, SentAhead, corroborate_all, not_kept
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.view import TableView
from gamesmaster.judge import Cause, OrderWarning, Ruling
from gamesmaster.reading import OrderSheet, Sent, SheetLine, Situation, read

PLACE = re.compile(r"\bline \d+, column \d+: ")
MOST_LISTED = 3
"""Of the lines that count for nothing, so many are told one by one."""
KEPT: dict[str, str | Promise] = {
    "retreats": gettext_lazy("Kept for retreats"),
    "adjustments": gettext_lazy("Kept for adjustments"),
}
"""What people call orders sent ahead, by their kind."""


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

    `sheet` is what was made of the text.
    """

    rulings: tuple[Ruling, ...]
    warnings: tuple[OrderWarning, ...]
    lacks: tuple[Lack, ...]
    sheet: OrderSheet

    @property
    def lines(self) -> dict[str, SheetLine]:
        """Each line of the sheet by what the game keeps of it."""
        return {line.stored: line for line in self.sheet.lines()}

    @property
    def faults(self) -> tuple[Lack, ...]:
        """Of what it lacks, the lines that count for nothing."""
        return tuple(lack for lack in self.lacks if lack.line)


def look_over(game: Game, power: str, sent: Sent) -> Draft:
    """What these orders would come to in this game by themselves; raises `Refused` for what cannot be taken."""
    sheet = sheet_of(game, power, sent)
    try:
        trial = game.submit(power, sheet, amend=False)
        judged = trial.what_if()
        warned = corroborate_all(game.rules, game.phase.kind, game.position, {power: trial.orders[power]})
    except GamesmasterError as error:
        raise refusal_of(error, sheet) from error
    rulings = tuple(ruling for ruling in judged.rulings if ruling.power == power)
    draft = Draft(rulings, tuple(warned), (), sheet)
    return replace(draft, lacks=(*_faults(draft, trial.orders[power]), *_missing(warned)))


def sheet_of(game: Game, power: str, sent: Sent) -> OrderSheet:
    """The sheet of what a power sent; raises `Refused` for what is far too large or no text."""
    if isinstance(sent, OrderSheet):
        return sent
    try:
        texts = sent if isinstance(sent, str) else tuple(sent)
        return _read(Situation.of(game), power, texts, only_orders=True)
    except GamesmasterError as error:
        raise Refused("bad-orders", error.what, error.hint) from error


_read = lru_cache(maxsize=256)(read)
"""The same words are read once, though they are looked at, kept, and looked over again when they are shown."""


def refusal_of(error: GamesmasterError, sheet: OrderSheet) -> Refused:
    """That a whole set is refused, with the nearest legal order to the line that is why."""
    nearest = (line.hint for line in sheet.refused if line.line == getattr(error, "line", 0))
    return Refused("bad-orders", error.what, error.hint or next(nearest, ""))


def draft_preview(view: TableView, power: str, sent: Sent) -> Draft:
    """What these orders would come to by themselves; nothing is stored, and no other power's orders are looked at.

    Raises `Refused` for a power that the viewer does not order for, or orders that cannot be taken.
    """
    if power not in view.viewer.powers and not view.viewer.gm:
        raise Refused("no-seat", _("You do not give orders for {power}.").format(power=power[:60]))
    return look_over(view.bare_game, power, sent)


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


@dataclass(frozen=True, slots=True)
class KeptOrders:
    """Orders of a kind that a power sent ahead, in the notation."""

    kind: str
    title: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The orders, a line each."""
        return "\n".join(self.lines)


def kept_orders(view: TableView, power: str) -> tuple[KeptOrders, ...]:
    """What a power of the viewer's sent ahead, kind by kind; nothing if it sent none."""
    data = view.ahead.get(power, SentAhead()).data
    return tuple(KeptOrders(kind, str(KEPT[kind]), tuple(lines)) for kind, lines in data.items())


def lost_words(game: Game, sheet: OrderSheet) -> str:
    """Which orders for later phases a sheet has and the game does not keep, as a sentence; empty if there are none."""
    lines = "; ".join(line.text for line in not_kept(game.house_rules, sheet))
    return _("This game does not keep these orders sent ahead: {lines}.").format(lines=lines) if lines else ""


def _faults(draft: Draft, kept: Sequence[str]) -> Iterator[Lack]:
    """The lines that cannot be read, and those that cannot come true, in the order in which they were given."""
    left, lines, faults = list(enumerate(kept, 1)), draft.lines, []
    for ruling in draft.rulings:
        place = next((place for place in left if place[1] == ruling.given), None)
        if place is None:
            continue
        left.remove(place)
        if not ruling.possible:
            faults.append(_fault(ruling, place[0], lines.get(ruling.given)))
    return iter(sorted(faults, key=lambda lack: lack.line))


def _fault(ruling: Ruling, number: int, line: SheetLine | None) -> Lack:
    """Why a line counts for nothing: in the reader's words, who knows the position, or else in the judge's."""
    if line is not None and line.what:
        text = _("cannot be read: {what}").format(what=line.what)
        return Lack("unread", number, line.text, text, ruling.clause, line.column, line.hint)
    kind = "unread" if ruling.cause is Cause.UNREADABLE else "void"
    text = PLACE.sub("", ruling.text)  # the line's number is told already, as it stands in the whole set
    return Lack(kind, number, ruling.given, text, ruling.clause)


def _missing(warned: Sequence[OrderWarning]) -> Iterator[Lack]:
    for w in warned:
        if w.loss:
            yield Lack("loss", 0, w.subject, w.text, w.clause)
        elif w.lacking:
            yield Lack("unordered" if w.subject else "open", 0, w.subject, w.text, w.clause)
