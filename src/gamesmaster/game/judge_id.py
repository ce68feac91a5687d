"""Which program judged a phase: its version, and a hash of the rooms that have a say in what becomes of orders.

A record names it, so that a later program can tell a phase that it would judge otherwise from one that was falsified.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from gamesmaster.version import __version__

ROOMS = ("board", "orders", "judge", "mechanics", "game")
LETTERS = 12
LONGEST = 60  # characters, of the name of any program


@cache
def judge_id() -> str:
    """The program that is running, as records name it: `0.1.0+3f2a91c07d5e`; looked up once in a process."""
    import hashlib

    found, home = hashlib.sha256(), Path(str(files("gamesmaster")))
    for path in sorted(path for room in ROOMS for path in (home / room).rglob("*.py")):
        found.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return f"{__version__}+{found.hexdigest()[:LETTERS]}"
