"""Completion: legal orders that continue the text typed so far, in its dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from gamesmaster.orders import LONGEST_ORDER, Notation, Order, Verb
from gamesmaster.orders.dialect import HOUSE, written_dialects
from gamesmaster.orders.words import Word, key, split

MOST_WAYS = 10
FULL = "full"
"""The house style with full names of provinces."""
_SIGNS = frozenset("()[]")
_CLOSING = re.compile(r"[)\]]*[.,:]?")


@dataclass(frozen=True, slots=True)
class Way:
    """A continuation: its text, and if it is a complete order, that order in the house style."""

    text: str
    order: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """Continuations, and the dialect that they are written in."""

    dialect: str
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class _Written:
    """An order as a dialect writes it, split into words."""

    text: str
    order: Order
    words: tuple[Word, ...]

    def after(self, number: int) -> str:
        """Return the text up to the end of word `number` (from 1), with a sign or space that follows it."""
        end = self.words[number - 1].end
        closed = _CLOSING.match(self.text, end)
        end = closed.end() if closed else end
        return self.text[: end + 1] if self.text[end : end + 1].isspace() else self.text[:end]


@dataclass(frozen=True, slots=True)
class _Match:
    """An order that fits what is typed."""

    written: _Written
    last: int  # index of the last typed word in the order
    passed: int  # number of the order's words that were skipped before it
    exact: int = 0  # 2: the order begins just as typed, 1: with the same words, 0: otherwise
    coded: bool = False  # what is typed are the codes of a move's places, as `par bur`
    loose: int = 0  # number of typed words with a space behind them that are not whole words of the order

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Return the place of the order among those that fit, lowest first."""
        return not self.coded, self.loose, self.passed


class Completer:
    """Completes what `power` types to one of these orders."""

    def __init__(self, notation: Notation, orders: Iterable[Order], power: str) -> None:
        self.notation, self.orders, self.power = notation, list(orders), power
        self._styles: dict[str, list[_Written]] = {}

    @cached_property
    def _dialects(self) -> tuple[str, ...]:
        return tuple(dialect.id for dialect in written_dialects())

    def complete(self, text: str, *dialects: str) -> Completion:
        """Return the continuations of a text in the first of these dialects that fits it, else in any other that fits.

        If more orders fit than can be shown, they are continued only as far as they agree.
        """
        typed = _words(text[: LONGEST_ORDER + 1])
        own = list(dict.fromkeys([*dialects, HOUSE, FULL]))
        others = [dialect for dialect in self._dialects if dialect not in own]
        if len(text) > LONGEST_ORDER:
            return Completion(own[0], ())
        for styles in (own, others):
            found = {style: list(self._matches(style, text, typed)) for style in styles}
            exact = {style: sum(match.exact for match in found[style]) for style in styles}
            for style in styles:
                if exact[style] and not (styles is others and exact[style] < max(exact.values())):
                    return self._completion(style, [match for match in found[style] if match.exact or match.coded])
            for style in styles:
                if found[style]:
                    return self._completion(style, found[style])
        return Completion(own[0], ())

    def _write_all(self, style: str) -> list[_Written]:
        """Return every order as a dialect writes it, each text once."""
        if style not in self._styles:
            texts: dict[str, Order] = {}
            for order in self.orders:
                texts.setdefault(self._write(order, style), order)
            self._styles[style] = [_Written(text, order, _words(text)) for text, order in texts.items()]
        return self._styles[style]

    def _write(self, order: Order, style: str) -> str:
        if style in (HOUSE, FULL):
            return self.notation.write(order, full=style == FULL)
        return self.notation.write(replace(order, power=self.power), dialect=style)

    def _matches(self, style: str, text: str, typed: Sequence[Word]) -> Iterator[_Match]:
        """Yield the orders that contain the typed words, or words beginning with them, in this order."""
        wanted = [(word.key, text[word.start : word.end].casefold()) for word in typed]
        ended = len(wanted) - (not text[-1:].isspace())
        for written in self._write_all(style):
            at, loose = -1, 0
            for number, (folded, spelt) in enumerate(wanted):
                at = _next(written, at + 1, folded, "" if spelt.isascii() else spelt)
                if at < 0:
                    break
                loose += number < ended and written.words[at].key != folded
            else:
                passed = at + 1 - len(wanted)
                begun = not passed and [word.key for word in written.words[:at]] == [key for key, _ in wanted[:-1]]
                alike = written.text.casefold().startswith(text.casefold().rstrip())
                coded = [key for key, _ in wanted] == self._codes(written.order)
                yield _Match(written, at, passed, begun + (begun and alike), coded, loose)

    def _codes(self, order: Order) -> list[str]:
        """Return the codes of the places of a move, as they are typed."""
        ends = (order.at, order.to) if order.verb is Verb.MOVE else ()
        codes = [key(self.notation.lexicon.board.province(end.province).abbr) for end in ends if end]
        return [] if codes[1:] == [key(Verb.HOLD.phrase.short)] else codes  # "62 h" holds, or so it seems

    def _completion(self, style: str, matches: Sequence[_Match]) -> Completion:
        """Return the orders if they are few, else the beginnings that several of them share; the nearest come first."""
        matches = sorted(matches, key=lambda match: match.rank)
        longest = max(len(match.written.words) for match in matches)
        ways: list[Way] = []
        for more in range(longest + 1):
            found = self._ways(matches, more)
            if ways and len(found) > MOST_WAYS:
                break
            ways = found
        return Completion(HOUSE if style == FULL else style, tuple(ways[:MOST_WAYS]))

    def _ways(self, matches: Sequence[_Match], more: int) -> list[Way]:
        """Return the orders; where several agree, cut `more` words after the last word typed."""
        groups: dict[tuple[str, ...], list[_Match]] = {}
        for match in matches:
            beginning = tuple(word.key for word in match.written.words[: match.last + 1 + more])
            groups.setdefault(beginning, []).append(match)
        return [self._way(group, more) for group in groups.values()]

    def _way(self, group: Sequence[_Match], more: int) -> Way:
        written, number = group[0].written, group[0].last + 1 + more
        if len(group) == 1 or number >= len(written.words):
            return Way(written.text, self.notation.write(written.order))
        return Way(written.after(number))


def _words(text: str) -> tuple[Word, ...]:
    """Return the words of a text, without brackets."""
    return tuple(word for word in split(text) if word.key not in _SIGNS)


def _next(written: _Written, start: int, folded: str, spelt: str) -> int:
    """Return the index of the next word that begins like this one, or -1. Typed accents must match."""
    for at in range(start, len(written.words)):
        word = written.words[at]
        if word.key.startswith(folded) and written.text[word.start : word.end].casefold().startswith(spelt):
            return at
    return -1
