"""Hints: the order that may be given which words resemble, part by part.

An order resembles words if each of its places is named in them, each by words of its own and with a few slips at most,
and if its verb is said, or can only be what is left.  Greetings, signatures and commands resemble none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product
from math import inf

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gamesmaster.orders import AnyVerb, Order, Verb
from gamesmaster.orders.dialect import note_words
from gamesmaster.orders.words import DASH
from gamesmaster.reading.layout import Passage
from gamesmaster.reading.meaning import Scene, core
from gamesmaster.reading.wordbook import LONGEST_NAME, Wordbook, sounds

LONGEST_LINE = 40  # words that are compared
UNLIKE, _SHUFFLED = 0.34, 0.41  # the most letters that may be wrong, as a share of all
_LIKENESS = 3.0  # what it costs that all letters are wrong, beside each of them
_MARGIN = 0.4  # an order so much farther than the nearest is not meant
SWAPPED = 2.2
"""What it costs at most that two letters of a short name are swapped."""
_MOST = 2  # orders that a hint names
_STRANGE = 2.0  # what it costs that words are something else's, too
_BEHIND = 3  # words between a unit and a letter that is a verb: its coast
_ALIKE = 4.0  # what a word costs at most that is likely to be a name
_SLIPS = 1.8  # what the slips in one name may cost where no kind of unit is said
_FEW = 12  # letters that may be left over
_SPANS = 3  # places in the words where one province is looked for


_TABLES: dict[AnyVerb, frozenset[str]] = {
    Verb.MOVE: frozenset({"to", "send", "viasea", "convoyed", "bysea"}),
    Verb.SUPPORT: frozenset({"support", "supporthold", "supportmove"}),
    Verb.CONVOY: frozenset({"convoy", "take", "carry"}),
    Verb.RETREAT: frozenset({"retreat", "to"}),
    Verb.DISBAND: frozenset({"disband", "remove"}),
    Verb.BUILD: frozenset({"build", "plus"}),
    Verb.REMOVE: frozenset({"remove", "disband", "minus", "retreat"}),
}
"""The tables of a dialect with words for a verb; of any other, the table of its name."""
_TELLING = frozenset({"hold", "waive", "board", "land"}).union(*_TABLES.values()) - {"to", "send", "bysea", "plus", "minus"}
"""Tables of words that say what a unit does, and nothing else."""
_UNSAID: dict[AnyVerb, float] = {Verb.MOVE: 1.0, Verb.RETREAT: 1.0, Verb.BUILD: 2.0, Verb.REMOVE: 2.0, Verb.CONVOY: 2.0, Verb.SUPPORT: 2.4}
"""What it costs that a verb is not said, of those that may go without."""


@dataclass(frozen=True, slots=True)
class _Span:
    """Words from `start` up to `end` that are like a name or a phrase, and how far they are from it."""

    start: int
    end: int
    cost: float
    letters: float = 0

    def meets(self, other: _Span) -> bool:
        """Return whether a word is in both."""
        return self.start < other.end and other.start < self.end

    def is_within(self, other: _Span) -> bool:
        """Return whether these words are among others."""
        return other.start <= self.start and self.end <= other.end and other.end - other.start > self.end - self.start


class Hinter:
    """Finds what was meant by words that make no order, among what may be ordered.

    `books` know the words of orders, those of them that are `named` the names of places.
    """

    def __init__(self, scene: Scene, books: Sequence[Wordbook], named: Sequence[Wordbook]) -> None:
        self.scene, self.books, self.named = scene, books, named

    def nearest(self, passage: Passage, most: float = inf) -> tuple[Order, ...]:
        """Return the orders that words resemble most: one, two that are as near, or none; none that costs over `most`."""
        line = _Line(self, passage)
        costs = {order: cost for order in self.scene.listed if (cost := line.cost(order)) is not None}
        best: dict[object, Order] = {}
        for order in sorted(costs, key=costs.__getitem__):
            if costs[order] > min(min(costs.values()) + _MARGIN, most):
                break
            best.setdefault((core(order), order.to), order)
        return tuple(best.values()) if len(best) <= _MOST else ()

    @cached_property
    def names(self) -> dict[str, set[str]]:
        """The provinces that orders name, by how each of their names sounds, whole or cut short."""
        wanted = {at.province for order in self.scene.listed for at in (order.at, order.of, order.to) if at}
        found: dict[str, set[str]] = {}
        for book in self.named:
            for spelt, provinces in book.sounds.items():
                if not wanted.isdisjoint(provinces):
                    found.setdefault(spelt, set()).update(wanted & provinces)
        return found

    @cached_property
    def spelt(self) -> list[str]:
        """The names as they sound."""
        return list(self.names)

    @cached_property
    def phrases(self) -> dict[str, set[str]]:
        """What phrases of any language say: the tables they stand in, a kind of unit, a coast, or a power."""
        found: dict[str, set[str]] = {}
        for book in self.books:
            for phrase, tables in book.says.items():
                found.setdefault(phrase, set()).update(tables)
            for said in (book.kinds, book.coasts, dict.fromkeys(book.powers, _POWER)):
                for phrase, what in said.items():
                    found.setdefault(phrase, set()).add(what)
        return found

    @cached_property
    def long_phrases(self) -> list[str]:
        """Phrases in which a slip is forgiven."""
        tables = {table for book in self.books for tables in book.says.values() for table in tables}
        return [said for said, what in self.phrases.items() if len(said) > 2 and (" " not in said or what - tables)]

    def exact(self, letters: str) -> frozenset[str]:
        """Return the provinces of which this is a name."""
        return frozenset().union(*(book.places.exact(letters) for book in self.named))


_POWER = "power"


class _Line:
    """The words that are compared with orders: where in them provinces are named and verbs are said."""

    def __init__(self, hinter: Hinter, passage: Passage) -> None:
        self.hinter, self.keys = hinter, passage.keys[:LONGEST_LINE]
        self.said = list(self._phrases())
        self.kind_letters = kinds = hinter.scene.rules.kinds.keys()
        self.kinds = {span.end: what for what, span in self.said if what in kinds and not span.cost}
        begun = {span.start for what, span in self.said if what in kinds}
        self.powers = {at for what, s in self.said if what == _POWER and s.end in begun for at in range(s.start, s.end)}
        self.spots: dict[str, list[_Span]] = {}
        for province, span in sorted(self._places(), key=lambda found: found[1].cost - 0.25 * found[1].letters):
            spans = self.spots.setdefault(province, [])
            if not any((span.start, span.end) == (known.start, known.end) for known in spans):
                spans.append(span)
        self.coasts = {what for what, span in self.said if what in ("NC", "SC", "EC", "WC")}
        single = [span for spans in self.spots.values() for span in spans if span.end == span.start + 1]
        self.alike = {span.start for span in single if 0 < span.cost < _ALIKE}
        self.named = {at for at, word in enumerate(self.keys) if len(word) > 1 and hinter.exact(word)} - self.powers
        known = {at for _, s in self.said for at in range(s.start, s.end) if not s.cost or at not in self.alike}
        self.explained = known - self.named | {at for at, word in enumerate(self.keys) if not word.isalnum()}

    def _windows(self, longest: int) -> Iterator[tuple[int, int]]:
        for start in range(len(self.keys)):
            for end in range(start + 1, min(start + longest, len(self.keys)) + 1):
                if self.keys[start][0].isalnum() and self.keys[end - 1][0].isalnum():
                    yield start, end

    def _places(self) -> Iterator[tuple[str, _Span]]:
        names = self.hinter.names
        for start, end in self._windows(LONGEST_NAME):
            letters = "".join(word for word in self.keys[start:end] if word != DASH)
            if start not in self.powers and (self.hinter.exact(letters) or not self._is_grammar(start, end)):
                for cost, name in self._like(letters):
                    span = _Span(start, end, cost, len(letters) - cost)
                    yield from ((province, span) for province in names[name])

    def _is_grammar(self, start: int, end: int) -> bool:
        """Return whether a word of grammar is among these, so that together they are no name with a slip."""
        words = self.keys[start:end]
        known = [self.hinter.phrases.get(word, set()) for word in words]
        if end == start + 1:
            return bool(known[0]) or words[0] in note_words("generic") | note_words("heading")
        tells = zip(words, known, strict=True)
        return any(what & (_TELLING | self.kind_letters) and len(word) not in (2, 3) for word, what in tells)

    def _like(self, letters: str) -> Iterator[tuple[float, str]]:
        """The names that letters are like, perhaps behind the letter of a unit."""
        known = self.hinter.exact(letters)
        names = self.hinter.names
        for heard in sounds(letters):
            near = process.extract(heard, self.hinter.spelt, scorer=OSA.normalized_distance, score_cutoff=_SHUFFLED, limit=None)
            for name, unlike, _ in near:
                swapped = sorted(name) == sorted(heard)
                if _digits(name) == _digits(heard) and (swapped or unlike <= UNLIKE):
                    slips = unlike * max(len(name), len(heard))
                    cost = (slips + _LIKENESS * unlike) * (0.6 if swapped else 1)
                    yield cost + (0.5 if not known else 0 if known & names[name] else _STRANGE), name
        if not known and len(letters) > 3 and self.hinter.phrases.get(letters[0], set()) & self.kind_letters:
            yield from ((cost + 0.2, name) for cost, name in self._like(letters[1:]))

    def _phrases(self) -> list[tuple[str, _Span]]:
        """What phrases among the words say; of those with a slip the longest count."""
        phrases, long_phrases, found = self.hinter.phrases, self.hinter.long_phrases, list[tuple[str, _Span]]()
        for start, end in self._windows(4):
            phrase = " ".join(self.keys[start:end])
            found += ((what, _Span(start, end, 0)) for what in phrases.get(phrase, ()))
            if len(phrase) > 2 and phrase not in phrases and end - start < 3:
                near = process.extract(phrase, long_phrases, scorer=OSA.normalized_distance, score_cutoff=UNLIKE, limit=5)
                for what in {what for other, unlike, _ in near if unlike == near[0][1] for what in phrases[other]}:
                    if self.keys[start - 1] != DASH or what not in _TELLING:
                        found.append((what, _Span(start, end, 3 * near[0][1])))
        return [(what, s) for what, s in found if not s.cost or not any(s.is_within(other) for _, other in found)]

    # -- one order ---------------------------------------------------------------------------------------------------

    def cost(self, order: Order) -> float | None:
        """Return how far the words are from an order; None if they do not resemble it."""
        places = [at.province for at in (order.at, order.of, order.to) if at]
        if not places:
            return self._waived(order)
        if not all(place in self.spots for place in places):
            return None
        arranged = product(*(self.spots[place][:_SPANS] for place in places))
        costs = (self._arranged(order, spans) for spans in arranged if not any(a.meets(b) for a, b in combinations(spans, 2)))
        return min((cost for cost in costs if cost is not None), default=None)

    def _waived(self, order: Order) -> float | None:
        powers = {at for what, span in self.said if what == _POWER for at in range(span.start, span.end)}
        phrase = " ".join(word for at, word in enumerate(self.keys) if at not in powers)
        waiving = [said for said, what in self.hinter.phrases.items() if order.verb.value in what and len(said) > 3]
        near = process.extractOne(phrase, waiving, scorer=OSA.normalized_distance, score_cutoff=0.25)
        return 3 * near[1] if near else None

    def _arranged(self, order: Order, spans: Sequence[_Span]) -> float | None:
        covered = {at for span in spans for at in range(span.start, span.end)}
        left = [at for at in range(len(self.keys)) if at not in covered and at not in self.explained]
        unit, kind = spans[0], self._kind_before(spans[0].start)
        verb = self._verb(order, spans)
        if verb is None or not self._is_sure(order, spans, verb, left):
            return None
        if sum(len(self.keys[at]) for at in left) > max((1 + bool(kind)) * sum(len(self.keys[at]) for at in covered), _FEW):
            return None
        cost = verb + sum(span.cost for span in spans) + 2 * sum(a.start > b.start for a, b in pairwise(spans))
        if kind != order.kind:
            cost += _STRANGE if order.verb is Verb.BUILD else 0.7 * bool(kind)
        for at in (order.at, order.to):
            cost += bool(at and at.coast and self.coasts and at.coast not in self.coasts)
        if len(spans) == 2 and self._kind_before(spans[1].start) not in ("", order.of_kind or order.kind):
            cost += _STRANGE
        cost += _STRANGE * sum(at in left for at in self.kinds)
        for at in left:
            cost += 4 if at in self.named else 3 if at in self.alike else 0.5 + 0.1 * len(self.keys[at])
            cost += _STRANGE * (self.keys[at - 1] == DASH) + (at < unit.start)
        return cost

    def _kind_before(self, at: int) -> str:
        """Return the kind of a unit that words before its place say; empty if they say none."""
        while at and at not in self.kinds and "in" in self.hinter.phrases.get(self.keys[at - 1], ()):
            at -= 1
        return self.kinds.get(at, "")

    def _is_sure(self, order: Order, spans: Sequence[_Span], verb: float, left: list[int]) -> bool:
        """Return whether the words say enough: a unit by its kind or at their beginning, and letters of names."""
        kind = bool(self._kind_before(spans[0].start))
        tables = _TABLES.get(order.verb.like, frozenset()) | {order.verb.value, _POWER, "in", "noise"} | self.kind_letters
        before = {at for what, span in self.said if what in tables for at in range(span.start, span.end)}
        if not kind and not all(at in before or not self.keys[at].isalpha() for at in range(min(s.start for s in spans))):
            return False
        if order.verb.phrase.led and verb >= _UNSAID.get(order.verb, 9):
            return kind and spans[0].cost < _STRANGE
        if order.verb.like is Verb.MOVE and spans[0].start > spans[-1].start:
            return False
        letters = sum(span.letters for span in spans)
        if kind:
            return letters + 2 * (verb < 1) >= 2
        if letters + 2 * (not verb) >= 7 and verb in (0, _UNSAID.get(order.verb)):
            return True
        slips = sum(span.cost for span in spans) + 2 * verb
        return not left and verb < 1 and slips < _SLIPS * len(spans) and min(span.letters for span in spans) > 1

    def _verb(self, order: Order, spans: Sequence[_Span]) -> float | None:
        """Return what the verb of an order costs; None if it would have to be said and is not."""
        tables = _TABLES.get(order.verb.like, frozenset()) | {order.verb.value}
        free = [(t, s) for t, s in self.said if not any(s.meets(span) for span in spans) and self._counts(s, spans[0])]
        said = {(s.start, s.end): s.cost for table, s in free if table in tables}
        silent = tables | ({"hold"} if order.verb.like is Verb.SUPPORT else set())
        last = spans[-1].end if order.via else len(self.keys)
        others = {s.start for table, s in free if table in _TELLING - silent and s.cost < 1 and s.start < last}
        if not order.to:
            others |= {s.start for table, s in free if table == "to" and s.cost < 1 and len(self.keys[s.start]) > 2}
        others -= {at for start, end in said for at in range(start, end)}
        if spans[0].end in others:
            return None
        cost = min(said.values()) if said else _UNSAID.get(order.verb)
        if not said and order.verb is Verb.MOVE and DASH in self.keys:
            cost = 0
        return None if cost is None else cost + 3 * len(others)

    def _counts(self, span: _Span, unit: _Span) -> bool:
        """Return whether words may be a verb: a letter is one before the unit, or where it stands right behind it."""
        letter = len(self.keys[span.start]) == 1 == span.end - span.start
        return not letter or (span.end not in self.kinds and span.start - unit.end <= _BEHIND)


def _digits(letters: str) -> str:
    return "".join(filter(str.isdecimal, letters))
