"""Random Problems in which convoys hang on one another: the matter of DATC 6.F.14 to 6.F.29."""

from __future__ import annotations

from random import Random

from gamesmaster.judge import kernel as k
from gamesmaster.judge.problem import Problem
from gamesmaster.testing.draft import Draft, DraftRow

MOST_ARMIES = 3


def knotted_problem(rng: Random) -> Problem:
    """Draw one to three armies at sea, each with one or two fleets; who lands where decides which fleets are lost.

    Every fleet has an attacker, and a supporter who helps either the attack or, against a second attacker's help, the
    fleet; every army makes for supporters.  So each route may hang on any other, or on itself.
    """
    draft = Draft(rng)
    armies = [_unit(draft) for _ in range(rng.randint(1, MOST_ARMIES))]
    supporters: list[DraftRow] = []
    for army in armies:
        for _ in range(rng.choice([1, 1, 2])):
            fleet = _unit(draft)
            fleet.convoy(army)
            supporters += _fight_over(draft, fleet, supporters)
    fleets = [row for row in draft.rows if row.kind == k.CONVOY]
    for army in armies:
        army.move(rng.choice(supporters).at, k.CARRIED | k.PASS | (k.EITHER if draft.chance(8) else 0))
        own = [fleet for fleet in fleets if fleet.about == army.number]
        chain = draft.chance(50)
        draft.join(own[0].at, army.at, both_waters=False)
        draft.join(own[-1].at, army.to, both_waters=False)
        if chain:
            draft.join(own[0].at, own[-1].at, both_waters=True)
        else:
            draft.join(own[-1].at, army.at, both_waters=False)
            draft.join(own[0].at, army.to, both_waters=False)
    return draft.problem()


def _unit(draft: Draft) -> DraftRow:
    return draft.add(draft.size, draft.rng.randint(1, 4))


def _fight_over(draft: Draft, fleet: DraftRow, others: list[DraftRow]) -> list[DraftRow]:
    """Threaten a fleet; return those whose support an army may cut.  Two of them may share a place (SCO-8.a)."""
    attacker, supporter = _unit(draft), _unit(draft)
    attacker.move(fleet.at)
    if others and draft.chance(30):
        supporter.at = supporter.whence = draft.rng.choice(others).at
        supporter.flags = k.ABSENT
    if draft.chance(60):
        supporter.support(attacker)
        return [supporter]
    supporter.support(fleet)
    second = _unit(draft)
    second.support(attacker)
    return [supporter, second] if draft.chance(50) else [supporter]
