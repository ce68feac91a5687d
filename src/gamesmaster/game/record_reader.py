"""Reading the record of a game back from JSON data, strictly: every fault is named with its path."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import contains
from sys import intern
from types import MappingProxyType
from typing import Any, TypeVar

from gamesmaster.board import Board, Dislodged, Location, Position, Unit
from gamesmaster.errors import BadFile, GamesmasterError, NotFound, nearest
from gamesmaster.game.calendar import Phase
from gamesmaster.game.course import Game
from gamesmaster.game.dice import SEED_BYTES, Dice, Throw
from gamesmaster.game.house_rules import HouseRules
from gamesmaster.game.judge_id import LONGEST, judge_id
from gamesmaster.game.record import Outcome, Record, Termination, sheet_of
from gamesmaster.game.record_data import FORMAT, JSON
from gamesmaster.game.record_edition import Find, Read, variant_of
from gamesmaster.game.record_parts import Path, bad, fields, listed, orders, paths, text, texts
from gamesmaster.game.variant import Variant
from gamesmaster.game.variant_file import read_edition
from gamesmaster.judge import Event, Rulebook, Rules
from gamesmaster.judge.state import StateCheck
from gamesmaster.judge.values import events_with
from gamesmaster.strictjson import path_text

_UNIT = re.compile(r"([1-9][0-9]{0,6})(?:@([1-9][0-9]{0,6}))? ([^ ]+) ([^ ]+) (.+)")  # 12@7 A PAR France
T = TypeVar("T")
_LATER = "outcome house_rules judge"
_NOBODY: frozenset[str] = frozenset()
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def game_of(data: object, find: Find, read: Read = read_edition) -> Game:
    """The game whose record this JSON data is; `find` gives the variant of an id, `read` that of an edition.

    Raises `BadFile` with the path of the first thing that is missing, unknown, or not what it should be.  Whether the
    rulings follow from the orders is not looked into: `verify` does that.
    """
    top = fields(data, (), "format variant rulebook commitment seed players throws phases now", _LATER)
    if type(top["format"]) is not int or not 1 <= top["format"] <= FORMAT:
        bad(f"this is not a record of format {FORMAT}, nor of an earlier one", ("format",))
    if (top["format"] > 1) != ("house_rules" in top):
        bad("a record has house rules from format 2 on", ("house_rules",))
    judge = program(top.get("judge", ""), ("judge",))
    reader = _Reader(variant_of(top["variant"], find, read), judge)
    records = tuple(map(reader.record, listed(top["phases"], ("phases",)), paths("phases")))
    now = fields(top["now"], ("now",), "phase units orders", "owners dislodged state disorder votes")
    return Game(
        variant=reader.variant,
        rulebook=_rulebook(top["rulebook"]),
        house_rules=_house_rules(top.get("house_rules", {})),
        seed=_seed(top["seed"], top["commitment"]),
        phase=reader.phase(now["phase"], ("now", "phase")),
        position=reader.position(now, ("now",)),
        players=reader.by_power(top["players"], ("players",), text),
        throws=tuple(map(_throw, listed(top["throws"], ("throws",)), paths("throws"))),
        records=records,
        orders=reader.by_power(now["orders"], ("now", "orders"), orders),
        votes=reader.by_power(now.get("votes", {}), ("now", "votes"), reader.some_powers),
        disorder=reader.disorder(now, ("now",)),
        outcome=reader.outcome(top["outcome"], ("outcome",)) if "outcome" in top else None,
        judge=judge,
    )


def program(value: object, path: Path) -> str:
    """Which program judged; of records of old nobody knows it."""
    told = text(value, path)
    if len(told) > LONGEST or not told.isprintable():
        bad("expected a program's version", path)
    return told


def _rulebook(value: object) -> Rulebook:
    if not isinstance(value, dict) or not {type(answer) for answer in value.values()} <= {str}:
        bad("expected an object of texts", ("rulebook",))
    try:
        return _book(*value.items())
    except GamesmasterError as error:
        raise BadFile(error.what, where=path_text(("rulebook",)), hint=error.hint) from None


def _house_rules(value: object) -> HouseRules:
    if not isinstance(value, dict) or not {type(answer) for answer in value.values()} <= {str, int}:
        bad("expected an object of texts and numbers", ("house_rules",))
    try:
        return HouseRules.of(value)
    except GamesmasterError as error:
        raise BadFile(error.what, where=path_text(("house_rules",)), hint=error.hint) from None


@lru_cache(maxsize=64)  # games share their rulebooks, and with them the judge's rules
def _book(*choices: tuple[str, str]) -> Rulebook:
    return Rulebook.of(dict(choices))


def _seed(value: object, commitment: object) -> bytes:
    try:
        seed = bytes.fromhex(text(value, ("seed",)))
    except ValueError:
        bad("expected hexadecimal digits", ("seed",))
    if not SEED_BYTES <= len(seed) <= 8 * SEED_BYTES:
        bad(f"a seed has at least {SEED_BYTES} bytes", ("seed",))
    if Dice(seed).commitment != commitment:
        bad("this is not the SHA-256 of the seed", ("commitment",))
    return seed


def _throw(value: object, path: Path) -> Throw:
    entry = listed(value, path, 5)
    if [type(part) for part in entry] != [str, str, str, int, int] or not 0 <= entry[4] < entry[3]:
        bad("a throw is [phase, clause, subject, sides, what fell from 0]", path)
    return Throw(*entry)


class _Units(dict[str, Unit]):
    """Units by their text; one that stands still is the same object in every phase, which saves time and memory."""

    def __init__(self, board: Board, owners: Mapping[str, str]) -> None:
        self.kinds, self.owners = board.ways, owners
        self.places = {str(location): location for location in board.locations}

    def __missing__(self, written: str) -> Unit:
        parts = _UNIT.fullmatch(written)
        if not parts:
            raise ValueError(written)
        number, aboard, kind, at, power = parts.groups()
        if kind not in self.kinds or at not in self.places or power not in self.owners:
            raise ValueError(written)
        unit = Unit(int(number), intern(kind), self.owners[power], self.places[at], int(aboard or 0))
        self[written] = unit
        return unit

    def read(self, value: object, path: Path) -> Unit:
        """The unit in a text; raises `BadFile`."""
        try:
            return self[text(value, path)]
        except ValueError:
            bad(f"{str(value)[:40]!r} is not a unit of this game", path, hint="written like 12 A PAR France")


@lru_cache(maxsize=64)
def _states(variant: Variant) -> StateCheck:
    return Rules.of(variant).derived(StateCheck)


class _Reader:
    """Reads what speaks of powers, places and phases, for one variant, phase by phase."""

    def __init__(self, variant: Variant, judge: str = "") -> None:
        self.variant, self.judge = variant, judge
        self.powers = {power.name: power.name for power in variant.powers}
        neutrals = (*(unit.power for unit in variant.start.units), *variant.start.owners.values())
        self.owners = {name: name for name in (*neutrals, *self.powers)}
        self.units = _Units(variant.board, self.owners)
        self.owned: Mapping[str, str] = MappingProxyType({})
        self.events = events_with(variant.mechanics)
        self.event_words = (self.events.keys(), {"", *self.owners}, {"", *variant.board.index}, {"", *self.owners})

    # -- what repeats itself in every phase --------------------------------------------------------------------------

    def record(self, value: object, path: Path) -> Record:
        """A phase that is over."""
        entry = fields(value, path, "phase units orders rulings", "owners dislodged state disorder events judge")
        if "judge" in entry:
            self.judge = program(entry["judge"], (*path, "judge"))
        return Record(
            phase=self.phase(entry["phase"], (*path, "phase")),
            position=self.position(entry, path),
            sheet=sheet_of(self.by_power(entry["orders"], (*path, "orders"), orders)),
            rulings=tuple(map(intern, texts(entry["rulings"], (*path, "rulings")))),
            events=tuple(map(self.event, listed(entry.get("events", []), (*path, "events")), paths(*path, "events"))),
            disorder=self.disorder(entry, path),
            judge=self.judge,
        )

    def position(self, entry: JSON, path: Path) -> Position:
        """The position of a phase; owners that are left out are those of the phase before."""
        written = listed(entry["units"], (*path, "units"))
        try:
            units = tuple(map(self.units.__getitem__, written))
        except (ValueError, TypeError):  # what is wrong, and where, costs time: only now
            units = tuple(map(self.units.read, written, paths(*path, "units")))
        if "owners" in entry:
            self.owned = self.ownership(entry["owners"], (*path, "owners"))
        out = listed(entry.get("dislodged", []), (*path, "dislodged"))
        state = entry.get("state", {})
        if not isinstance(state, dict):
            bad("expected an object", (*path, "state"))
        dislodged = tuple(map(self.dislodged, out, paths(*path, "dislodged"))) if out else ()
        if state:
            numbers = {u.number for u in (*units, *(d.unit for d in dislodged))}
            if self.judge != judge_id():  # programs of old left numbers of units there that were gone
                numbers |= {unit.number for unit in self.units.values()}
            _states(self.variant).check(state, numbers, (*path, "state"))
        return Position(units, self.owned, dislodged, MappingProxyType(state) if state else _NOTHING)

    def ownership(self, value: object, path: Path) -> Mapping[str, str]:
        """Who owns which province."""
        if not isinstance(value, dict):
            bad("expected an object", path)
        for province, owner in value.items():
            if province not in self.variant.board.index:
                bad(f"no province {province[:40]!r}", path, hint=nearest(province, self.variant.board.index))
            if not isinstance(owner, str) or owner not in self.owners:
                bad("expected a power", (*path, province), hint=nearest(str(owner), self.powers))
        return MappingProxyType({province: self.owners[owner] for province, owner in value.items()})

    def dislodged(self, value: object, path: Path) -> Dislodged:
        """A unit that must retreat."""
        entry = fields(value, path, "unit by retreats")
        unit = self.units.read(entry["unit"], (*path, "unit"))
        by = entry["by"]
        if by not in ("", *self.variant.board.index):
            bad("expected a province, or an empty text", (*path, "by"))
        places = tuple(map(self.place, texts(entry["retreats"], (*path, "retreats")), paths(*path, "retreats")))
        return Dislodged(unit, intern(by), places)

    def place(self, written: str, path: Path) -> Location:
        """A location."""
        if written not in self.units.places:
            bad(f"no place {written[:40]!r}", path, hint=nearest(written, self.units.places))
        return self.units.places[written]

    def phase(self, value: object, path: Path) -> Phase:
        """A phase by its code."""
        code = text(value, path)
        try:
            phase = self.variant.calendar.read(code)
        except NotFound as error:
            raise BadFile(error.what, where=path_text(path), hint=error.hint) from None
        if phase.code != code:
            bad("expected a phase's code", path, hint=f"written {phase.code}")
        return phase

    # -- powers ------------------------------------------------------------------------------------------------------

    def power(self, value: object, path: Path) -> str:
        """A power's name."""
        if not isinstance(value, str) or value not in self.powers:
            bad("expected a power", path, hint=nearest(str(value), self.powers))
        return value

    def some_powers(self, value: object, path: Path) -> tuple[str, ...]:
        """A list of powers."""
        return tuple(map(self.power, listed(value, path), paths(*path)))

    def by_power(self, value: object, path: Path, read: Callable[[object, Path], T]) -> Mapping[str, T]:
        """Something for some of the powers."""
        if not isinstance(value, dict):
            bad("expected an object", path)
        if not value.keys() <= self.powers.keys():
            name = next(name for name in value if name not in self.powers)
            bad(f"no power {name[:40]!r}", path, hint=nearest(name, self.powers))
        return MappingProxyType({self.powers[name]: read(inner, (*path, name)) for name, inner in value.items()})

    def disorder(self, entry: JSON, path: Path) -> frozenset[str]:
        """The powers in civil disorder."""
        return frozenset(self.some_powers(entry["disorder"], (*path, "disorder"))) if "disorder" in entry else _NOBODY

    def event(self, value: object, path: Path) -> Event:
        """Something that befell."""
        parts = texts(value, path)
        if len(parts) != 4 or not all(map(contains, self.event_words, parts)):
            bad(f"an event is [one of {', '.join(self.events)}, power, province, former owner]", path)
        return Event(self.events[parts[0]], *map(intern, parts[1:]))

    def outcome(self, value: object, path: Path) -> Outcome:
        """How the game ended."""
        entry = fields(value, path, "termination winners phase")
        if entry["termination"] not in list(Termination):
            bad(f"expected one of {', '.join(Termination)}", (*path, "termination"))
        winners = self.some_powers(entry["winners"], (*path, "winners"))
        if not winners and entry["termination"] != Termination.VICTORY:
            bad("somebody must have won", (*path, "winners"))
        phase = self.phase(entry["phase"], (*path, "phase"))
        return Outcome(Termination(entry["termination"]), winners, phase.code)
