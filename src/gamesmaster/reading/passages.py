"""Passages: the words of a line of a letter, parted at its semicolons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from gamesmaster.orders.words import Word, split
from gamesmaster.reading.layout import Layout

_ELIDED = re.compile(r"[aeiouh]|(?:ll|re|ve)$")  # words of their own behind an apostrophe: "l'armée", "we'll"
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_ABBREVIATED = re.compile(r"[a-cefgi-z]|st")  # but "A Par H. A Mar D."
_OWN = re.compile(r"[^()\[\]]*[.!?…][)\]]")  # what stands behind the bracket of a whole sentence
_STOP = re.compile(r"[.!…]+[\"”»)]*\s|\s[—–]\s|\s--\s")


class Token(NamedTuple):
    """A word of a line: `key` is what is read, from `start` to before `end`.

    `marked` tells that a stroke or bracket stands before it, `comma` and `stop` that these do, `inside` that it is in
    brackets.
    """

    key: str
    start: int
    end: int
    marked: bool
    comma: bool
    stop: bool
    inside: bool


class Passage:
    """Some words of a line, with what is read and known of each; `breaks` and `stops` are the words behind those."""

    def __init__(self, line: Layout, words: Sequence[Token]) -> None:
        self.line, self.words = line, list(words)
        self.keys = [word.key for word in words]
        self.marked = [word.marked for word in words]
        self.inside = [word.inside for word in words]
        self.breaks = frozenset(at for at, word in enumerate(words) if at and word.comma)
        self.stops = frozenset(at for at, word in enumerate(words) if at and word.stop)

    def part(self, start: int, end: int) -> Passage:
        """Return the words from one to before another."""
        return Passage(self.line, self.words[start:end])

    def without(self, *signs: str) -> Passage:
        """Return the words without these signs."""
        return Passage(self.line, [word for word in self.words if word.key not in signs])

    def remarks(self) -> list[range]:
        """Return where the words of each bracket are; none where every word is in brackets."""
        ranges: list[range] = []
        if all(self.inside):
            return ranges
        for at, within in enumerate(self.inside):
            if within and ranges and ranges[-1].stop == at and (not self.marked[at] or self.keys[at - 1] == "/"):
                ranges[-1] = range(ranges[-1].start, at + 1)
            elif within:
                ranges.append(range(at, at + 1))
        return ranges

    def outside(self, remarks: Iterable[range]) -> Passage:
        """Return the words outside these brackets; a full stop before a bracket ends what is before it."""
        left_out = {at for remark in remarks for at in remark}
        ended = {at + 1 for at in left_out if at in self.stops}
        while not ended.isdisjoint(left_out):
            ended = {at + (at in left_out) for at in ended}
        kept = ((at, word) for at, word in enumerate(self.words) if at not in left_out)
        return Passage(self.line, [word._replace(stop=True) if at in ended else word for at, word in kept])

    def without_phrases(self, *patterns: re.Pattern[str]) -> Passage:
        """Return the words outside what these patterns find."""
        return self.outside(at for pattern in patterns for at in self.find(pattern))

    @property
    def said(self) -> str:
        """The words in the one spelling, a space between each."""
        return " ".join(self.keys)

    @property
    def text(self) -> str:
        """The words as they were written."""
        text, start, end = self.line.text, self.words[0].start, self.words[-1].end
        while (opening := _BRACKETS.get(text[end : end + 1])) and (
            text.count(text[end], start, end) < text.count(opening, start, end)
        ):
            end += 1
        return text[start:end]

    def find(self, pattern: re.Pattern[str]) -> list[range]:
        """Return the places of the words that a pattern finds."""
        text = self.said
        found = ((text.count(" ", 0, m.start()), text.count(" ", 0, m.end())) for m in pattern.finditer(text))
        return [range(start, end + 1) for start, end in found]

    def is_apart(self, at: int) -> bool:
        """Return whether there is a space or sign between a word and the one before it."""
        return self.words[at].start > self.words[at - 1].end

    def is_large(self, at: int) -> bool:
        """Return whether a word begins with a capital, or nothing in its line does."""
        written, start = self.line.written, self.words[at].start
        return not written[start : start + 1].islower() or _is_lower(written)

    def column(self, at: int) -> int:
        """Return the column where a word begins, from 1."""
        return self.words[at].start + 1


@lru_cache(maxsize=64)
def _is_lower(text: str) -> bool:
    return text == text.lower()


def _apostrophes(text: str) -> Iterator[Word]:
    """Yield the words of a text; an abbreviation by apostrophe is one: "M'seilles", but not "Austria's"."""
    held: Word | None = None
    for word in split(text):
        if (
            held
            and text[held.end : word.start] in ("'", "’")
            and len(word.key) > 1
            and not _ELIDED.match(word.key)
            and held.key not in ("l", "d")
        ):
            held = Word(held.key + word.key, held.start, word.end)
            continue
        if held:
            yield held
        held = word
    if held:
        yield held


def passages(line: Layout) -> Iterator[Passage]:
    """Yield the passages of a line between its semicolons; brackets and full stops are noted and left out."""
    words: list[Token] = []
    depth, mark, apart, last = 0, False, False, 0
    for word in _apostrophes(line.text):
        between = line.written[last : word.start]
        before = words[-1].key if words else ""
        if (word.key == ":" and re.match(r"\d:\d", line.text[max(word.start - 1, 0) :])) or word.key == before == "?":
            continue  # "22:40", "A Par - Bur??"
        last = word.end
        if word.key == ";":
            if words:
                yield Passage(line, words)
            words, depth, mark = [], 0, False
        elif word.key in _BRACKETS.values():
            apart = not depth and _STOP.search(between) is not None and _OWN.match(line.written, word.end) is not None
            depth, mark = depth + 1, True
        elif word.key in _BRACKETS:
            depth = max(depth - 1, 0)
        else:
            loose = bool(words) and not depth
            comma = loose and "," in between
            cut = _ABBREVIATED.fullmatch(before) is not None and line.text[words[-1].start - 1] not in "'’"  # "can't."
            short = cut and ".." not in between
            ended = loose and not comma and word.key != "-" and not short
            stop = apart or (ended and _STOP.search(between) is not None)
            words.append(Token(*word, mark or before == "/", comma, stop, depth > 0))
            mark = apart = False
    if words:
        yield Passage(line, words)


def passage(text: str, number: int) -> Passage:
    """Return the words of a text as those of a line with this number."""
    return next(passages(Layout(number, text, text)))
