"""Worked cases: positions with orders and what must become of them, read from files of two forms and run.

The *DATC form* holds the adjudicator test cases (`{"cases": [...]}`, tags as in DATC 4.E.2, and per case the choices of
chapter 4 under which something else holds).  The *scenario form* belongs to a variant (a list of scenarios; results in
a Gamesmaster's words; the clauses each one shows).  Either is run by the same judge that runs games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gamesmaster.errors import BadFile
from gamesmaster.game import Variant, find_variant
from gamesmaster.strictjson import read
from gamesmaster.testing.datc import Run, run_datc
from gamesmaster.testing.scenarios import run_scenario

LARGEST = 16 * 2**20
"""Bytes of a file of cases; larger ones are refused."""

DEEPEST = 12
"""Levels of nesting."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that came out otherwise: what was looked at, what was expected, what was got."""

    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}, got {self.got}"


@dataclass(frozen=True, slots=True)
class CaseReport:
    """A case that was run: its id (with the choice it was run under), its title, and what failed."""

    id: str
    title: str
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        """Did everything come out as expected?"""
        return not self.failures


def run_cases(path: Path, variant: Variant | None = None) -> Iterator[CaseReport]:
    """Run every case of a file, under every rulebook it speaks of.

    Raises `NotFound` if there is no such file, `BadFile` if it, or a case in it, has neither form.
    """
    data = read(path, limit=LARGEST, depth=DEEPEST)
    cases, run = _form(data, str(path))
    for number, case in enumerate(cases, 1):
        try:
            done = list(run(case, variant or find_variant("standard")))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise BadFile(f"not in the form of a case: {error!r}", where=f"{path}, case {number}") from None
        for id_, title, rows in done:
            yield CaseReport(id_, title, tuple(Failure(w, _show(e), _show(g)) for w, e, g in rows if e != g))


def _form(data: object, where: str) -> tuple[list[Any], Callable[[Any, Variant], Iterable[Run]]]:
    """The cases of a file, and how to run one."""
    if isinstance(data, Mapping) and isinstance(data.get("cases"), list):
        return data["cases"], run_datc
    scenarios = data.get("scenarios") if isinstance(data, Mapping) else data
    if isinstance(scenarios, list):
        return scenarios, lambda scenario, variant: [run_scenario(scenario, variant)]
    raise BadFile("neither a file of DATC cases nor a list of scenarios", where=where)


def _show(value: Any) -> str:
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(str, value))) + "}"
    return str(value)
