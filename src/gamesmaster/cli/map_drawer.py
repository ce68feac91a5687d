"""Scenes drawn in every format."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from gamesmaster.cli.console import Tell, progress_bar
from gamesmaster.cli.map_subject import Scene, Subject

if TYPE_CHECKING:
    from gamesmaster.game import Game
    from gamesmaster.pictures import Picture
    from gamesmaster.pictures.export import Paper

WIDTHS = {"wide": 1600, "narrow": 800}  # pixels of a PNG, if the user does not say
GIF_WIDTHS = {"wide": 1000, "narrow": 600}

_VIEW_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) \S+"')


@dataclass(frozen=True, slots=True)
class Drawer:
    """How the maps of a subject are drawn; an empty `layout` and a `width` of 0 leave the choice to the format."""

    subject: Subject
    style: str = "light"
    layout: str = ""
    compact: bool = False
    width: int = 0
    paper: Paper = "A4"

    def draw(self, suffix: str, scene: Scene) -> bytes:
        """One scene as the bytes of a file with this suffix."""
        from gamesmaster.pictures.export import to_pdf, to_png

        if suffix == ".html":
            return self._page(scene).encode()
        svg = self._svg(scene)
        if suffix == ".png":
            return to_png(svg, self.width or WIDTHS[self.layout or "wide"])
        return to_pdf([svg], paper=self.paper) if suffix == ".pdf" else svg.encode()

    def draw_book(self, suffix: str, game: Game, seconds: float) -> bytes:
        """A whole game, each page shown for so many seconds; in a PDF each phase has one, with its results."""
        from gamesmaster.game import history
        from gamesmaster.pictures import flip_book, leaves_of
        from gamesmaster.pictures.export import to_html

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
        from gamesmaster.pictures import leaves_of
        from gamesmaster.pictures.export import to_pdf

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
        from gamesmaster.pictures import frames, leaves_of
        from gamesmaster.pictures.export import to_gif

        picture = self._picture()
        drawn = self._over(picture, frames(picture, leaves_of(game), title=self.subject.name))
        width = self.width or GIF_WIDTHS[self.layout or "wide"]
        told = partial(_tell_drawing, tell, len(drawn))
        return to_gif(drawn, width, seconds, ground=self._ground(picture), progress=told)

    def _ground(self, picture: Picture) -> str:
        """The board, to be drawn once beneath all frames: that is several times as quick."""
        return self._cut(picture.document("", title=self.subject.name, orders=True))

    def _over(self, picture: Picture, documents: Iterable[str]) -> list[str]:
        """What documents draw over the board: the board stays in them for reference, and is not drawn."""
        over = []
        for document in documents:
            head, board, rest = document.partition(picture.base)
            begun = head[: head.index("</title>") + len("</title>")]  # the sheet behind the board is left out too
            over.append(self._cut(f"{begun}<defs>{board}</defs>{rest}"))
        return over

    # -- inside ------------------------------------------------------------------------------------------------------

    def _page(self, scene: Scene) -> str:
        """A page with both layouts, unless one was asked for, and the text board."""
        from gamesmaster.pictures.export import to_html

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
        """A compact picture ends below the map: what stands there is cut off by a sheet about it."""
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
