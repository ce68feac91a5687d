"""`map`: positions, orders and results as pictures, in every format that people ask for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from gamesmaster.cli.console import say

LAYOUTS = ("wide", "narrow")
PAPERS = ("A4", "A3", "fit")
SUFFIXES = (".svg", ".png", ".pdf", ".gif", ".html")
OUTPUT = Path("-")


def map_(
    what: Annotated[
        str,
        typer.Argument(
            metavar="VARIANT|RECORD", help="A variant, a board, or the record of a game.", show_default=False
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="FILE.svg, .png, .pdf, .gif or .html; - for SVG on the output.",
            show_default=False,
        ),
    ] = None,
    phase: Annotated[
        str, typer.Option(metavar="PHASE", help="A phase of the game; by default the last one that is over.")
    ] = "",
    orders: Annotated[
        bool, typer.Option("--orders/--no-orders", help="Draw orders and results, or the bare position.")
    ] = True,
    plans: Annotated[
        str, typer.Option(metavar="POWER", help="Draw this power's orders for the phase being played: secret!")
    ] = "",
    style: Annotated[str, typer.Option(metavar="light|dark|print", help="Colours, or black and white.")] = "light",
    layout: Annotated[
        str, typer.Option(metavar="wide|narrow", help="For large pictures, or for phones.", show_default="wide")
    ] = "",
    width: Annotated[
        int | None, typer.Option(metavar="PX", min=16, help="Width of a PNG or GIF in pixels.", show_default=False)
    ] = None,
    paper: Annotated[
        str, typer.Option(metavar="A4|A3|fit", help="The page size of a PDF; by default the map's own shape.")
    ] = "A4",
    compact: Annotated[bool, typer.Option("--compact", help="Only the map, without title and legend.")] = False,
    book: Annotated[bool, typer.Option("--book", help="The whole game as a flip-book: SVG, GIF, HTML or PDF.")] = False,
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0.1, max=60, help="How long a flip-book shows each picture.")
    ] = 2.5,
    text: Annotated[bool, typer.Option("--text", help="Print the map in words instead.")] = False,
) -> None:
    """Draw a map: a variant's start, or a phase of a game with its orders and results.

    The suffix of FILE chooses the format; without FILE, the map goes into an SVG named after its subject. PNG, PDF, GIF
    need the extra `pictures`; without it the program says how to install it.

    No secrets are drawn unless --plans asks for them: of the phase being played, the map shows only the position.

    For example:

      gamesmaster map standard -o start.png
      gamesmaster map winter.json --style print -o report.pdf
      gamesmaster map winter.json --phase S1901M -o spring.html
      gamesmaster map winter.json --book -o game.gif
      gamesmaster map winter.json --text
    """
    from gamesmaster.cli.map_drawer import Drawer
    from gamesmaster.cli.map_subject import subject_of
    from gamesmaster.files import write_whole
    from gamesmaster.pictures.style import STYLES

    _one_of("style", style, STYLES)
    _one_of("layout", layout, ("", *LAYOUTS))
    _one_of("paper", paper, PAPERS)
    suffix = _suffix(out, book=book)
    _fitting(suffix, width=width is not None, text=text and out is not None, plans=bool(plans) and (book or not orders))
    subject = subject_of(what)
    if subject.game is None and (book or plans):
        raise typer.BadParameter("only the record of a game has that", param_hint="--book" if book else "--plans")
    scene = subject.scene(phase, orders=orders, plans=plans)
    if text:
        say(subject.in_words(scene).rstrip())
        return
    drawer = Drawer(subject, style, layout, compact, width or 0, paper)  # type: ignore[arg-type]  # checked above
    drawn = drawer.draw_book(suffix, subject.game, seconds) if book and subject.game else drawer.draw(suffix, scene)
    if out == OUTPUT:
        typer.echo(drawn.decode(), nl=False)
        return
    target = out or Path(f"{subject.id}-{'book' if book else scene.code or 'map'}.svg")
    write_whole(target, drawn)
    shown = "the whole game" if book else scene.subtitle or "the board"
    say(f"{target}: {subject.name}, {shown}.")


def _one_of(thing: str, word: str, known: Sequence[str]) -> None:
    """Check a word of a short list; raises `NotFound` with the nearest."""
    from gamesmaster.errors import NotFound, nearest

    if word not in known:
        listed = ", ".join(filter(None, known))
        raise NotFound(f"no {thing} {word[:80]!r}", hint=nearest(word, known) or f"there are {listed}")


def _suffix(out: Path | None, *, book: bool) -> str:
    """The suffix that says the format; raises `NotFound` for a wrong one, and where there is no such folder."""
    from gamesmaster.errors import NotFound, nearest

    if out is None or out == OUTPUT:
        return ".svg"
    suffix, formats = out.suffix.casefold(), f"formats are {', '.join(SUFFIXES)}"
    if not suffix:
        raise NotFound(f"{out} has no suffix that says its format", hint=formats)
    if suffix not in SUFFIXES:
        raise NotFound(f"no pictures in the format {suffix}", hint=nearest(suffix, SUFFIXES) or formats)
    if not out.parent.is_dir():
        raise NotFound(f"no folder {out.parent}")
    if book and suffix == ".png":
        raise typer.BadParameter("a PNG holds one picture: make a .gif, .svg, .html or .pdf", param_hint="--book")
    if suffix == ".gif" and not book:
        raise typer.BadParameter("a GIF shows a whole game: add --book, or make a .png", param_hint="--out")
    return suffix


def _fitting(suffix: str, *, width: bool, text: bool, plans: bool) -> None:
    """Refuse options that would do nothing."""
    if width and suffix not in (".png", ".gif"):
        raise typer.BadParameter(f"pixels are for PNG and GIF: {suffix} fits any size", param_hint="--width")
    if text:
        raise typer.BadParameter("the words are printed: redirect them to keep them in a file", param_hint="--text")
    if plans:
        raise typer.BadParameter("plans are orders for the phase being played", param_hint="--plans")
