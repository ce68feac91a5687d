"""`selfplay`, `balance` and `compare`: many games from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from gamesmaster.cli.console import say_alarm
from gamesmaster.errors import install
from gamesmaster.lab import Experiment, Failure, read_games
from gamesmaster.lab.run import Run as Outcome
from gamesmaster.players import Match

from .conftest import Run

QUICK = ("--players", "random", "--turns", 1, "--jobs", 1, "--no-batch")


def test_games_are_kept_and_continued(run: Run, tmp_path: Path) -> None:
    """A folder is named after the experiment; the same command plays nothing twice, and the folder takes more games."""
    done = run("selfplay", "standard", "--games", 2, *QUICK)
    folder = done.output.partition(":")[0]
    assert done.exit_code == 0
    assert done.output == f"{folder}: 2 games, 2 of them played now.\n"
    assert folder.startswith("standard-")
    assert run("selfplay", "standard", "--games", 2, *QUICK).output == f"{folder}: 2 games, 0 of them played now.\n"
    told = json.loads(run("selfplay", folder, "--games", 3, "--jobs", 1, "--json").output)
    assert (told["games"], told["played"], told["failures"], told["stopped"]) == (3, 1, [], False)
    assert [game.number for game in read_games(tmp_path / folder)[1]] == [0, 1, 2]


def test_records_are_read_by_the_other_commands(run: Run, tmp_path: Path) -> None:
    """A kept record is that of a game like any other."""
    import gzip

    assert run("selfplay", "standard", "--games", 1, *QUICK, "--records", "-o", "kept").exit_code == 0
    record = gzip.decompress((tmp_path / "kept" / "records" / "000000.json.gz").read_bytes())
    (tmp_path / "game.json").write_bytes(record)
    assert "Spring 1902" in run("status", "game.json").output


def test_balance_is_told(run: Run, tmp_path: Path) -> None:
    """Each power has a row with intervals; the page and the tables lie in the folder, and can be had again from it."""
    done = run("balance", "standard", "--games", 3, *QUICK, "-o", "trial")
    assert done.exit_code == 0
    rows = [line.split()[0] for line in done.output.splitlines()[1:8]]
    assert rows == ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"]
    assert "0% (0-56)" in done.output
    assert "3 games, 0 of them decided" in done.output
    assert done.output.rstrip().endswith("balance.html")
    assert {"balance.html", "balance.json", "powers.csv"} <= {f.name for f in (tmp_path / "trial").iterdir()}
    assert json.loads(run("balance", "trial", "--json").output) == json.loads(
        (tmp_path / "trial" / "balance.json").read_text(encoding="utf-8")
    )


def test_several_players_are_asked(run: Run, tmp_path: Path) -> None:
    """Each plays games of its own, with a report of its own, and a table says for how many a conclusion holds."""
    ask = ("balance", "standard", "--games", 2, "--turns", 1, "--jobs", 1, "--no-batch", "--ask", "random, holder")
    done = run(*ask, "-o", "asked")
    assert done.exit_code == 0
    assert "holds for" in done.output.splitlines()[0]
    assert sum(" of 2" in line for line in done.output.splitlines()) == 21
    assert {path.parent.name for path in (tmp_path / "asked").glob("*/balance.html")} == {"random", "holder"}
    told = json.loads(run(*ask, "-o", "asked", "--json").output)
    assert told[0]["by_player"].keys() == {"random", "holder"}
    assert run(*ask).exit_code != 0  # without a folder for them


def test_batches_play_what_they_can(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody need ask for compiled code, nor name what it cannot play; two sides are compared under the same chance."""
    monkey = ("--players", "random", "--turns", 1, "--jobs", 1)
    searcher = ("--players", "France=searcher,random", *monkey[2:])
    cases: dict[tuple[object, ...], bool] = {
        ("selfplay", "standard", *monkey): True,
        ("selfplay", "standard", *QUICK): False,
        ("balance", "cline9", *monkey): True,
        ("selfplay", "1000ad", *monkey): True,
        ("selfplay", "scottomacy", *monkey): True,
        ("selfplay", "indianomacy", "--players", "heuristic", *monkey[2:]): True,
        ("balance", "scottomacy", "--players", "heuristic", *monkey[2:]): True,
        ("compare", "indianomacy2", "conquest2", "--players", "heuristic,random", *monkey[2:]): True,
        ("balance", "standard", *searcher): False,
        ("selfplay", "standard", *monkey, "--rulebook", "1971"): False,
        ("compare", "standard", "cline9", *monkey): True,
        ("compare", "standard", "standard", *monkey, "--rulebook-b", "1971"): False,
    }
    asked: list[Experiment] = []

    def note(experiment: Experiment, folder: Path, *_args: object, **_options: object) -> Outcome:
        asked.append(experiment)
        if len(asked) == sides:
            raise typer.Exit
        return Outcome(folder, 0, 0)

    monkeypatch.setattr("gamesmaster.cli.lab.play_games", note)
    monkeypatch.setattr("gamesmaster.lab.read_games", lambda _folder: (asked[-1], []))
    for number, (args, batch) in enumerate(cases.items()):
        asked.clear()
        sides = 2 if args[0] == "compare" else 1
        done = run(*args, "--games", 2, "-o", f"games{number}")
        assert done.exit_code == 0, (args, done.output)
        assert [experiment.batch for experiment in asked] == [batch] * sides, args
    assert run("selfplay", "scottomacy", "--players", "searcher", *monkey[2:], "--batch").exit_code == 3


def test_options_of_variants(run: Run, tmp_path: Path) -> None:
    """--option is another way to write what stands in brackets, and joins it."""
    run("selfplay", "cline9", "--option", "turkey=fleet-smyrna", "--games", 1, *QUICK, "-o", "a")
    run("selfplay", "cline9[turkey=fleet-smyrna]", "--games", 1, *QUICK, "-o", "b")
    assert read_games(tmp_path / "a") == read_games(tmp_path / "b")
    assert read_games(tmp_path / "a")[0].variant == "cline9[turkey=fleet-smyrna]"


def test_a_comparison_is_told(run: Run) -> None:
    """What differs is told with its interval, the surest first, and folders that were played are taken as they are."""
    args = ("standard", "standard", "--players", "holder", "--players-b", "random", "--games", 6)
    done = run("compare", *args, "--turns", 3, "--jobs", 1, "-o", "bots")
    assert done.exit_code == 0
    heads = "measure A B B - A 95% interval that they differ pairs alike games more"
    assert " ".join(done.output.splitlines()[0].split()) == heads
    assert "6 pairs of games" in done.output
    assert done.output.splitlines()[-1] == str(Path("bots/compare.html"))
    assert Path("bots/compare.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    found = json.loads(run("compare", "bots/a", "bots/b", "--json").output)
    assert found["pairs"] == 6
    still = next(d for d in found["differences"] if d["what"] == "most counts without a change")
    assert still["first"] == 3 > still["second"]
    early = json.loads(run("compare", "bots/a", "bots/b", "--early", "--json").output)
    assert early["early"]
    assert "most counts without a change" not in {d["what"] for d in early["differences"]}  # it has no bound
    same = run("compare", "bots/a", "bots/a")
    assert same.output == "The two are the same in all of 6 pairs of games.\n"


def test_a_league_is_played(run: Run, tmp_path: Path) -> None:
    """Two players meet both ways round in all seats; what is there is not played again."""
    args = ("league", "--players", "holder,random", "--turns", 1, "--jobs", 1, "-o", "league")
    done = run(*args)
    assert done.exit_code == 0, done.output
    assert [len(read_games(tmp_path / f"league/{pair}")[1]) for pair in ("1-2", "2-1")] == [14, 14]
    lines = done.output.splitlines()
    assert lines[0].split() == ["player", "points"]
    assert len([line for line in lines if line.startswith(("holder ", "random "))]) == 4
    told = json.loads(run(*args, "--json").output)
    assert told == json.loads((tmp_path / "league/league.json").read_text(encoding="utf-8"))
    for wrong in ("random", "random,random"):
        assert run("league", "--players", wrong, "-o", "other").exit_code == 2


def test_what_is_wrong_is_told(run: Run) -> None:
    """Unknown names, not both, and a folder of another experiment are refused."""
    run("selfplay", "standard", "--games", 1, *QUICK, "-o", "there")
    cases = {
        ("selfplay", "standart"): (3, "did you mean standard?"),
        ("selfplay", "standard", "--players", "radnom"): (3, "did you mean random?"),
        ("balance", "cline9", "--option", "turky=fleet-smyrna"): (3, "did you mean turkey?"),
        ("balance", "cline9", "--option", "turkey"): (3, "option=choice"),
        ("selfplay", "standard", "--until", 1903, "--turns", 2): (2, "not both"),
        ("selfplay", "there", "--seed", 2): (2, "is an experiment's folder"),
        ("selfplay", "standard", "--seed", 2, *QUICK, "-o", "there"): (3, "another experiment: its seed is 1, not 2"),
        ("compare", "there", "standrd"): (3, "did you mean standard?"),
    }
    for args, (code, words) in cases.items():
        done = run(*args)
        assert done.exit_code == code, args
        assert words in " ".join(done.output.replace("│", " ").split()), args


def test_failures_and_stops_are_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that failed are named, some of them, and a run that was stopped says how to go on; both end with 1."""
    failures = tuple(Failure(n, "00", "ZeroDivisionError: no") for n in range(12))
    folder = tmp_path / "there"

    def broken(*_: object, **__: object) -> Outcome:
        return Outcome(folder, 3, 2, failures, True)

    monkeypatch.setattr("gamesmaster.lab.run.selfplay", broken)
    done = run("selfplay", "standard", "--games", 20, *QUICK, "-o", "there")
    assert done.exit_code == 1
    assert "warning: game 9 (seed 00) failed: ZeroDivisionError: no" in done.output
    assert "2 more games failed" in done.output
    assert "note: stopped; 3 games of 20 are kept, and the same command goes on" in done.output


def test_a_report_opens_with_the_games_it_lacks(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that fail, the last one too, are named first in every report, and when it is asked for again."""
    play, failing = Experiment.play, {1, 2, 5}

    def fragile(self: Experiment, number: int, **options: Any) -> Match:
        if number in failing:
            raise ZeroDivisionError("no luck")
        return play(self, number, **options)

    monkeypatch.setattr(Experiment, "play", fragile)
    warning = "3 of 6 games are missing (numbers 1 to 2, 5). All numbers below are biased"
    for args in (("balance", "standard", "--games", 6, *QUICK, "-o", "trial"), ("balance", "trial")):
        done = run(*args)
        assert done.exit_code == 1
        assert done.stdout.startswith(warning)
        page = (tmp_path / "trial/balance.html").read_text(encoding="utf-8")
        assert page.partition("<main>")[2].lstrip().startswith(f'<p class="alarm"><strong>Warning.</strong> {warning}')
    told = json.loads(run("balance", "trial", "--json").stdout)
    assert [*told][:2] == ["warning", "missing"]
    assert told["warning"].startswith(warning)
    assert told["missing"] == {"asked": 6, "spans": [[1, 2], [5, 5]]}
    compared = ("compare", "trial", "trial", "-o", "both")
    assert run(*compared).exit_code == 1
    assert run(*compared).stdout.startswith(warning)
    assert warning in (tmp_path / "both/compare.html").read_text(encoding="utf-8").partition("<h1>")[0]
    assert next(iter(json.loads(run(*compared, "--json").stdout))) == "warning"
    failing.clear()
    done = run("balance", "standard", *QUICK, "-o", "trial")
    assert (done.exit_code, "missing" in done.stdout) == (0, False)
    assert "6 games, 0 of them decided" in done.stdout
    assert "alarm" not in (tmp_path / "trial/balance.html").read_text(encoding="utf-8").partition("<main>")[2]
    assert not {"warning", "missing"} & {*json.loads((tmp_path / "trial/balance.json").read_bytes())}
    (tmp_path / "trial/asked.json").unlink()
    games = tmp_path / "trial/games.jsonl"
    games.write_bytes(b"".join(games.read_bytes().splitlines(keepends=True)[:-1]))
    for words in (("balance", "trial"), compared):
        done = run(*words)
        assert done.exit_code != 0
        assert "no asked.json in trial: games may be missing" in done.output
        assert "centres" not in done.output
    assert "6 games" in run("balance", "trial", "--games", 6, "--jobs", 1).output


def test_the_line_is_red(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal the line about missing games is red, unless nobody wants colours."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    for colour, begins in (("", b"\x1b[31m"), ("1", b"7 of 60")):
        with CliRunner().isolation(color=True) as (output, *_):
            monkeypatch.setenv("NO_COLOR", colour)
            say_alarm("7 of 60 games are missing")
            assert output.getvalue().startswith(begins)


def test_nothing_is_reported_of_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that was stopped before a game was done ends without a report."""
    monkeypatch.setattr("gamesmaster.lab.run.selfplay", lambda *_, **__: Outcome(tmp_path, 0, 0, stopped=True))
    done = run("balance", "standard", *QUICK, "-o", "there")
    assert done.exit_code == 1
    assert done.output == "note: stopped; 0 games of 100 are kept, and the same command goes on\n"


def test_libraries_that_are_not_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the libraries of the lab, the command says how to get them."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = run("selfplay", "standard")
    assert done.exit_code == 3
    assert install("lab") in " ".join(done.output.split())
