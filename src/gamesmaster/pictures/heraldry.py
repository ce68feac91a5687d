"""The powers of a picture: their order, their paint, and the letters that stand for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from gamesmaster.pictures.colours import paints_of
from gamesmaster.pictures.palette import Paint
from gamesmaster.pictures.style import Style

if TYPE_CHECKING:
    from gamesmaster.game.variant import Power


@dataclass(frozen=True, slots=True)
class Bearer:
    """A power as it is drawn: its number in the order of the powers (-1 for nobody), its letters and its paint."""

    number: int
    name: str
    adjective: str
    letters: str
    paint: Paint


class Heraldry:
    """Who is drawn how, by the variant's own choice or else by name; a power that nobody named is a neutral one.

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
        """The paint of the power with this number; a negative number is nobody's."""
        return self.bearers[number].paint if number >= 0 else self._style.neutral

    def __getitem__(self, name: str) -> Bearer:
        found = self._by_name.get(name)
        return found or Bearer(-1, name or "nobody", name or "neutral", "", self._style.neutral)


def initials(names: Sequence[str]) -> dict[str, str]:
    """A letter or two for each name: its first, and where others begin alike, the first in which it differs.

    >>> initials(["Austria", "British", "Byzantines", "MacDonald", "MacLeod"])
    {'Austria': 'A', 'British': 'Br', 'Byzantines': 'By', 'MacDonald': 'MD', 'MacLeod': 'ML'}
    """
    found: dict[str, str] = {}
    for name in names:
        mine = name[:1].upper() + name[1:]
        others = [other[:1].upper() + other[1:] for other in names if other != name]
        length = next((n for n in range(1, len(mine)) if not any(o.startswith(mine[:n]) for o in others)), len(mine))
        short = mine[:length] if length <= 2 else mine[0] + mine[length - 1]
        spare = (f"{mine[:1]}{digit}" for digit in range(1, len(names) + 1))
        found[name] = short if short not in found.values() else next(s for s in spare if s not in found.values())
    return found
