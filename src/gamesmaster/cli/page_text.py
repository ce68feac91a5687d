"""Markdown as text to read: laid out by `rich` on a terminal, plain elsewhere."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

WIDTH = 100

_CLAUSE = re.compile(r"- \*\*([\w.-]+)\*\*(.*)")
_ROW = re.compile(r"\s*\|(.*)\|\s*")


def show_page(markdown: str) -> None:
    """Print Markdown on the output, on a terminal no wider than it is."""
    import typer

    from gamesmaster.cli.console import harmless

    typer.echo(laid_out(harmless(markdown)) if on_terminal() else plain(harmless(markdown)))


def on_terminal() -> bool:
    """Is the output a terminal?"""
    return sys.stdout.isatty()


def laid_out(markdown: str) -> str:
    """Markdown with headings, tables and bold words as a terminal shows them."""
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    with console.capture() as capture:
        console.print(Markdown(markdown, hyperlinks=False))
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def plain(markdown: str, width: int = WIDTH) -> str:
    """Markdown without its signs: paragraphs wrapped, columns of tables in line, ids of clauses before their text."""
    return "\n".join(_plain(markdown.splitlines(), width)).strip("\n")


def _plain(lines: list[str], width: int) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        size = 1
        if not line.strip():
            yield ""
        elif _ROW.fullmatch(line):
            size = _run(lines[at:], lambda text: bool(_ROW.fullmatch(text)))
            yield from _table(lines[at : at + size])
        elif line.startswith("#"):
            yield _bare(line.lstrip("# "))
        else:
            size = 1 + _run(lines[at + 1 :], _goes_on)
            yield from _paragraph(lines[at : at + size], width)
        at += size


def _run(lines: list[str], wanted: Callable[[str], bool]) -> int:
    """How many lines at the beginning are wanted."""
    return next((n for n, line in enumerate(lines) if not wanted(line)), len(lines))


def _goes_on(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(("- ", "#", "|"))


def _paragraph(lines: Sequence[str], width: int) -> Iterator[str]:
    indent = " " * (len(lines[0]) - len(lines[0].lstrip()))
    text = " ".join(line.strip() for line in lines)
    clause = _CLAUSE.fullmatch(text)
    hang = indent + ("  " if text.startswith("- ") else "")
    words = f"{clause[1]}  {clause[2].strip()}" if clause else text
    yield from wrap(
        _bare(words), width, initial_indent=indent, subsequent_indent=hang, break_on_hyphens=False
    )  # the two spaces behind a clause's id stay: wrap keeps blanks within a line


def _table(lines: Sequence[str]) -> Iterator[str]:
    indent = " " * (len(lines[0]) - len(lines[0].lstrip()))
    rows = [[_bare(cell.strip()) for cell in found[1].split("|")] for line in lines if (found := _ROW.fullmatch(line))]
    rows = [row for row in rows if not all(set(cell) <= set("-: ") and cell for cell in row)]
    columns = max(len(row) for row in rows) if rows else 0
    wide = [max(len(row[n]) for row in rows if n < len(row)) for n in range(columns)]
    for row in rows:
        yield (indent + "  ".join(cell.ljust(size) for cell, size in zip(row, wide, strict=False))).rstrip()


def _bare(text: str) -> str:
    return text.replace("**", "").replace("`", "")
