"""Who is asked for what in a phase, and whose orders are in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from gamesmaster.board import Position, Unit
from gamesmaster.game.progress import centre_counts, remaining, unit_counts
from gamesmaster.game.variant import Variant
from gamesmaster.judge import Rules, Season, YearMechanic, due
from gamesmaster.orders import PhaseKind


@dataclass(frozen=True, slots=True)
class Status:
    """Where a power stands: its supply centres and units, and what it is asked for.

    `due` is how many units want orders or must retreat, how many may be built or, if negative, must be removed; 0 if
    nothing is asked.  `orders` is how many orders it has sent, None if no set has come.  `choices` is how many orders
    of a mechanic's own it may give besides, and `choosing` says what they are about.
    """

    power: str
    centres: int
    units: int
    kind: PhaseKind
    due: int
    orders: int | None
    disorder: bool
    choices: int = 0
    choosing: str = ""

    @property
    def asked(self) -> bool:
        """Is anything asked of it?"""
        return self.due != 0 or self.choices != 0

    @property
    def waiting(self) -> bool:
        """Is something asked of it, with nobody's orders in and a player to send them?"""
        return self.asked and self.orders is None and not self.disorder

    @property
    def text(self) -> str:
        """What is asked, in words: `orders for 3 units`, `a retreat`, `2 builds, a home to name`, `nothing`."""
        parts = [self._due()] if self.due else []
        if self.choices:
            parts.append(self.choosing or (f"{self.choices} choices" if self.choices > 1 else "a choice"))
        return ", ".join(parts) or "nothing"

    def _due(self) -> str:
        number = abs(self.due)
        if self.kind is PhaseKind.MOVEMENT:
            return f"orders for {number} {'unit' if number == 1 else 'units'}"
        word = "retreat" if self.kind is PhaseKind.RETREATS else "build" if self.due > 0 else "removal"
        return f"{number} {word}s" if number > 1 else f"a {word}"


def statuses(
    variant: Variant,
    rules: Rules,
    season: Season,
    position: Position,
    orders: dict[str, int],
    disorder: frozenset[str],
) -> tuple[Status, ...]:
    """The status of every power still in the game, in the variant's order; `orders` counts what each has sent."""
    centres, units = centre_counts(variant, position), unit_counts(variant, position)
    due, choices = _due(rules, season.kind, position), _choices(rules, season, position)
    choosing = _choosing(rules, season, position)
    return tuple(
        Status(
            power,
            centres[power],
            units[power],
            season.kind,
            due[power],
            orders.get(power),
            power in disorder,
            choices[power],
            choosing.get(power, ""),
        )
        for power in remaining(variant, rules, position)
    )


def _choices(rules: Rules, season: Season, position: Position) -> Counter[str]:
    found: Counter[str] = Counter()
    for orders_due in rules.asked(YearMechanic.orders_due):
        found.update(orders_due(rules, season, position))
    return found


def _choosing(rules: Rules, season: Season, position: Position) -> dict[str, str]:
    """What each power may choose besides, in words: `a home to name`."""
    found: dict[str, list[str]] = {}
    for mechanic in (m for m in rules.mechanics if isinstance(m, YearMechanic)):
        one, many = mechanic.asks
        for power, number in mechanic.orders_due(rules, season, position).items():
            found.setdefault(power, []).append(f"{number} {many}" if number > 1 else one)
    return {power: ", ".join(words) for power, words in found.items()}


def _due(rules: Rules, kind: PhaseKind, position: Position) -> dict[str, int]:
    if kind is PhaseKind.MOVEMENT:
        return {power: _ordered(power, position.units) for power in rules.powers}
    if kind is PhaseKind.RETREATS:
        return {power: _ordered(power, (d.unit for d in position.dislodged)) for power in rules.powers}
    return due(rules, position)


def _ordered(power: str, units: Iterable[Unit]) -> int:
    """How many orders these units of a power want: those aboard have none of their own."""
    return sum(unit.power == power and not unit.aboard for unit in units)
