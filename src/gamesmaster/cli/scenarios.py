"""`scenarios`: worked cases of a variant, or of the DATC, run and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gamesmaster.cli.console import AsJson, ExitCode, say, say_json, variant_named


def scenarios(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of cases.", show_default=False)],
    variant: Annotated[str, typer.Option(metavar="NAME", help="The variant they are about.")] = "standard",
    as_json: AsJson = False,
) -> None:
    """Run worked cases and print each that fails, with what was expected and what was got.

    Files are in the DATC's form or in that of a variant's scenarios.json. The exit code is 1 if a case fails.

    For example:

      gamesmaster scenarios scenarios.json
    """
    from gamesmaster.testing.cases import run_cases

    found, passed, failures = variant_named(variant), 0, []
    for path in files:
        for case in run_cases(path, found):
            passed += case.passed
            if not case.passed:
                failures.append({"file": str(path), "id": case.id, "title": case.title,
                                 "failures": [{"what": f.what, "expected": f.expected, "got": f.got}
                                              for f in case.failures]})  # fmt: skip
                if not as_json:
                    say(f"{case.id} {case.title}")
                    for failure in case.failures:
                        say(f"  {failure}")
    if as_json:
        say_json({"passed": passed, "failed": len(failures), "failures": failures})
    else:
        say(f"{passed} passed, {len(failures)} failed")
    if failures:
        raise typer.Exit(ExitCode.FAILED)
