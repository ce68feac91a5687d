"""Batches: machine code and Python agree, and bad numbers never reach the machine code."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bench.solving import machine_code, pack, solve_all
from gamesmaster.engine import rows as k
from gamesmaster.engine.machine import modules_called, name_on_disk
from gamesmaster.engine.problem import Problem, fast
from gamesmaster.errors import GamesmasterError
from tests.lengths import short_and_long
from tests.problems import random_problem

pytestmark = pytest.mark.together

SOLVING = """
from random import Random
from bench.solving import pack
from tests.problems import random_problem
pack([random_problem(Random(0))]).solve()
"""


def sample(number: int) -> list[Problem]:
    """So many random Problems, the same ones every time."""
    return [random_problem(Random(seed)) for seed in range(number)]


@pytest.fixture(scope="module")
def problems() -> list[Problem]:
    """The Problems on which the kernel is compared with the naive solver.

    The machine code that solves them is compiled in a process of its own: counting branches would hold that up.
    """
    subprocess.run([sys.executable, "-c", SOLVING], check=True, cwd=Path(__file__).parents[2])
    return sample(1000)


@short_and_long("number", 1000, 20_000)
@pytest.mark.usefixtures("problems")
def test_machine_code_and_python_agree(number: int) -> None:
    """The compiled kernel gives every column of thousands of outcomes as ordinary Python does."""
    problems = sample(number)
    outcomes = pack(problems).solve()
    wrong = [seed for seed, problem in enumerate(problems) if outcomes[seed] != problem.solve()]
    assert (len(outcomes), wrong) == (number, [])


def test_threads_share_a_batch(problems: list[Problem]) -> None:
    """However many threads solve it, a batch has the same outcomes, and can be solved again."""
    batch = pack(problems)
    alone, shared = batch.solve(), batch.solve(threads=3)
    assert list(alone) == list(shared) == list(batch.solve(threads=3))


def test_columns_are_as_wide_as_the_longest_problem(problems: list[Problem]) -> None:
    """An outcome's column has a line for each problem, zero beyond its rows."""
    short, long = sorted(problems[:50], key=lambda problem: len(problem.rows.kind))[::49]
    outcomes = pack([short, long]).solve()
    n = len(short.rows.kind)
    assert outcomes.state.shape == (2, len(long.rows.kind))
    assert outcomes.strength[0, :n].tolist() == short.solve().strength
    assert not outcomes.strength[0, n:].any()


def test_an_empty_batch() -> None:
    """Nothing to solve is solved at once."""
    assert len(pack([]).solve(threads=2)) == 0


def test_a_batch_needs_a_thread(problems: list[Problem]) -> None:
    """No threads at all is a mistake that is named."""
    with pytest.raises(GamesmasterError, match="0 threads"):
        pack(problems[:1]).solve(threads=0)


@pytest.mark.parametrize(
    ("column", "value"),
    [("kind", 4), ("at", -1), ("to", 99), ("whence", 99), ("about", 99), ("owner", -1), ("force", 9999), ("stay", -1)],
)
def test_rows_that_point_nowhere_are_refused(problems: list[Problem], column: str, value: int) -> None:
    """A number outside its range is refused with its place: compiled code would read or write beside its arrays."""
    rows = k.Rows(*(list(cells) for cells in problems[0].rows))
    getattr(rows, column)[2] = value
    with pytest.raises(GamesmasterError, match=f"^problem 1, row 2: {column} cannot be {value}$"):
        pack([problems[1], problems[0]._replace(rows=rows)])


@pytest.mark.parametrize("value", [2**40, "x", None])
def test_cells_that_are_no_small_numbers_are_refused(problems: list[Problem], value: object) -> None:
    """What is no integer of sixteen bits is refused."""
    rows = k.Rows(*(list(cells) for cells in problems[0].rows))
    rows.force[1] = value  # type: ignore[call-overload]
    with pytest.raises(GamesmasterError, match=r"^problem 0: its columns are not tables"):
        pack([problems[0]._replace(rows=rows)])


@pytest.mark.parametrize(("field", "value"), [("contest", 3), ("knot", -1), ("link", b"\1"), ("size", 1)])
def test_settings_out_of_range_are_refused(problems: list[Problem], field: str, value: object) -> None:
    """A rule that does not exist, and a table of links that does not fit the board, are refused."""
    with pytest.raises(GamesmasterError, match=r"^problem 1: "):
        pack([problems[0], problems[1]._replace(**{field: value})])  # type: ignore[arg-type]


@pytest.mark.parametrize("missing", ["numpy", "numba"])
def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """Where NumPy or Numba is not installed the error says what to install."""
    monkeypatch.delitem(sys.modules, "gamesmaster.engine.machine", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(GamesmasterError, match=rf"{missing}.*-m pip install --editable '\.\[fast\]'"):
        fast("gamesmaster.engine.machine")


def test_importing_compiles_and_loads_nothing() -> None:
    """Importing the module loads neither NumPy nor Numba."""
    code = "import sys, gamesmaster.engine.problem; print({'numpy', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_code_on_disk_belongs_to_one_kernel(problems: list[Problem]) -> None:
    """Machine code is kept under a name that another kernel's source would not have."""
    source = "".join(map(inspect.getsource, (*modules_called(solve_all), k)))
    pack(problems[:1]).solve()
    kept = [path.name for path in Path(machine_code().stats.cache_path).glob("*.nbi")]  # type: ignore[attr-defined]
    assert any(name_on_disk(source) in name for name in kept)
    assert name_on_disk(source) != name_on_disk(source.replace("MOST_TRIED = 7", "MOST_TRIED = 8"))
