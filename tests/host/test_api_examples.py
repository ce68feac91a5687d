"""The answers that docs/host-api.md and the API's description show are those that the API gives."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "api_examples.py"


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    """The names of the script that records the answers."""
    return runpy.run_path(str(SCRIPT))


@pytest.mark.django_db
def test_recorded_answers_are_current(script: dict[str, Any]) -> None:
    """Recording the game again gives the page and the examples as they are, and each answer is shown."""
    recorded = script["record"]()
    text = script["PAGE"].read_text(encoding="utf-8")
    assert script["page"](text, recorded.blocks) == text
    assert {found[1] for found in script["BLOCK"].findall(text)} == set(recorded.blocks)
    assert script["written"](recorded.calls) == script["EXAMPLES"].read_text(encoding="utf-8")


def test_examples_keep_their_form(script: dict[str, Any]) -> None:
    """An example has fewer entries than its answer, and nothing that the answer could not have."""
    clip = script["clip"]
    line = script["LONGEST_LINE"]
    assert clip({"id": 7, "rows": [{"id": 8}, {"id": 9}]}) == {"id": 1, "rows": [{"id": 1}]}
    assert clip({"judge": "2.1.0+fedcba987654"}) == {"judge": "1.0.0+0123456789ab"}
    assert clip({"id": "standard", "words": list("abcdefg")}) == {"id": "standard", "words": list("abcde")}
    assert clip(["x" * line, "x" * (line + 1)]) == ["x" * line, "x" * line + "..."]
    assert clip({str(n): n for n in range(script["LONGEST_FORM"] + 1)}) == {"0": 0, "1": 1}


def test_only_what_is_long_is_shortened(script: dict[str, Any]) -> None:
    """A list, an object and a text at the limit stay whole; longer ones say that something is left out."""
    shorten = script["shorten"]
    longest = script["LONGEST_TEXT"]
    fields = {str(n): n for n in range(script["LONGEST_OBJECT"])}
    assert shorten([[1], "x" * longest]) == [[1], "..."]
    assert shorten("x" * longest) == "x" * longest
    assert shorten("x" * (longest + 1)) == "x" * longest + "..."
    assert shorten(fields) == fields
    assert shorten({"units": {"a": [], "b": [], "c": []}}) == {"units": {"a": [], "b": [], "...": "..."}}
    assert shorten(fields | {"more": 1}) == fields | {"...": "..."}
