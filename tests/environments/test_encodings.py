"""The encodings of DipNet and DeepMind are the published ones, and every order of many games comes back."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path

import pytest

from gamesmaster.board import Location, Position, units_from
from gamesmaster.environments import DeepMindActions, DipNetVocabulary
from gamesmaster.errors import NotFound
from gamesmaster.formats.phases import Bench, phase_of
from gamesmaster.game import Game
from gamesmaster.judge import LegalOrders
from gamesmaster.mechanics import PairVerb
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.testing.conformance import play
from gamesmaster.variant import find_variant
from tests.lengths import short_and_long

DATA = Path(__file__).parents[1] / "data"
STANDARD = find_variant("standard")


@cache
def dipnet() -> DipNetVocabulary:
    """The vocabulary, made once."""
    return DipNetVocabulary()


@cache
def deepmind() -> DeepMindActions:
    """The actions, made once."""
    return DeepMindActions()


def test_both_are_as_published() -> None:
    """Orders and actions, in their order, have the digests of the lists that those programs use."""
    assert len(dipnet().texts) == len(set(dipnet().texts)) == 13_042
    digest = sha256("\n".join(dipnet().texts).encode()).hexdigest()
    assert digest == "1f4765ee2d3147c6f9567feffaf80f2c1620efe87bd1fcf4a3852e5a51cce0af"
    assert len(deepmind().actions) == len(set(deepmind().actions)) == 18_584
    digest = sha256("\n".join(map(str, deepmind().actions)).encode()).hexdigest()
    assert digest == "222159ed841e5ddcd3ba497fdfc90850713f21ee8b0ffea4626eac318caadbb1"


def test_every_number_is_an_order() -> None:
    """From a number to its order and back; special words are no orders."""
    codes = dipnet()
    for number, text in enumerate(codes.texts):
        if text.startswith("<"):
            with pytest.raises(NotFound, match=f"no order number {number}"):
                codes.order(number, PhaseKind.MOVEMENT)
        else:
            assert codes.number(codes.order(number, PhaseKind.MOVEMENT)) == number
    removal = codes.order(codes.texts.index("A PAR D"), PhaseKind.ADJUSTMENTS)
    assert (removal.verb, codes.number(removal)) == (Verb.REMOVE, codes.texts.index("A PAR D"))
    with pytest.raises(NotFound, match="no order number -1"):
        codes.order(-1, PhaseKind.MOVEMENT)


def phases(count: int) -> Iterator[tuple[Game, list[Order]]]:
    """So many phases of random games, with all that is legal in them."""
    for game, _ in play(STANDARD, count, seed=3):
        legal = LegalOrders(game.rules, game.position)
        yield game, [order for power in game.rules.powers for order in legal.of_power(game.phase.kind, power)]


def plain(order: Order) -> Order:
    """Return the order as both encodings have it: supports name no coasts, and moves are by convoy where they must."""
    if order.verb is Verb.SUPPORT and order.to:
        return replace(order, to=Location(order.to.province))
    if order.verb is Verb.MOVE and order.at and order.to and order.kind == "A":
        board = STANDARD.board
        on_foot = board.index[order.to.province] in board.reach("A", board.location_index[order.at])
        by_sea = fleets(order.at.province, order.to.province, order.at.province) < 99
        return replace(order, via=by_sea and (order.via or not on_foot))
    return order


def fleets(a: str, b: str, without: str) -> int:
    """Return how many fleets a convoy from `a` to `b` takes at least, none of them in `without`; 99 if none can."""
    board = STANDARD.board
    ahead, seen = board.waters[board.index[a]] - {board.index[without]}, {board.index[without]}
    for count in range(1, 20):
        if ahead & board.waters[board.index[b]]:
            return count
        seen |= ahead
        ahead = frozenset(x for water in ahead for x in board.shores[water] if board.carries[x]) - seen
    return 99


def is_too_far(order: Order) -> bool:
    """Return whether an order is about a convoy that DipNet's vocabulary lacks, of more than four fleets."""
    assert order.at is not None
    assert order.to is not None
    army = order.of or order.at
    return order.verb is Verb.CONVOY or fleets(army.province, order.to.province, order.at.province) > 4


@short_and_long("count", 60, 250)
def test_orders_of_games_come_back(count: int) -> None:
    """Every legal order of random games is that of its action, and that of its number unless its convoy is too long."""
    met, far = set[object](), 0
    for game, orders in phases(count):
        for order in orders:
            assert deepmind().order(deepmind().action(order), game.position) == plain(order)
            try:
                number = dipnet().number(order)
            except NotFound:
                assert is_too_far(order)
                far += 1
                continue
            assert dipnet().order(number, game.phase.kind) == plain(order)
            met.add(order.verb)
    assert met >= {Verb.HOLD, Verb.MOVE, Verb.SUPPORT, Verb.CONVOY, Verb.RETREAT, Verb.DISBAND, Verb.BUILD, Verb.REMOVE}
    assert far < 0.02 * sum(1 for _ in STANDARD.board.locations) * count


@short_and_long("step", 60, 4)
def test_orders_of_recorded_games_come_back(step: int) -> None:
    """Orders that people gave come back, but for impossible ones and supports that lack a fleet's coast."""
    bench, seen, without = Bench(find_variant), 0, 0
    with gzip.open(DATA / "recorded_games.jsonl.gz") as lines:
        for line in islice(lines, 0, None, step):
            if b'"map":"standard"' not in line:
                continue
            phase = phase_of(json.loads(line), bench)
            for order in (ruling.order for ruling in phase.adjudication.rulings if ruling.order):
                try:
                    action, number = deepmind().action(order), dipnet().number(order)
                except NotFound:
                    without += 1
                    continue
                seen += 1
                assert deepmind().order(action, phase.position) == plain(order)
                assert dipnet().order(number, phase.phase.kind) == plain(order)
    assert seen > 300
    assert without < seen / 500


@pytest.mark.parametrize(
    ("army", "goal", "given", "via"),
    [
        ("YOR", "NWY", False, True),
        ("BEL", "HOL", False, False),
        ("BEL", "HOL", True, True),
        ("PIC", "PAR", True, False),
    ],
)
def test_moves_are_by_convoy_where_they_must(army: str, goal: str, given: bool, via: bool) -> None:
    """A move that is possible only by convoy, or only by land, has that number whatever way was given."""
    position = Position(units_from({"England": [f"A {army}"]}))
    order = Order(Verb.MOVE, "A", Location(army), Location(goal), via=given)
    assert dipnet().order(dipnet().number(order), PhaseKind.MOVEMENT) == replace(order, via=via)
    assert deepmind().order(deepmind().action(order), position) == replace(order, via=via)


def test_what_has_no_number() -> None:
    """An order that neither knows is refused, and so is an action where no unit stands."""
    far = Order(Verb.MOVE, "A", Location("PAR"), Location("MOS"))
    with pytest.raises(NotFound, match="no order 'A PAR - MOS' in DipNet's vocabulary"):
        dipnet().number(far)
    with pytest.raises(NotFound, match="no action of DeepMind's for this order"):
        deepmind().action(far)
    nameless = Order(Verb.SUPPORT, "A", Location("PAR"), Location("BUR"))
    for order in (nameless, replace(far, verb=PairVerb.BOARD), replace(far, at=None), replace(far, to=Location("XYZ"))):
        with pytest.raises(NotFound):
            dipnet().number(order)
        with pytest.raises(NotFound):
            deepmind().action(order)
    with pytest.raises(NotFound, match="no action 77"):
        deepmind().order(77, Position())
    action = deepmind().action(Order(Verb.HOLD, "A", Location("PAR")))
    with pytest.raises(NotFound, match="no unit in PAR"):
        deepmind().order(action, Position())
    assert deepmind().order(deepmind().action(Order(Verb.WAIVE)), Position()).verb is Verb.WAIVE
