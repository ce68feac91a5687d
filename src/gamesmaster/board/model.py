"""The board: provinces, locations, and who can go where.

A `Province` is what is owned and fought over; a `Location` is where a unit stands: a province, and on a split coast
which coast of it.  Edges belong to a way of travel ("army", "fleet"; a mechanic may add its own), and run between
locations.  A `Board` is compiled once into small integers and look-up tables; nothing in it ever changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Literal, NamedTuple

from gamesmaster.board.value import Value
from gamesmaster.errors import BadBoard, NotFound, nearest

ARMY = "A"
"""The letter of an army."""
FLEET = "F"
"""The letter of a fleet."""
FLEET_WAY = "fleet"
"""The way of travel of fleets."""
LANDING = "landing"
"""The way of travel of those aboard a fleet, from its water to the shores beside it."""


class Terrain(StrEnum):
    """The terrain of a province."""

    INLAND = "inland"
    COAST = "coast"
    SEA = "sea"
    ISLANDS = "islands"  # a group of islands: units of land and water may lie there
    BOX = "box"  # an ocean where units lie together and never fight
    IMPASSABLE = "impassable"


class Location(NamedTuple):
    """A province, and a coast of it where it has several: `STP/NC`."""

    province: str
    coast: str = ""

    def __str__(self) -> str:
        return f"{self.province}/{self.coast}" if self.coast else self.province

    @classmethod
    def of(cls, text: str) -> Location:
        """Read the plain form, `STP/NC`; the notation of orders reads many more."""
        province, _, coast = text.partition("/")
        return cls(province, coast)


@dataclass(frozen=True, slots=True)
class Province:
    """A space of the board.

    `id` is the short key of files (`STP`), `abbr` what orders are printed with (`Stp`), `aliases` other names that
    readers may use.  `coasts` lists the split coasts in capitals (`NC`, `SC`), empty for most.  `convoy` says that
    fleets lying here may carry armies: seas, and some archipelagos.
    """

    id: str
    name: str
    abbr: str
    terrain: Terrain
    centre: bool = False
    home: str | None = None
    coasts: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    convoy: bool = False
    coast_aliases: tuple[tuple[str, str], ...] = ()

    @property
    def land(self) -> bool:
        """True if an army can stand here."""
        return self.terrain in (Terrain.INLAND, Terrain.COAST, Terrain.ISLANDS)


class Edge(NamedTuple):
    """A step from `a` to `b` by one way of travel; the step back is an edge of its own.

    `convoy` is false where a fleet passes but no convoy does (a cape, a canal).  `only` names the powers that may use
    it, empty for all.  `reason` says why the step is not like others: one way only, closed to convoys or to powers.
    """

    way: str
    a: Location
    b: Location
    convoy: bool = True
    only: frozenset[str] = frozenset()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Closure:
    """A province closed to some kinds of unit or some powers: empty means all of them.  `reason` says why."""

    province: str
    kinds: frozenset[str] = frozenset()
    powers: frozenset[str] = frozenset()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of unit that another becomes for a while: a fleet with an army aboard, a party in what it goes in.

    `base` is the kind it is without its cargo, `cargo` the kind of the unit it carries, "" if it is one unit only.  It
    moves by its own way of travel; `helps` and `flees` are the ways by which it may support into a place and retreat to
    one, "" for none at all.
    """

    base: str
    cargo: str = ""
    helps: str = ""
    flees: str = ""


@dataclass(frozen=True, slots=True)
class Traits:
    """What units of a kind may do where their way of travel does not say it."""

    terrain: Literal["land", "water", "all"]  # where they can be; on water with the coasts of a split province
    helps: str  # the way of travel by which they support, "" for never
    flees: str  # likewise, by which they retreat
    convoys: bool  # they may convoy
    convoyed: bool  # they may be convoyed
    takes: bool  # they take the centres in which they are at a count


@dataclass(frozen=True, eq=False)
class Board(Value):
    """A board: provinces and the steps between them.

    Provinces and locations are numbered in the order of the file, from 0.

    `ways` says how each kind of unit travels; `forms` are the kinds among them that others become for a while; they are
    never built.  `traits` are those of the kinds that are neither plain armies nor plain fleets; `turns` says into
    which kind units of a kind may be transformed.  With `one_sea` no convoy goes over more than one water (AFM-2).
    `thing` is the word for what units make and carry, where a mechanic allows it.  In the `shared` provinces, by
    number, any number of units may be at once, and none blocks another.  Load a board once and share it, for it keeps
    many tables.
    """

    name: str
    provinces: tuple[Province, ...]
    edges: tuple[Edge, ...]
    closures: tuple[Closure, ...] = ()
    ways: Mapping[str, str] = field(default_factory=lambda: {ARMY: "army", FLEET: "fleet"})
    forms: Mapping[str, Form] = field(default_factory=dict)
    traits: Mapping[str, Traits] = field(default_factory=dict)
    turns: Mapping[str, str] = field(default_factory=dict)
    one_sea: bool = False
    thing: str = "thing"
    shared: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        doubled = [p.id for i, p in enumerate(self.provinces) if self.index[p.id] != i]
        if doubled:
            raise BadBoard(f"province {doubled[0]} is listed twice")
        for edge in self.edges:
            for end in (edge.a, edge.b):
                if end not in self.location_index:
                    raise BadBoard(f"the {edge.way} edge {edge.a} - {edge.b} leads to {end}, which is not on the board")

    def __hash__(self) -> int:
        return hash((self.name, len(self.provinces), len(self.edges)))

    # -- kinds of unit -----------------------------------------------------------------------------------------------

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of unit that can be built."""
        return tuple(kind for kind in self.ways if kind not in self.forms)

    def base(self, kind: str) -> str:
        """Return the kind that a unit of this kind is at bottom: `F` for an `A/F`."""
        return self.forms[kind].base if kind in self.forms else kind

    def cargo(self, kind: str) -> str:
        """Return the kind of the unit that one of this kind carries: `A` for an `A/F`, "" if it carries none."""
        return self.forms[kind].cargo if kind in self.forms else ""

    def unladen(self, kind: str) -> str:
        """Return the kind of a unit of this kind without cargo: `F` for an `A/F`, itself if it never carries any."""
        return self.base(kind) if self.cargo(kind) else kind

    def sails(self, kind: str) -> bool:
        """Return whether a unit of this kind travels like a fleet, loaded or not."""
        base = self.base(kind)
        return self.traits[base].terrain == "water" if base in self.traits else self.ways[base] == FLEET_WAY

    def convoyed(self, kind: str) -> bool:
        """Return whether a convoy may carry a unit of this kind."""
        base = self.base(kind)
        return self.traits[base].convoyed if base in self.traits else not self.sails(base)

    @cached_property
    def fleets(self) -> frozenset[str]:
        """The kinds of unit that convoy."""
        traits = self.traits
        return frozenset(k for k, way in self.ways.items() if (traits[k].convoys if k in traits else way == FLEET_WAY))

    @cached_property
    def bystanders(self) -> frozenset[str]:
        """The kinds of unit that take no centres."""
        return frozenset(kind for kind, traits in self.traits.items() if not traits.takes)

    # -- provinces and locations -------------------------------------------------------------------------------------

    @cached_property
    def numbered(self) -> bool:
        """True if its provinces go by numbers; people then see the names too: `14 (Seneca)`."""
        return any(p.abbr.isdecimal() for p in self.provinces)

    @cached_property
    def index(self) -> dict[str, int]:
        """Province id to its number."""
        return {p.id: i for i, p in enumerate(self.provinces)}

    @cached_property
    def boxes(self) -> frozenset[int]:
        """Numbers of the provinces in which units never fight, and any number can be."""
        return frozenset(i for i, p in enumerate(self.provinces) if p.terrain is Terrain.BOX)

    @cached_property
    def locations(self) -> tuple[Location, ...]:
        """Every location: each province, then its split coasts."""
        return tuple(Location(p.id, c) for p in self.provinces for c in ("", *p.coasts))

    @cached_property
    def locations_by_id(self) -> Mapping[str, Location]:
        """Every location by its id as files write it: `STP/NC`."""
        return {str(location): location for location in self.locations}

    @cached_property
    def location_index(self) -> dict[Location, int]:
        """Location to its number."""
        return {location: i for i, location in enumerate(self.locations)}

    @cached_property
    def place(self) -> tuple[int, ...]:
        """Location number to the number of its province."""
        return tuple(self.index[location.province] for location in self.locations)

    def province(self, key: str) -> Province:
        """Return the province with this id; raises `NotFound`."""
        try:
            return self.provinces[self.index[key]]
        except KeyError:
            raise NotFound(f"no province {key!r} on the board {self.name}", hint=nearest(key, self.index)) from None

    def find_province(self, words: str) -> Province:
        """Return the province with this id, abbreviation, name or alias, in any case; raises `NotFound`."""
        known = {word: p for p in self.provinces for word in (*p.aliases, p.name, p.abbr, p.id)}
        folded = {word.casefold(): p for word, p in known.items()}
        found = known.get(words) or folded.get(words.strip().casefold())
        if found is None:
            raise NotFound(f"no province {words[:80]!r} on the board {self.name}", hint=nearest(words, known))
        return found

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """Ids of the supply centres."""
        return tuple(p.id for p in self.provinces if p.centre)

    # -- edges -------------------------------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> dict[str, tuple[dict[int, tuple[int, ...]], ...]]:
        """Way -> location number -> {province number: the locations there that one step reaches}.

        Restrictions to powers are not in here: ask `barred`.
        """
        table: dict[str, list[dict[int, list[int]]]] = {}
        for way in set(self.ways.values()) | {e.way for e in self.edges}:
            table[way] = [{} for _ in self.locations]
        for edge in self.edges:
            a, b = self.location_index[edge.a], self.location_index[edge.b]
            table[edge.way][a].setdefault(self.place[b], []).append(b)
        return {way: tuple({p: tuple(bs) for p, bs in row.items()} for row in rows) for way, rows in table.items()}

    def steps_by(self, way: str, location: int) -> dict[int, tuple[int, ...]]:
        """Map each province one step away by a way of travel to its locations; empty for an unknown way."""
        return self.steps[way][location] if way in self.steps else {}

    def reach(self, kind: str, location: int) -> dict[int, tuple[int, ...]]:
        """Map each province one step away for a unit of this kind at this location to its locations (numbers)."""
        return self.steps[self.ways[kind]][location]

    @cached_property
    def _limited(self) -> dict[tuple[str, int, int], frozenset[str]]:
        at = self.location_index
        return {(e.way, at[e.a], at[e.b]): e.only for e in self.edges if e.only}

    @cached_property
    def restricted(self) -> bool:
        """True if some edge or province is open to certain powers only."""
        return bool(self._limited or self.closures)

    def barred(self, power: str, kind: str, a: int, b: int) -> bool:
        """Return whether this existing step (location numbers) is closed to a unit of this kind and power."""
        only = self._limited.get((self.ways[kind], a, b))
        return (only is not None and power not in only) or self.shut(power, kind, self.locations[b].province)

    @cached_property
    def _closed(self) -> frozenset[int]:
        return frozenset(self.index[c.province] for c in self.closures)

    @cached_property
    def _guarded_steps(self) -> frozenset[tuple[int, int]]:
        return frozenset((a, b) for _, a, b in self._limited)

    def guarded(self, a: int, b: int) -> bool:
        """Return whether a step between these locations (numbers) is open to certain powers only."""
        return self.place[b] in self._closed or (a, b) in self._guarded_steps

    def shut(self, power: str, kind: str, province: str) -> bool:
        """Return whether this province is closed to units of this kind and power."""
        base = self.base(kind)
        return any(
            c.province == province and (not c.kinds or base in c.kinds) and (not c.powers or power in c.powers)
            for c in self.closures
        )

    # -- convoys -----------------------------------------------------------------------------------------------------

    @cached_property
    def sea_way(self) -> str:
        """The way of travel over which convoys pass: that of fleets, "" if no kind of unit convoys."""
        return FLEET_WAY if self.fleets or FLEET in self.traits else self.ways.get(FLEET, "")

    @cached_property
    def carries(self) -> tuple[bool, ...]:
        """For each province number, True if a fleet there may convoy."""
        return tuple(p.convoy for p in self.provinces)

    @cached_property
    def waters(self) -> tuple[frozenset[int], ...]:
        """Province number -> convoying waters next to it that an army could be taken over (empty for inland)."""
        near: list[set[int]] = [set() for _ in self.provinces]
        for e in self.edges:
            if e.way == self.sea_way and e.convoy:
                a, b = self.index[e.a.province], self.index[e.b.province]
                if self.one_sea and self.carries[a] and self.carries[b]:
                    continue
                if self.carries[a]:
                    near[b].add(a)
                if self.carries[b]:
                    near[a].add(b)
        return tuple(frozenset(s) for s in near)

    @cached_property
    def shores(self) -> tuple[frozenset[int], ...]:
        """Province number -> provinces that a convoy in this water touches, shores and other waters alike."""
        touched: list[set[int]] = [set() for _ in self.provinces]
        for a, waters in enumerate(self.waters):
            for b in waters:
                touched[b].add(a)
        return tuple(frozenset(s) for s in touched)

    @cached_property
    def link(self) -> bytes:
        """The kernel's table: `link[a * size + b]` is 1 where convoys pass between water `b` and shore or water `a`."""
        size = len(self.provinces)
        table = bytearray(size * size)
        for a, waters in enumerate(self.waters):
            for b in waters:
                table[a * size + b] = 1
        return bytes(table)

    @cached_property
    def neighbours(self) -> tuple[frozenset[int], ...]:
        """Province number -> every province one step away by any way of travel.

        Ways that only a kind with `traits` has join more than neighbours, and bear the name of that kind.
        """
        return self._joined(e for e in self.edges if e.way not in self.traits)

    @cached_property
    def overland(self) -> tuple[frozenset[int], ...]:
        """Province number -> the provinces across its borders, except passages that no convoy can use."""
        return self._joined(e for e in self.edges if (e.convoy or e.way != self.sea_way) and e.way not in self.traits)

    def _joined(self, edges: Iterable[Edge]) -> tuple[frozenset[int], ...]:
        near: list[set[int]] = [set() for _ in self.provinces]
        for e in edges:
            a, b = self.index[e.a.province], self.index[e.b.province]
            near[a].add(b)
            near[b].add(a)
        return tuple(frozenset(s) for s in near)

    def distances(
        self, goals: Iterable[int], ways: Sequence[str] | None = None, *, overland: bool = False
    ) -> dict[int, int]:
        """Map each province number to the steps to the nearest of `goals`.

        `ways` are the ways of travel that count. By default every border counts, or with `overland` those of
        `Board.overland`.
        """
        if ways is None:
            near: Sequence[Iterable[int]] = self.overland if overland else self.neighbours
        else:
            near = [
                {p for way in ways for loc in self._of_province[i] for p in self.steps[way][loc]}
                for i in range(len(self.provinces))
            ]
        found = dict.fromkeys(goals, 0)
        ring = list(found)
        while ring:
            ring = [p for here in ring for p in near[here] if p not in found and found.setdefault(p, found[here] + 1)]
        return found

    @cached_property
    def _of_province(self) -> tuple[tuple[int, ...], ...]:
        rows: list[list[int]] = [[] for _ in self.provinces]
        for location, province in enumerate(self.place):
            rows[province].append(location)
        return tuple(map(tuple, rows))

    def locations_of(self, province: int) -> tuple[int, ...]:
        """Return the numbers of a province's locations, the bare province first."""
        return self._of_province[province]

    @cached_property
    def standing(self) -> frozenset[tuple[str, Location]]:
        """The places where units of each kind may be, without forms of other kinds."""
        plain = [kind for kind in self.ways if kind not in self.forms]
        return frozenset((kind, at) for kind in plain for at in self.locations if self.can_stand(kind, at))

    def may_be(self, kind: str, province: str) -> bool:
        """Return whether a unit of this kind, or of any kind if it is empty, may ever be in a province."""
        return not kind or province in self._haunts[self.base(kind)]

    @cached_property
    def _haunts(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {kind: set() for kind in self.ways}
        for kind, at in self.standing:
            found[kind].add(at.province)
        return found

    def can_stand(self, kind: str, location: Location) -> bool:
        """Return whether a unit of this kind may be here: land for armies, water or an unsplit shore for fleets.

        A kind that goes over both (`traits`) may be anywhere, and on no coast of a split province.
        """
        province = self.provinces[self.index[location.province]]
        if province.terrain is Terrain.IMPASSABLE:
            return False
        if kind in self.forms:
            return not location.coast and province.terrain in (Terrain.SEA, Terrain.ISLANDS, Terrain.BOX)
        if kind in self.traits and self.traits[kind].terrain == "all":
            return not location.coast
        if not self.sails(kind):
            return not location.coast and (province.land or province.terrain is Terrain.BOX)
        return province.terrain is not Terrain.INLAND and bool(location.coast) == bool(province.coasts)
