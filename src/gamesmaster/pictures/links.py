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
        """All that have a path."""
        return "".join(self.link(link) for link in self.shapes.links if link.path)

    def link(self, link: Link) -> str:
        """One link, by its kind: dashes between dots, an arrow with two heads, stubs at the frame, or a double line."""
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

    def _arrow(self, link: Link) -> str:
        (start, after), (end, before) = ends(link.path)
        head = self.sizes.head * 0.8
        heads = arrow_head(start, after, head) + arrow_head(end, before, head)
        return self._line(line_path(link.path)) + f'<path d="{heads}" fill="{self.style.link}"/>'

    def _offboard(self, link: Link) -> str:
        """Stubs that end in an arrow's head at the frame, each with the code of the province on the other side."""
        stubs = [(arc, partner) for arc, partner in ((link.path, link.b), (link.path2, link.a)) if arc]
        return self._line("".join(line_path(arc) for arc, _ in stubs)) + "".join(self._stub(*stub) for stub in stubs)

    def _stub(self, arc: Arc, partner: str) -> str:
        tip, back = min(ends(arc), key=lambda end: self._from_edge(end[0]))
        head, size = self.sizes.head * 0.8, self.sizes.text * 0.7
        point = self._inside(tip, back)
        known = self.board.index.get(partner)
        code = partner if known is None else self.board.provinces[known].abbr
        far = hypot(tip[0] - back[0], tip[1] - back[1]) or 1
        x, y = (b - (t - b) / far * size for t, b in zip(tip, back, strict=True))  # beyond the end away from the frame
        name = text(code, x, y, size, anchor="middle")
        return (
            f'<path d="{arrow_head(point, back, head)}" fill="{self.style.link}"/>'
            f'<g font-weight="bold" fill="{self.style.link}" stroke="{self.style.sea_halo}" paint-order="stroke"'
            f' stroke-width="{number(self.sizes.halo)}">{name}</g>'
        )

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
