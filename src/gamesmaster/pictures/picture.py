"""A map: a board's shapes, drawn once, and over them whatever a game puts there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from gamesmaster.board import Board, Position, Province, Terrain
from gamesmaster.errors import NotFound, nearest
from gamesmaster.pictures.legend import KeyEntry, Strip, map_key, order_entries, unit_signs
from gamesmaster.pictures.map.ground import Base
from gamesmaster.pictures.map.ink import Ink
from gamesmaster.pictures.map.pieces import Pieces, arrange
from gamesmaster.pictures.orders.model import Drawable
from gamesmaster.pictures.orders.overlay import Beneath, draw_orders, order_key, order_sheet
from gamesmaster.pictures.powers import Heraldry, neighbours_of
from gamesmaster.pictures.shapes.values import Shapes
from gamesmaster.pictures.signs import PowerMark, Sign, sign_defs, sign_of
from gamesmaster.pictures.snapshot import Snapshot
from gamesmaster.pictures.style import FONT, Look, sizes_of, style_of
from gamesmaster.pictures.svg import escape_xml, ident, number
from gamesmaster.rules import unseen

if TYPE_CHECKING:
    from gamesmaster.variant import Power

_TERRAIN = {Terrain.BOX: "ocean", Terrain.IMPASSABLE: "out of play"}
"""The words for terrain; other terrain needs none."""


class Picture:
    """Maps of one board in one style and layout.

    `base` is drawn once; `layer` draws what changes, one `<g>` to be laid over it; `svg` is both, a whole document.
    `powers` come in the game's order, as names or as a variant's powers.  `letters` are the powers' letters, where
    neither the variant's own nor the shortest beginnings of their names will do; `signs` the variant's own signs for
    kinds of unit (`{"W": Sign.WAR_PARTY}`).  Raises `NotFound` for an unknown style or layout.
    """

    def __init__(
        self,
        board: Board,
        shapes: Shapes,
        powers: Iterable[Power | str],
        look: Look = Look(),  # noqa: B008 - a value
        *,
        letters: Mapping[str, str] | None = None,
        signs: Mapping[str, Sign] | None = None,
    ) -> None:
        layout = look.layout
        if layout not in shapes.layouts:
            raise NotFound(f"no layout {layout[:80]!r}", hint=nearest(layout, shapes.layouts))
        self.board, self.shapes, self.layout = board, shapes, layout
        self.style, self.sizes, self.prefix = style_of(look.style), sizes_of(layout), ident(look.prefix)
        self.heraldry = Heraldry(powers, self.style, letters, neighbours_of(board))
        self.signs = dict(signs or {})
        self._places = shapes.layouts[layout]
        self._strip = Strip(shapes.size[0], self.style, self.sizes, self.prefix)
        self._map = Base(board, shapes, self.heraldry, self.style, self.sizes, self.prefix)
        self._pieces = Pieces(self._map, self._places, self.signs)

    # -- what never changes ------------------------------------------------------------------------------------------

    @cached_property
    def base(self) -> str:
        """The board: definitions, ground, frame and scale.  The ink (lines; names) is defined and used by layers."""
        return self._insert_labels(self._descriptions)

    @property
    def _ink(self) -> Ink:
        return Ink(self.board, self.shapes, self._places, self.heraldry, self.style, self.sizes)

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        """The base, cut where the label of a province goes: texts and ids by turns."""
        marks = {p.id: f"\0{p.id}\0" for p in self.board.provinces}
        ink = self._ink
        cut = f'clip-path="url(#{self.prefix}frame)"'
        return tuple(
            (
                f"<defs>{self._map.defs()}{sign_defs(self.style, prefix=self.prefix)}{self._pieces.define()}"
                f"<style>{order_sheet(self.style.name, self.layout)}</style>"
                f'<g id="{self.prefix}ink">{ink.lines()}</g>'
                f'<g id="{self.prefix}names">{ink.words(self.prefix)}</g></defs>'
                f'<g id="{self.prefix}board" {cut}>{self._map.draw(marks)}</g>{self._frame()}{self._fixed_strip[0]}'
            ).split("\0")
        )

    def _insert_labels(self, labels: Mapping[str, str]) -> str:
        return "".join(escape_xml(labels[part]) if i % 2 else part for i, part in enumerate(self._parts))

    @cached_property
    def _descriptions(self) -> dict[str, str]:
        """Province to its description in every position."""
        return {p.id: _describe(p) for p in self.board.provinces}

    def _frame(self) -> str:
        """Return the neat line about the map."""
        width, height = self.shapes.size
        off, thick = self.sizes.margin * 0.45, self.sizes.margin * 0.18
        return (
            f'<g fill="none" stroke="{self.style.ink}"><rect width="{width}" height="{height}" stroke-width="4"/>'
            f'<rect x="{number(-off)}" y="{number(-off)}" width="{number(width + 2 * off)}"'
            f' height="{number(height + 2 * off)}" stroke-width="{number(thick)}"/></g>'
        )

    # -- the strip below ---------------------------------------------------------------------------------------------

    @property
    def _top(self) -> float:
        """Return where the strip begins."""
        return self.shapes.size[1] + self.sizes.margin * 1.2

    @property
    def _units(self) -> list[Sign]:
        """The signs of the kinds of unit on the board."""
        kinds = [sign_of(kind, signs=self.signs) for kind in self.board.ways]
        return unit_signs([*kinds, *self.signs.values()])

    @cached_property
    def key(self) -> tuple[KeyEntry, ...]:
        """Return the entries of the map's key; their samples need `key_defs`."""
        return tuple(map_key(self._map, self._strip, self._units))

    @property
    def key_defs(self) -> str:
        """The definitions that the samples of the key refer to."""
        return f"{self._map.defs()}{sign_defs(self.style, self._units, self.prefix)}"

    @cached_property
    def _fixed_strip(self) -> tuple[str, float]:
        """The strip beneath the map without the key to orders, and its height."""
        strip = self._strip
        powers, high = strip.powers(self.heraldry.bearers, strip.title_height)
        below = strip.title_height + high
        key, more = strip.key(self.key, below)
        scale = "" if self.shapes.diagram else strip.scale(self.shapes.km, self.shapes.credit)
        return f'<g transform="translate(0 {number(self._top)})">{scale}{powers}{key}</g>', below + more

    def _order_key(self, rulings: Sequence[Drawable] | None) -> tuple[str, float]:
        """Return the key to orders: all of it, or what these rulings need; and its height."""
        rows = order_key(self.style.name, self.layout, rulings)
        entries: list[KeyEntry] = order_entries(rows, self.sizes.text * 1.4)
        return self._strip.key(entries, self._fixed_strip[1])

    def _counts(self, position: Position, strengths: Mapping[str, int]) -> list[str]:
        """Return each power's numbers: centres, units and strength; empty on a board without any."""
        if not (position.units or position.owners or position.dislodged):
            return [""] * len(self.heraldry.bearers)
        units = Counter(u.power for u in position.everybody)
        centres = Counter(position.owners[p] for p in self.board.centres if p in position.owners)
        return [
            _tally(centres[b.name], units[b.name] if units else None, strengths.get(b.name))
            for b in self.heraldry.bearers
        ]

    # -- what changes ------------------------------------------------------------------------------------------------

    def layer(self, shown: Snapshot) -> str:
        """Return one group of SVG: owners, units, marks, orders and what became of them, title and counts."""
        position, ledger, strip, bearers = shown.position, shown.ledger, self._strip, self.heraldry.bearers
        drawn = self._over(shown)
        above = strip.title(shown.title or self.board.name, shown.subtitle)
        counts = strip.counts(bearers, self._counts(position, ledger.strengths if ledger else {}), strip.title_height)
        key = self._order_key(shown.rulings)[0] if shown.rulings else ""
        return (
            f'<g id="{self.prefix}layer"><g clip-path="url(#{self.prefix}frame)">{self._pieces.draw_owners(position)}'
            f"{self._use('ink')}{drawn}{self._use('names')}{self._homes(shown.marks)}</g>"
            f'<g transform="translate(0 {number(self._top)})">{above}{counts}{key}</g></g>'
        )

    def _use(self, part: str) -> str:
        """Return a part of the base's ink at this height; pointers pass through it to the things beneath."""
        return f'<use href="#{self.prefix}{part}" pointer-events="none" aria-hidden="true"/>'

    def _homes(self, marks: Mapping[str, Sequence[Sign | PowerMark]]) -> str:
        """Return the marks of centres that are homes of other powers than on the board, or of none."""
        named = ((place, mark) for place, found in marks.items() for mark in found if isinstance(mark, PowerMark))
        drawn = self._ink.homes({place: mark.power for place, mark in named if not mark.sign})
        return f'<g id="{self.prefix}homes" pointer-events="none" aria-hidden="true">{drawn}</g>' if drawn else ""

    def _over(self, shown: Snapshot) -> str:
        """Return marks, units and orders."""
        stands = arrange(self._places, shown.position, self.heraldry.order)
        drawn = self._pieces.marks(shown.marks) + self._pieces.units(stands, shown.looks)
        if shown.rulings:
            look, beneath = Look(self.style.name, self.layout, self.prefix), Beneath(stands, self._pieces.coming)
            drawn += draw_orders(self.board, self.shapes, shown.position, shown.rulings, look, beneath)
        return drawn

    def labels(
        self, position: Position, marks: Mapping[str, Sequence[Sign | PowerMark]] = MappingProxyType({})
    ) -> dict[str, str]:
        """Map each province id to its description: name, terrain, centre, home, owner, marks of powers, units."""
        here: dict[str, list[str]] = {}
        for stand in arrange(self._places, position, self.heraldry.order):
            here.setdefault(stand.unit.at.province, []).append(self._pieces.words(stand, {}))
        found, hidden = {}, unseen(self.board, position)
        for province in self.board.provinces:
            parts = [self._descriptions[province.id]]
            owner = position.owners.get(province.id)
            if hidden(province.id):
                parts.append("out of sight")
            elif owner or province.centre:
                parts.append(f"owned by {owner}" if owner else "owned by nobody")
            parts += [mark.words for mark in marks.get(province.id, ()) if isinstance(mark, PowerMark)]
            found[province.id] = "; ".join([*parts, *here.get(province.id, ())])
        return found

    # -- whole documents ---------------------------------------------------------------------------------------------

    def svg(self, shown: Snapshot = Snapshot()) -> str:  # noqa: B008 - a value
        """Return a whole SVG document, with the lines of the ledger below."""
        height = self._fixed_strip[1] + (self._order_key(shown.rulings)[1] if shown.rulings else 0)
        notes, more = self._strip.notes(shown.ledger.sections if shown.ledger else {}, height)
        named = ": ".join(filter(None, (shown.title or self.board.name, shown.subtitle)))
        notes = f'<g transform="translate(0 {number(self._top)})">{notes}</g>' if notes else ""
        body = self._insert_labels(self.labels(shown.position, shown.marks)) + self.layer(shown) + notes
        return self._document(body, height + more, named)

    def empty(self, *, title: str = "") -> str:
        """Return the document with the base alone."""
        return self._document(self.base, self._fixed_strip[1], title or self.board.name)

    def _document(self, body: str, strip: float, title: str) -> str:
        margin = self.sizes.margin
        width = self.shapes.size[0] + 2 * margin
        height = round(self._top + strip + 1.6 * margin)
        pre = self.prefix
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-margin} {-margin} {width} {height}" role="group"'
            f' aria-labelledby="{pre}title" font-family="{FONT}"><title id="{pre}title">{escape_xml(title)}</title>'
            f'<rect x="{-margin}" y="{-margin}" width="{width}" height="{height}" fill="{self.style.page}"/>'
            f"{body}</svg>\n"
        )


def _describe(province: Province) -> str:
    parts = [province.name, _TERRAIN.get(province.terrain, province.terrain.value)]
    if province.centre:
        parts.append("supply centre")
    if province.home:
        parts.append(f"home of {province.home}")
    return ", ".join(parts)


def _tally(centres: int, units: int | None, strength: int | None = None) -> str:
    """Return `3 centres, 1 unit`, with `strength 4` if known; only the centres on a board without units."""
    owned = f"{centres} centre{'s' * (centres != 1)}"
    if units is None:
        return owned
    strong = "" if strength is None else f", strength {strength}"
    return f"{owned}, {units} unit{'s' * (units != 1)}{strong}"
