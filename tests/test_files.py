"""Files: a writer waits for another, and one that fails names its file and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gamesmaster.errors import GamesmasterError, OutOfTurn
from gamesmaster.files import SECONDS, WAIT, alone, decode, patience, replacing, write_folder, write_whole
from gamesmaster.game import Game, load, save, update
from gamesmaster.variant import find_variant
from tests.patience import PATIENCE

CROWD = 35
FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
sys.argv = ["gamesmaster", *sys.argv[1:]]
from gamesmaster.cli import main
main()
"""
"""The program, whose files may be no longer than 1,000 bytes: the system fails it as on a full disk."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A saved game before its first phase."""
    path = tmp_path / "game.json"
    save(Game.start(find_variant("standard"), seed=bytes(32)), path)
    return path


def orders(number: int) -> tuple[str, str]:
    """A power and an order of its own for each writer."""
    powers = {"Austria": "Vie", "England": "Lvp", "France": "Par", "Germany": "Ber", "Italy": "Rom", "Russia": "Mos"}
    power = list(powers)[number % len(powers)]
    return power, f"A {powers[power]} {('H', '- Bur', '- Gal', '- Yor', '- Lvn', '- Apu')[number // len(powers)]}"


def test_a_crowd_of_tasks_is_let_in(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many tasks that change a game at once each has its turn, and none is refused."""
    monkeypatch.setenv(WAIT, str(PATIENCE))
    seen: list[int] = []

    def change(number: int) -> None:
        def submitted(game: Game) -> Game:
            seen.append(number)
            return game.submit(*orders(number))

        update(file, submitted)

    async def crowd() -> None:
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(CROWD) as pool:
            await asyncio.gather(*(loop.run_in_executor(pool, change, number) for number in range(CROWD)))

    asyncio.run(crowd())
    assert sorted(seen) == list(range(CROWD))
    assert set(load(file).orders) == {orders(number)[0] for number in range(CROWD)}


def test_commands_at_once_are_let_in(file: Path) -> None:
    """Processes that give orders at the same moment wait for one another: each power's order is there."""
    program = [sys.executable, "-m", "gamesmaster", "order", str(file)]
    with alone(file):
        started = [
            subprocess.Popen(
                [*program, *orders(number)], env={**os.environ, WAIT: str(PATIENCE)}, stdout=subprocess.DEVNULL
            )
            for number in range(6)
        ]
        time.sleep(1)  # they are held up meanwhile, if they have got so far
    assert [process.wait(timeout=PATIENCE) for process in started] == [0] * 6
    assert len(load(file).orders) == 6


def test_a_writer_waits_no_longer_than_it_is_told(file: Path) -> None:
    """Who waits gets the lock as soon as it is free; who may not wait is refused at once, the other writer named."""
    held, free = threading.Event(), threading.Event()

    def hold() -> None:
        with alone(file):
            held.set()
            free.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    try:
        with pytest.raises(OutOfTurn, match=r"game\.json: another program is writing this game"), alone(file, wait=0):
            pass
    finally:
        threading.Timer(0.3, free.set).start()
    with alone(file, wait=PATIENCE):
        assert free.is_set()
    holder.join()


def test_how_long_is_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment says how long, else ten seconds; what is no number of seconds is refused."""
    monkeypatch.delenv(WAIT, raising=False)
    assert patience() == SECONDS == 10
    monkeypatch.setenv(WAIT, "2.5")
    assert patience() == 2.5
    for wrong in ("soon", "-1", "nan"):
        monkeypatch.setenv(WAIT, wrong)
        with pytest.raises(GamesmasterError, match=f"GAMESMASTER_WAIT: '{wrong}' is not a number of seconds to wait"):
            patience()


@pytest.mark.parametrize("before", [b"", b"old"])
def test_a_full_disk_names_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes) -> None:
    """Errors of the system that name no file, as that of a full disk, name the one that was to be written."""
    file = tmp_path / "map.svg"
    if before:
        file.write_bytes(before)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_whole(file, b"new")
    assert caught.value.filename == str(file)
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == ([("map.svg", before)] if before else [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_texts_as_programs_save_them(encoding: str) -> None:
    """A text is read in the encodings that editors save it in; bytes that are none of them hinder nothing."""
    assert decode("Über „München“ – Görz".encode(encoding)) == "Über „München“ – Görz"
    assert decode(b"A M\x81n") == "A M\N{REPLACEMENT CHARACTER}n"


def test_a_folder_is_written_whole(tmp_path: Path) -> None:
    """When one file of a folder fails, those that were not there before go again, and so does a folder just made."""
    texts = {"a": b"1", "b/c": b"2"}  # the second has no folder
    for folder in (tmp_path / "new", tmp_path / "there"):
        if folder.name == "there":
            folder.mkdir()
            (folder / "mine").write_bytes(b"0")
        with pytest.raises(FileNotFoundError):
            write_folder(folder, texts)
    assert not (tmp_path / "new").exists()
    assert [file.name for file in (tmp_path / "there").iterdir()] == ["mine"]
    write_folder(tmp_path / "new", {"a": b"1"})
    assert (tmp_path / "new" / "a").read_bytes() == b"1"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    """A link goes on leading to its file, which is the one that is changed; a device is written to."""
    (tmp_path / "real").write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    write_whole(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
    write_whole(Path("/dev/null"), b"new")
    assert not Path("/dev/null").is_file()
    with replacing(tmp_path / "secret", private=True) as stream:
        stream.write(b"x")
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("map standard -o start.svg", "start.svg"),
        ("new game.json", "game.json"),
        ("play standard --players holder --until 1901 -o played.json", "played.json"),
        ("board new isle", "README.md"),
    ],
)
def test_commands_on_a_full_disk(tmp_path: Path, command: str, named: str) -> None:
    """A command whose file finds no room says which one, with exit code 3, and leaves none behind."""
    program = [sys.executable, "-B", "-c", FULL]  # -B: no code of modules is left torn either
    done = subprocess.run(
        [*program, *command.split()], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 3, done.stderr
    assert f"{named}: File too large" in done.stderr
    assert [file.name for file in tmp_path.iterdir() if file.suffix != ".lock"] == []
