"""Spelling: which provinces a few words may name, and how far from the word itself each is.

A name may be cut short, word by word ("Eng.Ch", "WMed", "Gulf"), drawn together ("Const'ple") or have slips of the pen.
Slips are forgiven only where one name is nearest, whatever the position: a short code is never guessed (STD-4.f).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gamesmaster.orders.dialect import noted
from gamesmaster.orders.words import DASH, key

EXACT, SHORT, SLIP, INITIAL = 0, 1, 3, 5
"""How far words are from what they may name: the name itself, cut short, misspelt, a letter or two."""

SHORTEST = 3  # letters of a name cut short
SHORTEST_SLIP = 5  # letters of a name with one slip
SHORTEST_TWO_SLIPS = 6
SHORTEST_CONTRACTION = 4


@dataclass(frozen=True, slots=True)
class Spot:
    """The provinces that words may name, each with its distance; `exact` are those whose own name or code they are.

    `own` are exact ones by the board's own code or name: those win over whatever else begins so.  `near` are others of
    which a full name is one slip away.
    """

    meanings: Mapping[str, int]
    exact: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    near: frozenset[str] = frozenset()

    @property
    def cost(self) -> int:
        """The distance of the nearest."""
        return min(self.meanings.values())


@dataclass(frozen=True, slots=True)
class _Name:
    """A name of a province: its words, the same run together, and all that it means."""

    words: tuple[str, ...]
    joined: str
    provinces: set[str]


@dataclass(eq=False)
class Spelling:
    """Knows the names of provinces on one board, and further ones of a dialect: pairs of a name and an id.

    `codes` are what the board itself calls them, id, abbreviation and name.
    """

    codes: Iterable[tuple[str, str]]
    others: Iterable[tuple[str, str]] = ()
    _exact: dict[str, frozenset[str]] = field(default_factory=dict)
    _own: dict[str, frozenset[str]] = field(default_factory=dict)
    _long: dict[str, _Name] = field(default_factory=dict)
    _by_letter: dict[str, list[_Name]] = field(default_factory=dict)
    _by_later_word: dict[str, list[_Name]] = field(default_factory=dict)
    _small: list[_Name] = field(default_factory=list)

    def __post_init__(self) -> None:
        own = list(self.codes)
        for listed, known in ((own, self._own), ([*own, *self.others], self._exact)):
            for name, province in listed:
                for spelt in spellings(name):
                    known[spelt] = known.get(spelt, frozenset()) | {province}
        for name, province in [*own, *self.others]:
            words = tuple(word for word in key(name).split() if word != DASH)
            if len("".join(words)) > SHORTEST:
                self._keep(words, province)
            if len(words) > 1 and words[-1] in noted("generic") and len("".join(words[:-1])) >= SHORTEST_SLIP:
                self._keep(words[:-1], province)
        self._joined = {at: name.joined for at, name in self._long.items()}
        self._misspellable = {at: n.joined for at, n in self._long.items() if len(n.joined) >= SHORTEST_SLIP}
        self.longest = max((name.count(" ") + 1 for name in self._exact), default=1)
        self.find = lru_cache(maxsize=20_000)(self._find)

    def _keep(self, words: tuple[str, ...], province: str) -> None:
        """Note a name that may be cut short, so that it is found by the letters that its words begin with."""
        spelt = " ".join(words)
        known = self._long.get(spelt)
        if known is None:
            self._long[spelt] = known = _Name(words, "".join(words), set())
            self._by_letter.setdefault(words[0][0], []).append(known)
            for letter in {word[0] for word in words[1:]}:
                self._by_later_word.setdefault(letter, []).append(known)
            if words[0] in noted("small"):
                self._small.append(known)
        known.provinces.add(province)

    def _find(self, words: tuple[str, ...]) -> Spot | None:
        """What these words may name; None for nothing."""
        joined = "".join(words)
        exact = self._exact.get(" ".join(words)) or self._exact.get(joined)
        if exact:
            own = self._own.get(" ".join(words)) or self._own.get(joined) or frozenset()
            rivals = self._begun(joined) if len(joined) >= SHORTEST and len(words) == 1 else set()
            meanings = {**dict.fromkeys(rivals, SHORT), **dict.fromkeys(exact, EXACT)}
            return Spot(meanings, exact, own, self._one_slip_away(joined) - exact)
        if joined in noted("generic"):
            return None
        short = self._begun(joined) | self._abbreviated(words) if len(joined) >= SHORTEST else set[str]()
        if len(joined) > 1:
            short |= self._initials(words)
        if short:
            return Spot(dict.fromkeys(sorted(short), SHORT))
        slips = self._misspelt(joined)
        if len(slips) == 1:
            return Spot(dict.fromkeys(sorted(slips), SLIP))
        if len(joined) < SHORTEST and joined.isalpha():
            begun = self._begun(joined)
            return Spot(dict.fromkeys(sorted(begun), INITIAL)) if begun else None
        return None

    def _begun(self, start: str) -> set[str]:
        names = self._by_letter.get(start[0], ())
        return {p for name in names if name.joined.startswith(start) for p in name.provinces}

    def _abbreviated(self, words: tuple[str, ...]) -> set[str]:
        """Names whose words begin with these, in this order; small ones may be left out ("W.Med", "Gulf")."""
        listed = self._by_later_word if len(words) == 1 else self._by_letter
        names = listed.get(words[0][0], ())
        return {p for name in names if _abbreviates(words, name.words) for p in name.provinces}

    def _initials(self, words: tuple[str, ...]) -> set[str]:
        """Names of several words whose beginnings these letters are, run together or not ("WMed", "GoL", "N.S.")."""
        joined = "".join(words)
        names = (*self._by_letter.get(joined[0], ()), *self._small)
        return {p for n in names if len(n.words) > 1 and _runs_together(joined, n.words) for p in n.provinces}

    def _misspelt(self, wrong: str) -> set[str]:
        """Names one or two slips away, if they all mean one province and no other is as near."""
        if len(wrong) < SHORTEST_SLIP:
            return self._contracted(wrong)
        most = 2 if len(wrong) >= SHORTEST_TWO_SLIPS else 1
        near = process.extract(wrong, self._misspellable, scorer=OSA.distance, score_cutoff=most, limit=None)
        slips = [(d, self._long[at]) for right, d, at in near if d < 2 or len(right) >= SHORTEST_TWO_SLIPS]
        if not slips:
            return self._contracted(wrong)
        least = min(distance for distance, _ in slips)
        return {p for distance, name in slips if distance == least for p in name.provinces}

    def _contracted(self, wrong: str) -> set[str]:
        """Names of which letters in the middle are left out: "M'seilles", "Trst"."""
        if len(wrong) < SHORTEST_CONTRACTION or not wrong.isalpha():
            return set()
        if self._one_slip_away(wrong):  # "Ciee" is Cree, not a long name with its middle left out
            return set()
        names = self._by_letter.get(wrong[0], ())
        return {p for name in names if _leaves_out(name.joined, wrong) for p in name.provinces}

    def _one_slip_away(self, wrong: str) -> frozenset[str]:
        """Whatever has a name of four letters or more that this is with one slip."""
        near = process.extract(wrong, self._joined, scorer=OSA.distance, score_cutoff=1, limit=None)
        return frozenset(p for _, distance, at in near if distance for p in self._long[at].provinces)


def spellings(name: str) -> set[str]:
    """How a name may be written exactly: with its hyphens and spaces or without, umlauts as two letters."""
    found = set()
    for written in {name, name.translate(_UMLAUTS)}:
        spelt = key(written)
        open_ = spelt.replace(f" {DASH} ", " ")
        found |= {spelt, open_, spelt.replace(f" {DASH} ", ""), open_.replace(" ", "")}
    return found - {""}


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def _abbreviates(short: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Does each word begin one of the name's, the first its first or, alone and of three letters, a later one?"""
    if len(short) == 1:
        return len(name) > 1 and len(short[0]) >= SHORTEST and any(word.startswith(short[0]) for word in name[1:])
    rest = iter(name)
    first = next(rest)
    if not first.startswith(short[0]):
        return False
    for word in short[1:]:
        if word in noted("small") and word not in name:
            continue
        for other in rest:
            if other.startswith(word):
                break
            if other not in noted("small"):
                return False
        else:
            return False
    return True


def _runs_together(letters: str, name: tuple[str, ...]) -> bool:
    """Are these letters beginnings of the name's words, at least one of each word that is not small?"""
    if not name:
        return not letters
    first, rest = name[0], name[1:]
    least = 0 if first in noted("small") else 1
    for size in range(least, min(len(first), len(letters)) + 1):
        if letters[:size] != first[:size]:
            return False
        if _runs_together(letters[size:], rest):
            return True
    return False


def _leaves_out(name: str, short: str) -> bool:
    """Is the short form the name with letters left out, its first kept?"""
    if len(short) >= len(name):
        return False
    rest = iter(name)
    return all(letter in rest for letter in short)
