"""Phase by phase a batch comes to the position that the judge comes to, whatever the board and the rulebook."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gamesmaster.batches.batch import Batch
from gamesmaster.batches.support import supports
from gamesmaster.board import Position
from gamesmaster.formats import read_foreign
from gamesmaster.game import Dice
from gamesmaster.game.progress import advance
from gamesmaster.judge import adjudicate
from gamesmaster.rules import Rules
from gamesmaster.variant import Phase, Variant, find_variant, full_name, split_name
from tests.lengths import short_and_long
from tests.open_variants import open_variants

pytestmark = pytest.mark.together

TURNS = 9
BOARDS = Path(__file__).parents[1] / "data/boards"

BOOKS: dict[str, dict[str, str]] = {
    "its own": {},
    "1971": {"preset": "1971"},
    "1982": {"preset": "1982"},
    "2000": {"preset": "2000"},
    "2023": {"preset": "2023"},
    "all hold, always by convoy": {"4.A.2": "d", "4.A.3": "a@2.5", "4.A.7": "a"},
    "all hold, convoys named": {"4.A.2": "d", "4.A.3": "DPTG", "4.A.5": "a"},
    "every route, own swaps": {"4.A.2": "c", "4.A.3": "b", "4.A.1": "a"},
    "1982, losers contest": {"4.A.2": "b", "4.A.3": "a", "4.A.7": "always"},
}
CASES = [
    *(("standard", book) for book in BOOKS),
    *((name, "its own") for name in ("coldwar", "hundred", "westernworld901", "youngstownredux", "pure")),
    *((name, book) for name in open_variants() if name != "standard" for book in ("its own", "2023")),
    *(
        (full_name(name, {option.name: choice}), "its own")
        for name in open_variants()
        for option in find_variant(name).options
        for choice in option.choices
        if choice != option.default
    ),
]
"""Boards of the package and of other programs, each with a rulebook, and each variant under each of its options."""


def variant_under(name: str, book: str) -> Variant:
    """A variant of the package, or of another program's files, under this book."""
    ours = split_name(name)[0] in open_variants()
    variant = find_variant(name) if ours else read_foreign(BOARDS / f"{name}.json")
    return replace(variant, rulebook=BOOKS[book]) if BOOKS[book] else variant


@pytest.mark.parametrize(("name", "book"), CASES)
@short_and_long("phases", 30, 5000)
def test_a_batch_comes_to_what_the_judge_comes_to(name: str, book: str, phases: int) -> None:
    """Units by number, owners, dislodged units with all that is open to them: after each phase all are equal."""
    variant = variant_under(name, book)
    assert supports(variant)
    rules, compared, seed = Rules.of(variant), 0, 0
    while compared < phases:
        compared += compare(variant, rules, seed, games=min(16, phases // 20))
        seed += 1


def compare(variant: Variant, rules: Rules, seed: int, *, games: int) -> int:
    """Play some games of a batch beside the judge, and return in how many phases they were compared."""
    batch, compared = Batch(variant, games, seed=seed), 0
    states: list[tuple[Position, Phase] | None] = [(variant.start, batch.phase)] * games
    while variant.calendar.turn(batch.phase) < TURNS:
        batch.draw()
        for i, state in enumerate(states):
            if state is None or state[1] != batch.phase:
                continue
            position, phase = state
            assert _said(batch.position(i)) == _said(position), f"seed {seed}, game {i}, {phase.code}"
            compared += 1
            judged = adjudicate(rules, phase.kind, position, batch.orders(i))
            step = advance(variant, rules, phase, position, judged, Dice(batch.key(i)))
            states[i] = (step.position, step.phase) if step.outcome is None else None
        batch.carry_out()
    return compared


def _said(position: Position) -> tuple[object, ...]:
    """All that a position says."""
    return position.units, dict(position.owners), position.dislodged, dict(position.state)
