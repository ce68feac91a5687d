"""The catalogue of a variant's rules: the functions that carry out each clause, and the cases that show it.

    python -m tests.catalogue standard STD-6.d     print them for one clause, or for all that begin so

`catalogue.toml` beside a variant names the functions.  A key of its tables is a clause, or several of them with blanks
between, or the beginning of some (`STD-6`); where two fit, the longer one counts.

    [groups]      a name for functions that go together, used like one of them
    [clauses]     functions (`judge.movement:Movement._find_retreats`, within the package), groups, or parts of the data
    [tests]       tests (`tests/game/test_course.py::test_lots`), where no scenario can show the clause
    [host]        why only the host of a game carries it out; beside `host` in `scenario_words.json`

Cases are found by the clauses that the scenarios of the variant name; `like` takes both from another variant, for two
that share a rulebook.
"""

from __future__ import annotations

import ast
import inspect
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from gamesmaster import strictjson
from gamesmaster.board import Finding
from gamesmaster.errors import BadFile, NotFound, nearest
from gamesmaster.schemas import Entry, validate
from gamesmaster.variant import file_of, read_rules_text, shelf

PAGE = "catalogue.toml"
_LARGEST, _DEEPEST = 16 * 2**20, 12
"""Bytes and levels of nesting of a file that is read."""
DATA = {
    "board": "the board",
    "start": "the start",
    "powers": "the table of powers",
    "calendar": "the calendar",
    "victory": "what wins",
    "rulebook": "the choices of the rulebook",
    "build_sites": "where powers build",
    "options": "the options",
    "remark": "a remark: nothing is to be carried out",
}
"""Words for the parts of a variant's data that carry clauses out without any function of their own."""

REMARK = ("remark",)
"""The entry of a clause that needs no code; it needs no case either."""

_PACKAGE = "gamesmaster"

Key = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Part = Annotated[str, StringConstraints(pattern=r"^[a-z_]+$|^[a-z_.]+:[A-Za-z_][\w.]*$", max_length=100)]
Parts = Annotated[list[Part], Field(min_length=1, max_length=30)]
TestName = Annotated[str, StringConstraints(pattern=r"^tests/[\w/]+\.py(::\w+){1,2}$", max_length=200)]
Why = Annotated[str, StringConstraints(min_length=10, max_length=300)]


class CatalogueFile(Entry):
    """The shape of `catalogue.toml`."""

    like: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]*$")] = ""
    groups: dict[str, Parts] = Field({}, max_length=200)
    clauses: dict[Key, Parts] = Field({}, max_length=500)
    tests: dict[Key, Annotated[list[TestName], Field(min_length=1)]] = Field({}, max_length=500)
    host: dict[Key, Why] = Field({}, max_length=200)


@dataclass(frozen=True, slots=True)
class Carried:
    """A clause with what carries it out and what shows it.

    `by` are functions (`engine.battles:sweep`, within the package) and words of `DATA`; `cases` are ids of
    scenarios, then tests.  `host` is why only a host carries it out, usually empty.
    """

    clause: str
    by: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    host: str = ""


@cache
def find_catalogue(name: str) -> Mapping[str, Carried]:
    """Return the catalogue of a variant of the package, in the order of its rulebook; read once per process."""
    return read_catalogue(shelf() / name)


def read_catalogue(folder: Path) -> Mapping[str, Carried]:
    """Return the catalogue in the folder of a variant: every clause of its `RULES.md`, also those without an entry.

    Raises `NotFound` for a missing file, `BadFile` with the key for an unknown clause or group.
    """
    return _Reader(folder).catalogue()


class _Reader:
    """Takes one file apart."""

    def __init__(self, folder: Path) -> None:
        page = file_of(folder, PAGE)
        self.folder, self.where = folder, str(page)
        self.file = validate(CatalogueFile, _toml(page), BadFile, self.where)
        self.book = read_rules_text(folder)

    def catalogue(self) -> dict[str, Carried]:
        entries = {clause.id: Carried(clause.id) for clause in self.book.clauses}
        if self.file.like:
            for name, other in read_catalogue(self.folder.parent / self.file.like).items():
                if name in entries:
                    entries[name] = other
        for name, by in self.spread(self.file.clauses, "clauses").items():
            carried = tuple(self.parts(by, name))
            shown = () if carried == REMARK else entries[name].cases  # what another variant shows is nothing here
            entries[name] = replace(entries[name], by=carried, cases=shown)
        for name, cases in _cases(self.folder).items():
            if name in entries:
                entries[name] = replace(entries[name], cases=_join(entries[name].cases, cases))
        for name, tests in self.spread(self.file.tests, "tests").items():
            entries[name] = replace(entries[name], cases=_join(entries[name].cases, tests))
        for name, why in (_host(self.folder) | self.spread(self.file.host, "host")).items():
            entries[name] = replace(entries[name], host=why)
        return entries

    def spread(self, table: Mapping[str, Any], name: str) -> dict[str, Any]:
        """Return a table by single clauses: a longer key counts above a shorter one."""
        single: dict[str, tuple[int, Any]] = {}
        for key, value in table.items():
            for word in key.split():
                for clause in self.pick(word, name):
                    if clause not in single or len(word) > single[clause][0]:
                        single[clause] = (len(word), value)
        return {clause: value for clause, (_, value) in single.items()}

    def pick(self, word: str, table: str) -> list[str]:
        try:
            return [clause.id for clause in self.book.pick(word)]
        except NotFound as error:
            raise BadFile(error.what, where=f"{self.where}, $.{table}", hint=error.hint) from None

    def parts(self, names: Iterable[str], clause: str) -> Iterator[str]:
        """Yield functions and words for data, with every group replaced by its members."""
        for part in names:
            if ":" in part or part in DATA:
                yield part
            elif part in self.file.groups:
                yield from self.parts(self.file.groups[part], clause)
            else:
                hint = nearest(part, [*self.file.groups, *DATA])
                raise BadFile(f"{clause}: no group or part of the data {part!r}", where=self.where, hint=hint)


def _toml(path: Path) -> object:
    try:
        return tomllib.loads(strictjson.read_bytes(path, limit=_LARGEST).decode())
    except ValueError as fault:
        raise BadFile(f"not TOML: {fault}", where=str(path)) from None


def _cases(folder: Path) -> dict[str, list[str]]:
    """Map each clause to the ids of the scenarios that name it."""
    path = file_of(folder, "scenarios.json")
    cases: dict[str, list[str]] = {}
    if path.exists():
        scenarios: Any = strictjson.read(path, limit=_LARGEST, depth=_DEEPEST)
        for scenario in scenarios:
            for clause in scenario["clauses"]:
                cases.setdefault(clause, []).append(scenario["id"])
    return cases


def _host(folder: Path) -> dict[str, str]:
    """Map clauses without a scenario to the reason, from the variant's `scenario_words.json`."""
    path = file_of(folder, "scenario_words.json")
    words: Any = strictjson.read(path, limit=_LARGEST, depth=_DEEPEST) if path.exists() else {}
    return dict(words.get("host", {}))


def _join(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for group in groups for name in group))


def function(name: str) -> object | None:
    """Return the object that a name in a catalogue means (`judge.movement:Movement._find_retreats`).

    Return None if it is missing.
    """
    module, _, path = name.partition(":")
    try:
        value: object = import_module(f"{_PACKAGE}.{module}")
    except ImportError:
        return None
    for part in path.split("."):
        fields = getattr(value, "__dataclass_fields__", {})
        value = getattr(value, part, fields.get(part))
        if value is None:
            return None
    return value


def place_of(name: str) -> str:
    """Return the place of a function, `gamesmaster/judge/movement.py:62`; for other objects only the file."""
    value = function(name)
    module = name.partition(":")[0].replace(".", "/")
    target: Any = inspect.unwrap(getattr(value, "fget", None) or getattr(value, "func", None) or value)  # type: ignore[arg-type]
    if inspect.isfunction(target) or inspect.isclass(target):
        return f"{_PACKAGE}/{module}.py:{inspect.getsourcelines(target)[1]}"
    return f"{_PACKAGE}/{module}.py"


# -- checks ----------------------------------------------------------------------------------------------------------


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


# -- printing --------------------------------------------------------------------------------------------------------


def _code_lines(carried: Carried) -> Iterator[str]:
    """Yield the code that carries a clause out, and its cases."""
    if carried.by == REMARK:
        yield "A remark: there is nothing to implement."
    for part in carried.by if carried.by != REMARK else ():
        yield f"By `{part}` in {place_of(part)}." if ":" in part else f"By {DATA[part]}."
    if carried.host:
        yield f"For the host of a game: {carried.host}."
    if carried.cases:
        yield f"Shown by {', '.join(carried.cases)}."


def _main(variant: str, clause: str = "") -> None:
    for name, carried in find_catalogue(variant).items():
        if name.startswith(clause):
            print(name, *_code_lines(carried), sep="\n  ")


if __name__ == "__main__":
    _main(*sys.argv[1:3])
