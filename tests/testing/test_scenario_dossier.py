"""Scenarios in the words and shapes of the dossiers: what each comes to, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.errors import BadFile
from gamesmaster.variant import find_variant, variant_names
from gamesmaster.variant.sources import file_of, shelf
from tests.scenarios.cases import run_cases
from tests.scenarios.running import run_scenario
from tests.scenarios.words import Stage, Words, in_our_words

FOLDER = Path(__file__).parents[1] / "data/dossiers"
GAMES = {
    "indianomacy": ("indianomacy", "indianomacy2"),
    "scottomacy": ("scottomacy",),
    "conquest2": ("conquest2",),
    "af_module": ("1000ad",),
}
"""The variants that each dossier's scenarios are played with."""

SCENARIOS = {name: json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in GAMES}
CASES = [
    pytest.param(variant, scenario, id=f"{variant}-{scenario['id']}")
    for name, variants in GAMES.items()
    for variant in variants
    for scenario in SCENARIOS[name]
]


def _one(number: str) -> dict[str, Any]:
    found: dict[str, Any] = next(s for scenarios in SCENARIOS.values() for s in scenarios if s["id"] == number)
    return found


def _failed(scenario: dict[str, Any], variant: str) -> list[str]:
    return [row[0] for row in run_scenario(scenario, find_variant(variant))[2] if row[1] != row[2]]


def _told(scenario: dict[str, Any], **changes: object) -> dict[str, Any]:
    return {**scenario, "other": {**scenario["other"], **changes}}


def _expected(scenario: dict[str, Any], **changes: object) -> dict[str, Any]:
    other = {**scenario["expect"].get("other", {}), **changes}
    return {**scenario, "expect": {**scenario["expect"], "other": other}}


@pytest.mark.parametrize(("variant", "scenario"), CASES)
def test_dossiers_are_read(variant: str, scenario: dict[str, Any]) -> None:
    """A scenario in its dossier's words comes out as the dossier says."""
    assert _failed(scenario, variant) == []


@pytest.mark.parametrize(("variant", "scenario"), CASES)
def test_our_words_stay(variant: str, scenario: dict[str, Any]) -> None:
    """What has been put into our words is not changed by being put into them again, and says the same."""
    stage = Stage(find_variant(variant))
    told = in_our_words(scenario, stage)
    assert in_our_words(told, stage) == told
    assert _failed(told, variant) == []


@pytest.mark.parametrize("name", variant_names())
def test_scenarios_of_the_package_are_in_our_words(name: str) -> None:
    """The scenarios beside a variant use its powers' own names, and nothing that a dossier calls otherwise."""
    stage = Stage(find_variant(name))
    known = {power.name for power in find_variant(name).powers} | {"Neutral", "Indians"}
    for scenario in json.loads(file_of(shelf() / name, "scenarios.json").read_text(encoding="utf-8")):
        assert scenario["units"].keys() | scenario["orders"].keys() <= known
        assert in_our_words(scenario, stage)["other"] == scenario["other"]


def test_a_folder_is_run(tmp_path: Path) -> None:
    """Of a folder the scenarios.json in it is run."""
    (tmp_path / "scenarios.json").write_text((FOLDER / "scottomacy.json").read_text(encoding="utf-8"), encoding="utf-8")
    reports = list(run_cases(tmp_path, find_variant("scottomacy")))
    assert len(reports) == len(SCENARIOS["scottomacy"])
    assert all(report.passed for report in reports)


@pytest.mark.parametrize(
    ("number", "variant", "changes"),
    [
        ("IND-S20", "indianomacy", {"transgressor": "M"}),
        ("IND-S20", "indianomacy", {"embargo": {"Q": [1601]}}),
        ("IND-S20", "indianomacy", {"taboo": True}),
        ("IND-S20", "indianomacy", {"removed": []}),
        ("IND-S71", "indianomacy", {"canoes": {"12": 1}}),
        ("IND-S92", "indianomacy", {"bay_entered": "Spring 1602"}),
        ("IND-S60", "indianomacy", {"sc": {"Q": [10, 11, 12, 14]}}),
        ("IND-S101", "indianomacy", {"winner": "Q"}),
        ("IND-S117", "indianomacy", {"eliminated": []}),
        ("SCO-S50", "scottomacy", {"boats": [{"at": "36", "builder": "gordon", "raw": True}]}),
        ("SCO-S81", "scottomacy", {"boats": [{"at": "z", "builder": "keith"}]}),
        ("SCO-S110", "scottomacy", {"owners": {"62": "england"}}),
        ("SCO-S114", "scottomacy", {"winner": "england"}),
        ("CNW-S64", "conquest2", {"supply": {"England": 6}}),
        ("CNW-S64", "conquest2", {"strength": {"Fall 1600": {"England": 5}}}),
        ("CNW-S64", "conquest2", {"deferred": {"England": 1}}),
        ("CNW-S76", "conquest2", {"homes": {}}),
        ("CNW-S87", "conquest2", {"calendar": {"Fall 1590": 1590}}),
        ("CNW-S87", "conquest2", {"next_phase": "Spring 1591"}),
        ("CNW-S02", "conquest2", {"powers": {"2": ["England", "France"]}}),
        ("AFM-S22", "1000ad", {"aboard": {}}),
        ("AFM-S22", "1000ad", {"standoffs": []}),
    ],
)
def test_a_wrong_expectation_fails(number: str, variant: str, changes: dict[str, object]) -> None:
    """Each thing that a dossier looks at is looked at: the wrong one fails, under our name for it."""
    told = _expected(_one(number), **changes)
    told["expect"].pop(next(iter(changes)), None)  # as the module's dossier writes it
    (word,) = changes
    assert Stage(find_variant(variant)).words.fields.get(word, word) in _failed(told, variant)


def test_dice_fall_as_told() -> None:
    """A die that a scenario does not tell of is an error, and one that is never thrown a failure."""
    storm, calm = _one("IND-S92"), _one("IND-S124")
    with pytest.raises(BadFile, match="how a die of 6 sides falls"):
        _failed(_told(storm, dice=[]), "indianomacy")
    with pytest.raises(BadFile, match="how a die of 6 sides falls"):
        _failed(_told(storm, dice=[7]), "indianomacy")
    assert _failed(_told(calm, dice=[1]), "indianomacy") == ["dice not thrown"]


def test_what_a_variant_has_not_is_refused() -> None:
    """A word about a mechanic that the variant has not, an unknown word, a unit of nobody's: an error each."""
    with pytest.raises(BadFile, match="no mechanic 'boats'"):
        _failed(_told(_one("CNW-S09"), canoes={"VIR": 1}), "conquest2")
    with pytest.raises(BadFile, match="did you mean canoes"):
        _failed(_told(_one("IND-S20"), canoe={"12": 1}), "indianomacy")
    with pytest.raises(BadFile, match="does not say whose"):
        _failed(_expected(_one("IND-S47"), retreats={"W 99": []}), "indianomacy")
    both = [{"unit": "england A 73", "from": "72", "may_retreat_to": ["74"], "may_not": ["74"]}]
    with pytest.raises(BadFile, match="both allows and forbids"):
        _failed(_told(_one("SCO-S34"), dislodged=both), "scottomacy")


def test_orders_given_twice_have_their_results_in_order() -> None:
    """Where one text is ordered twice, the results are a list, power by power; one word stands for all alike."""
    case = _one("CNW-S11")
    assert _failed(case, "conquest2") == []
    turned = {**case["expect"]["orders"], "A/F ATL - BAH": ["bounces", "succeeds"]}
    assert _failed({**case, "expect": {**case["expect"], "orders": turned}}, "conquest2") == ["A/F ATL - BAH"]
    alike = {**case["expect"]["orders"], "A ATL holds": "succeeds"}
    assert _failed({**case, "expect": {**case["expect"], "orders": alike}}, "conquest2") == []


def test_words_of_results() -> None:
    """A word stands for itself, for the results listed, and for all that end as a starred one does."""
    words = Words(results={"dislodged": ["*, dislodged"], "fails": ["void"]})
    assert words.covers("dislodged", "bounces, dislodged")
    assert words.covers("fails", "void")
    assert words.covers("cut", "cut")
    assert not words.covers("fails", "bounces")
    assert not words.covers("dislodged", "holds")


def test_files_of_words_are_checked(tmp_path: Path) -> None:
    """A file of words that holds something else is refused."""
    (tmp_path / "scenario_words.json").write_text('{"power": {}}', encoding="utf-8")
    with pytest.raises(BadFile, match="an object with options, host"):
        _ = Stage(find_variant("standard"), tmp_path).words


@pytest.mark.parametrize(
    ("england", "campbell", "winner"),
    [
        ((0, 40), (36, 30), "campbell"),  # England has lost her seats, and falls before anybody is counted (SCO-16.a)
        ((2, 40), (20, 30), "england"),
        ((2, 30), (20, 30), None),
    ],
)
def test_numbers_are_played(
    england: tuple[int, int], campbell: tuple[int, int], winner: str | None, tmp_path: Path
) -> None:
    """Centres and units told by number alone are counted by the mechanics first that do so in a game."""
    numbers = {"england": england, "campbell": campbell}
    scenario = {
        "id": "X-1",
        "clauses": ["SCO-16.a"],
        "title": "Numbers",
        "phase": "Winter 1505 (adjustments)",
        "units": {"england": []},
        "other": {
            "centres": {power: centres for power, (centres, _) in numbers.items()},
            "unit_counts": {power: {"armies": units} for power, (_, units) in numbers.items()},
        },
        "orders": {"england": []},
        "expect": {"orders": {}, "other": {"winner": winner}},
    }
    (tmp_path / "scenarios.json").write_text(json.dumps([scenario]), encoding="utf-8")
    (report,) = run_cases(tmp_path, find_variant("scottomacy"))
    assert report.passed, (report.failures, report.not_understood)
