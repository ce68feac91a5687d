"""Who stands where on the page: the spots of a layout given out to the units of a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from gamesmaster.board import Position, Unit
from gamesmaster.pictures.shapes import NOWHERE, Layout, Place, Spot


@dataclass(frozen=True, slots=True)
class Stand:
    """A unit in its spot, with the units it has aboard.

    `dislodged` says that it must retreat; `hidden` are units beside it for which there is no room at all.
    """

    unit: Unit
    spot: Spot
    cargo: tuple[Unit, ...] = ()
    dislodged: bool = False
    hidden: tuple[Unit, ...] = ()


def arrange(layout: Layout, position: Position, powers: Mapping[str, int]) -> list[Stand]:
    """A stand for every unit of a position, province by province; units of one power stand together.

    `powers` gives the powers' order; in a box each has rows of its own, if there is room.  Where there are more units
    than spots, the last spots are shared out in fours; what finds no room even so is `hidden` beside the last one.  A
    province the layout does not know shows nothing.
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
    """The stands of one province: fleets on its coasts have spots of their own, dislodged units the later ones."""
    coasts = [unit for unit in staying if unit.at.coast and place.spots.get(unit.at.coast)]
    stands = [Stand(unit, place.spots[unit.at.coast][0], tuple(aboard.get(unit.number, ()))) for unit in coasts]
    rest = [(unit, False) for unit in staying if unit not in coasts] + [(unit, True) for unit in beaten]
    free = list(place.spots.get("", ()))
    if len(rest) == len(beaten):
        free = free[1:] or free  # the first spot is the victor's, even where he lies off a coast
    spots = _in_rows(free, [unit.power for unit, _ in rest]) or shared(free, len(rest))
    hidden = tuple(unit for unit, _ in rest[len(spots) :])
    for number, ((unit, dislodged), spot) in enumerate(zip(rest, spots, strict=False), 1):
        cargo = tuple(aboard.get(unit.number, ()))
        stands.append(Stand(unit, spot, cargo, dislodged, hidden if number == len(spots) else ()))
    return stands


def _in_rows(spots: Sequence[Spot], powers: Sequence[str]) -> list[Spot]:
    """A spot for each unit of these powers, every power in rows of its own; none where there are too few rows."""
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


def shared(spots: Sequence[Spot], wanted: int) -> list[Spot]:
    """As many spots as are wanted, or four from each if there are not enough: the last ones are shared out first."""
    found = list(spots)
    for number in range(len(found) - 1, -1, -1):
        if len(found) >= wanted:
            break
        found[number : number + 1] = _quarters(found[number])
    return found


def _quarters(spot: Spot) -> list[Spot]:
    half = spot.room // 2
    off = half // 2 + 1
    return [Spot(spot.x + dx, spot.y + dy, half) for dy in (-off, off) for dx in (-off, off)]
