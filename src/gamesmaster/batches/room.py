"""The columns that games in batches are played in: how large they must be, and what they are at the start."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from gamesmaster.batches.chance import DEALT
from gamesmaster.batches.mechanics import parts_of, rules_in_batch
from gamesmaster.batches.state import COUNT, LEFT, TALLIES, Game, Scratch
from gamesmaster.batches.tables import Tables
from gamesmaster.engine import kernel
from gamesmaster.engine.problem import BY_PLACE, BY_ROW
from gamesmaster.variant import Calendar, Variant


def most_units(variant: Variant, t: Tables) -> int:
    """Return the greatest number of units that a game can ever have.

    It is the number of centres and neutral units, or of units at the start if these are more, plus those that
    mechanics add.
    """
    powers = {power.name for power in variant.powers}
    neutral = sum(unit.power not in powers for unit in variant.start.units)
    more = sum(
        part.columns.more * (_recurrences(variant.calendar) if part.columns.due else 1)
        for part in parts_of(rules_in_batch(variant))
    )
    return max(len(variant.start.units), sum(map(int, t.ground.centre)) + neutral) + more


def _recurrences(calendar: Calendar) -> int:
    """Return the most phases of a turn that one name of a season means, by itself or with the kind of phase."""
    found = Counter[str]()
    for slot in calendar.slots:
        names = {name.casefold() for name in (slot.season, *slot.also)}
        found.update(names | {f"{name} {slot.kind.value}" for name in names})
    return max(found.values())


def room_for(variant: Variant, t: Tables, games: int, rows: int) -> tuple[Game, Scratch]:
    """Return the columns of `games` games, and the scratch of one thread, with room for fewer than `rows` units."""
    return columns_at_start(variant, t, games, rows), scratch_for(variant, t, rows)


def columns_at_start(variant: Variant, t: Tables, games: int, rows: int) -> Game:
    """Return the columns of `games` games, at their start."""
    import numpy as np

    board, size, powers = variant.board, len(t.lands.port), len(variant.powers) + 1
    by_power = dict.fromkeys(("centres", "fallen", "silent", "barren", "fed"), powers)
    parts = parts_of(rules_in_batch(variant))
    wide = {
        **{"tally": TALLIES, "closed": size, "holder": size, "joins": 2 * rows, **by_power},
        "kept": sum(part.columns.width for part in parts),
        "free": powers * len(t.kinds.base) if any(part.columns.spares for part in parts) else 0,
        "room": powers * size if any(part.columns.crowds for part in parts) else 0,
    }
    shapes = {name: (games, wide.get(name, rows)) for name in Game._fields} | {"moved": (games, LEFT + 1, rows)}
    game = Game(*(np.zeros(shapes[name], np.int16) for name in Game._fields))
    numbers = {power.name: number for number, power in enumerate(variant.powers, 1)}
    game.tally[:, COUNT] = len(variant.start.units)
    for r, unit in enumerate(variant.start.units, 1):
        game.number[:, r], game.owner[:, r] = unit.number, numbers.get(unit.power, 0)
        game.aboard[:, r] = unit.aboard
        game.stance[:, r] = list(board.ways).index(unit.kind) * len(board.locations) + board.location_index[unit.at]
    for province, power in variant.start.owners.items():
        game.holder[:, board.index[province]] = numbers.get(power, 0)
    for number in numbers.values():
        game.centres[:, number] = ((game.holder[0] == number) & np.greater(t.ground.centre, 0)).sum()
    return game


def scratch_for(variant: Variant, t: Tables, rows: int) -> Scratch:
    """Return the scratch columns for one thread."""
    import numpy as np

    size = len(t.lands.port)
    widest = max([part.columns.width for part in parts_of(rules_in_batch(variant))], default=0)
    reached = (t.steps.reach[a:b] for a, b in pairwise(t.steps.reach_at) if b > a)
    ends = max(Counter(t.stances.place[stances].tolist()).most_common(1)[0][1] for stances in reached)
    shapes: dict[str, tuple[int, ...]] = {
        "help_row": (size + 1, 2 + rows * ends),
        "help_to": (size + 1, 2 + rows * ends),
        "touched": ((rows + 1) * size,),
        "shore": (rows + 1, size),
        "load": (rows + 1, rows),
        "coast": (size, rows + 1),
        "levels": (2 * rows + 4,),
        "cells": (len(kernel.Rows._fields), rows),
        "answers": (len(kernel.Outcome._fields), rows),
        "places": (BY_PLACE, size),
        "lines": (BY_ROW, rows),
    }
    wide = {
        "tenant": size,
        "group": size,
        "helped": size + 1,
        "walks": size + 1,
        "alone": 1,
        "mark": size,
        "found": size,
        "start": rows + 2,
        "queue": max(size, rows),
        "listed": len(t.stances.place),
        "coasts": size,
        "words": DEALT,
        "spare": widest,
        **dict.fromkeys(("forces", "weights", "leads"), len(variant.powers) + 1),
    }
    wider: dict[str, Any] = {"weights": np.int32, "turns": np.int32, "words": np.int64}
    made = ((shapes.get(name, wide.get(name, rows + 1)), wider.get(name, np.int16)) for name in Scratch._fields)
    return Scratch(*(np.zeros(shape, kind) for shape, kind in made))
