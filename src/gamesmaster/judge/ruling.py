"""Rulings: what became of an order, and why.

A ruling's words are made when somebody asks for them; until then it is a handful of references.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from gamesmaster.board import Board, Unit
from gamesmaster.orders import Order


class Result(StrEnum):
    """What became of an order, in the words of a Gamesmaster's report."""

    SUCCEEDS = "succeeds"
    HOLDS = "holds"
    BOUNCES = "bounces"
    CUT = "cut"
    VOID = "void"
    NO_CONVOY = "no convoy"
    DISRUPTED = "disrupted"
    FAILS = "fails"  # of work that came to nothing


class Cause(StrEnum):
    """Why.  The value is the sentence's end; `{by}` and the strengths are filled in by the ruling."""

    # what came true
    HELD = "holds"
    CAME = "moves"
    CAME_BY_SEA = "moves by convoy"
    GIVEN = "gives its support"
    AVAILABLE = "stands ready to convoy"
    RETREATED = "retreats"
    DISBANDED = "disbands"
    BUILT = "is built"
    REMOVED = "is removed"
    WAIVED = "leaves the build unused"
    DESIGNATED = "is named a home centre"
    ARRIVED = "arrives"
    DECLINED = "is declined"
    UNORDERED = "has no order and holds"
    DISORDER = "is in civil disorder and holds"
    ANARCHY = "is in anarchy and holds"
    BOAT_MADE = "builds a boat"
    BOAT_DESTROYED = "destroys a boat"
    BOARDED = "goes aboard"
    TAKES = "takes it aboard"
    LANDED = "goes ashore"
    # what was possible and failed
    STOOD_OFF = "is stood off by {by}"
    RESISTED = "is not strong enough to dislodge {by}"
    BEATEN_HEAD_ON = "is stopped head on by {by}"
    OWN_UNIT = "may not dislodge a unit of its own power, {by}"
    OWN_HELP = "may not be helped by its own power to dislodge {by}"
    CONVOY_BROKEN = "is not carried: its convoy is broken by the loss of {by}"
    CONVOY_SILENCED = "is not carried: its convoy is caught in a paradox"
    PARADOX = "is held back by a convoy paradox"
    CUT_BY_ATTACK = "is cut by the attack of {by}"
    CUT_BY_DISLODGEMENT = "is cut because the supporting unit is dislodged by {by}"
    CARRIER_LOST = "is dislodged by {by} and carries nobody"
    CARRIER_SILENCED = "is silenced by a convoy paradox"
    NOT_TRIED = "does not go ashore: its fleet is not where it must be"
    COLLIDED = "meets {by} in retreat, and both disband"
    WITHDREW = "withdraws with its boats before {by}"
    DISTURBED = "is disturbed in its work by the attack of {by}"
    BOATS_ENOUGH = "exceeds the number of boats that its power may have at a time"
    # what could have been, but matched nothing
    UNMATCHED = "matches no order that was given"
    MOVES_AWAY = "is for a unit that was ordered to move"
    NO_CHAIN = "has no complete chain of convoying fleets ordered for it"
    OTHER_COAST = "names another coast than the move"
    IN_DISORDER = "is for a unit in civil disorder, which may not be supported"
    CARRIES = "is for a move with a boat, which takes no support"
    BOAT_GONE = "is for a boat that is no longer there"
    # what could not be
    UNREADABLE = "cannot be read"
    DEFECT = "cannot be judged because of a fault in this program"
    NO_UNIT = "is for a unit that is not there"
    FOREIGN = "is for another power's unit"
    OTHER_PHASE = "does not belong to this phase"
    SECOND = "comes after another possible order for the same unit"
    CONTRADICTED = "is one of several different orders for the same unit"
    WRONG_KIND = "names the wrong kind of unit, or none"
    WRONG_NATION = "names the wrong nationality, or none"
    WRONG_COAST = "names a coast that is not possible here"
    WHICH_COAST = "does not say which coast"
    NOT_ADJACENT = "leads to a place the unit cannot reach"
    NOWHERE = "leads to where the unit stands"
    CLOSED = "leads to a place where this unit may not go"
    NO_PASSAGE = "needs a convoy, which the fleets on the board could not form"
    NO_PATH = "does not name the path of its convoy, as it must"
    OUT_OF_REACH = "supports into a place the unit itself could not enter"
    NOBODY = "is for a unit that is not there to be helped"
    CANNOT = "supports a move that its unit could not make"
    NEEDED = "supports a move that could only be made by a convoy the unit itself is needed in"
    NOT_AT_SEA = "is for a unit that cannot convoy"
    NO_ARMY = "would convoy something other than an army"
    SUPERFLUOUS = "is by a fleet that no route needs"
    NOT_OPEN = "leads to a place that is not open to retreat"
    NOT_DISLODGED = "is for a unit that need not retreat"
    NOT_DUE = "is for a unit that cannot come now"
    TOO_EARLY = "may not leave these waters yet"
    NEEDLESS = "is for a place where no unit can be attacked"
    NO_LANDER = "is for an army that is not aboard a fleet there"
    ABOARD = "is for an army aboard, which can only go ashore"
    FULL = "is for a fleet that is full"
    NO_SHIP = "is for a fleet that cannot take it aboard"
    UNTAKEN = "is not matched by an order of the fleet to take it aboard"
    TWO_BOARD = "is one of several armies for the same fleet"
    NOT_CARRIED_SO = "is not a way in which armies are carried here"
    LOADED = "is more than its fleet can do with an army aboard"
    WENT_ABOARD = "is for a unit that has gone aboard"
    LEFT_OVER = "is for one unit more than its power has of this kind there"
    JUST_BOARDED = "is for an army that went aboard in that water this season"
    BUSY = "is for an army whose fleet is ordered to do something else"
    NO_BUILDS = "exceeds the builds allowed"
    NO_REMOVALS = "exceeds the removals needed"
    COSTS_NOTHING = "is for a unit that needs no centre"
    LADEN = "is for a unit that may not go from under the one aboard"
    NO_HOME_DUE = "comes when this power has no home centre left to name"
    NOT_A_HOME = "is for a place that this power may not make its home"
    NOT_A_SITE = "is not for a place where this power may build"
    OCCUPIED = "is for a place that is not empty"
    TAKEN = "is for a place where another build is ordered"
    NO_WAIVING = "is not allowed: every build must be used"
    NO_YARD = "is for a place where no boat can be built"
    NO_BUILDER = "is by a power that builds no boats"
    NO_BOAT = "needs a boat that is not there"
    TOO_MANY = "names more boats than one unit can handle"
    AFLOAT = "is for a unit in a boat, which cannot do that"
    ASHORE = "is for a unit that cannot handle boats"
    PORTAGE = "does not carry the boat built inland to the coast, as it must"

    @property
    def clause(self) -> str:
        """The clause that decides, of the regular rules (STD) or the DATC's questions."""
        return _CLAUSES.get(self, "STD-4.d")


_CLAUSES = {
    Cause.HELD: "STD-4.a", Cause.CAME: "STD-5.a", Cause.CAME_BY_SEA: "STD-8.a", Cause.GIVEN: "STD-7.a",
    Cause.AVAILABLE: "STD-8.a", Cause.RETREATED: "STD-9.b", Cause.DISBANDED: "STD-9.a", Cause.BUILT: "STD-10.c",
    Cause.REMOVED: "STD-10.f", Cause.WAIVED: "STD-10.e", Cause.UNORDERED: "STD-4.c", Cause.DISORDER: "STD-10.h",
    Cause.STOOD_OFF: "STD-6.a", Cause.RESISTED: "STD-6.b", Cause.BEATEN_HEAD_ON: "STD-6.c",
    Cause.OWN_UNIT: "STD-6.e", Cause.OWN_HELP: "STD-6.e", Cause.CONVOY_BROKEN: "STD-8.d",
    Cause.CONVOY_SILENCED: "STD-8.g", Cause.PARADOX: "DATC 4.A.2", Cause.CUT_BY_ATTACK: "STD-7.c",
    Cause.CUT_BY_DISLODGEMENT: "STD-7.d", Cause.CARRIER_LOST: "STD-8.d", Cause.CARRIER_SILENCED: "STD-8.g",
    Cause.COLLIDED: "STD-9.d", Cause.UNMATCHED: "STD-4.e", Cause.MOVES_AWAY: "STD-7.b", Cause.NO_CHAIN: "STD-4.e",
    Cause.OTHER_COAST: "STD-5.g", Cause.IN_DISORDER: "DATC 4.D.9", Cause.UNREADABLE: "STD-4.f", Cause.DEFECT: "STD-4.f",
    Cause.NO_UNIT: "STD-4.b", Cause.FOREIGN: "STD-4.b", Cause.SECOND: "STD-4.g", Cause.CONTRADICTED: "STD-4.g",
    Cause.WRONG_KIND: "DATC 4.C.2", Cause.WRONG_NATION: "DATC 4.C.6", Cause.WRONG_COAST: "STD-5.f",
    Cause.WHICH_COAST: "STD-5.e", Cause.OUT_OF_REACH: "STD-7.a", Cause.NEEDED: "STD-4.j", Cause.NO_PATH: "DATC 4.A.6",
    Cause.SUPERFLUOUS: "STD-4.i", Cause.NOT_AT_SEA: "STD-8.a", Cause.NO_ARMY: "STD-8.a", Cause.NOT_OPEN: "STD-9.b",
    Cause.NOT_DISLODGED: "STD-9.a", Cause.NO_BUILDS: "STD-10.d", Cause.NO_REMOVALS: "STD-10.d",
    Cause.NOT_A_SITE: "STD-10.c", Cause.OCCUPIED: "STD-10.c", Cause.TAKEN: "DATC 4.D.5",
    Cause.NO_WAIVING: "DATC 4.D.7", Cause.ANARCHY: "TAD-8.e", Cause.DESIGNATED: "CNW-8A.a1",
    Cause.COSTS_NOTHING: "SCO-5.d", Cause.LADEN: "AFM-8.a", Cause.NO_HOME_DUE: "CNW-8A.b1",
    Cause.NOT_A_HOME: "CNW-8A.a2",
    Cause.ARRIVED: "SCO-4.c", Cause.DECLINED: "SCO-4.d", Cause.NOT_DUE: "SCO-4.f", Cause.TOO_EARLY: "IND-9.b",
    Cause.BOAT_MADE: "IND-6.b", Cause.BOAT_DESTROYED: "IND-7.a", Cause.WITHDREW: "IND-6.j",
    Cause.DISTURBED: "IND-6.c", Cause.BOATS_ENOUGH: "SCO-10.d", Cause.CARRIES: "IND-6.i", Cause.BOAT_GONE: "IND-7.d",
    Cause.NO_YARD: "IND-6.b", Cause.NO_BUILDER: "SCO-10.a", Cause.NO_BOAT: "IND-6.e", Cause.TOO_MANY: "IND-6.g",
    Cause.BOARDED: "AFM-3.a", Cause.TAKES: "SCO-8.a", Cause.LANDED: "AFM-6.c", Cause.NOT_TRIED: "AFM-6.b",
    Cause.NEEDLESS: "CNW-5.a", Cause.NO_LANDER: "AFM-6.k", Cause.ABOARD: "AFM-1.e", Cause.FULL: "AFM-1.d",
    Cause.NO_SHIP: "AFM-3.a", Cause.UNTAKEN: "SCO-8.b", Cause.TWO_BOARD: "AFM-3.e", Cause.NOT_CARRIED_SO: "AFM-2.b",
    Cause.LEFT_OVER: "CNW-5.a", Cause.JUST_BOARDED: "AFM-3.g", Cause.BUSY: "AFM-6.e",
    Cause.AFLOAT: "IND-6.i", Cause.ASHORE: "SCO-14.b", Cause.PORTAGE: "SCO-10.g", Cause.OTHER_PHASE: "STD-3.a",
    Cause.LOADED: "AFM-3.f", Cause.WENT_ABOARD: "AFM-3.c",
}  # fmt: skip

POSSIBLE = frozenset({
    Cause.UNMATCHED, Cause.MOVES_AWAY, Cause.NO_CHAIN, Cause.OTHER_COAST, Cause.IN_DISORDER, Cause.CARRIES,
    Cause.BOAT_GONE, Cause.UNTAKEN, Cause.TWO_BOARD, Cause.BUSY,
    Cause.NO_LANDER, Cause.LEFT_OVER, Cause.LOADED, Cause.WENT_ABOARD, Cause.JUST_BOARDED,
})  # fmt: skip
"""Causes of a void order that was possible by itself: it did not match the others (STD-4.e)."""


class Saying(NamedTuple):
    """How a reason is told: the clause that it goes by, and its words; either is empty where the usual ones stand."""

    clause: str = ""
    says: str = ""


class Aspect(NamedTuple):
    """What of a reason a mechanic knows better: a word of `Mechanic.sayings`, and what helps to mend the order.

    `detail` stands in the place of what the judge says to that, unless it is None.
    """

    word: str = ""
    detail: str | None = None


PLAIN = Aspect()
"""Nothing is known better."""

_NOTHING: Mapping[str, Saying] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Clauses:
    """How a variant tells reasons: sayings by cause (`stood_off`) and by aspect, and by the word of an event.

    What is not in here is told in the usual words, and goes by the usual clause.
    """

    orders: Mapping[str, Saying] = field(default_factory=lambda: _NOTHING)
    events: Mapping[str, Saying] = field(default_factory=lambda: _NOTHING)

    def of(self, cause: Cause, aspect: str = "") -> str:
        """The clause to cite for a cause, or for this aspect of it."""
        own = self.orders.get(aspect, UNTOLD).clause or self.orders.get(cause.name.lower(), UNTOLD).clause
        return own or cause.clause

    def words(self, cause: Cause, aspect: str = "") -> str:
        """The sentence's end for a cause, or for this aspect of it."""
        own = self.orders.get(aspect, UNTOLD).says or self.orders.get(cause.name.lower(), UNTOLD).says
        return own or cause.value

    def event(self, word: str, aspect: str = "") -> Saying:
        """What is told of an event, or of this aspect of it; empty for the usual."""
        return self.events.get(aspect) or self.events.get(word, UNTOLD)

    def over(self, others: Clauses) -> Clauses:
        """These, and where they say nothing the others."""
        return Clauses(_over(self.orders, others.orders), _over(self.events, others.events))


def _over(mine: Mapping[str, Saying], theirs: Mapping[str, Saying]) -> Mapping[str, Saying]:
    known = mine.keys() | theirs.keys()
    pairs = ((word, mine.get(word, UNTOLD), theirs.get(word, UNTOLD)) for word in sorted(known))
    return {word: Saying(one.clause or two.clause, one.says or two.says) for word, one, two in pairs}


UNTOLD = Saying()
"""Nothing is told otherwise than usual."""

USUAL = Clauses({
    "removed_unasked": Saying("STD-10.g", "is removed by the rules, no removal being ordered"),
    "disbanded_unasked": Saying("STD-9.e", "has no order to retreat and disbands"),
    "wrong_sort": Saying("STD-10.c", "is for a kind of unit that is not built there"),
    "pair_wanting": Saying("CNW-6.a1", "needs an army and a fleet of its power there, both without other orders"),
    "none_there": Saying("STD-4.b", "is for a unit that is not there"),
    "doubtful_place": Saying(),
})  # fmt: skip
"""What the judge knows better than by the cause alone, in the regular game too."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The decision on one order, or on a unit that had none.

    `given` is the text as it came (empty for a unit without an order), `by` the units that stopped or cut it,
    `dislodged_by` the one that beat its unit out of the province, `strengths` what it brought and what it met, in units
    of one (None where nothing was compared).  `aspect` is a word by which the reason is told more exactly than by the
    cause alone; `clauses` has how.
    """

    power: str
    unit: Unit | None
    order: Order | None
    given: str
    result: Result
    cause: Cause
    by: tuple[Unit, ...] = ()
    dislodged_by: Unit | None = None
    strengths: tuple[float, float] | None = None
    detail: str = ""
    board: Board | None = field(default=None, repr=False, compare=False)
    clauses: Clauses = field(default=USUAL, repr=False, compare=False)
    aspect: str = ""

    @property
    def clause(self) -> str:
        """The clause that decided, of the variant's own rulebook where it has one for that."""
        return self.clauses.of(self.cause, self.aspect)

    @property
    def dislodged(self) -> bool:
        """Was the unit beaten out of its province?"""
        return self.dislodged_by is not None

    @property
    def possible(self) -> bool:
        """Could this order have come true by itself?  A void one that could, did not match the others (STD-4.e)."""
        return self.result is not Result.VOID or self.cause in POSSIBLE

    def name(self, unit: Unit) -> str:
        """A unit as the report names it: `A Par`, or `W 14 (Seneca)` where provinces go by numbers."""
        return f"{unit.kind} {self.board.shown(unit.at) if self.board else unit.at}"

    def whose(self, unit: Unit) -> str:
        """The same with its power: `A Par (France)`, `W 14 (Seneca, Iroquois)`."""
        return f"{unit.kind} {self.board.shown(unit.at, unit.power)}" if self.board else f"{unit} ({unit.power})"

    @property
    def text(self) -> str:
        """The reason as a sentence, without a full stop."""
        said = self.clauses.words(self.cause, self.aspect)
        words = said.format(by=" and ".join(map(self.whose, self.by)) or "another unit")
        if self.strengths is not None:
            words += " ({:g} against {:g})".format(*self.strengths)
        if self.detail:
            words += f": {self.detail}"
        if self.dislodged_by is not None and self.cause is not Cause.CARRIER_LOST:
            words += f"; dislodged by {self.whose(self.dislodged_by)}"
        return words
