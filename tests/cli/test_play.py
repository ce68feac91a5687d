"""`play`: players at the table from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from gamesmaster.game import load

from .conftest import Run

MINE = """
from gamesmaster.players import Bot

class Mine(Bot):
    name = "mine"

    def orders(self, view):
        return [f"{unit} H" for unit in view.units]

class Rude(Bot):
    def orders(self, view):
        raise ValueError("no")

class Broken(Bot):
    def orders(self, view):
        if view.phase.code == "S1902M":
            raise KeyboardInterrupt
        return []

class AtOnce(Bot):
    def orders(self, view):
        raise KeyboardInterrupt
"""


def test_a_game_is_played_told_and_saved(run: Run, tmp_path: Path) -> None:
    """A game prints who played what, the centres by year and how it stands, and is a record like any other."""
    done = run("play", "--players", "heuristic,random", "--until", 1902, "--seed", 5, "-o", "game.json")
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert sum(line.endswith(": heuristic") for line in lines) == 1
    assert lines[-5].split() == ["year", *(power for power in load(tmp_path / "game.json").players)]
    assert [line.split()[0] for line in lines[-4:-2]] == ["1901", "1902"]
    assert lines[-1] == "Broken off before Spring 1903 Movement."
    assert run("replay", "game.json").exit_code == 0


def test_a_game_that_is_broken_off_is_kept(run: Run, tmp_path: Path) -> None:
    """Ctrl-C ends the command; the phases that are over are saved, if there are any."""
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    done = run("play", "--players", "mine.py:Broken", "-o", "game.json")
    assert done.exit_code == 130
    assert "broken off: game.json has the game up to S1902M" in done.stderr
    game = load(tmp_path / "game.json")
    assert (game.phase.code, len(game.records)) == ("S1902M", 2)
    assert run("play", "--players", "mine.py:AtOnce", "-o", "other.json").exit_code == 130
    assert not (tmp_path / "other.json").exists()
    assert run("play", "--players", "mine.py:Broken").exit_code == 130


def test_the_same_seed_plays_the_same_game(run: Run) -> None:
    """One seed, one game; the next number another."""
    first, again, other = (
        run("play", "--players", "random", "--until", 1901, "--seed", s, "--json").output for s in (1, 1, 2)
    )
    assert first == again != other


def test_many_games_are_tallied(run: Run) -> None:
    """Several games print a row for each kind of player, and in JSON each game has its seed."""
    args = ("play", "--players", "heuristic,random", "--games", 2, "--until", 1902)
    rows = run(*args).output.splitlines()
    assert sorted(row.split()[:3] for row in rows[1:3]) == [["heuristic", "2", "0"], ["random", "12", "0"]]
    assert rows[-1] == "2 games, 0 of them played to the end"
    games = json.loads(run(*args, "--json").output)["games"]
    assert [game["seed"] for game in games] == [1, 2]
    assert games[0]["years"]["1902"] == games[0]["centres"]
    assert games[0]["outcome"] is None


def test_powers_can_be_named(run: Run) -> None:
    """POWER=NAME seats a player, another one takes the rest; without it the rest are in civil disorder."""
    game = json.loads(run("play", "--players", "france=holder,random", "--until", 1901, "--json").output)["games"][0]
    assert game["players"] == {
        power: "holder" if power == "France" else "random"
        for power in ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
    }
    alone = json.loads(run("play", "--players", "France=holder", "--until", 1901, "--json").output)["games"][0]
    assert alone["players"] == {"France": "holder"}


def test_a_player_of_one_s_own(run: Run, tmp_path: Path) -> None:
    """A class in a file plays; one that fails is warned of."""
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    done = run("play", "--players", "mine.py:Mine", "--until", 1901, "--patience", 30)
    assert done.exit_code == 0
    assert "France: mine" in done.output
    rude = run("play", "--players", "France=mine.py:Rude", "--until", 1901)
    assert rude.exit_code == 0
    assert "warning: S1901M, France, orders: ValueError: no" in rude.output


def test_a_victory_is_told(run: Run) -> None:
    """A game that somebody wins ends with that, in JSON too."""
    args = ("play", "--players", "France=heuristic", "--until", 1930)
    assert run(*args).output.splitlines()[-1] == "France won."
    outcome = json.loads(run(*args, "--json").output)["games"][0]["outcome"]
    assert outcome == {"termination": "victory", "winners": ["France"]}


def test_what_is_wrong_is_told(run: Run) -> None:
    """Unknown players and powers, too many players, and saving many games are refused."""
    cases = {
        ("--players", "heurstic"): (3, "did you mean heuristic?"),
        ("--players", "Frnce=holder"): (3, "did you mean France?"),
        ("--players", ",".join(["holder"] * 8)): (2, "8 players for 7 powers"),
        ("--players", "France=holder,random,holder"): (2, "expected one player for the powers not named"),
        ("--players", ","): (2, "nobody is named"),
        ("--games", 2, "-o", "game.json"): (2, "only a single game is saved"),
    }
    for args, (code, words) in cases.items():
        done = run("play", *args, "--until", 1901)
        assert done.exit_code == code, args
        assert words in done.output
    for year, words in ((-5, "it begins in 1901"), (1900, "it begins in 1901"), (10**11, "the last year may be 11901")):
        done = run("play", "--until", year)
        assert done.exit_code == 3
        assert f"no game of Diplomacy can be played until {year} ({words})" in done.stderr
