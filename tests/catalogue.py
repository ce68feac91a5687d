"""Checks of a rule catalogue: every clause has code that exists and a case that shows it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from gamesmaster.board import Finding
from gamesmaster.cli.variants.catalogue import REMARK, Carried, function
from gamesmaster.errors import nearest


def lint_catalogue(catalogue: Mapping[str, Carried], tests: Path | None = None) -> list[Finding]:
    """Return clauses without code or without a case, and functions and tests that do not exist.

    `tests` is the folder above `tests/`; tests are not looked up without it.
    """
    return [finding for carried in catalogue.values() for finding in _faults(carried, tests)]


def _faults(carried: Carried, tests: Path | None) -> Iterator[Finding]:
    def error(code: str, text: str, hint: str = "") -> Finding:
        return Finding("error", code, carried.clause, text, hint)

    if not (carried.by or carried.host):
        yield error("catalogue-nobody", "nothing carries it out")
    if not (carried.cases or carried.host or carried.by == REMARK):
        yield error("catalogue-unshown", "no scenario and no test shows it")
    for part in carried.by:
        if ":" in part and function(part) is None:
            yield error("catalogue-function", f"there is no {part}", hint=_nearest_function(part))
    for case in carried.cases if tests else ():
        assert tests
        if "::" in case and not _is_test(tests, case):
            yield error("catalogue-test", f"there is no test {case}")


def _nearest_function(name: str) -> str:
    module, _, path = name.partition(":")
    try:
        value = import_module(f"gamesmaster.{module}")
    except ImportError:
        return ""
    owner, _, last = path.rpartition(".")
    return nearest(last, dir(getattr(value, owner, value)))


def _is_test(root: Path, name: str) -> bool:
    """Return whether a test of this name exists; classes of tests count, and the file is not run."""
    path, *parts = name.split("::")
    return (root / path).exists() and "::".join(parts) in _tests_in(root / path)


@cache
def _tests_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    plain = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    within = {
        f"{node.name}::{inner.name}"
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for inner in node.body
        if isinstance(inner, ast.FunctionDef)
    }
    return frozenset(plain | within)
