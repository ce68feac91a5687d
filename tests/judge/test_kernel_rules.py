"""Single rules of the kernel, each in the smallest Problem that shows it."""

from __future__ import annotations

from random import Random

import pytest

from gamesmaster.engine import rows as k
from tests.naive import differences
from tests.problems import QUARTER, UNIT, Draft, DraftRow

SEA = 0


@pytest.fixture
def draft() -> Draft:
    """An empty Problem on twenty provinces."""
    draft = Draft(Random(0))
    draft.size = 20
    return draft


def solved(draft: Draft, contest: int = k.UNLESS_HEAD_ON, knot: int = k.SZYKMAN) -> k.Outcome:
    """The outcome, after it has been compared with the naive solver's."""
    problem = draft.problem()._replace(contest=contest, knot=knot)
    outcome = problem.solve()
    assert differences(problem, outcome) == []
    return outcome


def moves(draft: Draft, at: int, to: int, owner: int, flags: int = 0) -> DraftRow:
    """A unit that goes."""
    row = draft.add(at, owner)
    row.move(to, flags)
    return row


def helps(draft: Draft, at: int, helped: DraftRow, owner: int) -> DraftRow:
    """A unit that supports another."""
    row = draft.add(at, owner)
    row.support(helped)
    return row


def carries(draft: Draft, at: int, army: DraftRow, owner: int) -> DraftRow:
    """A fleet that convoys an army, from its shore to its goal."""
    row = draft.add(at, owner)
    row.convoy(army)
    draft.join(at, army.at, both_waters=False)
    draft.join(at, army.to, both_waters=False)
    return row


def test_a_march_meets_a_carrier_with_a_units_weight(draft: Draft) -> None:
    """A boat attacks with one but stands, and meets head on, with a unit's weight (IND-6.o)."""
    boat = moves(draft, 1, 2, owner=1, flags=k.BLUNT | k.FAINT | k.ALONE)
    boat.force = QUARTER
    march = moves(draft, 2, 1, owner=2)
    assert march.force == boat.stay == UNIT
    assert solved(draft).state[1:] == [k.FAILED, k.FAILED]


def test_a_box_and_a_shore_change_places(draft: Draft) -> None:
    """What goes into a box arrives whatever comes out, and is no opponent on the way (CNW-5.a)."""
    moves(draft, 5, 1, owner=1, flags=k.ABSENT)
    moves(draft, 1, 5, owner=2, flags=k.FREE)
    assert solved(draft).state[1:] == [k.CAME, k.CAME]


@pytest.mark.parametrize("walks", [0, k.EITHER])
@pytest.mark.parametrize(("contest", "third"), [(k.UNLESS_HEAD_ON, k.FAILED), (k.ALWAYS, k.FAILED), (k.NEVER, k.CAME)])
def test_a_loser_not_met_head_on_contests_as_the_rule_says(draft: Draft, contest: int, third: int, walks: int) -> None:
    """A unit dislodged by a convoyed attack keeps a third out of the place that attack came from (DATC 6.G.15)."""
    victor = moves(draft, 1, 2, owner=1, flags=k.CARRIED | k.PASS | walks)
    carries(draft, 0, victor, owner=1)
    helps(draft, 3, victor, owner=1)
    moves(draft, 2, 1, owner=2)
    moves(draft, 4, 1, owner=3)
    state = solved(draft, contest).state
    assert (state[1], state[4], state[5]) == (k.CAME, k.FAILED, third)


@pytest.mark.parametrize(("contest", "third"), [(k.UNLESS_HEAD_ON, k.CAME), (k.ALWAYS, k.FAILED), (k.NEVER, k.CAME)])
def test_a_loser_met_head_on_contests_only_by_the_oldest_rule(draft: Draft, contest: int, third: int) -> None:
    """A unit beaten head on has no effect on its victor's place (STD-6.g), but for the book before 1971."""
    victor = moves(draft, 1, 2, owner=1)
    helps(draft, 3, victor, owner=1)
    moves(draft, 2, 1, owner=2)
    moves(draft, 4, 1, owner=3)
    assert solved(draft, contest).state[4] == third


def test_a_loser_beaten_from_elsewhere_contests(draft: Draft) -> None:
    """Even by the strictest rule a dislodged unit is without effect only where its own victor came from (4.A.7 a)."""
    moves(draft, 2, 1, owner=2)
    helps(draft, 3, moves(draft, 5, 2, owner=1), owner=1)
    moves(draft, 4, 1, owner=3)
    assert solved(draft, k.NEVER).state[1:] == [k.FAILED, k.CAME, 0, k.FAILED]


def test_a_landing_army_is_never_dislodged(draft: Draft) -> None:
    """An army that occupies nothing contests its goal, though its fleet is beaten by a unit from there (4.A.7)."""
    fleet = draft.add(SEA, owner=1)
    landing = moves(draft, SEA, 1, owner=1, flags=k.ABSENT | k.PASS)
    landing.about = fleet.number
    attacker = moves(draft, 1, SEA, owner=2)
    helps(draft, 3, attacker, owner=2)
    moves(draft, 4, 1, owner=3)
    state = solved(draft, k.NEVER).state
    assert (state[2], state[3], state[5]) == (k.FAILED, k.CAME, k.FAILED)


def test_an_army_that_strikes_from_its_last_fleet_is_met_there(draft: Draft) -> None:
    """Under Brannan's rule the fleet that attacks the last fleet stands off with the army it carries (DATC 6.F.30)."""
    army = moves(draft, 1, 2, owner=1, flags=k.CARRIED)
    army.whence = SEA
    carries(draft, SEA, army, owner=1)
    helps(draft, 3, army, owner=1)
    raider = moves(draft, 2, SEA, owner=2)
    helps(draft, 4, raider, owner=2)
    outcome = solved(draft)
    assert (outcome.state[1], outcome.state[4], outcome.route[1]) == (k.FAILED, k.FAILED, k.HOLDS)


def test_two_armies_struck_from_different_places_pass(draft: Draft) -> None:
    """Under Brannan's rule an army by sea does not meet one that marches to where it started."""
    army = moves(draft, 1, 2, owner=1, flags=k.CARRIED)
    army.whence = SEA
    carries(draft, SEA, army, owner=1)
    moves(draft, 2, 1, owner=2)
    state = solved(draft).state
    assert (state[1], state[3]) == (k.CAME, k.CAME)


def test_an_army_refused_ashore_is_aboard_only_after_its_crossing(draft: Draft) -> None:
    """A ferried army has left its place unless a fleet of the ferry is lost, its own standing or not (AFM-2.d, 2.e)."""
    army = moves(draft, 1, 2, owner=1, flags=k.CARRIED | k.PASS | k.LEAVES | k.EVERY)
    carries(draft, 0, army, owner=1)
    carries(draft, 5, army, owner=3)
    draft.add(2, owner=2)
    moves(draft, 4, 1, owner=4)
    raider = moves(draft, 6, 5, owner=2)
    assert solved(draft).gone[1] == k.GONE
    helps(draft, 7, raider, owner=2)
    outcome = solved(draft)
    assert (outcome.route[1], outcome.gone[1], outcome.by[1]) == (k.BROKEN, k.STAYS, 3)
    assert outcome.state[5] == k.FAILED


def test_a_ferried_army_that_exchanges_places_comes_through(draft: Draft) -> None:
    """Whether an army is aboard is not settled before whether it lands."""
    ferried = moves(draft, 1, 2, owner=1, flags=k.CARRIED | k.PASS | k.LEAVES)
    carries(draft, 0, ferried, owner=3)
    other = moves(draft, 2, 1, owner=2, flags=k.CARRIED | k.PASS)
    carries(draft, 5, other, owner=2)
    outcome = solved(draft)
    assert (outcome.state[1], outcome.state[3]) == (k.CAME, k.CAME)


def one_answer(draft: Draft) -> tuple[DraftRow, DraftRow]:
    """Two routes in a circle: the first holds if the second does and it does not itself; the second if the first does.

    The supporters at 5 lie in one place, so that one landing cuts both.
    """
    first = moves(draft, 10, 5, owner=1, flags=k.CARRIED | k.PASS)
    second = moves(draft, 11, 6, owner=1, flags=k.CARRIED | k.PASS)
    near, far = carries(draft, 0, first, owner=1), carries(draft, 1, first, owner=1)
    carries(draft, 2, second, owner=1)
    draft.links -= {(5, near.at), (10, far.at)}
    draft.join(0, 1, both_waters=True)
    helps(draft, 6, moves(draft, 12, 0, owner=2), owner=2)  # the second landing saves the near fleet
    against_far = moves(draft, 13, 1, owner=2)
    helps(draft, 7, against_far, owner=2)
    helps(draft, 5, far, owner=2)  # the first landing loses the far fleet
    helps(draft, 5, moves(draft, 14, 2, owner=2), owner=2).flags = k.ABSENT  # and saves the other
    return first, second


def test_the_one_assignment_that_agrees_with_itself_is_the_answer(draft: Draft) -> None:
    """A circle of routes with exactly one consistent resolution is no paradox (DATC 4.A.2)."""
    first, second = one_answer(draft)
    outcome = solved(draft)
    assert (outcome.route[first.number], outcome.route[second.number]) == (k.BROKEN, k.BROKEN)


def test_a_circle_ends_at_an_army_that_may_walk(draft: Draft) -> None:
    """By land an army cuts the same supports as by sea, so nothing depends on its route (DATC 4.A.3 c)."""
    first, second = one_answer(draft)
    first.flags |= k.EITHER
    outcome = solved(draft)
    assert (outcome.route[first.number], outcome.route[second.number]) == (k.WALKS, k.HOLDS)


def walker(draft: Draft, flags: int = 0) -> tuple[DraftRow, DraftRow, DraftRow, DraftRow]:
    """An army that may walk, its fleet, the attack on the fleet, and the support of that, which the army attacks."""
    army = moves(draft, 1, 2, owner=1, flags=k.CARRIED | k.PASS | k.EITHER | flags)
    fleet = carries(draft, 0, army, owner=1)
    helps(draft, 5, army, owner=1)
    attack = moves(draft, 3, 0, owner=2)
    return army, fleet, attack, helps(draft, 2, attack, owner=2)


@pytest.mark.parametrize("knot", [k.SZYKMAN, k.ALL_HOLD])
def test_an_army_that_cuts_by_land_too_makes_no_paradox(draft: Draft, knot: int) -> None:
    """If its convoy were disrupted it would walk and save it: it goes by sea, as in the one consistent resolution."""
    army, fleet, attack, support = walker(draft)
    outcome = solved(draft, knot=knot)
    assert (outcome.route[army.number], outcome.route[fleet.number]) == (k.HOLDS, k.OPEN)
    assert (outcome.state[army.number], outcome.state[attack.number]) == (k.CAME, k.FAILED)
    assert outcome.cut[support.number] == k.CUT


@pytest.mark.parametrize("knot", [k.SZYKMAN, k.ALL_HOLD])
def test_an_army_that_cuts_only_by_land_makes_a_paradox(draft: Draft, knot: int) -> None:
    """Where a convoyed army does not cut, no resolution is consistent: its fleet is silenced, it walks, and cuts.

    (DATC 6.G.11 under 4.A.2 b or c and 4.A.3 c.)  Under the all-hold rule the attack on the fleet fails as well.
    """
    army, fleet, attack, support = walker(draft, k.BLUNT)
    outcome = solved(draft, knot=knot)
    assert (outcome.route[army.number], outcome.route[fleet.number]) == (k.WALKS, k.SILENCED)
    assert (outcome.state[army.number], outcome.state[attack.number]) == (k.CAME, k.FAILED)
    assert outcome.cut[support.number] == k.CUT
    assert outcome.by[attack.number] == (0 if knot == k.ALL_HOLD else fleet.number)


def test_an_army_that_sails_and_lands_makes_no_circle(draft: Draft) -> None:
    """A landing in a circle is left out, even if the circle has one consistent resolution (AFM-6.i)."""
    first = moves(draft, 10, 5, owner=1, flags=k.CARRIED | k.PASS)
    near, far = carries(draft, 0, first, owner=1), carries(draft, 1, first, owner=1)
    draft.links -= {(5, near.at), (10, far.at)}
    draft.join(0, 1, both_waters=True)
    helps(draft, 6, moves(draft, 12, 0, owner=2), owner=2)  # the landing at 6 would save the near fleet
    against_far = moves(draft, 13, 1, owner=2)
    helps(draft, 7, against_far, owner=2)
    helps(draft, 5, far, owner=2)  # the landing at 5 would lose the far fleet
    fleet, guard = moves(draft, 3, 2, owner=1), draft.add(2, owner=2)
    helps(draft, 8, fleet, owner=1)
    helps(draft, 5, guard, owner=2).flags = k.ABSENT  # and let the other fleet in
    landing = moves(draft, 2, 6, owner=1, flags=k.ABSENT | k.CARRIED | k.SAILS | k.PASS)
    landing.about = fleet.number
    outcome = solved(draft)
    assert (outcome.route[first.number], outcome.route[landing.number]) == (k.SILENCED, k.SILENCED)


def test_what_hangs_on_walking_waits_for_the_walker(draft: Draft) -> None:
    """A fleet's arrival that only an army's walking decides is judged after that army's route (DATC 4.A.3 c)."""
    landing = moves(draft, 10, 11, owner=1, flags=k.CARRIED | k.PASS)  # a paradox: it would cut the attack on its fleet
    carries(draft, 12, landing, owner=1)
    helps(draft, 11, moves(draft, 13, 12, owner=2), owner=2)
    walker = moves(draft, 1, 2, owner=1, flags=k.CARRIED | k.PASS | k.EITHER)
    carries(draft, 0, walker, owner=1)
    helps(draft, 11, moves(draft, 14, 0, owner=2), owner=2).flags = k.ABSENT  # and the one on the walker's
    helps(draft, 4, walker, owner=1)
    helps(draft, 5, walker, owner=1)
    opponent = moves(draft, 2, 1, owner=3)
    helps(draft, 6, opponent, owner=3)
    leaver = moves(draft, 9, 1, owner=4)  # gets in only if the opponent is beaten head on
    fleet = moves(draft, 8, 9, owner=5)
    sailor = moves(draft, 9, 7, owner=5, flags=k.ABSENT | k.CARRIED | k.SAILS | k.PASS)
    sailor.about = fleet.number
    outcome = solved(draft)
    assert (outcome.route[landing.number], outcome.route[walker.number]) == (k.SILENCED, k.WALKS)
    assert outcome.state[opponent.number] == k.FAILED
    assert outcome.state[leaver.number] == outcome.state[fleet.number] == k.CAME
    assert outcome.route[sailor.number] == k.HOLDS


def test_all_hold_stops_the_circle_and_no_more(draft: Draft) -> None:
    """Under the all-hold rule the attack in the paradox fails; what merely follows from it is judged (DATC 4.A.2 d)."""
    army = moves(draft, 1, 2, owner=1, flags=k.CARRIED | k.PASS)
    carries(draft, 0, army, owner=1)
    raider = moves(draft, 3, 0, owner=2)
    helps(draft, 2, raider, owner=2)
    follower = moves(draft, 4, 3, owner=2)
    outcome = solved(draft, knot=k.ALL_HOLD)
    assert outcome.route[army.number] == k.SILENCED
    assert outcome.state[raider.number] == outcome.state[follower.number] == k.FAILED
    assert (outcome.by[raider.number], outcome.by[follower.number]) == (0, raider.number)


def rival_at_sea(draft: Draft, goal: int) -> DraftRow:
    """An army bound for `goal` whose crossing is certain only when a paradox elsewhere has been settled."""
    landing = moves(draft, 10, 11, owner=1, flags=k.CARRIED | k.PASS)
    carries(draft, 12, landing, owner=1)
    helps(draft, 11, moves(draft, 13, 12, owner=2), owner=2)
    rival = moves(draft, 14, goal, owner=3, flags=k.CARRIED | k.PASS)
    fleet = carries(draft, 15, rival, owner=3)
    helps(draft, 17, moves(draft, 16, 15, owner=2), owner=2)
    helps(draft, 11, fleet, owner=3).flags = k.ABSENT
    return rival


def test_a_ring_waits_for_a_rival_at_sea(draft: Draft) -> None:
    """A ring turns only when no rival can stop it, and a rival whose route is not yet known can (DATC 6.C.4)."""
    ring = [moves(draft, at, to, owner=5) for at, to in ((0, 1), (1, 2), (2, 0))]
    rival = rival_at_sea(draft, goal=1)
    outcome = solved(draft)
    assert outcome.route[rival.number] == k.HOLDS
    assert {outcome.state[row.number] for row in ring} == {k.FAILED}


def test_two_that_meet_head_on_are_no_ring(draft: Draft) -> None:
    """Two units that each wait for the other, their supports not yet certain, do not pass (STD-6.c)."""
    loser, winner = moves(draft, 0, 1, owner=5), moves(draft, 1, 0, owner=6)
    helps(draft, 2, loser, owner=5)
    rival_at_sea(draft, goal=2)  # cuts this support
    helps(draft, 11, winner, owner=6).flags = k.ABSENT  # and a silenced landing does not cut this one
    outcome = solved(draft)
    assert (outcome.state[loser.number], outcome.state[winner.number]) == (k.FAILED, k.CAME)


def test_an_attack_waits_for_its_opponents_support(draft: Draft) -> None:
    """An attack that would win head on stands off once the other's support is known to be given (STD-8.g)."""
    attack, opponent = moves(draft, 0, 1, owner=5), moves(draft, 1, 0, owner=6)
    helps(draft, 2, attack, owner=5)
    rival_at_sea(draft, goal=9)
    helps(draft, 11, opponent, owner=6).flags = k.ABSENT  # cut, if the landing there were not silenced
    outcome = solved(draft)
    assert (outcome.state[attack.number], outcome.by[attack.number]) == (k.FAILED, opponent.number)


def test_an_attack_waits_for_a_rival_at_sea(draft: Draft) -> None:
    """An attack strong enough for the occupant still stands off with an army that comes late to be known."""
    attack = moves(draft, 0, 1, owner=5)
    draft.add(1, owner=6)
    helps(draft, 2, attack, owner=5)
    rival = rival_at_sea(draft, goal=1)
    helps(draft, 3, rival, owner=3)
    outcome = solved(draft)
    assert (outcome.state[attack.number], outcome.by[attack.number]) == (k.FAILED, rival.number)


def test_help_of_the_occupants_side_does_not_beat_a_rival_either(draft: Draft) -> None:
    """An attack that is the strongest only by the occupant's own help stands off with the next (DATC 6.E.7)."""
    attack = moves(draft, 0, 1, owner=1)
    draft.add(1, owner=2)
    helps(draft, 3, attack, owner=1)
    helps(draft, 4, attack, owner=2)
    rival = moves(draft, 5, 1, owner=3)
    helps(draft, 6, rival, owner=3)
    outcome = solved(draft)
    assert (outcome.by[attack.number], outcome.by[rival.number]) == (rival.number, attack.number)
    assert (outcome.strength[attack.number], outcome.spoilt[attack.number]) == (3 * UNIT, UNIT)


def test_help_of_the_opponents_side_does_not_beat_a_rival_either(draft: Draft) -> None:
    """The same holds of an attack that beats its opponent head on (DATC 6.E.7)."""
    attack = moves(draft, 0, 1, owner=1)
    opponent = moves(draft, 1, 0, owner=2)
    helps(draft, 3, attack, owner=1)
    helps(draft, 4, attack, owner=2)
    rival = moves(draft, 5, 1, owner=3)
    helps(draft, 6, rival, owner=3)
    outcome = solved(draft)
    assert (outcome.by[attack.number], outcome.by[opponent.number]) == (rival.number, attack.number)


def test_units_of_one_power_do_not_exchange_places(draft: Draft) -> None:
    """Of two units of one power that meet head on the supported one fails too (STD-6.e)."""
    attack = moves(draft, 0, 1, owner=1)
    opponent = moves(draft, 1, 0, owner=1)
    helps(draft, 3, attack, owner=2)
    outcome = solved(draft)
    assert (outcome.by[attack.number], outcome.by[opponent.number]) == (opponent.number, attack.number)


def test_a_problem_that_no_orders_make_still_ends(draft: Draft) -> None:
    """Rows whose flags contradict each other fail instead of keeping the kernel busy."""
    for at, to in ((0, 1), (1, 0)):
        moves(draft, at, to, owner=at, flags=k.PASS | k.EITHER)
    assert draft.problem().solve().state[1:] == [k.FAILED, k.FAILED]


def test_a_problem_that_no_orders_make_still_settles_its_supports(draft: Draft) -> None:
    """A support that hangs on such rows is settled, too, once they have failed."""
    moves(draft, 4, 5, owner=3, flags=k.PASS | k.EITHER)
    moves(draft, 5, 4, owner=2, flags=k.PASS | k.EITHER)
    attack = moves(draft, 3, 5, owner=2)
    attack.force = 3 * UNIT
    support = helps(draft, 5, moves(draft, 6, 3, owner=3), owner=3)
    support.flags = k.ABSENT
    outcome = draft.problem().solve()
    assert outcome.state[attack.number] == k.FAILED
    assert outcome.cut[support.number] == k.GIVEN


def test_who_sails_into_a_box_endangers_no_carrier(draft: Draft) -> None:
    """A unit that arrives unopposed, and opposes nobody, leaves the convoys of the place alone (CNW-3.a)."""
    army = moves(draft, 1, 2, owner=1, flags=k.CARRIED | k.PASS)
    carries(draft, 0, army, owner=1)
    visitor = moves(draft, 3, 0, owner=2, flags=k.FREE)
    outcome = solved(draft)
    assert (outcome.route[army.number], outcome.state[army.number], outcome.state[visitor.number]) == (
        k.HOLDS,
        k.CAME,
        k.CAME,
    )


def test_all_hold_keeps_a_ferried_army_ashore(draft: Draft) -> None:
    """A ferry stopped by the all-hold rule takes nobody aboard."""
    army = moves(draft, 1, 2, owner=1, flags=k.CARRIED | k.PASS | k.LEAVES)
    carries(draft, 0, army, owner=1)
    helps(draft, 6, army, owner=1)
    helps(draft, 2, moves(draft, 3, 0, owner=2), owner=2)
    outcome = solved(draft, knot=k.ALL_HOLD)
    assert (outcome.route[army.number], outcome.gone[army.number]) == (k.SILENCED, k.STAYS)
