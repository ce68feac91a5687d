"""Spelling: the names of provinces on one board in any spelling.

A name may be cut short, word by word ("Eng.Ch", "WMed", "Gulf"), drawn together ("Const'ple") or have slips of the pen.
Slips are forgiven only where one name is nearest, whatever the position: a short code is never guessed (STD-4.f).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gamesmaster.orders import DASH
from gamesmaster.orders.dialect import note_words
from gamesmaster.orders.words import key, spellings

EXACT, SHORT, SLIP, INITIAL, VAGUE = 0, 1, 3, 5, 99
"""How far words are from what they may name: the name itself, cut short, misspelt, a letter or two, "north" alone."""

SHORTEST = 3  # letters of a name cut short
SHORTEST_SLIP = 5  # letters of a name with one slip
SHORTEST_TWO_SLIPS = 6
SHORTEST_CONTRACTION = 4
SHORTEST_COGNATE = 6
_SAME_BEGINNING, _LONGEST_ENDING = 5, 4  # letters of words of two languages that are alike, and that may differ
_BEGINNINGS = range(3, 8)  # letters at the beginning of an abbreviated name that are compared


@dataclass(frozen=True, slots=True)
class Spot:
    """The provinces that words may name, each with its distance; `exact` are those whose own name or code they are.

    `own` are exact ones by the board's own code or name: those win over whatever else begins so.  `near` are others of
    which a full name is one slip away from a short one.
    """

    meanings: Mapping[str, int]
    exact: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    near: frozenset[str] = frozenset()

    @classmethod
    def of(cls, *provinces: str) -> Spot:
        """Return the spot of an exact name."""
        named = frozenset(provinces)
        return cls(dict.fromkeys(named, EXACT), named, named)

    @property
    def cost(self) -> int:
        """The distance of the nearest."""
        return min(self.meanings.values())

    @property
    def nearest(self) -> Collection[str]:
        """The provinces that are nearest."""
        return self.exact or [province for province, distance in self.meanings.items() if distance == self.cost]


@dataclass(frozen=True, slots=True)
class _Name:
    """A name of a province: its words, the same run together, and all that it means."""

    words: tuple[str, ...]
    joined: str
    provinces: set[str]


@dataclass(eq=False)
class Spelling:
    """Knows the names of provinces on one board, and further ones of a dialect: pairs of a name and an id.

    `codes` are what the board itself calls them, id, abbreviation and name; `taken` are words for something else.
    `names` says what every name means.
    """

    codes: Iterable[tuple[str, str]]
    others: Iterable[tuple[str, str]] = ()
    taken: Collection[str] = ()
    names: dict[str, frozenset[str]] = field(default_factory=dict)
    _own: dict[str, frozenset[str]] = field(default_factory=dict)
    _long: dict[str, _Name] = field(default_factory=dict)
    _by_letter: dict[str, list[_Name]] = field(default_factory=dict)
    _by_later_word: dict[str, list[_Name]] = field(default_factory=dict)
    _small: list[_Name] = field(default_factory=list)

    def __post_init__(self) -> None:
        own = list(self.codes)
        for listed, known in ((own, self._own), ([*own, *self.others], self.names)):
            for name, province in listed:
                for spelt in spellings(name):
                    known[spelt] = known.get(spelt, frozenset()) | {province}
        self._drop_generic(own)
        for name, province in [*own, *self.others]:
            words = tuple(word for word in key(name).split() if word != DASH)
            if len("".join(words)) > SHORTEST:
                self._keep(words, province)
            if len(words) > 1 and words[-1] in note_words("generic") and len("".join(words[:-1])) >= SHORTEST_SLIP:
                self._keep(words[:-1], province)
        self._joined = {at: name.joined for at, name in self._long.items()}
        self._misspellable = {at: n.joined for at, n in self._long.items() if len(n.joined) >= SHORTEST_SLIP}
        self.find = lru_cache(maxsize=20_000)(self._find)

    def exact(self, *words: str) -> frozenset[str]:
        """Return the provinces with exactly this name, which may be written as one word."""
        return self.names.get(" ".join(words)) or self.names.get("".join(words)) or frozenset()

    @cached_property
    def sounds(self) -> dict[str, set[str]]:
        """The provinces that go by a name that sounds so, whole or cut short in its first word."""
        found: dict[str, set[str]] = {}
        for name, provinces in self.names.items():
            first = name.split()[0]
            cut = {first[:size] for size in _BEGINNINGS} if first not in note_words("generic") else set()
            for spelt in {spelt for part in {name, *cut} for spelt in sounds(part)}:
                found.setdefault(spelt, set()).update(provinces)
        return found

    def _drop_generic(self, names: Iterable[tuple[str, str]]) -> None:
        """Let names go without what many have: "Bothwell" for Bothwell Castle, "Clyde" for the Firth of Clyde."""
        generic, short = note_words("generic") | note_words("feature"), dict[str, set[str]]()
        for name, province in names:
            first, *rest = [word for word in key(name).split() if word != DASH]
            led = first in generic and rest[:1] == ["of"]
            bare = [first, *rest[:-1]] if rest and rest[-1] in generic else rest[1:] if led else []
            if len("".join(bare)) >= SHORTEST and not generic.issuperset(bare):
                short.setdefault(" ".join(bare), set()).add(province)
        for words, provinces in short.items():
            if len(provinces) == 1 and words not in self.taken:
                self.names.setdefault(words, frozenset(provinces))

    def _keep(self, words: tuple[str, ...], province: str) -> None:
        """Note a name that may be abbreviated under the beginnings of its words."""
        spelt = " ".join(words)
        known = self._long.get(spelt)
        if known is None:
            self._long[spelt] = known = _Name(words, "".join(words), set())
            self._by_letter.setdefault(words[0][0], []).append(known)
            for letter in {word[0] for word in words[1:]}:
                self._by_later_word.setdefault(letter, []).append(known)
            if words[0] in note_words("small"):
                self._small.append(known)
        known.provinces.add(province)

    def _find(self, words: tuple[str, ...]) -> Spot | None:
        """Return what these words may name; None for nothing."""
        joined = "".join(words)
        if exact := self.exact(*words):
            own = self._own.get(" ".join(words)) or self._own.get(joined) or frozenset()
            rivals = self._match_start(joined) if len(joined) >= SHORTEST and len(words) == 1 else set()
            meanings = {**dict.fromkeys(rivals, SHORT), **dict.fromkeys(exact, EXACT)}
            near = self._one_slip_away(joined) - exact if len(joined) <= SHORTEST else frozenset()
            return Spot(meanings, exact, own, near)
        if joined in note_words("generic"):
            begun = self._match_start(joined)
            return Spot(dict.fromkeys(sorted(begun), VAGUE)) if begun else None
        short = set[str]()
        if len(joined) >= SHORTEST:
            letters = len(words) > 1 and any(len(word) == 1 for word in words[1:])  # "Mar S" is not Mars(eilles)
            short = self._match_abbreviation(words) | (set() if letters else self._match_start(joined))
        if len(joined) > 1:
            short |= self._initials(words)
        if short:
            return Spot(dict.fromkeys(sorted(short), SHORT))
        slips = set[str]() if joined in self.taken else self._misspelt(joined) or self._cognates(words)
        if len(slips) == 1:
            return Spot(dict.fromkeys(sorted(slips), SLIP))
        if len(joined) < SHORTEST and joined.isalpha():
            begun = self._match_start(joined)
            return Spot(dict.fromkeys(sorted(begun), INITIAL)) if begun else None
        return None

    def _match_start(self, start: str) -> set[str]:
        names = self._by_letter.get(start[0], ())
        return {p for name in names if name.joined.startswith(start) for p in name.provinces}

    def _match_abbreviation(self, words: tuple[str, ...]) -> set[str]:
        """Return names whose words begin with these, in this order, perhaps without small ones ("W.Med", "Gulf")."""
        listed = self._by_later_word if len(words) == 1 else self._by_letter
        names = listed.get(words[0][0], ())
        return {p for name in names if _abbreviates(words, name.words) for p in name.provinces}

    def _initials(self, words: tuple[str, ...]) -> set[str]:
        """Return names of several words that begin with these letters, joined or not ("WMed", "GoL", "N.S.")."""
        joined = "".join(words)
        names = (*self._by_letter.get(joined[0], ()), *self._small)
        return {p for n in names if len(n.words) > 1 and _runs_together(joined, n.words) for p in n.provinces}

    def _misspelt(self, wrong: str) -> set[str]:
        """Return names one or two slips away, if they all mean one province and no other is as near."""
        if len(wrong) < SHORTEST_SLIP:
            near = process.extract(wrong, self._joined, scorer=OSA.distance, score_cutoff=1, limit=None)
            swapped = (self._long[at] for name, _, at in near if sorted(name) == sorted(wrong))  # "Ohoi"
            return {p for name in swapped for p in name.provinces} or self._match_contraction(wrong)
        most = 2 if len(wrong) >= SHORTEST_TWO_SLIPS else 1
        near = process.extract(wrong, self._misspellable, scorer=OSA.distance, score_cutoff=most, limit=None)
        slips = [(d, self._long[at]) for right, d, at in near if d < 2 or len(right) >= SHORTEST_TWO_SLIPS]
        if not slips:
            return self._match_contraction(wrong)
        least = min(distance for distance, _ in slips)
        nearest = [name for distance, name in slips if distance == least]
        return {p for name in nearest for p in self.names.get(" ".join(name.words), name.provinces)}

    def _match_contraction(self, wrong: str) -> set[str]:
        """Return names from which letters in the middle are left out: "M'seilles", "Trst"."""
        if len(wrong) < SHORTEST_CONTRACTION or not wrong.isalpha():
            return set()
        if self._one_slip_away(wrong):  # "Ciee" is Cree, not a long name with its middle left out
            return set()
        names = self._by_letter.get(wrong[0], ())
        return {p for name in names if _leaves_out(name.joined, wrong) for p in name.provinces}

    def _cognates(self, words: tuple[str, ...]) -> set[str]:
        """Return names with another ending in another language, without words of many names: "mer Caspienne"."""
        idle = note_words("generic") | note_words("feature") | note_words("small")
        (word, *others) = [word for word in words if word not in idle] or [""]
        if others or len(word) < SHORTEST_COGNATE:
            return set()
        named = ((part, name) for name in self._long.values() for part in name.words if part not in idle)
        return {p for part, name in named if _ends_otherwise(part, word) for p in name.provinces}

    def _one_slip_away(self, wrong: str) -> frozenset[str]:
        """Return everything with a name of four letters or more that differs from this by one slip."""
        near = process.extract(wrong, self._joined, scorer=OSA.distance, score_cutoff=1, limit=None)
        return frozenset(p for _, distance, at in near if distance for p in self._long[at].provinces)


def sounds(letters: str) -> set[str]:
    """Return how letters sound: with doubled ones, and without."""
    heard = re.sub(r"[- ]", "", letters).translate(_SOUNDS).replace("ph", "f")
    return {heard, re.sub(r"(\D)\1+", r"\1", heard)}


_SOUNDS = str.maketrans("kqyjzw", "cciisv")


def _abbreviates(short: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Return whether each word begins a word of the name, in order, and the first word begins the first.

    A single word of three letters or more may instead begin any later word of the name.
    """
    if len(short) == 1:
        return len(name) > 1 and len(short[0]) >= SHORTEST and any(word.startswith(short[0]) for word in name[1:])
    small = note_words("small")
    begun = (re.escape(word) for word in short[1:] if word in name or word not in small)
    between = rf"\S*(?: (?:{'|'.join(small)}))* "  # small words of the name may be left out
    return re.match(between.join((re.escape(short[0]), *begun)), " ".join(name)) is not None


def _runs_together(letters: str, name: tuple[str, ...]) -> bool:
    """Return whether these letters begin the name's words, at least one of each word that is not small."""
    if not name:
        return not letters
    first, rest = name[0], name[1:]
    least = 0 if first in note_words("small") else 1
    for size in range(least, min(len(first), len(letters)) + 1):
        if letters[:size] != first[:size]:
            return False
        if _runs_together(letters[size:], rest):
            return True
    return False


def _ends_otherwise(one: str, other: str) -> bool:
    """Return whether two words begin alike and differ in their endings only."""
    same = next((at for at, (this, that) in enumerate(zip(one, other, strict=False)) if this != that), 0)
    return same >= _SAME_BEGINNING and max(len(one), len(other)) - same <= _LONGEST_ENDING


def _leaves_out(name: str, short: str) -> bool:
    """Return whether the short form is the name without some letters: it keeps the first and at least every second."""
    if not len(short) < len(name) <= 2 * len(short):
        return False
    rest = iter(name)
    return all(letter in rest for letter in short)
