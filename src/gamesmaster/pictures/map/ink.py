"""The ink of a map, in two parts: lines (lakes and rivers, borders, links), and what is read (centres, codes, names).

The lines are printed over the colours of the provinces.  What is read lies above everything, orders included, each with
a halo that cuts whatever runs beneath it: so no arrow ever crosses a letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, pi, radians, sin

from gamesmaster.board import Board
from gamesmaster.pictures.curves import away
from gamesmaster.pictures.map.ground import WET
from gamesmaster.pictures.powers import Heraldry
from gamesmaster.pictures.shapes.values import NOWHERE, Arc, Disc, Label, Layout, Link, Point, Shapes
from gamesmaster.pictures.style import Sizes, Style
from gamesmaster.pictures.svg import arrow_head, ends, label_text, line_path, number, rings_path, text


class Ink:
    """Everything that is drawn in lines and letters on a board, for one layout."""

    def __init__(
        self, board: Board, shapes: Shapes, layout: Layout, heraldry: Heraldry, style: Style, sizes: Sizes
    ) -> None:
        self.board, self.shapes, self.layout, self.heraldry = board, shapes, layout, heraldry
        self.style, self.sizes = style, sizes

    def lines(self) -> str:
        """Return the drawing beneath units and orders."""
        return "".join((self.waters(), self.borders(), self._links.draw(), self._leaders()))

    def words(self, prefix: str = "") -> str:
        """Return the drawing above units and orders; `prefix` goes before the ids."""
        return "".join((self.centres(), self._links.codes(), self.names(prefix)))

    # -- lines -------------------------------------------------------------------------------------------------------

    def waters(self) -> str:
        """Return lakes and rivers that are out of play."""
        style, backdrop = self.style, self.shapes.backdrop
        shore = f'stroke="{style.coast}" stroke-width="{number(self.sizes.fine * 0.8)}"'
        lakes = f'<path d="{rings_path(self.shapes, backdrop.lakes)}" fill="{style.lake}" fill-rule="evenodd" {shore}/>'
        courses = "".join(line_path(self.shapes.arcs[n if n >= 0 else ~n]) for n in backdrop.rivers)
        river = f'fill="none" stroke="{style.river}" stroke-width="{number(self.sizes.fine)}" stroke-linecap="round"'
        return (lakes if backdrop.lakes else "") + (f'<path d="{courses}" {river}/>' if courses else "")

    def borders(self) -> str:
        """Return the borders between lands and between waters; the coast is drawn with the ground."""
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
        """Map each arc to the provinces that it bounds."""
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
        """Return the marks of the supply centres."""
        return self.homes({province.id: province.home or "" for province in self.board.provinces})

    def homes(self, homes: Mapping[str, str]) -> str:
        """Return the marks of the supply centres among these provinces, as homes of these powers."""
        if not homes:
            return ""
        marks, before = [], {province.id: province.home for province in self.board.provinces}
        discs = home_discs(self.shapes, self.layout, [place for place, home in homes.items() if home or before[place]])
        for place, home in homes.items():
            disc = discs.get(place) or self.layout.places.get(place, NOWHERE).centre
            if disc:
                marks.append(centre_mark(disc, home, self.heraldry, self.style))
        return "".join(marks)

    # -- names -------------------------------------------------------------------------------------------------------

    def names(self, prefix: str = "") -> str:
        """Return every label, sea names in italics, with a halo to keep it clear of lines and patterns."""
        groups: dict[tuple[bool, bool], list[str]] = {}
        for key, place in self.layout.items():
            wet = self._wet(key)
            for label in place.labels:
                groups.setdefault((wet, label.role == "code"), []).append(label_text(label))
        return "".join(
            self._names(labels, f"{prefix}names-{at}", wet=wet, code=code)
            for at, ((wet, code), labels) in enumerate(sorted(groups.items()))
        )

    def _leaders(self) -> str:
        """Return lines from the labels outside their provinces to these."""
        return "".join(
            self._leader(label, wet=self._wet(key))
            for key, place in self.layout.items()
            for label in place.labels
            if label.leader
        )

    def _wet(self, key: str) -> bool:
        """Return whether this is drawn as water."""
        if key in self.board.index:
            return self.board.province(key).terrain in WET
        return self.shapes.provinces[key].out == "sea"

    def _names(self, labels: Iterable[str], ident: str, *, wet: bool, code: bool) -> str:
        """Return the labels with their halos, and the letters again above all of these.

        Firefox sets a text of a given length letter by letter, and each halo would cover the letter before.
        """
        style = self.style
        colour, halo = (style.sea_label, style.sea_halo) if wet else (style.label, style.halo)
        face = ' font-weight="bold"' if code else ' font-style="italic"' if wet else ""
        clear, wide = (1, 1.4) if style.plain else (0.85, 1)
        edge = f'stroke="{halo}" stroke-width="{number(self.sizes.halo * wide)}" stroke-opacity="{clear}"'
        return (
            f'<g fill="{colour}" text-anchor="middle"{face}><g {edge} stroke-linejoin="round" paint-order="stroke">'
            f'<g id="{ident}">{"".join(labels)}</g></g><use href="#{ident}" class="letters"/></g>'
        )

    def _leader(self, label: Label, *, wet: bool) -> str:
        """Return a line from the near edge of a label outside its province to a dot in the province."""
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


def near_edge(label: Label) -> tuple[float, float]:
    """Return the point on the edge of a label's box that is nearest to the point it leads to."""
    (x, y), (px, py) = label.at, label.leader or label.at
    angle = radians(label.turn)
    dx, dy = px - x, py - y
    along, across = dx * cos(angle) + dy * sin(angle), dy * cos(angle) - dx * sin(angle)
    along = max(-label.width / 2 - 4, min(label.width / 2 + 4, along))
    across = max(-label.height / 2, min(label.height / 2, across))
    return x + along * cos(angle) - across * sin(angle), y + along * sin(angle) + across * cos(angle)


def centre_mark(disc: Disc, home: str | None, heraldry: Heraldry, style: Style) -> str:
    """Return a supply centre: a dot in a ring, or for a home a disc in its power's colour with its letter."""
    x, y, r = disc
    bearer = heraldry[home or ""]
    if not home or bearer.number < 0:
        return (
            f'<circle cx="{x}" cy="{y}" r="{r - 1.5:g}" fill="{style.halo}" stroke="{style.centre}" stroke-width="3"/>'
            f'<circle cx="{x}" cy="{y}" r="{r * 0.42:.1f}" fill="{style.centre}"/>'
        )
    paint = bearer.paint
    size = r * (1.5, 1.15, 0.85)[len(bearer.letters) - 1]
    letter = text(bearer.letters, (x, y), size, bold=True, anchor="middle", fill=paint.letter)
    return (
        f'<circle cx="{x}" cy="{y}" r="{r - 0.75:g}" fill="{paint.plate}"'
        f' stroke="{style.centre}" stroke-width="1.5"/>{letter}'
    )


@dataclass(frozen=True, slots=True)
class Links:
    """Draws the links of a board."""

    board: Board
    shapes: Shapes
    style: Style
    sizes: Sizes

    def draw(self) -> str:
        """Return the links that have a path, without the codes at the frame."""
        return "".join(self.link(link) for link in self.shapes.links if link.path)

    def codes(self) -> str:
        """Return the codes at the frame of the provinces on the other side."""
        links = [link for link in self.shapes.links if link.kind == "offboard"]
        stubs = [stub for link in links for stub in ((link.path, link.b), (link.path2, link.a)) if stub[0]]
        names = "".join(self._code(arc, partner) for arc, partner in stubs)
        return (
            f'<g font-weight="bold" fill="{self.style.link}" stroke="{self.style.sea_halo}" paint-order="stroke"'
            f' stroke-width="{number(self.sizes.halo)}">{names}</g>'
            if names
            else ""
        )

    def link(self, link: Link) -> str:
        """Return a link of any kind: dashes between dots, an arrow with heads, stubs at the frame, or a double line."""
        if link.kind == "land":
            return self._land(link)
        if link.kind == "canal":
            return self._canal(link)
        if link.kind == "offboard":
            return self._offboard(link)
        return self._arrow(link)

    @property
    def _wide(self) -> float:
        return self.sizes.border * 1.6

    def _line(self, path: str, dashes: str = "") -> str:
        """Return a line with a halo that keeps it clear of the borders beneath."""
        wide = self._wide
        clear = 1 if self.style.plain else 0.8
        halo = f'stroke="{self.style.sea_halo}" stroke-opacity="{clear}" stroke-width="{number(wide * 3)}"'
        pen = f'stroke="{self.style.link}" stroke-width="{number(wide)}"{dashes}'
        return (
            f'<g fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="{path}" {halo}/>'
            f'<path d="{path}" {pen}/></g>'
        )

    def _land(self, link: Link) -> str:
        wide = self._wide
        dashes = f' stroke-dasharray="{number(wide * 2.6)} {number(wide * 2.4)}"'
        (start, _), (end, _) = ends(link.path)
        dot = f'r="{number(wide * 1.8)}" fill="{self.style.link}"'
        dots = "".join(f'<circle cx="{x}" cy="{y}" {dot}/>' for x, y in (start, end))
        return self._line(line_path(link.path), dashes) + dots

    def _canal(self, link: Link) -> str:
        path, wide = line_path(link.path), self._wide
        return (
            f'<path d="{path}" fill="none" stroke="{self.style.link}" stroke-width="{number(wide * 2.4)}"/>'
            f'<path d="{path}" fill="none" stroke="{self.style.sea}" stroke-width="{number(wide)}"/>'
        )

    # -- passages ----------------------------------------------------------------------------------------------------

    def _arrow(self, link: Link) -> str:
        (start, after), (end, before) = ends(link.path)
        there, back = self._open(link)
        head = self.sizes.head * 0.8
        heads = (arrow_head(start, after, head) if back else "") + (arrow_head(end, before, head) if there else "")
        return self._line(line_path(link.path)) + f'<path d="{heads}" fill="{self.style.link}"/>'

    def _open(self, link: Link) -> tuple[bool, bool]:
        """Return whether the link leads from its first province to the other, and whether it leads back.

        A link that no unit can use is shown both ways.
        """
        pair = {link.a, link.b}
        known = {(e.a.province, e.b.province) for e in self.board.edges if {e.a.province, e.b.province} == pair}
        return not known or (link.a, link.b) in known, not known or (link.b, link.a) in known

    def _offboard(self, link: Link) -> str:
        """Return stubs at the frame, each with an arrowhead."""
        stubs = zip((link.path, link.path2), self._open(link), strict=True)
        arcs = [(arc, out) for arc, out in stubs if arc]
        heads = "".join(self._head(arc, out=out) for arc, out in arcs)
        return self._line("".join(line_path(arc) for arc, _ in arcs)) + f'<path d="{heads}" fill="{self.style.link}"/>'

    def _head(self, arc: Arc, *, out: bool) -> str:
        """Return the head of a stub: where one leaves, at the frame; where one can only come in, at the end within."""
        tip, back = self._outwards(arc)
        head = self.sizes.head * 0.8
        return arrow_head(self._inside(tip, back), back, head) if out else arrow_head(back, tip, head)

    def _code(self, arc: Arc, partner: str) -> str:
        """Return the code of the province that a stub leads to, beyond the stub's end away from the frame."""
        (tip, back), size = self._outwards(arc), self.sizes.text * 0.7
        known = self.board.index.get(partner)
        code = partner if known is None else self.board.provinces[known].abbr
        far = hypot(tip[0] - back[0], tip[1] - back[1]) or 1
        x, y = (b - (t - b) / far * size for t, b in zip(tip, back, strict=True))
        return text(code, (x, y), size, anchor="middle")

    def _outwards(self, arc: Arc) -> tuple[Point, Point]:
        """Return the end of a stub at the frame, and its other end."""
        width, height = self.shapes.size
        return min(ends(arc), key=lambda end: min(*end[0], width - end[0][0], height - end[0][1]))

    def _inside(self, tip: Point, back: Point) -> tuple[float, float]:
        """Return where a line towards `tip` meets the frame, or `tip` itself if that is inside."""
        share = 1.0
        for t, b, most in zip(tip, back, self.shapes.size, strict=True):
            if not 0 <= t <= most and 0 <= b <= most:
                share = min(share, ((0 if t < 0 else most) - b) / (t - b))
        return back[0] + (tip[0] - back[0]) * share, back[1] + (tip[1] - back[1]) * share


_CLEAR = 2.5  # page units between a mark and letters or units
_OVER = 8  # page units that a mark may lie over a border
_MOST = 1.8  # times as large as it is planned at most

_SHIFTS = [(0, 0), *((round(d * cos(k * pi / 4)), round(d * sin(k * pi / 4))) for d in (5, 10, 15) for k in range(8))]
"""The shifts that a mark may be moved by."""
_FARTHEST = 15

_Box = tuple[float, float, float, float, float]
"""A rectangle: its middle, half its width and height, its turn in degrees."""


def home_discs(shapes: Shapes, layout: Layout, homes: Iterable[str]) -> dict[str, Disc]:
    """Return each home centre's mark, grown into the free room about it, and moved a little if that gives it more."""
    boxes = list(_boxes(layout))
    return {
        home: _grown(disc, boxes, shapes.outline(home))
        for home in homes
        if home in shapes.provinces and home in layout.places
        if (disc := layout.places[home].centre)
    }


def _grown(disc: Disc, boxes: Sequence[_Box], outline: Sequence[Sequence[Point]]) -> Disc:
    most = disc.r * _MOST
    reach = most + _CLEAR + _FARTHEST  # anything farther away leaves enough room
    near = [
        box
        for box in boxes
        if max(abs(box[0] - disc.x), abs(box[1] - disc.y)) < box[2] + box[3] + reach and box[:2] != disc[:2]
    ]
    border = _border_near(disc, outline, reach)
    inside = _from_border(disc, border, reach)
    spots = [Disc(disc.x + dx, disc.y + dy, disc.r) for dx, dy in _SHIFTS if hypot(dx, dy) < inside]
    rooms = {spot: min((_apart(spot, box) for box in near), default=reach) - _CLEAR for spot in spots}
    best = disc
    for spot, room in sorted(rooms.items(), key=lambda item: -min(item[1], most)):  # the nearest first, if alike
        if room <= best.r:
            break
        radius = int(min(room, most, _OVER + _from_border(spot, border, reach)))
        if radius > best.r:
            best = Disc(spot.x, spot.y, radius)
    return best


def _boxes(layout: Layout) -> Iterator[_Box]:
    """Yield the boxes of a layout: places for units and marks, lines of text, and centres at their largest."""
    for place in layout.places.values():
        if place.centre:
            x, y, r = place.centre
            yield x, y, r * _MOST, r * _MOST, 0.0
        for spot in (*place.extras, *(spot for spots in place.spots.values() for spot in spots)):
            yield spot.x, spot.y, spot.room / 2, spot.room / 2, 0.0
        for label in place.labels:
            yield *label.at, label.width / 2, label.height / 2, label.turn


def _apart(disc: Disc, box: _Box) -> float:
    """Return the distance of a mark's middle from a box."""
    x, y, half, high, turn = box
    dx, dy, c, s = disc.x - x, disc.y - y, cos(radians(turn)), sin(radians(turn))
    return hypot(max(abs(dx * c + dy * s) - half, 0.0), max(abs(dy * c - dx * s) - high, 0.0))


def _border_near(disc: Disc, outline: Sequence[Sequence[Point]], reach: float) -> list[tuple[Point, Point]]:
    """Return the edges of an outline within this distance of a mark, and perhaps some more."""
    west, east, north, south = disc.x - reach, disc.x + reach, disc.y - reach, disc.y + reach
    return [
        (a, b)
        for ring in outline
        for a, b in pairwise([*ring, ring[0]])
        if (a[0] > west or b[0] > west)
        and (a[0] < east or b[0] < east)
        and (a[1] > north or b[1] > north)
        and (a[1] < south or b[1] < south)
    ]


def _from_border(disc: Disc, border: Sequence[tuple[Point, Point]], reach: float) -> float:
    """Return the distance of a mark's middle from the nearest edges; `reach` without any."""
    return min((away((disc.x, disc.y), a, b) for a, b in border), default=reach)
