"""The parts of a sentence: units, powers, verbs, boats.

After a word for a kind of unit comes a province, always: on some boards `a`, `f` and `h` are provinces.
"""

from __future__ import annotations

from gamesmaster.board.model import Location
from gamesmaster.orders.model import Verb
from gamesmaster.orders.places import CLOSING, Places

_BESIDE = ("in", "at", "of", "on", "from")  # "army in Paris"


class Parts(Places):
    """Reads the parts of an order: each method takes what it reads, or raises `Unreadable` or `Ambiguous`."""

    # -- units -------------------------------------------------------------------------------------------------------

    def unit(self) -> tuple[str, str, Location]:
        """A unit: its power and its kind, "" where not given, and where it stands."""
        long_kind = len(self.key_at(1)) > 1 and self.key_at(1) in self.lexicon.kinds_begin
        long_kind = long_kind and not self.lexicon.places.known(self._ahead(self.at + 1))[1]
        if (self.key == "the" and not self.place_at(self.at)) or (self.key in ("a", "an") and long_kind):
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
            if kind and size >= named and not (size == named == 1 and self._does(at + 1)):
                after = at + size
                if after < len(self.keys) and self.keys[after] in _BESIDE and not self.place_at(after):
                    after += 1
                if after < len(self.keys) and (self.keys[after] not in self.lexicon.stops or self.place_at(after)):
                    return kind, after - at
        return "", 0

    def _does(self, at: int) -> bool:
        """Does a verb stand here, and no province, after a word of several letters that is a province too?

        "bb S F ff - z" is the unit in bb; "BB s - r" is a boat in s, as a dash follows.
        """
        if at >= len(self.keys) or len(self.keys[at - 1]) == 1 or self.keys[at] not in self.lexicon.verbs:
            return False
        after = self.keys[at + 1] if at + 1 < len(self.keys) else ""
        return after not in self.lexicon.verbs or bool(self.place_at(at + 1))

    def _nationality(self) -> str:
        """The power named before a unit: "German A Kie".

        A word for a province is one unless a unit follows it, and so are several ("English Channel").
        """
        power, size = self.power_at(self.at)
        after, here = self.at + size, self.place_at(self.at)
        if not power or size < here:
            return ""
        there = self.place_at(after)
        # "s S h" where s and h are provinces and S a power
        verb = there == 1 and here and self.keys[after] in self.lexicon.verbs
        if (not there or verb) and not self._kind_at(after)[0]:
            return ""
        self.at = after
        return power

    def _nationality_behind(self) -> str:
        """The power named behind a unit: "A Kie (German)"."""
        power, size = self.power_at(self.at + 1) if self.key == "(" else ("", 0)
        if power:
            self.at += 1 + size
            self.need(")", CLOSING)
        return power

    def power(self) -> str:
        """A power, where nothing else can stand."""
        powers = self.lexicon.powers
        meanings, size = powers.known(self._ahead(self.at))
        if not meanings:
            meanings, size = powers.begun(self._run(self.at))
        if len(meanings) > 1:
            self.ask(self.quoted(size), list(meanings))
        if not meanings and self.more:
            self.fail(f"no power {self.quoted()}", hint=self.stranger() or self.near(1, powers))
        if not meanings:
            self.expected("a power")
        self.at += size
        return meanings[0]

    def skip_kind(self) -> None:
        """Pass over a word for a kind of unit before a province, perhaps with an article: `an army in 73`."""
        start = self.at
        self.at += self.key in ("a", "an", "the") and bool(self._kind_at(self.at + 1)[0])
        size = self._kind_at(self.at)[1]
        self.at = self.at + size if size else start

    # -- verbs and boats ---------------------------------------------------------------------------------------------

    @property
    def lands(self) -> bool:
        """Is the next word one for going ashore?  The letter D is if a place follows; alone it means to disband."""
        lands = self.lexicon.verbs.get(self.key) is Verb.LAND
        return lands or bool(self.key == "d" and self.lexicon.pairs and self.key_at(1))

    def verb(self) -> Verb:
        """What the unit does.  To build, where there are boats, is to build one, unless the letter B ends the order."""
        verb = Verb.LAND if self.lands else self.lexicon.verbs.get(self.key)
        if verb is None:
            self.expected("what the unit does")
        if verb is Verb.BUILD and self.lexicon.boat and (self.key != "b" or self.key_at(1)):
            verb = Verb.MAKE
        self.at += 1
        return verb

    def half(self) -> str:
        """The kind of one half of a pair, up to the pair itself ("A from A/F Atl"); nothing is taken if none is."""
        start = self.at + (self.key == "the")
        size = self.lexicon.longest_kind if self.lexicon.pairs else 0
        for after in range(start + size, start, -1):
            kind = self.lexicon.kinds.get(" ".join(self.keys[start:after]))
            if kind and self.keys[after : after + 1] == ["from"]:
                pair = after + 1 + (self.keys[after + 1 : after + 2] == ["the"])
                if self._kind_at(pair)[0] in self.lexicon.pairs:
                    self.at = pair
                    return kind
        return ""

    @property
    def in_boat(self) -> bool:
        """Is it said where the unit sits, "in a canoe"?  Then the word before the boat is taken."""
        found = self.key == "in" and self.boat_in(1)
        self.at += found
        return found

    def boat_in(self, ahead: int) -> bool:
        """Does a boat, perhaps after a number or an article, follow so many words on?"""
        return any(self.lexicon.boats.known(self._ahead(self.at + ahead + n))[1] for n in (0, 1))

    def boat(self) -> None:
        """A word for a boat."""
        boats = self.lexicon.boats
        size = boats.known(self._ahead(self.at))[1]
        if not size:
            self.expected(f"a boat ({self.lexicon.boat})", self.near(1, boats) if self.more else "")
        self.at += size
