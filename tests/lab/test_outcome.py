"""The brief account of a game, against a game whose course is known."""

from __future__ import annotations

import pytest

from gamesmaster.errors import BadFile
from gamesmaster.game import Game
from gamesmaster.lab import Experiment, GameSummary, Turns, summary_of
from gamesmaster.lab.outcome import missing_of, read_summary
from gamesmaster.players import Match
from gamesmaster.variant import find_variant

from .made import POWERS, QUICK

SPRING = {
    "Austria": ["F Tri - Alb", "A Bud - Ser"],
    "France": ["A Mar - Bur"],
    "Germany": ["A Mun - Ruh", "A Ber - Mun"],
    "Italy": ["A Ven - Tri"],
}
FALL = {
    "Germany": ["A Mun - Bur", "A Ruh S A Mun - Bur"],
    "Austria": ["A Vie - Tri", "F Alb S A Vie - Tri"],
    "Italy": ["F Nap - ION"],
}


@pytest.fixture(scope="module")
def summary() -> GameSummary:
    """A game of a year: Germany beats France out of Burgundy, Austria beats Italy out of Trieste, Serbia is taken."""
    experiment = Experiment.of("standard", "holder", until=1901)
    game = Game.start(find_variant("standard"), seed=experiment.seed_of(0))
    for orders in (SPRING, FALL):
        for power, texts in orders.items():
            game = game.submit(power, texts)
        game = game.process()
    while game.phase.year == 1901:
        game = game.process()
    return summary_of(experiment, 0, Match(game))


def test_attacks_are_counted_by_pair(summary: GameSummary) -> None:
    """Attacks with support, dislodgements and captures are told by who did them to whom; nobody's centres too."""
    assert summary.attacks == (("Austria", "", 0, 0, 1), ("Austria", "Italy", 1, 1, 0), ("Germany", "France", 1, 1, 0))


def test_openings_are_written_alike(summary: GameSummary) -> None:
    """The orders of the first movement stand in the order of the alphabet, as the notation prints them."""
    assert summary.openings["Austria"] == "A Bud - Ser; F Tri - Alb"
    assert set(summary.openings) == set(SPRING)


def test_centres_and_length(summary: GameSummary) -> None:
    """Centres at the start and at each count, phases and turns are those of the game."""
    assert summary.start == (3, 3, 3, 3, 3, 4, 3)
    assert summary.centres == {1901: (4, 3, 3, 3, 3, 4, 3)}
    assert (summary.phases, summary.turns, summary.ending, summary.alive) == (4, 1, "", POWERS)
    assert (summary.still, summary.stillest) == (0, 0)


def test_the_end_is_told() -> None:
    """A victory, those who fell out and in which year, and years without change are in it."""
    experiment = Experiment.of("standard", "France=heuristic", until=Turns(40))
    match = experiment.play(0)
    summary = summary_of(experiment, 0, match)
    assert (summary.ending, summary.winners) == ("victory", ("France",))
    assert summary.final == tuple(match.centres.values())
    assert set(summary.out) == set(POWERS) - set(match.game.survivors)
    for power, year in summary.out.items():
        assert summary.centres[year][POWERS.index(power)] == 0
    still = Experiment.of("standard", "holder", until=1904)
    told = summary_of(still, 0, still.play(0))
    assert (told.still, told.stillest) == (4, 4)


def test_a_line_is_read_again(summary: GameSummary) -> None:
    """What is written of a game is read as it was."""
    assert read_summary(summary.line(), POWERS, "here") == summary


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"number":0', b'"number":"x"', r"here, \$.number"),
        (b'"lapses":0', b'"lapses":0,"more":1', r"here, \$.more"),
        (b'"phases":4', b'"phases":NaN', r"here, \$.phases: NaN"),
        (b'["Austria","",0,0,1]', b'["Prussia","",0,0,1]', "a power that the variant does not have"),
        (b'["Austria","",0,0,1]', b'["Austria","Prussia",0,0,1]', "a power that the variant does not have"),
        (b'"start":[3,3', b'"start":[3', "for each of the 7 powers"),
        (b"{", b"", "not JSON"),
    ],
)
def test_a_damaged_line_is_refused(summary: GameSummary, old: bytes, new: bytes, words: str) -> None:
    """A line that says something else than a game of these powers is refused, and its place named."""
    with pytest.raises(BadFile, match=words):
        read_summary(summary.line().replace(old, new, 1), POWERS, "here")


def test_players_lapses_are_counted() -> None:
    """A game between quick players has a line of its own, without unanswered questions."""
    assert summary_of(QUICK, 2, QUICK.play(2)).lapses == 0


@pytest.mark.parametrize(
    ("numbers", "asked", "spans"),
    [
        ([0, 1, 2], 3, None),
        ([], 0, None),
        ([2, 0], 0, [(1, 1)]),
        ([2, 0], 6, [(1, 1), (3, 5)]),
        ([4, 3], 2, [(0, 2)]),
        ([], 3, [(0, 2)]),
    ],
)
def test_games_that_are_missing(numbers: list[int], asked: int, spans: list[tuple[int, int]] | None) -> None:
    """Those before the last one that is there, and those up to as many as were asked for, by runs of numbers."""
    found = missing_of(numbers, asked)
    assert (found and [*found.spans]) == spans
    assert found is None or found.games + len(numbers) == found.asked


def test_missing_games_are_named() -> None:
    """One, several, and so many that not all are named."""
    assert str(missing_of([0, 2])).startswith("1 of 3 games is missing (number 1). All numbers below are biased: ")
    assert "(numbers 1, 3 to 1,999)" in str(missing_of([0, 2], 2000))
    assert "5,000 of 10,000 games are missing (numbers 0, 2, 4," in str(missing_of(range(1, 10_000, 2)))
    assert ", 38, and more)" in str(missing_of(range(1, 10_000, 2)))
