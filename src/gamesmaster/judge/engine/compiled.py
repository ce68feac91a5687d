"""The kernel compiled: every function of `kernel.py`, as it stands there, and a loop over a batch.

Importing this imports Numba; nothing is compiled before `machine_code` is first called with arrays.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Sequence
from functools import cache
from types import ModuleType
from typing import Any

import numba
from numba.core import cgutils, types
from numba.extending import intrinsic, register_jitable

from gamesmaster.judge.engine import kernel
from gamesmaster.judge.engine.kernel import Column, Outcome, Rows, Work, solve

INLINED: dict[str, dict[str, Any]] = {
    "solve": {"forceinline": True, "_nrt": True},
    "untie": {"forceinline": False},
    "comes": {"forceinline": False},
    "on_minimal_chain": {"forceinline": False},
}
"""How Numba shall call these functions, and all that they call in turn; `solve` alone ever takes memory.

Without calls inside it a loop over a batch is four times as fast; to do the same to what few problems need would double
the time of compiling.
"""

CALLED: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Options of all machine code here: without them Numba would also make each function callable from C."""

NO_MEMORY: dict[str, Any] = {"_nrt": False}
"""Options of what takes and gives back no memory: it counts no references to arrays.

It is compiled in half the time; and where arrays are handed on by the dozen, as plans are, it is three times as fast.
"""

Columns = Sequence[Column]
"""The columns of one problem: an array of two dimensions."""


@cache
def machine_code() -> Callable[..., None]:
    """`solve_all`, compiled when first called and then kept on disk."""
    register_jitable(**CALLED)(tidy)
    return to_code(solve_all, (kernel,))


def to_code(
    loop: Callable[..., None], modules: Sequence[ModuleType], others: Sequence[ModuleType] = (), **options: Any
) -> Callable[..., None]:
    """A loop as machine code, which may call the functions of these modules.

    It is compiled when it is first run, and then kept on disk until one of their sources changes, or one of the others,
    whose constants it uses.
    """
    for module in modules:
        registered(module)
    loop.__qualname__ = name_on_disk("".join(map(inspect.getsource, (*modules, *others))), loop.__name__)
    code: Callable[..., None] = numba.njit(nogil=True, cache=True, **CALLED, **options)(loop)
    return code


@cache
def registered(module: ModuleType) -> None:
    """Let machine code call the functions of a module, as they stand there."""
    for function in functions_of(module):
        register_jitable(**CALLED, **INLINED.get(function.__name__, {}))(function)


def name_on_disk(source: str, loop: str = "solve_all") -> str:
    """What the machine code of a loop is kept under that calls functions of this source.

    Numba throws code away when the file of the compiled function itself has changed; the functions are in others, so
    the hash of these becomes part of the name.
    """
    return f"{loop}_{hashlib.sha256(source.encode()).hexdigest()[:16]}"


def functions_of(module: ModuleType) -> list[Callable[..., Any]]:
    """The functions that a module defines."""
    return [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__]


def _borrow(typing_context: Any, given: Any) -> Any:  # pragma: no cover  (runs while Numba compiles, untraced)
    """Give the same array, or arrays, without reference counts: counting would take twice as long as all the rest.

    Whoever calls the loop holds the arrays until it has returned.
    """

    def uncounted(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        struct = context.make_array(kind)(context, builder, value)
        struct.meminfo = cgutils.get_null_value(struct.meminfo.type)  # type: ignore[no-untyped-call]
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
