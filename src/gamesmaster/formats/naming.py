"""Names of other programs as ours: ids of provinces, letters of coasts, names that clash nowhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from gamesmaster.board import Location, fold
from gamesmaster.formats.draft import Draft, Space

MOST_ALIASES = 32
LONGEST_NAME = 80
LONGEST_ID = 16
_ORDER_WORDS = frozenset({"A", "F", "H", "S", "C", "R", "D", "B", "BY", "TO", "VIA"})
"""Words of orders: no id that is made here is one of them."""
_COMPASS = ("NORTH", "SOUTH", "EAST", "WEST")


def clean_name(text: str) -> str:
    """Return a name as files of ours hold it: printable, with single blanks, at most 80 characters."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(plain.split())[:LONGEST_NAME].strip()


def letters_of(text: str) -> str:
    """Return the Latin letters and digits of a text in capitals, without their accents.

    >>> letters_of("Köln-Deutz 2")
    'KOLNDEUTZ2'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return "".join(letter for letter in plain.upper() if letter.isalnum())


class Naming:
    """What the provinces of a draft are called here: `ids`, `names`, `aliases` and `coasts` by the file's keys."""

    def __init__(self, draft: Draft, spaces: Mapping[str, Space], coasts: Mapping[str, Sequence[str]]) -> None:
        self.draft = draft
        self.ids = dict(zip(spaces, _ids(spaces), strict=True))
        self.owner = {fold(code): key for key, code in self.ids.items()}
        self.names = {key: self._name(key, space) for key, space in spaces.items()}
        self.aliases = {key: self._aliases(key, space) for key, space in spaces.items()}
        self.coasts = {key: coast_letters(words) for key, words in coasts.items()}
        for key, given in self.coasts.items():
            changed = {
                f"{word[:20]} is {self.ids[key]}/{own}" for word, own in given.items() if len(letters_of(word)) > 4
            }
            unusual = [text for text in sorted(changed) if not text.upper().startswith(_COMPASS)]
            if unusual:
                draft.note("coasts have shorter names", *unusual)

    def place(self, at: Location) -> Location:
        """Return a place of the file as a place of the board."""
        return Location(self.ids[at.province], self.coasts[at.province].get(at.coast, ""))

    def _name(self, key: str, space: Space) -> str:
        name = clean_name(space.name) or self.ids[key]
        if self.owner.get(fold(name), key) != key or not fold(name):
            self.draft.note("names that mean several places have their id behind them", name)
            name = clean_name(f"{name[: LONGEST_NAME - LONGEST_ID - 3]} ({self.ids[key]})")
        if self.owner.setdefault(fold(name), key) != key:
            return self.ids[key]
        return name

    def _aliases(self, key: str, space: Space) -> tuple[str, ...]:
        kept: dict[str, str] = {}
        for alias in map(clean_name, space.aliases):
            word = fold(alias)
            if word and self.owner.setdefault(word, key) == key:
                kept.setdefault(word, alias)
            elif word:
                self.draft.note("left out: other names that mean several places", alias)
        own = {fold(self.names[key]), fold(self.ids[key])}
        return tuple(alias for word, alias in kept.items() if word not in own)[:MOST_ALIASES]


def _ids(spaces: Mapping[str, Space]) -> Iterator[str]:
    """Yield an id for each province: its own code if that is a valid id, else letters of its name."""
    codes = {key: letters_of(space.code)[:LONGEST_ID] for key, space in spaces.items()}
    names = {key: fold(space.name) for key, space in spaces.items()}
    taken: set[str] = set()
    mine = {key: code for key, code in reversed(codes.items()) if code}
    first = {code: key for key, code in mine.items()}
    reserved = set(first) | {name.upper() for name in names.values()}
    for number, (key, space) in enumerate(spaces.items()):
        own = codes[key] if first.get(codes[key]) == key else ""
        free = (c for c in candidates(space.name) if c not in taken and c not in _ORDER_WORDS)
        made = own or next((c for c in free if c not in reserved or c == names[key].upper()), f"P{number}")
        taken.add(made)
        yield made


def candidates(name: str) -> Iterator[str]:
    """Yield possible ids for a name: its first letters, letters of its words, any three letters in their order."""
    words = [word for word in map(letters_of, re.split(r"[\W_]+", name)) if word]
    whole = "".join(words)
    if len(whole) < 3:
        yield whole.ljust(2, "X")
    yield whole[:3].ljust(3, "X")
    if len(words) > 2:
        yield words[0][0] + words[1][0] + words[2][0]
    if len(words) > 1:
        yield words[0][:2] + words[1][0]
        yield words[0][0] + words[1][:2]
    for pair in combinations(whole[1:12], 2):
        yield whole[0] + "".join(pair)
    for number in range(2, 1000):
        yield f"{whole[:2]}{number}"


def coast_letters(words: Sequence[str]) -> dict[str, str]:
    """Return one to four letters for each coast of a province.

    >>> coast_letters(["nc", "South Coast", "Missouri Coast", "Mississippi Coast"])
    {'nc': 'NC', 'South Coast': 'SC', 'Missouri Coast': 'MC', 'Mississippi Coast': 'MIC'}
    """
    found: dict[str, str] = {}
    for word in words:
        letters = [part for part in re.split(r"[^A-Z]+", re.sub(r"\d", "", word.upper())) if part]
        whole = "".join(letters) or "X"
        initials = "".join(part[0] for part in letters) or "X"
        tries = [
            whole,
            initials,
            *(whole[:n] + initials[-1] for n in (2, 3)),
            *(f"{whole[0]}{c}" for c in "ABCDEFGHIJ"),
        ]
        found[word] = next(own for own in tries if len(own) <= 4 and own not in found.values())
    return found
