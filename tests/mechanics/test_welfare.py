"""Welfare: points for units that powers could feed, removals that nobody owes, and the end after a Winter."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Position, units_from
from gamesmaster.game import Game, Outcome, Termination, dumps, loads, scores
from gamesmaster.judge import LegalOrders, accounts, most_removals
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.testing import check_variant
from gamesmaster.variant import find_variant

WELFARE = find_variant("welfare")
CENTRES = {"France": "PAR MAR BRE SPA POR", "Germany": "BER KIE MUN"}
UNITS = {"France": ["A PAR", "F MAO", "A SPA"], "Germany": ["A BER", "A MUN", "F KIE", "F HEL"]}


def winter(year: int = 1901, centres: dict[str, str] = CENTRES, *, disorder: str = "") -> Game:
    """The game at the Winter of a year, with France that can feed two units more and Germany that owes a removal."""
    owners = {centre: power for power, owned in centres.items() for centre in owned.split()}
    game = Game.start(replace(WELFARE, start=Position(units_from(UNITS), owners)), seed=bytes(32))
    game = game.set_disorder(disorder) if disorder else game
    while (game.phase.kind, game.phase.year) != (PhaseKind.ADJUSTMENTS, year):
        game = game.process()
    return game


def points(game: Game) -> dict[str, int]:
    """The points of the ledger, by power."""
    return {e.power: e.number for e in game.ledger.entries if e.heading == "Welfare" and e.number}


@pytest.mark.parametrize(
    ("orders", "units", "gained"),
    [
        ([], 3, 2),
        (["Build A Mar"], 4, 1),
        (["Build A Mar", "Build F Bre"], 5, 0),
        (["Remove A Spa"], 2, 3),
        (["Remove A Spa", "Disband F Mao", "Remove A Par"], 0, 5),
        (["Build A Mar", "Remove A Spa"], 4, 1),  # builds go before removals
        (["Remove A Bur"], 3, 2),
    ],
)
def test_what_is_not_spent_on_units_is_welfare(orders: list[str], units: int, gained: int) -> None:
    """A power removes what it likes if it builds nothing, and has a point for every centre that feeds no unit."""
    game = winter().submit("France", orders).process()
    assert len(game.position.of("France")) == units
    assert points(game) == ({"France": gained} if gained else {})
    assert dumps(loads(dumps(game), find=lambda _: game.variant)) == dumps(game)


def test_why() -> None:
    """The reason of a removal says if it was not owed, and that it was not made because of a build."""
    game = winter().submit("France", ["Remove A Spa"]).submit("Germany", ["Remove F Hel"]).process()
    told = {ruling.given: ruling for ruling in game.adjudication(game.records[-1]).rulings}
    freely, owed = told["Remove A Spa"], told["Remove F Hel"]
    assert (freely.text, freely.clause) == ("is removed for the welfare of its power", "WEL-10.a")
    assert (owed.text, owed.clause) == ("is removed", "STD-10.f")
    game = winter().submit("France", ["Build A Mar", "Remove A Spa"]).process()
    told = {ruling.given: ruling for ruling in game.adjudication(game.records[-1]).rulings}
    assert told["Remove A Spa"].clause == "WEL-10.a"
    assert "builds in the same Winter" in told["Remove A Spa"].text


def test_more_than_is_owed() -> None:
    """A power that owes a removal may remove more, and what it owes goes without an order too."""
    game = winter().submit("Germany", ["Remove F Hel", "Remove A Mun"]).process()
    assert {str(unit) for unit in game.position.of("Germany")} == {"A BER", "F KIE"}
    assert points(game)["Germany"] == 1
    assert len(winter().process().position.of("Germany")) == 3


def test_everybody_is_asked() -> None:
    """Every power with units is asked in Winter, and any of its units may go; in the regular game only those owed."""
    game = winter()
    asked = {status.power: status.text for status in game.status}
    assert asked["France"] == "2 builds, units to keep or remove"
    assert asked["Germany"] == "a removal"
    legal = LegalOrders(game.rules, game.position).of_winter("France")
    assert {str(order.at) for order in legal if order.verb is Verb.REMOVE} == {"PAR", "SPA", "MAO"}
    found = accounts(game.rules, game.position)
    assert {power: most_removals(found[power]) for power in CENTRES} == {"France": 3, "Germany": 4}
    regular = replace(find_variant("standard"), start=game.position)
    found = accounts(Game.start(regular, seed=bytes(32)).rules, game.position)
    assert {power: most_removals(found[power]) for power in CENTRES} == {"France": 0, "Germany": 1}


def test_points_stay() -> None:
    """Points are added up and never lost, and a power without a player gains them too."""
    game = winter(1902, disorder="France")
    assert points(game) == {"France": 2}
    assert points(game.process()) == {"France": 4}


def test_the_game_ends_after_a_winter() -> None:
    """The last Winter still brings points; then the survivors share a draw."""
    before = winter(1910)
    assert before.outcome is None
    over = before.submit("France", ["Remove A Par", "Remove A Spa", "Remove F Mao"]).process()
    assert over.outcome == Outcome(Termination.DRAW, ("France", "Germany"), "W1910A")
    assert points(over)["France"] == points(before)["France"] + 5
    events = {(event.kind.value, event.power) for event in over.records[-1].events}
    assert events >= {("survives", "France"), ("survives", "Germany")}


def test_eighteen_centres_win_nothing() -> None:
    """A power with half the board goes on; with all of it the game is over when the Winter is complete."""
    board = WELFARE.board.centres
    half = {"France": " ".join(board[:20]), "Germany": "BER"}
    assert winter(1902, half).process().outcome is None
    alone = {"France": " ".join(board)}
    game = winter(1901, alone)
    game = replace(game, position=replace(game.position, owners=dict.fromkeys(board, "France")))
    assert game.process().outcome == Outcome(Termination.VICTORY, ("France",), "W1901A")


def test_points_score_the_game() -> None:
    """The scoring system `points` counts the points of every power; there are none in the regular game."""
    over = winter(1910).process()
    assert scores(over, "points")["France"] == Fraction(points(over)["France"])
    assert scores(over, "points")["Turkey"] == 0


def test_batches_refuse_it() -> None:
    """Batches name the reason."""
    assert "the mechanic Welfare (batches keep no welfare points)" in supports(WELFARE).why_not


@pytest.mark.bulk
def test_the_variant_conforms() -> None:
    """Random games break no promise."""
    assert check_variant(WELFARE, phases=30) == []
