"""Recorded games of godip (text) and of Diplicity (JSON), phase by phase."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import Annotated, Any

from pydantic import Field

from gamesmaster.errors import BadFile
from gamesmaster.formats.form import Form, PhaseData, RecordedGame, Source
from gamesmaster.formats.phases import OVER
from gamesmaster.formats.saved_games import MOST_ORDERS, MOST_PHASES, OF_THE_PACKAGE
from gamesmaster.formats.states import in_words, phase_text
from gamesmaster.game.state_models import MOST, Short
from gamesmaster.schemas import Facts, validate

_PHASE = re.compile(r"PHASE\s+(-?\d{1,5})\s+(\w+)\s+(Movement|Retreat|Adjustment)")
_PLACED = re.compile(r"([^:]{1,80}):\s*(army|fleet|supply)(/dislodged)?\s+(\S{1,40})")
_KINDS = {"army": "A", "fleet": "F", "Army": "A", "Fleet": "F"}
_CARRIED = "positions, orders, phases"


def _games_of_godip(source: Source) -> Iterator[RecordedGame]:
    """Yield the game in a text: `PHASE`, `POSITIONS` and `ORDERS`, again and again."""
    path = PurePath(source.where)
    phases: list[PhaseData] = []
    holders: dict[tuple[str, str], str] = {}
    told = 0
    for number, line in enumerate(source.text.splitlines(), 1):
        place, text = f"{source.where}, line {number}", line.strip()
        if found := _PHASE.fullmatch(text):
            if len(phases) >= MOST_PHASES:
                raise BadFile(f"more than {MOST_PHASES:,} phases", where=place)
            year, season, kind = found.groups()
            phases.append(
                {"phase": phase_text(season, year, kind), "units": {}, "centers": {}, "dislodged": {}, "orders": {}}
            )
            holders, told = {}, 0
        elif not phases or text in ("", "POSITIONS", "ORDERS"):
            continue
        elif (told := told + 1) > 2 * MOST:
            raise BadFile(f"more than {2 * MOST:,} units, centres and orders in a phase", where=place)
        elif number > 4 * MOST_ORDERS:
            raise BadFile(f"more than {4 * MOST_ORDERS:,} lines", where=place)
        elif placed := _PLACED.fullmatch(text):
            _place(phases[-1], holders, *placed.groups())
        else:
            _add_order(phases[-1], holders, text, place)
    for one, after in pairwise(phases):
        one["next"] = {key: after[key] for key in ("phase", "units", "centers", "dislodged")}
    boards = dict.fromkeys((path.parent.name, path.stem.partition(".")[0], "standard"))
    lines, last = phases[:-1], phases[-1] if phases else None
    yield RecordedGame(path.stem, tuple(filter(None, boards)), lines, OF_THE_PACKAGE, last=last)


def _place(
    phase: PhaseData, holders: dict[tuple[str, str], str], power: str, kind: str, beaten: str | None, at: str
) -> None:
    """Add a unit or a centre to a phase, and to `holders`: the power by the table and the province."""
    table = "centers" if kind == "supply" else "dislodged" if beaten else "units"
    piece = at if kind == "supply" else f"{_KINDS[kind]} {at}"
    if table == "units":
        if (piece, power) in holders:  # some are there twice
            return
        holders[piece, power] = power
    phase[table].setdefault(power, []).append({"unit": piece} if table == "dislodged" else piece)
    holders.setdefault((table, at.partition("/")[0]), power)


def _add_order(phase: PhaseData, holders: dict[tuple[str, str], str], text: str, where: str) -> None:
    """Add an order to those of the power whose unit or centre it names first."""
    words = [word for word in text.split() if word != "anywhere"]
    at = next((word for word in words if word not in ("build", "remove", *_KINDS)), "").partition("/")[0]
    power = next((holders[table, at] for table in ("dislodged", "units", "centers") if (table, at) in holders), None)
    if power is None:
        raise BadFile(f"no unit or centre for the order {text[:60]!r}", where=where)
    phase["orders"].setdefault(power, []).append(re.sub(r" move ", " - ", " ".join(words)))


class _Unit(Facts):
    nation: Short
    type: Short
    province: Short
    dislodged: bool = False


class _State(Facts):
    units: list[_Unit] = Field(max_length=MOST)
    centres: dict[Short, Short] = Field(alias="supply_centers", max_length=MOST)


class _Order(Facts):
    nation: Short
    selected: Annotated[list[Short], Field(min_length=2, max_length=6)]


class _Phase(Facts):
    season: Short
    year: int = Field(ge=-10_000, le=100_000)
    type: Short
    orders: list[_Order] = Field([], max_length=MOST)
    after: _State | None = Field(None, alias="expected_state_after")

    @property
    def name(self) -> str:
        """The phase in words."""
        return phase_text(self.season, self.year, self.type)


class _Recording(Facts):
    variant: Short
    phases: list[_Phase] = Field(max_length=MOST_PHASES)
    source: dict[Short, Any] = Field({}, max_length=100)


def _games_of_diplicity(source: Source) -> Iterator[RecordedGame]:
    """Yield the game in a recording, with the board after each phase."""
    file = validate(_Recording, source.value, BadFile, source.where)
    lines: list[PhaseData] = []
    names = [*(phase.name for phase in file.phases[1:]), OVER]
    board: PhaseData = {}
    for phase, following in zip(file.phases, names, strict=True):
        orders: dict[str, list[str]] = {}
        for order in phase.orders:
            orders.setdefault(order.nation, []).append(_worded(phase.type, order.selected))
        after = _board(phase.after) if phase.after else {}
        lines.append({"phase": phase.name, **board, "orders": orders, "next": {"phase": following, **after}})
        board = after
    name = str(file.source.get("original_game_id_hash") or PurePath(source.where).stem)[:80]
    yield RecordedGame(name, (file.variant,), lines, OF_THE_PACKAGE)


def _board(state: _State) -> PhaseData:
    data: PhaseData = {"units": {}, "centers": {}, "dislodged": {}}
    holders: dict[tuple[str, str], str] = {}
    for unit in state.units:
        kind = unit.type.casefold()
        beaten = "/" if unit.dislodged else ""
        _place(data, holders, unit.nation, kind if kind in _KINDS else "army", beaten, unit.province)
    for centre, nation in state.centres.items():
        _place(data, holders, nation, "supply", None, centre)
    return data


def _worded(kind: str, selected: Sequence[str]) -> str:
    """Return an order in words: `["bre", "Move", "spa", "nc"]` as `bre - spa/nc`."""
    at, verb, *rest = selected
    if verb == "Build":
        place = f"{at}/{rest[1].rpartition('/')[2]}" if len(rest) > 1 and rest[1] != at else at
        return f"Build {_KINDS.get(rest[0], rest[0]) if rest else ''} {place}"
    if verb == "Disband" and kind == "Adjustment":
        return f"Remove {at}"
    if verb.startswith("Move") and len(rest) > 1:
        rest = [f"{rest[0]}/{rest[1].rpartition('/')[2]}"]
    return f"{at} {in_words([verb, *rest])}"


FORM = Form(
    id="godip-game",
    name="recorded games of godip",
    files="text",
    carried=_CARRIED,
    derived="the board: the folder's name, the file's, or the standard one, the first that has all places; retreats",
    lost="nothing",
    fits=lambda source: source.mark == b"P" and _PHASE.match(source.text.lstrip("\ufeff \t\r\n")),
    games=_games_of_godip,
)
DIPLICITY = Form(
    id="diplicity-game",
    name="recorded games of Diplicity",
    files="JSON",
    carried=_CARRIED,
    derived="the board by the variant's name, retreats, every result",
    lost="who was late, how phases were resolved",
    fits=lambda source: source.has("phases", "variant") and isinstance(source.value["variant"], str),
    games=_games_of_diplicity,
)
