"""The kernel compiled: every function of `kernel.py`, as it stands there, and a loop over a batch.

Importing this imports Numba; nothing is compiled before `machine_code` is first called with arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from gamesmaster.engine import kernel
from gamesmaster.engine.kernel import Column, Outcome, Rows, Work, solve
from gamesmaster.engine.machine import borrowed, register, to_code

Columns = Sequence[Column]
"""The columns of one problem: an array of two dimensions."""


@cache
def machine_code() -> Callable[..., None]:
    """Return `solve_all` as machine code, compiled by the first call and then kept on disk."""
    register(tidy)
    return to_code(solve_all, (kernel,))


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
