"""The strip below a map: title, powers with their counts, the key to its signs and lines, the scale.

It stands under the frame and so never covers the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import floor, log10
from textwrap import wrap

from gamesmaster.pictures.map.ground import Base, paint_id
from gamesmaster.pictures.map.ink import Links, centre_mark
from gamesmaster.pictures.map.pieces import unit_letter
from gamesmaster.pictures.orders.overlay import KeyRow
from gamesmaster.pictures.powers import Bearer
from gamesmaster.pictures.shapes.values import Disc, Link
from gamesmaster.pictures.signs import BOX, Sign, sign_id
from gamesmaster.pictures.style import Sizes, Style
from gamesmaster.pictures.svg import fit, number, text, text_width

_LONGEST = "00 centres, 00 units"
MILE = 1.609344  # kilometres


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """A line of the key: a sample drawn about (0, 0) in a box `wide` by one line of text, and what it means."""

    words: str
    sample: str
    wide: float


@dataclass(frozen=True, slots=True)
class Strip:
    """Lays out the strip for a map `width` units wide; heights are measured from its top."""

    width: float
    style: Style
    sizes: Sizes
    prefix: str = ""

    @property
    def title_height(self) -> float:
        """The room of title, subtitle, scale and credit."""
        return max(self.sizes.title * 2.1, self.sizes.title * 0.55 + self.sizes.text * 2.5)

    def title(self, title: str, subtitle: str) -> str:
        """Return the name of the game, and the phase beneath it."""
        room, size = self.width * 0.62, self.sizes.title
        words, big = fit(title, size, room, bold=True)
        below, small = fit(subtitle, size * 0.62, room)
        return text(words, (0, size * 0.55), big, bold=True, fill=self.style.ink) + (
            text(below, (0, size * 1.45), small, fill=self.style.faint) if subtitle else ""
        )

    # -- scale -------------------------------------------------------------------------------------------------------

    def scale(self, km: float, credit: str) -> str:
        """Return a bar of kilometres and one of miles at the right, and the credit for the coasts."""
        style, sizes = self.style, self.sizes
        size = sizes.text * 0.72
        room = self.width * (0.17 if sizes.text < 60 else 0.3)
        x, y, bar = self.width - room - size * 2.2, sizes.title * 0.55, size * 0.34
        drawn = []
        for unit, words, down in ((1.0, "km", y), (MILE, "miles", y + bar)):
            length = round_down(room * km / unit)
            wide = length * unit / km
            edge = f'stroke="{style.ink}" stroke-width="{number(size * 0.07)}"'
            drawn += [
                f'<rect x="{number(x + wide * part / 4)}" y="{number(down)}" width="{number(wide / 4)}"'
                f' height="{number(bar)}" fill="{style.ink if (part + (unit > 1)) % 2 else style.page}" {edge}/>'
                for part in range(4)
            ]
            beside = down - size * 0.62 if unit == 1 else down + bar + size * 0.66
            drawn.append(text("0", (x, beside), size, anchor="middle", fill=style.ink))
            drawn.append(text(f"{length:,g} {words}", (x + wide, beside), size, anchor="middle", fill=style.ink))
        if credit:
            words, small = fit(credit, size, self.width * 0.36)
            below = max(sizes.title * 1.62, y + 2 * bar + size * 1.8)
            drawn.append(text(words, (self.width, below), small, anchor="end", fill=style.faint))
        return "".join(drawn)

    # -- powers ------------------------------------------------------------------------------------------------------

    def powers(self, bearers: Sequence[Bearer], top: float) -> tuple[str, float]:
        """Return the powers in columns, each with its paint and letters, and the height that they take."""
        drawn = [self._power(bearer, *cell) for bearer, cell in zip(bearers, self._cells(bearers, top), strict=True)]
        rows = -(-len(bearers) // self._columns(bearers)) if bearers else 0
        return "".join(drawn), rows * self.sizes.text * 2.5

    def counts(self, bearers: Sequence[Bearer], counts: Sequence[str], top: float) -> str:
        """Return the numbers of each power's units and centres, in words, beneath its name."""
        size, drawn = self.sizes.text, []
        for words, (x, y, room) in zip(counts, self._cells(bearers, top), strict=True):
            shown, small = fit(words, size * 0.74, room)
            drawn.append(text(shown, (x + self._swatch, y + size * 1.35), small))
        return f'<g fill="{self.style.faint}">{"".join(drawn)}</g>'

    @property
    def _swatch(self) -> float:
        """The room of a power's paint."""
        return self.sizes.text * 2.5

    def _cells(self, bearers: Sequence[Bearer], top: float) -> list[tuple[float, float, float]]:
        """Return, for each power, left and top of its cell and the room for its name."""
        columns, size = self._columns(bearers), self.sizes.text
        step = self.width / columns
        room = step - self._swatch - size
        return [(n % columns * step, top + n // columns * size * 2.5, room) for n in range(len(bearers))]

    def _power(self, bearer: Bearer, x: float, y: float, room: float) -> str:
        style, size, paint = self.style, self.sizes.text, bearer.paint
        name, big = fit(bearer.name, size, room, bold=True)
        wide, high = self._swatch - size * 0.4, size * 1.7
        box = f'x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" rx="{number(size / 6)}"'
        return (
            f'<rect {box} fill="{paint.tint}"/><rect {box} fill="url(#{paint_id(bearer.number, self.prefix)})"'
            f' stroke="{style.ink}" stroke-width="{number(size / 14)}"/>'
            f'<g transform="translate({number(x + wide / 2)} {number(y + high / 2)})scale({size * 1.5 / BOX:.3g})"'
            f' fill="{paint.plate}" font-weight="bold" text-anchor="middle">'
            f'<circle r="44" stroke="{paint.rim}" stroke-width="6"/>{unit_letter(Sign.ARMY, bearer)}</g>'
            + text(name, (x + self._swatch, y + size * 0.45), big, bold=True, fill=style.ink)
        )

    def _columns(self, bearers: Sequence[Bearer]) -> int:
        """Return the number of columns of powers: as many as fit, with rows as equal as possible."""
        size, most = self.sizes.text, max(1, len(bearers))
        names = (text_width(bearer.name, size, bold=True) for bearer in bearers)
        wanted = max([text_width(_LONGEST, size * 0.74), *names]) + self._swatch + size * 1.2
        rows = -(-most // max(1, min(most, floor(self.width / wanted))))
        return -(-most // rows)

    # -- key ---------------------------------------------------------------------------------------------------------

    def key(self, entries: Sequence[KeyEntry], top: float) -> tuple[str, float]:
        """Return samples and their meaning in running lines, and the height that they take."""
        size, line = self.sizes.text * 0.8, self.sizes.text * 1.5
        drawn, x, y = [], 0.0, top
        for entry in entries:
            words, small = fit(entry.words, size, self.width - entry.wide - size)
            wide = entry.wide + size * 0.4 + text_width(words, small)
            if x and x + wide > self.width:
                x, y = 0.0, y + line
            middle = y + line / 2
            drawn.append(f'<g transform="translate({number(x + entry.wide / 2)} {number(middle)})">{entry.sample}</g>')
            drawn.append(text(words, (x + entry.wide + size * 0.4, middle), small, fill=self.style.ink))
            x += wide + size * 1.4
        return "".join(drawn), y + line - top if entries else 0.0

    def notes(self, sections: Mapping[str, Sequence[str]], top: float) -> tuple[str, float]:
        """Return wrapped lines of text under their headings, and the height that they take."""
        size, line = self.sizes.text * 0.8, self.sizes.text * 1.2
        letters = int(self.width / text_width("e", size))
        drawn, y = [], top
        for heading, lines in sections.items():
            y += line * 1.5
            drawn.append(text(heading, (0, y - line / 2), size, bold=True, fill=self.style.ink))
            for row in chain.from_iterable(wrap(words, letters) for words in lines):
                y += line
                shown, small = fit(row, size, self.width)
                drawn.append(text(shown, (0, y - line / 2), small, fill=self.style.ink))
        return "".join(drawn), y - top

    def sign_entry(self, sign: Sign) -> KeyEntry:
        """Return the key to a sign."""
        size = self.sizes.text * 1.3
        fill = self.style.page if not self.style.plain else self.style.neutral.plate
        use = f'<use href="#{sign_id(sign, self.prefix)}"/>'
        return KeyEntry(sign.words, f'<g transform="scale({size / (BOX + 6):.3g})" fill="{fill}">{use}</g>', size)


def round_down(value: float) -> float:
    """Return the largest round number (1, 2 or 5 with noughts) that is not above the value, which is positive.

    >>> round_down(730), round_down(49), round_down(0.3)
    (500.0, 20.0, 0.2)
    """
    ten = 10.0 ** floor(log10(value))
    return next((step * ten for step in (5, 2, 1) if step * ten <= value), ten / 2)


LINKS = {
    "land": "way by land",
    "arrow": "passage for fleets",
    "offboard": "passage off the map, to the province named",
    "canal": "canal",
}


def map_key(base: Base, strip: Strip, signs: Iterable[Sign]) -> Iterator[KeyEntry]:
    """Yield the key's entries: units, supply centres, home provinces, what is out of play, links."""
    for sign in signs:
        yield strip.sign_entry(sign)
    yield from _centres(base, strip)
    yield from _grounds(base, strip)
    yield from _links(base, strip)


def _centres(base: Base, strip: Strip) -> Iterator[KeyEntry]:
    board, size = base.board, strip.sizes.text
    disc = Disc(0, 0, round(size * 0.5))
    centres = [p for p in board.provinces if p.centre]
    known = base.heraldry.order
    if any(p.home not in known for p in centres):
        yield KeyEntry("supply centre", centre_mark(disc, None, base.heraldry, base.style), size)
    homes = [p.home for p in centres if p.home in known]
    if homes:
        first = min(homes, key=lambda home: known[home or ""])
        mark = centre_mark(disc, first, base.heraldry, base.style)
        yield KeyEntry("home centre, with its power's letter", mark, size)


def _grounds(base: Base, strip: Strip) -> Iterator[KeyEntry]:
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
        yield KeyEntry("home province, not owned", sample, size * 1.6)
    if base.hatched:
        hatched = f'<rect {box} fill="{style.closed}"/><rect {box} fill="url(#{base.prefix}closed)" {line}/>'
        yield KeyEntry("out of play", hatched, size * 1.6)


def _links(base: Base, strip: Strip) -> Iterator[KeyEntry]:
    drawn = {link.kind for link in base.shapes.links if link.path}
    half = round(strip.sizes.text * 1.3)
    pen = Links(base.board, base.shapes, base.style, base.sizes)
    fleets = "fleet" in base.board.ways.values()
    for kind, words in LINKS.items():
        if kind in drawn:
            words = words if fleets or kind != "arrow" else "passage by water"
            shown = "arrow" if kind == "offboard" else kind
            sample = Link("", "", (), "+", shown, (-half, 0, 2 * half, 0))
            yield KeyEntry(words, pen.link(sample), 2.2 * half)


def order_entries(rows: Sequence[KeyRow], size: float) -> list[KeyEntry]:
    """Return the rows of the orders' key, their samples made to fit lines of this size."""
    return [
        KeyEntry(
            row.label, f'<g transform="scale({size / row.height:.3g})">{row.sample}</g>', row.width * size / row.height
        )
        for row in rows
    ]


def unit_signs(signs: Iterable[Sign]) -> list[Sign]:
    """Return the different signs in the order of the list of signs."""
    wanted = set(signs)
    return [sign for sign in Sign if sign in wanted]
