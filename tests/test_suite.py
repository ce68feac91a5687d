"""A test that fails makes no other one fail, and one that cannot run is skipped by name, or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import programs

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
SHOWING = """
import pytest

@pytest.fixture
def browser():
    raise AssertionError

@pytest.fixture
def page(browser):
    pass

def test_that_shows_a_page(page):
    pass
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


def test_a_browser_is_needed_by_whatever_shows_a_page(tmp_path: Path) -> None:
    """A test of a page is skipped where there is no browser, whether it says so or not."""
    done = run(tmp_path / "test_shows.py", SHOWING, PATH=str(tmp_path))
    assert done.returncode == 0, done.stdout
    assert "needs chromium-headless-shell: apt-get install chromium-headless-shell" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="scripts")
@pytest.mark.parametrize(
    ("here", "user", "told"),
    [
        (["apt-get", "env"], 0, ["env update", "env caddy", "env git"]),
        (["apt-get", "sudo"], 1000, ["sudo true", "sudo update", "sudo caddy", "sudo git"]),
        (["apt-get", "no sudo"], 1000, ["sudo true"]),
        (["apt-get"], 1000, []),
        (["sudo", "env"], 0, []),
    ],
    ids=["root", "sudo", "sudo with a password", "no sudo", "no apt"],
)
def test_programs_are_installed_where_that_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: list[str], user: int, told: list[str]
) -> None:
    """By root or by sudo without a password; a package that cannot be installed does not stop the others."""
    log = tmp_path / "log"
    log.touch()
    for name in here:
        script = tmp_path / name.removeprefix("no ")
        refused = "true" if name != "no sudo" else "false"
        works = f'case "$*" in *true|*git) {refused};; *) false;; esac'
        script.write_text(f'#!/bin/sh\nfor last; do :; done\necho "{script.name} $last" >> {log}\n{works}\n')
        script.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    programs.install(["caddy", "git"])
    assert log.read_text().splitlines() == told
