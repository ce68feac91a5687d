"""The record of a game as JSON data. `docs/games.md` describes the fields; `record_reader` reads them back.

Written by hand, not by a library of models: a game to 1910 takes about a millisecond.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import lru_cache
from operator import contains
from sys import intern
from types import MappingProxyType
from typing import Any, TypeVar

from gamesmaster.board import Board, Dislodged, Location, Position, Unit
from gamesmaster.errors import BadFile, GamesmasterError, NotFound, nearest
from gamesmaster.game.course import Game
from gamesmaster.game.dice import SEED_BYTES, Dice, Throw
from gamesmaster.game.judging import LONGEST_PROGRAM, judge_id
from gamesmaster.game.record import (
    LONGEST_REASON,
    NOTHING_AHEAD,
    Correction,
    Outcome,
    Record,
    SentAhead,
    Stage,
    Termination,
    sheet_of,
)
from gamesmaster.game.record_edition import Find, Read, variant_data, variant_of
from gamesmaster.rules import Event, Rulebook, Rules, StateCheck, events_with
from gamesmaster.strictjson import Keys, entries, fields, path_text, paths, refuse, text, texts
from gamesmaster.variant import HouseRules, Phase, Variant, read_edition

FORMAT = 3
"""The edition of the format; the first had no house rules, the second did not say which program judged."""

JSON = dict[str, Any]
_NO_OWNERS: Mapping[str, str] = MappingProxyType({})


def game_data(game: Game) -> JSON:
    """Return the whole record of a game, secrets and all, as JSON data."""
    owners: Mapping[str, str] = _NO_OWNERS
    phases, judge = [], game.judge
    for record in game.records:
        entry = _beginning(record, record.orders, record.disorder, owners)
        entry["rulings"] = list(record.rulings)
        if record.events:
            entry["events"] = [[event.kind.value, event.power, event.province, event.of] for event in record.events]
        _put_ahead(entry, record.ahead)
        if record.judge != judge:
            entry["judge"] = judge = record.judge
        phases.append(entry)
        owners = record.position.owners
    now = _beginning(game, game.orders, game.disorder, owners)
    _put_ahead(now, game.ahead)
    if game.votes:
        now["votes"] = {power: list(winners) for power, winners in game.votes.items()}
    data: JSON = {
        "format": FORMAT,
        "variant": variant_data(game.variant),
        "judge": game.judge,
        "rulebook": asdict(game.rulebook),
        "house_rules": asdict(game.house_rules),
        "commitment": game.dice.commitment,
        "seed": game.seed.hex(),
        "players": dict(game.players),
        "throws": [[t.phase, t.clause, t.subject, t.sides, t.fell] for t in game.throws],
        "phases": phases,
        "now": now,
    }
    if game.outcome:
        won = game.outcome
        data["outcome"] = {"termination": won.termination.value, "winners": list(won.winners), "phase": won.phase}
    return data


def _put_ahead(entry: JSON, ahead: Mapping[str, SentAhead]) -> None:
    if ahead:
        entry["ahead"] = {power: sent.data for power, sent in ahead.items()}


def _beginning(
    stage: Stage, orders: Mapping[str, tuple[str, ...]], disorder: frozenset[str], owners: Mapping[str, str]
) -> JSON:
    """Return the beginning of a phase, with the corrections that led to it."""
    corrections = []
    for one in stage.corrections:
        corrections.append({"why": one.why, **stand(one.phase, one.position, None, _NOBODY, owners)})
        owners = one.position.owners
    entry = stand(stage.phase, stage.position, orders, disorder, owners)
    return {**entry, "corrections": corrections} if corrections else entry


def stand(
    phase: Phase,
    position: Position,
    orders: Mapping[str, tuple[str, ...]] | None,
    disorder: frozenset[str],
    owners: Mapping[str, str],
) -> JSON:
    """Return a position, and the orders sent for it if given, without empty parts and unchanged owners."""
    entry: JSON = {"phase": phase.code, "units": [_unit_text(unit) for unit in position.units]}
    if position.owners is not owners and position.owners != owners:
        entry["owners"] = dict(position.owners)
    if position.dislodged:
        entry["dislodged"] = [
            {"unit": _unit_text(d.unit), "by": d.by, "retreats": [str(place) for place in d.retreats]}
            for d in position.dislodged
        ]
    if position.state:
        entry["state"] = dict(position.state)
    if disorder:
        entry["disorder"] = sorted(disorder)
    if orders is not None:
        entry["orders"] = {power: list(texts) for power, texts in orders.items()}
    return entry


def _unit_text(unit: Unit) -> str:
    """Return `12 A PAR France`; for a unit aboard unit 7, `12@7 A PAR France`."""
    (province, coast), aboard = unit.at, f"@{unit.aboard}" if unit.aboard else ""
    return f"{unit.number}{aboard} {unit.kind} {province}{f'/{coast}' if coast else ''} {unit.power}"


_UNIT = re.compile(r"([1-9][0-9]{0,6})(?:@([1-9][0-9]{0,6}))? ([^ ]+) ([^ ]+) (.+)")  # 12@7 A PAR France
T = TypeVar("T")
_LATER = "outcome house_rules judge"
_NOBODY: frozenset[str] = frozenset()
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def game_of(data: object, find: Find, read: Read = read_edition) -> Game:
    """Return the game whose record this JSON data is; `find` gives the variant of an id, `read` that of an edition.

    Raises `BadFile` with the path of the first key or value that is missing, unknown, or wrong.  Whether the rulings
    follow from the orders is not checked: `verify` does that.
    """
    top = fields(data, (), "format variant rulebook commitment seed players throws phases now", _LATER)
    if type(top["format"]) is not int or not 1 <= top["format"] <= FORMAT:
        refuse(f"this is not a record of format {FORMAT}, nor of an earlier one", ("format",))
    if (top["format"] > 1) != ("house_rules" in top):
        refuse("a record has house rules from format 2 on", ("house_rules",))
    judge = program(top.get("judge", ""), ("judge",))
    reader = _Reader(variant_of(top["variant"], find, read), judge)
    records = tuple(map(reader.record, entries(top["phases"], ("phases",)), paths("phases")))
    now = fields(top["now"], ("now",), "phase units orders", "owners dislodged state disorder votes ahead corrections")
    return Game(
        variant=reader.variant,
        rulebook=_rulebook(top["rulebook"]),
        house_rules=_house_rules(top.get("house_rules", {})),
        seed=_seed(top["seed"], top["commitment"]),
        corrections=reader.corrections(now, ("now",)),
        phase=reader.phase(now["phase"], ("now", "phase")),
        position=reader.position(now, ("now",)),
        players=reader.by_power(top["players"], ("players",), text),
        throws=tuple(map(_throw, entries(top["throws"], ("throws",)), paths("throws"))),
        records=records,
        orders=reader.by_power(now["orders"], ("now", "orders"), orders),
        votes=reader.by_power(now.get("votes", {}), ("now", "votes"), reader.some_powers),
        ahead=reader.by_power(now.get("ahead", {}), ("now", "ahead"), ahead_of),
        disorder=reader.disorder(now, ("now",)),
        outcome=reader.outcome(top["outcome"], ("outcome",)) if "outcome" in top else None,
        judge=judge,
    )


def program(value: object, path: Keys) -> str:
    """Return the version of the program that adjudicated; old records do not have it."""
    name = text(value, path)
    if len(name) > LONGEST_PROGRAM or not name.isprintable():
        refuse("expected a program's version", path)
    return name


def _rulebook(value: object) -> Rulebook:
    if not isinstance(value, dict) or not {type(answer) for answer in value.values()} <= {str}:
        refuse("expected an object of texts", ("rulebook",))
    try:
        return _book(*value.items())
    except GamesmasterError as error:
        raise BadFile(error.what, where=path_text(("rulebook",)), hint=error.hint) from None


def _house_rules(value: object) -> HouseRules:
    if not isinstance(value, dict) or not {type(answer) for answer in value.values()} <= {str, int}:
        refuse("expected an object of texts and numbers", ("house_rules",))
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
        refuse("expected hexadecimal digits", ("seed",))
    if not SEED_BYTES <= len(seed) <= 8 * SEED_BYTES:
        refuse(f"a seed has at least {SEED_BYTES} bytes", ("seed",))
    if Dice(seed).commitment != commitment:
        refuse("this is not the SHA-256 of the seed", ("commitment",))
    return seed


def _throw(value: object, path: Keys) -> Throw:
    entry = entries(value, path, 5)
    if [type(part) for part in entry] != [str, str, str, int, int] or not 0 <= entry[4] < entry[3]:
        refuse("a throw is [phase, clause, subject, sides, what fell from 0]", path)
    return Throw(*entry)


def orders(value: object, path: Keys) -> tuple[str, ...]:
    """Return a list of orders: texts of one line each."""
    lines = texts(value, path)
    if "" in lines or "\n" in "".join(lines):
        refuse("an order is a line of text", path)
    return lines


def ahead_of(value: object, path: Keys) -> SentAhead:
    """Return orders sent ahead, by the kind of their phase."""
    entry = fields(value, path, "", "retreats adjustments")
    return SentAhead(**{kind: orders(texts, (*path, kind)) for kind, texts in entry.items()})


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

    def read(self, value: object, path: Keys) -> Unit:
        """Return the unit in a text; raises `BadFile`."""
        try:
            return self[text(value, path)]
        except ValueError:
            refuse(f"{str(value)[:40]!r} is not a unit of this game", path, hint="written like 12 A PAR France")


@lru_cache(maxsize=64)
def _states(variant: Variant) -> StateCheck:
    return Rules.of(variant).derive(StateCheck)


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
        self.provinces = {"", *variant.board.index}
        self.event_words = (self.events.keys(), {"", *self.owners}, self.provinces, {"", *self.owners})

    # -- what repeats itself in every phase --------------------------------------------------------------------------

    def record(self, value: object, path: Keys) -> Record:
        """Return a phase that is over."""
        optional = "owners dislodged state disorder events judge ahead corrections"
        entry = fields(value, path, "phase units orders rulings", optional)
        if "judge" in entry:
            self.judge = program(entry["judge"], (*path, "judge"))
        return Record(
            corrections=self.corrections(entry, path),
            phase=self.phase(entry["phase"], (*path, "phase")),
            position=self.position(entry, path),
            sheet=sheet_of(self.by_power(entry["orders"], (*path, "orders"), orders)),
            rulings=tuple(map(intern, texts(entry["rulings"], (*path, "rulings")))),
            events=tuple(map(self.event, entries(entry.get("events", []), (*path, "events")), paths(*path, "events"))),
            disorder=self.disorder(entry, path),
            judge=self.judge,
            ahead=self.by_power(entry["ahead"], (*path, "ahead"), ahead_of) if "ahead" in entry else NOTHING_AHEAD,
        )

    def corrections(self, entry: JSON, path: Keys) -> tuple[Correction, ...]:
        """Return the corrections of a phase; they are read before its position, whose owners may be theirs."""
        if "corrections" not in entry:
            return ()
        path = (*path, "corrections")
        return tuple(map(self.correction, entries(entry["corrections"], path), paths(*path)))

    def correction(self, value: object, path: Keys) -> Correction:
        """Return a correction of the board."""
        entry = fields(value, path, "why phase units", "owners dislodged state")
        why = text(entry["why"], (*path, "why"))
        if not why.isprintable() or not 1 <= len(why) <= LONGEST_REASON:
            refuse(f"a reason has 1 to {LONGEST_REASON} printable characters", (*path, "why"))
        return Correction(why, self.phase(entry["phase"], (*path, "phase")), self.position(entry, path))

    def position(self, entry: JSON, path: Keys) -> Position:
        """Return the position of a phase; owners that are left out are those of the phase before."""
        written = entries(entry["units"], (*path, "units"))
        try:
            units = tuple(map(self.units.__getitem__, written))
        except (ValueError, TypeError):  # finding the fault and its place takes time, so this comes second
            units = tuple(map(self.units.read, written, paths(*path, "units")))
        if "owners" in entry:
            self.owned = self.ownership(entry["owners"], (*path, "owners"))
        out = entries(entry.get("dislodged", []), (*path, "dislodged"))
        state = entry.get("state", {})
        if not isinstance(state, dict):
            refuse("expected an object", (*path, "state"))
        dislodged = tuple(map(self.dislodged_unit, out, paths(*path, "dislodged"))) if out else ()
        if state:
            numbers = {u.number for u in (*units, *(d.unit for d in dislodged))}
            if self.judge != judge_id():  # programs of old left numbers of units there that were gone
                numbers |= {unit.number for unit in self.units.values()}
            _states(self.variant).check(state, numbers, (*path, "state"))
        return Position(units, self.owned, dislodged, MappingProxyType(state) if state else _NOTHING)

    def ownership(self, value: object, path: Keys) -> Mapping[str, str]:
        """Return the owners by province."""
        if not isinstance(value, dict):
            refuse("expected an object", path)
        for province, owner in value.items():
            if province not in self.variant.board.index:
                refuse(f"no province {province[:40]!r}", path, hint=nearest(province, self.variant.board.index))
            if not isinstance(owner, str) or owner not in self.owners:
                refuse("expected a power", (*path, province), hint=nearest(str(owner), self.powers))
        return MappingProxyType({province: self.owners[owner] for province, owner in value.items()})

    def dislodged_unit(self, value: object, path: Keys) -> Dislodged:
        """Return a unit that must retreat."""
        entry = fields(value, path, "unit by retreats")
        unit = self.units.read(entry["unit"], (*path, "unit"))
        by = entry["by"]
        if not isinstance(by, str) or by not in self.provinces:
            refuse("expected a province, or an empty text", (*path, "by"))
        places = tuple(map(self.place, texts(entry["retreats"], (*path, "retreats")), paths(*path, "retreats")))
        return Dislodged(unit, intern(by), places)

    def place(self, written: str, path: Keys) -> Location:
        """Return a location."""
        if written not in self.units.places:
            refuse(f"no place {written[:40]!r}", path, hint=nearest(written, self.units.places))
        return self.units.places[written]

    def phase(self, value: object, path: Keys) -> Phase:
        """Return a phase by its code."""
        code = text(value, path)
        try:
            phase = self.variant.calendar.read(code)
        except NotFound as error:
            raise BadFile(error.what, where=path_text(path), hint=error.hint) from None
        if phase.code != code:
            refuse("expected a phase's code", path, hint=f"written {phase.code}")
        return phase

    # -- powers ------------------------------------------------------------------------------------------------------

    def power(self, value: object, path: Keys) -> str:
        """Return a power's name."""
        if not isinstance(value, str) or value not in self.powers:
            refuse("expected a power", path, hint=nearest(str(value), self.powers))
        return value

    def some_powers(self, value: object, path: Keys) -> tuple[str, ...]:
        """Return a list of powers."""
        return tuple(map(self.power, entries(value, path), paths(*path)))

    def by_power(self, value: object, path: Keys, read: Callable[[object, Keys], T]) -> Mapping[str, T]:
        """Check an object with some of the powers as keys, and return its values as `read` returns them, by power."""
        if not isinstance(value, dict):
            refuse("expected an object", path)
        if not value.keys() <= self.powers.keys():
            name = next(name for name in value if name not in self.powers)
            refuse(f"no power {name[:40]!r}", path, hint=nearest(name, self.powers))
        return MappingProxyType({self.powers[name]: read(inner, (*path, name)) for name, inner in value.items()})

    def disorder(self, entry: JSON, path: Keys) -> frozenset[str]:
        """Return the powers in civil disorder."""
        return frozenset(self.some_powers(entry["disorder"], (*path, "disorder"))) if "disorder" in entry else _NOBODY

    def event(self, value: object, path: Keys) -> Event:
        """Return an event."""
        parts = texts(value, path)
        if len(parts) != 4 or not all(map(contains, self.event_words, parts)):
            refuse(f"an event is [one of {', '.join(self.events)}, power, province, former owner]", path)
        return Event(self.events[parts[0]], *map(intern, parts[1:]))

    def outcome(self, value: object, path: Keys) -> Outcome:
        """Return how the game ended."""
        entry = fields(value, path, "termination winners phase")
        if entry["termination"] not in list(Termination):
            refuse(f"expected one of {', '.join(Termination)}", (*path, "termination"))
        winners = self.some_powers(entry["winners"], (*path, "winners"))
        if not winners and entry["termination"] != Termination.VICTORY:
            refuse("somebody must have won", (*path, "winners"))
        phase = self.phase(entry["phase"], (*path, "phase"))
        return Outcome(Termination(entry["termination"]), winners, phase.code)
