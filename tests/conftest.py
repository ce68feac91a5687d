"""What every test run promises: the code tested is the one meant, and nothing that should run is skipped."""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import gamesmaster
from tests.migrated import share_folder
from tests.open_variants import plain_variants
from tests.programs import find_program

NO_SKIPS = "GAMESMASTER_NO_SKIPS"
"""Set where everything is installed: then a skipped test is a failure."""

HERE = Path(__file__).parent
NEEDED_BY = {"browser": "chromium-headless-shell"}
"""By fixture, the package of the program that it runs."""
CORE = ("judge", "orders", "reading", "mechanics")
"""Where the tests lie of which every branch is measured."""
FILES = frozenset({
    "test_adjacency.py", "test_statements.py", "test_boards_page.py",
    "test_digest.py", "test_variants.py", "test_citations.py", "test_rules_text.py", "test_scenarios.py",
    "test_shelf.py", "test_scenario_dossier.py", "test_variant_lint_file.py", "test_variant_pages.py",
})  # fmt: skip
"""Tests of what variants have as files: short for every variant. All others are long for those with regular rules."""

# Children hear Ctrl-C although the tests themselves were started as a job in the background, which passes over it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No test is a matter of time: machines are noisy.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_configure() -> None:
    """Refuse to test the sources where the wheel is meant; make the folder that all workers share."""
    share_folder()
    home = Path(gamesmaster.__file__).resolve()
    if os.environ.get("GAMESMASTER_TESTED") == "wheel" and "site-packages" not in home.parts:
        pytest.exit(f"the wheel is to be tested, but gamesmaster comes from {home}", returncode=3)


def pytest_collection_finish() -> None:
    """Look for rubbish less often: what the tests have loaded by now stays, and to go through it again takes long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def _texts(item: pytest.Item) -> set[str]:
    """Return the parameters of a case that are texts."""
    case = getattr(item, "callspec", None)
    return {value for value in case.params.values() if isinstance(value, str)} if case else set()


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Mark the tests whose rooms are measured, and those of plain variants as long; skip those without programs."""
    for item in items:
        if any(HERE / room in item.path.parents for room in CORE):
            item.add_marker(pytest.mark.core)
        if item.path.name not in FILES and plain_variants() & _texts(item):
            item.add_marker(pytest.mark.long)
    yield
    for item in items:
        by_fixtures = [NEEDED_BY[name] for name in getattr(item, "fixturenames", ()) if name in NEEDED_BY]
        for needed in [*by_fixtures, *(str(mark.args[0]) for mark in item.iter_markers("needs"))]:
            if not find_program(needed):
                item.add_marker(pytest.mark.skip(reason=f"needs {needed}: apt-get install {needed}"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Collect at once what a failing test left open: collected during another test, it would fail that one, too."""
    failed = item.session.testsfailed
    result = yield
    if item.session.testsfailed > failed:
        for name in {"last_exc", "last_type", "last_value", "last_traceback"} & vars(sys).keys():
            delattr(sys, name)
        with warnings.catch_warnings(action="ignore", category=ResourceWarning):
            gc.collect()
    return result


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give the tests of a file that are marked `together` to one worker."""
    from xdist.scheduler import LoadScopeScheduling

    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = lambda test: file if _is_together(file := test.partition("::")[0]) else test
    return scheduler


@cache
def _is_together(file: str) -> bool:
    """Return whether a file has the mark: whoever schedules knows the names of tests, not their marks."""
    return "pytest.mark.together" in (HERE.parent / file).read_text(encoding="utf-8")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run if a test was skipped that should have run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get(NO_SKIPS) and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def falling_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that falls over builds without a letter."""
    from gamesmaster.judge import winter  # not above: what is measured is not imported before the measuring begins

    sound = winter._site

    def falling(account: Any, attempt: Any) -> None:
        if not attempt.parsed.order.kind:
            raise KeyError("A")
        sound(account, attempt)

    monkeypatch.setattr(winter, "_site", falling)
