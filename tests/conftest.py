"""What every test run promises: the code tested is the one meant, and nothing that should run is skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import gamesmaster

NO_SKIPS = "GAMESMASTER_NO_SKIPS"
"""Set where everything is installed: then a skipped test is a failure."""


# No test is a matter of time: machines are noisy.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_configure() -> None:
    """Refuse to test the sources where the wheel is meant."""
    home = Path(gamesmaster.__file__).resolve()
    if os.environ.get("GAMESMASTER_TESTED") == "wheel" and "site-packages" not in home.parts:
        pytest.exit(f"the wheel is to be tested, but gamesmaster comes from {home}", returncode=3)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run if a test was skipped that should have run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get(NO_SKIPS) and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
