"""Slips in the names of a board: words that mean two things, powers that are not in the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gamesmaster.board.lint_finding import Finding, error, warning
from gamesmaster.board.model import Board, Province
from gamesmaster.errors import nearest

_OF_ORDERS = """
a f army fleet h hold holds stand stands s support supports c convoy convoys transports m move moves to via by
r retreat retreats d disband disbands b build builds remove removes waive waives
"""
_OF_COASTS = """
nc sc ec wc northcoast southcoast eastcoast westcoast northerncoast southerncoast easterncoast westerncoast
"""
_MOST_UNKNOWN = 100  # powers reported: looking for the nearest name takes time
_ORDER_WORDS, _COAST_WORDS = frozenset(_OF_ORDERS.split()), frozenset(_OF_COASTS.split())


def lint_names(board: Board, powers: Mapping[str, Iterable[str]]) -> Iterator[Finding]:
    """Findings about words that readers of orders would stumble over, and about powers named on the board.

    `powers` are the names of the powers, each with other words for it; empty if they are not known.
    """
    owners: dict[str, Province] = {}
    power_words = {fold(word): name for name, words in powers.items() for word in (name, *words)}
    for province in board.provinces:
        for word, as_written in _words(province).items():
            first = owners.setdefault(word, province)
            if first is not province:
                text = f"{as_written!r} means {first.name} ({first.id}) as well"
                yield error("name-clash", province.id, text, "give one of them another name")
            if word in _ORDER_WORDS:
                yield warning("order-word", province.id, f"{as_written!r} is a word of orders")
            if word in _COAST_WORDS:
                yield warning("coast-word", province.id, f"{as_written!r} reads like a coast")
            if word in power_words:
                yield warning("power-word", province.id, f"{as_written!r} also means the power {power_words[word]}")
    if powers:
        yield from _unknown_powers(board, powers)


def fold(word: str) -> str:
    """A name as readers of orders see it: without case, blanks and stops.

    >>> fold("St. Petersburg")
    'stpetersburg'
    """
    return "".join(letter for letter in word.casefold() if letter.isalnum())


def _words(province: Province) -> dict[str, str]:
    """Everything the province answers to: folded, and as written."""
    return {fold(word): word for word in (*province.aliases, province.name, province.abbr, province.id)}


def _unknown_powers(board: Board, powers: Mapping[str, object]) -> Iterator[Finding]:
    """One finding for each name that no power has, at the first place where it stands."""
    named = [(p.id, frozenset([p.home])) for p in board.provinces if p.home]
    named += [(f"{e.way} {e.a} - {e.b}", e.only) for e in board.edges]
    named += [(c.province, c.powers) for c in board.closures]
    places: dict[str, str] = {}
    for where, names in named:
        for name in sorted(names - powers.keys()):
            places.setdefault(name, where)
    for name in list(places)[:_MOST_UNKNOWN]:
        yield error("unknown-power", places[name], f"no power {name} in this game", nearest(name, powers))
