"""Time in tests: the machine may be busy, so work is measured as work, and waits end by what they wait for."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 240.0
"""Seconds after which a test gives up waiting for something that takes one second, or ten."""


def await_that(holds: Callable[[], T], *, seen: Callable[[], object] = str) -> T:
    """Wait until something holds; what it then comes to. A failure tells what was `seen` instead."""
    until = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < until, f"it never came to that: {seen()}"
        time.sleep(0.05)
    return found


class Stopper(Event):
    """How long this process would have taken with a machine to itself.

    That is the time for which its processors worked, and the pauses that it chose to make by waiting for this event.
    """

    def __init__(self) -> None:
        super().__init__()
        self.paused = 0.0

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the event as usual; the longest that the wait may take counts."""
        self.paused += timeout or 0.0
        return super().wait(timeout)

    @property
    def now(self) -> float:
        """Seconds, from whenever: of interest are differences."""
        return time.process_time() + self.paused
