"""What a power may know: the one thing that a player is given to look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from gamesmaster.board import Board, Position, Unit
from gamesmaster.game import Game, Outcome, Record, Status
from gamesmaster.judge import LegalOrders, Rules, Season, YearMechanic
from gamesmaster.judge.supply import Account, accounts
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.variant import Phase, Variant

CLAUSE = "players"
"""Stands for a clause in the draws that players' chance comes from."""


@dataclass(frozen=True, eq=False)
class View:
    """A game as one power sees it.

    Everything is in it but the orders and votes that others have sent in the phase being played, and the seed of the
    dice.  `season` is the phase as mechanics know it.  `history` holds the phases that are over, `disorder` the powers
    whose players are gone.  `status` says what the power is asked for, None if it is out or the game is over; `legal`
    knows the lawful orders of every unit.
    """

    variant: Variant
    rules: Rules
    power: str
    phase: Phase
    season: Season
    position: Position
    history: tuple[Record, ...]
    disorder: frozenset[str]
    outcome: Outcome | None
    status: Status | None
    legal: LegalOrders
    luck: bytes = field(repr=False)

    @property
    def board(self) -> Board:
        """The board."""
        return self.variant.board

    @cached_property
    def choices(self) -> dict[Unit, tuple[Order, ...]]:
        """Every lawful order for each of the power's units that may have one, in a phase of movement or retreats."""
        if self.phase.kind is PhaseKind.ADJUSTMENTS:
            return {}
        return {unit: tuple(self.legal.of_unit(unit)) for unit in self.units}

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The power's units on the board, or, in a phase of retreats, those that must leave their place.

        Those aboard go with their carriers, unless they may be ordered by themselves.
        """
        if self.phase.kind is PhaseKind.RETREATS:
            beaten = (d.unit for d in self.position.dislodged if d.unit.power == self.power)
            return tuple(unit for unit in beaten if not unit.aboard)
        own = self.position.of(self.power)
        if self.phase.kind is PhaseKind.MOVEMENT:
            return tuple(unit for unit in own if not unit.aboard or self.legal.of_unit(unit))
        return own

    @cached_property
    def winter(self) -> tuple[Order, ...]:
        """The builds and the waive, or the removals, that the power may choose from in a phase of adjustments."""
        if self.phase.kind is not PhaseKind.ADJUSTMENTS:
            return ()
        return tuple(self.legal.of_winter(self.power))

    @cached_property
    def extras(self) -> tuple[Order, ...]:
        """Orders for no unit of its own, which mechanics ask the power for: homes to name, arrivals to let come."""
        asked = self.rules.asked(YearMechanic.extra_orders)
        return tuple(o for m in asked for o in m(self.rules, self.season, self.position, self.power))

    @cached_property
    def account(self) -> Account:
        """What the power lives on in a Winter: what it can feed, what its units cost, where it may build."""
        return accounts(self.rules, self.position)[self.power]

    @property
    def asked(self) -> bool:
        """Is anything asked of the power in this phase?"""
        return self.status is not None and self.status.asked

    @property
    def due(self) -> int:
        """What is asked: so many orders or retreats, builds, or, if negative, removals."""
        return self.status.due if self.status else 0

    def chance(self, purpose: str = "") -> Random:
        """Chance of the player's own, for this game, phase and purpose: the same whenever it is asked for again."""
        return Random(self.luck + purpose.encode())


def views(game: Game) -> dict[str, View]:
    """The view of every power, those that are out too, in the variant's order."""
    legal = LegalOrders(game.rules, game.position)
    status = {s.power: s for s in game.status}
    return {
        power.name: View(
            variant=game.variant,
            rules=game.rules,
            power=power.name,
            phase=game.phase,
            season=game.season,
            position=game.position,
            history=game.records,
            disorder=game.disorder,
            outcome=game.outcome,
            status=status.get(power.name),
            legal=legal,
            luck=game.dice.draw(game.phase.code, CLAUSE, power.name),
        )
        for power in game.variant.powers
    }
