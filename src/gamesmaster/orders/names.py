"""Names: what the words of a text may mean.

Exact words win over beginnings, and beginnings over names with one slip of the pen.  Of exact words, an earlier layer
(an id) wins over a later one (an alias); what is left with two meanings keeps both, for the reader to ask back.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain

from gamesmaster.orders.words import DASH, key

SHORTEST_BEGINNING = 3  # letters
SHORTEST_MISSPELT = 5  # letters

Meanings = tuple[str, ...]


class Names:
    """Words and what they mean.

    `shown` maps each meaning (a province id, a power) to the name shown in messages.  `layers` maps words to meanings,
    the strongest layer first; only words of layers from `beginnings_from` on may be cut short or misspelt.
    """

    def __init__(
        self, shown: Mapping[str, str], layers: Sequence[Iterable[tuple[str, str]]], beginnings_from: int = 0
    ) -> None:
        self.shown = shown
        self.exact: dict[str, Meanings] = {}
        long: dict[str, Meanings] = {}
        for depth, layer in enumerate(layers):
            claimed = self._gathered(layer)
            self.exact = claimed | self.exact
            if depth >= beginnings_from:
                for word, meanings in claimed.items():
                    long[word] = tuple(dict.fromkeys(long.get(word, ()) + meanings))
        self._long = sorted(long.items())
        self._inside: dict[str, dict[str, None]] = {}
        for name, meanings in self._long:
            for word in name.split()[1:]:
                self._inside.setdefault(word, {}).update(dict.fromkeys(meanings))
        self._words = [word for word, _ in self._long]
        self.longest = max((word.count(" ") + 1 for word in self.exact), default=1)  # in words

    @staticmethod
    def _gathered(layer: Iterable[tuple[str, str]]) -> dict[str, Meanings]:
        """Each spelling of the layer's words with all it means: hyphens and spaces in a name may be left out."""
        found: dict[str, Meanings] = {}
        for word, meaning in layer:
            spelt = key(word)
            open_ = spelt.replace(f" {DASH} ", " ")
            joined = spelt.replace(f" {DASH} ", "")
            for spelling in dict.fromkeys((spelt, open_, joined, open_.replace(" ", ""))):
                if spelling and meaning not in found.get(spelling, ()):
                    found[spelling] = (*found.get(spelling, ()), meaning)
        return found

    def known(self, words: Sequence[str]) -> tuple[Meanings, int]:
        """What the longest exact word at the start of `words` means, and of how many words it is made."""
        for size in range(min(self.longest, len(words)), 0, -1):
            found = self.mean(" ".join(words[:size]))
            if found:
                return found, size
        return (), 0

    def begun(self, words: Sequence[str]) -> tuple[Meanings, int]:
        """The same for the longest name cut short."""
        for size in range(min(self.longest, len(words)), 0, -1):
            found = self.begin(" ".join(words[:size]))
            if found:
                return found, size
        return (), 0

    def mean(self, word: str) -> Meanings:
        """What an exact word means."""
        return self.exact.get(word, ())

    def begin(self, start: str) -> Meanings:
        """What the names mean that begin so; nothing for fewer than three letters."""
        if len(start.replace(" ", "")) < SHORTEST_BEGINNING:
            return ()
        found: dict[str, None] = {}
        at = bisect_left(self._words, start)
        while at < len(self._words) and self._words[at].startswith(start):
            found.update(dict.fromkeys(self._long[at][1]))
            at += 1
        return tuple(found)

    def suggest(self, start: str) -> Meanings:
        """What the names mean that begin so, or have this as a later word ("Gulf" for the Persian one)."""
        return tuple(dict.fromkeys((*self.begin(start), *self._inside.get(start, ()))))

    def misspelt(self, wrong: str) -> Meanings:
        """What the names mean that have one letter more, fewer or other, or two neighbours changed about.

        Nothing for fewer than five letters, on either side: a short code is never guessed.
        """
        if len(wrong) < SHORTEST_MISSPELT:
            return ()
        near = [ms for right, ms in self._long if len(right) >= SHORTEST_MISSPELT and one_slip(wrong, right)]
        return tuple(dict.fromkeys(chain.from_iterable(near)))

    def hint(self, word: str) -> str:
        """A hint that names the known word most like `word`; empty if none is near."""
        wrong = key(word[:80])
        near = get_close_matches(wrong, self.exact, n=5, cutoff=0.6)
        likely = [right for right in near if right[0] == wrong[0]] or near  # a slip seldom hits the first letter
        if not likely:
            return ""
        meaning = self.exact[likely[0]][0]  # shown are powers, not those whose units nobody has
        return f"did you mean {self.shown.get(meaning, meaning)}?"


def one_slip(a: str, b: str) -> bool:
    """Are two different words one letter apart: changed, left out, put in, or two neighbours changed about?

    >>> one_slip("burgandy", "burgundy"), one_slip("sweeden", "sweden"), one_slip("pairs", "paris")
    (True, True, True)
    >>> one_slip("bugandy", "burgundy")
    False
    """
    if abs(len(a) - len(b)) > 1:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest_a, rest_b = a[start:], b[start:]
    if len(a) != len(b):
        return rest_a[1:] == rest_b or rest_a == rest_b[1:]
    return rest_a[1:] == rest_b[1:] or (rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:])
