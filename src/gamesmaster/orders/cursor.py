"""A place in the words of an order: looking ahead, taking words, and saying precisely what is wrong with one."""

from __future__ import annotations

import unicodedata
from typing import NoReturn

from gamesmaster.errors import Ambiguous, Unreadable
from gamesmaster.orders.lexicon import Lexicon
from gamesmaster.orders.names import Names
from gamesmaster.orders.words import Word, key

_LONGEST_QUOTE = 40  # characters
_MOST_OPTIONS = 8


class Cursor:
    """The words of one order and how far they are read: `at` is the number of the next one.

    `text` is the line they stand in, the `line`th (from 1).  Without `hints` no near names are looked for; if `exact`,
    no province goes by a name cut short or misspelt.  `settled` says what is meant by the name that begins at a word,
    where it could be several provinces.
    """

    def __init__(
        self, lexicon: Lexicon, text: str, words: list[Word], line: int = 1, *, hints: bool = True, exact: bool = False
    ) -> None:
        self.lexicon, self.text, self.words, self.line = lexicon, text, words, line
        self.hints, self.exact = hints, exact
        self.keys = [word.key for word in words]
        self.at = 0
        self.settled: dict[int, str] = {}

    @property
    def more(self) -> bool:
        """Is any word left?"""
        return self.at < len(self.keys)

    @property
    def key(self) -> str:
        """The next word, "" at the end."""
        return self.key_at(0)

    def key_at(self, ahead: int) -> str:
        """The word so many after the next one, "" beyond the end."""
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
            self.expected(what)

    # -- complaints --------------------------------------------------------------------------------------------------

    def written(self, size: int = 1) -> str:
        """The next words as they were written."""
        return self.text[self.words[self.at].start : self.words[self.at + size - 1].end]

    def quoted(self, size: int = 1) -> str:
        """The next words as they were written, in quotes, cut to a bearable length."""
        raw = self.written(size)
        return repr(raw if len(raw) <= _LONGEST_QUOTE else raw[:_LONGEST_QUOTE] + "…")

    def stranger(self, size: int = 1) -> str:
        """A hint that names the first letter of the next words that no name on the board has (a look-alike)."""
        for char in self.written(size):
            plain = key(char)
            if char.isalpha() and not plain.isascii() and not self.lexicon.letters.issuperset(plain):
                return f"{char!r} is the letter {unicodedata.name(char, 'without a name')}"
        return ""

    def near(self, size: int, *known: Names) -> str:
        """A hint that names the known word most like the next ones, if any is near."""
        return next(filter(None, (names.hint(self.written(size)) for names in known)), "") if self.hints else ""

    def expected(self, what: str, hint: str = "") -> NoReturn:
        """Raise `Unreadable`: something else should stand here."""
        if self.more:
            self.fail(f"expected {what}, not {self.quoted()}", hint=hint or self.stranger())
        self.fail(f"expected {what}, but the order ends here")

    def fail(self, what: str, at: int | None = None, hint: str = "", error: type[Unreadable] = Unreadable) -> NoReturn:
        """Raise `Unreadable`, or a kind of it, at a word, the next one if none is named."""
        column = self._column(self.at if at is None else at)
        raise error(what, text=self.text, line=self.line, column=column, hint=hint)

    def ask(self, what: str, options: list[str], meanings: tuple[str, ...] = ()) -> NoReturn:
        """Raise `Ambiguous`: the next word could mean any of these; `meanings` are the ids of provinces."""
        if len(options) <= _MOST_OPTIONS:
            choice = f"{', '.join(options[:-1])} or {options[-1]}"
        else:
            choice = f"{', '.join(options[:_MOST_OPTIONS])} or {len(options) - _MOST_OPTIONS} more"
        raise Ambiguous(
            f"{what} could be {choice}",
            options=options,
            meanings=meanings,
            word=self.at,
            text=self.text,
            line=self.line,
            column=self._column(self.at),
        )

    def _column(self, at: int) -> int:
        """Where a word begins, from 1; beyond the last word, where it ends."""
        if at < len(self.words):
            return self.words[at].start + 1
        return self.words[-1].end + 1 if self.words else 1
