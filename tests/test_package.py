"""The package's surface: light to import, complete, and sorted."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import gamesmaster

HEAVY = ("pydantic", "typer", "rich", "numpy", "numba", "hypothesis")
SOURCE = Path(gamesmaster.__file__).parent
ROOMS = {path.parent.name for path in SOURCE.glob("*/__init__.py")} - {"variants"}
BEHIND = {
    "host": "a program of its own: its modules can be imported only when Django has been set up",
    "engine": "functions over columns, a module for each topic, which the judge calls and batches compile",
    "batches": "columns of many games and loops of machine code over them, which environments run",
    "orders.model": "constants of machine code, whose source is part of its name",
    "orders.dialect": "tables of words, for readers of free texts",
    "orders.words": "readers of free texts: spelling",
    "rules.columns": "constants of machine code, whose source is part of its name",
    "game.state_models": "models of pydantic, which takes longer to import than a game to read",
    "game.desk": "the Gamesmaster's post, for the command line and the site",
}
"""Modules, or packages, of which more is imported by other rooms than the face of their room has; with the reason."""


def in_order(names: list[str]) -> list[str]:
    """Constants first, then types, then functions, each by the alphabet."""
    return sorted(names, key=lambda name: (not name.isupper(), not name[0].isupper(), name))


def test_names_are_sorted_and_there() -> None:
    """`__all__` is sorted and every name in it can be had."""
    assert gamesmaster.__all__ == in_order(gamesmaster.__all__)
    assert all(getattr(gamesmaster, name) is not None for name in gamesmaster.__all__)
    assert dir(gamesmaster) == gamesmaster.__all__


def test_unknown_names_are_refused() -> None:
    """A name that is not there raises what Python raises."""
    with pytest.raises(AttributeError, match="nonsense"):
        _ = gamesmaster.nonsense


@pytest.mark.parametrize("room", ["board", "orders", "engine", "rules", "judge", "reading", "game"])
def test_rooms_export_what_they_name(room: str) -> None:
    """Each room's `__all__` is sorted and complete."""
    module = import_module(f"gamesmaster.{room}")
    assert module.__all__ == in_order(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("module", ["gamesmaster", "gamesmaster.judge", "gamesmaster.game"])
def test_importing_stays_light(module: str) -> None:
    """Importing a room loads none of the heavy libraries: they come when they are needed."""
    code = f"import sys, {module}; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def crossings() -> Iterator[tuple[str, str, str]]:
    """Every name that a room imports from a module within another: by which file, from which module, which name."""
    for file in sorted(SOURCE.rglob("*.py")):
        own = file.relative_to(SOURCE).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("gamesmaster."):
                continue
            _, room, *inside = str(node.module).split(".")
            if room == own or room not in ROOMS:
                continue
            public = import_module(f"gamesmaster.{room}").__dict__.get("__all__", ())
            for name in (alias.name for alias in node.names):
                whole = [*inside, name] if find_module(f"{node.module}.{name}") and name not in public else inside
                if whole:
                    yield str(file.relative_to(SOURCE)), ".".join([room, *whole]), name


def find_module(name: str) -> bool:
    """Is there a module of this name in the package?"""
    path = SOURCE.joinpath(*name.split(".")[1:])
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def test_rooms_import_from_faces() -> None:
    """A room imports from the face of another what that has, and behind it only from the modules named here."""
    found = list(crossings())
    for file, module, name in found:
        public = import_module(f"gamesmaster.{module.split('.')[0]}").__dict__.get("__all__", ())
        assert name not in public, f"{file}: import {name} from gamesmaster.{module.split('.')[0]}"
        assert any(f"{module}.".startswith(f"{known}.") for known in BEHIND), f"{file}: {module}.{name}"
    idle = [known for known in BEHIND if not any(f"{module}.".startswith(f"{known}.") for _, module, _ in found)]
    assert not idle, "nobody imports from these any more"


COMPILED = (
    "engine", "environments/planes", "batches/adjustments", "batches/choices", "batches/code", "batches/moves",
    "batches/binding", "batches/orders",
    "batches/years", "batches/heuristic", "mechanics/boats/columns", "mechanics/army_fleet/columns",
    "mechanics/supply", "players/assessment", "players/recall",
)  # fmt: skip
"""Rooms and modules of machine code, in which columns are handed on one by one."""
GIVEN = ("compat/diplomacy",)
"""Rooms that offer the functions of another package, whose parameters are its own."""
MOST_PARAMETERS = 6
MOST_COLUMNS = 12
BOOLEANS = {
    "cli/app._version": "called by typer",
    "host/accounts/adapters.should_send_confirmation_mail": "called by django-allauth",
    "host/accounts/adapters.clean_username": "called by django-allauth",
    "rules/values.__new__": "members of an enum are rows of values",
}
"""Functions with a boolean that may be given by its place, with the reason."""


def functions() -> Iterator[tuple[str, ast.arguments]]:
    """Every function outside machine code and other packages' interfaces, by module and name, with its parameters."""
    for file in sorted(SOURCE.rglob("*.py")):
        module = file.relative_to(SOURCE).with_suffix("").as_posix()
        if f"{module}/".startswith(tuple(f"{name}/" for name in (*COMPILED, *GIVEN))):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{module}.{node.name}", node.args


def test_no_function_takes_more_than_six_values() -> None:
    """What belongs together travels together: outside machine code no function has more than six parameters."""
    wide = {}
    for name, given in functions():
        values = [p.arg for p in (*given.posonlyargs, *given.args, *given.kwonlyargs) if p.arg not in ("self", "cls")]
        if len(values) > MOST_PARAMETERS:
            wide[name] = values
    assert wide == {}


def test_columns_come_in_groups() -> None:
    """A NamedTuple that machine code takes has at most twelve columns, or groups of columns."""
    wide = {}
    for file in (file for room in ("engine", "batches", "mechanics") for file in sorted((SOURCE / room).rglob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and "NamedTuple" in map(ast.unparse, node.bases):
                columns = [each for each in node.body if isinstance(each, ast.AnnAssign)]
                wide[node.name] = [each for each in columns if ast.unparse(each.annotation) not in ("float", "int")]
    assert not {name for name, columns in wide.items() if len(columns) > MOST_COLUMNS}


def test_no_boolean_is_given_by_its_place() -> None:
    """Outside machine code a boolean is named where it is given."""
    found = {
        name
        for name, given in functions()
        for parameter in (*given.posonlyargs, *given.args)
        if parameter.annotation is not None and ast.unparse(parameter.annotation) == "bool"
    }
    assert found == set(BOOLEANS)
