"""The data of phase lines: positions and rulings, from JSON and to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from gamesmaster.board import Dislodged, Location, Position, Unit
from gamesmaster.errors import BadFile, BadOrder
from gamesmaster.game import Variant
from gamesmaster.judge import Rules, Ruling
from gamesmaster.judge.binding import known_powers

MOST = 2_000
"""Units, orders or centres of one power."""

Text = Annotated[str, StringConstraints(max_length=1_000)]
Short = Annotated[str, StringConstraints(max_length=80)]


class Entry(BaseModel):
    """Keys that we have no use for are passed over: other programs say more than we read."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class DislodgedEntry(Entry):
    """A unit that must retreat; `retreats_computed` stands beside a list that is known to be wrong."""

    unit: Short
    origin: Short = Field("", alias="from")
    retreats: list[Short] = Field([], max_length=MOST)
    retreats_computed: list[Short] | None = Field(None, max_length=MOST)


class BoardEntry(Entry):
    """A position."""

    units: dict[Short, Annotated[list[Short], Field(max_length=MOST)]] | None = None
    centers: dict[Short, Annotated[list[Short], Field(max_length=MOST)]] | None = None
    dislodged: dict[Short, Annotated[list[DislodgedEntry], Field(max_length=MOST)]] = {}


class NextEntry(BoardEntry):
    """The position of the next phase."""

    phase: Short


class LineEntry(BoardEntry):
    """A phase."""

    variant: Short | None = None
    map: Short | None = None
    phase: Short | None = None
    orders: dict[Short, Annotated[list[Text], Field(max_length=MOST)]] = {}
    rulebook: str | dict[str, Any] | None = None
    game: Short = ""
    flag: Text | None = None
    next: NextEntry | None = None


def position_of(data: BoardEntry, variant: Variant, rules: Rules) -> Position:
    """The position that a line, or its `next`, tells of; what it leaves out is as at the variant's start.

    Raises `BadFile` or `NotFound`, with the nearest right thing.
    """
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


def facts(position: Position) -> tuple[set[str], set[str], set[str]]:
    """What can be compared of two positions: units, owners of centres, and units that may retreat, with where to."""
    return (
        {f"{u.power} {u}" for u in position.units},
        {f"{power} {centre}" for centre, power in position.owners.items()},
        {
            f"{d.unit.power} {d.unit} to {' '.join(sorted(map(str, d.retreats)))}"
            for d in position.dislodged
            if d.retreats
        },
    )
