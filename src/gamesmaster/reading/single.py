"""Single orders: what some words mean as one order, looked at in every language, with the position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from gamesmaster.errors import BadOrder
from gamesmaster.judge import adjudicate
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.orders.dialect import dialects, note_words
from gamesmaster.reading.hints import SWAPPED, Hinter
from gamesmaster.reading.meaning import Meaning, core, nearest_meaning
from gamesmaster.reading.naming import Naming
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.sketch import Named, Place, Sketch, Sketcher
from gamesmaster.reading.wordbook import EXACT, SLIP, Spot, Wordbook, spell_apart, trims
from gamesmaster.rules import Cause

MOST_HINTS = 60  # lines of a sheet that get one
MOST_SLIPS = 2 * SLIP
"""How far words may be from an impossible order for the refusal to name its reason: two misspelt names."""
_SHORT_WORD = range(3, 6)  # letters


class SingleReader(Naming):
    """Finds the one order that words mean, or those that they may mean."""

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
        if coded := None if self.carried else self._coded(passage):
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

    def _coded(self, passage: Passage) -> Meaning | None:
        """The move that the codes of two places say, and nothing else, as the map shows them: `par bur`.

        A code goes before what the word says in some language: "7 t" goes to the sea "t", although Frenchmen hold by
        "t".  It is in doubt if the second word also says to hold: "12 h".  "a d" is the army at "d", if there is one.
        """
        keys, scene = passage.keys, self.scene
        if self.kind is not PhaseKind.MOVEMENT or len(keys) != 2 or passage.breaks | passage.stops:
            return None
        unit, goal = map(self._place_coded, keys)
        if not unit or not goal or (self.is_kind(keys[0]) and scene.unit_at(goal, own=True)):
            return None
        named, there = (Place(Spot.of(place), at=at, end=at + 1) for at, place in enumerate((unit, goal)))
        meaning = scene.meaning([Sketch(Verb.MOVE, EXACT, unit=Named(named), goal=there)])
        if meaning.order and keys[1] == Verb.HOLD.phrase.short.casefold():
            holds = [order for order in scene.by_verb[Verb.HOLD] if order.at and order.at.province == unit]
            return Meaning(doubtful=(*holds[:1], meaning.order), at=1)
        return meaning if meaning.order or meaning.doubtful else None

    def _place_coded(self, word: str) -> str:
        """The province whose code a word is, "" if the word is not one or names several."""
        found = [self.rules.board.province(place) for place in self.notation.lexicon.places.exact.get(word, ())]
        coded = [one.id for one in found if word in (one.id.casefold(), one.abbr.casefold())]
        return coded[0] if len(coded) == len(found) == 1 else ""

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


def _as(verb: AnyVerb, sketches: Sequence[Sketch]) -> list[Sketch]:
    """Bare units as what stands above them tells: removals under "Removals"."""
    return [replace(sketch, verb=verb, cost=0) for sketch in sketches if sketch.parts == ("unit",)]
