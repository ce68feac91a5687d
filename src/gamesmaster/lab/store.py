"""The folder of an experiment: its settings, and a line for each game played, added one after the other.

A run may be killed at any moment.  A game is in the folder when its line is whole; a torn last line is taken off when
the folder is next opened, and that game played again.  When a run ends, the lines are sorted by the number of the
game: a complete folder holds the same bytes however it was made.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from errno import ENOSPC
from pathlib import Path

from gamesmaster.errors import BadFile, GamesmasterError, NotFound
from gamesmaster.files import alone, name_errors, write_whole
from gamesmaster.lab.experiment import Experiment, experiment_data, read_as, read_experiment
from gamesmaster.lab.outcome import DEEPEST, LARGEST, GameSummary, read_summary

EXPERIMENT = "experiment.json"
"""The file in a run's folder that describes the experiment."""
GAMES = "games.jsonl"
RECORDS = "records"
ASKED = "asked.json"
SYNCED = 50
"""Lines after which the disk is waited for; a power failure costs no more games than that, a killed process none."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The number of games last requested for a folder: reports show which of them are missing."""

    games: int


class Store:
    """A folder that is being written.

    `done` are the numbers of the games in it, `silent` the games in which a player left a question without an answer.
    """

    def __init__(self, folder: Path, experiment: Experiment) -> None:
        self.folder, self.done = folder, set[int]()
        self.silent: list[GameSummary] = []
        self._file = folder / GAMES
        for game in _recover(self._file, experiment):
            self._note(game)
        self._stream = self._file.open("ab", buffering=0)
        self._unsynced = 0

    def ask(self, games: int) -> None:
        """Note that games 0 to `games` - 1 should be played."""
        write_whole(self.folder / ASKED, json.dumps(asdict(Asked(games))).encode() + b"\n")

    def missing(self, games: int, *, records: bool = False) -> list[int]:
        """Return the numbers of the games still to be played, including those whose missing record is needed."""
        return [n for n in range(games) if n not in self.done or (records and not self.record_file(n).exists())]

    def record_file(self, number: int) -> Path:
        """Return where the whole record of a game is kept, if records are kept."""
        return self.folder / RECORDS / f"{number:06}.json.gz"

    def add(self, game: GameSummary, record: bytes = b"") -> None:
        """Keep a game, and its record if there is one; a game that is there already is not kept twice."""
        if record:
            file = self.record_file(game.number)
            file.parent.mkdir(exist_ok=True)
            write_whole(file, gzip.compress(record, mtime=0))
        if game.number in self.done:
            return
        self._append(game.line())
        self._note(game)
        self._unsynced += 1
        if self._unsynced >= SYNCED:
            os.fsync(self._stream.fileno())
            self._unsynced = 0

    def _note(self, game: GameSummary) -> None:
        self.done.add(game.number)
        if game.silent:
            self.silent.append(game)

    def _append(self, line: bytes) -> None:
        """Add a line completely or not at all: if the disk is full, the part written is removed."""
        end = os.fstat(self._stream.fileno()).st_size
        try:
            with name_errors(self._file):
                if self._stream.write(line) < len(line):
                    raise OSError(ENOSPC, os.strerror(ENOSPC))
        except OSError:
            self._stream.truncate(end)
            raise

    def close(self) -> None:
        """Bring all to the disk, in the order of the games."""
        os.fsync(self._stream.fileno())
        self._stream.close()
        lines = self._file.read_bytes().splitlines(keepends=True)
        ordered = sorted(lines, key=lambda line: int(json.loads(line)["number"]))
        if ordered != lines:
            write_whole(self._file, b"".join(ordered))


@contextmanager
def open_store(folder: Path, experiment: Experiment) -> Iterator[Store]:
    """Open the folder of an experiment for writing, and make it if it is missing.

    Raises `GamesmasterError` if it holds another experiment or other things, `OutOfTurn` if another run is using it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / EXPERIMENT
    with alone(file, "in this folder", wait=0):  # it may be at it for days
        if file.exists():
            _same(read_experiment(file), experiment, folder)
        elif (folder / GAMES).exists():
            raise GamesmasterError(
                f"there are games, but no {EXPERIMENT}", where=str(folder), hint="choose another one"
            )
        else:
            write_whole(file, json.dumps(experiment_data(experiment), indent=2).encode() + b"\n")
        store = Store(folder, experiment)
        try:
            yield store
        finally:
            store.close()


def is_experiment(folder: Path) -> bool:
    """Return whether this is the folder of an experiment."""
    return (folder / EXPERIMENT).is_file()


def read_games(folder: Path) -> tuple[Experiment, list[GameSummary]]:
    """Return the experiment in a folder and its games, in order.

    Raises `NotFound` if the folder holds none, `BadFile` for files that are not as we write them.
    """
    if not is_experiment(folder):
        raise NotFound(f"no experiment in {folder}", hint="gamesmaster selfplay begins one")
    experiment = read_experiment(folder / EXPERIMENT)
    games = {game.number: game for game in _whole(folder / GAMES, experiment)}
    return experiment, [games[number] for number in sorted(games)]


def games_asked(folder: Path) -> int:
    """Return how many games an experiment's folder should hold: the number last asked for, or up to its last game.

    Raises what `read_games` raises, and `NotFound` if the folder has games but does not say how many it should hold.
    """
    file, games = folder / ASKED, read_games(folder)[1]
    if games and not file.exists():
        raise NotFound(f"no {ASKED} in {folder}: games may be missing", hint="say how many there should be: --games")
    asked = read_as(Asked, file, limit=LARGEST, depth=DEEPEST).games if file.exists() else 0
    return max(asked, 1 + games[-1].number if games else 0)


def _same(there: Experiment, wanted: Experiment, folder: Path) -> None:
    if there != wanted:
        a, b = experiment_data(there), experiment_data(wanted)
        name = next(name for name in a if a[name] != b[name])
        raise GamesmasterError(
            f"this folder holds another experiment: its {name} is {_shorten(a[name])}, not {_shorten(b[name])}",
            where=str(folder),
            hint="choose another folder",
        )


def _shorten(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _recover(file: Path, experiment: Experiment) -> Iterator[GameSummary]:
    """Yield the games in a file, after removing an incomplete last line."""
    if file.exists():
        data = file.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(file, whole)
        yield from _whole(file, experiment)


def _whole(file: Path, experiment: Experiment) -> Iterator[GameSummary]:
    """Yield the games of complete lines."""
    if not file.exists():
        return
    powers = experiment.powers
    with file.open("rb") as stream:
        for number, line in enumerate(iter(lambda: stream.readline(LARGEST + 1), b""), 1):
            where = f"{file}, line {number}"
            if line.endswith(b"\n"):
                yield _check(read_summary(line, powers, where), experiment, where)
            elif len(line) > LARGEST:
                raise BadFile("this line is too long", where=where)


def _check(game: GameSummary, experiment: Experiment, where: str) -> GameSummary:
    if game.number < 0 or game.seed != experiment.seed_of(game.number).hex():
        raise BadFile(f"this is not game {game.number} of the experiment: its seed is another", where=where)
    return game
