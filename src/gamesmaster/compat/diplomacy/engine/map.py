"""Maps, as programs read them: places in capitals, what adjoins what, homes and phases."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cached_property, lru_cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from gamesmaster.board import ARMY, FLEET, Location, Position, Province, Terrain, units_from
from gamesmaster.compat.diplomacy.engine.listing import Listing
from gamesmaster.errors import BadFile, BadOrder, NotFound
from gamesmaster.formats import OF_THEIR_TIME, import_variants
from gamesmaster.mechanics import StandingArmies
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.rules import BuildSites, Made, Rules
from gamesmaster.variant import Phase, Power, Variant, find_variant

PACKAGE = "diplomacy"
"""The package whose map files are found by name, if it is installed."""
YEARS = 100
"""A game without a winner is drawn after this many years."""
SHORT = 3  # letters of a place in the texts of programs
_TYPES = {
    Terrain.SEA: "WATER",
    Terrain.COAST: "COAST",
    Terrain.INLAND: "LAND",
    Terrain.ISLANDS: "PORT",
    Terrain.IMPASSABLE: "SHUT",
}
SHUT = {"standard": {"SWI": ("SWITZERLAND", "BUR MAR MUN PIE TYR VEN")}}
"""Impassable places that the package lists and our boards leave out: name and neighbours, by map and code."""
_COASTS = {"N": "NORTH", "S": "SOUTH", "E": "EAST", "W": "WEST"}


class Map:
    """A map: `standard`, the name of a map of the PyPI package where that is installed, or the path of a `.map` file.

    Maps are read once and shared; `use_cache=False` makes one of its own, and so does a deep copy.  Raises `NotFound`
    for an unknown name, and what `import_variants` raises for a bad file.
    """

    _known: ClassVar[dict[str, Map]] = {}

    def __new__(cls, name: str = "standard", use_cache: bool = True) -> Map:
        """Return the map of this name, made at the first call."""
        if use_cache and name in cls._known:
            return cls._known[name]
        made = super().__new__(cls)
        made._load(name)
        if use_cache:
            cls._known[name] = made
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Map:
        made = object.__new__(type(self))
        shared = {"variant", "judging", "listing", "walking"}
        made.__dict__.update((key, v if key in shared else deepcopy(v, memo)) for key, v in self.__dict__.items())
        return made

    def __getnewargs__(self) -> tuple[str]:
        return (self.name,)

    def __getstate__(self) -> None:
        """Return nothing: the name says all."""

    def __str__(self) -> str:
        return self.name

    def _load(self, name: str) -> None:
        self.name = self.root_map = name
        self.variant = variant = _in_capitals(_variant_of(name))
        self.judging = Rules.of(variant, OF_THEIR_TIME)
        self.listing = Listing(self.judging)
        self.walking = Made(self._walking)
        provinces, owners = variant.board.provinces, variant.start.owners
        self.powers = [power.name for power in variant.powers]
        self.homes = {power.name: list(power.homes) for power in variant.powers}
        self.centers = {name: [c for c in variant.board.centres if owners.get(c) == name] for name in self.powers}
        self.units = {name: [str(unit) for unit in variant.start.of(name)] for name in self.powers}
        self.own_word = {power.name: power.adjective.upper() for power in variant.powers} | {"UNOWNED": "UNOWNED"}
        self.pow_name = {name: name for name in self.powers}
        self.scs = list(dict.fromkeys([*chain(*self.homes.values()), *variant.board.centres]))
        self.victory = [variant.victory.centres]
        self.first_year = variant.calendar.first_year
        self.rules = ["BUILD_ANY"] if variant.build_sites is BuildSites.ANY_OWNED else []
        self.seq = ["NEWYEAR", *(f"{slot.season} {slot.kind.value}".upper() for slot in variant.calendar.slots)]
        self.flow_sign = 1
        self.phase = self.phase_name(variant.calendar.first)
        self.error: list[str] = []
        self.files = [name]
        self.unit_names = {ARMY: "ARMY", FLEET: "FLEET"}
        self.phase_abbrev = {kind.value[0].upper(): kind.value.upper() for kind in PhaseKind}
        self.locs = [place for province in provinces for place in _places(province)]
        self.loc_type = {place: _TYPES[province.terrain] for province in provinces for place in _places(province)}
        self.loc_name = {name: place.upper() for province in provinces for name, place in _names(province)}
        self.aliases = {alias.upper(): province.id for province in provinces for alias in province.aliases}
        self.aliases |= self.loc_name
        self.loc_coasts = {
            place.upper(): [other.upper() for other in _places(province)]
            for province in provinces
            for place in _places(province)
        }
        self.loc_abut = {place: sorted(self._beside(place), key=str.upper) for place in self.locs}
        for shut, (called, borders) in SHUT.get(name, {}).items():
            self.locs.insert(bisect(self.locs, shut), shut)
            self.loc_type[shut], self.loc_name[called], self.loc_coasts[shut] = "SHUT", shut, [shut]
            self.loc_abut[shut] = borders.split()
            for border in borders.split():
                self.loc_abut[border] = sorted([*self.loc_abut[border], shut], key=str.upper)
        self.dest_with_coasts = {
            place.upper(): sorted({to for near in abuts for to in self.find_coasts(near[:SHORT])})
            for place, abuts in self.loc_abut.items()
        }

    def _beside(self, place: str) -> Iterator[str]:
        """Yield what adjoins a place: in small letters for armies alone, with one capital for fleets alone."""
        board, here = self.variant.board, Location.of(place.upper())
        at, province = board.location_index[here], board.province(here.province)
        by_fleet = {board.locations[end] for ends in board.reach(FLEET, at).values() for end in ends}
        if not here.coast:
            by_army = {board.locations[end].province for ends in board.reach(ARMY, at).values() for end in ends}
            by_army |= {board.provinces[water].id for water in board.waters[board.index[here.province]]}
        else:
            by_army = {to.province for to in by_fleet}
        reached = {to.province for to in by_fleet if to.coast}
        for key in by_army - reached - {to.province for to in by_fleet}:
            shore = board.province(key)
            sailed = province.terrain is Terrain.COAST and shore.terrain is Terrain.COAST and not shore.coasts
            yield key.lower() if sailed and not province.coasts else key
        for to in by_fleet:
            both = to.province in by_army or not province.land or not board.province(to.province).land
            yield str(to) if both else str(to).title()

    # -- places ------------------------------------------------------------------------------------------------------

    @cached_property
    def spots(self) -> dict[str, Location]:
        """Every place in capitals, with its location."""
        return {str(at).upper(): at for at in self.variant.board.locations}

    def area_type(self, loc: str) -> str | None:
        """Return `WATER`, `COAST`, `LAND`, `PORT` or `SHUT`, None for an unknown place."""
        return self.loc_type.get(loc.upper()) or self.loc_type.get(loc.lower())

    def find_coasts(self, loc: str) -> list[str]:
        """Return all locations of a place's province, its coasts first; nothing for an unknown place."""
        return self.loc_coasts.get(loc.upper(), [])

    def abut_list(self, site: str, incl_no_coast: bool = False) -> list[str]:
        """Return what adjoins a place, as in `loc_abut`; on request also provinces without their coasts."""
        found = list(self.loc_abut[site] if site in self.loc_abut else self.loc_abut.get(site.lower(), ()))
        split = [near[:SHORT] for near in found if "/" in near] if incl_no_coast else []
        return list(dict.fromkeys([*found, *split]))

    def abuts(self, unit_type: str, unit_loc: str, order_type: str, other_loc: str) -> int:
        """Return 1 if a unit could move (`-`), support (`S`) or go by convoy (`C`) there in one step, else 0.

        `unit_type` may be `?` for any.
        """
        if unit_type == "?":
            return max(self.abuts(kind, unit_loc, order_type, other_loc) for kind in (ARMY, FLEET))
        board, here, there = self.variant.board, self.spots.get(unit_loc.upper()), self.spots.get(other_loc.upper())
        if here is None or there is None or not board.can_stand(unit_type, here):
            return 0
        place, reach = board.index[there.province], board.reach(unit_type, board.location_index[here])
        if order_type == "S":
            return int(place in reach)
        if (
            order_type == "C"
            and unit_type == ARMY
            and not there.coast
            and place in board.waters[board.index[here.province]]
        ):
            return 1
        return int(board.location_index[there] in reach.get(place, ()))

    def is_valid_unit(self, unit: str, no_coast_ok: int = 0, shut_ok: int = 0) -> int:
        """Return 1 if a unit such as `F STP/NC` may stand where it is, else 0; the kind may be `?`."""
        kind, _, loc = unit.upper().partition(" ")
        found = self.area_type(loc)
        if found == "SHUT" or found is None:
            return int(bool(found and shut_ok))
        at = self.spots[loc]
        if kind == FLEET and no_coast_ok and not at.coast:
            return int(found in ("WATER", "COAST", "PORT"))
        return int(kind == "?" or (kind in (ARMY, FLEET) and self.variant.board.can_stand(kind, at)))

    def default_coast(self, word: list[str]) -> list[str]:
        """Return the words of a fleet's move, with the coast of its goal where only one can be reached."""
        if len(word) == 4 and word[0] == FLEET and word[2] == "-" and "/" not in word[3]:
            reached = [near for near in self.abut_list(word[1]) if near.upper()[:SHORT] == word[3]]
            return [*word[:3], reached[0].upper()] if len(reached) == 1 else word
        return word

    # -- orders ------------------------------------------------------------------------------------------------------

    def read_order(self, text: str, kind: PhaseKind) -> Order | None:
        """Return the order that a text gives in a phase of this kind, None if it cannot be read."""
        try:
            return self.judging.notation.read(text, kind)
        except BadOrder:
            return None

    def _walking(self, text: str) -> str:
        """Return the order of a move by convoy as one by land, where the goal is beside it; any other as it is."""
        words = text.split()
        walks = words[-1] == "VIA" and len(words) == 5 and self.abuts(words[0], words[1], "-", words[3])
        return text[:-4] if walks else text

    # -- phases ------------------------------------------------------------------------------------------------------

    def phase_of(self, abbreviation: str) -> Phase:
        """Return the phase of a short name such as `S1901M`; raises `NotFound` for any other."""
        letter, year, kind = abbreviation[:1], abbreviation[1:-1], abbreviation[-1:]
        return self.variant.calendar.read(f"{letter}{int(year) if year.isdecimal() else year}{kind}")

    def phase_long(self, phase_abbr: str, default: str = "?????") -> str:
        """Return the long name of a short one: `SPRING 1901 MOVEMENT` for `S1901M`."""
        try:
            return self.phase_name(self.phase_of(phase_abbr))
        except NotFound:
            return default

    @staticmethod
    @lru_cache(maxsize=1000)
    def phase_abbr(phase: str, default: str = "?????") -> str:
        """Return the short name of a long one: `S1901M` for `SPRING 1901 MOVEMENT`."""
        if phase in ("FORMING", "COMPLETED"):
            return phase
        words = phase.upper().split()
        return f"{words[0][0]}{int(words[1]):04}{words[2][0]}" if len(words) == 3 else default

    @staticmethod
    def phase_name(phase: Phase) -> str:
        """Return the long name of a phase of the calendar."""
        return f"{phase.season} {phase.year} {phase.kind.value}".upper()

    def find_next_phase(self, phase: str, phase_type: str | None = None, skip: int = 0) -> str:
        """Return the long name of the next phase, of this type (`M`) if one is given, after `skip` of them."""
        return self._step(phase, phase_type, skip, 1)

    def find_previous_phase(self, phase: str, phase_type: str | None = None, skip: int = 0) -> str:
        """Return the long name of the phase before, of this type (`M`) if one is given, after `skip` of them."""
        return self._step(phase, phase_type, skip, -1)

    def _step(self, phase: str, phase_type: str | None, skip: int, way: int) -> str:
        season, *more = phase.split()
        if len(more) != 2:
            return phase
        terms, year = self.seq[1:], int(more[0])
        place = terms.index(f"{season} {more[1]}")
        while True:
            place += way
            year += place // len(terms)
            place %= len(terms)
            season, kind = terms[place].split()
            if phase_type in (None, kind[0]):
                if not skip:
                    return f"{season} {year} {kind}"
                skip -= 1

    def compare_phases(self, phase1: str, phase2: str) -> int:
        """Return -1, 0 or 1 as the first phase is before, at or after the second; `S1901?` is the last of its kind."""
        one, two = self._time(phase1), self._time(phase2)
        return (one > two) - (one < two)

    def _time(self, phase: str) -> tuple[int, ...]:
        if phase.endswith("?"):
            phase = phase[:-1] + [term.split()[1][0] for term in self.seq[1:] if term[0] == phase[0]][-1]
        season, *more = (phase if " " in phase else self.phase_long(phase, phase)).upper().split()
        if len(more) == 2:
            return 2, int(more[0]), self.seq.index(f"{season} {more[1]}")
        return ({"FORMING": 1, "COMPLETED": 3}.get(season, 0),)


def _places(province: Province) -> list[str]:
    """Return a province's places: its coasts, and the province itself in small letters where it has any."""
    return [*(f"{province.id}/{c}" for c in province.coasts), province.id.lower() if province.coasts else province.id]


def _names(province: Province) -> Iterator[tuple[str, str]]:
    name = province.name.upper().replace(".", "")
    for coast in province.coasts:
        yield f"{name} ({_COASTS.get(coast[0], coast)} COAST)", f"{province.id}/{coast}"
    yield name, province.id


def _variant_of(name: str) -> Variant:
    if name == "standard":
        return find_variant(name)
    package = find_spec(PACKAGE) if not name.endswith(".map") else None
    folder = Path(package.origin).parent / "maps" if package and package.origin else Path()
    file = Path(name) if name.endswith(".map") else folder / f"{name}.map"
    if not name.endswith(".map") and (not name.replace("_", "").isalnum() or not file.is_file()):
        return find_variant(name)
    (made,) = import_variants(file)
    return made.variant


def _in_capitals(variant: Variant) -> Variant:
    """Return the variant with its powers in capitals, in order; armies that nobody commands are a power too.

    Raises `BadFile` for a board that programs of the package could not read.
    """
    provinces = variant.board.provinces
    named = all(len(province.id) == SHORT and province.id == province.id.upper() for province in provinces)
    if not named or any(province.terrain not in _TYPES for province in provinces):
        hint = "this drop-in needs a board whose ids have three capital letters, without boxes"
        raise BadFile(f"{variant.name} has places that programs could not name", where=variant.id, hint=hint)
    powers, start = list(variant.powers), variant.start
    units = {power.name: [str(unit) for unit in start.of(power.name)] for power in powers}
    for idle in variant.mechanics:
        if isinstance(idle, StandingArmies):
            powers.append(Power(idle.power, idle.power))
            units[idle.power] = list(idle.units)
    powers = sorted((replace(power, name=_capitals(power.name)) for power in powers), key=lambda power: power.name)
    placed = {_capitals(name): texts for name, texts in units.items()}
    owners = {province: _capitals(name) for province, name in start.owners.items()}
    last = variant.calendar.first_year + YEARS - 1
    return replace(
        variant,
        powers=tuple(powers),
        start=Position(units_from({power.name: placed[power.name] for power in powers}), owners),
        mechanics=tuple(m for m in variant.mechanics if not isinstance(m, StandingArmies)),
        victory=replace(variant.victory, last_year=last, then="survivors share"),
    )


def _capitals(name: str) -> str:
    """Return the name of a power as the package writes it: in capitals, without spaces and hyphens."""
    return "".join(letter for letter in name.upper() if letter.isalnum())
