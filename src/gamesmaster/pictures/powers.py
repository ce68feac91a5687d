"""The powers of a picture: their colours, the same in every variant by name, their order and their letters.

`styles.toml` has the powers of the games that come with the package; powers of one game have different colours there. A
variant may choose others (`colour` in its file), and the remaining powers take free ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from gamesmaster.pictures.style import KNOWN, NAMES, Paint, Style

if TYPE_CHECKING:
    from gamesmaster.board import Board
    from gamesmaster.variant import Power


def paints_of(
    powers: Sequence[Power | str], neighbours: Mapping[str, Collection[str]] = MappingProxyType({})
) -> list[int]:
    """Return the number of each power's paint: a colour of the palette, plus twelve per earlier use.

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
    """Map each power to those whose home provinces touch its own."""
    found: dict[str, set[str]] = {}
    homes = {province.id: province.home for province in board.provinces if province.home}
    for edge in board.edges:
        a, b = homes.get(edge.a.province), homes.get(edge.b.province)
        if a and b and a != b:
            found.setdefault(a, set()).add(b)
            found.setdefault(b, set()).add(a)
    return found


@dataclass(frozen=True, slots=True)
class Bearer:
    """A power as it is drawn: its number in the order of the powers (-1 for nobody), its letters and its paint."""

    number: int
    name: str
    adjective: str
    letters: str
    paint: Paint


class Heraldry:
    """The drawing of powers, by the variant's own choice or else by name; an unknown power is drawn as neutral.

    `neighbours` are powers that should not have the same colour, should colours return.
    """

    def __init__(
        self,
        powers: Iterable[Power | str],
        style: Style,
        letters: Mapping[str, str] | None = None,
        neighbours: Mapping[str, Collection[str]] = MappingProxyType({}),
    ) -> None:
        row = list(powers)
        named = [(p, p) if isinstance(p, str) else (p.name, p.adjective or p.name) for p in row]
        chosen = {p.name: p.letter for p in row if not isinstance(p, str) and p.letter}
        short = initials([name for name, _ in named]) | chosen | dict(letters or {})
        self.bearers = tuple(
            Bearer(n, name, adjective, short[name][:3], style.paint(paint))
            for n, ((name, adjective), paint) in enumerate(zip(named, paints_of(row, neighbours), strict=True))
        )
        self._by_name = {bearer.name: bearer for bearer in self.bearers}
        self._style = style

    @property
    def order(self) -> dict[str, int]:
        """Name to number."""
        return {bearer.name: bearer.number for bearer in self.bearers}

    def paint(self, number: int) -> Paint:
        """Return the paint of the power with this number; a negative number is nobody's."""
        return self.bearers[number].paint if number >= 0 else self._style.neutral

    def __getitem__(self, name: str) -> Bearer:
        found = self._by_name.get(name)
        return found or Bearer(-1, name or "nobody", name or "neutral", "", self._style.neutral)


KINDS = ("A", "F")
"""The letters of army and fleet, which no power has alone: on a unit they would say what kind it is."""


def initials(names: Sequence[str]) -> dict[str, str]:
    """Return a letter or two for each name: its first, and where others begin alike, the first in which it differs.

    >>> initials(["Austria", "Italy", "British", "Byzantines", "MacDonald", "MacLeod"])
    {'Austria': 'Au', 'Italy': 'I', 'British': 'Br', 'Byzantines': 'By', 'MacDonald': 'MD', 'MacLeod': 'ML'}
    """
    found: dict[str, str] = {}
    for name in names:
        mine = name[:1].upper() + name[1:]
        others = [other[:1].upper() + other[1:] for other in names if other != name]
        length = next((n for n in range(1, len(mine)) if not any(o.startswith(mine[:n]) for o in others)), len(mine))
        length += mine[:length] in KINDS
        short = mine[:length] if length <= 2 else mine[0] + mine[length - 1]
        spare = (f"{mine[:1]}{digit}" for digit in range(1, len(names) + 1))
        found[name] = short if short not in found.values() else next(s for s in spare if s not in found.values())
    return found
