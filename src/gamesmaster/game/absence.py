"""Who sent no orders for a season of moves, and how often in a row (CLN-H.d, CLN-H.e)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gamesmaster.board import Position
from gamesmaster.game.calendar import Phase
from gamesmaster.game.progress import remaining
from gamesmaster.game.record import Record
from gamesmaster.game.variant import Variant
from gamesmaster.judge import Rules
from gamesmaster.orders import PhaseKind


def missing(
    variant: Variant,
    rules: Rules,
    phase: Phase,
    position: Position,
    sent: Collection[str],
    disorder: Collection[str],
) -> frozenset[str]:
    """The powers with a player and units to move that are not among those that `sent` a set of orders.

    Only movement phases count; an empty set is a set.
    """
    if phase.kind is not PhaseKind.MOVEMENT:
        return frozenset()
    asked = {unit.power for unit in position.units if not unit.aboard}
    left = remaining(variant, rules, position)
    return frozenset(power for power in left if power in asked and power not in sent and power not in disorder)


def misses(variant: Variant, rules: Rules, records: Sequence[Record], power: str, most: int) -> int:
    """How many of its last seasons of moves a power missed, one after the other.

    At `most` (0 for no limit) its player was gone; who takes it then begins anew.  A season in which it had nothing to
    move neither counts nor parts those around it.
    """
    run = 0
    for record in reversed(records):
        if record.phase.kind is not PhaseKind.MOVEMENT:
            continue
        sent = record.orders
        if power in sent or power in record.disorder:
            break
        run += power in missing(variant, rules, record.phase, record.position, sent, record.disorder)
    return run % most if most else run
