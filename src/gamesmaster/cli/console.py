"""The output of the commands: lines, JSON, tables, pages, findings and bars; and their exit codes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from enum import IntEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.english import many as many

if TYPE_CHECKING:
    from gamesmaster.board import Finding

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]

Tell = Callable[[str, int, int], None]
"""Tells a bar what is being done now, how much is done, and how much there is."""

_COLOURS = {"error": "red", "warning": "yellow", "note": "green"}
PAGE_WIDTH = 100
GAP = 2
"""Spaces between the columns of a table."""


class ExitCode(IntEnum):
    """The exit codes of commands."""

    DONE = 0
    FAILED = 1  # a check failed, or some of what was given was refused
    USAGE = 2  # the command line is wrong: typer's own
    BAD_INPUT = 3


def say(text: str = "") -> None:
    """Print on the output, without the signs that steer a terminal: what players and files say may hold some."""
    typer.echo(harmless(text))


def say_json(data: object, *, indent: int | None = 2) -> None:
    """Print JSON in plain ASCII, which every terminal can show."""
    typer.echo(json.dumps(data, indent=indent))


def say_alarm(text: str) -> None:
    """Print a line on the output, in red on a terminal (unless NO_COLOR is set)."""
    typer.echo(_coloured(harmless(text), "red"))


def complain(label: str, text: str) -> None:
    """Print a line on the error stream, its label in colour on a terminal (unless NO_COLOR is set)."""
    typer.echo(f"{_coloured(f'{label}:', _COLOURS[label])} {harmless(text)}", err=True)


def _coloured(text: str, colour: str) -> str:
    return text if os.environ.get("NO_COLOR") else typer.style(text, fg=colour, bold=True)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under heads, as wide as the terminal; if the output is not a terminal, as wide as they need.

    On a terminal that is too narrow for the longest words, each row becomes a list: nothing is cut off.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [[harmless(str(cell)) for cell in row] for row in rows]
    columns = zip(heads, *cells, strict=True)
    widest = [max((len(word) for text in column for word in text.split()), default=0) for column in columns]
    console = Console(highlight=False, width=None if on_terminal() else 500)
    if console.width < sum(widest) + GAP * (len(heads) - 1):
        for first, *rest in cells:
            named = zip(heads[1:], rest, strict=True)
            say("\n".join([first, *(f"  {head}: {cell}" if head else f"  {cell}" for head, cell in named if cell)]))
        return
    grid = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    for head, width in zip(heads, widest, strict=True):
        grid.add_column(head, min_width=width)
    for row in cells:
        grid.add_row(*map(Text, row))
    with console.capture() as capture:
        console.print(grid)
    typer.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))


def harmless(text: str) -> str:
    """Return a text without the signs that steer a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


def say_findings(findings: Sequence[Finding], *, as_json: bool) -> None:
    """Print the findings, a line each, and their number; end with exit code 1 if one is an error."""
    errors = sum(finding.level == "error" for finding in findings)
    if as_json:
        say_json(list(map(asdict, findings)))
    else:
        for finding in findings:
            say(str(finding))
        say(f"{many(errors, 'error')}, {many(len(findings) - errors, 'warning')}")
    if errors:
        raise typer.Exit(ExitCode.FAILED)


# -- pages in Markdown -----------------------------------------------------------------------------------------------


def on_terminal() -> bool:
    """Return whether the output is a terminal."""
    return sys.stdout.isatty()


def show_page(markdown: str) -> None:
    """Print Markdown: as it is, or on a terminal with headings, tables and bold words, no wider than the terminal."""
    if not on_terminal():
        typer.echo(harmless(markdown).strip("\n"))
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(highlight=False)
    console.width = min(console.width, PAGE_WIDTH)
    with console.capture() as capture:
        console.print(Markdown(harmless(markdown), hyperlinks=False))
    typer.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))


# -- bars ------------------------------------------------------------------------------------------------------------


@contextmanager
def progress_bar(*, rate: bool = False) -> Iterator[Tell]:
    """Show a progress bar, unless nobody would see it, and yield a function to call with the work done so far.

    With `rate` it also shows how much is done in a second, and how long the rest will take.
    """
    if not sys.stderr.isatty():
        yield lambda now, done, total: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns: list[ProgressColumn] = [
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    ]  # fmt: skip
    if rate:
        columns += [TextColumn("{task.fields[rate]}"), TextColumn("left:"), TimeRemainingColumn()]
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None, rate="")

        def tell(now: str, done: int, total: int) -> None:
            speed = progress.tasks[0].speed
            rate = f"{speed:.1f} a second" if speed else ""
            progress.update(task, description=escape(now), completed=done, total=total, rate=rate, refresh=True)

        yield tell
