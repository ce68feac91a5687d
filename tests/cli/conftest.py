"""Running the command line within the test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from gamesmaster.cli.app import app

Run = Callable[..., Result]

SEED = "00" * 32


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("status", "winter.json")` runs a command in a folder of its own; no traceback goes unseen."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    runner = CliRunner()

    def invoke(*args: object, input: str | bytes | None = None) -> Result:
        result = runner.invoke(app, [str(arg) for arg in args], input=input, prog_name="gamesmaster")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return invoke


@pytest.fixture
def game(run: Run, tmp_path: Path) -> Path:
    """A game that has just begun."""
    assert run("new", "winter.json", "--seed", SEED).exit_code == 0
    return tmp_path / "winter.json"
