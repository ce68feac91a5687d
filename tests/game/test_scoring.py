"""Scores of finished games: published examples, totals, and what has none."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.game import SCORING_SYSTEMS, FinalCount, Game, agreed_scores, points_text, report, scores
from gamesmaster.variant import house_rule_settings

from .conftest import Builder

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
IN_BOARD = {"centre-count", "carnage", "tribute", "c-diplo"}
"""Systems in which a centre that nobody owns is missing from the sum."""


def count(centres: dict[str, int], out: dict[str, int] | None = None, sharers: tuple[str, ...] = ()) -> FinalCount:
    """A final count on the standard board; those with centres share the game if nobody is named."""
    whole = dict.fromkeys(POWERS, 0) | centres
    return FinalCount(whole, 34, sharers or tuple(power for power in POWERS if whole[power]), out or {})


@pytest.mark.parametrize(
    ("centres", "out", "points"),
    [
        (
            {"Russia": 14, "Turkey": 7, "France": 6, "Germany": 4, "England": 3},
            {"Austria": 3, "Italy": 5},
            {"Russia": 7014, "Turkey": 6007, "France": 5006, "Germany": 4004, "England": 3003, "Italy": 2000,
             "Austria": 1000},
        ),
        (
            {"England": 8, "Russia": 8, "France": 7, "Turkey": 6, "Italy": 4, "Austria": 1},
            {"Germany": 6},
            {"England": 6508, "Russia": 6508, "France": 5007, "Turkey": 4006, "Italy": 3004, "Austria": 2001,
             "Germany": 1000},
        ),
    ],
)  # fmt: skip
def test_carnage_is_as_published(centres: dict[str, int], out: dict[str, int], points: dict[str, int]) -> None:
    """The two draws of the tournament's own rules."""
    assert SCORING_SYSTEMS["carnage"].scores(count(centres, out)) == points


def test_tribute_is_as_published() -> None:
    """Three survivors have 22 points each, pay a point for each centre of the leader over 6, and no more than 22."""
    found = SCORING_SYSTEMS["tribute"].scores(count({"Russia": 14, "Turkey": 12, "France": 8}))
    assert found == dict.fromkeys(POWERS, 0) | {"Russia": 22 + 14 + 16, "Turkey": 22 + 12 - 8, "France": 22 + 8 - 8}
    two = SCORING_SYSTEMS["tribute"].scores(count({"Russia": 13, "Turkey": 13, "France": 8}))
    tied = 22 + 13 + Fraction(7, 2)
    assert two == dict.fromkeys(POWERS, 0) | {"Russia": tied, "Turkey": tied, "France": 22 + 8 - 7}


@pytest.mark.parametrize(
    ("system", "points"),
    [
        ("draw-size", (50, 50, 0)),
        ("sum-of-squares", (Fraction(100 * 289, 546), Fraction(100 * 256, 546), Fraction(100, 546))),
        ("centre-count", (17, 16, 1)),
        ("c-diplo", (1 + 38 + 17, 1 + 14 + 16, 1 + 7 + 1)),
    ],
)
def test_a_draw_of_two_with_a_survivor_left_out(system: str, points: tuple[Fraction | int, ...]) -> None:
    """The share counts by draw size only; the other systems go by centres."""
    final = count({"Russia": 17, "Turkey": 16, "France": 1}, sharers=("Russia", "Turkey"))
    found = SCORING_SYSTEMS[system].scores(final)
    assert [found[power] for power in ("Russia", "Turkey", "France")] == [Fraction(number) for number in points]


@st.composite
def final_counts(draw: st.DrawFn) -> FinalCount:
    """Any end of a game on the standard board."""
    cuts = sorted(draw(st.lists(st.integers(0, 34), min_size=7, max_size=7)))
    numbers = [high - low for low, high in zip([0, *cuts[:-1]], cuts, strict=True)]
    centres = dict(zip(draw(st.permutations(POWERS)), numbers, strict=True))
    alive = [power for power in POWERS if centres[power]] or list(POWERS)
    out = {power: draw(st.integers(0, 9)) for power in POWERS if power not in alive}
    sharers = draw(st.lists(st.sampled_from(alive), unique=True, min_size=1))
    return count(centres, out, tuple(sharers))


@given(final_counts())
def test_points_add_up(final: FinalCount) -> None:
    """All points of a game are given: to a solo, or in a draw, but for centres that nobody owns; none is negative."""
    for system in SCORING_SYSTEMS.values():
        found = system.scores(final)
        unowned = 34 - final.owned if system.name in IN_BOARD and not final.solo else 0
        whole = 0 if system.name == "sum-of-squares" and not final.owned and not final.solo else system.total(final)
        assert sum(found.values()) == whole - unowned
        assert min(found.values()) >= 0
        assert system.total(final) == {"centre-count": 34, "carnage": 28_034, "points": 0}.get(system.name, 100)


def test_a_game_is_scored(game: Game) -> None:
    """A game has scores when it is over, and a solo has all points."""
    with pytest.raises(GamesmasterError, match="only a finished game"):
        scores(game, "draw-size")
    for power in POWERS[1:]:
        game = game.concede(power, "Austria")
    assert scores(game, "carnage") == dict.fromkeys(POWERS, 0) | {"Austria": 28_034}
    with pytest.raises(NotFound, match="did you mean carnage"):
        scores(game, "carnge")


def test_a_game_is_scored_by_its_house_rules(game: Game) -> None:
    """House rules name the system, and the points stand in the last report; other games have none (STD-2.i)."""
    assert {"none", *SCORING_SYSTEMS} == set(house_rule_settings()["scoring"].answers)
    scored = Game.start(game.variant, seed=game.seed, house_rules={"scoring": "centre-count"})
    assert agreed_scores(scored) == {}
    for power in POWERS:
        game, scored = game.vote_draw(power), scored.vote_draw(power)
    assert agreed_scores(scored) == dict.fromkeys(POWERS, 3) | {"Russia": 4}
    assert agreed_scores(game) == {}
    assert "Points (centre-count): Russia 4, Austria 3, England 3," in report(scored)
    assert "Points" not in report(game)
    assert points_text(Fraction(7013, 2)) == "3,506.5"


def test_eliminations_are_found(standing: Builder) -> None:
    """Powers that are eliminated rank by the year of it."""
    units = {"France": ["A PAR", "A TYR"], "Italy": ["A NAP"]}
    owners = {"France": "PAR ROM", "Italy": "VEN", "Germany": "MUN"}
    game = standing("F1901M", units, owners).submit("France", "A Tyr - Ven").submit("Italy", "A Nap - Apu").process()
    game = game.process() if game.phase.code == "W1901A" else game
    over = game
    for power in game.survivors:
        over = over.vote_draw(power)
    final = FinalCount.of(over)
    assert final.out == {"Italy": 0}
    assert SCORING_SYSTEMS["carnage"].scores(final)["France"] == 7003
