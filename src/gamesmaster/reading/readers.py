"""Readers: the readers of the lines of one letter, and the phases that these lines may be for."""

from __future__ import annotations

from dataclasses import replace

from gamesmaster.judge import add_dislodged
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.orders.dialect import Cues
from gamesmaster.reading.lines import LineReader
from gamesmaster.reading.naming import Effort
from gamesmaster.reading.sheet import Purpose
from gamesmaster.reading.situation import Situation

KINDS = {Purpose.RETREATS: PhaseKind.RETREATS, Purpose.ADJUSTMENTS: PhaseKind.ADJUSTMENTS}
"""The phases that something may be sent ahead for."""
PHASES: dict[object, PhaseKind] = {
    Verb.MOVE: PhaseKind.MOVEMENT, Verb.HOLD: PhaseKind.MOVEMENT, Verb.SUPPORT: PhaseKind.MOVEMENT,
    Verb.CONVOY: PhaseKind.MOVEMENT, Verb.RETREAT: PhaseKind.RETREATS, Verb.DISBAND: PhaseKind.RETREATS,
    Verb.BUILD: PhaseKind.ADJUSTMENTS, Verb.REMOVE: PhaseKind.ADJUSTMENTS, Verb.WAIVE: PhaseKind.ADJUSTMENTS,
}  # fmt: skip
"""The phase that the verb of an order belongs to."""


class Readers:
    """The readers of the lines of one letter, by the power and by what the lines are for."""

    def __init__(self, at: Situation, cues: Cues) -> None:
        self.at, self.cues, self.effort = at, cues, Effort()
        self.made: dict[tuple[str, Purpose], LineReader] = {}

    def of(self, power: str, purpose: Purpose = Purpose.NOW) -> LineReader:
        """The reader of a power's lines; of its retreats, from where each unit is now to any place beside."""
        if (power, purpose) not in self.made:
            at, position, kind = self.at, self.at.position, KINDS.get(purpose, self.at.kind)
            if purpose is Purpose.RETREATS:
                own = tuple(unit for unit in position.units if unit.power == power and not unit.aboard)
                position = add_dislodged(at.rules, replace(position, units=()), own)
            then = Situation(at.rules, kind, position, at.season if kind is at.kind else None)
            self.made[power, purpose] = LineReader(then, power, self.effort, self.cues)
        return self.made[power, purpose]

    @property
    def own(self) -> dict[str, set[str]]:
        """The places of the units of each power whose lines were read."""
        now = ((power, reader) for (power, purpose), reader in self.made.items() if purpose is Purpose.NOW)
        return {power: {unit.at.province for unit in reader.scene.own} for power, reader in now}
