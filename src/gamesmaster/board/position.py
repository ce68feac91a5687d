"""Positions: units, owners of centres, units waiting to retreat; and the names of places and units for people.

There is one spelling for reports, rulings, mails, pages and pictures. Files and programs have the ids instead
(`str(location)`, `str(unit)`: `STP/SC`, `F STP/SC`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from gamesmaster.board.model import Board, Form, Location, Terrain
from gamesmaster.errors import BadPosition, must_be


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece on the board.

    `number` is the unit's for life, so that orders and cargo can be bound to it; `kind` is its letter; `aboard` is the
    number of the unit that carries it, 0 for none.
    """

    number: int
    kind: str
    power: str
    at: Location
    aboard: int = 0

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit beaten out of its province, and the locations open to it.

    `by` is the province its attacker came from, empty if unknown.
    """

    unit: Unit
    by: str = ""
    retreats: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """The board between two phases: units, owners of provinces, units that must retreat, and the mechanics' states.

    `units` are all units on the board, without the dislodged ones.  `owners` maps ids of provinces to names of powers;
    provinces that nobody owns are left out.  `dislodged` are the units that must retreat, with the locations open to
    them.  `state` maps ids of mechanics to what they keep, as JSON values.  Positions are values: change one with
    `dataclasses.replace`.
    """

    units: tuple[Unit, ...] = ()
    owners: Mapping[str, str] = field(default_factory=dict)
    dislodged: tuple[Dislodged, ...] = ()
    state: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("owners", "state"):
            if not isinstance(getattr(self, name), MappingProxyType):
                object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __hash__(self) -> int:
        return hash((self.units, frozenset(self.owners.items()), self.dislodged, frozenset(self.state)))

    def __iter__(self) -> Iterator[Unit]:
        return iter(self.units)

    @property
    def digest(self) -> str:
        """The SHA-256 of the position in hexadecimal, the same in every process and on every machine.

        It is computed from a JSON text with sorted keys, no spaces, in UTF-8, as `docs/state.md` describes it.  The
        order of the units does not matter, nor their numbers, unless mechanics keep something.
        """
        data: dict[str, object] = {
            "units": _by_power((unit.power, str(unit)) for unit in self.units),
            "centers": _by_power((power, province) for province, power in self.owners.items()),
            "dislodged": _by_power(
                (out.unit.power, [str(out.unit), out.by, sorted(map(str, out.retreats))]) for out in self.dislodged
            ),
            "aboard": _by_power((unit.power, str(unit)) for unit in self.everybody if unit.aboard),
            "state": dict(self.state),
        }
        if self.state:
            data["numbers"] = sorted([unit.number, unit.power, str(unit), unit.aboard] for unit in self.everybody)
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def of(self, power: str) -> tuple[Unit, ...]:
        """Return a power's units on the board, in order; dislodged ones are not among them."""
        return tuple(u for u in self.units if u.power == power)

    @property
    def everybody(self) -> tuple[Unit, ...]:
        """Return all units: those on the board, and then the dislodged ones."""
        return (*self.units, *(out.unit for out in self.dislodged))

    @property
    def last_number(self) -> int:
        """Return the highest number of a unit, 0 without units."""
        return max((unit.number for unit in self.everybody), default=0)

    def at(self, province: str) -> Unit | None:
        """Return the unit in this province, the first if there are several; None if the province is empty."""
        return next((u for u in self.units if u.at.province == province), None)

    def centres(self, power: str) -> tuple[str, ...]:
        """Return the ids of the provinces that a power owns, sorted."""
        return tuple(sorted(p for p, owner in self.owners.items() if owner == power))

    def _plain(self, board: Board) -> bool:
        """Return whether a quick check finds no fault: no unit aboard another, each alone where its kind can stand."""
        units = self.everybody
        return (
            len({unit.at.province for unit in self.units}) == len(self.units)
            and len({unit.number for unit in units}) == len(units)
            and all((unit.kind, unit.at) in board.standing for unit in units)
            and not any(unit.aboard for unit in units)
            and self.owners.keys() <= board.index.keys()
        )

    def problems(self, board: Board) -> list[str]:
        """Return everything wrong with this position on this board, in words; empty when nothing is."""
        if self._plain(board):
            return []
        found = []
        held: dict[str, Unit] = {}
        for unit in self.units:
            if unit.kind not in board.ways:
                found.append(f"{unit}: no such kind of unit")
            elif unit.at not in board.location_index:
                found.append(f"{unit}: no such place")
            elif not unit.aboard and not board.can_stand(unit.kind, unit.at):
                found.append(f"{unit}: a unit of this kind cannot lie there")
            elif not unit.aboard and (other := _neighbour(unit, held, board)):
                found.append(f"{unit}: {other} is in the same province")
        numbers = [u.number for u in self.units] + [d.unit.number for d in self.dislodged]
        if len(set(numbers)) != len(numbers):
            found.append("two units have the same number")
        found += [f"{p}: no such province" for p in self.owners if p not in board.index]
        return [*found, *_badly_laden(self, board)]


def _by_power(found: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """Gather values by power, each power's in order."""
    gathered: dict[str, list[Any]] = {}
    for power, value in sorted(found):
        gathered.setdefault(power, []).append(value)
    return gathered


def _neighbour(unit: Unit, held: dict[str, Unit], board: Board) -> Unit | None:
    """Return another unit in the province of this unit, unless it is a box; `held` has the first of each."""
    first = held.setdefault(unit.at.province, unit)
    together = board.province(unit.at.province).terrain is Terrain.BOX
    return None if first is unit or together else first


def _badly_laden(position: Position, board: Board) -> list[str]:
    """Return the faults of units aboard: each needs a carrier in the same place, and each carrier exactly one unit."""
    everybody = position.everybody
    carriers = {u.number: u for u in everybody if board.cargo(u.kind)}
    aboard = [u for u in everybody if u.aboard]
    found = []
    for unit in aboard:
        carrier = carriers.get(unit.aboard)
        if carrier is None or carrier.at != unit.at or board.cargo(carrier.kind) != unit.kind:
            found.append(f"{unit}: it is aboard a unit that is not there")
    laden = sorted(u.aboard for u in aboard)
    if laden != sorted(carriers) and not found:
        found.append("a laden unit carries nobody, or several")
    return found


def units_from(
    placed: Mapping[str, Iterable[str]], first: int = 1, forms: Mapping[str, Form] = MappingProxyType({})
) -> tuple[Unit, ...]:
    """Return units from their plain form, `{"France": ["A PAR", "F STP/NC"]}`, numbered from `first` in that order.

    `forms` are the board's: a unit of a kind that carries another is followed by what it carries (`A/F e`).  Other
    spellings (`Army Paris`) are read where a board is known, as in `adjudicate`.  Raises `BadPosition` for a text
    without a kind of unit, and `TypeError` for a value that is not a list of texts.
    """
    must_be(Mapping, placed, "the units of each power: a mapping of lists")
    units: list[Unit] = []
    for power, texts in placed.items():
        must_be(str, power, "the name of a power")
        for text in _unit_texts(power, texts):
            kind, _, where = text.strip().partition(" ")
            if not where:
                raise BadPosition(
                    f"{text!r} of {power} does not say what kind of unit it is",
                    hint=f"write A {text} for an army, F {text} for a fleet" if text else "",
                )
            number, at = first + len(units), Location.of(where)
            units.append(Unit(number, kind, power, at))
            if kind in forms and forms[kind].cargo:
                units.append(Unit(number + 1, forms[kind].cargo, power, at, aboard=number))
    return tuple(units)


def _unit_texts(power: str, texts: Iterable[str]) -> Iterator[str]:
    """Yield the units of a power; raises `TypeError` if they are not a list of texts."""
    wanted = f"a list of texts for the units of {power}"
    must_be(list if isinstance(texts, str) else Iterable, texts, wanted)
    for text in texts:
        must_be(str, text, wanted)
        yield text


# -- names of places and units for people ---------------------------------------------------------------------------


_COASTS: Mapping[str, str] = MappingProxyType(
    {"N": "north coast", "S": "south coast", "E": "east coast", "W": "west coast"}
)


def with_coast(name: str, coast: str, *, spelt: bool = False) -> str:
    """Return the name of a place with its coast, if any: `Stp/SC`, or `St Petersburg (sc)` if `spelt` out."""
    if not coast:
        return name
    return f"{name} ({coast.lower()})" if spelt else f"{name}/{coast}"


def coast_words(coast: str) -> str:
    """Return a coast in words: `south coast`."""
    return _COASTS.get(coast.removesuffix("C"), f"coast {coast}")


def place_code(board: Board, at: Location) -> str:
    """Return a place as orders name it, in short: `Stp/SC`, `14`.  What is not on the board is printed as it is."""
    name = board.province(at.province).abbr if at.province in board.index else at.province
    return with_coast(name, at.coast)


def place_name(board: Board, at: Location, power: str = "") -> str:
    """Return a place as reports and maps print it: `Stp/SC`, or beside a number `14 (Seneca)`.

    With the power of the unit there: `Stp/SC (Russia)`, `14 (Seneca, Iroquois)`.
    """
    province = board.province(at.province) if board.numbered and at.province in board.index else None
    if province is None or province.name == province.abbr:
        return f"{place_code(board, at)} ({power})" if power else place_code(board, at)
    return with_coast(f"{province.abbr} ({', '.join(filter(None, (province.name, power)))})", at.coast)


def place_words(board: Board, at: Location, say: Callable[[str], str] = str) -> str:
    """Return a place in full: `St Petersburg, south coast`; `say` translates the words for the coast."""
    name = board.province(at.province).name
    return f"{name}, {say(coast_words(at.coast))}" if at.coast else name


def province_name(board: Board, province: str) -> str:
    """Return a province by its name: `Burgundy`, or `14 (Seneca)` where provinces go by numbers."""
    return place_name(board, Location(province)) if board.numbered else board.province(province).name


def unit_code(board: Board, unit: Unit) -> str:
    """Return a unit as orders name it, in short: `F Stp/SC`, `W 14`."""
    return f"{unit.kind} {place_code(board, unit.at)}"


def unit_name(board: Board, unit: Unit) -> str:
    """Return a unit as reports and maps print it: `F Stp/SC`, or `W 14 (Seneca)` where provinces go by numbers."""
    return f"{unit.kind} {place_name(board, unit.at)}"


def unit_and_power(board: Board, unit: Unit) -> str:
    """Return a unit in its place with its power: `F Stp/SC (Russia)`, `W 14 (Seneca, Iroquois)`."""
    return f"{unit.kind} {place_name(board, unit.at, unit.power)}"
