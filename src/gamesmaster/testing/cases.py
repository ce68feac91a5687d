"""Worked cases: positions with orders and what must become of them, read from files of two forms and run.

The *DATC form* holds the adjudicator test cases (`{"cases": [...]}`, tags as in DATC 4.E.2, and per case the choices of
chapter 4 under which something else holds).  The *scenario form* belongs to a variant (a list of scenarios; results in
a Gamesmaster's words; the clauses each one shows).  Either is run by the same judge that runs games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gamesmaster.errors import BadFile, GamesmasterError
from gamesmaster.strictjson import read
from gamesmaster.testing.datc import Run, run_datc
from gamesmaster.testing.scenario.running import run_scenario, title
from gamesmaster.testing.scenario.words import Stage, host_reason
from gamesmaster.variant import Variant, file_of, find_variant

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
    """A case: its id (with the choice it was run under), its title, and what failed.

    `not_run` is what only the host of a game could show, `not_understood` what the program cannot make of it; both are
    empty for a case that was run.
    """

    id: str
    title: str
    failures: tuple[Failure, ...] = ()
    not_run: str = ""
    not_understood: str = ""

    @property
    def passed(self) -> bool:
        """Was it run, and did everything come out as expected?"""
        return not (self.failures or self.not_run or self.not_understood)


def run_cases(path: Path, variant: Variant | None = None, folder: Path | None = None) -> Iterator[CaseReport]:
    """Run every case of a file, or of the `scenarios.json` in a folder, under every rulebook it speaks of.

    `folder` is where the variant lies if it is none of the package's.  A case that cannot be understood hinders no
    other.  Raises `NotFound` if there is no such file, `BadFile` if it has neither form.
    """
    path = file_of(path, "scenarios.json") if path.is_dir() else path
    data = read(path, limit=LARGEST, depth=DEEPEST)
    cases, run = _form(data, str(path), variant or find_variant("standard"), folder)
    for number, case in enumerate(cases, 1):
        try:
            yield from list(run(case))
        except GamesmasterError as error:
            yield _puzzling(case, number, str(error))
        except KeyError as error:
            yield _puzzling(case, number, f"not in the form of a case: {str(error)[:80]} is missing, or not known")
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            yield _puzzling(case, number, f"not in the form of a case: {error}")


def _puzzling(case: object, number: int, why: str) -> CaseReport:
    """The report on a case that cannot be understood, by whatever name it has."""
    told = case if isinstance(case, Mapping) else {}
    id_, title_ = (told.get(key) for key in ("id", "title"))
    return CaseReport(str(id_)[:80] if id_ else f"case {number}", str(title_ or "")[:200], not_understood=why)


def _form(
    data: object, where: str, variant: Variant, folder: Path | None
) -> tuple[list[Any], Callable[[Any], Iterator[CaseReport]]]:
    """The cases of a file, and how to run one."""
    if isinstance(data, Mapping) and isinstance(data.get("cases"), list):
        return data["cases"], lambda case: map(_reported, run_datc(case, variant))
    scenarios = data.get("scenarios") if isinstance(data, Mapping) else data
    if isinstance(scenarios, list):
        Stage(variant, folder).words  # noqa: B018 (what is wrong in its file is wrong for all)
        return scenarios, lambda scenario: iter([_scenario(scenario, variant, folder)])
    raise BadFile("neither a file of DATC cases nor a list of scenarios", where=where)


def _scenario(scenario: Mapping[str, Any], variant: Variant, folder: Path | None) -> CaseReport:
    if reason := host_reason(scenario):
        return CaseReport(scenario["id"], title(scenario), not_run=f"needs the host: {reason}")
    return _reported(run_scenario(scenario, variant, folder))


def _reported(run: Run) -> CaseReport:
    id_, told, rows = run
    return CaseReport(id_, told, tuple(Failure(w, _show(e), _show(g)) for w, e, g in rows if e != g))


def _show(value: Any) -> str:
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(str, value))) + "}"
    return str(value)
