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
from gamesmaster.formats.saved_games import MOST_PHASES, OF_THE_PACKAGE
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
    for number, line in enumerate(source.text.splitlines(), 1):
        place, text = f"{source.where}, line {number}", line.strip()
        if found := _PHASE.fullmatch(text):
            if len(phases) >= MOST_PHASES:
                raise BadFile(f"more than {MOST_PHASES:,} phases", where=place)
            year, season, kind = found.groups()
            phases.append(
                {"phase": phase_text(season, year, kind), "units": {}, "centers": {}, "dislodged": {}, "orders": {}}
            )
        elif not phases or text in ("", "POSITIONS", "ORDERS"):
            continue
        elif placed := _PLACED.fullmatch(text):
            _place(phases[-1], *placed.groups())
        else:
            _add_order(phases[-1], text, place)
    for one, after in pairwise(phases):
        one["next"] = {key: after[key] for key in ("phase", "units", "centers", "dislodged")}
    boards = dict.fromkeys((path.parent.name, path.stem.partition(".")[0], "standard"))
    lines, last = phases[:-1], phases[-1] if phases else None
    yield RecordedGame(path.stem, tuple(filter(None, boards)), lines, OF_THE_PACKAGE, last=last)


def _place(phase: PhaseData, power: str, kind: str, beaten: str | None, at: str) -> None:
    if kind == "supply":
        phase["centers"].setdefault(power, []).append(at)
    elif beaten:
        phase["dislodged"].setdefault(power, []).append({"unit": f"{_KINDS[kind]} {at}"})
    elif (piece := f"{_KINDS[kind]} {at}") not in phase["units"].setdefault(power, []):  # some are there twice
        phase["units"][power].append(piece)


def _add_order(phase: PhaseData, text: str, where: str) -> None:
    """Add an order to those of the power whose unit or centre it names first."""
    words = [word for word in text.split() if word != "anywhere"]
    at = next((word for word in words if word not in ("build", "remove", *_KINDS)), "").partition("/")[0]
    beaten = {power: [out["unit"] for out in units] for power, units in phase["dislodged"].items()}
    for pieces in (beaten, phase["units"], phase["centers"]):
        for power, ones in pieces.items():
            if any(one.rpartition(" ")[2].partition("/")[0] == at for one in ones):
                phase["orders"].setdefault(power, []).append(re.sub(r" move ", " - ", " ".join(words)))
                return
    raise BadFile(f"no unit or centre for the order {text[:60]!r}", where=where)


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
    for unit in state.units:
        kind = unit.type.casefold()
        _place(data, unit.nation, kind if kind in _KINDS else "army", "" if not unit.dislodged else "/", unit.province)
    for centre, nation in state.centres.items():
        _place(data, nation, "supply", None, centre)
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
