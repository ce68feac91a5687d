"""Random games of any variant in ordinary Python, without a record: the judge's own functions, and nothing beside them.

For the variants that batches can play too, they are a hundred times as fast (`games.play_batch`).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from gamesmaster.board import Position
from gamesmaster.game import Dice, Outcome
from gamesmaster.game.progress import advance, season_of
from gamesmaster.game.state import rules_of
from gamesmaster.judge import LegalOrders, Rulebook, Rules, adjudicate
from gamesmaster.judge.supply import accounts
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.players.match import last_played, seed_of
from gamesmaster.players.player import View
from gamesmaster.players.simple import adjusted, decided
from gamesmaster.variant import Phase, Variant


@dataclass(frozen=True)
class Ending:
    """Where a game came to: its last position, the phase that would be next, how it ended, how many phases it had."""

    position: Position
    phase: Phase
    outcome: Outcome | None
    phases: int


def play_plainly(variant: Variant, *, seed: int, until: int | None = None) -> Ending:
    """Play a game of random lawful orders until it ends or the year `until` is complete (`MOST_TURNS` by default).

    The same seed gives the same game.
    """
    rules, chance, dice = rules_of(variant, Rulebook.of(variant.rulebook)), Random(seed), Dice(seed_of(seed))
    calendar = variant.calendar
    position, phase, outcome, phases = variant.start, calendar.first, None, 0
    while outcome is None and phase.year <= last_played(variant, until):
        orders = random_orders(variant, rules, phase, position, chance)
        judged = adjudicate(rules, phase.kind, position, orders)
        step = advance(variant, rules, phase, position, judged.position, judged.happened, dice)
        position, phase, outcome, phases = step.position, step.phase, step.outcome, phases + 1
    return Ending(position, phase, outcome, phases)


def random_orders(
    variant: Variant, rules: Rules, phase: Phase, position: Position, chance: Random
) -> dict[str, list[Order]]:
    """Lawful orders for all that is asked in a phase, each as likely as the others."""
    legal = LegalOrders(rules, position)
    orders: dict[str, list[Order]] = {power: [] for power in rules.powers}
    if phase.kind is PhaseKind.ADJUSTMENTS:
        due = [power for power, account in accounts(rules, position).items() if not account.idle]
    else:
        due = []
        beaten = (d.unit for d in position.dislodged)
        for unit in position.units if phase.kind is PhaseKind.MOVEMENT else beaten:
            if unit.power in orders and not unit.aboard:
                orders[unit.power].append(legal.drawn(unit, chance))
    for power in rules.powers if rules.mechanics else due:
        season = season_of(variant.calendar, phase)
        view = View(variant, rules, power, phase, season, position, (), frozenset(), None, None, legal, b"")
        if power in due:
            orders[power] += adjusted(
                view, lambda units, *_: chance.choice(units), lambda given, _: chance.choice(given)
            )
        orders[power] += decided(view.extras, chance.choice)
    return orders
