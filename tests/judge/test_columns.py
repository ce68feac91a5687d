"""What mechanics say in columns, beside what batches make of it: players, and the forms of units."""

from __future__ import annotations

from gamesmaster.board import Location
from gamesmaster.engine import HOLD
from gamesmaster.mechanics import Boats, Extinction
from gamesmaster.orders import BUILDS
from gamesmaster.rules import Columns, OwnVerb, Rules, Standing
from gamesmaster.variant import find_variant


def nothing(_: object, now: Standing) -> None:
    """A rule that changes nothing."""


def test_players_reckon_with_all_but_orders_of_its_own() -> None:
    """What may be ordered they know where mechanics do not meddle, or say what counts."""
    assert Columns(bars=nothing, storm=nothing, after_count=nothing, before_winter=nothing, feeds=nothing).foreseen
    assert not Columns(offers=nothing).foreseen
    assert not Columns(offers=nothing, verbs=(OwnVerb(HOLD),)).foreseen
    assert Columns(offers=nothing, verbs=(OwnVerb(HOLD), OwnVerb(HOLD, thought=BUILDS))).foreseen


def test_units_have_the_form_that_a_mechanic_gives_them() -> None:
    """Afloat on water, on land again as they were; most mechanics leave units as they are."""
    indianomacy = find_variant("indianomacy")
    rules = Rules.of(indianomacy)
    (boats,) = (mechanic for mechanic in rules.mechanics if isinstance(mechanic, Boats))
    forms = {(kind, at): boats.form_at(rules, kind, Location(at)) for kind in ("W", "W/CF") for at in ("b", "4")}
    assert forms == {("W", "b"): "W/CF", ("W/CF", "b"): "W/CF", ("W", "4"): "W", ("W/CF", "4"): "W"}
    assert Extinction().form_at(rules, "W", Location("b")) == "W"
