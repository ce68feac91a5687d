"""The examples of docs/games.md."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "games.md"


def test_examples() -> None:
    """The page's Python session runs as printed."""
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 30
