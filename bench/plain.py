"""Random games of any variant in ordinary Python, by the judge's own functions: what batches are measured by."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from gamesmaster.board import Position
from gamesmaster.game import Dice, Outcome, advance, rules_of
from gamesmaster.judge import LegalOrders, accounts, adjudicate
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.players import View, choose_adjustments, choose_extras, last_year, seed_of
from gamesmaster.rules import Rulebook, Rules
from gamesmaster.variant import Phase, Variant


@dataclass(frozen=True)
class Ending:
    """The end of a game: its last position, the phase that would be next, the outcome, and the number of phases."""

    position: Position
    phase: Phase
    outcome: Outcome | None
    phases: int


def play_plainly(variant: Variant, *, seed: int, until: int | None = None) -> Ending:
    """Play a game of random legal orders until it ends or the year `until` is complete (`MOST_TURNS` by default).

    The same seed gives the same game.
    """
    rules, chance, dice = rules_of(variant, Rulebook.of(variant.rulebook)), Random(seed), Dice(seed_of(seed))
    calendar = variant.calendar
    position, phase, outcome, phases = variant.start, calendar.first, None, 0
    while outcome is None and phase.year <= last_year(variant, until):
        orders = random_orders(variant, rules, phase, position, chance)
        judged = adjudicate(rules, phase.kind, position, orders)
        step = advance(variant, rules, phase, position, judged, dice)
        position, phase, outcome, phases = step.position, step.phase, step.outcome, phases + 1
    return Ending(position, phase, outcome, phases)


def random_orders(
    variant: Variant, rules: Rules, phase: Phase, position: Position, chance: Random
) -> dict[str, list[Order]]:
    """Return random legal orders for a phase: each legal order of a unit is equally likely."""
    legal = LegalOrders(rules, position)
    orders: dict[str, list[Order]] = {power: [] for power in rules.powers}
    if phase.kind is PhaseKind.ADJUSTMENTS:
        due = [power for power, account in accounts(rules, position).items() if not account.idle]
    else:
        due = []
        beaten = (d.unit for d in position.dislodged)
        for unit in position.units if phase.kind is PhaseKind.MOVEMENT else beaten:
            if unit.power in orders and not unit.aboard:
                orders[unit.power].append(legal.draw(unit, chance))
    for power in rules.powers if rules.mechanics else due:
        season = variant.calendar.season(phase)
        view = View(variant, rules, power, phase, season, position, (), frozenset(), None, None, legal, b"")
        if power in due:
            orders[power] += choose_adjustments(
                view, lambda units, *_: chance.choice(units), lambda given, _: chance.choice(given)
            )
        orders[power] += choose_extras(view.extras, chance.choice)
    return orders
