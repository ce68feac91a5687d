"""docs/tutorial-order.md: a reader who does what the page says sees what the page says."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from gamesmaster.mechanics import MECHANICS

from .page import follow

PAGE = (Path(__file__).parents[1] / "docs" / "tutorial-order.md").read_text(encoding="utf-8")


def test_the_page_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package is found by its entry point, and each command prints what the page says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    package, install, rest = PAGE.partition("```sh\n.venv/bin/pip install --editable ./fortify\n```\n")
    assert install
    assert follow(package) == 0
    project = tomllib.loads((tmp_path / "fortify" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ((name, value),) = project["entry-points"]["gamesmaster.mechanics"].items()
    monkeypatch.syspath_prepend(tmp_path / "fortify")
    known = dict(MECHANICS.loaded)
    monkeypatch.setattr(MECHANICS, "_known", known)
    known[name] = EntryPoint(name, value, "gamesmaster.mechanics").load()
    assert follow(rest) > 10
