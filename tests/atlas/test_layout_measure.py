"""What is said of a layout that lacks something, shown on places set by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shapely.geometry import box

from gamesmaster.atlas.layout import WIDE, Placing, Shortfall, shortfalls
from gamesmaster.pictures.shapes.values import Disc, Label, Place, Spot

PAGE = (1000, 800)
NORTH = Placing(box(100, 100, 500, 500), "Nor", "North", centre=True, extras=1)
EAST = Placing(box(500, 100, 900, 500), "Eas", "East")
GOOD = Place(
    spots={"": (Spot(200, 200, 80), Spot(300, 200, 80))},
    extras=(Spot(200, 300, 40),),
    centre=Disc(300, 300, 13),
    labels=(Label("Nor", "code", (250, 400), 34, 60), Label("North", "name", (250, 430), 26, 70)),
)
OTHER = Place({"": (Spot(700, 200, 80), Spot(770, 200, 80))}, labels=(Label("Eas", "code", (700, 400), 34, 60),))


def lacking(place: Place, other: Place = OTHER, north: Placing = NORTH) -> list[Shortfall]:
    """What two provinces lack."""
    return shortfalls({"N": north, "E": EAST}, {"N": place, "E": other}, PAGE, WIDE)


def test_a_good_layout_lacks_nothing() -> None:
    """All is there, in the province, and apart; a second unit may reach a little into the first."""
    assert lacking(GOOD) == []
    assert lacking(replace(GOOD, spots={"": (Spot(200, 200, 80), Spot(255, 150, 80))})) == []


@pytest.mark.parametrize(
    ("place", "what", "amount", "words"),
    [
        (replace(GOOD, labels=GOOD.labels[1:]), "code", 1, "no room for the code Nor"),
        (replace(GOOD, spots={"": GOOD.spots[""][:1]}), "spot", 1, "room for 1 of 2 units"),
        (replace(GOOD, centre=None), "centre", 1, "no room for the mark"),
        (replace(GOOD, extras=()), "extra", 1, "room for 0 of 1 small marks"),
        (replace(GOOD, spots={"": (Spot(200, 200, 40), Spot(300, 200, 40))}), "room", 6, "units is 40 page units"),
        (replace(GOOD, spots={"": (Spot(105, 200, 80), Spot(300, 200, 80))}), "inside", 0.04, "only 56% in the"),
        (replace(GOOD, spots={"": (Spot(200, 200, 80), Spot(240, 200, 80))}), "overlap", 1, "overlaps the second"),
        (replace(GOOD, centre=Disc(230, 380, 13)), "overlap", 1, "centre overlaps the label of N"),
        (replace(GOOD, extras=(Spot(700, 400, 40),)), "overlap", 1, "label overlaps the extra of N"),
        (replace(GOOD, extras=(Spot(990, 400, 40),)), "frame", 1, "extra leaves the frame"),
    ],
)  # fmt: skip
def test_what_is_lacking_is_said(place: Place, what: str, amount: float, words: str) -> None:
    """Each lack is found once, with how much and in words."""
    (found,) = lacking(place)
    assert (found.what, found.amount) == (what, amount)
    assert words in str(found)


def test_a_coast_without_a_unit_is_said() -> None:
    """Each split coast wants a place of its own."""
    split = replace(NORTH, coasts={"NC": box(100, 90, 500, 100), "SC": box(100, 500, 500, 510)})
    place = replace(GOOD, spots={**GOOD.spots, "NC": (Spot(420, 150, 60),)})
    assert [str(lack) for lack in lacking(place, north=split)] == ["N: no room for a unit on the coast SC"]


def test_a_turned_label_is_measured_as_it_stands() -> None:
    """A label turned away from a mark does not overlap it, though it would if it stood level."""
    level = Label("North", "name", (350, 430), 26, 140)
    beside = replace(GOOD, centre=Disc(400, 430, 13), labels=(GOOD.labels[0], level))
    assert [lack.what for lack in lacking(beside)] == ["overlap"]
    assert lacking(replace(beside, labels=(GOOD.labels[0], replace(level, turn=60)))) == []


def test_a_line_from_a_code_across_a_unit_is_said() -> None:
    """A leader must not run over what lies between."""
    label = Label("Nor", "code", (450, 650), 34, 60, leader=(450, 450))
    place = replace(GOOD, labels=(label,))
    assert lacking(place) == []
    crossed = replace(OTHER, spots={"": (Spot(470, 560, 80), Spot(700, 200, 80))})
    assert "N: the line from its code crosses the first of E" in map(str, lacking(place, crossed))


def test_what_is_out_of_play_lacks_nothing() -> None:
    """A province out of play wants neither code nor units."""
    assert lacking(Place({"": ()}), north=replace(NORTH, playable=False)) == []
