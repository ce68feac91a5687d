"""From a `Draft` to a variant: what no board of ours can hold is left out, mended or derived, each with a remark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from gamesmaster.board import ARMY, FLEET, Board, Edge, Location, Position, Province, Terrain, components, units_from
from gamesmaster.errors import BadFile
from gamesmaster.formats.draft import ARMY_WAY, FLEET_WAY, Draft, Space, Step
from gamesmaster.formats.naming import Naming, clean_name
from gamesmaster.formats.years import calendar_of
from gamesmaster.mechanics import StandingArmies, UnitKind, WeakBorders
from gamesmaster.rules import Mechanic
from gamesmaster.variant import MOST_POWERS, Power, Variant, Victory

ONE_WAY = "one way in the source"
_NEUTRAL = "Neutral"


def settle(draft: Draft, name: str) -> Variant:
    """Return the variant of a draft, with `name` as its id; remarks are added to the draft.

    Raises `BadFile` where nothing is left that could be played.
    """
    return _Settler(draft).variant(name)


def placing(draft: Draft) -> Callable[[Location], Location | None]:
    """Return a function that turns a place of a draft into one of its variant's board, None for one left out."""
    settler = _Settler(draft)
    return lambda at: settler.naming.place(at) if at.province in settler.spaces else None


class _Settler:
    """Makes the parts of a variant, each once."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.occupied: set[str] = set()
        """Provinces that have a unit so far."""

    def variant(self, name: str) -> Variant:
        where = f"{self.draft.where}, {self.draft.name[:80]}"
        powers = tuple(self.powers.values())
        if not powers:
            raise BadFile("no power has a unit or a centre at the start", where=where)
        if len(powers) > MOST_POWERS:
            raise BadFile(f"{len(powers)} powers; {MOST_POWERS} is the most", where=where)
        return Variant(
            id=name,
            name=clean_name(self.draft.name) or name,
            board=self.board,
            powers=powers,
            start=Position(units_from({power.name: power.units for power in powers}), self.owners),
            calendar=calendar_of(self.draft, builds_first=not any(power.units for power in powers)),
            victory=Victory(self.victory()),
            build_sites=self.draft.build_sites,
            mechanics=tuple(self.mechanics()),
        )

    # -- the board -------------------------------------------------------------------------------------------------

    @cached_property
    def board(self) -> Board:
        names = self.naming
        provinces = []
        for key, space in self.spaces.items():
            provinces.append(
                Province(
                    id=names.ids[key],
                    name=names.names[key],
                    abbr=names.ids[key].capitalize(),
                    terrain=self.terrain(key),
                    centre=self.is_centre(key),
                    home=self.power_names.get(space.home) if self.is_centre(key) else None,
                    coasts=tuple(names.coasts[key].values()),
                    aliases=names.aliases[key],
                    convoy=space.terrain is Terrain.SEA or (space.convoy and self.terrain(key) is Terrain.COAST),
                )
            )
        return Board(clean_name(self.draft.name) or "Board", tuple(provinces), tuple(self.edges()))

    @cached_property
    def naming(self) -> Naming:
        """Ids, names and coasts of the provinces that are kept."""
        return Naming(self.draft, self.spaces, self.coasts)

    @cached_property
    def proper(self) -> dict[Step, frozenset[str]]:
        """The steps that a board of ours can have, between places of the file."""
        found: dict[Step, frozenset[str]] = {}
        for step, only in self.draft.steps.items():
            if step.way == ARMY_WAY:
                step = Step(ARMY_WAY, Location(step.a.province), Location(step.b.province))
            if fault := self.misfit(step):
                self.draft.note(fault, self.told(step))
            elif not self.said_already(step):
                found[step] = only | found.get(step, only) if only and found.get(step, only) else frozenset()
        return found

    def misfit(self, step: Step) -> str:
        """Return the remark about a step that cannot be on the board, "" for one that can."""
        spaces = self.draft.spaces
        for end in (step.a, step.b):
            if end.province not in spaces or (end.coast and end.coast not in spaces[end.province].coasts):
                return "left out: borders with a place that the file does not define"
        if step.a.province == step.b.province:
            return "left out: borders of a place with itself"
        if step.way == ARMY_WAY and Terrain.SEA in (spaces[step.a.province].terrain, spaces[step.b.province].terrain):
            return "left out: borders that lead armies to sea"
        return ""

    def said_already(self, step: Step) -> bool:
        """Return whether a step leads to an impassable place, or repeats one that has a coast, without the coast."""
        spaces = self.draft.spaces
        if Terrain.IMPASSABLE in (spaces[step.a.province].terrain, spaces[step.b.province].terrain):
            return True
        bare = [end for end in (step.a, step.b) if not end.coast and spaces[end.province].coasts]
        if step.way == ARMY_WAY or not bare or not any(self.reached_by_coast[end.province] for end in bare):
            return False
        if (step.a.province, step.b.province) not in self.coastal:
            self.draft.note("left out: fleet borders of a split province that name none of its coasts", self.told(step))
        return True

    @cached_property
    def coastal(self) -> set[tuple[str, str]]:
        """Pairs of provinces that a fleet step joins, coasts named where there are any."""
        steps = (step for step in self.draft.steps if step.way == FLEET_WAY and not self.misfit(step))
        return {
            (step.a.province, step.b.province)
            for step in steps
            if all(end.coast or not self.draft.spaces[end.province].coasts for end in (step.a, step.b))
        }

    @cached_property
    def reached_by_coast(self) -> dict[str, set[str]]:
        """Province to its coasts that have a step."""
        found: dict[str, set[str]] = {key: set() for key in self.draft.spaces}
        for step in self.draft.steps:
            if step.way == FLEET_WAY and not self.misfit(step):
                for end in (step.a, step.b):
                    found[end.province] |= {end.coast} - {""}
        return found

    @cached_property
    def spaces(self) -> dict[str, Space]:
        """The provinces that are kept: those in one piece that units can enter, or that are impassable."""
        draft, every = self.draft, self.draft.spaces
        entered = {step.b.province for step in self.proper}
        held = {at.province for country in draft.countries.values() for _, at in country.units}
        kept = {key: s for key, s in every.items() if key in entered or s.terrain is Terrain.IMPASSABLE}
        for key in (key for key in every if key not in kept):
            lost = "with a centre or a unit" if every[key].centre or key in held else "of the picture only"
            draft.note(f"left out: places that no border leads to, {lost}", every[key].name)
        for part in _parts(self.proper, kept)[1:]:
            names = [every[key].name for key in every if key in part]
            if any(key in held or every[key].home for key in part):
                draft.note("places that no border joins to the rest are homes, and stay", *names)
            else:
                draft.note("left out: places that no border joins to the rest", *names)
                kept = {key: space for key, space in kept.items() if key not in part}
        return kept

    @cached_property
    def steps(self) -> dict[Step, frozenset[str]]:
        """The steps between provinces that are kept."""
        return {s: only for s, only in self.proper.items() if {s.a.province, s.b.province} <= self.spaces.keys()}

    @cached_property
    def coasts(self) -> dict[str, tuple[str, ...]]:
        """Province to the coasts, in the file's words, that a fleet reaches."""
        used = {end for step in self.steps for end in (step.a, step.b)}
        return {key: tuple(c for c in s.coasts if Location(key, c) in used) for key, s in self.spaces.items()}

    @cached_property
    def shores(self) -> set[str]:
        return {end.province for step in self.steps if step.way == FLEET_WAY for end in (step.a, step.b)}

    def terrain(self, key: str) -> Terrain:
        """Return the terrain of a province: between inland and coast its borders decide."""
        said = self.spaces[key].terrain
        if said in (Terrain.SEA, Terrain.IMPASSABLE):
            return said
        found = Terrain.COAST if key in self.shores else Terrain.INLAND
        if found is not said and not self.spaces[key].coasts:
            why = "fleets go there" if found is Terrain.COAST else "no fleet goes there"
            self.draft.note(f"taken as {found}, since {why}", self.spaces[key].name)
        return found

    def edges(self) -> Iterator[Edge]:
        place = self.naming.place
        for step, keys in self.steps.items():
            only = frozenset(self.power_names[key] for key in keys if key in self.power_names)
            if keys and not only:
                self.draft.note("left out: borders open to powers that do not play", self.told(step))
                continue
            back = self.steps.get(Step(step.way, step.b, step.a))
            if back is None:
                self.draft.note("one way only", f"{step.way} {self.told(step)}")
            reason = ONE_WAY if back is None else "the way back is closed to some" if back and not keys else ""
            if only:
                reason = f"for {', '.join(sorted(only))} only"
            yield Edge(step.way, place(step.a), place(step.b), only=only, reason=reason)

    def told(self, step: Step) -> str:
        """Return a step as remarks name it."""
        return " - ".join(map(self.called, (step.a, step.b)))

    def called(self, at: Location) -> str:
        space = self.draft.spaces.get(at.province)
        name = (space.code or space.name) if space else at.province
        return f"{name}/{at.coast}" if at.coast else name

    # -- powers and their start ------------------------------------------------------------------------------------

    @cached_property
    def power_names(self) -> dict[str, str]:
        """The file's keys of the powers that play, each with the power's name."""
        names: dict[str, str] = {}
        gone = []
        for key, country in self.draft.countries.items():
            if not country.units and not any(self.is_centre(centre) for centre in country.centres):
                gone.append(country.name)
                continue
            name = clean_name(country.name) or f"Power {len(names) + 1}"
            while name.casefold() in map(str.casefold, names.values()):
                name = f"{name} {len(names) + 1}"
            names[key] = name
        if gone:
            self.draft.note("left out: powers without a unit or a centre at the start", *gone)
        return names

    def is_centre(self, key: str) -> bool:
        space = self.spaces.get(key)
        return space is not None and space.centre and space.terrain is not Terrain.IMPASSABLE

    @cached_property
    def owners(self) -> dict[str, str]:
        """Id of a centre to the power that owns it at the start; of two claims the first counts."""
        owners: dict[str, str] = {}
        for key, name in self.power_names.items():
            for centre in (centre for centre in self.spaces if centre in self.draft.countries[key].centres):
                if self.is_centre(centre):
                    owners.setdefault(self.naming.ids[centre], name)
        return owners

    @cached_property
    def powers(self) -> dict[str, Power]:
        """The powers by the file's keys."""
        taken = {name.casefold() for name in self.power_names.values()}
        made = {}
        for key, name in self.power_names.items():
            country, words = self.draft.countries[key], []
            for word in map(clean_name, (country.adjective, *country.also)):
                if word and word.casefold() not in taken:
                    words.append(word)
                    taken.add(word.casefold())
            adjective = words.pop(0) if words and words[0] == clean_name(country.adjective) else name
            homes = tuple(p.id for p in self.board.provinces if p.home == name)
            units = tuple(self.units(country.units))
            made[key] = Power(name, adjective, homes=homes, units=units, also=tuple(words[:8]))
        return made

    def units(self, given: Iterable[tuple[str, Location]]) -> Iterator[str]:
        """Yield the units that can be where the file has them."""
        for kind, at in given:
            key = at.province
            roams = any(isinstance(one, UnitKind) and one.kind == kind for one in self.draft.mechanics)
            if (kind not in (ARMY, FLEET) and not roams) or key not in self.spaces:
                self.draft.note("left out: units of an unknown kind or place", f"{kind} {self.called(at)}")
                continue
            coasts = self.coasts[key]
            coast = at.coast if kind == FLEET and at.coast in coasts else ""
            if kind == FLEET and coasts and not coast:
                coast = coasts[0]
                self.draft.note("units whose coast is missing lie on the first", f"{kind} {self.called(at)}")
            place = self.naming.place(Location(key, coast))
            if not (roams or self.board.can_stand(kind, place)) or key in self.occupied:
                why = "already holds another" if key in self.occupied else "cannot hold them"
                self.draft.note(f"left out: units where the place {why}", f"{kind} {self.called(at)}")
                continue
            self.occupied.add(key)
            yield f"{kind} {place}"

    def victory(self) -> int:
        """Return the number of centres that wins: that of the file, or the least majority that makes sense."""
        total, asked = len(self.board.centres), self.draft.victory
        most = max((list(self.owners.values()).count(name) for name in self.power_names.values()), default=0)
        if most < asked <= total:
            return asked
        goal = min(max(total // 2 + 1, most + 1), max(total, 1))
        why = "the file names no number" if not asked else f"{asked} cannot be played for"
        self.draft.note(f"{goal} centres win, since {why}")
        return goal

    def mechanics(self) -> Iterator[Mechanic]:
        yield from self.draft.mechanics
        near = self.board.neighbours
        pairs = sorted(
            {(self.naming.ids[a], self.naming.ids[b]) for a, b in self.draft.weak if {a, b} <= self.spaces.keys()}
        )
        pairs = [(a, b) for a, b in pairs if self.board.index[b] in near[self.board.index[a]]]
        if pairs:
            yield WeakBorders(tuple(pairs))
        standing = tuple(self.units(self.draft.neutral_units))
        if standing or self.draft.neutral_centres:
            name = next(n for n in (_NEUTRAL, "Nobody", "Unowned") if n not in self.power_names.values())
            yield StandingArmies(standing, name, neutral_centres=self.draft.neutral_centres)


def _parts(steps: Iterable[Step], keys: Mapping[str, Space]) -> list[set[str]]:
    """Return the sets of provinces joined by steps of any way and direction, the largest first."""
    near: dict[str, set[str]] = {key: set() for key, space in keys.items() if space.terrain is not Terrain.IMPASSABLE}
    for a, b in ((step.a.province, step.b.province) for step in steps):
        if a in near and b in near:
            near[a].add(b)
            near[b].add(a)
    return components(near, near)
