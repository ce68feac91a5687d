"""Kinds of unit that a power may build at all: clans build armies only (SCO-1.b, SCO-4.a, CNW-I.a)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal

from gamesmaster.board import Position
from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import BoardMechanic, Rules, Sites, WinterMechanic
from gamesmaster.mechanics.registry import mechanic


@mechanic("build-kinds")
@dataclass(frozen=True)
class BuildKinds(BoardMechanic, WinterMechanic):
    """Powers that build only these kinds of unit: `{"Campbell": ["A"]}`.

    It looks at the sites known so far, so those of mechanics behind it are not limited.
    """

    powers: Mapping[str, tuple[str, ...]]

    several: ClassVar[bool] = True
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"powers": "power"}
    )

    def start(self, rules: Rules, position: Position) -> Position:
        """See that every kind can be built."""
        for kind in (kind for kinds in self.powers.values() for kind in kinds):
            if kind not in rules.board.kinds:
                raise BadFile(f"nobody builds {kind[:40]!r}", where=self.id, hint=nearest(kind, rules.board.kinds))
        return position

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """The same, for these kinds; places where none of them may be built are left out."""
        if power not in self.powers:
            return regular
        allowed = frozenset(self.powers[power])
        return {province: kinds & allowed for province, kinds in regular.items() if kinds & allowed}
