"""Lines: the orders that some words of one power mean in one position, or why they mean none.

Words are taken as they come, in any dialect of the hobby (`gamesmaster.orders.dialect`).  Whatever is not an order is
named, with the place of the fault and the nearest legal order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from gamesmaster.board import Position
from gamesmaster.errors import Ambiguous, BadOrder
from gamesmaster.judge import Rules, Season
from gamesmaster.judge.legal import options
from gamesmaster.orders import UNREAD, AnyVerb, Order, PhaseKind, Verb
from gamesmaster.orders.dialect import dialects, languages, note_words
from gamesmaster.reading.hints import Hinter
from gamesmaster.reading.layout import Passage
from gamesmaster.reading.meaning import Meaning, Scene, nearest_meaning
from gamesmaster.reading.sheet import SheetLine
from gamesmaster.reading.sketch import Sketch, Sketcher
from gamesmaster.reading.wordbook import Wordbooks, spell_apart, trims

MOST_WORDS = 200  # of a line that is looked into
MOST_BREAKS = 24
MOST_HINTS = 60  # lines of a sheet that get one
_BEATEN = re.compile(
    r"[,(]?\s*(?:if (?:it is |it's )?(?:dislodged|forced|beaten|attacked)\b|[,(]\s*retreat(?:s|ing)?\s*(?:to\b|:)).*$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Effort:
    """What reading one sheet has taken so far, so that no text takes long.

    `looks` are texts looked at, `steps` those taken in all of them, `hints` the hints looked for.
    """

    looks: int = 0
    steps: int = 0
    hints: int = 0

    MOST_LOOKS = 300
    MOST_STEPS = 100_000

    @property
    def is_spent(self) -> bool:
        """Return whether the rest of the sheet is read in the notation only."""
        return self.looks > self.MOST_LOOKS or self.steps > self.MOST_STEPS


class LineReader:
    """Reads what `power` writes in a phase of this kind, a passage at a time.

    `carried` is the verb of a heading such as "Removals", which units below it without a verb have.
    """

    def __init__(
        self, rules: Rules, kind: PhaseKind, position: Position, power: str, season: Season | None = None,
        effort: Effort | None = None,
    ) -> None:  # fmt: skip
        self.rules, self.kind, self.power = rules, kind, power
        self.notation = rules.notation
        self.books = rules.derive(Wordbooks)
        self.carried: AnyVerb | None = None
        self.effort = effort or Effort()
        self.scene = Scene(rules, kind, position, power, options(rules, kind, position, power, season))

    def read(self, passage: Passage) -> list[SheetLine]:
        """The orders of some words, all of them, or one line that says why they are none."""
        if len(passage.keys) > MOST_WORDS:
            return [self.refuse(passage, "this is too long for an order")]
        meaning = self._one(passage)
        if meaning.order:
            return self._lines(passage, meaning)
        if not meaning.doubtful and (parts := self._split(passage)):
            return parts
        doubt = (meaning, passage) if meaning.doubtful else None
        for shorter in self._shorter(passage):
            remarked = self._one(shorter)
            if remarked.order:
                return self._lines(passage, remarked, trimmed=shorter)
            if remarked.doubtful:
                doubt = doubt or (remarked, shorter)
        if not doubt:
            for shorter in self._shorter(passage):
                if parts := self._split(shorter):
                    return parts
        return [self._why(passage, doubt)]

    def _shorter(self, passage: Passage) -> list[Passage]:
        """The words without remarks in brackets, or without what is for later; none if a condition hangs on those."""
        shorter = []
        brackets = ([passage.keys[at] for at in remark] for remark in passage.remarks())
        remarks = [at for at, words in zip(passage.remarks(), brackets, strict=True) if self._is_remark(words)]
        for number in reversed(range(len(remarks))):
            outside = passage.outside(remarks[number:])
            if outside.words:
                shorter.append(outside)
        if self.kind is PhaseKind.MOVEMENT:
            cut = _BEATEN.search(passage.line.text, passage.words[0].start)
            size = sum(word.end <= cut.start() for word in passage.words) if cut else 0
            if 1 < size < len(passage.words):
                shorter.append(passage.part(0, size))
        return shorter

    def _is_remark(self, words: list[str]) -> bool:
        """Does what stands in brackets leave the order as it is?  A condition or a coast does not."""
        if words[0] in note_words("later") or _BEATEN.match("(" + " ".join(words)):
            return True
        coasts = (self.books.of(language).coasts for language in languages())
        phrase = " ".join(words)
        return not (note_words("condition") | note_words("coast")) & set(words) and not any(
            phrase in listed for listed in coasts
        )

    def _one(self, passage: Passage) -> Meaning:
        """What some words mean as one order."""
        self.effort.looks += 1
        if self.effort.is_spent:
            return Meaning(self._plain(passage))
        if printed := self._printed_order(passage):
            return Meaning(printed)
        meanings: list[Meaning] = []
        exact: list[Sketch] = []
        written: Order | None = None
        for language in languages():
            sketches = self._sketches(passage, language)
            meaning = self.scene.meaning(sketches)
            if self.carried and self.carried is not Verb.BUILD and not meaning.order:
                meaning = self.scene.meaning(_as(self.carried, sketches)) if sketches else meaning
            if (meaning.order or (meaning.doubtful and not meanings)) and not meaning.cost:
                return meaning
            if meaning.order or meaning.doubtful:
                meanings.append(meaning)
            written = written or self.scene.as_written(sketches)
            exact += [sketch for sketch in sketches if sketch.cost == 0 and sketch.unit]
            if exact:
                break  # so it is written, whatever another language would make of it
        return nearest_meaning(meanings) or self._as_written(self._plain(passage) or written, exact)

    def _as_written(self, order: Order | None, sketches: Sequence[Sketch]) -> Meaning:
        """An order that may not be given is what is written, unless one that may be is a slip of the pen away."""
        meant = self.scene.slips(sketches) if order else ()
        return Meaning(doubtful=(order, *meant)) if order and meant else Meaning(order)

    def _sketches(self, passage: Passage, language: str) -> list[Sketch]:
        book = self.books.of(language)
        sketches: list[Sketch] = []
        for keys, marked in spell_apart(book, passage.keys, passage.marked):
            for start, end in trims(book, keys):
                breaks = passage.breaks if len(keys) == len(passage.keys) else frozenset()
                sketcher = Sketcher(book, keys[:end], marked[:end], self.kind, breaks)
                sketches += sketcher.whole(start, end)
                self.effort.steps += sketcher.steps
                if sketches:
                    return sketches
        return sketches

    def _plain(self, passage: Passage) -> Order | None:
        """The order that the words are in the house style, whatever the position: every name is exact."""
        try:
            order = self.notation.read(passage.text, self.kind, exact=True, hints=False)
        except BadOrder:
            return None
        if order.power not in ("", self.power):
            return None
        return replace(order, power="")

    def _printed_order(self, passage: Passage) -> Order | None:
        """The order that may be given, and that the program itself prints so: nothing else is meant by its words.

        "W/CF c - h" goes to h where that is a place, and does not hold.  A word for a power and a place, such as "eng",
        is the place if some dialect writes an order so to the letter.
        """
        order = self._plain(passage)
        if order in self._lawful and self.notation.write(order).casefold() == passage.text.casefold():
            return order
        if not any(map(self._is_twofold, passage.keys)):
            return None
        return self._spelled.get(passage.text)

    def _is_twofold(self, word: str) -> bool:
        """Is it a power's name and a place's code?"""
        book = self.books.of(languages()[0])
        spot = book.places.find((word,)) if word in book.powers else None
        return spot is not None and bool(spot.exact)

    def _split(self, passage: Passage) -> list[SheetLine] | None:
        """Several orders one after the other, parted by commas, "and" or nothing; None unless all are orders."""
        book = self.books.of(languages()[0])
        keys = passage.keys
        parted = passage.breaks | passage.stops
        breaks = [at for at in range(1, len(keys)) if at in parted or keys[at] in note_words("join")]
        begins = {*_KIND_WORDS, "+", "-", *book.kinds}
        unit = [word in begins for word in keys] + [False]
        bare = [at for at in range(1, len(keys)) if not unit[at - 1]]
        loose = [at for at in bare if unit[at] or (keys[at] in book.powers and unit[at + 1])]
        for cuts in (breaks, sorted({*breaks, *loose})):
            if cuts and len(cuts) <= MOST_BREAKS and not self.effort.is_spent:
                orders = self._parts(passage, [0, *cuts, len(keys)])
                if orders and len(orders) > 1:
                    return orders
        return None

    def _parts(self, passage: Passage, cuts: list[int]) -> list[SheetLine] | None:
        """The fewest orders that the words between these places are."""
        carried = self.carried
        best: dict[int, list[SheetLine] | None] = {cuts[0]: []}
        for end in cuts[1:]:
            for start in cuts:
                if start >= end or best.get(start) is None or end - start > 40:
                    continue
                before = best[start] or []
                first = start + (passage.keys[start] in note_words("join") and start + 1 < end)
                self.carried = before[-1].order.verb if before and self.kind is PhaseKind.ADJUSTMENTS else carried
                part = passage.part(first, end)
                meaning = self._one(part)
                if meaning.order:
                    listed = [*before, *self._lines(part, meaning)]
                    known = best.get(end)
                    if known is None or len(listed) < len(known):
                        best[end] = listed
        self.carried = carried
        return best.get(cuts[-1])

    # -- what is said ------------------------------------------------------------------------------------------------

    def _line(self, passage: Passage, order: Order, read_as: str = "") -> SheetLine:
        """The line of an order: a game keeps the words as they are if the notation reads them alike."""
        text = passage.text
        stored = text if order.complete and self._plain(passage) == order else self.notation.write(order)
        return SheetLine(text, passage.line.number, passage.column(0), order, read_as, stored)

    def _lines(self, passage: Passage, meaning: Meaning, trimmed: Passage | None = None) -> list[SheetLine]:
        """The line of what a passage means; of an order for many units, without its unit."""
        order = meaning.order
        assert order is not None
        if meaning.group:
            return [SheetLine(passage.text, passage.line.number, passage.column(0), order)]
        read_as = "" if self._plain(passage) == order else self.read_as(passage.text, order)
        if trimmed is not None:
            read_as = f"{self.read_as(trimmed.text, order)}; the remark beside it is not part of the order"
        return [self._line(passage, order, read_as)]

    def read_as(self, text: str, order: Order) -> str:
        """How words were read."""
        return f"{text.strip()!r} is read as {self.notation.write(order)}"

    def _why(self, passage: Passage, doubt: tuple[Meaning, Passage] | None) -> SheetLine:
        """Why words are none, where they may be several orders."""
        if not doubt:
            return self.refuse(passage)
        meaning, words = doubt
        listed = " or ".join(map(self.notation.write, meaning.doubtful[:8]))
        many = len(meaning.doubtful) > 1
        what = f"this could be {listed}" if many else "this name is another place's, too"
        hint = f"write one of these: {listed}" if many else f"write {listed} if you mean that"
        at = min(meaning.at, len(words.words) - 1)
        return self._refusal(passage, words.column(at), what, hint, meaning.doubtful)

    def refuse(self, passage: Passage, what: str = "") -> SheetLine:
        """Why words are no order, where the fault is, and the nearest legal order."""
        column = passage.column(0)
        try:
            order = self.notation.read(passage.text, self.kind)
            if order.power not in ("", self.power):
                what = what or f"this is an order of {order.power}"
            self.notation.read(passage.text, self.kind, exact=True)
        except BadOrder as error:
            column = passage.words[0].start + error.column
            what = what or error.what
        self.effort.hints += 1
        hint = self.nearest(passage) if self.effort.hints <= MOST_HINTS else ""
        return self._refusal(passage, column, what or "this is not an order", hint)

    def _refusal(
        self, passage: Passage, column: int, what: str, hint: str, options: tuple[Order, ...] = ()
    ) -> SheetLine:
        """A refused line; a game keeps it marked if the notation would read it."""
        text, stored = passage.text, f"{UNREAD} {passage.text}"
        try:
            self.notation.read(text, self.kind, hints=False)
        except Ambiguous:  # the judge may settle it by what the unit can do
            stored = text if self.rules.rulebook.doubtful_name == "settled_by_unit" else stored
        except BadOrder:
            stored = text
        return SheetLine(text, passage.line.number, column, stored=stored, what=what, hint=hint, options=options)

    def nearest(self, passage: Passage) -> str:
        """Return a hint that names what this power may order and the words resemble; empty if they resemble nothing."""
        orders = self._hinter.nearest(passage)
        return f"did you mean {' or '.join(map(self.notation.write, orders))}?" if orders else ""

    @cached_property
    def _hinter(self) -> Hinter:
        return Hinter(self.books, self.scene)

    @cached_property
    def _lawful(self) -> frozenset[Order]:
        """What may be ordered."""
        return frozenset(self.scene.listed)

    @cached_property
    def _spelled(self) -> dict[str, Order]:
        """What may be ordered for other units' sake, by how each dialect writes it to the letter."""
        helping = [order for order in self.scene.listed if order.of]
        return {self.notation.write(order, dialect=name): order for order in helping for name in dialects()}


_KIND_WORDS = frozenset({"a", "f", "army", "fleet", "armee", "flotte", "flota", "ejercito", "e"})


def _as(verb: AnyVerb, sketches: Sequence[Sketch]) -> list[Sketch]:
    """Bare units as what stands above them tells: removals under "Removals"."""
    return [replace(sketch, verb=verb, cost=0) for sketch in sketches if sketch.parts == ("unit",)]
