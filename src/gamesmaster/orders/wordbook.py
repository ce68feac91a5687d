"""Wordbooks: the words of one language's dialects on one board, and the forms they may stand in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from rapidfuzz.distance import OSA

from gamesmaster.board.model import Terrain
from gamesmaster.orders.dialect import Dialect
from gamesmaster.orders.lexicon import Lexicon
from gamesmaster.orders.model import PhaseKind, Verb
from gamesmaster.orders.spelling import SLIP, Spelling
from gamesmaster.orders.words import key

SHORTEST_VERB_SLIP = 5
ANY_KIND = "?"


@dataclass(frozen=True, slots=True)
class Form:
    """What an order is made of: parts to name in small letters, words of a table in capitals.

    `cost` is how much it leaves to be guessed.
    """

    verb: Verb
    parts: tuple[str, ...]
    cost: int = 0


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
        self.places = Spelling(_codes(lexicon), [*_aliases(lexicon), *_foreign(lexicon, listed)])
        self.powers = _powers(lexicon, listed)
        self._long_words = [word for word in self.says if len(word) >= SHORTEST_VERB_SLIP and " " not in word]
        self.meant_by = lru_cache(maxsize=10_000)(self._meant_by)

    def _take(self, dialect: Dialect) -> None:
        for table, words in dialect.words.items():
            for word in words:
                for spelt in {key(word), key(word.translate(_UMLAUTS))} - {""}:
                    self.says.setdefault(spelt, set()).add(table)
                if word in ("+", "-"):
                    self.says.setdefault(word, set()).add(table)
        for kind, words in dialect.kinds.items():
            if kind == ANY_KIND or kind in self.lexicon.kinds.values():
                self.kinds |= {key(word): kind for word in words}
        for coast, words in dialect.coasts.items():
            self.coasts |= {key(word): coast for word in words if key(word) not in self.lexicon.coasts}
        self.split |= dialect.split
        for phase, forms in dialect.forms.items():
            for verb, lines in forms.items():
                self.forms[PhaseKind(phase)] += [form for line in lines for form in _forms(Verb(verb), line)]

    def _meant_by(self, phrase: str) -> Mapping[str, int]:
        """The tables a phrase stands in, with how far it is from the word there: none, or a slip of the pen."""
        found = self.says.get(phrase)
        if found:
            return dict.fromkeys(found, 0)
        if len(phrase) < SHORTEST_VERB_SLIP or " " in phrase:
            return {}
        near = (w for w in self._long_words if OSA.distance(phrase, w, score_cutoff=1) == 1)
        return {table: SLIP - 1 for word in near for table in self.says[word]}


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def _forms(verb: Verb, line: str) -> Iterator[Form]:
    """The forms that a line of a table stands for: each optional part there and not there."""
    words = line.split()
    cost = int(words.pop(0)) if words[0].isdecimal() else 0
    for chosen in product(*(((w[:-1],), ()) if w.endswith("?") else ((w,),) for w in words)):
        yield Form(verb, tuple(part for parts in chosen for part in parts), cost)


def _codes(lexicon: Lexicon) -> list[tuple[str, str]]:
    listed = (p for p in lexicon.board.provinces if p.terrain is not Terrain.IMPASSABLE)
    return [(name, p.id) for p in listed for name in (p.id, p.abbr, p.name)]


def _aliases(lexicon: Lexicon) -> list[tuple[str, str]]:
    return [(name, p.id) for p in lexicon.board.provinces if p.terrain is not Terrain.IMPASSABLE for name in p.aliases]


def _foreign(lexicon: Lexicon, dialects: tuple[Dialect, ...]) -> list[tuple[str, str]]:
    """A dialect's own names of provinces.

    Left out are those that the board itself gives to another place, or that are one slip from another's full name.
    """
    ids = {p.name: p.id for p in lexicon.board.provinces}
    own = lexicon.places.exact
    full = [(key(province.name), province.id) for province in lexicon.board.provinces]
    named = [
        (word, key(word), ids[name], dialect.language)
        for dialect in dialects
        for name, words in dialect.names.items()
        if name in ids
        for word in words
    ]
    return [
        (word, at)
        for word, spelt, at, language in named
        if own.get(spelt, (at,)) == (at,) or language != "en"
        if not any(OSA.distance(spelt, long, score_cutoff=1) == 1 for long, other in full if other != at)
    ]


def _powers(lexicon: Lexicon, dialects: tuple[Dialect, ...]) -> dict[str, str]:
    """The words for powers: full ones, other ones, and their first three letters where one power alone begins so.

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
