"""Wordbooks: the words of one language's dialects on one board, and the forms they may stand in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from rapidfuzz.distance import OSA

from gamesmaster.orders import DASH, AnyVerb, PhaseKind
from gamesmaster.orders.dialect import Dialect, languages, note_words, of_language
from gamesmaster.orders.words import UMLAUTS, Lexicon, key
from gamesmaster.reading.spelling import SHORTEST, SLIP, Spelling
from gamesmaster.rules import Rules

LONGEST_NAME = 5  # words
SHORTEST_VERB_SLIP = 5
ANY_KIND = "?"
POWER = "power"  # what a phrase for a power says
DIGITS_OF_YEAR = 4
MOST_WORDBOOKS = 64
"""Wordbooks that are kept for rules with the same words to share, those used last."""


@dataclass(frozen=True, slots=True)
class Form:
    """What an order is made of: parts to name in small letters, words of a table in capitals.

    `cost` is how much it leaves to be guessed, `tables` are those of which it needs a word.
    """

    verb: AnyVerb
    parts: tuple[str, ...]
    cost: int = 0
    tables: frozenset[str] = frozenset()


class Wordbook:
    """The words of a language on a board: `says` maps phrases to the tables they stand in, `forms` are by phase."""

    def __init__(self, lexicon: Lexicon, dialects: Iterable[Dialect]) -> None:
        self.lexicon = lexicon
        listed = tuple(dialects)
        self.says: dict[str, set[str]] = {}
        self.kinds = dict(lexicon.kinds)
        self.coasts = dict(lexicon.coasts)
        self.split: dict[str, str] = {}
        self.forms: dict[PhaseKind, list[Form]] = {phase: [] for phase in PhaseKind}
        for dialect in listed:
            self._take(dialect)
        self.longest = max(phrase.count(" ") + 1 for phrase in (*self.says, *self.kinds, *self.coasts))
        self.places = Spelling(_codes(lexicon), [*_aliases(lexicon), *_foreign(lexicon, listed)], lexicon.powers.exact)
        self.powers = _powers(lexicon, listed)
        self._long_words = [word for word in self.says if len(word) >= SHORTEST_VERB_SLIP and " " not in word]
        self.meant_by = lru_cache(maxsize=10_000)(self._meant_by)

    def _take(self, dialect: Dialect) -> None:
        for table, words in dialect.words.items():
            for word in words:
                for spelt in {key(word), key(word.translate(UMLAUTS))} - {""}:
                    self.says.setdefault(spelt, set()).add(table)
                if word in ("+", "-"):
                    self.says.setdefault(word, set()).add(table)
        for kind, words in dialect.kinds.items():
            if kind == ANY_KIND or kind in self.lexicon.kinds.values():
                self.kinds |= {key(word): kind for word in words}
        for coast, words in dialect.coasts.items():
            self.coasts |= {key(word): coast for word in words if key(word) not in self.lexicon.coasts}
        self.split |= dialect.split
        known = self.lexicon.named_verbs
        for phase, forms in dialect.forms.items():
            for verb, lines in forms.items():
                if verb in known:
                    self.forms[PhaseKind(phase)] += [form for line in lines for form in _forms(known[verb], line)]

    def _meant_by(self, phrase: str) -> Mapping[str, int]:
        """Map the tables that contain a phrase to its distance from the word there: 0, or that of a misspelling."""
        found = self.says.get(phrase)
        if found:
            return dict.fromkeys(found, 0)
        if len(phrase) < SHORTEST_VERB_SLIP or " " in phrase:
            return {}
        near = (w for w in self._long_words if OSA.distance(phrase, w, score_cutoff=1) == 1)
        return {table: SLIP - 1 for word in near for table in self.says[word]}


class Wordbooks:
    """The wordbooks of all languages for one game, English first: `rules.derive(Wordbooks).of("en")`."""

    def __init__(self, rules: Rules) -> None:
        self._lexicon = rules.notation.lexicon
        self._books: dict[str, Wordbook] = {}

    def __iter__(self) -> Iterator[Wordbook]:
        return iter(self._all)

    @cached_property
    def _all(self) -> tuple[Wordbook, ...]:
        return tuple(map(self.of, languages()))

    @property
    def first(self) -> Wordbook:
        """The wordbook of English."""
        return self.of(languages()[0])

    @cached_property
    def says(self) -> Mapping[str, set[str]]:
        """The tables in which a phrase stands in any language."""
        found: dict[str, set[str]] = {}
        for book in self:
            for phrase, tables in book.says.items():
                found.setdefault(phrase, set()).update(tables)
        return found

    @cached_property
    def phrases(self) -> Mapping[str, set[str]]:
        """What phrases of any language say: the tables they stand in, a kind of unit, a coast, or a power."""
        found = {phrase: set(tables) for phrase, tables in self.says.items()}
        for book in self:
            for said in (book.kinds, book.coasts, dict.fromkeys(book.powers, POWER)):
                for phrase, what in said.items():
                    found.setdefault(phrase, set()).add(what)
        return found

    @cached_property
    def misspellable(self) -> list[str]:
        """Phrases in which a slip is forgiven: single words, and kinds, coasts and powers of several."""
        tables = set[str]().union(*self.says.values())
        return [said for said, what in self.phrases.items() if len(said) > 2 and (" " not in said or what - tables)]

    @cached_property
    def known(self) -> set[str]:
        """The words of orders in every language, and of the names that the board and the house style have."""
        words = {word for phrase in (*self.phrases, *self.first.places.names) for word in phrase.split()}
        return words.union(*map(note_words, ("generic", "small", "heading")))

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """The kind of unit that a phrase means, that of the first language where there are several."""
        return {phrase: kind for book in reversed(self._all) for phrase, kind in book.kinds.items() if kind}

    @cached_property
    def coasts(self) -> list[str]:
        """The phrases for coasts."""
        return [coast for book in self for coast in book.coasts]

    @cached_property
    def _names(self) -> Mapping[str, frozenset[str]]:
        return {name: meant for book in reversed(self._all) for name, meant in book.places.names.items()}

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """The letters with which names of places begin, in any number."""
        return frozenset(name[:size] for name in self._names for size in range(1, len(name) + 1))

    def starting(self, letters: str) -> set[str]:
        """Return the provinces of which a name begins with these letters."""
        return {province for name, meant in self._names.items() if name.startswith(letters) for province in meant}

    def named(self, words: Sequence[str]) -> frozenset[str]:
        """Return the provinces with exactly this name, in the first language that has it."""
        joined = "".join(words)
        spelt = self._names.get(" ".join(words))
        return spelt or (self._names.get(joined) if len(joined) > SHORTEST else None) or frozenset()

    def of(self, language: str) -> Wordbook:
        """Return the wordbook of a language, made by the first call."""
        if language not in self._books:
            self._books[language] = _wordbook(self._lexicon, language)
        return self._books[language]


@lru_cache(maxsize=MOST_WORDBOOKS)
def _wordbook(lexicon: Lexicon, language: str) -> Wordbook:
    return Wordbook(lexicon, of_language(language))


def _forms(verb: AnyVerb, line: str) -> Iterator[Form]:
    """Yield the forms of a line of a table, with and without each optional part."""
    words = line.split()
    cost = int(words.pop(0)) if words[0].isdecimal() else 0
    for chosen in product(*(((w[:-1],), ()) if w.endswith("?") else ((w,),) for w in words)):
        parts = tuple(part for parts in chosen for part in parts)
        yield Form(verb, parts, cost, frozenset(part.lower() for part in parts if part.isupper()))


def _codes(lexicon: Lexicon) -> list[tuple[str, str]]:
    listed = map(lexicon.board.province, lexicon.places.shown)
    return [(name, p.id) for p in listed for name in (p.id, p.abbr, p.name)]


def _aliases(lexicon: Lexicon) -> list[tuple[str, str]]:
    """Return other names, and those of numbered provinces after their numbers: "14 (Seneca)"."""
    listed, numbered = map(lexicon.board.province, lexicon.places.shown), lexicon.board.numbered
    return [(name, p.id) for p in listed for name in (*p.aliases, *[f"{p.abbr} {p.name}"] * numbered)]


def _foreign(lexicon: Lexicon, dialects: tuple[Dialect, ...]) -> list[tuple[str, str]]:
    """Return a dialect's own names of provinces.

    Names that the board gives to another place, or that are one slip from another's full name, are left out.
    """
    ids = {p.name: p.id for p in lexicon.board.provinces}
    own = lexicon.places.exact
    full = [(key(province.name), province.id) for province in lexicon.board.provinces]
    named = ((one.language, name, word) for one in dialects for name, words in one.names.items() for word in words)
    return [
        (word, at)
        for language, name, word in named
        if (at := ids.get(name)) and (own.get(key(word), (at,)) == (at,) or language != "en")
        if not any(OSA.distance(key(word), long, score_cutoff=1) == 1 for long, other in full if other != at)
    ]


def _powers(lexicon: Lexicon, dialects: tuple[Dialect, ...]) -> dict[str, str]:
    """Return the words for powers: full ones, others, and their first three letters if only one power begins so.

    "Gre" is Greece, and no part of "Great Britain"; but "Eng" may be England beside the Channel.
    """
    found = {word: meanings[0] for word, meanings in lexicon.powers.exact.items() if len(meanings) == 1}
    for dialect in dialects:
        for power, words in dialect.powers.items():
            if power in lexicon.powers.shown:
                found |= {key(word): power for word in words}
    begun: dict[str, set[str]] = {}
    for word, power in found.items():
        begun.setdefault(word.replace(" ", "")[:3], set()).add(power)
    own = {key(power)[:3] for power in lexicon.powers.shown}
    taken = {*found, *({key(code) for code, _ in _codes(lexicon)} - own)}
    found |= {start: ps.pop() for start, ps in begun.items() if len(start) == 3 and len(ps) == 1 and start not in taken}
    return found


class Words(NamedTuple):
    """Words as a wordbook takes them: each with what stands before it, and the number of the written word it is in."""

    keys: Sequence[str]
    marked: Sequence[bool]
    written: Sequence[int]


def spell_apart(book: Wordbook, keys: list[str], marked: list[bool]) -> Iterator[Words]:
    """Yield the words, and again with joined ones taken apart: "SA", "FBre", "A-Bre", "A/Bre"."""
    written = list(range(len(keys)))
    yield Words(keys, marked, written)
    if _is_joined(book, keys[:3]):
        joined = {at + 1 for at in range(len(keys) - 2) if _is_joined(book, keys[at : at + 3])}
        written = [at for at in range(len(keys)) if at not in joined]
        keys, marked = [keys[at] for at in written], [marked[at] and at - 1 not in joined for at in written]
        yield Words(keys, marked, written)
    parts: list[tuple[str, bool, int]] = []
    for number, word in enumerate(keys):
        first, *others = _parts(book, word, keys[number - 1] if number else "")
        parts += [(first, marked[number], written[number]), *((part, False, written[number]) for part in others)]
    if len(parts) > len(keys):
        yield Words(*zip(*parts, strict=True))


def _parts(book: Wordbook, word: str, before: str) -> list[str]:
    """Return the parts of a joined word, a unit's letter and its place, unless it may be a place after `before`."""
    glued = len(word) > 2 and word[0] in book.lexicon.kinds and not book.places.find((word,))
    if glued and "to" not in book.meant_by(before) and book.places.exact(word[1:]):
        return [word[0], word[1:]]
    return book.split.get(word, "").split() or [word]


def _is_joined(book: Wordbook, keys: list[str]) -> bool:
    """Return whether a dash or a stroke stands between the letter of a unit and its place."""
    if len(keys) < 3 or len(keys[0]) > 1 or keys[0] not in book.lexicon.kinds or keys[1] not in (DASH, "/"):
        return False
    return bool(book.places.exact(*keys[2:]))


def _says_nothing(book: Wordbook, words: Sequence[str]) -> bool:
    """Return whether these words, or the number of a year, never belong to an order."""
    year = len(words) == 1 and words[0].isdecimal() and len(words[0]) == DIGITS_OF_YEAR
    return year or "noise" in book.meant_by(" ".join(words))


def trims(book: Wordbook, keys: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the words, and without those at either end that mean nothing: "please", "full stop"."""
    start, end = 0, len(keys)
    yield start, end
    while True:
        for size in (3, 2, 1):
            if start + size < end and _says_nothing(book, keys[start : start + size]):
                start += size
                break
            if start < end - size and _says_nothing(book, keys[end - size : end]):
                end -= size
                end -= keys[end - 1] == "-" and end - 1 > start
                break
        else:
            if keys[start] != "-" or start + 1 == end:
                return
            start += 1
        yield start, end
