"""Problems and their outcomes: one on lists, as ordinary Python runs them, or many at once by machine code.

Batches are decided by the kernel's own source, compiled by Numba over arrays.  They need the extra `fast`.  The first
batch ever solved waits for the compiler, some twenty seconds; the code is then kept on disk (beside the modules, or
where NUMBA_CACHE_DIR says) until the kernel or Numba changes.

>>> from gamesmaster import Rules, adjudicate_movement, find_variant
>>> standard = find_variant("standard")
>>> problem = adjudicate_movement(Rules.of(standard), standard.start, {"France": ["A Par - Bur"]}).problem
>>> pack([problem]).solve()[0] == problem.solve()
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from gamesmaster.engine.kernel import (
    ALL_HOLD,
    ALWAYS,
    CONVOY,
    HOLD,
    SZYKMAN,
    UNLESS_HEAD_ON,
    Outcome,
    Rows,
    Work,
    solve,
)
from gamesmaster.errors import GamesmasterError, install

NOWHERE = -1
"""The number of no province and no location."""

WEIGHT = 4
"""A unit's weight; half of it and a quarter are left for weaker attacks."""

NOBODY = -1
"""The owner of row 0: no power's number, nor a neutral's."""


class Problem(NamedTuple):
    """The kernel's input: rows 1..n on a board of `size` provinces with its table of convoy links."""

    rows: Rows
    size: int
    link: Sequence[int]
    contest: int = UNLESS_HEAD_ON
    knot: int = SZYKMAN

    def solve(self) -> Outcome:
        """Decide it; the problem is left as it was."""
        rows, size, link, contest, knot = self
        length = len(rows.kind)
        zeros = [0] * length
        out = Outcome(*map(list.copy, [zeros] * 7))
        work = Work([0] * size, [0] * size, *map(list.copy, [zeros] * 10))
        solve(length - 1, rows, out, work, size, link, contest, knot)
        return out


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Cells = NDArray[np.int16]
    Numbers = NDArray[np.int32]

SLICE = 250
"""Fewer problems than these are not worth a task of their own; more tasks than threads keep all threads busy."""

BY_PLACE, BY_ROW = 2, 10
"""The number of the kernel's scratch columns that go by province, and of those that go by row."""


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

        Raises `GamesmasterError` if Numba or NumPy is not installed, or for fewer than one thread.
        """
        if threads < 1:
            raise GamesmasterError(f"a batch cannot be solved on {threads} threads")
        from concurrent.futures import ThreadPoolExecutor

        numpy, loop = fast("numpy"), fast("gamesmaster.engine.compiled").machine_code()
        n, width = len(self), self.cells.shape[2]
        answers = numpy.zeros((n, len(Outcome._fields), width), numpy.int16)
        step = max(SLICE, n // (8 * threads))

        def solve_slice(first: int) -> None:
            places = numpy.zeros((BY_PLACE, self.sizes.max()), numpy.int16)
            lines = numpy.zeros((BY_ROW, width), numpy.int16)
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
    outside its table or board, and if NumPy is not installed.
    """
    numpy = fast("numpy")
    pool = list(problems)
    boards: dict[tuple[int, bytes], int] = {}
    numbers = [boards.setdefault((p.size, bytes(p.link)), len(boards)) for p in pool]
    width = max((len(p.rows.kind) for p in pool), default=1)
    cells = numpy.zeros((len(pool), len(Rows._fields), width), numpy.int16)
    for i, problem in enumerate(pool):
        try:
            cells[i, :, : len(problem.rows.kind)] = problem.rows
        except (TypeError, ValueError, OverflowError) as error:
            raise GamesmasterError("its columns are not tables of small integers", where=f"problem {i}") from error
    links = numpy.zeros((len(boards), max((size * size for size, _ in boards), default=1)), numpy.uint8)
    for (size, link), board in boards.items():
        if len(link) != size * size:
            raise GamesmasterError("its links are not a square table", where=f"problem {numbers.index(board)}")
        links[board, : len(link)] = numpy.frombuffer(link, numpy.uint8)
    batch = Batch(
        counts=numpy.array([len(p.rows.kind) - 1 for p in pool], numpy.int32),
        boards=numpy.array(numbers, numpy.int32),
        contests=numpy.array([p.contest for p in pool], numpy.int32),
        knots=numpy.array([p.knot for p in pool], numpy.int32),
        cells=cells,
        sizes=numpy.array([size for size, _ in boards], numpy.int32),
        links=links,
    )
    _check(numpy, batch)
    return batch


def _check(numpy: Any, batch: Batch) -> None:
    """See that every number is in its range; strengths, at most all weights together, must stay small integers too."""
    counts, sizes = batch.counts[:, None], batch.sizes[batch.boards][:, None]
    kind, at, to, whence, about, owner, force, stay, _ = batch.cells.swapaxes(0, 1)
    row = numpy.arange(batch.cells.shape[2])
    heaviest = numpy.iinfo(numpy.int16).max // (counts + 1)
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
        for problem in numpy.flatnonzero((choice < 0) | (choice > most))[:1].tolist():
            raise GamesmasterError(f"{name} cannot be {choice[problem]}", where=f"problem {problem}")
    for name, fault in faults.items():
        places = numpy.argwhere(fault & (row > 0) & (row <= counts))
        for problem, r in places[:1].tolist():
            value = batch.cells[problem, Rows._fields.index(name), r]
            raise GamesmasterError(f"{name} cannot be {value}", where=f"problem {problem}, row {r}")


def fast(module: str) -> Any:
    """Import what only batches need."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise GamesmasterError(f"batches need {error.name}, which is not installed", hint=install("fast")) from error
