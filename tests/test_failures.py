"""A test that fails makes no other one fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUITE = """
import gc

def test_that_fails(tmp_path):
    log = (tmp_path / "log").open("wb")
    circle = [log]
    circle.append(circle)
    assert not log

def test_that_passes():
    gc.collect()
"""


def test_what_a_failing_test_leaves_open_is_not_blamed_on_another(tmp_path: Path) -> None:
    """A file that a failing test did not close is closed before the next test begins."""
    file = tmp_path / "test_suite.py"
    file.write_text(SUITE)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-c", str(ROOT / "pyproject.toml")]
    done = subprocess.run([*command, str(file)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout
