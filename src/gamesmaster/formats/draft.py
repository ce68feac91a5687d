"""The common value between the readers of other programs' maps and what is written: a variant as the file states it.

A reader fills a `Draft` with the words of its file.  `gamesmaster.formats.settle` makes a variant of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gamesmaster.board import ARMY, FLEET, Location, Terrain
from gamesmaster.errors import BadFile
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import BuildSites, Mechanic
from gamesmaster.schemas import MOST_EDGES, MOST_PROVINCES
from gamesmaster.variant import MOST_POWERS

ARMY_WAY, FLEET_WAY = "army", "fleet"
_UNITS = {"army": ARMY, "fleet": FLEET, "wing": "W"}
MOST_COASTS = 8
"""Coasts of a province."""
LISTED = 12
"""Places that a remark names; of more, it names the number."""


class Step(NamedTuple):
    """A step of the file: `way` is `army` or `fleet`; the coasts of both ends are the file's own words."""

    way: str
    a: Location
    b: Location


class DatedPhase(NamedTuple):
    """A phase in the words of the file."""

    season: str
    kind: PhaseKind
    year: int


@dataclass(slots=True)
class Space:
    """A province of the file.  `code` is its short name, empty if the file has no such name."""

    name: str
    terrain: Terrain
    code: str = ""
    centre: bool = False
    home: str = ""
    coasts: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    convoy: bool = False


@dataclass(slots=True)
class Country:
    """A power of the file; units are pairs of a kind (`A`, `F`) and a place."""

    name: str
    adjective: str = ""
    also: tuple[str, ...] = ()
    units: list[tuple[str, Location]] = field(default_factory=list)
    centres: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Draft:
    """A variant as another program's file states it."""

    form: str
    name: str
    where: str = ""
    author: str = ""
    spaces: dict[str, Space] = field(default_factory=dict)  # by the file's own keys
    countries: dict[str, Country] = field(default_factory=dict)  # likewise
    steps: dict[Step, frozenset[str]] = field(default_factory=dict)  # with the powers that may take it, empty for all
    weak: set[tuple[str, str]] = field(default_factory=set)  # borders over which attacks are weak
    neutral_units: list[tuple[str, Location]] = field(default_factory=list)
    neutral_centres: bool = False
    run: Sequence[DatedPhase] = ()  # the phases from the first on, for one turn and the first phase of the next
    victory: int = 0  # a number of centres, 0 if the file names none
    build_sites: BuildSites = BuildSites.OWN_HOMES
    mechanics: list[Mechanic] = field(default_factory=list)  # other rules, which name no place
    notes: dict[str, dict[str, None]] = field(default_factory=dict)

    def add(self, key: str, space: Space) -> None:
        """Add a province; raises `BadFile` for a second one of this key, or for too many provinces or coasts."""
        if key in self.spaces:
            raise BadFile(f"the province {key[:40]!r} is there twice", where=self.where)
        if len(self.spaces) >= MOST_PROVINCES:
            raise BadFile(f"more than {MOST_PROVINCES:,} provinces", where=self.where)
        if len(space.coasts) > MOST_COASTS:
            raise BadFile(f"more than {MOST_COASTS} coasts of {key[:40]!r}", where=self.where)
        self.spaces[key] = space

    def enlist(self, key: str, country: Country) -> None:
        """Add a power; raises `BadFile` for too many, counting those without units and centres."""
        self.countries[key] = country
        if len(self.countries) > 2 * MOST_POWERS:
            raise BadFile(f"more than {2 * MOST_POWERS} powers", where=self.where)

    def join(self, way: str, a: Location, b: Location, only: Iterable[str] = ()) -> None:
        """Add a step from `a` to `b`; raises `BadFile` for too many."""
        if len(self.steps) >= MOST_EDGES:
            raise BadFile(f"more than {MOST_EDGES:,} borders", where=self.where)
        self.steps[Step(way, a, b)] = frozenset(only)

    @staticmethod
    def kind(word: str) -> str:
        """Return the letter of a kind of unit, the beginning of an unknown word."""
        return _UNITS.get(word.strip().casefold(), word[:8])

    def note(self, what: str, *items: object) -> None:
        """Add a remark: `what`, and the places or powers that it is about."""
        self.notes.setdefault(what, {}).update(dict.fromkeys(map(str, items)))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks as sentences."""
        found = []
        for what, items in self.notes.items():
            more = f" and {len(items) - LISTED} more" if len(items) > LISTED else ""
            listed = ", ".join(item[:80] for item in list(items)[:LISTED])
            found.append(f"{what}: {listed}{more}" if items else what)
        return tuple(found)


MOVEMENT, RETREATS, ADJUSTMENTS = PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS
KINDS: Mapping[str, PhaseKind] = {
    "movement": MOVEMENT, "movements": MOVEMENT, "retreat": RETREATS, "retreats": RETREATS,
    "adjustment": ADJUSTMENTS, "adjustments": ADJUSTMENTS,
}  # fmt: skip
"""Words of other programs for the kinds of phase."""
AUTUMN = ("fall", "autumn")


def plain_run(seasons: Sequence[tuple[str, int]], first: DatedPhase, length: int = 1) -> tuple[DatedPhase, ...]:
    """Return the phases of a turn from `first` on: moves and retreats in each of `seasons`, then adjustments.

    Each season has the number of years after the beginning of the turn, which has `length` years.  The year of
    `first` is that of its phase.  A `first` that is not among the phases means the first phase of its kind.
    """
    last, years = seasons[-1]
    turn = [DatedPhase(name, kind, year) for name, year in seasons for kind in (MOVEMENT, RETREATS)]
    turn.append(DatedPhase(last, ADJUSTMENTS, years))
    fits = [n for n, phase in enumerate(turn) if phase.kind is first.kind]
    begin = next((n for n in fits if _alike(turn[n].season, first.season)), fits[0])
    shift = first.year - turn[begin].year
    both = [phase._replace(year=phase.year + shift + n * length) for n in (0, 1) for phase in turn]
    return tuple(both[begin : begin + len(turn) + 1])


def _alike(one: str, other: str) -> bool:
    words = [word.casefold() for word in (one, other)]
    return words[0] == words[1] or all(word in AUTUMN for word in words)
