"""Taboo ground: whoever first sets foot on it is lost, and its power builds nothing for some Winters (IND-5).

Only arriving counts, by move or by retreat.  From then on the ground is like any other, and open to retreats at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Literal

from gamesmaster.board import Board, Dislodged, Position
from gamesmaster.judge import Happening, Rules, Sites, with_state
from gamesmaster.judge.mechanic import Mechanic
from gamesmaster.mechanics.losses import lost


@dataclass(frozen=True)
class Taboo(Mechanic):
    """`provinces` are taboo from the start; who breaks one builds nothing in the next `winters` Winters."""

    provinces: tuple[str, ...]
    winters: int = 2

    id: ClassVar[str] = "taboo"
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"provinces": "province"}
    )

    def __post_init__(self) -> None:
        if not self.provinces:
            raise ValueError("at least one province is wanted")
        if not 0 <= self.winters <= 100:
            raise ValueError("a curse lasts 0 to 100 Winters")

    def start(self, rules: Rules, position: Position) -> Position:
        """Every taboo is whole (IND-5.a)."""
        return _with(position, self.provinces, {})

    def moved(self, rules: Rules, position: Position) -> tuple[Position, tuple[Happening, ...]]:
        """Take off who has set foot on taboo ground, and curse its power (IND-5.b to d)."""
        whole, cursed = _state(position)
        guilty = [unit for unit in position.units if unit.at.province in whole and not unit.aboard]
        if not guilty:
            return position, ()
        broken = {unit.at.province for unit in guilty}
        if self.winters:
            cursed |= {unit.power: self.winters for unit in guilty if unit.power in rules.numbers}
        left = lost(rules.board, position, guilty)
        dislodged = tuple(_sheltered(rules.board, beaten, broken) for beaten in left.dislodged)
        after = _with(replace(left, dislodged=dislodged), [p for p in whole if p not in broken], cursed)
        return after, tuple(Happening("cursed", unit.power, unit.at.province) for unit in guilty)

    # -- Winter ------------------------------------------------------------------------------------------------------

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """The cursed build nowhere (IND-5.f)."""
        return {} if power in _state(position)[1] else regular

    def wintered(self, rules: Rules, before: Position, position: Position) -> Position:
        """One Winter less of every curse."""
        whole, cursed = _state(position)
        return _with(position, whole, {power: left - 1 for power, left in cursed.items() if left > 1})


def _sheltered(board: Board, beaten: Dislodged, opened: set[str]) -> Dislodged:
    """A dislodged unit, to which places are open that have just become vacant (IND-5.e)."""
    unit = beaten.unit
    way = board.forms[unit.kind].flees if unit.kind in board.forms else board.ways[unit.kind]
    here = board.location_index[unit.at]
    steps: Mapping[int, tuple[int, ...]] = board.steps[way][here] if way and not unit.aboard else {}
    near = [board.locations[there] for ends in steps.values() for there in ends if not _barred(board, beaten, there)]
    found = dict.fromkeys((*beaten.retreats, *(at for at in near if at.province in opened)))
    return replace(beaten, retreats=tuple(found))


def _barred(board: Board, beaten: Dislodged, there: int) -> bool:
    """Did its attacker come from there, or is the step closed to it?"""
    unit, at = beaten.unit, board.locations[there]
    return at.province == beaten.by or board.barred(unit.power, unit.kind, board.location_index[unit.at], there)


def _state(position: Position) -> tuple[tuple[str, ...], dict[str, int]]:
    """The provinces still taboo, and power to the Winters left of its curse."""
    state = position.state.get(Taboo.id)
    if not isinstance(state, Mapping):
        return (), {}
    return tuple(state.get("whole", ())), dict(state.get("cursed", {}))


def _with(position: Position, whole: tuple[str, ...] | list[str], cursed: Mapping[str, int]) -> Position:
    state = {"whole": list(whole), "cursed": dict(cursed)} if whole or cursed else None
    return with_state(position, Taboo.id, state)
