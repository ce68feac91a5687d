"""Maps of PyPI `diplomacy` and DPjudge: `.map` files, line by line, later lines above earlier ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TypeVar

from gamesmaster.board import Location, Terrain
from gamesmaster.errors import BadFile
from gamesmaster.files import decode
from gamesmaster.formats.draft import ARMY_WAY, FLEET_WAY, Country, Draft, Space
from gamesmaster.formats.flow import Flow
from gamesmaster.formats.form import Beside, Form
from gamesmaster.formats.mapping import dotmap as write_dotmap
from gamesmaster.rules import BuildSites
from gamesmaster.schemas import MOST_EDGES, MOST_PROVINCES
from gamesmaster.variant import MOST_POWERS

T = TypeVar("T")
MOST_FILES, DEEPEST = 40, 10
"""Files that a map may use, and how deep they may use each other."""
LONGEST_LINE = 2_000
MOST_PLACES = 2 * MOST_PROVINCES
"""Places of a map, with coasts."""
MOST = {
    "borders": MOST_EDGES, "short names": 4 * MOST_PLACES, "powers": 2 * MOST_POWERS,
    "homes, centres and units": 2 * MOST_PLACES, "places that are renamed or dropped": 500,
    "lines about idle powers": 200,
}  # fmt: skip
"""How many of these a map may have, counting those that later lines change: the work for each depends on the rest."""
TERRAINS = {
    "LAND": Terrain.INLAND,
    "COAST": Terrain.COAST,
    "PORT": Terrain.COAST,
    "WATER": Terrain.SEA,
    "SHUT": Terrain.IMPASSABLE,
}
_WORDS = """
BEGIN VICTORY FLOW RULE RULES UNOWNED NEUTRAL CENTERS OWNS HOMES HOME INHABITS UNITS UNPLAYED DUMMY DUMMIES DROP FLAG
FLAGS NOTIFY LEAGUE END TAX CAP NEWHOMES OMIT SITES HOSTS TEXTONLY ROTATE RESERVES MILITIA CONTROL TEAM TEAMS
"""
KEYWORDS = frozenset(_WORDS.split())
"""Words that begin a line of such a file, beside the kinds of terrain."""
_LOOKS = frozenset({"END", "FLAG", "FLAGS", "NOTIFY", "TEXTONLY", "ROTATE"})
_MARKS = {
    "+": "factories are taken as homes",
    "~": "hidden builds are taken as homes",
    "*": "not carried over: partisan sites",
    "@": "alternative homes are taken as homes",
    "&": "not carried over: centres that become homes",
}
"""What stands before a home."""
_HOMES = frozenset("+~@")
_BUILDS = {"BUILD_ANY": BuildSites.ANY_OWNED, "REMOTE_BUILDS": BuildSites.ANY_OWNED, "HOME_BUILDS": BuildSites.ANY_HOME}
_ROW = re.compile(r"\s*(?:(?:LAND|COAST|WATER|PORT|SHUT|AMEND)\s+\S+\s+ABUTS\b|(?:USES?|MAP)\s+\S+\s*$)", re.IGNORECASE)
_TOKEN = re.compile(r"(?:(\w*):)?([~*]?)([^\s()~*]+)([~*]?)(?:\((.*)\))?")
_HOME = re.compile(r"([-+~*@&]*)([^\s()]*)(?:\(.*)?")
_POWER = re.compile(r"([^\s(]+|\S)\s*(?:\(([^)]*)\))?\s*(.*)")


@dataclass(slots=True)
class _Near:
    """How a place leads to a neighbour: for whom, under which conditions."""

    armies: bool
    fleets: bool
    weak: bool = False
    only: str | None = None
    owners_of: tuple[str, ...] = ()


@dataclass(slots=True)
class _Row:
    terrain: str
    armies_only: bool
    near: dict[str, _Near] = field(default_factory=dict)


@dataclass(slots=True)
class _Power:
    name: str
    adjective: str = ""
    letter: str = ""
    homes: dict[str, None] = field(default_factory=dict)
    owns: dict[str, None] | None = None
    units: dict[str, tuple[str, str]] = field(default_factory=dict)  # by province: kind and place


def map_draft(text: bytes, where: str, beside: Beside) -> Draft:
    """Return the draft of a `.map` file; raises `BadFile` with the line, and what `beside` raises."""
    name = " ".join(word.capitalize() for word in re.split(r"[_\s]+", PurePath(where).stem) if word) or "Map"
    reader = _Reader(Draft("dotmap", name, where), beside)
    reader.read(text, where, 0)
    return reader.draft_made()


class _Reader:
    """Takes the lines of a map and of the files that it uses."""

    def __init__(self, draft: Draft, beside: Beside) -> None:
        self.draft, self.beside, self.files = draft, beside, 0
        self.rows: dict[str, _Row] = {}
        self.names: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.powers: dict[str, _Power] = {}
        self.dummies: set[str] = set()
        self.neutral: dict[str, None] = {}
        self.flow = Flow(draft)
        self.power: _Power | None = None
        self.counts: Counter[str] = Counter()

    def read(self, data: bytes, where: str, depth: int) -> None:
        """Take in the lines of a file."""
        self.files += 1
        if depth > DEEPEST or self.files > MOST_FILES:
            raise BadFile(f"it uses more than {MOST_FILES} files, or deeper than {DEEPEST}", where=where)
        self.flow.new_file()
        skipping, later = False, False
        for number, line in enumerate(decode(data).splitlines(), 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if len(line) > LONGEST_LINE:
                raise BadFile(f"longer than {LONGEST_LINE} characters", where=f"{where}, line {number}")
            first = words[0].upper()
            if skipping or words[-1].upper() in ("DIRECTIVE", "DIRECTIVES"):
                if not skipping and first != "END":
                    self.draft.note("not carried over: rules for a kind of game", words[0])
                skipping = first != "END"
            elif first in ("IN", "FROM") and "=" not in line.partition(":")[0]:
                phase, inline, _ = " ".join(words[1:]).partition(":")
                later = not inline and phase.upper() != "START"
                if later or inline:
                    self.draft.note("not carried over: changes of the map in later phases", phase)
            elif first in ("USE", "USES", "MAP") and not later:
                for name in words[1:]:
                    self.read(self.beside(name if "." in name else f"{name}.map"), name, depth + 1)
            elif not later:
                self.line(line.strip(), words, f"{where}, line {number}")

    def line(self, line: str, words: list[str], where: str) -> None:
        """Take in a line that uses no other file."""
        first = words[0].upper()
        if first in (*TERRAINS, "AMEND") and words[1:] and "".join(words[2:3]).upper() in ("", "ABUTS"):
            self.row(first, words[1], words[2:], where)
        elif "=" in line and first != "FLOW":
            left, _, right = line.partition("=")
            self.place(left, right, where)
        elif "->" in line:
            old, _, new = line.partition("->")
            self.rename_power(old.strip().upper(), new.strip())
        elif first in ("A", "F") and self.power:
            self.stand(first, words[1:])
        elif first in KEYWORDS:
            handler = getattr(self, f"on_{first.lower()}", None)
            if handler:
                handler(words[1:])
            elif first not in _LOOKS:
                self.draft.note("not carried over: lines of the map", first)
        else:
            self.declare(line)

    def count(self, what: str, more: int = 1, where: str = "") -> None:
        """Count things of a kind of `MOST`; raise `BadFile` for too many."""
        self.counts[what] += more
        if self.counts[what] > MOST[what]:
            raise BadFile(f"more than {MOST[what]:,} {what}", where=where or self.draft.where)

    # -- places ----------------------------------------------------------------------------------------------------

    def row(self, terrain: str, name: str, words: list[str], where: str) -> None:
        """Take in a place, or changes of one: its kind and, behind `ABUTS`, its neighbours.

        A place in capitals has no coasts of its own any more; `-ABC` takes away a neighbour with its coasts.
        """
        key = name.upper()
        old = self.rows.get(key)
        if terrain != "AMEND":
            near = old.near if old and not words else {}
            self.rows[key] = _Row(terrain, name.islower(), near)
            self.check_size(where)
        elif old is None:
            raise BadFile(f"no place {name[:40]!r} to amend", where=where)
        if old and old.armies_only and name.isupper():
            self.count("places that are renamed or dropped")
            coasts = [coast for coast in self.rows if coast.startswith(f"{key}/")]
            for other in self.rows.values():
                other.near = _renamed(other.near, dict.fromkeys(coasts, key))
            self.move(dict.fromkeys(coasts, ""))
        row = self.rows[key]
        row.armies_only = name.islower()
        gone = {word[1:].upper() for word in words if word.startswith("-")}
        row.near = {other: near for other, near in row.near.items() if gone.isdisjoint((other, _base(other)))}
        for word in (word for word in words[1:] if not word.startswith("-")):
            if (found := _TOKEN.fullmatch(word)) is None:
                raise BadFile(f"cannot read the neighbour {word[:40]!r}", where=where)
            letters, mark, place, behind, condition = found.groups()
            armies, fleets = not _is_title(place), not place.islower()
            owners = tuple(condition.upper().split(",")) if condition else ()
            row.near[place.upper()] = _Near(armies, fleets, bool(mark or behind), letters, owners)
        self.count("borders", len(words), where)

    def place(self, left: str, right: str, where: str) -> None:
        """Take in the name of a place with its short names; `old -> Name` gives it to another place."""
        old, arrow, new = left.partition("->")
        names = right.split()
        if not names:
            raise BadFile("this place has no short name", where=where)
        key = names[0].upper()
        self.count("short names", len(names), where)
        if arrow:
            self.count("places that are renamed or dropped", where=where)
            self.rename(self.known(old.strip()), key)
        name = (new if arrow else left).strip()
        plain = (name.replace("+", " ") for name in names[1:] if not name.endswith("?"))
        self.names[key] = (name, tuple(other for other in plain if not re.search(r"[/()]", other)))
        self.check_size(where)

    def check_size(self, where: str) -> None:
        """Raise `BadFile` for more places than a map may have."""
        if max(len(self.rows), len(self.names)) > MOST_PLACES:
            raise BadFile(f"more than {MOST_PLACES:,} places", where=where)

    def known(self, word: str) -> str:
        """Return the key of a place by its short name, any of its other names, or its name."""
        wanted = word.upper()
        if wanted in self.names or wanted in self.rows:
            return wanted
        found = (k for k, (name, others) in self.names.items() if wanted in map(str.upper, (name, *others)))
        return next(found, wanted)

    def rename(self, old: str, new: str) -> None:
        """Give a place another key, its coasts included."""
        keys = (old, *(key for key in {**self.rows, **self.names} if "/" not in new and key.startswith(f"{old}/")))
        self.move({key: new + key[len(old) :] for key in keys if old != new})

    def move(self, moved: dict[str, str]) -> None:
        """Give places other keys wherever they are named; those with an empty one are forgotten."""
        self.rows, self.names = _renamed(self.rows, moved), _renamed(self.names, moved)
        for row in self.rows.values():
            row.near = _renamed(row.near, moved)
        for power in self.powers.values():
            power.homes = _renamed(power.homes, moved)
            power.owns = None if power.owns is None else _renamed(power.owns, moved)
            units = [(kind, moved.get(key, key)) for kind, key in power.units.values()]
            power.units = {_base(unit[1]): unit for unit in units if unit[1]}
        self.neutral = _renamed(self.neutral, moved)

    def on_drop(self, words: list[str]) -> None:
        """Forget places, with their coasts."""
        for word in map(str.upper, words):
            self.count("places that are renamed or dropped")
            keys = (word, *(key for key in (*self.rows, *self.names) if _base(key) == word))
            self.move(dict.fromkeys(keys, ""))

    # -- powers ----------------------------------------------------------------------------------------------------

    def declare(self, line: str) -> None:
        """Take in a power with its homes."""
        found = _POWER.fullmatch(line)
        assert found
        word, adjective, homes = found.groups()
        key = word.lstrip("_").upper()
        self.count("powers", key not in self.powers)
        self.power = self.powers.setdefault(key, _Power(_worded(word)))
        self.describe(self.power, word, adjective)
        self.add_homes(homes.split())

    def describe(self, power: _Power, word: str, adjective: str | None) -> None:
        name, _, letter = (adjective or "").partition(":")
        power.adjective = _worded(name) or power.adjective
        power.letter = letter.strip().upper() or power.letter or word.lstrip("_")[:1].upper()

    def add_homes(self, words: Sequence[str]) -> None:
        assert self.power
        self.count("homes, centres and units", len(words))
        for found in filter(None, map(_HOME.fullmatch, map(str.upper, words))):
            marks, key = found.groups()
            for mark in dict.fromkeys(marks.replace("-", "")):
                self.draft.note(_MARKS[mark], f"{self.power.name} {key}")
            if "-" in marks:
                self.power.homes.pop(key, None)
            elif key and _HOMES.issuperset(marks):
                self.power.homes[key] = None

    def rename_power(self, old: str, line: str) -> None:
        """Give a power another name and adjective, and more homes; it is the one spoken of."""
        found = _POWER.fullmatch(line)
        power = self.powers.get(old.lstrip("_"))
        if found and power:
            self.powers = _renamed(self.powers, {old.lstrip("_"): found[1].lstrip("_").upper()})
            self.power, power.name = power, _worded(found[1])
            self.describe(power, found[1], found[2])
            self.add_homes(found[3].split())

    def stand(self, kind: str, places: list[str]) -> None:
        """Put units of the power spoken of in these places, in the stead of others there."""
        assert self.power
        self.count("homes, centres and units", len(places))
        for place in map(str.upper, places):
            for power in self.powers.values():
                power.units.pop(_base(place), None)
            self.power.units[_base(place)] = kind, place

    def on_units(self, words: list[str]) -> None:
        """Take away the units of the power spoken of."""
        if self.power:
            self.power.units = {}

    def on_owns(self, words: list[str]) -> None:
        """Take in the centres that the power spoken of owns at the start."""
        self.count("homes, centres and units", len(words))
        if self.power:
            self.power.owns = (self.power.owns or {}) | dict.fromkeys(map(str.upper, words))

    def on_centers(self, words: list[str]) -> None:
        """Take in the centres of the power spoken of, or else neutral ones."""
        if self.power:
            self.power.owns = None
            self.on_owns(words)
        else:
            self.on_unowned(words)

    def on_inhabits(self, words: list[str]) -> None:
        """Replace the homes of the current power; the centres that it owns stay."""
        if self.power:
            self.power.owns = self.power.homes if self.power.owns is None else self.power.owns
            self.power.homes = {}
            self.add_homes(words)

    on_homes = on_home = on_inhabits

    def on_unowned(self, words: list[str]) -> None:
        """Take in neutral centres."""
        self.power = None
        self.count("homes, centres and units", len(words))
        for word in words:
            if word.startswith("-"):
                self.neutral.pop(word[1:].upper(), None)
            else:
                self.neutral[word.upper()] = None

    on_neutral = on_unowned

    def on_unplayed(self, words: list[str]) -> None:
        """Take powers out of the game, with their homes."""
        for name in self.named(words):
            self.powers.pop(name, None)
        self.power = None

    def named(self, words: list[str]) -> list[str]:
        """Return the powers that a line names: `ALL EXCEPT` others, or without a word the one spoken of."""
        self.count("lines about idle powers")
        names = [word.strip(",").lstrip("_").upper() for word in words]
        if names[:1] == ["ALL"]:
            return [key for key in self.powers if key not in names[2:]]
        return names or [key for key, power in self.powers.items() if power is self.power]

    def on_dummy(self, words: list[str]) -> None:
        """Take in the powers that nobody plays."""
        self.dummies |= set(self.named(words))

    on_dummies = on_dummy

    # -- rules -----------------------------------------------------------------------------------------------------

    def on_rule(self, words: list[str]) -> None:
        """Take in the rules that are known."""
        for word in map(str.upper, words):
            if word.startswith("!"):
                self.draft.build_sites = BuildSites.OWN_HOMES if word[1:] in _BUILDS else self.draft.build_sites
            elif word in _BUILDS:
                self.draft.build_sites = _BUILDS[word]
                if word != "BUILD_ANY":
                    self.draft.note(f"builds are taken as {_BUILDS[word].value}", word)
            else:
                self.draft.note("not carried over: rules", word)

    on_rules = on_rule

    def on_victory(self, words: list[str]) -> None:
        """Take in the number of centres that wins."""
        numbers = [int(word) for word in words if word.isdecimal() and len(word) < 5]
        self.draft.victory = numbers[0] if numbers else 0
        if len(numbers) > 1:
            self.draft.note("not carried over: other numbers of centres in later years", *numbers[1:])

    def on_begin(self, words: list[str]) -> None:
        """Take in the first phase."""
        self.flow.begin = words

    def on_flow(self, words: list[str]) -> None:
        """Take in phases of a year."""
        self.flow.add(words)

    # -- the draft -------------------------------------------------------------------------------------------------

    def draft_made(self) -> Draft:
        """Return the draft of all that was read."""
        draft = self.draft
        if not self.rows:
            raise BadFile("no place has neighbours in this map", where=draft.where)
        owned = {key: set(p.homes if p.owns is None else p.owns) for key, p in self.powers.items()}
        self.add_places(owned)
        for key, power in self.powers.items():
            units = [(kind, Location.of(at)) for kind, at in power.units.values()]
            if key in self.dummies:
                draft.note("powers that nobody plays are standing armies without homes", power.name)
                draft.neutral_units += units
            else:
                draft.enlist(key, Country(power.name, power.adjective, units=units, centres=owned[key]))
        for step in self.steps():
            self.add_step(owned, *step)
        draft.run = self.flow.run()
        draft.victory = draft.victory or sum(space.centre for space in draft.spaces.values()) // 2 + 1
        return draft

    def add_places(self, owned: dict[str, set[str]]) -> None:
        """Add the places that have neighbours, with their centres and homes."""
        homes = {home: key for key, power in reversed(self.powers.items()) for home in power.homes}
        centres = {*homes, *self.neutral, *(centre for keys in owned.values() for centre in keys)}
        coasts_of: dict[str, list[str]] = {}
        for key, _, coast in (row.partition("/") for row in self.rows):
            coasts_of.setdefault(key, []).extend([coast] if coast else [])
        for key, coasts in coasts_of.items():
            row = self.rows.get(key) or self.rows[f"{key}/{coasts[0]}"]
            name, others = self.names.get(key, (key.capitalize(), ()))
            home = "" if homes.get(key) in self.dummies else homes.get(key, "")
            space = Space(name, TERRAINS[row.terrain], key, key in centres, home, tuple(coasts), others)
            space.convoy = row.terrain == "PORT"
            self.draft.add(key, space)
        if unknown := sorted(centres - self.draft.spaces.keys()):
            self.draft.note("left out: centres in places without neighbours", *unknown)

    def steps(self) -> Iterator[tuple[str, str, str, _Near]]:
        """Yield the steps of each row: the way of travel, from where, where to, and how."""
        for key, row in self.rows.items():
            for other, near in row.near.items():
                there = self.rows.get(other) or self.rows.get(_base(other))
                if there is None:
                    self.draft.note("left out: borders with a place that the file does not define", f"{key} - {other}")
                    continue
                seas = row.terrain == "WATER", there.terrain == "WATER"
                if near.armies and not any(seas) and "/" not in key:
                    yield ARMY_WAY, key, _base(other), near
                if (
                    near.fleets
                    and not row.armies_only
                    and not there.armies_only
                    and "LAND" not in (row.terrain, there.terrain)
                ):
                    yield FLEET_WAY, key, other, near

    def add_step(self, owned: dict[str, set[str]], way: str, a: str, b: str, near: _Near) -> None:
        """Add a step with its restrictions."""
        only: list[str] = []
        if near.only is not None:
            only = [key for key, power in self.powers.items() if power.letter and power.letter in near.only.upper()]
        if near.owners_of:
            only = [key for key, centres in owned.items() if centres.issuperset(near.owners_of)]
            self.draft.note("borders for the owner of certain centres are for who owns them at the start", f"{a} - {b}")
        if near.weak:
            self.draft.weak.add((min(_base(a), _base(b)), max(_base(a), _base(b))))
            self.draft.note("weak borders halve attacks and supports", f"{a} - {b}")
        if only or (near.only is None and not near.owners_of):
            self.draft.join(way, Location.of(a), Location.of(b), only)


def _renamed(table: dict[str, T], moved: dict[str, str]) -> dict[str, T]:
    """Return a table with the moved keys renamed, or left out; the same table if it has none of them."""
    if not any(key in table for key in moved):
        return table
    return {moved.get(key, key): value for key, value in table.items() if moved.get(key, key)}


def _base(key: str) -> str:
    return key.partition("/")[0]


def _is_title(place: str) -> bool:
    return not place.isupper() and not place.islower() and any(letter.isalpha() for letter in place)


def _worded(text: str) -> str:
    """Return a name as people write it: `NEW+YORK` is New York."""
    plain = " ".join(text.strip().lstrip("_").replace("+", " ").split())
    mixed = not plain.isupper() and not plain.islower()
    return plain if mixed else re.sub(r"[^\W\d_]+", lambda word: word[0].capitalize(), plain)


FORM = Form(
    id="dotmap",
    name="maps of PyPI `diplomacy` and DPjudge",
    files="`.map`",
    carried="places, borders by case, coasts, `USE`, `AMEND`, `DROP`, renaming, powers, homes, owners, units, `BEGIN`, "
    "`FLOW`, `VICTORY`, borders for some powers, one-way borders",
    derived="weak borders (`*`, `~`) halve attacks and supports; a border for the owner of certain centres is for the "
    "power that owns them at the start; `DUMMY` powers are standing armies; `BUILD_ANY`, `HOME_BUILDS` and "
    "`REMOTE_BUILDS` decide where powers build",
    lost="`LEAGUE`, directives for a kind of game, changes in later phases (`IN`, `FROM`), partisans, later numbers of "
    "`VICTORY`",
    fits=lambda source: source.mark not in (b"<", b"{", b"[") and any(map(_ROW.match, source.text.splitlines())),
    drafts=lambda source: [map_draft(source.data, source.where, source.beside)],
    write_variant=write_dotmap,
)
