"""Plain functions as machine code: loops are compiled in one go, and what they call can still be called by itself."""

from __future__ import annotations

import os
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba.core import event
from numba.extending import register_jitable

from bench import solving
from bench.solving import borrowed, tidy
from gamesmaster.engine import kernel
from gamesmaster.engine.machine import (
    CALLED,
    MISSING,
    NO_MEMORY,
    entry_of,
    held,
    laid,
    modules_called,
    register,
    to_code,
)

compile_it: Any = numba.njit


class Pair(NamedTuple):
    """Columns of a test."""

    numbers: Any
    sums: Any


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is on disk that was compiled before."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))


def test_a_loop_with_columns_that_are_held() -> None:
    """What a loop calls reads the columns that the loop holds."""

    @register_jitable(**CALLED)
    def add_up(pair: Pair, n: int) -> int:
        total = 0
        for i in range(n):
            total += pair.numbers[i]
        return total

    def add_all(n: int, pair: Pair) -> None:
        pair = held(borrowed(pair))
        for i in range(n):
            pair.sums[i] = add_up(pair, i + 1)

    loop = to_code(add_all, (), **NO_MEMORY)
    pair = Pair(np.array([3, 1, 4, 1, 5]), np.zeros(5, np.int64))
    loop(5, pair)
    assert pair.sums.tolist() == [3, 4, 8, 9, 14]
    assert held(pair) is pair


def test_a_loop_with_columns_that_are_laid_down() -> None:
    """It reads and writes them where they lie, of one dimension or several; where there are none, there is nothing."""

    def add_all(n: int, pair: Any, none: Any) -> None:
        there = held(pair)
        for i in range(n):
            pair.sums[i, 0] = there.numbers[i] + len(held(none))

    pair = Pair(np.array([3, 1, 4], np.int16), np.zeros((3, 2)))
    loop = to_code(add_all, (), **NO_MEMORY)
    loop(2, laid(pair), laid(()))
    assert pair.sums.tolist() == [[3, 0], [1, 0], [0, 0]]
    loop(3, laid(pair), ())
    assert pair.sums[:, 0].tolist() == [3, 1, 4]
    assert len(loop.signatures) == 1  # type: ignore[attr-defined]
    assert entry_of(loop, 1, laid(pair)) is entry_of(loop, 1, laid(pair)) is not loop
    assert entry_of(loop, 2, ()) is not loop
    assert entry_of(loop, 1, ()) is entry_of(loop, 2, laid(pair)) is loop
    entry_of(loop, 1, laid(pair))(1, laid(Pair(np.array([9], np.int16), pair.sums)), ())
    assert pair.sums[:, 0].tolist() == [9, 1, 4]
    assert entry_of(add_all, 1, ()) is add_all


def test_a_copy_of_columns_that_are_laid_down_has_its_own() -> None:
    """A loop that is given the copy leaves the first ones alone."""
    first = laid(Pair(np.array([3, 1, 4], np.int16), np.zeros((3, 2))))
    copy = deepcopy(first)
    copy.columns.sums[0, 0] = 5
    assert copy.address != first.address
    assert first.columns.sums[0, 0] == 0


def test_no_columns_are_held_as_they_are() -> None:
    """Where there are no parameters nothing is laid down."""

    def count_held(numbers: Any) -> None:
        numbers[0] = len(held(()))

    numbers = np.ones(1, np.int64)
    to_code(count_held, (), **NO_MEMORY)(numbers)
    assert numbers.tolist() == [0]


def test_columns_have_their_names_only() -> None:
    """What is held has no column but its own."""

    def read_other(pair: Pair) -> Any:
        return held(pair).others

    with pytest.raises(numba.TypingError, match="others"):
        compile_it(read_other)(Pair(np.zeros(1), np.zeros(1)))


def test_what_a_loop_calls_is_called_by_itself() -> None:
    """Code of one's own that was compiled as a part of a loop is given to whoever calls it, and links it."""
    assert not MISSING

    @compile_it  # type: ignore[untyped-decorator]
    def double(n: int) -> int:
        return 2 * n

    def fill(numbers: Any) -> None:
        for i in range(len(numbers)):
            numbers[i] = double(i)

    numbers = np.zeros(4, np.int64)
    to_code(fill, (), **NO_MEMORY)(numbers)
    assert numbers.tolist() == [0, 2, 4, 6]
    assert double(21) == 42

    @compile_it  # type: ignore[untyped-decorator]
    def quadruple(n: int) -> Any:
        return double(double(n))

    assert quadruple(4) == 16
    assert sorted(numbers) == compile_it(lambda array: np.sort(array))(numbers).tolist()


def test_the_modules_of_what_a_loop_calls() -> None:
    """They are those of all functions that it calls, directly or not, or is handed as it is made; no others."""

    def add_up(numbers: Any) -> None:
        tidy(0, numbers, numbers)

    def add_all(numbers: Any) -> None:
        add_up(held(numbers))

    assert modules_called(add_all) == [solving, sys.modules[__name__]]
    assert modules_called(add_up) == [solving]
    assert kernel in modules_called(solving.solve_all)


def test_a_function_is_compiled_once_for_numbers_of_any_width() -> None:
    """What it is called with is made as wide as whole numbers get; other kinds stay what they are."""

    def halve(n: Any) -> Any:
        return n / 2

    def fill(small: Any, large: Any, halves: Any) -> None:
        halves[0], halves[1], halves[2], halves[3] = halve(small[0]), halve(large[0]), halve(3), halve(halves[3])

    register(halve)
    halves = np.array([0, 0, 0, 0.5])
    with event.install_recorder("numba:compile") as compiles:
        to_code(fill, (), **NO_MEMORY)(np.array([5], np.uint8), np.array([-7], np.int64), halves)
    assert halves.tolist() == [2.5, -3.5, 1.5, 0.25]
    begun = [e.data["args"] for _, e in compiles.buffer if e.is_start and e.data["dispatcher"].py_func is halve]
    assert begun == [(numba.int64,), (numba.float64,)]


def test_processes_wait_for_what_another_compiles(tmp_path: Path) -> None:
    """Of several that want the same machine code at once one makes it, and the others find it on disk."""
    (tmp_path / "counting.py").write_text(COUNTING)
    search = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": search}
    started = [
        subprocess.Popen([sys.executable, "-c", "import counting"], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert sorted(process.communicate()[0].strip() for process in started) == ["0 1 2 4 8", "0 1 2 4 8", "1 1 2 4 8"]


COUNTING = """
import numpy
from gamesmaster.engine.machine import to_code

def count_up(numbers):
    for i in range(len(numbers)):
        numbers[i] = 1 + sum(numbers[:i])

loop, numbers = to_code(count_up, ()), numpy.zeros(4, numpy.int64)
loop(numbers)
print(sum(loop.stats.cache_misses.values()), *numbers)
"""
"""A program that says how often it compiled its loop, and what that came to."""
