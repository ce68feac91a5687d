"""A whole game as a flip-book: one picture that turns from phase to phase, or all its pages one by one.

The board is drawn once; each page is a layer over it, shown in turn by the style sheet.  Nothing but a browser is
needed.  It stands still on its last page where people, or programs, do not want motion, and pauses under the pointer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from gamesmaster.board import Position
from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, Ledger, Phase, ledger_of
from gamesmaster.judge import Ruling
from gamesmaster.pictures.looks import looks_of, marks_of
from gamesmaster.pictures.orders_told import Drawable, Planned
from gamesmaster.pictures.picture import Picture
from gamesmaster.pictures.symbols import Sign

MOST_PAGES = 400
SHORTEST, LONGEST = 0.2, 60.0
"""Seconds that a page may be shown."""

_IDS = re.compile(r' id="[^"]*"')


class Leaf(NamedTuple):
    """A phase of a flip-book: the position it began with and what became of its orders, and what they are called.

    `marks`, `looks` and `ledger` are those of `Picture.layer`.
    """

    caption: str
    position: Position
    rulings: Sequence[Drawable] = ()
    marks: Mapping[str, Sequence[Sign]] | None = None
    looks: Mapping[int, Sign] | None = None
    ledger: Ledger | None = None


Leaves = Iterable[Leaf | tuple[str, Position, Sequence[Drawable]]]


def leaves_of(game: Game) -> Iterator[Leaf]:
    """The phases of a game that are over, and at the end how it stands; no secret is told."""
    calendar = game.variant.calendar
    for record in game.records:
        rulings = game.adjudication(record).rulings
        yield Leaf(
            calendar.name(record.phase), record.position, rulings, *_scenery(game, record.phase, record.position)
        )
    last = game.outcome.text if game.outcome else calendar.name(game.phase)
    yield Leaf(last, game.position, (), *_scenery(game, game.phase, game.position))


def _scenery(
    game: Game, phase: Phase, position: Position
) -> tuple[Mapping[str, Sequence[Sign]] | None, Mapping[int, Sign] | None, Ledger]:
    """The marks, looks and ledger of a position."""
    ledger = ledger_of(game.variant, game.rules, phase, position)
    return marks_of(game.rules, position) or None, looks_of(game.rules, position) or None, ledger


def pages(leaves: Leaves) -> Iterator[Leaf]:
    """Each phase as the pages that it is shown on: first the orders, then what became of them.

    Raises `GamesmasterError` after `MOST_PAGES`.
    """
    turned = (page for leaf in leaves for page in _turned(Leaf(*leaf)))
    for number, page in enumerate(turned, 1):
        if number > MOST_PAGES:
            raise GamesmasterError(f"a flip-book of more than {MOST_PAGES} pages", hint="make one of a part of it")
        yield page


def _turned(leaf: Leaf) -> Iterator[Leaf]:
    orders = [Planned(r.power, r.unit, r.order) for r in leaf.rulings if isinstance(r, Ruling) and r.given and r.order]
    if orders:
        yield leaf._replace(caption=f"{leaf.caption}: orders", rulings=orders)
        yield leaf._replace(caption=f"{leaf.caption}: results")
    else:
        yield leaf


def frames(picture: Picture, leaves: Leaves, *, title: str = "") -> Iterator[str]:
    """Every page as a whole SVG document, all of one size; made one at a time.  Raises what `pages` does."""
    for page in pages(leaves):
        named = ": ".join(filter(None, (title or picture.board.name, page.caption)))
        yield picture.document(_layer(picture, page, title), title=named, orders=True)


def flip_book(picture: Picture, leaves: Leaves, *, seconds: float = 2.0, title: str = "") -> str:
    """A game as one SVG document that turns its own pages, every so many `seconds`, over and over.

    Raises `GamesmasterError` if there is no page, or more than `MOST_PAGES`, or for pages shown too briefly or too
    long.
    """
    if not SHORTEST <= seconds <= LONGEST:
        raise GamesmasterError(f"a page is shown for {SHORTEST:g} to {LONGEST:g} seconds, not {seconds:g}")
    drawn = [(page.caption, _bare(_layer(picture, page, title))) for page in pages(leaves)]
    if not drawn:
        raise GamesmasterError("a flip-book without pages")
    whole = seconds * len(drawn)
    body = "".join(
        # A page's time begins before the picture is opened, so that none but the first is seen at once.
        f'<g class="{picture.prefix}leaf" role="group" aria-label="{escape(caption)}"'
        f' style="animation-delay:{seconds * number - whole:g}s">{layer}</g>'
        for number, (caption, layer) in enumerate(drawn)
    )
    book = f'<style>{_motion(picture.prefix, whole, len(drawn))}</style><g class="{picture.prefix}book">{body}</g>'
    return picture.document(book, title=title, orders=True)


def _layer(picture: Picture, page: Leaf, title: str) -> str:
    return picture.layer(
        page.position,
        title=title,
        subtitle=page.caption,
        rulings=page.rulings,
        marks=page.marks,
        looks=page.looks,
        ledger=page.ledger,
    )


def _bare(layer: str) -> str:
    """A layer without ids, which may not come twice in a document."""
    return _IDS.sub("", layer)


def _motion(prefix: str, whole: float, number: int) -> str:
    """The style sheet that shows one page after the other; what does not know motion shows the last."""
    leaf, share = f".{prefix}leaf", 100 / number
    return (
        f"{leaf}{{visibility:hidden;animation:{prefix}turn {whole:g}s step-end infinite}}"
        f"{leaf}:last-child{{visibility:visible}}"
        f".{prefix}book:hover {leaf}{{animation-play-state:paused}}"
        f"@keyframes {prefix}turn{{0%{{visibility:visible}}{share:.6g}%{{visibility:hidden}}100%{{visibility:hidden}}}}"
        f"@media (prefers-reduced-motion:reduce){{{leaf}{{animation:none}}}}"
    )
