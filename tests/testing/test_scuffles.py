"""The second adjudicator agrees with the kernel on every variant, with boats, laden fleets and boxes in play."""

from __future__ import annotations

from random import Random

import pytest

from gamesmaster.board import Unit
from gamesmaster.judge import Movement
from gamesmaster.rules import Rules
from gamesmaster.variant import Variant, find_variant, variant_names
from tests.naive import Undecided, differences
from tests.scuffles import fight, scuffle

NAMES = (*variant_names(), "1000ad[af_module=yes]")
ROUNDS = 400


def _fights(variant: Variant, rules: Rules, first: int, rounds: int) -> list[Movement]:
    return [fight(variant, rules, Random(first + number)) for number in range(rounds)]


@pytest.mark.parametrize("name", NAMES)
def test_the_naive_solver_agrees(name: str) -> None:
    """What the kernel makes of a scuffle is what trying everything finds, and the position left makes sense."""
    variant = find_variant(name)
    rules = Rules.of(variant)
    decided = 0
    for movement in _fights(variant, rules, 0, ROUNDS):
        assert movement.position.problems(variant.board) == []
        try:
            found = differences(movement.problem, movement.out)
        except Undecided:
            continue
        assert found == [], [r.given for r in movement.rulings]
        decided += 1
    assert decided > 0.95 * ROUNDS


@pytest.mark.parametrize("name", NAMES)
def test_what_is_lawful_is_possible(name: str) -> None:
    """No order that the list of lawful ones offers is judged impossible, whoever goes aboard."""
    variant = find_variant(name)
    for movement in _fights(variant, Rules.of(variant), 10_000, ROUNDS // 4):
        assert [r.text for r in movement.rulings if r.given and not r.possible] == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [("1000ad[af_module=yes]", "A/F"), ("indianomacy", "W/CF"), ("scottomacy", "A/BB"), ("conquest2", "A/F")],
)
def test_all_forms_take_part(name: str, kind: str) -> None:
    """Laden fleets and parties afloat stand in scuffles, and those aboard with them; in a box several lie together."""
    variant = find_variant(name)
    units: list[Unit] = [u for seed in range(100) for u in scuffle(variant, Random(seed))]
    assert sum(u.kind == kind for u in units) > 20
    assert sum(u.aboard > 0 for u in units) == sum(u.kind == "A/F" for u in units)
    if name == "conquest2":
        boxed = [[u for u in scuffle(variant, Random(seed)) if u.at.province == "ATL"] for seed in range(100)]
        assert max(map(len, boxed)) > 2
