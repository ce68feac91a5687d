"""What players say: one value for every order, and the words that say what a unit does.

An `Order` is words made exact, not yet checked against any position: it names places, never units.  The same text
always gives the same order, and printing an order and reading it back gives it again.

Words of mechanics are words only in games that have them, so that elsewhere they are free for names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Self, TypeAlias

from gamesmaster.board import Location

DASH = "-"
"""The one sign for every dash and arrow.  It says that a unit moves."""

UNREAD = "?"
"""What a line begins with that was refused when it was sent: nobody reads it later as an order either."""


# What players take orders with a mechanic's verb for; the numbers are in the order in which players list them.
NO_THOUGHT = 0
"""Players ignore orders with this verb."""
TAKES_IN = 1
"""A carrier takes an army in, or moves as if it were loaded already."""
RIDES = 2
"""A unit travels in the thing that it carries, which is not an attack."""
GOES_ABOARD = 3
"""An army boards a carrier."""
SAILS_LADEN = 4
"""A carrier moves with an army that it takes in first."""
GOES_ASHORE = 5
"""A unit that is aboard, or will be, lands."""
BUILDS = 6
"""A unit builds a thing to ride in."""
BREAKS_UP = 7
"""Beside another order, a unit breaks such a thing up."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """How orders with a verb are said, and what they are like.

    The parts that may stand behind the verb (`rest`): `goal` is where a unit goes, how, and what goes along; `journey`
    the same without what goes along; `shore` a place alone; `form` what a unit becomes; `vessel` a unit to go to; `of`
    a unit that is helped; `dash` a word for moving; `does` what a unit that is helped does; `things` what units carry,
    `builders` the same with those who built it; `up` that word, or nothing.
    """

    behind: str = ""  # words that stand behind the unit
    before: str = ""  # words that begin the order
    ahead: str = ""  # words that mean the verb only where more follows (`d Jel`)
    short: str = ""  # how it is printed behind its unit
    full: str = ""  # the same in full, by default `short`
    led: bool = False  # it is printed before its unit
    rest: str = ""  # the names of the parts behind the verb
    place: bool = False  # a verb that begins its order is followed by a place alone, not a unit
    bare: bool = False  # no dash stands before its goal
    helped: bool = False  # it can be said in a support of it
    like: Verb | None = None  # the regular verb that it is worked out and understood like
    drawn: str = ""  # the verb that it is drawn like, or a word of the closed list of `pictures`
    rider: bool = False  # it is carried out beside its unit's other order
    thought: int = NO_THOUGHT  # what the heuristic player takes it for: `RIDES` and so on
    accepting: bool = False  # for a power's own matters: players give it
    key: tuple[str, ...] = ()  # what the key of a map says of it where it succeeds, and where it fails
    title: str = ""  # its name in a list, by default its word in files
    says: str = ""  # what a button says, with `{unit}`, `{goal}` or `{thing}` filled in


_FIELDS = dict.fromkeys(("goal", "journey", "shore", "vessel"), "to") | {"of": "of"}
_FIELDS |= dict.fromkeys(("things", "builders"), "carried")
"""The field of an order that a part behind its verb must fill."""


class AnyVerb(StrEnum):
    """What an order tells its unit, or its power, to do: in the regular game (`Verb`), or in one of a mechanic's own.

    The value is the word in files.  `needs` are the fields of an order that say all it must (`to`, `of`, `carried`).

    >>> class Digging(AnyVerb):
    ...     DIG = "dig", Phrase(behind="dig digs", short="digs", title="Dig", says="Dig a ditch")
    >>> Digging.DIG.phrase.short
    'digs'
    """

    phrase: Phrase
    needs: tuple[str, ...]

    def __new__(cls, word: str, phrase: Phrase) -> Self:
        """Create a member from its word in files and its phrase."""
        self = str.__new__(cls, word)
        self._value_ = word
        self.phrase = phrase
        self.needs = tuple(_FIELDS[part] for part in phrase.rest.split() if part in _FIELDS)
        return self

    @property
    def label(self) -> str:
        """What it is called in a list."""
        return self.phrase.title or self.capitalize()

    @property
    def like(self) -> AnyVerb:
        """The regular verb that it is understood like; by default itself."""
        return self.phrase.like or self

    @property
    def of_power(self) -> bool:
        """Whether a power as a whole gives it, not a unit that acts."""
        return self.phrase.led

    @property
    def rider(self) -> bool:
        """Whether an order with this verb is carried out beside the unit's main order."""
        return self.phrase.rider

    @property
    def helps(self) -> bool:
        """Whether the unit does something for another one."""
        return "of" in self.needs


class Verb(AnyVerb):
    """What an order can tell in the regular game."""

    HOLD = "hold", Phrase("h hold holds stand stands stay stays", short="H", full="holds", says="Hold")
    MOVE = "move", Phrase(f"{DASH} to into m move moves go goes attack attacks", rest="goal", says="Move to {goal}")
    SUPPORT = (
        "support",
        Phrase("s sup support supports", short="S", full="supports", rest="of does", says="Support {unit} {goal}"),
    )
    CONVOY = (
        "convoy",
        Phrase(
            "c convoy convoys transport transports",
            short="C",
            full="convoys",
            rest="of dash journey",
            says="Convoy {unit} {goal}",
        ),
    )
    RETREAT = "retreat", Phrase("r retreat retreats", rest="goal", says="Retreat to {goal}")
    DISBAND = (  # of a dislodged unit
        "disband",
        Phrase("d disband disbands", "disband disbands", short="D", full="disbands", drawn="remove", says="Disband"),
    )
    BUILD = "build", Phrase("b build builds", "build builds", led=True, says="Build {unit}")
    REMOVE = "remove", Phrase("remove removes", "remove removes", led=True, says="Remove {unit}")  # in Winter
    WAIVE = (
        "waive",
        Phrase(before="waive waives decline declines", title="Leave a build unused", says="Leave a build unused"),
    )


@dataclass(frozen=True, slots=True)
class Order:
    """One order.

    A removal of one half of a pair names the pair in `of_kind` ("Remove A from A/F ATL").
    """

    verb: AnyVerb
    kind: str = ""  # the unit letter as written, "" if none was
    at: Location | None = None  # where the unit stands, or is built; None for a waive
    to: Location | None = None  # the goal of a move or retreat, or of the unit helped: None there is support in place
    of: Location | None = None  # where the unit helped stands
    of_kind: str = ""  # its letter as written
    of_power: str = ""  # its nationality as written ("F Lon S German A Kie"), "" if none was
    via: bool = False  # the words "by convoy" were used
    route: tuple[str, ...] = ()  # the waters named for it
    power: str = ""  # a nationality before the order itself
    carried: int = 0  # how many things go along that units make and carry, or are made or destroyed
    builders: tuple[str, ...] = ()  # the powers whose things are named ("A 44 - o with 2 BB of Macleod")
    doing: AnyVerb | None = None  # a mechanic's verb for what a unit that is helped does

    def __str__(self) -> str:
        """Return the order in the notation, with the ids of provinces: `A MUN S A PAR - BUR`.

        `Notation.write` prints the names that a board prefers, and the things that are carried.
        """
        phrase, power = self.verb.phrase, self.power
        if self.at is None:
            return " ".join(filter(None, (power, self.verb.capitalize())))
        if phrase.led:
            half = (self.kind, "from", self.of_kind) if self.of_kind and not self.of else (self.kind,)
            return " ".join(filter(None, (power, self.verb.capitalize(), *half, str(self.at))))
        words = [power, self.kind, str(self.at), phrase.short]
        if self.of:
            words += [self.of_power, self.of_kind, str(self.of)]
        if self.to:
            doing = self.doing or self.verb
            words += [doing.phrase.short if self.doing else "", "" if doing.phrase.bare else DASH, str(self.to)]
        if self.via:
            words.append(f"via {', '.join(self.route)}" if self.route else "VIA")
        return " ".join(filter(None, words))

    @property
    def complete(self) -> bool:
        """Return whether the order says all that its verb needs.  What a reader makes always does."""
        placed = self.at is not None or self.verb is Verb.WAIVE
        return placed and all(getattr(self, name) for name in self.verb.needs)


@dataclass(frozen=True, slots=True)
class Unread:
    """A text that was refused when it was sent, and why."""

    text: str
    what: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{UNREAD} {self.text}"


GivenOrder: TypeAlias = str | Order | Unread
"""An order as the judge is given it: a text in the notation, an order already read, or a text that was refused."""


class PhaseKind(StrEnum):
    """The kind of a phase: moves, retreats, or builds and removals. The value is the word in JSON."""

    MOVEMENT = "movement"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"


CARRYING = ("carry", "carries", "portage", "portages")
"""Words for going somewhere with a thing that is carried, which stands right behind them: `carries CF to 13`."""

BY_CONVOY = ("via", "by")
WITH = "with"
FILLERS = ("a", "one", "to", "the")
"""Small words that may follow "waive"."""


def words_of(verbs: Iterable[AnyVerb], where: Literal["behind", "before", "ahead"]) -> dict[str, AnyVerb]:
    """Return verbs by their words that are written `where`: behind a unit, before it, or behind it with more after.

    If two verbs share a word, the last one counts.
    """
    return {word: verb for verb in verbs for word in getattr(verb.phrase, where).split()}
