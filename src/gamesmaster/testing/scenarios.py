"""Worked cases of a variant, from the `scenarios.json` in its folder: positions, orders, and what becomes of them.

`docs/board-files.md` describes the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from gamesmaster import strictjson
from gamesmaster.errors import BadFile, GamesmasterError
from gamesmaster.game import position_of
from gamesmaster.game.state_models import MOST, BoardEntry, ByPower, Short, Text
from gamesmaster.judge import adjudicate, known_powers, read_unit
from gamesmaster.rules import Rules
from gamesmaster.schemas import Facts, validate
from gamesmaster.variant import Variant

SCENARIOS = "scenarios.json"
"""The file with the worked cases, in the folder of a variant."""
LARGEST = 2**20
"""Bytes of such a file."""
DEEPEST = 12
"""Levels of nesting."""
MOST_SCENARIOS = 1_000
"""Cases of such a file."""


class _Expected(Facts):
    orders: dict[Text, Short | list[Short]] = Field({}, max_length=MOST)
    after: ByPower[Short] | None = None
    dislodged: list[Short] | dict[Short, dict[Short, list[Short]]] | None = Field(None, max_length=MOST)
    state: dict[Short, Any] = Field({})


class _Scenario(Facts):
    id: Short
    title: Text = ""
    phase: Short
    units: ByPower[Short]
    orders: ByPower[Text] = Field({})
    other: dict[Short, Any] = Field({})
    expect: _Expected


@dataclass(frozen=True, slots=True)
class ScenarioCheck:
    """The result of a variant's worked cases: what came out differently, and the ids of those that were run or not."""

    problems: tuple[str, ...]
    run: tuple[str, ...]
    not_run: tuple[str, ...]


def check_scenarios(variant: Variant, text: bytes, where: str = SCENARIOS) -> ScenarioCheck:
    """Run the worked cases in the text of a `scenarios.json`; each problem names its case.

    A case may say who owns the centres (`other.centres`).  One that needs more than that is not run.  Raises `BadFile`
    for a text that is not a list of at most `MOST_SCENARIOS` cases.
    """
    data = strictjson.loads(text, limit=LARGEST, depth=DEEPEST, where=where)
    if not isinstance(data, list) or len(data) > MOST_SCENARIOS:
        raise BadFile(f"not a list of at most {MOST_SCENARIOS:,} scenarios", where=where)
    rules = Rules.of(variant)
    problems, run, not_run = list[str](), list[str](), list[str]()
    for number, one in enumerate(data):
        try:
            case = validate(_Scenario, one, BadFile, f"{where}, $[{number}]")
            if case.phase == "Setup" or case.expect.state or case.other.keys() - {"centres"}:
                not_run.append(case.id)
                continue
            run.append(case.id)
            problems += (f"{case.id} {case.title}: {what}".strip() for what in _differences(case, variant, rules))
        except GamesmasterError as fault:
            problems.append(f"scenario {number + 1}: {fault}")
    return ScenarioCheck(tuple(problems), tuple(run), tuple(not_run))


def _differences(case: _Scenario, variant: Variant, rules: Rules) -> Iterator[str]:
    phase, expect = variant.calendar.read(case.phase), case.expect
    owners = case.other.get("centres", None if phase == variant.calendar.first else {})
    board = validate(BoardEntry, {"units": case.units, "centers": owners}, BadFile)
    position = position_of(board, variant, rules, phase)
    done = adjudicate(rules, phase.kind, position, known_powers(rules, case.orders))
    found: dict[str, list[str]] = {}
    for ruling in (ruling for ruling in done.rulings if ruling.given):
        beside = ruling.order is not None and ruling.order.verb.rider
        lost = ", dislodged" if ruling.dislodged and not beside else ""
        found.setdefault(ruling.given, []).append(f"{ruling.result}{lost}")
    for order, wanted in expect.orders.items():
        got = found.get(order, ["no such order"])
        if got != (wanted if isinstance(wanted, list) else [wanted] * len(got)):
            yield f"{order}: expected {_listed(wanted)}, got {_listed(got)}"
    if expect.after is not None:
        units = {f"{unit.power} {unit}" for unit in done.position.units if not unit.aboard}
        wanted_units = {f"{power} {unit}" for power in expect.after for unit in _plain(rules, expect.after[power])}
        yield from _unlike("after", wanted_units, units)
    beaten = [one for one in done.position.dislodged if not one.unit.aboard]
    if isinstance(expect.dislodged, list):
        yield from _unlike("dislodged", {*_plain(rules, expect.dislodged)}, {str(one.unit) for one in beaten})
    elif expect.dislodged is not None:
        ways = {f"{p} {u} to {' '.join(sorted(to))}" for p, own in expect.dislodged.items() for u, to in own.items()}
        open_to = {f"{b.unit.power} {b.unit} to {' '.join(sorted(map(str, b.retreats)))}" for b in beaten}
        yield from _unlike("dislodged", ways, open_to)


def _plain(rules: Rules, units: Sequence[str]) -> Iterator[str]:
    """Yield units as they are written by the program."""
    return (str(read_unit(text, "", 1, rules)) for text in units)


def _unlike(what: str, wanted: set[str], got: set[str]) -> Iterator[str]:
    if wanted != got:
        yield f"{what}: expected {_listed(sorted(wanted - got))}, got {_listed(sorted(got - wanted))}"


def _listed(words: str | Sequence[str]) -> str:
    return words if isinstance(words, str) else ", ".join(words) or "nothing else"
