"""Drafts: the results of a set of orders by itself, and what it lacks; the same for pages, mail and API."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, SentAhead, corroborate_all, not_kept
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.view import TableView
from gamesmaster.judge import OrderWarning
from gamesmaster.reading import OrderSheet, Sent, SheetLine, Situation, read
from gamesmaster.rules import Cause, Ruling

PLACE = re.compile(r"\bline \d+, column \d+: ")
MOST_LISTED = 3
"""Maximum number of unusable lines that are listed one by one."""
KEPT: dict[str, str | Promise] = {
    "retreats": gettext_lazy("Kept for retreats"),
    "adjustments": gettext_lazy("Kept for adjustments"),
}
"""Titles of orders sent ahead, by kind."""


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that a set of orders lacks.

    `kind`: `unread` (a line that cannot be read), `void` (an order that cannot come true), `unordered` (a unit without
    an order), `open` (builds left unused), `loss` (what the orders cost a unit, or what units carry).  `line` counts
    from 1, and is 0 where no line is at fault.  Of a line that cannot be read, `column` tells where the fault is, and
    `hint` the nearest legal order.
    """

    kind: str
    line: int
    subject: str  # as in a warning
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
    """A power's orders, judged as if nobody else gave any."""

    rulings: tuple[Ruling, ...]
    warnings: tuple[OrderWarning, ...]  # possible slips
    lacks: tuple[Lack, ...]
    sheet: OrderSheet  # the text as it was read

    @property
    def lines(self) -> dict[str, SheetLine]:
        """Return the lines of the sheet by what the game stores of them."""
        return {line.stored: line for line in self.sheet.lines()}

    @property
    def faults(self) -> tuple[Lack, ...]:
        """Return what is lacking because of lines that have no effect."""
        return tuple(lack for lack in self.lacks if lack.line)


def look_over(game: Game, power: str, sent: Sent) -> Draft:
    """Return the results of these orders by themselves in this game; raise `Refused` if they cannot be taken."""
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
    """Return the orders of a power, read; raise `Refused` for input that is too large or not text."""
    if isinstance(sent, OrderSheet):
        return sent
    try:
        texts = sent if isinstance(sent, str) else tuple(sent)
        return _read(Situation.of(game), power, texts, only_orders=True)
    except GamesmasterError as error:
        raise Refused("bad-orders", error.what, error.hint) from error


_read = lru_cache(maxsize=256)(read)
"""Cached, because the same text is read for the preview, when saved, and when shown again."""


def refusal_of(error: GamesmasterError, sheet: OrderSheet) -> Refused:
    """Return the refusal of a whole set, with the nearest legal order to the line at fault."""
    nearest = (line.hint for line in sheet.refused if line.line == getattr(error, "line", 0))
    return Refused("bad-orders", error.what, error.hint or next(nearest, ""))


def draft_preview(view: TableView, power: str, sent: Sent) -> Draft:
    """Return the results of these orders by themselves, without saving them or using other powers' orders.

    Raise `Refused` if the viewer does not order for the power or the orders cannot be taken.
    """
    if power not in view.viewer.powers and not view.viewer.gm:
        raise Refused("no-seat", _("You do not give orders for {power}."), power=power[:60])
    return look_over(view.bare_game, power, sent)


def lacks_of(view: TableView, power: str) -> tuple[Lack, ...]:
    """Return what a power's saved set lacks; empty if the viewer cannot see a set."""
    sheet = next((sheet for sheet in view.sheets if sheet.power == power), None)
    try:
        return draft_preview(view, power, sheet.lines).lacks if sheet else ()
    except Refused:  # the power has been eliminated
        return ()


_UNORDERED = {
    "has no order and will hold": ngettext_lazy(
        "{unit} has no order and will hold", "{many} units have no order and will hold", "many"
    ),
    "has no order and will disband": ngettext_lazy(
        "{unit} has no order and will disband", "{many} units have no order and will disband", "many"
    ),
    "will be removed, nothing else being named": ngettext_lazy(
        "{unit} will be removed, nothing else being named",
        "{many} units will be removed, nothing else being named",
        "many",
    ),
}
"""What happens to units without an order, as the judge says it of one, and as it is said of several."""


def lack_words(lacks: Sequence[Lack]) -> list[str]:
    """Return what a set lacks in a few phrases: the first unusable lines, and how many units have no orders."""
    faults = [str(lack) for lack in lacks if lack.line]
    found = faults[:MOST_LISTED] + (
        [_("{many} more lines").format(many=len(faults) - MOST_LISTED)] if len(faults) > MOST_LISTED else []
    )
    for text, many in Counter(lack.text for lack in lacks if lack.kind == "unordered").items():
        alone = next(lack.subject for lack in lacks if lack.text == text)
        found.append(_UNORDERED[text].format(many=many, unit=alone))
    return found + [str(lack) for lack in lacks if lack.kind in ("open", "loss")]


@dataclass(frozen=True, slots=True)
class KeptOrders:
    """Orders of one kind that a power sent ahead, in the notation."""

    kind: str
    title: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return the orders, one per line."""
        return "\n".join(self.lines)


def kept_orders(view: TableView, power: str) -> tuple[KeptOrders, ...]:
    """Return what a power of the viewer's has sent ahead, by kind."""
    data = view.ahead.get(power, SentAhead()).data
    return tuple(KeptOrders(kind, str(KEPT[kind]), tuple(lines)) for kind, lines in data.items())


def lost_words(game: Game, sheet: OrderSheet) -> str:
    """Return a sentence on the orders for later phases that the game does not keep; empty without any."""
    lines = "; ".join(line.text for line in not_kept(game.house_rules, sheet))
    return _("This game does not keep these orders sent ahead: {lines}.").format(lines=lines) if lines else ""


def _faults(draft: Draft, kept: Sequence[str]) -> Iterator[Lack]:
    """Yield the lines that cannot be read or are impossible, in the order given."""
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
    """Return why a line has no effect: the reader's explanation if it has one, else the judge's."""
    if line is not None and line.what:
        text = _("cannot be read: {what}").format(what=line.what)
        return Lack("unread", number, line.text, text, ruling.clause, line.column, line.hint)
    kind = "unread" if ruling.cause is Cause.UNREADABLE else "void"
    text = PLACE.sub("", ruling.text)  # the number in the whole set is shown already
    return Lack(kind, number, ruling.given, text, ruling.clause)


def _missing(warned: Sequence[OrderWarning]) -> Iterator[Lack]:
    for w in warned:
        if w.loss:
            yield Lack("loss", 0, w.subject, w.text, w.clause)
        elif w.lacking:
            yield Lack("unordered" if w.subject else "open", 0, w.subject, w.text, w.clause)
