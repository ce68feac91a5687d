"""Many Problems at once, by the kernel alone as machine code: what the race measures without what comes before it.

The kernel's own source is compiled by Numba over arrays. The first batch ever solved waits for the compiler, some
twenty seconds; the code is then kept on disk (beside the modules, or where NUMBA_CACHE_DIR says) until the kernel or
Numba changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from gamesmaster.engine import rows as kernel_rows
from gamesmaster.engine.kernel import solve
from gamesmaster.engine.machine import modules_called, to_code
from gamesmaster.engine.problem import BY_PLACE, BY_ROW, Problem
from gamesmaster.engine.rows import ALL_HOLD, ALWAYS, CONVOY, HOLD, Column, Outcome, Rows, Work
from gamesmaster.errors import GamesmasterError

Cells = NDArray[np.int16]
Numbers = NDArray[np.int32]

SLICE = 250
"""Fewer problems than these are not worth a task of their own; more tasks than threads keep all threads busy."""

Columns = Sequence[Column]
"""The columns of one problem: an array of two dimensions."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The answers to a batch: the kernel's columns, each of shape (problems, width), zero beyond a problem's last row.

    Indexing gives the outcome of one problem, as lists.
    """

    counts: Numbers
    state: Cells
    route: Cells
    gone: Cells
    cut: Cells
    by: Cells
    strength: Cells
    spoilt: Cells

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, i: int) -> Outcome:
        columns = (self.state, self.route, self.gone, self.cut, self.by, self.strength, self.spoilt)
        return Outcome(*(column[i, : self.counts[i] + 1].tolist() for column in columns))

    def __iter__(self) -> Iterator[Outcome]:
        return (self[i] for i in range(len(self)))


@dataclass(frozen=True, eq=False)
class Batch:
    """Problems as arrays: `cells` of shape (problems, 9, width) has the columns of `Rows`, padded with zeros.

    `counts` says how many rows each problem has, `boards` which of `sizes` and `links` it plays on.
    """

    counts: Numbers
    boards: Numbers
    contests: Numbers
    knots: Numbers
    cells: Cells
    sizes: Numbers
    links: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.counts)

    def solve(self, threads: int = 1) -> Outcomes:
        """Decide all problems, in slices on `threads` threads; the batch stays as it was.

        Raises `GamesmasterError` for fewer than one thread.
        """
        if threads < 1:
            raise GamesmasterError(f"a batch cannot be solved on {threads} threads")
        loop = machine_code()
        n, width = len(self), self.cells.shape[2]
        answers = np.zeros((n, len(Outcome._fields), width), np.int16)
        step = max(SLICE, n // (8 * threads))

        def solve_slice(first: int) -> None:
            places = np.zeros((BY_PLACE, self.sizes.max()), np.int16)
            lines = np.zeros((BY_ROW, width), np.int16)
            loop(
                first, min(first + step, n), self.counts, self.boards, self.contests, self.knots, self.cells, answers,
                self.sizes, self.links, places, lines,
            )  # fmt: skip

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(solve_slice, range(0, n, step)))
        return Outcomes(self.counts, *answers.swapaxes(0, 1))


def pack(problems: Iterable[Problem]) -> Batch:
    """Return Problems as arrays; they may differ in length and board.

    Machine code trusts its numbers, so they are checked here: raises `GamesmasterError` for a problem whose rows point
    outside its table or board.
    """
    pool = list(problems)
    boards: dict[tuple[int, bytes], int] = {}
    numbers = [boards.setdefault((p.size, bytes(p.link)), len(boards)) for p in pool]
    width = max((len(p.rows.kind) for p in pool), default=1)
    cells = np.zeros((len(pool), len(Rows._fields), width), np.int16)
    for i, problem in enumerate(pool):
        try:
            cells[i, :, : len(problem.rows.kind)] = problem.rows
        except (TypeError, ValueError, OverflowError) as error:
            raise GamesmasterError("its columns are not tables of small integers", where=f"problem {i}") from error
    links = np.zeros((len(boards), max((size * size for size, _ in boards), default=1)), np.uint8)
    for (size, link), board in boards.items():
        if len(link) != size * size:
            raise GamesmasterError("its links are not a square table", where=f"problem {numbers.index(board)}")
        links[board, : len(link)] = np.frombuffer(link, np.uint8)
    batch = Batch(
        counts=np.array([len(p.rows.kind) - 1 for p in pool], np.int32),
        boards=np.array(numbers, np.int32),
        contests=np.array([p.contest for p in pool], np.int32),
        knots=np.array([p.knot for p in pool], np.int32),
        cells=cells,
        sizes=np.array([size for size, _ in boards], np.int32),
        links=links,
    )
    _check(batch)
    return batch


def _check(batch: Batch) -> None:
    """See that every number is in its range; strengths, at most all weights together, must stay small integers too."""
    counts, sizes = batch.counts[:, None], batch.sizes[batch.boards][:, None]
    kind, at, to, whence, about, owner, force, stay, _ = batch.cells.swapaxes(0, 1)
    row = np.arange(batch.cells.shape[2])
    heaviest = np.iinfo(np.int16).max // (counts + 1)
    faults = {
        "kind": (kind < HOLD) | (kind > CONVOY),
        "at": (at < 0) | (at >= sizes),
        "to": (to < 0) | (to >= sizes),
        "whence": (whence < 0) | (whence >= sizes),
        "about": (about < 0) | (about > counts),
        "owner": owner == owner[:, :1],
        "force": (force < 1) | (force > heaviest),
        "stay": (stay < 0) | (stay > heaviest),
    }
    for name, choice, most in (("contest", batch.contests, ALWAYS), ("knot", batch.knots, ALL_HOLD)):
        for problem in np.flatnonzero((choice < 0) | (choice > most))[:1].tolist():
            raise GamesmasterError(f"{name} cannot be {choice[problem]}", where=f"problem {problem}")
    for name, fault in faults.items():
        places = np.argwhere(fault & (row > 0) & (row <= counts))
        for problem, r in places[:1].tolist():
            value = batch.cells[problem, Rows._fields.index(name), r]
            raise GamesmasterError(f"{name} cannot be {value}", where=f"problem {problem}, row {r}")


def _borrow(typing_context: Any, given: Any) -> Any:  # pragma: no cover  (runs while Numba compiles, untraced)
    """Return the same array, or arrays, without counting references, which would take most of the time.

    The caller of the loop holds the arrays until it has returned.
    """

    def uncounted(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        struct = context.make_array(kind)(context, builder, value)
        struct.meminfo = cgutils.get_null_value(struct.meminfo.type)
        return struct._getvalue()

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (value,) = arguments
        if isinstance(given, types.Array):
            return uncounted(context, builder, given, value)
        for i, kind in enumerate(given.types):
            part = uncounted(context, builder, kind, builder.extract_value(value, i))
            value = builder.insert_value(value, part, i)
        return value

    return given(given), generate


borrowed: Any = intrinsic(_borrow)


@cache
def machine_code() -> Callable[..., None]:
    """Return `solve_all` as machine code, compiled by the first call and then kept on disk."""
    return to_code(solve_all, modules_called(solve_all), (kernel_rows,))


def solve_all(
    first: int, last: int, counts: Column, boards: Column, contests: Column, knots: Column, cells: Sequence[Columns],
    answers: Sequence[Columns], sizes: Column, links: Columns, places: Columns, lines: Columns,
) -> None:  # pragma: no cover  (runs as machine code)  # fmt: skip
    """Solve problems `first` to `last` - 1 of a batch: `cells[i]` are the columns of problem i, `answers[i]` zeros.

    `boards[i]` says which of `sizes` and `links` it plays on.  `places` and `lines` are scratch, zeros before and
    after.
    """
    all_cells, all_answers, all_links = borrowed(cells), borrowed(answers), borrowed(links)
    p, w = borrowed(places), borrowed(lines)
    work = Work(p[0], p[1], w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9])
    for i in range(first, last):
        c, a = all_cells[i], all_answers[i]
        rows = Rows(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8])
        out = Outcome(a[0], a[1], a[2], a[3], a[4], a[5], a[6])
        board = boards[i]
        solve(counts[i], rows, out, work, sizes[board], all_links[board], contests[i], knots[i])
        tidy(counts[i], rows, work)


def tidy(n: int, rows: Rows, work: Work) -> None:  # pragma: no cover  (runs as machine code)
    """Make zeros again of what the kernel counts on to be zeros, which is less than all there is."""
    for r in range(1, n + 1):
        work.occupant[rows.at[r]] = 0
        work.first[rows.to[r]] = 0
    for r in range(n + 1):
        work.rival[r] = work.carrier[r] = work.sister[r] = work.facing[r] = work.spoil[r] = 0
