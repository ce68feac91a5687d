"""The changing part of a map: owned provinces, units, marks; and who stands in which spot of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import ceil

from gamesmaster.board import Position, Unit, place_words
from gamesmaster.pictures.map.ground import WET, Base, isles_id, paint_id, province_id, uses
from gamesmaster.pictures.powers import Bearer
from gamesmaster.pictures.shapes.values import NOWHERE, Layout, Place, Spot
from gamesmaster.pictures.signs import BOX, FIGURES, PowerMark, Sign, sign_id, sign_of
from gamesmaster.pictures.svg import CAPITALS, escape_xml, number, text_width

TILT = -16  # degrees: how a dislodged unit leans
ROOM = 1.2  # width of a sign's letters at most, in sizes of the font that one letter has


class Pieces:
    """Draws what stands on one board in one style.

    `signs` are the variant's own signs for kinds of unit, `looks` those of single units, by number.
    """

    def __init__(
        self,
        base: Base,
        layout: Layout,
        signs: Mapping[str, Sign],
    ) -> None:
        self.base, self.layout, self.signs = base, layout, signs
        self.board, self.heraldry, self.prefix = base.board, base.heraldry, base.prefix
        self.style, self.sizes = base.style, base.sizes

    def draw_owners(self, position: Position) -> str:
        """Return the provinces that are owned, in their owners' colours."""
        by_owner: dict[int, list[str]] = {}
        for province, owner in sorted(position.owners.items()):
            if province in self.base.shapes.provinces and province in self.board.index:
                by_owner.setdefault(self.heraldry[owner].number, []).append(province)
        groups = "".join(self._lands(*owned) for owned in sorted(by_owner.items()))
        return f'<g pointer-events="none" aria-hidden="true">{groups}</g>'

    def _lands(self, bearer: int, provinces: Sequence[str]) -> str:
        """Return the lands of a power in its tint and pattern; about islands the sea shows through."""
        prefix, tint = self.prefix, self.heraldry.paint(bearer).tint
        wet = [p for p in provinces if self.board.province(p).terrain in WET]
        lands = [province_id(p, prefix) for p in provinces if p not in wet]
        lands += [isles_id(p, prefix) for p in wet if p in self.base.isles]
        sea = uses(province_id(p, prefix) for p in wet)
        shade = f'<g fill-opacity="{1 if self.style.plain else 0.4}">{sea}</g>' if sea else ""
        coasts = uses(isles_id(p, prefix) for p in wet if p in self.base.isles) if self.style.plain else ""
        line = f'fill="none" stroke="{self.style.coast}" stroke-width="{number(self.sizes.coast)}"'
        return (
            f'<g fill="{tint}">{uses(lands)}{shade}</g>'
            f'<g fill="url(#{paint_id(bearer, prefix)})">{uses(lands)}{sea}</g>'
            + (f"<g {line}>{coasts}</g>" if coasts else "")
        )

    # -- units -------------------------------------------------------------------------------------------------------

    def sign(self, stand: Stand, looks: Mapping[int, Sign]) -> Sign:
        """Return the sign with which a unit is drawn, its cargo included."""
        unit = stand.unit
        cargo = stand.cargo[0].kind if stand.cargo else ""
        return looks.get(unit.number) or sign_of(unit.kind, cargo=cargo, signs=self.signs)

    def units(self, stands: Iterable[Stand], looks: Mapping[int, Sign]) -> str:
        """Return every unit in its place, those that must retreat on top."""
        drawn = "".join(self._unit(stand, looks) for stand in sorted(stands, key=lambda stand: stand.dislodged))
        return f'<g text-anchor="middle" font-weight="bold">{drawn}</g>' if drawn else ""

    @cached_property
    def _minted(self) -> frozenset[tuple[Sign, int]]:
        """The pieces that every unit of the board's own kinds is drawn as: sign and power."""
        signs = dict.fromkeys(sign_of(kind, signs=self.signs) for kind in self.board.ways)
        return frozenset((sign, bearer.number) for sign in signs for bearer in self.heraldry.bearers)

    def define(self) -> str:
        """Return the definitions of the pieces for the base; layers only say where they are."""
        bearers = {bearer.number: bearer for bearer in self.heraldry.bearers}
        return "".join(
            f'<g id="{self._piece_id(sign, n)}" text-anchor="middle" font-weight="bold">'
            f"{self._piece(sign, bearers[n])}</g>"
            for sign, n in sorted(self._minted)
        )

    def _piece_id(self, sign: Sign, bearer: int) -> str:
        return f"{self.prefix}c-{bearer}-{sign.value}"

    def _piece(self, sign: Sign, bearer: Bearer) -> str:
        """Return a sign in a power's colour with its letters."""
        plate = f'<use href="#{sign_id(sign, self.prefix)}" fill="{bearer.paint.plate}"/>'
        return plate + unit_letter(sign, bearer)

    def _unit(self, stand: Stand, looks: Mapping[int, Sign]) -> str:
        unit = stand.unit
        sign, bearer = self.sign(stand, looks), self.heraldry[unit.power]
        cargo = f' data-cargo="{" ".join(str(u.number) for u in stand.cargo)}"' if stand.cargo else ""
        about = (
            f'id="{self.prefix}u-{unit.number}" data-unit="{unit.number}"{cargo} role="img"'
            f' aria-label="{escape_xml(self.words(stand, looks))}"'
            f' transform="{self._place(stand.spot)}{f"rotate({TILT})" if stand.dislodged else ""}"'
        )
        more = self._more(stand) if stand.hidden else ""
        if (sign, bearer.number) in self._minted:
            piece = f'href="#{self._piece_id(sign, bearer.number)}"/>'
            if not stand.dislodged:
                return f"<use {about} {piece}{more}"
            return f"<g {about}>{self._ring()}<use {piece}</g>{more}"
        return f"<g {about}>{self._ring() if stand.dislodged else ''}{self._piece(sign, bearer)}</g>{more}"

    def _ring(self) -> str:
        """Return the ring around a unit that must retreat."""
        colour = self.style.orders.retreat
        return f'<circle r="56" fill="none" stroke="{colour}" stroke-width="6" stroke-dasharray="14 10"/>'

    def _place(self, spot: Spot) -> str:
        side = min(spot.room, self.sizes.sign) / (BOX + 6)
        return f"translate({spot.x} {spot.y})scale({side:.3g})"

    def _more(self, stand: Stand) -> str:
        """Return the number of units here without a place of their own, as text."""
        x, y, room = stand.spot
        size = max(room * 0.6, self.sizes.text * 0.5)
        return (
            f'<text x="{number(x + room / 2)}" y="{number(y + room * 0.55)}" font-size="{number(size)}"'
            f' fill="{self.style.label}" stroke="{self.style.halo}" stroke-width="{number(self.sizes.halo)}"'
            f' paint-order="stroke">+{len(stand.hidden)}</text>'
        )

    def coming(self, unit: Unit, spot: Spot) -> str:
        """Return a unit that is not there yet, faint."""
        bearer, sign = self.heraldry[unit.power], sign_of(unit.kind, signs=self.signs)
        faint = "" if self.style.plain else ' opacity=".75"'
        return (
            f'<g transform="{self._place(spot)}" fill="{bearer.paint.plate}"{faint} text-anchor="middle"'
            f' font-weight="bold"><use href="#{sign_id(sign, self.prefix)}"/>{unit_letter(sign, bearer)}</g>'
        )

    def words(self, stand: Stand, looks: Mapping[int, Sign]) -> str:
        """Return a unit in words: `French fleet in Brest`, with its cargo and whether it must retreat."""
        parts = [f"{self.unit_words(stand.unit, self.sign(stand, looks))} in {place_words(self.board, stand.unit.at)}"]
        parts += [f"carries {self.unit_words(unit, sign_of(unit.kind, signs=self.signs))}" for unit in stand.cargo]
        if stand.dislodged:
            parts.append("dislodged")
        for unit in stand.hidden:
            parts.append(
                f"beside it {self.unit_words(unit, looks.get(unit.number) or sign_of(unit.kind, signs=self.signs))}"
            )
        return ", ".join(parts)

    def unit_words(self, unit: Unit, sign: Sign) -> str:
        """Return a unit in words: `French fleet`."""
        return f"{self.heraldry[unit.power].adjective} {sign.words}"

    # -- marks -------------------------------------------------------------------------------------------------------

    def marks(self, marks: Mapping[str, Sequence[Sign | PowerMark]]) -> str:
        """Return the mechanics' marks, each in a small spot of its province; homes are drawn with the centres."""
        drawn = []
        for province, all_ in sorted(marks.items()):
            signs = [mark for mark in all_ if isinstance(mark, Sign) or mark.sign]
            place = self.layout.places.get(province, NOWHERE)
            spots = place.extras or place.spots.get("", ())[1:]
            if len(signs) <= len(spots):
                drawn += [self._mark(province, sign, spot) for sign, spot in zip(signs, spots, strict=False)]
                continue
            counts = Counter(signs)
            for (sign, many), spot in zip(counts.items(), share_out(spots, len(counts)), strict=False):
                drawn.append(self._mark(province, sign, spot, many))
        return "".join(drawn)

    def _mark(self, province: str, mark: Sign | PowerMark, spot: Spot, many: int = 1) -> str:
        """Return a mark in its spot; several equal marks without room are one, with their number on it."""
        name = self.board.provinces[self.board.index[province]].name if province in self.board.index else province
        words = f"{mark.words} in {name}" if many == 1 else f"{many} {mark.plural} in {name}"
        count = (
            f'<text y="36" font-size="76" font-weight="bold" text-anchor="middle" fill="{self.style.page}"'
            f' stroke="{self.style.neutral.rim}" stroke-width="22" paint-order="stroke">{many}</text>'
        )
        sign, power = (mark, "") if isinstance(mark, Sign) else (mark.sign or Sign.GOAL, mark.power)
        bearer = self.heraldry[power]
        letter = unit_letter(sign, bearer)
        bold = ' text-anchor="middle" font-weight="bold"' if letter else ""
        grows = "" if isinstance(mark, Sign) else ' data-mark=""'
        return (
            f'<g{grows} role="img" aria-label="{escape_xml(words)}" transform="{self._place(spot)}"'
            f' fill="{bearer.paint.plate}"{bold}><use href="#{sign_id(sign, self.prefix)}"/>{letter}'
            f"{count if many > 1 else ''}</g>"
        )


def unit_letter(sign: Sign, bearer: Bearer) -> str:
    """Return a power's letters on the plate of a sign."""
    where = FIGURES[sign].letter
    if where is None or not bearer.letters:
        return ""
    x, y, size = where
    size = round(size * min(1, ROOM / text_width(bearer.letters, 1, bold=True)))
    at = f' x="{x}"' if x else ""
    words, down = escape_xml(bearer.letters), number(y + CAPITALS * size)
    return f'<text{at} y="{down}" font-size="{size}" fill="{bearer.paint.letter}">{words}</text>'


@dataclass(frozen=True, slots=True)
class Stand:
    """A unit in its spot, with the units it has aboard.

    `dislodged` is True if it must retreat; `hidden` are units beside it without a place of their own.
    """

    unit: Unit
    spot: Spot
    cargo: tuple[Unit, ...] = ()
    dislodged: bool = False
    hidden: tuple[Unit, ...] = ()


def arrange(layout: Layout, position: Position, powers: Mapping[str, int]) -> list[Stand]:
    """Return a stand for every unit of a position, province by province; units of one power stand together.

    `powers` gives the powers' order; in a box each has rows of its own, if there is room.  If there are more units
    than spots, each of the last spots is shared by four; units that still find no room are `hidden` beside the last
    one.  A province that is not in the layout shows nothing.
    """
    aboard: dict[int, list[Unit]] = {}
    numbers = {unit.number for unit in position.units}
    staying: dict[str, list[Unit]] = {}
    for unit in position.units:
        if unit.aboard in numbers and unit.aboard != unit.number:
            aboard.setdefault(unit.aboard, []).append(unit)
        else:
            staying.setdefault(unit.at.province, []).append(unit)
    beaten: dict[str, list[Unit]] = {}
    for dislodged in position.dislodged:
        beaten.setdefault(dislodged.unit.at.province, []).append(dislodged.unit)
    found = []
    for province in dict.fromkeys([*staying, *beaten]):
        row = sorted(staying.get(province, ()), key=lambda unit: powers.get(unit.power, len(powers)))
        found += _province(layout.places.get(province, NOWHERE), row, beaten.get(province, ()), aboard)
    return found


def _province(
    place: Place, staying: Sequence[Unit], beaten: Sequence[Unit], aboard: Mapping[int, Sequence[Unit]]
) -> list[Stand]:
    """Return the stands of one province: fleets on coasts have spots of their own, dislodged units later ones."""
    coasts = [unit for unit in staying if unit.at.coast and place.spots.get(unit.at.coast)]
    stands = [Stand(unit, place.spots[unit.at.coast][0], tuple(aboard.get(unit.number, ()))) for unit in coasts]
    rest = [(unit, False) for unit in staying if unit not in coasts] + [(unit, True) for unit in beaten]
    free = list(place.spots.get("", ()))
    if len(rest) == len(beaten):
        free = free[1:] or free  # the first spot is the victor's, even where he lies off a coast
    spots = _in_rows(free, [unit.power for unit, _ in rest]) or share_out(free, len(rest))
    hidden = tuple(unit for unit, _ in rest[len(spots) :])
    for count, ((unit, dislodged), spot) in enumerate(zip(rest, spots, strict=False), 1):
        cargo = tuple(aboard.get(unit.number, ()))
        stands.append(Stand(unit, spot, cargo, dislodged, hidden if count == len(spots) else ()))
    return stands


def _in_rows(spots: Sequence[Spot], powers: Sequence[str]) -> list[Spot]:
    """Return a spot for each unit of these powers, each power in its own rows; empty with too few rows."""
    rows = [list(row) for _, row in groupby(spots, key=lambda spot: spot.y)]
    wide = min(map(len, rows), default=0)
    groups = [len(list(group)) for _, group in groupby(powers)]
    if wide < 2 or sum(ceil(many / wide) for many in groups) > len(rows):
        return []
    found: list[Spot] = []
    for many in groups:
        taken, rows = rows[: ceil(many / wide)], rows[ceil(many / wide) :]
        found += [spot for row in taken for spot in row[:wide]][:many]
    return found


def share_out(spots: Sequence[Spot], wanted: int) -> list[Spot]:
    """Return `wanted` spots; if there are not enough, divide spots into four, the last ones first."""
    found = list(spots)
    for last in range(len(found) - 1, -1, -1):
        if len(found) >= wanted:
            break
        x, y, room = found[last]
        off = room // 4 + 1
        found[last : last + 1] = [Spot(x + dx, y + dy, room // 2) for dy in (-off, off) for dx in (-off, off)]
    return found
