"""The parts of a sentence: provinces with their coasts, powers, units.

After a word for a kind of unit comes a province, always: on some boards `a`, `f` and `h` are provinces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gamesmaster.board.model import Location
from gamesmaster.orders.cursor import Cursor
from gamesmaster.orders.model import Verb
from gamesmaster.orders.names import Meanings, Names
from gamesmaster.orders.words import DASH

_SAID = {
    Verb.HOLD: "h hold holds stand stands stay stays",
    Verb.MOVE: f"{DASH} to into m move moves go goes attack attacks",
    Verb.SUPPORT: "s sup support supports",
    Verb.CONVOY: "c convoy convoys transport transports",
    Verb.RETREAT: "r retreat retreats",
    Verb.DISBAND: "d disband disbands",
    Verb.BUILD: "b build builds",
    Verb.REMOVE: "remove removes",
}
VERBS = {word: verb for verb, words in _SAID.items() for word in words.split()}
BY_CONVOY = ("via", "by")
STOPS = frozenset(VERBS) | {*BY_CONVOY, "(", ")", "/", ":"}
_BESIDE = ("in", "at", "of", "on", "from")  # "army in Paris"
_CLOSING = "a closing bracket"


class Parts(Cursor):
    """Reads the parts of an order: each method takes what it reads, or raises `Unreadable` or `Ambiguous`."""

    # -- units -------------------------------------------------------------------------------------------------------

    def unit(self) -> tuple[str, str, Location]:
        """A unit: its power and its kind, "" where not given, and where it stands."""
        long_kind = len(self.key_at(1)) > 1 and self.key_at(1) in self.lexicon.kinds
        if (self.key == "the" and not self._place_at(self.at)) or (self.key in ("a", "an") and long_kind):
            self.at += 1
        kind, size = self._kind_at(self.at)
        power = "" if kind else self._nationality()
        if power:
            kind, size = self._kind_at(self.at)
        self.at += size
        where = self.place()
        return power or self._nationality_behind(), kind, where

    def _kind_at(self, at: int) -> tuple[str, int]:
        """The kind of unit named at this word, and by how many words; none where no province follows.

        Nor where the word begins a longer name of a province ("A Coruña").
        """
        if at >= len(self.keys) or self.keys[at] not in self.lexicon.kinds_begin:
            return "", 0
        named = self.lexicon.places.known(self._ahead(at))[1]
        for size in range(self.lexicon.longest_kind, 0, -1):
            kind = self.lexicon.kinds.get(" ".join(self.keys[at : at + size]))
            if kind and size >= named:
                after = at + size
                if after < len(self.keys) and self.keys[after] in _BESIDE and not self._place_at(after):
                    after += 1
                if after < len(self.keys) and (self.keys[after] not in STOPS or self._place_at(after)):
                    return kind, after - at
        return "", 0

    def power_at(self, at: int) -> tuple[str, int]:
        """The power named at this word, and by how many words; none if it could be two."""
        powers = self.lexicon.powers
        meanings, size = powers.known(self._ahead(at))
        if not meanings:
            meanings, size = powers.begun(self._run(at))
        return (meanings[0], size) if len(meanings) == 1 else ("", 0)

    def _nationality(self) -> str:
        """The power named before a unit: "German A Kie".

        A word for a province is one unless a unit follows it, and so are several ("English Channel").
        """
        power, size = self.power_at(self.at)
        after, here = self.at + size, self._place_at(self.at)
        if not power or size < here:
            return ""
        there = self._place_at(after)
        verb = there == 1 and here and self.keys[after] in VERBS  # "s S h" where s and h are provinces and S a power
        if (not there or verb) and not self._kind_at(after)[0]:
            return ""
        self.at = after
        return power

    def _nationality_behind(self) -> str:
        """The power named behind a unit: "A Kie (German)"."""
        power, size = self.power_at(self.at + 1) if self.key == "(" else ("", 0)
        if power:
            self.at += 1 + size
            self.need(")", _CLOSING)
        return power

    # -- provinces ---------------------------------------------------------------------------------------------------

    def _ahead(self, at: int) -> list[str]:
        """The words from this one on that a name may have."""
        return self.keys[at : at + self.lexicon.longest]

    def _run(self, at: int) -> list[str]:
        """The words from this one on that a name cut short or misspelt may have: no word of grammar is among them."""
        ahead = self._ahead(at)
        for size, word in enumerate(ahead):
            if size and (word in STOPS or word in self.lexicon.kinds_begin):
                return ahead[:size]
        return ahead

    def _place_at(self, at: int) -> int:
        """How many words from this one on name a province, in full or cut short."""
        places = self.lexicon.places
        return places.known(self._ahead(at))[1] or places.begun(self._run(at))[1]

    def place(self) -> Location:
        """A province and its coast, if one is named: behind it, before it or joined to it."""
        if not self.lexicon.places.known(self._ahead(self.at))[1]:
            before, size = self._coast_at(self.at, self.lexicon.loose_coasts)
            if before:  # "north coast of Spain"
                self.at += size
                self.skip("of")
                return self.lexicon.at(self._province(), before)
            province, coast = self._joined()
            if province:
                self.at += 1
                return self.lexicon.at(province, coast)
        return self.lexicon.at(self._province(), self._coast())

    def _province(self) -> str:
        """The id of the province named next."""
        if not self.key[:1].isalnum():
            self.expected("a province")
        reading = next(self._readings(), None)
        if reading is None:
            size = len(self._run(self.at))
            hint = self.stranger(size) or self.near(size, self.lexicon.places, self.lexicon.powers)
            self.fail(f"no province {self.quoted(size)}", hint=hint)
        names, meanings, size = reading
        if names is self.lexicon.closed:
            self.fail(f"no unit can enter {names.shown[meanings[0]]}")
        if names is self.lexicon.powers:
            self.fail(f"{meanings[0]} is a power, not a province")
        if len(meanings) > 1:
            self.ask(self.quoted(size), [names.shown[meaning] for meaning in meanings])
        self.at += size
        return meanings[0]

    def _readings(self) -> Iterator[tuple[Names, Meanings, int]]:
        """What the next words may mean, the likeliest first.

        That is an exact name, unless words that belong to none follow it ("Black Sae"); then what the most words, cut
        short or misspelt, may mean; then the exact name after all.
        """
        places, closed, powers = self.lexicon.places, self.lexicon.closed, self.lexicon.powers
        known = [(names, *names.known(self._ahead(self.at))) for names in (places, closed)]
        exact = [reading for reading in known if reading[1]]
        yield from (reading for reading in exact if self._ends(self.at + reading[2]))
        run = self._run(self.at)
        looks = (
            (places, Names.begin),
            (closed, Names.begin),
            (powers, Names.mean),
            (places, Names.misspelt),
            (closed, Names.misspelt),
        )
        for size in range(len(run), 0, -1):
            words = " ".join(run[:size])
            for names, look in looks if self._ends(self.at + size) else ():
                meanings = look(names, words)
                if meanings:
                    yield names, meanings, size
        yield from exact

    def _ends(self, at: int) -> bool:
        """Can a name end before this word?"""
        if at >= len(self.keys) or self.keys[at] in STOPS or not self.keys[at].isalnum():
            return True
        return bool(self._coast_at(at, self.lexicon.loose_coasts)[0] or self._place_at(at))

    # -- coasts ------------------------------------------------------------------------------------------------------

    def _coast_at(self, at: int, coasts: Mapping[str, str]) -> tuple[str, int]:
        """The letters of the coast named at this word, and by how many words."""
        for size in (2, 1):
            coast = coasts.get(" ".join(self.keys[at : at + size]))
            if coast:
                return coast, size
        return "", 0

    def _joined(self) -> tuple[str, str]:
        """The province and coast of a word that is both, as `SPAsc`; only of provinces that have coasts."""
        coast = self.lexicon.loose_coasts.get(self.key[-2:], "")
        found = self.lexicon.places.exact.get(self.key[:-2], ()) if coast else ()
        if len(found) == 1 and self.lexicon.board.province(found[0]).coasts:
            return found[0], coast
        return "", ""

    def _coast(self) -> str:
        """The letters of the coast named next, "" if none is: `/NC`, `(nc)`, `(north coast)`, `nc`, `north coast`."""
        sign = self.key if self.key in ("/", "(") else ""
        coasts = self.lexicon.coasts if sign else self.lexicon.loose_coasts
        coast, size = self._coast_at(self.at + len(sign), coasts)
        if coast:
            self.at += len(sign) + size
            if sign == "(":
                self.need(")", _CLOSING)
        elif sign == "/" or (sign and self.key_at(1) not in BY_CONVOY and not self.power_at(self.at + 1)[0]):
            self.at += 1
            self.expected("a coast")
        return coast
