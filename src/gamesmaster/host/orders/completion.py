"""Completion: how what is typed so far may go on, in the dialect in which it is typed, to orders that may be given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from gamesmaster.orders import Notation, Order
from gamesmaster.orders.dialect import HOUSE, written_dialects
from gamesmaster.orders.sentence import LONGEST_ORDER
from gamesmaster.orders.words import Word, split

MOST_WAYS = 10
FULL = "full"
"""The house style with the provinces' names in full."""
_SIGNS = frozenset("()[]")
_CLOSING = re.compile(r"[)\]]*[.,:]?")


@dataclass(frozen=True, slots=True)
class Way:
    """A way to go on: what is written then, and, if that is a whole order, how it reads in the house style."""

    text: str
    order: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """The ways to go on, and the dialect that they are written in."""

    dialect: str
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class _Written:
    """An order as a dialect writes it, with the words of that."""

    text: str
    order: Order
    words: tuple[Word, ...]

    def after(self, number: int) -> str:
        """Return the text up to the end of this number of words, with the sign or the space behind them."""
        end = self.words[number - 1].end
        closed = _CLOSING.match(self.text, end)
        end = closed.end() if closed else end
        return self.text[: end + 1] if self.text[end : end + 1].isspace() else self.text[:end]


@dataclass(frozen=True, slots=True)
class _Match:
    """Where the last word typed stands in an order, how many words before it were passed over, and how exactly it fits.

    `exact` is 2 for what begins the order just as it is typed, 1 for what begins it but for accents, else 0.
    """

    written: _Written
    last: int
    passed: int
    exact: int = 0


class Completer:
    """Completes what `power` types, who may give these orders."""

    def __init__(self, notation: Notation, orders: Iterable[Order], power: str) -> None:
        self.notation, self.orders, self.power = notation, list(orders), power
        self._styles: dict[str, list[_Written]] = {}

    @cached_property
    def _dialects(self) -> tuple[str, ...]:
        return tuple(dialect.id for dialect in written_dialects())

    def complete(self, text: str, *dialects: str) -> Completion:
        """How a text may go on, in the first of these dialects, or else in any other, that fits what is typed.

        Where more orders fit than can be shown, they are followed only as far as they agree.
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
                    return self._completion(style, [match for match in found[style] if match.exact])
            for style in styles:
                if found[style]:
                    return self._completion(style, sorted(found[style], key=lambda match: match.passed))
        return Completion(own[0], ())

    def _write_all(self, style: str) -> list[_Written]:
        """Every order as a dialect writes it, each text once."""
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
        """The orders that have the words typed, or what begins with them, one after the other."""
        wanted = [(word.key, text[word.start : word.end].casefold()) for word in typed]
        for written in self._write_all(style):
            at = -1
            for folded, spelt in wanted:
                at = _next(written, at + 1, folded, "" if spelt.isascii() else spelt)
                if at < 0:
                    break
            else:
                passed = at + 1 - len(wanted)
                begun = not passed and [word.key for word in written.words[:at]] == [key for key, _ in wanted[:-1]]
                alike = written.text.casefold().startswith(text.casefold().rstrip())
                yield _Match(written, at, passed, begun + (begun and alike))

    def _completion(self, style: str, matches: Sequence[_Match]) -> Completion:
        """The orders themselves if they are few, or else what several of them have in common."""
        longest = max(len(match.written.words) for match in matches)
        ways: list[Way] = []
        for more in range(longest + 1):
            found = self._ways(matches, more)
            if ways and len(found) > MOST_WAYS:
                break
            ways = found
        return Completion(HOUSE if style == FULL else style, tuple(ways[:MOST_WAYS]))

    def _ways(self, matches: Sequence[_Match], more: int) -> list[Way]:
        """Return the orders, cut a number of words after the last one typed where several continue alike."""
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
    """The words of a text, without brackets."""
    return tuple(word for word in split(text) if word.key not in _SIGNS)


def _next(written: _Written, start: int, folded: str, spelt: str) -> int:
    """Return the place of the next word that begins like this one, -1 without one; typed accents count."""
    for at in range(start, len(written.words)):
        word = written.words[at]
        if word.key.startswith(folded) and written.text[word.start : word.end].casefold().startswith(spelt):
            return at
    return -1
