"""`python -m bench.mutants`: change the program in one place at a time, and list the changes that no test notices.

A mutant is one module with one change: a comparison, a condition, a number, a statement left out. Of each room a seeded
sample is tried. Every mutant is written to a copy of the project and run against the tests nearest to its module
(`mutants.toml`), in a process of its own with a time limit. `mutants.toml` also lists the mutants that no test can
notice, each with the reason. The exit code is 1 if any other mutant survives.

mutmut and cosmic-ray change every annotation and operator in every way, and neither draws a sample nor knows which
tests belong to a module.
"""

from __future__ import annotations

import ast
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Annotated, Any, NamedTuple

import typer

ROOT = Path(__file__).parents[1]
SOURCE = Path("src/gamesmaster")
PLAN = Path(__file__).with_suffix(".toml")
NOT_COPIED = (".git", ".venv", "__pycache__", "build", "dist", "site", "*.egg-info")
LEAST, TIMES = 30.0, 4
"""A mutant may take so many seconds, or so many times as long as the program itself takes, if that is more."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip


class Mutant(NamedTuple):
    """A change: the module (beneath `SOURCE`), its number there, the function around it, the line, the words."""

    module: str
    number: int
    function: str
    line: int
    change: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function}: {self.change}"


# -- changes -----------------------------------------------------------------------------------------------------------


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in the place of a node."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=comparators):
            yield ast.Compare(left, [COMPARISONS[type(op)]()], comparators)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for i in range(len(values)):
                rest = values[:i] + values[i + 1 :]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            yield ast.BinOp(left, OPERATORS[type(op)](), right)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.If(test=ast.Name() | ast.Call() | ast.Attribute() as test, body=body, orelse=orelse):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()


Place = tuple[str, ast.AST, Callable[[ast.AST], None]]
"""The function around a node, the node, and what puts another in its place."""


def places(node: ast.AST, function: str = "") -> Iterator[Place]:
    """Yield the nodes of a tree, without annotations, decorators, assertions and what only type checkers read."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_comment", "bases"):
            continue
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or isinstance(child, ast.Assert) or _only_for_types(child):
                continue
            inner = function
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = f"{function}.{child.name}".lstrip(".")
            yield inner, child, _setter(node, name, i if isinstance(value, list) else None)
            yield from places(child, inner)


def _only_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _setter(parent: ast.AST, name: str, index: int | None) -> Callable[[ast.AST], None]:
    def put(new: ast.AST) -> None:
        if index is None:
            setattr(parent, name, new)
        else:
            getattr(parent, name)[index] = new

    return put


def _mutations(tree: ast.Module) -> Iterator[tuple[str, ast.AST, ast.AST, Callable[[ast.AST], None]]]:
    for function, node, put in places(tree):
        for new in changes(node):
            yield function, node, new, put


def mutants(module: str, source: str) -> list[Mutant]:
    """Return every mutant of a module."""
    found = enumerate(_mutations(ast.parse(source)))
    return [Mutant(module, n, function, old.lineno, _words(old, new)) for n, (function, old, new, _) in found]  # type: ignore[attr-defined]


def _words(old: ast.AST, new: ast.AST) -> str:
    before, after = (ast.unparse(ast.fix_missing_locations(node)).split("\n")[0] for node in (old, new))
    return f"{before} -> {after}"


def mutated(source: str, number: int) -> str:
    """Return the source of a module with one of its mutations."""
    tree = ast.parse(source)
    _, _, new, put = next(mutation for n, mutation in enumerate(_mutations(tree)) if n == number)
    put(new)
    return ast.unparse(ast.fix_missing_locations(tree))


# -- the plan ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """The rooms, the tests of their modules, and the mutants that no test can notice, each with its reason."""

    rooms: dict[str, list[dict[str, list[str]]]]
    equivalent: dict[tuple[str, str, str], str]

    @classmethod
    def read(cls, path: Path = PLAN) -> Plan:
        """Read a plan."""
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        known = {
            (entry["module"], entry["function"], entry["change"]): entry["reason"]
            for entry in data.get("equivalent", ())
        }
        return cls(data["rooms"], known)

    def modules(self, room: str, wanted: Sequence[str]) -> list[str]:
        """Return the modules of a room that match one of the patterns."""
        files = sorted(path.relative_to(ROOT / SOURCE).as_posix() for path in (ROOT / SOURCE).rglob("*.py"))
        return [file for file in files if any(fnmatch(file, one) for one in wanted) and self.tests(room, file)]

    def tests(self, room: str, module: str) -> tuple[str, ...]:
        """Return the tests nearest to a module; none if it is in another room."""
        near = (group["tests"] for group in self.rooms[room] if any(fnmatch(module, m) for m in group["modules"]))
        return tuple(next(near, ()))

    def sample(self, room: str, wanted: Sequence[str], size: int, seed: int) -> list[Mutant]:
        """Draw mutants of a room, but none that no test can notice."""
        every = [m for module in self.modules(room, wanted) for m in mutants(module, _source(module))]
        sound = [m for m in every if (m.module, m.function, m.change) not in self.equivalent]
        return sorted(Random(seed).sample(sound, min(size, len(sound))))


def _source(module: str) -> str:
    return (ROOT / SOURCE / module).read_text(encoding="utf-8")


# -- running -----------------------------------------------------------------------------------------------------------


def noticed(copy: Path, tests: Sequence[str], limit: float) -> bool:
    """Return whether one of these tests fails in a copy of the project, or all of them together take too long."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not (long or bulk)", *tests]
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.Popen(
        command, cwd=copy, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        code = run.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        return True
    if code in (4, 5):
        raise typer.BadParameter(f"pytest finds no such tests: {' '.join(tests)}")
    return code != 0


class Workshop:
    """Copies of the project, one for each worker, and how long a mutant may take against each set of tests."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.free: SimpleQueue[Path] = SimpleQueue()
        self.limits: dict[tuple[str, ...], float] = {}
        for number in range(workers):
            copy = folder / str(number)
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
            self.free.put(copy)

    def measure(self, tests: tuple[str, ...], most: float) -> None:
        """Run tests without a change: they must pass."""
        copy, began = self.free.get(), time.monotonic()
        if noticed(copy, tests, most):
            raise typer.BadParameter(
                f"these tests fail without a change, or take more than {most} s: {' '.join(tests)}"
            )
        self.free.put(copy)
        self.limits[tests] = max(LEAST, TIMES * (time.monotonic() - began))

    def is_noticed(self, mutant: Mutant, tests: tuple[str, ...]) -> bool:
        """Return whether the tests notice a mutant."""
        copy = self.free.get()
        file = copy / SOURCE / mutant.module
        try:
            file.write_text(mutated(_source(mutant.module), mutant.number), encoding="utf-8")
            return noticed(copy, tests, self.limits[tests])
        finally:
            file.write_text(_source(mutant.module), encoding="utf-8")
            self.free.put(copy)


def main(
    room: Annotated[list[str] | None, typer.Option(help="a room of mutants.toml; all of them by default")] = None,
    module: Annotated[list[str] | None, typer.Option(help="only modules like this: engine/*.py")] = None,
    sample: Annotated[int, typer.Option(min=1, help="mutants of each room")] = 300,
    seed: Annotated[int, typer.Option(help="another seed draws other mutants")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="mutants tried at once")] = 1,
    most: Annotated[float, typer.Option(help="seconds that the tests of a module may take without a change")] = 600.0,
) -> None:
    """Try a sample of mutants of each room, and list those that no test notices."""
    plan = Plan.read()
    drawn = [
        (name, mutant) for name in room or plan.rooms for mutant in plan.sample(name, module or ["*"], sample, seed)
    ]
    tasks = [(mutant, plan.tests(name, mutant.module)) for name, mutant in drawn]
    survivors: list[Mutant] = []
    with ExitStack() as stack:
        shop = Workshop(Path(stack.enter_context(tempfile.TemporaryDirectory())), workers)
        pool = stack.enter_context(ThreadPoolExecutor(workers))
        stack.callback(pool.shutdown, cancel_futures=True)
        for tests in sorted({tests for _, tests in tasks}):
            shop.measure(tests, most)
            typer.echo(f"at most {shop.limits[tests]:.0f} s: {' '.join(tests)}", err=True)
        running = {pool.submit(shop.is_noticed, mutant, tests): mutant for mutant, tests in tasks}
        for number, done in enumerate(as_completed(running), 1):
            mutant, found = running[done], done.result()
            typer.echo(f"{number}/{len(tasks)} {'noticed' if found else 'SURVIVES'} {mutant}", err=True)
            survivors += [] if found else [mutant]
    typer.echo(f"{len(tasks) - len(survivors)} of {len(tasks)} mutants noticed (seed {seed})")
    for mutant in sorted(survivors):
        typer.echo(f"survives: {mutant}")
    raise typer.Exit(bool(survivors))


if __name__ == "__main__":
    typer.run(main)
