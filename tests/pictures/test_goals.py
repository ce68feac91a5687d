"""Maps and text boards show goals and homes that are not the board's."""

from __future__ import annotations

from typing import Any

from gamesmaster.board import Position, units_from
from gamesmaster.pictures import (
    Picture,
    PowerMark,
    Sign,
    Snapshot,
    board_in_words,
    marks_of,
    shapes_of,
    signs_of,
    text_board,
)
from gamesmaster.rules import Rules
from gamesmaster.variant import Variant, find_variant
from tests.scenarios.setup import with_ends


def standard(*mechanics: dict[str, Any]) -> Variant:
    """The standard game with mechanics."""
    return with_ends(find_variant("standard"), mechanics=[*mechanics])


ENTERED = {"name": "entered-provinces", "goals": {"France": ["MUN", "BER"], "Germany": ["PAR"], "Italy": ["PAR"]}}
HELD = {"name": "held-provinces", "provinces": ["LON", "ROM"]}
WON = {"name": "won-homes", "winter": 0}


def drawn(variant: Variant, position: Position) -> str:
    """The map of a position."""
    rules = Rules.of(variant)
    picture = Picture(variant.board, shapes_of(find_variant("standard")), variant.powers, signs=signs_of(rules))
    return picture.svg(Snapshot(position, marks=marks_of(rules, position)))


def test_goals_have_flags() -> None:
    """A goal of one power has its flag, one of several or all a flag of nobody; the key explains flags."""
    variant = standard(ENTERED, HELD)
    marks = marks_of(Rules.of(variant), Position())
    assert marks == {
        "MUN": (PowerMark("France", Sign.GOAL),), "BER": (PowerMark("France", Sign.GOAL),),
        "PAR": (PowerMark("Germany and Italy", Sign.GOAL),),
        "LON": (PowerMark("", Sign.GOAL),), "ROM": (PowerMark("", Sign.GOAL),),
    }  # fmt: skip
    svg = drawn(variant, Position())
    for words in ("goal of France in Munich", "goal of Germany and Italy in Paris", "goal in London"):
        assert f'aria-label="{words}"' in svg
    assert ">goal</text>" in svg
    assert "Munich, inland, supply centre, home of Germany; owned by nobody; goal of France" in svg
    assert "goal" not in drawn(find_variant("standard"), Position()).replace('"s-goal"', "")


def test_the_text_board_says_goals() -> None:
    """With a ledger they are among its lines, without one they are listed."""
    variant = standard(ENTERED, HELD)
    words = board_in_words(variant, Rules.of(variant), variant.calendar.first, variant.start)
    assert "Goals:\nFrance: Mun, Ber.\nGermany, Italy: Par.\nAll powers: Lon, Rom.\n" in words
    bare = text_board(variant.board, Snapshot(Position(), marks=marks_of(Rules.of(variant), Position())), ())
    assert "Goals of France: Munich (Mun), Berlin (Ber).\nGoal of Germany and Italy: Paris (Par)." in bare
    assert "Goals: London (Lon), Rome (Rom)." in bare


def test_homes_are_those_that_were_won() -> None:
    """Homes that were won bear the letters of their powers, those of the board that nobody won bear none."""
    variant, state = standard(WON), {"won-homes": {"winters": 1, "homes": {"France": ["BEL", "PAR", "MUN"]}}}
    position = Position(units_from({"France": ["A PAR"]}), {"BEL": "France"}, (), state)
    marks = marks_of(Rules.of(variant), position)
    assert (marks["BEL"], marks["MUN"], marks["BRE"]) == tuple((PowerMark(p),) for p in ("France", "France", ""))
    assert "PAR" not in marks
    assert "SER" not in marks
    svg = drawn(variant, position)
    assert "Belgium, coast, supply centre; owned by France; home centre of France" in svg
    assert "Brest, coast, supply centre, home of France; owned by nobody; home centre of nobody" in svg
    layer = svg[svg.index('id="layer"') :]
    assert layer.count(">Fr</text>") >= 2
    assert marks_of(Rules.of(variant), Position()) == {}


def test_named_homes_too() -> None:
    """A home that a power has named bears its letter."""
    variant = find_variant("conquest2")
    position = Position(state={"designated-homes": {"winters": 3, "homes": {"England": [["NOV", 1]]}}})
    assert marks_of(Rules.of(variant), position)["NOV"] == (PowerMark("England"),)
