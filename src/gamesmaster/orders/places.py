"""Places in the words of an order: provinces with their coasts, and the powers whose names may look like them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gamesmaster.board.model import Location
from gamesmaster.errors import UnknownPlace
from gamesmaster.orders.cursor import Cursor
from gamesmaster.orders.names import Meanings, Names
from gamesmaster.orders.verbs import BY_CONVOY

CLOSING = "a closing bracket"


class Places(Cursor):
    """Reads places: each method takes what it reads, or raises `Unreadable` or `Ambiguous`."""

    def power_at(self, at: int) -> tuple[str, int]:
        """The power named at this word, and by how many words; none if it could be two."""
        powers = self.lexicon.powers
        meanings, size = powers.known(self._ahead(at))
        if not meanings:
            meanings, size = powers.begun(self._run(at))
        return (meanings[0], size) if len(meanings) == 1 else ("", 0)

    # -- provinces ---------------------------------------------------------------------------------------------------

    def _ahead(self, at: int) -> list[str]:
        """The words from this one on that a name may have."""
        return self.keys[at : at + self.lexicon.longest]

    def _run(self, at: int) -> list[str]:
        """The words from this one on that a name cut short or misspelt may have: no word of grammar is among them."""
        ahead = self._ahead(at)
        for size, word in enumerate(ahead):
            if size and (word in self.lexicon.stops or word in self.lexicon.kinds_begin):
                return ahead[:size]
        return ahead

    def place_at(self, at: int) -> int:
        """How many words from this one on name a province, in full or cut short."""
        places = self.lexicon.places
        return places.known(self._ahead(at))[1] or places.begun(self._run(at))[1]

    def place(self) -> Location:
        """A province and its coast, if one is named: behind it, before it or joined to it."""
        if self.key == "the" and self.key_at(1) and not self.place_at(self.at):
            self.at += 1
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
            self.fail(f"no province {self.quoted(size)}", hint=hint, error=UnknownPlace)
        names, meanings, size = reading
        if names is self.lexicon.closed:
            self.fail(f"no unit can enter {names.shown[meanings[0]]}")
        if names is self.lexicon.powers:
            self.fail(f"{meanings[0]} is a power, not a province")
        if len(meanings) > 1 and self.at not in self.settled:
            self.ask(self.quoted(size), [names.shown[meaning] for meaning in meanings], tuple(meanings))
        meant = self.settled.get(self.at, meanings[0])
        self.at += size
        self._other_name(meant)
        return meant

    def _other_name(self, province: str) -> None:
        """Pass over another name of the same province in brackets: "14 (Seneca)", "Seneca (14)".

        A power that is called like a letter of a unit is printed in brackets, and goes before a name like that.
        """
        if self.key == "(":
            meanings, size = self.lexicon.places.known(self._ahead(self.at + 1))
            power = size == 1 and self.key_at(1) in self.lexicon.kinds and self.power_at(self.at + 1)[0]
            if province in meanings and not power and self.key_at(1 + size) == ")":
                self.at += size + 2

    def _readings(self) -> Iterator[tuple[Names, Meanings, int]]:
        """What the next words may mean, the likeliest first.

        That is an exact name, unless words that belong to none follow it ("Black Sae"); then what the most words, cut
        short or misspelt, may mean; then the exact name after all.
        """
        places, closed, powers = self.lexicon.places, self.lexicon.closed, self.lexicon.powers
        known = [(names, *names.known(self._ahead(self.at))) for names in (places, closed)]
        exact = [reading for reading in known if reading[1]]
        yield from (reading for reading in exact if self._ends(self.at + reading[2]))
        run = self._run(self.at) if not self.exact else []
        looks = (
            (powers, Names.mean),
            (places, Names.suggest),
            (closed, Names.begin),
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
        if at >= len(self.keys) or self.keys[at] in self.lexicon.stops or not self.keys[at].isalnum():
            return True
        return bool(self._coast_at(at, self.lexicon.loose_coasts)[0] or self.place_at(at))

    # -- coasts ------------------------------------------------------------------------------------------------------

    def _coast_at(self, at: int, coasts: Mapping[str, str]) -> tuple[str, int]:
        """The letters of the coast named at this word, and by how many words."""
        for size in (2, 1):
            coast = coasts.get((self._dotted(at) if size == 2 else "") or " ".join(self.keys[at : at + size]))
            if coast:
                return coast, size
        return "", 0

    def _dotted(self, at: int) -> str:
        """Two letters with a full stop between them as one word: `nc` of "N.C."."""
        if at + 1 >= len(self.keys) or len(self.keys[at]) != 1 or len(self.keys[at + 1]) != 1:
            return ""
        between = self.text[self.words[at].end : self.words[at + 1].start]
        return self.keys[at] + self.keys[at + 1] if between.strip() == "." else ""

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
                self.need(")", CLOSING)
        elif sign == "/" or (sign and self.key_at(1) not in BY_CONVOY and not self.power_at(self.at + 1)[0]):
            self.at += 1
            self.expected("a coast")
        return coast
