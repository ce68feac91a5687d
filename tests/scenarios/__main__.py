"""Run worked cases and print each that fails: `python -m tests.scenarios FILE... [--variant NAME]`.

Files have the form of the DATC's cases or of a variant's `scenarios.json`, in its words or in those of a dossier.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from gamesmaster.cli.arguments import find_folder, find_variant_or_folder
from gamesmaster.errors import GamesmasterError
from gamesmaster.variant import find_variant, variant_names
from tests.scenarios.cases import CaseReport, run_cases

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of cases, or folders with one.")],
    variant: Annotated[str, typer.Option(metavar="NAME", help="Default: the name of the file's folder.")] = "",
    list_not_run: Annotated[bool, typer.Option("--list-not-run", help="Print each case not run, and why.")] = False,
) -> None:
    """Run worked cases; the exit code is 1 if a case fails or is not understood, and 3 for a file without cases."""
    try:
        cases = [case for path in files for case in _run_file(path, variant)]
    except GamesmasterError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(3) from None
    failed, not_run = [c for c in cases if c.failures], [c for c in cases if c.not_run]
    puzzling = [c for c in cases if c.not_understood]
    for case in failed:
        typer.echo("\n  ".join((f"{case.id} {case.title}", *map(str, case.failures))))
    for case in not_run if list_not_run else ():
        typer.echo(f"{case.id} {case.title}\n  {case.not_run}")
    for case in puzzling:
        typer.echo(f"{case.id} {case.title}".rstrip() + f"\n  not understood: {case.not_understood}")
    others = ((not_run, "not run"), (puzzling, "not understood"))
    counts = "".join(f", {len(some)} {what}" for some, what in others if some)
    typer.echo(f"{sum(case.passed for case in cases)} passed, {len(failed)} failed{counts}")
    if failed or puzzling:
        raise typer.Exit(1)


def _run_file(path: Path, variant: str) -> Iterable[CaseReport]:
    """Return the cases of a file.

    Without `variant` they are about the variant named like the file's folder, or about the standard game.
    """
    if variant:
        return run_cases(path, find_variant_or_folder(variant), find_folder(variant))
    about = (path if path.is_dir() else path.parent).resolve().name
    return run_cases(path, find_variant(about if about in variant_names() else "standard"))


if __name__ == "__main__":
    app()
