"""Random Problems in which convoys hang on one another: the matter of DATC 6.F.14 to 6.F.29."""

from __future__ import annotations

from random import Random

from gamesmaster.judge import kernel as k
from gamesmaster.judge.problem import Problem
from gamesmaster.testing.draft import Draft, DraftRow

MOST_ARMIES = 3


def knotted_problem(rng: Random) -> Problem:
    """Draw one to three armies at sea; who lands where decides which fleets are lost, or do not arrive.

    Every fleet has an enemy, and a supporter who helps the stronger or the weaker side; every army makes for
    supporters.  So each route may hang on any other, or on itself.
    """
    draft = _Knot(rng)
    for _ in range(rng.randint(1, MOST_ARMIES)):
        if draft.chance(20):
            draft.sail()
        else:
            draft.embark()
    draft.land()
    return draft.problem()


class _Knot(Draft):
    """The pieces of a knot: armies aboard, armies convoyed by one or two fleets, and who fights over the fleets."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.armies: list[DraftRow] = []
        self.supporters: list[DraftRow] = []
        self.common = k.EVERY if self.chance(15) else 0

    def unit(self) -> DraftRow:
        """Put a unit on a place of its own."""
        return self.add(self.size, self.rng.randint(1, 4))

    def embark(self) -> None:
        """An army on the shore, and its fleets: either of two may do, or both are needed."""
        army = self.unit()
        army.flags = k.CARRIED | k.PASS | self.common | self.rng.choice([0] * 8 + [k.EITHER, k.LEAVES])
        fleets = [self.unit() for _ in range(self.rng.choice([1, 1, 2]))]
        for fleet in fleets:
            fleet.convoy(army)
            self.threaten(fleet)
        chain = self.chance(50)
        for fleet in fleets[:1] if chain else fleets:
            self.join(fleet.at, army.at, both_waters=False)
        for other in fleets[1:] if chain else ():
            self.join(fleets[0].at, other.at, both_waters=True)
        self.armies.append(army)

    def sail(self) -> None:
        """An army aboard a fleet that must first win another water."""
        fleet, guard = self.unit(), self.unit()
        fleet.move(guard.at)
        self.take_sides(fleet, guard)
        army = self.add(guard.at, fleet.owner)
        army.about, army.flags = fleet.number, k.ABSENT | k.CARRIED | k.SAILS | k.PASS
        self.armies.append(army)

    def threaten(self, fleet: DraftRow) -> None:
        """Attack a fleet."""
        attacker = self.unit()
        attacker.move(fleet.at)
        self.take_sides(attacker, fleet)

    def take_sides(self, attacker: DraftRow, fleet: DraftRow) -> None:
        """Help the attack, or the fleet against an attack with help; two supporters may share a place (SCO-8.a)."""
        supporter = self.unit()
        if self.supporters and self.chance(30):
            supporter.at = supporter.whence = self.rng.choice(self.supporters).at
            supporter.flags = k.ABSENT
        if self.chance(60):
            supporter.support(attacker)
        else:
            supporter.support(fleet)
            second = self.unit()
            second.support(attacker)
            if self.chance(50):
                self.supporters.append(second)
        self.supporters.append(supporter)

    def land(self) -> None:
        """Send every army against a supporter; the fleets next to its goal are its own."""
        for army in self.armies:
            army.move(self.rng.choice(self.supporters).at)
            fleets = [row for row in self.rows if row.kind == k.CONVOY and row.about == army.number]
            for fleet in fleets:
                if fleet is fleets[-1] or (army.at, fleet.at) in self.links:
                    self.join(fleet.at, army.to, both_waters=False)
