"""Scenarios are run by `python -m tests.scenarios`."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.scenarios.__main__ import app

DATA = Path(__file__).parents[1] / "data"
SCENARIOS = Path(str(files("gamesmaster.variants") / "standard" / "scenarios.json"))
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs the command with some arguments, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return lambda *args: CliRunner().invoke(app, [str(arg) for arg in args], catch_exceptions=False)


def test_worked_cases_pass(run: Run) -> None:
    """The DATC's cases, under every choice they speak of, and the scenarios of the standard game all pass."""
    result = run(DATA / "datc.json", SCENARIOS)
    assert result.exit_code == 0
    passed = re.fullmatch(r"(\d+) passed, 0 failed\n", result.stdout)
    assert passed
    assert int(passed[1]) > 400


def test_failures_are_printed(run: Run) -> None:
    """A case that fails is printed with what was expected and what was got; the exit code is 1."""
    scenarios = json.loads(SCENARIOS.read_text(encoding="utf-8"))[1:3]
    scenarios[0]["expect"]["orders"]["A BUL - SER"] = "succeeds"
    Path("mine.json").write_text(json.dumps(scenarios), encoding="utf-8")
    result = run("mine.json", "--variant", "standard")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[1:] == [
        "  A BUL - SER: expected succeeds, got bounces",
        "1 passed, 1 failed",
    ]


def test_a_folder_named_after_a_variant_is_about_it(run: Run) -> None:
    """Scenarios are about the variant that their folder is named after, wherever it lies, unless told otherwise."""
    for name in ("cases/1000ad", "elsewhere"):
        Path(name).mkdir(parents=True)
        (Path(name) / "scenarios.json").write_bytes((SCENARIOS.parents[1] / "1000ad/scenarios.json").read_bytes())
    assert re.fullmatch(r"\d{3} passed, 0 failed\n", run("cases/1000ad").stdout)
    assert run("cases/1000ad/scenarios.json").exit_code == 0
    assert run("elsewhere/scenarios.json", "--variant", "1000ad").exit_code == 0
    assert run("elsewhere").exit_code != 0


def test_cases_for_the_host_are_counted_apart(run: Run) -> None:
    """What only a host shows is neither passed nor failed; `--list-not-run` tells each with the reason."""
    cases = json.loads((SCENARIOS.parents[1] / "cline9" / "scenarios.json").read_text(encoding="utf-8"))
    press = {**cases[0], "id": "P", "other": {"press": {"items": 40}}}
    Path("mine.json").write_text(json.dumps([cases[0], press]), encoding="utf-8")
    result = run("mine.json", "--variant", "cline9")
    assert result.exit_code == 0
    assert result.stdout == "1 passed, 0 failed, 1 not run\n"
    title, reason, count = run("mine.json", "--variant", "cline9", "--list-not-run").stdout.splitlines()
    assert title.startswith("P The opening position")
    assert reason.startswith("  needs the host: press")
    assert count == "1 passed, 0 failed, 1 not run"


def test_scenarios_of_a_variant_in_a_folder(run: Run) -> None:
    """A variant in a folder is taken from there, with its words and the options that each scenario chooses."""
    shutil.copytree(SCENARIOS.parents[1] / "cline9", "mine")
    path = Path("mine/variant.toml")
    path.write_text(path.read_text(encoding="utf-8").replace("centres = 24", "centres = 23"), encoding="utf-8")
    cases = {case["id"]: case for case in json.loads(Path("mine/scenarios.json").read_text(encoding="utf-8"))}
    cases["CLN-S02"]["expect"]["state"]["victory"] = 23
    cases["CLN-S03"]["other"]["options"] = {"turkey_smyrna": "F"}
    Path("some.json").write_text(json.dumps([cases["CLN-S02"], cases["CLN-S03"]]), encoding="utf-8")
    assert run("some.json", "--variant", "mine").stdout == "2 passed, 0 failed\n"
    assert run("some.json", "--variant", "mine[strait=closed]").stdout == "2 passed, 0 failed\n"
    assert run("some.json", "--variant", "cline9").exit_code == 1
    Path("mine/scenario_words.json").write_text('{"words": 1}', encoding="utf-8")
    assert "options, host, results" in run("some.json", "--variant", "mine").stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("oops", "not JSON"),
        ("{}", "neither"),
        ("5", "neither"),
    ],
)
def test_files_that_are_no_cases(run: Run, text: str, told: str) -> None:
    """A file without cases, or with one that is none, is told by its name."""
    Path("bad.json").write_text(text, encoding="utf-8")
    result = run("bad.json")
    assert result.exit_code == 3
    assert "bad.json" in result.stderr
    assert told in result.stderr


@pytest.mark.parametrize(
    ("case", "named", "told"),
    [
        ('{"cases": [{}]}', "case 1", "not in the form of a case"),
        ('{"cases": ["x"]}', "case 1", "not in the form of a case"),
        ("[[]]", "case 1", "not in the form of a case"),
        ('[{"id": "X", "phase": "never"}]', "X", "not in the form of a case"),
    ],
)
def test_cases_that_are_none(run: Run, case: str, named: str, told: str) -> None:
    """A case that cannot be understood is named with the reason, and is a failure."""
    Path("bad.json").write_text(case, encoding="utf-8")
    result = run("bad.json")
    assert result.exit_code == 1
    assert result.stdout.startswith(named)
    assert told in result.stdout
    assert result.stdout.endswith("0 passed, 0 failed, 1 not understood\n")


def test_one_strange_scenario_hinders_no_other(run: Run) -> None:
    """Of two scenarios the one with a key that nobody knows is named and counted, and the other is run."""
    cases = {case["id"]: case for case in json.loads((SCENARIOS.parent / "scenarios.json").read_text("utf-8"))}
    strange, sound = list(cases.values())[:2]
    strange["other"] = {**strange["other"], "moon": "full"}
    Path("two.json").write_text(json.dumps([strange, sound]), encoding="utf-8")
    result = run("two.json")
    assert result.exit_code == 1
    assert "tells of 'moon'" in result.stdout
    assert result.stdout.endswith("1 passed, 0 failed, 1 not understood\n")


def test_bad_scenario_commands(run: Run) -> None:
    """A file that is not there, a variant that nobody knows, or no file at all, is told."""
    assert "no file none.json" in run("none.json").stderr
    assert "did you mean standard" in run(SCENARIOS, "--variant", "standrd").stderr
    assert run().exit_code == 2
