"""Victory by a unit in a certain place (STD-2.l)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.game import Game, Outcome, Termination
from gamesmaster.mechanics.goals import GoalEvent
from gamesmaster.rules import Event, goals_of
from gamesmaster.testing import check_variant
from gamesmaster.variant import Variant, find_variant, variant_facts
from tests.scenarios.setup import with_ends

GOALS = {"France": ["MUN"], "Germany": ["PAR", "PIC"]}


def variant(goals: dict[str, list[str]] | None = None) -> Variant:
    """The standard game with goals."""
    mechanics = [{"name": "entered-provinces", "goals": GOALS if goals is None else goals}]
    return with_ends(find_variant("standard"), mechanics=mechanics)


def game(units: dict[str, list[str]], phase: str = "S1902M") -> Game:
    """A game with these units."""
    made = variant()
    position = Position(units_from(units), {"PAR": "France", "BER": "Germany", "MUN": "Germany"})
    return Game.start(made, seed=bytes(32)).correct(position, "a test", phase=made.calendar.read(phase))


def test_who_comes_to_a_goal_wins() -> None:
    """A power that has been in a goal wins at the next count, even if its unit has left; the ledger says so."""
    fall = game({"France": ["A BUR"], "Germany": ["A BER"]}).submit("France", "A Bur - Mun").process()
    assert fall.records[-1].events == (Event(GoalEvent.ENTERED, "France", "MUN"),)
    assert fall.outcome is None
    assert fall.position.state == {"entered-provinces": ["France"]}
    line = "France: has come to a place that wins, and wins at the next count"
    assert fall.ledger.sections["Victory"] == (line,)
    over = fall.submit("France", "A Mun - Boh").process()
    assert over.outcome == Outcome(Termination.VICTORY, ("France",), "F1902M")
    assert over.position.state == {}
    assert [event.kind for event in over.records[-1].events if event.kind is GoalEvent.ENTERED] == []


def test_whose_goal_a_province_is() -> None:
    """All victories that name provinces tell players and maps of them."""
    rules = game({}).rules
    assert goals_of(rules) == {"MUN": {"France"}, "PAR": {"Germany"}, "PIC": {"Germany"}}


def test_several_share_the_victory() -> None:
    """Two that have come to goals since the last count share the victory, in whatever season they came."""
    fall = game({"France": ["A BUR"], "Germany": ["A BEL"]}).submit("France", "A Bur - Mun").process()
    over = fall.submit("Germany", "A Bel - Pic").process()
    assert over.outcome == Outcome(Termination.VICTORY, ("France", "Germany"), "F1902M")


def test_goals_of_others_count_nothing() -> None:
    """A unit in a goal of another power, or one that is stopped before its own, wins nothing."""
    autumn = game({"France": ["A BEL", "A BUR"], "Germany": ["A RUH"]}, "F1902M")
    autumn = autumn.submit("France", "A Bel - Pic\nA Bur - Mun").submit("Germany", "A Ruh - Mun").process()
    assert (autumn.outcome, autumn.position.state) == (None, {})


def test_who_gives_no_orders_wins_nothing() -> None:
    """A power that a mechanic has silenced does not win."""
    made = with_ends(
        find_variant("standard"),
        mechanics=[{"name": "anarchy", "grace": 0}, {"name": "entered-provinces", "goals": GOALS}],
    )
    position = Position(units_from({"France": ["A MUN"]}), {"BER": "France"})
    started = Game.start(made, seed=bytes(32)).correct(position, "a test", phase=made.calendar.read("F1902M"))
    anarchy = {"anarchy": {"France": 1}}
    assert replace(started, position=replace(started.position, state=anarchy)).process().outcome is None


def test_what_is_told_and_refused() -> None:
    """The goals are told; provinces must be on the board, and nobody begins in a goal; batches refuse."""
    victory = dict(variant_facts(variant()))["victory"]
    assert victory.endswith("; a unit in MUN for France, in PAR or PIC for Germany")
    with pytest.raises(BadFile, match="no province 'MUM'"):
        Game.start(variant({"France": ["MUM"]}), seed=bytes(32))
    with pytest.raises(BadFile, match="France begins the game in PAR, its goal"):
        Game.start(variant({"France": ["PAR"]}), seed=bytes(32))
    with pytest.raises(BadFile, match="Frnace"):
        variant({"Frnace": ["MUN"]})
    assert "batches do not see who enters a province" in " ".join(supports(variant()).why_not)


@pytest.mark.bulk
def test_it_conforms() -> None:
    """Random games break no promise."""
    assert check_variant(variant(), phases=20) == []
