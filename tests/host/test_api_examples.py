"""The answers that docs/host-api.md shows are those that the API gives."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

import gamesmaster as gm
from gamesmaster.host.orders.api import RulingOut

SCRIPT = Path(__file__).parents[2] / "docs" / "api_examples.py"


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    """The names of the script that records the answers."""
    return runpy.run_path(str(SCRIPT))


@pytest.mark.django_db
def test_recorded_answers_are_current(script: dict[str, Any]) -> None:
    """Recording the game again gives the page as it is, and each answer is shown."""
    blocks = script["record"]()
    text = script["PAGE"].read_text(encoding="utf-8")
    assert script["page"](text, blocks) == text
    assert {found[1] for found in script["BLOCK"].findall(text)} == set(blocks)


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


def test_the_example_of_a_ruling_is_one() -> None:
    """The schema's example of a ruling is what the judge says of a move that is stood off."""
    orders = {"France": ["A Par - Bur"], "Germany": ["A Mun - Bur"]}
    variant = gm.find_variant("standard")
    done = gm.adjudicate(gm.Rules.of(variant), gm.PhaseKind.MOVEMENT, variant.start, orders)
    ruling = next(one for one in done.rulings if one.given == "A Par - Bur")
    fields = RulingOut.model_json_schema()["properties"]
    said = {name: fields[name]["examples"] for name in ("result", "cause", "text")}
    assert said == {"result": [ruling.result], "cause": [ruling.cause.name.lower()], "text": [ruling.text]}
