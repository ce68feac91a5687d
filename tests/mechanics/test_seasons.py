"""Mechanics of the year's course, on the boards of Indianomacy and Scottomacy."""

from __future__ import annotations

import pytest

from tests.mechanics.seasons import Case, play, shown
from tests.mechanics.seasons_cases import CASES


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_a_season_brings(case: Case) -> None:
    """Units, results, states, events, dice and the winner are as the rules say."""
    played = play(case)
    results = {r.given: r.result.value for r in played.judged.rulings if r.given}
    assert {text: results[text] for text in case.results} == case.results
    assert shown(played.step.position) == {power: list(units) for power, units in case.after.items()}
    assert dict(played.step.position.state) == dict(case.left)
    assert played.events == list(case.events)
    assert played.thrown == len(case.dice)
    winners = played.step.outcome.winners if played.step.outcome else ()
    assert winners == ((case.winner,) if case.winner else ())
