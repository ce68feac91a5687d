"""`scenarios`: worked cases of a variant, or of the DATC, run and compared."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import folder_named, variant_named
from gamesmaster.cli.console import AsJson, ExitCode, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gamesmaster.testing.cases import CaseReport


def scenarios(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files of cases, or folders with a scenarios.json.", show_default=False),
    ],
    variant: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The variant they are about.", show_default="what their folder is named after"
        ),
    ] = None,
    list_not_run: Annotated[bool, typer.Option("--list-not-run", help="Print each case not run, and why.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run worked cases and print each that fails, with the expected and the actual result.

    Files are in the DATC's form or in that of a variant's scenarios.json, in its words or in those of the documents
    that it comes from. They are about the variant that their folder is named after, if there is one, and otherwise
    about the standard game, unless you say. A scenario about what only the host of a game does, such as press or
    deadlines, is not run. A scenario that cannot be understood is named with the reason, and the others run. The exit
    code is 1 if a case fails or is not understood.

    For example:

      gamesmaster scenarios scottomacy/scenarios.json
      gamesmaster scenarios mine.json --variant "1000ad[af_module=yes]"
    """
    cases = [(path, case) for path in files for case in _run(path, variant)]
    failed = [(path, case) for path, case in cases if case.failures]
    not_run = [(path, case) for path, case in cases if case.not_run]
    puzzling = [(path, case) for path, case in cases if case.not_understood]
    passed = sum(case.passed for _, case in cases)
    if as_json:
        say_json({
            "passed": passed, "failed": len(failed), "not_run": len(not_run),
            "not_understood": len(puzzling),
            "failures": [_told(path, c) | {"failures": [asdict(f) for f in c.failures]} for path, c in failed],
            "cases_not_run": [_told(path, case) | {"reason": case.not_run} for path, case in not_run],
            "cases_not_understood": [_told(path, case) | {"reason": case.not_understood} for path, case in puzzling],
        })  # fmt: skip
    else:
        for _, case in failed:
            say("\n  ".join((f"{case.id} {case.title}", *map(str, case.failures))))
        for _, case in not_run if list_not_run else ():
            say(f"{case.id} {case.title}\n  {case.not_run}")
        for _, case in puzzling:
            say(f"{case.id} {case.title}".rstrip() + f"\n  not understood: {case.not_understood}")
        others = ((not_run, "not run"), (puzzling, "not understood"))
        say(f"{passed} passed, {len(failed)} failed" + "".join(f", {len(of)} {what}" for of, what in others if of))
    if failed or puzzling:
        raise typer.Exit(ExitCode.FAILED)


def _run(path: Path, variant: str | None) -> Iterable[CaseReport]:
    """The cases of a file; about the variant that its folder is named after, the standard game if none is."""
    from gamesmaster.testing.cases import run_cases
    from gamesmaster.variant import find_variant, variant_names

    if variant is not None:
        return run_cases(path, variant_named(variant), folder_named(variant))
    about = (path if path.is_dir() else path.parent).resolve().name
    return run_cases(path, find_variant(about if about in variant_names() else "standard"))


def _told(path: Path, case: CaseReport) -> dict[str, object]:
    return {"file": str(path), "id": case.id, "title": case.title}
