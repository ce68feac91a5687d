"""Transformation of units: in a movement phase, in Winter, with coasts, and what spoils it (STD-13.a to STD-13.e)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.game import Game
from gamesmaster.judge import LegalOrders, adjudicate
from gamesmaster.mechanics.transforming import TransformCause, TransformVerb
from gamesmaster.orders import PhaseKind
from gamesmaster.players import Heuristic, play
from gamesmaster.rules import AnyCause, Cause, Result, Rules, Ruling
from gamesmaster.testing import check_variant
from gamesmaster.variant import Variant
from tests.scenarios.setup import with_ends

from .test_kinds import STANDARD

OWNERS = {"BRE": "France", "PAR": "France", "STP": "Russia", "KIE": "Germany", "HOL": "Germany"}


def variant(**parameters: Any) -> Variant:
    """The standard game with transformations."""
    return with_ends(STANDARD, mechanics=[{"name": "transformation", **parameters}])


def judged(made: Variant, units: Mapping[str, list[str]], orders: Mapping[str, list[str]]) -> tuple[Ruling, ...]:
    """The rulings of a movement phase in which these units have these orders."""
    position = Position(units_from(units), OWNERS)
    return adjudicate(Rules.of(made), PhaseKind.MOVEMENT, position, orders).rulings


@pytest.fixture(scope="module")
def plain() -> Variant:
    """With the usual parameters."""
    return variant()


def test_in_place(plain: Variant) -> None:
    """A unit in an own centre becomes one of the other kind, and can be supported meanwhile (STD-13.a)."""
    game = Game.start(plain, seed=bytes(32)).submit("France", ["F Bre transforms", "A Par S F Bre"]).process()
    assert {"A BRE", "A PAR"} <= {str(unit) for unit in game.position.of("France")}
    told = {ruling.given: ruling for ruling in game.adjudication(game.records[-1]).rulings}
    assert (told["F Bre transforms"].cause, told["F Bre transforms"].clause) == (TransformCause.TRANSFORMED, "STD-13.a")
    assert told["A Par S F Bre"].result is Result.SUCCEEDS


@pytest.mark.parametrize(("given", "after"), [
    ("A Stp transforms Stp/NC", "F STP/NC"),
    ("A Stp transforms into a fleet in Stp/SC", "F STP/SC"),
    ("A Stp transforms nc", "F STP/NC"),
    ("A Stp transforms", Cause.WHICH_COAST),
    ("A Stp transforms Stp/EC", Cause.WRONG_COAST),
    ("A Stp transforms Lvn", TransformCause.NO_GROUND),
])  # fmt: skip
def test_a_coast_is_named(plain: Variant, given: str, after: str | AnyCause) -> None:
    """Where there are several coasts, the order says which; an army needs none (STD-13.b)."""
    position = Position(units_from({"Russia": ["A STP"]}), OWNERS)
    done = adjudicate(Rules.of(plain), PhaseKind.MOVEMENT, position, {"Russia": [given]})
    assert (done.rulings[0].cause if isinstance(after, AnyCause) else str(done.position.units[0])) == after


@pytest.mark.parametrize(("places", "held"), [
    ("own-centres", "BRE HOL"), ("homes", "BRE"), ("centres", "BRE HOL BEL"), ("anywhere", "BRE HOL BEL PIC"),
])  # fmt: skip
def test_where(places: str, held: str) -> None:
    """It is possible in the places that the variant says (STD-13.c)."""
    made = variant(places=places)
    units = {"France": ["A BRE", "A PIC", "A PAR"], "Germany": ["A HOL", "A BEL", "A MUN"]}
    position = Position(units_from(units), OWNERS | {"MUN": "Germany"})
    legal = LegalOrders(Rules.of(made), position)
    found = [o for power in units for o in legal.of_power(PhaseKind.MOVEMENT, power) if o.verb == "transform"]
    assert {o.at.province for o in found if o.at} == {*held.split()}
    refused = judged(made, {"France": ["A PIC", "A PAR"]}, {"France": ["A Par transforms"]})
    assert refused[0].cause is TransformCause.NO_GROUND
    if places != "anywhere":
        assert judged(made, {"France": ["A PIC"]}, {"France": ["A Pic transforms"]})[0].cause is TransformCause.NOT_HERE


@pytest.mark.parametrize(("attacked", "orders", "result"), [
    ("fails", {"England": ["F Eng - Bre"]}, Result.FAILS),
    ("succeeds", {"England": ["F Eng - Bre"]}, Result.SUCCEEDS),
    ("succeeds", {"England": ["F Eng - Bre", "F Mao S F Eng - Bre"]}, Result.FAILS),
    ("fails", {"England": ["F Eng H"], "France": ["A Par - Bre"]}, Result.SUCCEEDS),
])  # fmt: skip
def test_what_spoils_it(attacked: str, orders: dict[str, list[str]], result: Result) -> None:
    """An attack of another power spoils it, or only being dislodged does (STD-13.d)."""
    units = {"France": ["F BRE", "A PAR"], "England": ["F ENG", "F MAO"]}
    given = {**orders, "France": ["F Bre transforms", *orders.get("France", [])]}
    ruling = next(r for r in judged(variant(attacked=attacked), units, given) if r.given == "F Bre transforms")
    assert ruling.result is result
    if result is Result.FAILS:
        assert ("is spoilt by the attack of F Eng" in ruling.text, ruling.clause) == (True, "STD-13.d")


def test_who_and_what(plain: Variant) -> None:
    """Only some powers, and only some kinds into others."""
    some = variant(powers=["Germany"], into={"A": "F"})
    units = {"France": ["A BRE"], "Germany": ["A KIE", "F HOL"]}
    orders = {"France": ["A Bre transforms"], "Germany": ["A Kie transforms", "F Hol transforms"]}
    found = {ruling.given: ruling.cause for ruling in judged(some, units, orders)}
    assert [*found.values()] == [TransformCause.NOT_HERE, TransformCause.TRANSFORMED, TransformCause.STAYS_SO]
    assert judged(variant(when=["adjustments"]), units, orders)[0].cause is TransformCause.NOT_NOW


def test_in_winter() -> None:
    """At the adjustments a power converts units before anything is built or removed (STD-13.e)."""
    rules = Rules.of(variant(when=["adjustments"]))
    units = {"Russia": ["A STP", "A MOS"], "France": ["F BRE", "A PAR"], "Germany": ["A BEL", "F HOL"]}
    position = Position(units_from(units), OWNERS)
    orders = {
        "Russia": ["Convert F Stp/NC", "Convert F Mos", "Convert A Hol", "Convert F Nwy", "Remove A Mos"],
        "France": ["Convert A Bre", "A Par transforms"], "Germany": ["Convert F Bel"],
    }  # fmt: skip
    done = adjudicate(rules, PhaseKind.ADJUSTMENTS, position, orders)
    assert {"F STP/NC", "A BRE", "A PAR", "A BEL", "F HOL"} == {str(unit) for unit in done.position.units}
    causes = {ruling.given: ruling.cause for ruling in done.rulings if ruling.given}
    assert [causes[text] for given in orders.values() for text in given] == [
        TransformCause.TRANSFORMED, TransformCause.NOT_HERE, Cause.FOREIGN, Cause.NO_UNIT, Cause.REMOVED,
        TransformCause.TRANSFORMED, Cause.OTHER_PHASE, TransformCause.NOT_HERE,
    ]  # fmt: skip
    wanting = adjudicate(rules, PhaseKind.ADJUSTMENTS, position, {"Russia": ["Convert F Stp", "Convert A Stp"]})
    assert [r.cause for r in wanting.rulings if r.given] == [Cause.WHICH_COAST, TransformCause.NO_GROUND]
    elsewhere = adjudicate(rules, PhaseKind.RETREATS, position, {"France": ["Convert A Bre"]})
    assert elsewhere.rulings[0].result is Result.VOID


def test_winter_is_played_for_it() -> None:
    """As long as somebody may transform a unit, the Winter is played."""
    game = Game.start(variant(when=["movement", "adjustments"]), seed=bytes(32))
    while game.phase.kind is not PhaseKind.ADJUSTMENTS:
        game = game.process()
    legal = LegalOrders(game.rules, game.position).of_power(game.phase.kind, "France", game.season)
    assert "Convert A Bre" in {game.rules.notation.write(order) for order in legal}


def test_bots_transform(plain: Variant) -> None:
    """The heuristic player transforms a unit that is worth more as one of the other kind, and batches refuse it."""
    game = play(plain, {power.name: Heuristic() for power in plain.powers}, seed=3, until=1903).game
    told = [ruling for record in game.records for ruling in game.adjudication(record).rulings]
    given = [ruling for ruling in told if ruling.order and ruling.order.verb is TransformVerb.TRANSFORM]
    assert {Result.SUCCEEDS} <= {ruling.result for ruling in given} <= {Result.SUCCEEDS, Result.FAILS}
    winters = variant(when=["adjustments"], places="centres")
    late = play(winters, {power.name: Heuristic() for power in winters.powers}, seed=5, until=1903).game
    told = [ruling for record in late.records for ruling in late.adjudication(record).rulings]
    given = [ruling for ruling in told if ruling.order and ruling.order.verb is TransformVerb.CONVERT]
    assert 0 < len(given) < 30
    assert supports(plain).why_not == ("the mechanic Transformation (batches transform no units)",)


@pytest.mark.parametrize(("parameters", "said"), [
    ({"into": {}}, "say which kinds become which"),
    ({"into": {"A": "A"}}, "A cannot become A"),
    ({"into": {"A": "X"}}, "no kind of unit 'X'"),
    ({"into": {"X": "A"}}, "no kind of unit 'X'"),
    ({"places": "sea"}, "Input should be"),
])  # fmt: skip
def test_what_a_file_may_not_say(parameters: dict[str, Any], said: str) -> None:
    """Each fault is told with its place."""
    with pytest.raises(BadFile, match=said):
        variant(**parameters)


@pytest.mark.bulk
def test_the_variant_conforms() -> None:
    """Units change by these orders alone."""
    assert check_variant(variant(when=["movement", "adjustments"], places="centres"), phases=25) == []
