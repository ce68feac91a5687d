"""What mechanics know better of a reason than its cause tells: the words, and the clauses of each game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.game import Game, report
from gamesmaster.game.reasons import event_reason
from gamesmaster.judge import adjudicate
from gamesmaster.mechanics.army_fleet.values import PairEvent
from gamesmaster.mechanics.boats.values import BoatEvent
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Event, EventKind, Rules, Ruling
from gamesmaster.variant import find_variant

M, R, A = PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS
Told = Mapping[str, Sequence[str]]


def ruled(
    name: str,
    units: Told,
    orders: Told,
    *,
    kind: PhaseKind = M,
    state: Mapping[str, object] | None = None,
    owners: Mapping[str, str] | None = None,
) -> Mapping[str, Ruling]:
    """The rulings of a phase by what was ordered; `""` is the last unit without an order."""
    rules = Rules.of(find_variant(name))
    position = Position(units_from(units, forms=rules.board.forms), owners=owners or {}, state=state or {})
    return {one.given: one for one in adjudicate(rules, kind, position, orders).rulings}


CASES = [
    ("conquest2", {"France": ["A ATL"]}, {"France": ["F ATL - VIS"]}, "is for a unit that is not there", "STD-4.b"),
    ("conquest2", {"France": ["A ATL"]}, {"France": ["A/F ATL - VIS"]}, "needs an army and a fleet of its power there, "
     "both without other orders", "CNW-6.a1"),
    ("conquest2", {"France": ["F ATL"]}, {"France": ["F ATL - VIS", "F ATL - BAH"]},
     "is for one unit more than its power has of this kind there", "CNW-5.a"),
    ("conquest2", {"France": ["A ATL"]}, {"France": ["A ATL - VIR"]},
     "is for an army, which leaves only aboard a fleet of its own power", "CNW-4.b"),
    ("scottomacy", {"England": ["F f"]}, {"England": ["F f - h"]},
     "leads into shallow water, which only boats can enter", "SCO-6.e"),
    ("scottomacy", {"England": ["F f"], "Campbell": ["A/BB h"]}, {"England": ["F f S A/BB h"]},
     "supports into shallow water, which only boats can enter", "SCO-6.e"),
    ("scottomacy", {"England": ["A/F ff"]}, {"England": ["A/F ff - 73"]},
     "is by a fleet with an army aboard, which never enters a coastal province", "SCO-6.c"),
    ("scottomacy", {"Keith": ["A 3"]}, {"Keith": ["A 3 - v"]}, "leads onto water, and names no boat to go in",
     "SCO-10.j"),
    ("indianomacy", {"Iroquois": ["W 12"]}, {"Iroquois": ["W 12 - h"]},
     "leads onto water, and names no boat to go in", "IND-6.e"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "units", "orders", "text", "clause"), CASES)
def test_reasons_name_what_is_wrong(name: str, units: Told, orders: Told, text: str, clause: str) -> None:
    """Not that the place cannot be reached, but why; by the clause of the game that says so."""
    *_, last = (one for given in orders.values() for one in given)
    ruling = ruled(name, units, orders)[last]
    assert (ruling.text, ruling.clause) == (text, clause)


def test_a_march_that_meets_a_boat_is_stopped_by_a_strength_of_one() -> None:
    """A carrier defends with one, not with the quarter by which it gives way (IND-6.o, SCO-11.g)."""
    for name, units, orders, boats, clause in (
        ("indianomacy2", {"Iroquois": ["W 12"], "Illinois": ["W 13"]},
         {"Iroquois": ["W 12 - 13 with CF"], "Illinois": ["W 13 - 12"]}, {"lie": {"12": [""]}}, "IND-6.o"),
        ("scottomacy", {"Keith": ["A/BB z"], "England": ["F bb"]},
         {"Keith": ["A/BB z - bb"], "England": ["F bb - z"]}, {"lie": {"z": ["Keith"]}}, "SCO-11.g"),
    ):  # fmt: skip
        told = ruled(name, units, orders, state={"boats": boats})
        (march,) = (one for one in told.values() if one.strengths)
        assert march.strengths == (1, 1)
        assert march.clause == clause
        (carried,) = (one for one in told.values() if not one.strengths)
        assert carried.text.startswith("may not change places with ")


def test_a_curse_is_told_with_its_length() -> None:
    """A build of the cursed is void for the curse, for so many Winters; the event names the last of them."""
    game = Game.start(find_variant("indianomacy"), seed=bytes(32))
    game = game.submit("Iroquois", ["W 14 - 120"]).process()
    told = " ".join(report(game).split())
    assert "Iroquois have broken the taboo of 120 (Hopewell Mounds): their unit is gone, and the power builds" in told
    assert "nothing until Winter 1602 is over. [IND-5.b]" in told
    for winters, text in ((2, "it lasts this Winter and the next"), (1, "the curse ends with this Winter")):
        state = {"taboo": {"whole": [], "cursed": {"Iroquois": winters}}}
        own = {"10": "Iroquois", "11": "Iroquois"}
        build = {"Iroquois": ["build W 11"]}
        ruling = ruled("indianomacy", {"Iroquois": ["W 10"]}, build, kind=A, state=state, owners=own)
        assert ruling["build W 11"].clause == "IND-5.f"
        assert ruling["build W 11"].text == f"is by a power under a curse, which builds nothing: {text}"


def test_events_are_told_in_good_grammar_and_by_what_befell() -> None:
    """Powers whose names are plurals take, fall and lose; a raw boat is lost on land, others go down at sea."""
    old, scots, new = (find_variant(name) for name in ("1000ad", "scottomacy", "conquest2"))
    phase, other = old.calendar.read("Fall 1001"), scots.calendar.read("Fall 1491")
    takes = Event(EventKind.TAKES, "Moors", "Val", "Francs")
    assert event_reason(old, phase, takes).text == "Moors take Valencia from Francs."
    lost = Event(PairEvent.LOST, "England", "BAH")
    assert event_reason(new, new.calendar.read("Fall 1600"), lost).text.startswith("England loses the unit")
    for place, clause in (("36", "SCO-10.g"), ("z", "SCO-12.b")):
        assert event_reason(scots, other, Event(BoatEvent.WRECKED, "Gordon", place)).clause == clause
    assert event_reason(replace(old, powers=()), phase, takes).text == "Moors takes Valencia from Francs."
