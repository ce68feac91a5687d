"""The reader: what one power writes in one position, as a careful Gamesmaster reads it.

Sheets are taken as they come, in any dialect of the hobby (`gamesmaster.orders.dialect`).  Whatever is not an order is
named, with the place of the fault and the nearest order that may be given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rapidfuzz import fuzz, process

from gamesmaster.board import Position
from gamesmaster.errors import BadOrder
from gamesmaster.judge.legal import options
from gamesmaster.judge.reading.meaning import Meaning, Scene, nearest_meaning
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.values import Season
from gamesmaster.orders import AnyVerb, Notation, Order, PhaseKind, Verb
from gamesmaster.orders.dialect import dialects, languages, note_words
from gamesmaster.orders.layout import Passage, lay_out, passages
from gamesmaster.orders.sentence import defect
from gamesmaster.orders.sheet import LONGEST_SHEET, MOST_LINES
from gamesmaster.orders.sketch import Sketch, Sketcher
from gamesmaster.orders.wordbook import spell_apart, trims
from gamesmaster.orders.words import key

_LONGEST_TITLE = 12  # words before a colon
MOST_WORDS = 200  # of a line that is looked into
MOST_BREAKS = 24
MOST_LOOKS = 300  # at texts of one sheet; what comes then is read in the house style only
MOST_STEPS = 100_000  # taken in all of them
MOST_HINTS = 60  # lines of a sheet that get one
_BEATEN = re.compile(
    r"[,(]?\s*(?:if (?:it is |it's )?(?:dislodged|forced|beaten|attacked)\b|[,(]\s*retreat(?:s|ing)?\s*(?:to\b|:)).*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Understood:
    """An order of a text: what was written where, and `read_as`, if that is not in plain words, how it was read."""

    order: Order
    text: str
    line: int
    read_as: str = ""
    group: str = ""  # "all" or "rest", where the order stands for each unit meant


@dataclass(frozen=True, slots=True)
class Refusal:
    """What is not an order in a text: where, why, and the nearest order that may be given.

    `options` are all that it could be, if it is doubtful; `of` is the other power whose order it is.
    """

    text: str
    line: int
    column: int
    what: str
    hint: str = ""
    options: tuple[Order, ...] = ()
    of: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """What programs are told of it."""
        return {name: getattr(self, name) for name in ("text", "line", "column", "what", "hint")}

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"line {self.line}, column {self.column}: {self.what}{hint}"


@dataclass(slots=True)
class Read:
    """All that was made of a text."""

    orders: list[Understood] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)

    @property
    def read_as(self) -> list[str]:
        """How that was read which is not in plain words: `line 2: 'München nach Burgund' is read as A Mun - Bur`."""
        return [f"line {one.line}: {one.read_as}" for one in self.orders if one.read_as]


class Reader:
    """Reads what `power` writes in a phase of this kind.

    >>> from gamesmaster.variant import find_variant
    >>> variant = find_variant("standard")
    >>> reader = Reader(Rules.of(variant), PhaseKind.MOVEMENT, variant.start, "Germany")
    >>> [reader.rules.notation.write(found.order) for found in reader.sheet("Armee München geht nach Burgund").orders]
    ['A Mun - Bur']
    """

    def __init__(
        self, rules: Rules, kind: PhaseKind, position: Position, power: str, season: Season | None = None
    ) -> None:
        self.rules, self.kind, self.power = rules, kind, power
        self.notation = rules.notation
        self.section = power
        self.carried: AnyVerb | None = None
        self.looks = self.steps = self.hints = 0
        self.scene = Scene(rules, kind, position, power, options(rules, kind, position, power, season))

    # -- sheets ------------------------------------------------------------------------------------------------------

    def sheet(self, text: str) -> Read:
        """The orders of a text, and what of it is none."""
        read = Read()
        if len(text) > LONGEST_SHEET or text.count("\n") >= MOST_LINES:
            what = "this is too long for a sheet of orders"
            read.refused.append(Refusal(text[:80], 1, 1, what, "send the orders alone"))
            return read
        self.section, self.carried = self.power, None
        self.looks = self.steps = self.hints = 0
        for line in lay_out(text):
            if line.skipped:
                continue
            for passage in passages(line):
                self._safely(read, passage)
        return self._with_rest(read)

    def _safely(self, read: Read, passage: Passage) -> None:
        """Take some words; what the program itself falls over is refused, and stands in the log."""
        try:
            self._take(read, passage)
        except Exception as error:  # whatever it is, it is a fault of ours
            what = defect(error).what
            read.refused.append(Refusal(passage.text, line := passage.line.number, 1, what, f"write line {line} anew"))

    def _take(self, read: Read, passage: Passage) -> None:
        """Read a heading, an order or several, or say why it is none."""
        passage = self._after_heading(passage).without(":")
        if not passage.words:
            return
        if self.section != self.power:
            refusal = self._refusal(passage, f"orders for {self.section} in a set of {self.power}")
            read.refused.append(replace(refusal, of=self.section))
            return
        orders = self._orders(passage)
        if isinstance(orders, Refusal):
            read.refused.append(orders)
        else:
            read.orders += orders

    def _with_rest(self, read: Read) -> Read:
        """The units that "all" and "the rest" mean, in the place of those words."""
        named = {u.order.at.province for u in read.orders if u.order.at}
        for at, group in reversed([(i, u) for i, u in enumerate(read.orders) if u.group]):
            units = [u for u in self.scene.own if not u.aboard and u.at.province not in named]
            each = [Order(group.order.verb, unit.kind, unit.at) for unit in units]
            read.orders[at : at + 1] = [
                replace(group, order=order, group="", read_as=self._read_as(group.text, order)) for order in each
            ]
        return read

    def _after_heading(self, passage: Passage) -> Passage:
        """The words behind a heading that names a power or says what all below it is."""
        if power := power_headed(self.notation, passage):
            self.section, self.carried = power, None
            return behind_title(passage)
        colon, title = title_of(passage)
        verb = self._verb_alone([word for _, word in title]) if colon < len(passage.keys) and title else None
        if verb:
            self.carried = verb
        titled = bool(title) and colon < len(passage.keys)
        if verb or (titled and all(word in note_words("heading") for _, word in title)):  # "Order 1:"
            return behind_title(passage)
        return passage

    def _verb_alone(self, words: list[str]) -> AnyVerb | None:
        if self.kind is not PhaseKind.ADJUSTMENTS:
            return None
        for language in languages():
            says = self.notation.wordbook(language).says.get(" ".join(words), set())
            if "build" in says or words == ["builds"]:
                return Verb.BUILD
            if says & {"remove", "disband"} or words in (["removals"], ["disbands"], ["removes"]):
                return Verb.REMOVE
        return None

    # -- orders ------------------------------------------------------------------------------------------------------

    def _orders(self, passage: Passage) -> list[Understood] | Refusal:
        """The orders of some words, all of them, or why they are none."""
        if len(passage.keys) > MOST_WORDS:
            return self._refusal(passage, "this is too long for an order")
        meaning = self._one(passage)
        if meaning.order:
            return [self._understand(passage, meaning)]
        if not meaning.doubtful and (parts := self._split(passage)):
            return parts
        doubt = (meaning, passage) if meaning.doubtful else None
        for shorter in self._shorter(passage):
            remarked = self._one(shorter)
            if remarked.order:
                return [self._understand(passage, remarked, trimmed=shorter)]
            if remarked.doubtful:
                doubt = doubt or (remarked, shorter)
        if not doubt:
            for shorter in self._shorter(passage):
                if parts := self._split(shorter):
                    return parts
        return self._why(passage, doubt)

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
        coasts = (self.notation.wordbook(language).coasts for language in languages())
        phrase = " ".join(words)
        return not (note_words("condition") | note_words("coast")) & set(words) and not any(
            phrase in listed for listed in coasts
        )

    def _one(self, passage: Passage) -> Meaning:
        """What some words mean as one order."""
        self.looks += 1
        if self.looks > MOST_LOOKS or self.steps > MOST_STEPS:
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
        book = self.notation.wordbook(language)
        sketches: list[Sketch] = []
        for keys, marked in spell_apart(book, passage.keys, passage.marked):
            for start, end in trims(book, keys):
                breaks = passage.breaks if len(keys) == len(passage.keys) else frozenset()
                sketcher = Sketcher(book, keys[:end], marked[:end], self.kind, breaks)
                sketches += sketcher.whole(start, end)
                self.steps += sketcher.steps
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
        book = self.notation.wordbook(languages()[0])
        spot = book.places.find((word,)) if word in book.powers else None
        return spot is not None and bool(spot.exact)

    def _split(self, passage: Passage) -> list[Understood] | None:
        """Several orders one after the other, parted by commas, "and" or nothing; None unless all are orders."""
        book = self.notation.wordbook(languages()[0])
        keys = passage.keys
        parted = passage.breaks | passage.stops
        breaks = [at for at in range(1, len(keys)) if at in parted or keys[at] in note_words("join")]
        begins = {*_KIND_WORDS, "+", "-", *book.kinds}
        unit = [word in begins for word in keys] + [False]
        bare = [at for at in range(1, len(keys)) if not unit[at - 1]]
        loose = [at for at in bare if unit[at] or (keys[at] in book.powers and unit[at + 1])]
        for cuts in (breaks, sorted({*breaks, *loose})):
            if cuts and len(cuts) <= MOST_BREAKS and self.looks <= MOST_LOOKS and self.steps <= MOST_STEPS:
                orders = self._parts(passage, [0, *cuts, len(keys)])
                if orders and len(orders) > 1:
                    return orders
        return None

    def _parts(self, passage: Passage, cuts: list[int]) -> list[Understood] | None:
        """The fewest orders that the words between these places are."""
        carried = self.carried
        best: dict[int, list[Understood] | None] = {cuts[0]: []}
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
                    listed = [*before, self._understand(part, meaning)]
                    known = best.get(end)
                    if known is None or len(listed) < len(known):
                        best[end] = listed
        self.carried = carried
        return best.get(cuts[-1])

    # -- what is said ------------------------------------------------------------------------------------------------

    def _understand(self, passage: Passage, meaning: Meaning, trimmed: Passage | None = None) -> Understood:
        text = passage.text
        assert meaning.order is not None
        if meaning.group:
            return Understood(meaning.order, text, passage.line.number, group=meaning.group)
        remark = "" if self._plain(passage) == meaning.order else self._read_as(text, meaning.order)
        if trimmed is not None:
            remark = f"{self._read_as(trimmed.text, meaning.order)}; the remark beside it is not part of the order"
        return Understood(meaning.order, text, passage.line.number, remark)

    def _read_as(self, text: str, order: Order) -> str:
        return f"{text.strip()!r} is read as {self.notation.write(order)}"

    def _why(self, passage: Passage, doubt: tuple[Meaning, Passage] | None) -> Refusal:
        if doubt:
            meaning, words = doubt
            options = " or ".join(map(self.notation.write, meaning.doubtful[:8]))
            what = f"this could be {options}" if len(meaning.doubtful) > 1 else "this name is another place's, too"
            at = min(meaning.at, len(words.words) - 1)
            hint = (
                f"write {options} if you mean that" if len(meaning.doubtful) == 1 else f"write one of these: {options}"
            )
            return Refusal(passage.text, passage.line.number, words.column(at), what, hint, meaning.doubtful)
        return self._refusal(passage)

    def _refusal(self, passage: Passage, what: str = "") -> Refusal:
        """Why words are no order, where the fault is, and the nearest order that may be given."""
        column = passage.column(0)
        try:
            order = self.notation.read(passage.text, self.kind)
            if order.power not in ("", self.power):
                what = what or f"this is an order of {order.power}"
            self.notation.read(passage.text, self.kind, exact=True)
        except BadOrder as error:
            column = passage.words[0].start + error.column
            what = what or error.what
        self.hints += 1
        hint = self.nearest(passage.text) if self.hints <= MOST_HINTS else ""
        return Refusal(passage.text, passage.line.number, column, what or "this is not an order", hint)

    def nearest(self, text: str) -> str:
        """A hint: the order of this power most like the text, of those it may give."""
        if not self._spellings:
            return "nothing can be ordered"
        _, _, number = process.extractOne(key(text[:200]), self._spellings, scorer=fuzz.ratio)
        return f"did you mean {self.notation.write(self.scene.listed[number])}?"

    @cached_property
    def _lawful(self) -> frozenset[Order]:
        """What may be ordered."""
        return frozenset(self.scene.listed)

    @cached_property
    def _spelled(self) -> dict[str, Order]:
        """What may be ordered for other units' sake, by how each dialect writes it to the letter."""
        helping = [order for order in self.scene.listed if order.of]
        return {self.notation.write(order, dialect=name): order for order in helping for name in dialects()}

    @cached_property
    def _spellings(self) -> list[str]:
        """What may be ordered, in plain words."""
        return [key(self.notation.write(order)) for order in self.scene.listed]


_KIND_WORDS = frozenset({"a", "f", "army", "fleet", "armee", "flotte", "flota", "ejercito", "e"})


def _as(verb: AnyVerb, sketches: Sequence[Sketch]) -> list[Sketch]:
    """Bare units as what stands above them tells: removals under "Removals"."""
    return [replace(sketch, verb=verb, cost=0) for sketch in sketches if sketch.parts == ("unit",)]


# -- headings: which power the orders below them are for ---------------------------------------------------------------


def title_of(passage: Passage) -> tuple[int, list[tuple[int, str]]]:
    """Where a passage has its colon, beyond its end if it has none, and the words before that, each with its place."""
    keys = passage.keys
    colon = keys.index(":") if ":" in keys[:_LONGEST_TITLE] else len(keys)
    return colon, [(at, word) for at, word in enumerate(keys[:colon]) if word != "-" and not word.isdecimal()]


def power_headed(notation: Notation, passage: Passage) -> str:
    """The power that a passage names as the one whose orders follow; empty if it is no such heading."""
    colon, title = title_of(passage)
    alone = colon == len(passage.keys)
    if alone and passage.keys[-2:-1] == ["-"] and passage.keys[-1] in notation.lexicon.places.exact:
        return ""  # "Shoshoni - 31" is an order where a province is called so
    outside = [word for at, word in title if word not in note_words("heading") and not passage.inside[at]]
    power = _power(notation, outside)
    if not power and colon < len(passage.keys) and set(outside) & note_words("join"):  # "Polotjans & Dregovites:"
        power = _power(notation, outside[: next(at for at, word in enumerate(outside) if word in note_words("join"))])
    return power


def behind_title(passage: Passage) -> Passage:
    """The words behind a heading."""
    colon, keys = title_of(passage)[0], len(passage.keys)
    return passage.part(min(colon + 1, keys), keys)


def _power(notation: Notation, words: list[str]) -> str:
    name = " ".join(words)
    if not name:
        return ""
    for language in languages():
        power = notation.wordbook(language).powers.get(name)
        if power:
            return power
    without = name.removesuffix(" s")
    return notation.wordbook(languages()[0]).powers.get(without, "") if without != name else ""
