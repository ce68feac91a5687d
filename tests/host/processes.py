"""The programs of a site as processes of their own: `serve`, `worker`, the mail room, on a data folder of their own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.request import urlopen

from tests.migrated import place_database
from tests.patience import PATIENCE, await_that

HIDDEN = ("GAMESMASTER_", "DJANGO_")
SECRET = "s" * 64
CLOCKWORK = Path(__file__).with_name("clockwork.py")


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def surroundings(told: Mapping[str, str]) -> dict[str, str]:
    """The surroundings of a process: those of the tests without their own settings, and what is told."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(HIDDEN)}
    return {**clean, "GAMESMASTER_SECRET": SECRET, **told}


class Program:
    """A command of the program that runs, on a database that is migrated; what it says goes to a file.

    `clock` is a file that says by how many seconds its clock is wrong (`clockwork.py`).
    """

    def __init__(self, *words: str, data: Path, clock: Path | None = None, **told: str) -> None:
        self.words, self.data, self.told = words, data, told
        self.begun_by = ["-m", "gamesmaster"] if clock is None else [str(CLOCKWORK), str(clock)]
        if not (data / "host.sqlite3").exists():
            place_database(data / "host.sqlite3")
        self.log = data.parent / f"{data.name}-{words[0]}-{free_port()}.log"
        self.process = self._begun()

    def _begun(self) -> subprocess.Popen[bytes]:
        asked = [sys.executable, *self.begun_by, *self.words, "--data", str(self.data)]
        with self.log.open("ab") as out:
            return subprocess.Popen(
                asked, env=surroundings(self.told), stdout=out, stderr=out, stdin=subprocess.DEVNULL
            )

    def again(self) -> None:
        """Begin it anew after it has ended."""
        assert self.process.poll() is not None
        self.process = self._begun()

    @property
    def said(self) -> str:
        """All that it has said."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def end(self, how: int = signal.SIGTERM) -> int:
        """Send a signal, and wait for the end; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Any:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait(PATIENCE)


class Server(Program):
    """`gamesmaster serve` at a port of its own."""

    def __init__(self, data: Path, *words: str, port: int = 0, clock: Path | None = None, **told: str) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        super().__init__("serve", "--port", str(self.port), *words, data=data, clock=clock, **told)

    def ready(self) -> Server:
        """Wait until it answers."""
        await_that(lambda: self._answers() or self.process.poll() is not None)
        assert self.process.poll() is None, self.said
        return self

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.url}/accounts/login/", timeout=10):
                return True
        except OSError:
            return False


def children(pid: int) -> list[int]:
    """The processes that a process has begun, as Linux tells."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def lives(pid: int) -> bool:
    """Is this process alive, and no mere entry in the table of processes?"""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(found.strip()) and not found.strip().startswith("Z")
