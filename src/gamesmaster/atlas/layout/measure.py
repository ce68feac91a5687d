"""What a layout lacks, measured on the finished places; it works for any layout, however it was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shapely.geometry import box

from gamesmaster.atlas.layout.text import Placing, Sizes
from gamesmaster.pictures import NOWHERE, Place

INSIDE = 0.57  # of a unit's square must lie in its province


def shortfalls(places: Mapping[str, Placing], laid: Mapping[str, Place], sizes: Sizes) -> list[str]:
    """Return what provinces in play should have and have not, a sentence each, by province.

    Whether things overlap or leave the frame is for `lint_shapes` to say.
    """
    return [
        f"{key}: {text}"
        for key, placing in sorted(places.items())
        if placing.playable
        for text in _lacking(placing, laid.get(key, NOWHERE), sizes)
    ]


def _lacking(placing: Placing, place: Place, sizes: Sizes) -> Iterator[str]:
    if not any(label.role == "code" for label in place.labels):
        yield f"no room for the code {placing.code}"
    spots = len(place.spots.get("", ()))
    if spots < placing.spots:
        yield f"room for {spots} of {placing.spots} units"
    for coast in sorted(placing.coasts):
        if not place.spots.get(coast):
            yield f"no room for a unit on the coast {coast}"
    if placing.centre and place.centre is None:
        yield "no room for the mark of the supply centre"
    if len(place.extras) < placing.extras:
        yield f"room for {len(place.extras)} of {placing.extras} small marks"
    least = min((row[0].room for row in place.spots.values() if row), default=sizes.room_least)
    if least < sizes.room_least:
        yield f"the side of its units is {least} page units; {sizes.room_least} is the least that is easy to read"
    for x, y, room in (spot for row in place.spots.values() for spot in row):
        square = box(x - room / 2, y - room / 2, x + room / 2, y + room / 2)
        share = placing.shape.intersection(square).area / square.area
        if share < INSIDE:
            yield f"a unit lies only {share:.0%} in the province"
