"""The situation in which a text is read: rules, phase and position; and the effort that reading may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from gamesmaster.board import Position
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rules, Season


class _Phase(Protocol):
    @property
    def kind(self) -> PhaseKind:
        """Moves, retreats or adjustments."""


@runtime_checkable
class Played(Protocol):
    """A game, or one state of it."""

    @property
    def rules(self) -> Rules:
        """What the judge must know."""

    @property
    def phase(self) -> _Phase:
        """The phase being played."""

    @property
    def position(self) -> Position:
        """The units and owners when it began."""

    @property
    def season(self) -> Season:
        """The phase, as mechanics know it."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known when a text is read: the rules, the kind of phase, and the position."""

    rules: Rules
    kind: PhaseKind
    position: Position
    season: Season | None = None

    @classmethod
    def of(cls, played: Played) -> Situation:
        """Return the situation in a game."""
        return cls(played.rules, played.phase.kind, played.position, played.season)

    def due(self, power: str) -> int | None:
        """Return how many units a power is to build, less than 0 if it must remove some; None without known centres."""
        owned = len(self.position.centres(power))
        return owned - sum(unit.power == power for unit in self.position.units) if owned else None


@dataclass(slots=True)
class Effort:
    """What reading one sheet has taken so far, so that no text takes long.

    `looks` are texts looked at, `steps` those taken in all of them, `hints` the hints looked for, `sentences` those
    read in prose, clause by clause.
    """

    looks: int = 0
    steps: int = 0
    hints: int = 0
    sentences: int = 0

    MOST_LOOKS = 300
    MOST_STEPS = 40_000
    MOST_SENTENCES = 1_000

    @property
    def is_spent(self) -> bool:
        """Return whether the rest of the sheet is read in the notation only."""
        worked = self.looks > self.MOST_LOOKS or self.steps > self.MOST_STEPS
        return worked or self.sentences > self.MOST_SENTENCES
