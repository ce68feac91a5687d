"""A variant's settings for boats, the causes and events of boats, and their places.

A boat is not a unit: it is known by its place and by the power that built it ("" where boats have no names). Boats of a
unit afloat are under it in its water. A boat built inland is raw until it is carried to the coast, and belongs to its
builder's unit alone; a province never has more than one of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gamesmaster.board import Board, Position, Terrain
from gamesmaster.orders import BREAKS_UP, BUILDS, AnyVerb, Phrase
from gamesmaster.rules import AnyCause, AnyEvent, MechanicState, PowerKey, ProvinceKey, with_state


@dataclass(frozen=True)
class BoatSettings:
    """Units of one `kind` build and use boats; afloat they are of the kind `form`.

    `words` are the words for a boat, the first as orders are printed; `called` are words for the unit afloat.
    `build_at` says where they may be built: provinces that touch water, or all land.  `builders` are the powers that
    build them, empty for all.  A unit takes up to `carry` with it.  `named` boats keep the name of the power that built
    them, and of those there are at most `limit` at a time for each power (0 for any number).  `into_occupied` says
    whether a boat may be sent to a place where somebody is when the season begins.  `sign` is the unit afloat on maps.
    """

    kind: str
    form: str
    words: tuple[str, ...]
    called: tuple[str, ...] = ()
    build_at: Literal["coast", "land"] = "coast"
    builders: tuple[str, ...] = ()
    carry: int = 1
    named: bool = False
    limit: int = 0
    into_occupied: bool = True
    sign: Literal["army-afloat", "party-afloat"] = "army-afloat"

    def __post_init__(self) -> None:
        if not self.words:
            raise ValueError("at least one word for a boat is needed")
        if self.form == self.kind:
            raise ValueError("a unit afloat needs a kind of its own")
        if not 1 <= self.carry <= 20:
            raise ValueError("a unit carries 1 to 20 boats")
        if not 0 <= self.limit <= 100:
            raise ValueError("the limit is 0 to 100 boats")
        if self.limit and not self.named:
            raise ValueError("a limit for each builder needs boats that are named")


class BoatCause(AnyCause):
    """Why something was done with boats, or was not."""

    BOAT_MADE = "builds a boat", "IND-6.b"
    BOAT_DESTROYED = "destroys a boat", "IND-7.a"
    WITHDREW = "withdraws with its boats before {by}", "IND-6.j"
    DISTURBED = "is disturbed in its work by the attack of {by}", "IND-6.c"
    BOATS_ENOUGH = "exceeds the number of boats that its power may have at a time", "SCO-10.d"
    CARRIES = "is for a move with a boat, which takes no support", "IND-6.i", True
    BOAT_GONE = "is for a boat that is no longer there", "IND-7.d", True
    NO_YARD = "is for a place where no boat can be built", "IND-6.b"
    NO_BUILDER = "is by a power that builds no boats", "SCO-10.a"
    NO_BOAT = "needs a boat that is not there", "IND-6.e"
    TOO_MANY = "names more boats than one unit can handle", "IND-6.g"
    AFLOAT = "is for a unit in a boat, which cannot do that", "IND-6.i"
    ASHORE = "is for a unit that cannot handle boats", "SCO-14.b"
    PORTAGE = "does not carry the boat built inland to the coast, as it must", "SCO-10.g"


class BoatEvent(AnyEvent):
    """Events of boats."""

    WRECKED = "wrecked", "SCO-12.b", "Boats in {place} are lost."


Builder = Literal[""] | PowerKey


@dataclass(frozen=True)
class BoatsKept(MechanicState):
    """The state of boats in a position."""

    lie: dict[ProvinceKey, list[Builder]] = field(default_factory=dict)
    raw: dict[ProvinceKey, Builder] = field(default_factory=dict)


STATE = "boats"
"""The key of the state, `{"lie": {province: [builder, ...]}, "raw": {province: builder}}`; nothing where none lie."""

BoatPile = tuple[str, ...]
"""Boats that lie together, each by its builder, in order of their names."""


@dataclass(frozen=True, slots=True)
class BoatPlacement:
    """All boats of a position; boats built inland are in `raw`, not in `lie`."""

    lie: Mapping[str, Sequence[str]] = field(default_factory=dict)
    raw: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, position: Position) -> BoatPlacement:
        """Return the boats of a position."""
        state = position.state.get(STATE)
        if not isinstance(state, Mapping):
            return NO_BOATS
        return cls(state.get("lie", {}), state.get("raw", {}))  # not copied: this is called for every order

    def put(self, position: Position) -> Position:
        """Return the position with these boats."""
        lie = {place: sorted(pile) for place, pile in sorted(self.lie.items()) if pile}
        parts = {"lie": lie, "raw": dict(sorted(self.raw.items()))}
        state = {key: part for key, part in parts.items() if part}
        if state == position.state.get(STATE, {}):
            return position
        return with_state(position, STATE, state or None)

    def at(self, province: str) -> BoatPile:
        """Return the boats in a province that any unit there may use."""
        return tuple(sorted(self.lie.get(province, ())))

    def count(self) -> Counter[str]:
        """Return the number of boats of each builder, raw ones included."""
        return Counter(builder for pile in (*self.lie.values(), self.raw.values()) for builder in pile)

    def with_pile(self, province: str, pile: Iterable[str]) -> BoatPlacement:
        """Return a copy in which these boats are in a province instead of those there now."""
        lie = {place: boats for place, boats in self.lie.items() if place != province}
        found = tuple(sorted(pile))
        return BoatPlacement({**lie, province: found} if found else lie, self.raw)

    def add(self, province: str, pile: Iterable[str]) -> BoatPlacement:
        """Return a copy with more boats in a province."""
        return self.with_pile(province, (*self.at(province), *pile))

    def remove(self, province: str, pile: Iterable[str]) -> BoatPlacement:
        """Return a copy without some of the boats in a province."""
        return self.with_pile(province, (Counter(self.at(province)) - Counter(pile)).elements())


NO_BOATS = BoatPlacement()


def pick(pile: BoatPile, power: str, number: int, builders: BoatPile = ()) -> BoatPile | None:
    """Return the boats of a pile that an order means, None if some are missing.

    They are those of the `builders` named, else the power's own first, then by name (SCO-10.i). A single name counts
    for all boats.
    """
    if builders:
        named = builders * number if len(builders) == 1 else builders
        found = len(named) == number and not Counter(named) - Counter(pile)
        return tuple(sorted(named)) if found else None
    if number > len(pile):
        return None
    return tuple(sorted(pile, key=lambda builder: (builder != power, builder))[:number])


def is_water(board: Board, province: str) -> bool:
    """Return whether units in this province are afloat."""
    return board.province(province).terrain is Terrain.SEA


class BoatVerb(AnyVerb):
    """The verbs for what units do with boats."""

    MAKE = (  # of a unit on land: build a boat
        "make",
        Phrase(
            "make makes build builds",
            ahead="b",
            short="builds",
            rest="things",
            drawn="work",
            thought=BUILDS,
            key=("builds a boat", "builds no boat"),
            title="Build",
            says="Build {thing}",
        ),
    )
    DESTROY = (  # of a unit, beside its other order: destroy a boat
        "destroy",
        Phrase(
            "destroy destroys",
            short="destroys",
            rest="builders",
            rider=True,
            drawn="blow",
            thought=BREAKS_UP,
            key=("destroys a boat",),
            says="Destroy {thing}",
        ),
    )
