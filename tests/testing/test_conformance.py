"""The conformance suite: passed by the standard game, and able to fail."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from gamesmaster.board import Position
from gamesmaster.game import find_variant, variant_names
from gamesmaster.judge import adjudicate
from gamesmaster.judge.adjudication import Decided
from gamesmaster.testing import conformance_checks
from gamesmaster.testing.conformance import census, check_variant


@pytest.mark.parametrize("name", variant_names())
def test_variants_conform(name: str) -> None:
    """A hundred random phases of every variant break no promise, and their record reads back true."""
    assert check_variant(find_variant(name), phases=100, seed=1) == []


@pytest.mark.parametrize("name", variant_names())
def test_census(name: str) -> None:
    """The number of lawful orders and the hash of what they come to are those written down."""
    path = files("gamesmaster") / "variants" / name / "counts.json"
    written = json.loads(path.read_text(encoding="utf-8"))
    found = census(find_variant(name), phases=written["phases"], seed=written["seed"])
    assert (found.orders, found.digest) == (written["orders"], written["digest"])


def test_a_judge_that_loses_units_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite notices a unit that vanishes, one that doubles, and a result that depends on who wrote first."""
    true = adjudicate

    def losing(*args: Any, **named: Any) -> Decided:
        done = true(*args, **named)
        return Decided(Position(done.position.units[1:], done.position.owners), done.rulings)

    def doubling(*args: Any, **named: Any) -> Decided:
        done = true(*args, **named)
        first = done.position.units[0]
        twin = replace(first, number=999)
        return Decided(Position((*done.position.units, twin), done.position.owners), done.rulings)

    variant = find_variant("standard")
    monkeypatch.setattr(conformance_checks, "adjudicate", losing)
    assert any("lost in a movement phase" in problem for problem in check_variant(variant, phases=2))
    monkeypatch.setattr(conformance_checks, "adjudicate", doubling)
    problems = check_variant(variant, phases=2)
    assert any("came from nowhere" in problem for problem in problems)
    assert any("is in the same province" in problem for problem in problems)
