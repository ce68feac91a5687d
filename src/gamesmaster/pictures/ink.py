"""The ink of a map, in two parts: lines (lakes and rivers, borders, links), and what is read (centres, codes, names).

The lines are printed over the colours of the provinces.  What is read lies above everything, orders included, each with
a halo that cuts whatever runs beneath it: so no arrow ever crosses a letter.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, radians, sin

from gamesmaster.board import Board
from gamesmaster.pictures.base import WET
from gamesmaster.pictures.centres import home_discs
from gamesmaster.pictures.heraldry import Heraldry
from gamesmaster.pictures.links import Links
from gamesmaster.pictures.pen import line_path, number, rings_path, text
from gamesmaster.pictures.shapes import NOWHERE, Disc, Label, Layout, Shapes
from gamesmaster.pictures.style import Sizes, Style


class Ink:
    """Everything that is drawn in lines and letters on a board, for one layout."""

    def __init__(
        self, board: Board, shapes: Shapes, layout: Layout, heraldry: Heraldry, style: Style, sizes: Sizes
    ) -> None:
        self.board, self.shapes, self.layout, self.heraldry = board, shapes, layout, heraldry
        self.style, self.sizes = style, sizes

    def lines(self) -> str:
        """What lies beneath units and orders."""
        return "".join((self.waters(), self.borders(), self._links.drawn(), self._leaders()))

    def words(self) -> str:
        """What lies above them."""
        return "".join((self.centres(), self._links.codes(), self.names()))

    # -- lines -------------------------------------------------------------------------------------------------------

    def waters(self) -> str:
        """Lakes and rivers that are out of play."""
        style, backdrop = self.style, self.shapes.backdrop
        shore = f'stroke="{style.coast}" stroke-width="{number(self.sizes.fine * 0.8)}"'
        lakes = f'<path d="{rings_path(self.shapes, backdrop.lakes)}" fill="{style.lake}" fill-rule="evenodd" {shore}/>'
        courses = "".join(line_path(self.shapes.arcs[n if n >= 0 else ~n]) for n in backdrop.rivers)
        river = f'fill="none" stroke="{style.river}" stroke-width="{number(self.sizes.fine)}" stroke-linecap="round"'
        return (lakes if backdrop.lakes else "") + (f'<path d="{courses}" {river}/>' if courses else "")

    def borders(self) -> str:
        """Borders between lands, and between waters; the coast is drawn with the ground."""
        kinds: dict[str, list[str]] = {"land": [], "sea": []}
        for arc, sides in sorted(self._sides().items()):
            kind = self._kind(sides)
            if kind:
                kinds[kind].append(line_path(self.shapes.arcs[arc]))
        style, sizes = self.style, self.sizes
        dashes = f'stroke-dasharray="{number(sizes.fine * 4)} {number(sizes.fine * 3)}"'
        pens = {
            "sea": f'stroke="{style.sea_border}" stroke-width="{number(sizes.fine)}" {dashes}',
            "land": f'stroke="{style.border}" stroke-width="{number(sizes.border)}"',
        }
        return "".join(
            f'<path d="{"".join(kinds[kind])}" fill="none" stroke-linejoin="round" stroke-linecap="round" {pen}/>'
            for kind, pen in pens.items()
            if kinds[kind]
        )

    def _sides(self) -> dict[int, list[str]]:
        """Arc to the provinces it bounds."""
        found: dict[int, list[str]] = {}
        for key, shape in self.shapes.provinces.items():
            for arc in (n if n >= 0 else ~n for ring in shape.rings for n in ring):
                found.setdefault(arc, []).append(key)
        return found

    def _kind(self, sides: list[str]) -> str:
        if len(sides) < 2:
            return ""
        wet = sum(map(self._wet, sides))
        return "sea" if wet == 2 else "" if wet else "land"

    @property
    def _links(self) -> Links:
        return Links(self.board, self.shapes, self.style, self.sizes)

    # -- centres -----------------------------------------------------------------------------------------------------

    def centres(self) -> str:
        """The marks of the supply centres."""
        marks, homes = [], home_discs(self.board, self.shapes, self.layout)
        for province in self.board.provinces:
            disc = homes.get(province.id) or self.layout.places.get(province.id, NOWHERE).centre
            if disc:
                marks.append(centre_mark(disc, province.home, self.heraldry, self.style))
        return "".join(marks)

    # -- names -------------------------------------------------------------------------------------------------------

    def names(self) -> str:
        """Every label, sea names in italics, with a halo to keep it clear of lines and patterns."""
        groups: dict[tuple[bool, bool], list[str]] = {}
        for key, place in self.layout.items():
            wet = self._wet(key)
            for label in place.labels:
                groups.setdefault((wet, label.role == "code"), []).append(_label(label))
        return "".join(self._names(*face, labels) for face, labels in sorted(groups.items()))

    def _leaders(self) -> str:
        """Lines from the labels that stand outside to their provinces."""
        return "".join(
            self._leader(label, self._wet(key))
            for key, place in self.layout.items()
            for label in place.labels
            if label.leader
        )

    def _wet(self, key: str) -> bool:
        """Is this drawn as water?"""
        if key in self.board.index:
            return self.board.province(key).terrain in WET
        return self.shapes.provinces[key].out == "sea"

    def _names(self, wet: bool, code: bool, labels: Iterable[str]) -> str:
        style = self.style
        colour, halo = (style.sea_label, style.sea_halo) if wet else (style.label, style.halo)
        face = ' font-weight="bold"' if code else ' font-style="italic"' if wet else ""
        clear, wide = (1, 1.4) if style.plain else (0.85, 1)
        edge = f'stroke="{halo}" stroke-width="{number(self.sizes.halo * wide)}" stroke-opacity="{clear}"'
        return (
            f'<g fill="{colour}" {edge}'
            f' stroke-linejoin="round" paint-order="stroke" text-anchor="middle"{face}>{"".join(labels)}</g>'
        )

    def _leader(self, label: Label, wet: bool) -> str:
        """A line from the near edge of a label that stands outside to a dot in its province."""
        start, point = near_edge(label), label.leader or label.at
        colour = self.style.sea_label if wet else self.style.label
        thin = self.sizes.fine
        halo = f'stroke="{self.style.halo}" stroke-opacity="{1 if self.style.plain else 0.8}"'
        path = f"M{number(start[0])} {number(start[1])}L{point[0]} {point[1]}"
        return (
            f'<path d="{path}" {halo} stroke-width="{number(thin * 2.6)}"/>'
            f'<path d="{path}" stroke="{colour}" stroke-width="{number(thin * 0.8)}"/>'
            f'<circle cx="{point[0]}" cy="{point[1]}" r="{number(thin * 1.7)}" fill="{colour}"/>'
        )


def _label(label: Label) -> str:
    x, y = label.at
    turn = f' transform="rotate({label.turn} {x} {y})"' if label.turn else ""
    return text(label.text, x, y, label.size, width=label.width, more=turn)


def near_edge(label: Label) -> tuple[float, float]:
    """The point on the edge of a label's box that is nearest to the point it leads to."""
    (x, y), (px, py) = label.at, label.leader or label.at
    angle = radians(label.turn)
    dx, dy = px - x, py - y
    along, across = dx * cos(angle) + dy * sin(angle), dy * cos(angle) - dx * sin(angle)
    along = max(-label.width / 2 - 4, min(label.width / 2 + 4, along))
    across = max(-label.height / 2, min(label.height / 2, across))
    return x + along * cos(angle) - across * sin(angle), y + along * sin(angle) + across * cos(angle)


def centre_mark(disc: Disc, home: str | None, heraldry: Heraldry, style: Style) -> str:
    """A supply centre: a dot in a ring; a home centre is a disc in its power's colour with the power's letter."""
    x, y, r = disc
    bearer = heraldry[home or ""]
    if not home or bearer.number < 0:
        return (
            f'<circle cx="{x}" cy="{y}" r="{r - 1.5:g}" fill="{style.halo}" stroke="{style.centre}" stroke-width="3"/>'
            f'<circle cx="{x}" cy="{y}" r="{r * 0.42:.1f}" fill="{style.centre}"/>'
        )
    paint = bearer.paint
    size = r * (1.5, 1.15, 0.85)[len(bearer.letters) - 1]
    letter = text(bearer.letters, x, y, size, bold=True, anchor="middle", fill=paint.letter)
    return (
        f'<circle cx="{x}" cy="{y}" r="{r - 0.75:g}" fill="{paint.plate}"'
        f' stroke="{style.centre}" stroke-width="1.5"/>{letter}'
    )
