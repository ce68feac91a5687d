"""Boats in tests of a variant: read from words, placed at random, and counted from phase to phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from gamesmaster.board import Board, Position, Unit
from gamesmaster.judge import Event, Result, Ruling
from gamesmaster.mechanics.boats.values import BoatSettings, Moorings
from gamesmaster.mechanics.boats.verbs import BoatVerb

WORDS = ("boats", "canoes")
"""Boats one by one, `{"at": "36", "builder": "keith", "raw": true}`; or how many lie in each province of land."""


def read_words(boats: BoatSettings, words: Mapping[str, Any], units: Collection[Unit]) -> dict[str, object]:
    """Return the state that scenarios describe: boats one by one, or the number on land and one per unit afloat."""
    lie: dict[str, list[str]] = {}
    raw: dict[str, str] = {}
    for boat in words.get("boats", ()):
        if boat.get("raw"):
            raw[boat["at"]] = boat["builder"]
        else:
            lie.setdefault(boat["at"], []).append(boat["builder"])
    if "boats" not in words:
        lie = {place: [""] * number for place, number in words.get("canoes", {}).items() if number}
        lie |= {unit.at.province: [""] for unit in units if unit.kind == boats.form}
    parts = {"lie": {place: sorted(pile) for place, pile in sorted(lie.items())}, "raw": dict(sorted(raw.items()))}
    return {key: part for key, part in parts.items() if part}


def random_state(boats: BoatSettings, board: Board, units: Collection[Unit], chance: Random) -> dict[str, object]:
    """Boats of their own where units are: one with each that is afloat, and one or two with many of those on land."""
    lie: dict[str, list[str]] = {}
    for unit in units:
        place, afloat = unit.at.province, unit.kind == boats.form
        if afloat or (board.province(place).land and chance.random() < 0.7):
            lie[place] = [unit.power if boats.named else ""] * (1 if afloat else chance.randint(1, 2))
    return {"lie": lie} if lie else {}


def phase_faults(
    before: Position, after: Position, rulings: Sequence[Ruling], happened: Collection[Event]
) -> Iterator[str]:
    """Boats are made, destroyed and lost, those of a unit afloat with it; nothing else changes their number."""
    count = Counter(r.order.verb for r in rulings if r.order and r.result is Result.SUCCEEDS)
    change = Moorings.of(after).count().total() - Moorings.of(before).count().total()
    lost = count[BoatVerb.MAKE] - count[BoatVerb.DESTROY] - change
    if lost < 0:
        yield f"{-lost} more boats than were built"
    elif lost and not happened and not _numbers(before) - _numbers(after):
        yield f"{lost} boats are gone, and nothing that happened says so"


def _numbers(position: Position) -> set[int]:
    """Return the numbers of all units, dislodged ones too."""
    return {unit.number for unit in (*position.units, *(d.unit for d in position.dislodged))}
