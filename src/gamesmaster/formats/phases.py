"""A phase as programs record it, one line of JSON: the position, the orders, and the result.

    {"variant": "standard", "phase": "S1901M", "units": {"England": ["F NTH"]}, "centers": {"England": ["LON"]},
     "dislodged": {"Austria": [{"unit": "A TRI", "from": "VEN", "retreats": ["ALB", "BUD"]}]},
     "orders": {"England": ["F NTH - NWY"]}, "rulebook": "datc"}

Missing fields are empty, or as at the variant's start.  `map` may stand for `variant`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, TypeVar

from pydantic import Field

from gamesmaster.board import Position
from gamesmaster.errors import BadFile, GamesmasterError, with_line
from gamesmaster.game import Ledger, position_data, position_of
from gamesmaster.game.state_models import MOST, BoardEntry, ByPower, DislodgedEntry, Short, Text
from gamesmaster.judge import Adjudication, adjudicate, count_owners, idle, known_powers, read_unit
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rulebook, Rules, Ruling
from gamesmaster.schemas import Facts, validate
from gamesmaster.variant import Phase, Variant, variant_names


class RecordedDislodged(DislodgedEntry, Facts):
    """A unit that must retreat; `retreats_computed` stands beside a list that is known to be wrong."""

    retreats_computed: list[Short] | None = Field(None, max_length=MOST)

    @property
    def open_to(self) -> list[str]:
        """The places that are open to it."""
        return self.retreats if self.retreats_computed is None else self.retreats_computed


class RecordedBoard(BoardEntry, Facts):
    """A position."""

    dislodged: ByPower[RecordedDislodged] = Field({})  # type: ignore[assignment]


class NextEntry(RecordedBoard):
    """The position of the next phase."""

    phase: Short


class LineEntry(RecordedBoard):
    """A phase."""

    variant: Short | None = None
    map: Short | None = None
    phase: Short | None = None
    orders: ByPower[Text] = Field({})
    rulebook: str | dict[str, Any] | None = None
    game: Short = ""
    flag: Text | None = None
    next: NextEntry | None = None


def ruling_data(ruling: Ruling) -> dict[str, object]:
    """Return a ruling as JSON: the order, its result, the cause's name, the sentence, and the clause."""
    return {
        "power": ruling.power,
        "order": ruling.given,
        "result": str(ruling.result),
        "cause": ruling.cause.name.lower(),
        "text": ruling.text,
        "clause": ruling.clause,
        "dislodged": ruling.dislodged,
    }


def facts(position: Position) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Return the facts of a position that can be compared, each with its province: units, owners and retreats."""
    return (
        {f"{u.power} {u}": u.at.province for u in position.units},
        {f"{power} {centre}": centre for centre, power in position.owners.items()},
        {
            f"{d.unit.power} {d.unit} to {' '.join(sorted(map(str, d.retreats)))}": d.unit.at.province
            for d in position.dislodged
            if d.retreats
        },
    )


def ledger_data(ledger: Ledger) -> dict[str, Any]:
    """Return the published ledger of a position: each power's numbers, and every line with its parts.

    A `strength` of null equals the centres, or is not known yet.
    """
    return {
        "phase": ledger.phase,
        "powers": [
            {"power": h.power, "centers": h.centres, "units": h.units, "strength": h.strength} for h in ledger.holdings
        ],
        "entries": [asdict(entry) for entry in ledger.entries],
    }


OVER = "COMPLETED"
"""The next phase in some records of games that are over; the board is as when the next phase would begin."""

MOST_REASONS = 6
"""Rulings that a difference names."""

MOST_RULES = 32
"""Rules kept at a time."""


class Bench:
    """Keeps the rules of each variant and rulebook asked for, so that a file of many lines loads each once.

    `variant` returns the variant of a name, and `others` the names of more that may be meant.  Of rules, which
    remember the texts they have read, only the `MOST_RULES` used last are kept.
    """

    def __init__(self, find: Callable[[str], Variant]) -> None:
        self.variant = cache(find)
        self.others: Callable[[Iterable[str]], Iterable[str]] = getattr(find, "others", lambda _: variant_names())
        self._rules = lru_cache(MOST_RULES)(lambda name, book: Rules.of(self.variant(name), book))

    def rules(self, name: str, rulebook: object = None) -> Rules:
        """Return the rules of a variant, under its own rulebook or another."""
        return self._rules(name, None if rulebook is None else Rulebook.of(rulebook))  # type: ignore[arg-type]


@contextmanager
def placed(where: str) -> Iterator[None]:
    """Name the place in errors that are raised within."""
    try:
        yield
    except GamesmasterError as error:
        raise with_line(error, where) from None


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
    recorded: NextEntry | None = None
    where: str = ""

    @cached_property
    def adjudication(self) -> Adjudication:
        """The phase adjudicated."""
        return adjudicate(self.rules, self.phase.kind, self.position, self.orders)

    def following(self, wanted: Phase | None) -> tuple[Phase, Position]:
        """Return the next phase to be played and its position; no phase before `wanted` that nobody has work in."""
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

    @cached_property
    def next_phase(self) -> Phase | None:
        """The next phase in the record, None after the last phase of the game."""
        if self.recorded is None or self.recorded.phase.upper() == OVER:
            return None
        with placed(self.where):
            return self.variant.calendar.read(self.recorded.phase)

    def next_position(self, phase: Phase) -> Position:
        """Return the next position in the record, as one of this phase; raises a `GamesmasterError` with its place."""
        assert self.recorded is not None
        with placed(self.where):
            entry = completed(self.recorded, self.following(self.next_phase)[1], self.rules)
            return position_of(entry, self.variant, self.rules, phase)

    def differences(self) -> list[str]:
        """Return the differences of the recorded next position from the adjudicated one, in words.

        Each names the rulings on the units concerned, with their rules.  Empty if they agree.
        """
        calendar, wanted = self.variant.calendar, self.next_phase
        phase, position = self.following(wanted)
        if wanted and phase != wanted:
            told = f"next phase: recorded {calendar.code(wanted)}, adjudicated {calendar.code(phase)}"
            return [told + self._why({d.unit.at.province for d in self.adjudication.position.dislodged})]
        recorded = self.next_position(phase)
        if phase.kind is PhaseKind.MOVEMENT:
            position = Position(position.units, position.owners)
        found = []
        for what, theirs, ours in zip(("units", "centers", "dislodged"), facts(recorded), facts(position), strict=True):
            more, less = theirs.keys() - ours.keys(), ours.keys() - theirs.keys()
            if more or less:
                told = f"{what}: recorded {_listed(more)}, adjudicated {_listed(less)}"
                found.append(told + self._why({(theirs | ours)[one] for one in more | less}))
        return found

    def _why(self, provinces: set[str]) -> str:
        """Return the rulings on units and orders in these provinces, with the rules that decided."""
        said = []
        for ruling in self.adjudication.rulings:
            order, unit = ruling.order, ruling.unit
            places = (unit and unit.at, order and order.at, order and order.to)
            if provinces & {place.province for place in places if place}:
                said.append(f"{ruling.given or unit} {ruling.result}: it {ruling.text} [{ruling.clause}]")
        return f" ({'; '.join(said[:MOST_REASONS])})" if said else ""


def _listed(items: Iterable[str]) -> str:
    return ", ".join(sorted(items)) or "none"


B = TypeVar("B", bound=RecordedBoard)


def completed(entry: B, position: Position, rules: Rules) -> B:
    """Return an entry with missing parts taken from `position`: units, owners, and places to retreat to."""
    told = position_data(position)
    left: dict[str, Any] = {} if entry.centers is not None else {"centers": told["centers"]}
    if entry.units is None:
        left["units"] = told["units"]
    if entry.units is None and not entry.dislodged:
        beaten = {power: [RecordedDislodged(**out) for out in outs] for power, outs in told["dislodged"].items()}
        return entry.model_copy(update={**left, "dislodged": beaten})
    known = {d.unit.at.province: list(map(str, d.retreats)) for d in position.dislodged}

    def one(out: RecordedDislodged, power: str) -> RecordedDislodged:
        if "retreats" in out.model_fields_set:
            return out
        return out.model_copy(update={"retreats": known.get(read_unit(out.unit, power, 1, rules).at.province, [])})

    beaten = {power: [one(out, power) for out in entries] for power, entries in entry.dislodged.items()}
    return entry.model_copy(update={**left, "dislodged": beaten})


def phase_of(
    data: object, bench: Bench, *, rulebook: object = None, where: str = "", before: Position | None = None
) -> PhaseLine:
    """Return the phase that a line's JSON data describes; raise a `GamesmasterError` with the fault and its place.

    `rulebook` is used if the line names none; `where` names the line in complaints.  `before` is the position to which
    the phase before it led, for what the line leaves out.
    """
    with placed(where):
        line = validate(LineEntry, data, BadFile)
        name = line.variant or line.map or "standard"
        chosen = line.rulebook if line.rulebook is not None else rulebook
        variant, rules = bench.variant(name), bench.rules(name, chosen)
        phase = variant.calendar.read(line.phase) if line.phase is not None else variant.calendar.first
        if before and phase.kind is not PhaseKind.RETREATS:
            before = Position(before.units, before.owners, (), before.state)
        entry = completed(line, before, rules) if before else line
        position = position_of(entry, variant, rules, phase)
        known_powers(rules, line.orders)
    return PhaseLine(variant, rules, phase, position, line.orders, line.game, line.flag, line.next, where)
