"""The words of orders: what a unit may be told to do, and how that is printed.

Words of mechanics are words only in games that have them, so that elsewhere they are free for names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from gamesmaster.orders.model import Verb
from gamesmaster.orders.words import DASH


def _words(said: Mapping[Verb, str]) -> dict[str, Verb]:
    return {word: verb for verb, words in said.items() for word in words.split()}


_ALWAYS = _words(
    {
        Verb.HOLD: "h hold holds stand stands stay stays",
        Verb.MOVE: f"{DASH} to into m move moves go goes attack attacks",
        Verb.SUPPORT: "s sup support supports",
        Verb.CONVOY: "c convoy convoys transport transports",
        Verb.RETREAT: "r retreat retreats",
        Verb.DISBAND: "d disband disbands",
        Verb.BUILD: "b build builds",
        Verb.REMOVE: "remove removes",
    }
)
_OF_PAIRS = _words(
    {
        Verb.BOARD: "e embark embarks board boards",
        Verb.TAKE: "t take takes pick picks",
        Verb.LAND: "land lands disembark disembarks disgorge disgorges",
        Verb.FERRY: "ff ferry ferries",
    }
)
_OF_BOATS = _words({Verb.MAKE: "make makes", Verb.DESTROY: "destroy destroys"})
CARRYING = ("carry", "carries", "portage", "portages")
"""Words for going somewhere with a boat, which stands right behind them: `carries CF to 13`."""

FIRST = _words(
    {
        Verb.BUILD: "build builds",
        Verb.REMOVE: "remove removes",
        Verb.DISBAND: "disband disbands",
        Verb.WAIVE: "waive waives",
        Verb.DESIGNATE: "designate designates",
        Verb.ARRIVE: "arrive arrives",
        Verb.DECLINE: "decline declines",
    }
)
"""Words that begin an order."""

BY_CONVOY = ("via", "by")
WITH = "with"
FILLERS = ("a", "one", "to", "the")
"""Small words that may follow "waive"."""

SHORT: Mapping[Verb, str] = MappingProxyType(
    {
        Verb.HOLD: "H",
        Verb.DISBAND: "D",
        Verb.SUPPORT: "S",
        Verb.CONVOY: "C",
        Verb.BOARD: "boards",
        Verb.TAKE: "takes",
        Verb.LAND: "lands",
        Verb.FERRY: "ferries",
        Verb.MAKE: "builds",
        Verb.DESTROY: "destroys",
    }
)
"""How a verb behind its unit is printed."""

FULL: Mapping[Verb, str] = MappingProxyType(
    {**SHORT, Verb.HOLD: "holds", Verb.DISBAND: "disbands", Verb.SUPPORT: "supports", Verb.CONVOY: "convoys"}
)
"""The same in full."""

LED = frozenset({Verb.BUILD, Verb.REMOVE, Verb.DESIGNATE, Verb.ARRIVE, Verb.DECLINE})
"""Verbs printed before their unit."""


def pairs_of(kinds: Iterable[str]) -> frozenset[str]:
    """The kinds that are two units in one, as `A/F` where there are `A` and `F`; a `W/CF` is one with its boat."""
    known = frozenset(kinds)
    return frozenset(kind for kind in known if "/" in kind and known.issuperset(kind.split("/")))


def verbs_of(*, pairs: bool, boats: bool) -> dict[str, Verb]:
    """The words behind a unit that say what it does, in a game with pairs of units or with boats."""
    carrying = dict.fromkeys(CARRYING, Verb.MOVE)
    return _ALWAYS | (_OF_PAIRS if pairs else {}) | (_OF_BOATS | carrying if boats else {})


def stops_of(verbs: Iterable[str], *, boats: bool) -> frozenset[str]:
    """The words and signs of grammar that no name cut short or misspelt has."""
    return frozenset(verbs) | {*BY_CONVOY, "(", ")", "/", ":"} | ({WITH} if boats else set())
