"""Hints: the legal order that words resemble, part by part.

An order resembles words if each of its places is named in them, each by words of its own and with a few slips at most,
and if its verb is said, or can only be what is left.  Greetings, signatures and commands resemble no order.

Every difference has a cost; the costs were chosen by measuring misspelt orders of known meaning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, pairwise, product
from math import inf

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gamesmaster.orders import DASH, AnyVerb, Order, Verb
from gamesmaster.orders.dialect import note_words
from gamesmaster.reading.meaning import Scene, core
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.spelling import sounds
from gamesmaster.reading.wordbook import LONGEST_NAME, POWER, Wordbook, Wordbooks

LONGEST_LINE = 40  # words that are compared
MOST_ORDERS = 2  # that a hint names
UNLIKE = 0.34  # the share of its letters that may be wrong in a name or a phrase
SWAPPED = 2.3  # the most that it costs to swap two letters of a short name

_SHUFFLED = 0.41  # the share that may be wrong where all letters are there
_UNLIKE_WAIVE = 0.25
_MARGIN = 0.4  # an order that costs so much more than the nearest is not meant
_SPANS = 3  # places among the words where one province is looked for
_COAST = 3  # words that may stand between a unit and a letter that is its verb
_FEW = 12  # letters that may be left over whatever else is said
_MOST_SLIPS = 1.8  # cost of the slips in one name where nothing says what kind of unit it is
_ENOUGH, _ENOUGH_ALONE = 2, 7  # letters that are right, with a kind of unit and without

_PER_NAME = 3.0  # if all letters of a name were wrong, beside 1 for each
_NO_NAME = 0.5  # words that are no name as they stand
_STRANGE = 2.0  # words that are a name, or a kind of unit, of something else
_OTHER_KIND = 0.7
_GLUED = 0.2  # the letter of a unit that is joined to its place
_UNORDERED = 2.0  # places in another order than usual
_OTHER_VERB = 3.0
_PER_PHRASE = 3.0  # if all letters of a verb were wrong
_NAME_LEFT, _LIKE_NAME_LEFT, _WORD_LEFT, _LETTER_LEFT = 4.0, 3.0, 0.5, 0.1
_LEFT_IN_FRONT = 1.0
_LIKE_NAME = 4.0  # a word is like a name if the name costs less

_UNSAID: dict[AnyVerb, float] = {
    Verb.MOVE: 1.0, Verb.RETREAT: 1.0, Verb.BUILD: 2.0, Verb.REMOVE: 2.0, Verb.CONVOY: 2.0, Verb.SUPPORT: 2.4,
}  # fmt: skip
"""The cost of a verb that is not said; others must be said."""
_TABLES: dict[AnyVerb, frozenset[str]] = {
    Verb.MOVE: frozenset({"to", "send", "viasea", "convoyed", "bysea"}),
    Verb.SUPPORT: frozenset({"support", "supporthold", "supportmove"}),
    Verb.CONVOY: frozenset({"convoy", "take", "carry"}),
    Verb.RETREAT: frozenset({"retreat", "to"}),
    Verb.DISBAND: frozenset({"disband", "remove"}),
    Verb.BUILD: frozenset({"build", "plus"}),
    Verb.REMOVE: frozenset({"remove", "disband", "minus", "retreat"}),
}  # the tables of a dialect with words for a verb; for any other verb the table of its name
_VAGUE = frozenset({"to", "send", "bysea", "plus", "minus"})
_TELLING = frozenset({"hold", "waive", "board", "land"}).union(*_TABLES.values()) - _VAGUE
"""Tables of words that say what a unit does, and nothing else."""
_COASTS = frozenset({"NC", "SC", "EC", "WC"})
_extract = partial(process.extract, scorer=OSA.normalized_distance)


class Hinter:
    """Finds the legal orders that words resemble.

    `books` know the words of orders; the names of places are those of the books in `named`.
    """

    def __init__(self, scene: Scene, books: Wordbooks, named: Sequence[Wordbook]) -> None:
        self.scene, self.named, self.kinds = scene, named, frozenset(scene.rules.kinds)
        self.phrases, self.misspellable = books.phrases, books.misspellable

    def nearest(self, passage: Passage, most: float = inf) -> tuple[Order, ...]:
        """Return the order that words resemble most, two that are as near, or none.

        Orders that cost more than `most` are left out.
        """
        words = _Words(self, passage)
        costs = {order: cost for order in self.scene.listed if (cost := words.cost(order)) is not None}
        limit = min(min(costs.values(), default=0) + _MARGIN, most)
        best: dict[object, Order] = {}
        for order in sorted((order for order in costs if costs[order] <= limit), key=costs.__getitem__):
            best.setdefault((core(order), order.to), order)
        return tuple(best.values()) if len(best) <= MOST_ORDERS else ()

    @cached_property
    def names(self) -> dict[str, set[str]]:
        """The provinces that legal orders name, by how each of their names sounds, whole or cut short."""
        wanted = {at.province for order in self.scene.listed for at in (order.at, order.of, order.to) if at}
        found: dict[str, set[str]] = {}
        for book in self.named:
            for spelt, provinces in book.places.sounds.items():
                if not wanted.isdisjoint(provinces):
                    found.setdefault(spelt, set()).update(wanted & provinces)
        return found

    def exact(self, letters: str) -> frozenset[str]:
        """Return the provinces with exactly this name."""
        return frozenset().union(*(book.places.exact(letters) for book in self.named))


@dataclass(frozen=True, slots=True)
class _Span:
    """Words from `start` up to `end` that are like a name or a phrase.

    `cost` is how far they are from it, `letters` how many letters of a name are right.
    """

    start: int
    end: int
    cost: float
    letters: float = 0

    @property
    def at(self) -> range:
        """The numbers of the words."""
        return range(self.start, self.end)

    def meets(self, other: _Span) -> bool:
        """Return whether a word is in both."""
        return self.start < other.end and other.start < self.end


class _Words:
    """Words that are compared with orders.

    `said` are the phrases in them and what each says, `spots` the places where provinces may be named, `kinds` says
    which kind of unit is named before a word.  `named` are names as they stand, `alike` words like a name,
    `explained` those that an order need not explain; all by their numbers.
    """

    def __init__(self, hinter: Hinter, passage: Passage) -> None:
        self.hinter, self.keys = hinter, passage.keys[:LONGEST_LINE]
        self.said = self._phrases()
        units = [(what, span) for what, span in self.said if what in hinter.kinds]
        self.kinds = {span.end: what for what, span in units if not span.cost}
        powers = [span for what, span in self.said if what == POWER]
        self.powers = {at for power in powers if power.end in {unit.start for _, unit in units} for at in power.at}
        self.spots = self._spots()
        self.coasts = {what for what, _ in self.said if what in _COASTS}
        single = [span for spans in self.spots.values() for span in spans if len(span.at) == 1]
        self.alike = {span.start for span in single if 0 < span.cost < _LIKE_NAME}
        self.named = {at for at, word in enumerate(self.keys) if len(word) > 1 and hinter.exact(word)} - self.powers
        known = {at for _, span in self.said for at in span.at if not span.cost or at not in self.alike}
        self.explained = known - self.named | {at for at, word in enumerate(self.keys) if not word.isalnum()}

    def _windows(self, longest: int) -> Iterator[tuple[int, int]]:
        """Yield the runs of adjacent words, up to this many."""
        for start in range(len(self.keys)):
            for end in range(start + 1, min(start + longest, len(self.keys)) + 1):
                if self.keys[start][0].isalnum() and self.keys[end - 1][0].isalnum():
                    yield start, end

    def _phrases(self) -> list[tuple[str, _Span]]:
        """Return the meanings of phrases among the words; of misspelt phrases only the longest."""
        found: list[tuple[str, _Span]] = []
        for start, end in self._windows(4):
            phrase = " ".join(self.keys[start:end])
            if exact := self.hinter.phrases.get(phrase):
                found += ((what, _Span(start, end, 0)) for what in exact)
            elif len(phrase) > 2 and end - start < 3:
                behind_dash = self.keys[start - 1] == DASH
                found += ((w, s) for w, s in self._misspelt(phrase, start, end) if not (behind_dash and w in _TELLING))
        longer = {s: [other for _, other in found if set(s.at) < set(other.at)] for _, s in found if s.cost}
        return [(what, s) for what, s in found if not longer.get(s)]

    def _misspelt(self, phrase: str, start: int, end: int) -> Iterator[tuple[str, _Span]]:
        """Yield the meanings of the known phrases nearest to this one."""
        near = _extract(phrase, self.hinter.misspellable, score_cutoff=UNLIKE, limit=5)
        nearest = [other for other, unlike, _ in near if unlike == near[0][1]]
        for what in {what for other in nearest for what in self.hinter.phrases[other]}:
            yield what, _Span(start, end, _PER_PHRASE * near[0][1])

    def _spots(self) -> dict[str, list[_Span]]:
        """Return where each province may be named, the likeliest words first."""
        found: dict[tuple[str, int, int], _Span] = {}
        for start, end in self._windows(LONGEST_NAME):
            letters = "".join(word for word in self.keys[start:end] if word != DASH)
            if start in self.powers or (self._is_grammar(start, end) and not self.hinter.exact(letters)):
                continue
            glued = self.hinter.phrases.get(letters[0], set()) & self.hinter.kinds and len(letters) > 3
            bare = self._near(letters[1:]) if glued and not self.hinter.exact(letters) else ()  # "ABre"
            for cost, name in (*self._near(letters), *((cost + _GLUED, name) for cost, name in bare)):
                for province in self.hinter.names[name]:
                    known = found.get((province, start, end))
                    if known is None or cost < known.cost:
                        found[province, start, end] = _Span(start, end, cost, len(letters) - cost)
        spots: dict[str, list[_Span]] = {}
        for (province, _, _), span in found.items():
            spots.setdefault(province, []).append(span)
        return {at: sorted(spans, key=lambda one: one.cost - one.letters / 4)[:_SPANS] for at, spans in spots.items()}

    def _is_grammar(self, start: int, end: int) -> bool:
        """Return whether some of these words are grammar, so that together they cannot be a misspelt name."""
        words = self.keys[start:end]
        known = [self.hinter.phrases.get(word, set()) for word in words]
        if len(words) == 1:
            return bool(known[0]) or words[0] in note_words("generic") | note_words("heading")
        tells = _TELLING | self.hinter.kinds
        return any(what & tells and len(word) not in (2, 3) for word, what in zip(words, known, strict=True))

    def _near(self, letters: str) -> Iterator[tuple[float, str]]:
        known, names = self.hinter.exact(letters), self.hinter.names
        for heard in sounds(letters):
            for name, unlike, _ in _extract(heard, list(names), score_cutoff=_SHUFFLED, limit=None):
                shuffled = sorted(name) == sorted(heard)
                if re.findall(r"\d", name) == re.findall(r"\d", heard) and (shuffled or unlike <= UNLIKE):
                    cost = unlike * (max(len(name), len(heard)) + _PER_NAME) * (0.6 if shuffled else 1)
                    yield cost + (_NO_NAME if not known else 0 if known & names[name] else _STRANGE), name

    def cost(self, order: Order) -> float | None:
        """Return how far the words are from an order; None if they do not resemble it."""
        places = [at.province for at in (order.at, order.of, order.to) if at]
        if not places:
            return self._cost_of_waive(order)
        if not all(place in self.spots for place in places):
            return None
        arranged = product(*(self.spots[place] for place in places))
        fits = (
            _Fit(self, order, spans) for spans in arranged if not any(a.meets(b) for a, b in combinations(spans, 2))
        )
        return min((cost for fit in fits if (cost := fit.cost()) is not None), default=None)

    def _cost_of_waive(self, order: Order) -> float | None:
        powers = {at for what, span in self.said if what == POWER for at in span.at}
        phrase = " ".join(word for at, word in enumerate(self.keys) if at not in powers)
        waiving = [said for said, what in self.hinter.phrases.items() if order.verb.value in what and len(said) > 3]
        near = process.extractOne(phrase, waiving, scorer=OSA.normalized_distance, score_cutoff=_UNLIKE_WAIVE)
        return _PER_PHRASE * near[1] if near else None

    def kind_before(self, at: int) -> str:
        """Return the kind of a unit that is named before its place; empty if none is."""
        while at and at not in self.kinds and "in" in self.hinter.phrases.get(self.keys[at - 1], ()):
            at -= 1
        return self.kinds.get(at, "")

    def letters_at(self, numbers: Collection[int]) -> int:
        """Return how many letters words have."""
        return sum(len(self.keys[at]) for at in numbers)


class _Fit:
    """An order laid over words: its places, in the order unit, unit helped, goal, are at `spans`."""

    def __init__(self, words: _Words, order: Order, spans: Sequence[_Span]) -> None:
        self.words, self.order, self.spans = words, order, spans
        self.unit, self.kind = spans[0], words.kind_before(spans[0].start)
        self.covered = {at for span in spans for at in span.at}
        self.left = [at for at in range(len(words.keys)) if at not in self.covered and at not in words.explained]
        self.tables = _TABLES.get(order.verb.like, frozenset()) | {order.verb.value}
        self.unsaid = _UNSAID.get(order.verb, inf)
        self.letters = {at for at, word in enumerate(words.keys) if len(word) == 1}

    def cost(self) -> float | None:
        """Return how far the words are from the order; None if they do not resemble it."""
        verb = self._cost_of_verb()
        named = self.words.letters_at(self.covered) * (2 if self.kind else 1)
        too_much = self.words.letters_at(self.left) > max(named, _FEW)
        if verb == inf or too_much or not self._begins() or not self._says_enough(verb):
            return None
        slips = sum(span.cost for span in self.spans)
        moved = sum(one.start > other.start for one, other in pairwise(self.spans))
        coasts = [at.coast for at in (self.order.at, self.order.to) if at and at.coast and self.words.coasts]
        missing = sum(coast not in self.words.coasts for coast in coasts)
        return verb + slips + _UNORDERED * moved + self._cost_of_kinds() + missing + self._cost_of_rest()

    def _begins(self) -> bool:
        """Return whether the unit is where an order begins: after its kind, or after words that say nothing else."""
        if self.order.verb.like is Verb.MOVE and self.unit.start > self.spans[-1].start:
            return False
        plain = self.tables | {POWER, "in", "noise"} | self.words.hinter.kinds
        known = {at for what, span in self.words.said if what in plain for at in span.at}
        first = min(self.covered)
        return bool(self.kind) or all(at in known or not self.words.keys[at].isalpha() for at in range(first))

    def _says_enough(self, verb: float) -> bool:
        """Return whether enough letters are right to exclude chance; `verb` is the cost of the verb."""
        if self.order.verb.phrase.led and verb >= self.unsaid:
            return bool(self.kind) and self.unit.cost < _STRANGE
        letters = sum(span.letters for span in self.spans)
        if self.kind:
            return letters + 2 * (verb < 1) >= _ENOUGH
        if letters + 2 * (not verb) >= _ENOUGH_ALONE and verb in (0, self.unsaid):
            return True
        slips = sum(span.cost for span in self.spans) + 2 * verb
        enough = slips < _MOST_SLIPS * len(self.spans) and min(span.letters for span in self.spans) > 1
        return not self.left and verb < 1 and enough

    def _cost_of_verb(self) -> float:
        """Return the cost of the verb, by the words for it and for other verbs, besides the places."""
        order, keys = self.order, self.words.keys
        free = [(t, s) for t, s in self.words.said if self._is_free(s)]
        stray = self.letters & {*range(0 if order.verb.phrase.led else self.unit.start)}  # no verb stands there
        said = [s for table, s in free if table in self.tables and not (len(s.at) == 1 and s.start in stray)]
        silent = self.tables | ({"hold"} if order.verb.like is Verb.SUPPORT else set())
        last = self.spans[-1].end if order.via else len(keys)  # "by convoy" is no convoy
        sure = [(table, s) for table, s in free if s.cost < 1 and s.start < last]
        others = {s.start for table, s in sure if table in _TELLING - silent}
        if not order.to:
            others |= {s.start for table, s in sure if table == "to" and len(keys[s.start]) > 2}
        others -= {at for span in said for at in span.at}
        if self.unit.end in others:
            return inf
        dashed = order.verb is Verb.MOVE and DASH in keys
        own = min((span.cost for span in said), default=0 if dashed else self.unsaid)
        return own + _OTHER_VERB * len(others)

    def _is_free(self, span: _Span) -> bool:
        """Return whether a phrase may be a verb: beside the places, and a letter only where a verb would stand."""
        if any(span.meets(place) for place in self.spans):
            return False
        letter = span.start in self.letters and len(span.at) == 1
        return not letter or (span.end not in self.words.kinds and span.start - self.unit.end <= _COAST)

    def _cost_of_kinds(self) -> float:
        """Return the cost of kinds of unit that are named wrongly, or where the order has no unit."""
        order, cost = self.order, 0.0
        if self.kind != order.kind:
            cost = _STRANGE if order.verb is Verb.BUILD else _OTHER_KIND * bool(self.kind)
        if len(self.spans) == 2:
            second = self.words.kind_before(self.spans[1].start)
            cost += _STRANGE * (second not in ("", order.of_kind or order.kind))
        return cost + _STRANGE * sum(at in self.left for at in self.words.kinds)

    def _cost_of_rest(self) -> float:
        """Return what the words cost that the order does not explain."""
        words, cost = self.words, 0.0
        for at in self.left:
            plain = _WORD_LEFT + _LETTER_LEFT * len(words.keys[at])
            cost += _NAME_LEFT if at in words.named else _LIKE_NAME_LEFT if at in words.alike else plain
            cost += _STRANGE * (words.keys[at - 1] == DASH) + _LEFT_IN_FRONT * (at < self.unit.start)
        return cost
