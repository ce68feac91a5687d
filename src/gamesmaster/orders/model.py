"""What players say: one value for every order, and the words that say what a unit does.

An `Order` is words made exact, not yet checked against any position: it names places, never units.  The same text
always gives the same order, and printing an order and reading it back gives it again.

Words of mechanics are words only in games that have them, so that elsewhere they are free for names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from gamesmaster.board.model import Location


class Verb(StrEnum):
    """What an order tells its unit, or its power, to do."""

    HOLD = "hold"
    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    RETREAT = "retreat"
    DISBAND = "disband"  # of a dislodged unit
    BUILD = "build"
    REMOVE = "remove"  # in an adjustment phase
    WAIVE = "waive"
    # what only some mechanics know
    BOARD = "board"  # of an army: go aboard a fleet
    TAKE = "take"  # of a fleet: take an army aboard
    LAND = "land"  # of an army aboard: go ashore
    FERRY = "ferry"  # of a fleet: carry an army over one sea
    MAKE = "make"  # of a unit on land: build a boat
    DESTROY = "destroy"  # of a unit, beside its other order: destroy a boat
    DESIGNATE = "designate"  # of a power: name a home centre
    ARRIVE = "arrive"  # of a power: let a reinforcement come
    DECLINE = "decline"  # of a power: let it not come


@dataclass(frozen=True, slots=True)
class Order:
    """One order.

    `kind` is the unit letter as written, "" if none was; `at` is where the unit stands (or is built), None for a waive.
    `to` is the goal of a move or retreat, or, in a support or convoy, the goal of the unit helped: None there means
    support in place.  `of` is where the unit helped stands and `of_kind` its letter as written.  `of_power` is its
    nationality as written ("F Lon S German A Kie"), "" if none was.  `via` says that the words "by convoy" were used,
    `route` lists the waters named for it.  `power` is a nationality prefix before the order itself.

    `boats` is how many boats go along, or are made or destroyed, and `builders` are the powers whose boats are named
    ("A 44 - o with 2 BB of Macleod").  `landing` says that a support is for an army going ashore from a fleet
    ("A 90 S A/F ff lands 73").  A removal of one half of an army/fleet names the pair in `of_kind` ("Remove A from A/F
    ATL").
    """

    verb: Verb
    kind: str = ""
    at: Location | None = None
    to: Location | None = None
    of: Location | None = None
    of_kind: str = ""
    of_power: str = ""
    via: bool = False
    route: tuple[str, ...] = ()
    power: str = ""
    boats: int = 0
    builders: tuple[str, ...] = ()
    landing: bool = False

    @property
    def complete(self) -> bool:
        """Does it say all that its verb needs?  What a reader makes always does."""
        if self.verb in _MAKES and not self.boats:
            return False
        placed = self.at is not None or self.verb is Verb.WAIVE
        bound = self.to is not None or self.verb not in _BOUND
        helps = self.of is not None or self.verb not in _HELPS
        return placed and bound and helps


_BOUND = frozenset({Verb.MOVE, Verb.RETREAT, Verb.CONVOY, Verb.BOARD, Verb.LAND, Verb.FERRY})
_HELPS = frozenset({Verb.SUPPORT, Verb.CONVOY, Verb.TAKE, Verb.FERRY})
_MAKES = frozenset({Verb.MAKE, Verb.DESTROY})


class PhaseKind(StrEnum):
    """The three kinds of phase, each with its own orders."""

    MOVEMENT = "movement"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"


# -- words -------------------------------------------------------------------------------------------------------------

DASH = "-"
"""The one sign for every dash and arrow.  It says that a unit moves."""


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
