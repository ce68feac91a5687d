"""Variants as maps of the PyPI package `diplomacy` (`.map`), which that package, DPjudge and this program read."""

from __future__ import annotations

from collections.abc import Iterator

from gamesmaster.board import Edge, Location, Province, Terrain
from gamesmaster.formats.draft import ARMY_WAY, FLEET_WAY
from gamesmaster.formats.written import (
    Exported,
    builds_anywhere,
    lost_of_variant,
    own_variant,
    plain_pieces,
    three_letters,
)
from gamesmaster.mechanics import StandingArmies
from gamesmaster.variant import Calendar, Era, Power, Variant

_TERRAINS = {
    Terrain.INLAND: "LAND", Terrain.COAST: "COAST", Terrain.ISLANDS: "PORT", Terrain.SEA: "WATER",
    Terrain.IMPASSABLE: "SHUT",
}  # fmt: skip
FLOW = "NEWYEAR SPRING:MOVEMENT,RETREATS FALL:MOVEMENT,RETREATS WINTER:ADJUSTMENTS"
"""The usual phases."""


def dotmap(variant: Variant) -> Exported:
    """Return a variant as a `.map`, and its own folder beside it.

    Raises `GamesmasterError` for units that the package does not know.
    """
    plain_pieces(variant, "a map of PyPI diplomacy")
    made = Exported("dotmap", lost=lost_of_variant(variant, without=(StandingArmies,)))
    made.files[f"{variant.family}.map"] = ("\n".join(_Map(variant, made.lost).lines()) + "\n").encode()
    own_variant(made, variant)
    return made


def plus(text: str) -> str:
    """Return a name as one word, with plus signs for spaces: `New+York`."""
    return "+".join(text.split())


class _Map:
    """Writes the lines of a map."""

    def __init__(self, variant: Variant, lost: list[str]) -> None:
        self.variant, self.board, self.lost = variant, variant.board, lost
        self.codes = three_letters(variant.board, lost)

    def lines(self) -> Iterator[str]:
        variant = self.variant
        first = variant.calendar.first
        yield f"# {variant.name}"
        yield f"BEGIN {first.season.upper()} {abs(first.year)} {first.kind.upper()}"
        yield f"VICTORY {variant.victory.centres}"
        if (flow := flow_of(variant.calendar)) != FLOW:
            yield f"FLOW {flow}"
            self.lost.append("kept for DPjudge only: the calendar (FLOW), which PyPI diplomacy does not read")
        if builds_anywhere(variant, self.lost):
            yield "RULE BUILD_ANY"
        yield ""
        for power in variant.powers:
            yield from self.power(power)
        for mechanic in variant.mechanics:
            if isinstance(mechanic, StandingArmies):
                yield from self.standing(mechanic)
        taken = {home for power in variant.powers for home in power.homes} | variant.start.owners.keys()
        if free := [self.codes[centre] for centre in self.board.centres if centre not in taken]:
            yield f"UNOWNED {' '.join(free)}"
        yield ""
        for province in self.board.provinces:
            yield from self.names(province)
        yield ""
        for province in self.board.provinces:
            yield from self.rows(province)

    def power(self, power: Power) -> Iterator[str]:
        """Yield a power with its homes, centres and units."""
        homes = " ".join(self.codes[home] for home in power.homes)
        yield f"{plus(power.name).upper()} ({plus(power.adjective).upper()}) {homes}".rstrip()
        owned = [centre for centre in self.board.centres if self.variant.start.owners.get(centre) == power.name]
        if set(owned) != set(power.homes):
            yield f"CENTERS {' '.join(self.codes[centre] for centre in owned)}".rstrip()
        yield from self.units(power.units)
        yield ""

    def standing(self, mechanic: StandingArmies) -> Iterator[str]:
        """Yield standing armies as those of a power that nobody plays."""
        if mechanic.neutral_centres:
            self.lost.append("not carried over: armies that stand in every neutral centre")
        if mechanic.units:
            yield "NEUTRALS (NEUTRAL)"
            yield "DUMMY"
            yield from self.units(mechanic.units)
            yield ""

    def units(self, units: tuple[str, ...]) -> Iterator[str]:
        for kind, _, at in (unit.partition(" ") for unit in units):
            yield f"{kind} {self.place(Location.of(at))}"

    def names(self, province: Province) -> Iterator[str]:
        """Yield the names of a province and its coasts."""
        code = self.codes[province.id].lower()
        longer = () if province.id == self.codes[province.id] else (province.id,)
        others = [plus(name).lower() for name in (*longer, *province.aliases) if not {*name} & {"/", "(", "?"}]
        for coast in province.coasts:
            yield f"{_clean(province.name)} ({coast}) = {code}/{coast.lower()}"
        yield f"{_clean(province.name)} = {' '.join([code, *others])}"

    def rows(self, province: Province) -> Iterator[str]:
        """Yield the neighbours of a province, for each split coast and for the land."""
        kind = "PORT" if province.land and province.convoy else _TERRAINS.get(province.terrain, "SHUT")
        for coast in province.coasts:
            at = Location(province.id, coast)
            words = sorted(self.place(e.b) for e in self.edges(FLEET_WAY) if e.a == at)
            yield f"{kind} {self.place(at)} ABUTS {' '.join(words)}".rstrip()
        armies = {e.b.province for e in self.edges(ARMY_WAY) if e.a.province == province.id}
        fleets = {e.b for e in self.edges(FLEET_WAY) if e.a.province == province.id}
        words = []
        for other in sorted(armies | {at.province for at in fleets}):
            ends = sorted((at for at in fleets if at.province == other), key=str)
            code = self.codes[other]
            if province.coasts:  # by its coasts fleets come and go; waters are named for convoys
                words.append(code)
            elif not ends:
                words.append(code.lower())
            else:
                sea = self.board.province(other).terrain is Terrain.SEA or province.terrain is Terrain.SEA
                words += [self.place(at) if other in armies or sea else self.place(at).capitalize() for at in ends]
        code = self.codes[province.id]
        yield f"{kind} {code.lower() if province.coasts else code} ABUTS {' '.join(words)}".rstrip()

    def edges(self, way: str) -> Iterator[Edge]:
        return (edge for edge in self.board.edges if edge.way == way and not edge.only)

    def place(self, at: Location) -> str:
        return f"{self.codes[at.province]}/{at.coast}" if at.coast else self.codes[at.province]


def _clean(name: str) -> str:
    """Return a name without the signs that part names in a map."""
    return name.replace("=", " ").replace("->", " ")


def flow_of(calendar: Calendar) -> str:
    """Return the phases of a turn as `FLOW` has them."""
    sign = "-" if calendar.era is Era.BC else ""
    words: list[str] = []
    season, years = "", calendar.slots[-1].years - calendar.years_per_turn
    for slot in calendar.slots:
        step = slot.years - years
        if step:
            words.append("NEWYEAR" if step == 1 and not sign else f"NEWYEAR:{sign}{step}")
        if step or slot.season != season:
            words.append(f"{slot.season.upper()}:{slot.kind.upper()}")
        else:
            words[-1] += f",{slot.kind.upper()}"
        season, years = slot.season, slot.years
    return " ".join(words)
