"""A phase that has been played, as a scenario looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gamesmaster.board import Position
from gamesmaster.game.progress import Step, advance
from gamesmaster.judge import Adjudication, balance, silenced
from gamesmaster.orders import PhaseKind
from gamesmaster.testing.scenario_setup import Scene
from gamesmaster.variant import Phase


@dataclass(frozen=True)
class Seen:
    """All that may be looked at after a phase.

    `told` is the whole scenario; `opening` the position that the phase begins with, `before` the same when what its
    beginning brings has come (storms).
    """

    scene: Scene
    told: Mapping[str, Any]
    phase: Phase
    opening: Position
    before: Position
    done: Adjudication

    @cached_property
    def step(self) -> Step:
        """What the game goes on with after the phase: the count, what the mechanics bring, perhaps its end."""
        done = self.done
        return advance(self.scene.variant, self.scene.rules, self.phase, self.before, done.position, done.happened)

    @cached_property
    def after(self) -> Position:
        """The position when the phase is over.

        Where nobody has a retreat to make, a scenario of that phase is about the count that follows it.
        """
        if self.phase.kind is PhaseKind.ADJUSTMENTS:
            return self.step.position
        if self.phase.kind is PhaseKind.RETREATS and not self.before.dislodged:
            return self.step.position
        return self.done.position

    def wanted(self, name: str) -> Any:
        """What the scenario expects to see under this name."""
        return self.scene.expect["state"][name]

    def left(self, power: str) -> int:
        """How many builds a power could still make in a Winter."""
        rules = self.scene.rules
        after = replace(self.done.position, state=self.before.state)  # by the supply of this Winter, not of the next
        return 0 if power in silenced(rules, after) else balance(rules, after)[power]


def short(phase: Phase) -> str:
    """A phase by its season and year."""
    return f"{phase.season} {phase.year}"
