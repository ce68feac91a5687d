"""`map`: positions, orders and results as pictures, in every format that people ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import complete_variant
from gamesmaster.cli.console import Tell, progress_bar, say
from gamesmaster.errors import NotFound, nearest
from gamesmaster.files import write_whole

if TYPE_CHECKING:
    from gamesmaster.cli.variants.map_subject import Scene, Subject
    from gamesmaster.game import Game
    from gamesmaster.pictures import Paper, Picture

LAYOUTS = ("wide", "narrow")
PAPERS = ("A4", "A3", "fit")
SUFFIXES = (".svg", ".png", ".pdf", ".gif", ".html")
WIDTHS = {"wide": 1600, "narrow": 800}  # pixels of a PNG, if the user does not say
GIF_WIDTHS = {"wide": 1000, "narrow": 600}
OUTPUT = Path("-")
_VIEW_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) \S+"')


def map_(
    what: Annotated[
        str,
        typer.Argument(
            metavar="VARIANT|RECORD",
            help="A variant, a board, or the record of a game.",
            show_default=False,
            autocompletion=complete_variant,
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
    from gamesmaster.cli.variants.map_subject import subject_of
    from gamesmaster.pictures import STYLES

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
    if word not in known:
        listed = ", ".join(filter(None, known))
        raise NotFound(f"no {thing} {word[:80]!r}", hint=nearest(word, known) or f"there are {listed}")


def _suffix(out: Path | None, *, book: bool) -> str:
    """Return the suffix that names the format; raises `NotFound` for a wrong one, and for a missing folder."""
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


# -- drawing ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawer:
    """The options for drawing a subject; an empty `layout` and a `width` of 0 leave the choice to the format."""

    subject: Subject
    style: str = "light"
    layout: str = ""
    compact: bool = False
    width: int = 0
    paper: Paper = "A4"

    def draw(self, suffix: str, scene: Scene) -> bytes:
        """One scene as the bytes of a file with this suffix."""
        from gamesmaster.pictures import to_pdf, to_png

        if suffix == ".html":
            return self._page(scene).encode()
        svg = self._svg(scene)
        if suffix == ".png":
            return to_png(svg, self.width or WIDTHS[self.layout or "wide"])
        return to_pdf([svg], paper=self.paper) if suffix == ".pdf" else svg.encode()

    def draw_book(self, suffix: str, game: Game, seconds: float) -> bytes:
        """Return a whole game, each page shown for `seconds`; in a PDF each phase has a page, with its results."""
        from gamesmaster.game import history
        from gamesmaster.pictures import flip_book, leaves_of, to_html

        title = self.subject.name
        with progress_bar() as tell:
            if suffix == ".gif":
                return self._gif(game, seconds, tell)
            if suffix == ".pdf":
                return self._pages(game, tell)
            tell("drawing", 0, 1)
            book = self._cut(flip_book(self._picture(), leaves_of(game), seconds=seconds, title=title))
            return (book if suffix == ".svg" else to_html(book, title, text=history(game))).encode()

    def _pages(self, game: Game, tell: Tell) -> bytes:
        from gamesmaster.pictures import leaves_of, to_pdf

        picture, title, drawn = self._picture(), self.subject.name, []
        for number, leaf in enumerate(leaves_of(game)):
            tell("drawing", number, len(game.records) + 1)
            svg = picture.svg(
                leaf.position,
                title=title,
                subtitle=leaf.caption,
                rulings=leaf.rulings,
                marks=leaf.marks,
                looks=leaf.looks,
                ledger=leaf.ledger,
            )
            drawn.append(self._cut(svg))
        tell("typesetting", 0, 1)
        return to_pdf(drawn, title=title, paper=self.paper)

    def _gif(self, game: Game, seconds: float, tell: Tell) -> bytes:
        from gamesmaster.pictures import frames, leaves_of, to_gif

        picture = self._picture()
        drawn = self._over(picture, frames(picture, leaves_of(game), title=self.subject.name))
        width = self.width or GIF_WIDTHS[self.layout or "wide"]
        progress = partial(_tell_drawing, tell, len(drawn))
        return to_gif(drawn, width, seconds, ground=self._ground(picture), progress=progress)

    def _ground(self, picture: Picture) -> str:
        """Return the board, to be drawn once beneath all frames: that is several times as quick."""
        return self._cut(picture.document("", title=self.subject.name, orders=True))

    def _over(self, picture: Picture, documents: Iterable[str]) -> list[str]:
        """Return the layers that documents draw over the board: the board stays for reference, and is not drawn."""
        over = []
        for document in documents:
            head, board, rest = document.partition(picture.base)
            begun = head[: head.index("</title>") + len("</title>")]  # the sheet behind the board is left out too
            over.append(self._cut(f"{begun}<defs>{board}</defs>{rest}"))
        return over

    # -- inside ------------------------------------------------------------------------------------------------------

    def _page(self, scene: Scene) -> str:
        """Return a page with both layouts, unless one was asked for, and the text board."""
        from gamesmaster.pictures import to_html

        narrow = "" if self.layout else self._svg(scene, "narrow", "n-")
        title = f"{scene.title}, {scene.subtitle}" if scene.subtitle else scene.title
        return to_html(self._svg(scene), title, text=self.subject.in_words(scene), narrow=narrow)

    def _picture(self, layout: str = "", prefix: str = "") -> Picture:
        from gamesmaster.pictures import Picture

        chosen, subject = layout or self.layout or "wide", self.subject
        return Picture(
            subject.board,
            subject.shapes,
            subject.powers,
            style=self.style,
            layout=chosen,
            signs=subject.signs(),
            prefix=prefix,
        )

    def _svg(self, scene: Scene, layout: str = "", prefix: str = "") -> str:
        picture = self._picture(layout, prefix)
        return self._cut(
            picture.svg(
                scene.position,
                title=scene.title,
                subtitle=scene.subtitle,
                rulings=scene.orders,
                marks=self.subject.marks(scene.position),
                looks=self.subject.looks(scene.position),
                ledger=self.subject.ledger(scene),
            )
        )

    def _cut(self, svg: str) -> str:
        """Return a compact picture, cut off below the map."""
        box = _VIEW_BOX.search(svg)
        if not self.compact or not box:
            return svg
        x, y, width = map(float, box.groups())
        sheet = f"{x:g} {y:g} {width:g} {self.subject.shapes.size[1] - 2 * y:g}"
        place = 'x="{}" y="{}" width="{}" height="{}"'.format(*sheet.split())
        inner = svg.replace(box[0], f'{place} viewBox="{sheet}"', 1).rstrip()
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{sheet}">{inner}</svg>\n'


def _tell_drawing(tell: Tell, total: int, done: int) -> None:
    tell("drawing", done, total)
