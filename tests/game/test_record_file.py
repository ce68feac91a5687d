"""Records on disk: the old one or the new one, never anything between; one writer at a time."""

from __future__ import annotations

import io
import itertools
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from gamesmaster import files
from gamesmaster.errors import BadFile, NotFound, OutOfTurn
from gamesmaster.game import Game, dumps, load, record_file, save, update
from tests.patience import PATIENCE

EXPECTED_CALLS = 6  # open, write, flush, sync, rename, sync the folder: a save makes these at the least
EXPECTED_STEPS = 20  # lines of code it goes through, at the least
SYSTEM = {os.name, "fcntl", "msvcrt", "io", "_io"}  # modules that ask the system


@pytest.fixture
def file(tmp_path: Path, game: Game) -> Path:
    """A saved game before its first phase."""
    path = tmp_path / "game.json"
    save(game, path)
    return path


class Failure(Exception):
    """What the system answers in the midst of a save: no space, no such device, ..."""


@contextmanager
def failing(after: int) -> Iterator[None]:
    """Make the given one of the calls to the system or to an open file fail; closing always works."""
    made = 0

    def profile(_: FrameType, event: str, called: Any) -> None:
        nonlocal made
        if event != "c_call" or called.__name__ in ("close", "__exit__"):
            return
        if called.__module__ in SYSTEM or isinstance(getattr(called, "__self__", None), io.IOBase):
            made += 1
            if made == after:
                raise Failure

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(before)


@contextmanager
def stopping(after: int, stop: Callable[[], None]) -> Iterator[None]:
    """Stop at the given step, counted in lines executed in the modules that save."""
    made = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal made
        if frame.f_code.co_filename not in (record_file.__file__, files.__file__):
            return None
        if event == "line":
            made += 1
            if made == after:
                stop()
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def test_save_and_load(file: Path, game: Game) -> None:
    """What is saved is loaded; a second save replaces the first; nothing else but the lock is left in the folder."""
    assert load(file) == game
    later = game.submit("France", "A Par - Bur").process()
    save(later, str(file))
    assert load(str(file)) == later
    assert sorted(path.name for path in file.parent.iterdir()) == ["game.json", "game.json.lock"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such permissions")
def test_only_the_owner_may_read(file: Path) -> None:
    """The file holds the seed and secret orders: nobody else may open it."""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_save_that_fails_leaves_a_whole_record(file: Path, game: Game) -> None:
    """A failure of any system call in a save leaves the old record or the new one, a free lock and no litter."""
    later = game.process()
    whole = {dumps(game), dumps(later)}
    seen = set()
    for call in itertools.count(1):
        save(game, file)
        try:
            with failing(call):
                save(later, file)
        except Failure:
            seen.add(file.read_text())
            assert seen <= whole
            assert not (file.parent / "game.json.new").exists()
        else:
            break
    assert call > EXPECTED_CALLS
    assert seen == whole
    assert load(file) == later


KILLER = """
import os, signal, sys
from dataclasses import replace
from gamesmaster.game import Game, dumps, load, save
from gamesmaster.variant import find_variant
from tests.game.test_record_file import stopping

path = sys.argv[1]
game = Game.start(find_variant("standard"), seed=bytes(32))
later = game.process()
step, alive, seen = 0, False, set()
while not alive:
    step += 1
    save(game, path)
    child = os.fork()
    if not child:
        with stopping(step, lambda: os.kill(os.getpid(), signal.SIGKILL)):
            save(later, path)
        os._exit(0)
    alive = os.waitpid(child, 0)[1] == 0
    with open(path) as file:
        seen.add(file.read())
assert seen == {dumps(game), dumps(later)}, "torn"
save(later, path)
assert load(path) == later
print(step)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are killed as POSIX kills them")
def test_a_killed_save_leaves_a_whole_record(tmp_path: Path) -> None:
    """A process killed at any step of a save leaves the old record or the new one, and a lock that holds nobody up."""
    command = [sys.executable, "-c", KILLER, str(tmp_path / "game.json")]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > EXPECTED_STEPS


def test_two_writers(file: Path, game: Game) -> None:
    """While one writes the other is refused with a clear error, and the record is the first one's."""

    def change(before: Game) -> Game:
        with pytest.raises(OutOfTurn, match=r"game\.json: another program is writing this game \(try again\)"):
            save(game, file, wait=0)
        with pytest.raises(OutOfTurn, match="another program is writing"):
            update(file, lambda g: g, wait=0.1)
        return before.process()

    assert update(file, change).phase.code == "F1901M"
    assert load(file).phase.code == "F1901M"


def test_a_phase_is_processed_once(file: Path) -> None:
    """Of many who process the same phase at once exactly one does; the others are told."""
    barrier, processed, refused = threading.Barrier(12), [], []

    def worker() -> None:
        barrier.wait()
        try:
            processed.append(update(file, lambda g: g.process(phase="S1901M")))
        except OutOfTurn as error:
            refused.append(error.what)

    threads = [threading.Thread(target=worker) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(processed), len(refused)) == (1, 11)
    assert set(refused) <= {"another program is writing this game", "S1901M is not being played"}
    assert len(load(file).records) == 1


def test_updates_add_up(file: Path) -> None:
    """What one writer has done is there for the next."""
    update(file, lambda g: g.submit("France", "A Par - Bur"))
    update(file, lambda g: g.submit("Germany", "A Mun - Bur"))
    assert load(file).orders == {"France": ("A Par - Bur",), "Germany": ("A Mun - Bur",)}


def test_a_change_that_fails_changes_nothing(file: Path) -> None:
    """An order refused leaves the file as it was and the lock free."""
    before = file.read_bytes()
    with pytest.raises(NotFound):
        update(file, lambda g: g.submit("Frence", "A Par - Bur"))
    assert file.read_bytes() == before
    assert update(file, lambda g: g.process()).phase.code == "F1901M"


def test_places_that_are_not_there(tmp_path: Path, game: Game) -> None:
    """A missing file and a missing folder are named."""
    with pytest.raises(NotFound, match=r"no file .*none\.json"):
        load(tmp_path / "none.json")
    with pytest.raises(NotFound, match="no folder"):
        save(game, tmp_path / "none" / "game.json")


def test_bounds(file: Path, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more is read than a record may hold, and no record is written that could not be read again."""
    before = file.read_bytes()
    monkeypatch.setattr(record_file, "LARGEST_RECORD", len(before) - 1)
    with pytest.raises(BadFile, match="larger than"):
        load(file)
    with pytest.raises(BadFile, match="would be larger than"):
        save(game, file)
    assert file.read_bytes() == before


def test_a_torn_file_is_refused(file: Path) -> None:
    """A record cut short anywhere is refused, never taken for a shorter game."""
    data = file.read_bytes().rstrip()
    for size in range(0, len(data), 97):
        file.write_bytes(data[:size])
        with pytest.raises(BadFile, match="not JSON"):
            load(file)
