"""Links: borders that the shapes do not show, drawn as the old sheets do."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from gamesmaster.board import Board
from gamesmaster.pictures.pen import arrow_head, ends, line_path, number, text
from gamesmaster.pictures.shapes import Arc, Link, Point, Shapes
from gamesmaster.pictures.style import Sizes, Style


@dataclass(frozen=True, slots=True)
class Links:
    """Draws the links of a board."""

    board: Board
    shapes: Shapes
    style: Style
    sizes: Sizes

    def drawn(self) -> str:
        """All that have a path, without the codes at the frame."""
        return "".join(self.link(link) for link in self.shapes.links if link.path)

    def codes(self) -> str:
        """The codes at the frame of the provinces that lie on the other side."""
        links = [link for link in self.shapes.links if link.kind == "offboard"]
        names = "".join(self._code(*stub) for link in links for stub in _stubs(link))
        return (
            f'<g font-weight="bold" fill="{self.style.link}" stroke="{self.style.sea_halo}" paint-order="stroke"'
            f' stroke-width="{number(self.sizes.halo)}">{names}</g>'
            if names
            else ""
        )

    def link(self, link: Link) -> str:
        """One link, by its kind: dashes between dots, an arrow with heads, stubs at the frame, or a double line."""
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
        """A line with a halo that keeps it clear of the borders beneath."""
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
        """Does it lead from its first province to the other, and back?  One that no unit goes by is shown both ways."""
        pair = {link.a, link.b}
        known = {(e.a.province, e.b.province) for e in self.board.edges if {e.a.province, e.b.province} == pair}
        return not known or (link.a, link.b) in known, not known or (link.b, link.a) in known

    def _offboard(self, link: Link) -> str:
        """Stubs at the frame, each with the head of an arrow."""
        stubs = zip((link.path, link.path2), self._open(link), strict=True)
        arcs = [(arc, out) for arc, out in stubs if arc]
        heads = "".join(self._head(arc, out=out) for arc, out in arcs)
        return self._line("".join(line_path(arc) for arc, _ in arcs)) + f'<path d="{heads}" fill="{self.style.link}"/>'

    def _head(self, arc: Arc, *, out: bool) -> str:
        """The head of a stub: where one leaves, at the frame; where one can only come in, at the end within."""
        tip, back = self._outwards(arc)
        head = self.sizes.head * 0.8
        return arrow_head(self._inside(tip, back), back, head) if out else arrow_head(back, tip, head)

    def _code(self, arc: Arc, partner: str) -> str:
        """The code of the province that a stub leads to, beyond the stub's end away from the frame."""
        (tip, back), size = self._outwards(arc), self.sizes.text * 0.7
        known = self.board.index.get(partner)
        code = partner if known is None else self.board.provinces[known].abbr
        far = hypot(tip[0] - back[0], tip[1] - back[1]) or 1
        x, y = (b - (t - b) / far * size for t, b in zip(tip, back, strict=True))
        return text(code, x, y, size, anchor="middle")

    def _outwards(self, arc: Arc) -> tuple[Point, Point]:
        """The end of a stub at the frame, and its other end."""
        return min(ends(arc), key=lambda end: self._from_edge(end[0]))

    def _inside(self, tip: Point, back: Point) -> tuple[float, float]:
        """Where a line towards `tip` meets the frame, or `tip` itself if that is inside."""
        share = 1.0
        for t, b, most in zip(tip, back, self.shapes.size, strict=True):
            if not 0 <= t <= most and 0 <= b <= most:
                share = min(share, ((0 if t < 0 else most) - b) / (t - b))
        return back[0] + (tip[0] - back[0]) * share, back[1] + (tip[1] - back[1]) * share

    def _from_edge(self, point: Point) -> int:
        (x, y), (width, height) = point, self.shapes.size
        return min(x, y, width - x, height - y)


def _stubs(link: Link) -> list[tuple[Arc, str]]:
    """The lines of a link that leaves the frame, each with the province on the other side."""
    return [(arc, partner) for arc, partner in ((link.path, link.b), (link.path2, link.a)) if arc]
