"""Playing the games of an experiment: by processes of this machine, or by a Dask cluster.

Only the process that was started writes; the others play a game at a time and hand it over.  What a game comes to does
not depend on where it is played, so it does no harm if one is played twice.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

from gamesmaster.errors import GamesmasterError, install
from gamesmaster.game import dumps
from gamesmaster.lab.experiment import Experiment
from gamesmaster.lab.outcome import GameSummary, Lapses, lapses_of, summary_of
from gamesmaster.lab.store import open_store

AHEAD = 1_000
"""Games that a cluster is given ahead of those that are done."""
PATIENCE = "30s"
"""The time in which a cluster's scheduler must answer."""

TRIES = 3
"""The number of crashes in a row after which a game is given up."""

COMPILING = "compiling, which takes half a minute the first time"
"""The message before the first game of a batch."""

T = TypeVar("T")

Tell = Callable[[str, int, int], None]
"""Told what was done last, how many games are done and how many there will be."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that could not be played."""

    number: int
    seed: str
    why: str

    def __str__(self) -> str:
        return f"game {self.number} (seed {self.seed}) failed: {self.why}"


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a run: the games now in the folder, those played now, those that failed, and whether it stopped.

    `lapses` are the players that left questions without an answer, in all games of the folder.
    """

    folder: Path
    games: int
    played: int
    failures: tuple[Failure, ...] = ()
    stopped: bool = False
    lapses: tuple[Lapses, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A game, and its record if records are kept."""

    summary: GameSummary
    record: bytes = b""


class Workers(NamedTuple):
    """Who plays the games of an experiment."""

    jobs: int = 1  # processes of this machine; -1: as many as there are processors
    cluster: str = ""  # address of a Dask scheduler, whose workers play instead
    patience: float | None = None  # seconds for a player's answer; games in which one took longer depend on the machine


def selfplay(
    experiment: Experiment,
    folder: Path,
    games: int | None,
    workers: Workers = Workers(),  # noqa: B008 - a value
    *,
    records: bool = False,
    tell: Tell | None = None,
) -> Run:
    """Play those of the games 0 to `games` - 1 of an experiment that are not in its folder yet; None plays no games.

    With `records` the whole record of each game is kept.  Ctrl-C ends the run, and finished games are kept. A game that
    fails is reported in the result and does not stop the others.  Raises what `opened` raises, and `GamesmasterError`
    if the cluster cannot be reached, or processes die again and again.
    """
    failures: list[Failure] = []
    task = Task(experiment, records, workers.patience)
    stopped = False
    with _CtrlC() as ctrl_c, open_store(folder, experiment) as store:
        before = len(store.done)
        if games is None:
            return Run(folder, before, 0, lapses=lapses_of(store.silent))
        store.ask(games)
        todo = store.missing(games, records=records)
        at_hand = games - len(todo)
        if tell:
            tell(COMPILING if experiment.batch and todo else experiment.variant, at_hand, games)
        try:
            for done in ctrl_c.between(_play_all(task, todo, workers)):
                if isinstance(done, Failure):
                    failures.append(done)
                else:
                    store.add(done.summary, done.record)
                at_hand += 1
                if tell:
                    tell(experiment.variant, at_hand, games)
        except KeyboardInterrupt:
            stopped = True
        kept = sum(number < games for number in store.done)
        return Run(folder, kept, len(store.done) - before, tuple(failures), stopped, lapses_of(store.silent))


@dataclass(frozen=True, slots=True)
class Task:
    """How the games of an experiment are played: whether whole records are kept, and how long players may think."""

    experiment: Experiment
    records: bool = False
    patience: float | None = None


def play_one(task: Task, number: int) -> Played | Failure:
    """Play a game; return a `Failure` if anything goes wrong with it."""
    experiment = task.experiment
    try:
        match = experiment.play(number, patience=task.patience)
        summary = summary_of(experiment, number, match)
        return Played(summary, dumps(match.game).encode() if task.records else b"")
    except Exception as error:  # a player, a variant or a fault of ours: the other games go on
        return Failure(number, experiment.seed_of(number).hex(), f"{type(error).__name__}: {error}")


def _play_all(task: Task, todo: Sequence[int], workers: Workers) -> Generator[Played | Failure, None, None]:
    """Yield games as they are finished; games lost with a process that died are played again."""
    jobs = workers.jobs
    if workers.cluster:
        yield from _by_cluster(task, todo, workers.cluster)
        return
    from joblib import effective_n_jobs
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    left, fruitless = dict.fromkeys(todo), 0  # in the order to be played
    while left:
        before = len(left)
        try:
            if task.experiment.batch:  # before others wait for it
                task.experiment.compile()
            for done in _by_processes(partial(play_one, task), tuple(left), jobs):
                del left[done.number if isinstance(done, Failure) else done.summary.number]
                yield done
        except TerminatedWorkerError as error:
            fruitless = fruitless + 1 if len(left) == before else 0
            if fruitless == TRIES:
                raise GamesmasterError(
                    f"processes die in the games {_list_numbers(tuple(left))}", hint="fewer jobs need less memory"
                ) from error
            begun = min(len(left), 2 * effective_n_jobs(jobs))
            numbers = tuple(left)
            left = dict.fromkeys(numbers[begun:] + numbers[:begun])  # those that may have killed it come last


def _list_numbers(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, sorted(numbers)[:5]))
    return f"{shown} and {len(numbers) - 5:,} more" if len(numbers) > 5 else shown


def _by_processes(do: Callable[[int], T], numbers: Sequence[int], jobs: int) -> Iterator[T]:
    from joblib import Parallel, delayed

    tasks = (delayed(do)(number) for number in numbers)
    with _deaf():
        started = Parallel(n_jobs=jobs, return_as="generator_unordered")(tasks)
    with closing(started) as results:
        yield from results


class _CtrlC:
    """Ctrl-C, heard while a game is waited for, and otherwise before the next one: what is being kept is kept whole.

    A second one in between is obeyed at once.  Where the program was started so that it passes over Ctrl-C, as jobs in
    the background of a script are, it does so here, too.
    """

    def __init__(self) -> None:
        self.waiting = self.pressed = self.mine = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self.mine = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self.mine:
            signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        if self.mine:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _hear(self, *_: object) -> None:
        if self.waiting or self.pressed:
            raise KeyboardInterrupt
        self.pressed = True

    def between(self, games: Generator[T, None, None]) -> Iterator[T]:
        """Yield the games.

        `KeyboardInterrupt` is raised when the caller asks for the next game, never while it handles one.
        """
        with closing(games):
            while True:
                try:
                    self.waiting = True
                    if self.pressed:
                        raise KeyboardInterrupt
                    game = next(games)
                except StopIteration:
                    return
                finally:
                    self.waiting = False
                yield game


@contextmanager
def _deaf() -> Iterator[None]:
    """Ignore Ctrl-C, also in all processes that are started here; the main process handles it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


def _by_cluster(task: Task, numbers: Sequence[int], address: str) -> Iterator[Played | Failure]:
    """Yield games played by Dask, or a failure for a game that killed worker after worker.

    Dask is asked directly: through joblib such a game would be waited for without end.
    """
    try:
        import distributed
    except ImportError:
        raise GamesmasterError("clusters need Dask", hint=install("cluster")) from None
    dask: Any = distributed  # it has no types
    try:
        client = dask.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise GamesmasterError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        rest, asked, waiting = iter(numbers), dict[str, int](), dask.as_completed(loop=client.loop)

        def ask(number: int) -> None:
            future = client.submit(play_one, task, number, pure=False)
            asked[future.key] = number
            waiting.add(future)

        for number in islice(rest, AHEAD):
            ask(number)
        for future in waiting:
            number, lost = asked.pop(future.key), future.exception()
            seed = task.experiment.seed_of(number).hex()
            yield Failure(number, seed, f"{type(lost).__name__}: {lost}") if lost else future.result()
            for following in islice(rest, 1):
                ask(following)
