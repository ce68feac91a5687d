"""The variants with the regular rules, for a few phases each: sweeps over all variants play them in the long run."""

from __future__ import annotations

import pytest

from gamesmaster.batches import supports
from gamesmaster.game import Termination
from gamesmaster.players import Heuristic, play
from gamesmaster.rules import Rules
from gamesmaster.testing.conformance import check_variant
from gamesmaster.variant import find_variant, lint_variant
from tests.batches.test_phases import compare
from tests.lengths import mark_long, short_and_long
from tests.open_variants import plain_variants

NAMES = sorted(plain_variants())


@pytest.mark.parametrize("name", NAMES)
def test_it_is_sound(name: str) -> None:
    """The linter has nothing to say, and a few random phases break no promise."""
    variant = find_variant(name)
    known = {"eurasia1901": "shared-victory"}.get(name, "coast-without-sea")  # the Nile
    assert {finding.code for finding in lint_variant(variant)} <= {known}
    assert check_variant(variant, phases=3, seed=2) == []


@pytest.mark.parametrize("name", mark_long(NAMES, but=frozenset(NAMES) - {"chaos"}))
def test_a_batch_comes_to_what_the_judge_comes_to(name: str) -> None:
    """A game of a batch, phase by phase, is the game that the judge makes of the same orders."""
    variant = find_variant(name)
    assert supports(variant)
    assert compare(variant, Rules.of(variant), 0, games=1) > 4


@pytest.mark.parametrize("name", NAMES)
@short_and_long("turns", 1, 60)
def test_bots_play_it(name: str, turns: int) -> None:
    """Heuristic players play it without a lapse, in the long run until somebody has won."""
    variant = find_variant(name)
    calendar = variant.calendar
    match = play(
        variant,
        {power.name: Heuristic() for power in variant.powers},
        seed=1,
        until=calendar.first_year + turns * calendar.years_per_turn,
    )
    assert match.lapses == ()
    if turns > 1:
        assert match.game.outcome
        assert match.game.outcome.termination is Termination.VICTORY
