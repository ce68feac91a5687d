"""How much work something is, in calls of functions: the same on every machine, however busy it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from gamesmaster.errors import GamesmasterError


def calls_of(work: Callable[[], object]) -> int:
    """Return how many functions are called, of Python and in C, until `work` ends or is refused by an error of ours."""
    calls = 0

    def count(frame: FrameType, event: str, called: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        with suppress(GamesmasterError):
            work()
    finally:
        sys.setprofile(before)
    return calls
