"""How what the linters find is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from gamesmaster.cli.console import ExitCode, many, say, say_json

if TYPE_CHECKING:
    from gamesmaster.board import Finding


def say_findings(findings: Sequence[Finding], *, as_json: bool) -> None:
    """Print what was found, a line each, and how much; end with exit code 1 if there is an error among it."""
    errors = sum(finding.level == "error" for finding in findings)
    if as_json:
        say_json(
            [{"level": f.level, "code": f.code, "where": f.where, "text": f.text, "hint": f.hint} for f in findings]
        )
    else:
        for finding in findings:
            say(str(finding))
        say(f"{many(errors, 'error')}, {many(len(findings) - errors, 'warning')}")
    if errors:
        raise typer.Exit(ExitCode.FAILED)
