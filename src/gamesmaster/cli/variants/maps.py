"""`map`: positions, orders and results as pictures, in every format that people ask for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from gamesmaster.cli.arguments import complete_variant, grouped
from gamesmaster.cli.console import progress_bar, say
from gamesmaster.errors import NotFound, nearest
from gamesmaster.files import write_whole

if TYPE_CHECKING:
    from gamesmaster.cli.variants.map_subject import Subject
    from gamesmaster.game import Game
    from gamesmaster.pictures import Paper, Picture, Snapshot

LAYOUTS = ("wide", "narrow")
PAPERS = ("A4", "A3", "fit")
SUFFIXES = (".svg", ".png", ".pdf", ".html")
WIDTHS = {"wide": 1600, "narrow": 800}  # pixels of a PNG, if the user does not say
OUTPUT = Path("-")
_VIEW_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) \S+"')


@dataclass(frozen=True, slots=True)
class ShownOptions:
    """What a map shows of a game."""

    phase: Annotated[
        str, typer.Option(metavar="PHASE", help="A phase of the game; by default the last one that is over.")
    ] = ""
    orders: Annotated[
        bool, typer.Option("--orders/--no-orders", help="Draw orders and results, or the bare position.")
    ] = True
    plans: Annotated[
        str, typer.Option(metavar="POWER", help="Draw this power's orders for the phase being played: secret!")
    ] = ""
    power: Annotated[
        str, typer.Option(metavar="POWER", help="The map for a power, in a variant that limits what powers see.")
    ] = ""


@dataclass(frozen=True, slots=True)
class LookOptions:
    """How a map is drawn."""

    style: Annotated[str, typer.Option(metavar="light|dark|print", help="Colours, or black and white.")] = "light"
    layout: Annotated[
        str, typer.Option(metavar="wide|narrow", help="For large pictures, or for phones.", show_default="wide")
    ] = ""
    width: Annotated[int | None, typer.Option(metavar="PX", min=16, help="Width of a PNG in pixels.")] = None
    paper: Annotated[
        str, typer.Option(metavar="A4|A3|fit", help="The page size of a PDF; by default the map's own shape.")
    ] = "A4"
    compact: Annotated[bool, typer.Option("--compact", help="Only the map, without title and legend.")] = False


@grouped
def map_(
    what: Annotated[
        str,
        typer.Argument(
            metavar="VARIANT|RECORD",
            help="A variant, a board, or the record of a game.",
            autocompletion=complete_variant,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="FILE.svg, .png, .pdf or .html; - for SVG on the output.")
    ] = None,
    shown: ShownOptions = ShownOptions(),
    look: LookOptions = LookOptions(),
    book: Annotated[bool, typer.Option("--book", help="The whole game as a PDF, a page for each phase.")] = False,
    text: Annotated[bool, typer.Option("--text", help="Print the map in words instead.")] = False,
) -> None:  # fmt: skip
    """Draw a map: a variant's start, or a phase of a game with its orders and results.

    The suffix of FILE chooses the format; without FILE, the map goes into an SVG named after its subject. PNG and PDF
    need the extra `pictures`; without it the program says how to install it.

    No secrets are drawn unless --plans asks for them: of the phase being played, the map shows only the position.

    For example:

      gamesmaster map standard -o start.png
      gamesmaster map winter.json --style print -o report.pdf
      gamesmaster map winter.json --phase S1901M -o spring.html
      gamesmaster map winter.json --book -o game.pdf
      gamesmaster map fog.json --power France -o france.png
      gamesmaster map winter.json --text
    """
    from gamesmaster.cli.variants.map_subject import subject_of
    from gamesmaster.pictures import style_of

    style_of(look.style)
    _one_of("layout", look.layout, ("", *LAYOUTS))
    _one_of("paper", look.paper, PAPERS)
    suffix = _suffix(out, book=book)
    if look.width is not None and suffix != ".png":
        raise typer.BadParameter(f"pixels are for PNG: {suffix} fits any size", param_hint="--width")
    if text and out is not None:
        raise typer.BadParameter("the words are printed: redirect them to keep them in a file", param_hint="--text")
    if shown.plans and (book or not shown.orders):
        raise typer.BadParameter("plans are orders for the phase being played", param_hint="--plans")
    subject = subject_of(what, power=shown.power)
    if subject.game is None and (book or shown.plans or shown.power):
        option = "--book" if book else "--plans" if shown.plans else "--power"
        raise typer.BadParameter("only a game can be drawn so", param_hint=option)
    moment = subject.snapshot(shown.phase, orders=shown.orders, plans=shown.plans)
    if text:
        say(subject.in_words(moment).rstrip())
        return
    drawer = Drawer(subject, look)
    drawn = drawer.draw_book(subject.game) if book and subject.game else drawer.draw(suffix, moment)
    if out == OUTPUT:
        typer.echo(drawn.decode(), nl=False)
        return
    target = out or Path(f"{subject.source.id}-{'book' if book else moment.code or 'map'}{suffix}")
    write_whole(target, drawn)
    words = "the whole game" if book else moment.subtitle or "the board"
    say(f"{target}: {subject.name}, {words}.")


def _one_of(thing: str, word: str, known: Sequence[str]) -> None:
    """Check a word of a short list; raises `NotFound` with the nearest."""
    if word not in known:
        listed = ", ".join(filter(None, known))
        raise NotFound(f"no {thing} {word[:80]!r}", hint=nearest(word, known) or f"there are {listed}")


def _suffix(out: Path | None, *, book: bool) -> str:
    """Return the suffix that names the format; raises `NotFound` for a wrong one, and for a missing folder."""
    if out is None or (out == OUTPUT and not book):
        return ".pdf" if book else ".svg"
    suffix, formats = out.suffix.casefold(), f"formats are {', '.join(SUFFIXES)}"
    if not suffix:
        raise NotFound(f"{out} has no suffix that says its format", hint=formats)
    if suffix not in SUFFIXES:
        raise NotFound(f"no pictures in the format {suffix}", hint=nearest(suffix, SUFFIXES) or formats)
    if not out.parent.is_dir():
        raise NotFound(f"no folder {out.parent}")
    if book and suffix != ".pdf":
        raise typer.BadParameter("a whole game is a PDF: name one with --out FILE.pdf", param_hint="--book")
    return suffix


# -- drawing ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawer:
    """Draws a subject; an empty layout and no width leave the choice to the format."""

    subject: Subject
    look: LookOptions

    def draw(self, suffix: str, shown: Snapshot) -> bytes:
        """Return one picture as the bytes of a file with this suffix."""
        from gamesmaster.pictures import to_pdf, to_png

        if suffix == ".html":
            return self._page(shown).encode()
        svg = self._svg(shown)
        if suffix == ".png":
            return to_png(svg, self.look.width or WIDTHS[self.look.layout or "wide"])
        return to_pdf([svg], paper=cast("Paper", self.look.paper)) if suffix == ".pdf" else svg.encode()

    def draw_book(self, game: Game) -> bytes:
        """Return a whole game as PDF: a page for each phase, with its results."""
        from gamesmaster.pictures import snapshots_of, to_pdf

        picture, drawn = self._picture(), []
        with progress_bar() as tell:
            for number, shown in enumerate(snapshots_of(game)):
                tell("drawing", number, len(game.records) + 1)
                drawn.append(self._cut(picture.svg(shown)))
            tell("typesetting", 0, 1)
            return to_pdf(drawn, title=self.subject.name, paper=cast("Paper", self.look.paper))

    # -- inside ------------------------------------------------------------------------------------------------------

    def _page(self, shown: Snapshot) -> str:
        """Return a page with both layouts, unless one was asked for, and the text board."""
        from gamesmaster.pictures import to_html

        narrow = "" if self.look.layout else self._svg(shown, "narrow", "n-")
        title = f"{shown.title}, {shown.subtitle}" if shown.subtitle else shown.title
        return to_html(self._svg(shown), title, text=self.subject.in_words(shown), narrow=narrow)

    def _picture(self, layout: str = "", prefix: str = "") -> Picture:
        from gamesmaster.pictures import Look, Picture

        subject, source = self.subject, self.subject.source
        look = Look(self.look.style, layout or self.look.layout or "wide", prefix)
        return Picture(source.board, subject.shapes, source.powers, look, signs=subject.signs())

    def _svg(self, shown: Snapshot, layout: str = "", prefix: str = "") -> str:
        return self._cut(self._picture(layout, prefix).svg(shown))

    def _cut(self, svg: str) -> str:
        """Return a compact picture, cut off below the map."""
        box = _VIEW_BOX.search(svg)
        if not self.look.compact or not box:
            return svg
        x, y, width = map(float, box.groups())
        sheet = f"{x:g} {y:g} {width:g} {self.subject.shapes.size[1] - 2 * y:g}"
        place = 'x="{}" y="{}" width="{}" height="{}"'.format(*sheet.split())
        inner = svg.replace(box[0], f'{place} viewBox="{sheet}"', 1).rstrip()
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{sheet}">{inner}</svg>\n'
