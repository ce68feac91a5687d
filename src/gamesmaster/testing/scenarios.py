"""Scenarios of a variant: a position, orders, and in a Gamesmaster's words what becomes of them.

Each shows some clauses of the rules.  What a scenario begins with is under `other` (`scenario_setup`), what it looks at
beside the orders under `state` (`scenario_states`): who wins, who is removed, how many builds are due, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gamesmaster.board import Position
from gamesmaster.errors import BadFile, nearest
from gamesmaster.game import Variant
from gamesmaster.judge import Adjudication, adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.testing.datc import Row, Run, placed, standing
from gamesmaster.testing.scenario_setup import Scene, orders, position, scene
from gamesmaster.testing.scenario_states import SETUP, STATES, Seen
from gamesmaster.testing.scenario_words import Stage


def run_scenario(scenario: Mapping[str, Any], variant: Variant, folder: Path | None = None) -> Run:
    """Run one scenario of the variant in a folder (one of the package's if left out).

    Its own options are added to those of the variant.  Raises `BadFile` if it tells of, or looks at, something that
    nobody here knows.
    """
    ready = scene(scenario, Stage(variant, folder))
    played = _start if scenario["phase"] == "Setup" else _phase
    return scenario["id"], title(scenario), played(scenario, ready)


def title(scenario: Mapping[str, Any]) -> str:
    """A scenario's title, with the clauses that it shows."""
    return f"{scenario['title']} ({', '.join(scenario['clauses'])})"


def _start(scenario: Mapping[str, Any], ready: Scene) -> list[Row]:
    """What stands before the first phase; units are looked at if any are told."""
    expect, start = ready.expect, ready.variant.start
    rows: list[Row] = [("start", placed(expect["after"]), standing(start))] if expect["after"] else []
    for name, wanted in expect.get("state", {}).items():
        rows.append(_row(name, wanted, _known(SETUP, name, scenario)(ready)))
    return rows


def _phase(scenario: Mapping[str, Any], ready: Scene) -> list[Row]:
    """What becomes of a phase: every order, every unit, every retreat."""
    phase = ready.variant.calendar.read(scenario["phase"])
    before = position(scenario, phase, ready)
    given = orders(scenario, ready, phase, before)
    disorder = ready.other.get("civil_disorder", ())
    done = adjudicate(ready.rules, phase.kind, before, given, disorder=disorder)
    expect = ready.expect
    seen = Seen(ready, phase, before, done)
    # Where nobody has a retreat to make, a scenario of that phase is about the count that follows it.
    counted = phase.kind is PhaseKind.RETREATS and not before.dislodged
    after = seen.step.position if counted else done.position
    results = ready.stage.words.results
    rows = [*_order_rows(expect, done, results), ("after", placed(expect["after"]), standing(after))]
    rows += _dislodged_rows(expect, done.position)
    if "centres" in expect:
        rows.append(("centres", _plain(expect["centres"]), _plain({p: after.centres(p) for p in expect["centres"]})))
    if "builds" in expect:
        rows.append(("builds", expect["builds"], {power: seen.left(power) for power in expect["builds"]}))
    for name, wanted in expect.get("state", {}).items():
        rows.append(_row(name, wanted, _known(STATES, name, scenario)(seen)))
    return rows


def _known(table: Mapping[str, Any], name: str, scenario: Mapping[str, Any]) -> Any:
    if name not in table:
        what = f"scenario {scenario['id']} expects {name!r}, which nothing here can tell"
        raise BadFile(what, hint=nearest(name, table))
    return table[name]


def _order_rows(expect: Mapping[str, Any], done: Adjudication, results: Mapping[str, list[str]]) -> list[Row]:
    """Each order's result; a dossier's own word for one may stand for several of ours."""
    found = {r.given: f"{r.result}{', dislodged' if r.dislodged else ''}" for r in done.rulings if r.given}
    rows: list[Row] = []
    for text, wanted in expect["orders"].items():
        got = found.get(text, "no such order")
        rows.append((text, wanted, wanted if got in results.get(wanted, ()) else got))
    return rows


def _dislodged_rows(expect: Mapping[str, Any], position: Position) -> list[Row]:
    told = expect.get("dislodged", {})
    if isinstance(told, list):
        return [("dislodged", set(told), {str(d.unit) for d in position.dislodged})]
    wanted = {
        f"{power}: {unit} to {' '.join(sorted(open_to))}"
        for power, units in told.items()
        for unit, open_to in units.items()
    }
    found = {f"{d.unit.power}: {d.unit} to {' '.join(sorted(map(str, d.retreats)))}" for d in position.dislodged}
    return [("dislodged", wanted, found)]


def _row(name: str, wanted: object, got: object) -> Row:
    """Compare what was looked at.  Where a list is found, a number asks how long it is, a truth whether it is empty."""
    if isinstance(got, (list, tuple)) and isinstance(wanted, int):
        got = bool(got) if isinstance(wanted, bool) else len(got)
    return name, _plain(wanted), _plain(got)


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value)}
    return sorted(value) if isinstance(value, (list, tuple)) else value
