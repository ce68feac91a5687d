"""The parts of an order: words taken one after the other, places, powers, units, verbs, things carried.

Each class adds to the one before: `Cursor` looks ahead, takes words and says precisely what is wrong with one; `Places`
reads provinces with their coasts; `Parts` all else.

After a word for a kind of unit comes a province, always: on some boards `a`, `f` and `h` are provinces.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import NoReturn

from gamesmaster.board import Location
from gamesmaster.errors import Ambiguous, UnknownPlace, Unreadable
from gamesmaster.orders.model import BY_CONVOY, AnyVerb
from gamesmaster.orders.words import Lexicon, Meanings, key, split

_LONGEST_QUOTE = 40  # characters
_MOST_OPTIONS = 8


class Cursor:
    """The words of one order, `text`, and how far they are read: `at` is the number of the next one.

    `settled` says what is meant by the name that begins at a word, where it could be several provinces.
    """

    def __init__(self, lexicon: Lexicon, text: str, settled: Mapping[int, str] | None = None) -> None:
        self.lexicon, self.text, self.words = lexicon, text, split(text)
        self.keys = [word.key for word in self.words]
        self.at = 0
        self.settled = settled or {}

    @property
    def more(self) -> bool:
        """Return whether any word is left."""
        return self.at < len(self.keys)

    @property
    def key(self) -> str:
        """The next word, "" at the end."""
        return self.key_at(0)

    def key_at(self, ahead: int) -> str:
        """Return the word this far after the next one, "" beyond the end."""
        at = self.at + ahead
        return self.keys[at] if at < len(self.keys) else ""

    def skip(self, *keys: str) -> bool:
        """Take the next word if it is one of these."""
        found = self.more and self.keys[self.at] in keys
        self.at += found
        return found

    def need(self, key: str, what: str) -> None:
        """Take the next word, which must be this one; `what` says so in a complaint."""
        if not self.skip(key):
            self.refuse(what)

    def quote(self, size: int = 1) -> str:
        """Return the next words as they were written, in quotes, shortened to a readable length."""
        raw = self.text[self.words[self.at].start : self.words[self.at + size - 1].end]
        return repr(raw if len(raw) <= _LONGEST_QUOTE else raw[:_LONGEST_QUOTE] + "…")

    def stranger(self) -> str:
        """Return a hint that names the first letter of the next word that no name on the board has (a look-alike)."""
        for char in self.text[self.words[self.at].start : self.words[self.at].end]:
            plain = key(char)
            if char.isalpha() and not plain.isascii() and not self.lexicon.letters.issuperset(plain):
                return f"{char!r} is the letter {unicodedata.name(char, 'without a name')}"
        return ""

    def refuse(self, what: str) -> NoReturn:
        """Raise `Unreadable`, which says what was expected here."""
        if self.more:
            self.fail(f"expected {what}, not {self.quote()}", hint=self.stranger())
        self.fail(f"expected {what}, but the order ends here")

    def fail(self, what: str, at: int | None = None, hint: str = "", error: type[Unreadable] = Unreadable) -> NoReturn:
        """Raise `Unreadable`, or a kind of it, at a word, the next one if none is named."""
        column = self._column(self.at if at is None else at)
        raise error(what, text=self.text, column=column, hint=hint)

    def ask(self, what: str, options: list[str], meanings: Meanings = ()) -> NoReturn:
        """Raise `Ambiguous`: the next word could mean any of these; `meanings` are the ids of provinces."""
        more = len(options) - _MOST_OPTIONS
        shown, last = (options[:-1], options[-1]) if more <= 0 else (options[:_MOST_OPTIONS], f"{more} more")
        choice = f"{', '.join(shown)} or {last}"
        raise Ambiguous(
            f"{what} could be {choice}", options=options, meanings=meanings, word=self.at,
            text=self.text, column=self._column(self.at),
        )  # fmt: skip

    def _column(self, at: int) -> int:
        """Return the column where a word begins, from 1; beyond the last word, the column behind it."""
        if at < len(self.words):
            return self.words[at].start + 1
        return self.words[-1].end + 1 if self.words else 1


CLOSING = "a closing bracket"


class Places(Cursor):
    """Reads places: each method takes what it reads, or raises `Unreadable` or `Ambiguous`."""

    def _ahead(self, at: int) -> list[str]:
        """Return the words from this one on that can be part of a name."""
        return self.keys[at : at + self.lexicon.longest]

    def place_at(self, at: int) -> int:
        """Return the number of words, from this one on, that name a province."""
        return self.lexicon.places.longest_name(self._ahead(at))[1]

    def place(self) -> Location:
        """Read a province and its coast, if one is named: behind it, before it or joined to it."""
        if not self.place_at(self.at):
            self.skip("the")
            before, size = self._coast_at(self.at, self.lexicon.loose_coasts)
            if before:  # "north coast of Spain"
                self.at += size
                self.skip("of")
                return self.lexicon.at(self._province(), before)
            if coast := self.lexicon.loose_coasts.get(self.key[-2:]):  # "SPAsc"
                found = self.lexicon.places.exact.get(self.key[:-2], ())
                if len(found) == 1 and self.lexicon.board.province(found[0]).coasts:
                    self.at += 1
                    return self.lexicon.at(found[0], coast)
        return self.lexicon.at(self._province(), self._coast())

    def _province(self) -> str:
        """Read the name of a province and return its id."""
        if not self.key[:1].isalnum():
            self.refuse("a province")
        meanings, size = self.lexicon.places.longest_name(self._ahead(self.at))
        if not meanings:
            self._refuse_name()
        if len(meanings) > 1 and self.at not in self.settled:
            self.ask(self.quote(size), [self.lexicon.places.shown[meaning] for meaning in meanings], meanings)
        meant = self.settled.get(self.at, meanings[0])
        self.at += size
        self._other_name(meant)
        return meant

    def _refuse_name(self) -> NoReturn:
        """Say that no province is named here that a unit can enter."""
        closed, powers = self.lexicon.closed, self.lexicon.powers
        meanings, _ = closed.longest_name(self._ahead(self.at))
        if meanings:
            self.fail(f"no unit can enter {closed.shown[meanings[0]]}")
        meanings, _ = powers.longest_name(self._ahead(self.at))
        if meanings:
            self.fail(f"{meanings[0]} is a power, not a province")
        grammar = self.lexicon.stops | self.lexicon.kinds_begin
        ahead = self._ahead(self.at)
        size = next((size for size, word in enumerate(ahead) if size and word in grammar), len(ahead))
        self.fail(f"no province {self.quote(size)}", hint=self.stranger(), error=UnknownPlace)

    def _other_name(self, province: str) -> None:
        """Skip another name of the same province in brackets: "14 (Seneca)", "Seneca (14)".

        A power whose name looks like a unit's letter is printed in brackets, too; it has priority.
        """
        if self.key == "(":
            meanings, size = self.lexicon.places.longest_name(self._ahead(self.at + 1))
            power = size == 1 and self.key_at(1) in self.lexicon.kinds and self.power_at(self.at + 1)[0]
            if province in meanings and not power and self.key_at(1 + size) == ")":
                self.at += size + 2

    def power_at(self, at: int) -> tuple[str, int]:
        """Return the power named at this word and the number of words; "" and 0 if it could be two powers."""
        meanings, size = self.lexicon.powers.longest_name(self._ahead(at))
        return (meanings[0], size) if len(meanings) == 1 else ("", 0)

    def _coast_at(self, at: int, coasts: Mapping[str, str]) -> tuple[str, int]:
        """Return the letters of the coast named at this word, and the number of words."""
        for size in (2, 1):
            coast = coasts.get((self._dotted_letters(at) if size == 2 else "") or " ".join(self.keys[at : at + size]))
            if coast:
                return coast, size
        return "", 0

    def _dotted_letters(self, at: int) -> str:
        """Return two letters with a full stop between them as one word: `nc` of "N.C."."""
        if at + 1 >= len(self.keys) or len(self.keys[at]) != 1 or len(self.keys[at + 1]) != 1:
            return ""
        between = self.text[self.words[at].end : self.words[at + 1].start]
        return self.keys[at] + self.keys[at + 1] if between.strip() == "." else ""

    def _coast(self) -> str:
        """Read a coast and return its letters, or "": `/NC`, `(nc)`, `(north coast)`, `nc`, `north coast`."""
        sign = self.key if self.key in ("/", "(") else ""
        coasts = self.lexicon.coasts if sign else self.lexicon.loose_coasts
        coast, size = self._coast_at(self.at + len(sign), coasts)
        if coast:
            self.at += len(sign) + size
            if sign == "(":
                self.need(")", CLOSING)
        elif sign == "/" or (sign and self.key_at(1) not in BY_CONVOY and not self.power_at(self.at + 1)[0]):
            self.at += 1
            self.refuse("a coast")
        return coast


BESIDE = ("in", "at", "of", "on", "from")  # "army in Paris"


class Parts(Places):
    """Reads the parts of an order: each method takes what it reads, or raises `Unreadable` or `Ambiguous`."""

    def unit(self) -> tuple[str, str, Location]:
        """Read a unit and return its power and kind, "" if not given, and its location."""
        long_kind = len(self.key_at(1)) > 1 and self.key_at(1) in self.lexicon.kinds_begin
        long_kind = long_kind and not self.place_at(self.at + 1)
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
        """Return the kind of unit named at this word and the number of words, if a province follows; else "" and 0.

        The word names no kind, either, if it begins a longer name of a province ("A Coruña").
        """
        if at >= len(self.keys) or self.keys[at] not in self.lexicon.kinds_begin:
            return "", 0
        named = self.place_at(at)
        for size in range(self.lexicon.longest_kind, 0, -1):
            kind = self.lexicon.kinds.get(" ".join(self.keys[at : at + size]))
            if kind and size >= named and not (size == named == 1 and self._acts_at(at + 1)):
                after = at + size
                if after < len(self.keys) and self.keys[after] in BESIDE and not self.place_at(after):
                    after += 1
                if after < len(self.keys) and (self.keys[after] not in self.lexicon.stops or self.place_at(after)):
                    return kind, after - at
        return "", 0

    def _acts_at(self, at: int) -> bool:
        """Return whether a verb, not a province, is here, after a word of letters that is also a province.

        "bb S F ff - z" is the unit in bb. "BB s - r" is a thing BB and its unit in s, as a dash follows.
        """
        if at >= len(self.keys) or len(self.keys[at - 1]) == 1 or self.keys[at] not in self.lexicon.verbs:
            return False
        after = self.keys[at + 1] if at + 1 < len(self.keys) else ""
        return after not in self.lexicon.verbs or bool(self.place_at(at + 1))

    def _nationality(self) -> str:
        """Read the power before a unit: "German A Kie".

        A word that also names a province is a power only if a unit follows it; "English Channel" is a province.
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
        """Read the power behind a unit: "A Kie (German)"."""
        power, size = self.power_at(self.at + 1) if self.key == "(" else ("", 0)
        if power:
            self.at += 1 + size
            self.need(")", CLOSING)
        return power

    def power(self) -> str:
        """Read a power; raise an error for anything else."""
        meanings, size = self.lexicon.powers.longest_name(self._ahead(self.at))
        if len(meanings) > 1:
            self.ask(self.quote(size), list(meanings))
        if not meanings and self.more:
            self.fail(f"no power {self.quote()}", hint=self.stranger())
        if not meanings:
            self.refuse("a power")
        self.at += size
        return meanings[0]

    def skip_kind(self) -> None:
        """Pass over a word for a kind of unit before a province, perhaps with an article: `an army in 73`."""
        start = self.at
        self.at += self.key in ("a", "an", "the") and bool(self._kind_at(self.at + 1)[0])
        size = self._kind_at(self.at)[1]
        self.at = self.at + size if size else start

    @property
    def next_verb(self) -> AnyVerb | None:
        """What the next word says that a unit does; a letter may say another thing if more follows than at the end."""
        ahead = self.lexicon.ahead.get(self.key) if self.key_at(1) else None
        return ahead or self.lexicon.verbs.get(self.key)

    def verb(self) -> AnyVerb:
        """Read the verb of a unit's order."""
        verb = self.next_verb
        if verb is None:
            self.refuse("what the unit does")
        self.at += 1
        return verb

    def half(self) -> str:
        """Read the kind of one half, up to its pair ("A from A/F Atl"); otherwise read nothing and return ""."""
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
    def sits_in(self) -> bool:
        """Return whether the words name a thing that the unit is in (`in a canoe`). If so, move on to the thing."""
        found = self.key == "in" and self.thing_in(1)
        self.at += found
        return found

    def thing_in(self, ahead: int) -> bool:
        """Return whether a word for a carried thing follows `ahead` words on, perhaps after a number or an article."""
        return any(self.lexicon.carried.longest_name(self._ahead(self.at + ahead + n))[1] for n in (0, 1))

    def thing(self) -> None:
        """Read a word for a thing that is carried."""
        carried, board = self.lexicon.carried, self.lexicon.board
        size = carried.longest_name(self._ahead(self.at))[1]
        if not size:
            self.refuse(f"a {board.thing} ({self.lexicon.thing})")
        self.at += size
