"""What a balance says of games made up for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.lab import Experiment, Turns, balance_of
from gamesmaster.lab.balance import UNDECIDED

from .made import POWERS, QUICK, made, numbered

FIRST = (4, 4, 5, 5, 4, 6, 4)
WON = (0, 5, 18, 3, 3, 3, 2)
GAMES = numbered(
    [
        made(0, {1901: FIRST, 1902: WON}, ["France"], out={"Austria": 1902}),
        made(0, {1901: FIRST, 1902: (5, 4, 5, 5, 4, 7, 4)}),
        made(0, {1901: FIRST}, ["England", "Italy"], ending="draw"),
        made(0, {1901: FIRST}, ["France"]),
    ]
)


def test_each_power_is_told() -> None:
    """Wins, shared wins, survival, leads, centres and first gains are those of the games."""
    told = {p.power: p for p in balance_of(QUICK, GAMES).powers}
    france, austria, russia = told["France"], told["Austria"], told["Russia"]
    assert (france.wins.value, france.draws.value, france.victory.value) == (0.5, 0, 0.5)
    assert (told["Italy"].draws.value, told["Italy"].victory.value) == (0.25, 0.125)
    assert (france.leads.value, russia.leads.value) == (0.25, 0.75)
    assert (austria.survival.value, france.survival.value) == (0.75, 1)
    assert austria.centres.value == pytest.approx((0 + 5 + 4 + 4) / 4)
    assert france.first_gain.value == 2
    assert france.owned.value == pytest.approx((18 / 34 + 5 / 34 + 5 / 32 + 5 / 32) / 4)


def test_points_are_told() -> None:
    """With a scoring system each power has its mean points; games broken off are draws of the survivors."""
    told = {p.power: p for p in balance_of(QUICK, GAMES, scoring="draw-size").powers}
    means = {power: one.points.value for power, one in told.items() if one.points}
    assert means["France"] == pytest.approx((100 + 100 / 7 + 0 + 100) / 4)
    assert means["Italy"] == pytest.approx((0 + 100 / 7 + 50 + 0) / 4)
    assert {one.points for one in balance_of(QUICK, GAMES).powers} == {None}
    with pytest.raises(NotFound, match="did you mean carnage"):
        balance_of(QUICK, GAMES, scoring="carnagge")


def test_years_carry_on() -> None:
    """A game that is over keeps its last count, and a power is there until the year in which it falls out."""
    told = {p.power: p for p in balance_of(QUICK, GAMES).powers}
    assert {y: e.value for y, e in told["Austria"].by_year.items()} == {1901: 4, 1902: pytest.approx(13 / 4)}
    assert {y: e.value for y, e in told["Austria"].alive.items()} == {1901: 1, 1902: 0.75}


def test_the_ends_of_games() -> None:
    """Endings add up to all games, and lengths are counted."""
    balance = balance_of(QUICK, GAMES)
    found = {name: share.value for name, share in balance.endings.items()}
    assert found == {
        "victory": 0.5, "shared victory": 0, "draw": 0.25, "concession": 0, "nobody left": 0, UNDECIDED: 0.25,
    }  # fmt: skip
    assert balance.decided == 3
    assert balance.lengths == {1: 2, 2: 2}
    assert balance.turns.value == 1.5
    assert balance.fairness == ()  # of so few games no index


def test_a_game_that_nobody_survives_is_nobodys() -> None:
    """Where all have starved the game is over, but nobody has won it."""
    starved = made(4, {1901: (0,) * 7}, ending="victory", out=dict.fromkeys(POWERS, 1901))
    balance = balance_of(QUICK, [*GAMES, starved])
    assert balance.decided == 3
    assert {name: share.value for name, share in balance.endings.items() if name in ("nobody left", UNDECIDED)} == {
        "nobody left": 0.2, UNDECIDED: 0.2,
    }  # fmt: skip


def test_attacks_are_means_of_games() -> None:
    """Attacks are told by pair, per game; nobody's centres are apart."""
    attacks = balance_of(QUICK, GAMES).attacks
    assert attacks["supported attacks"]["France"]["Germany"] == 2
    assert attacks["captures"]["France"] == {**dict.fromkeys(POWERS, 0), "Germany": 1, "": 3}
    assert attacks["dislodgements"]["Germany"]["France"] == 0


def test_openings_seen_more_than_once() -> None:
    """Openings are told with what became of their games, the most frequent first; the powers without orders too."""
    balance = balance_of(QUICK, GAMES)
    france = [o for o in balance.openings if o.power == "France"]
    assert [(o.orders, o.games, o.victory.value, o.centres.value) for o in france] == [
        ("A Par - Bur", 2, 0.5, 11.5),
        ("A Par H", 2, 0.5, 5),
    ]
    assert balance.played["France"] == 2
    assert balance.played["Turkey"] == 1


def test_players_are_averaged_over_their_seats() -> None:
    """A player's share is that of one seat: where it has two in a game, their mean."""
    experiment = Experiment.of("standard", "heuristic,heuristic,random", seed=5)
    games = numbered([made(0, {1901: WON}, ["England"]) for _ in range(7)], experiment)
    told = {p.player: p for p in balance_of(experiment, games).players}
    assert (told["heuristic"].seats, told["random"].seats) == (14, 35)
    assert told["heuristic"].victory.value == pytest.approx(1 / 7)
    assert told["heuristic"].owned.value == pytest.approx(1 / 7)


def test_no_games_say_nothing() -> None:
    """Of no game, and of a single one, no balance is made."""
    with pytest.raises(GamesmasterError, match="0 games cannot show how balanced a variant is"):
        balance_of(QUICK, [])
    with pytest.raises(GamesmasterError, match="1 game cannot show how balanced a variant is"):
        balance_of(QUICK, GAMES[:1])
    with pytest.raises(GamesmasterError, match="no game lasted until the first count of centres"):
        balance_of(QUICK, numbered([made(0, {}), made(1, {})]))


def test_a_player_without_wins_has_an_upper_bound() -> None:
    """Who won none of seven games may still win one of three: Wilson's bound, and never 0 to 0."""
    experiment = Experiment.of("standard", "heuristic,random", until=Turns(1))
    seats = [experiment.seats(n) for n in range(7)]
    games = [made(n, {1901: [5] * 7}, [next(p for p in seats[n] if seats[n][p] == "random")], experiment=experiment)
             for n in range(7)]  # fmt: skip
    [heuristic] = [p for p in balance_of(experiment, games).players if p.player == "heuristic"]
    assert (heuristic.victory.value, heuristic.victory.low) == (0, 0)
    assert heuristic.victory.high == pytest.approx(0.354, abs=1e-3)


def test_players_who_do_not_answer() -> None:
    """A player's lapses are added up over its seats and games, with the first reason."""
    games = [replace(made(n, {1901: [5] * 7}), lapses=3 * (n < 2)) for n in range(4)]
    for n in range(2):
        games[n] = replace(games[n], silent={"France": (2, "ValueError: no"), "Italy": (1, "late")})
    [found] = balance_of(QUICK, games).lapses
    assert (found.player, found.questions, found.games, found.why) == ("random", 6, 2, "ValueError: no")
    assert str(found).startswith("random left 6 questions unanswered in 2 games")


def test_the_same_games_give_the_same_balance() -> None:
    """What is drawn by lot on the way is drawn alike each time."""
    assert balance_of(QUICK, GAMES) == balance_of(QUICK, GAMES)
