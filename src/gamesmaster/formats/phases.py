"""A phase as one line of JSON: what it was, what was ordered, and, in recorded games, what came of it.

    {"variant": "standard", "phase": "S1901M", "units": {"England": ["F NTH"]}, "centers": {"England": ["LON"]},
     "dislodged": {"Austria": [{"unit": "A TRI", "from": "VEN", "retreats": ["ALB", "BUD"]}]},
     "orders": {"England": ["F NTH - NWY"]}, "rulebook": "datc"}

What is missing is none, or as at the variant's start.  `map` stands for `variant` in recorded games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from gamesmaster import strictjson
from gamesmaster.board import Dislodged, Location, Position, Unit
from gamesmaster.board.file_faults import checked
from gamesmaster.errors import BadFile, BadOrder, GamesmasterError
from gamesmaster.game import Phase, Variant
from gamesmaster.judge import Adjudication, Rulebook, Rules, Ruling, adjudicate, count_owners, idle
from gamesmaster.judge.binding import known_powers
from gamesmaster.orders import PhaseKind

LARGEST = 2**20
"""Bytes of one line; longer ones are refused."""

OVER = "COMPLETED"
"""What some records write for the next phase of a game that is over; the board is as when the next would begin."""

DEEPEST = 8
"""Levels of nesting."""

MOST_RULES = 32
"""Rules kept at a time."""

MOST = 2_000
"""Units, orders or centres of one power."""

Text = Annotated[str, StringConstraints(max_length=1_000)]
Short = Annotated[str, StringConstraints(max_length=80)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class _Beaten(_Model):
    unit: Short
    origin: Short = Field("", alias="from")
    retreats: list[Short] = Field([], max_length=MOST)
    retreats_computed: list[Short] | None = Field(None, max_length=MOST)


class _Board(_Model):
    units: dict[Short, Annotated[list[Short], Field(max_length=MOST)]] | None = None
    centers: dict[Short, Annotated[list[Short], Field(max_length=MOST)]] | None = None
    dislodged: dict[Short, Annotated[list[_Beaten], Field(max_length=MOST)]] = {}


class _Next(_Board):
    phase: Short


class _Line(_Board):
    variant: Short | None = None
    map: Short | None = None
    phase: Short | None = None
    orders: dict[Short, Annotated[list[Text], Field(max_length=MOST)]] = {}
    rulebook: str | dict[str, Any] | None = None
    game: Short = ""
    flag: Text | None = None
    next: _Next | None = None


class Bench:
    """Keeps the rules of each variant and rulebook asked for, so that a file of many lines loads each once.

    Of rules, which remember the texts they have read, only the `MOST_RULES` used last are kept.
    """

    def __init__(self, find: Callable[[str], Variant]) -> None:
        self._find = find
        self._variants: dict[str, Variant] = {}
        self._rules: dict[tuple[str, Rulebook | None], Rules] = {}

    def variant(self, name: str) -> Variant:
        """The variant of this name."""
        if name not in self._variants:
            self._variants[name] = self._find(name)
        return self._variants[name]

    def rules(self, name: str, rulebook: object = None) -> Rules:
        """Its rules, under its own rulebook or another."""
        book = None if rulebook is None else Rulebook.of(rulebook)  # type: ignore[arg-type]
        key = (name, book)
        found = self._rules.pop(key, None) or Rules.of(self.variant(name), book)
        self._rules[key] = found
        if len(self._rules) > MOST_RULES:
            del self._rules[next(iter(self._rules))]
        return found


@dataclass(frozen=True)
class PhaseLine:
    """A line read: a phase ready to be adjudicated."""

    variant: Variant
    rules: Rules
    phase: Phase
    position: Position
    orders: Mapping[str, list[str]]
    game: str = ""
    flag: str | None = None
    recorded: _Next | None = None

    @cached_property
    def adjudication(self) -> Adjudication:
        """The phase adjudicated."""
        return adjudicate(self.rules, self.phase.kind, self.position, self.orders)

    def answer(self) -> dict[str, object]:
        """What became of the orders, and where the game then stands, as JSON."""
        done = self.adjudication
        phase, position = self._following()
        return {
            "orders": [ruling_data(r) for r in done.rulings if r.given],
            "next": {"phase": self.variant.calendar.code(phase), **position_data(position)},
        }

    def _following(self, wanted: Phase | None = None) -> tuple[Phase, Position]:
        """The next phase that must be played, or the `wanted` one if no phase with work to do comes before it."""
        calendar, phase, position = self.variant.calendar, self.phase, self.adjudication.position
        for _ in calendar.slots:
            if calendar.counts(phase):
                position = count_owners(self.rules, position)
            phase = calendar.next(phase)
            if phase.kind is PhaseKind.MOVEMENT or phase == wanted or not idle(self.rules, phase.kind, position):
                break
            if phase.kind is PhaseKind.RETREATS:
                position = Position(position.units, position.owners, (), position.state)
        return phase, position

    def differences(self) -> list[str]:
        """How the recorded next position differs from the one adjudicated, in words; empty if it does not."""
        assert self.recorded is not None
        calendar = self.variant.calendar
        wanted = None if self.recorded.phase.upper() == OVER else calendar.read(self.recorded.phase)
        phase, position = self._following(wanted)
        if wanted and phase != wanted:
            return [f"next phase: recorded {calendar.code(wanted)}, adjudicated {calendar.code(phase)}"]
        recorded = _position(self.recorded, self.variant, self.rules)
        if phase.kind is PhaseKind.MOVEMENT:
            position = Position(position.units, position.owners)
        return [
            f"{what}: recorded {', '.join(sorted(theirs - ours)) or 'none'}, "
            f"adjudicated {', '.join(sorted(ours - theirs)) or 'none'}"
            for what, theirs, ours in zip(
                ("units", "centers", "dislodged"), _facts(recorded), _facts(position), strict=True
            )
            if theirs != ours
        ]


def read_phase(text: str | bytes, bench: Bench, *, rulebook: object = None, where: str = "") -> PhaseLine:
    """Read a line; raises a `GamesmasterError` that names what is wrong and where.

    `rulebook` is used where the line names none; `where` names the line in complaints.
    """
    try:
        data = strictjson.loads(text, limit=LARGEST, depth=DEEPEST)
    except BadFile as error:
        raise _placed(error, where) from None
    return phase_of(data, bench, rulebook=rulebook, where=where)


def phase_of(data: object, bench: Bench, *, rulebook: object = None, where: str = "") -> PhaseLine:
    """The phase that a line's JSON data tells of; see `read_phase`."""
    try:
        line = checked(_Line, data, BadFile)
        name = line.variant or line.map or "standard"
        chosen = line.rulebook if line.rulebook is not None else rulebook
        variant, rules = bench.variant(name), bench.rules(name, chosen)
        phase = variant.calendar.read(line.phase) if line.phase is not None else variant.calendar.first
        position = _position(line, variant, rules)
        if problems := position.problems(variant.board):
            raise BadFile(problems[0])
        known_powers(rules, line.orders)
    except GamesmasterError as error:
        raise _placed(error, where) from None
    return PhaseLine(variant, rules, phase, position, line.orders, line.game, line.flag, line.next)


def _placed(error: GamesmasterError, where: str) -> GamesmasterError:
    """The error with its line named; inside a line, JSON's own count of lines would only confuse."""
    within = error.where.removeprefix("line 1, ") if where else error.where
    error.where = ", ".join(filter(None, (where, within)))
    return error


def _position(data: _Board, variant: Variant, rules: Rules) -> Position:
    powers = {p.casefold(): p for p in rules.powers} | {"neutral": "Neutral"}

    def proper(power: str) -> str:
        return powers.get(power.casefold()) or next(iter(known_powers(rules, {power: ()})))

    if data.units is None:
        units = list(variant.start.units)
    else:
        placed = [(proper(power), text) for power, texts in data.units.items() for text in texts]
        units = [read_unit(text, power, n, rules) for n, (power, text) in enumerate(placed, 1)]
    owners = dict(variant.start.owners)
    if data.centers is not None:
        owners = {_place(c, rules).province: proper(p) for p, centres in data.centers.items() for c in centres}
        owners = {centre: power for centre, power in owners.items() if power != "Neutral"}
    beaten: list[Dislodged] = []
    for power, entries in data.dislodged.items():
        for entry in entries:
            unit = read_unit(entry.unit, proper(power), len(units) + len(beaten) + 1, rules)
            open_to = entry.retreats if entry.retreats_computed is None else entry.retreats_computed
            origin = _place(entry.origin, rules).province if entry.origin else ""
            beaten.append(Dislodged(unit, origin, tuple(_place(p, rules) for p in open_to)))
    return Position(tuple(units), owners, tuple(beaten))


def read_unit(text: str, power: str, number: int, rules: Rules) -> Unit:
    """Read a unit as files write it, `F STP/NC`; raises `BadFile`, with the nearest right thing."""
    kind, _, where = text.strip().partition(" ")
    if kind.upper() not in rules.board.ways or not where:
        raise BadFile(f"{text!r} is no unit", hint="write it as A PAR or F STP/NC")
    return Unit(number, kind.upper(), power, _place(where, rules))


def _place(text: str, rules: Rules) -> Location:
    location = Location.of(text.strip().upper())
    if location in rules.board.location_index:
        return location
    try:
        order = rules.notation.read(f"A {text} H")
    except BadOrder as error:
        raise BadFile(f"{text!r}: {error.what}", hint=error.hint) from None
    assert order.at is not None
    if order.at not in rules.board.location_index:
        raise BadFile(f"{text!r} has no such coast")
    return order.at


def ruling_data(ruling: Ruling) -> dict[str, object]:
    """A ruling as JSON: whose order, what became of it, why (the cause's name, and a sentence), and by which clause."""
    return {
        "power": ruling.power,
        "order": ruling.given,
        "result": str(ruling.result),
        "cause": ruling.cause.name.lower(),
        "text": ruling.text,
        "clause": ruling.clause,
        "dislodged": ruling.dislodged,
    }


def position_data(position: Position) -> dict[str, object]:
    """A position in the line's form: units, centers, dislodged, by power, sorted."""
    dislodged: dict[str, list[dict[str, object]]] = {}
    for d in position.dislodged:
        entry: dict[str, object] = {"unit": str(d.unit), "from": d.by, "retreats": sorted(map(str, d.retreats))}
        dislodged.setdefault(d.unit.power, []).append(entry)
    return {
        "units": _by_power((u.power, str(u)) for u in position.units),
        "centers": _by_power((power, centre) for centre, power in position.owners.items()),
        "dislodged": dislodged,
    }


def _by_power(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for power, item in sorted(pairs):
        found.setdefault(power, []).append(item)
    return found


def _facts(position: Position) -> tuple[set[str], set[str], set[str]]:
    return (
        {f"{u.power} {u}" for u in position.units},
        {f"{power} {centre}" for centre, power in position.owners.items()},
        {
            f"{d.unit.power} {d.unit} to {' '.join(sorted(map(str, d.retreats)))}"
            for d in position.dislodged
            if d.retreats
        },
    )
