"""Single orders: what some words name and say, and mean as one order, in every language, with the position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gamesmaster.board import Unit
from gamesmaster.errors import BadOrder
from gamesmaster.judge import adjudicate, given_options
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.orders.dialect import Cues, dialects, note_words
from gamesmaster.orders.words import key
from gamesmaster.reading.hints import SWAPPED, UNLIKE, Hinter
from gamesmaster.reading.meaning import Meaning, Scene, core, nearest_meaning
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.situation import Effort, Situation
from gamesmaster.reading.sketch import INITIALS, Named, Place, Sketch, Sketcher
from gamesmaster.reading.spelling import EXACT, SLIP, Spot
from gamesmaster.reading.wordbook import LONGEST_NAME, Wordbook, Wordbooks, spell_apart, trims
from gamesmaster.rules import Cause

LONGEST_VERB = 6  # words
CODE = 3  # letters of a place's short name
LEAST_STEM = 4  # letters of a province's name that its adjective begins with
MOST_HINTS = 60  # lines of a sheet that get one
MOST_SLIPS = 2 * SLIP  # the distance of words from an impossible order whose fault is named: two misspelt names
_SHORT_WORD = range(3, 6)  # letters
_LOOSE_NAME = 3  # words of a name that may be misspelt
_LEADING = frozenset({"build", "remove", "disband"})


class SingleReader:
    """Finds the one order that words of `power` mean in a situation, or those that they may mean.

    `carried` is the verb of a heading such as "Removals", which units below it without a verb have; the `effort` is
    that of the whole sheet.  `aside` are remarks beside the words looked at last, `doubt` what else they could mean.
    """

    def __init__(self, at: Situation, power: str, effort: Effort, cues: Cues) -> None:
        rules, kind = at.rules, at.kind
        self.at, self.rules, self.kind, self.power = at, rules, kind, power
        self.effort, self.cues = effort, cues
        self.notation = rules.notation
        self.books = rules.derive(Wordbooks)
        self.carried: AnyVerb | None = None
        self.aside: list[Passage] = []
        self.doubt: tuple[Meaning, Passage] | None = None
        self._looked: dict[object, Meaning] = {}
        self._begun: dict[object, dict[int, frozenset[str]]] = {}
        options = given_options(rules, kind, at.position, power, at.season)
        self.scene = Scene(rules, kind, at.position, power, options)

    def _one(self, passage: Passage) -> Meaning:
        """Return the meaning of some words as one order, which is remembered."""
        words = (passage.text, *passage.keys, self.carried)
        if words not in self._looked:
            self._looked[words] = self._guarded(passage) if passage.words else Meaning()
        return self._looked[words]

    def _guarded(self, passage: Passage) -> Meaning:
        """Return the meaning of some words.

        In Winter, a unit without a verb is built, if possible, but never removed.
        """
        ends = (word for word in (passage.keys[0], passage.keys[-1]) if len(word) > 1)
        parted = any(self.helps_alone(passage, at) for at in passage.stops)
        if parted or any(map(self.cues("alternative").fullmatch, ends)):
            return Meaning()
        verb, moving = passage.keys[0], self.kind is PhaseKind.MOVEMENT
        unit = self.place_at(passage, 1) if moving and len(verb) > 1 and self.kind_of(verb) else None
        if unit and unit[0] == len(passage.keys) and not self.carried:
            return Meaning()  # "Armee Belgien" is not the fleet in the Ärmelkanal
        helps = {"support", "convoy"} & self.says(verb) and not self.books.first.places.exact(verb)
        if moving and helps and len(verb) <= INITIALS and 1 in self.begins(passage) and len(passage.keys[1]) == 1:
            return Meaning()  # no unit is named before "S A Bul"
        if moving and self._ends_in_pronoun(passage):
            return Meaning()
        meaning, order = self._checked(passage, self._any(passage)), None
        if meaning.order and meaning.order.verb is Verb.BUILD and self._has_preposition(passage):
            at = meaning.order.at
            alike = [o for o in self.scene.by_verb[Verb.BUILD] if o.at and at and o.at.province == at.province]
            several = len({one.kind for one in alike}) > 1  # the words do not say the kind of unit
            return replace(meaning, order=None, doubtful=tuple(alike)) if several else meaning
        if self.kind is PhaseKind.ADJUSTMENTS and not self.carried and not self.leads(passage):
            order = meaning.order
        if order is None or order.at is None or order.verb not in (Verb.BUILD, Verb.REMOVE):
            return meaning
        if not any(map(self.kind_of, passage.keys)):
            return Meaning()
        free = self.scene.unit_at(order.at.province, own=False) is None and order.verb is Verb.BUILD
        due = self.at.due(self.power)
        if free and (due is None or due > 0):
            return meaning
        return Meaning(doubtful=(replace(order, verb=Verb.REMOVE), replace(order, verb=Verb.BUILD)), cost=meaning.cost)

    def _ends_in_pronoun(self, passage: Passage) -> bool:
        """Return whether a comma is behind a supported "that", which is the order before: "... helps that, ..."."""
        objects = (where for where in passage.find(self.cues("object")) if where.stop in passage.breaks)
        helps = {"support", "convoy"}
        return any(helps & self.says(passage.keys[where.start - 1]) for where in objects if where.start)

    def _has_preposition(self, passage: Passage) -> bool:
        """Return whether what may be the letter of a unit is a word before a name: "a Napoli", but not "a Nap"."""
        books = [self.books.of(language) for language in self.cues.languages if language]
        return sum(word in self.books.kinds for word in passage.keys) == 1 and any(
            self.kind_of(word) and len(behind) > CODE and any("to" in book.says.get(word, ()) for book in books)
            and passage.line.written[passage.words[at].start].islower()
            for at, (word, behind) in enumerate(pairwise(passage.keys))
        )  # fmt: skip

    def _checked(self, passage: Passage, meaning: Meaning) -> Meaning:
        """Return the meaning, in doubt if a short word is not a name here and an order with a slip is nearer."""
        if meaning.order and self.rules.rulebook.doubtful_name == "never" and self._doubtful_name(passage):
            return replace(meaning, order=None, doubtful=(meaning.order,))  # whatever the unit can do (CLN-H.f)
        if meaning.order is None or meaning.group or not any(map(self._is_guess, passage.keys)):
            return meaning
        near = [order for order in self._hinters[0].nearest(passage, SWAPPED) if order.verb is meaning.order.verb]
        if not near or core(meaning.order) in map(core, near):
            return meaning
        return replace(meaning, order=None, doubtful=(*near, meaning.order))

    def _is_guess(self, word: str) -> bool:
        """Return whether a word of a few letters is neither a name of the board nor a word of an order."""
        return len(word) in _SHORT_WORD and word.isalpha() and word not in self.books.known

    def _any(self, passage: Passage) -> Meaning:
        self.effort.looks += 1
        if self.effort.is_spent:
            return Meaning(self._plain(passage))
        if printed := self._printed_order(passage):
            return Meaning(printed)
        if coded := None if self.carried else self._coded(passage):
            return coded
        meanings: list[Meaning] = []
        exact: list[Sketch] = []
        written: Order | None = None
        for book in self.books:
            sketches = self._sketches(passage, book)
            meaning = self.scene.meaning(sketches)
            units = [sketch for sketch in sketches if sketch.parts == ("unit",)]
            if self.carried and units:
                bare = [replace(sketch, verb=self.carried, cost=0) for sketch in units]
                if meaning.cost and meaning.order and meaning.order.verb is not self.carried:
                    meaning = Meaning()  # "fleet Trieste" flees not below "Builds"
                meaning = self.scene.meaning(bare) if self.carried is not Verb.BUILD and not meaning.order else meaning
                sketches += bare
            if (meaning.order or (meaning.doubtful and not meanings)) and not meaning.cost:
                return meaning
            if meaning.order or meaning.doubtful:
                meanings.append(meaning)
            known = [word for word in passage.keys if self.carried and book.places.exact(word)]  # "Builds: Armee Wien"
            guesses = any(self._is_guess(word) and word not in known for word in passage.keys)
            if (as_written := self.scene.as_written(sketches)) and self.scene.is_own(as_written) and not guesses:
                written = written or as_written
            exact += [sketch for sketch in sketches if sketch.cost == 0 and sketch.unit]
            if exact:
                break  # so it is written, whatever another language would make of it
        return nearest_meaning(meanings) or self._as_written(self._plain(passage) or written, exact)

    def _coded(self, passage: Passage) -> Meaning | None:
        """Return the move that the codes of two places say, and nothing else, as the map shows them: `par bur`.

        A code has priority over what the word says in some language: "7 t" goes to the sea "t", although Frenchmen
        hold by "t".  It is in doubt if the second word also says to hold: "12 h".  "a d" is the army at "d", if there
        is one.
        """
        keys, scene = passage.keys, self.scene
        if self.kind is not PhaseKind.MOVEMENT or len(keys) != 2 or passage.breaks | passage.stops:
            return None
        unit, goal = map(self._place_coded, keys)
        if not unit or not goal or (self.kind_of(keys[0]) and scene.unit_at(goal, own=True)):
            return None
        named, there = (Place(Spot.of(place), at=at, end=at + 1) for at, place in enumerate((unit, goal)))
        meaning = scene.meaning([Sketch(Verb.MOVE, EXACT, unit=Named(named), goal=there)])
        if meaning.order and keys[1] == Verb.HOLD.phrase.short.casefold():
            holds = [order for order in scene.by_verb[Verb.HOLD] if order.at and order.at.province == unit]
            return Meaning(doubtful=(*holds[:1], meaning.order), at=1)
        return meaning if meaning.order or meaning.doubtful else None

    def _place_coded(self, word: str) -> str:
        """Return the province with this code, "" if there is not exactly one."""
        found = [self.rules.board.province(place) for place in self.notation.lexicon.places.exact.get(word, ())]
        coded = [one.id for one in found if word in (one.id.casefold(), one.abbr.casefold())]
        return coded[0] if len(coded) == len(found) == 1 else ""

    def _as_written(self, order: Order | None, sketches: Sequence[Sketch]) -> Meaning:
        """Return the meaning of an illegal order as written, in doubt if a single misspelling would make it legal.

        It is in doubt, too, if it supports a unit in an empty place, and a name in it could be a misspelt one.
        """
        meant = self.scene.slips(sketches) if order else ()
        slips = any(place.spot.near for sketch in sketches for place in sketch.places)
        empty = order and order.of and not self.scene.unit_at(order.of.province, own=False) and self.scene.is_own(order)
        return Meaning(doubtful=(order, *meant)) if order and (meant or (slips and empty)) else Meaning(order)

    def _sketches(self, passage: Passage, book: Wordbook) -> list[Sketch]:
        sketches: list[Sketch] = []
        keys, ends = passage.keys, passage.breaks  # "F Bla - Con. A Sev - Rum" is no convoy
        ends |= {at for at in passage.stops if keys[max(at - 2, 0)] == "-" and self.kind_of(keys[at])}
        for words in spell_apart(book, passage.keys, passage.marked):
            for start, end in trims(book, words.keys):
                sketcher = Sketcher(book, words, end, self.kind, ends)
                sketches += sketcher.whole(start)
                self.effort.steps += sketcher.steps
                if sketches:
                    return sketches
        return sketches

    def _plain(self, passage: Passage) -> Order | None:
        """Return the order that the words are in the house style in any position: every name is exact."""
        try:
            order = self.notation.read(passage.text, self.kind)
        except BadOrder:
            return None
        if order.power not in ("", self.power):
            return None
        return replace(order, power="")

    def _printed_order(self, passage: Passage) -> Order | None:
        """Return the legal order that the program itself prints with these words, which then mean nothing else.

        "W/CF c-h" goes to h if that is a place, and does not hold.  A word for a power and a place, such as "eng", is
        the place if some dialect writes an order exactly so.
        """
        order = self._plain(passage)
        lettered = len(passage.keys[-1]) == 1 and order and order.verb is Verb.MOVE and self.scene.is_own(order)
        if order and (order in self._lawful or lettered) and key(self.notation.write(order)) == key(passage.text):
            return order
        book = self.books.first
        twofold = any(word in book.powers and book.places.exact(word) for word in passage.keys)
        return self._spelled.get(passage.text) if twofold else None

    def _every_sketch(self, passage: Passage) -> list[list[Sketch]]:
        """Return the sketches of some words in each language, unless the sheet took too long already."""
        return [self._sketches(passage, book) for book in self.books if not self.effort.is_spent]

    def _doubtful_name(self, passage: Passage) -> str:
        """Say which places a name among the words could be, if it could be several in some language."""
        place = next(filter(None, map(self.scene.doubtful_place, self._every_sketch(passage))), None)
        if place is None:
            return ""
        shown = [self.notation.lexicon.places.shown[province] for province in sorted(place.spot.nearest)]
        return f"{passage.part(place.at, place.end).text!r} could be {', '.join(shown[:-1])} or {shown[-1]}"

    def _ruling(self, passage: Passage) -> str:
        """Return the judge's reason against the likeliest order of these words, if it can never succeed."""
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

    def resembled(self, passage: Passage) -> tuple[Order, ...]:
        """Return the orders that words resemble most, while this sheet still has time for hints."""
        self.effort.hints += 1
        return self._hinters[1].nearest(passage) if self.effort.hints <= MOST_HINTS else ()

    @cached_property
    def _hinters(self) -> tuple[Hinter, Hinter]:
        """What finds resemblances by the names of the house style alone, and by those of all languages."""
        return Hinter(self.scene, self.books, [self.books.first]), Hinter(self.scene, self.books, list(self.books))

    @cached_property
    def _lawful(self) -> frozenset[Order]:
        """What may be ordered."""
        return frozenset(self.scene.listed)

    @cached_property
    def _spelled(self) -> dict[str, Order]:
        """What may be ordered for other units' sake, by how each dialect writes it to the letter."""
        helping = [order for order in self.scene.listed if order.of]
        return {self.notation.write(order, dialect=name): order for order in helping for name in dialects()}

    def says(self, word: str) -> set[str]:
        """Return what a word of an order may say, in any language."""
        return self.books.says.get(word, set())

    def kind_of(self, word: str) -> str:
        """Return the kind of unit that a word means, empty if none."""
        return self.books.kinds.get(word, "")

    def is_small(self, word: str) -> bool:
        """Return whether a word is an article, or a preposition before a place."""
        return not self.says(word).isdisjoint(("in", "to"))

    def is_article(self, word: str) -> bool:
        """Return whether a word is small, or one that stands in names: "of", "the"."""
        return self.is_small(word) or word in note_words("small")

    def is_coast(self, words: Passage) -> bool:
        """Return whether words are like those for a coast."""
        near = process.extractOne(words.said, self.books.coasts, scorer=OSA.normalized_distance, score_cutoff=UNLIKE)
        return near is not None or not note_words("coast").isdisjoint(words.keys)

    def place_at(self, words: Passage, at: int, *, loose: bool = False) -> tuple[int, frozenset[str]] | None:
        """Return the place that words name from one on: where they end, and the provinces it may be.

        The name must be exact; if `loose`, a name longer than a code may be cut short or misspelt.
        """
        keys = words.keys[at : at + LONGEST_NAME]
        for size in range(len(keys), 0, -1) if keys and keys[0] in self.books.beginnings else ():
            named = words.inside[at] == words.inside[at + size - 1] and self.books.named(keys[:size])
            if named:
                return at + size, named
        for size in range(min(_LOOSE_NAME, len(keys)), 0, -1) if loose and keys and len(keys[0]) > CODE else ():
            spots = (book.places.find(tuple(keys[:size])) for book in self.books if not self.is_article(keys[size - 1]))
            if found := next((spot for spot in spots if spot and spot.cost <= SLIP), None):
                return at + size, frozenset(found.nearest)
        return None

    def places(self, words: Passage) -> Iterator[tuple[range, frozenset[str]]]:
        """Yield each place that exact words name, from whatever word on, with the provinces it may be."""
        named = ((at, self.place_at(words, at)) for at in range(len(words.keys)))
        return ((range(at, place[0]), place[1]) for at, place in named if place)

    def provinces(self, words: Passage) -> frozenset[str]:
        """Return the provinces that exact words name."""
        return frozenset[str]().union(*(provinces for _, provinces in self.places(words)))

    def begins(self, words: Passage) -> dict[int, frozenset[str]]:
        """Map the words with which units are named to their places.

        A unit is named by its kind and its place, or by the place alone if it is one of the power's own.
        """
        asked = (words.line.number, words.text if words.words else "", *words.keys)
        if asked not in self._begun:
            self._begun[asked] = self._find_units(words)
        return self._begun[asked]

    def unit_begun(self, words: Passage) -> Unit | None:
        """Return the own unit with whose name words begin."""
        begun = self.begins(words).get(0, frozenset()) if words.words else frozenset[str]()
        return next((unit for unit in self.scene.own if unit.at.province in begun), None)

    def unit_from(self, words: Passage, at: int) -> Unit | None:
        """Return the own unit that an adjective and its kind name: "the Swedish fleet"."""
        word, kind = words.keys[at], self.kind_of("".join(words.keys[at + 1 : at + 2]))
        if not kind or len(word) < LEAST_STEM or self.cues("sides").fullmatch(word) or self.books.phrases.get(word):
            return None
        near = self.books.starting(word[:LEAST_STEM])
        alike = [unit for unit in self.scene.own if unit.kind == kind and unit.at.province in near]
        return alike[0] if len(alike) == 1 else None

    def _find_units(self, words: Passage) -> dict[int, frozenset[str]]:
        written, own = words.line.written, {unit.at.province for unit in self.scene.own}
        small = written != written.lower()  # where a name of few letters is written large
        own |= {order.at.province for order in self.scene.by_verb.get(Verb.BUILD, ()) if order.at}
        found = dict[int, frozenset[str]]()
        for at, word in enumerate(words.keys):
            kind = next((n for n in (2, 1) if self.kind_of(" ".join(words.keys[at : at + n]))), 0)
            named = at + kind
            most = min(len(words.keys) - 1, at + kind + 2) if kind and len(word) > 1 else 0
            while named < most and "in" in self.says(words.keys[named]):
                named += 1  # "Armee in Berlin"
            if named >= len(words.keys):
                continue
            spelt = written[words.words[at].start : words.words[at].end]
            place = self.place_at(words, named, loose=kind > 0 and (len(word) > 1 or spelt.isupper()))
            hidden = small and len(word) <= CODE and spelt.islower()
            if place and (kind or (own & place[1] and not hidden)):
                found[at] = place[1]
        last = [at for at in found if at - 1 not in found or not self.kind_of(words.keys[at - 1])]
        apart = words.breaks | words.stops  # "Con F Ion no lo tengo claro" is not about Constantinople
        return {at: found[at] for at in last if at + 1 not in last or at + 1 in apart or self.kind_of(words.keys[at])}

    def has_verb(self, passage: Passage) -> bool:
        """Return whether a dash, or a word that is neither a kind of unit nor a place, says what is done."""
        said = [word for word in passage.keys if self.says(word) and not self.kind_of(word)]
        return "-" in passage.keys or not all(map(self.books.first.places.exact, said))

    def comes_from(self, words: Passage, at: int) -> bool:
        """Return whether words before a place say that something comes from there."""
        leads = note_words("from") | note_words("agent")
        while at and words.keys[at - 1] not in leads | {"-"} and self.is_article(words.keys[at - 1]):
            at -= 1
        return at > 0 and words.keys[at - 1] in leads

    def is_aim(self, words: Passage, at: int) -> bool:
        """Return whether words from one on tell what something is done for: "to follow up"."""
        behind = words.keys[at + 1 : at + 2]
        aims = behind and (words.keys[at] == "to" or words.keys[at] in note_words("for")) and not words.is_large(at + 1)
        known = aims and (self.says(behind[0]) or self.kind_of(behind[0]) or self.place_at(words, at + 1, loose=True))
        return bool(aims and not known)

    def _helps_or_holds(self, word: str) -> bool:
        return not self.says(word).isdisjoint(("support", "convoy", "hold"))

    def helps_alone(self, passage: Passage, end: int) -> bool:
        """Return whether the word before one is a whole verb: "Marseilles helps. ...", but not "A Mar supp. A Par"."""
        word = passage.keys[end - 1]
        whole = len(word) > CODE + 1 and self._helps_or_holds(word)
        return whole and not any(one.startswith(word) and one != word and " " not in one for one in self.books.says)

    def _may_end(self, passage: Passage, at: int) -> bool:
        """Return whether an order may end before a word: not after a possible support, "A 89 - S A 90"."""
        before = passage.keys[max(at - 2, 0) : at]
        short = len(before) == 2 and before[0] == "-" and len(before[1]) <= INITIALS
        return at in passage.breaks | passage.stops or not (short and self._helps_or_holds(before[1]))

    def is_lost(self, words: Passage) -> bool:
        """Return whether words are an order for a place that nobody knows: "F Nowhere - Mao", "A Xyzxyz H"."""
        keys, size = words.keys, len(words.keys)
        led = next((n for n in (2, 1) if self.says(" ".join(keys[:n])) & _LEADING), 0)
        kind = next((n for n in (2, 1) if self.kind_of(" ".join(keys[led : led + n]))), 0)
        name = led + kind
        if not kind or name >= size or self.is_small(keys[name]):
            return False
        if led:
            return name + 1 == size
        behind = range(name + 1, size)
        goes = any(
            (keys[at] == "-" and words.is_apart(at)) or ("to" in self.says(keys[at]) and self.place_at(words, at + 1))
            for at in behind[:-1]
        )
        return words.is_large(name) and (goes or any(self._helps_or_holds(keys[at]) for at in behind))

    def wish(self, words: Passage) -> int | None:
        """Return where words begin to tell where a unit retreats to: "A Mun - Bur, r Boh or Tyr"."""
        told = (at for at, word in enumerate(words.keys) if "retreat" in self.says(word))
        signs = ("", *(words.line.written[word.start : word.end] for word in words.words))
        apart = (at for at in told if words.keys[at - 1 : at] != ["-"] or len(signs[at]) > 1)  # behind "--"
        return next(apart, None) if self.kind is PhaseKind.MOVEMENT else None

    def disbands(self, words: Passage) -> bool:
        """Return whether one of some words, or the last of them, are for a unit that leaves the board."""
        ends = (" ".join(words.keys[at:]) for at in range(len(words.keys)))
        return any("disband" in self.says(said) for said in (*words.keys, *ends))

    def leads(self, words: Passage) -> set[int]:
        """Return where words say that something is built or removed."""
        books, keys = list(self.books), words.keys
        tables = {"build", "remove", "disband", "plus", "minus", "waive"}
        return {
            at for at in range(len(keys)) if keys[at] != "-" or not at or words.is_apart(at)  # not "Mid-Atlantic"
            for size in range(1, LONGEST_VERB) for book in books
            if tables & book.meant_by(" ".join(keys[at : at + size])).keys()
        }  # fmt: skip
