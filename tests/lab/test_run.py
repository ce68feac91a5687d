"""Runs: the same games however they are played, stopped, killed and continued."""

from __future__ import annotations

import gzip
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import loads
from gamesmaster.lab import Experiment, Turns, Workers, read_games, selfplay
from gamesmaster.lab import run as run_module
from gamesmaster.lab import store as store_module
from gamesmaster.players import Match
from tests.lengths import short_and_long
from tests.patience import PATIENCE, await_that

from .made import QUICK

LINES = 100  # of the two modules, that a run of three games goes through at the least

DEADLY = """
import os
from pathlib import Path
from gamesmaster.players import Holder

class Deadly(Holder):
    name = "deadly"

    def orders(self, view):
        mark = Path(__file__).with_suffix(".mark")
        if not mark.exists() or {always}:
            mark.touch()
            os._exit(1)
        return super().orders(view)
"""


def bytes_in(folder: Path) -> dict[str, bytes]:
    """All files of an experiment's folder."""
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


def test_two_processes_play_the_same(tmp_path: Path) -> None:
    """One process and two leave the same bytes, records and all; nothing is played twice."""
    for jobs in (1, 2):
        run = selfplay(QUICK, tmp_path / str(jobs), 6, Workers(jobs=jobs), records=True)
        assert (run.games, run.played, run.failures, run.stopped) == (6, 6, (), False)
    assert bytes_in(tmp_path / "1") == bytes_in(tmp_path / "2")
    assert selfplay(QUICK, tmp_path / "1", 6, records=True).played == 0
    game = loads(gzip.decompress((tmp_path / "1" / "records" / "000003.json.gz").read_bytes()))
    assert game.seed == QUICK.seed_of(3)
    assert [number for _, number, _ in told(tmp_path / "1")] == [6, 7, 8]


def told(folder: Path) -> list[tuple[str, int, int]]:
    """What a run of two more games tells of its progress."""
    calls: list[tuple[str, int, int]] = []
    selfplay(QUICK, folder, 8, tell=lambda *call: calls.append(call))
    return calls


def test_a_game_that_fails_hinders_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure is told with its number and seed; the other games are played, and it alone is tried again."""
    play = Experiment.play

    def fragile(self: Experiment, number: int, **_: object) -> Match:
        if number == 1:
            raise ZeroDivisionError("no luck")
        return play(self, number)

    with monkeypatch.context() as patched:
        patched.setattr(Experiment, "play", fragile)
        run = selfplay(QUICK, tmp_path, 3)
    assert (run.games, run.played) == (2, 2)
    (failure,) = run.failures
    assert str(failure) == f"game 1 (seed {QUICK.seed_of(1).hex()}) failed: ZeroDivisionError: no luck"
    assert selfplay(QUICK, tmp_path, 3).played == 1


def deadly(folder: Path, *, always: bool) -> Experiment:
    """An experiment with a player that kills the process it plays in: the first time, or always."""
    (folder / "deadly.py").write_text(DEADLY.replace("{always}", str(always)), encoding="utf-8")
    return Experiment.of("standard", f"France={folder / 'deadly.py'}:Deadly,holder", until=Turns(1))


def test_a_process_that_dies_loses_nothing(tmp_path: Path) -> None:
    """When a process is killed in a game, its games are played by others."""
    run = selfplay(deadly(tmp_path, always=False), tmp_path / "games", 5, Workers(jobs=2))
    assert (run.games, run.failures) == (5, ())
    assert (tmp_path / "deadly.mark").exists()


def test_processes_that_always_die_end_the_run(tmp_path: Path) -> None:
    """Games that kill every process are not tried for ever, and are named."""
    with pytest.raises(GamesmasterError, match="processes die in the games 0, 1, 2 "):
        selfplay(deadly(tmp_path, always=True), tmp_path / "games", 3, Workers(jobs=2))


# -- as programs -----------------------------------------------------------------------------------------------------


def command(folder: Path, games: int, *more: str) -> list[str]:
    """The command that plays the quick experiment."""
    program = [sys.executable, "-m", "gamesmaster", "selfplay", "standard", "--players", "random", "--turns", "1"]
    return [*program, "--no-batch", "--seed", "5", "--games", str(games), "-o", str(folder), *more]


@contextmanager
def started(*args: str) -> Iterator[subprocess.Popen[str]]:
    """A program in a group of its own, which does not outlive the test."""
    with subprocess.Popen(
        args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def await_games(folder: Path, least: int, process: subprocess.Popen[str]) -> None:
    """Wait until so many games are in a folder."""
    file = folder / "games.jsonl"

    def kept() -> bool:
        assert process.poll() is None, process.communicate()
        return file.exists() and file.read_bytes().count(b"\n") >= least

    await_that(kept)


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """A run killed outright in the middle, and continued, leaves the bytes of one that was left alone."""
    folder = tmp_path / "killed"
    with started(*command(folder, 10_000, "--jobs", "2")) as process:
        await_games(folder, 5, process)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    lines = (folder / "games.jsonl").read_bytes().count(b"\n")
    games = lines + 5
    run = selfplay(QUICK, folder, games)
    assert run.games == games
    selfplay(QUICK, tmp_path / "whole", games)
    kept = {game.number: game for game in read_games(folder)[1]}
    assert [kept[n] for n in range(games)] == read_games(tmp_path / "whole")[1]
    assert len((folder / "games.jsonl").read_bytes().splitlines()) == len(kept)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_stops_cleanly(tmp_path: Path, jobs: str) -> None:
    """Ctrl-C ends a run with a word, no traceback, and the finished games kept in order."""
    with started(*command(tmp_path, 10_000, "--jobs", jobs)) as process:
        await_games(tmp_path, 4, process)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "stopped" in err
    assert "Traceback" not in err
    numbers = [game.number for game in read_games(tmp_path)[1]]
    assert len(numbers) >= 4
    assert f"{len(numbers)} games" in out


@contextmanager
def pressed_at(step: int) -> Iterator[list[str]]:
    """Press Ctrl-C at a step, counted in lines of the modules that play games and keep them; where it was pressed."""
    made, where = 0, list[str]()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal made
        if frame.f_code.co_filename not in (run_module.__file__, store_module.__file__):
            return None
        if event == "line":
            made += 1
            if made == step:
                where.append(f"{frame.f_code.co_qualname}, line {frame.f_lineno}")
                signal.raise_signal(signal.SIGINT)
        return trace

    before, heard = sys.gettrace(), signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.settrace(trace)
    try:
        yield where
    finally:
        sys.settrace(before)
        signal.signal(signal.SIGINT, heard)


@short_and_long("stride", 3, 1)
def test_ctrl_c_at_any_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stride: int) -> None:
    """At whichever line of a run Ctrl-C comes, it ends well, and the games it tells of are those that are kept.

    Every `stride`-th line is tried.
    """
    matches = [QUICK.play(number) for number in range(3)]
    monkeypatch.setattr(Experiment, "play", lambda _, number, **__: matches[number])
    selfplay(QUICK, tmp_path / "whole", 3, records=True)
    stops: set[int] = set()
    for step in itertools.count(1, stride):
        folder = tmp_path / str(step)
        try:
            with pressed_at(step) as where:
                run = selfplay(QUICK, folder, 3, records=True)
        except KeyboardInterrupt:
            assert not folder.exists() or len(read_games(folder)[1]) == 3, where  # not begun yet, or all done
            continue
        if not where:
            break
        assert run.games == run.played == len(read_games(folder)[1]), where
        assert run.stopped or run.games == 3, where
        stops.add(run.games)
        assert selfplay(QUICK, folder, 3, records=True).games == 3
        assert bytes_in(folder) == bytes_in(tmp_path / "whole"), where
    assert step > LINES
    assert stops == {0, 1, 2, 3}


# -- on a cluster ----------------------------------------------------------------------------------------------------


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """A scheduler and workers, each a process; the address, and the workers."""
    from contextlib import ExitStack

    dask, file = [sys.executable, "-m", "dask"], folder / "scheduler.json"
    place = ["--scheduler-file", str(file), "--no-dashboard", "--host", "127.0.0.1"]
    with ExitStack() as stack:
        stack.enter_context(started(*dask, "scheduler", "--port", "0", *place))
        await_that(lambda: file.exists() and address_in(file))
        address = address_in(file)
        worker = [*dask, "worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"]
        yield address, [stack.enter_context(started(*worker)) for _ in range(workers)]


def address_in(file: Path) -> Any:
    """The scheduler's address, once its file is whole."""
    import json

    try:
        return json.loads(file.read_text())["address"]
    except ValueError:
        return ""


def test_a_cluster_plays_the_same(tmp_path: Path) -> None:
    """Two workers of a Dask cluster, one of them killed in the middle, leave the bytes of a run of one process."""
    pytest.importorskip("distributed", reason="the cluster's test wants Dask")
    killed: list[int] = []
    with cluster(tmp_path, 2) as (address, workers):

        def kill_one(_: str, done: int, __: int) -> None:
            if done >= 10 and not killed:
                workers[0].kill()
                killed.append(done)

        run = selfplay(QUICK, tmp_path / "cluster", 60, Workers(cluster=address), tell=kill_one)
    assert killed
    assert killed[0] < 60
    assert (run.games, run.played, run.failures) == (60, 60, ())
    selfplay(QUICK, tmp_path / "alone", 60)
    assert bytes_in(tmp_path / "cluster") == bytes_in(tmp_path / "alone")


def test_a_cluster_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address where no scheduler is, or that is none, is told."""
    pytest.importorskip("distributed", reason="the cluster's test wants Dask")
    monkeypatch.setattr("gamesmaster.lab.run.PATIENCE", "1s")
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        with pytest.raises(GamesmasterError, match="no Dask scheduler answers at"):
            selfplay(replace(QUICK, seed=7), tmp_path, 1, Workers(cluster=address))
