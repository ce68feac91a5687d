"""The worked scenarios of the standard game, under the presets and options they name."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import pytest

from gamesmaster.errors import BadFile
from gamesmaster.game import find_variant
from gamesmaster.testing.scenarios import run_scenario

STANDARD = files("gamesmaster") / "variants" / "standard"
SCENARIOS: list[dict[str, Any]] = json.loads((STANDARD / "scenarios.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s["id"])
def test_scenario(scenario: dict[str, Any]) -> None:
    """Every order, every unit, every retreat and every count of a scenario comes out as the rules say."""
    _, _, rows = run_scenario(scenario, find_variant("standard"))
    assert [row for row in rows if row[1] != row[2]] == []


def test_every_clause_has_a_scenario() -> None:
    """Each clause of the rules is shown by at least one scenario, and none is cited that does not exist."""
    clauses = set(re.findall(r"\*\*(STD-[\w.]+)\*\*", (STANDARD / "RULES.md").read_text(encoding="utf-8")))
    shown = {clause for scenario in SCENARIOS for clause in scenario["clauses"]}
    assert clauses
    assert clauses == {clause for clause in shown if clause.startswith("STD-")}


def test_a_scenario_that_expects_the_unknown_is_refused() -> None:
    """A state that nothing here can tell is an error, not a silent pass."""
    scenario = {**SCENARIOS[1], "expect": {**SCENARIOS[1]["expect"], "state": {"weather": "fine"}}}
    with pytest.raises(BadFile, match="weather"):
        run_scenario(scenario, find_variant("standard"))


def test_a_wrong_expectation_fails() -> None:
    """A scenario whose expectation is changed does not pass."""
    expect = {**SCENARIOS[1]["expect"], "after": {"Austria": ["A VIE"]}}
    _, _, rows = run_scenario({**SCENARIOS[1], "expect": expect}, find_variant("standard"))
    assert [row[0] for row in rows if row[1] != row[2]] == ["after"]
