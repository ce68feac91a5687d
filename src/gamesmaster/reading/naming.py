"""Naming: what words of a line name and say, in any language: kinds of unit, places, coasts, what is done."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gamesmaster.judge import given_options
from gamesmaster.orders import AnyVerb, PhaseKind, Verb
from gamesmaster.orders.dialect import Cues, note_words
from gamesmaster.reading.hints import UNLIKE
from gamesmaster.reading.meaning import Meaning, Scene
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.situation import Situation
from gamesmaster.reading.sketch import INITIALS
from gamesmaster.reading.wordbook import INITIAL, LONGEST_NAME, Wordbooks

LONGEST_VERB = 6  # words
CODE = 3  # letters of a place's short name
_LEADING = frozenset({"build", "remove", "disband"})


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


class Naming:
    """Knows what words name and say for `power` in a situation; the `effort` is that of the whole sheet."""

    def __init__(self, at: Situation, power: str, effort: Effort, cues: Cues) -> None:
        rules, kind = at.rules, at.kind
        self.rules, self.kind, self.power = rules, kind, power
        self.effort, self.cues = effort, cues
        self.notation = rules.notation
        self.books = rules.derive(Wordbooks)
        self.carried: AnyVerb | None = None
        self.aside: list[Passage] = []
        self._doubt: tuple[Meaning, Passage] | None = None
        self._looked: dict[object, Meaning] = {}
        self._begun: dict[object, list[int]] = {}
        options = given_options(rules, kind, at.position, power, at.season)
        self.scene = Scene(rules, kind, at.position, power, options)

    def says(self, word: str) -> set[str]:
        """Return what a word of an order may say, in any language."""
        return self.books.says.get(word, set())

    def is_kind(self, word: str) -> bool:
        """Return whether a word says what kind of unit one is."""
        return word in self.books.kinds

    def kind_of(self, word: str) -> str:
        """The kind of unit that a word says, empty if none."""
        return self.books.kinds.get(word, "")

    def is_small(self, word: str) -> bool:
        """Return whether a word is an article, or a preposition before a place."""
        return not self.says(word).isdisjoint(("in", "to"))

    def is_coast(self, words: Passage) -> bool:
        """Return whether words are like those for a coast."""
        near = process.extractOne(words.said, self.books.coasts, scorer=OSA.normalized_distance, score_cutoff=UNLIKE)
        return near is not None or not note_words("coast").isdisjoint(words.keys)

    def _is_place(self, *words: str) -> bool:
        """Return whether it is a place's name, perhaps cut short or misspelt."""
        spots = (book.places.find(words) for book in self.books)
        return any(spot and spot.cost < INITIAL for spot in spots)

    def place_at(self, words: Passage, at: int) -> tuple[int, frozenset[str]] | None:
        """The place that a name says exactly from one word on: where it ends, and what it may be."""
        longest = min(LONGEST_NAME, len(words.keys) - at) if words.keys[at] in self.books.beginnings else 0
        for size in range(longest, 0, -1):
            if words.inside[at] != words.inside[at + size - 1]:
                continue
            if named := self.books.named(words.keys[at : at + size]):
                return at + size, named
        return None

    def _leads_to_place(self, passage: Passage, at: int) -> bool:
        """Return whether a place is named behind a word."""
        if at + 1 < len(passage.keys) and self.place_at(passage, at + 1):
            return True
        behind = passage.keys[at + 1 : at + 1 + LONGEST_NAME]
        sizes = range(1, len(behind) + 1) if len(behind[0]) > CODE else ()
        return any(self._is_place(*behind[:size]) for size in sizes)

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

    def has_verb(self, passage: Passage) -> bool:
        """Return whether a dash, or a word that is neither a kind of unit nor a place, says what is done."""
        places = self.books.first.places
        said = [word for word in passage.keys if self.says(word) and not self.is_kind(word)]
        return "-" in passage.keys or not all((spot := places.find((word,))) and spot.exact for word in said)

    def _helps_or_holds(self, word: str) -> bool:
        return not self.says(word).isdisjoint(("support", "convoy", "hold"))

    def _may_end(self, passage: Passage, at: int) -> bool:
        """Return whether an order may end before a word: not behind what may be a support, "A 89 - S A 90"."""
        before = passage.keys[max(at - 2, 0) : at]
        short = len(before) == 2 and before[0] == "-" and len(before[1]) <= INITIALS
        return at in passage.breaks | passage.stops or not (short and self._helps_or_holds(before[1]))

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
