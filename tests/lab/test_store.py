"""The folder of an experiment: whatever happens to a run, no game is lost, repeated or mixed with others."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from gamesmaster.errors import BadFile, GamesmasterError, NotFound, OutOfTurn
from gamesmaster.lab import games_asked, read_games
from gamesmaster.lab.store import open_store

from .made import QUICK, made

YEAR = {1901: (4, 4, 5, 5, 4, 6, 4)}


def test_games_are_kept_in_order(tmp_path: Path) -> None:
    """Games are read again in the order of their numbers, however they came in, and each but once."""
    with open_store(tmp_path, QUICK) as store:
        for number in (2, 0, 2, 1):
            store.add(made(number, YEAR))
        assert store.missing(5) == [3, 4]
    assert read_games(tmp_path) == (QUICK, [made(n, YEAR) for n in range(3)])
    assert (tmp_path / "games.jsonl").read_bytes() == b"".join(made(n, YEAR).line() for n in range(3))


def test_a_torn_line_is_played_again(tmp_path: Path) -> None:
    """What was being written when the power failed is taken off; the lines before it are kept."""
    with open_store(tmp_path, QUICK) as store:
        store.add(made(0, YEAR))
    file = tmp_path / "games.jsonl"
    file.write_bytes(file.read_bytes() + made(1, YEAR).line()[:70])
    assert [game.number for game in read_games(tmp_path)[1]] == [0]
    with open_store(tmp_path, QUICK) as store:
        assert store.missing(2) == [1]
        store.add(made(1, YEAR))
    assert [game.number for game in read_games(tmp_path)[1]] == [0, 1]


def test_another_experiment_is_refused(tmp_path: Path) -> None:
    """A folder takes games of its own experiment only, and says what is other."""
    with open_store(tmp_path, QUICK):
        pass
    with (
        pytest.raises(GamesmasterError, match="another experiment: its seed is 5, not 6"),
        open_store(tmp_path, replace(QUICK, seed=6)),
    ):
        pass
    (tmp_path / "experiment.json").unlink()
    with (
        pytest.raises(GamesmasterError, match=r"there are games, but no experiment\.json"),
        open_store(tmp_path, QUICK),
    ):
        pass


def test_two_runs_do_not_write_at_once(tmp_path: Path) -> None:
    """A second run in the same folder is told of the first, and may go on when that is over."""
    with open_store(tmp_path, QUICK), pytest.raises(OutOfTurn, match="in this folder"), open_store(tmp_path, QUICK):
        pass
    with open_store(tmp_path, QUICK) as store:
        assert store.done == set()


def test_games_of_another_experiment_are_found_out(tmp_path: Path) -> None:
    """A line copied from another experiment is refused with its place, and so is a damaged one."""
    with open_store(tmp_path, QUICK) as store:
        store.add(made(0, YEAR))
    file = tmp_path / "games.jsonl"
    good = file.read_bytes()
    file.write_bytes(good + made(1, YEAR, experiment=replace(QUICK, seed=6)).line())
    with pytest.raises(BadFile, match=r"games.jsonl, line 2: this is not game 1"):
        read_games(tmp_path)
    file.write_bytes(good + b"\0\0\0\n" + good)
    with pytest.raises(BadFile, match=r"games.jsonl, line 2"):
        read_games(tmp_path)
    file.write_bytes(b"x" * 300_000)
    with pytest.raises(BadFile, match="line 1: this line is too long"):
        read_games(tmp_path)


def test_records_are_kept_beside(tmp_path: Path) -> None:
    """A wanted record that is not there makes its game a missing one; kept records are whole files."""
    with open_store(tmp_path, QUICK) as store:
        store.add(made(0, YEAR))
        assert store.missing(1, records=True) == [0]
        store.add(made(0, YEAR), b"{}")
        assert store.missing(1, records=True) == []
    assert gzip.decompress((tmp_path / "records" / "000000.json.gz").read_bytes()) == b"{}"
    assert len(read_games(tmp_path)[1]) == 1


def test_a_folder_without_an_experiment(tmp_path: Path) -> None:
    """Reading games where there are none says so."""
    with pytest.raises(NotFound, match="no experiment in"):
        read_games(tmp_path)


def test_a_folder_knows_how_many_games_it_was_asked_for(tmp_path: Path) -> None:
    """It was asked for as many as the last run, or has more; where it does not say, games may be missing."""
    with open_store(tmp_path, QUICK) as store:
        assert games_asked(tmp_path) == 0
        store.add(made(3, YEAR))
    with pytest.raises(NotFound, match=r"no asked\.json in .*: games may be missing .say how many"):
        games_asked(tmp_path)
    for asked, wanted in ((9, 9), (2, 4)):
        with open_store(tmp_path, QUICK) as store:
            store.ask(asked)
        assert games_asked(tmp_path) == wanted
    (tmp_path / "asked.json").write_text('{"games": "many"}', encoding="utf-8")
    with pytest.raises(BadFile, match=r"asked\.json, \$\.games"):
        games_asked(tmp_path)
