"""docs/asvs-running.md has every requirement of the chapters that it treats, and names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/asvs-running.md"
NAMED = re.compile(r"`((?:\w+/)*\w+\.py)::(\w+)`")
SECTIONS = {
    1: (2, 10, 11, 3, 2), 4: (3, 1, 2, 4), 5: (1, 3, 2, 3), 11: (2, 3, 3, 4, 1, 1), 12: (3, 2, 4), 13: (1, 5, 2, 5),
    15: (1, 3, 7), 16: (1, 5, 4, 3, 3),
}  # fmt: skip
"""How many requirements of levels 1 and 2 the sections of a chapter begin with; those beyond are of level 3."""
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are not at hand")


def rows() -> list[tuple[list[str], str]]:
    """The rows of the page: the numbers of each, and its text."""
    found = re.findall(r"^\| ((?:\d+\.\d+\.\d+(?:, )?)+) \|(.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [(numbers.split(", "), text) for numbers, text in found]


def test_every_requirement_is_there() -> None:
    """Each requirement of levels 1 and 2 stands on the page once."""
    told = [number for numbers, _ in rows() for number in numbers]
    assert len(told) == len(set(told))
    for chapter, sections in SECTIONS.items():
        for section, last in enumerate(sections, 1):
            missing = [f"{chapter}.{section}.{n}" for n in range(1, last + 1) if f"{chapter}.{section}.{n}" not in told]
            assert not missing


def test_each_is_shown_or_says_why_not() -> None:
    """A row names a test, or says why there is none; the tests that it names are there."""
    for numbers, text in rows():
        named = NAMED.findall(text)
        assert named or "No test:" in text, numbers
        for path, name in named:
            assert re.search(rf"^def {name}\b", (ROOT / "tests" / path).read_text(encoding="utf-8"), re.MULTILINE), name
