"""Timing that bears comparison: one core, no garbage collection meanwhile, contenders turn and turn about."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import process_time


def cores() -> list[int]:
    """The processor cores this program may use."""
    return sorted(os.sched_getaffinity(0))


@contextmanager
def on_cores(some: Iterable[int]) -> Iterator[None]:
    """Keep this thread, and those it starts, on some cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, some)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def seconds(work: Callable[[], object], clock: Callable[[], float] = process_time) -> float:
    """How long a piece of work takes; garbage is collected before it, not during it, as `timeit` has it.

    Processor time, so that it matters less what else the machine does; `perf_counter` where threads are to gain time.
    """
    gc.collect()
    gc.disable()
    try:
        begun = clock()
        work()
        return clock() - begun
    finally:
        gc.enable()


@dataclass(frozen=True)
class Spread:
    """What some rounds gave: the median, the least and the most."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """The spread of at least one value."""
        found = sorted(values)
        return cls(median(found), found[0], found[-1])
