"""Every consistent resolution of tangled positions: if there is exactly one, the judge finds it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from random import Random

import pytest

from gamesmaster.board import ARMY, FLEET, Board, Location, Position, Unit, units_from
from gamesmaster.engine import rows as k
from gamesmaster.engine.problem import Problem
from gamesmaster.judge import Movement, adjudicate_movement
from gamesmaster.orders import Order, Verb
from gamesmaster.rules import Rulebook, Rules
from gamesmaster.testing import POWERS, random_board, random_orders, random_position
from gamesmaster.variant import find_variant
from tests.lengths import mark_long
from tests.naive import Naive, Scene

from .conftest import results

BLOCK = 75
ANSWERS = {"4.A.2": "abcdf", "4.A.3": ("a", "b", "c", "d", "DPTG", "a@2.5"), "4.A.5": "ab"}
BOOKS = [Rulebook.of(dict(zip(ANSWERS, answers, strict=True))) for answers in product(*ANSWERS.values())]


def tangled(rng: Random, board: Board, position: Position) -> dict[str, list[Order]]:
    """Random orders, but armies by sea attack fleets that support attacks on their convoys, wherever units stand so."""
    plain = random_orders(rng, board, position, wild=0)
    orders = {order.at: order for given in plain.values() for order in given}
    free = list(position.units)
    rng.shuffle(free)

    def take(*, kind: str, near: int = -1, at: Iterable[int] = range(99)) -> Unit | None:
        """Take a free unit that stands in one of these provinces and can go to another."""
        for unit in free:
            here = board.location_index[unit.at]
            if unit.kind == kind and board.place[here] in at and (near < 0 or near in board.reach(kind, here)):
                free.remove(unit)
                return unit
        return None

    for sea in rng.sample(range(len(board.provinces)), len(board.provinces)):
        shores = [place for place in board.shores[sea] if board.provinces[place].land]
        fleet, army = take(kind=FLEET, at=[sea] if board.carries[sea] else []), take(kind=ARMY, at=shores)
        guard, raider = take(kind=FLEET, near=sea, at=shores), take(kind=FLEET, near=sea)
        if not (fleet and army and guard and raider):
            continue
        goal, water = Location(guard.at.province), fleet.at
        orders[army.at] = Order(Verb.MOVE, ARMY, army.at, goal, via=rng.randrange(2) == 0)
        orders[fleet.at] = Order(Verb.CONVOY, FLEET, fleet.at, goal, of=army.at, of_kind=ARMY)
        orders[raider.at] = Order(Verb.MOVE, FLEET, raider.at, water)
        orders[guard.at] = Order(Verb.SUPPORT, FLEET, guard.at, water, of=raider.at, of_kind=FLEET)
        for kind in (ARMY, FLEET):
            friend = take(kind=kind, near=board.index[goal.province]) if rng.randrange(2) else None
            if friend:
                orders[friend.at] = Order(Verb.SUPPORT, kind, friend.at, goal, of=army.at, of_kind=ARMY)
    return {power: [orders[u.at] for u in position.of(power) if u.at in orders] for power in POWERS}


def expected(problem: Problem) -> tuple[int, Scene]:
    """The number of consistent resolutions, and what must happen: the only one, or what the paradox rule leaves."""
    naive, found = Naive(problem), dict[frozenset[int], Scene]()
    for scene in naive.resolutions():
        largest = found.setdefault(scene.holds, scene)
        assert scene.came <= largest.came  # the others leave circles of moves standing that may turn (DATC 6.C.1)
    return len(found), next(iter(found.values())) if len(found) == 1 else naive.scene


def judged(seed: int) -> Iterator[tuple[Movement, int, Scene]]:
    """A tangled position under every rulebook, with what is expected; equal Problems are settled once."""
    rng = Random(seed)
    board = random_board(rng)
    position = random_position(rng, board, fill=95)
    orders = tangled(rng, board, position)
    known: dict[str, tuple[int, Scene]] = {}
    for book in BOOKS:
        movement = adjudicate_movement(Rules(board, POWERS, rulebook=book), position, orders)
        key = str(movement.problem)
        known[key] = known.get(key) or expected(movement.problem)
        yield movement, *known[key]


def retreats(movement: Movement, scene: Scene) -> dict[int, set[int]]:
    """The provinces open to each dislodged unit, from the rules alone (STD-9, DATC 4.A.5, 4.A.7)."""
    facts, found = scene.facts, dict[int, set[int]]()
    full = {m.to for m in facts.moves if m.number in scene.came}
    full |= {u.at for u in facts.units if not scene.has_left(u) and not scene.victors(u)}
    contested = {m.to for m in facts.moves if m.number not in scene.came and scene.prevents(m)}
    for unit in facts.units:
        for attacker in scene.victors(unit):
            by_sea = attacker.number in scene.holds
            spared = by_sea and movement.field.rules.rulebook.retreat_to_convoy_origin == "allowed"
            near = set(movement.field.placements[unit.number].flees)
            found[unit.number] = near - full - contested - (set() if spared else {attacker.at})
    return found


@pytest.mark.bulk
@pytest.mark.parametrize("block", mark_long(range(40), but=range(1)))
def test_the_only_consistent_resolution_is_the_verdict(block: int) -> None:
    """Convoys are silenced just where the rules give no resolution or several (DATC 4.A.2), under every rulebook."""
    wrong, seen = [], Counter[int]()
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        for movement, resolutions, scene in judged(seed):
            seen[min(resolutions, 2)] += 1
            out, place = movement.out, movement.field.board.place
            came = {r for r, state in enumerate(out.state) if state == k.CAME}
            holds = {r for r, route in enumerate(out.route) if route == k.HOLDS}
            open_to = {r: {place[at] for at in found} for r, found in movement.retreats.items()}
            told = (k.SILENCED in out.route, came, holds, open_to)
            if told != (resolutions != 1, set(scene.came), set(scene.holds), retreats(movement, scene)):
                wrong.append((seed, movement.field.rules.rulebook, told))
    assert wrong == []
    assert block or min(seen[0], seen[2]) > 5, seen  # the block that is always run has many hard ones


# -- an army that walks if its convoy is disrupted ---------------------------------------------------------------------


ORDERS = {
    "Russia": ["A SWE - NWY VIA", "F BAR S A SWE - NWY"],
    "Germany": ["F SKA C A SWE - NWY"],
    "England": ["F NWY S F NTH - SKA", "F NTH - SKA"],
}
UNITS = {"Russia": ["A SWE", "F BAR"], "Germany": ["F SKA"], "England": ["F NWY", "F NTH"]}
BY_SEA = "succeeds: came_by_sea", "succeeds: available"
BY_LAND = "succeeds: came", "disrupted: carrier_silenced"


@pytest.mark.parametrize("origin", ["a", "b"])
@pytest.mark.parametrize(
    ("book", "resolutions", "told"),
    [
        ({"4.A.3": "c"}, 1, BY_SEA),
        ({"4.A.2": "d", "4.A.3": "c"}, 1, BY_SEA),
        ({"preset": "2000"}, 0, BY_LAND),
        ({"preset": "2023"}, 0, BY_LAND),
        ({"4.A.2": "b", "4.A.3": "c"}, 0, BY_LAND),
    ],
)
def test_an_attack_by_land_that_would_save_the_convoy(
    book: dict[str, str], resolutions: int, told: tuple[str, str], origin: str
) -> None:
    """If the convoy were disrupted the army would walk, cut the support and so save the convoy (DATC 6.G.11).

    Where a convoyed army cuts as well, only its convoy is consistent. Where it does not, nothing is: the fleet is
    silenced (Szykman), the army walks and cuts, and the unit it dislodges may not go to where it came from.
    """
    rules = Rules.of(find_variant("standard"), book | {"4.A.5": origin})
    done = adjudicate_movement(rules, Position(units_from(UNITS)), ORDERS)
    assert expected(done.problem)[0] == resolutions
    got = results(done)
    assert (got["A SWE - NWY VIA"], got["F SKA C A SWE - NWY"]) == told
    assert (got["F NWY S F NTH - SKA"], got["F NTH - SKA"]) == ("cut: cut_by_attack", "bounces: resisted")
    (beaten,) = done.position.dislodged
    assert (Location("SWE") in beaten.retreats) == (told is BY_SEA and origin == "b")
