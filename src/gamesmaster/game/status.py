"""Who is asked for what in a phase, and whose orders are in."""

from __future__ import annotations

from dataclasses import dataclass

from gamesmaster.board import Position
from gamesmaster.game.progress import centre_counts, remaining, unit_counts
from gamesmaster.game.variant import Variant
from gamesmaster.judge import Rules, balance, sites
from gamesmaster.orders import PhaseKind


@dataclass(frozen=True, slots=True)
class Status:
    """Where a power stands: its supply centres and units, and what it is asked for.

    `due` is how many units want orders or must retreat, how many may be built or, if negative, must be removed; 0 if
    nothing is asked.  `orders` is how many orders it has sent, None if no set has come.
    """

    power: str
    centres: int
    units: int
    kind: PhaseKind
    due: int
    orders: int | None
    disorder: bool

    @property
    def waiting(self) -> bool:
        """Is something asked of it, with nobody's orders in and a player to send them?"""
        return self.due != 0 and self.orders is None and not self.disorder

    @property
    def text(self) -> str:
        """What is asked, in words: `orders for 3 units`, `a retreat`, `2 builds`, `nothing`."""
        number = abs(self.due)
        if not number:
            return "nothing"
        if self.kind is PhaseKind.MOVEMENT:
            return f"orders for {number} {'unit' if number == 1 else 'units'}"
        word = "retreat" if self.kind is PhaseKind.RETREATS else "build" if self.due > 0 else "removal"
        return f"{number} {word}s" if number > 1 else f"a {word}"


def statuses(
    variant: Variant,
    rules: Rules,
    kind: PhaseKind,
    position: Position,
    orders: dict[str, int],
    disorder: frozenset[str],
) -> tuple[Status, ...]:
    """The status of every power still in the game, in the variant's order; `orders` counts what each has sent."""
    centres, units = centre_counts(variant, position), unit_counts(variant, position)
    due = _due(rules, kind, position)
    return tuple(
        Status(power, centres[power], units[power], kind, due[power], orders.get(power), power in disorder)
        for power in remaining(variant, rules, position)
    )


def _due(rules: Rules, kind: PhaseKind, position: Position) -> dict[str, int]:
    if kind is PhaseKind.MOVEMENT:
        return {power: len(position.of(power)) for power in rules.powers}
    if kind is PhaseKind.RETREATS:
        return {power: sum(d.unit.power == power for d in position.dislodged) for power in rules.powers}
    allowed = balance(rules, position)
    return {p: min(n, len(sites(rules, position, p))) if n > 0 else n for p, n in allowed.items()}
