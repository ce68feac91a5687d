"""Which power has which colour: the same in every variant, by its name.

The table holds the powers of the games that come with the package; those that meet in one game have different colours
there.  A variant may choose others (`colour` in its file), and whoever is left takes what is free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from gamesmaster.pictures.palette import NAMES

if TYPE_CHECKING:
    from gamesmaster.board import Board
    from gamesmaster.game.variant import Power

KNOWN: Mapping[str, str] = MappingProxyType({
    # the regular game, in the colours of the printed one
    "Austria": "red", "England": "dark blue", "France": "light blue", "Germany": "brown", "Italy": "green",
    "Russia": "white", "Turkey": "yellow",
    # Cline Nine-Man
    "Barbary States": "orange", "Persia": "violet",
    # Conquest of the New World
    "Spain": "yellow", "Portugal": "green", "Holland": "orange", "Indians": "red",
    # 1000 AD
    "British": "dark blue", "Francs": "light blue", "Moors": "green", "Byzantines": "violet", "Vikings": "yellow",
    "Magyars": "red", "Polotjans": "white",
    # Indianomacy
    "Apache": "red", "Blackfeet": "dark blue", "Caddo": "light blue", "Dakota": "brown", "Illinois": "green",
    "Muskhogeans": "white", "Iroquois": "yellow", "Shoshoni": "orange",
    # Scottomacy
    "Campbell": "green", "Fraser": "brown", "Gordon": "orange", "Graham": "light blue", "Keith": "white",
    "MacDonald": "violet", "MacLeod": "yellow", "Stewart": "red",
})  # fmt: skip
"""Power to its colour."""


def paints_of(
    powers: Sequence[Power | str], neighbours: Mapping[str, Collection[str]] = MappingProxyType({})
) -> list[int]:
    """The number of each power's paint: a colour of the palette, twelve more for each time that it is taken already.

    A variant's own choice goes first, then the table, then what is free in the order of the palette.  Beyond twelve
    powers colours return, with other patterns: never that of a neighbour while there is any other.
    """
    names = [power if isinstance(power, str) else power.name for power in powers]
    chosen = ["" if isinstance(power, str) else power.colour for power in powers]
    found: dict[int, str] = {n: colour for n, colour in enumerate(chosen) if colour}
    for n, name in enumerate(names):
        known = KNOWN.get(name)
        if n not in found and known and known not in found.values():
            found[n] = known
    for n, name in enumerate(names):
        if n not in found:
            near = {found[m] for m, other in enumerate(names) if m in found and other in neighbours.get(name, ())}
            uses = Counter(found.values())
            found[n] = min(NAMES, key=lambda colour: (colour in near, uses[colour], NAMES.index(colour)))
    taken = Counter[str]()
    paints = []
    for n in range(len(names)):
        paints.append(NAMES.index(found[n]) + len(NAMES) * taken[found[n]])
        taken[found[n]] += 1
    return paints


def neighbours_of(board: Board) -> dict[str, set[str]]:
    """Each power to those whose home provinces touch its own."""
    found: dict[str, set[str]] = {}
    homes = {province.id: province.home for province in board.provinces if province.home}
    for edge in board.edges:
        a, b = homes.get(edge.a.province), homes.get(edge.b.province)
        if a and b and a != b:
            found.setdefault(a, set()).add(b)
            found.setdefault(b, set()).add(a)
    return found
