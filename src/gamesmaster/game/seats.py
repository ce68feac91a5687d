"""Who plays which power: as the players agreed, or dealt out by lot (STD-1.a)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamesmaster.errors import GamesmasterError
from gamesmaster.game.dice import Dice, Throw
from gamesmaster.game.variant import Variant

LOTS = "start"
"""Stands for a phase in the draws made before the first."""

LONGEST_NAME = 100


def seated(
    variant: Variant, dice: Dice, players: Mapping[str, str] | Sequence[str]
) -> tuple[dict[str, str], tuple[Throw, ...]]:
    """Power to player, and the throws that decided, if any; see `Game.start`.

    Raises `NotFound` for an unknown power, `GamesmasterError` for a name that cannot be printed, or too few or too many
    to deal the powers to.
    """
    for name in players.values() if isinstance(players, Mapping) else players:
        if not name.isprintable() or len(name) > LONGEST_NAME:
            raise GamesmasterError(f"{name[:LONGEST_NAME]!r} cannot be a player's name")
    if isinstance(players, Mapping):
        return {variant.power(power).name: name for power, name in players.items()}, ()
    if players and len(players) != len(variant.powers):
        raise GamesmasterError(f"{len(variant.powers)} powers cannot be dealt to {len(players)} players")
    left, seats, throws = sorted(players), {}, []
    for power in variant.powers if players else ():
        throws.append(dice.throw(len(left), LOTS, "STD-1.a", power.name))
        seats[power.name] = left.pop(throws[-1].fell)
    return seats, tuple(throws)
