"""Spelling: which provinces a few words may name, and how far from the word itself each is.

A name may be cut short, word by word ("Eng.Ch", "WMed", "Gulf"), drawn together ("Const'ple") or have slips of the pen.
Slips are forgiven only where one name is nearest, whatever the position: a short code is never guessed (STD-4.f).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

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

    `own` are exact ones by the board's own code or name: those win over whatever else begins so.
    """

    meanings: Mapping[str, int]
    exact: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()

    @property
    def cost(self) -> int:
        """The distance of the nearest."""
        return min(self.meanings.values())


@dataclass(eq=False)
class Spelling:
    """Knows the names of provinces on one board, and further ones of a dialect: pairs of a name and an id.

    `codes` are what the board itself calls them, id, abbreviation and name.
    """

    codes: Iterable[tuple[str, str]]
    others: Iterable[tuple[str, str]] = ()
    _exact: dict[str, frozenset[str]] = field(default_factory=dict)
    _own: dict[str, frozenset[str]] = field(default_factory=dict)
    _long: dict[str, tuple[list[str], set[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        own = list(self.codes)
        for listed, known in ((own, self._own), ([*own, *self.others], self._exact)):
            for name, province in listed:
                for spelt in spellings(name):
                    known[spelt] = known.get(spelt, frozenset()) | {province}
        for name, province in [*own, *self.others]:
            words = [word for word in key(name).split() if word != DASH]
            if len("".join(words)) > SHORTEST:
                self._long.setdefault(" ".join(words), (words, set()))[1].add(province)
            if len(words) > 1 and words[-1] in noted("generic") and len("".join(words[:-1])) >= SHORTEST_SLIP:
                self._long.setdefault(" ".join(words[:-1]), (words[:-1], set()))[1].add(province)
        self.longest = max((name.count(" ") + 1 for name in self._exact), default=1)
        self.find = lru_cache(maxsize=20_000)(self._find)

    def _find(self, words: tuple[str, ...]) -> Spot | None:
        """What these words may name; None for nothing."""
        joined = "".join(words)
        exact = self._exact.get(" ".join(words)) or self._exact.get(joined)
        if exact:
            own = self._own.get(" ".join(words)) or self._own.get(joined) or frozenset()
            rivals = self._begun(joined) if len(joined) >= SHORTEST and len(words) == 1 else set()
            return Spot({**dict.fromkeys(rivals, SHORT), **dict.fromkeys(exact, EXACT)}, exact, own)
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
            begun = {p for _, (name, ps) in self._long.items() if "".join(name).startswith(joined) for p in ps}
            return Spot(dict.fromkeys(sorted(begun), INITIAL)) if begun else None
        return None

    def _begun(self, start: str) -> set[str]:
        return {p for words, ps in self._long.values() if "".join(words).startswith(start) for p in ps}

    def _abbreviated(self, words: tuple[str, ...]) -> set[str]:
        """Names whose words begin with these, in this order; small ones may be left out ("W.Med", "Gulf")."""
        return {p for name, ps in self._long.values() if _abbreviates(words, name) for p in ps}

    def _initials(self, words: tuple[str, ...]) -> set[str]:
        """Names of several words whose beginnings these letters are, run together or not ("WMed", "GoL", "N.S.")."""
        joined = "".join(words)
        return {p for name, ps in self._long.values() if len(name) > 1 and _runs_together(joined, name) for p in ps}

    def _misspelt(self, wrong: str) -> set[str]:
        """Names one or two slips away, if they all mean one province and no other is as near."""
        if len(wrong) < SHORTEST_SLIP:
            return self._contracted(wrong)
        most = 2 if len(wrong) >= SHORTEST_TWO_SLIPS else 1
        near: dict[str, int] = {}
        for words, provinces in self._long.values():
            right = "".join(words)
            allowed = most if len(right) >= SHORTEST_TWO_SLIPS else 1 if len(right) >= SHORTEST_SLIP else 0
            distance = OSA.distance(wrong, right, score_cutoff=allowed)
            if 0 < distance <= allowed:
                for province in provinces:
                    near[province] = min(near.get(province, distance), distance)
        if not near:
            return self._contracted(wrong)
        least = min(near.values())
        return {p for p, d in near.items() if d == least}

    def _contracted(self, wrong: str) -> set[str]:
        """Names of which letters in the middle are left out: "M'seilles", "Trst"."""
        if len(wrong) < SHORTEST_CONTRACTION or not wrong.isalpha():
            return set()
        return {p for words, ps in self._long.values() if _leaves_out("".join(words), wrong) for p in ps}


def spellings(name: str) -> set[str]:
    """How a name may be written exactly: with its hyphens and spaces or without, umlauts as two letters."""
    found = set()
    for written in {name, name.translate(_UMLAUTS)}:
        spelt = key(written)
        open_ = spelt.replace(f" {DASH} ", " ")
        found |= {spelt, open_, spelt.replace(f" {DASH} ", ""), open_.replace(" ", "")}
    return found - {""}


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def _abbreviates(short: tuple[str, ...], name: list[str]) -> bool:
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


def _runs_together(letters: str, name: list[str]) -> bool:
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
    if not name.startswith(short[0]) or len(short) >= len(name):
        return False
    rest = iter(name)
    return all(letter in rest for letter in short)
