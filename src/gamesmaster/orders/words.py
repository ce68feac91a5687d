"""Words: the text of an order in one spelling, what its words may mean, and all the words of one game.

A text is folded once: compatibility forms (full-width letters, ligatures) to plain ones, small letters, no accents,
every dash and arrow to one dash, nothing invisible.  Full stops, commas, underscores and apostrophes only part words.
All of it takes one pass, so the time is in proportion to the text.

The notation knows names exactly; names cut short or misspelt are read by `gamesmaster.reading`.  An earlier layer of
names (ids) wins over a later one (aliases); a name that two provinces of one layer have keeps both meanings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from gamesmaster.board import Board, Location, Province, Terrain
from gamesmaster.orders.model import BY_CONVOY, CARRYING, DASH, FILLERS, WITH, AnyVerb, Verb, words_of

_WORD = re.compile(r"[^\W_]+|[-=>]+|//|[^\s.,_'’]")
_ACCENTS = frozenset(range(0x300, 0x370)) - frozenset(range(0x334, 0x339))  # without overlays, which strike letters out
_EMOJI_STYLE = range(0xFE00, 0xFE10)
_STRAY_DASHES = "\u2043\u2212\u02d7"  # hyphen bullet, minus sign, modifier minus: dashes by look, not by category


class Word(NamedTuple):
    """A word, number or sign: `key` in the one spelling, and the part of the text (from 0) it came from."""

    key: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def _fold_char(char: str) -> str:
    """Return one character in the normal spelling: one or more characters, or "" if it is invisible."""
    if unicodedata.category(char) == "Cf" or ord(char) in _EMOJI_STYLE:
        return ""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(_plain_sign(part) for part in plain if ord(part) not in _ACCENTS)


def _plain_sign(char: str) -> str:
    if char.isascii():
        return char
    if unicodedata.category(char) == "Pd" or char in _STRAY_DASHES:
        return DASH
    name = unicodedata.name(char, "")
    if "ARROW" in name and "RIGHTWARDS" in name and "LEFTWARDS" not in name:
        return DASH
    return {"HEAVY PLUS SIGN": "+", "HEAVY MINUS SIGN": DASH}.get(name, char)


def _fold(text: str) -> tuple[str, Sequence[int]]:
    """Return the text in the normal spelling, and the position in `text` of each of its characters."""
    if text.isascii():
        return text.lower(), range(len(text))
    folded: list[str] = []
    origin: list[int] = []
    for place, char in enumerate(text):
        part = _fold_char(char)
        folded.append(part)
        origin += [place] * len(part)
    return "".join(folded), origin


def split(text: str) -> list[Word]:
    """Return the words of a text; a run of dashes and arrows is one dash, and any other sign is a word."""
    folded, origin = _fold(text)
    words = []
    for match in _WORD.finditer(folded):
        key = DASH if match[0][0] in "-=>" else match[0]
        words.append(Word(key, origin[match.start()], origin[match.end() - 1] + 1))
    return words


def key(text: str) -> str:
    """Return the words of a name in the normal spelling, with single spaces: `St. Petersburg` -> `st petersburg`."""
    return " ".join(word.key for word in split(text))


Meanings = tuple[str, ...]

UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def spellings(name: str) -> tuple[str, ...]:
    """Return how a name may be written exactly: with its hyphens and spaces or without, with umlauts as two letters."""
    found = []
    for spelt in map(key, dict.fromkeys((name, name.translate(UMLAUTS)))):
        open_ = spelt.replace(f" {DASH} ", " ")
        found += [spelt, open_, spelt.replace(f" {DASH} ", ""), open_.replace(" ", "")]
    return tuple(dict.fromkeys(filter(None, found)))


class Names:
    """Words and what they mean, each in every exact spelling.

    `shown` maps each meaning (a province id, a power) to the name shown in messages.  `layers` maps words to meanings,
    the strongest layer first.
    """

    def __init__(self, shown: Mapping[str, str], layers: Sequence[Iterable[tuple[str, str]]]) -> None:
        self.shown = shown
        self.exact: dict[str, Meanings] = {}
        for layer in layers:
            claimed: dict[str, Meanings] = {}
            for word, meaning in layer:
                for spelt in spellings(word):
                    claimed[spelt] = tuple(dict.fromkeys((*claimed.get(spelt, ()), meaning)))
            self.exact = claimed | self.exact
        self.longest = max((word.count(" ") + 1 for word in self.exact), default=1)  # in words

    def longest_name(self, words: Sequence[str]) -> tuple[Meanings, int]:
        """Return what the longest name at the start of `words` means, and of how many words it is made."""
        for size in range(min(self.longest, len(words)), 0, -1):
            if found := self.exact.get(" ".join(words[:size])):
                return found, size
        return (), 0

    def hint(self, word: str) -> str:
        """Return a hint that names the known word most like `word`; empty if none is near."""
        near = get_close_matches(key(word[:80]), self.exact, n=1, cutoff=0.6)
        return f"did you mean {self.shown[self.exact[near[0]][0]]}?" if near else ""


_DIRECTIONS = {"N": "north", "S": "south", "E": "east", "W": "west"}


class Lexicon:
    """Every word that can stand for something on this board, for these powers, kinds of unit and verbs.

    `carried` are the words for things that units make and carry, the printed one first; `verbs` those of mechanics,
    whose words go before the regular ones.

    `nobodies` are names for those whose units no power has; they may be said of a unit, as a power is.

    `places` are the provinces that some unit can enter, `closed` the impassable ones, named only to say so.
    `coasts` maps the words for a coast to its letters; those of `loose_coasts` need no bracket or stroke.
    `pairs` are the kinds that are two units in one; `verbs` are the words that may stand behind a unit, `ahead` those
    that do only where more follows, `first` those that may begin an order, `stops` all words of grammar, `taken` those
    that a province without a letter before it must not be printed like.  `named_verbs` are the verbs by their names.
    """

    def __init__(
        self,
        board: Board,
        powers: Mapping[str, Iterable[str]],
        kinds: Mapping[str, Iterable[str]],
        carried: Iterable[str] = (),
        nobodies: Iterable[str] = (),
        verbs: Iterable[AnyVerb] = (),
    ) -> None:
        self.board = board
        self.places = _provinces(p for p in board.provinces if p.terrain is not Terrain.IMPASSABLE)
        self.closed = _provinces(p for p in board.provinces if p.terrain is Terrain.IMPASSABLE)
        others = [(word, power) for power, words in powers.items() for word in words]
        unowned = [(name, name) for name in nobodies]
        self.powers = Names({p: p for p in powers}, [[(p, p) for p in powers], others, unowned])
        self.kinds = {key(word): kind for kind, words in kinds.items() for word in (kind, *words)}
        self.kinds_begin = frozenset(word.split()[0] for word in self.kinds)
        self.longest_kind = max((word.count(" ") + 1 for word in self.kinds), default=0)
        self.loose_coasts, self.coasts = _coasts(board)
        things = tuple(carried)
        self.thing = things[0] if things else ""
        named = [(f"{thing}{plural}", self.thing) for thing in things for plural in ("", "s")]
        self.carried = Names({self.thing: self.thing}, [named])
        self.pairs = frozenset(kind for kind in kinds if "/" in kind and {*kinds}.issuperset(kind.split("/")))
        every = (*Verb, *verbs)
        self.named_verbs = {verb.value: verb for verb in every}
        carrying = dict.fromkeys(CARRYING, Verb.MOVE) if self.thing else {}
        self.verbs = words_of(every, "behind") | carrying
        self.ahead, self.first = words_of(every, "ahead"), words_of(every, "before")
        self.stops = frozenset({*self.verbs, *BY_CONVOY, "(", ")", "/", ":", *[WITH] * bool(self.thing)})
        self.taken = frozenset({*self.kinds, *self.verbs, *FILLERS})
        self.longest = max(names.longest for names in (self.places, self.closed, self.powers, self.carried))
        self.letters = frozenset("".join(self.places.exact))

    def at(self, province: str, coast: str) -> Location:
        """Return the location of a province and the letters of a coast.

        `N` and `NC` are the same coast to a province that has one of them, and a coast may have other names; one that
        the province has not is kept as it is, for the rules to judge (DATC 4.B.6).
        """
        found = self.board.province(province)
        known = {own: own for own in found.coasts} | dict(found.coast_aliases)
        if coast in known or not _direction(coast):
            return Location(province, known.get(coast, coast))
        return Location(province, next((own for name, own in known.items() if _direction(name) == coast[0]), coast))


def _coasts(board: Board) -> tuple[dict[str, str], dict[str, str]]:
    """Return the words for coasts that need no slash or brackets, and all words for coasts.

    The board's own words come before the usual directions.
    """
    loose: dict[str, str] = {}
    short: dict[str, str] = {}
    for letter, direction in _DIRECTIONS.items():
        code, small = letter + "C", letter.lower()
        loose |= dict.fromkeys((code.lower(), f"{small} coast", f"{direction} coast"), code)
        short |= {small: letter, direction: code}
    named = (name for p in board.provinces for name in (*p.coasts, *dict(p.coast_aliases)))
    own = {coast.lower(): coast for coast in named}
    loose |= {word: coast for word, coast in own.items() if len(word) > 1}
    return loose, short | loose | own


def _direction(coast: str) -> str:
    """Return the letter of a coast named by its direction, as `N` or `NC`; of any other, ""."""
    return coast[0] if coast[:1] in _DIRECTIONS and coast[1:] in ("", "C") else ""


def _provinces(provinces: Iterable[Province]) -> Names:
    """Return the names of provinces: ids before abbreviations, before full names, before aliases."""
    listed = tuple(provinces)
    layers = zip(*(((p.id,), (p.abbr,), (p.name,), p.aliases) for p in listed), strict=True)
    named = [[(name, p.id) for p, names in zip(listed, layer, strict=True) for name in names] for layer in layers]
    return Names({p.id: f"{p.name} ({p.abbr})" for p in listed}, named)
