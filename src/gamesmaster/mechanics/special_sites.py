"""Special build centres: places outside its home where a power may build, some kinds of unit only (TAD-4, SCO-4.b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Literal

from gamesmaster.board import Finding, Position
from gamesmaster.board.lint_finding import error
from gamesmaster.judge import BoardMechanic, Rules, Sites, WinterMechanic
from gamesmaster.judge.supply import occupied
from gamesmaster.mechanics.registry import mechanic


@mechanic("special-sites")
@dataclass(frozen=True)
class SpecialSites(BoardMechanic, WinterMechanic):
    """`power` may build in each of `places` (province to kinds of unit, none for all), if it is empty.

    A supply centre among them must be its own; seas and other places that nobody owns need no owner (SCO-4.b).
    """

    power: str
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    several: ClassVar[bool] = True
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"power": "power", "places": "province"}
    )

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Kinds of unit that nobody has, or that cannot lie there."""
        board, where = rules.board, f"mechanics {self.id}"
        for province, kinds in self.places.items():
            places = [board.locations[number] for number in board.locations_of(board.index[province])]
            for kind in kinds:
                if kind not in board.kinds:
                    yield error("unknown-kind", where, f"no kind of unit {kind!r}", f"known: {', '.join(board.kinds)}")
                elif not any(board.can_stand(kind, place) for place in places):
                    yield error("wrong-terrain", where, f"{kind} {province}: a unit of this kind cannot lie there")

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """The regular ones, and these behind them."""
        if power != self.power:
            return regular
        board, full = rules.board, occupied(rules.board, position)
        open_now = {
            province: frozenset(kinds or board.kinds) | regular.get(province, frozenset())
            for province, kinds in self.places.items()
            if province not in full and (position.owners.get(province) == power or not board.province(province).centre)
        }
        return {**regular, **open_now}
