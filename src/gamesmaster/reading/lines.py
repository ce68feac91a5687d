"""Lines: the orders that some words of one power mean in one position, or why they mean none.

Words are taken as they come, in any dialect of the hobby (`gamesmaster.orders.dialect`).  Whatever is not an order is
named, with the place of the fault and the nearest legal order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gamesmaster.board import Position
from gamesmaster.errors import BadOrder
from gamesmaster.judge import adjudicate, given_options
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.orders.dialect import Cues, dialects, languages, note_words
from gamesmaster.reading.codes import coded_move
from gamesmaster.reading.hints import SWAPPED, UNLIKE, Hinter
from gamesmaster.reading.meaning import Meaning, Scene, core, nearest_meaning
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.sheet import SheetLine, unread
from gamesmaster.reading.sketch import INITIALS, Sketch, Sketcher
from gamesmaster.reading.wordbook import INITIAL, LONGEST_NAME, SLIP, Wordbook, Wordbooks, spell_apart, trims
from gamesmaster.rules import Cause, Rules, Season

MOST_WORDS = 200  # of a line that is looked into
MOST_BREAKS = 24
LONGEST_VERB = 6  # words
CODE = 3  # letters of a place's short name
MOST_HINTS = 60  # lines of a sheet that get one
MOST_SLIPS = 2 * SLIP
"""How far words may be from an impossible order for the refusal to name its reason: two misspelt names."""
MOST_ENDS = 12  # of a span that may be an order
UNSURE = ("condition", "alternative", "negation", "doubt", "draft", "next", "past")
"""Tables of words with which nothing is an order, nor a remark beside one."""


Spans: TypeAlias = list[tuple[range, list[SheetLine]]]
"""Orders among other words, and where."""


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
        effort: Effort | None = None, cues: Cues | None = None,
    ) -> None:  # fmt: skip
        self.rules, self.kind, self.power = rules, kind, power
        self.cues = cues or Cues(languages())
        self.notation = rules.notation
        self.books = rules.derive(Wordbooks)
        self.carried: AnyVerb | None = None
        self.aside: list[Passage] = []
        self._doubt: tuple[Meaning, Passage] | None = None
        self._looked: dict[object, Meaning] = {}
        self._begun: dict[object, list[int]] = {}
        self.effort = effort or Effort()
        self.scene = Scene(rules, kind, position, power, given_options(rules, kind, position, power, season))

    def read(self, passage: Passage) -> list[SheetLine]:
        """Return the orders of some words, all of them, or one line with the reason against them."""
        if len(passage.keys) > MOST_WORDS:
            return [self.refuse(passage, "this is too long for an order")]
        return self.orders(passage) or [self._why(passage, self._doubt)]

    @property
    def is_in_doubt(self) -> bool:
        """Return whether the words looked at last could be several orders."""
        return self._doubt is not None

    def read_marked(self, passage: Passage) -> list[SheetLine]:
        """A line that was refused before, as a game keeps it: it stays refused, whatever may be read now."""
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
        """The orders that all of these words are, with a remark beside them, which is kept in `aside`; else none."""
        self.aside, self._doubt = [], None
        if len(passage.keys) > MOST_WORDS or not passage.words:
            return []
        lines = self._orders(passage, self._without_dashes(passage))
        orders = [line.order for line in lines if line.order and line.order.at]
        unclear = any(one != other and one.at == other.at for one, other in pairwise(orders))
        if self.kind is PhaseKind.ADJUSTMENTS:  # "Munich has to go. Holland and Denmark stay" removes Munich alone
            stays = [order.verb is Verb.HOLD for order in orders]
            unclear |= any(stays[at : at + 3] == [False, False, True] for at in range(len(stays)))
            moves = any(order.verb in (Verb.MOVE, Verb.SUPPORT, Verb.CONVOY) for order in orders)
            if moves and self.leads(passage):  # "The fleet in Greece goes, Serbia stays"
                return []
        if unclear:  # "A Par - Bur, A Par - Pic" leaves a choice
            self._doubt = (Meaning(doubtful=tuple(orders)), passage)
        return [] if unclear else lines

    def _orders(self, passage: Passage, bare: Passage) -> list[SheetLine]:
        meaning = self._one(bare)
        if meaning.order:
            return self._lines(passage, meaning)
        if not meaning.doubtful and (parts := self._split(bare)):
            return parts
        self._doubt = (meaning, bare) if meaning.doubtful else None
        shorter = [] if self.effort.is_spent else list(self._shorter(bare))
        for words, aside in shorter:
            remarked = self._one(words)
            unfinished = aside[0].keys[0] == "-" and not self._is_finished(words, remarked.order)
            if remarked.order and not unfinished and remarked.cost < INITIAL:
                self.aside = aside
                return self._lines(passage, remarked, trimmed=words)
            self._doubt = self._doubt or ((remarked, words) if remarked.doubtful else None)
        for words, aside in shorter if not self._doubt else ():
            if parts := self._split(words):
                self.aside = aside
                return parts
        return []

    def _is_void(self, passage: Passage) -> bool:
        """Return whether a name in doubt makes these words void, whatever the unit can do (CLN-H.f)."""
        return self.rules.rulebook.doubtful_name == "never" and bool(self._doubtful_name(passage))

    def _without_dashes(self, passage: Passage) -> Passage:
        """The words without dashes about a verb of a letter or two, as in `-S-`: it cannot be a place there."""
        keys, dropped = passage.keys, set[int]()
        for at in range(2, len(keys)):
            if keys[at - 1] != "-" or len(keys[at]) > INITIALS or not self._helps_or_holds(keys[at]):
                continue
            closed = keys[at + 1 : at + 2] == ["-"]
            behind = keys[at + 1 + closed : at + 2 + closed]
            place = self.books.first.places.find((keys[at],))
            exact = place is not None and bool(place.exact)
            glued = passage.words[at - 1].end == passage.words[at].start > passage.words[at - 2].end + 1
            if (closed and not behind) or ((not exact or closed or glued) and behind and self.is_kind(behind[0])):
                dropped |= {at - 1, at + closed}
            elif closed and not exact:
                dropped |= {at - 1, at + 1}
            dropped.discard(at)
        return passage.outside([range(at, at + 1) for at in dropped]) if dropped else passage

    def _may_end(self, passage: Passage, at: int) -> bool:
        """Return whether an order may end before a word: not behind what may be a support, "A 89 - S A 90"."""
        before = passage.keys[max(at - 2, 0) : at]
        short = len(before) == 2 and before[0] == "-" and len(before[1]) <= INITIALS
        return at in passage.breaks | passage.stops or not (short and self._helps_or_holds(before[1]))

    def _helps_or_holds(self, word: str) -> bool:
        return not self.says(word).isdisjoint(("support", "convoy", "hold"))

    def says(self, word: str) -> set[str]:
        """Return what a word of an order may say, in any language."""
        return self.books.says.get(word, set())

    def _is_finished(self, passage: Passage, order: Order | None) -> bool:
        """Return whether nothing behind a dash can belong to an order: it names its goal, or says that it holds."""
        return order is not None and order.of is None and self.has_verb(passage)

    def has_verb(self, passage: Passage) -> bool:
        """Return whether a dash, or a word that is neither a kind of unit nor a place, says what is done."""
        places = self.books.first.places
        said = [word for word in passage.keys if self.says(word) and not self.is_kind(word)]
        return "-" in passage.keys or not all((spot := places.find((word,))) and spot.exact for word in said)

    def is_kind(self, word: str) -> bool:
        """Return whether a word says what kind of unit one is."""
        return word in self.books.kinds

    def kind_of(self, word: str) -> str:
        """The kind of unit that a word says, empty if none."""
        return self.books.kinds.get(word, "")

    def _shorter(self, passage: Passage) -> Iterator[tuple[Passage, list[Passage]]]:
        """The words without remarks, and those: in brackets, behind a comma, or of what came of the order."""
        brackets = [at for at in passage.remarks() if not self.is_kind(passage.keys[at.start - 1])]  # not "A (Par)"
        if any(self.is_kind(passage.keys[at]) for at in (brackets[0] if brackets and not brackets[0].start else ())):
            brackets = brackets[1:]  # "(ENG FLT NTH) CVY ..."
        remarks = [at for at in brackets if self._is_remark(passage.part(at.start, at.stop))]
        for number in reversed(range(len(remarks))):
            outside = passage.outside(remarks[number:])
            if outside.words:
                yield outside, [passage.part(at.start, at.stop) for at in remarks[number:]]
        size = len(passage.keys)
        cuts = [found.start for found in passage.find(self.cues("results"))[:1]]
        parted = note_words("join") if self.kind is PhaseKind.ADJUSTMENTS else frozenset()
        ends = passage.breaks | passage.stops | {at for at, word in enumerate(passage.keys) if word in parted}
        ends |= {
            at for at in range(1, size - 2)  # a single word behind a dash may be a goal: "A Ven H - Xyzxyz"
            if passage.keys[at] == "-" and not self._leads_to_place(passage, at)
        }  # fmt: skip
        cuts += [at for at in sorted(ends) if self._is_remark(passage.part(at, size))][:1]
        for cut in cuts:
            if cut:
                yield passage.part(0, cut), [passage.part(cut, size)]

    def _is_remark(self, words: Passage) -> bool:
        """Return whether words beside an order leave it as it is.

        A condition, a coast or a place do not; but a retreat is for later, as is what stands behind "next season".
        """
        said = self.cues("polite").sub("", words.said)
        says = {table for table in (*UNSURE, "retreats", "keeps") if self.cues.has(table, said)}
        if self.cues("reasons").match(said):  # "(as you asked)", "(because I do not trust Germany)"
            says -= {"doubt", "negation", "past"}
        named = any(self.place_at(words, at) for at in range(len(words.keys)))
        if words.inside[0] and "retreats" in says:
            return True
        if self.kind is PhaseKind.ADJUSTMENTS and not words.inside[0] and not says and self.leads(words):
            return False
        first = words.part(0, min((*words.breaks, len(words.keys))))
        if self.kind is PhaseKind.ADJUSTMENTS and says == {"keeps"} and not words.stops:
            return bool(self.cues.has("keeps", first.said))  # "..., keep A Bur"
        if says - {"keeps"} == {"next"} and named:
            return True
        if named and self._replaces(words):
            return True  # "A Par - Pic (not Bur)", "A Par - Pic (was: A Par - Bur)"
        if "?" in words.keys or self.cues("denies").fullmatch(said):
            return False
        coast = self.is_coast(words)
        if coast or says - {"keeps"}:
            return False
        return not self.spans(words) if words.inside[0] else not named

    def _replaces(self, words: Passage) -> bool:
        """Return whether words begin with what says that an order stands in the place of what they name."""
        found, first = self.cues("instead").match(words.said), words.words[0].end
        return found is not None and not re.match(r"\s*[,!.]", words.line.written[first:])

    def is_coast(self, words: Passage) -> bool:
        """Return whether words are like those for a coast."""
        near = process.extractOne(words.said, self.books.coasts, scorer=OSA.normalized_distance, score_cutoff=UNLIKE)
        return near is not None or not note_words("coast").isdisjoint(words.keys)

    # -- orders among other words ------------------------------------------------------------------------------------

    def place_at(self, words: Passage, at: int) -> tuple[int, frozenset[str]] | None:
        """The place that a name says exactly from one word on: where it ends, and what it may be."""
        longest = min(LONGEST_NAME, len(words.keys) - at) if words.keys[at] in self.books.beginnings else 0
        for size in range(longest, 0, -1):
            if words.inside[at] != words.inside[at + size - 1]:
                continue
            if named := self.books.named(words.keys[at : at + size]):
                return at + size, named
        return None

    def begins(self, words: Passage) -> list[int]:
        """Where words name a unit: its kind and its place, or the place of one of the power's own."""
        asked = (words.line.number, words.text if words.words else "", *words.keys)
        if asked not in self._begun:
            self._begun[asked] = self._find_units(words)
        return self._begun[asked]

    def _find_units(self, words: Passage) -> list[int]:
        written, own = words.line.written, {unit.at.province for unit in self.scene.own}
        small = written != written.lower()  # where a name of few letters is written large
        own |= {order.at.province for order in self.scene.by_verb.get(Verb.BUILD, ()) if order.at}
        found = []
        for at, word in enumerate(words.keys):
            kind = next((n for n in (2, 1) if self.is_kind(" ".join(words.keys[at : at + n]))), 0)
            named = at + kind
            while (
                kind
                and len(word) > 1
                and named < min(len(words.keys) - 1, at + kind + 2)
                and "in" in self.says(words.keys[named])
            ):
                named += 1  # "Armee in Berlin"
            if named >= len(words.keys):
                continue
            place = self.place_at(words, named)
            spelt = written[words.words[at].start : words.words[at].end]
            capital = len(word) > 1 or spelt.isupper()
            bare = place and own & place[1] and not (small and len(word) <= CODE and spelt.islower())
            if (place and kind) or bare or (kind and capital and self._is_place(words.keys[named])):
                found.append(at)
        return [at for at in found if at - 1 not in found or not self.is_kind(words.keys[at - 1])]

    def is_small(self, word: str) -> bool:
        """Return whether a word is an article, or a preposition before a place."""
        return not self.says(word).isdisjoint(("in", "to"))

    def _is_place(self, *words: str) -> bool:
        """Return whether it is a place's name, perhaps cut short or misspelt."""
        spots = (book.places.find(words) for book in self.books)
        return any(spot and spot.cost < INITIAL for spot in spots)

    def _leads_to_place(self, passage: Passage, at: int) -> bool:
        """Return whether a place is named behind a word."""
        if at + 1 < len(passage.keys) and self.place_at(passage, at + 1):
            return True
        behind = passage.keys[at + 1 : at + 1 + LONGEST_NAME]
        sizes = range(1, len(behind) + 1) if len(behind[0]) > CODE else ()
        return any(self._is_place(*behind[:size]) for size in sizes)

    def spans(self, words: Passage) -> Spans:
        """The orders that stand among other words, and where."""
        starts, size = {at for at in self.begins(words) if self._may_end(words, at)}, len(words.keys)
        if self.kind is PhaseKind.ADJUSTMENTS:
            starts |= self.leads(words)
        ends = {*starts, *words.breaks, *words.stops, size} | {found.start for found in words.find(self.cues("ends"))}
        between = [""] + [words.line.written[one.end : two.start] for one, two in pairwise(words.words)]
        parted = (at for at in range(1, size) if "," in between[at] or words.inside[at] != words.inside[at - 1])
        ends |= {*parted, *(at for at in range(1, size) if words.keys[at] in _STOPS)}
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

    def names_order(self, words: Passage) -> bool:
        """Return whether some words name a unit by its kind, or say what one does."""
        verbs = {"to", "hold", "support", "convoy", "send"}
        spoken = any(verbs & self.says(word) for word in words.keys if len(word) > INITIALS)
        return spoken or any(len(word) > 1 and self.is_kind(word) for word in words.keys)

    def is_lost(self, words: Passage) -> bool:
        """Return whether words are an order for a place that nobody knows: "F Nowhere - Mao", "A Xyzxyz H"."""
        keys, size = words.keys, len(words.keys)
        led = next((n for n in (2, 1) if self.says(" ".join(keys[:n])) & _LEADING), 0)
        kind = next((n for n in (2, 1) if self.is_kind(" ".join(keys[led : led + n]))), 0)
        name = led + kind
        if not kind or name >= size or self.is_small(keys[name]):
            return False
        if led:
            return name + 1 == size
        dashes = [at for at in range(1, size - 1) if keys[at] == "-" and words.is_apart(at)]
        if any(self.place_at(words, at + 1) for at in dashes):
            return True
        ends = [end for end in (name + 1, name + 2) if end < size and self._acts(words, end)]
        sure = kind == 1 < len(keys[0]) or words.is_large(name)
        return any(sure or len(keys[end]) == 1 for end in ends)

    def _acts(self, words: Passage, at: int) -> bool:
        """Return whether words from one to the last say what a unit does, whatever the names among them."""
        keys, size = words.keys, len(words.keys)
        for end in range(min(at + LONGEST_VERB, size), at, -1):
            says = {"to"} if keys[at:end] == ["-"] else self.says(" ".join(keys[at:end]))
            if end == size:
                found = "hold" in says
            elif "to" in says and end + 1 == size:
                found = words.is_large(end) and keys[end] not in self.books.first.powers
            else:
                helps = not says.isdisjoint({"support", "convoy"})
                found = helps and (self.is_kind(keys[end]) or self.place_at(words, end) is not None)
            if found:
                return True
        return False

    def wish(self, words: Passage) -> int | None:
        """Return where the words begin, up to the last, that tell where a unit retreats to: "r Boh or Tyr"."""
        for at in range(len(words.keys) if self.kind is PhaseKind.MOVEMENT else 0):
            if "retreat" not in self.says(words.keys[at]) or (
                at and words.keys[at - 1] == "-" and not words.is_wide(at - 1)
            ):
                continue
            end, found = at + 1, False
            while end < len(words.keys):
                place, word = self.place_at(words, end), words.keys[end]
                if "disband" in self.says(word) and end + 1 == len(words.keys):
                    return at
                if not (
                    place
                    or word in ":-/"
                    or self.is_small(word)
                    or word in note_words("join")
                    or self.cues.has("alternative", word)
                ):
                    break
                end, found = place[0] if place else end + 1, found or place is not None
            if found and end == len(words.keys):
                return at
        return None

    def disbands(self, words: Passage) -> bool:
        """Return whether one of some words is for a unit that leaves the board."""
        return any("disband" in self.says(word) for word in words.keys)

    def leads(self, words: Passage) -> set[int]:
        """Where words say that something is built or removed."""
        books, keys = list(self.books), words.keys
        tables = {"build", "remove", "disband", "plus", "minus", "waive"}
        return {
            at for at in range(len(keys)) if keys[at] != "-" or not at or words.is_apart(at)  # not "Mid-Atlantic"
            for size in range(1, LONGEST_VERB) for book in books
            if tables & book.meant_by(" ".join(keys[at : at + size])).keys()
        }  # fmt: skip

    def _one(self, passage: Passage) -> Meaning:
        """What some words mean as one order; looked up if it was asked before."""
        words = (passage.text, *passage.keys, self.carried)
        if words not in self._looked:
            self._looked[words] = self._guarded(passage) if passage.words else Meaning()
        return self._looked[words]

    def _guarded(self, passage: Passage) -> Meaning:
        """What some words mean.  In Winter, a unit without a verb is built, if it may be, but never removed."""
        if any(
            len(word) > 1 and self.cues("alternative").fullmatch(word) for word in (passage.keys[0], passage.keys[-1])
        ):
            return Meaning()
        meaning, order = self._checked(passage, self._any(passage)), None
        if self.kind is PhaseKind.ADJUSTMENTS and not self.carried and not self.leads(passage):
            order = meaning.order
        if order is None or order.at is None or order.verb not in (Verb.BUILD, Verb.REMOVE):
            return meaning
        if not any(map(self.is_kind, passage.keys)):
            return Meaning()
        owned = self.scene.position.centres(self.power)
        free = self.scene.unit_at(order.at.province, own=False) is None and order.verb is Verb.BUILD
        if free and (not owned or len(owned) > len(self.scene.own)):
            return meaning
        return Meaning(doubtful=(replace(order, verb=Verb.REMOVE), replace(order, verb=Verb.BUILD)), cost=meaning.cost)

    def _checked(self, passage: Passage, meaning: Meaning) -> Meaning:
        """Return the meaning, in doubt if a short word is not a name here and an order with a slip is nearer."""
        if meaning.order and self._is_void(passage):
            return replace(meaning, order=None, doubtful=(meaning.order,))
        if meaning.order is None or meaning.group or not any(map(self._is_guess, passage.keys)):
            return meaning
        near = [order for order in self._hinters[0].nearest(passage, SWAPPED) if order.verb is meaning.order.verb]
        if not near or core(meaning.order) in map(core, near):
            return meaning
        return replace(meaning, order=None, doubtful=(*near, meaning.order))

    def _is_guess(self, word: str) -> bool:
        """Return whether a word of a few letters is neither a name of the board nor a word of an order."""
        return len(word) in _SHORT_WORD and word.isalpha() and word not in self._known

    @cached_property
    def _known(self) -> set[str]:
        """The words of orders in every language, and of the names that the board and the house style have."""
        books = list(self.books)
        tables = [table for book in books for table in (book.says, book.kinds, book.coasts, book.powers)]
        phrases = [phrase for table in (*tables, books[0].places.names) for phrase in table]
        notes = (note_words(table) for table in ("generic", "small", "heading"))
        return {word for phrase in phrases for word in phrase.split()}.union(*notes)

    def _any(self, passage: Passage) -> Meaning:
        self.effort.looks += 1
        if self.effort.is_spent:
            return Meaning(self._plain(passage))
        if printed := self._printed_order(passage):
            return Meaning(printed)
        if coded := None if self.carried else coded_move(self.scene, passage, self.is_kind):
            return coded
        meanings: list[Meaning] = []
        exact: list[Sketch] = []
        written: Order | None = None
        guesses = any(map(self._is_guess, passage.keys))
        for book in self.books:
            sketches = self._sketches(passage, book)
            meaning = self.scene.meaning(sketches)
            if self.carried and sketches and (bare := _as(self.carried, sketches)):
                meaning = self.scene.meaning(bare) if self.carried is not Verb.BUILD and not meaning.order else meaning
                sketches += bare
            if (meaning.order or (meaning.doubtful and not meanings)) and not meaning.cost:
                return meaning
            if meaning.order or meaning.doubtful:
                meanings.append(meaning)
            if (as_written := self.scene.as_written(sketches)) and self.scene.is_own(as_written) and not guesses:
                written = written or as_written
            exact += [sketch for sketch in sketches if sketch.cost == 0 and sketch.unit]
            if exact:
                break  # so it is written, whatever another language would make of it
        return nearest_meaning(meanings) or self._as_written(self._plain(passage) or written, exact)

    def _as_written(self, order: Order | None, sketches: Sequence[Sketch]) -> Meaning:
        """An order that may not be given is what is written, unless one that may be is a slip of the pen away."""
        meant = self.scene.slips(sketches) if order else ()
        return Meaning(doubtful=(order, *meant)) if order and meant else Meaning(order)

    def _sketches(self, passage: Passage, book: Wordbook) -> list[Sketch]:
        sketches: list[Sketch] = []
        for words in spell_apart(book, passage.keys, passage.marked):
            for start, end in trims(book, words.keys):
                sketcher = Sketcher(book, words.up_to(end), self.kind, passage.breaks)
                sketches += sketcher.whole(start, end)
                self.effort.steps += sketcher.steps
                if sketches:
                    return sketches
        return sketches

    def _plain(self, passage: Passage) -> Order | None:
        """The order that the words are in the house style, whatever the position: every name is exact."""
        try:
            order = self.notation.read(passage.text, self.kind)
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
        """Return whether it is a power's name and a place's code."""
        book = self.books.first
        spot = book.places.find((word,)) if word in book.powers else None
        return spot is not None and bool(spot.exact)

    def _split(self, passage: Passage) -> list[SheetLine] | None:
        """Return several orders in a row, with commas, "and" or nothing between; None unless all are orders."""
        book = self.books.first
        keys = passage.keys
        parted = passage.breaks | passage.stops
        breaks = [at for at in range(1, len(keys)) if at in parted or keys[at] in note_words("join")]
        begins = {*_KIND_WORDS, "+", "-", *book.kinds}
        unit = [word in begins for word in keys] + [False]
        apart = [at for at in range(1, len(keys)) if keys[at] != "-" or passage.is_apart(at)]  # not "Mid-Atlantic"
        bare = [at for at in apart if not unit[at - 1] and self._may_end(passage, at)]
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
                last = before[-1].order if before and self.kind is PhaseKind.ADJUSTMENTS else None
                self.carried = last.verb if last else carried
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
        return self._refusal(passage, column, what or "this is not an order", self.nearest(passage))

    def _every_sketch(self, passage: Passage) -> list[list[Sketch]]:
        """What some words say in each language, unless the sheet took too long already."""
        return [self._sketches(passage, book) for book in self.books if not self.effort.is_spent]

    def _doubtful_name(self, passage: Passage) -> str:
        """Say which places a name among the words could be, if it could be several in some language."""
        place = next(filter(None, map(self.scene.doubtful_place, self._every_sketch(passage))), None)
        if place is None:
            return ""
        shown = [self.notation.lexicon.places.shown[province] for province in sorted(place.spot.nearest)]
        return f"{passage.part(place.at, place.end).text!r} could be {', '.join(shown[:-1])} or {shown[-1]}"

    def _ruling(self, passage: Passage) -> str:
        """What the judge says of the order that words most likely are, if it can never come true."""
        sketches = [sketch for sketches in self._every_sketch(passage) for sketch in sketches]
        order = self.scene.as_written(sketches, MOST_SLIPS)
        if order is None or order.at is None or not self.scene.is_own(order):
            return ""
        ruling = adjudicate(self.rules, self.kind, self.scene.position, {self.power: [order]}).rulings[0]
        if ruling.possible:
            return ""
        board, shown = self.rules.board, self.notation.lexicon.places.shown
        beside = order.to and board.index[order.to.province] in board.neighbours[board.index[order.at.province]]
        if ruling.cause is Cause.NOT_ADJACENT and order.to and not beside:
            return f"{shown[order.at.province]} does not touch {shown[order.to.province]}"
        return f"{self.notation.tell(order)} {ruling.text}"

    def _refusal(
        self, passage: Passage, column: int, what: str, hint: str, options: tuple[Order, ...] = ()
    ) -> SheetLine:
        """A refused line; a game keeps it marked if the notation would read it."""
        text, stored = passage.text, unread(passage.text)
        try:
            self.notation.read(text, self.kind)
        except BadOrder:
            stored = text
        return SheetLine(text, passage.line.number, column, stored=stored, what=what, hint=hint, options=options)

    def nearest(self, passage: Passage) -> str:
        """Return a hint that names what this power may order and the words resemble; empty if they resemble nothing."""
        orders = self.resembled(passage)
        return f"did you mean {' or '.join(map(self.notation.write, orders))}?" if orders else ""

    def seems(self, passage: Passage) -> bool:
        """Return whether words that make no order were most likely meant as one."""
        return bool(self.resembled(passage) or self._ruling(passage))

    def resembled(self, passage: Passage) -> tuple[Order, ...]:
        """The orders that words resemble most, as long as hints are looked for in this sheet."""
        self.effort.hints += 1
        return self._hinters[1].nearest(passage) if self.effort.hints <= MOST_HINTS else ()

    @cached_property
    def _hinters(self) -> tuple[Hinter, Hinter]:
        """What finds resemblances by the names of the house style alone, and by those of all languages."""
        books = list(self.books)
        return Hinter(self.scene, books, books[:1]), Hinter(self.scene, books, books)

    @cached_property
    def _lawful(self) -> frozenset[Order]:
        """What may be ordered."""
        return frozenset(self.scene.listed)

    @cached_property
    def _spelled(self) -> dict[str, Order]:
        """What may be ordered for other units' sake, by how each dialect writes it to the letter."""
        helping = [order for order in self.scene.listed if order.of]
        return {self.notation.write(order, dialect=name): order for order in helping for name in dialects()}


_SHORT_WORD = range(3, 6)  # letters
_LEADING = frozenset({"build", "remove", "disband"})
_STOPS = frozenset("?:")
_KIND_WORDS = frozenset({"a", "f", "army", "fleet", "armee", "flotte", "flota", "ejercito", "e"})


def _as(verb: AnyVerb, sketches: Sequence[Sketch]) -> list[Sketch]:
    """Bare units as what stands above them tells: removals under "Removals"."""
    return [replace(sketch, verb=verb, cost=0) for sketch in sketches if sketch.parts == ("unit",)]
