"""Whatever stands where: the players that come along order what is lawful, all that is asked, and the same again."""

from __future__ import annotations

from random import Random as Chance

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.board import Board, Position
from gamesmaster.judge import adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.players import (
    Heuristic,
    Holder,
    Player,
    Random,
    Searcher,
    View,
    find_player,
    play,
    player_names,
    views,
)
from gamesmaster.rules import Result
from gamesmaster.testing import random_orders, random_position
from gamesmaster.testing.strategies import boards, positions
from gamesmaster.variant import find_variant, variant_names
from tests.lengths import mark_long

from .table import CODES, STANDARD, at, board_of, judged, seen, told, variant_on


def _made(name: str) -> Player:
    """A player that comes along; the searching one made hasty."""
    return Searcher(samples=2, tries=2) if name == "searcher" else find_player(name)


PLAYERS = [_made(name) for name in player_names()]


def _phases(board: Board, position: Position, chance: Chance) -> dict[PhaseKind, Position]:
    """A position for each kind of phase: the one given, and what it is after some moves."""
    rules = next(iter(views(at(variant_on(board), "S1901M", position)).values())).rules
    orders = random_orders(chance, board, position, wild=0)
    beaten = adjudicate(rules, PhaseKind.MOVEMENT, position, orders).position
    return {PhaseKind.MOVEMENT: position, PhaseKind.RETREATS: beaten, PhaseKind.ADJUSTMENTS: position}


def _check(player: Player, view: View) -> None:
    """A player's orders are lawful, enough, and not too many."""
    done = judged(player, view)
    given_ = [r for r in done.rulings if r.power == view.power and r.given]
    assert [r.given for r in given_ if not r.possible] == []
    if view.phase.kind is PhaseKind.MOVEMENT:
        assert sorted(r.unit.number for r in given_ if r.unit) == sorted(u.number for u in view.units)
    elif not isinstance(player, Holder):
        assert all(r.result is Result.SUCCEEDS for r in given_)
        assert len(given_) == abs(view.due)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_orders_are_lawful_on_any_board(player: Player, data: st.DataObject) -> None:
    """On boards that nobody has seen before no order is impossible, and no unit is forgotten."""
    board = data.draw(boards())
    position = data.draw(positions(board))
    variant = variant_on(board)
    for kind, stands in _phases(board, position, data.draw(st.randoms(use_true_random=False))).items():
        for view in views(at(variant, CODES[kind], stands)).values():
            _check(player, view)


QUICK = [player for player in PLAYERS if player.name != "searcher"]


@pytest.mark.parametrize("player", mark_long(PLAYERS, but=QUICK), ids=lambda player: player.name)
@settings(max_examples=15, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_orders_are_lawful_on_the_standard_board(player: Player, chance: Chance) -> None:
    """The same with split coasts, canals and seven powers, wherever their units stand."""
    drawn = random_position(chance, STANDARD.board)
    powers = {name: STANDARD.powers[i].name for i, name in enumerate(("Red", "Blue", "Green"))}
    position = Position(
        tuple(type(u)(u.number, u.kind, powers[u.power], u.at) for u in drawn.units),
        {centre: powers[owner] for centre, owner in drawn.owners.items()},
    )
    for code in ("S1901M", "W1901A"):
        for view in views(at(STANDARD, code, position)).values():
            _check(player, view)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
def test_the_same_view_gets_the_same_orders(player: Player) -> None:
    """A player asked twice, or a new one of its kind, says the same; another power or phase has other chances."""
    view = views(at(STANDARD, "S1901M", STANDARD.start))["France"]
    assert told(player, view) == told(player, view) == told(_made(player.name), view)
    assert view.chance().random() == view.chance().random() != view.chance("other").random()
    assert view.chance().random() != views(at(STANDARD, "F1901M", STANDARD.start))["France"].chance().random()
    assert view.chance().random() != views(at(STANDARD, "S1901M", STANDARD.start))["Italy"].chance().random()


FOREIGN = ("pure", "hundred", "northseawars", "coldwar", "empiresandcoalitions")


OPTIONS = (
    "1000ad[af_module=yes]",
    *(f"conquest2[players={number}]" for number in (2, 3, 4)),
    *(f"conquest2[indians={seat}]" for seat in ("for-holland", "for-portugal", "sixth")),
)


@pytest.mark.parametrize("name", [*variant_names(), *OPTIONS, *FOREIGN])
def test_no_order_of_a_game_is_impossible(name: str) -> None:
    """In whole games of all variants and on boards of others, with odd homes and one-way edges, all is lawful."""
    variant = board_of(name) if name in FOREIGN else find_variant(name)
    players = {p.name: Heuristic() if i % 2 else Random() for i, p in enumerate(variant.powers)}
    match = play(variant, players, seed=1, until=variant.calendar.first_year + 3 * variant.calendar.years_per_turn)
    assert match.lapses == ()
    for record in match.game.records:
        for ruling in match.game.adjudication(record).rulings:
            assert not ruling.given or ruling.possible, (record.phase.code, ruling.given, ruling.text)


def test_random_helps_match_as_often_as_asked() -> None:
    """A random player told to match everything gives no support or convoy of its own units that fits nothing."""
    units = {"France": ["A PAR", "A BUR", "A PIC", "F ENG", "F MAO", "A GAS", "F LYO", "A MAR"]}
    idle = {0: 0, 100: 0}
    for matching in idle:
        for year in range(1901, 1941):
            view = seen("France", f"S{year}M", units)
            rulings = judged(Random(matching), view).rulings
            idle[matching] += sum(r.result is Result.VOID for r in rulings)
    assert idle[0] > 5 * idle[100]
