"""What the key of a map explains: only what the board has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gamesmaster.pictures.base import Base
from gamesmaster.pictures.ink import centre_mark
from gamesmaster.pictures.legend import Entry, Strip
from gamesmaster.pictures.links import Links
from gamesmaster.pictures.orders_key import KeyRow
from gamesmaster.pictures.pen import number
from gamesmaster.pictures.shapes import Disc, Link
from gamesmaster.pictures.symbols import Sign

LINKS = {
    "land": "way by land",
    "arrow": "passage for fleets",
    "offboard": "passage off the map, to the province named",
    "canal": "canal",
}


def map_key(base: Base, strip: Strip, signs: Iterable[Sign]) -> Iterator[Entry]:
    """Units, supply centres, home provinces, what is out of play, links."""
    for sign in signs:
        yield strip.sign_entry(sign)
    yield from _centres(base, strip)
    yield from _grounds(base, strip)
    yield from _links(base, strip)


def _centres(base: Base, strip: Strip) -> Iterator[Entry]:
    board, size = base.board, strip.sizes.text
    disc = Disc(0, 0, round(size * 0.5))
    centres = [p for p in board.provinces if p.centre]
    known = base.heraldry.order
    if any(p.home not in known for p in centres):
        yield Entry("supply centre", centre_mark(disc, None, base.heraldry, base.style), size)
    homes = [p.home for p in centres if p.home in known]
    if homes:
        first = min(homes, key=lambda home: known[home or ""])
        mark = centre_mark(disc, first, base.heraldry, base.style)
        yield Entry("home centre, with its power's letter", mark, size)


def _grounds(base: Base, strip: Strip) -> Iterator[Entry]:
    size, style = strip.sizes.text, strip.style
    box = f'x="{number(-size * 0.8)}" y="{number(-size * 0.5)}" width="{number(size * 1.6)}" height="{number(size)}"'
    line = f'stroke="{style.ink}" stroke-width="{number(size / 14)}"'
    homes = base.homes
    if homes:
        edge = base.edge(min(homes, key=base.heraldry.order.__getitem__))
        inner = (
            f'x="{number(-size * 0.5)}" y="{number(-size * 0.2)}" width="{number(size)}" height="{number(size * 0.4)}"'
        )
        sample = f'<rect {box} fill="{edge}" {line}/><rect {inner} fill="{style.land}"/>'
        yield Entry("home province, not owned", sample, size * 1.6)
    if base.hatched:
        hatched = f'<rect {box} fill="{style.closed}"/><rect {box} fill="url(#{base.prefix}closed)" {line}/>'
        yield Entry("out of play", hatched, size * 1.6)


def _links(base: Base, strip: Strip) -> Iterator[Entry]:
    drawn = {link.kind for link in base.shapes.links if link.path}
    half = round(strip.sizes.text * 1.3)
    pen = Links(base.board, base.shapes, base.style, base.sizes)
    fleets = "fleet" in base.board.ways.values()
    for kind, words in LINKS.items():
        if kind in drawn:
            words = words if fleets or kind != "arrow" else "passage by water"
            shown = "arrow" if kind == "offboard" else kind
            sample = Link("", "", (), "+", shown, (-half, 0, 2 * half, 0))
            yield Entry(words, pen.link(sample), 2.2 * half)


def order_entries(rows: Sequence[KeyRow], size: float) -> list[Entry]:
    """The rows of the orders' key, their samples made to fit lines of this size."""
    return [
        Entry(
            row.label, f'<g transform="scale({size / row.height:.3g})">{row.sample}</g>', row.width * size / row.height
        )
        for row in rows
    ]


def unit_signs(signs: Iterable[Sign]) -> list[Sign]:
    """Signs without repetition, in the order of the list of signs."""
    wanted = set(signs)
    return [sign for sign in Sign if sign in wanted]
