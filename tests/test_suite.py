"""A test that fails makes no other one fail, and one that cannot run is skipped by name, or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEAVING_OPEN = """
import gc

def test_that_fails(tmp_path):
    log = (tmp_path / "log").open("wb")
    circle = [log]
    circle.append(circle)
    assert not log

def test_that_passes():
    gc.collect()
"""
NEEDING = """
import pytest

@pytest.mark.needs("caddy")
def test_that_cannot_run():
    raise AssertionError
"""


def run(file: Path, suite: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a suite in a file as these tests are run."""
    file.write_text(suite)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-c", str(ROOT / "pyproject.toml")]
    told = {name: value for name, value in os.environ.items() if name != "GAMESMASTER_NO_SKIPS"} | environment
    return subprocess.run([*command, str(file)], cwd=ROOT, env=told, capture_output=True, text=True, check=False)


def test_what_a_failing_test_leaves_open_is_not_blamed_on_another(tmp_path: Path) -> None:
    """A file that a failing test did not close is closed before the next test begins."""
    done = run(tmp_path / "test_open.py", LEAVING_OPEN)
    assert "1 failed, 1 passed" in done.stdout, done.stdout


def test_a_missing_program_is_named_with_its_package(tmp_path: Path) -> None:
    """A test that needs it is skipped with a word on what to install; where nothing may be skipped, the run fails."""
    done = run(tmp_path / "test_needs.py", NEEDING, PATH=str(tmp_path))
    assert done.returncode == 0, done.stdout
    assert "SKIPPED" in done.stdout
    assert "needs caddy: apt-get install caddy" in done.stdout
    assert run(tmp_path / "test_needs.py", NEEDING, PATH=str(tmp_path), GAMESMASTER_NO_SKIPS="1").returncode == 1
