"""What several players say together of a variant, and balances of recorded games."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from gamesmaster.errors import GamesmasterError
from gamesmaster.lab import (
    Balance,
    Comparison,
    Estimate,
    Experiment,
    balance_of,
    compare,
    conclusions,
    read_recorded,
    shared_differences,
)
from gamesmaster.lab.figures import pictures
from gamesmaster.lab.population import mean_over_players
from gamesmaster.lab.report import report_page

from .made import POWERS, made, numbered

GAMES = Path(__file__).parents[1] / "data/recorded_games.jsonl.gz"


def balanced(*winners: str) -> Balance:
    """The balance of twenty games for each of these winners, who end with all that changes hands."""
    wins = [winner for winner in winners for _ in range(20)]
    games = [made(n, {1901: [18 if p == w else 2 for p in POWERS]}, [w]) for n, w in enumerate(wins)]
    experiment = Experiment.of("standard", "random", seed=5)
    return balance_of(experiment, numbered(games, experiment))


def test_a_conclusion_holds_for_some_of_the_players() -> None:
    """Two of three players let France win always, the third never: it holds for two, and the spread is wide."""
    found = conclusions({"a": balanced("France"), "b": balanced("France"), "c": balanced("Turkey")})
    france = next(c for c in found if (c.power, c.what) == ("France", "victory"))
    assert [one.value for one in france.by_player.values()] == [1, 1, 0]
    assert france.holds == 2
    assert france.fair == pytest.approx(1 / 7)
    assert france.mean.value == pytest.approx(2 / 3)
    assert (france.mean.low, france.mean.high) == (0, 1)
    austria = next(c for c in found if (c.power, c.what) == ("Austria", "victory"))
    assert (austria.holds, austria.mean.value) == (0, 0)  # 20 games do not show that it wins less than one of seven
    assert len(found) == 3 * len(POWERS)


def test_an_interval_is_never_narrower_than_its_games_allow() -> None:
    """Players who happen to agree do not make the chance of their games smaller than it is."""
    alike = [Estimate(0.2, 0.1, 0.3), Estimate(0.2, 0.12, 0.28)]
    mean = mean_over_players(alike)
    assert mean.value == pytest.approx(0.2)
    assert mean.low == pytest.approx(0.2 - 0.1 / 2**0.5)
    assert mean.high == pytest.approx(0.2 + 0.1 / 2**0.5)
    wide = mean_over_players([Estimate(0.2, 0.1, 0.3), Estimate(0.4, 0.3, 0.5)])
    assert wide.high == 1
    assert wide.low == 0


def test_one_player_or_two_variants_are_refused() -> None:
    """There is no spread of one, and no conclusion about two games at once."""
    one = balanced("France")
    with pytest.raises(GamesmasterError, match="no spread"):
        conclusions({"a": one})
    other = replace(one, experiment=replace(one.experiment, digest="another"))
    with pytest.raises(GamesmasterError, match="different variants"):
        conclusions({"a": one, "b": other})


def compared(winner: str, other: str, games: int = 20) -> Comparison:
    """The comparison of so many games that one power wins with as many that another wins."""
    experiment = Experiment.of("standard", "random", seed=5)
    sides = []
    for who in (winner, other):
        won = [made(n, {1901: [18 if p == who else 2 for p in POWERS]}, [who]) for n in range(games)]
        sides.append((experiment, numbered(won, experiment)))
    return compare(*sides)


def test_a_difference_holds_for_some_of_the_players() -> None:
    """For two of three players France loses what Turkey wins, for the third what Italy wins; parts are not bounded."""
    both, third = compared("France", "Turkey"), compared("France", "Italy")
    found = {c.what: c for c in shared_differences({"a": both, "b": both, "c": third})}
    assert {"France: centres", "France: victories in 100"} <= found.keys()
    assert "Turkey: centres" not in found  # the third player knows no difference of it
    france = found["France: centres"]
    assert [one.value for one in france.by_player.values()] == [-16, -16, -16]
    assert (france.power, france.fair, france.mean.value) == ("", 0, -16)
    with pytest.raises(GamesmasterError, match="no spread"):
        shared_differences({"a": both})


def test_recorded_games_have_a_balance(tmp_path: Path) -> None:
    """Games from files of other programs are reported on as those of players are, and the page says whose they are."""
    lines = gzip.decompress(GAMES.read_bytes()).decode().splitlines()
    names = list(dict.fromkeys(data["game"] for data in map(json.loads, lines) if data["map"] == "standard"))[:2]
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(line for line in lines if json.loads(line)["game"] in names), encoding="utf-8")
    experiment, games = read_recorded(file)
    assert [game.number for game in games] == [0, 1]
    assert {game.seats["France"] for game in games} == {"recorded"}
    assert all(sum(counts) <= 34 for game in games for counts in game.centres.values())
    balance = balance_of(experiment, games)
    assert balance.games == 2
    assert "who played the recorded games" in report_page(balance, pictures(balance))
    other = next(line for line in lines if json.loads(line)["map"] != "standard")
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{other}", encoding="utf-8")
    with pytest.raises(GamesmasterError):
        read_recorded(file)
