"""Lines: the orders that some words of one power mean in one position, or why they mean none.

Words are taken as they come, in any dialect of the hobby (`gamesmaster.orders.dialect`).  Whatever is not an order is
named, with the place of the fault and the nearest legal order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from gamesmaster.board import Unit
from gamesmaster.errors import BadOrder
from gamesmaster.judge import add_dislodged
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.orders.dialect import Cues, note_words
from gamesmaster.reading.meaning import Meaning
from gamesmaster.reading.passages import Passage, passage
from gamesmaster.reading.sections import UNSURE
from gamesmaster.reading.sheet import Purpose, SheetLine, unread
from gamesmaster.reading.single import SingleReader
from gamesmaster.reading.situation import Effort, Situation
from gamesmaster.reading.sketch import INITIALS
from gamesmaster.reading.spelling import INITIAL
from gamesmaster.reading.wordbook import LONGEST_NAME

MOST_WORDS = 200  # of a line that is looked into
MOST_BREAKS = 24
MOST_ENDS = 12  # of a span that may be an order
_STOPS = frozenset("?:")
UNPARTED = 20  # words without a comma or full stop, in which an order may end behind any place

Spans: TypeAlias = list[tuple[range, list[SheetLine]]]  # orders among other words, and where

KINDS = {Purpose.RETREATS: PhaseKind.RETREATS, Purpose.ADJUSTMENTS: PhaseKind.ADJUSTMENTS}  # what may be sent ahead
PHASES: dict[object, PhaseKind] = {
    Verb.MOVE: PhaseKind.MOVEMENT, Verb.HOLD: PhaseKind.MOVEMENT, Verb.SUPPORT: PhaseKind.MOVEMENT,
    Verb.CONVOY: PhaseKind.MOVEMENT, Verb.RETREAT: PhaseKind.RETREATS, Verb.DISBAND: PhaseKind.RETREATS,
    Verb.BUILD: PhaseKind.ADJUSTMENTS, Verb.REMOVE: PhaseKind.ADJUSTMENTS, Verb.WAIVE: PhaseKind.ADJUSTMENTS,
}  # fmt: skip
"""The phase that the verb of an order belongs to."""


class LineReader(SingleReader):
    """Reads what `power` writes in a phase of this kind, a passage at a time."""

    def read(self, passage: Passage) -> list[SheetLine]:
        """Return the orders of some words, all of them, or one line with the reason against them."""
        if len(passage.keys) > MOST_WORDS:
            return [self.refuse(passage, "this is too long for an order")]
        return self.orders(passage) or [self._why(passage, self.doubt)]

    def read_marked(self, passage: Passage) -> list[SheetLine]:
        """Read a line that a game keeps as refused: it stays refused, even if it could now be read."""
        words = passage.part(1, len(passage.keys))
        if not words.keys:
            return [self.refuse(passage)]
        what = "a line that begins with a question mark is not an order"
        return [
            replace(
                line, order=None, stored=unread(line.text), what=line.what or what,
                hint=f"did you mean {self.notation.write(line.order)}?" if line.order else line.hint,
            )
            for line in self.read(words)
        ]  # fmt: skip

    def orders(self, passage: Passage) -> list[SheetLine]:
        """Return the orders that make up all of these words except a remark, which is kept in `aside`; else nothing."""
        self.aside, self.doubt = [], None
        said, nothing = passage.said, self.cues("nothing")
        leaves = any(nothing.match(said, one.end() + 1) for one in self.cues("alternative").finditer(said))
        if len(passage.keys) > MOST_WORDS or not passage.words or leaves or self.cues("unchanged").fullmatch(said):
            return []  # "Build A Par, or nothing", "Everything else stands"
        lines = self._orders(passage, self._without_dashes(passage))
        orders = [line.order for line in lines if line.order and line.order.at and not line.order.verb.rider]
        units, told = Counter(unit.at for unit in self.scene.own), Counter(order.at for order in orders)
        pairs = (one.at for one, other in pairwise(orders) if one != other and one.at == other.at)
        unclear = any(at is not None and told[at] > max(units[at], 1) for at in pairs)
        acts = any(PHASES.get(order.verb) is PhaseKind.MOVEMENT for order in orders[-1:])
        if acts and self.kind is PhaseKind.ADJUSTMENTS and (self.carried or self.leads(passage)):
            return []  # "Munich has to go. Holland and Denmark stay" removes Munich alone
        if unclear:  # "A Par - Bur, A Par - Pic" leaves a choice
            self.doubt = (Meaning(doubtful=tuple(orders)), passage)
        return [] if unclear else lines

    def _orders(self, passage: Passage, bare: Passage) -> list[SheetLine]:
        meaning = self._one(bare)
        commented = meaning.order and meaning.order.route and any(self._comments(bare))  # "A - B -- heads for C"
        if meaning.order and not commented:
            return self._lines(passage, meaning)
        if not meaning.doubtful and (parts := self._split(bare)):
            return parts
        self.doubt = (meaning, bare) if meaning.doubtful else None
        shorter = [] if self.effort.is_spent else list(self._shorter(bare))
        for words, aside in shorter:
            remarked = self._one(words)
            order = remarked.order if remarked.cost < INITIAL else None
            if order and aside[0].keys[0] == "-" and (order.of or not self.has_verb(words)):
                order = None  # what stands behind a dash may belong to it: it names no goal yet, and does not hold
            if order:
                self.aside = aside
                return self._lines(passage, remarked, trimmed=words)
            self.doubt = self.doubt or ((remarked, words) if remarked.doubtful else None)
        for words, aside in shorter if not self.doubt else ():
            if parts := self._split(words):
                self.aside = aside
                return parts
        return []

    def _without_dashes(self, passage: Passage) -> Passage:
        """Return the words without dashes around a verb of one or two letters, as in `-S-`: it is not a place."""
        keys, dropped = passage.keys, set[int]()
        for at in range(2, len(keys)):
            if keys[at - 1] != "-" or len(keys[at]) > INITIALS or not self._helps_or_holds(keys[at]):
                continue
            closed = keys[at + 1 : at + 2] == ["-"]
            behind = keys[at + 1 + closed : at + 2 + closed]
            exact = bool(self.books.first.places.exact(keys[at]))
            glued = passage.words[at - 1].end == passage.words[at].start > passage.words[at - 2].end + 1
            if (closed and not behind) or ((not exact or closed or glued) and behind and self.kind_of(behind[0])):
                dropped |= {at - 1, at + closed}
            elif closed and not exact:
                dropped |= {at - 1, at + 1}
            dropped.discard(at)
        return passage.outside([range(at, at + 1) for at in dropped]) if dropped else passage

    def _shorter(self, passage: Passage) -> Iterator[tuple[Passage, list[Passage]]]:
        """Yield the words without remarks, and these: in brackets, after a comma, or about the order's result."""
        brackets = [
            at for at in passage.remarks()
            if len(at) > LONGEST_NAME or not self.kind_of(passage.keys[at.start - 1])  # not "A (Par)"
        ]  # fmt: skip
        if any(self.kind_of(passage.keys[at]) for at in (brackets[0] if brackets and not brackets[0].start else ())):
            brackets = brackets[1:]  # "(ENG FLT NTH) CVY ..."
        remarks = [at for at in brackets if self._is_remark(passage.part(at.start, at.stop))]
        for number in reversed(range(len(remarks))):
            outside = passage.outside(remarks[number:])
            if outside.words:
                yield outside, [passage.part(at.start, at.stop) for at in remarks[number:]]
        size = len(passage.keys)
        results, confirms = (passage.find(self.cues(table))[:1] for table in ("results", "confirms"))
        behind = passage.part(confirms[0].start if confirms else size, size).without_phrases(self.cues("confirms"))
        valid = all(map(self.cues("lead").fullmatch, behind.keys))  # nothing else is said
        cuts = [at.start for at in (*results, *confirms * valid)]
        parted = note_words("join") if self.kind is PhaseKind.ADJUSTMENTS else frozenset()
        ends = passage.breaks | passage.stops | {at for at, word in enumerate(passage.keys) if word in parted}
        ends |= {
            at for at in range(1, size - 2)  # a single word behind a dash may be a goal: "A Ven H - Xyzxyz"
            if passage.keys[at] == "-" and not self.place_at(passage, at + 1, loose=True)
        }  # fmt: skip
        cuts += [at for at in sorted(ends) if self._is_remark(passage.part(at, size))][:1]
        for cut in cuts:
            if cut:
                yield passage.part(0, cut), [passage.part(cut, size)]
        for at in self._comments(passage):
            yield passage.part(0, at), [passage.part(at + 1, size)]

    def _comments(self, passage: Passage) -> Iterator[int]:
        """Find dashes of another kind than the order's, after which words comment on it."""
        written = passage.line.written
        signs = [written[word.start : word.end] if word.key == "-" else "" for word in passage.words]
        for at in range(2, len(signs) - 1):
            other = signs[at] and any(signs[:at]) and signs[at] not in signs[:at]
            rest = passage.part(at + 1, len(signs))
            apart = signs[at] and any(signs[:at]) and passage.is_apart(at) and passage.is_apart(at + 1)
            other = other or (apart and at + 2 < len(signs) and not passage.is_large(at + 1))  # "- Mar - makes it two"
            other = other or (signs[at] and at + 2 < len(signs) and "hold" in self.says(passage.keys[at - 1]))
            plain = other and not self.place_at(passage, at + 1) and 0 not in self.begins(rest)
            said = self.cues("polite").sub("", rest.said)
            if plain and not self.cues.any((*UNSURE, "correction", "oops", "cancels", "instead", "denies"), said):
                yield at

    def _is_remark(self, words: Passage) -> bool:
        """Return whether words beside an order leave it as it is.

        A condition, a coast or a place do not; but a retreat is for later, as is what stands behind "next season".
        """
        said = self.cues("polite").sub("", words.said)
        says = {table for table in (*UNSURE, "retreats", "keeps") if self.cues.has(table, said)}
        if self.cues("reasons").match(said):  # "(as you asked)", "(because I do not trust Germany)"
            says -= {"doubt", "negation", "past"}
        starts = (words.keys[where.start] for where, _ in self.places(words))
        named = any(not self.cues("greeting").match(word) for word in starts)  # not "sir", Syria
        kinds = self.kind is PhaseKind.MOVEMENT and any(len(word) > 1 and self.kind_of(word) for word in words.keys)
        if kinds and not words.inside[0] and any(self._helps_or_holds(w) for w in words.keys if len(w) > INITIALS):
            return False  # "the Atlantic fleet supports it"
        if words.inside[0] and self.cues.ejected(said):
            return True
        if self.kind is PhaseKind.ADJUSTMENTS and not words.inside[0] and not says and self.leads(words):
            return False
        begun = words.stops & {*self.begins(words), *self.leads(words)}
        if any(self.provinces(words.part(at, len(words.keys))) for at in begun):
            return False  # "A Par - Bur. No hard feelings. A Mar - Spa"
        first = words.part(0, min((*words.breaks, len(words.keys))))
        if self.kind is PhaseKind.ADJUSTMENTS and says == {"keeps"} and not words.stops:
            return bool(self.cues.has("keeps", first.said))  # "..., keep A Bur"
        if "next" in says and says <= {"keeps", "next", "negation"} and named:
            return True  # "(ashore at Gascony next season, not now)"
        parted = re.match(r"\s*[,!.]", words.line.written[words.words[0].end :])
        if named and self.cues("instead").match(words.said) and not parted:
            return True  # "A Par - Pic (not Bur)", "A Par - Pic (was: A Par - Bur)"
        if "?" in words.keys or self.cues("denies").fullmatch(said):
            return False
        coast = self.is_coast(words)
        if coast or says - {"keeps"}:
            return False
        return not self.spans(words) if words.inside[0] else not named

    def spans(self, words: Passage) -> Spans:
        """Return the orders among other words, and their places."""
        starts, size = {at for at in self.begins(words) if self._may_end(words, at)}, len(words.keys)
        ends = set[int]()
        if self.kind is PhaseKind.ADJUSTMENTS:
            starts |= self.leads(words)
        for at in starts if self.kind is PhaseKind.ADJUSTMENTS else ():  # "a fleet in Brest | and an army in Paris"
            while at and words.keys[at - 1] not in note_words("join") and self.is_article(words.keys[at - 1]):
                at -= 1
            ends |= {at - 1} if at and words.keys[at - 1] in note_words("join") else set()
        cued = (found.start for table in ("ends", "reasons", "oops") for found in words.find(self.cues(table)))
        ends |= {*starts, *words.breaks, *words.stops, size, *cued}
        between = [""] + [words.line.written[one.end : two.start] for one, two in pairwise(words.words)]
        parted = (at for at in range(1, size) if "," in between[at] or words.inside[at] != words.inside[at - 1])
        ends |= {*parted, *(at for at in range(1, size) if words.keys[at] in _STOPS or self.is_aim(words, at))}
        if len(words.keys) > UNPARTED and not words.breaks | words.stops:
            ends |= {where.stop for where, _ in self.places(words)}  # dictated without a comma
        found: Spans = []
        at = 0
        while at < size and not self.effort.is_spent:
            behind = sorted((end for end in ends if end > at + 1), reverse=True)[-MOST_ENDS:] if at in starts else []
            for end in behind:
                part = self._without_dashes(words.part(at, end))
                meaning = self._one(part)
                if meaning.order and not meaning.group:
                    found.append((range(at, end), self._lines(part, meaning)))
                    break
            at = found[-1][0].stop if found and found[-1][0].start == at else at + 1
        return found

    def _split(self, passage: Passage) -> list[SheetLine] | None:
        """Return several orders in a row, with commas, "and" or nothing between; None unless all are orders."""
        book = self.books.first
        keys = passage.keys
        parted = passage.breaks | passage.stops
        breaks = [at for at in range(1, len(keys)) if at in parted or keys[at] in note_words("join")]
        unit = [word in ("+", "-") or self.kind_of(word) for word in keys] + [False]
        apart = [at for at in range(1, len(keys)) if keys[at] != "-" or passage.is_apart(at)]  # not "Mid-Atlantic"
        bare = [at for at in apart if not unit[at - 1] and self._may_end(passage, at)]
        loose = [at for at in bare if unit[at] or (keys[at] in book.powers and unit[at + 1])]
        for cuts in (breaks, sorted({*breaks, *loose})):
            if cuts and len(cuts) <= MOST_BREAKS and not self.effort.is_spent:
                orders = self._parts(passage, [0, *cuts, len(keys)]) or self._shared(passage, [0, *cuts, len(keys)])
                if orders and len(orders) > 1:
                    return orders
        return None

    def _shared(self, passage: Passage, cuts: list[int]) -> list[SheetLine]:
        """Return the same order for each unit of a list: "A 13, A 45 and A 59 hold"; only for holds and disbands."""
        if self.kind is PhaseKind.ADJUSTMENTS:
            return []
        joined = note_words("join")
        parts = [passage.part(at + (passage.keys[at] in joined), end) for at, end in pairwise(cuts)]
        parts[-1] = parts[-1].without(*(word for word in parts[-1].keys if "both" in self.says(word)))  # "both hold"
        said = parts[0] if 0 in self.leads(passage) else parts[-1]  # "Disband A 13 and A 45"
        order = self._one(said).order if said.words else None
        if order is None or order.at is None or order.verb not in (Verb.HOLD, Verb.DISBAND):
            return []
        told = [order if part is said else self.unit_alone(part) for part in parts]
        meant = [(part, Meaning(replace(one, verb=order.verb))) for part, one in zip(parts, told, strict=True) if one]
        return [line for part, one in meant for line in self._lines(part, one)] if all(told) else []

    def unit_alone(self, words: Passage) -> Order | None:
        """Return the hold of an own unit if words only name this unit."""
        start = next((at for at in range(len(words.keys)) if not self.kind_of(words.keys[at])), len(words.keys))
        place = self.place_at(words, start) if start < len(words.keys) else None
        if place is None or place[0] != len(words.keys) or start > 1:
            return None
        units = [unit for unit in self.scene.own if unit.at.province in place[1]]
        alike = [unit for unit in units if start == 0 or unit.kind[:1] == self.kind_of(words.keys[0])[:1]]
        return Order(Verb.HOLD, alike[0].kind, alike[0].at) if len(alike) == 1 else None

    def _parts(self, passage: Passage, cuts: list[int]) -> list[SheetLine] | None:
        """Return the fewest orders into which the words can be divided at these places."""
        carried = self.carried
        best: dict[int, list[SheetLine] | None] = {cuts[0]: []}
        for end in cuts[1:]:
            for start in cuts:
                if start >= end or best.get(start) is None or end - start > 40:
                    continue
                before = best[start] or []
                first = start + (passage.keys[start] in note_words("join") and start + 1 < end)
                last = before[-1].order if before and self.kind is PhaseKind.ADJUSTMENTS else None
                self.carried = last.verb if last else carried
                part = passage.part(first, end)
                meaning = self._one(part)
                if meaning.order and (meaning.order.kind or meaning.order.verb is not Verb.BUILD):  # no misspelt place
                    listed = [*before, *self._lines(part, meaning)]
                    known = best.get(end)
                    if known is None or len(listed) < len(known):
                        best[end] = listed
        self.carried = carried
        return best.get(cuts[-1])

    def _lines(self, passage: Passage, meaning: Meaning, trimmed: Passage | None = None) -> list[SheetLine]:
        """Return the line of a passage's meaning; of an order for many units, without its unit.

        A game keeps the words as they are if the notation reads them alike.
        """
        order, text = meaning.order, passage.text
        assert order is not None
        line = SheetLine(text, passage.line.number, passage.column(0), order)
        if meaning.group:
            return [line]
        plain = self._plain(passage) == order
        read_as = "" if plain else self.read_as(text, order)
        if trimmed is not None:
            read_as = f"{self.read_as(trimmed.text, order)}; the remark beside it is not part of the order"
        return [replace(line, read_as=read_as, stored=text if plain else self.notation.write(order))]

    def unit_name(self, unit: Order | Unit) -> str:
        """Return a unit, or that of an order, as it is printed."""
        return self.notation.write(Order(Verb.HOLD, unit.kind, unit.at)).removesuffix(" H")

    def meant_by(self, words: Passage, text: str) -> list[SheetLine]:
        """Return the orders in a text, as lines of the words that mean it."""
        lines = self.orders(passage(text, words.line.number))
        return [replace(line, text=words.text, column=words.column(0)) for line in lines]

    def read_as(self, text: str, order: Order) -> str:
        """Return the text that says how words were read."""
        return f"{text.strip()!r} is read as {self.notation.write(order)}"

    def _why(self, passage: Passage, doubt: tuple[Meaning, Passage] | None) -> SheetLine:
        """Return why words that may be several orders are refused."""
        if not doubt:
            return self.refuse(passage)
        meaning, words = doubt
        listed = " or ".join(map(self.notation.write, meaning.doubtful[:8]))
        many = len(meaning.doubtful) > 1
        what = f"this could be {listed}" if many else "this name is another place's, too"
        hint = f"write one of these: {listed}" if many else f"write {listed} if you mean that"
        return self._refusal(passage, words.column(meaning.at), what, hint, meaning.doubtful)

    def refuse(self, passage: Passage, what: str = "") -> SheetLine:
        """Return why words are not an order, where the fault is, and the nearest legal order."""
        column, fault = passage.column(0), ""
        try:
            order = self.notation.read(passage.text, self.kind)
            if order.power not in ("", self.power):
                what = what or f"this is an order of {order.power}"
        except BadOrder as error:
            column, fault = passage.words[0].start + error.column, error.what
        what = what or self._ruling(passage) or self._doubtful_name(passage) or fault
        nearest = " or ".join(map(self.notation.write, self.resembled(passage)))
        hint = f"did you mean {nearest}?" if nearest else ""
        return self._refusal(passage, column, what or "this is not an order", hint)

    def _refusal(
        self, passage: Passage, column: int, what: str, hint: str, options: tuple[Order, ...] = ()
    ) -> SheetLine:
        """Return a refused line; a game keeps it marked if the notation would read it."""
        text, stored = passage.text, unread(passage.text)
        try:
            self.notation.read(text, self.kind)
        except BadOrder:
            stored = text
        return SheetLine(text, passage.line.number, column, stored=stored, what=what, hint=hint, options=options)

    def seems(self, passage: Passage) -> bool:
        """Return whether words that make no order were most likely meant as one."""
        return bool(self.resembled(passage) or self._ruling(passage))


class Readers:
    """The readers of the lines of one letter, by the power and by what the lines are for."""

    def __init__(self, at: Situation, cues: Cues) -> None:
        self.at, self.cues, self.effort = at, cues, Effort()
        self.made: dict[tuple[str, Purpose], LineReader] = {}

    def of(self, power: str, purpose: Purpose = Purpose.NOW) -> LineReader:
        """Return the reader of a power's lines; for retreats, units may go from their place to any adjacent one."""
        if (power, purpose) not in self.made:
            at, position, kind = self.at, self.at.position, KINDS.get(purpose, self.at.kind)
            if purpose is Purpose.RETREATS:
                own = tuple(unit for unit in position.units if unit.power == power and not unit.aboard)
                position = add_dislodged(at.rules, replace(position, units=()), own)
            then = Situation(at.rules, kind, position, at.season if kind is at.kind else None)
            self.made[power, purpose] = LineReader(then, power, self.effort, self.cues)
        return self.made[power, purpose]
