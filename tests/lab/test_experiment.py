"""Experiments: what game a number means, and what is refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from gamesmaster.errors import BadFile, GamesmasterError, NotFound
from gamesmaster.lab import Experiment, Turns
from gamesmaster.lab.experiment import experiment_data, read_experiment
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rulebook
from gamesmaster.variant import Calendar, Era, Slot

from .made import POWERS, QUICK

MINE = "from gamesmaster.players import Holder\n\nclass Mine(Holder):\n    name = 'mine'\n"


def test_every_player_has_every_power_once() -> None:
    """After as many games as there are powers, on boards of any size, every player has sat at each power once."""
    for variant in ("standard", "cline9", "indianomacy"):
        experiment = Experiment.of(variant, "heuristic,random,holder")
        powers = experiment.powers
        for first in (0, 4 * len(powers)):
            seats = [experiment.seats(number) for number in range(first, first + len(powers))]
            for power in powers:
                assert Counter(s[power] for s in seats) == {"heuristic": 1, "random": 1, "holder": len(powers) - 2}
            assert all(s[experiment.first_seat(first + n)] == "heuristic" for n, s in enumerate(seats))
    assert [QUICK.first_seat(n) for n in (0, 1, 7)] == ["Austria", "England", "Austria"]


def test_players_have_all_neighbours() -> None:
    """In 42 games two players have each two of seven powers once; other boards have neighbours by lots."""

    def met(variant: str, games: int) -> set[tuple[str, ...]]:
        experiment = Experiment.of(variant, "heuristic,random,holder")
        seats = [{name: power for power, name in experiment.seats(n).items()} for n in range(games)]
        return {(by_player["heuristic"], by_player["random"]) for by_player in seats}

    assert len(met("standard", 42)) == 42
    assert len(met("cline9", 720)) == 72


def test_some_seats_can_be_fixed() -> None:
    """A power with a player of its own keeps it in every game, and the others are dealt to the rest."""
    experiment = Experiment.of("standard", "France=holder,heuristic,random")
    assert {experiment.seats(n)["France"] for n in range(6)} == {"holder"}
    assert sorted(experiment.first_seat(n) for n in range(6)) == sorted({*POWERS} - {"France"})
    alone = Experiment.of("standard", "France=holder")
    assert alone.seats(4) == {"France": "holder"}
    assert alone.first_seat(4) == ""


def test_a_game_is_a_function_of_its_number() -> None:
    """The same number gives the same game; another number another one, though the players are equal."""
    first, again, other = QUICK.play(3), QUICK.play(3), QUICK.play(4)
    assert first.game.records == again.game.records
    assert first.game.records != other.game.records
    assert QUICK.seed_of(3) != replace(QUICK, seed=6).seed_of(3)


def test_it_can_be_kept_and_read(tmp_path: Path) -> None:
    """What is written is read again, and all that it holds is in its name."""
    import json

    file = tmp_path / "experiment.json"
    file.write_text(json.dumps(experiment_data(QUICK)), encoding="utf-8")
    assert read_experiment(file) == QUICK
    assert read_experiment(file).fingerprint == QUICK.fingerprint
    assert len({replace(QUICK, **change).fingerprint for change in ({}, {"seed": 9}, {"until": 1905})}) == 3  # type: ignore[arg-type]
    file.write_text('{"variant": 3}', encoding="utf-8")
    with pytest.raises(BadFile, match=r"experiment.json, \$"):
        read_experiment(file)


def test_rulebook_and_turns_are_kept() -> None:
    """Choices of the rulebook are in the experiment, and turns become the last year."""
    experiment = Experiment.of("1000ad", "holder", until=Turns(3), rulebook=Rulebook.of("1971"))
    assert experiment.rulebook == Rulebook.of("1971").choices() != {}
    assert experiment.until == experiment.play(0).game.records[-1].phase.year


def test_years_before_christ_have_no_zero() -> None:
    """The last year of so many turns is right across the beginning of the era."""
    calendar = Calendar((Slot("Spring", PhaseKind.MOVEMENT, "S"),), -2, era=Era.BC)
    assert [calendar.last_year(turns) for turns in (1, 2, 3)] == [-2, -1, 1]


def test_what_has_changed_is_refused(tmp_path: Path) -> None:
    """A game is not played with another program, another variant or another player's file than the experiment's."""
    file = tmp_path / "mine.py"
    file.write_text(MINE, encoding="utf-8")
    mine = Experiment.of("standard", f"{file}:Mine", until=Turns(1))
    assert mine.play(0).game.players["France"] == "mine"
    file.write_text(MINE + "# changed\n", encoding="utf-8")
    for experiment, words in (
        (mine, "this file has changed"),
        (replace(QUICK, program="0.0.0"), "is of gamesmaster 0.0.0"),
        (replace(QUICK, digest="0"), "has changed since"),
    ):
        with pytest.raises(BadFile, match=words):
            experiment.play(0)
    file.unlink()
    with pytest.raises(NotFound, match=r"no file .*mine.py"):
        mine.play(0)


def test_what_is_wrong_is_told() -> None:
    """Unknown variants and players, and too many of them, are refused with the nearest right thing."""
    for variant, players, words in (
        ("standart", "holder", "did you mean standard"),
        ("standard", "holdr", "did you mean holder"),
        ("standard", "Frnce=holder", "did you mean France"),
        ("standard", ",".join(["holder"] * 8), "8 players for 7 powers"),
    ):
        with pytest.raises(GamesmasterError, match=words):
            Experiment.of(variant, players)
    for year in (-5, 1900, 10**11):
        with pytest.raises(GamesmasterError, match=f"can be played until {year}"):
            Experiment.of("standard", "holder", until=year)
