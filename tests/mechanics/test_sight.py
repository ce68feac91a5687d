"""Partial sight as a mechanic: what a power sees, which order counts, and what maps and reports say of the rest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamesmaster.board import Dislodged, Location, Position, Unit, units_from
from gamesmaster.game import Game, ledger_of, seen_by
from gamesmaster.judge import adjudicate, corroborate
from gamesmaster.mechanics import ArmyFleet, Sight
from gamesmaster.orders import PhaseKind
from gamesmaster.pictures import board_in_words, neighbourhood
from gamesmaster.players import views
from gamesmaster.rules import Rules, SightCause, SightMechanic, seen_provinces, told_orders, unseen
from gamesmaster.variant import find_variant
from tests.scenarios.setup import with_ends

STANDARD = find_variant("standard")
FRANCE = Position(units_from({"France": ["A MAR", "F BRE"]}), {"PAR": "France", "BER": "Germany"})


def rules(*mechanics: SightMechanic) -> Rules:
    """The regular rules with these mechanics."""
    return replace(Rules.of(STANDARD), mechanics=mechanics)


@pytest.mark.parametrize(
    ("sight", "seen"),
    [
        (Sight("nothing", "nothing"), "MAR BRE PAR"),
        (Sight("moves", "nothing"), "MAR BRE PAR SPA GAS BUR PIE MAO ENG PIC"),
        (Sight("neighbours", "nothing"), "MAR BRE PAR SPA GAS BUR PIE MAO ENG PIC LYO"),
        (Sight("nothing", "neighbours"), "MAR BRE PAR PIC BUR GAS"),
    ],
)
def test_what_is_seen(sight: Sight, seen: str) -> None:
    """A power sees the places of its units and centres, and about them what the variant says (FOG-2.a to c)."""
    assert seen_provinces(rules(sight), FRANCE, ["France"]) == {*seen.split()}
    assert seen_provinces(rules(sight), FRANCE, []) == frozenset()


def test_a_dislodged_unit_sees_from_where_it_was_beaten() -> None:
    """It counts for sight until it has retreated (FOG-2.a)."""
    beaten = Dislodged(Unit(9, "A", "Italy", Location("TYR")))
    position = Position(dislodged=(beaten,))
    assert seen_provinces(rules(Sight("nothing", "nothing")), position, ["Italy"]) == {"TYR"}


def test_several_rules_hide_what_each_of_them_hides() -> None:
    """With two mechanics a power sees what both let it see, and all of the board with one that hides nothing."""
    both = rules(Sight("moves", "nothing"), Sight("nothing", "neighbours"))
    assert seen_provinces(both, FRANCE, ["France"]) == {*["MAR", "BRE", "PAR", "PIC", "BUR", "GAS"]}
    assert len(SightMechanic().sees(both, FRANCE, "France")) == len(STANDARD.board.provinces)
    assert [told_orders(rules(mechanic)) for mechanic in (SightMechanic(), Sight(orders="none"))] == [True, False]


def test_nothing_out_of_sight_is_counted() -> None:
    """Ledger, text board and map say what is out of sight, and speak of nobody's units and centres there (FOG-2.d)."""
    game = seen_by(Game.start(find_variant("blind"), seed=bytes(32)), ["France"])
    ledger = ledger_of(game.variant, game.rules, game.phase, game.position)
    assert ledger.sections["Sight"] == ("72 provinces of 75 out of sight; nothing there is counted",)
    assert {holding.power: holding.centres for holding in ledger.holdings if holding.centres} == {"France": 3}
    words = board_in_words(game.variant, game.rules, game.phase, game.position)
    assert "Germany: neither units nor centres in sight." in words
    assert "Centres of nobody" not in words
    near = neighbourhood(game.variant.board, game.position, "BUR")
    assert "It is out of sight." in near
    assert "Ruhr (Ruh), inland, home province of Germany, out of sight." in near
    signs = Sight().place_signs(game.rules, game.position)
    assert len(signs) == 72
    assert {*signs.values()} == {("fog",)}
    assert not Sight().place_signs(game.rules, FRANCE)


def test_the_whole_position_hides_nothing() -> None:
    """The Gamesmaster's position says nothing of sight; one that is seen keeps no state but that."""
    assert not any(map(unseen(STANDARD.board, FRANCE), STANDARD.board.index))
    assert not [*Sight().report_lines(rules(Sight()), FRANCE, None)]  # type: ignore[arg-type]  # no phases are asked for


@pytest.mark.parametrize(
    ("orders", "counts"),
    [
        (["A MUN S A BUR", "A MUN - TYR"], "A MUN"),
        (["A MUN - TYR", "A MUN S A BUR"], "A TYR"),
        (["A RUH - BUR", "A MUN - TYR"], "A TYR"),
        (["A PAR - GAS", "A MUN - TYR"], "A TYR"),
    ],
)
def test_the_first_order_counts(orders: list[str], counts: str) -> None:
    """Of several orders for a unit the first counts, possible or not; orders for no unit of the power do not count."""
    position = Position(units_from({"Germany": ["A MUN"], "France": ["A PAR"]}))
    after = adjudicate(rules(Sight()), PhaseKind.MOVEMENT, position, {"Germany": orders})
    assert [str(unit) for unit in after.position.of("Germany")] == [counts]
    assert after.tells_of("France")  # the judge hides nothing
    assert [ruling.cause is SightCause.LATER for ruling in after.rulings][:2] == [False, orders[0].startswith("A MUN")]


@pytest.mark.parametrize(
    ("order", "says"),
    [
        ("A Mun S A Ruh - Bel", "supports into"),
        ("A Mun S A Par - Bur", "out of sight"),
        ("A Kie - Lon", "out of sight"),
        ("A Mun S A Kie - Lon", "supports into"),
        ("A Mun - Par", "cannot reach"),
    ],
)
def test_warnings_know_only_what_is_seen(order: str, says: str) -> None:
    """An order that only what is out of sight could make possible is said to be so, and no other (FOG-3.a)."""
    game = Game.start(find_variant("fog"), seed=bytes(32))
    units = units_from({"Germany": ["A MUN", "A KIE"], "France": ["A PAR"], "England": ["F NTH"]})
    seen = seen_by(replace(game, position=Position(units, {"MUN": "Germany"})), ["Germany"])
    warned = corroborate(seen.rules, PhaseKind.MOVEMENT, seen.position, {"Germany": [order]})
    assert any(says in warning.text for warning in warned), warned


def test_a_mechanic_with_a_state_is_refused() -> None:
    """Players are never told what other mechanics keep, so a variant with both is reported."""
    found = [*Sight().lint(rules(Sight(), ArmyFleet()), ())]  # type: ignore[arg-type]
    assert [finding.level for finding in found] == ["error"]
    assert not [*Sight().lint(rules(Sight()), ())]


def test_units_are_placed_freely_on_a_hidden_board() -> None:
    """That the first units may be placed anywhere at home is known to all, so each power is offered its own places."""
    variant = with_ends(find_variant("blind"), mechanics=[{"name": "free-placement"}])
    game = replace(Game.start(variant, seed=bytes(32)), phase=variant.calendar.read("W1901A"))
    game = replace(game, position=replace(game.position, units=()))
    (sight,) = (mechanic for mechanic in variant.mechanics if isinstance(mechanic, Sight))
    assert not [*sight.lint(game.rules, ())]
    assert {str(order.at) for order in views(game)["France"].winter if order.at} >= {"PIC", "GAS", "PAR"}
    after = seen_by(replace(game.process(), orders={}), ["France"])
    assert [*after.position.state] == ["sight"]
    assert "Builds saved" not in after.ledger.sections


def test_a_name_in_doubt_is_not_settled_by_what_is_out_of_sight() -> None:
    """Which of several places a support means would tell which of them has a unit, so it means none (FOG-3.a)."""
    provinces = [replace(p, aliases=("Gulf",)) if p.id in ("LYO", "TYS") else p for p in STANDARD.board.provinces]
    variant = replace(STANDARD, board=replace(STANDARD.board, provinces=tuple(provinces)))
    position = Position(units_from({"France": ["F WES"], "Italy": ["F LYO"]}))
    book = Rules.of(variant, {"doubtful_name": "settled_by_unit"})
    for mechanics, cause in (((), "MOVES_AWAY"), ((Sight("nothing", "nothing"),), "UNREADABLE")):
        orders = {"France": ["F Wes S F Gulf"], "Italy": ["F Lyo - Pie"]}
        found = adjudicate(replace(book, mechanics=mechanics), PhaseKind.MOVEMENT, position, orders)
        assert found.rulings[0].cause.name == cause
