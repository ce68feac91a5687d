"""What is said of a layout that lacks something, shown on places set by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shapely.geometry import box

from gamesmaster.atlas.layout import WIDE, Placing, shortfalls
from gamesmaster.pictures.shapes.values import Disc, Label, Place, Spot

NORTH = Placing(box(100, 100, 500, 500), "Nor", "North", centre=True, extras=1)
EAST = Placing(box(500, 100, 900, 500), "Eas", "East")
GOOD = Place(
    spots={"": (Spot(200, 200, 80), Spot(300, 200, 80))},
    extras=(Spot(200, 300, 40),),
    centre=Disc(300, 300, 13),
    labels=(Label("Nor", "code", (250, 400), 34, 60), Label("North", "name", (250, 430), 26, 70)),
)
OTHER = Place({"": (Spot(700, 200, 80), Spot(770, 200, 80))}, labels=(Label("Eas", "code", (700, 400), 34, 60),))


def lacking(place: Place, other: Place = OTHER, north: Placing = NORTH) -> list[str]:
    """What two provinces lack."""
    return shortfalls({"N": north, "E": EAST}, {"N": place, "E": other}, WIDE)


def test_a_good_layout_lacks_nothing() -> None:
    """All is there, and in the province."""
    assert lacking(GOOD) == []


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (replace(GOOD, labels=GOOD.labels[1:]), "no room for the code Nor"),
        (replace(GOOD, spots={"": GOOD.spots[""][:1]}), "room for 1 of 2 units"),
        (replace(GOOD, centre=None), "no room for the mark"),
        (replace(GOOD, extras=()), "room for 0 of 1 small marks"),
        (replace(GOOD, spots={"": (Spot(200, 200, 40), Spot(300, 200, 40))}), "units is 40 page units"),
        (replace(GOOD, spots={"": (Spot(105, 200, 80), Spot(300, 200, 80))}), "only 56% in the"),
    ],
)  # fmt: skip
def test_what_is_lacking_is_said(place: Place, words: str) -> None:
    """Each lack is found once, and says how much is lacking."""
    (found,) = lacking(place)
    assert found.startswith("N: ")
    assert words in found


def test_a_coast_without_a_unit_is_said() -> None:
    """Each split coast wants a place of its own."""
    split = replace(NORTH, coasts={"NC": box(100, 90, 500, 100), "SC": box(100, 500, 500, 510)})
    place = replace(GOOD, spots={**GOOD.spots, "NC": (Spot(420, 150, 60),)})
    assert lacking(place, north=split) == ["N: no room for a unit on the coast SC"]


def test_what_is_out_of_play_lacks_nothing() -> None:
    """A province out of play wants neither code nor units."""
    assert lacking(Place({"": ()}), north=replace(NORTH, playable=False)) == []
