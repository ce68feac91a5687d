"""The worked scenarios of every variant, under the presets and options they name."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.errors import BadFile, OutOfTurn
from gamesmaster.variant import find_rules_text, find_variant, variant_names
from gamesmaster.variant.sources import file_of, shelf
from tests.catalogue import REMARK, find_catalogue
from tests.scenarios.cases import run_cases
from tests.scenarios.running import run_scenario
from tests.scenarios.words import Stage, host_reason

SCENARIOS: dict[str, list[dict[str, Any]]] = {
    name: json.loads(file_of(shelf() / name, "scenarios.json").read_text(encoding="utf-8")) for name in variant_names()
}
OPEN: dict[str, str] = {}
"""Scenarios that the engine fails, each told in docs/variants.md; one that passes must leave this list."""
COUNTED = ("standard", "1000ad")
"""The variants whose scenarios run branches that no other test runs."""


def _cases() -> list[Any]:
    return [
        pytest.param(
            name,
            scenario,
            id=f"{name}-{scenario['id']}",
            marks=[
                *([pytest.mark.xfail(reason=OPEN[scenario["id"]], strict=True)] if scenario["id"] in OPEN else []),
                *([] if name in COUNTED else [pytest.mark.bulk]),
            ],
        )
        for name, scenarios in SCENARIOS.items()
        for scenario in scenarios
    ]


def _failed(scenario: Mapping[str, Any], variant: str = "standard") -> list[str]:
    """What of a scenario comes out otherwise."""
    return [row[0] for row in run_scenario(scenario, find_variant(variant))[2] if row[1] != row[2]]


def _with(scenario: Mapping[str, Any], part: str, **changes: object) -> dict[str, Any]:
    """The scenario with something else told under `other`, or expected."""
    return {**scenario, part: {**scenario[part], **changes}}


def _one(number: str) -> dict[str, Any]:
    family = {"STD": "standard", "CLN": "cline9", "TAD": "1000ad"}[number[:3]]
    return next(scenario for scenario in SCENARIOS[family] if scenario["id"] == number)


@pytest.mark.parametrize(("name", "scenario"), _cases())
def test_scenario(name: str, scenario: dict[str, Any]) -> None:
    """Every order, every unit, every retreat and every count of a scenario comes out as the rules say."""
    assert host_reason(scenario) == ""
    _, _, rows = run_scenario(scenario, find_variant(name))
    assert rows
    assert [row for row in rows if row[1] != row[2]] == []


def _is_test(cases: tuple[str, ...]) -> bool:
    return any(case.startswith("tests/") for case in cases)


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_clause_has_a_scenario(name: str) -> None:
    """Each clause of a variant's own rules is shown by a scenario or a test, or it is told why only a host does it."""
    page = [clause.id for clause in find_rules_text(name).clauses]
    families = (page[0].partition("-")[0] + "-", *(("AFM-",) if name == "1000ad" else ()))
    clauses = {clause for clause in page if clause.startswith(families)}
    shown = {c for scenario in SCENARIOS[name] for c in scenario["clauses"] if c.startswith(families)}
    host = Stage(find_variant(name)).words.host
    tested = {c.clause for c in find_catalogue(name).values() if c.by == REMARK or _is_test(c.cases[-1:])} & clauses
    assert clauses
    assert clauses - (tested - shown - host.keys()) == shown | host.keys()
    assert shown & host.keys() == set()
    assert all(len(reason.split()) > 3 for reason in host.values())


def test_ids_are_given_once() -> None:
    """No two scenarios of the package have the same id, and the open ones are among them."""
    own = [name for name in SCENARIOS if file_of(shelf() / name, "scenarios.json").parent.name == name]
    ids = [scenario["id"] for name in own for scenario in SCENARIOS[name]]
    assert sorted(set(ids)) == sorted(ids)
    assert set(ids) > OPEN.keys()


def test_open_scenarios_are_told() -> None:
    """The page of variants argues for every scenario that is not passed, and for no other."""
    page = (Path(__file__).parents[2] / "docs/variants.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^- \*\*([A-Z]+-S\d+)\*\*", page, re.MULTILINE)) == OPEN.keys()


# -- what is refused -------------------------------------------------------------------------------------------------


def test_a_scenario_that_speaks_of_the_unknown_is_refused() -> None:
    """A state that nothing here can tell, a fact that nothing understands: an error each, not a silent pass."""
    case = _one("STD-S02")
    with pytest.raises(BadFile, match="expects 'weather'"):
        _failed(_with(case, "expect", state={"weather": "fine"}))
    with pytest.raises(BadFile, match="expects 'weather'"):
        _failed(_with(_one("STD-S01"), "expect", state={"weather": "fine"}))
    with pytest.raises(BadFile, match="did you mean centres"):
        _failed(_with(case, "other", centers={}))
    with pytest.raises(BadFile, match="read as one of Diplomacy's"):
        _failed(_with(case, "other", weather={}))
    with pytest.raises(BadFile, match="no event"):
        _failed({**_one("CLN-S04"), "other": {"event": "an earthquake"}}, "cline9")
    with pytest.raises(BadFile, match="no value 'B'"):
        _failed(_with(_one("CLN-S03"), "other", options={"turkey_smyrna": "B"}), "cline9")


def test_a_wrong_expectation_fails() -> None:
    """A scenario whose expectation is changed does not pass."""
    assert _failed(_with(_one("STD-S02"), "expect", after={"Austria": ["A VIE"]})) == ["after"]
    assert _failed(_with(_one("CLN-S51"), "expect", state={"assignment": "by wish"}), "cline9") == ["assignment"]
    votes = {"state": {"draw": ["Austria"], "count_published": True}}
    assert _failed(_with(_one("CLN-S59"), "expect", **votes), "cline9") == ["draw", "count_published"]
    assert _failed(_with(_one("CLN-S04"), "expect", state={"refused": False}), "cline9") == ["refused"]


# -- votes, sets of orders, lots -------------------------------------------------------------------------------------


def test_votes_told_by_number() -> None:
    """Votes may be told by number: all agree, or the game goes on, also where only some are to share a draw."""
    case = _one("CLN-S76")
    bare = {**case, "units": {}, "expect": {**case["expect"], "after": {}}}
    for votes, winner in (({"yes": 5, "no": 0, "silent": 0}, "Persia"), ({"yes": 4, "no": 0, "silent": 1}, None)):
        told = {"proposal": ["Persia"], "draw_votes": votes}
        assert _failed({**_with(bare, "expect", state={"winner": winner}), "other": told}, "cline9") == []
    drawn = {**_with(bare, "expect", state={"draw": True}), "other": {"draw_votes": {"yes": 3, "no": 0, "silent": 0}}}
    assert _failed(drawn, "cline9") == []
    drawn["other"] = {"draw_votes": {"yes": 2, "no": 1, "silent": 0}}
    assert _failed(drawn, "cline9") == ["draw"]
    drawn["other"] = {"draw_votes": {"yes": 3, "no": 0, "silent": 0}, "proposal": ["Turkey", "Persia"]}
    assert _failed(_with(drawn, "expect", state={"draw": ["Persia", "Turkey"]}), "cline9") == []
    with pytest.raises(OutOfTurn, match="all survivors share"):
        _failed(_with(drawn, "other", house_rules="standard"), "cline9")
    with pytest.raises(BadFile, match="are left"):
        _failed(_with(case, "other", draw_votes={"Persia": True, "Turkey": True}), "cline9")


def test_sets_of_orders() -> None:
    """A later set replaces an earlier one, late orders count, and what a missing power sent is a contradiction."""
    case = _one("CLN-S57")
    assert _failed(case | {"orders": {}}, "cline9") == ["F NAP - ION", "A ROM - APU", "after"]
    late = _one("CLN-S54")
    assert _failed(late, "cline9") == []
    strict = _failed(_with(late, "other", house_rules={"late_orders": "strict"}), "cline9")
    assert strict[:2] == ["A SYR - IRAQ", "A ARM S A SYR - IRAQ"]
    with pytest.raises(BadFile, match="sent none"):
        _failed(_with(late, "other", missing=["Turkey"]), "cline9")


def test_options_are_told_in_either_words() -> None:
    """An option may be named as the variant names it or as its dossier does, and the later word wins."""
    case = _one("CLN-S71")
    for options in ({"turkey": "F-F-A"}, {"turkey_opening": ["F ANK", "F CON", "A SMY"], "turkey_smyrna": "F"}):
        assert _failed({**case, "other": {"options": options}}, "cline9") == []
    assert _failed({**case, "other": {"options": {"turkey_smyrna": "F"}}}, "cline9") == ["start"]
    today = _one("CLN-S81")
    assert _failed({**today, "other": {"options": {"rules_preset": "today"}}}, "cline9") == []
    assert _failed({**today, "other": {}}, "cline9") != []


# -- what only a host shows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "state", "told"),
    [
        ({"press": {"items": 40}}, {}, "press"),
        ({"event": "judge question"}, {}, "questions of the Gamesmaster"),
        ({}, {"visible_to": ["judge"]}, "pages"),
        ({"house_rules": {"late_orders": "strict"}}, {}, ""),
        ({"event": "judge sets turkey_smyrna = F after the first phase was opened"}, {}, ""),
    ],
)
def test_what_only_a_host_shows(tmp_path: Path, other: object, state: object, told: str) -> None:
    """A scenario about press, questions or who sees what is not run, and is told with the reason; others are."""
    scenario = {**_one("CLN-S07"), "other": other, "expect": {**_one("CLN-S07")["expect"], "state": state}}
    assert told in host_reason(scenario)
    assert bool(host_reason(scenario)) == bool(told)
    if told:
        path = tmp_path / "scenarios.json"
        path.write_text(json.dumps([scenario]), encoding="utf-8")
        (report,) = run_cases(path, find_variant("cline9"))
        assert not report.passed
        assert report.not_run.startswith("needs the host: ")
        assert report.failures == ()
